"""Searches, threads and signals."""

import os
import signal
import sys
import threading
import time

import chess
import chess.engine
import lucena_chess
import pytest
from lucena_chess import Engine, EngineClosedError, OptionError

MATE_IN_ONE = chess.Board("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1")
#: How soon Ctrl-C and stop must end a search, and what a busy machine may add in these tests.
PROMPT = 0.1
SLACK = 0.4


@pytest.fixture
def engine():
    with Engine() as engine:
        yield engine


def test_mate_is_found(engine):
    result = engine.search(MATE_IN_ONE, depth=3)
    assert result.move == chess.Move.from_uci("a1a8")
    assert result.score == chess.engine.PovScore(chess.engine.Mate(1), chess.WHITE)
    board = MATE_IN_ONE.copy()
    board.push(result.move)
    assert board.is_checkmate()
    played = engine.play(MATE_IN_ONE, chess.engine.Limit(depth=3))
    assert played.move == result.move and played.info["score"] == result.score


def test_lines_are_legal_and_ordered(engine):
    board = chess.Board("r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3")
    result = engine.search(board, nodes=20_000, multipv=3)
    assert [line.rank for line in result.lines] == [1, 2, 3]
    scores = [line.score.relative for line in result.lines]
    assert scores == sorted(scores, reverse=True)
    for line in result.lines:
        walk = board.copy()
        for move in line.moves:
            assert walk.is_legal(move)
            walk.push(move)
        assert sum([line.wdl.relative.wins, line.wdl.relative.draws, line.wdl.relative.losses]) == 1000
    assert result.pv[0] == result.move and result.nodes <= 20_100


def test_root_moves_are_kept_to(engine):
    moves = [chess.Move.from_uci("a2a3"), chess.Move.from_uci("h2h4")]
    result = engine.search(chess.Board(), nodes=2_000, root_moves=moves)
    assert result.move in moves
    assert engine.play(chess.Board(), nodes=2_000, root_moves=["a3"]).move == moves[0]


def test_castling_is_written_as_the_board_does(engine):
    for chess960, castling in ((False, "e1g1"), (True, "e1h1")):
        board = chess.Board("4k2r/8/8/8/8/8/8/4K2R w K - 0 1", chess960=chess960)
        move = chess.Move.from_uci(castling)
        assert engine.search(board, depth=2, root_moves=[move]).move == move
    board = chess.Board.from_chess960_pos(0)
    for _ in range(30):
        move = engine.search(board, nodes=300).move
        assert board.is_legal(move)
        board.push(move)


def test_variations_castle_as_the_board_does(engine):
    # The king stands on b1: as a move of the king, castling would be b1g1, which python-chess does not read.
    board = chess.Board("4k3/8/8/8/8/8/8/1K5R w H - 0 1", chess960=True)
    move = chess.Move.from_uci("b1h1")
    result = engine.search(board, depth=2, root_moves=[move])
    assert result.move == move and result.pv[0] == move


def test_repetitions_are_known(engine):
    # White is a queen down; the knights have gone out and back twice, and once more is a draw.
    board = chess.Board("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w KQkq - 0 1")
    for uci in ["g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1"]:
        board.push_uci(uci)
    lines = engine.search(board, depth=6, multipv=10).lines
    draws = [line for line in lines if line.moves[0] == chess.Move.from_uci("f6g8")]
    assert all(line.score.relative == chess.engine.Cp(0) for line in draws)
    assert engine.search(board, depth=6, root_moves=[chess.Move.from_uci("f6g8")]).score.relative == chess.engine.Cp(0)


def test_null_moves_in_the_history_are_no_hindrance(engine):
    board = chess.Board()
    board.push(chess.Move.null())
    board.push_uci("g8f6")
    assert engine.search(board, nodes=500).move is not None


def test_a_game_that_is_over_has_no_move(engine):
    board = chess.Board("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")
    assert board.is_stalemate()
    result = engine.search(board, depth=3)
    assert result.move is None and result.lines == []
    assert engine.play(board, depth=3).move is None


def test_lines_are_reported_while_the_search_runs(engine):
    depths = []
    result = engine.search(chess.Board(), depth=8, on_line=lambda line: depths.append(line.depth))
    assert depths == sorted(depths) and depths[-1] == result.depth == 8


def test_an_exception_of_the_listener_ends_the_search(engine):
    class Enough(Exception):
        pass

    def listener(line):
        raise Enough

    start = time.monotonic()
    with pytest.raises(Enough):
        engine.search(chess.Board(), infinite=True, on_line=listener)
    assert time.monotonic() - start < PROMPT + SLACK
    assert engine.search(chess.Board(), nodes=100).move


