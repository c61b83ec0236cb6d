//! Features of moves that draw attention: captures, checks, threats, squares.

use super::exchange::{WinningCaptures, gain};
use super::feature::{Feature, Features, flag};
use super::game_view::GameView;
use crate::chess::{
    Bitboard, Checks, Color, File, Move, MoveKind, Piece, Position, Rank, Role, Square, attacks,
    exchange_value,
};
use crate::eval::{Accumulator, PHASE_MAXIMUM};

/// The least distance of a long move in king's steps.
const LONG_MOVE: u32 = 4;
/// A queen move before this move number is early.
const EARLY_MOVES: u16 = 10;
/// A greater lead in material counts as this one, in pawns.
const MAX_LEAD: f32 = 9.0;

/// The rank of a square from a side's view, 0 to 7.
pub(super) const fn rank_of(color: Color, square: Square) -> i32 {
    color.relative_rank(square.rank()) as i32
}

/// The distance to the centre in king's steps, 0 to 3.
fn from_centre(square: Square) -> i32 {
    let beyond = |place: i32| if place < 4 { 3 - place } else { place - 4 };
    beyond(square.file() as i32).max(beyond(square.rank() as i32))
}

/// What all moves of one position share.
pub(super) struct Attention<'a> {
    pub(super) view: &'a GameView,
    pub(super) position: &'a Position,
    pub(super) us: Color,
    checks: Checks,
    /// What the opponent could win now if it were to move, and what the mover can win now.
    at_risk: WinningCaptures,
    winning_captures: WinningCaptures,
    /// Squares that enemy pawns attack.
    pawn_guards: Bitboard,
    /// 1 with all pieces on the board, 0 with none.
    pub(super) phase: f32,
    /// Pawns that the mover is ahead.
    pub(super) lead: f32,
}

impl<'a> Attention<'a> {
    pub(super) fn of(view: &'a GameView) -> Self {
        let position = view.game().position();
        let us = position.turn();
        let at_risk = if position.in_check() {
            WinningCaptures::default()
        } else {
            WinningCaptures::of(&position.play_null())
        };
        let enemy_pawns = position.pieces(!us, Role::Pawn).into_iter();
        let pawn_guards = enemy_pawns.fold(Bitboard::EMPTY, |all, square| {
            all | attacks::pawn_attacks(!us, square)
        });
        let phase = Accumulator::of(position).phase().min(PHASE_MAXIMUM);
        Self {
            view,
            position,
            us,
            checks: position.checks(),
            at_risk,
            winning_captures: WinningCaptures::of(position),
            pawn_guards,
            phase: phase as f32 / PHASE_MAXIMUM as f32,
            lead: lead(position, us),
        }
    }

    /// Sets the features of a legal move that leads to `child`.
    pub(super) fn note(&self, mv: Move, child: &Position, features: &mut Features) {
        let (from, to) = (mv.from(), target(mv));
        let Some(piece) = self.position.piece_on(from) else {
            return;
        };
        let role = piece.role();
        let moved = mv.promotion().unwrap_or(role);
        let step = Step {
            mv,
            from,
            to,
            role,
            moved,
            child,
            gives_check: self.checks.gives_check(self.position, mv),
        };
        let before = attacks::attacks(from, role.of(self.us), self.position.occupied());
        let after = attacks::attacks(to, moved.of(self.us), child.occupied());
        self.note_capture(&step, features);
        self.note_danger(&step, features);
        self.note_threats(&step, after, features);
        self.note_last_moves(&step, before, after, features);
        self.note_place(&step, before, after, features);
        self.note_pawn(&step, after, features);
        self.note_piece(&step, features);
        self.note_kind(&step, features);
        self.note_safety(&step, features);
    }

