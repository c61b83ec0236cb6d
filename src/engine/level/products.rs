//! Features that combine others: a loss in a kind of position, an attack with what it puts at risk.

use super::attention::{Attention, Step, rank_of};
use super::feature::{Feature, Features, flag};
use crate::chess::{Piece, Role, attacks, exchange_value};

/// A piece worth at least this many pawns that is left to be captured counts as a queen.
const QUEEN: f32 = 8.0;
/// A move that loses at most this many expected points is about as good as the best.
pub(super) const NEAR: f32 = 0.02;
/// A loss of this many expected points is a blunder.
pub(super) const BLUNDER: f32 = 0.30;
/// The opening has this many moves.
const OPENING_MOVES: f32 = 10.0;
/// Legal moves are counted in units of this many.
const CHOICE_UNIT: f32 = 10.0;

/// The losses that count by themselves.
pub(super) const THRESHOLDS: [(Feature, f32); 4] = [
    (Feature::Over05, 0.05),
    (Feature::Over10, 0.10),
    (Feature::Over20, 0.20),
    (Feature::Over30, 0.30),
];

/// What all moves of a position share.
#[derive(Clone, Copy, Debug)]
pub struct Context {
    /// How far the game is in the endgame, 0 to 1.
    pub ending: f32,
    /// How far the game is in the opening: 1 at the first move, 0 from the eleventh on.
    pub opening: f32,
    /// The pawns that the mover is ahead, from -9 to 9.
    pub(super) lead: f32,
    pub(super) in_check: bool,
    /// The number of legal moves.
    pub(super) moves: usize,
}

/// What scales a feature: the same for all moves of a position.
#[derive(Clone, Copy)]
enum Scale {
    Ending,
    PawnEnding,
    Opening,
    Lead,
    InCheck,
    Choice,
}

impl Context {
    fn scale(&self, scale: Scale) -> f32 {
        match scale {
            Scale::Ending => self.ending,
            // Without pieces nothing is left of the middlegame.
            Scale::PawnEnding => flag(self.ending >= 1.0),
            Scale::Opening => self.opening,
            Scale::Lead => self.lead,
            Scale::InCheck => flag(self.in_check),
            Scale::Choice => self.moves as f32 / CHOICE_UNIT,
        }
    }
}

/// The features that are another one, which follows, by something that all moves share.
const SCALED: [(Feature, Feature, Scale); 27] = {
    use Feature as F;
    [
        (F::SlipEnding, F::Slip4, Scale::Ending),
        (F::SlipAhead, F::Slip4, Scale::Lead),
        (F::SlipInCheck, F::Slip4, Scale::InCheck),
        (F::SlipChoice, F::Slip4, Scale::Choice),
        (F::PawnEnding, F::PawnMove, Scale::Ending),
        (F::KnightEnding, F::KnightMove, Scale::Ending),
        (F::BishopEnding, F::BishopMove, Scale::Ending),
        (F::RookEnding, F::RookMove, Scale::Ending),
        (F::QueenEnding, F::QueenMove, Scale::Ending),
        (F::CaptureEnding, F::Capture, Scale::Ending),
        (F::CheckEnding, F::Check, Scale::Ending),
        (F::PassedEnding, F::PassedPush, Scale::Ending),
        (F::CaptureAhead, F::Capture, Scale::Lead),
        (F::CheckAhead, F::Check, Scale::Lead),
        (F::OpeningPawn, F::PawnMove, Scale::Opening),
        (F::OpeningKnight, F::KnightMove, Scale::Opening),
        (F::OpeningBishop, F::BishopMove, Scale::Opening),
        (F::OpeningQueen, F::QueenMove, Scale::Opening),
        (F::BookOpening, F::Book, Scale::Opening),
        (F::CheckChoice, F::Check, Scale::Choice),
        (F::SlipPawnEnding, F::Slip4, Scale::PawnEnding),
        (F::SlipDeepPawnEnding, F::SlipDeep, Scale::PawnEnding),
        (F::BestDeepPawnEnding, F::BestDeep, Scale::PawnEnding),
        (F::HangsPawnEnding, F::HangsMoved, Scale::PawnEnding),
        (F::PawnPawnEnding, F::PawnMove, Scale::PawnEnding),
        (F::CapturePawnEnding, F::Capture, Scale::PawnEnding),
        (F::PassedPawnEnding, F::PassedPush, Scale::PawnEnding),
    ]
};

