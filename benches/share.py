#!/usr/bin/env python3
"""Measures the share of the evaluation in a search by sampling: benches/share.py [target/profiling/lucena] [command...]

Needs Linux perf, addr2line and a program with line numbers (cargo build --profile profiling). A sample counts as evaluation
if its function, or one inlined there, is in src/eval, or in the evaluator of the search unless that only plays a move.
Samples are taken by processor time, so other work on the machine changes little.
"""
import collections
import os
import re
import subprocess
import sys
import tempfile

PARTS = [
    ("evaluation", ("src/eval/",)),
    ("moves and their order", ("src/search/picker.rs", "src/chess/movegen", "src/chess/legality", "src/chess/see", "src/search/history")),
    ("making moves", ("src/chess/play", "src/chess/board", "src/chess/masks")),
    ("TT", ("src/search/tt.rs",)),
    # After "making moves": the evaluator also plays the moves, to update the piece-square sums.
    ("evaluation", ("src/search/evaluator.rs",)),
]


def samples(program, command, data):
    """The number of samples by address in the program."""
    record = ["perf", "record", "-q", "-e", "cpu-clock:u", "-F", "1500", "-o", data, program, *command]
    subprocess.run(record, check=True, stdout=subprocess.DEVNULL)
    script = ["perf", "script", "-i", data, "--show-mmap-events", "-F", "ip,event"]
    text = subprocess.run(script, check=True, capture_output=True, text=True).stdout
    base, found = None, collections.Counter()
    name = os.path.realpath(program)
    for line in text.splitlines():
        if "PERF_RECORD_MMAP" in line:
            mapped = re.search(r"\[0x([0-9a-f]+)\(0x([0-9a-f]+)\) @ (0x[0-9a-f]+|0) .*\]: r-xp (.*)$", line)
            if mapped and os.path.realpath(mapped[4]) == name:
                base = (int(mapped[1], 16), int(mapped[2], 16), int(mapped[3], 0))
            continue
        place = re.search(r"([0-9a-f]{4,})\s*$", line)
        if place and base:
            offset = int(place[1], 16) - base[0]
            found[offset + base[2] if 0 <= offset < base[1] else None] += 1
    return found


def segments(program):
    """File offset, address and size of the executable segments."""
    text = subprocess.run(["readelf", "-lW", program], check=True, capture_output=True, text=True).stdout
    loads = re.findall(r"LOAD\s+0x(\w+) 0x(\w+) 0x\w+ 0x(\w+) 0x\w+ R E", text)
    return [tuple(int(number, 16) for number in load) for load in loads]


def main():
    if sys.argv[1:2] and sys.argv[1].startswith("-"):
        raise SystemExit(__doc__)
    program = sys.argv[1] if len(sys.argv) > 1 else "target/profiling/lucena"
    command = sys.argv[2:] or ["bench", "13"]
    if not os.access(program, os.X_OK):
        raise SystemExit(f"{program}: no program; cargo build --profile profiling")
    with tempfile.TemporaryDirectory() as folder:
        found = samples(program, command, os.path.join(folder, "data"))
    loads = segments(program)
    addresses = {}
    for offset in found:
        for start, memory, size in loads:
            if offset is not None and start <= offset < start + size:
                addresses[offset - start + memory] = offset
    asked = "".join(f"0x{address:x}\n" for address in addresses)
    answer = subprocess.run(["addr2line", "-a", "-i", "-e", program], check=True, capture_output=True, text=True, input=asked)
    counts, known = collections.Counter(), 0
    for block in re.split(r"^0x", answer.stdout, flags=re.M)[1:]:
        address, *files = block.splitlines()
        number = found[addresses[int(address, 16)]]
        known += number
        part = next((name for name, marks in PARTS if any(mark in file for file in files for mark in marks)), "other")
        counts[part] += number
    total = sum(found.values())
    print(f"{total} samples, {100 * known / max(total, 1):.0f} % of them in {program}")
    for part, number in counts.most_common():
        print(f"  {part:22} {100 * number / max(known, 1):5.1f} %")


main()
