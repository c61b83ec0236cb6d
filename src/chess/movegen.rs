//! Legal move generation by pin and check masks. One generator serves move lists and move counts through [`MoveSink`].

use shakmaty::{Bitboard, CastlingSide, Color, Role, Square, attacks};

use super::board::Position;
use super::checks::Checks;
use super::masks::{PawnTargets, SidePieces, ahead, castle, last_rank};
use super::moves::{Move, MoveKind, MoveList};

/// Which moves to generate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GenType {
    /// Captures and promotions.
    Noisy,
    /// Everything else.
    Quiet,
    /// Both.
    All,
}

/// Receives the generated moves.
pub(crate) trait MoveSink {
    /// The moves of a piece other than a pawn; targets among `them` are captures.
    fn piece(&mut self, from: Square, targets: Bitboard, them: Bitboard);
    fn pawns<const WHITE: bool>(&mut self, targets: PawnTargets);
    /// Castling or en passant.
    fn single(&mut self, mv: Move);
}

impl MoveSink for MoveList {
    #[inline]
    fn piece(&mut self, from: Square, targets: Bitboard, them: Bitboard) {
        for to in targets & them {
            self.push(Move::new(from, to, MoveKind::Capture));
        }
        for to in targets & !them {
            self.push(Move::new(from, to, MoveKind::Quiet));
        }
    }

    #[inline]
    fn pawns<const WHITE: bool>(&mut self, targets: PawnTargets) {
        let step = PawnTargets::step::<WHITE>();
        let (west, east) = (step - 1, step + 1);
        let last = last_rank::<WHITE>();
        let PawnTargets {
            pushes,
            doubles,
            west: captures_west,
            east: captures_east,
        } = targets;
        push_pawns(self, pushes & !last, step, MoveKind::Quiet);
        push_pawns(self, doubles, 2 * step, MoveKind::DoublePush);
        push_pawns(self, captures_west & !last, west, MoveKind::Capture);
        push_pawns(self, captures_east & !last, east, MoveKind::Capture);
        if ((pushes | captures_west | captures_east) & last).any() {
            push_promotions(self, captures_west & last, west, CAPTURE_PROMOTIONS);
            push_promotions(self, captures_east & last, east, CAPTURE_PROMOTIONS);
            push_promotions(self, pushes & last, step, QUIET_PROMOTIONS);
        }
    }

    #[inline]
    fn single(&mut self, mv: Move) {
        self.push(mv);
    }
}

const CAPTURE_PROMOTIONS: [MoveKind; 4] = [
    MoveKind::QueenCapturePromotion,
    MoveKind::KnightCapturePromotion,
    MoveKind::RookCapturePromotion,
    MoveKind::BishopCapturePromotion,
];
const QUIET_PROMOTIONS: [MoveKind; 4] = [
    MoveKind::QueenPromotion,
    MoveKind::KnightPromotion,
    MoveKind::RookPromotion,
    MoveKind::BishopPromotion,
];

#[inline]
fn push_pawns(list: &mut MoveList, targets: Bitboard, delta: i32, kind: MoveKind) {
    for to in targets {
        list.push(Move::new(origin(to, delta), to, kind));
    }
}

#[inline]
fn push_promotions(list: &mut MoveList, targets: Bitboard, delta: i32, kinds: [MoveKind; 4]) {
    for to in targets {
        for kind in kinds {
            list.push(Move::new(origin(to, delta), to, kind));
        }
    }
}

/// The origin of a pawn move to `to`.
#[inline]
pub(crate) const fn origin(to: Square, delta: i32) -> Square {
    Square::new((to as i32 - delta) as u32 & 63)
}

/// Keeps the moves of [`Position::generate_check_candidates`].
struct CheckCandidates<'a> {
    list: &'a mut MoveList,
    position: &'a Position,
    checks: &'a Checks,
}