    fn note_capture(&self, step: &Step<'_>, features: &mut Features) {
        let mut set = |feature, value: f32| features[feature] = value;
        let gained = gain(self.position, step.mv);
        set(Feature::ExchangeGain, gained.max(0.0));
        set(Feature::ExchangeLoss, (-gained).max(0.0));
        if step.gives_check {
            set(Feature::Check, 1.0);
            set(Feature::SafeCheck, flag(gained >= 0.0));
            set(Feature::CheckCapture, flag(step.mv.is_capture()));
            set(Feature::CheckQueen, flag(step.role == Role::Queen));
        }
        if !step.mv.is_capture() {
            set(
                Feature::QuietAhead,
                if step.gives_check { 0.0 } else { self.lead },
            );
            return;
        }
        let victim = self.position.piece_on(step.to);
        let victim = victim.map_or(Role::Pawn, Piece::role);
        set(Feature::Capture, 1.0);
        set(Feature::CaptureValue, exchange_value(victim) as f32 / 100.0);
        set(
            Feature::EnPassant,
            flag(step.mv.kind() == MoveKind::EnPassant),
        );
        let others = self
            .position
            .attackers_to(step.to, self.position.occupied());
        let is_loose = (others & self.position.by_color(!self.us)).is_empty();
        set(Feature::TakesLoose, flag(is_loose));
        let more = exchange_value(victim) > exchange_value(step.role);
        set(Feature::TakesMore, flag(more && step.role != Role::King));
        set(Feature::TakesPawn, flag(victim == Role::Pawn));
        if step.role == Role::Pawn {
            set(Feature::PawnTakes, 1.0);
            let nearer = from_centre(step.to) < from_centre(step.from);
            set(Feature::PawnTakesCentre, flag(nearer));
        }
        if gained == 0.0 && exchange_value(victim) == exchange_value(step.role) {
            set(Feature::EqualTrade, 1.0);
            set(Feature::TradeAhead, self.lead);
            set(Feature::QueenTrade, flag(victim == Role::Queen));
        }
        if let Some(last) = self.view.last().filter(|last| target(*last) == step.to) {
            let feature = if last.is_capture() {
                Feature::Recapture
            } else {
                Feature::TakesLast
            };
            set(feature, 1.0);
            if last.is_capture() {
                let worth = exchange_value(victim) as f32 / 100.0;
                set(Feature::RecaptureValue, worth);
                set(Feature::RecapturePawn, flag(step.role == Role::Pawn));
            }
        }
    }

    /// What the opponent can win before and after the move.
    fn note_danger(&self, step: &Step<'_>, features: &mut Features) {
        let risk = WinningCaptures::of(step.child);
        let old = self.at_risk.most(|to, _| to != step.from);
        let rest = |square: Square| self.at_risk.most(|to, _| to == square) > 0.0;
        let moved = risk.most(|to, _| to == step.to);
        let known = risk.most(|to, _| to != step.to && rest(to));
        let new = risk.most(|to, _| to != step.to && !rest(to));
        let own = self.at_risk.most(|to, _| to == step.from);
        features[Feature::Escapes] = own;
        features[Feature::HangsMoved] = moved;
        features[Feature::HangsOld] = known;
        features[Feature::HangsNew] = new;
        features[Feature::Rescues] = (old - known).max(0.0);
    }

    /// What the mover could win next if the opponent passed.
    fn note_threats(&self, step: &Step<'_>, after: Bitboard, features: &mut Features) {
        let enemies = self.position.by_color(!self.us);
        let queen = self.position.pieces(!self.us, Role::Queen);
        let attacks_queen = step.moved != Role::Queen && (after & queen).any();
        features[Feature::AttacksQueen] = flag(attacks_queen);
        let king_zone = attacks::king_attacks(self.position.king(!self.us));
        let before = attacks::attacks(step.from, step.role.of(self.us), self.position.occupied());
        let newly = (after & king_zone).count() as f32 - (before & king_zone).count() as f32;
        features[Feature::NearKing] = newly;
        let newly = after & !before;
        let pieces = enemies & !self.position.by_role(Role::Pawn);
        features[Feature::AttacksPieces] = (newly & pieces).count() as f32;
        let under = |square: Square, color: Color| {
            let all = step.child.attackers_to(square, step.child.occupied());
            (all & step.child.by_color(color)).any()
        };
        let pawns = newly & enemies & self.position.by_role(Role::Pawn);
        let loose = pawns.into_iter().filter(|square| !under(*square, !self.us));
        features[Feature::AttacksLoosePawns] = loose.count() as f32;
        let own = newly & step.child.by_color(self.us);
        let attacked = own.into_iter().filter(|square| under(*square, !self.us));
        features[Feature::Protects] = attacked.count() as f32;
        features[Feature::Pins] = flag(self.pins(step, enemies));
        if step.child.in_check() {
            return;
        }
        let winning_captures = WinningCaptures::of(&step.child.play_null());
        features[Feature::Threatens] = winning_captures.most(|_, from| from == step.to);
        let other = winning_captures.most(|_, from| from != step.to);
        let known = self
            .winning_captures
            .most(|to, from| from != step.from && to != step.to);
        features[Feature::ThreatensOther] = (other - known).max(0.0);
        features[Feature::Forks] = flag(winning_captures.targets_of(step.to) > 1);
    }

