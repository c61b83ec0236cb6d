"""Long tasks on many machines by Ray: reviews of games, training games, suites.

    python -m lucena_chess.cluster review GAMES.pgn --store REVIEWS.redb --json OUT.jsonl --address auto
    python -m lucena_chess.cluster datagen --out FOLDER --games 1000 --address auto
    python -m lucena_chess.cluster suite SUITE.epd --json OUT.jsonl --address auto

The driver cuts the task into chunks and sends each to a Ray task of one processor; the machines share no disk. Only a few
chunks for each processor are under way at a time, so memory stays flat. A chunk whose machine is lost runs again on another
one. Outputs are in the order of the input, whatever the order of the chunks, and do not depend on the number of machines.
After a kill, the same command goes on with what is missing: reviews with a store, training games, suites.
"""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import hashlib
import itertools
import json
import math
import os
import socket
import sys
import threading
import time
from collections import deque
from concurrent.futures import Future, wait
from queue import SimpleQueue
from typing import Any, Callable, Deque, Dict, Iterator, List, NoReturn, Optional, Sequence, Tuple, Union

from . import _lucena
from ._convert import check_number, check_type, effort
from ._engine import MAX_DEPTH, MAX_NODES, MAX_TIME
from .errors import LucenaError, OptionError, StoreError

#: Chunks under way for each processor of the cluster: one that runs and one that waits.
AHEAD = 2
#: Chunks that wait for an earlier one, for each one under way, at most.
FINISHED = 4
#: How often a chunk is tried again after its machine was lost.
RETRIES = 5
#: Games and bytes of a chunk of reviews, training games and positions of a chunk, at most.
REVIEW_GAMES = 8
REVIEW_BYTES = 1 << 20
DATAGEN_GAMES = 32
SUITE_POSITIONS = 8
#: The greatest number of training games, and the greatest seed.
MAX_GAMES = (1 << 32) - 1
MAX_SEED = (1 << 64) - 1
#: The node limit of a suite without a limit, as `lucena analyse` has it.
SUITE_NODES = 1_000_000
#: How long the cluster may have no processor before the run ends, in seconds.
PATIENCE = 60
#: How long the head of the cluster may not answer, likewise. Ray ends the process without an exception after 60.
HEAD_PATIENCE = 30
#: Time between two looks at the head, in seconds.
LOOK = 5

#: What to do after a loss.
AGAIN = "what was finished is kept; start a cluster (`ray start --head`) and run the same command again"

#: A task in short: a function and its arguments.
Chunk = Tuple[Any, ...]


class ClusterError(LucenaError):
    """The cluster cannot be reached or was lost. Finished results are kept."""


def _ray() -> Any:
    try:
        import ray
    except ImportError as error:
        raise ClusterError("Ray is not installed: pip install 'lucena-chess[cluster]'") from error
    return ray


def _head(ray: Any) -> str:
    """The address of the head of the connected cluster."""
    return str(ray.get_runtime_context().gcs_address)


def _fault(head: str) -> Optional[OSError]:
    """Why no connection to the head can be made."""
    host, _, port = head.rpartition(":")
    try:
        socket.create_connection((host.strip("[]"), int(port)), timeout=LOOK).close()
        return None
    except OSError as error:
        return error


class _Cluster:
    """The connected cluster. One thread makes all calls of Ray, which may block without end once the head is gone; the caller
    waits for the result and looks meanwhile whether the head still listens."""

    def __init__(self) -> None:
        self.ray = _ray()
        self.head = _head(self.ray)
        self.calls: SimpleQueue[Optional[Callable[[], None]]] = SimpleQueue()
        # A daemon: a blocked call does not keep the process alive.
        threading.Thread(target=self._make_calls, name="calls of Ray", daemon=True).start()

    def _make_calls(self) -> None:
        while call := self.calls.get():
            call()

    def close(self) -> None:
        """Ends the thread."""
        self.calls.put(None)

    def call(self, function: Callable[..., Any], *arguments: Any, **named: Any) -> Any:
        """Calls a function of Ray. Errors of tasks keep their type; those of the cluster are a `ClusterError`."""
        result: Future[Any] = Future()

        def call() -> None:
            try:
                result.set_result(function(*arguments, **named))
            except BaseException as error:
                result.set_exception(error)

        self.calls.put(call)
        answered = time.monotonic()
        while not wait([result], timeout=LOOK).done:
            fault = _fault(self.head)
            if fault is None:
                answered = time.monotonic()
            elif time.monotonic() > answered + HEAD_PATIENCE:
                text = f"the cluster has gone away: its head at {self.head} does not answer ({fault})"
                raise ClusterError(f"{text}; {AGAIN}")
        try:
            return result.result()
        except self.ray.exceptions.RayTaskError as error:
            raise error.cause from None
        except self.ray.exceptions.RayError as error:
            raise ClusterError(f"the cluster has gone away: {error}; {AGAIN}") from error

    def processors(self) -> int:
        return int(self.call(self.ray.cluster_resources).get("CPU", 0))


