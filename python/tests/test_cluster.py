"""Long tasks on a local Ray cluster of several nodes, one of which is killed: the results are those of one process."""

import json
import os
import pathlib
import signal
import socket
import subprocess
import sys
import time

import lucena_chess
import pytest

ray = pytest.importorskip("ray", reason="Ray is not installed")
from ray.cluster_utils import Cluster  # noqa: E402

from lucena_chess import cluster as tasks  # noqa: E402

DATA = pathlib.Path(__file__).parents[2] / "tests" / "data"
GAMES = DATA / "players.pgn"
NODES = 300


@pytest.fixture(autouse=True)
def small_chunks(monkeypatch):
    monkeypatch.setattr(tasks, "REVIEW_GAMES", 2)
    monkeypatch.setattr(tasks, "SUITE_POSITIONS", 4)


@pytest.fixture(scope="module")
def alone():
    """The reviews of one process."""
    return [game.data for game in lucena_chess.review(GAMES, nodes=NODES)]


@pytest.fixture
def arrived(monkeypatch):
    """The results that came from tasks; `arrived.then` is called behind each with their number."""
    results = Results()
    wait = tasks._next_result

    def next_result(*arguments):
        found = wait(*arguments)
        results.append(found)
        results.then(len(results))
        return found

    monkeypatch.setattr(tasks, "_next_result", next_result)
    return results


class Results(list):
    def then(self, count):
        pass


def games_of(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


@pytest.fixture(scope="module")
def nodes():
    """A cluster with a head without processors and three nodes of one each."""
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 0})
    nodes = [cluster.add_node(num_cpus=1) for _ in range(3)]
    ray.init(address=cluster.address, log_to_driver=False)
    yield cluster, nodes
    ray.shutdown()
    cluster.shutdown()


def test_a_review_outlives_a_node(nodes, alone, arrived, tmp_path, capsys):
    cluster, members = nodes

    def lose_a_node(count):
        if count == 2:
            cluster.remove_node(members.pop(0), allow_graceful=False)

    arrived.then = lose_a_node
    out, table = tmp_path / "out.jsonl", tmp_path / "out.parquet"
    assert tasks.main(["review", str(GAMES), "--nodes", str(NODES), "--json", str(out), "--parquet", str(table)]) == 0
    # The node cost only the chunks that it had: every chunk has one result.
    assert len(arrived) == 12
    deadline = time.monotonic() + 60
    while sum(node["Alive"] for node in ray.nodes()) > 3 and time.monotonic() < deadline:
        time.sleep(0.5)
    assert sum(node["Alive"] for node in ray.nodes()) == 3
    assert games_of(out) == alone and len(alone) == 24
    parquet = pytest.importorskip("pyarrow.parquet")
    rows = parquet.read_table(table).to_pylist()
    assert [row["uci"] for row in rows] == [move["uci"] for game in alone for move in game["moves"]]
    assert "24 games reviewed, 0 skipped" in capsys.readouterr().out


