#!/usr/bin/env python3
"""Plays a test and a datagen of OpenBench with its own server and client, on this machine alone.

    git clone https://github.com/AndyGrant/OpenBench
    python3 -m venv venv && venv/bin/pip install -r OpenBench/requirements.txt -r OpenBench/Client/requirements.txt
    venv/bin/python tests/openbench.py OpenBench fastchess

The server (Django, with an empty database) gets this engine as its only one. Its client builds the newest commit of this
repository by `make EXE=`, compares `bench` with the number of the history, makes openings with `genfens`, and plays. What
both fetch from a git host or a book server comes from local files; every other address is refused. The checkout is
copied and not changed. Needs git, make, cargo, g++ and fastchess. Exits with status 0 if all games were played without a
fault.
"""

import argparse
import contextlib
import hashlib
import http.server
import io
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse
import urllib.request
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
HOST = "127.0.0.1"
REPOSITORY = "https://github.com/lucena/lucena"
USER, PASSWORD = "tester", "local-only"
BOOK = "local.epd"
#: Positions after two or three moves of common openings.
OPENINGS = """\
rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2
r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3
rnbqkb1r/pppppp1p/5np1/8/2PP4/8/PP2PPPP/RNBQKBNR w KQkq - 0 3
rnbqkbnr/ppp2ppp/4p3/3p4/3PP3/8/PPP2PPP/RNBQKBNR w KQkq - 0 3
"""
#: Answers every request for an outside address with one to the local files.
OFFLINE = """
import os, requests
_request = requests.Session.request
def request(self, method, url, *arguments, **named):
    for host in ("https://api.github.com/", "https://github.com/"):
        if url.startswith(host):
            url = os.environ["LOCAL_FILES"] + url[len(host):]
    if not url.startswith("http://127.0.0.1:"):
        raise requests.ConnectionError(f"{url} is not replaced by a local file")
    return _request(self, method, url, *arguments, **named)
requests.Session.request = request
"""
#: The client ends processes by their names (pkill) and asks for root (sudo): not on a machine with other work.
REPLACED = {"pkill": "exit 0", "sudo": "exit 1"}


def git(*arguments):
    return subprocess.run(["git", "-C", str(ROOT), *arguments], check=True, stdout=subprocess.PIPE).stdout


def free_port():
    with socket.socket() as listener:
        listener.bind((HOST, 0))
        return listener.getsockname()[1]


def book_archive():
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr(BOOK, OPENINGS)
    return archive.getvalue()


class LocalFiles(http.server.BaseHTTPRequestHandler):
    """What OpenBench asks a git host for: a branch, a comparison of commits, a source archive, a book."""

    def do_GET(self):
        path = urllib.parse.urlparse(self.path).path.strip("/")
        sha = git("rev-parse", "HEAD").decode().strip()
        if "/branches/" in path or "/commits/" in path:
            message = git("log", "-1", "--format=%B").decode()
            commit = {"sha": sha, "commit": {"message": message, "sha": sha}}
            body = json.dumps({"commit": commit} if "/branches/" in path else commit).encode()
        elif "/compare/" in path:
            body = json.dumps({"ahead_by": 0}).encode()
        elif "/zipball/" in path:
            body = git("archive", "--format=zip", f"--prefix=lucena-{sha[:8]}/", path.rsplit("/", 1)[1])
        elif path.endswith(f"{BOOK}.zip"):
            body = book_archive()
        else:
            self.send_error(404)
            return
        print(f"local file for {path}", flush=True)
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_arguments):
        pass


