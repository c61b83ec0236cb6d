#!/usr/bin/env python3
"""How far `lucena review` agrees with the evaluations that a PGN file has already.

Usage: agreement.py PATH-OF-LUCENA GAMES.pgn [NODES]

Takes the games in which each move has [%eval] and that have no variations. The classes of the other engine are by lichess's
winning chances and the cut-offs 0.05, 0.10 and 0.15 of a point; a side below 0.15 points makes no mistakes, as in Lucena's
review. Prints a table in Markdown. Fails if a best move is marked as a mistake.
"""

import json
import math
import re
import subprocess
import sys
import tempfile

CLASSES = ["none", "inaccuracy", "mistake", "blunder"]
CUT_OFFS = [0.05, 0.10, 0.15]
LOST = 0.15


def points(evaluation):
    """Expected points of White by lichess's formula of winning chances."""
    if evaluation.startswith("#"):
        return 0.0 if evaluation.startswith("#-") else 1.0
    centipawns = max(-1000.0, min(1000.0, 100.0 * float(evaluation)))
    return 1.0 / (1.0 + math.exp(-0.00368208 * centipawns))


def classes(evaluations):
    """The class of each move by the evaluations after the moves, which start with White's."""
    before, found = points("0.15"), []
    for ply, evaluation in enumerate(evaluations):
        after = points(evaluation)
        own, lost = (before, before - after) if ply % 2 == 0 else (1.0 - before, after - before)
        found.append(CLASSES[sum(lost >= cut for cut in CUT_OFFS) if own >= LOST else 0])
        before = after
    return found


def games_with_evaluations(path):
    with open(path, encoding="utf-8") as file:
        games = re.split(r"\n\n(?=\[Event )", file.read())
    for game in games:
        movetext = game.split("]\n\n", 1)[-1]
        if "[%eval" in movetext and "(" not in movetext:
            yield game.strip() + "\n\n", re.findall(r"\[%eval ([^\],]+)", movetext)


def main():
    lucena, path = sys.argv[1:3]
    nodes = sys.argv[3] if len(sys.argv) > 3 else "20000"
    chosen = list(games_with_evaluations(path))
    with tempfile.TemporaryDirectory() as folder:
        with open(f"{folder}/games.pgn", "w", encoding="utf-8") as file:
            file.writelines(game for game, _ in chosen)
        command = [lucena, "review", f"{folder}/games.pgn", "--nodes", nodes, "--json", f"{folder}/out.json"]
        subprocess.run(command, check=True, capture_output=True)
        with open(f"{folder}/out.json", encoding="utf-8") as file:
            reviews = [json.loads(line) for line in file]
    assert len(reviews) == len(chosen), (len(reviews), len(chosen))
    counts = {(one, other): 0 for one in CLASSES for other in CLASSES}
    games = best = 0
    for (_, evaluations), review in zip(chosen, reviews):
        # The last move may end the game without an evaluation.
        if len(evaluations) < len(review["moves"]) - 1:
            continue
        games += 1
        for theirs, move in zip(classes(evaluations), review["moves"]):
            ours = move["mark"] if move["mark"] in CLASSES else "none"
            counts[theirs, ours] += 1
            if move["move"] == move["best"]:
                best += 1
                assert ours == "none", (review["number"], move)
    moves = sum(counts.values())
    same = sum(counts[name, name] for name in CLASSES)
    expected = sum(
        sum(counts[name, other] for other in CLASSES) * sum(counts[other, name] for other in CLASSES) for name in CLASSES
    ) / moves
    near = sum(n for (one, other), n in counts.items() if abs(CLASSES.index(one) - CLASSES.index(other)) <= 1)
    print(f"{games} games, {moves} moves, {nodes} nodes: {same} in the same class ({100 * same / moves:.1f} %), {near} at")
    print(f"most one class apart ({100 * near / moves:.1f} %), kappa {(same - expected) / (moves - expected):.2f}. Of {best} best moves, none is marked.\n")
    print("| lichess \\ Lucena | " + " | ".join(CLASSES) + " |\n|---|" + "---|" * len(CLASSES))
    for one in CLASSES:
        print(f"| {one} | " + " | ".join(str(counts[one, other]) for other in CLASSES) + " |")


if __name__ == "__main__":
    main()
