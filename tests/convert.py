"""Plays won endings with four pieces: Lucena against another engine.

Usage: convert.py LUCENA OPPONENT [--games N] [--seed S] [--nodes N] [--opponent-nodes N] [NAME...]

Random won positions of each material in turn are played; threefold repetition, the fifty-move rule, stalemate and
insufficient material end the game as a draw. Where DTZ is the distance to mate (KBNvK), the mate must not take more moves than
the table says. Exits with 1 if a win was not converted.
"""
import argparse
import pathlib
import random
import sys

import chess
import chess.engine
import chess.syzygy

TABLES = pathlib.Path(__file__).parent.parent / "tablebases"

NAMES = ["KBBvK", "KBNvK", "KBPvK", "KNPvK", "KPPvK", "KPvKP", "KQBvK", "KQNvK", "KQPvK", "KQQvK", "KQRvK", "KQvKB",
          "KQvKN", "KQvKP", "KQvKQ", "KQvKR", "KRBvK", "KRNvK", "KRPvK", "KRRvK", "KRvKB", "KRvKN", "KRvKP", "KRvKR",
          "KBvKP", "KNvKP"]
DTZ_IS_DTM = {"KBNvK", "KBBvK"}


def position(tables, name):
    """A random position that one side wins, fifty-move rule included, but not by mate in 1: the board, the winner, DTZ."""
    white, black = name.split("v")
    pieces = [chess.Piece.from_symbol(letter) for letter in white + black.lower()]
    while True:
        board = chess.Board(None)
        for square, piece in zip(random.sample(chess.SQUARES, len(pieces)), pieces):
            board.set_piece_at(square, piece)
        board.turn = random.random() < 0.5
        if not board.is_valid() or board.is_game_over():
            continue
        outcome, plies = tables.probe_wdl(board), abs(tables.probe_dtz(board))
        if abs(outcome) == 2 and plies > 1:
            return board, board.turn if outcome > 0 else not board.turn, plies


def end(board):
    """How the game ended, or None."""
    if board.is_checkmate():
        return "mate"
    if board.is_stalemate():
        return "stalemate"
    if board.is_insufficient_material():
        return "insufficient material"
    if board.is_repetition(3):
        return "threefold repetition"
    if board.halfmove_clock >= 100:
        return "fifty moves"
    return None


def play(board, winner, engines, limits):
    """Plays the game. Returns how it ended and the number of moves of the winner."""
    game, moves = object(), 0
    while not (over := end(board)):
        side = 0 if board.turn == winner else 1
        moves += side == 0
        board.push(engines[side].play(board, limits[side], game=game).move)
    if over == "mate" and board.turn == winner:
        over = "mated by the loser"
    return over, moves


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("lucena")
    parser.add_argument("opponent")
    parser.add_argument("names", nargs="*", default=NAMES)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--nodes", type=int, default=2000)
    parser.add_argument("--opponent-nodes", type=int, default=20000)
    arguments = parser.parse_intermixed_args()
    random.seed(arguments.seed)
    limits = chess.engine.Limit(nodes=arguments.nodes), chess.engine.Limit(nodes=arguments.opponent_nodes)
    won, most = 0, 0
    with chess.engine.SimpleEngine.popen_uci(arguments.lucena, timeout=300) as lucena, \
            chess.engine.SimpleEngine.popen_uci(arguments.opponent, timeout=300) as opponent, \
            chess.syzygy.open_tablebase(str(TABLES)) as tables:
        for index in range(arguments.games):
            name = arguments.names[index % len(arguments.names)]
            board, winner, plies = position(tables, name)
            fen, begins = board.fen(), board.turn == winner
            over, moves = play(board, winner, (lucena, opponent), limits)
            most = max(most, moves)
            # DTZ may be rounded: the winner mates after an odd number of plies, or an even one if the loser moves first.
            allowed = plies // 2 + 1 if begins else (plies + 1) // 2
            is_late = name in DTZ_IS_DTM and moves > allowed
            if over == "mate" and not is_late:
                won += 1
                continue
            line = " ".join(move.uci() for move in board.move_stack)
            print(f"{name} {fen}: {over} after {moves} moves, DTZ {plies}: {line}")
    print(f"{won} of {arguments.games} won, the longest in {most} moves")
    sys.exit(won < arguments.games)


main()
