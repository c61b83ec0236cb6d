"""The files that long tasks on a cluster write; no cluster is needed."""

import pytest
from lucena_chess import StoreError
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
