//! The tempting capture: why the opponent cannot take what a line leaves to be taken.

use super::account::{LineAccount, after};
use super::claim::{Claim, Source};
use super::explainer::{Explainer, MoveComparison};
use super::gain::{Gain, PAWN};
use super::notation::{numbered, shown_line};
use super::story::Story;
use super::winnings;
use super::words::role;
use crate::base::value::{Value, is_decisive};
use crate::chess::{GameEnd, Move, Piece, Position, Role, Square, exchange_value};

/// Percent of the nodes of its search.
pub(super) const SHARE: u64 = 4;
/// After a longer line no reader looks for a capture, in plies.
const MAX_PLY: usize = 5;
/// With fewer nodes no line is long enough.
const MIN_NODES: u64 = 400;
/// A capture that wins material does not help if the score after it is this at least for the other side, in centipawns,
/// and at most so much less than after the best reply.
const MIN_LEAD: Value = 150;
const NEAR: Value = 10;
/// Plies of a line without a gain that can be seen, with the capture.
const SHOWN_PLIES: usize = 4;

impl Explainer {
    /// Whether [`SHARE`] is enough for a search.
    pub(super) fn has_share(&self) -> bool {
        self.nodes() * SHARE / 100 >= MIN_NODES
    }

    /// The capture that fails after the first move of a line, or after the second one of its side.
    pub(super) fn counter_of(
        &mut self,
        comparison: &MoveComparison,
        story: &Story,
    ) -> Option<Claim> {
        let found = self.counter(comparison, story, 0, true);
        let has_more = story.line.moves.len() > 3;
        found.or_else(|| has_more.then(|| self.counter(comparison, story, 2, false))?)
    }

    /// The capture that fails after the opponent's reply to a move that was asked about: why what the reply leaves cannot be
    /// taken.
    pub(super) fn counter_of_reply(
        &mut self,
        comparison: &MoveComparison,
        story: &Story,
    ) -> Option<Claim> {
        let is_asked = story.instead.is_empty() && !story.is_better;
        let has_more = story.line.moves.len() > 2;
        (is_asked && has_more).then(|| self.counter(comparison, story, 1, false))?
    }

    /// After the move of a line with this index: the capture that seems to win the material back, and the moves that show
    /// why it does not. `None` if no capture seems to, or if one does. With `may_be_level` a capture also fails if it gives back
    /// what it takes and only what was won before is lost: a claim of material needs more than that.
    pub(super) fn counter(
        &mut self,
        comparison: &MoveComparison,
        story: &Story,
        ply: usize,
        may_be_level: bool,
    ) -> Option<Claim> {
        let root = comparison.root();
        let there = story.after(ply);
        let winner = !there.turn();
        // A recapture wins nothing that could be won back.
        let start = winnings::retaken(comparison, story).unwrap_or(root);
        let won = |position: &Position| Gain::between(start, position, winner).value();
        let so_far = won(there);
        if so_far < 0 || ply > MAX_PLY || !self.has_share() {
            return None;
        }
        let next = story.line.moves.get(ply + 1).copied();
        // After the opponent's reply another capture than the expected one may tempt.
        let skipped = next.filter(|_| ply == 1);
        let capture = tempting(there, so_far.max(PAWN), skipped, story.line.moves[ply])?;
        if next == Some(capture) && ply <= 2 {
            return None;
        }
        let mut game = comparison.game.clone();
        for &mv in &story.line.moves[..=ply] {
            game.play(mv);
        }
        let mut line = self.line_of(&game, capture, SHARE)?;
        if let Some(again) = recapture(&line, |position| won(position) - so_far) {
            let more = self.line_of(&after(&game, &line.moves[..2]), again, SHARE)?;
            line.continue_with(2, more);
        } else if line.moves.len() == 1 && is_decisive(line.score) && line.game_end.is_none() {
            // The score is that of tablebases, which ends the line.
            let more = self.best_lines(&after(&game, &line.moves), 1, SHARE);
            line.continue_with(1, more.into_iter().next()?);
        }
        let is_mate = line.game_end == Some(GameEnd::Checkmate);
        let mut is_level = false;
        // A capture that wins the game does not fail.
        let is_won = is_decisive(line.score) && line.score > 0;
        let of_material = if is_mate || is_won {
            None
        } else {
            // What was won before may be given back for what the capture takes.
            let kept = |least: i32| {
                let ahead = |position: &Position| won(position) - least;
                held(&line.positions, ahead)
                    .filter(|&last| is_forced(&line.moves, &line.positions, last))
            };
            kept(so_far).or_else(|| {
                is_level = may_be_level && is_worth_more(there, capture, so_far);
                kept(0).filter(|_| is_level)
            })
        };
        let last = if is_mate {
            (line.last().turn() != winner).then_some(line.moves.len())?
        } else if let Some(last) = of_material {
            last
        } else {
            // The score alone says that the capture is no better than another move.
            let before = story.line.score * if winner == root.turn() { 1 } else { -1 };
            let is_kept = -line.score >= MIN_LEAD.max(before - NEAR);
            let shown = line.moves.len().min(SHOWN_PLIES);
            (is_kept && shown > 1).then_some(shown)?
        };
        let is_shown = is_mate || of_material.is_some();
        let fails = match (is_mate, is_shown) {
            (true, _) => "allows mate".to_owned(),
            (_, false) => "does not help".to_owned(),
            _ if so_far < PAWN || is_level => format!("does not win the {}", taken(there, capture)),
            _ => "does not win the material back".to_owned(),
        };
        let source = if is_shown {
            Source::Board
        } else {
            Source::Search
        };
        let (moves, at) = (&line.moves[..last], &line.positions[last]);
        Some(Claim {
            source,
            ..failure(comparison, story, ply, &fails, (moves, at))
        })
    }
}

