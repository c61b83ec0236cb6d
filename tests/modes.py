#!/usr/bin/env python3
"""Positions with known answers, solved by alpha-beta and by the tree search in the same time.

Usage: modes.py PROGRAM MILLISECONDS FILE...

FILE is EPD with `bm`, or a CSV of lichess puzzles (the first move is the opponent's; a puzzle is solved by its first move, or by
any mate in one). Both searches have one thread and 64 MiB and answer the same position one after the other. Prints for each
file how many positions each solved, and how many only one of them solved.
"""

import contextlib
import csv
import pathlib
import sys

import chess
import chess.engine

MODES = ["AlphaBeta", "MCTS"]
HASH = 64


def epd_positions(path):
    """Each position of an EPD file with its best moves."""
    for line in path.read_text().splitlines():
        if not line or line.startswith("#"):
            continue
        board = chess.Board()
        best = board.set_epd(line).get("bm", [])
        if best:
            yield board, best


def puzzle_positions(path):
    """Each puzzle after the opponent's move with the solver's first move."""
    with path.open(newline="") as rows:
        for row in csv.DictReader(rows):
            board = chess.Board(row["FEN"])
            first, answer = (chess.Move.from_uci(move) for move in row["Moves"].split()[:2])
            board.push(first)
            yield board, [answer]


def solves(board, move, best):
    """Whether a move is an answer. Every mate is one."""
    if move in best:
        return True
    after = board.copy()
    after.push(move)
    return after.is_checkmate()


def compare(engines, path, milliseconds):
    """Solve the positions of a file with all engines; print the counts."""
    limit = chess.engine.Limit(time=milliseconds / 1000)
    positions = puzzle_positions(path) if path.suffix == ".csv" else epd_positions(path)
    total, solved, alone = 0, [0, 0], [0, 0]
    for number, (board, best) in enumerate(positions):
        right = [solves(board, engine.play(board, limit, game=number).move, best) for engine in engines]
        total += 1
        for side in range(2):
            solved[side] += right[side]
            alone[side] += right[side] and not right[1 - side]
    counts = [f"{mode} {count} ({100 * count / max(total, 1):.1f} %), {only} alone"
              for mode, count, only in zip(MODES, solved, alone)]
    print(f"{path.name}: {total} positions at {milliseconds:g} ms; " + "; ".join(counts), flush=True)


def main():
    program = str(pathlib.Path(sys.argv[1]).resolve())
    with contextlib.ExitStack() as stack:
        open_engine = chess.engine.SimpleEngine.popen_uci
        engines = [stack.enter_context(open_engine(program, timeout=60)) for _ in MODES]
        for engine, mode in zip(engines, MODES):
            engine.configure({"Search Mode": mode, "Hash": HASH})
        for name in sys.argv[3:]:
            compare(engines, pathlib.Path(name), float(sys.argv[2]))


if __name__ == "__main__":
    main()
