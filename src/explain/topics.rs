//! Topics: what a fact is about, finer than a concept and coarser than a family.

use serde::Serialize;

use super::concepts::Concept;
use crate::eval::{Family, Index};

/// What a fact is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Topic {
    Material,
    BishopPair,
    Ending,
    BareKing,
    /// All pawns of one side, on their squares and in pairs.
    PawnFormation,
    IsolatedPawn,
    DoubledPawn,
    BackwardPawn,
    ConnectedPawn,
    PawnLever,
    BlockedPawn,
    CandidatePawn,
    PawnIslands,
    PawnsOnOneWing,
    PassedPawn,
    /// The square of a piece, alone and seen from both kings.
    Placement,
    Mobility,
    Outpost,
    BehindPawn,
    BadBishop,
    RookFile,
    RookOnSeventh,
    TrappedRook,
    ExposedQueen,
    Attacked,
    PawnPush,
    QueenChase,
    Undefended,
    Pinned,
    DiscoveredCheck,
    /// Pawns and files around a king.
    Shelter,
    KingPlace,
    KingDefenders,
    KingLines,
    KingMoves,
    Castling,
    KingAttackers,
    SafeChecks,
    UnsafeChecks,
    AttacksNearKing,
    PawnsAtKing,
    Space,
    Contested,
    Centre,
    Tempo,
}

/// The topic of a weight.
pub(super) fn topic(index: Index, concept: Concept) -> Topic {
    match index.family() {
        Family::Material | Family::Imbalance | Family::Opposition | Family::ClassMaterial => {
            match concept {
                Concept::PassedPawns => Topic::PassedPawn,
                Concept::Bishops => Topic::BishopPair,
                _ => Topic::Material,
            }
        }
        Family::PieceSquare | Family::KingPieceSquare => match concept {
            Concept::PawnStructure => Topic::PawnFormation,
            Concept::KingShelter | Concept::KingActivity => Topic::KingPlace,
            _ => Topic::Placement,
        },
        Family::OwnKing | Family::EnemyKing => Topic::Placement,
        Family::Ending => Topic::Ending,
        Family::BareKing => Topic::BareKing,
        Family::Isolated => Topic::IsolatedPawn,
        Family::Doubled => Topic::DoubledPawn,
        Family::Backward => Topic::BackwardPawn,
        Family::Connected => Topic::ConnectedPawn,
        Family::Lever => Topic::PawnLever,
        Family::Rammed => Topic::BlockedPawn,
        Family::Candidate => Topic::CandidatePawn,
        Family::Islands => Topic::PawnIslands,
        Family::OneWing => Topic::PawnsOnOneWing,
        Family::PawnsOnFile | Family::PawnsBeside | Family::PawnsFacing | Family::PawnsAcross => {
            Topic::PawnFormation
        }
        Family::PassedPlace
        | Family::PassedPair
        | Family::PassedOwnKing
        | Family::PassedEnemyKing
        | Family::PassedStop
        | Family::PassedPath
        | Family::PassedBehind
        | Family::Runner => Topic::PassedPawn,
        Family::Mobility | Family::Reach => Topic::Mobility,
        Family::Outpost | Family::OutpostReach => Topic::Outpost,
        Family::BehindPawn => Topic::BehindPawn,
        Family::BadBishop => Topic::BadBishop,
        Family::RookFile | Family::RookForward => Topic::RookFile,
        Family::RookOnSeventh => Topic::RookOnSeventh,
        Family::TrappedRook => Topic::TrappedRook,
        Family::QueenExposed => Topic::ExposedQueen,
        Family::Threat => Topic::Attacked,
        Family::PushThreat => Topic::PawnPush,
        Family::QueenThreat => Topic::QueenChase,
        Family::Loose => Topic::Undefended,
        Family::Pinned => Topic::Pinned,
        Family::Discovered => Topic::DiscoveredCheck,
        Family::Shelter | Family::KingExposure => Topic::Shelter,
        Family::KingToPawn => Topic::KingPlace,
        Family::KingGuards | Family::CampDefence => Topic::KingDefenders,
        Family::KingLines => Topic::KingLines,
        Family::KingMoves => Topic::KingMoves,
        Family::Castling => Topic::Castling,
        Family::KingAttackers | Family::KingPressure => Topic::KingAttackers,
        Family::SafeChecks => Topic::SafeChecks,
        Family::UnsafeChecks => Topic::UnsafeChecks,
        Family::CampAttacks | Family::CampAttacksTwice => Topic::AttacksNearKing,
        Family::KingStorm => Topic::PawnsAtKing,
        Family::Space => Topic::Space,
        Family::Restriction => Topic::Contested,
        Family::Centre => Topic::Centre,
        Family::Tempo => Topic::Tempo,
    }
}

