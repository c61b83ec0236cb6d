//! Classes of replies that weaker players overlook.

use super::attention::rank_of;
use super::feature::Feature;
use super::products::THRESHOLDS;
use super::weights::RatedWeights;
use crate::chess::{
    Bitboard, Color, Move, MoveKind, Piece, Position, Role, Square, attacks, exchange_value,
};

/// A backward move of this many ranks is long.
const LONG: i32 = 3;
/// The loss around which the share of losses that a class hides is taken.
const TYPICAL_LOSS: f32 = 0.2;
/// The tens of legal moves of a typical position.
const TYPICAL_CHOICE: f32 = 3.5;

/// A class of replies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Oversight {
    LongBackward,
    DiscoveredLine,
    PinnedDefender,
    QuietThreat,
    ForkByRetreat,
    EnPassant,
}

impl Oversight {
    /// Every class, most specific first: a reply of several belongs to the first of them.
    pub const ALL: [Self; 6] = [
        Self::EnPassant,
        Self::PinnedDefender,
        Self::DiscoveredLine,
        Self::ForkByRetreat,
        Self::LongBackward,
        Self::QuietThreat,
    ];

    /// The name, as it is logged.
    pub const fn name(self) -> &'static str {
        match self {
            Self::LongBackward => "long backward move",
            Self::DiscoveredLine => "discovered line",
            Self::PinnedDefender => "pinned defender",
            Self::QuietThreat => "quiet threat",
            Self::ForkByRetreat => "fork by a retreat",
            Self::EnPassant => "en passant",
        }
    }

    /// The name with its article, inside of a sentence.
    pub const fn noun(self) -> &'static str {
        match self {
            Self::LongBackward => "a long backward move",
            Self::DiscoveredLine => "a move that opens a line",
            Self::PinnedDefender => "a capture of what only a pinned piece defends",
            Self::QuietThreat => "a quiet threat",
            Self::ForkByRetreat => "a fork by a retreat",
            Self::EnPassant => "a capture en passant",
        }
    }

    /// The feature with what the class costs.
    pub const fn feature(self) -> Feature {
        match self {
            Self::LongBackward => Feature::UnseenBackward,
            Self::DiscoveredLine => Feature::UnseenDiscovery,
            Self::PinnedDefender => Feature::UnseenPin,
            Self::QuietThreat => Feature::UnseenQuiet,
            Self::ForkByRetreat => Feature::UnseenFork,
            Self::EnPassant => Feature::UnseenEnPassant,
        }
    }

    /// The class of a legal reply, if it belongs to one.
    pub fn of(position: &Position, reply: Move) -> Option<Self> {
        let mut classes = Self::ALL.into_iter();
        classes.find(|class| class.contains(position, reply))
    }

    /// Whether a legal reply belongs to the class.
    pub fn contains(self, position: &Position, reply: Move) -> bool {
        let side = position.turn();
        let (from, to) = (reply.from(), reply.to());
        let Some(piece) = position.piece_on(from) else {
            return false;
        };
        let back = rank_of(side, from) - rank_of(side, to);
        match self {
            Self::EnPassant => reply.kind() == MoveKind::EnPassant,
            Self::PinnedDefender => reply.is_capture() && has_pinned_defenders(position, to),
            Self::DiscoveredLine => discovers(position, reply),
            Self::ForkByRetreat => {
                back > 0 && !reply.is_noisy() && fork(position, piece.role(), to) > 1
            }
            Self::LongBackward => back >= LONG,
            Self::QuietThreat => !reply.is_noisy() && !position.gives_check(reply),
        }
    }
}

/// The pieces that defend a square against the side to move: all of them, and those that a pin keeps away.
fn defenders(position: &Position, square: Square) -> (Bitboard, Bitboard) {
    let enemy = !position.turn();
    let all = position.attackers_to(square, position.occupied()) & position.by_color(enemy);
    let king = position.king(enemy);
    let is_pinned = |defender: &Square| {
        let without = position.occupied().without(*defender).with(square);
        let attackers = position.attackers_to(king, without) & position.by_color(!enemy);
        *defender != king && attackers.without(square).any()
    };
    let pinned = all.into_iter().filter(is_pinned);
    (all, pinned.fold(Bitboard::EMPTY, Bitboard::with))
}