def configure(folder, fastchess):
    """Makes this engine, one book and this fastchess the only ones of an instance."""
    version = re.search(r"\d+\.\d+\.\d+", subprocess.check_output([fastchess, "--version"], text=True))[0]
    path = folder / "Config" / "config.json"
    config = json.loads(path.read_text())
    config.update(books=[BOOK], engines=["Lucena"], fastchess_min_version=version)
    path.write_text(json.dumps(config))
    sha = hashlib.sha256(OPENINGS.encode()).hexdigest()
    book = {"sha": sha, "source": f"https://github.com/books/raw/{BOOK}.zip"}
    (folder / "Books" / f"{BOOK}.json").write_text(json.dumps(book))
    build = {"path": "", "compilers": ["cargo>=1.85.0"], "cpuflags": [], "systems": ["Linux"]}
    engine = {"private": False, "nps": 1_000_000, "source": REPOSITORY, "build": build}
    (folder / "Engines" / "Lucena.json").write_text(json.dumps(engine))
    runner = folder / "Client" / "fastchess-ob"
    shutil.copy(fastchess, runner)
    runner.chmod(0o755)


def workload(bench, nodes, games):
    """The form of a short test."""
    side = {"engine": "Lucena", "repo": REPOSITORY, "branch": "main", "bench": bench, "network": ""}
    side.update(options="Threads=1 Hash=16", time_control=f"N={nodes}")
    form = {f"{name}_{key}": value for name in ("dev", "base") for key, value in side.items()}
    form.update(upload_pgns="COMPACT", throughput=1000, workload_size=1, priority=0, info="")
    form.update(syzygy_wdl="DISABLED", syzygy_adj="DISABLED", scale_method="BASE", scale_nps=1_000_000)
    form.update(win_adj="None", draw_adj="movenumber=30 movecount=6 score=10")
    test = {**form, "test_mode": "GAMES", "test_bounds": "N/A", "test_confidence": "N/A", "test_max_games": games}
    test.update(book_name=BOOK)
    datagen = {**form, "datagen_max_games": games, "datagen_custom_genfens": "", "datagen_play_reverses": "YES"}
    datagen.update(book_name="NONE")
    return test, datagen


class Browser:
    """A logged-in user of the server."""

    def __init__(self, server):
        self.server = server
        cookies = urllib.request.HTTPCookieProcessor()
        self.cookies = cookies.cookiejar
        self.opener = urllib.request.build_opener(cookies)

    def open(self, path, form=None):
        request = urllib.request.Request(self.server + path)
        if form is not None:
            token = [cookie.value for cookie in self.cookies if cookie.name == "csrftoken"]
            request.add_header("X-CSRFToken", token[0] if token else "")
            request.data = urllib.parse.urlencode(form).encode()
        with self.opener.open(request, timeout=60) as answer:
            return answer.read().decode()


def wait_for(look, seconds, what, process):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if process.poll() is not None:
            sys.exit(f"{what}: the process ended with status {process.returncode}")
        with contextlib.suppress(OSError, sqlite3.Error):
            if look():
                return
        time.sleep(1)
    sys.exit(f"{what}: not within {seconds} seconds")


def rows(folder, query):
    with contextlib.closing(sqlite3.connect(f"file:{folder}/db.sqlite3?mode=ro", uri=True)) as database:
        database.row_factory = sqlite3.Row
        return [dict(row) for row in database.execute(query)]


