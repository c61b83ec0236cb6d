"""Long tasks on many machines by Ray: reviews of games, training games, suites.

    python -m lucena_chess.cluster review GAMES.pgn --json OUT.jsonl --address auto
    python -m lucena_chess.cluster datagen --out FOLDER --games 1000 --address auto
    python -m lucena_chess.cluster suite SUITE.epd --json OUT.jsonl --address auto

The driver cuts the task into chunks and sends each to a Ray task of one processor; the machines share no disk. Only a few
chunks for each processor are under way at a time, so memory stays flat. A chunk whose machine is lost runs again on another
one. Outputs are in the order of the input, whatever the order of the chunks, and do not depend on the number of machines.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import sys
import tempfile
from typing import Any, Callable, Dict, Iterator, List, Optional, Sequence, Tuple

from . import _lucena
from .errors import LucenaError, OptionError

#: Chunks under way for each processor of the cluster: one that runs and one that waits.
AHEAD = 2
#: How often a chunk is tried again after its machine was lost.
RETRIES = 5
#: Games and bytes of a chunk of reviews, training games and positions of a chunk, at most.
REVIEW_GAMES = 8
REVIEW_BYTES = 1 << 20
DATAGEN_GAMES = 32
SUITE_POSITIONS = 8
#: The node limit of a suite without a limit, as `lucena analyse` has it.
SUITE_NODES = 1_000_000
#: How long the cluster may have no processor before the run ends, in seconds.
PATIENCE = 60

#: A task in short: a function and its arguments.
Chunk = Tuple[Any, ...]


class ClusterError(LucenaError):
    """The cluster cannot be reached or has gone away. What was finished is kept."""


def _ray() -> Any:
    try:
        import ray
    except ImportError as error:
        raise ClusterError("Ray is not installed: pip install 'lucena-chess[cluster]'") from error
    return ray


def _processors(ray: Any) -> int:
    return max(1, int(ray.cluster_resources().get("CPU", 1)))


def run(function: Callable[..., Any], chunks: Iterator[Chunk], name: str) -> Iterator[Any]:
    """Runs a function on chunks in a connected Ray cluster; yields the results in the order of the chunks."""
    ray = _ray()
    task = ray.remote(num_cpus=1, max_retries=RETRIES)(function).options(name=name)
    under_way: List[Any] = []
    is_end = False
    while under_way or not is_end:
        while not is_end and len(under_way) < AHEAD * _processors(ray):
            chunk = next(chunks, None)
            if chunk is None:
                is_end = True
            else:
                under_way.append(task.remote(*chunk))
        if not under_way:
            return
        try:
            yield _result(ray, under_way.pop(0))
        except ray.exceptions.RayTaskError as error:
            raise error.as_instanceof_cause() from None
        except ray.exceptions.RayError as error:
            raise ClusterError(f"the cluster has gone away: {error}; run the command again") from error


def _result(ray: Any, reference: Any) -> Any:
    """Waits for a result, but not for a cluster without processors."""
    waited = 0
    while waited < PATIENCE:
        done, _ = ray.wait([reference], timeout=5)
        if done:
            return ray.get(reference)
        has_processor = ray.cluster_resources().get("CPU", 0) >= 1
        waited = 0 if has_processor else waited + 5
    raise ClusterError(f"the cluster has had no processor for {PATIENCE} seconds; what was finished is kept")


def _review_chunk(source: str, games: List[Any], nodes: Optional[int]) -> Tuple[bytes, List[Any]]:
    return _lucena.review_chunk(source, games, nodes)


def _play_chunk(seed: int, nodes: int, numbers: List[int]) -> List[Tuple[int, bytes]]:
    return _lucena.play_games(seed, nodes, numbers)


def _solve_chunk(lines: List[str], nodes: Optional[int], depth: Optional[int], movetime: Optional[int]) -> List[str]:
    return _lucena.solve_lines(lines, nodes, depth, movetime)


def review(paths: Sequence[str], nodes: Optional[int] = None) -> Iterator[Tuple[bytes, List[Any]]]:
    """Reviews the games of files: for each chunk, lines of `lucena review --json`, and what could not be read as
    (file, number, line, message)."""
    sources: List[str] = []
    for path in paths:
        os.stat(path)  # names the file in its error

    def chunks() -> Iterator[Chunk]:
        for path in paths:
            games = _lucena.NativeGames.of_file(path, nodes)
            while chunk := _lucena.next_games(games, REVIEW_GAMES, REVIEW_BYTES):
                sources.append(path)
                yield path, chunk, nodes

    for lines, faults in run(_review_chunk, chunks(), "review"):
        path = sources.pop(0)
        yield lines, [(path, *fault) for fault in faults]


def datagen(folder: str, games: int, seed: int = 1, nodes: int = 1000) -> int:
    """Plays the training games that are not in the folder yet, as `lucena datagen` does; returns how many."""
    store = _lucena.NativeGameStore(folder, seed, nodes)
    played = set(store.played)
    missing = [number for number in range(games) if number not in played]
    # Small enough that the last chunks end at about the same time.
    size = min(DATAGEN_GAMES, 1 + len(missing) // (4 * _processors(_ray())))
    parts = (missing[start : start + size] for start in range(0, len(missing), size))
    try:
        for found in run(_play_chunk, ((seed, nodes, part) for part in parts), "datagen"):
            store.append(found)
    finally:
        store.close()
    return len(missing)


def suite(
    paths: Sequence[str],
    nodes: Optional[int] = None,
    depth: Optional[int] = None,
    movetime: Optional[int] = None,
) -> Iterator[Dict[str, Any]]:
    """Searches the positions of EPD files as `lucena analyse` does; yields an answer for each."""
    if nodes is None and depth is None and movetime is None:
        nodes = SUITE_NODES
    lines: List[str] = []
    for path in paths:
        with open(path, encoding="utf-8") as file:
            lines.extend(line for line in map(str.strip, file) if line and not line.startswith("#"))
    parts = (lines[start : start + SUITE_POSITIONS] for start in range(0, len(lines), SUITE_POSITIONS))
    for answers in run(_solve_chunk, ((part, nodes, depth, movetime) for part in parts), "suite"):
        yield from map(json.loads, answers)


@contextlib.contextmanager
def _whole_file(path: str) -> Iterator[Any]:
    """A file that is whole or absent."""
    folder = os.path.dirname(os.path.abspath(path))
    with tempfile.NamedTemporaryFile("wb", dir=folder, prefix=".lucena-", delete=False) as file:
        try:
            yield file
            file.flush()
            os.fsync(file.fileno())
            os.replace(file.name, path)
        except BaseException:
            os.unlink(file.name)
            raise


@contextlib.contextmanager
def _table(path: Optional[str]) -> Iterator[Callable[[bytes], None]]:
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
    with _whole_file(path) as file, pyarrow.parquet.ParquetWriter(file, schema) as writer:

        def write(lines: bytes) -> None:
            rows = [row for line in lines.decode().splitlines() for row in _move_rows(line)]
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
    for task in (reviews, plays, suites):
        task.add_argument("--address", default=None, help="of the cluster; auto: the one of this machine (a new local one)")
    return parser.parse_args(arguments)


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """The command line; returns the exit status."""
    given = _arguments(arguments)
    try:
        ray = _ray()
        if not ray.is_initialized():
            try:
                ray.init(address=given.address, log_to_driver=False, logging_level="warning")
            except (ConnectionError, ValueError, RuntimeError) as error:
                raise ClusterError(f"no cluster at {given.address}: {error}; start one with `ray start --head`") from None
        return _run_task(given)
    except (LucenaError, OSError) as error:
        print(f"lucena_chess.cluster: {error}", file=sys.stderr)
        return 1


def _run_task(given: argparse.Namespace) -> int:
    if given.task == "datagen":
        played = datagen(given.out, given.games, given.seed, given.nodes)
        print(f"{played} games played, {given.games} in all")
        return 0
    table = _table(getattr(given, "parquet", None))
    with _whole_file(given.json) as out, table as write_rows:
        if given.task == "suite":
            answers = list(suite(given.epd, given.nodes, given.depth, given.movetime))
            out.writelines(json.dumps(answer).encode() + b"\n" for answer in answers)
            print(f"solved {sum(answer['solved'] for answer in answers)} of {len(answers)}")
            return 0
        games, faults = 0, 0
        for lines, failed in review(given.games, given.nodes):
            out.write(lines)
            games += lines.count(b"\n")
            write_rows(lines)
            for path, number, line, message in failed:
                faults += 1
                print(f"{path}: game {number}: line {line}: {message}", file=sys.stderr)
    print(f"{games} games reviewed, {faults} skipped")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