fn has_pinned_defenders(position: &Position, square: Square) -> bool {
    let (all, pinned) = defenders(position, square);
    pinned.any()
        && all == pinned
        && position.attackers_to(position.king(!position.turn()), position.occupied())
            & position.by_color(position.turn())
            == Bitboard::EMPTY
}

/// The square of the first pinned defender of a square that a capture exploits.
pub fn pinned_defender(position: &Position, reply: Move) -> Option<Square> {
    let (_, pinned) = defenders(position, reply.to());
    pinned.first().filter(|_| reply.is_capture())
}

/// Whether the reply opens a line of another piece to a more valuable or undefended piece.
fn discovers(position: &Position, reply: Move) -> bool {
    if reply.is_castling() {
        return false;
    }
    let side = position.turn();
    let after = position.play(reply);
    let sliders = position.by_color(side) & (position.orthogonal() | position.diagonal());
    sliders.without(reply.from()).into_iter().any(|slider| {
        let Some(role) = position.piece_on(slider).map(Piece::role) else {
            return false;
        };
        let before = attacks::attacks(slider, role.of(side), position.occupied());
        let opened = attacks::attacks(slider, role.of(side), after.occupied()) & !before;
        let targets = opened & after.by_color(!side);
        targets
            .into_iter()
            .any(|target| is_loose(&after, target, role))
    })
}

/// Whether an enemy piece is the king, worth more than its attacker, or undefended.
fn is_loose(after: &Position, target: Square, attacker: Role) -> bool {
    let Some(piece) = after.piece_on(target) else {
        return false;
    };
    let is_defended = || {
        let defenders = after.attackers_to(target, after.occupied());
        (defenders & after.by_color(piece.color())).any()
    };
    piece.role() == Role::King
        || exchange_value(piece.role()) > exchange_value(attacker)
        || piece.role() != Role::Pawn && !is_defended()
}

/// How many loose pieces of the opponent a piece attacks from a square.
fn fork(position: &Position, role: Role, to: Square) -> usize {
    let side: Color = position.turn();
    let attacked =
        attacks::attacks(to, role.of(side), position.occupied()) & position.by_color(!side);
    let loose = attacked
        .into_iter()
        .filter(|square| is_loose(position, *square, role));
    loose.count()
}

/// How often each class of replies is overlooked with these weights, 0 to 1: the share of the penalty of a typical loss
/// that the weight of the class takes back.
pub fn oversight_rates(weights: &RatedWeights) -> [(Oversight, f32); 6] {
    let loss = [Feature::Loss1, Feature::Loss2, Feature::Loss4];
    let slip = [Feature::Slip1, Feature::Slip2, Feature::Slip4];
    // The features that the best move has and a move with a typical loss does not have.
    let lead = [
        Feature::Best1,
        Feature::Best2,
        Feature::Best4,
        Feature::BestSearch,
        Feature::BestDeep,
        Feature::Near1,
        Feature::Near4,
    ];
    let of = |features: &[Feature]| -> f32 {
        let weights = features.iter().map(|feature| weights.features[*feature]);
        weights.sum()
    };
    let reached = THRESHOLDS
        .iter()
        .filter(|(_, least)| *least <= TYPICAL_LOSS);
    let steps: Vec<Feature> = reached.map(|(feature, _)| *feature).collect();
    let root = TYPICAL_LOSS.sqrt();
    let by_choice = of(&[Feature::SlipChoice]) * TYPICAL_CHOICE;
    let lost = of(&loss) * TYPICAL_LOSS + (of(&slip) + by_choice) * root + of(&steps);
    let cost = (of(&lead) - lost) / TYPICAL_LOSS;
    Oversight::ALL.map(|class| {
        let back = weights.features[class.feature()];
        let rate = if cost > 0.0 { back / cost } else { 0.0 };
        (class, rate.clamp(0.0, 1.0))
    })
}
