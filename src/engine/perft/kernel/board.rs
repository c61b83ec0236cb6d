//! The kernel's board: eight bitboards, by kind of piece and by colour; a queen is both kinds of slider on one square. The
//! moving kind is a constant parameter, so that a child is a copy and two or three exclusive ors.

use crate::chess::masks::{PawnTargets, SidePieces, east, last_rank, west};
use crate::chess::{Bitboard, CastlingSide, Color, Move, MoveKind, Position, Rank, Role, Square};

// Kinds of pieces, and their words of the board.
pub(super) const PAWNS: usize = 0;
pub(super) const KNIGHTS: usize = 1;
pub(super) const DIAGONAL: usize = 2;
pub(super) const ORTHOGONAL: usize = 3;
pub(super) const KINGS: usize = 4;
/// A kind without a word: queens are in `DIAGONAL` and `ORTHOGONAL`.
pub(super) const QUEENS: usize = 8;

/// All black pieces; the next word is all white pieces.
const COLORS: usize = 5;
/// The rooks with castling rights, on the back ranks, and the en passant square, never there.
const SPECIAL: usize = 7;
const BACK_RANKS: Bitboard = Bitboard(0xff00_0000_0000_00ff);

/// A position without its side to move, which is a constant parameter.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(super) struct Board([Bitboard; 8]);

impl Board {
    pub(super) fn of(position: &Position) -> Self {
        let rooks = Color::ALL.into_iter().flat_map(|color| {
            let rook = move |side| position.castling_rook(color, side);
            CastlingSide::ALL.into_iter().filter_map(rook)
        });
        Self([
            position.by_role(Role::Pawn),
            position.by_role(Role::Knight),
            position.diagonal(),
            position.orthogonal(),
            position.by_role(Role::King),
            position.by_color(Color::Black),
            position.by_color(Color::White),
            rooks.chain(position.ep_square()).collect(),
        ])
    }

    /// The pieces of a kind, of both colours.
    #[inline]
    pub(super) fn pieces(&self, kind: usize) -> Bitboard {
        self.0[kind]
    }

    /// The pieces of this side, and of the other.
    #[inline]
    pub(super) fn colors<const WHITE: bool>(&self) -> (Bitboard, Bitboard) {
        (self.0[own::<WHITE>()], self.0[COLORS + !WHITE as usize])
    }

    #[inline]
    pub(super) fn side<const WHITE: bool>(&self) -> SidePieces {
        let own = self.0[own::<WHITE>()];
        SidePieces {
            pawns: own & self.0[PAWNS],
            knights: own & self.0[KNIGHTS],
            orthogonal: own & self.0[ORTHOGONAL],
            diagonal: own & self.0[DIAGONAL],
            king: self.king::<WHITE>(),
        }
    }

    #[inline]
    pub(super) fn king<const WHITE: bool>(&self) -> Square {
        square(self.0[KINGS] & self.0[own::<WHITE>()])
    }

    /// The en passant square: a set of one or none.
    #[inline]
    pub(super) fn en_passant(&self) -> Bitboard {
        self.0[SPECIAL] & !BACK_RANKS
    }

    /// The rooks with castling rights.
    #[inline]
    pub(super) fn castling_rooks<const WHITE: bool>(&self) -> Bitboard {
        self.0[SPECIAL] & Bitboard::from_rank(if WHITE { Rank::First } else { Rank::Eighth })
    }

    /// The board after a null move.
    #[inline]
    pub(super) fn after_null_move(&self) -> Self {
        let mut child = *self;
        child.0[SPECIAL] &= BACK_RANKS;
        child
    }

    /// Moves a piece to an empty square, and updates castling rights and en passant.
    #[inline]
    fn move_piece<const WHITE: bool, const KIND: usize>(&mut self, from: Bitboard, to: Bitboard) {
        let change = from | to;
        if KIND == QUEENS {
            self.0[DIAGONAL] ^= change;
            self.0[ORTHOGONAL] ^= change;
        } else {
            self.0[KIND] ^= change;
        }
        self.0[own::<WHITE>()] ^= change;
        let kept = match KIND {
            KINGS => BACK_RANKS & !Bitboard::from_rank(back_rank::<WHITE>()),
            ORTHOGONAL => BACK_RANKS & !from,
            _ => BACK_RANKS,
        };
        self.0[SPECIAL] &= kept;
    }

    /// The board with this square emptied.
    #[inline]
    fn without(&self, square: Bitboard) -> Self {
        Self(self.0.map(|word| word & !square))
    }

    /// Visits the children after quiet moves of the piece on `from`.
    #[inline]
    pub(super) fn each_quiet<const WHITE: bool, const KIND: usize>(
        &self,
        from: Square,
        targets: Bitboard,
        mut visit: impl FnMut(&Self),
    ) {
        for to in singles(targets) {
            let mut child = *self;
            child.move_piece::<WHITE, KIND>(Bitboard::from_square(from), to);
            visit(&child);
        }
    }

