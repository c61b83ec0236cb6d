//! What a move does by the board alone: it develops or exchanges a piece, puts a pawn in the centre or offers an exchange;
//! and what the move asked about keeps beside a mate that it misses.

use lucena::explain::{Claim, Explanation, ShownScore};
use shakmaty::{Position as _, Rank, Role, Square};

use super::lines::{Played, ensure};
use super::words::named_pieces;
use crate::checker::Proof;
use crate::checker::record::{after, exchange};

/// The point of the first move of a line.
pub fn prove(claim: &Claim, own: &Played) -> Proof {
    let (root, there) = (&own.positions[0], &own.positions[1]);
    let (mv, us) = (own.moves[0], root.turn());
    let from = mv.from().ok_or("a drop")?;
    let home = if us.is_white() {
        Rank::First
    } else {
        Rank::Eighth
    };
    if let Some((_, new)) = claim.text.split_once(" promotes the pawn to a ") {
        let role = super::words::role(new.trim_end_matches('.'));
        ensure(
            mv.promotion().is_some() && mv.promotion() == role,
            "another piece",
        )?;
        return Ok(());
    }
    if claim.text.contains(" offers the exchange of ") {
        return offer(claim, own);
    }
    if let Some((_, pieces)) = claim.text.split_once(" exchanges ") {
        return exchanged(pieces.trim_end_matches('.'), own);
    }
    ensure(!mv.is_capture() && !mv.is_castle(), "another kind of move")?;
    if claim.text.contains(" develops the ") {
        let name = match mv.role() {
            Role::Knight => "knight",
            Role::Bishop => "bishop",
            _ => return Err("no minor piece".to_owned()),
        };
        ensure(
            from.rank() == home && mv.to().rank() != home && claim.text.contains(name),
            "not developed",
        )?;
        return Ok(());
    }
    ensure(
        claim.text.contains(" puts a pawn in the centre"),
        "no point",
    )?;
    let middle = [Square::D4, Square::E4, Square::D5, Square::E5];
    ensure(
        mv.role() == Role::Pawn && middle.contains(&mv.to()),
        "not in the centre",
    )?;
    for (_, role, square) in named_pieces(&claim.text) {
        let reach = |board: &shakmaty::Board| board.attacks_from(square).count();
        ensure(
            root.board().role_at(square) == Some(role)
                && reach(there.board()) > reach(root.board()),
            "no line is opened",
        )?;
    }
    Ok(())
}

/// The move takes a piece and is taken back, and the words name both pieces.
fn exchanged(pieces: &str, own: &Played) -> Proof {
    let [mv, reply] = own.moves[..] else {
        return Err("no two moves".to_owned());
    };
    let taken = mv.capture().ok_or("no capture")?;
    ensure(
        reply.is_capture() && reply.to() == mv.to(),
        "it is not taken back",
    )?;
    let name = |role: Role| format!("{role:?}").to_lowercase();
    let (mover, taken) = (name(mv.role()), name(taken));
    let words = if mover == taken {
        format!("{mover}s")
    } else {
        let minor = ["knight", "bishop"];
        ensure(
            minor.contains(&&*mover) && minor.contains(&&*taken),
            "another value",
        )?;
        format!("the {mover} for the {taken} on {}", mv.to())
    };
    ensure(pieces == words, "other pieces")
}

/// Two pieces of a kind attack each other, and the one that the opponent may take is defended.
fn offer(claim: &Claim, own: &Played) -> Proof {
    let there = &own.positions[1];
    let squares: Vec<Square> = (claim.squares.iter())
        .filter_map(|name| name.parse().ok())
        .collect();
    let [ours, theirs] = squares[..] else {
        return Err("no two pieces".to_owned());
    };
    let board = there.board();
    let (one, other) = (board.piece_at(ours), board.piece_at(theirs));
    let (one, other) = one.zip(other).ok_or("no pieces")?;
    ensure(
        one.role == other.role && one.color == there.turn().other() && other.color == there.turn(),
        "other pieces",
    )?;
    let legal = there.legal_moves();
    let takes = legal
        .iter()
        .find(|mv| mv.from() == Some(theirs) && mv.to() == ours);
    let takes = takes.ok_or("it cannot take")?;
    let back = exchange(&after(there, *takes), ours);
    ensure(back > 0, "it is not taken back")?;
    let passed = super::lines::passed(there).ok_or("it may not pass")?;
    let legal = passed.legal_moves();
    let mut legal = legal.iter();
    ensure(
        legal.any(|mv| mv.from() == Some(ours) && mv.to() == theirs),
        "it attacks nothing",
    )
}

/// The number is the score of the worse line, and the words fit it.
pub fn prove_score(claim: &Claim, explanation: &Explanation) -> Proof {
    if !claim.text.contains("; after ") {
        return Ok(());
    }
    let [_, worse] = &explanation.lines[..] else {
        return Err("one line".to_owned());
    };
    let ShownScore::Centipawns(score) = &worse.score else {
        return Err("a mate".to_owned());
    };
    let score = f64::from(*score) / 100.0;
    let text = &claim.text;
    // Scores of tablebases are greater than any evaluation.
    let proven = [" still wins.", " loses.", " draws."].map(|words| text.ends_with(words));
    if proven.contains(&true) {
        let outcomes = [score > 100.0, score < -100.0, score == 0.0];
        return ensure(proven == outcomes, "another result");
    }
    ensure(text.contains(&format!("({score:+.2})")), "another score")?;
    let fits = if text.contains("neither side") {
        score.abs() < 1.5
    } else if text.contains(" is much better") {
        score >= 1.0
    } else if text.contains(" is much worse") {
        score <= -1.0
    } else if text.contains(" is winning") {
        score >= 1.5
    } else if text.contains(" is losing") {
        score <= -1.5
    } else if text.contains(" is better") {
        score > 0.0
    } else if text.contains(" is worse") {
        score < 0.0
    } else {
        false
    };
    ensure(fits, "other words")
}