impl MoveSink for CheckCandidates<'_> {
    #[inline]
    fn piece(&mut self, from: Square, targets: Bitboard, them: Bitboard) {
        if let Some(piece) = self.position.piece_on(from) {
            let checking = self.checks.targets(piece.role(), from);
            self.list.piece(from, targets & checking, them);
        }
    }

    #[inline]
    fn pawns<const WHITE: bool>(&mut self, targets: PawnTargets) {
        let squares = self.checks.squares(Role::Pawn);
        let discovered = ahead::<WHITE>(self.checks.discoverers());
        self.list.pawns::<WHITE>(PawnTargets {
            pushes: targets.pushes & (squares | discovered),
            doubles: targets.doubles & (squares | ahead::<WHITE>(discovered)),
            ..targets
        });
    }

    #[inline]
    fn single(&mut self, mv: Move) {
        self.list.single(mv);
    }
}

#[derive(Default)]
struct Counter(usize);

impl MoveSink for Counter {
    #[inline]
    fn piece(&mut self, _from: Square, targets: Bitboard, _them: Bitboard) {
        self.0 += targets.count();
    }
    #[inline]
    fn pawns<const WHITE: bool>(&mut self, targets: PawnTargets) {
        self.0 += targets.count::<WHITE>();
    }
    #[inline]
    fn single(&mut self, _mv: Move) {
        self.0 += 1;
    }
}

impl Position {
    #[must_use]
    pub fn legal_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        self.generate(GenType::All, &mut list);
        list
    }

    /// Appends the legal moves of a type to a list.
    #[doc(hidden)]
    pub fn generate(&self, gen_type: GenType, list: &mut MoveList) {
        self.generate_into(gen_type, list);
    }

    /// Appends the quiet moves that may give check, in the order of [`Self::generate`]: those that do, castling, and moves of
    /// pawns that could discover a check.
    #[doc(hidden)]
    pub fn generate_check_candidates(&self, checks: &Checks, list: &mut MoveList) {
        let mut sink = CheckCandidates {
            list,
            position: self,
            checks,
        };
        self.generate_into(GenType::Quiet, &mut sink);
    }

    /// The number of legal moves, without listing them.
    #[must_use]
    pub fn count_legal_moves(&self) -> usize {
        let mut counter = Counter::default();
        self.generate_into(GenType::All, &mut counter);
        counter.0
    }

    /// Whether there is a legal move; without one the game is over.
    #[must_use]
    pub fn has_legal_move(&self) -> bool {
        self.count_legal_moves() > 0
    }

    #[inline]
    pub(crate) fn generate_into<S: MoveSink>(&self, gen_type: GenType, sink: &mut S) {
        match (self.turn, gen_type) {
            (Color::White, GenType::Noisy) => generate::<S, true, true, false>(self, sink),
            (Color::White, GenType::Quiet) => generate::<S, true, false, true>(self, sink),
            (Color::White, GenType::All) => generate::<S, true, true, true>(self, sink),
            (Color::Black, GenType::Noisy) => generate::<S, false, true, false>(self, sink),
            (Color::Black, GenType::Quiet) => generate::<S, false, false, true>(self, sink),
            (Color::Black, GenType::All) => generate::<S, false, true, true>(self, sink),
        }
    }

    /// Every square that a colour attacks, with `occupied` as blockers.
    #[must_use]
    #[doc(hidden)]
    pub fn attacked_by(&self, color: Color, occupied: Bitboard) -> Bitboard {
        let side = self.side(color);
        match color {
            Color::White => side.attacks::<true>(occupied),
            Color::Black => side.attacks::<false>(occupied),
        }
    }

    #[inline]
    fn side(&self, color: Color) -> SidePieces {
        let own = self.by_color(color);
        SidePieces {
            pawns: own & self.by_role(Role::Pawn),
            knights: own & self.by_role(Role::Knight),
            orthogonal: own & self.orthogonal(),
            diagonal: own & self.diagonal(),
            king: self.king(color),
        }
    }
}

