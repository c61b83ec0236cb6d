#!/usr/bin/env python3
"""python-chess plays, analyses, ponders and stops Lucena.

Usage: client.py PROGRAM
Without python-chess it prints that and succeeds.
"""

import sys

try:
    import chess
    import chess.engine
except ImportError:
    print("skipped: python-chess is not installed (pip install chess)")
    sys.exit(0)


def play_a_game(path):
    """Play a game between two processes, one of them pondering."""
    with chess.engine.SimpleEngine.popen_uci(path) as white, chess.engine.SimpleEngine.popen_uci(path) as black:
        white.configure({"Hash": 8, "Threads": 1, "Move Overhead": 10})
        black.configure({"Hash": 8, "Threads": 2})
        board = chess.Board()
        clocks = {chess.WHITE: 8.0, chess.BLACK: 8.0}
        limit = chess.engine.Limit(white_clock=8, black_clock=8, white_inc=0.05, black_inc=0.05, depth=8)
        while not board.is_game_over(claim_draw=True) and board.ply() < 160:
            engine = white if board.turn == chess.WHITE else black
            result = engine.play(board, limit, game="one", info=chess.engine.INFO_ALL, ponder=engine is white)
            assert result.move in board.legal_moves, result.move
            assert "score" in result.info and result.info["pv"][0] == result.move, result.info
            board.push(result.move)
        print(f"a game of {board.ply()} plies: {board.result(claim_draw=True)}")


def analyse(engine):
    """Analyse with three variations, complete and in order."""
    board = chess.Board("r1bqk2r/ppp2ppp/2np1n2/2b1p3/2B1P3/2NP1N2/PPP2PPP/R1BQK2R w KQkq - 0 6")
    lines = engine.analyse(board, chess.engine.Limit(depth=6), multipv=3)
    assert [line["multipv"] for line in lines] == [1, 2, 3], lines
    assert len({line["pv"][0] for line in lines}) == 3
    for line in lines:
        after = board.copy()
        for move in line["pv"]:
            after.push(after.parse_uci(move.uci()))
    scores = [line["score"].relative for line in lines]
    assert scores == sorted(scores, reverse=True), scores
    limited = engine.analyse(board, chess.engine.Limit(depth=3), root_moves=[chess.Move.from_uci("e1g1")])
    assert limited["pv"][0] == chess.Move.from_uci("e1g1")
    print("analysis with three variations")


def stop_infinite_analysis(engine):
    """Stop an infinite analysis."""
    with engine.analysis(chess.Board()) as analysis:
        for info in analysis:
            if info.get("depth", 0) >= 5 and "pv" in info:
                break
        analysis.stop()
        best = analysis.wait()
    assert best.move in chess.Board().legal_moves
    engine.ping()
    print("an infinite analysis stopped")


def find_mate_and_show_wdl(engine):
    """Find a mate and show WDL chances on request."""
    engine.configure({"UCI_ShowWDL": True})
    board = chess.Board("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1")
    info = engine.analyse(board, chess.engine.Limit(depth=4))
    assert info["score"].white() == chess.engine.Mate(1), info
    assert info["wdl"].white().wins == 1000, info
    engine.configure({"UCI_ShowWDL": False})
    print("a mate found, WDL shown")


def play_chess960(engine):
    """Play Chess960, with castling as the king taking its rook."""
    board = chess.Board.from_chess960_pos(0)
    for _ in range(20):
        if board.is_game_over():
            break
        result = engine.play(board, chess.engine.Limit(nodes=2000), game="960")
        assert result.move in board.legal_moves
        board.push(result.move)
    print("twenty plies of Chess960")


def main():
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        raise SystemExit(__doc__)
    path = sys.argv[1]
    play_a_game(path)
    engine = chess.engine.SimpleEngine.popen_uci(path)
    analyse(engine)
    stop_infinite_analysis(engine)
    find_mate_and_show_wdl(engine)
    play_chess960(engine)
    engine.quit()
    print("passed")


if __name__ == "__main__":
    main()