/// What a capture after the move of a line with this index does not achieve, and the moves from the capture on that show it,
/// up to a position.
fn failure(
    comparison: &MoveComparison,
    story: &Story,
    ply: usize,
    fails: &str,
    (moves, at): (&[Move], &Position),
) -> Claim {
    let (root, there) = (comparison.root(), story.after(ply));
    let shown = shown_line(&there.play(moves[0]), &moves[1..]);
    let (lead, first) = (story.up_to(ply), numbered(there, moves[0]));
    let text = format!("After {lead}, {first} {fails}: {shown}.");
    let mut all: Vec<Move> = story.line.moves[..=ply].to_vec();
    all.extend(moves);
    let material = Gain::between(root, at, root.turn()).value();
    Claim::new("counter", Source::Board, text)
        .on_line(root, &all, all.len() - 1)
        .at(at, &[moves[moves.len() - 1].to()])
        .with_number("material", f64::from(material) / f64::from(PAWN))
}

/// The expected reply to the first move of a line, if it is a capture that seems to win material, and the line wins that back.
pub(super) fn regained(comparison: &MoveComparison, story: &Story) -> Option<Claim> {
    let there = story.after(0);
    let (moves, positions) = (&story.line.moves[1..], &story.line.positions[1..]);
    let start = winnings::retaken(comparison, story).unwrap_or(comparison.root());
    let won = |position: &Position| Gain::between(start, position, !there.turn()).value();
    let so_far = won(there);
    let capture = *moves.first()?;
    if so_far < 0 || tempting(there, so_far.max(PAWN), None, story.line.first()) != Some(capture) {
        return None;
    }
    let kept = |least: i32| {
        held(positions, |position| won(position) - least)
            .filter(|&last| is_forced(moves, positions, last))
    };
    let is_level = is_worth_more(there, capture, so_far);
    let last = kept(so_far).or_else(|| kept(0).filter(|_| is_level))?;
    let fails = format!("does not win the {}", taken(there, capture));
    let shown = (&moves[..last], &positions[last]);
    Some(failure(comparison, story, 0, &fails, shown))
}

/// Whether a capture seems to win a pawn more than was won before it.
fn is_worth_more(position: &Position, capture: Move, won: i32) -> bool {
    won > 0 && position.see_ge(capture, won + PAWN)
}

/// The capture that was asked about, if it seems to win material and its own line wins that back.
pub(super) fn empty_capture(comparison: &MoveComparison, story: &Story) -> Option<Claim> {
    let (root, line) = (comparison.root(), story.line);
    let capture = line.first();
    let is_asked = story.instead.is_empty() && !story.is_better;
    let is_tempting = capture.is_capture() && root.see_ge(capture, PAWN);
    if !is_asked || !is_tempting || winnings::retaken(comparison, story).is_some() {
        return None;
    }
    let lost = |position: &Position| Gain::between(position, root, root.turn()).value();
    let last = held(&line.positions, lost)
        .filter(|&last| is_forced(&line.moves, &line.positions, last))?;
    // If more is lost, that is another claim.
    if lost(line.last()) >= PAWN {
        return None;
    }
    let moves = &line.moves[..last];
    let shown = shown_line(&line.positions[1], &moves[1..]);
    let name = &story.name;
    let text = format!("{name} does not win the {}: {shown}.", taken(root, capture));
    let at = &line.positions[last];
    let claim = Claim::new("counter", Source::Board, text)
        .on_line(root, moves, last - 1)
        .at(at, &[moves[last - 1].to()])
        .with_number("material", -f64::from(lost(at)) / f64::from(PAWN));
    Some(claim)
}

