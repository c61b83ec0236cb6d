#!/usr/bin/env python3
"""python-chess reads the games that `lucena review` annotates: no error, and nothing of the owner's lost.

Usage: review.py PATH-OF-LUCENA [GAMES.pgn]
Skipped (exit status 0) without python-chess.
"""

import subprocess
import sys
import tempfile

try:
    import chess.pgn
except ImportError:
    print("skipped: python-chess is not installed (pip install chess)")
    sys.exit(0)


def games_of(path):
    with open(path, encoding="utf-8") as file:
        while (game := chess.pgn.read_game(file)) is not None:
            yield game


def check_kept(before, after, place):
    """The moves, variations, comments and glyphs of one tree are in the other."""
    for words in before.comment.split():
        # The evaluation of another engine is replaced.
        if "%eval" not in words and not words.rstrip("]").replace(".", "").lstrip("-#").isdigit():
            assert words in after.comment, (place, words, after.comment)
    if not before.nags & {1, 2, 3, 4, 5, 6}:
        assert before.nags <= after.nags, (place, before.nags, after.nags)
    else:
        assert before.nags == after.nags, (place, before.nags, after.nags)
    for child in before.variations:
        twin = after.variation(child.move) if child.move else next(c for c in after.variations if not c.move)
        check_kept(child, twin, f"{place} {child.san()}")


def main():
    path = sys.argv[1]
    source = sys.argv[2] if len(sys.argv) > 2 else "tests/data/review.pgn"
    with tempfile.TemporaryDirectory() as folder:
        target = f"{folder}/out.pgn"
        subprocess.run([path, "review", source, "--nodes", "2000", "--pgn", target], check=True, capture_output=True)
        before, after = list(games_of(source)), list(games_of(target))
    assert len(before) == len(after) > 0, (len(before), len(after))
    evaluations = 0
    for one, other in zip(before, after):
        assert not other.errors, other.errors
        for name, value in one.headers.items():
            assert other.headers[name] == value, (name, value, other.headers[name])
        assert [node.move for node in one.mainline()] == [node.move for node in other.mainline()]
        check_kept(one, other, one.headers.get("White"))
        for node in other.mainline():
            over = not any(node.board().legal_moves)
            assert over or node.eval() is not None, node
            evaluations += node.eval() is not None
            assert len(node.arrows()) <= 8
    print(f"{len(after)} annotated games with {evaluations} evaluations, read back")


if __name__ == "__main__":
    main()