fn generate<S: MoveSink, const WHITE: bool, const NOISY: bool, const QUIET: bool>(
    position: &Position,
    sink: &mut S,
) {
    let us = if WHITE { Color::White } else { Color::Black };
    let own = position.by_color(us);
    let them = position.by_color(!us);
    let occupied = own | them;
    let king = position.king(us);

    // The king moves to squares that the enemy does not attack with the king removed. The attacks are computed only if the
    // king has a target, and without castling only near the king.
    let wanted = piece_targets::<NOISY, QUIET>(occupied, them);
    let steps = attacks::king_attacks(king) & wanted;
    let mut castlers = Bitboard::EMPTY;
    if QUIET && position.castling[us as usize] != 0 {
        for side in CastlingSide::ALL {
            if let Some(rook) = position.castling_rook(us, side)
                && position.is_castling_open::<WHITE>(king, rook)
            {
                castlers.add(rook);
            }
        }
    }
    if steps.any() || castlers.any() {
        let mut enemy = position.side(!us);
        if castlers.is_empty() {
            enemy = enemy.near(king);
        }
        let through = occupied.without(king);
        let danger = if WHITE {
            enemy.attacks::<false>(through)
        } else {
            enemy.attacks::<true>(through)
        };
        sink.piece(king, steps & !danger, them);
        // King side first.
        for rook in castlers.into_iter().rev() {
            if (castle::<WHITE>(king, rook).king_path & danger).is_empty() {
                sink.single(Move::new(king, rook, MoveKind::Castle));
            }
        }
    }
    if position.checkers().more_than_one() {
        return;
    }

    let mask = position.check_mask(king);
    let targets = wanted & mask;
    let pinned = position.pinned();
    for from in own & position.by_role(Role::Knight) & !pinned {
        let to = attacks::knight_attacks(from) & targets;
        sink.piece(from, to, them);
    }
    for from in own & position.diagonal() {
        let mut to = attacks::bishop_attacks(from, occupied) & targets;
        if pinned.contains(from) {
            to &= attacks::ray(king, from);
        }
        sink.piece(from, to, them);
    }
    for from in own & position.orthogonal() {
        let mut to = attacks::rook_attacks(from, occupied) & targets;
        if pinned.contains(from) {
            to &= attacks::ray(king, from);
        }
        sink.piece(from, to, them);
    }

    let pawns = own & position.by_role(Role::Pawn);
    let pawn_moves = |pawns: Bitboard, mask: Bitboard| {
        let all = PawnTargets::of::<WHITE>(pawns, mask, occupied, them);
        pawn_targets::<WHITE, NOISY, QUIET>(all)
    };
    sink.pawns::<WHITE>(pawn_moves(pawns & !pinned, mask));
    for from in pawns & pinned {
        let line = mask & attacks::ray(king, from);
        sink.pawns::<WHITE>(pawn_moves(Bitboard::from_square(from), line));
    }
    if NOISY && let Some(target) = position.ep_square() {
        for from in attacks::pawn_attacks(!us, target) & pawns {
            if position.en_passant_is_safe(from, target) {
                sink.single(Move::new(from, target, MoveKind::EnPassant));
            }
        }
    }
}

/// The targets of a type, for pieces other than pawns.
#[inline]
fn piece_targets<const NOISY: bool, const QUIET: bool>(
    occupied: Bitboard,
    them: Bitboard,
) -> Bitboard {
    match (NOISY, QUIET) {
        (true, true) => them | !occupied,
        (true, false) => them,
        _ => !occupied,
    }
}

/// The targets of a type, for pawns.
#[inline]
fn pawn_targets<const WHITE: bool, const NOISY: bool, const QUIET: bool>(
    all: PawnTargets,
) -> PawnTargets {
    let none = Bitboard::EMPTY;
    let last = last_rank::<WHITE>();
    match (NOISY, QUIET) {
        (true, true) => all,
        (true, false) => PawnTargets {
            pushes: all.pushes & last,
            doubles: none,
            ..all
        },
        _ => PawnTargets {
            pushes: all.pushes & !last,
            west: none,
            east: none,
            ..all
        },
    }
}
