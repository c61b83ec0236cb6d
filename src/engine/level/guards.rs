//! Guards: rules that remove moves which people of the rating do not play, after the probabilities are computed.

use super::feature::Feature;
use super::game_view::GameView;
use super::inputs::Input;
use super::products::BLUNDER;
use crate::base::value::{Value, moves_to_mate};
use crate::chess::{Game, GameEnd, Move, Position, Role};

/// From this rating the only recapture that does not lose is found.
const RECAPTURES_FROM: u16 = 1000;
/// A recapture is the only one if every other move loses this many expected points more.
const RECAPTURE_LOSS: f32 = 0.15;
/// Below this rating a winning side may stalemate.
const STALEMATES_UP_TO: u16 = 1000;
/// From these ratings a lone king is mated: by a rook or with pawns, and by two bishops. All levels mate with a queen.
const MATES_FROM: u16 = 1200;
const BISHOPS_MATE_FROM: u16 = 1600;
/// A player that wins promotes if the queen is safe and that loses less than this many expected points. A pawn becomes a queen
/// if that loses less than this beside another piece.
const PROMOTION_LOSS: f32 = 0.02;
/// A piece goes back and forth only if every other move loses this many expected points more.
const SHUFFLE_LOSS: f32 = 0.02;
/// With at least this many expected points a player wins: it promotes, and avoids draws.
const WINNING: f32 = 0.75;
/// With at least this many a lost piece hardly changes the expected points, so they do not show that it is lost.
const WON: f32 = 0.9;
/// In a won position no piece of at least this many pawns moves to where it is captured.
const WON_PIECE: f32 = 4.5;
/// A piece is left to be captured, with a loss of this many pawns, only for a reason, if that costs [`BLUNDER`] or this
/// share of the expected points that are left.
const HUNG_PIECE: f32 = 6.0;
const HUNG_SHARE: f32 = 0.5;

/// The moves that the guards still allow.
pub(super) struct Guards<'a> {
    view: &'a GameView,
    rating: u16,
    found: &'a [Input],
    /// The moves whose reply is overlooked by name.
    overlooked: Vec<Move>,
    /// By move: the guard that forbids it.
    pub(super) forbidden: Vec<Option<&'static str>>,
    /// By move: the expected points that it loses at the greatest depth, or in the longer search of all moves if these are
    /// less: either search may misjudge a reply.
    pub(super) losses: Vec<f32>,
    /// The most expected points of a move at the greatest depth.
    best: f32,
}

impl<'a> Guards<'a> {
    pub(super) fn new(
        view: &'a GameView,
        rating: u16,
        found: &'a [Input],
        overlooked: Vec<Move>,
    ) -> Self {
        let best = found.iter().map(|input| input.estimate.points[2]);
        let best = best.fold(0.0, f32::max);
        let losses = found.iter().map(|input| {
            let loss = best - input.estimate.points[2];
            let [_, longer] = input.estimate.ranked;
            longer.rank.map_or(loss, |_| loss.min(longer.loss))
        });
        Self {
            view,
            rating,
            found,
            overlooked,
            forbidden: vec![None; found.len()],
            losses: losses.collect(),
            best,
        }
    }

    pub(super) fn narrow(&mut self, may_blunder: bool) {
        self.keep(|input| input.features[Feature::Mates] > 0.0, "mate in one");
        if self.best >= WINNING {
            let (best, most) = (self.best, PROMOTION_LOSS);
            let promotes = |input: &Input| {
                input.features[Feature::Promotion] > 0.0
                    && input.features[Feature::HangsMoved] <= 0.0
                    && best - input.estimate.points[2] < most
            };
            self.keep(promotes, "a promotion that wins");
        }
        self.recapture();
        if self.best >= WINNING {
            let (game, stalemates) = (self.view.game(), self.rating < STALEMATES_UP_TO);
            let draws = |input: &Input| is_draw_after(game, input.mv, stalemates);
            self.keep(|input| !draws(input), "no draw in a won position");
            let draws = |input: &Input| can_repeat_after(game, input.mv);
            self.keep(|input| !draws(input), "no repetition in a won position");
        }
        self.back_and_forth();
        if !may_blunder {
            let losses = self.losses.clone();
            self.keep_indices(
                |index| losses[index] < BLUNDER,
                "no second blunder in three moves",
            );
        }
        self.hanging_pieces();
        self.underpromotions();
    }

