"""Parts of long tasks that need no cluster: their files and their plans."""

import contextlib
import itertools

import pytest
from lucena_chess import OptionError, StoreError
from lucena_chess import cluster as tasks


def entries(path, *results):
    """The entries of a journal when it is opened; adds others."""
    with tasks._journal(str(path), "task") as (known, keep):
        for result in results:
            keep(result)
    return known


def test_another_file_is_no_journal(tmp_path):
    path = tmp_path / "notes.txt"
    for text in ("one line", "one line\n", "task and more\n", "{}\n[1, 2]\n"):
        path.write_text(text)
        with pytest.raises(StoreError, match=r"notes\.txt"):
            entries(path)
        assert path.read_text() == text


def test_what_a_kill_cut_off_is_written_again(tmp_path):
    path = tmp_path / "journal"
    path.write_text("tas")
    assert entries(path, (0, ["a"]), (1, ["b"])) == {}
    whole = path.read_bytes()
    for length in range(len(whole) - 9, len(whole)):
        path.write_bytes(whole[:length])
        assert entries(path, (1, ["b"])) == {0: ["a"]}
        assert path.read_bytes() == whole and entries(path) == {0: ["a"], 1: ["b"]}


def test_an_input_is_no_output(tmp_path):
    path, link = tmp_path / "games.pgn", tmp_path / "link.pgn"
    path.write_text("1. e4 *\n")
    link.symlink_to(path)
    for out in (path, link):
        with contextlib.ExitStack() as stack, pytest.raises(OptionError, match="also an input"):
            stack.enter_context(tasks._whole_file(str(out), [str(path)]))
    assert path.read_text() == "1. e4 *\n"


def test_the_number_of_games_takes_no_memory(tmp_path, monkeypatch):
    class Cluster:
        def processors(self):
            return 2

        def close(self):
            pass

    def run(function, chunks, name):
        planned.extend(numbers for _, _, numbers in itertools.islice(chunks, 2))
        return iter(())

    planned = []
    monkeypatch.setattr(tasks, "_Cluster", Cluster)
    monkeypatch.setattr(tasks, "run", run)
    assert tasks.datagen(str(tmp_path), tasks.MAX_GAMES, nodes=50) == tasks.MAX_GAMES
    assert planned == [list(range(32)), list(range(32, 64))]
    planned.clear()
    assert tasks.datagen(str(tmp_path), 9, nodes=50) == 9
    assert planned == [[0, 1], [2, 3]]
