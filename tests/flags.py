#!/usr/bin/env python3
"""Games at a short time control, one at a time, through python-chess.

Usage: flags.py PROGRAM [GAMES [CLOCK+INCREMENT]]

By default 20 games at 1+0.01 (seconds), the program against itself, without a margin: a clock below 0 is a loss on time. It
is counted apart if the engine's log has a gap in that move: then the machine gave it no processor. A move without a searched
node, an illegal move or a crash is a failure, too. The exit status is 1 if there was any failure or loss on time.
"""

import pathlib
import sys
import tempfile
import time

import chess
import chess.engine

from ponder import OPENINGS, gaps

MAX_PLIES = 600


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
            start = time.monotonic()
            result = engines[side].play(board, limit, game=number, info=chess.engine.INFO_BASIC)
            clocks[side] -= time.monotonic() - start
            spare = min(spare, clocks[side])
            if not result.info.get("nodes"):
                faults.append(f"no node: {board.fen()}")
            if clocks[side] < 0:
                why = gaps(pathlib.Path(f"{log}-{side}"))
                faults.append(f"time loss by the machine ({why})" if why else f"time loss: {board.fen()}")
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
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
