"""Reviews of games, read back by python-chess."""

import io
import pathlib

import chess
import chess.pgn
import lucena_chess
import pytest
from lucena_chess import PgnError

SCHOLAR = '[White "Cy"]\n[Black "Di"]\n[Result "1-0"]\n\n1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0\n'
BROKEN = '[White "E"]\n\n1. e4 e9 *\n'
GAMES = pathlib.Path(__file__).parents[2] / "tests" / "data" / "review.pgn"


def test_a_game_is_judged():
    (game,) = lucena_chess.review(SCHOLAR, nodes=2_000)
    assert (game.white.name, game.black.name, game.result) == ("Cy", "Di", "1-0")
    assert [move.san for move in game.moves] == ["e4", "e5", "Bc4", "Nc6", "Qh5", "Nf6", "Qxf7#"]
    assert game.moves[5].mark == "blunder" and game.black.blunders == 1 and game.moves[5].text
    assert game.moves[-1].score is None
    board = chess.Board()
    for move in game.moves:
        assert board.fen() == chess.Board(move.fen).fen() and board.is_legal(move.move)
        board.push(move.move)
    back = game.game()
    assert back.headers["White"] == "Cy" and not back.errors
    assert chess.pgn.NAG_BLUNDER in list(back.mainline())[5].nags
    assert game.html.startswith("<!") and "Cy" in repr(game)


@pytest.mark.parametrize("king", ["b", "e"])
def test_castling_is_written_as_the_board_does(king):
    for chess960 in (False, True) if king == "e" else (True,):
        fen = f"4k3/8/8/8/8/8/8/{'1K5R' if king == 'b' else '4K2R'} w H - 0 1"
        variant = "[Variant \"Chess960\"]\n" if chess960 else ""
        (game,) = lucena_chess.review(f'{variant}[SetUp "1"]\n[FEN "{fen}"]\n\n1. O-O Kd7 *\n', nodes=200)
        board = chess.Board(fen, chess960=chess960)
        for move in game.moves:
            assert board.is_legal(move.move)
            board.push(move.move)
        assert board.piece_at(chess.G1) == chess.Piece.from_symbol("K")


def test_chunks_keep_the_kind_and_the_length_of_games(tmp_path):
    positions, long = tmp_path / "list.fen", tmp_path / "long.pgn"
    positions.write_text("4k3/8/8/8/8/8/8/4K2R w K - 0 1\n")
    long.write_text("1. e4 e5 *\n\n1. e4 {" + "comment " * (1 << 18) + "} e5 *\n")
    found = []
    for path in (positions, long):
        games = lucena_chess._lucena.NativeGames.of_file(str(path), 100)
        chunk = lucena_chess._lucena.next_games(games, 10, 1 << 22)
        lines, faults, _ = lucena_chess._lucena.review_chunk(str(path), chunk, 100)
        found.append((len(lines.splitlines()), [(number, message) for number, _, message in faults]))
    assert found == [(1, []), (1, [(2, "the game is longer than 1048576 bytes")])]


def test_every_kind_of_source_gives_the_same(tmp_path):
    path = tmp_path / "game.pgn"
    path.write_text(SCHOLAR)
    parsed = chess.pgn.read_game(io.StringIO(SCHOLAR))
    with open(path) as file:
        sources = [SCHOLAR, SCHOLAR.encode(), path, parsed, file]
        found = [[game.data["moves"] for game in lucena_chess.review(source, nodes=500)] for source in sources]
    assert all(moves == found[0] for moves in found)
    packed = [GAMES, GAMES.with_suffix(".pgn.xz"), GAMES.with_suffix(".pgn.zst")]
    found = [[game.data["moves"] for game in lucena_chess.review(source, nodes=200)] for source in packed]
    assert len(found[0]) == 2 and all(moves == found[0] for moves in found)


def test_games_are_reviewed_when_they_are_asked_for():
    reviews = lucena_chess.review(SCHOLAR + "\n" + SCHOLAR.replace("Cy", "Fay"), nodes=200)
    assert iter(reviews) is reviews
    assert next(reviews).white.name == "Cy"
    assert next(reviews).white.name == "Fay"
    assert list(reviews) == []


def test_a_bad_game_is_named_and_the_next_one_is_reviewed():
    reviews = lucena_chess.review(SCHOLAR + "\n" + BROKEN + "\n" + SCHOLAR, nodes=200)
    next(reviews)
    with pytest.raises(PgnError, match="game 2, line 9: .*e9") as caught:
        next(reviews)
    assert (caught.value.number, caught.value.line) == (2, 9)
    assert next(reviews).white.name == "Cy"
    skipped = lucena_chess.review(SCHOLAR + "\n" + BROKEN + "\n" + SCHOLAR, nodes=200, errors="skip")
    assert len(list(skipped)) == 2


def test_a_profile_counts_games():
    games = list(lucena_chess.review(SCHOLAR * 3, nodes=200))
    profile = lucena_chess.profile("Di", games)
    assert profile.games == 3 and profile.data["losses"] == 3 and "Di" in str(profile)
