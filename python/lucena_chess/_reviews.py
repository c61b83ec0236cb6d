"""Reviews of games: every move compared with the best one, mistakes explained, profiles of players."""

from __future__ import annotations

import collections.abc
import json
import os
from dataclasses import dataclass, field
from io import StringIO
from typing import IO, Any, Dict, Iterable, Iterator, List, Optional, Union

import chess
import chess.engine
import chess.pgn

from . import _lucena
from ._convert import check_type, effort, score_of
from .errors import OptionError, PgnError, UnsupportedVariantError

#: What `review` reads.
Pgn = Union[str, bytes, "os.PathLike[str]", IO[str], IO[bytes], chess.pgn.Game]


@dataclass(frozen=True)
class MoveReview:
    """A move of a game, compared with the best one."""

    #: From 1.
    ply: int
    move: chess.Move
    san: str
    #: The position before the move.
    fen: str
    #: After the move, for White; None where the game is over.
    score: Optional[chess.engine.PovScore]
    #: Chances of the player who moved to win, draw and lose after the move, per mille.
    wdl: chess.engine.PovWdl
    #: Expected points that the move loses, 0 to 1.
    lost: float
    #: lichess's accuracy of the move, 0 to 100.
    accuracy: float
    #: "inaccuracy", "mistake", "blunder", "only_move", "sacrifice" or None.
    mark: Optional[str]
    #: The best move in SAN.
    best: str
    text: List[str]
    #: The expected points that a mistake loses, by cause.
    causes: Dict[str, float]


@dataclass(frozen=True)
class SideReview:
    """A side of a game."""

    name: str
    #: lichess's accuracy, 0 to 100; None without moves.
    accuracy: Optional[float]
    inaccuracies: int
    mistakes: int
    blunders: int


class GameReview:
    """A reviewed game."""

    def __init__(self, native: _lucena.NativeReview) -> None:
        self._native = native
        #: A line of `lucena review --json`.
        self.data: Dict[str, Any] = json.loads(native.json())

    @property
    def headers(self) -> Dict[str, str]:
        return dict(self.data["tags"])

    @property
    def result(self) -> str:
        return str(self.data["result"])

    @property
    def white(self) -> SideReview:
        return _side(self.data["white"])

    @property
    def black(self) -> SideReview:
        return _side(self.data["black"])

    @property
    def moves(self) -> List[MoveReview]:
        # python-chess knows fewer tag names.
        headers = {name: value for name, value in self.headers.items() if name == "Variant"}
        is_chess960 = chess.pgn.Headers(headers).is_chess960()
        return [_move(move, is_chess960) for move in self.data["moves"]]

    @property
    def pgn(self) -> str:
        """The annotated game, with evaluations and variations."""
        return self._native.pgn()

    @property
    def html(self) -> str:
        """The game as an HTML page."""
        return self._native.html()

    def game(self) -> chess.pgn.Game:
        """The annotated game for python-chess."""
        game = chess.pgn.read_game(StringIO(self.pgn))
        assert game is not None
        return game

    def __repr__(self) -> str:
        return f"<GameReview {self.white.name} - {self.black.name} {self.result}, {len(self.data['moves'])} plies>"


def _side(data: Dict[str, Any]) -> SideReview:
    return SideReview(data["name"], data["accuracy"], data["inaccuracies"], data["mistakes"], data["blunders"])


def _move(data: Dict[str, Any], is_chess960: bool) -> MoveReview:
    # Only Chess960 knows every form of castling.
    board = chess.Board(data["fen"], chess960=True)
    move = chess.Move.from_uci(board.uci(board.parse_san(data["move"]), chess960=is_chess960))
    score = data["score"] and chess.engine.PovScore(score_of(data["score"]), chess.WHITE)
    return MoveReview(
        data["ply"],
        move,
        data["move"],
        data["fen"],
        score,
        chess.engine.PovWdl(chess.engine.Wdl(*data["wdl"]), board.turn),
        data["lost"],
        data["accuracy"],
        data["mark"],
        data["best"],
        data["text"],
        data["causes"],
    )


class Reviews(Iterator[GameReview]):
    """The reviews of a PGN, each computed when it is requested.

    A game that cannot be read raises `PgnError`; the next call goes on with the game behind it.
    """

    def __init__(self, native: _lucena.NativeGames, errors: str) -> None:
        self._native = native
        self._skips = errors == "skip"

    def __iter__(self) -> Reviews:
        return self

    def __next__(self) -> GameReview:
        while True:
            try:
                found = self._native.next()
            except PgnError as error:
                # An error without a number is one of the whole file.
                if self._skips and error.number is not None:
                    continue
                raise
            if found is None:
                raise StopIteration
            return GameReview(found)


def review(pgn: Pgn, *, nodes: Optional[int] = None, errors: str = "raise") -> Reviews:
    """Reviews the games of a PGN, one after the other.

    `pgn` is the text of one or more games (`str` or `bytes`), the path of a file as `pathlib.Path` (`.pgn`, `.pgn.zst`,
    `.pgn.xz`), an open file, or a `chess.pgn.Game`. `nodes` is the effort for each move, 20000 by default. `errors` is
    "raise" or "skip" for games that cannot be read.
    """
    nodes = effort(nodes)
    if errors not in ("raise", "skip"):
        raise OptionError(f"errors: must be 'raise' or 'skip', not {errors!r}")
    if isinstance(pgn, os.PathLike):
        os.stat(pgn)  # names the file in its error
        return Reviews(_lucena.NativeGames.of_file(os.fspath(pgn), nodes), errors)
    if isinstance(pgn, chess.pgn.Game):
        if pgn.board().uci_variant != "chess":
            raise UnsupportedVariantError(f"pgn: a game of {pgn.board().uci_variant}; Lucena plays standard chess")
        pgn = str(pgn)
    elif hasattr(pgn, "read"):
        pgn = pgn.read()
    check_type("pgn", pgn, str, bytes, os.PathLike, chess.pgn.Game)
    text = pgn.encode("utf-8", "surrogateescape") if isinstance(pgn, str) else bytes(pgn)
    if not text.strip():
        raise PgnError("there is no game in the text; give a file as pathlib.Path")
    return Reviews(_lucena.NativeGames.of_text(text, nodes), errors)


@dataclass(frozen=True)
class Profile:
    """What mistakes cost a player, by cause, phase, time and opening, with 95 percent bounds."""

    player: str
    #: Games of the player.
    games: int
    text: str
    #: As `lucena review --player NAME --profile FILE.json` writes it.
    data: Dict[str, Any] = field(repr=False)

    def __str__(self) -> str:
        return self.text


def profile(player: str, games: Iterable[GameReview]) -> Profile:
    """The profile of a player over reviewed games; figures that rest on fewer than 20 games are left out."""
    check_type("player", player, str)
    check_type("games", games, collections.abc.Iterable)
    natives = []
    for game in games:
        check_type("games: an element", game, GameReview)
        natives.append(game._native)
    text, words = _lucena.profile(player, natives)
    data = json.loads(text)
    return Profile(data["player"], data["games"], words, data)
