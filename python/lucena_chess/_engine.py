"""The engine: searches that take and return python-chess objects."""

from __future__ import annotations

import collections.abc
import json
import os
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Callable, Dict, Iterable, List, Optional, Tuple, Type, Union

import chess
import chess.engine

from . import _lucena
from ._convert import board_text, check_board, check_number, check_type, line_of, move_text, moves_of, score_of
from .errors import ArgumentTypeError, OptionError

MAX_HASH = 1 << 20
MAX_THREADS = 1024
MAX_CONTEMPT = 1000
MAX_TIME = 1 << 35
MAX_NODES = 1 << 53
MAX_DEPTH = 240
MAX_LINES = 10


@dataclass(frozen=True)
class Line:
    """A variation that a search has found."""

    #: Rank, from 1.
    rank: int
    #: For the side to move; +100 is an even chance to win.
    score: chess.engine.PovScore
    #: Chances to win, draw and lose, per mille.
    wdl: chess.engine.PovWdl
    moves: List[chess.Move]
    depth: int
    seldepth: int
    #: Of the whole search so far, as the three below.
    nodes: int
    nps: int
    #: Seconds.
    time: float
    #: Per mille of the transposition table.
    hashfull: int
    #: "lower" or "upper" if the score is not exact.
    bound: Optional[str] = None

    @property
    def info(self) -> chess.engine.InfoDict:
        """The variation as an InfoDict of python-chess."""
        info: chess.engine.InfoDict = {
            "multipv": self.rank,
            "score": self.score,
            "wdl": self.wdl,
            "pv": self.moves,
            "depth": self.depth,
            "seldepth": self.seldepth,
            "nodes": self.nodes,
            "nps": self.nps,
            "time": self.time,
            "hashfull": self.hashfull,
        }
        return info


@dataclass(frozen=True)
class SearchResult:
    """The result of a search."""

    #: None if there is no legal move.
    move: Optional[chess.Move]
    #: The reply that the engine expects.
    ponder: Optional[chess.Move]
    #: The variations, the best one first; empty if there is no legal move. A move of the opening book has 0 nodes.
    lines: List[Line]

    @property
    def score(self) -> Optional[chess.engine.PovScore]:
        return self.lines[0].score if self.lines else None

    @property
    def wdl(self) -> Optional[chess.engine.PovWdl]:
        return self.lines[0].wdl if self.lines else None

    @property
    def pv(self) -> List[chess.Move]:
        return self.lines[0].moves if self.lines else []

    @property
    def depth(self) -> int:
        return self.lines[0].depth if self.lines else 0

    @property
    def nodes(self) -> int:
        return self.lines[0].nodes if self.lines else 0

    @property
    def nps(self) -> int:
        return self.lines[0].nps if self.lines else 0

    @property
    def time(self) -> float:
        return self.lines[0].time if self.lines else 0.0


def _line(board: chess.Board, report: Dict[str, Any]) -> Line:
    win, draw, loss = report["wdl"]
    return Line(
        rank=report["multipv"],
        score=chess.engine.PovScore(score_of(report["score"]), board.turn),
        wdl=chess.engine.PovWdl(chess.engine.Wdl(win, draw, loss), board.turn),
        moves=line_of(board, report),
        depth=report["depth"],
        seldepth=report["seldepth"],
        nodes=report["nodes"],
        nps=report["nps"],
        time=report["time"] / 1000,
        hashfull=report["hashfull"],
        bound=report["score"].get("bound"),
    )


Paths = Union[str, "os.PathLike[str]"]
Option = Union[int, bool, Paths]

#: Name, default, and the least and greatest number, or None for other types.
_OPTIONS: Dict[str, Tuple[Option, Optional[Tuple[int, int]]]] = {
    "hash": (16, (1, MAX_HASH)),
    "threads": (1, (1, MAX_THREADS)),
    "book": (False, None),
    "book_files": ("", None),
    "syzygy": ("", None),
    "contempt": (0, (-MAX_CONTEMPT, MAX_CONTEMPT)),
    "deterministic": (False, None),
    "move_overhead": (20, (0, 60_000)),
}