/// A product counts at most as this much.
const MOST: f32 = 30.0;
/// The features that are products of two others, which follow.
const PRODUCTS: [[Feature; 3]; 24] = {
    use Feature as F;
    [
        [F::SlipCapture, F::Slip4, F::Capture],
        [F::SlipCheck, F::Slip4, F::Check],
        [F::SlipRecapture, F::Slip4, F::Recapture],
        [F::ThreatsCapture, F::Threats, F::Capture],
        [F::BookGambit, F::Book, F::LosesPawn],
        [F::BookSlip, F::Book, F::Slip2],
        [F::Counterattack, F::HangsOld, F::AttacksPieces],
        [F::CaptureAttacks, F::Capture, F::AttacksPieces],
        [F::BestExposed, F::Best2, F::OntoAttacked],
        [F::BestSacrifice, F::Best2, F::ExchangeLoss],
        [F::AttacksProtects, F::AttacksPieces, F::Protects],
        [F::LowerActivity, F::Lower4, F::PieceActivity],
        [F::BreakAttacks, F::PawnBreak, F::AttacksPieces],
        [F::CheckDevelops, F::Check, F::Develops],
        [F::TakesLastAgain, F::TakesLast, F::SameCaptures],
        [F::BestBoth, F::Best1, F::BestDeep],
        [F::ClearNear, F::ClearSearch, F::NearLast],
        [F::LowerAttacks, F::Lower4, F::AttacksPieces],
        [F::HangsTwice, F::HangsMoved, F::HangsOld],
        [F::SamePawnEnding, F::SamePiece, F::PawnEnding],
        [F::LowerWins, F::Lower4, F::WinsPawn],
        [F::FleesAttacks, F::FleesLast, F::AttacksPieces],
        [F::KickLoose, F::PawnKick, F::Unprotected],
        [F::TakesLastGain, F::TakesLast, F::ExchangeGain],
    ]
};

/// Sets the features that are products of others, or of one and what all moves share.
fn multiply(features: &mut Features, context: &Context) {
    for (product, feature, scale) in SCALED {
        features[product] = features[feature] * context.scale(scale);
    }
    for [product, one, other] in PRODUCTS {
        features[product] = (features[one] * features[other]).clamp(-MOST, MOST);
    }
}

/// Sets the features that combine others.
pub(super) fn set_products(features: &mut Features, context: &Context) {
    let hangs = [Feature::HangsMoved, Feature::HangsNew, Feature::HangsOld];
    let is_left = hangs.iter().any(|risk| features[*risk] >= QUEEN);
    let is_blunder = features[Feature::Loss4] >= BLUNDER;
    features[Feature::QueenLeft] = flag(is_left && is_blunder);
    multiply(features, context);
}

/// Subtracts an overlooked loss of expected points from the features.
pub(super) fn overlook_loss(features: &mut Features, context: &Context, points: f32) {
    for (loss, slip) in [
        (Feature::Loss2, Feature::Slip2),
        (Feature::Loss4, Feature::Slip4),
        (Feature::LossSearch, Feature::SlipSearch),
        (Feature::LossDeep, Feature::SlipDeep),
    ] {
        let rest = (features[loss] - points).max(0.0);
        features[loss] = rest;
        features[slip] = rest.sqrt();
    }
    let rest = features[Feature::Loss4];
    for (feature, least) in THRESHOLDS {
        features[feature] = flag(rest >= least);
    }
    features[Feature::Near4] = flag(rest <= NEAR);
    features[Feature::Best4] = flag(rest == 0.0);
    features[Feature::Lower4] = 0.0;
    if rest < BLUNDER {
        features[Feature::QueenLeft] = 0.0;
    }
    multiply(features, context);
}