impl LineAccount {
    /// Goes on after its first moves with another line.
    fn continue_with(&mut self, length: usize, more: Self) {
        self.moves.truncate(length);
        self.positions.truncate(length);
        self.moves.extend(more.moves);
        self.positions.extend(more.positions);
        self.score = if length.is_multiple_of(2) {
            more.score
        } else {
            -more.score
        };
        self.game_end = more.game_end;
    }
}

/// The name of the piece that a capture takes. En passant takes a pawn that stands beside its target square.
fn taken(position: &Position, capture: Move) -> &'static str {
    let piece = position.piece_on(capture.to());
    role(piece.map_or(Role::Pawn, Piece::role))
}

/// The second capture on a square that a reader sees after a capture and its recapture, if the line goes on otherwise:
/// by exchanges it makes up for what the first one has lost.
fn recapture(line: &LineAccount, lost: impl Fn(&Position) -> i32) -> Option<Move> {
    let (first, reply) = (line.moves.first()?, line.moves.get(1)?);
    let there = line.positions.get(2)?;
    let again = tempting(there, lost(there).max(PAWN), None, *reply)?;
    let is_seen = reply.to() == first.to() && again.to() == first.to();
    (is_seen && line.moves.get(2) != Some(&again)).then_some(again)
}

/// The index of the first position, after a reply of the side that wins, from which on that side holds what it needs: it is
/// ahead of that by 0 or more. No capture of the loser may take it away next; later exchanges may for a move.
fn held(positions: &[Position], ahead: impl Fn(&Position) -> i32) -> Option<usize> {
    let last = positions.len() - 1;
    let is_held = |index: usize| positions.get(index).is_none_or(|there| ahead(there) >= 0);
    (2..=last).step_by(2).find(|&index| {
        let there = &positions[index];
        let mut later = (index..=last).step_by(2);
        is_held(index + 1)
            && is_held(last)
            && later.all(is_held)
            && !has_capture(there, None, ahead(there) + PAWN)
    })
}

/// Whether all replies of a line to its first move force matters, up to a position with this index: they capture, give check,
/// or threaten a capture that wins something. After any other the material that is won has another cause.
fn is_forced(moves: &[Move], positions: &[Position], last: usize) -> bool {
    (1..last).step_by(2).all(|ply| {
        let there = &positions[ply + 1];
        moves[ply].is_noisy() || there.in_check() || has_capture(&there.play_null(), None, PAWN)
    })
}

/// Whether a capture, on this square if one is given, gains at least so many centipawns by exchanges.
pub(super) fn has_capture(position: &Position, square: Option<Square>, least: i32) -> bool {
    let legal = position.legal_moves();
    let mut captures = legal.iter().filter(|mv| mv.is_capture());
    captures.any(|&mv| square.is_none_or(|square| mv.to() == square) && position.see_ge(mv, least))
}