class Engine:
    """A chess engine in this process.

    It searches one position at a time; Python threads that share it wait for each other, and other threads go on. Ctrl-C
    ends a search with `KeyboardInterrupt`, and the engine can be used again.

    Options, all by keyword:

    - `hash`: size of the transposition table in MiB
    - `threads`: search threads
    - `book`: whether the opening book may answer `play` (and `search` with a limit)
    - `book_files`: Polyglot files, separated as in PATH; empty: the built-in book
    - `syzygy`: folders of tablebases, separated as in PATH; tables of 3 and 4 pieces are built in
    - `contempt`: how many centipawns a draw is worth less to the side to move
    - `deterministic`: the same search gives the same answer with several threads, too
    - `move_overhead`: milliseconds kept back for each move when a clock runs
    """

    def __init__(
        self,
        *,
        hash: int = 16,
        threads: int = 1,
        book: bool = False,
        book_files: Paths = "",
        syzygy: Paths = "",
        contempt: int = 0,
        deterministic: bool = False,
        move_overhead: int = 20,
    ) -> None:
        self._options: Dict[str, Option] = {name: default for name, (default, _) in _OPTIONS.items()}
        self._native = _lucena.NativeEngine()
        self.configure(
            hash=hash,
            threads=threads,
            book=book,
            book_files=book_files,
            syzygy=syzygy,
            contempt=contempt,
            deterministic=deterministic,
            move_overhead=move_overhead,
        )

    def configure(self, **options: Any) -> None:
        """Changes options from the next search on. An option that cannot be applied is refused and changes nothing."""
        given: Dict[str, Any] = {}
        for name, value in options.items():
            if name not in _OPTIONS:
                raise OptionError(f"{name}: no such option; options are {', '.join(_OPTIONS)}")
            default, bounds = _OPTIONS[name]
            if bounds is not None:
                check_type(name, value, int)
                check_number(name, value, *bounds)
                given[name] = value
            elif isinstance(default, bool):
                check_type(name, value, bool)
                given[name] = value
            else:
                check_type(name, value, str, os.PathLike)
                given[name] = os.fspath(value)
                for part in filter(None, str(given[name]).split(os.pathsep)):
                    if not (os.path.isdir(part) if name == "syzygy" else os.path.isfile(part)):
                        raise OptionError(f"{name}: {part} is not a {'folder' if name == 'syzygy' else 'file'}")
        try:
            self._native.configure(**given)
        except OptionError:
            before: Dict[str, Any] = {name: self._options[name] for name in given}
            self._native.configure(**before)
            raise
        self._options.update(given)

    @property
    def options(self) -> Dict[str, Option]:
        """The current options."""
        return dict(self._options)

    @property
    def closed(self) -> bool:
        return self._native.is_closed

    def new_game(self) -> None:
        """Clears the transposition table and the histories of earlier searches."""
        self._native.new_game()

    def search(
        self,
        board: chess.Board,
        limit: Optional[chess.engine.Limit] = None,
        *,
        nodes: Optional[int] = None,
        depth: Optional[int] = None,
        movetime: Optional[int] = None,
        infinite: bool = False,
        multipv: int = 1,
        root_moves: Optional[Iterable[Union[chess.Move, str]]] = None,
        on_line: Optional[Callable[[Line], object]] = None,
    ) -> SearchResult:
        """Searches a position.

        The first limit that is reached ends the search: `nodes`, `depth` in plies, `movetime` in milliseconds, or those
        of `limit`, whose times are in seconds as everywhere in python-chess. With `infinite` it runs until another
        thread calls `stop`. `multipv` is the number of variations, `root_moves` the moves to consider. `on_line` is
        called with new variations while the search runs; an exception in it ends the search.
        """
        request, mate, moves_to_go = self._request(board, limit, nodes, depth, movetime, infinite)
        request["multipv"] = check_number("multipv", multipv, 1, MAX_LINES)
        if isinstance(root_moves, str):
            raise ArgumentTypeError("root_moves: str given, a list of moves needed")
        if root_moves is not None:
            check_type("root_moves", root_moves, collections.abc.Iterable)
        wanted = []
        for move in root_moves or ():
            check_type("root_moves", move, chess.Move, str)
            wanted.append(move_text(board, "root_moves", move) or "")
        listener = None
        if on_line is not None:
            check_type("on_line", on_line, collections.abc.Callable)  # type: ignore[arg-type]
            call = on_line

            def listener(report: str) -> None:
                call(_line(board, json.loads(report)))

        answer = json.loads(self._native.search(json.dumps(request), wanted, mate, moves_to_go, listener))
        best = answer["best"] and board.parse_uci(answer["best"])
        ponder = None
        if best and answer["ponder"]:
            ponder = moves_of(board, [answer["best"], answer["ponder"]])[1]
        return SearchResult(best, ponder, [_line(board, line) for line in answer["lines"]])

    def play(
        self,
        board: chess.Board,
        limit: Optional[chess.engine.Limit] = None,
        *,
        nodes: Optional[int] = None,
        depth: Optional[int] = None,
        movetime: Optional[int] = None,
        root_moves: Optional[Iterable[Union[chess.Move, str]]] = None,
    ) -> chess.engine.PlayResult:
        """Chooses a move; limits and `root_moves` as in `search`."""
        result = self.search(board, limit, nodes=nodes, depth=depth, movetime=movetime, root_moves=root_moves)
        info = result.lines[0].info if result.lines else None
        return chess.engine.PlayResult(result.move, result.ponder, info)

    def stop(self) -> None:
        """Ends the running search, if there is one; it returns its result so far. To be called from another thread."""
        self._native.stop()

    def close(self) -> None:
        """Ends the running search and frees the memory. An engine may be closed twice."""
        self._native.close()

    def __enter__(self) -> Engine:
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        traceback: Optional[TracebackType],
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        changed = [f"{name}={value!r}" for name, value in self._options.items() if value != _OPTIONS[name][0]]
        return f"<lucena_chess.Engine({', '.join(changed)}){' closed' if self.closed else ''}>"

    def _request(
        self,
        board: chess.Board,
        limit: Optional[chess.engine.Limit],
        nodes: Optional[int],
        depth: Optional[int],
        movetime: Optional[int],
        infinite: bool,
    ) -> Tuple[Dict[str, Any], Optional[int], Optional[int]]:
        """The request of a search as the extension module reads it, and the limits that it has no field for."""
        check_board(board)
        limits: Dict[str, Union[int, bool]] = {}

        def add(name: str, value: Optional[float], low: int, high: int) -> None:
            if value is None:
                return
            if name in limits:
                raise OptionError(f"{name}: given twice, in limit and by keyword")
            number = check_number(name, value, low, high)  # type: ignore[arg-type]
            limits[name] = number  # type: ignore[assignment]

        mate = moves_to_go = None
        if limit is not None:
            check_type("limit", limit, chess.engine.Limit)
            add("nodes", limit.nodes, 1, MAX_NODES)
            add("depth", limit.depth, 1, MAX_DEPTH)
            add("movetime", _milliseconds("limit.time", limit.time), 0, MAX_TIME)
            for name, seconds in (
                ("wtime", limit.white_clock),
                ("btime", limit.black_clock),
                ("winc", limit.white_inc),
                ("binc", limit.black_inc),
            ):
                add(name, _milliseconds(f"limit: {name}", seconds), 0, MAX_TIME)
            mate = check_number("limit.mate", limit.mate, 1, 1000)
            moves_to_go = check_number("limit.remaining_moves", limit.remaining_moves, 0, 10_000)
        add("nodes", nodes, 1, MAX_NODES)
        add("depth", depth, 1, MAX_DEPTH)
        add("movetime", movetime, 0, MAX_TIME)
        check_type("infinite", infinite, bool)
        clock = "wtime" if board.turn == chess.WHITE else "btime"
        if not (infinite or mate or limits.keys() & {"nodes", "depth", "movetime", clock}):
            raise OptionError(
                "the search has no limit: give nodes=, depth=, movetime= (milliseconds), a chess.engine.Limit with the "
                "clock of the side to move, or use search(infinite=True) and call stop() from another thread"
            )
        limits["infinite"] = infinite
        fen, moves = board_text(board)
        is_timed = not infinite
        request = {"fen": fen, "moves": moves, "limits": limits, "book": is_timed and bool(self._options["book"])}
        return request, mate, moves_to_go


def _milliseconds(name: str, seconds: Optional[float]) -> Optional[int]:
    if seconds is None:
        return None
    check_type(name, seconds, float, int)
    if not 0 <= seconds <= MAX_TIME / 1000:
        raise OptionError(f"{name}: must be seconds from 0 to {MAX_TIME // 1000}, not {seconds}")
    return round(seconds * 1000)