    /// Whether the moved slider attacks a piece with the king or a more valuable one behind it.
    fn pins(&self, step: &Step<'_>, enemies: Bitboard) -> bool {
        if !matches!(step.moved, Role::Bishop | Role::Rook | Role::Queen) {
            return false;
        }
        let occupied = step.child.occupied();
        let first = attacks::attacks(step.to, step.moved.of(self.us), occupied) & enemies;
        let worth = |square| {
            let piece = step.child.piece_on(square);
            piece.map_or(0, |piece| match piece.role() {
                Role::King => i32::MAX,
                role => exchange_value(role),
            })
        };
        first.into_iter().any(|front| {
            let beyond = attacks::attacks(step.to, step.moved.of(self.us), occupied.without(front));
            let line = attacks::ray(step.to, front);
            let behind = (beyond & enemies & line).without(front);
            let mut hidden = behind.into_iter().filter(|square| !first.contains(*square));
            hidden.any(|square| worth(square) > exchange_value(step.moved))
        })
    }

    fn note_last_moves(
        &self,
        step: &Step<'_>,
        before: Bitboard,
        after: Bitboard,
        features: &mut Features,
    ) {
        if let Some(last) = self.view.last() {
            let place = target(last);
            let piece = self.position.piece_on(place);
            let attacked = piece.map_or(Bitboard::EMPTY, |piece| {
                attacks::attacks(place, piece.role().of(!self.us), self.position.occupied())
            });
            let newly = after.contains(place) && !before.contains(place);
            features[Feature::AttacksLast] = flag(newly);
            features[Feature::FleesLast] = flag(attacked.contains(step.from));
            if attacked.contains(step.from) {
                features[Feature::FleesThreat] = self.at_risk.most(|to, _| to == step.from);
            }
            features[Feature::NearLast] = flag(place.distance(step.to) <= 2);
        }
        if let Some(own) = self.view.own_last() {
            features[Feature::SamePiece] = flag(target(own) == step.from);
            let undoes = target(own) == step.from && own.from() == step.to;
            features[Feature::Undoes] = flag(undoes);
        }
        let game = self.view.game();
        let keys = game.keys();
        let reversible = &keys[keys.len() - game.reversible()..];
        features[Feature::Repeats] = flag(reversible.contains(&step.child.key()));
    }

    fn note_place(
        &self,
        step: &Step<'_>,
        before: Bitboard,
        after: Bitboard,
        features: &mut Features,
    ) {
        let mut set = |feature, value: f32| features[feature] = value;
        let ranks = rank_of(self.us, step.to) - rank_of(self.us, step.from);
        set(Feature::Backward, flag(ranks < 0));
        set(Feature::Distance, step.from.distance(step.to) as f32);
        set(
            Feature::LongMove,
            flag(step.from.distance(step.to) >= LONG_MOVE),
        );
        let nearer = from_centre(step.from) - from_centre(step.to);
        set(Feature::TowardCentre, nearer as f32);
        let king = self.position.king(!self.us);
        let steps = step.from.distance(king) as f32 - step.to.distance(king) as f32;
        set(Feature::TowardKing, steps);
        if step.role != Role::Pawn {
            let gained = after.count() as f32 - before.count() as f32;
            set(Feature::Mobility, gained);
        }
        let by_pawn = step.role != Role::Pawn && self.pawn_guards.contains(step.to);
        set(Feature::OntoPawnGuard, flag(by_pawn));
        let attackers = |color| {
            let all = step.child.attackers_to(step.to, step.child.occupied());
            all & step.child.by_color(color)
        };
        set(Feature::OntoAttacked, flag(attackers(!self.us).any()));
        set(Feature::Unprotected, flag(attackers(self.us).is_empty()));
    }

    fn note_pawn(&self, step: &Step<'_>, after: Bitboard, features: &mut Features) {
        if step.role != Role::Pawn {
            return;
        }
        let mut set = |feature, value: f32| features[feature] = value;
        let file = step.from.file();
        set(
            Feature::PawnTwo,
            flag(step.mv.kind() == MoveKind::DoublePush),
        );
        set(Feature::PawnRim, flag(matches!(file, File::A | File::H)));
        set(Feature::PawnCentre, flag(matches!(file, File::D | File::E)));
        let king = self.position.king(self.us);
        let is_home = rank_of(self.us, king) <= 1;
        let shields = is_home && king.file().distance(file) <= 1 && self.phase > 0.3;
        set(Feature::PawnShield, flag(shields));
        let enemy = self.position.king(!self.us);
        let is_near = enemy.file().distance(file) <= 1 && king.file().distance(file) > 2;
        let storms = is_near && rank_of(self.us, step.to) >= 3 && self.phase > 0.3;
        set(Feature::PawnStorm, flag(storms));
        if !step.mv.is_capture() && self.is_passed(step.to) {
            set(Feature::PassedPush, rank_of(self.us, step.to) as f32);
        }
        let enemies = step.child.by_color(!self.us);
        let pawns = step.child.by_role(Role::Pawn);
        let kicked = after & enemies & !pawns & !step.child.by_role(Role::King);
        set(Feature::PawnKick, flag(kicked.any()));
        set(Feature::PawnBreak, flag((after & enemies & pawns).any()));
        set(
            Feature::Promotion,
            flag(step.mv.promotion() == Some(Role::Queen)),
        );
        let under = step.mv.promotion().is_some_and(|role| role != Role::Queen);
        set(Feature::Underpromotion, flag(under));
    }

