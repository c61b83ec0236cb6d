//! The kinds of motifs and what a motif consists of.

use std::fmt;

use serde::{Serialize, Serializer};

use crate::chess::{Color, Piece, Square};

macro_rules! kinds {
    ($($kind:ident $name:literal),* $(,)?) => {
        /// The kind of a motif. The names are lichess's puzzle themes in snake case.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Kind { $($kind),* }

        impl Kind {
            pub const ALL: &[Self] = &[$(Self::$kind),*];

            /// The name in JSON.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$kind => $name),* }
            }
        }
    };
}

kinds! {
    BackRankMate "back_rank_mate",
    SmotheredMate "smothered_mate",
    AnastasiaMate "anastasia_mate",
    ArabianMate "arabian_mate",
    BodenMate "boden_mate",
    DoubleBishopMate "double_bishop_mate",
    DovetailMate "dovetail_mate",
    HookMate "hook_mate",
    OperaMate "opera_mate",
    PillsburysMate "pillsburys_mate",
    MorphysMate "morphys_mate",
    TriangleMate "triangle_mate",
    KillBoxMate "kill_box_mate",
    VukovicMate "vukovic_mate",
    BlindSwineMate "blind_swine_mate",
    BalestraMate "balestra_mate",
    Mate "mate",
    DoubleCheck "double_check",
    DiscoveredCheck "discovered_check",
    DiscoveredAttack "discovered_attack",
    Fork "fork",
    Skewer "skewer",
    Pin "pin",
    XRayAttack "x_ray_attack",
    TrappedPiece "trapped_piece",
    Deflection "deflection",
    Attraction "attraction",
    CapturingDefender "capturing_defender",
    Interference "interference",
    Clearance "clearance",
    Intermezzo "intermezzo",
    HangingPiece "hanging_piece",
    UnderPromotion "under_promotion",
    Promotion "promotion",
    AdvancedPawn "advanced_pawn",
    EnPassant "en_passant",
    Castling "castling",
    Sacrifice "sacrifice",
    AttackingF2F7 "attacking_f2_f7",
    ExposedKing "exposed_king",
    Zugzwang "zugzwang",
    QuietMove "quiet_move",
    DefensiveMove "defensive_move",
    OnlyMove "only_move",
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl Serialize for Kind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// A motif in a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Motif {
    pub kind: Kind,
    /// The index in the line of the move that shows it.
    pub ply: usize,
    /// The side that profits.
    pub side: Color,
    /// The squares that make it, in the order that the kind gives them ([`Kind`]).
    pub squares: Vec<Square>,
    /// The pieces on these squares.
    pub pieces: Vec<Piece>,
    /// Centipawns won, or the number of moves to mate.
    pub numbers: Vec<i32>,
}