def test_a_killed_review_is_continued_with_its_store(nodes, alone, arrived, tmp_path):
    cluster, _ = nodes
    out, store, table = (str(tmp_path / name) for name in ("out.jsonl", "kept.redb", "out.parquet"))
    command = ["review", str(GAMES), "--nodes", str(NODES), "--json", out, "--store", store, "--parquet", table]
    small = "from lucena_chess import cluster; cluster.REVIEW_GAMES = 2; raise SystemExit(cluster.main())"
    killed = subprocess.Popen([sys.executable, "-c", small, *command, "--address", cluster.address])
    games = lucena_chess._lucena.NativeGames.of_file(str(GAMES), NODES)
    first = lucena_chess._lucena.next_games(games, 2, 1 << 20)
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline and killed.poll() is None:
        if os.path.exists(store) and lucena_chess._lucena.NativeReviewStore(store).recall(str(GAMES), first, NODES):
            break
        time.sleep(0.05)
    killed.send_signal(signal.SIGKILL)
    assert killed.wait() == -signal.SIGKILL
    assert not os.path.exists(out) and not os.path.exists(table)
    assert tasks.main(command) == 0
    assert len(arrived) < 12
    assert games_of(pathlib.Path(out)) == alone and os.path.exists(table)
    # A third run needs no task and gives the same bytes.
    text, done = pathlib.Path(out).read_bytes(), len(arrived)
    assert tasks.main(command) == 0
    assert len(arrived) == done and pathlib.Path(out).read_bytes() == text
    program = os.environ.get("LUCENA_PROGRAM")
    if program:
        plain = [program, "review", str(GAMES), "--nodes", str(NODES), "--json", "-", "--threads", "2"]
        assert subprocess.run(plain, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout == text


def test_games_that_cannot_be_read_are_named(nodes, tmp_path, capsys):
    path, out = tmp_path / "bad.pgn", tmp_path / "out.jsonl"
    path.write_text('[White "A"]\n\n1. e4 e5 *\n\n[White "B"]\n\n1. e4 e9 *\n')
    assert tasks.main(["review", str(path), "--nodes", "200", "--json", str(out)]) == 1
    assert len(out.read_text().splitlines()) == 1
    assert out.stat().st_mode == path.stat().st_mode
    assert "bad.pgn: game 2: line 7: `e9` is not a move" in capsys.readouterr().err


def test_training_games_are_continued(nodes, tmp_path):
    assert tasks.datagen(str(tmp_path / "all"), 11, nodes=50) == 11
    assert tasks.datagen(str(tmp_path / "parts"), 4, nodes=50) == 4
    assert tasks.datagen(str(tmp_path / "parts"), 11, nodes=50) == 7
    one, other = (sorted(folder.iterdir()) for folder in (tmp_path / "all", tmp_path / "parts"))
    assert [path.name for path in one] == ["seed-1.games"]
    assert one[0].read_bytes() == other[0].read_bytes()


def test_suites_are_solved_and_continued(nodes, arrived, tmp_path, capsys):
    suite, out = str(DATA / "tactics.epd"), tmp_path / "out.jsonl"
    alone = lucena_chess._lucena.solve_lines(pathlib.Path(suite).read_text().splitlines(), 2_000, None, None)
    expected = [json.loads(answer) for answer in alone]
    command = ["suite", suite, "--nodes", "2000", "--json", str(out)]

    def go_away(count):
        if count == 2:
            raise tasks.ClusterError("the cluster has gone away")

    arrived.then = go_away
    assert tasks.main(command) == 1
    journal = tmp_path / "out.jsonl.partial"
    assert not out.exists() and journal.exists()
    # What a kill cut off is removed.
    journal.write_bytes(journal.read_bytes() + b'[3, ["cut')
    assert tasks.main([*command[:3], "3000", *command[4:]]) == 1
    assert "out.jsonl.partial: its answers are to another suite or limit" in capsys.readouterr().err
    arrived.then = lambda count: None
    assert tasks.main(command) == 0
    assert games_of(out) == expected and len(expected) == 15
    assert len(arrived) == 5 and not journal.exists()


def test_errors_of_tasks_keep_their_type(nodes):
    def lost(chunk):
        raise lucena_chess.OptionError(f"chunk {chunk}: refused")

    with pytest.raises(lucena_chess.OptionError, match="chunk 1: refused"):
        list(tasks.run(lost, iter([(1,)]), "lost"))


@pytest.mark.parametrize(
    "command, message",
    [
        (["review", str(GAMES), "--nodes", "-5"], "nodes: must be a number from 100 to 1000000"),
        (["suite", str(DATA / "tactics.epd"), "--depth", "0"], "depth: must be a number from 1 to 240, not 0"),
        (["suite", str(DATA / "tactics.epd"), "--nodes", "-1"], "nodes: must be a number from 1 to"),
        (["suite", "{folder}/bytes.epd", "--nodes", "10"], "bytes.epd: not a text file in UTF-8"),
        (["suite", "{folder}/text.epd", "--nodes", "10"], "text: FEN: expected 4 to 6 fields"),
        (["datagen", "--out", "{folder}/games", "--games", "-1"], "games: must be a number from 0 to"),
        (["datagen", "--out", "{folder}/games", "--games", "1", "--seed", "-1"], "seed: must be a number from 0 to"),
        (["datagen", "--out", "{folder}/games", "--games", "1", "--nodes", "0"], "nodes: must be a number from 1 to"),
    ],
)
def test_what_is_refused_is_named(nodes, command, message, tmp_path, capsys):
    (tmp_path / "bytes.epd").write_bytes(b"\xff\xfe")
    (tmp_path / "text.epd").write_text("text\n")
    command = [word.format(folder=tmp_path) for word in command]
    if command[0] != "datagen":
        command += ["--json", str(tmp_path / "out.jsonl")]
    assert tasks.main(command) == 1
    assert capsys.readouterr().err.startswith(f"lucena_chess.cluster: {message}".replace("bytes", str(tmp_path / "bytes")))
    assert not (tmp_path / "out.jsonl").exists() and not (tmp_path / "games").exists()


def test_wrong_types_are_refused(nodes):
    for call in (
        lambda: next(tasks.review(str(GAMES))),
        lambda: next(tasks.review([3])),
        lambda: next(tasks.review([str(GAMES)], nodes="10")),
        lambda: next(tasks.review([str(GAMES)], store=3)),
        lambda: next(tasks.suite(str(DATA / "tactics.epd"))),
        lambda: next(tasks.suite([str(DATA / "tactics.epd")], depth=1.5)),
        lambda: tasks.datagen(3, 1),
        lambda: tasks.datagen("games", None),
    ):
        with pytest.raises(lucena_chess.ArgumentTypeError, match=" given, .* needed"):
            call()


def test_tasks_do_not_pile_up(nodes):
    """Chunks are read only as results are taken: memory stays flat."""
    read = []

    def chunks():
        for number in range(200):
            read.append(number)
            yield (number,)

    for done, number in enumerate(tasks.run(lambda number: number, chunks(), "numbers")):
        assert number == done
        assert len(read) <= done + 1 + tasks.FINISHED * tasks.AHEAD * 3
    assert len(read) == 200


def test_an_output_is_whole_or_absent(nodes, tmp_path, capsys):
    out = tmp_path / "out.jsonl"
    assert tasks.main(["review", str(tmp_path / "none.pgn"), "--json", str(out)]) == 1
    assert "none.pgn" in capsys.readouterr().err and list(tmp_path.iterdir()) == []


def test_stores_of_other_kinds_are_refused(nodes, tmp_path, capsys):
    store = tmp_path / "text.redb"
    store.write_text("no database")
    command = ["review", str(GAMES), "--json", str(tmp_path / "out.jsonl"), "--store", str(store)]
    assert tasks.main(command) == 1
    assert "text.redb: " in capsys.readouterr().err and store.read_text() == "no database"
    (tmp_path / "seed-1.games").write_text("lucena games 1\nseed 1\nnodes 60\nrules 1\nengine 0.0.9\n\n")
    with pytest.raises(lucena_chess.StoreError, match="other settings .* choose another folder or seed"):
        tasks.datagen(str(tmp_path), 1, nodes=60)


def test_a_cluster_that_goes_away_loses_nothing(nodes, alone, arrived, tmp_path, monkeypatch, capsys):
    cluster, members = nodes
    monkeypatch.setattr(tasks, "PATIENCE", 5)
    out, store = tmp_path / "out.jsonl", tmp_path / "kept.redb"
    command = ["review", str(GAMES), "--nodes", str(NODES), "--json", str(out), "--store", str(store)]

    def lose_all(count):
        while count == 3 and members:
            cluster.remove_node(members.pop(), allow_graceful=False)

    arrived.then = lose_all
    assert tasks.main(command) == 1
    words = ("no processor for 5 seconds", "what was finished is kept", "run the same command again")
    message = capsys.readouterr().err
    assert all(word in message for word in words)
    assert not out.exists() and 3 <= len(arrived) < 12
    before = len(arrived)
    members.append(cluster.add_node(num_cpus=1))
    assert tasks.main(command) == 0
    assert games_of(out) == alone and len(arrived) == 12 and before + 1 <= 12


HEAD = """
import os, sys
from ray.cluster_utils import Cluster

cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
print(cluster.address, flush=True)
sys.stdin.readline()
cluster.head_node.kill_gcs_server(check_alive=False)
sys.stdin.read()
for processes in cluster.head_node.all_processes.values():
    for process in processes:
        process.process.kill()
os._exit(0)
"""


@pytest.fixture
def head():
    """The address of another cluster, and a function that kills its head."""
    process = subprocess.Popen(
        [sys.executable, "-c", HEAD], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )

    def kill():
        process.stdin.write("\n")
        process.stdin.flush()

    yield process.stdout.readline().strip(), kill
    process.stdin.close()
    assert process.wait(60) == 0


def test_a_cluster_without_a_head_is_an_error(head, tmp_path):
    address, kill = head
    out, store, one = tmp_path / "out.jsonl", tmp_path / "kept.redb", tmp_path / "one.pgn"
    one.write_text("1. e4 e5 *\n")
    # The first chunk has one short game; the next ones take longer than the time between two looks at the head.
    command = ["review", str(one), str(GAMES), "--nodes", "20000", "--json", str(out), "--store", str(store)]
    running = subprocess.Popen(
        [sys.executable, "-m", "lucena_chess.cluster", *command, "--address", address],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    first = lucena_chess._lucena.next_games(lucena_chess._lucena.NativeGames.of_file(str(one), 20_000), 1, 1 << 20)

    def is_kept():
        return store.exists() and lucena_chess._lucena.NativeReviewStore(str(store)).recall(str(one), first, 20_000)

    deadline = time.monotonic() + 120
    while not is_kept() and running.poll() is None and time.monotonic() < deadline:
        time.sleep(0.1)
    kill()
    killed = time.monotonic()
    _, message = running.communicate(timeout=120)
    # Ray ends a process 60 seconds after the loss, without an exception.
    assert time.monotonic() - killed < 55
    assert running.returncode == 1
    assert "lucena_chess.cluster: the cluster has gone away: its head at" in message, message
    assert "what was finished is kept" in message
    assert is_kept() and sorted(path.name for path in tmp_path.iterdir()) == ["kept.redb", "one.pgn"]


def test_a_cluster_that_does_not_answer_is_an_error(tmp_path):
    command = [sys.executable, "-m", "lucena_chess.cluster", "datagen", "--out", str(tmp_path), "--games", "1"]
    with socket.create_server(("127.0.0.1", 0)) as closed:
        address = f"127.0.0.1:{closed.getsockname()[1]}"
    for address in (address, "nonsense"):
        refused = subprocess.run([*command, "--address", address], stderr=subprocess.PIPE, text=True, timeout=60)
        assert refused.returncode == 1
        assert f"lucena_chess.cluster: no cluster at {address}: " in refused.stderr, refused.stderr
        assert "start one with `ray start --head`" in refused.stderr
