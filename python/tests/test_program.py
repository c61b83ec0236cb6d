"""The module searches as the program does."""

import os

import compare_speed
import pytest

PROGRAM = os.environ.get("LUCENA_PROGRAM")


@pytest.mark.skipif(not PROGRAM, reason="no program: set LUCENA_PROGRAM")
def test_the_module_and_the_program_visit_the_same_nodes():
    assert compare_speed.by_module(8)[0] == compare_speed.by_program(PROGRAM, 8)[0]
