//! Zugzwang: by tablebases, passing gives the side to move more than its best move. Where searches show it, only another search
//! could prove it; here it is proved that the side has only pawns and may pass.

use lucena::chess::Game;
use lucena::explain::{Claim, Explainer, Question, Source};
use shakmaty::{Chess, Position as _};
use shakmaty_syzygy::{Tablebase, Wdl};

use super::Prover;
use super::lines::{self, Played, ensure};
use crate::checker::Proof;

/// Plies of the fifty-move rule, less one for rounded distances.
const FIFTY_MOVES: i64 = 99;

pub fn prove(tables: &Tablebase<Chess>, claim: &Claim, own: &Played) -> Proof {
    let there = own.positions.get(claim.ply + 1).ok_or("no position")?;
    ensure(
        !there.is_check() && !there.legal_moves().is_empty(),
        "no choice",
    )?;
    let passed = lines::passed(there).ok_or("it may not pass")?;
    let name = if there.turn().is_white() {
        "White"
    } else {
        "Black"
    };
    let says = |words: &str| claim.text.contains(words);
    ensure(says(&format!(" {name} is in zugzwang: ")), "another side")?;
    if claim.source == Source::Search {
        let (board, us) = (there.board(), there.turn());
        let pawns = board.by_color(us) & (board.pawns() | board.kings());
        let has_only_pawns = board.by_color(us) == pawns;
        return ensure(has_only_pawns && says("passing would be "), "it has pieces");
    }
    let [Some(moves), Some(passes)] = [value(tables, there)?, value(tables, &passed)?] else {
        return Ok(()); // the fifty-move rule
    };
    let passes = -passes;
    ensure(moves < passes, "passing is no better")?;
    ensure(says(" loses, ") == (moves < 0), "another result")?;
    ensure(
        says(" would win ") == (passes > 0),
        "another result of passing",
    )
}

/// 1 for a win of the side to move, -1 for a loss; `None` if the fifty-move rule may decide.
fn value(tables: &Tablebase<Chess>, at: &Chess) -> Result<Option<i32>, String> {
    let wdl = tables.probe_wdl(at).map_err(|fault| fault.to_string())?;
    let dtz = tables.probe_dtz(at).map_err(|fault| fault.to_string())?;
    let plies = i64::from(dtz.ignore_rounding().0).abs() + i64::from(at.halfmoves());
    let wdl = wdl.unambiguous().filter(|_| plies < FIFTY_MOVES);
    Ok(wdl.map(|wdl| match wdl {
        Wdl::Win => 1,
        Wdl::Loss => -1,
        _ => 0,
    }))
}

#[test]
fn zugzwang_is_proved_by_other_code() {
    let mutual = "8/8/8/2K1p3/4Pk2/8/8/8 w - - 0 1";
    let searched = "8/p7/P7/2K1p3/4Pk2/8/8/8 w - - 0 1";
    let mut prover = Prover::new();
    let mut explainer = Explainer::new(50_000).expect("memory");
    for fen in [mutual, searched] {
        let game = Game::new(lucena::chess::Position::from_fen(fen).expect("a position"));
        let explanation = explainer.explain(&game, Question::default());
        let explanation = explanation.expect("an open game");
        let text = explanation.to_string();
        assert!(text.contains("Black is in zugzwang: "), "{text}");
        prover.explanation(&explanation);
    }
    let unproved = prover.tally.unproved;
    assert!(unproved.is_empty(), "{unproved:#?}");
}
