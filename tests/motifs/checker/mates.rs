//! Mates and their pictures.

use shakmaty::attacks::king_attacks;
use shakmaty::{
    Bitboard, Board, CastlingMode, Chess, Color, EnPassantMode, FromSetup, Position, Role, Square,
};

use super::record::{Claim, Record, attackers, between};
use super::{Proof, ensure};

/// The final position and the named squares.
struct Picture<'a> {
    last: &'a Chess,
    board: &'a Board,
    king: Square,
    us: Color,
    named: &'a [Square],
}

pub fn prove(record: &Record, claim: &Claim) -> Proof {
    let last = record.positions.last().ok_or("no position")?;
    ensure(last.is_checkmate(), "no mate")?;
    ensure(claim.ply + 1 == record.moves.len(), "not the last move")?;
    let picture = Picture {
        last,
        board: last.board(),
        king: claim.squares[0],
        us: record.side(),
        named: &claim.squares[1..],
    };
    picture.common()?;
    match claim.kind.as_str() {
        "mate" => ensure(
            picture.named.iter().all(|&s| last.checkers().contains(s)),
            "no check",
        ),
        "back_rank_mate" => picture.back_rank(),
        "smothered_mate" => picture.smothered(),
        "anastasia_mate" => picture.anastasia(),
        "arabian_mate" => picture.pair(Role::Rook, Role::Knight, true),
        "boden_mate" => picture.bishops(true),
        "double_bishop_mate" => picture.bishops(false),
        "dovetail_mate" => picture.dovetail(),
        "hook_mate" => picture.hook(),
        "opera_mate" => picture.pair(Role::Rook, Role::Bishop, true),
        "pillsburys_mate" => picture.pair(Role::Rook, Role::Bishop, false),
        "morphys_mate" => picture.pair(Role::Bishop, Role::Rook, false),
        "triangle_mate" => picture.pair(Role::Queen, Role::Rook, true),
        "kill_box_mate" => picture.pair(Role::Rook, Role::Queen, true),
        "vukovic_mate" => picture.vukovic(),
        "blind_swine_mate" => {
            picture.pair(Role::Rook, Role::Rook, true)?;
            let (one, other) = (picture.named[0], picture.named[1]);
            ensure(one.distance(other) == 1, "the rooks are apart")
        }
        "balestra_mate" => picture.pair(Role::Bishop, Role::Queen, false),
        other => Err(format!("{other} has no proof")),
    }
}

