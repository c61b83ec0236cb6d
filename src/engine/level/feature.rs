//! The features of a move that a level weighs, by name. A level is linear in them.

/// What a feature is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Group {
    /// What searches of small depth show.
    Sees,
    /// Which replies are overlooked.
    Overlooks,
    /// Differences of the evaluation's concepts.
    Judges,
    /// What draws attention to a move.
    Attends,
}

impl Group {
    /// Every group.
    pub const ALL: [Self; 4] = [Self::Sees, Self::Overlooks, Self::Judges, Self::Attends];

    /// The name in files and texts.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sees => "sees",
            Self::Overlooks => "overlooks",
            Self::Judges => "judges",
            Self::Attends => "attends",
        }
    }
}

/// Declares the features: variant, group, key in files, words for people.
macro_rules! features {
    ($($variant:ident $group:ident $key:literal $words:literal)*) => {
        /// A feature of a move.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum Feature { $($variant),* }

        impl Feature {
            /// Every feature, in the order of their indices.
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];

            /// What the feature is about.
            pub const fn group(self) -> Group {
                match self { $(Self::$variant => Group::$group),* }
            }

            /// The name in files.
            pub const fn key(self) -> &'static str {
                match self { $(Self::$variant => $key),* }
            }

            /// The words for people, with the unit.
            pub const fn words(self) -> &'static str {
                match self { $(Self::$variant => $words),* }
            }
        }
    };
}