@pytest.fixture
def sigint():
    """Ctrl-C as usual: a shell's background processes ignore SIGINT, and Python leaves that so."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize("call", ["search", "explain", "review"])
def test_ctrl_c_ends_the_work(engine, sigint, call):
    sent = []

    def interrupt():
        sent.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    pgn = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 *"
    work = {
        "search": lambda: engine.search(chess.Board(), infinite=True),
        "explain": lambda: lucena_chess.explain(chess.Board(), nodes=10_000_000),
        "review": lambda: list(lucena_chess.review(pgn, nodes=1_000_000)),
    }[call]
    timer = threading.Timer(0.3, interrupt)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        work()
    assert time.monotonic() - sent[0] < PROMPT + SLACK
    assert engine.search(MATE_IN_ONE, depth=3).move


def test_other_threads_run_during_a_search(engine):
    counted = [0]
    is_done = threading.Event()

    def count():
        while not is_done.is_set():
            counted[0] += 1
            time.sleep(0.001)

    counter = threading.Thread(target=count)
    counter.start()
    engine.search(chess.Board(), movetime=300)
    is_done.set()
    counter.join()
    assert counted[0] > 30


def test_threads_share_an_engine(engine):
    boards = [MATE_IN_ONE, MATE_IN_ONE.mirror()] * 4
    found = [None] * len(boards)

    def work(index):
        found[index] = engine.search(boards[index], depth=3).move

    threads = [threading.Thread(target=work, args=(index,)) for index in range(len(boards))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [chess.Move.from_uci("a1a8"), chess.Move.from_uci("a8a1")] * 4


def test_stop_ends_an_infinite_search(engine):
    threading.Timer(0.2, engine.stop).start()
    start = time.monotonic()
    assert engine.search(chess.Board(), infinite=True).move
    assert 0.15 < time.monotonic() - start < 0.2 + PROMPT + SLACK


def test_close_ends_the_running_search_and_refuses_others(engine):
    refused = []

    def wait_and_search():
        try:
            engine.search(chess.Board(), nodes=100)
        except EngineClosedError as error:
            refused.append(error)

    waiting = threading.Thread(target=wait_and_search)
    threading.Timer(0.2, waiting.start).start()
    threading.Timer(0.4, engine.close).start()
    assert engine.search(chess.Board(), infinite=True).move
    time.sleep(0.05)
    waiting.join(1)
    assert refused and engine.closed
    engine.close()
    for call in (engine.new_game, lambda: engine.play(chess.Board(), depth=1), lambda: engine.configure(hash=2)):
        with pytest.raises(EngineClosedError, match=r"open another one"):
            call()


def test_options_are_applied_or_refused(tmp_path):
    with Engine(hash=1, threads=2, deterministic=True) as engine:
        first = engine.search(chess.Board(), nodes=3_000)
        engine.new_game()
        second = engine.search(chess.Board(), nodes=3_000)
        assert (first.move, first.score, first.nodes) == (second.move, second.score, second.nodes)
        with pytest.raises(OptionError, match="book_files: .* is not a file"):
            engine.configure(hash=4, book_files=tmp_path / "none.bin")
        (tmp_path / "bad.bin").write_bytes(b"no book")
        with pytest.raises(OptionError):
            engine.configure(book=True, book_files=tmp_path / "bad.bin")
        assert engine.options["hash"] == 1 and engine.options["book_files"] == ""
        assert engine.search(chess.Board(), nodes=100).lines
    with Engine(book=True) as engine:
        result = engine.search(chess.Board(), depth=1)
        assert result.move and result.nodes == 0 and engine.play(chess.Board(), depth=1).info["nodes"] == 0
        assert engine.search(chess.Board("8/8/4k3/8/8/4K3/4P3/8 w - - 0 1"), depth=1).nodes > 0


def test_a_clock_is_kept(engine):
    start = time.monotonic()
    engine.play(chess.Board(), chess.engine.Limit(white_clock=1.0, black_clock=1.0, white_inc=0.0, black_inc=0.0))
    assert time.monotonic() - start < 1.0


def test_a_fork_is_refused(engine):
    child = os.fork()
    if child == 0:
        try:
            engine.search(chess.Board(), nodes=100)
        except lucena_chess.LucenaError as error:
            os._exit(0 if "fork" in str(error) else 1)
        os._exit(2)
    assert os.waitpid(child, 0)[1] == 0


@pytest.mark.parametrize("end", ["close", "drop"])
def test_an_engine_of_the_parent_ends_in_a_child(end):
    engine = lucena_chess.Engine()
    engine.search(chess.Board(), nodes=100)
    child = os.fork()
    if child == 0:
        signal.alarm(20)  # ends a child that waits for ever
        sys.unraisablehook = lambda _: os._exit(2)
        try:
            if end == "close":
                engine.close()
            del engine
            os._exit(0)
        finally:
            os._exit(1)
    assert os.waitpid(child, 0)[1] == 0
    assert engine.search(chess.Board(), nodes=100).move
