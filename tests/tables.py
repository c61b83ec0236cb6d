"""Compares values that python-chess reads from Syzygy tables with those of Lucena's solver.

Usage: tables.py LUCENA FOLDER POSITIONS NAME...
"""
import subprocess
import sys

import chess
import chess.syzygy


def main(lucena, folder, positions, *names):
    checked = 0
    with chess.syzygy.open_tablebase(folder) as tables:
        for name in names:
            command = [lucena, "tablebase", "sample", name, "--positions", positions]
            lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
            assert len(lines) >= int(positions), f"{name}: {len(lines)} positions"
            for line in lines:
                fen, outcome, plies = line.rsplit(" ", 2)
                outcome, plies = int(outcome), int(plies)
                board = chess.Board(fen)
                found = tables.probe_wdl(board)
                assert found == outcome, f"{name} {fen}: WDL {found}, solved {outcome}"
                distance = tables.probe_dtz(board)
                sign = (distance > 0) - (distance < 0)
                assert sign == (outcome > 0) - (outcome < 0), f"{name} {fen}: DTZ {distance}, solved {outcome}"
                # Files may store moves, not plies; checkmate counts one.
                wanted = max(plies, abs(sign))
                assert abs(abs(distance) - wanted) <= 1, f"{name} {fen}: DTZ {distance}, solved {plies}"
                checked += 1
    print(f"{checked} positions of {len(names)} tables are right")


if len(sys.argv) < 5:
    raise SystemExit(__doc__)
main(*sys.argv[1:])
