//! The counterfactual board: the piece that a motif names as its worker is taken off, and the same position is searched
//! again. A claim that stays, or a gain that stays, was not about that piece.

use lucena::base::value::is_decisive;
use lucena::chess::{Game, Move, Position, Role, Square, exchange_value};
use lucena::explain::motifs::Motif;
use lucena::explain::{Claim, Explainer, Question};
use lucena::search::limits::Limits;
use lucena::search::local::LocalSearcher;

use crate::lines::{Moves, without};
use crate::positions::{data, first, limit};

/// Nodes of each search that measures a gain.
const NODES: u64 = 20_000;
/// A game that is won counts as this gain, in centipawns.
const WON: i32 = 2_000;

/// The kinds that name the piece which does the work, standing after the move on the first of their squares.
const WORKERS: [&str; 7] = [
    "fork",
    "pin",
    "skewer",
    "discovered_attack",
    "discovered_check",
    "x_ray_attack",
    "double_check",
];
/// The kind that names a defender, standing there before the move.
const DEFENDER: &str = "capturing_defender";

/// The square of the worker of a claim.
fn worker(claim: &Claim) -> Square {
    // Of these the king comes first.
    let place = usize::from(matches!(
        claim.kind.as_str(),
        "discovered_check" | "double_check"
    ));
    claim.squares[place].parse().expect("a square")
}

/// White's material minus Black's, for the side to move.
fn balance(position: &Position) -> i32 {
    let roles = &Role::ALL[..5];
    let count = |color| -> i32 {
        let of = |role: &Role| position.pieces(color, *role).count() as i32 * exchange_value(*role);
        roles.iter().map(of).sum()
    };
    count(position.turn()) - count(!position.turn())
}

/// The material that the side to move wins in a search of these moves (`None`: of all), followed to a quiet position.
fn gain(searcher: &mut LocalSearcher, position: &Position, moves: Option<Vec<Move>>) -> i32 {
    let mut game = Game::new(*position);
    let mut limits = Limits::nodes(NODES);
    if let Some(moves) = moves {
        limits.search_moves = moves;
    }
    searcher.new_game();
    let Some(line) = searcher.search_lines(&game, limits, 1).first().cloned() else {
        return 0;
    };
    if is_decisive(line.score) {
        return WON * line.score.signum();
    }
    for &mv in &line.pv {
        game.play(mv);
    }
    for mv in searcher.quiet_line(&game) {
        game.play(mv);
    }
    let end = balance(game.position());
    let is_ours = game.position().turn() == position.turn();
    (if is_ours { end } else { -end }) - balance(position)
}

/// How much more a move gains than the best other move.
fn lead(searcher: &mut LocalSearcher, position: &Position, mv: Move) -> i32 {
    let legal = position.legal_moves().to_vec();
    let same = |other: &Move| (other.from(), other.to()) == (mv.from(), mv.to());
    let (own, others): (Vec<Move>, Vec<Move>) = legal.into_iter().partition(same);
    if own.is_empty() || others.is_empty() {
        return 0;
    }
    gain(searcher, position, Some(own)) - gain(searcher, position, Some(others))
}

#[derive(Default)]
struct Tally {
    claims: u32,
    /// Boards without the piece that are legal and whose gain was measured.
    measured: u32,
    /// Those whose start without the piece is legal, too.
    replayed: u32,
    vanished: u32,
    halved: u32,
}

#[test]
#[ignore = "minutes; reads LUCENA_DATA"]
fn counterfactual_boards_lose_the_claim_and_the_gain() {
    let mut explainer = Explainer::new(100_000).expect("memory");
    let mut searcher = LocalSearcher::new(8).expect("memory");
    let text = data("puzzles.csv");
    let rows: Vec<&str> = text.lines().skip(1).collect();
    let stride = (rows.len() / limit(rows.len())).max(1);
    let mut tallies: std::collections::BTreeMap<String, Tally> = Default::default();
    for row in rows.into_iter().skip(first()).step_by(stride) {
        let cells: Vec<&str> = row.split(',').collect();
        let mut game = Game::new(Position::from_fen(cells[1]).expect("a position"));
        let before = cells[2].split(' ').next().expect("a move");
        game.play_uci(before).expect("a legal move");
        let explanation = explainer
            .explain(&game, Question::default())
            .expect("an open game");
        let line = &explanation.comparison.better;
        let moves = Moves {
            start: *game.position(),
            moves: line.moves.clone(),
            skipped: 0,
        };
        for claim in &explanation.claims {
            let kind = claim.kind.as_str();
            let is_defender = kind == DEFENDER;
            if !is_defender && !WORKERS.contains(&kind) {
                continue;
            }
            let tally = tallies.entry(kind.to_owned()).or_default();
            tally.claims += 1;
            // The position in which the worker stands on its square.
            let there = claim.ply + usize::from(!is_defender);
            let square = worker(claim);
            let full = line.positions[there];
            let Some(thinner) = without(&full, square) else {
                continue;
            };
            let [with, left] = if is_defender {
                let mv = line.moves[claim.ply];
                [full, thinner].map(|position| lead(&mut searcher, &position, mv))
            } else {
                // The opponent is to move: what they lose.
                [full, thinner].map(|position| -gain(&mut searcher, &position, None))
            };
            if with <= 0 {
                continue;
            }
            tally.measured += 1;
            tally.halved += u32::from(2 * left <= with);
            let squares: Vec<Square> = (claim.squares.iter())
                .map(|name| name.parse().expect("a square"))
                .collect();
            let same = |motif: &Motif| motif.kind.name() == kind && motif.squares == squares;
            if let Some(start) = without(&moves.start, moves.origin(there, square)) {
                let thinner = Moves {
                    start,
                    ..moves.clone()
                };
                let stays = thinner.motifs().iter().any(same);
                tally.replayed += 1;
                tally.vanished += u32::from(!stays);
            }
            if std::env::var("LUCENA_SHOW").is_ok() && 2 * left > with {
                println!(
                    "{kind} {with} -> {left} without {square}: {}",
                    full.to_fen()
                );
            }
        }
    }
    let mut all = Tally::default();
    for (kind, tally) in &tallies {
        println!("{kind:20} {}", tally.text());
        all.claims += tally.claims;
        all.measured += tally.measured;
        all.replayed += tally.replayed;
        all.vanished += tally.vanished;
        all.halved += tally.halved;
    }
    println!("{:20} {}", "all", all.text());
    assert!(all.replayed > 0, "nothing was measured");
    assert_eq!(
        all.vanished, all.replayed,
        "a claim stays without its piece"
    );
    assert!(5 * all.halved >= 4 * all.measured, "gains stay");
}

impl Tally {
    fn text(&self) -> String {
        let percent = |count, of: u32| 100.0 * f64::from(count) / f64::from(of.max(1));
        format!(
            "{} claims: it vanishes in {:.1} % of {}, the gain falls by half in {:.1} % of {}",
            self.claims,
            percent(self.vanished, self.replayed),
            self.replayed,
            percent(self.halved, self.measured),
            self.measured
        )
    }
}
