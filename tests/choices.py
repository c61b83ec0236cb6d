#!/usr/bin/env python3
"""Compares the moves that searches choose in many positions, by what a stronger engine thinks of those moves.

Usage: choices.py positions POSITIONS GAMES.pgn... [--count N] [--seed S]
       choices.py choose PROGRAM POSITIONS CHOICES [--nodes N] [--option NAME=VALUE]...
       choices.py screen PROGRAM POSITIONS CHOICES [--nodes N] [--visits N] [--steps X] [--also NAME=STEP]...
       choices.py judge JUDGE JUDGED CHOICES... [--nodes N]
       choices.py hard JUDGED POSITIONS CHOICES... [--gap P]
       choices.py compare JUDGED CHOICES CHOICES...
       choices.py fit JUDGED CHOICES
       choices.py points JUDGE PLAYER GAMES.pgn... [--nodes N] [--count N] [--seed S]

Each search starts from an empty TT. CHOICES has a line per search: the position, the best moves after 50, 60, 70, 80, 90 and
100 percent of the nodes, and the seed of a screen. Where choices differ, `judge` lets JUDGE search the positions after all of
the moves and adds the scores to the file JUDGED. A move's value is the score that the game is expected to have after it (0 to
1), a search's value the mean of its six moves. `compare` prints the mean difference to the first CHOICES, in 1/10,000, with a
95 percent error. `hard` keeps the positions whose judged moves differ by P at least, since the others say little.

`screen` needs a build with `--features tune`. In each search every constant of src/search/params.rs, and each NAME, is X steps
higher or lower, by a coin; `fit` separates their effects by least squares within each position, with 95 percent errors by
position. A killed `screen` or `judge` continues when started again. `points` lets JUDGE search every position of games and
prints what PLAYER gains on its opponents, by the number of pieces on the board. For measuring only: nothing is trained on the
judge, and games decide.
"""

import argparse
import json
import math
import pathlib
import queue
import random
import re
import subprocess
import threading

import chess
import chess.pgn
import numpy

FIRST_PLY, LAST_PLY, PER_GAME = 18, 110, 10
# Positions of games with a greater score than this, in pawns, are left out.
DECIDED = 2.5
# The score in fastchess's comments, "+0.35/12 0.05s"; a mate does not match.
PAWNS = re.compile(r"([-+]?\d+\.\d+)/")
SHARES = (50, 60, 70, 80, 90)
# Centipawns of Stockfish 15.1 for odds of e to 1 between win and loss.
SCALE = 91
MATE = 30_000
PARAMS = pathlib.Path(__file__).parents[1] / "src" / "search" / "params.rs"
CONSTANT = re.compile(r"^ +(\w+) = [-\d_]+, [-\d_]+\.\.=[-\d_]+, ([\d_]+)", re.MULTILINE)
THREADS = 2
HASH = 16


