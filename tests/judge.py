"""Compares static evaluations with the win probabilities that a strong engine finds by a search.

Usage: judge.py LUCENA STOCKFISH GAMES.pgn [--positions N] [--nodes N] [--seed S] [--weights FILE...]

Quiet positions are drawn from the games: no check, and neither the move played nor the judge's is a capture or a promotion.
Stockfish 15.1 (the last with both evaluations) searches them with its network and N nodes. Its classical evaluation and
Lucena's, with the built-in weights and with each FILE, are compared with that. Every evaluation gets the scale that fits it
best; the figure is the Kullback-Leibler divergence of its win probability from the judge's (in thousandths of a nat, lower is
better), over all positions and by phase, with the correlation of the two probabilities. A second line gives the difference to
Lucena's built-in weights on the same positions, with two standard errors by game. For measuring only: nothing is trained on the
judge.
"""
import argparse
import math
import random
import re
import subprocess

import chess
import chess.engine
import chess.pgn

FIRST_PLY = 16
PER_GAME = 8
JUDGE_SCALE = 110.0
MAX_SCORE = 2000
SCALES = range(40, 400, 5)
PHASES = [(0, 6), (7, 12), (13, 18), (19, 24)]
TOTAL = r"^total ([-+]?\d+)"
PHASE_WEIGHTS = {chess.KNIGHT: 1, chess.BISHOP: 1, chess.ROOK: 2, chess.QUEEN: 4}


def drawn(path, count, rng):
    """FENs of positions with quiet moves, drawn from the games of a file, each with the number of its game."""
    found, games = [], 0
    with open(path, encoding="utf-8") as file:
        while game := chess.pgn.read_game(file):
            board, quiet = game.board(), []
            for ply, move in enumerate(game.mainline_moves()):
                if ply >= FIRST_PLY and not board.is_check() and not board.is_capture(move) and not move.promotion:
                    quiet.append(board.fen())
                board.push(move)
            found += [(fen, games) for fen in rng.sample(quiet, min(len(quiet), PER_GAME))]
            games += 1
    rng.shuffle(found)
    return found[:count]


def judged(stockfish, fens, nodes):
    """The positions with a quiet best move, with the judge's win probability for white and the number of the game."""
    kept = []
    with chess.engine.SimpleEngine.popen_uci(stockfish) as engine:
        engine.configure({"Hash": 64, "Use NNUE": True})
        for fen, game in fens:
            board = chess.Board(fen)
            found = engine.analyse(board, chess.engine.Limit(nodes=nodes))
            score, best = found["score"].white(), found["pv"][0]
            if not score.is_mate() and not board.is_capture(best) and not best.promotion:
                kept.append((fen, win_probability(score.score(), JUDGE_SCALE), game))
    return kept


def win_probability(score, scale):
    """White's win probability at a score."""
    return 1 / (1 + math.exp(-max(-MAX_SCORE, min(MAX_SCORE, score)) / scale))


def evaluations(command, before, pattern, fens):
    """A program's static evaluation of each position."""
    lines = before + [f"position fen {fen}\neval" for fen in fens] + ["isready"]
    output = subprocess.run(command, input="\n".join(lines) + "\n", capture_output=True, text=True, check=True).stdout
    scores = [float(score) for score in re.findall(pattern, output, re.MULTILINE)]
    assert len(scores) == len(fens), f"{command[0]} evaluated {len(scores)} of {len(fens)} positions"
    return scores


def divergence(score, scale, target):
    """The divergence of the win probability at a score from the target."""
    found = min(max(win_probability(score, scale), 1e-9), 1 - 1e-9)
    target = min(max(target, 1e-9), 1 - 1e-9)
    return target * math.log(target / found) + (1 - target) * math.log((1 - target) / (1 - found))


def mean(values):
    return sum(values) / len(values)


def correlation(one, other):
    """Pearson's correlation."""
    mean_one, mean_other = mean(one), mean(other)
    product = sum((x - mean_one) * (y - mean_other) for x, y in zip(one, other))
    squares = sum((x - mean_one) ** 2 for x in one) * sum((y - mean_other) ** 2 for y in other)
    return product / math.sqrt(squares) if squares else 0.0


def paired(differences, games):
    """The mean difference and two standard errors of it; the positions of a game count as one observation."""
    average = mean(differences)
    residuals = {}
    for difference, game in zip(differences, games):
        residuals[game] = residuals.get(game, 0.0) + difference - average
    count = len(residuals)
    squares = sum(residual**2 for residual in residuals.values()) * count / max(count - 1, 1)
    return average, 2 * math.sqrt(squares) / len(differences)


def report(name, scores, positions, phases, other=None):
    """Prints the line of an evaluation and its difference to another one; returns its divergences."""
    targets, games = [target for _, target, _ in positions], [game for _, _, game in positions]
    scale = min(SCALES, key=lambda scale: sum(divergence(s, scale, t) for s, t in zip(scores, targets)))
    divergences = [1000 * divergence(s, scale, t) for s, t in zip(scores, targets)]
    probabilities = [win_probability(s, scale) for s in scores]
    cells = [f"{name:34} {mean(divergences):6.2f}"]
    for low, high in PHASES:
        part = [place for place, phase in enumerate(phases) if low <= phase <= high]
        if part:
            related = correlation([probabilities[i] for i in part], [targets[i] for i in part])
            cells.append(f"{mean([divergences[i] for i in part]):6.2f} ({related:.3f})")
    print(" | ".join(cells))
    if other:
        cells = []
        for low, high in [(0, 24), *PHASES]:
            part = [place for place, phase in enumerate(phases) if low <= phase <= high]
            if part:
                found = paired([divergences[i] - other[i] for i in part], [games[i] for i in part])
                cells.append("{:+.2f} ± {:.2f}".format(*found))
        print(f"{'  minus Lucena':34} " + " | ".join(cells))
    return divergences


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("lucena")
    parser.add_argument("stockfish")
    parser.add_argument("games")
    parser.add_argument("--positions", type=int, default=1500)
    parser.add_argument("--nodes", type=int, default=200_000)
    parser.add_argument("--seed", type=int, default=3)
    parser.add_argument("--weights", nargs="*", default=[])
    arguments = parser.parse_args()
    fens = drawn(arguments.games, arguments.positions, random.Random(arguments.seed))
    positions = judged(arguments.stockfish, fens, arguments.nodes)
    fens = [fen for fen, *_ in positions]
    pieces = [chess.Board(fen).piece_map().values() for fen in fens]
    phases = [min(24, sum(PHASE_WEIGHTS.get(piece.piece_type, 0) for piece in position)) for position in pieces]
    counts = [sum(low <= phase <= high for phase in phases) for low, high in PHASES]
    print(f"{len(fens)} positions; by phase", ", ".join(f"{p[0]}-{p[1]}: {n}" for p, n in zip(PHASES, counts)))
    own = report("Lucena", evaluations([arguments.lucena], [], TOTAL, fens), positions, phases)
    classical = ["uci", "setoption name Use NNUE value false"]
    scores = evaluations([arguments.stockfish], classical, r"^Classical evaluation\s+([-+]?[\d.]+)", fens)
    report("Stockfish's classical evaluation", [100 * score for score in scores], positions, phases, own)
    for file in arguments.weights:
        scores = evaluations([arguments.lucena, "--weights", file], [], TOTAL, fens)
        report(file, scores, positions, phases, own)


if __name__ == "__main__":
    main()