features! {
    Loss1 Sees "loss_1" "expected points lost at depth 1"
    Loss2 Sees "loss_2" "expected points lost at depth 2"
    Loss4 Sees "loss_4" "expected points lost at depth 4"
    Slip1 Sees "slip_1" "square root of the expected points lost at depth 1"
    Slip2 Sees "slip_2" "square root of the expected points lost at depth 2"
    Slip4 Sees "slip_4" "square root of the expected points lost at depth 4"
    Pawns1 Sees "pawns_1" "pawns lost at depth 1, at most 9"
    Pawns4 Sees "pawns_4" "pawns lost at depth 4, at most 9"
    Best1 Sees "best_1" "the best move at depth 1"
    Best2 Sees "best_2" "the best move at depth 2"
    Best4 Sees "best_4" "the best move at depth 4"
    Clear1 Sees "clear_1" "expected points by which the best move at depth 1 leads"
    Clear4 Sees "clear_4" "expected points by which the best move at depth 4 leads"
    Near1 Sees "near_1" "loses at most 0.02 expected points at depth 1"
    Near4 Sees "near_4" "loses at most 0.02 expected points at depth 4"
    BestSearch Sees "best_search" "the best move of the level's own search"
    SecondSearch Sees "second_search" "the second-best move of the level's own search"
    ThirdSearch Sees "third_search" "the third-best move of the level's own search"
    LossSearch Sees "loss_search" "expected points lost by the level's own search"
    SlipSearch Sees "slip_search" "square root of the expected points lost by the level's own search"
    ClearSearch Sees "clear_search" "expected points by which the best move of the level's own search leads"
    BestDeep Sees "best_deep" "the best move of the level's longer search"
    SecondDeep Sees "second_deep" "the second-best move of the level's longer search"
    ThirdDeep Sees "third_deep" "the third-best move of the level's longer search"
    FourthDeep Sees "fourth_deep" "the fourth-best move of the level's longer search"
    LossDeep Sees "loss_deep" "expected points lost by the level's longer search"
    SlipDeep Sees "slip_deep" "square root of the expected points lost by the level's longer search"
    ClearDeep Sees "clear_deep" "expected points by which the best move of the level's longer search leads"
    Second1 Sees "second_1" "the second-best move at depth 1"
    Second4 Sees "second_4" "the second-best move at depth 4"
    Third4 Sees "third_4" "the third-best move at depth 4"
    Lower4 Sees "lower_4" "not among the ten best moves at depth 4"
    Over05 Sees "over_05" "loses at least 0.05 expected points at depth 4"
    Over10 Sees "over_10" "loses at least 0.10 expected points at depth 4"
    Over20 Sees "over_20" "loses at least 0.20 expected points at depth 4"
    Over30 Sees "over_30" "loses at least 0.30 expected points at depth 4"
    SlipEnding Sees "slip_ending" "square root of the loss at depth 4, by how far the game is in the endgame"
    SlipAhead Sees "slip_ahead" "square root of the loss at depth 4, by the pawns that the mover is ahead"
    SlipCapture Sees "slip_capture" "square root of the loss at depth 4, of captures"
    SlipCheck Sees "slip_check" "square root of the loss at depth 4, of checks"
    SlipRecapture Sees "slip_recapture" "square root of the loss at depth 4, of recaptures"
    SlipInCheck Sees "slip_in_check" "square root of the loss at depth 4, when in check"
    SlipChoice Sees "slip_choice" "square root of the loss at depth 4, by tens of legal moves"
    QueenLeft Sees "queen_left" "leaves eight pawns or more to a capture and loses at least 0.30 expected points"
    Mates Sees "mates" "checkmate"
    UnseenBackward Overlooks "unseen_backward" "expected points lost to a long backward move"
    UnseenDiscovery Overlooks "unseen_discovery" "expected points lost to a discovered line"
    UnseenPin Overlooks "unseen_pin" "expected points lost because a defender is pinned"
    UnseenQuiet Overlooks "unseen_quiet" "expected points lost to a quiet threat"
    UnseenFork Overlooks "unseen_fork" "expected points lost to a fork by a retreat"
    UnseenEnPassant Overlooks "unseen_en_passant" "expected points lost to an en passant capture"
    Material Judges "material" "pawns"
    PawnStructure Judges "pawn_structure" "pawns"
    PassedPawns Judges "passed_pawns" "pawns"
    PieceActivity Judges "piece_activity" "pawns"
    Outposts Judges "outposts" "pawns"
    Bishops Judges "bishops" "pawns"
    Rooks Judges "rooks" "pawns"
    KingShelter Judges "king_shelter" "pawns"
    KingAttack Judges "king_attack" "pawns"
    Threats Judges "threats" "pawns"
    Space Judges "space" "pawns"
    Development Judges "development" "pawns"
    Endgame Judges "endgame" "pawns"
    KingActivity Judges "king_activity" "pawns"
    Book Attends "book" "is in the opening book, by the logarithm of how often"
    Capture Attends "capture" "captures"
    CaptureValue Attends "capture_value" "captures, by the pawns that the piece is worth"
    ExchangeGain Attends "exchange_gain" "pawns gained by the exchange"
    ExchangeLoss Attends "exchange_loss" "pawns lost by the exchange"
    Recapture Attends "recapture" "recaptures"
    TakesLast Attends "takes_last" "captures the piece that has just moved without capturing"
    RecaptureValue Attends "recapture_value" "recaptures, by the pawns that the piece is worth"
    RecapturePawn Attends "recapture_pawn" "recaptures with a pawn"
    TakesLoose Attends "takes_loose" "captures an unprotected piece"
    TakesMore Attends "takes_more" "captures a piece worth more than its own"
    TakesPawn Attends "takes_pawn" "captures a pawn"
    PawnTakes Attends "pawn_takes" "captures with a pawn"
    PawnTakesCentre Attends "pawn_takes_centre" "captures with a pawn toward the centre"
    EqualTrade Attends "equal_trade" "exchanges pieces of equal value"
    TradeAhead Attends "trade_ahead" "exchanges, by the pawns that the mover is ahead"
    QueenTrade Attends "queen_trade" "exchanges queens"
    Check Attends "check" "gives check"
    SafeCheck Attends "safe_check" "gives check and loses nothing in the exchange"
    CheckCapture Attends "check_capture" "captures with check"
    CheckQueen Attends "check_queen" "gives check with the queen"
    EnPassant Attends "en_passant" "captures en passant"
    Promotion Attends "promotion" "promotes to a queen"
    Underpromotion Attends "underpromotion" "promotes to another piece"
    CastleShort Attends "castle_short" "castles on the king side"
    CastleLong Attends "castle_long" "castles on the queen side"
    LosesCastling Attends "loses_castling" "moves the king and loses the right to castle"
    KingMiddlegame Attends "king_middlegame" "moves the king in the middlegame, in parts of the phase"
    Escapes Attends "escapes" "moves an attacked piece away, by the pawns at risk"
    HangsMoved Attends "hangs_moved" "pawns at risk on the target square"
    HangsOld Attends "hangs_old" "pawns left at risk that were at risk before"
    HangsNew Attends "hangs_new" "pawns newly at risk elsewhere"
    Rescues Attends "rescues" "pawns elsewhere that are no longer at risk"
    Threatens Attends "threatens" "pawns that the moved piece threatens to win"
    ThreatensOther Attends "threatens_other" "pawns that another piece newly threatens to win"
    AttacksQueen Attends "attacks_queen" "attacks the queen with a lesser piece"
    AttacksPieces Attends "attacks_pieces" "pieces newly attacked"
    AttacksLoosePawns Attends "attacks_loose_pawns" "unprotected pawns newly attacked"
    Protects Attends "protects" "attacked own pieces newly protected"
    Forks Attends "forks" "threatens two pieces or more"
    AttacksLast Attends "attacks_last" "attacks the piece that has just moved"
    FleesLast Attends "flees_last" "moves a piece that the last move attacked"
    FleesThreat Attends "flees_threat" "moves a piece that the last move attacked, by the pawns at risk"
    NearLast Attends "near_last" "moves to within two squares of the last move"
    Backward Attends "backward" "moves backward"
    Distance Attends "distance" "the length of the move in king steps"
    LongMove Attends "long_move" "moves four squares or more"
    KnightBackward Attends "knight_backward" "moves a knight backward"
    KnightRim Attends "knight_rim" "moves a knight to the edge"
    SamePiece Attends "same_piece" "moves the same piece again"
    Undoes Attends "undoes" "takes the last own move back"
    Repeats Attends "repeats" "repeats a position"
    OntoPawnGuard Attends "onto_pawn_guard" "moves a piece to a square that a pawn attacks"
    OntoAttacked Attends "onto_attacked" "moves to a square that a piece attacks"
    Unprotected Attends "unprotected" "moves to a square without protection"
    TowardCentre Attends "toward_centre" "king steps nearer to the centre"
    TowardKing Attends "toward_king" "king steps nearer to the enemy king"
    NearKing Attends "near_king" "squares next to the enemy king newly attacked"
    Mobility Attends "mobility" "squares that the moved piece gains"
    PawnTwo Attends "pawn_two" "moves a pawn two squares"
    PawnRim Attends "pawn_rim" "moves a rook's pawn"
    PawnCentre Attends "pawn_centre" "moves a king's or queen's pawn"
    PawnShield Attends "pawn_shield" "moves a pawn in front of the own king"
    PawnStorm Attends "pawn_storm" "advances a pawn near the enemy king"
    PassedPush Attends "passed_push" "advances a passed pawn, by its rank"
    PawnKick Attends "pawn_kick" "attacks a piece with a pawn"
    PawnBreak Attends "pawn_break" "attacks a pawn with a pawn"
    Develops Attends "develops" "moves a knight or bishop off the first rank"
    RookOpen Attends "rook_open" "moves a rook to an open file"
    RookHalfOpen Attends "rook_half_open" "moves a rook to a half-open file"
    RookSeventh Attends "rook_seventh" "moves a rook to the seventh rank"
    QueenEarly Attends "queen_early" "moves the queen before move ten"
    Pins Attends "pins" "pins or skewers a piece"
    Blocks Attends "blocks" "blocks a check"
    CheckKing Attends "check_king" "moves the king out of check"
    CheckTakes Attends "check_takes" "captures the piece that gives check"
    PawnMove Attends "pawn_move" "moves a pawn"
    KnightMove Attends "knight_move" "moves a knight"
    BishopMove Attends "bishop_move" "moves a bishop"
    RookMove Attends "rook_move" "moves a rook"
    QueenMove Attends "queen_move" "moves a queen"
    KingMove Attends "king_move" "moves the king"
    PawnEnding Attends "pawn_ending" "moves a pawn, by how far the game is in the endgame"
    KnightEnding Attends "knight_ending" "moves a knight, by how far the game is in the endgame"
    BishopEnding Attends "bishop_ending" "moves a bishop, by how far the game is in the endgame"
    RookEnding Attends "rook_ending" "moves a rook, by how far the game is in the endgame"
    QueenEnding Attends "queen_ending" "moves a queen, by how far the game is in the endgame"
    CaptureEnding Attends "capture_ending" "captures, by how far the game is in the endgame"
    CheckEnding Attends "check_ending" "gives check, by how far the game is in the endgame"
    PassedEnding Attends "passed_ending" "advances a passed pawn, by its rank and by how far the game is in the endgame"
    CaptureAhead Attends "capture_ahead" "captures, by the pawns that the mover is ahead"
    CheckAhead Attends "check_ahead" "gives check, by the pawns that the mover is ahead"
    WinsPawn Attends "wins_pawn" "wins a pawn or more by the exchange"
    LosesPawn Attends "loses_pawn" "loses a pawn or more by the exchange"
    HangsAny Attends "hangs_any" "leaves a pawn or more at risk on the target square"
    HangsElsewhere Attends "hangs_elsewhere" "leaves a pawn or more at risk elsewhere"
    EscapesAny Attends "escapes_any" "moves an attacked piece away"
    EscapesSafe Attends "escapes_safe" "moves an attacked piece to a square where nothing is at risk"
    SameCaptures Attends "same_captures" "captures with the piece that moved last"
    NearOwnLast Attends "near_own_last" "moves to within two squares of the own last move"
    PawnProtected Attends "pawn_protected" "moves to a square that an own pawn protects"
    OntoLesser Attends "onto_lesser" "moves to a square that a lesser piece attacks"
    BackwardSafe Attends "backward_safe" "moves a piece backward that was not attacked"
    KingForward Attends "king_forward" "moves the king forward, by how far the game is in the endgame"
    RecaptureBest Attends "recapture_best" "recaptures and loses nothing in the exchange"
    OpeningPawn Attends "opening_pawn" "moves a pawn, by how far the game is in the opening"
    OpeningKnight Attends "opening_knight" "moves a knight, by how far the game is in the opening"
    OpeningBishop Attends "opening_bishop" "moves a bishop, by how far the game is in the opening"
    OpeningQueen Attends "opening_queen" "moves the queen, by how far the game is in the opening"
    QuietAhead Attends "quiet_ahead" "no capture or check, by the pawns that the mover is ahead"
    ThreatsCapture Attends "threats_capture" "captures, by the change of threats in pawns"
    BookGambit Attends "book_gambit" "is in the opening book and loses a pawn or more by the exchange"
    BookSlip Sees "book_slip" "moves of the opening book, by the square root of the loss at depth 2"
    BookOpening Attends "book_opening" "is in the opening book, by how far the game is in the opening"
    Counterattack Attends "counterattack" "attacks pieces, by the pawns left at risk that were at risk before"
    CaptureAttacks Attends "capture_attacks" "captures, by the pieces newly attacked"
    BestExposed Sees "best_exposed" "the best move at depth 2, if it goes to a square that a piece attacks"
    BestSacrifice Sees "best_sacrifice" "the best move at depth 2, by the pawns lost by the exchange"
    AttacksProtects Attends "attacks_protects" "attacks pieces, by the attacked own pieces newly protected"
    LowerActivity Sees "lower_activity" "not among the ten best moves at depth 4, by the change of piece activity"
    BreakAttacks Attends "break_attacks" "attacks a pawn with a pawn, by the pieces newly attacked"
    CheckDevelops Attends "check_develops" "moves a knight or bishop off the first rank with check"
    TakesLastAgain Attends "takes_last_again" "captures the piece that has just moved with the piece that moved last"
    BestBoth Sees "best_both" "the best move at depth 1 and of the level's longer search"
    ClearNear Sees "clear_near" "within two squares of the last move, by the lead in the level's own search"
    LowerAttacks Sees "lower_attacks" "not among the ten best moves at depth 4, by the pieces newly attacked"
    HangsTwice Attends "hangs_twice" "leaves pawns at risk on the target square, by those left at risk elsewhere"
    SamePawnEnding Attends "same_pawn_ending" "moves the same pawn again, by how far the game is in the endgame"
    LowerWins Sees "lower_wins" "not among the ten best moves at depth 4, but wins a pawn by the exchange"
    FleesAttacks Attends "flees_attacks" "moves a piece that the last move attacked, by the pieces newly attacked"
    CheckChoice Attends "check_choice" "gives check, by tens of legal moves"
    KickLoose Attends "kick_loose" "attacks a piece with a pawn that nothing protects"
    TakesLastGain Attends "takes_last_gain" "captures the piece that has just moved, by the pawns gained by the exchange"
    SlipPawnEnding Sees "slip_pawn_ending" "square root of the loss at depth 4, in a pawn ending"
    SlipDeepPawnEnding Sees "slip_deep_pawn_ending" "square root of the loss by the level's longer search, in a pawn ending"
    BestDeepPawnEnding Sees "best_deep_pawn_ending" "the best move of the level's longer search, in a pawn ending"
    HangsPawnEnding Attends "hangs_pawn_ending" "pawns at risk on the target square, in a pawn ending"
    PawnPawnEnding Attends "pawn_pawn_ending" "moves a pawn, in a pawn ending"
    CapturePawnEnding Attends "capture_pawn_ending" "captures, in a pawn ending"
    PassedPawnEnding Attends "passed_pawn_ending" "advances a passed pawn, by its rank, in a pawn ending"
}

