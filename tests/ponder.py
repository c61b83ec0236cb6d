#!/usr/bin/env python3
"""Games with pondering through python-chess.

Usage: ponder.py PROGRAM [GAMES [CLOCK [INCREMENT [CONCURRENCY]]]]

Both sides ponder, each in its own process, by default 100 games at 1 s + 0.1 s, two at a time. A loss on time, an illegal
move, a missing answer or a crash is a failure. A loss on time is counted apart if the engine's log has a gap in that move:
then the machine gave it no processor.
"""

import concurrent.futures
import pathlib
import sys
import tempfile
import time

import chess
import chess.engine

OPENINGS = [
    "e2e4 e7e5", "e2e4 c7c5", "d2d4 d7d5", "d2d4 g8f6", "c2c4 e7e5", "g1f3 d7d5", "e2e4 e7e6", "e2e4 c7c6",
    "d2d4 f7f5", "c2c4 c7c5", "e2e4 d7d5", "e2e4 g8f6", "d2d4 e7e6", "b2b3 e7e5", "g2g3 d7d5", "f2f4 d7d5",
]


def gaps(log):
    """The gaps in a log since the last `go` or `ponderhit`."""
    lines = log.read_text(errors="replace").splitlines()
    last = max((index for index, line in enumerate(lines) if " > go " in line or " > ponderhit" in line), default=0)
    return "; ".join(line.split(" ! ", 1)[1] for line in lines[last:] if " ! gap" in line)


def play(path, number, clock, increment, folder):
    """Play one game; return its plies, ponder hits, least time left in seconds (negative: lost on time) and result."""
    board = chess.Board()
    for move in OPENINGS[number % len(OPENINGS)].split():
        board.push_uci(move)
    hits, spare = 0, clock
    expected = {chess.WHITE: None, chess.BLACK: None}
    with chess.engine.SimpleEngine.popen_uci(path, timeout=60) as white, \
            chess.engine.SimpleEngine.popen_uci(path, timeout=60) as black:
        engines = {chess.WHITE: white, chess.BLACK: black}
        clocks = {chess.WHITE: clock, chess.BLACK: clock}
        logs = {side: folder / f"{number}-{side}.log" for side in engines}
        for side, engine in engines.items():
            engine.configure({"Debug Log File": str(logs[side])})
        while not board.is_game_over(claim_draw=True) and board.ply() < 400:
            side = board.turn
            if expected[side] and board.move_stack and expected[side] == board.peek():
                hits += 1
            limit = chess.engine.Limit(white_clock=clocks[chess.WHITE], black_clock=clocks[chess.BLACK],
                                       white_inc=increment, black_inc=increment)
            start = time.monotonic()
            result = engines[side].play(board, limit, game=number, ponder=True)
            clocks[side] -= time.monotonic() - start
            spare = min(spare, clocks[side])
            if clocks[side] < 0:
                time.sleep(0.2)
                why = gaps(logs[side])
                what = f"time loss by the machine ({why})" if why else "time loss"
                return board.ply(), hits, spare, f"{what} of " + ("white" if side else "black")
            clocks[side] += increment
            assert result.move in board.legal_moves, f"{result.move} in {board.fen()}"
            expected[side] = result.ponder
            board.push(result.move)
    return board.ply(), hits, spare, board.result(claim_draw=True)


def main():
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        raise SystemExit(__doc__)
    path = sys.argv[1]
    games = int(sys.argv[2]) if len(sys.argv) > 2 else 100
    clock = float(sys.argv[3]) if len(sys.argv) > 3 else 1.0
    increment = float(sys.argv[4]) if len(sys.argv) > 4 else 0.1
    concurrency = int(sys.argv[5]) if len(sys.argv) > 5 else 2
    bad = machine = plies = hits = 0
    least = clock
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(concurrency) as pool:
        futures = [pool.submit(play, path, number, clock, increment, pathlib.Path(folder))
                   for number in range(games)]
        for number, future in enumerate(futures):
            try:
                length, hit, spare, result = future.result()
            except Exception as error:  # any failure
                bad += 1
                print(f"game {number + 1}: {type(error).__name__}: {error}", flush=True)
                continue
            plies, hits, least = plies + length, hits + hit, min(least, spare)
            machine += result.startswith("time loss by the machine")
            bad += result.startswith("time loss of")
            print(f"game {number + 1}: {result} after {length} plies, {hit} ponder hits, "
                  f"{spare * 1000:.0f} ms least time left", flush=True)
    print(f"{games} games, {plies} plies, {hits} ponder hits, {bad} failures, {machine} time losses by the machine, "
          f"{least * 1000:.0f} ms least time left")
    sys.exit(bad > 0)


if __name__ == "__main__":
    main()
