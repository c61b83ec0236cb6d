#!/usr/bin/env python3
"""Measures what each search technique gains among the others, from one set of games.

Usage: factors.py play PROGRAM BOOK OUT [NAME[=LOW/HIGH]...] [--nodes N] [--off P] [--pairs N] [--seed S]
       factors.py fit FILE...

PROGRAM is a build with `--features tune`. Before each pair of games (one opening of BOOK, both colours) each side draws which
techniques it goes without, each with probability P; OUT gets one line per pair. Without a NAME these are all switches and all
depths that can switch a technique off; a constant can be drawn between two values. `fit` reads such files, estimates by least
squares what each technique contributes to the results, and prints what leaving it out (LOW instead of HIGH) changes, with 95
percent errors. Games are resigned at 600 centipawns and drawn at 8, as in docs/testing.md.
"""

import argparse
import json
import math
import pathlib
import random

import chess
import chess.engine
import numpy

RESIGN, DRAWN = 600, 8
HASH = {"Hash": 16, "Threads": 1}


def off_value(option):
    """The value that switches a technique off (see src/search/params.rs), or None."""
    if (option.min, option.max, option.default) == (0, 1, 1):
        return 0
    if option.name.endswith("_depth"):
        return 255 if option.max == 255 else option.min if option.min <= 0 else None
    return None


def techniques(engine, wanted):
    """Options to draw: name, value without, value with."""
    for text in wanted or [option.name for option in engine.options.values() if off_value(option) is not None]:
        name, _, values = text.partition("=")
        if name not in engine.options:
            raise SystemExit(f"{name}: no option of this program")
        option = engine.options[name]
        without, _, whole = values.partition("/")
        low = int(without) if without else off_value(option)
        if low is None:
            raise SystemExit(f"{name}: cannot be switched off; give two values, {name}=LOW/HIGH")
        yield name, low, int(whole or option.default)


def outcome(engines, board, nodes, game):
    """Plays a game and returns White's points."""
    ahead, behind, level = [0, 0], [0, 0], 0
    while (end := board.outcome(claim_draw=True)) is None:
        side = int(not board.turn)
        answer = engines[side].play(board, chess.engine.Limit(nodes=nodes), game=game, info=chess.engine.INFO_SCORE)
        score = answer.info["score"].relative.score(mate_score=30_000)
        ahead[side] = ahead[side] + 1 if score >= RESIGN else 0
        behind[side] = behind[side] + 1 if score <= -RESIGN else 0
        for winner in (0, 1):
            if ahead[winner] >= 3 and behind[1 - winner] >= 3:
                return 1.0 - winner
        level = level + 1 if abs(score) <= DRAWN and board.fullmove_number >= 34 else 0
        if level >= 16:
            return 0.5
        board.push(answer.move)
    return {chess.WHITE: 1.0, chess.BLACK: 0.0, None: 0.5}[end.winner]


def play(arguments):
    chance = random.Random(arguments.seed)
    openings = arguments.book.read_text().splitlines()
    engines = [chess.engine.SimpleEngine.popen_uci(arguments.program) for _ in range(2)]
    drawn = list(techniques(engines[0], arguments.names))
    if not drawn:
        raise SystemExit(f"{arguments.program}: nothing to switch off; build it with --features tune")
    with arguments.out.open("a") as out:
        for pair in range(arguments.pairs):
            sides = [{name: int(chance.random() >= arguments.off) for name, _, _ in drawn} for _ in engines]
            for engine, side in zip(engines, sides):
                engine.configure(HASH | {name: (low, high)[side[name]] for name, low, high in drawn})
            fen = " ".join(chance.choice(openings).split()[:4]) + " 0 1"
            points = outcome(engines, chess.Board(fen), arguments.nodes, (pair, 0))
            points += 1 - outcome(engines[::-1], chess.Board(fen), arguments.nodes, (pair, 1))
            out.write(json.dumps({"a": sides[0], "b": sides[1], "s": points}) + "\n")
            out.flush()
    for engine in engines:
        engine.quit()


def fit(arguments):
    rows = [json.loads(line) for file in arguments.files for line in file.read_text().splitlines()]
    names = sorted({name for row in rows for name in row["a"]})
    different = numpy.array([[row["a"].get(name, 1) - row["b"].get(name, 1) for name in names] for row in rows], float)
    points = numpy.array([row["s"] / 2 - 0.5 for row in rows])
    inverse = numpy.linalg.pinv(different.T @ different)
    worth = inverse @ different.T @ points
    rest = points - different @ worth
    deviation = math.sqrt(rest @ rest / max(1, len(rows) - len(names)))
    # Elo to a point, at equal strength.
    elo = 1600 / math.log(10)
    errors = 1.96 * deviation * numpy.sqrt(numpy.diag(inverse))
    print(f"{2 * len(rows)} games in {len(rows)} pairs")
    for index in numpy.argsort(-worth):
        pairs = int(numpy.count_nonzero(different[:, index]))
        print(f"{names[index]:26} {-elo * worth[index]:+7.1f} ± {elo * errors[index]:5.1f}  (differs in {pairs} pairs)")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    player = commands.add_parser("play")
    player.add_argument("program")
    player.add_argument("book", type=pathlib.Path)
    player.add_argument("out", type=pathlib.Path)
    player.add_argument("names", nargs="*")
    player.add_argument("--nodes", type=int, default=6000)
    player.add_argument("--off", type=float, default=0.125)
    player.add_argument("--pairs", type=int, default=1_000_000)
    player.add_argument("--seed", type=int, default=1)
    player.set_defaults(run=play)
    fitter = commands.add_parser("fit")
    fitter.add_argument("files", type=pathlib.Path, nargs="+")
    fitter.set_defaults(run=fit)
    arguments = parser.parse_args()
    arguments.run(arguments)


if __name__ == "__main__":
    main()