impl Attention<'_> {
    /// What all moves of the position share; `moves` is the number of legal ones.
    pub(super) fn context(&self, moves: usize) -> Context {
        let played = f32::from(self.position.fullmoves().saturating_sub(1));
        Context {
            ending: 1.0 - self.phase,
            opening: (1.0 - played / OPENING_MOVES).max(0.0),
            lead: self.lead,
            in_check: self.position.in_check(),
            moves,
        }
    }

    /// Sets the features about what is safe; those of captures and dangers must be set.
    pub(super) fn note_safety(&self, step: &Step<'_>, features: &mut Features) {
        let has = |features: &Features, feature| features[feature] >= 1.0;
        let hangs = has(features, Feature::HangsMoved);
        let escapes = has(features, Feature::Escapes);
        let elsewhere = has(features, Feature::HangsOld) || has(features, Feature::HangsNew);
        features[Feature::WinsPawn] = flag(has(features, Feature::ExchangeGain));
        features[Feature::LosesPawn] = flag(has(features, Feature::ExchangeLoss));
        features[Feature::HangsAny] = flag(hangs);
        features[Feature::HangsElsewhere] = flag(elsewhere);
        features[Feature::EscapesAny] = flag(escapes);
        features[Feature::EscapesSafe] = flag(escapes && !hangs && !elsewhere);
        features[Feature::SameCaptures] = features[Feature::SamePiece] * features[Feature::Capture];
        if let Some(own) = self.view.own_last() {
            let is_near = super::attention::target(own).distance(step.to) <= 2;
            features[Feature::NearOwnLast] = flag(is_near && features[Feature::SamePiece] == 0.0);
        }
        let pawns = step.child.pieces(self.us, Role::Pawn).without(step.to);
        let guards = attacks::pawn_attacks(!self.us, step.to) & pawns;
        features[Feature::PawnProtected] = flag(guards.any());
        let attackers = step.child.attackers_to(step.to, step.child.occupied());
        let enemies = attackers & step.child.by_color(!self.us);
        let is_lesser = |square| {
            let role = step.child.piece_on(square).map(Piece::role);
            role.is_some_and(|role| {
                role != Role::King && exchange_value(role) < exchange_value(step.moved)
            })
        };
        features[Feature::OntoLesser] = flag(enemies.into_iter().any(is_lesser));
        let is_back = features[Feature::Backward] > 0.0 && !step.mv.is_capture();
        features[Feature::BackwardSafe] = flag(is_back && !escapes);
        if step.role == Role::King {
            let ranks = rank_of(self.us, step.to) - rank_of(self.us, step.from);
            features[Feature::KingForward] = flag(ranks > 0) * (1.0 - self.phase);
        }
        let loses = features[Feature::ExchangeLoss] > 0.0;
        features[Feature::RecaptureBest] = features[Feature::Recapture] * flag(!loses);
    }
}

#[cfg(test)]
mod tests {
    use super::super::{GameView, ShallowSearcher, inputs};
    use super::*;
    use crate::chess::{Game, Position};

    #[test]
    fn what_a_pawn_risks_in_a_pawn_ending_counts_there_alone() {
        let mut searcher = ShallowSearcher::new().expect("memory");
        let mut risk = |fen: &str| {
            let position = Position::from_fen(fen).expect("a position");
            let mv = position.parse_move("d4d5").expect("a move");
            let view = GameView::new(Game::new(position));
            let found = inputs(&view, &mut searcher, None);
            let mut own = found.iter().filter(|input| input.mv == mv);
            let features = own.next().expect("the move").features;
            [Feature::HangsMoved, Feature::HangsPawnEnding].map(|feature| features[feature] > 0.0)
        };
        assert_eq!(risk("8/4k3/4p3/8/3P4/8/4K3/8 w - - 0 1"), [true, true]);
        assert_eq!(risk("8/4k3/4p3/8/3P4/8/4K2N/n7 w - - 0 1"), [true, false]);
    }
}
