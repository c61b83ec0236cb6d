"""Lets lichess-bot play whole games with Lucena against a stand-in for the lichess server (docs/lichess.md).

    python tests/lichess.py PROGRAM LICHESS_BOT

PROGRAM is Lucena, LICHESS_BOT a checkout of lichess-bot; the Python needs the packages of its requirements.txt. The
stand-in serves the parts of the Bot API that lichess-bot calls. It keeps the clocks, refuses illegal moves and plays the
other side. The settings are those of packaging/lichess.yml.
"""

import http.server
import io
import json
import os
import queue
import random
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import chess
import chess.pgn
import yaml

BOT = "Lucena"
OPPONENT = "Stand-in"
TOKEN = "token-of-the-stand-in"
# Seconds without events until an empty line keeps a stream open.
KEEP_ALIVE = 3
# Seconds until a game that does not end is a fault.
LONGEST_GAME = 200
# Seconds that lichess-bot may take to start and to quit.
LONGEST_START = 90
# Seconds that the opponent thinks.
THINKING = 0.2

# Name | variant | initial position | colour of the bot | seconds on the clock | result.
GAMES = [
    ("game0001", "standard", chess.STARTING_FEN, chess.WHITE, 60, "1-0"),
    ("game0002", "chess960", chess.Board.from_chess960_pos(100).fen(), chess.BLACK, 60, "0-1"),
    ("game0003", "fromPosition", "8/8/8/4k3/8/8/8/4K2R w - - 0 1", chess.WHITE, 60, "1-0"),
    ("game0004", "fromPosition", "8/8/8/8/3p4/3k4/8/3K4 w - - 0 1", chess.WHITE, 30, "1/2-1/2"),
]
# A challenge that the settings do not allow.
REFUSED = ("refused1", "atomic", chess.STARTING_FEN, chess.WHITE, 60, "*")
VARIANT_NAMES = {
    "standard": "Standard",
    "chess960": "Chess960",
    "fromPosition": "From Position",
    "atomic": "Atomic",
}


def player(name: str, title: str | None) -> dict:
    return {"id": name.lower(), "name": name, "title": title, "rating": 2000}


def chosen(board: chess.Board, source: random.Random) -> chess.Move:
    """A move of the opponent: the capture of the most valuable piece, or else any."""
    moves = list(board.legal_moves)
    source.shuffle(moves)
    return max(moves, key=lambda move: board.piece_type_at(move.to_square) or 0 if board.is_capture(move) else 0)


