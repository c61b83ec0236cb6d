"""What is refused, and how the refusal helps."""

import pathlib
import pickle

import chess
import chess.engine
import chess.variant
import lucena_chess
import pytest
from lucena_chess import (
    ArgumentTypeError,
    Engine,
    InvalidBoardError,
    InvalidMoveError,
    LucenaError,
    NoAnswerError,
    OptionError,
    PgnError,
    UnsupportedVariantError,
)

QUESTIONS = [
    lucena_chess.evaluate,
    lucena_chess.explain,
    lucena_chess.threats,
    lucena_chess.features,
    lambda board: lucena_chess.level(board, 1500),
    lambda board: Engine().search(board, nodes=100),
    lambda board: Engine().play(board, nodes=100),
]


@pytest.mark.parametrize("ask", QUESTIONS)
def test_boards_are_checked(ask):
    for wrong in (None, chess.STARTING_FEN, chess.BaseBoard(), 3):
        with pytest.raises(ArgumentTypeError, match="board: .* given, chess.Board needed") as caught:
            ask(wrong)
        assert isinstance(caught.value, TypeError)
    for variant in (chess.variant.AtomicBoard, chess.variant.CrazyhouseBoard, chess.variant.GiveawayBoard):
        with pytest.raises(UnsupportedVariantError, match=f"a board of {variant.uci_variant}"):
            ask(variant())
    for fen in ("8/8/8/8/8/8/8/4K3 w - - 0 1", "4k3/4R3/8/8/8/8/8/4K3 w - - 0 1", "P3k3/8/8/8/8/8/8/4K3 w - - 0 1"):
        board = chess.Board(fen)
        assert not board.is_valid()
        with pytest.raises(InvalidBoardError, match="board: "):
            ask(board)


def test_moves_are_checked():
    board = chess.Board()
    with pytest.raises(InvalidMoveError, match="move: e2e5 is not legal; legal moves: Na3 Nc3"):
        lucena_chess.explain(board, chess.Move.from_uci("e2e5"))
    with pytest.raises(InvalidMoveError, match="move: "):
        lucena_chess.explain(board, "Nf6")
    with pytest.raises(InvalidMoveError, match="against: "):
        lucena_chess.explain(board, "e4", against="e4", nodes=1_000)
    with pytest.raises(ArgumentTypeError, match="move: int given, chess.Move or str needed"):
        lucena_chess.explain(board, 12)
    with pytest.raises(NoAnswerError):
        lucena_chess.explain(chess.Board("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"))


def test_limits_are_checked():
    with Engine() as engine:
        board = chess.Board()
        black_only = chess.engine.Limit(black_clock=1.0)
        for arguments in ({}, {"limit": black_only}):
            for ask in (engine.search, engine.play):
                with pytest.raises(OptionError, match=r"no limit: give nodes=, .* search\(infinite=True\)"):
                    ask(board, **arguments)
        for name, value in {"nodes": 0, "depth": -1, "movetime": -5, "multipv": 0}.items():
            with pytest.raises(OptionError, match=f"{name}: must be a number from"):
                engine.search(board, **{"nodes": 10, name: value})
        for name, value in {"nodes": "10", "depth": 2.5, "movetime": True, "limit": 10}.items():
            with pytest.raises(ArgumentTypeError, match=f"{name}: "):
                engine.search(board, **{name: value})
        with pytest.raises(OptionError, match="given twice"):
            engine.search(board, chess.engine.Limit(nodes=10), nodes=10)
        with pytest.raises(OptionError, match="limit.time"):
            engine.search(board, chess.engine.Limit(time=float("nan")))
        for name in ("on_line", "root_moves"):
            with pytest.raises(ArgumentTypeError, match=f"{name}: int given, .* needed"):
                engine.search(board, nodes=10, **{name: 3})
        for wrong in ("e2e4", [None], [5]):
            with pytest.raises(ArgumentTypeError, match="root_moves: .* given, .* needed"):
                engine.search(board, nodes=10, root_moves=wrong)
        for wrong in (chess.Move.from_uci("e2e5"), "e2e5", "nonsense"):
            with pytest.raises(InvalidMoveError, match="root_moves"):
                engine.search(board, nodes=10, root_moves=[wrong])


