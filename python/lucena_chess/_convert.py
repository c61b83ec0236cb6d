"""python-chess objects as the text that the extension module takes, and back."""

from __future__ import annotations

from typing import Any, Dict, List, Optional, Tuple, Union

import chess
import chess.engine

from .errors import ArgumentTypeError, InvalidMoveError, OptionError, UnsupportedVariantError


def check_type(name: str, value: object, *types: type) -> None:
    """Refuses a value of another type; True and False are not numbers."""
    if isinstance(value, types) and (bool in types or not isinstance(value, bool)):
        return
    expected = " or ".join(f"{kind.__module__}.{kind.__qualname__}".replace("builtins.", "") for kind in types)
    raise ArgumentTypeError(f"{name}: {type(value).__name__} given, {expected} needed")


def check_number(name: str, value: Optional[int], low: int, high: int) -> Optional[int]:
    """Refuses a value that is not a whole number from `low` to `high`; None is accepted."""
    if value is None:
        return None
    check_type(name, value, int)
    if not low <= value <= high:
        raise OptionError(f"{name}: must be a number from {low} to {high}, not {value}")
    return value


def effort(nodes: Optional[int]) -> Optional[int]:
    """Nodes for the extension module, which refuses too few or too many and names the range."""
    if nodes is None:
        return None
    check_type("nodes", nodes, int)
    return min(max(nodes, 0), 1 << 60)


def check_board(board: chess.Board) -> None:
    check_type("board", board, chess.Board)
    if board.uci_variant != "chess":
        raise UnsupportedVariantError(
            f"board: a board of {board.uci_variant}; Lucena plays standard chess and Chess960 (chess.Board)"
        )


def board_text(board: chess.Board) -> Tuple[str, str]:
    """The FEN of an earlier position and the moves since then: as many as repetitions can depend on."""
    check_board(board)
    count = min(len(board.move_stack), max(board.halfmove_clock, 1))
    moves = board.move_stack[len(board.move_stack) - count :]
    while chess.Move.null() in moves:
        moves = moves[moves.index(chess.Move.null()) + 1 :]
    start = board.copy(stack=len(moves)).root() if moves else board
    return start.fen(shredder=board.chess960), " ".join(move.uci() for move in moves)


def move_text(board: chess.Board, name: str, move: Union[chess.Move, str, None]) -> Optional[str]:
    """A legal move of the board in UCI notation; a text is passed on to the engine."""
    if move is None or isinstance(move, str):
        return move
    check_type(name, move, chess.Move, str)
    if not board.is_legal(move):
        legal = " ".join(sorted(board.san(legal) for legal in board.legal_moves))
        raise InvalidMoveError(f"{name}: {move.uci()} is not legal; legal moves: {legal or 'none'}")
    return move.uci()


def moves_of(board: chess.Board, texts: List[str]) -> List[chess.Move]:
    """A line of moves in UCI notation, as the board writes castling."""
    board = board.copy(stack=False)
    moves = []
    for text in texts:
        move = board.parse_uci(text)
        moves.append(move)
        board.push(move)
    return moves


def line_of(board: chess.Board, line: Dict[str, Any]) -> List[chess.Move]:
    """The moves of a variation. In Chess960 castling in UCI notation has several forms, but one in SAN."""
    if not board.chess960:
        return moves_of(board, line["pv"])
    board = board.copy(stack=False)
    return [board.push_san(text) for text in line["pv_san"]]


def score_of(score: Dict[str, Any]) -> chess.engine.Score:
    """A score with the key `cp` or `mate`."""
    if "mate" in score:
        return chess.engine.Mate(score["mate"])
    return chess.engine.Cp(score["cp"])
