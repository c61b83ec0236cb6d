#!/usr/bin/env python3
"""Compares the search speed of two programs, in nodes per second of processor time.

Usage: beside.py PROGRAM OTHER [--rounds N] [--depth N]

Both run their bench at the same time, each bound to a processor of its own, and swap processors after every round, so that
other work on the machine slows both equally. OTHER is another build of Lucena, or Stockfish (recognised by its name), which
runs its classical evaluation at depth 13 with 16 MB hash and one thread. Linux, two processors at least.
"""

import argparse
import os
import pathlib
import re
import statistics
import subprocess
import tempfile

STOCKFISH = "setoption name Use NNUE value false\nbench 16 1 13 default depth classical\nquit\n"


def start(program, depth, processor):
    """Starts the bench of a program; returns the process and its output file."""
    peer = "stockfish" in pathlib.Path(program).name.lower()
    output = tempfile.TemporaryFile(mode="w+")
    commands = tempfile.TemporaryFile(mode="w+")
    commands.write(STOCKFISH if peer else "")
    commands.seek(0)
    command = ["taskset", "-c", str(processor), program] + ([] if peer else ["bench", str(depth)])
    return subprocess.Popen(command, stdin=commands, stdout=output, stderr=subprocess.STDOUT), output


def nodes(output):
    """The nodes that a bench printed last."""
    output.seek(0)
    counts = re.findall(r"Nodes searched\s*: (\d+)|^(\d+) nodes", output.read(), re.MULTILINE)
    if not counts:
        raise SystemExit("a program printed no nodes")
    return int(counts[-1][0] or counts[-1][1])


def round_of(programs, depth, processors):
    """Nodes per second of processor time of each program, run at the same time."""
    running = [start(program, depth, processor) for program, processor in zip(programs, processors)]
    seconds = {}
    for _ in running:
        process, _, usage = os.wait4(-1, 0)
        seconds[process] = usage.ru_utime
    return [nodes(output) / seconds[process.pid] for process, output in running]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("other")
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--depth", type=int, default=12)
    arguments = parser.parse_args()
    programs, processors = [arguments.program, arguments.other], sorted(os.sched_getaffinity(0))[:2]
    if len(processors) < 2:
        raise SystemExit("two processors are needed")
    ratios = []
    for number in range(max(arguments.rounds, 2)):
        one, other = round_of(programs, arguments.depth, processors[:: -1 if number % 2 else 1])
        ratios.append(one / other)
        print(f"{one / 1e3:.0f} and {other / 1e3:.0f} thousand nodes a second: {one / other:.3f}", flush=True)
    error = 1.96 * statistics.stdev(ratios) / len(ratios) ** 0.5
    print(f"{arguments.program} is {statistics.mean(ratios):.3f} +- {error:.3f} times as fast, median {statistics.median(ratios):.3f}")


main()