/// The capture of the most valuable piece that gains at least so many centipawns by exchanges on its square, except one. Of
/// captures of equal pieces, that of the piece that has just moved.
fn tempting(position: &Position, least: i32, skipped: Option<Move>, last: Move) -> Option<Move> {
    let value = |mv: &Move| {
        let piece = position.piece_on(mv.to());
        let value = exchange_value(piece.map_or(Role::Pawn, Piece::role));
        (value, mv.to() == last.to())
    };
    let legal = position.legal_moves();
    let captures = legal.iter().copied().filter(|mv| mv.is_capture());
    captures
        .filter(|&mv| Some(mv) != skipped && position.see_ge(mv, least))
        .max_by_key(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Game;
    use crate::explain::Question;

    #[test]
    fn the_queen_cannot_be_taken() {
        let text = sentences("d2d4 d7d5 c2c4 e7e6 b1c3 g8f6 c1g5 b8d7 c4d5 e6d5", "Nxd5");
        assert!(
            text.contains("After 6.Nxd5 Nxd5, 7.Bxd8 does not win the material back: 7…Bb4+ 8.Qd2"),
            "{text}"
        );
    }

    /// The trap in the Advance variation of the French Defence: the queen that takes back is lost.
    #[test]
    fn a_capture_that_fails_after_a_second_one_is_shown() {
        let moves = "e2e4 e7e6 d2d4 d7d5 e4e5 c7c5 c2c3 b8c6 g1f3 d8b6 f1d3 c5d4";
        let text = sentences(moves, "cxd4");
        assert!(
            text.contains("After 7.cxd4, 7…Nxd4 does not win the pawn: 8.Nxd4 Qxd4 9.Bb5+"),
            "{text}"
        );
    }

    /// The Siberian trap: the knight that attacks the queen cannot be taken.
    #[test]
    fn a_reply_that_cannot_be_taken_is_shown() {
        let moves =
            "e2e4 c7c5 d2d4 c5d4 c2c3 d4c3 b1c3 b8c6 g1f3 e7e6 f1c4 d8c7 e1g1 g8f6 d1e2 f6g4";
        let text = sentences_of(&played(moves), "h3", 60_000);
        assert!(
            text.contains("After 9.h3 Nd4, 10.Nxd4 allows mate: 10…Qh2#."),
            "{text}"
        );
    }

    /// The Exchange variation of the Ruy Lopez.
    #[test]
    fn tablebases_do_not_hide_the_reply_to_a_capture() {
        let text = sentences_at("R7/P4k2/8/8/8/8/r7/4K3 w - - 0 1", "Rh8");
        assert!(
            text.contains("After 1.Rh8, 1…Rxa7 does not win the pawn: 2.Rh7+ "),
            "{text}"
        );
    }

    #[test]
    fn a_pawn_that_is_won_back_is_not_won() {
        let text = sentences("e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5c6 d7c6", "Nxe5");
        assert!(
            text.contains("5.Nxe5 does not win the pawn: 5…Qd4"),
            "{text}"
        );
    }

    #[test]
    fn a_pawn_that_is_won_back_next_is_not_counted() {
        let text = sentences("e2e4 f7f5", "e5");
        assert!(text.contains("2.exf5 wins a pawn."), "{text}");
        assert!(!text.contains("two pawns"), "{text}");
    }

    /// The bishops are exchanged, though the lost side may leave the recapture out.
    #[test]
    fn an_exchange_wins_nothing() {
        let text = sentences_at("8/8/3k4/3b1p2/3P4/4KB2/6P1/8 w - - 0 1", "Bxd5");
        assert!(!text.contains("wins a bishop"), "{text}");
        let text = sentences_at("8/3R4/8/K2n4/P3k3/8/8/8 w - - 0 1", "Rxd5");
        assert!(!text.contains("wins a knight"), "{text}");
    }

    /// Philidor's legacy: the search alone finds a longer mate.
    #[test]
    fn the_shortest_mate_by_checks_is_shown() {
        let text = sentences_at("5r1k/6pp/8/4N3/2Q5/8/5PPP/6K1 w - - 0 1", "Nf7+");
        assert!(text.contains("forces mate within 4 moves"), "{text}");
    }

    /// Lasker's trap: the bishop may not be taken.
    #[test]
    fn a_capture_that_fails_after_the_next_move_is_shown() {
        let moves = "d2d4 d7d5 c2c4 e7e5 d4e5 d5d4 e2e3";
        let text = sentences(moves, "Bb4+");
        assert!(
            text.contains("After 4…Bb4+ 5.Bd2 dxe3, 6.Bxb4 does not"),
            "{text}"
        );
    }

    #[test]
    fn a_pawn_that_cannot_be_taken_en_passant_is_a_pawn() {
        let position = "4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1";
        let root = Position::from_fen(position).expect("a position");
        let push = root.find_move("e4").expect("a move");
        let after = root.play(push);
        let capture = after.find_move("dxe3").expect("a move");
        assert_eq!(tempting(&after, PAWN, None, push), Some(capture));
    }

    /// What is said of a move after others from the start.
    /// Enough for most positions of these tests.
    const NODES: u64 = 50_000;

    fn played(moves: &str) -> Game {
        let mut game = Game::new(Position::startpos());
        for mv in moves.split(' ') {
            game.play_uci(mv).expect("a move");
        }
        game
    }

    fn sentences(moves: &str, mv: &str) -> String {
        sentences_of(&played(moves), mv, NODES)
    }

    fn sentences_at(fen: &str, mv: &str) -> String {
        let position = Position::from_fen(fen).expect("a position");
        sentences_of(&Game::new(position), mv, NODES)
    }

    fn sentences_of(game: &Game, mv: &str, nodes: u64) -> String {
        let question = Question {
            mv: game.position().find_move(mv).ok(),
            ..Question::default()
        };
        let mut explainer = Explainer::small(nodes).expect("memory");
        let explained = explainer.explain(game, question);
        explained.expect("an open game").to_string()
    }
}