    /// A piece that has moved and gone back does not make the same move again, unless every other move is worse.
    fn back_and_forth(&mut self) {
        let Some([last, before]) = self.view.own_last_two() else {
            return;
        };
        let undoes = |mv: Move, earlier: Move| {
            (mv.from(), mv.to()) == (earlier.to(), earlier.from()) && !mv.is_noisy()
        };
        if !undoes(last, before) {
            return;
        }
        let found = self.found;
        let again = |input: &Input| undoes(input.mv, last);
        let others = self.allowed().into_iter().map(|index| &found[index]);
        let others = others.filter(|input| !again(input));
        let other = others
            .map(|input| input.estimate.points[2])
            .fold(0.0, f32::max);
        self.keep(
            |input| !again(input) || input.estimate.points[2] - other >= SHUFFLE_LOSS,
            "no move back and forth",
        );
    }

    /// The only recapture that does not lose.
    fn recapture(&mut self) {
        let last = self.view.last();
        if self.rating < RECAPTURES_FROM || !last.is_some_and(Move::is_capture) {
            return;
        }
        let sound = |index: &usize| self.losses[*index] < RECAPTURE_LOSS;
        let mut sound = (0..self.found.len()).filter(sound);
        if let (Some(only), None) = (sound.next(), sound.next())
            && self.found[only].features[Feature::Recapture] > 0.0
        {
            self.keep_indices(|index| index == only, "the only recapture");
        }
    }

    /// No queen, and in a won position no rook, is left to be captured for nothing.
    fn hanging_pieces(&mut self) {
        let overlooked = self.overlooked.clone();
        let gives = |input: &Input| {
            input.features[Feature::HangsMoved] >= WON_PIECE
                && !input.mv.is_capture()
                && !input.mv.is_promotion()
                && !overlooked.contains(&input.mv)
        };
        let allowed = self.allowed().into_iter().map(|index| &self.found[index]);
        let safe = allowed.filter(|input| !gives(input));
        if let Some(safe) = safe.max_by_key(|input| input.estimate.values[2])
            && safe.estimate.points[2] >= WON
        {
            // A sacrifice that mates is allowed where no other move mates.
            let only_sacrifices_mate = !is_mate(safe.estimate.values[2]);
            self.keep(
                |input| !gives(input) || only_sacrifices_mate && is_mate(input.estimate.values[2]),
                "no piece for nothing when winning",
            );
        }
        let much = BLUNDER.min(HUNG_SHARE * self.best);
        let best = self.best;
        let hangs_queen = |input: &Input| {
            let features = [Feature::HangsNew, Feature::HangsOld, Feature::HangsMoved];
            // A new queen costs a pawn.
            let count = features.len() - usize::from(input.mv.is_promotion());
            let mut risk = features[..count]
                .iter()
                .map(|&feature| input.features[feature]);
            risk.any(|pawns| pawns >= HUNG_PIECE)
                && best - input.estimate.points[2] >= much
                && !overlooked.contains(&input.mv)
        };
        self.keep(|input| !hangs_queen(input), "no queen for nothing");
    }

    /// A pawn becomes a queen, unless another piece is better; then it becomes that piece.
    fn underpromotions(&mut self) {
        let found = self.found;
        let allowed = self.allowed().into_iter().map(|index| &found[index]);
        let promotions: Vec<&Input> = allowed
            .filter(|input| input.mv.promotion().is_some())
            .collect();
        let is_worse = |input: &Input, other: &Input| {
            let gain = other.estimate.points[2] - input.estimate.points[2];
            let is_queen = |input: &Input| input.mv.promotion() == Some(Role::Queen);
            let queen_preferred = is_queen(other) && !is_queen(input) && gain > -PROMOTION_LOSS;
            (input.mv.from(), input.mv.to()) == (other.mv.from(), other.mv.to())
                && (gain >= PROMOTION_LOSS || queen_preferred)
        };
        self.keep(
            |input| {
                let mut others = promotions.iter();
                input.mv.promotion().is_none() || !others.any(|other| is_worse(input, other))
            },
            "a pawn becomes the best piece",
        );
    }

    /// Allows only some of the moves still allowed, unless that leaves none.
    pub(super) fn keep(&mut self, wanted: impl Fn(&Input) -> bool, reason: &'static str) {
        let found = self.found;
        self.keep_indices(|index| wanted(&found[index]), reason);
    }