@dataclasses.dataclass
class Known:
    """The result of a chunk that needs no task."""

    result: Any


def run(
    function: Callable[..., Any],
    chunks: Iterator[Union[Chunk, Known]],
    name: str,
    keep: Callable[[Any], None] = lambda result: None,
) -> Iterator[Any]:
    """Runs a function on chunks in a connected Ray cluster; yields the results in the order of the chunks. `keep` gets each
    result as soon as its task has ended."""
    with contextlib.closing(_Cluster()) as cluster:
        task = cluster.ray.remote(num_cpus=1, max_retries=RETRIES)(function).options(name=name)
        under_way: List[Any] = []
        finished: Dict[Any, Any] = {}
        waiting: Deque[Any] = deque()
        is_end = False
        counted = -math.inf
        while waiting or not is_end:
            if time.monotonic() > counted + LOOK:
                most, counted = AHEAD * max(1, cluster.processors()), time.monotonic()
            while not is_end and len(under_way) < most and len(waiting) < FINISHED * most:
                chunk = next(chunks, None)
                if chunk is None:
                    is_end = True
                elif isinstance(chunk, Known):
                    waiting.append(chunk)
                else:
                    under_way.append(cluster.call(task.remote, *chunk))
                    waiting.append(under_way[-1])
            while waiting and (isinstance(waiting[0], Known) or waiting[0] in finished):
                first = waiting.popleft()
                yield first.result if isinstance(first, Known) else finished.pop(first)
            if under_way:
                reference, result = _next_result(cluster, under_way)
                under_way.remove(reference)
                keep(result)
                finished[reference] = result


def _next_result(cluster: _Cluster, references: List[Any]) -> Tuple[Any, Any]:
    """Waits for one of the tasks, but not for a cluster without processors."""
    waited = 0
    while waited < PATIENCE:
        done, _ = cluster.call(cluster.ray.wait, references, timeout=LOOK)
        if done:
            return done[0], cluster.call(cluster.ray.get, done[0])
        waited = 0 if cluster.processors() else waited + LOOK
    raise ClusterError(f"the cluster has had no processor for {PATIENCE} seconds; {AGAIN}")


def _review_chunk(source: str, games: List[Any], nodes: Optional[int]) -> Tuple[bytes, List[Any], List[Any]]:
    return _lucena.review_chunk(source, games, nodes)


def _play_chunk(seed: int, nodes: int, numbers: List[int]) -> List[Tuple[int, bytes]]:
    return _lucena.play_games(seed, nodes, numbers)


def _solve_chunk(
    number: int, lines: List[str], nodes: Optional[int], depth: Optional[int], movetime: Optional[int]
) -> Tuple[int, List[str]]:
    return number, _lucena.solve_lines(lines, nodes, depth, movetime)


def _file_names(paths: Sequence[str]) -> List[str]:
    """Refuses a single path, whose characters would be taken for paths."""
    check_type("paths", paths, list, tuple)
    for path in paths:
        check_type("paths: an element", path, str, os.PathLike)
    return [os.fspath(path) for path in paths]


