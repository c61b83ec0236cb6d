"""The commands of docs/cluster.md with GNU parallel, run as they stand there."""

import os
import pathlib
import re
import shutil
import subprocess

import pytest

ROOT = pathlib.Path(__file__).parents[2]
PROGRAM = os.environ.get("LUCENA_PROGRAM") or shutil.which("lucena")


@pytest.mark.skipif(shutil.which("parallel") is None, reason="GNU parallel is not installed")
@pytest.mark.skipif(PROGRAM is None, reason="no program: set LUCENA_PROGRAM")
def test_gnu_parallel_gives_the_output_of_one_run(tmp_path):
    text = (ROOT / "docs" / "cluster.md").read_text(encoding="utf-8")
    script = re.search(r"### GNU parallel\n\n```sh\n(.*?)```", text, re.DOTALL)[1]
    environment = {**os.environ, "PATH": f"{pathlib.Path(PROGRAM).absolute().parent}:{os.environ['PATH']}"}
    games = (ROOT / "tests" / "data" / "review.pgn").read_text() * 3
    (tmp_path / "games.pgn").write_text(games)
    script = script.replace("--shard {}/4 --json", "--nodes 300 --shard {}/4 --json")
    plan = [PROGRAM, "datagen", "--out", "games", "--games", "40", "--nodes", "30", "--seed", "53"]
    subprocess.run(plan, cwd=tmp_path, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    subprocess.run(["bash", "-euc", script], cwd=tmp_path, env=environment, check=True, stdout=subprocess.DEVNULL)
    whole = [PROGRAM, "review", "games.pgn", "--nodes", "300", "--json", "-"]
    expected = subprocess.run(whole, cwd=tmp_path, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
    assert (tmp_path / "games.jsonl").read_bytes() == expected
    whole = [PROGRAM, "tune", "--data", "games", "--out", "whole.txt"]
    subprocess.run(whole, cwd=tmp_path, check=True, stderr=subprocess.DEVNULL)
    assert (tmp_path / "weights.txt").read_bytes() == (tmp_path / "whole.txt").read_bytes()
    assert expected.count(b"\n") == 6 and (tmp_path / "all.redb").exists()
