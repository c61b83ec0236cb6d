//! What a choice rests on: the words say what the fields say. That a search without these concepts prefers the other move,
//! only another search could prove.

use lucena::explain::{Blame, Claim};
use shakmaty::Position as _;

use super::lines::{self, Played, ensure};
use super::words;
use crate::checker::Proof;

pub fn prove(blame: &Blame, claim: &Claim) -> Proof {
    let root = lines::position(&blame.fen);
    let moves = [&blame.best, &blame.other].into_iter();
    let moves = moves.filter(|mv| !mv.is_empty());
    let played: Result<Vec<Played>, String> = moves
        .map(|mv| Played::new(&root, std::slice::from_ref(mv)))
        .collect();
    words::moves_are_played(&claim.text, &played?)?;
    let whole = claim.numbers.get("whole").copied();
    match claim.kind.as_str() {
        "only_move" => ensure(root.legal_moves().len() == 1, "several moves"),
        "both_playable" => ensure(whole.is_some_and(|whole| whole < 0.105), "not playable"),
        "blame" if claim.text.starts_with("A mate or a tablebase") => Ok(()),
        "blame" => set(blame, claim),
        _ => Err("another kind".to_owned()),
    }
}

/// Shown pawns below which both moves are playable.
const MIN_LEAD: f64 = 0.1;

/// The set of concepts, the leads with and without it, and the leads without each concept alone.
fn set(blame: &Blame, claim: &Claim) -> Proof {
    let alone = &blame.without;
    ensure(alone.len() == 14, "not every concept")?;
    ensure(
        alone.is_sorted_by(|one, other| one.difference <= other.difference),
        "not in order",
    )?;
    let text = &claim.text;
    let has_number = |number: f64| text.contains(&format!("{:.2}", number.abs()));
    let Some(left) = blame.without_them else {
        let is_behind = text.starts_with("Shorter searches");
        let is_ahead = text.contains("stays ahead");
        return ensure(
            blame.concepts.is_empty()
                && is_behind == (blame.difference < MIN_LEAD)
                && is_ahead != is_behind,
            "no set",
        );
    };
    ensure(
        blame.difference > 0.0 && left <= 0.0 && has_number(blame.difference) && has_number(left),
        "other leads",
    )?;
    let titles = blame
        .concepts
        .iter()
        .all(|concept| text.contains(concept.title()));
    ensure(titles, "other concepts")?;
    match blame.concepts[..] {
        [one] => ensure(
            alone[0].concept == one && (alone[0].difference - left).abs() < 0.005,
            "another concept",
        ),
        _ => ensure(alone[0].difference > 0.0, "one concept would do"),
    }
}
