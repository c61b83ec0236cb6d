//! Legal move generation by pin and check masks.
//! Uses: board, moves, legality. Used by: perft, search, game.
//! Idea: said once for two consumers: a list writes each move, a counter adds up the bits of the same target sets.

use shakmaty::{Bitboard, CastlingSide, Color, Rank, Role, Square, attacks};

use super::board::Position;
use super::moves::{Move, MoveKind, MoveList};

/// Which moves to generate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Captures and promotions.
    Noisy,
    /// Everything else.
    Quiet,
    /// Both.
    All,
}

/// What takes the generator's findings.
trait Sink {
    /// A piece on `from` may go to these empty and these enemy squares.
    fn piece(&mut self, from: Square, quiet: Bitboard, captures: Bitboard);
    /// Pawns may reach `targets`, each from `delta` squares before.
    fn pawns(&mut self, targets: Bitboard, delta: i32, kind: MoveKind);
    /// Pawns promote on `targets`.
    fn promotions(&mut self, targets: Bitboard, delta: i32, capture: bool);
    /// A single move.
    fn single(&mut self, mv: Move);
}

impl Sink for MoveList {
    #[inline]
    fn piece(&mut self, from: Square, quiet: Bitboard, captures: Bitboard) {
        for to in captures {
            self.push(Move::new(from, to, MoveKind::Capture));
        }
        for to in quiet {
            self.push(Move::new(from, to, MoveKind::Quiet));
        }
    }

    #[inline]
    fn pawns(&mut self, targets: Bitboard, delta: i32, kind: MoveKind) {
        for to in targets {
            self.push(Move::new(origin(to, delta), to, kind));
        }
    }

    #[inline]
    fn promotions(&mut self, targets: Bitboard, delta: i32, capture: bool) {
        let kinds = if capture {
            [
                MoveKind::QueenCapturePromotion,
                MoveKind::KnightCapturePromotion,
                MoveKind::RookCapturePromotion,
                MoveKind::BishopCapturePromotion,
            ]
        } else {
            [
                MoveKind::QueenPromotion,
                MoveKind::KnightPromotion,
                MoveKind::RookPromotion,
                MoveKind::BishopPromotion,
            ]
        };
        for to in targets {
            for kind in kinds {
                self.push(Move::new(origin(to, delta), to, kind));
            }
        }
    }

    #[inline]
    fn single(&mut self, mv: Move) {
        self.push(mv);
    }
}

/// Where a pawn that reaches `to` came from.
#[inline]
const fn origin(to: Square, delta: i32) -> Square {
    Square::new((to as i32 - delta) as u32 & 63)
}

/// Counts moves without writing them.
#[derive(Default)]
struct Counter(usize);

impl Sink for Counter {
    #[inline]
    fn piece(&mut self, _from: Square, quiet: Bitboard, captures: Bitboard) {
        self.0 += (quiet | captures).count();
    }
    #[inline]
    fn pawns(&mut self, targets: Bitboard, _delta: i32, _kind: MoveKind) {
        self.0 += targets.count();
    }
    #[inline]
    fn promotions(&mut self, targets: Bitboard, _delta: i32, _capture: bool) {
        self.0 += 4 * targets.count();
    }
    #[inline]
    fn single(&mut self, _mv: Move) {
        self.0 += 1;
    }
}

impl Position {
    /// Every legal move.
    #[must_use]
    pub fn legal_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        self.generate(Stage::All, &mut list);
        list
    }

    /// Adds the legal moves of a stage to a list.
    pub fn generate(&self, stage: Stage, list: &mut MoveList) {
        self.generate_into(stage, list);
    }

    /// How many legal moves there are, without listing them.
    #[must_use]
    pub fn count_legal_moves(&self) -> usize {
        let mut counter = Counter::default();
        self.generate_into(Stage::All, &mut counter);
        counter.0
    }

    /// Whether there is any legal move: without one the game is over.
    #[must_use]
    pub fn has_legal_move(&self) -> bool {
        self.count_legal_moves() > 0
    }

    #[inline]
    fn generate_into<S: Sink>(&self, stage: Stage, sink: &mut S) {
        match (self.turn, stage) {
            (Color::White, Stage::Noisy) => generate::<S, true, true, false>(self, sink),
            (Color::White, Stage::Quiet) => generate::<S, true, false, true>(self, sink),
            (Color::White, Stage::All) => generate::<S, true, true, true>(self, sink),
            (Color::Black, Stage::Noisy) => generate::<S, false, true, false>(self, sink),
            (Color::Black, Stage::Quiet) => generate::<S, false, false, true>(self, sink),
            (Color::Black, Stage::All) => generate::<S, false, true, true>(self, sink),
        }
    }

    /// Every square that a colour attacks, given what is occupied.
    #[must_use]
    pub fn attacked_by(&self, color: Color, occupied: Bitboard) -> Bitboard {
        let men = self.by_color(color);
        let pawns = men & self.by_role(Role::Pawn);
        let mut attacked = match color {
            Color::White => forward_attacks::<true>(pawns),
            Color::Black => forward_attacks::<false>(pawns),
        } | attacks::king_attacks(self.king(color));
        for square in men & self.by_role(Role::Knight) {
            attacked |= attacks::knight_attacks(square);
        }
        for square in men & self.diagonal() {
            attacked |= attacks::bishop_attacks(square, occupied);
        }
        for square in men & self.orthogonal() {
            attacked |= attacks::rook_attacks(square, occupied);
        }
        attacked
    }
}

const NOT_A_FILE: u64 = 0xfefe_fefe_fefe_fefe;
const NOT_H_FILE: u64 = 0x7f7f_7f7f_7f7f_7f7f;

