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

impl Kind {
    /// Whether it is a mate with a name of its own, such as a smothered mate.
    pub(in crate::explain) fn is_named_mate(self) -> bool {
        self.name().ends_with("_mate")
    }
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
///
/// `squares` are those of the pieces that make it, then empty ones; `pieces` stand on the first of them in
/// [`Motif::position`]:
///
/// | kind | squares | position |
/// |---|---|---|
/// | fork | the forking piece, what it attacks | after the move |
/// | pin | the pinning piece, the pinned one, the king or piece behind; what the pinned one cannot take | after the move |
/// | skewer | the attacking piece, the one in front, the one behind | after the move |
/// | discovered attack | the attacking piece, what it attacks, the piece that moved | after the move |
/// | discovered check, double check | the king, the checking pieces; then the piece that moved | after the move |
/// | x-ray attack | the attacking piece, the enemy piece that it looks through, what it protects | after the move |
/// | trapped piece | the piece | after the move |
/// | deflection | the piece drawn away, what it guarded | after the move |
/// | interference | the defender, what it defended, the square between | after the move |
/// | hanging piece | the piece, its capturer | before the move |
/// | capturing defender | the defender, what it defended | before the move |
/// | intermezzo | the piece to be taken, its capturer | before the move |
/// | attraction | the piece drawn to its square; where it came from | after the reply |
/// | sacrifice | the piece that has taken | after the reply |
/// | clearance | the piece that uses the cleared square; that square, its goal | after the reply |
/// | attacking f2 or f7 | the capturer, the king | after the move |
/// | exposed king | the king, the piece that checks | after the move |
/// | named mates | the king, the mating piece, what the picture needs | after the move |
/// | others | the piece that moved | after the move |
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Motif {
    pub kind: Kind,
    /// The index in the line of the move that shows it.
    pub ply: usize,
    /// The side that profits.
    pub side: Color,
    pub squares: Vec<Square>,
    pub pieces: Vec<Piece>,
    /// The material won from the move to the end of the line, in centipawns; for [`Kind::Mate`] the moves to mate, for
    /// [`Kind::Zugzwang`] what the opponent would save by passing.
    pub numbers: Vec<i32>,
}

impl Kind {
    /// From the position before the move that shows the motif to [`Motif::position`].
    pub(super) const fn plies_later(self) -> usize {
        match self {
            Self::HangingPiece | Self::CapturingDefender | Self::Intermezzo => 0,
            Self::Attraction | Self::Sacrifice | Self::Clearance => 2,
            _ => 1,
        }
    }
}