    /// Whether no enemy pawn can stop or capture a pawn on its way.
    fn is_passed(&self, square: Square) -> bool {
        let enemy = self.position.pieces(!self.us, Role::Pawn);
        let stops = |other: &Square| {
            other.file().distance(square.file()) <= 1
                && rank_of(self.us, *other) > rank_of(self.us, square)
        };
        !enemy.into_iter().any(|other| stops(&other))
    }

    fn note_piece(&self, step: &Step<'_>, features: &mut Features) {
        let mut set = |feature, value: f32| features[feature] = value;
        let (start, end) = (rank_of(self.us, step.from), rank_of(self.us, step.to));
        match step.role {
            Role::Knight => {
                set(Feature::KnightBackward, flag(end < start));
                let rim = matches!(step.to.file(), File::A | File::H)
                    || matches!(step.to.rank(), Rank::First | Rank::Eighth);
                set(Feature::KnightRim, flag(rim));
                set(Feature::Develops, flag(start == 0 && end > 0));
            }
            Role::Bishop => set(Feature::Develops, flag(start == 0 && end > 0)),
            Role::Rook if !step.mv.is_castling() => {
                let file = Bitboard::from_file(step.to.file());
                let pawns = |color| (file & self.position.pieces(color, Role::Pawn)).any();
                let (own, enemy) = (pawns(self.us), pawns(!self.us));
                let changes = step.from.file() != step.to.file();
                set(Feature::RookOpen, flag(changes && !own && !enemy));
                set(Feature::RookHalfOpen, flag(changes && !own && enemy));
                set(Feature::RookSeventh, flag(end == 6 && start != 6));
            }
            Role::Queen => {
                let early = self.position.fullmoves() < EARLY_MOVES;
                set(Feature::QueenEarly, flag(early));
            }
            _ => {}
        }
        if self.position.in_check() {
            let is_king = step.role == Role::King;
            let takes = self.position.checkers().contains(step.to);
            set(Feature::CheckKing, flag(is_king));
            set(Feature::CheckTakes, flag(takes && !is_king));
            set(Feature::Blocks, flag(!takes && !is_king));
        }
    }

    fn note_kind(&self, step: &Step<'_>, features: &mut Features) {
        if step.mv.is_castling() {
            let short = step.to.file() == File::G;
            let feature = if short {
                Feature::CastleShort
            } else {
                Feature::CastleLong
            };
            features[feature] = 1.0;
            return;
        }
        let kind = match step.role {
            Role::Pawn => Feature::PawnMove,
            Role::Knight => Feature::KnightMove,
            Role::Bishop => Feature::BishopMove,
            Role::Rook => Feature::RookMove,
            Role::Queen => Feature::QueenMove,
            Role::King => Feature::KingMove,
        };
        features[kind] = 1.0;
        if step.role == Role::King {
            features[Feature::KingMiddlegame] = self.phase;
            let sides = crate::chess::CastlingSide::ALL;
            let can = |side| self.position.castling_rook(self.us, side).is_some();
            features[Feature::LosesCastling] = flag(sides.into_iter().any(can));
        }
    }
}

/// One move of the position.
pub(super) struct Step<'a> {
    pub(super) mv: Move,
    pub(super) from: Square,
    /// The king's square when castling.
    pub(super) to: Square,
    pub(super) role: Role,
    /// The role after a promotion.
    pub(super) moved: Role,
    pub(super) child: &'a Position,
    gives_check: bool,
}

/// The square where the moved piece stands after the move: the king's square when castling.
pub(super) const fn target(mv: Move) -> Square {
    if mv.is_castling() {
        mv.castling_king_to()
    } else {
        mv.to()
    }
}

/// The pawns that a side is ahead, from -9 to 9.
fn lead(position: &Position, us: Color) -> f32 {
    let sum = |color| -> i32 {
        let count = |role| exchange_value(role) * position.pieces(color, role).count() as i32;
        Role::ALL.into_iter().map(count).sum()
    };
    let ahead = (sum(us) - sum(!us)) as f32 / 100.0;
    ahead.clamp(-MAX_LEAD, MAX_LEAD)
}
