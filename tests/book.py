#!/usr/bin/env python3
"""Compares Lucena's book with python-chess: keys, moves and weights.

Usage: book.py PATH-OF-LUCENA
Skipped (exit status 0) without python-chess.
"""

import random
import subprocess
import sys
import tempfile

try:
    import chess
    import chess.polyglot
except ImportError:
    print("skipped: python-chess is not installed (pip install chess)")
    sys.exit(0)

POSITIONS = 1000


def positions_of(reader, rng):
    """Distinct positions from random walks through the book; one move in five is any legal move."""
    seen = set()
    while len(seen) < POSITIONS:
        board = chess.Board()
        while not board.is_game_over() and len(seen) < POSITIONS:
            entries = list(reader.find_all(board))
            if not entries:
                break
            key = chess.polyglot.zobrist_hash(board)
            if key not in seen:
                seen.add(key)
                yield board, key, entries
            moves = [entry.move for entry in entries]
            if rng.random() < 0.2:
                moves = list(board.legal_moves)
            board.push(rng.choice(moves))


def probed(path, book, board):
    """The key and the moves with weights that `lucena book probe` prints for a position."""
    command = [path, "book", "probe", "--book", book] + [move.uci() for move in board.move_stack]
    lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    key = next(int(line.split()[1], 16) for line in lines if line.startswith("key "))
    rows = (line.split() for line in lines if line.endswith(" %"))
    return key, {row[0]: (row[1], int(row[2])) for row in rows}


def main():
    path = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        book = f"{folder}/book.bin"
        subprocess.run([path, "book", "export", "--out", book], check=True)
        with chess.polyglot.open_reader(book) as reader:
            compared = 0
            for board, key, entries in positions_of(reader, random.Random(7)):
                board960 = chess.Board(board.fen(), chess960=True)
                theirs = {board960.uci(board960.parse_uci(board.uci(e.move, chess960=True))): (board.san(e.move), e.weight) for e in entries}
                assert all(entry.move in board.legal_moves for entry in entries), board.fen()
                ours = probed(path, book, board)
                assert ours == (key, theirs), (board.fen(), ours, (key, theirs))
                compared += 1
            print(f"{compared} positions of {len(reader)} entries agree with python-chess")
    assert compared == POSITIONS


if __name__ == "__main__":
    main()
