#!/usr/bin/env python3
"""Whether the personalities play as they say: games of each against the plain level of the same rating.

Usage: personalities.py PROGRAM [GAMES [ELO]]

By default 100 games of each file in personalities/ at 1600, colours in turn, and as many of the plain level against itself. Each
game has a seed of its own and begins at the start position; both sides of it play without a clock. With "full" for ELO both
sides play at full strength, limited to 10,000 nodes a move, with the book. Prints for each personality its
points and, for each habit, its mean, that of its opponent in the same games, and the difference with two standard errors.
"""

import pathlib
import statistics
import sys

import chess
import chess.engine

MAX_PLIES = 300
LEAST_GAMES = 10
FULL = "full"
FULL_NODES = 10_000
VALUES = {chess.PAWN: 1, chess.KNIGHT: 3, chess.BISHOP: 3, chess.ROOK: 5, chess.QUEEN: 9}
HABITS = [
    "checks in 100 moves",
    "pieces that attack squares beside the enemy king, moves 10 to 30",
    "pawns behind while queens are on the board, mean",
    "castled by move 12, percent",
    "queens exchanged by move 30, percent",
    "rank of the king without queens, mean",
    "moves of passed pawns",
]


def balance(board, side):
    """Material of a side minus the opponent's, in pawns."""
    return sum(
        value * (len(board.pieces(role, side)) - len(board.pieces(role, not side)))
        for role, value in VALUES.items()
    )


def attackers(board, side):
    """The pieces of a side, without pawns and king, that attack a square beside the enemy king."""
    ring = chess.SquareSet(chess.BB_KING_ATTACKS[board.king(not side)])
    pieces = board.occupied_co[side] & ~board.pawns & ~board.kings
    return sum(1 for square in chess.SquareSet(pieces) if board.attacks(square) & ring)


def is_passed(board, square, side):
    """Whether a pawn of a side on a square is passed."""
    file, rank = chess.square_file(square), chess.square_rank(square)
    for pawn in board.pieces(chess.PAWN, not side):
        is_ahead = chess.square_rank(pawn) > rank if side else chess.square_rank(pawn) < rank
        if is_ahead and abs(chess.square_file(pawn) - file) <= 1:
            return False
    return True


def mean(values):
    """The mean, or None of nothing."""
    return statistics.fmean(values) if values else None


def habits(moves, side):
    """What a side does in a game, in the order of HABITS; None where the game has no occasion."""
    board = chess.Board()
    checks, own, near, behind, ranks, passed = 0, 0, [], [], [], 0
    castled, queens_off = 0, None
    for move in moves:
        number, is_own = board.fullmove_number, board.turn == side
        if is_own:
            own += 1
            checks += board.gives_check(move)
            castled |= board.is_castling(move) and number <= 12
            piece = board.piece_type_at(move.from_square)
            passed += piece == chess.PAWN and is_passed(board, move.from_square, side)
        board.push(move)
        if not is_own:
            if 10 <= number <= 30:
                near.append(attackers(board, side))
            if board.queens & board.occupied_co[side] and board.queens & board.occupied_co[not side]:
                behind.append(max(0, -balance(board, side)))
            if not board.queens:
                rank = chess.square_rank(board.king(side))
                ranks.append(1 + (rank if side else 7 - rank))
        if not board.queens and queens_off is None:
            queens_off = number
    exchanged = queens_off is not None and queens_off <= 30
    return [
        100 * checks / own,
        mean(near),
        mean(behind),
        100 * castled,
        100 * exchanged,
        mean(ranks),
        passed,
    ]


def play(white, black, seed, limit):
    """One game; returns its moves and White's points."""
    board = chess.Board()
    for engine in (white, black):
        engine.configure({"Level Seed": seed, "Book Seed": seed})
    while not board.is_game_over(claim_draw=True) and board.ply() < MAX_PLIES:
        engine = white if board.turn else black
        board.push(engine.play(board, limit, game=seed).move)
    outcome = board.outcome(claim_draw=True)
    points = {True: 1.0, False: 0.0, None: 0.5}[outcome.winner if outcome else None]
    return list(board.move_stack), points


def match(program, file, games, elo):
    """The games of a personality against the plain level: moves, its colour, its points."""
    if elo == FULL:
        level, limit = {"OwnBook": True}, chess.engine.Limit(nodes=FULL_NODES)
    else:
        level = {"UCI_LimitStrength": True, "UCI_Elo": int(elo), "Level Tempo": False}
        limit = chess.engine.Limit(time=60)
    with chess.engine.SimpleEngine.popen_uci(program) as one, \
            chess.engine.SimpleEngine.popen_uci(program) as other:
        for engine in (one, other):
            engine.configure({name: value for name, value in level.items() if name in engine.options})
        if file is not None:
            one.configure({"Personality File": str(file)})
        for number in range(games):
            side = number % 2 == 0
            white, black = (one, other) if side else (other, one)
            moves, points = play(white, black, 1 + number, limit)
            yield moves, side, points if side else 1 - points


def report(name, played):
    """Print a match."""
    points = [points for _, _, points in played]
    draws = [100 * (value == 0.5) for value in points]
    error = 2 * statistics.stdev(draws) / len(draws) ** 0.5
    print(f"\n{name}: {sum(points):g} of {len(points)} points, draws {mean(draws):.1f} ± {error:.1f} percent")
    rows = [(habits(moves, side), habits(moves, not side)) for moves, side, _ in played]
    for index, habit in enumerate(HABITS):
        pairs = [(a[index], b[index]) for a, b in rows if a[index] is not None and b[index] is not None]
        own, others = (mean([pair[k] for pair in pairs]) for k in (0, 1))
        differences = [a - b for a, b in pairs]
        if len(differences) < 2:
            continue
        error = 2 * statistics.stdev(differences) / len(differences) ** 0.5
        print(f"  {own:6.2f} {others:6.2f} {own - others:+7.2f} ± {error:.2f}  {habit}")


def main():
    program = sys.argv[1]
    games, elo = (*sys.argv[2:], *["100", "1600"][len(sys.argv) - 2:])
    if int(games) < LEAST_GAMES:
        raise SystemExit(f"at least {LEAST_GAMES} games")
    folder = pathlib.Path(__file__).parent.parent / "personalities"
    print("personality, opponent, difference")
    for file in [*sorted(folder.glob("*.txt")), None]:
        report(file.stem if file else "plain", list(match(program, file, int(games), elo)))


if __name__ == "__main__":
    main()