class Game:
    """A game with its clocks. They run from the second move of each side, as on lichess."""

    def __init__(self, challenge: tuple) -> None:
        self.id, self.variant, fen, self.bot_color, seconds, self.expected = challenge
        self.initial_fen = fen
        self.board = chess.Board(fen, chess960=self.variant == "chess960")
        self.initial = seconds * 1000
        self.clocks = {chess.WHITE: float(self.initial), chess.BLACK: float(self.initial)}
        self.turn_since = time.monotonic()
        self.status = "started"
        self.winner: bool | None = None
        self.lock = threading.Condition()
        self.faults: list[str] = []
        self.chat: list[str] = []
        self.source = random.Random(self.id)

    def state(self) -> dict:
        state = {
            "type": "gameState",
            "moves": " ".join(self.board.uci(move) for move in self.board.move_stack),
            "wtime": max(0, int(self.clocks[chess.WHITE])),
            "btime": max(0, int(self.clocks[chess.BLACK])),
            "winc": 0,
            "binc": 0,
            "status": self.status,
        }
        if self.winner is not None:
            state["winner"] = "white" if self.winner else "black"
        return state

    def full(self) -> dict:
        bot, other = player(BOT, "BOT"), player(OPPONENT, None)
        return {
            "type": "gameFull",
            "id": self.id,
            "variant": {"key": self.variant, "name": VARIANT_NAMES[self.variant]},
            "clock": {"initial": self.initial, "increment": 0},
            "speed": "bullet",
            "perf": {"name": "Bullet"},
            "rated": False,
            "createdAt": int(time.time() * 1000),
            "white": bot if self.bot_color else other,
            "black": other if self.bot_color else bot,
            "initialFen": "startpos" if self.initial_fen == chess.STARTING_FEN else self.initial_fen,
            "state": self.state(),
        }

    def play(self, move: chess.Move) -> None:
        """Plays a legal move of the side to move; the lock is held."""
        side = self.board.turn
        now = time.monotonic()
        if len(self.board.move_stack) >= 2:
            self.clocks[side] -= (now - self.turn_since) * 1000
        self.turn_since = now
        if self.clocks[side] <= 0:
            self.end("outoftime", not side)
            return
        self.board.push(move)
        outcome = self.board.outcome(claim_draw=True)
        if outcome is not None:
            ends = {chess.Termination.CHECKMATE: "mate", chess.Termination.STALEMATE: "stalemate"}
            self.end(ends.get(outcome.termination, "draw"), outcome.winner)
        self.lock.notify_all()

    def end(self, status: str, winner: bool | None) -> None:
        self.status, self.winner = status, winner
        self.lock.notify_all()

    def bot_plays(self, text: str) -> str | None:
        """Plays a move of the bot; what is wrong with it, if anything is."""
        with self.lock:
            fault = None
            if self.status != "started" or self.board.turn != self.bot_color:
                fault = f"{text}: not the bot's turn"
            else:
                try:
                    move = self.board.parse_uci(text)
                    self.play(move)
                except ValueError as error:
                    fault = f"{text}: {error}"
            if fault is not None:
                self.faults.append(fault)
            return fault

    def opponent_plays(self) -> None:
        """Plays the other side until the game ends."""
        while True:
            with self.lock:
                while self.status == "started" and self.board.turn == self.bot_color:
                    self.lock.wait()
                if self.status != "started":
                    return
            time.sleep(THINKING)
            with self.lock:
                if self.status == "started":
                    self.play(chosen(self.board, self.source))

    def result(self) -> str:
        if self.status == "started":
            return "*"
        return {None: "1/2-1/2", chess.WHITE: "1-0", chess.BLACK: "0-1"}[self.winner]

    def pgn(self) -> str:
        game = chess.pgn.Game.from_board(self.board)
        names = (BOT, OPPONENT) if self.bot_color else (OPPONENT, BOT)
        game.headers["White"], game.headers["Black"] = names
        game.headers["Result"] = self.result()
        return f"{game}\n"


class Standin:
    """The state of the stand-in: challenges, games, and the events that lichess-bot still has to get."""

    def __init__(self) -> None:
        self.events: queue.Queue[dict | None] = queue.Queue()
        self.challenges: dict[str, tuple] = {}
        self.declined: dict[str, str] = {}
        self.games: dict[str, Game] = {}
        self.is_connected = threading.Event()
        self.unknown: list[str] = []

    def challenge(self, challenge: tuple) -> None:
        name, variant, fen, bot_color, seconds, _ = challenge
        self.challenges[name] = challenge
        self.events.put({
            "type": "challenge",
            "challenge": {
                "id": name,
                "status": "created",
                "challenger": player(OPPONENT, None),
                "destUser": player(BOT, "BOT"),
                "variant": {"key": variant, "name": VARIANT_NAMES[variant]},
                "rated": False,
                "speed": "bullet",
                "timeControl": {"type": "clock", "limit": seconds, "increment": 0},
                "color": "black" if bot_color else "white",
                "perf": {"name": "Bullet"},
                "initialFen": "startpos" if fen == chess.STARTING_FEN else fen,
            },
        })

    def accept(self, name: str) -> None:
        game = Game(self.challenges[name])
        self.games[name] = game
        self.events.put({"type": "gameStart", "game": self.summary(game)})
        threading.Thread(target=game.opponent_plays, daemon=True).start()

    def summary(self, game: Game) -> dict:
        return {
            "id": game.id,
            "gameId": game.id,
            "speed": "bullet",
            "opponent": {"id": OPPONENT.lower(), "username": OPPONENT},
            "isMyTurn": game.board.turn == game.bot_color,
        }

    def running(self) -> list[dict]:
        return [self.summary(game) for game in self.games.values() if game.status == "started"]