impl Topic {
    /// The topic as a noun, for comparisons.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Material => "material",
            Self::BishopPair => "bishop pair",
            Self::Ending => "type of ending",
            Self::BareKing => "driving the bare king",
            Self::PawnFormation => "pawn formation",
            Self::IsolatedPawn => "isolated pawn",
            Self::DoubledPawn => "doubled pawn",
            Self::BackwardPawn => "backward pawn",
            Self::ConnectedPawn => "connected pawn",
            Self::PawnLever => "pawn lever",
            Self::BlockedPawn => "blocked pawn",
            Self::CandidatePawn => "candidate passed pawn",
            Self::PawnIslands => "pawn islands",
            Self::PawnsOnOneWing => "pawns on one wing",
            Self::PassedPawn => "passed pawn",
            Self::Placement => "place",
            Self::Mobility => "mobility",
            Self::Outpost => "outpost",
            Self::BehindPawn => "place behind a pawn",
            Self::BadBishop => "pawns on the bishop's colour",
            Self::RookFile => "file of the rook",
            Self::RookOnSeventh => "rook on the seventh rank",
            Self::TrappedRook => "trapped rook",
            Self::ExposedQueen => "exposed queen",
            Self::Attacked => "attack",
            Self::PawnPush => "pawn push with attack",
            Self::QueenChase => "squares to attack the queen from",
            Self::Undefended => "undefended piece",
            Self::Pinned => "pin",
            Self::DiscoveredCheck => "discovered check",
            Self::Shelter => "pawns around the king",
            Self::KingPlace => "place of the king",
            Self::KingDefenders => "defenders of the king",
            Self::KingLines => "open lines to the king",
            Self::KingMoves => "squares of the king",
            Self::Castling => "castling",
            Self::KingAttackers => "attackers of the king",
            Self::SafeChecks => "safe checks by the opponent",
            Self::UnsafeChecks => "other checks by the opponent",
            Self::AttacksNearKing => "attacked squares near the king",
            Self::PawnsAtKing => "pawns at the king",
            Self::Space => "space",
            Self::Contested => "contested squares",
            Self::Centre => "centre",
            Self::Tempo => "the move",
        }
    }

    /// Whether both kings or both sides always have a fact of the topic, so that only the difference means something.
    pub const fn is_of_both_sides(self) -> bool {
        matches!(
            self,
            Self::PawnFormation
                | Self::PawnIslands
                | Self::PawnsOnOneWing
                | Self::Shelter
                | Self::KingPlace
                | Self::KingDefenders
                | Self::KingLines
                | Self::KingMoves
                | Self::Castling
                | Self::KingAttackers
                | Self::SafeChecks
                | Self::UnsafeChecks
                | Self::AttacksNearKing
                | Self::PawnsAtKing
                | Self::Space
                | Self::Contested
                | Self::Centre
        )
    }

    /// Whether facts of the topic are about one piece, pawn or king each; others are about a side.
    pub(super) const fn has_subject(self) -> bool {
        !matches!(
            self,
            Self::Material
                | Self::BishopPair
                | Self::Ending
                | Self::PawnFormation
                | Self::PawnIslands
                | Self::PawnsOnOneWing
                | Self::QueenChase
                | Self::Space
                | Self::Contested
                | Self::Centre
                | Self::Tempo
        )
    }
}