def test_options_are_checked():
    with pytest.raises(OptionError, match="ash: no such option; options are hash, threads"):
        Engine().configure(ash=16)
    for options in ({"hash": 0}, {"threads": 0}, {"threads": 5000}, {"contempt": 10**9}):
        with pytest.raises(OptionError, match="must be a number from"):
            Engine(**options)
    for options in ({"hash": "16"}, {"hash": None}, {"book": 1}, {"syzygy": 5}):
        with pytest.raises(ArgumentTypeError):
            Engine(**options)
    with pytest.raises(OptionError, match="syzygy: .* is not a folder"):
        Engine(syzygy="/no/such/folder")
    with pytest.raises(OptionError, match="book_files: .* not a sorted Polyglot book"):
        Engine(book=True, book_files=__file__)
    for elo in (-1, 0, 100_000, 1 << 80):
        with pytest.raises(OptionError, match="elo: must be a number from 800 to 2800"):
            lucena_chess.level(chess.Board(), elo)
    for nodes in (-1, 0, 10, 1 << 80):
        for ask in (lucena_chess.explain, lucena_chess.threats):
            with pytest.raises(OptionError, match="nodes: must be a number from 1000 to 10000000"):
                ask(chess.Board(), nodes=nodes)


def test_pgns_are_checked(tmp_path):
    for wrong in (None, 5, ["1. e4"]):
        with pytest.raises(ArgumentTypeError, match="pgn: "):
            lucena_chess.review(wrong)
    for empty in ("", " \n", b""):
        with pytest.raises(PgnError, match="there is no game"):
            lucena_chess.review(empty)
    with pytest.raises(FileNotFoundError, match="no-such-file.pgn"):
        lucena_chess.review(pathlib.Path("no-such-file.pgn"))
    (tmp_path / "bad.pgn.xz").write_bytes(b"not xz at all")
    with pytest.raises(PgnError, match="bad.pgn.xz"):
        list(lucena_chess.review(tmp_path / "bad.pgn.xz"))
    (tmp_path / "bad.pgn.zst").write_bytes(b"not Zstandard")
    with pytest.raises(PgnError, match="bad.pgn.zst: the compressed file is damaged or cut off"):
        list(lucena_chess.review(tmp_path / "bad.pgn.zst"))
    with pytest.raises(PgnError):
        list(lucena_chess.review(b"\xff\xfe\x00\x00"))
    with pytest.raises(PgnError, match="game 1, line 1: variant Atomic is not supported"):
        list(lucena_chess.review('[Variant "Atomic"]\n\n1. e4 e9 *', nodes=200))
    with pytest.raises(OptionError, match="errors: must be"):
        lucena_chess.review("1. e4 *", errors="ignore")
    for nodes in (-1, 0, 1, 1 << 80):
        with pytest.raises(OptionError, match="nodes: must be a number from 100 to 1000000"):
            lucena_chess.review("1. e4 *", nodes=nodes)
    for games in (["no review"], 3):
        with pytest.raises(ArgumentTypeError, match="games: "):
            lucena_chess.profile("A", games)


def test_every_error_is_a_lucena_error_and_can_be_sent_to_another_process():
    for name in lucena_chess.__all__:
        kind = getattr(lucena_chess, name)
        if isinstance(kind, type) and issubclass(kind, Exception):
            assert issubclass(kind, LucenaError)
            error = pickle.loads(pickle.dumps(kind("text")))
            assert type(error) is kind and str(error) == "text"
    error = pickle.loads(pickle.dumps(PgnError("text", 3, 9)))
    assert (error.number, error.line) == (3, 9)
