//! Features that combine others: a loss in a kind of position, an attack with what it puts at risk.

use super::attention::{Attention, Step, rank_of};
use super::feature::{Feature, Features};
use crate::chess::{Piece, Role, attacks, exchange_value};

/// A piece worth at least this many pawns that is left to be captured counts as a queen.
const QUEEN: f32 = 8.0;
/// A move that loses at most this many expected points is about as good as the best.
pub(super) const NEAR: f32 = 0.02;
/// A loss of this many expected points is a blunder.
const BLUNDER: f32 = 0.30;
/// `SlipChoice` counts legal moves in units of this many.
const CHOICE_UNIT: f32 = 10.0;

/// The losses that count by themselves.
pub(super) const THRESHOLDS: [(Feature, f32); 4] = [
    (Feature::Over05, 0.05),
    (Feature::Over10, 0.10),
    (Feature::Over20, 0.20),
    (Feature::Over30, 0.30),
];
/// The features that grow with the square root of the loss at depth 4; others are among [`PRODUCTS`].
const SLIPS: [Feature; 4] = [
    Feature::SlipEnding,
    Feature::SlipAhead,
    Feature::SlipInCheck,
    Feature::SlipChoice,
];

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

/// Sets the features that are products of others.
fn multiply(features: &mut Features) {
    for [product, one, other] in PRODUCTS {
        features[product] = (features[one] * features[other]).clamp(-MOST, MOST);
    }
}

/// Subtracts an overlooked loss of expected points from the features.
pub(super) fn overlook_loss(features: &mut Features, points: f32) {
    let before = features[Feature::Slip4];
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
    if before > 0.0 {
        for slip in SLIPS {
            features[slip] *= features[Feature::Slip4] / before;
        }
    }
    for (feature, least) in THRESHOLDS {
        features[feature] = flag(rest >= least);
    }
    features[Feature::Near4] = flag(rest <= NEAR);
    features[Feature::Best4] = flag(rest == 0.0);
    features[Feature::Lower4] = 0.0;
    if rest < BLUNDER {
        features[Feature::QueenLeft] = 0.0;
    }
    multiply(features);
}

impl Attention<'_> {
    /// Sets the features that combine a move's loss with its kind; `moves` is the number of legal moves.
    pub(super) fn cross(&self, moves: usize, features: &mut Features) {
        let slip = features[Feature::Slip4];
        let (ending, lead) = (self.ending(), self.lead);
        features[Feature::SlipEnding] = slip * ending;
        features[Feature::SlipAhead] = slip * lead;
        features[Feature::SlipInCheck] = if self.position.in_check() { slip } else { 0.0 };
        features[Feature::SlipChoice] = slip * moves as f32 / CHOICE_UNIT;
        let hangs = [Feature::HangsMoved, Feature::HangsNew, Feature::HangsOld];
        let is_left = hangs.iter().any(|risk| features[*risk] >= QUEEN);
        let is_blunder = features[Feature::Loss4] >= BLUNDER;
        features[Feature::QueenLeft] = flag(is_left && is_blunder);
        features[Feature::CaptureEnding] = features[Feature::Capture] * ending;
        features[Feature::CheckEnding] = features[Feature::Check] * ending;
        features[Feature::PassedEnding] = features[Feature::PassedPush] * ending;
        features[Feature::CaptureAhead] = features[Feature::Capture] * lead;
        features[Feature::CheckAhead] = features[Feature::Check] * lead;
        let opening = self.opening();
        features[Feature::OpeningPawn] = features[Feature::PawnMove] * opening;
        features[Feature::OpeningKnight] = features[Feature::KnightMove] * opening;
        features[Feature::OpeningBishop] = features[Feature::BishopMove] * opening;
        features[Feature::OpeningQueen] = features[Feature::QueenMove] * opening;
        features[Feature::BookOpening] = features[Feature::Book] * opening;
        features[Feature::CheckChoice] = features[Feature::Check] * moves as f32 / CHOICE_UNIT;
        multiply(features);
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
        if let Some(own) = self.scene.own_last() {
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
            features[Feature::KingForward] = flag(ranks > 0) * self.ending();
        }
        let loses = features[Feature::ExchangeLoss] > 0.0;
        features[Feature::RecaptureBest] = features[Feature::Recapture] * flag(!loses);
    }
}

const fn flag(is_set: bool) -> f32 {
    if is_set { 1.0 } else { 0.0 }
}