impl Feature {
    /// The number of features.
    pub const COUNT: usize = Self::ALL.len();

    /// The feature with this name in files.
    pub fn from_key(key: &str) -> Option<Self> {
        Self::ALL
            .iter()
            .copied()
            .find(|feature| feature.key() == key)
    }

    /// The features of a group.
    pub fn of(group: Group) -> impl Iterator<Item = Self> {
        let all = Self::ALL.iter().copied();
        all.filter(move |feature| feature.group() == group)
    }
}

/// The values of all features of one move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Features(pub [f32; Feature::COUNT]);

impl Default for Features {
    fn default() -> Self {
        Self([0.0; Feature::COUNT])
    }
}

impl std::ops::Index<Feature> for Features {
    type Output = f32;

    fn index(&self, feature: Feature) -> &f32 {
        &self.0[feature as usize]
    }
}

impl std::ops::IndexMut<Feature> for Features {
    fn index_mut(&mut self, feature: Feature) -> &mut f32 {
        &mut self.0[feature as usize]
    }
}

/// The value of a feature that holds or not.
pub(super) const fn flag(holds: bool) -> f32 {
    if holds { 1.0 } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explain::Concept;

    #[test]
    fn keys_are_unique_and_concepts_are_judged_in_their_order() {
        for (index, feature) in Feature::ALL.iter().enumerate() {
            assert_eq!(*feature as usize, index);
            assert_eq!(Feature::from_key(feature.key()), Some(*feature));
        }
        let judged = Feature::of(Group::Judges).map(Feature::key);
        assert!(judged.eq(Concept::ALL.map(Concept::key)));
    }
}