def play(folder, environment, given):
    """Starts the server, creates the workloads, lets the client play them, and returns them with the events."""
    manage = [sys.executable, "manage.py"]
    port = free_port()
    server = f"http://{HOST}:{port}"
    subprocess.run([*manage, "migrate", "--verbosity", "0"], cwd=folder, env=environment, check=True)
    site = subprocess.Popen(
        [*manage, "runserver", f"{HOST}:{port}", "--noreload"],
        cwd=folder,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.STDOUT,
    )
    worker = None
    try:
        browser = Browser(server)
        wait_for(lambda: browser.open("/register/"), 60, "server", site)
        account = {"username": USER, "email": "", "password1": PASSWORD, "password2": PASSWORD}
        browser.open("/register/", account)
        enable = "from OpenBench.models import Profile; Profile.objects.update(enabled=True, approver=True)"
        subprocess.run([*manage, "shell", "-c", enable], cwd=folder, env=environment, check=True)
        for kind, form in zip(("test", "datagen"), workload(given.bench, given.nodes, given.games)):
            browser.open(f"/{kind}/new/")
            browser.open(f"/{kind}/new/", form)
        created = rows(folder, "SELECT test_mode, approved FROM OpenBench_test")
        if [(row["test_mode"], row["approved"]) for row in created] != [("GAMES", 1), ("DATAGEN", 1)]:
            sys.exit(f"the server refused the workloads: {created}")
        command = [sys.executable, "client.py", "-U", USER, "-P", PASSWORD, "-S", server, "--no-client-downloads"]
        worker = subprocess.Popen(
            [*command, "-T", "2", "-N", "1"], cwd=folder / "Client", env=environment, start_new_session=True
        )
        unfinished = "SELECT id FROM OpenBench_test WHERE NOT finished"
        wait_for(lambda: not rows(folder, unfinished), given.timeout, "workloads", worker)
        # The client uploads the games of the last workload behind its results.
        wait_for(lambda: len(rows(folder, "SELECT id FROM OpenBench_pgn")) >= 2, 60, "games", worker)
        events = rows(folder, "SELECT summary FROM OpenBench_logevent WHERE machine_id != 0")
        return rows(folder, "SELECT * FROM OpenBench_test ORDER BY id"), [event["summary"] for event in events]
    finally:
        if worker is not None:
            # With what it has started: builds, games.
            with contextlib.suppress(ProcessLookupError):
                os.killpg(worker.pid, signal.SIGKILL)
            worker.wait()
        site.terminate()
        site.wait()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("openbench", type=pathlib.Path, help="a checkout of OpenBench; it is copied")
    parser.add_argument("fastchess", type=pathlib.Path, help="the program fastchess, 1.8.1 or later")
    parser.add_argument("--games", type=int, default=8, help="games of each workload (8)")
    parser.add_argument("--nodes", type=int, default=2000, help="nodes for each move (2000)")
    parser.add_argument("--timeout", type=int, default=1800, help="seconds for building and playing (1800)")
    given = parser.parse_args()
    # So that the server and the client end as well.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("terminated"))
    message = git("log", "-1", "--extended-regexp", "--grep=^Bench: [0-9]+$", "--format=%B").decode()
    given.bench = re.findall(r"^Bench: (\d+)$", message, re.MULTILINE)[-1]
    with tempfile.TemporaryDirectory(prefix="openbench-") as work:
        work = pathlib.Path(work)
        folder = work / "OpenBench"
        shutil.copytree(given.openbench, folder, ignore=shutil.ignore_patterns(".git", "db.sqlite3", "Media"))
        configure(folder, given.fastchess.resolve())
        for name, text in {"sitecustomize.py": OFFLINE, **{n: f"#!/bin/sh\n{t}\n" for n, t in REPLACED.items()}}.items():
            path = work / "replaced" / name
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)
            path.chmod(0o755)
        files = http.server.ThreadingHTTPServer((HOST, 0), LocalFiles)
        threading.Thread(target=files.serve_forever, daemon=True).start()
        replaced = str(work / "replaced")
        environment = {
            "CARGO_TARGET_DIR": str(work / "target"),
            **os.environ,
            "LOCAL_FILES": f"http://{HOST}:{files.server_address[1]}/",
            "PYTHONPATH": replaced,
            "PATH": f"{replaced}:{os.environ['PATH']}",
            "PYTHONUNBUFFERED": "1",
        }
        played, events = play(folder, environment, given)
    print()
    faults = [f"event: {event}" for event in events]
    for row in played:
        counts = " ".join(f"{row[name]} {name}," for name in ("wins", "draws", "losses"))
        print(f"{row['test_mode']}: {row['games']} games, {counts} error: {bool(row['error'])}")
        if row["games"] < given.games or row["error"]:
            faults.append(f"workload {row['id']}: {row['games']} games, error: {bool(row['error'])}")
    print("\n".join(faults) or f"OpenBench's client built, benched ({given.bench} nodes) and played without a fault")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
