"""Questions about a position that need no engine object: its evaluation, its features, why a move is good or bad."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any, Dict, List, Optional, Tuple, Union

import chess
import chess.engine
import numpy as np
import numpy.typing as npt

from . import _lucena
from ._convert import board_text, check_type, effort, move_text


@dataclass(frozen=True)
class Concept:
    """What a concept of chess, such as king shelter, contributes to an evaluation, in internal centipawns."""

    name: str
    title: str
    white: float
    black: float
    #: From White's view.
    net: float


@dataclass(frozen=True)
class Term:
    """What one weight contributes to an evaluation, in internal centipawns."""

    family: str
    term: str
    white: chess.SquareSet
    black: chess.SquareSet
    #: White's minus Black's.
    count: int
    middlegame: float
    endgame: float
    #: From White's view, at the phase of the position.
    sum: float


@dataclass(frozen=True)
class Evaluation:
    """A static evaluation, itemised: the terms add up to it, up to rounding."""

    #: As a search would report it: +100 is an even chance to win.
    score: chess.engine.PovScore
    #: Internal centipawns from White's view: removing a pawn changes the evaluation by 100 on average.
    total: int
    concepts: List[Concept]
    #: The largest first.
    terms: List[Term]
    #: Sentences about what counts most, the largest first.
    facts: List[str]
    #: All that `lucena eval --json` prints.
    data: Dict[str, Any] = field(repr=False)

    def __str__(self) -> str:
        lines = [f"{concept.title:30}{concept.net:+8.1f}" for concept in self.concepts if concept.net]
        return "\n".join([*lines, f"{'total':30}{self.total:+8.1f}"])


@dataclass(frozen=True)
class Claim:
    """A sentence of an explanation, with the squares and moves that it rests on."""

    kind: str
    text: str
    squares: chess.SquareSet
    #: Moves in SAN.
    line: List[str]


@dataclass(frozen=True)
class Explanation:
    """Why one move is better than another."""

    #: The move asked about, and the better one of the two.
    move: chess.Move
    best: chess.Move
    #: Of the move asked about, for the side to move.
    score: chess.engine.PovScore
    wdl: chess.engine.PovWdl
    text: str
    #: The first sentence.
    short: str
    claims: List[Claim]
    #: All that `lucena explain --json` prints.
    data: Dict[str, Any] = field(repr=False)

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Threats:
    """What the opponent would play if it were to move."""

    text: str
    claims: List[Claim]
    #: All that `lucena threats --json` prints.
    data: Dict[str, Any] = field(repr=False)

    def __str__(self) -> str:
        return self.text


def _squares(names: List[str]) -> chess.SquareSet:
    return chess.SquareSet(chess.parse_square(name) for name in names)


def _claims(data: Dict[str, Any]) -> List[Claim]:
    return [
        Claim(claim["kind"], claim["text"], _squares(claim["squares"]), claim["line"]) for claim in data["claims"]
    ]


def _score(score: Union[int, str]) -> chess.engine.Score:
    """A score of an explanation: centipawns, or "mate N"."""
    if isinstance(score, int):
        return chess.engine.Cp(score)
    return chess.engine.Mate(int(score.split()[1]))


def evaluate(board: chess.Board) -> Evaluation:
    """The static evaluation of a position, term by term, without a search."""
    data = json.loads(_lucena.evaluate(*board_text(board)))
    score = chess.engine.PovScore(chess.engine.Cp(data["shown_total"]), chess.WHITE)
    concepts = [
        Concept(line["concept"], line["title"], line["white"], line["black"], line["net"])
        for line in data["concepts"]
    ]
    terms = [
        Term(
            term["family"],
            term["term"],
            _squares(term["white"]),
            _squares(term["black"]),
            term["count"],
            term["middlegame"],
            term["endgame"],
            term["sum"],
        )
        for term in data["terms"]
    ]
    lines = sorted(data["lines"], key=lambda line: -abs(line["exact"]))
    return Evaluation(score, data["total"], concepts, terms, [line["text"] for line in lines], data)


def explain(
    board: chess.Board,
    move: Union[chess.Move, str, None] = None,
    *,
    against: Union[chess.Move, str, None] = None,
    nodes: Optional[int] = None,
) -> Explanation:
    """Why a move (the best one if none is given) is better or worse than the best alternative, or than `against`.

    Moves are `chess.Move` or text in SAN or UCI notation. `nodes` is the effort, 200000 by default.
    """
    fen, moves = board_text(board)
    asked, other = move_text(board, "move", move), move_text(board, "against", against)
    text, words, short = _lucena.explain(fen, moves, asked, other, effort(nodes))
    data = json.loads(text)
    win, draw, loss = data["wdl"]
    return Explanation(
        board.parse_san(data["move"]),
        board.parse_san(data["best"]),
        chess.engine.PovScore(_score(data["score"]), board.turn),
        chess.engine.PovWdl(chess.engine.Wdl(win, draw, loss), board.turn),
        words,
        short,
        _claims(data),
        data,
    )


def threats(board: chess.Board, *, nodes: Optional[int] = None) -> Threats:
    """What the opponent threatens."""
    fen, moves = board_text(board)
    text, words = _lucena.threats(fen, moves, effort(nodes))
    data = json.loads(text)
    return Threats(words, _claims(data), data)


def level(board: chess.Board, elo: int) -> List[Tuple[chess.Move, float]]:
    """The probability that a person of this rating plays each legal move, the most probable first."""
    check_type("elo", elo, int)
    # The extension module refuses what is out of its range.
    data = json.loads(_lucena.level(*board_text(board), min(max(elo, 0), 1 << 31)))
    return [(board.parse_san(line["san"]), line["probability"]) for line in data["moves"]]


def feature_names() -> List[str]:
    """The features of the evaluation, in the order of `features` and `weights`."""
    return _lucena.feature_names()


def features(board: chess.Board) -> npt.NDArray[np.int32]:
    """How often each feature occurs, White's minus Black's: a vector with one count for each weight."""
    counts, _ = _lucena.feature_counts(*board_text(board))
    return np.frombuffer(counts, dtype=np.int32).copy()


def weight_shares(board: chess.Board) -> npt.NDArray[np.float32]:
    """How much each of the four parts of a weight counts in a position, by its phase and its number of pawns.

    `features @ weights @ weight_shares` is the evaluation in internal centipawns from White's view.
    """
    return np.array(_lucena.feature_counts(*board_text(board))[1], dtype=np.float32)


def weights() -> npt.NDArray[np.float32]:
    """The weights in internal centipawns: a row for each feature.

    The columns are the values in the middlegame and in the endgame with eleven pawns, and what four pawns more add to each.
    """
    return np.frombuffer(_lucena.weights(), dtype=np.float32).reshape(-1, 4).copy()