class Handler(http.server.BaseHTTPRequestHandler):
    """Answers one request of lichess-bot."""

    standin: Standin
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: object) -> None:
        pass

    def answer(self, value: object, status: int = 200) -> None:
        self.answer_bytes(json.dumps(value).encode(), "application/json", status)

    def answer_bytes(self, body: bytes, kind: str, status: int = 200) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def start_stream(self) -> None:
        self.close_connection = True
        self.send_response(200)
        self.send_header("Content-Type", "application/x-ndjson")
        self.send_header("Connection", "close")
        # Without chunks the client would wait until its buffer is full.
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()

    def send_line(self, value: dict | None) -> None:
        line = b"\n" if value is None else json.dumps(value).encode() + b"\n"
        self.wfile.write(b"%x\r\n%s\r\n" % (len(line), line))
        self.wfile.flush()

    def end_stream(self) -> None:
        self.wfile.write(b"0\r\n\r\n")

    def do_GET(self) -> None:
        path = urlsplit(self.path).path
        if path == "/api/account":
            self.answer({"id": BOT.lower(), "username": BOT, "title": "BOT", "perfs": {}})
        elif path == "/api/account/playing":
            self.answer({"nowPlaying": self.standin.running()})
        elif path == "/api/users/status":
            self.answer([{"id": BOT.lower(), "name": BOT, "online": True}])
        elif path == "/api/stream/event":
            self.stream_events()
        elif match := re.fullmatch(r"/api/bot/game/stream/(\w+)", path):
            self.stream_game(self.standin.games[match[1]])
        elif match := re.fullmatch(r"/game/export/(\w+)", path):
            self.answer_bytes(self.standin.games[match[1]].pgn().encode(), "application/x-chess-pgn")
        else:
            self.refuse()

    def do_POST(self) -> None:
        path = urlsplit(self.path).path
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
        if path == "/api/token/test":
            self.answer({body: {"userId": BOT.lower(), "scopes": "bot:play", "expires": None}})
        elif self.headers.get("Authorization") != f"Bearer {TOKEN}":
            self.answer({"error": "No such token"}, 401)
        elif match := re.fullmatch(r"/api/challenge/(\w+)/accept", path):
            self.standin.accept(match[1])
            self.answer({"ok": True})
        elif match := re.fullmatch(r"/api/challenge/(\w+)/decline", path):
            self.standin.declined[match[1]] = parse_qs(body).get("reason", [""])[0]
            self.answer({"ok": True})
        elif match := re.fullmatch(r"/api/bot/game/(\w+)/move/(\w+)", path):
            fault = self.standin.games[match[1]].bot_plays(match[2])
            self.answer({"ok": True} if fault is None else {"error": fault}, 200 if fault is None else 400)
        elif match := re.fullmatch(r"/api/bot/game/(\w+)/chat", path):
            self.standin.games[match[1]].chat += parse_qs(body).get("text", [])
            self.answer({"ok": True})
        elif match := re.fullmatch(r"/api/bot/game/(\w+)/(resign|abort)", path):
            game = self.standin.games[match[1]]
            with game.lock:
                game.faults.append(f"the bot wants to {match[2]}")
                game.end(match[2], not game.bot_color)
            self.answer({"ok": True})
        else:
            self.refuse()

    def refuse(self) -> None:
        self.standin.unknown.append(f"{self.command} {self.path}")
        self.answer({"error": "Not found"}, 404)

    def stream_events(self) -> None:
        self.start_stream()
        self.standin.is_connected.set()
        while True:
            try:
                event = self.standin.events.get(timeout=KEEP_ALIVE)
            except queue.Empty:
                self.send_line(None)
                continue
            if event is None:
                self.end_stream()
                return
            self.send_line(event)

    def stream_game(self, game: Game) -> None:
        self.start_stream()
        with game.lock:
            self.send_line(game.full())
            sent = game.state()
            while game.status == "started":
                if not game.lock.wait(KEEP_ALIVE):
                    self.send_line(None)
                elif (state := game.state())["moves"] != sent["moves"] or state["status"] != "started":
                    self.send_line(state)
                    sent = state
        self.end_stream()
        self.standin.events.put({"type": "gameFinish", "game": self.standin.summary(game)})


def settings(program: Path, bot: Path, folder: Path, url: str) -> Path:
    """Writes lichess-bot's settings: its own, with the keys of packaging/lichess.yml in place of those of the same name."""
    config = yaml.safe_load((bot / "config.yml.default").read_text())
    ours = Path(__file__).parent.parent / "packaging" / "lichess.yml"
    for section, values in yaml.safe_load(ours.read_text()).items():
        config[section].update(values)
    config.update({"token": TOKEN, "url": url, "pgn_directory": str(folder / "games")})
    config["engine"].update({"dir": str(program.parent), "name": program.name})
    config["engine"]["uci_options"]["Debug Log File"] = str(folder / "uci.log")
    path = folder / "config.yml"
    path.write_text(yaml.safe_dump(config))
    return path