impl Picture<'_> {
    /// The king is the mated one, and one of the named pieces checks.
    fn common(&self) -> Proof {
        let them = self.us.other();
        ensure(self.board.king_of(them) == Some(self.king), "another king")?;
        let checks = self
            .named
            .iter()
            .any(|&square| self.last.checkers().contains(square));
        ensure(checks, "no named piece checks")
    }

    fn is(&self, index: usize, color: Color, role: Role) -> Result<Square, String> {
        let square = *self.named.get(index).ok_or("a square is missing")?;
        let found = self.board.piece_at(square) == Some(role.of(color));
        ensure(found, &format!("no {role:?} on {square}"))?;
        Ok(square)
    }

    fn ours(&self, index: usize, role: Role) -> Result<Square, String> {
        self.is(index, self.us, role)
    }

    fn theirs(&self) -> Bitboard {
        self.board.by_color(self.us.other())
    }

    fn reaches(&self, from: Square, to: Square) -> bool {
        let mut board = self.board.clone();
        board.discard_piece_at(self.king);
        board.attacks_from(from).contains(to)
    }

    /// Whether a piece takes a square from the king or defends another piece that does.
    fn matters(&self, square: Square) -> Proof {
        let mut setup = self.last.to_setup(EnPassantMode::Legal);
        setup.board.discard_piece_at(square);
        setup.ep_square = None;
        // Without the piece the position may not be legal; then nothing is claimed.
        match Chess::from_setup(setup, CastlingMode::Standard) {
            Ok(other) => ensure(!other.is_checkmate(), &format!("{square} is not needed")),
            Err(_) => Ok(()),
        }
    }

    fn back_rank(&self) -> Proof {
        let (back, forward) = self.us.fold_wb((7, 6), (0, 1));
        ensure(u32::from(self.king.rank()) == back, "not on the back rank")?;
        ensure(
            u32::from(self.named[0].rank()) == back,
            "not along the back rank",
        )?;
        for square in king_attacks(self.king) {
            if u32::from(square.rank()) == forward {
                ensure(self.theirs().contains(square), "a free square ahead")?;
                let guards = attackers(self.board, square, self.us);
                ensure(guards.is_empty(), "the square ahead is attacked")?;
            }
        }
        Ok(())
    }

    fn smothered(&self) -> Proof {
        self.ours(0, Role::Knight)?;
        let walls = king_attacks(self.king) & !self.theirs();
        ensure(walls.is_empty(), "a square beside the king is free")
    }

    fn anastasia(&self) -> Proof {
        let (knight, blocker) = (self.ours(1, Role::Knight)?, self.named[2]);
        ensure(
            matches!(u32::from(self.king.file()), 0 | 7),
            "not on the edge",
        )?;
        ensure(
            between(self.king, knight).contains(blocker),
            "nothing between",
        )?;
        ensure(self.theirs().contains(blocker), "nothing in the way")?;
        self.matters(knight)
    }

    fn bishops(&self, crossing: bool) -> Proof {
        for index in 0..self.named.len() {
            let bishop = self.ours(index, Role::Bishop)?;
            let near = king_attacks(self.king).with(self.king);
            ensure(
                near.into_iter().any(|square| self.reaches(bishop, square)),
                "an idle bishop",
            )?;
        }
        let bishops = self.board.by_color(self.us) & self.board.bishops();
        let left = bishops
            .into_iter()
            .filter(|square| square.file() < self.king.file())
            .count();
        let both = left > 0 && left < bishops.count();
        ensure(both == crossing, "the bishops stand otherwise")?;
        let others = self.board.by_color(self.us) & !bishops;
        let helps = |square: Square| {
            king_attacks(self.king)
                .into_iter()
                .any(|near| self.reaches(square, near))
        };
        ensure(!others.into_iter().any(helps), "another piece helps")
    }

    fn dovetail(&self) -> Proof {
        let queen = self.ours(0, Role::Queen)?;
        ensure(self.king.distance(queen) == 1, "not beside the king")?;
        ensure(
            self.king.file() != queen.file() && self.king.rank() != queen.rank(),
            "not diagonally",
        )?;
        for square in king_attacks(self.king).without(queen) {
            let covered = self.reaches(queen, square) || self.theirs().contains(square);
            ensure(covered, "a free square")?;
        }
        self.matters(queen)
    }

    fn hook(&self) -> Proof {
        let (rook, knight, pawn) = (
            self.ours(0, Role::Rook)?,
            self.ours(1, Role::Knight)?,
            self.ours(2, Role::Pawn)?,
        );
        ensure(
            self.king.distance(rook) == 1 && self.king.distance(knight) == 1,
            "not beside the king",
        )?;
        ensure(
            attackers(self.board, rook, self.us).contains(knight),
            "the knight does not defend the rook",
        )?;
        ensure(
            attackers(self.board, knight, self.us).contains(pawn),
            "the pawn does not defend the knight",
        )
    }

    /// A piece that mates and one that helps it: by defending it, or by taking a square from the king.
    fn pair(&self, first: Role, second: Role, defends: bool) -> Proof {
        let (mating, helper) = (self.ours(0, first)?, self.ours(1, second)?);
        if defends {
            ensure(self.king.distance(mating) == 1, "not beside the king")?;
            ensure(
                attackers(self.board, mating, self.us).contains(helper),
                "it is not defended",
            )
        } else {
            ensure(self.last.checkers().contains(mating), "no check")?;
            let near = king_attacks(self.king) & !self.theirs();
            ensure(
                near.into_iter().any(|square| self.reaches(helper, square)),
                "it takes no square",
            )?;
            self.matters(helper)
        }
    }

    fn vukovic(&self) -> Proof {
        let (rook, knight) = (self.ours(0, Role::Rook)?, self.ours(1, Role::Knight)?);
        let defender = self.named[2];
        ensure(
            attackers(self.board, rook, self.us).contains(defender),
            "the rook is not defended",
        )?;
        ensure(
            self.king.distance(knight) == 2,
            "the knight stands elsewhere",
        )?;
        self.matters(knight)
    }
}
