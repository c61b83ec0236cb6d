"""Compares the speed of the module's search with that of the program, over UCI.

    python python/tests/compare_speed.py target/release/lucena [--depth 17] [--rounds 3]
    python python/tests/compare_speed.py target/release/lucena --instructions

Both search the same positions to the same depth with one thread and must visit the same nodes. Prints the processor seconds of
each, in turn, and the ratio of their least ones; status 1 if the nodes differ or the module needs 10 % more. On a busy machine,
`--instructions` counts instructions by valgrind instead: those to depth 11 without those to depth 4, which are mostly the start.
"""

import argparse
import pathlib
import re
import resource
import subprocess
import sys
import tempfile
import time

import chess
from lucena_chess import Engine

POSITIONS = [
    "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3",
    "r2q1rk1/pp2bppp/2n1bn2/3p4/3N4/2N1B3/PP2BPPP/R2Q1RK1 w - - 4 12",
    "2r3k1/1p3ppp/p2p1n2/4p3/1P2P3/P1N2P2/6PP/2R3K1 w - - 0 24",
    "8/5pk1/4p1p1/3pP2p/3P1P1P/2K3P1/8/8 w - - 0 40",
]
HASH = 16
LIMIT = 1.10


def by_module(depth):
    """Nodes and processor seconds."""
    nodes = 0
    with Engine(hash=HASH, threads=1, book=False) as engine:
        before = time.process_time()
        for fen in POSITIONS:
            engine.new_game()
            nodes += engine.search(chess.Board(fen), depth=depth).nodes
        return nodes, time.process_time() - before


def by_program(program, depth):
    setup = f"uci\nsetoption name Hash value {HASH}\nsetoption name OwnBook value false\n"
    searches = "".join(f"ucinewgame\nposition fen {fen}\ngo depth {depth}\n" for fen in POSITIONS)
    nodes = 0
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as engine:
        engine.stdin.write(setup)
        engine.stdin.flush()
        for search in searches.split("ucinewgame\n")[1:]:
            engine.stdin.write(f"ucinewgame\n{search}")
            engine.stdin.flush()
            last = 0
            for line in engine.stdout:
                words = line.split()
                if "nodes" in words:
                    last = int(words[words.index("nodes") + 1])
                if words[:1] == ["bestmove"]:
                    break
            nodes += last
        engine.stdin.write("quit\n")
        engine.stdin.flush()
        engine.wait()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return nodes, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def instructions(program, depth):
    """Nodes and instructions, by the program and by the module, of the whole processes."""
    valgrind = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
    with tempfile.TemporaryDirectory() as folder:
        log, script = pathlib.Path(folder) / "log", pathlib.Path(folder) / "engine"

        def collected():
            return int(re.search(r"Collected : (\d+)", log.read_text())[1])

        command = [*valgrind, f"--log-file={log}"]
        script.write_text(f"#!/bin/sh\nexec {' '.join(command)} {pathlib.Path(program).resolve()}\n")
        script.chmod(0o755)
        found = [(by_program(str(script), depth)[0], collected())]
        search = [sys.executable, __file__, program, "--nodes-only", "--depth", str(depth)]
        nodes = int(subprocess.check_output([*command, *search]))
        return [*found, (nodes, collected())]


def compare_instructions(program):
    few, many = instructions(program, 4), instructions(program, 11)
    counts = []
    for name, (_, start), (nodes, end) in zip(("program", "module"), few, many):
        counts.append(end - start)
        print(f"{name:<8} {nodes} nodes {end - start} instructions")
    same = [nodes for nodes, _ in many] == [many[0][0]] * 2
    print(f"module / program: {counts[1] / counts[0]:.4f} of the instructions, {'same' if same else 'OTHER'} nodes")
    return 0 if same and counts[1] < LIMIT * counts[0] else 1


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--depth", type=int, default=17)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--instructions", action="store_true")
    parser.add_argument("--nodes-only", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.nodes_only:
        print(by_module(given.depth)[0])
        return 0
    if given.instructions:
        return compare_instructions(given.program)
    times = {"program": [], "module": []}
    counts = set()
    for _ in range(given.rounds):
        for name, search in (
            ("program", lambda: by_program(given.program, given.depth)),
            ("module", lambda: by_module(given.depth)),
        ):
            nodes, seconds = search()
            counts.add(nodes)
            times[name].append(seconds)
            print(f"{name:<8} {nodes} nodes {seconds:6.2f} processor s {nodes / seconds:9.0f} nodes a second", flush=True)
    ratio = min(times["module"]) / min(times["program"])
    print(f"module / program: {ratio:.3f} of the processor seconds, {'same' if len(counts) == 1 else 'OTHER'} nodes")
    return 0 if len(counts) == 1 and ratio < LIMIT else 1


if __name__ == "__main__":
    sys.exit(main())