class Engine:
    """A UCI engine, spoken to line by line: python-chess costs too much for searches of a few milliseconds."""

    def __init__(self, program, options=()):
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        self.send("uci")
        self.options = {}
        for line in self.until("uciok"):
            words = line.split()
            if words[:2] == ["option", "name"] and "spin" in words:
                number = {key: int(words[words.index(key) + 1]) for key in ("default", "min", "max")}
                self.options[" ".join(words[2 : words.index("type")])] = number
        self.set([f"Hash={HASH}", "Threads=1", *options])

    def send(self, *lines):
        self.process.stdin.write("".join(line + "\n" for line in lines))
        self.process.stdin.flush()

    def until(self, word):
        for line in self.process.stdout:
            yield line
            if line.startswith(word):
                return
        raise RuntimeError("the engine ended")

    def set(self, options):
        self.send(*("setoption name {} value {}".format(*option.split("=", 1)) for option in options))

    def search(self, position, nodes):
        """The best moves after shares of the nodes, and the last score in centipawns."""
        self.send("ucinewgame", "isready")
        list(self.until("readyok"))
        self.send(f"position fen {position}", f"go nodes {nodes}")
        seen, score = [], None
        for line in self.until("bestmove"):
            words = line.split()
            if words[0] == "info" and " score " in line and "bound" not in line and "pv" in words:
                kind, number = words[words.index("score") + 1 :][:2]
                score = int(number) if kind == "cp" else MATE if int(number) > 0 else -MATE
                seen.append((int(words[words.index("nodes") + 1]), words[words.index("pv") + 1]))
        best = words[1]
        marks = [[move for used, move in seen if used <= nodes * share // 100][-1:] or [best] for share in SHARES]
        return [mark[0] for mark in marks] + [best], score


def in_threads(start, jobs, work):
    """Runs `work(engine, job)` for all jobs, in a few threads with an engine each."""
    waiting = queue.Queue()
    for job in jobs:
        waiting.put(job)

    def run():
        engine = start()
        while True:
            try:
                job = waiting.get_nowait()
            except queue.Empty:
                break
            work(engine, job)
        engine.send("quit")

    threads = [threading.Thread(target=run) for _ in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def lines_of(path):
    return pathlib.Path(path).read_text().splitlines() if pathlib.Path(path).exists() else []


def rows_of(path):
    return [json.loads(line) for line in lines_of(path)]


def positions(args):
    rng, found = random.Random(args.seed), {}
    for path in args.games:
        with open(path, encoding="utf-8") as file:
            while game := chess.pgn.read_game(file):
                nodes = [node for node in game.mainline() if FIRST_PLY <= node.ply() <= LAST_PLY]
                for node in rng.sample(nodes, min(PER_GAME, len(nodes))):
                    score = PAWNS.match(node.comment)
                    if score and abs(float(score[1])) <= DECIDED:
                        board = node.board()
                        if board.legal_moves.count() > 2:
                            found[board.epd()] = board.fen()
    fens = list(found.values())
    rng.shuffle(fens)
    pathlib.Path(args.positions).write_text("\n".join(fens[: args.count]) + "\n")
    print(f"{min(args.count, len(fens))} of {len(fens)} positions")


def record(args, jobs, search):
    """Searches the jobs that are not in the file yet: (position, seed)."""
    done = {(row["fen"], row["seed"]) for row in rows_of(args.choices)}
    lock = threading.Lock()
    with open(args.choices, "a", encoding="utf-8") as file:

        def work(engine, job):
            moves = search(engine, *job)
            with lock:
                file.write(json.dumps({"fen": job[0], "seed": job[1], "moves": moves}) + "\n")
                file.flush()

        in_threads(lambda: Engine(args.program, args.option), [job for job in jobs if job not in done], work)


def choose(args):
    jobs = [(fen, None) for fen in lines_of(args.positions)]
    record(args, jobs, lambda engine, fen, _: engine.search(fen, args.nodes)[0])


def constants(also):
    """Names and steps of the constants of the search that games at fixed nodes use."""
    text = PARAMS.read_text(encoding="utf-8").partition("// Time management")[0]
    steps = {name: int(step.replace("_", "")) for name, step in CONSTANT.findall(text)}
    steps |= {name: int(step) for name, _, step in (text.partition("=") for text in also)}
    return [(name, step) for name, step in steps.items() if step > 0]


def signs(seed, count):
    """Which way each constant moves."""
    rng = random.Random(seed)
    return [rng.choice((-1, 1)) for _ in range(count)]


def screen(args):
    steps = constants(args.also)
    pathlib.Path(args.choices + ".constants").write_text("".join(f"{name} {step}\n" for name, step in steps))

    def search(engine, fen, seed):
        options = []
        for (name, step), sign in zip(steps, signs(seed, len(steps))):
            known = engine.options[name]
            value = known["default"] + sign * max(1, round(args.steps * step))
            options.append(f"{name}={max(known['min'], min(known['max'], value))}")
        engine.set(options)
        return engine.search(fen, args.nodes)[0]

    fens = lines_of(args.positions)
    jobs = [(fen, f"{visit}/{index}") for visit in range(args.visits) for index, fen in enumerate(fens)]
    record(args, jobs, search)


def moves_by_position(paths):
    moves = {}
    for path in paths:
        for row in rows_of(path):
            moves.setdefault(row["fen"], set()).update(row["moves"])
    return moves


def judge(args):
    known = {(row["fen"], row["move"]) for row in rows_of(args.judged)}
    jobs = [
        (fen, move)
        for fen, moves in moves_by_position(args.choices).items()
        for move in sorted(moves)
        if len(moves) > 1 and (fen, move) not in known
    ]
    print(f"{len(jobs)} moves to judge", flush=True)
    lock = threading.Lock()
    with open(args.judged, "a", encoding="utf-8") as file:

        def work(engine, job):
            fen, move = job
            board = chess.Board(fen)
            board.push_uci(move)
            if board.is_game_over():
                score = MATE if board.is_checkmate() else 0
            else:
                score = -engine.search(f"{fen} moves {move}", args.nodes)[1]
            with lock:
                file.write(json.dumps({"fen": fen, "move": move, "score": score}) + "\n")
                file.flush()

        in_threads(lambda: Engine(args.judge), jobs, work)


def values_of(path):
    """The expected score of each judged move."""
    return {(row["fen"], row["move"]): expected(row["score"]) for row in rows_of(path)}


def expected(score):
    return 1 / (1 + math.exp(-max(-2000, min(2000, score)) / SCALE))


def hard(args):
    values = values_of(args.judged)
    fens = []
    for fen, moves in moves_by_position(args.choices).items():
        judged = [values[fen, move] for move in moves if (fen, move) in values]
        if judged and max(judged) - min(judged) >= args.gap:
            fens.append(fen)
    pathlib.Path(args.positions).write_text("\n".join(fens) + "\n")
    print(f"{len(fens)} positions")


def value_of(row, values):
    """The mean value of a search's moves, or `None` if one is not judged."""
    judged = [values.get((row["fen"], move)) for move in row["moves"]]
    return None if None in judged else sum(judged) / len(judged)


def compare(args):
    values = values_of(args.judged)
    base = {row["fen"]: row for row in rows_of(args.choices[0])}
    for path in args.choices[1:]:
        differences, changed = [], 0
        for row in rows_of(path):
            other = base.get(row["fen"])
            if other is None:
                continue
            changed += row["moves"][-1] != other["moves"][-1]
            pair = (value_of(row, values), value_of(other, values))
            if row["moves"] == other["moves"]:
                differences.append(0)
            elif None not in pair:
                differences.append(pair[0] - pair[1])
        count = len(differences)
        mean = sum(differences) / count
        error = 1.96 * math.sqrt(sum((value - mean) ** 2 for value in differences)) / count
        print(f"{path}: {1e4 * mean:+.1f} ± {1e4 * error:.1f} in {count} positions, {changed} best moves differ")


def fit(args):
    values = values_of(args.judged)
    names = [line.split()[0] for line in lines_of(args.choices + ".constants")]
    groups = {}
    for row in rows_of(args.choices):
        value = value_of(row, values)
        if value is not None:
            groups.setdefault(row["fen"], []).append((signs(row["seed"], len(names)), value))
    blocks = []
    for visits in groups.values():
        if len(visits) > 1:
            drawn = numpy.array([row for row, _ in visits], dtype=float)
            value = numpy.array([value for _, value in visits])
            blocks.append((drawn - drawn.mean(0), value - value.mean()))
    inverse = numpy.linalg.inv(sum(drawn.T @ drawn for drawn, _ in blocks))
    effect = inverse @ sum(drawn.T @ value for drawn, value in blocks)
    scores = [drawn.T @ (value - drawn @ effect) for drawn, value in blocks]
    error = 1.96 * numpy.sqrt(numpy.diag(inverse @ sum(numpy.outer(row, row) for row in scores) @ inverse))
    print(f"{sum(len(value) for _, value in blocks)} searches of {len(blocks)} positions; 1/10,000 for a move upwards")
    for index in sorted(range(len(names)), key=lambda index: -abs(effect[index] / error[index])):
        print(f"{names[index]:32} {1e4 * effect[index]:+6.1f} ± {1e4 * error[index]:.1f}")


def points(args):
    games = []
    for path in args.games:
        with open(path, encoding="utf-8") as file:
            while game := chess.pgn.read_game(file):
                if args.player in (game.headers["White"], game.headers["Black"]):
                    games.append(game)
    games = random.Random(args.seed).sample(games, min(args.count, len(games)))
    # By the number of pieces in eights: what the player gains in each game, in expected points.
    gains = [[0] * len(games) for _ in range(4)]

    def value(engine, board):
        if board.is_game_over():
            return 0 if board.is_checkmate() else 0.5
        return expected(engine.search(board.fen(), args.nodes)[1])

    def work(engine, number):
        game, before = games[number], None
        player = game.headers["White"] == args.player
        for node in game.mainline():
            if node.ply() <= FIRST_PLY:
                continue
            board = node.parent.board()
            if before is None:
                before = value(engine, board)
            after = 1 - value(engine, node.board())
            sign = 1 if board.turn == player else -1
            gains[(len(board.piece_map()) - 1) // 8][number] += sign * (after - before)
            before = 1 - after

    in_threads(lambda: Engine(args.judge), range(len(games)), work)
    print(f"{len(games)} games, points gained in 100 games")
    for eights in reversed(range(4)):
        mean = sum(gains[eights]) / len(games)
        error = 1.96 * math.sqrt(sum((gain - mean) ** 2 for gain in gains[eights])) / len(games)
        print(f"{8 * eights + 1:2} to {8 * eights + 8:2} pieces: {1e2 * mean:+.1f} ± {1e2 * error:.1f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)

    def command(run, *names, **numbers):
        sub = commands.add_parser(run.__name__)
        sub.set_defaults(run=run)
        for name in names:
            sub.add_argument(name.rstrip("+"), nargs="+" if name.endswith("+") else None)
        for name, default in numbers.items():
            sub.add_argument(f"--{name}", type=type(default), default=default)
        return sub

    command(positions, "positions", "games+", count=3000, seed=1)
    sub = command(choose, "program", "positions", "choices", nodes=100_000)
    sub.add_argument("--option", action="append", default=[])
    sub = command(screen, "program", "positions", "choices", nodes=100_000, visits=2, steps=1.5)
    sub.add_argument("--also", action="append", default=[], metavar="NAME=STEP")
    sub.set_defaults(option=[])
    command(judge, "judge", "judged", "choices+", nodes=100_000)
    command(hard, "judged", "positions", "choices+", gap=0.03)
    command(compare, "judged", "choices+")
    command(fit, "judged", "choices")
    command(points, "judge", "player", "games+", nodes=8_000, count=1000, seed=1)
    args = parser.parse_args()
    args.run(args)


if __name__ == "__main__":
    main()