def review(
    paths: Sequence[str], nodes: Optional[int] = None, store: Optional[str] = None
) -> Iterator[Tuple[bytes, List[Any]]]:
    """Reviews the games of files: for each chunk, lines of `lucena review --json`, and what could not be read as
    (file, number, line, message). Verdicts are kept in a store and taken from there, as by `lucena review --store`."""
    sources: Deque[str] = deque()
    paths, nodes = _file_names(paths), effort(nodes)
    if store is not None:
        check_type("store", store, str, os.PathLike)
    for path in paths:
        os.stat(path)  # names the file in its error
    kept = None if store is None else _lucena.NativeReviewStore(store)

    def chunks() -> Iterator[Union[Chunk, Known]]:
        for path in paths:
            games = _lucena.NativeGames.of_file(path, nodes)
            while chunk := _lucena.next_games(games, REVIEW_GAMES, REVIEW_BYTES):
                sources.append(path)
                known = None if kept is None else kept.recall(path, chunk, nodes)
                yield (path, chunk, nodes) if known is None else Known((*known, []))

    def keep(result: Tuple[bytes, List[Any], List[Any]]) -> None:
        if kept is not None:
            kept.put(result[2])

    for lines, faults, _ in run(_review_chunk, chunks(), "review", keep):
        path = sources.popleft()
        yield lines, [(path, *fault) for fault in faults]


