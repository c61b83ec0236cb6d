"""Long tasks on a local Ray cluster of several nodes, one of which is killed: the results are those of one process."""

import json
import pathlib
import time

import lucena_chess
import pytest

ray = pytest.importorskip("ray", reason="Ray is not installed")
from ray.cluster_utils import Cluster  # noqa: E402

from lucena_chess import cluster as tasks  # noqa: E402

DATA = pathlib.Path(__file__).parents[2] / "tests" / "data"
GAMES = DATA / "players.pgn"
NODES = 300


@pytest.fixture(scope="module")
def nodes():
    """A cluster with a head without processors and three nodes of one each."""
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 0})
    nodes = [cluster.add_node(num_cpus=1) for _ in range(3)]
    ray.init(address=cluster.address, log_to_driver=False)
    yield cluster, nodes
    ray.shutdown()
    cluster.shutdown()


def test_a_review_outlives_a_node(nodes, tmp_path, monkeypatch, capsys):
    cluster, members = nodes
    monkeypatch.setattr(tasks, "REVIEW_GAMES", 2)
    results, wait = [], tasks._result

    def result(*arguments):
        found = wait(*arguments)
        results.append(found)
        if len(results) == 2:
            cluster.remove_node(members[0], allow_graceful=False)
        return found

    monkeypatch.setattr(tasks, "_result", result)
    out, table = tmp_path / "out.jsonl", tmp_path / "out.parquet"
    assert tasks.main(["review", str(GAMES), "--nodes", str(NODES), "--json", str(out), "--parquet", str(table)]) == 0
    assert len(results) == 12
    deadline = time.monotonic() + 60
    while sum(node["Alive"] for node in ray.nodes()) > 3 and time.monotonic() < deadline:
        time.sleep(0.5)
    assert sum(node["Alive"] for node in ray.nodes()) == 3
    expected = [game.data for game in lucena_chess.review(GAMES, nodes=NODES)]
    found = [json.loads(line) for line in out.read_text().splitlines()]
    assert found == expected and len(found) == 24
    parquet = pytest.importorskip("pyarrow.parquet")
    rows = parquet.read_table(table).to_pylist()
    assert [row["uci"] for row in rows] == [move["uci"] for game in expected for move in game["moves"]]
    assert "24 games reviewed, 0 skipped" in capsys.readouterr().out


def test_games_that_cannot_be_read_are_named(nodes, tmp_path, capsys):
    path, out = tmp_path / "bad.pgn", tmp_path / "out.jsonl"
    path.write_text('[White "A"]\n\n1. e4 e5 *\n\n[White "B"]\n\n1. e4 e9 *\n')
    assert tasks.main(["review", str(path), "--nodes", "200", "--json", str(out)]) == 1
    assert len(out.read_text().splitlines()) == 1
    assert 'bad.pgn: game 2: line 7: "e9" is not a move' in capsys.readouterr().err


def test_training_games_are_continued(nodes, tmp_path):
    assert tasks.datagen(str(tmp_path / "all"), 11, nodes=50) == 11
    assert tasks.datagen(str(tmp_path / "parts"), 4, nodes=50) == 4
    assert tasks.datagen(str(tmp_path / "parts"), 11, nodes=50) == 7
    one, other = (sorted(folder.iterdir()) for folder in (tmp_path / "all", tmp_path / "parts"))
    assert [path.name for path in one] == ["seed-1.games"]
    assert one[0].read_bytes() == other[0].read_bytes()


def test_suites_are_solved(nodes):
    answers = list(tasks.suite([str(DATA / "tactics.epd")], nodes=2_000))
    alone = lucena_chess._lucena.solve_lines((DATA / "tactics.epd").read_text().splitlines(), 2_000, None, None)
    assert answers == [json.loads(answer) for answer in alone] and len(answers) == 15


def test_a_missing_cluster_is_an_error(nodes, capsys):
    def lost(chunk):
        raise lucena_chess.OptionError(f"chunk {chunk}: refused")

    with pytest.raises(lucena_chess.OptionError, match="chunk 1: refused"):
        list(tasks.run(lost, iter([(1,)]), "lost"))


def test_an_output_is_whole_or_absent(nodes, tmp_path, capsys):
    out = tmp_path / "out.jsonl"
    assert tasks.main(["review", str(tmp_path / "none.pgn"), "--json", str(out)]) == 1
    assert "none.pgn" in capsys.readouterr().err and list(tmp_path.iterdir()) == []