    fn keep_indices(&mut self, wanted: impl Fn(usize) -> bool, reason: &'static str) {
        let allowed = self.allowed();
        let (kept, dropped): (Vec<usize>, Vec<usize>) =
            allowed.into_iter().partition(|&index| wanted(index));
        if kept.is_empty() {
            return;
        }
        for index in dropped {
            self.forbidden[index] = Some(reason);
        }
    }

    /// The indices of the moves allowed.
    pub(super) fn allowed(&self) -> Vec<usize> {
        let all = self.forbidden.iter().enumerate();
        all.filter(|(_, forbidden)| forbidden.is_none())
            .map(|(index, _)| index)
            .collect()
    }
}

fn is_mate(value: Value) -> bool {
    moves_to_mate(value).is_some_and(|moves| moves > 0)
}

/// Whether a move repeats a position for the third time or, unless that is overlooked, stalemates.
fn is_draw_after(game: &Game, mv: Move, overlooks_stalemate: bool) -> bool {
    let mut after = game.clone();
    after.play(mv);
    after.is_threefold() || !overlooks_stalemate && after.end() == Some(GameEnd::Stalemate)
}

/// Whether the opponent can answer a move with the third repetition of a position.
fn can_repeat_after(game: &Game, mv: Move) -> bool {
    let mut after = game.clone();
    after.play(mv);
    let repeats = |reply: Move| {
        let mut then = after.clone();
        then.play(reply);
        then.is_threefold()
    };
    // Two earlier occurrences take eight plies.
    after.reversible() >= 7
        && after
            .position()
            .legal_moves()
            .iter()
            .any(|&reply| repeats(reply))
}

/// Whether a player of a rating mates the opponent's lone king: with a queen, with a rook, with a minor piece and pawns, with
/// two pawns, or with two bishops.
pub(super) fn mates_lone_king(position: &Position, rating: u16) -> bool {
    let us = position.turn();
    let has = |role| position.pieces(us, role).any();
    let has_two = |role| position.pieces(us, role).more_than_one();
    let has_minor = has(Role::Bishop) || has(Role::Knight);
    let from = if has(Role::Queen) {
        0
    } else if has(Role::Rook) || has(Role::Pawn) && has_minor || has_two(Role::Pawn) {
        MATES_FROM
    } else if has_two(Role::Bishop) {
        BISHOPS_MATE_FROM
    } else {
        return false;
    };
    rating >= from && !position.by_color(!us).more_than_one()
}

#[cfg(test)]
mod tests {
    use super::super::inputs::inputs;
    use super::super::shallow::ShallowSearcher;
    use super::*;