def wait_for(what: str, bot: subprocess.Popen, seconds: float, is_done) -> None:
    """Waits until something is so; fails when lichess-bot ends or the time is over."""
    end = time.monotonic() + seconds
    while not is_done():
        assert bot.poll() is None, f"lichess-bot ended while waiting for {what}"
        assert time.monotonic() < end, f"waited {seconds} s for {what}"
        time.sleep(0.1)


def play(standin: Standin, bot: subprocess.Popen) -> None:
    """Lets lichess-bot refuse one challenge and play every game."""
    wait_for("lichess-bot", bot, LONGEST_START, standin.is_connected.is_set)
    standin.challenge(REFUSED)
    wait_for("a refusal", bot, LONGEST_START, lambda: REFUSED[0] in standin.declined)
    for challenge in GAMES:
        name = challenge[0]
        standin.challenge(challenge)
        wait_for("a game", bot, LONGEST_START, lambda: name in standin.games or name in standin.declined)
        assert name in standin.games, f"{name} was declined: {standin.declined}"
        game = standin.games[name]
        wait_for("the end of a game", bot, LONGEST_GAME, lambda: game.status != "started")
        left = game.clocks[game.bot_color] / 1000
        print(f"{name}: {game.variant}, {len(game.board.move_stack)} plies, {game.result()} by {game.status}, "
              f"{left:.1f} of {game.initial / 1000:.0f} s left")


def check(standin: Standin, folder: Path) -> None:
    """Checks the games, their records and both logs."""
    assert standin.declined == {REFUSED[0]: "variant"}, standin.declined
    assert not standin.unknown, standin.unknown
    records = {}
    for path in (folder / "games").glob("*.pgn"):
        records[path.stem.rsplit(" ", 1)[-1]] = chess.pgn.read_game(io.StringIO(path.read_text()))
    for game in standin.games.values():
        assert not game.faults, (game.id, game.faults)
        assert game.status in ("mate", "stalemate", "draw"), (game.id, game.status)
        assert game.result() == game.expected, (game.id, game.result())
        record = records[game.id]
        assert record.headers["Result"] == game.expected, record.headers
        assert record.end().board().move_stack == game.board.move_stack, game.id
        assert any(BOT in line for line in game.chat), (game.id, game.chat)
    log = (folder / "bot.log").read_text()
    for fault in (" ERROR ", " CRITICAL ", "Traceback", "Ignoring illegal move", "engine process died"):
        assert fault not in log, [line for line in log.splitlines() if fault in line]
    dialogue = (folder / "uci.log").read_text()
    assert "go ponder" in dialogue, "the engine did not ponder"
    assert "info string error" not in dialogue, [line for line in dialogue.splitlines() if "error" in line]
    print(f"{dialogue.count('go ponder')} searches in the opponent's time, {dialogue.count('ponderhit')} of them hits")


def main() -> None:
    program, checkout = (Path(text).resolve() for text in sys.argv[1:])
    standin = Standin()
    Handler.standin = standin
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with tempfile.TemporaryDirectory(prefix="lucena-lichess-") as name:
        folder = Path(name)
        config = settings(program, checkout, folder, f"http://127.0.0.1:{server.server_port}/")
        command = [sys.executable, str(checkout / "lichess-bot.py"), "-v", "--disable_auto_logging"]
        command += ["--config", str(config), "--logfile", str(folder / "bot.log")]
        environment = {**os.environ, "PYTHONPATH": str(checkout), "PYTHONDONTWRITEBYTECODE": "1"}
        with open(folder / "output", "wb") as output:
            bot = subprocess.Popen(command, cwd=folder, env=environment, stdout=output, stderr=output,
                                   start_new_session=True)
        try:
            play(standin, bot)
            wait_for("the games' records", bot, LONGEST_START,
                     lambda: len(list((folder / "games").glob("*.pgn"))) == len(GAMES))
            os.killpg(bot.pid, signal.SIGINT)
            standin.events.put(None)
            assert bot.wait(LONGEST_START) == 0, f"lichess-bot ended with {bot.returncode}"
            check(standin, folder)
        except BaseException:
            print((folder / "output").read_text(errors="replace")[-8000:], file=sys.stderr)
            raise
        finally:
            if bot.poll() is None:
                os.killpg(bot.pid, signal.SIGKILL)
    print(f"lichess-bot played {len(GAMES)} games with {program.name}: no illegal move, no loss on time, results as expected")


if __name__ == "__main__":
    main()