def datagen(folder: str, games: int, seed: int = 1, nodes: int = 1000) -> int:
    """Plays the training games that are not in the folder yet, as `lucena datagen` does; returns how many."""
    check_type("folder", folder, str, os.PathLike)
    numbers = (("games", games, 0, MAX_GAMES), ("seed", seed, 0, MAX_SEED), ("nodes", nodes, 1, MAX_NODES))
    for key, number, least, most in numbers:
        check_type(key, number, int)
        check_number(key, number, least, most)
    store = _lucena.NativeGameStore(folder, seed, nodes)
    played = {number for number in store.played if number < games}
    left = (number for number in range(games) if number not in played)
    missing = games - len(played)
    try:
        with contextlib.closing(_Cluster()) as cluster:
            processors = max(1, cluster.processors())
        # Small enough that the last chunks end at about the same time.
        size = min(DATAGEN_GAMES, 1 + missing // (4 * processors))
        parts = iter(lambda: list(itertools.islice(left, size)), [])
        for found in run(_play_chunk, ((seed, nodes, part) for part in parts), "datagen"):
            store.append(found)
    finally:
        store.close()
    return missing


def suite(
    paths: Sequence[str],
    nodes: Optional[int] = None,
    depth: Optional[int] = None,
    movetime: Optional[int] = None,
    journal: Optional[str] = None,
) -> Iterator[Dict[str, Any]]:
    """Searches the positions of EPD files as `lucena analyse` does; yields an answer for each. Answers are kept in the file
    `journal` and taken from there by a second run."""
    if nodes is None and depth is None and movetime is None:
        nodes = SUITE_NODES
    check_number("nodes", nodes, 1, MAX_NODES)
    check_number("depth", depth, 1, MAX_DEPTH)
    check_number("movetime", movetime, 1, MAX_TIME)
    limits = (nodes, depth, movetime)
    lines: List[str] = []
    for path in _file_names(paths):
        try:
            with open(path, encoding="utf-8-sig") as file:
                lines.extend(line for line in map(str.strip, file) if line and not line.startswith("#"))
        except UnicodeDecodeError as error:
            raise OptionError(f"{path}: not a text file in UTF-8: {error}") from None
    parts = [lines[start : start + SUITE_POSITIONS] for start in range(0, len(lines), SUITE_POSITIONS)]
    task = hashlib.sha256(json.dumps([_lucena.version(), limits, parts]).encode()).hexdigest()
    with _journal(journal, task) as (known, keep):

        def chunks() -> Iterator[Union[Chunk, Known]]:
            for number, part in enumerate(parts):
                yield Known((number, known[number])) if number in known else (number, part, *limits)

        for _, answers in run(_solve_chunk, chunks(), "suite", keep):
            yield from map(json.loads, answers)


@contextlib.contextmanager
def _journal(path: Optional[str], task: str) -> Iterator[Tuple[Dict[int, Any], Callable[[Any], None]]]:
    """The results of a task by their numbers in a file, a line each after one that names the task, and a function that adds
    one. A line that a kill cut off is removed, a damaged one is ignored. One process at a time may use the file."""
    if path is None:
        yield {}, lambda result: None
        return
    known: Dict[int, Any] = {}
    with open(path, "a+b") as file:
        _lock(file, path)
        file.seek(0)
        head, *lines = file.read().splitlines(keepends=True) or [b""]
        if not f"{task}\n".encode().startswith(head):
            text = "its answers are to another suite or limit, or of another version"
            raise StoreError(f"{path}: {text}: choose another file, or delete it")
        # Only the last line may lack its end.
        last = [head, *lines][-1]
        if not last.endswith(b"\n"):
            file.truncate(file.tell() - len(last))
        for line in lines:
            digest, _, result = line.partition(b" ")
            if digest == _digest(result):
                number, answers = json.loads(result)
                known[number] = answers

        def write(line: bytes) -> None:
            file.write(line)
            file.flush()
            os.fsync(file.fileno())

        def keep(result: Any) -> None:
            text = json.dumps(result).encode() + b"\n"
            write(_digest(text) + b" " + text)

        if not head.endswith(b"\n"):
            write(f"{task}\n".encode())
        yield known, keep


def _digest(text: bytes) -> bytes:
    return hashlib.sha256(text).hexdigest()[:16].encode()


def _lock(file: Any, path: str) -> None:
    """Refuses a file that another process uses; without effect on systems and file systems without such locks."""
    try:
        import fcntl
    except ImportError:
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise StoreError(f"{path}: in use by another process") from None
    except OSError:
        pass


@contextlib.contextmanager
def _whole_file(path: str, inputs: Sequence[str]) -> Iterator[Any]:
    """A file that is whole or absent. It may not be one of the inputs."""
    folder = os.path.dirname(os.path.abspath(path))
    os.stat(folder)  # names the folder in its error
    if os.path.exists(path) and any(os.path.exists(known) and os.path.samefile(path, known) for known in inputs):
        raise OptionError(f"{path}: it is also an input; choose another file")
    unfinished = os.path.join(folder, f".lucena-{os.getpid()}-{os.path.basename(path)}")
    try:
        with open(unfinished, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(unfinished, path)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(unfinished)
        raise


@contextlib.contextmanager
def _table(path: Optional[str], inputs: Sequence[str]) -> Iterator[Callable[[bytes], None]]:
    """A Parquet file with a row for each move of reviewed games; takes lines of JSON."""
    if path is None:
        yield lambda lines: None
        return
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError as error:
        raise OptionError("parquet: pyarrow is not installed: pip install 'lucena-chess[cluster]'") from error
    text, whole, real = pyarrow.string(), pyarrow.int64(), pyarrow.float64()
    types = {"source": text, "number": whole, "white": text, "black": text, "result": text, "ply": whole}
    types.update({"move": text, "uci": text, "fen": text, "lost": real, "accuracy": real, "mark": text})
    types.update({"best": text, "depth": whole, "cp": whole, "mate": whole, "win": whole, "draw": whole, "loss": whole})
    schema = pyarrow.schema(list(types.items()))
    with _whole_file(path, inputs) as file, pyarrow.parquet.ParquetWriter(file, schema) as writer:

        def write(lines: bytes) -> None:
            rows = [row for line in lines.decode().split("\n") if line for row in _move_rows(line)]
            writer.write_table(pyarrow.Table.from_pylist(rows, schema))

        yield write


def _move_rows(line: str) -> Iterator[Dict[str, Any]]:
    """The moves of a reviewed game as rows of a table."""
    game = json.loads(line)
    for move in game["moves"]:
        score = move["score"] or {}
        yield {
            "source": game["source"],
            "number": game["number"],
            "white": game["white"]["name"],
            "black": game["black"]["name"],
            "result": game["result"],
            **{name: move[name] for name in ("ply", "move", "uci", "fen", "lost", "accuracy", "mark", "best", "depth")},
            "cp": score.get("cp"),
            "mate": score.get("mate"),
            "win": move["wdl"][0],
            "draw": move["wdl"][1],
            "loss": move["wdl"][2],
        }


def _arguments(arguments: Optional[Sequence[str]]) -> argparse.Namespace:
    parser = argparse.ArgumentParser("python -m lucena_chess.cluster", description=(__doc__ or "").split("\n")[0])
    tasks = parser.add_subparsers(dest="task", required=True)
    reviews = tasks.add_parser("review", help="judge every move of games, as `lucena review --json`")
    reviews.add_argument("games", nargs="+", metavar="GAMES", help="PGN files (also .zst, .xz)")
    reviews.add_argument("--nodes", type=int, help="nodes for each move (20000)")
    plays = tasks.add_parser("datagen", help="play training games, as `lucena datagen`")
    plays.add_argument("--out", required=True, metavar="DIR", help="folder for the games; games in it are not played again")
    plays.add_argument("--games", type=int, required=True, help="total number of games")
    plays.add_argument("--seed", type=int, default=1)
    plays.add_argument("--nodes", type=int, default=1000, help="soft node limit")
    suites = tasks.add_parser("suite", help="search the positions of EPD files, as `lucena analyse`")
    suites.add_argument("epd", nargs="+", metavar="FILE")
    suites.add_argument("--nodes", type=int)
    suites.add_argument("--depth", type=int)
    suites.add_argument("--movetime", type=int, metavar="MS")
    for task in (reviews, suites):
        task.add_argument("--json", required=True, metavar="FILE", help="write a JSON object for each game or position")
    reviews.add_argument("--parquet", metavar="FILE", help="also write a table with a row for each move")
    reviews.add_argument("--store", metavar="FILE", help="keep what was found here; a second run continues the first")
    for task in (reviews, plays, suites):
        task.add_argument("--address", default=None, help="of the cluster; auto: the one of this machine (a new local one)")
    return parser.parse_args(arguments)


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """The command line; returns the exit status."""
    given = _arguments(arguments)
    try:
        _connect(given.address)
        return _run_task(given)
    except (LucenaError, OSError) as error:
        print(f"lucena_chess.cluster: {error}", file=sys.stderr)
        return 1


def _connect(address: Optional[str]) -> None:
    """Connects to a cluster, unless this process has one."""
    ray = _ray()
    if ray.is_initialized():
        return
    try:
        # Ray tries for many minutes to reach a head that does not listen. It has no public way to ask for the address, so a
        # version without this function is not asked.
        head = None
        if "://" not in (address or ""):
            with contextlib.suppress(AttributeError):
                head = ray._private.services.canonicalize_bootstrap_address(address)
        fault = head and _fault(head)
        if fault:
            raise fault
        ray.init(address=address, log_to_driver=False, logging_level="warning")
    except (OSError, ValueError, RuntimeError) as error:
        raise ClusterError(f"no cluster at {address or 'auto'}: {error}; start one with `ray start --head`") from None


def _run_task(given: argparse.Namespace) -> int:
    if given.task == "datagen":
        played = datagen(given.out, given.games, given.seed, given.nodes)
        print(f"{played} games played, {given.games} in all")
        return 0
    return _run_suite(given) if given.task == "suite" else _run_review(given)


def _run_suite(given: argparse.Namespace) -> int:
    journal = f"{given.json}.partial"
    with _whole_file(given.json, given.epd) as out:
        answers = list(suite(given.epd, given.nodes, given.depth, given.movetime, journal))
        out.writelines(json.dumps(answer).encode() + b"\n" for answer in answers)
    with contextlib.suppress(FileNotFoundError):
        os.unlink(journal)
    print(f"solved {sum(answer['solved'] for answer in answers)} of {len(answers)}")
    return 0


def _run_review(given: argparse.Namespace) -> int:
    games, faults = 0, 0
    inputs = given.games if given.store is None else [*given.games, given.store]
    with _whole_file(given.json, inputs) as out, _table(given.parquet, inputs) as write_rows:
        for lines, failed in review(given.games, given.nodes, given.store):
            out.write(lines)
            games += lines.count(b"\n")
            write_rows(lines)
            for path, number, line, message in failed:
                faults += 1
                print(f"{path}: game {number}: line {line}: {message}", file=sys.stderr)
    print(f"{games} games reviewed, {faults} skipped")
    return 1 if faults else 0


def _end(status: int) -> NoReturn:
    """Ends the process. Ray's handlers of the exit are left out if the head is gone: they would wait for it."""
    ray = sys.modules.get("ray")
    if ray is not None and ray.is_initialized() and _fault(_head(ray)) is not None:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)
    sys.exit(status)


if __name__ == "__main__":
    _end(main())