    /// Visits the children after captures by the piece on `from`.
    #[inline]
    pub(super) fn each_capture<const WHITE: bool, const KIND: usize>(
        &self,
        from: Square,
        targets: Bitboard,
        mut visit: impl FnMut(&Self),
    ) {
        for to in singles(targets) {
            let mut child = self.without(to);
            child.move_piece::<WHITE, KIND>(Bitboard::from_square(from), to);
            visit(&child);
        }
    }

    /// Visits the children after pawn moves.
    #[inline]
    pub(super) fn each_pawn_move<const WHITE: bool>(
        &self,
        targets: PawnTargets,
        mut visit: impl FnMut(&Self),
    ) {
        let last = last_rank::<WHITE>();
        if ((targets.pushes | targets.west | targets.east) & last).any() {
            self.each_promotion::<WHITE>(targets, &mut visit);
        }
        for to in singles(targets.pushes & !last) {
            let mut child = *self;
            child.move_piece::<WHITE, PAWNS>(back::<WHITE>(to), to);
            visit(&child);
        }
        let beside = self.beside_enemy_pawns::<WHITE>();
        for to in singles(targets.doubles) {
            let mut child = *self;
            child.move_piece::<WHITE, PAWNS>(back::<WHITE>(back::<WHITE>(to)), to);
            child.0[SPECIAL] |= back::<WHITE>(to & beside);
            visit(&child);
        }
        for to in singles(targets.west & !last) {
            let mut child = self.without(to);
            child.move_piece::<WHITE, PAWNS>(back::<WHITE>(east(to)), to);
            visit(&child);
        }
        for to in singles(targets.east & !last) {
            let mut child = self.without(to);
            child.move_piece::<WHITE, PAWNS>(back::<WHITE>(west(to)), to);
            visit(&child);
        }
    }

    fn each_promotion<const WHITE: bool>(
        &self,
        targets: PawnTargets,
        visit: &mut impl FnMut(&Self),
    ) {
        let last = last_rank::<WHITE>();
        let mut promote = |from, to| {
            let mut without_pawn = self.without(to);
            without_pawn.move_piece::<WHITE, PAWNS>(from, to);
            without_pawn.0[PAWNS] ^= to;
            for [one, other] in [
                [DIAGONAL, ORTHOGONAL],
                [KNIGHTS, KNIGHTS],
                [ORTHOGONAL, ORTHOGONAL],
                [DIAGONAL, DIAGONAL],
            ] {
                let mut child = without_pawn;
                child.0[one] |= to;
                child.0[other] |= to;
                visit(&child);
            }
        };
        for to in singles(targets.pushes & last) {
            promote(back::<WHITE>(to), to);
        }
        for to in singles(targets.west & last) {
            promote(back::<WHITE>(east(to)), to);
        }
        for to in singles(targets.east & last) {
            promote(back::<WHITE>(west(to)), to);
        }
    }

    /// The squares beside enemy pawns, where a double push allows en passant.
    #[inline]
    pub(super) fn beside_enemy_pawns<const WHITE: bool>(&self) -> Bitboard {
        let pawns = self.0[PAWNS] & self.colors::<WHITE>().1;
        west(pawns) | east(pawns)
    }

    #[inline]
    pub(super) fn after_en_passant<const WHITE: bool>(&self, from: Bitboard, to: Bitboard) -> Self {
        let mut child = self.without(back::<WHITE>(to));
        child.move_piece::<WHITE, PAWNS>(from, to);
        child
    }

    #[inline]
    pub(super) fn after_castling<const WHITE: bool>(&self, rook: Square) -> Self {
        let mut child = *self;
        let king = self.king::<WHITE>();
        let castling = Move::new(king, rook, MoveKind::Castle);
        let change = |from, to| Bitboard::from_square(from) ^ Bitboard::from_square(to);
        let king_change = change(king, castling.castling_king_to());
        let rook_change = change(rook, castling.castling_rook_to());
        child.0[KINGS] ^= king_change;
        child.0[ORTHOGONAL] ^= rook_change;
        child.0[own::<WHITE>()] ^= king_change ^ rook_change;
        child.0[SPECIAL] &= BACK_RANKS & !Bitboard::from_rank(back_rank::<WHITE>());
        child
    }
}

/// The word of a side's pieces.
#[inline]
const fn own<const WHITE: bool>() -> usize {
    COLORS + WHITE as usize
}

#[inline]
const fn back_rank<const WHITE: bool>() -> Rank {
    if WHITE { Rank::First } else { Rank::Eighth }
}

/// Every square, one rank back.
#[inline]
pub(super) const fn back<const WHITE: bool>(squares: Bitboard) -> Bitboard {
    Bitboard(if WHITE {
        squares.0 >> 8
    } else {
        squares.0 << 8
    })
}

/// The squares of a set, each as a set of one.
#[inline]
pub(super) fn singles(mut set: Bitboard) -> impl Iterator<Item = Bitboard> {
    std::iter::from_fn(move || {
        let single = Bitboard(set.0 & set.0.wrapping_neg());
        set ^= single;
        single.any().then_some(single)
    })
}

/// The only square of a set.
#[inline]
const fn square(single: Bitboard) -> Square {
    Square::new(single.0.trailing_zeros() & 63)
}
