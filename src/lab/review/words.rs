//! Sentences about a move.

use super::judge::{Judgement, Mark, shown_loss};
use super::verdict::Verdict;
use crate::chess::{Game, Move, Position};
use crate::engine::level::Oversight;
use crate::engine::level::overlook::oversight_rates;
use crate::engine::level::player::{MODEL_UP_TO, RATINGS};
use crate::engine::level::weights::BUILT_IN;

/// Plies of a line in words and of a variation.
const LINE_PLIES: usize = 6;

/// The first moves of a line as reviews show it: it does not end between a capture and a recapture.
pub fn first_moves(line: &[Move]) -> &[Move] {
    let mut length = line.len().min(LINE_PLIES);
    let is_recapture = |index: usize| {
        let [last, next] = [line[index - 1], line[index]];
        last.is_capture() && next.is_capture() && last.to() == next.to()
    };
    while length > 0 && length < line.len() && is_recapture(length) {
        length += 1;
    }
    &line[..length]
}

/// Overlooked replies are named for moves that lose at least this many expected points: smaller losses have other causes.
pub const CLEAR_LOSS: f64 = 0.10;
/// Replies that are overlooked less often are not mentioned.
const MIN_OVERLOOKED: f32 = 0.05;

/// A line in SAN with move numbers: `12…h6 13.Bh4 g5`.
pub fn numbered(start: &Position, line: &[Move]) -> String {
    let mut position = *start;
    let mut words = Vec::new();
    for (index, &mv) in line.iter().enumerate() {
        let (number, san) = (position.fullmoves(), position.san(mv));
        words.push(match (position.turn().is_white(), index) {
            (true, _) => format!("{number}.{san}"),
            (false, 0) => format!("{number}…{san}"),
            (false, _) => san.to_string(),
        });
        position = position.play(mv);
    }
    words.join(" ")
}

/// Whether a move mates.
fn mates(position: &Position, mv: Move) -> bool {
    let after = position.play(mv);
    after.in_check() && !after.has_legal_move()
}

/// The first sentence on a move: the judgement of a marked move, or the mate in one that another misses.
pub fn lead(game: &Game, played: Move, verdict: &Verdict, judgement: &Judgement) -> Vec<String> {
    let position = game.position();
    let name = numbered(position, &[played]);
    let Some(mark) = judgement.mark else {
        let best = verdict.best_line.first().copied();
        let missed = best.filter(|&best| mates(position, best) && !mates(position, played));
        let missed = missed.map(|mate| numbered(position, &[mate]));
        return missed
            .map(|mate| format!("{name} misses mate in one: {mate}."))
            .into_iter()
            .collect();
    };
    let lead = match mark {
        Mark::OnlyMove if name.ends_with('#') => {
            format!("{} is mate.", name.trim_end_matches('#'))
        }
        Mark::OnlyMove => format!("{name} is clearly better than every other move."),
        Mark::Sacrifice if !verdict.accepted_line.is_empty() => {
            let line = first_moves(&verdict.accepted_line);
            format!("{name} is a sound sacrifice: {}.", numbered(position, line))
        }
        Mark::Sacrifice => format!("{name} is a sound sacrifice."),
        _ => {
            let line = first_moves(&verdict.best_line);
            let better = numbered(position, line);
            let (title, lost) = (mark.title(), shown_loss(judgement.lost()));
            format!("{title}: {name} loses {lost} expected points. Better is {better}.")
        }
    };
    vec![lead]
}

/// The line that the engine expects after a mistake, if no sentence has its first move.
pub fn refutation(game: &Game, played: Move, verdict: &Verdict, said: &[String]) -> Option<String> {
    let line = verdict
        .played_line
        .get(1..)
        .filter(|line| !line.is_empty())?;
    let position = game.position();
    let after = position.play(played);
    let reply = after.san(line[0]).to_string();
    let reply = reply.trim_end_matches(['+', '#']);
    if said.iter().any(|text| has_move(text, reply)) {
        return None;
    }
    let line = numbered(&after, first_moves(line));
    let name = numbered(position, &[played]);
    Some(format!("After {name} the engine expects {line}."))
}

/// Whether a text names a move: after its number, or after a numbered move. `e5` alone is a square.
fn has_move(text: &str, san: &str) -> bool {
    let words = text.split_whitespace();
    let words = words.map(|word| word.trim_end_matches([',', ':', ';', '.', '+', '#']));
    let mut is_numbered = false;
    words.into_iter().any(|word| {
        let was_numbered = is_numbered;
        let numbered = word.rsplit_once(['.', '…']).map(|(_, mv)| mv);
        is_numbered = numbered.is_some();
        numbered == Some(san) || was_numbered && word == san
    })
}

