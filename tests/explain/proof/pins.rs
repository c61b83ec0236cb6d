//! Pins that a line uses: what the pinned piece cannot take, and that it is lost where it is attacked.

use lucena::chess::Game;
use lucena::explain::{Claim, Explainer, Question};
use shakmaty::{Position as _, Role, Square};

use super::Prover;
use super::lines::{Played, ensure};
use super::words::{named_pieces, square};
use crate::checker::Proof;
use crate::checker::record::{after, captures, exchange, sees, worth};

/// What a pin saves or wins at least, in centipawns.
const MIN_GAIN: i32 = 100;

/// Whether a claim says what a pin is good for.
pub fn is_used(claim: &Claim) -> bool {
    let says = |words: &str| claim.text.contains(words);
    claim.kind == "pin" && (says(" cannot take the ") || says(", which is pinned to "))
}

/// The pin, and that it keeps a piece from taking, or loses one that is attacked.
pub fn prove(claim: &Claim, own: &Played) -> Proof {
    let squares: Vec<Square> = claim
        .squares
        .iter()
        .filter_map(|name| square(name))
        .collect();
    let [pinner, pinned, behind, rest @ ..] = &squares[..] else {
        return Err("no pin".to_owned());
    };
    let (pinner, pinned, behind) = (*pinner, *pinned, *behind);
    let there = own.positions.get(claim.ply + 1).ok_or("no position")?;
    let (board, them) = (there.board(), there.turn());
    let is = |square, color| board.color_at(square) == Some(color);
    let value = |square| worth(board.role_at(square).unwrap_or(Role::Pawn));
    ensure(
        is(pinner, them.other()) && is(pinned, them) && is(behind, them),
        "colours",
    )?;
    ensure(
        sees(board, pinner, pinned, &[])
            && !sees(board, pinner, behind, &[])
            && sees(board, pinner, behind, &[pinned]),
        "not on a line",
    )?;
    ensure(value(behind) > value(pinned), "worth no more")?;
    let named = named_pieces(&claim.text).into_iter();
    let named: Vec<Square> = named.map(|(_, _, square)| square).collect();
    let mut pairs = named.windows(2);
    ensure(pairs.any(|pair| pair == [pinned, behind]), "other pieces")?;
    let mv = own.moves[claim.ply];
    if let [target] = rest {
        ensure(
            *target == mv.to() && sees(board, pinned, *target, &[]),
            "it attacks nothing",
        )?;
        ensure(board.king_of(them) == Some(behind), "no king")?;
        return ensure(captures(there, *target).is_empty(), "it can be taken");
    }
    let from = mv.from().ok_or("a drop")?;
    ensure(
        sees(board, mv.to(), pinned, &[])
            && !sees(own.positions[claim.ply].board(), from, pinned, &[]),
        "no new attack",
    )?;
    let waiting = there.clone().swap_turn().map_err(|_| "check")?;
    ensure(exchange(&waiting, pinned) >= MIN_GAIN, "it is not lost")?;
    for mv in there.legal_moves() {
        if mv.from() == Some(pinned) {
            let (won, next) = (mv.capture().map_or(0, worth), after(there, mv));
            let lost = exchange(&next, mv.to()).max(exchange(&next, behind));
            ensure(lost - won >= MIN_GAIN, &format!("{mv} saves it"))?;
        }
    }
    Ok(())
}

#[test]
fn pins_are_proved_by_other_code() {
    let cannot_take = "1n2k2r/1pq2ppp/4p3/3p4/8/1B6/1P2QPPP/5RK1 w - - 0 1";
    let king = "3qk2r/pp3ppp/2n5/1B6/3P4/8/PP3PPP/3Q1RK1 w - - 0 1";
    let rook = "3r2k1/ppp2pp1/2p2n2/6B1/4P2P/8/PP3PP1/R5K1 w - - 0 1";
    let mut prover = Prover::new();
    let mut explainer = Explainer::new(50_000).expect("memory");
    for (fen, words) in [
        (cannot_take, "the pawn on e6 cannot take the bishop"),
        (
            king,
            "1.d5 attacks the knight on c6, which is pinned to the king on e8",
        ),
        (
            rook,
            "1.e5 attacks the knight on f6, which is pinned to the rook on d8",
        ),
    ] {
        let game = Game::new(lucena::chess::Position::from_fen(fen).expect("a position"));
        let explanation = explainer.explain(&game, Question::default());
        let explanation = explanation.expect("an open game");
        assert!(explanation.to_string().contains(words), "{explanation}");
        prover.explanation(&explanation);
    }
    let unproved = prover.tally.unproved;
    assert!(unproved.is_empty(), "{unproved:#?}");
}
