#!/usr/bin/env python3
"""Games at a short time control, one at a time, through python-chess.

Usage: flags.py PROGRAM [GAMES [CLOCK+INCREMENT]]

By default 20 games at 1+0.01 (seconds), the program against itself, without a margin: a clock below 0 is a loss on time. It
is the machine's if by the engine's own log the move came in time, or the log has a gap: then the client or the engine got no
processor. The exit status is 1 if there was a loss by the engine, a move without a searched node, an illegal move or a
crash; losses by the machine are printed, and say that it is too busy for this test.
"""

import pathlib
import sys
import tempfile
import time

import chess
import chess.engine

from ponder import OPENINGS, gaps

MAX_PLIES = 600


def engine_time(log):
    """The seconds from the last `go` to its `bestmove` in a log."""
    times = {}
    for line in log.read_text(errors="replace").splitlines():
        words = line.split(" ")
        if len(words) > 3 and words[3] in ("go", "bestmove"):
            times[words[3]] = float(words[1])
    return times["bestmove"] - times["go"]


def play(path, number, clock, increment, folder):
    """Play one game; return its plies, the least time left in seconds, and its faults."""
    board = chess.Board()
    for move in OPENINGS[number % len(OPENINGS)].split():
        board.push_uci(move)
    clocks = {chess.WHITE: clock, chess.BLACK: clock}
    spare, faults = clock, []
    log = folder / f"{number}.log"
    with chess.engine.SimpleEngine.popen_uci(path, timeout=60) as white, \
            chess.engine.SimpleEngine.popen_uci(path, timeout=60) as black:
        engines = {chess.WHITE: white, chess.BLACK: black}
        for side, engine in engines.items():
            engine.configure({"Debug Log File": f"{log}-{side}", "Hash": 8})
        while not board.is_game_over(claim_draw=True) and board.ply() < MAX_PLIES:
            side = board.turn
            limit = chess.engine.Limit(white_clock=clocks[chess.WHITE], black_clock=clocks[chess.BLACK],
                                       white_inc=increment, black_inc=increment)
            left = clocks[side]
            start = time.monotonic()
            result = engines[side].play(board, limit, game=number, info=chess.engine.INFO_BASIC)
            clocks[side] -= time.monotonic() - start
            spare = min(spare, clocks[side])
            if not result.info.get("nodes"):
                faults.append(f"no node: {board.fen()}")
            if clocks[side] < 0:
                time.sleep(0.1)
                dialogue = pathlib.Path(f"{log}-{side}")
                took, why = engine_time(dialogue), gaps(dialogue)
                times = f"{1000 * took:.1f} ms of {1000 * left:.1f} ms by its log, {-1000 * clocks[side]:.1f} ms late"
                is_machine = why or took < left
                faults.append(f"time loss{' by the machine' if is_machine else ''}: {times} {why} {board.fen()}")
                break
            clocks[side] += increment
            board.push(result.move)
    return board.ply(), spare, faults


def main():
    path = str(pathlib.Path(sys.argv[1]).resolve())
    games = int(sys.argv[2]) if len(sys.argv) > 2 else 20
    clock, increment = (float(part) for part in (sys.argv[3] if len(sys.argv) > 3 else "1+0.01").split("+"))
    plies, least, faults = 0, clock, []
    with tempfile.TemporaryDirectory() as folder:
        for number in range(games):
            played, spare, found = play(path, number, clock, increment, pathlib.Path(folder))
            plies, least = plies + played, min(least, spare)
            faults += found
            for fault in found:
                print(f"game {number + 1}: {fault}", flush=True)
    by_machine = sum("by the machine" in fault for fault in faults)
    on_time = sum("time loss:" in fault for fault in faults)
    without_node = sum("no node" in fault for fault in faults)
    print(f"{games} games at {clock:g}+{increment:g}, {plies} plies: {on_time} losses on time, {by_machine} by the machine, "
          f"{without_node} moves without a node; least time left {1000 * least:.1f} ms")
    sys.exit(1 if len(faults) > by_machine else 0)


if __name__ == "__main__":
    main()