/// How often a level of the player's rating overlooks replies such as the one to a mistake: a model of people's moves, not of
/// this player.
pub fn overlooked(
    game: &Game,
    played: Move,
    verdict: &Verdict,
    rating: Option<u16>,
) -> Option<String> {
    let rating = rating.filter(|rating| (RATINGS[0]..=MODEL_UP_TO).contains(rating))?;
    let reply = *verdict.played_line.get(1)?;
    // People do not overlook recaptures.
    if played.is_capture() && reply.to() == played.to() {
        return None;
    }
    let after = game.position().play(played);
    let class = Oversight::of(&after, reply)?;
    let rates = oversight_rates(&BUILT_IN.at(rating));
    let (_, rate) = rates.into_iter().find(|(known, _)| *known == class)?;
    (rate >= MIN_OVERLOOKED).then(|| {
        format!(
            "{} is {}, which a level of {rating} overlooks in {:.0} % of positions.",
            numbered(&after, &[reply]),
            class.noun(),
            100.0 * rate
        )
    })
}

#[cfg(test)]
mod tests {
    use super::super::judge::Scale;
    use super::super::verdict::{Judge, ReviewLimit};
    use super::*;

    #[test]
    fn a_line_does_not_end_between_a_capture_and_a_recapture() {
        let mut position = Position::startpos();
        let text = "e4 d5 Nc3 Nf6 d3 dxe4 Nxe4 Nxe4 dxe4 Qxd1+ Kxd1";
        let mut line = Vec::new();
        for san in text.split(' ') {
            line.push(position.find_move(san).expect("a move"));
            position = position.play(line[line.len() - 1]);
        }
        assert_eq!(first_moves(&line).len(), 9);
        assert_eq!(first_moves(&line[..7]).len(), 7);
        assert_eq!(first_moves(&line[1..]).len(), 8);
        assert_eq!(first_moves(&line[3..]).len(), 6);
        assert!(first_moves(&[]).is_empty());
    }

    #[test]
    fn a_square_is_no_move() {
        assert!(!has_move(
            "The pawn on e5 is undefended: 3.Nxe5 takes it.",
            "e5"
        ));
        assert!(has_move("2.Qh5 loses a queen: 2.Qh5 e5, and so on.", "e5"));
        assert!(has_move("After 2.a3, 2…e5.", "e5") && has_move("3.Nxe5+ wins.", "Nxe5"));
    }

    #[test]
    fn a_move_that_mates_is_called_so() {
        let position = Position::from_fen("6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1").expect("a position");
        let (game, mate) = (
            Game::new(position),
            position.find_move("Rd8").expect("a move"),
        );
        let mut judge = Judge::new(ReviewLimit::Nodes(2_000)).expect("memory");
        let verdict = judge.verdict(&game, Some(mate)).expect("a verdict");
        let judgement = Judgement::of(&game, mate, None, &verdict, Scale::default());
        let text = lead(&game, mate, &verdict, &judgement);
        assert_eq!(text, ["1.Rd8 is mate."]);
        let other = position.find_move("Rd7").expect("a move");
        let verdict = judge.verdict(&game, Some(other)).expect("a verdict");
        let unmarked = Judgement {
            mark: None,
            ..judgement
        };
        let text = lead(&game, other, &verdict, &unmarked);
        assert_eq!(text, ["1.Rd7 misses mate in one: 1.Rd8#."]);
    }

    #[test]
    fn a_reply_that_weak_players_overlook_is_named() {
        let position = Position::from_fen("3Q4/5p1k/6pp/8/8/1r6/5PPP/6K1 b - - 0 1");
        let position = position.expect("a position");
        let played = position.parse_move("b3d3").expect("a move");
        let reply = position.play(played).parse_move("d8d3").expect("a move");
        let verdict = Verdict {
            best: played,
            best_score: 0,
            played_score: -500,
            second: None,
            accepted_line: Vec::new(),
            best_line: Vec::new(),
            played_line: vec![played, reply],
            depth: 1,
            nodes: 1,
        };
        let game = Game::new(position);
        let text = |rating| overlooked(&game, played, &verdict, rating);
        let weak = text(Some(1000)).expect("a sentence");
        assert!(
            weak.starts_with("2.Qxd3 is a long backward move, which a level of 1000 overlooks in "),
            "{weak}"
        );
        assert_eq!(text(None), None, "without a rating");
        assert_eq!(text(Some(2700)), None, "beyond the model");
    }
}
