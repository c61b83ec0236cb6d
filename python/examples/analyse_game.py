"""Reviews a game, explains its worst move and plays on from there."""

import chess
import lucena_chess

PGN = '[White "Ann"]\n[Black "Ben"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bc4 Nd4 4. Nxe5 Qg5 5. Nxf7 Qxg2 6. Rf1 Qxe4+ 7. Be2 Nf3# 0-1'

for game in lucena_chess.review(PGN, nodes=5_000):
    worst = max(game.moves, key=lambda move: move.lost)
    print(f"{game.white.name} {game.white.accuracy:.0f} %, {game.black.name} {game.black.accuracy:.0f} %")
    print(f"Worst move: {worst.san}, best was {worst.best}")
    board = chess.Board(worst.fen)
    print(lucena_chess.explain(board, worst.move, nodes=20_000).short)
    with lucena_chess.Engine(hash=16) as engine:
        print("Lucena plays", board.san(engine.play(board, nodes=20_000).move))
