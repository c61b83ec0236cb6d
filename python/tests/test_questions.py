"""Evaluations, features and explanations, checked by numpy and python-chess."""

import chess
import chess.engine
import lucena_chess
import numpy as np
import pytest

FENS = [
    chess.STARTING_FEN,
    "r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 3 3",
    "8/5pk1/6p1/8/3R4/5PP1/r5K1/8 w - - 0 1",
    "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1",
]


@pytest.mark.parametrize("fen", FENS)
def test_features_times_weights_are_the_evaluation(fen):
    board = chess.Board(fen)
    counts, weights = lucena_chess.features(board), lucena_chess.weights()
    shares = lucena_chess.weight_shares(board)
    names = lucena_chess.feature_names()
    assert counts.dtype == np.int32 and weights.shape == (len(counts), 4) and len(names) == len(counts)
    total = counts @ weights @ shares
    # The engine rounds towards zero.
    evaluation = lucena_chess.evaluate(board)
    assert abs(total - evaluation.total) < 1.01
    terms = {term.term: term for term in evaluation.terms}
    for index in np.flatnonzero(counts):
        if names[index] in terms:
            assert terms[names[index]].count == counts[index]


def test_mirrored_boards_have_opposite_evaluations():
    for fen in FENS:
        board = chess.Board(fen)
        one, other = lucena_chess.evaluate(board), lucena_chess.evaluate(board.mirror())
        assert one.total == -other.total and one.score.white() == other.score.black()
        assert sum(concept.net for concept in one.concepts) == pytest.approx(one.total, abs=1.01)


def test_evaluations_name_squares():
    evaluation = lucena_chess.evaluate(chess.Board())
    tempo = [term for term in evaluation.terms if term.family == "tempo"]
    assert len(tempo) == 1 and "total" in str(evaluation) and evaluation.facts
    # With an extra knight, a term of it is on its square.
    board = chess.Board("rnbqkb1r/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")
    on_g1 = [term for term in lucena_chess.evaluate(board).terms if chess.G1 in term.white]
    assert on_g1 and all(chess.G1 not in term.black for term in on_g1)


def test_a_blunder_is_explained():
    board = chess.Board(FENS[1])
    explanation = lucena_chess.explain(board, "Nf6", nodes=20_000)
    assert explanation.move == chess.Move.from_uci("g8f6")
    assert explanation.best != explanation.move and board.is_legal(explanation.best)
    assert explanation.score == chess.engine.PovScore(chess.engine.Mate(-1), chess.BLACK)
    assert "mate" in str(explanation) and explanation.text.startswith(explanation.short)
    assert chess.E8 in explanation.claims[0].squares
    same = lucena_chess.explain(board, chess.Move.from_uci("g8f6"), nodes=20_000)
    assert same.text == explanation.text
    against = lucena_chess.explain(board, "Qe7", against="Nf6", nodes=20_000)
    assert against.best == chess.Move.from_uci("d8e7")


def test_threats_are_found():
    found = lucena_chess.threats(chess.Board(FENS[1]), nodes=20_000)
    assert "Qxf7#" in str(found) and found.claims[0].kind == "mate"


def test_levels_give_probabilities():
    board = chess.Board()
    likely = lucena_chess.level(board, 1500)
    assert {move for move, _ in likely} == set(board.legal_moves)
    assert sum(probability for _, probability in likely) == pytest.approx(1, abs=1e-3)
    board = chess.Board("4k3/8/8/8/8/8/8/1K5R w H - 0 1", chess960=True)
    assert {move for move, _ in lucena_chess.level(board, 1500)} == set(board.legal_moves)