    /// The guard that forbids a move after these moves.
    fn guard(fen: &str, moves: &str, rating: u16, mv: &str) -> Option<&'static str> {
        let mut view = GameView::new(Game::new(Position::from_fen(fen).expect("a position")));
        for text in moves.split_whitespace() {
            let mv = view.game().position().parse_move(text).expect("a move");
            view.play(mv);
        }
        let mut searcher = ShallowSearcher::new().expect("memory");
        let found = inputs(&view, &mut searcher, None);
        let mut guards = Guards::new(&view, rating, &found, Vec::new());
        guards.narrow(true);
        let mv = view.game().position().parse_move(mv).expect("a move");
        let index = found.iter().position(|input| input.mv == mv);
        guards.forbidden[index.expect("a legal move")]
    }

    #[test]
    fn a_won_position_does_not_cost_pieces() {
        let given = Some("no piece for nothing when winning");
        let queen = "8/k7/6Q1/4Q2R/5K2/8/8/8 w - - 0 1";
        assert_eq!(guard(queen, "", 1100, "g6b6"), given);
        assert_eq!(guard(queen, "", 1100, "e5b5"), None);
        let rook = "8/8/8/4kB2/3RP3/8/5K2/8 w - - 0 1";
        assert_eq!(guard(rook, "", 1800, "d4d6"), given);
    }

    #[test]
    fn a_pawn_becomes_a_queen_even_if_it_is_captured() {
        let worse = Some("a pawn becomes the best piece");
        for (fen, square, rating) in [
            ("8/3nKpkP/1p6/p1p5/8/1P2p3/P2r4/8 w - - 0 40", "h7h8", 1400),
            ("6k1/p4p1p/6p1/1p3b2/8/8/P1pK3P/8 b - - 0 36", "c2c1", 1400),
        ] {
            assert_eq!(guard(fen, "", rating, &format!("{square}q")), None, "{fen}");
            for role in ["b", "n", "r"] {
                assert_eq!(
                    guard(fen, "", rating, &format!("{square}{role}")),
                    worse,
                    "{fen}"
                );
            }
        }
        // A queen would stalemate.
        let stalemate = "8/1P6/k7/8/K7/8/8/8 w - - 0 1";
        assert_eq!(guard(stalemate, "", 1400, "b7b8r"), None);
        // Below 1000 only this guard forbids the stalemate, and a knight does not win.
        let pawn = "8/5P1k/5K2/8/8/8/8/8 w - - 0 1";
        assert_eq!(guard(pawn, "", 800, "f7f8q"), worse);
        assert_eq!(guard(pawn, "", 800, "f7f8n"), worse);
        assert_eq!(guard(pawn, "", 800, "f7f8r"), None);
    }

    #[test]
    fn the_opponent_cannot_repeat_a_lost_position_for_the_third_time() {
        let fen = "5k2/8/8/8/8/8/8/KR6 w - - 0 1";
        let moves = "b1b2 f8g8 b2b1 g8f8 b1b2 f8g8 b2b3 g8f7";
        // With the rook on b2 and the king on g8 it would be the third time.
        let allows = Some("no repetition in a won position");
        assert_eq!(guard(fen, moves, 1100, "b3b2"), allows);
        assert_eq!(guard(fen, moves, 1100, "b3b4"), None);
        let moves = "b1b2 f8g8 b2b1 g8f8 b1b2 f8g8 b2b1 g8f8";
        let repeats = Some("no draw in a won position");
        assert_eq!(guard(fen, moves, 1100, "b1b2"), repeats);
    }

    #[test]
    fn a_piece_does_not_move_back_and_forth() {
        let fen = "r1bqkb1r/pppp1ppp/2n2n2/4p3/4P3/2N2N2/PPPP1PPP/R1BQKB1R w KQkq - 4 4";
        let again = Some("no move back and forth");
        assert_eq!(guard(fen, "c3b1 a7a6 b1c3 a6a5", 1200, "c3b1"), again);
        assert_eq!(guard(fen, "c3b1 a7a6 b1c3 a6a5", 1200, "f1c4"), None);
    }

    /// To depth 4 only a check that gives the rook away does not lose.
    #[test]
    fn a_move_that_one_search_misjudges_is_not_forced() {
        let position = Position::from_fen("8/4p1kp/2P3p1/3Pp3/5R1P/r1n5/4b1BK/8 w - - 0 40");
        let view = GameView::new(Game::new(position.expect("a position")));
        let mut searcher = ShallowSearcher::new().expect("memory");
        let found = inputs(&view, &mut searcher, None);
        let mut guards = Guards::new(&view, 2000, &found, Vec::new());
        guards.narrow(false);
        let best = view.game().position().parse_move("f4b4").expect("a move");
        let allowed = guards.allowed();
        assert!(
            allowed.iter().any(|&index| found[index].mv == best),
            "{allowed:?}"
        );
    }

    #[test]
    fn a_lone_king_is_mated_from_a_rating() {
        let mates = |board: &str, rating| {
            let fen = format!("6k1/8/8/8/8/8/1P6/{board} w - - 0 1");
            mates_lone_king(&Position::from_fen(&fen).expect("a position"), rating)
        };
        assert!(mates("KQ6", 800));
        assert!(mates("KR6", 1200) && !mates("KR6", 1100));
        assert!(mates("KN6", 1200) && !mates("K7", 2200));
        let two_pawns = "8/8/8/4k3/8/8/3PP3/4K3 w - - 0 1";
        let two_pawns = Position::from_fen(two_pawns).expect("a position");
        assert!(mates_lone_king(&two_pawns, 1200) && !mates_lone_king(&two_pawns, 1100));
        let bishops = "8/8/8/4k3/8/8/8/2B1KB2 w - - 0 1";
        let bishops = Position::from_fen(bishops).expect("a position");
        assert!(mates_lone_king(&bishops, 1600) && !mates_lone_king(&bishops, 1500));
    }
}
