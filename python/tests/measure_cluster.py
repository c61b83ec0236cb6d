"""Measures what more processes cost and gain: reviews by the program in shards, and on a local Ray cluster.

    python python/tests/measure_cluster.py target/release/lucena GAMES.pgn [--nodes 20000] [--rounds 2] [--only ray|shards]

Prints seconds on the clock and of processors, user and system of all processes. The processor seconds hold on a busy machine,
the clock only on an idle one. Ray's cluster and workers have started before. The outputs are compared; status 1 if they differ.
"""

import argparse
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

QUIET = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
TICKS = os.sysconf("SC_CLK_TCK")


def tree_seconds():
    """Processor seconds of this process and all its descendants, living or waited for."""
    parents, seconds = {}, {}
    for path in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:  # it has just ended
            continue
        number = int(path.parent.name)
        parents[number], seconds[number] = int(fields[1]), sum(map(int, fields[11:15])) / TICKS
    total, found = 0.0, [os.getpid()]
    while found:
        number = found.pop()
        total += seconds.get(number, 0.0)
        found.extend(child for child, parent in parents.items() if parent == number)
    return total


def children_seconds():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def timed(work, processors):
    clock, before = time.monotonic(), processors()
    result = work()
    return result, time.monotonic() - clock, processors() - before


def show(name, clock, processors):
    print(f"{name:<28} {clock:8.2f} s {processors:8.2f} processor s", flush=True)


def programs(given, folder, count):
    """Reviews in so many processes of one thread each; returns the outputs together."""
    outputs = [folder / f"part-{number}.jsonl" for number in range(count)]
    command = [given.program, "review", given.games, "--nodes", str(given.nodes), "--threads", "1"]
    running = [
        subprocess.Popen([*command, "--shard", f"{number + 1}/{count}", "--json", output], **QUIET)
        for number, output in enumerate(outputs)
    ]
    if any([process.wait() for process in running]):
        sys.exit("a review failed")
    return b"".join(output.read_bytes() for output in outputs)


def plain(given, folder):
    out = folder / "plain.jsonl"
    command = [given.program, "review", given.games, "--nodes", str(given.nodes), "--threads", "2", "--json", out]
    subprocess.run(command, check=True, **QUIET)
    return out.read_bytes()


def measure_shards(given, folder, expected):
    print(f"shards: {given.nodes} nodes a move, one thread for each process, {os.cpu_count()} processors")
    outputs = []
    for count in (1, 2, 4):
        output, *seconds = timed(lambda: programs(given, folder, count), children_seconds)
        show(f"{count} process{'es' * (count > 1)}", *seconds)
        outputs.append(output)
    return all(output == expected for output in outputs)


def measure_ray(given, folder, expected):
    import ray
    from lucena_chess import cluster

    ray.init("local", num_cpus=2, log_to_driver=False, logging_level="error", include_dashboard=False)
    # Short chunks, so that the last ones end at about the same time.
    cluster.REVIEW_GAMES = 1
    review = lambda nodes: b"".join(lines for lines, _ in cluster.review([given.games], nodes))  # noqa: E731
    review(100)  # starts the workers
    print(f"Ray beside the plain command: {given.nodes} nodes a move, two processors, in turn")
    totals, same = {"plain": [0.0, 0.0], "Ray": [0.0, 0.0]}, True
    for _ in range(given.rounds):
        for name, work in (("plain", lambda: plain(given, folder)), ("Ray", lambda: review(given.nodes))):
            output, *seconds = timed(work, tree_seconds)
            show(name, *seconds)
            same = same and output == expected
            totals[name] = [total + more for total, more in zip(totals[name], seconds)]
    (clock, processors), (ray_clock, ray_processors) = totals["plain"], totals["Ray"]
    print(f"Ray / plain: {ray_clock / clock:.3f} of the clock, {ray_processors / processors:.3f} of the processor seconds")
    ray.shutdown()
    return same


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("games")
    parser.add_argument("--nodes", type=int, default=20_000)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--only", choices=["ray", "shards"])
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        expected = plain(given, folder)
        measures = {"shards": measure_shards, "ray": measure_ray}
        if given.only:
            measures = {given.only: measures[given.only]}
        same = [measure(given, folder, expected) for measure in measures.values()]
    print("all outputs are the same" if all(same) else "THE OUTPUTS DIFFER")
    return 0 if all(same) else 1


if __name__ == "__main__":
    sys.exit(main())
