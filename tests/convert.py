"""Won endings of four men, played by Lucena against another engine until they are won or spoilt.

Usage: convert.py LUCENA OPPONENT [--games N] [--seed S] [--nodes N] [--opponent-nodes N] [NAME...]

Positions are drawn from each table in turn; a threefold repetition, the fifty-move rule, stalemate and too few men are
draws as soon as they stand on the board. Where nothing but mate counts (KBNvK), the mate must not take more of Lucena's
moves than the table says. Exits with 1 where a win was not converted.
"""
import argparse
import random
import subprocess
import sys

import chess
import chess.engine

PIECES = ["KBBvK", "KBNvK", "KBPvK", "KNPvK", "KPPvK", "KPvKP", "KQBvK", "KQNvK", "KQPvK", "KQQvK", "KQRvK", "KQvKB",
          "KQvKN", "KQvKP", "KQvKQ", "KQvKR", "KRBvK", "KRNvK", "KRPvK", "KRRvK", "KRvKB", "KRvKN", "KRvKP", "KRvKR",
          "KBvKP", "KNvKP"]
ONLY_MATE_COUNTS = {"KBNvK", "KBBvK"}


def positions(lucena, name, seed):
    """Positions that the side to move, or the other, wins under the fifty-move rule: FEN, outcome, plies."""
    command = [lucena, "tablebase", "sample", name, "--positions", "2000", "--seed", str(seed)]
    lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    for line in lines:
        fen, outcome, plies = line.rsplit(" ", 2)
        if abs(int(outcome)) == 2 and int(plies) > 1 and chess.Board(fen).is_valid():
            yield fen, int(outcome), int(plies)


def end(board):
    """How the game has ended, or None."""
    if board.is_checkmate():
        return "mate"
    if board.is_stalemate():
        return "stalemate"
    if board.is_insufficient_material():
        return "too few men"
    if board.is_repetition(3):
        return "threefold repetition"
    if board.halfmove_clock >= 100:
        return "fifty moves"
    return None


def play(board, winner, engines, limits):
    """Plays until the game ends; how it ended and how many moves the winner made."""
    game, moves = object(), 0
    while not (over := end(board)):
        side = 0 if board.turn == winner else 1
        moves += side == 0
        board.push(engines[side].play(board, limits[side], game=game).move)
    if over == "mate" and board.turn == winner:
        over = "the wrong mate"
    return over, moves


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("lucena")
    parser.add_argument("opponent")
    parser.add_argument("names", nargs="*", default=PIECES)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--nodes", type=int, default=2000)
    parser.add_argument("--opponent-nodes", type=int, default=20000)
    arguments = parser.parse_intermixed_args()
    random.seed(arguments.seed)
    starts = {name: list(positions(arguments.lucena, name, arguments.seed)) for name in arguments.names}
    names = [name for name in arguments.names if starts[name]]
    limits = chess.engine.Limit(nodes=arguments.nodes), chess.engine.Limit(nodes=arguments.opponent_nodes)
    won, most = 0, 0
    with chess.engine.SimpleEngine.popen_uci(arguments.lucena) as lucena, \
            chess.engine.SimpleEngine.popen_uci(arguments.opponent) as opponent:
        for index in range(arguments.games):
            name = names[index % len(names)]
            fen, outcome, plies = random.choice(starts[name])
            board = chess.Board(fen)
            winner = board.turn if outcome > 0 else not board.turn
            over, moves = play(board, winner, (lucena, opponent), limits)
            most = max(most, moves)
            # Where the loser moves first, an even number of plies is as many moves of the winner's, halved.
            is_late = name in ONLY_MATE_COUNTS and moves > (plies + 1) // 2
            if over == "mate" and not is_late:
                won += 1
                continue
            line = " ".join(move.uci() for move in board.move_stack)
            print(f"{name} {fen}: {over} after {moves} moves, the table says {plies} plies: {line}")
    print(f"{won} of {arguments.games} won, the longest in {most} moves")
    sys.exit(won < arguments.games)


main()
