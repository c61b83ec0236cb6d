//! King and pawn against king: the square of the pawn by running, key squares and the opposition by tablebases with either
//! side to move.

use std::collections::BTreeSet;

use lucena::chess::{Game, Position as Start};
use lucena::explain::{Claim, Explainer, Question};
use shakmaty::{Chess, Color, Position as _, Square, attacks};
use shakmaty_syzygy::{Tablebase, Wdl};

use super::draws::is_held_corner;
use super::lines::{self, Played, ensure};
use super::{Prover, Tally};
use crate::checker::Proof;
use crate::common::Random;

/// Random positions, asked about with every legal move.
const POSITIONS: usize = 300;
/// The most files and ranks between a king and the pawn.
const NEAR: usize = 3;

pub fn prove(tables: &Tablebase<Chess>, claim: &Claim, own: &Played) -> Proof {
    let at = own.positions.get(claim.ply + 1).ok_or("no position")?;
    let text = &claim.text;
    if text.contains("cannot drive") {
        return ensure(is_held_corner(at), "no known draw");
    }
    let board = at.board();
    let pawn = board.pawns().single_square().ok_or("not one pawn")?;
    let side = board.color_at(pawn).ok_or("no pawn")?;
    let [king, defender] = [side, !side].map(|side| board.king_of(side).expect("a king"));
    let name = |side: Color| if side.is_white() { "White" } else { "Black" };
    let (us, them) = (name(side), name(!side));
    if text.contains("outside the square") {
        let says = format!("{them}'s king is outside the square of the pawn on {pawn}");
        ensure(text.contains(&says), "another pawn or king")?;
        return ensure(!is_caught(at, pawn, side, defender), "it is caught");
    }
    let passed = lines::passed(at).ok_or("it may not pass")?;
    let (now, other) = (wins(tables, at, side)?, wins(tables, &passed, side)?);
    if text.contains("a key square") {
        let says = format!("{us}'s king is on {king}, a key square of the pawn on {pawn}");
        ensure(text.contains(&says), "another king or pawn")?;
        ensure(now && other, "it depends on who is to move")?;
        return ensure(is_key(pawn, king, side), "no key square");
    }
    let files = king.file().distance(defender.file());
    let ranks = king.rank().distance(defender.rank());
    ensure(
        files * ranks == 0 && (files + ranks) % 2 == 0,
        "not opposed",
    )?;
    let is_distant = text.contains("distant opposition");
    ensure(is_distant == (files + ranks > 2), "another distance")?;
    let says =
        |who: &str, then: &str| text.contains(&format!(" {who} has the ")) && text.contains(then);
    if at.turn() == side {
        ensure(!now && other, "another result")?;
        let then = format!("{us} would win if {them} were to move");
        ensure(says(them, &then), "another side")
    } else {
        ensure(now && !other, "another result")?;
        let then = format!("it would be a draw if {us} were to move");
        ensure(says(us, &then), "another side")
    }
}

/// Whether the side with the pawn wins.
fn wins(tables: &Tablebase<Chess>, at: &Chess, side: Color) -> Result<bool, String> {
    let wdl = tables.probe_wdl(at).map_err(|fault| fault.to_string())?;
    let lost_or_won = if at.turn() == side {
        Wdl::Win
    } else {
        Wdl::Loss
    };
    Ok(wdl.unambiguous() == Some(lost_or_won))
}

/// Whether the king can get to the pawn if it runs on without help, or if it is blocked.
fn is_caught(at: &Chess, pawn: Square, side: Color, defender: Square) -> bool {
    let mut pawn = pawn;
    let mut reached = BTreeSet::from([defender]);
    let mut is_defenders = at.turn() != side;
    let own_king = at.board().king_of(side).expect("a king");
    loop {
        if is_defenders {
            let steps: Vec<Square> = reached.iter().copied().collect();
            for square in steps {
                reached.extend(attacks::king_attacks(square));
            }
            if reached.contains(&pawn) {
                return true;
            }
        } else {
            let step = side.fold_wb(8, -8);
            let home = side.fold_wb(1, 6);
            let ahead = pawn.offset(step).expect("a rank ahead");
            let two = (pawn.rank() as i32 == home)
                .then(|| ahead.offset(step))
                .flatten();
            if ahead == own_king || two == Some(own_king) {
                return true;
            }
            pawn = two.unwrap_or(ahead);
        }
        is_defenders = !is_defenders;
        // A new queen must outlive the reply.
        let is_promoted = pawn.rank() as i32 == side.fold_wb(7, 0);
        if is_promoted && !is_defenders {
            return false;
        }
    }
}

/// The key squares of the books, by the rank of the pawn from its own side, 2 to 7.
fn is_key(pawn: Square, king: Square, side: Color) -> bool {
    let rank = |square: Square| side.fold_wb(square.rank() as i32 + 1, 8 - square.rank() as i32);
    let aside = pawn.file().distance(king.file());
    let ahead = rank(king) - rank(pawn);
    match (pawn.file() as u32, rank(pawn)) {
        (0 | 7, _) => aside == 1 && rank(king) >= 7,
        (_, 2..=4) => aside <= 1 && ahead == 2,
        (_, 5 | 6) => aside <= 1 && (ahead == 1 || ahead == 2),
        _ => aside == 1 && rank(king) >= 7,
    }
}

#[test]
fn pawn_endings_are_proved_by_other_code() {
    let mut random = Random::new(29);
    let mut explainer = Explainer::new(2_000).expect("memory");
    let mut prover = Prover::new();
    let mut counts = [0; 4];
    for _ in 0..POSITIONS {
        let fen = loop {
            let squares = [(); 3].map(|()| random.below(64));
            let [white, black, pawn] = squares;
            let is_far = |square: usize| {
                (square % 8).abs_diff(pawn % 8) > NEAR || (square / 8).abs_diff(pawn / 8) > NEAR
            };
            let is_placed =
                (8..56).contains(&pawn) && white != black && !squares[..2].contains(&pawn);
            if !is_placed || is_far(white) || is_far(black) {
                continue;
            }
            let mut cells = ['1'; 64];
            (cells[white], cells[black]) = ('K', 'k');
            cells[pawn] = if random.below(2) == 0 { 'P' } else { 'p' };
            let rows: Vec<String> = cells.chunks(8).map(|row| row.iter().collect()).collect();
            let turn = if random.below(2) == 0 { 'w' } else { 'b' };
            let fen = format!("{} {turn} - - 0 1", rows.join("/"));
            if Start::from_fen(&fen).is_ok_and(|start| start.has_legal_move()) {
                break fen;
            }
        };
        let game = Game::new(Start::from_fen(&fen).expect("a position"));
        if game.end().is_some() {
            continue;
        }
        for mv in game.position().legal_moves().iter() {
            let question = Question {
                mv: Some(*mv),
                ..Question::default()
            };
            let explanation = explainer.explain(&game, question).expect("an open game");
            let text = explanation.to_string();
            let words = [
                "cannot drive",
                "square of the pawn",
                "key square",
                "opposition",
            ];
            for (count, word) in counts.iter_mut().zip(words) {
                *count += usize::from(text.contains(word));
            }
            prover.explanation(&explanation);
        }
    }
    let Tally {
        unproved, claims, ..
    } = prover.tally;
    assert!(unproved.is_empty(), "{unproved:#?}");
    println!("{} claims, by reason {counts:?}", claims);
    assert!(counts.iter().all(|&count| count > 0), "{counts:?}");
}
