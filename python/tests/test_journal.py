"""The file with the finished answers of a suite: what is damaged is ignored, and a second process is refused."""

import lucena_chess
import pytest

from lucena_chess.cluster import _journal

ANSWERS = {0: ["one"], 1: ["two", "three"], 2: []}


def known(path, task="task"):
    with _journal(str(path), task) as (found, _):
        return dict(found)


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "out.partial"
    with _journal(str(path), "task") as (found, keep):
        assert not found
        for result in ANSWERS.items():
            keep(result)
    return path


def test_answers_are_read_again_wherever_the_file_is_cut_off(path):
    whole = path.read_bytes()
    assert known(path) == ANSWERS
    for length in range(len(whole)):
        path.write_bytes(whole[:length])
        found = known(path)
        assert found.items() <= ANSWERS.items() and known(path) == found
        assert path.read_bytes().endswith(b"\n") and path.read_bytes().startswith(b"task\n")


def test_a_changed_bit_never_changes_an_answer(path):
    whole = path.read_bytes()
    for place in range(len(b"task\n"), len(whole)):
        for bit in range(8):
            changed = bytearray(whole)
            changed[place] ^= 1 << bit
            path.write_bytes(changed)
            assert known(path).items() <= ANSWERS.items()


def test_another_task_and_a_second_process_are_refused(path):
    whole = path.read_bytes()
    with pytest.raises(lucena_chess.StoreError, match="another suite"):
        known(path, "other")
    pytest.importorskip("fcntl")
    with _journal(str(path), "task"):
        with pytest.raises(lucena_chess.StoreError, match="in use by another process"):
            known(path)
    assert path.read_bytes() == whole