/// Pawns moved one rank ahead.
#[inline]
const fn ahead<const WHITE: bool>(pawns: Bitboard) -> Bitboard {
    Bitboard(if WHITE { pawns.0 << 8 } else { pawns.0 >> 8 })
}

/// The squares that pawns attack on their left (towards the a file).
#[inline]
const fn ahead_left<const WHITE: bool>(pawns: Bitboard) -> Bitboard {
    Bitboard(if WHITE {
        (pawns.0 & NOT_A_FILE) << 7
    } else {
        (pawns.0 & NOT_A_FILE) >> 9
    })
}

/// The squares that pawns attack on their right (towards the h file).
#[inline]
const fn ahead_right<const WHITE: bool>(pawns: Bitboard) -> Bitboard {
    Bitboard(if WHITE {
        (pawns.0 & NOT_H_FILE) << 9
    } else {
        (pawns.0 & NOT_H_FILE) >> 7
    })
}

#[inline]
fn forward_attacks<const WHITE: bool>(pawns: Bitboard) -> Bitboard {
    ahead_left::<WHITE>(pawns) | ahead_right::<WHITE>(pawns)
}

fn generate<S: Sink, const WHITE: bool, const NOISY: bool, const QUIET: bool>(
    position: &Position,
    sink: &mut S,
) {
    let us = if WHITE { Color::White } else { Color::Black };
    let own = position.by_color(us);
    let them = position.by_color(!us);
    let occupied = own | them;
    let king = position.king(us);

    // The king goes where no enemy looks, seen through the king itself; most nodes need no enemy map at all.
    let wanted = stage_targets::<NOISY, QUIET>(occupied, them);
    let mut danger = None;
    let mut look =
        || *danger.get_or_insert_with(|| position.attacked_by(!us, occupied.without(king)));
    let steps = attacks::king_attacks(king) & wanted;
    if steps.any() {
        let safe = steps & !look();
        sink.piece(king, safe & !occupied, safe & them);
    }
    if position.checkers().more_than_one() {
        return;
    }
    if QUIET && position.castling[us as usize] != 0 {
        for side in CastlingSide::ALL {
            if let Some(rook) = position.castling_rook(us, side)
                && position.may_castle(side, &mut look)
            {
                sink.single(Move::new(king, rook, MoveKind::Castle));
            }
        }
    }

    let mask = position.check_mask(king);
    let targets = wanted & mask;
    let pinned = position.pinned();
    for from in own & position.by_role(Role::Knight) & !pinned {
        let to = attacks::knight_attacks(from) & targets;
        sink.piece(from, to & !occupied, to & them);
    }
    for from in own & position.diagonal() {
        let mut to = attacks::bishop_attacks(from, occupied) & targets;
        if pinned.contains(from) {
            to &= attacks::ray(king, from);
        }
        sink.piece(from, to & !occupied, to & them);
    }
    for from in own & position.orthogonal() {
        let mut to = attacks::rook_attacks(from, occupied) & targets;
        if pinned.contains(from) {
            to &= attacks::ray(king, from);
        }
        sink.piece(from, to & !occupied, to & them);
    }

    let pawns = own & position.by_role(Role::Pawn);
    generate_pawns::<S, WHITE, NOISY, QUIET>(pawns & !pinned, mask, occupied, them, sink);
    for from in pawns & pinned {
        let line = mask & attacks::ray(king, from);
        generate_pawns::<S, WHITE, NOISY, QUIET>(
            Bitboard::from_square(from),
            line,
            occupied,
            them,
            sink,
        );
    }
    if NOISY && let Some(target) = position.ep_square() {
        for from in attacks::pawn_attacks(!us, target) & pawns {
            if position.en_passant_is_safe(from, target) {
                sink.single(Move::new(from, target, MoveKind::EnPassant));
            }
        }
    }
}

/// The squares that matter to a stage, for men other than pawns.
#[inline]
fn stage_targets<const NOISY: bool, const QUIET: bool>(
    occupied: Bitboard,
    them: Bitboard,
) -> Bitboard {
    match (NOISY, QUIET) {
        (true, true) => them | !occupied,
        (true, false) => them,
        _ => !occupied,
    }
}

/// Moves of these pawns, all at once, to squares of the mask.
#[inline]
fn generate_pawns<S: Sink, const WHITE: bool, const NOISY: bool, const QUIET: bool>(
    pawns: Bitboard,
    mask: Bitboard,
    occupied: Bitboard,
    them: Bitboard,
    sink: &mut S,
) {
    let (last, third) = if WHITE {
        (Rank::Eighth, Rank::Third)
    } else {
        (Rank::First, Rank::Sixth)
    };
    let last = Bitboard::from_rank(last);
    let (step, left, right) = if WHITE { (8, 7, 9) } else { (-8, -9, -7) };
    let pushes = ahead::<WHITE>(pawns) & !occupied;
    if QUIET {
        let doubles = ahead::<WHITE>(pushes & Bitboard::from_rank(third)) & !occupied & mask;
        sink.pawns(pushes & mask & !last, step, MoveKind::Quiet);
        sink.pawns(doubles, 2 * step, MoveKind::DoublePush);
    }
    if NOISY {
        let captures_left = ahead_left::<WHITE>(pawns) & them & mask;
        let captures_right = ahead_right::<WHITE>(pawns) & them & mask;
        sink.pawns(captures_left & !last, left, MoveKind::Capture);
        sink.pawns(captures_right & !last, right, MoveKind::Capture);
        if ((pushes & mask | captures_left | captures_right) & last).any() {
            sink.promotions(captures_left & last, left, true);
            sink.promotions(captures_right & last, right, true);
            sink.promotions(pushes & mask & last, step, false);
        }
    }
}
