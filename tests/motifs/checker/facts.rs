//! What each kind means, except mates.

use shakmaty::{Board, Chess, Color, Move, Position, Role, Square};

use super::record::{
    Claim, Record, after, attackers, between, captures, exchange, is_out_of_reach, sees, worth,
};
use super::{Proof, ensure};

/// The parts of a claim that most proofs need.
struct Facts<'a> {
    record: &'a Record,
    ply: usize,
    squares: &'a [Square],
    us: Color,
    them: Color,
}

pub fn prove(record: &Record, claim: &Claim) -> Proof {
    let us = record.side();
    let facts = Facts {
        record,
        ply: claim.ply,
        squares: &claim.squares,
        us,
        them: us.other(),
    };
    match claim.kind.as_str() {
        "fork" => facts.fork(),
        "pin" => facts.pin(),
        "skewer" => facts.skewer(),
        "discovered_attack" => facts.discovered_attack(),
        "discovered_check" => facts.discovered_check(),
        "double_check" => facts.double_check(),
        "x_ray_attack" => facts.x_ray(),
        "hanging_piece" => facts.hanging(),
        "trapped_piece" => facts.trapped(),
        "capturing_defender" => facts.capturing_defender(),
        "deflection" => facts.deflection(),
        "attraction" => facts.attraction(),
        "interference" => facts.interference(),
        "clearance" => facts.clearance(),
        "intermezzo" => facts.intermezzo(),
        "sacrifice" => facts.sacrifice(),
        "exposed_king" => facts.exposed_king(),
        "attacking_f2_f7" => facts.attacking_f2_f7(),
        "only_move" => facts.only_move(),
        "quiet_move" => facts.quiet_move(),
        "defensive_move" => facts.defensive_move(),
        other => facts.of_move(other),
    }
}

impl Facts<'_> {
    fn board(&self, later: usize) -> &Board {
        self.record.board(self.ply + later)
    }

    fn position(&self, later: usize) -> &Chess {
        &self.record.positions[self.ply + later]
    }

    fn role(&self, later: usize, square: Square) -> Role {
        self.board(later).role_at(square).unwrap_or(Role::Pawn)
    }

    fn is(&self, later: usize, square: Square, color: Color) -> bool {
        self.board(later).color_at(square) == Some(color)
    }

    fn square(&self, index: usize) -> Result<Square, String> {
        let square = self.squares.get(index).copied();
        square.ok_or_else(|| format!("no square {index}"))
    }

    fn three(&self) -> Result<[Square; 3], String> {
        Ok([self.square(0)?, self.square(1)?, self.square(2)?])
    }

    /// The piece that moved attacks two or more, each worth more, or undefended, or the king; it is not lost for nothing.
    fn fork(&self) -> Proof {
        let (forker, board) = (self.square(0)?, self.board(1));
        ensure(
            self.record.step(self.ply)?.1 == forker,
            "the forking piece has not moved",
        )?;
        ensure(self.squares.len() >= 3, "fewer than two are attacked")?;
        for &target in &self.squares[1..] {
            ensure(sees(board, forker, target, &[]), "a piece is not attacked")?;
            ensure(self.is(1, target, self.them), "not an enemy piece")?;
            let is_better = worth(self.role(1, target)) > worth(self.role(1, forker));
            let is_loose = attackers(board, target, self.them).is_empty();
            ensure(is_better || is_loose, "a defended piece worth no more")?;
        }
        let taken = captures(self.position(1), forker);
        let retaken = |mv: &Move| !is_out_of_reach(&after(self.position(1), *mv), forker);
        ensure(taken.iter().all(retaken), "the forking piece is lost")
    }

    /// The pinned piece may not leave the line; without it the pinning piece checks.
    fn pin(&self) -> Proof {
        let [pinner, pinned, king] = self.three()?;
        let board = self.board(1);
        ensure(board.king_of(self.them) == Some(king), "no king")?;
        ensure(
            self.is(1, pinner, self.us) && self.is(1, pinned, self.them),
            "colours",
        )?;
        ensure(!sees(board, pinner, king, &[]), "check")?;
        ensure(sees(board, pinner, king, &[pinned]), "not on a line")?;
        let line = between(pinner, king).with(pinner);
        let legal = self.position(1).legal_moves();
        let leaves = |mv: &Move| mv.from() == Some(pinned) && !line.contains(mv.to());
        ensure(
            !legal.iter().any(leaves),
            "the pinned piece may leave the line",
        )
    }

    /// The slider attacks one piece and, through it, another; the first moves away and the slider takes the second.
    fn skewer(&self) -> Proof {
        let [slider, front, behind] = self.three()?;
        let board = self.board(1);
        ensure(
            sees(board, slider, front, &[]),
            "the piece in front is not attacked",
        )?;
        ensure(sees(board, slider, behind, &[front]), "not in a line")?;
        ensure(
            self.is(1, front, self.them) && self.is(1, behind, self.them),
            "colours",
        )?;
        ensure(
            self.record.step(self.ply + 1)?.0 == front,
            "the piece in front stays",
        )?;
        ensure(
            self.record.step(self.ply + 2)? == (slider, behind),
            "it is not taken",
        )
    }

    /// The move opens the line of another piece to an enemy piece, which is the king or is taken next.
    fn discovered_attack(&self) -> Proof {
        let [slider, target, moved] = self.three()?;
        let (from, to) = self.record.step(self.ply)?;
        ensure(to == moved && slider != moved, "another piece has moved")?;
        ensure(
            !sees(self.board(0), slider, target, &[]),
            "the line was open",
        )?;
        ensure(
            between(slider, target).contains(from),
            "the piece was not in the way",
        )?;
        let opens = |later: usize| sees(self.board(later), slider, target, &[]);
        ensure(opens(1) || opens(2), "the line is not open")?;
        let is_king = self.board(1).king_of(self.them) == Some(target);
        ensure(
            is_king || self.record.step(self.ply + 2)? == (slider, target),
            "it is not taken",
        )
    }

    fn discovered_check(&self) -> Proof {
        let [king, checker, moved] = self.three()?;
        ensure(
            self.record.step(self.ply)?.1 == moved && moved != checker,
            "it has moved itself",
        )?;
        ensure(self.board(1).king_of(self.them) == Some(king), "no king")?;
        ensure(self.position(1).checkers().contains(checker), "no check")?;
        ensure(
            !sees(self.board(0), checker, king, &[]),
            "it checked before",
        )
    }

    fn double_check(&self) -> Proof {
        let checkers = self.position(1).checkers();
        ensure(
            self.board(1).king_of(self.them) == Some(self.square(0)?),
            "no king",
        )?;
        ensure(checkers.count() >= 2, "one check")?;
        let named = &self.squares[1..];
        ensure(named.len() == checkers.count(), "not all checking pieces")?;
        ensure(
            named.iter().all(|&square| checkers.contains(square)),
            "no check",
        )
    }

    /// The slider looks through an enemy piece at a square on which both sides take.
    fn x_ray(&self) -> Proof {
        let [slider, enemy, square] = self.three()?;
        let board = self.board(1);
        ensure(
            self.is(1, enemy, self.them) && self.is(1, square, self.us),
            "colours",
        )?;
        ensure(sees(board, slider, square, &[enemy]), "not in a line")?;
        ensure(between(slider, square).contains(enemy), "not between")?;
        ensure(
            self.record.step(self.ply + 1)? == (enemy, square),
            "it does not take",
        )?;
        ensure(
            self.record.step(self.ply + 2)? == (slider, square),
            "it is not retaken",
        )
    }

    /// Nobody can retake.
    fn hanging(&self) -> Proof {
        let (piece, capturer) = (self.square(0)?, self.square(1)?);
        ensure(
            self.record.step(self.ply)? == (capturer, piece),
            "it is not taken",
        )?;
        ensure(self.role(0, piece) != Role::Pawn, "a pawn")?;
        ensure(
            attackers(self.board(0), piece, self.them).is_empty(),
            "it is defended",
        )?;
        ensure(
            is_out_of_reach(self.position(1), piece),
            "it can be retaken",
        )
    }

    /// The piece is lost where it stands and after each of its moves.
    fn trapped(&self) -> Proof {
        let piece = self.square(0)?;
        let waiting = self.position(1).clone().swap_turn().map_err(|_| "check")?;
        ensure(exchange(&waiting, piece) > 0, "it is not attacked")?;
        for mv in self.position(1).legal_moves() {
            if mv.from() == Some(piece) {
                let won = mv.capture().map_or(0, worth);
                let lost = exchange(&after(self.position(1), mv), mv.to());
                ensure(lost > won, &format!("{mv} saves it"))?;
            }
        }
        let (from, to) = self.record.step(self.ply + 1)?;
        let taken_on = if from == piece { to } else { piece };
        ensure(
            self.record.step(self.ply + 2)?.1 == taken_on,
            "it is not taken",
        )
    }

    fn capturing_defender(&self) -> Proof {
        let (defender, defended) = (self.square(0)?, self.square(1)?);
        ensure(
            sees(self.board(0), defender, defended, &[]),
            "it defends nothing",
        )?;
        ensure(
            self.is(0, defended, self.them) && self.is(0, defender, self.them),
            "colours",
        )?;
        ensure(
            self.record.step(self.ply)?.1 == defender,
            "the defender is not taken",
        )?;
        ensure(
            self.record.step(self.ply + 2)?.1 == defended,
            "the piece is not taken",
        )?;
        let left = attackers(self.board(2), defended, self.them);
        ensure(left.is_empty(), "still defended")?;
        ensure(
            is_out_of_reach(self.position(3), defended),
            "it can be retaken",
        )
    }

    fn deflection(&self) -> Proof {
        let (piece, guarded) = (self.square(0)?, self.square(1)?);
        let (from, to) = self.record.step(self.ply + 1)?;
        ensure(from == piece, "it does not move")?;
        ensure(
            sees(self.board(1), piece, guarded, &[]),
            "it did not guard the square",
        )?;
        ensure(
            !sees(self.board(2), to, guarded, &[]),
            "it still guards the square",
        )?;
        let forced = to == self.record.step(self.ply)?.1 || self.position(1).is_check();
        ensure(forced, "it was not made to move")?;
        let (from, to) = self.record.step(self.ply + 2)?;
        let promotes = self.record.mv(self.ply + 2)?.is_promotion();
        ensure(
            to == guarded || promotes && from == guarded,
            "the square is not used",
        )
    }

    /// A king, queen or rook takes, and is attacked where it has taken.
    fn attraction(&self) -> Proof {
        let (at, from) = (self.square(0)?, self.square(1)?);
        ensure(self.record.step(self.ply)?.1 == at, "nothing is offered")?;
        ensure(
            self.record.step(self.ply + 1)? == (from, at),
            "it is not taken",
        )?;
        let role = self.role(2, at);
        ensure(
            matches!(role, Role::King | Role::Queen | Role::Rook),
            "a minor piece",
        )?;
        let hunter = self.record.step(self.ply + 2)?.1;
        ensure(sees(self.board(3), hunter, at, &[]), "it is not attacked")?;
        let mut later = (self.ply + 4..self.record.moves.len()).step_by(2);
        let is_taken = later.any(|ply| self.record.step(ply).is_ok_and(|step| step.1 == at));
        ensure(role == Role::King || is_taken, "it is not taken later")
    }

    /// A piece steps between a defender and what it alone defends, which is then taken for nothing.
    fn interference(&self) -> Proof {
        let [defender, target, blocked] = self.three()?;
        ensure(between(defender, target).contains(blocked), "not between")?;
        let cuts = |ply: usize| {
            let Ok((blocker, at)) = self.record.step(ply) else {
                return false;
            };
            let defenders = attackers(self.record.board(ply), target, self.them);
            let mut others = defenders.without(blocker).into_iter();
            let all_cut = others.all(|other| between(other, target).contains(blocked));
            at == blocked && defenders.contains(defender) && all_cut
        };
        ensure(
            cuts(self.ply) || cuts(self.ply + 1),
            "its only defence is not cut",
        )?;
        ensure(
            self.record.step(self.ply + 2)?.1 == target,
            "it is not taken",
        )?;
        ensure(
            is_out_of_reach(self.position(3), target),
            "it can be retaken",
        )
    }

    /// A piece leaves a square that another needs.
    fn clearance(&self) -> Proof {
        let [slider, cleared, goal] = self.three()?;
        ensure(
            self.record.step(self.ply)?.0 == cleared,
            "the square is not cleared",
        )?;
        ensure(self.is(0, cleared, self.us), "colours")?;
        ensure(
            self.record.step(self.ply + 2)? == (slider, goal),
            "it is not used",
        )?;
        let needed = between(slider, goal).with(goal);
        ensure(needed.contains(cleared), "it is not needed")
    }

    fn intermezzo(&self) -> Proof {
        let (target, capturer) = (self.square(0)?, self.square(1)?);
        let before = match self.ply.checked_sub(1) {
            Some(ply) => Some((self.record.positions[ply].clone(), self.record.mv(ply)?)),
            None => self.record.before.clone(),
        };
        let (_, previous) = before.ok_or("no move before")?;
        ensure(
            previous.is_capture() && previous.to() == target,
            "nothing was taken there",
        )?;
        let at_once = captures(self.position(0), target);
        ensure(
            at_once.iter().any(|mv| mv.from() == Some(capturer)),
            "it could not be taken",
        )?;
        ensure(
            self.record.step(self.ply)?.1 != target,
            "it is taken at once",
        )?;
        ensure(
            self.record.step(self.ply + 2)? == (capturer, target),
            "it is not taken later",
        )
    }

    fn sacrifice(&self) -> Proof {
        let lost = self.record.balance(0) - self.record.balance(self.ply + 3);
        ensure(self.ply + 3 <= self.record.moves.len(), "the line ends")?;
        ensure(lost >= 200, "nothing is given")
    }

    fn exposed_king(&self) -> Proof {
        let first = self.record.board(0);
        let king = first.king_of(self.them).ok_or("no king")?;
        let pawns = first.by_color(self.them) & first.pawns();
        let shelter = shakmaty::attacks::king_attacks(king) & pawns;
        ensure(shelter.is_empty(), "a pawn stands beside the king")?;
        ensure(
            self.position(1).checkers().contains(self.square(1)?),
            "no check",
        )
    }

    fn attacking_f2_f7(&self) -> Proof {
        let (square, king) = (self.square(0)?, self.square(1)?);
        let homes = self
            .us
            .fold_wb((Square::F7, Square::E8), (Square::F2, Square::E1));
        ensure((square, king) == homes, "other squares")?;
        ensure(
            self.board(0).king_of(self.them) == Some(king)
                || self.board(1).king_of(self.them) == Some(king),
            "no king",
        )?;
        ensure(self.record.mv(self.ply)?.is_capture(), "no capture")?;
        ensure(self.record.step(self.ply)?.1 == square, "elsewhere")
    }

    /// Every other move allows mate at once.
    fn only_move(&self) -> Proof {
        let (played, legal) = (self.record.mv(self.ply)?, self.position(0).legal_moves());
        ensure(legal.len() > 1, "a forced move")?;
        for mv in legal.into_iter().filter(|&mv| mv != played) {
            let next = after(self.position(0), mv);
            let replies = next.legal_moves();
            let mates = replies
                .into_iter()
                .any(|reply| after(&next, reply).is_checkmate());
            ensure(mates, &format!("{mv} allows no mate"))?;
        }
        Ok(())
    }

    fn quiet_move(&self) -> Proof {
        let mv = self.record.mv(self.ply)?;
        ensure(
            !mv.is_capture() && !mv.is_promotion(),
            "it takes or promotes",
        )?;
        ensure(
            !self.position(1).is_check() && !self.position(0).is_check(),
            "check",
        )?;
        let attacked =
            self.board(1).attacks_from(self.square(0)?) & self.board(1).by_color(self.them);
        ensure(
            mv.is_castle() || attacked.is_empty(),
            "it attacks something",
        )
    }

    fn defensive_move(&self) -> Proof {
        let mv = self.record.mv(self.ply)?;
        ensure(
            !mv.is_capture() && !mv.is_promotion(),
            "it takes or promotes",
        )?;
        ensure(!self.position(1).is_check(), "it checks")?;
        ensure(self.position(0).legal_moves().len() >= 3, "no choice")
    }

    fn of_move(&self, kind: &str) -> Proof {
        let (mv, to) = (self.record.mv(self.ply)?, self.record.step(self.ply)?.1);
        ensure(self.square(0)? == to, "another square")?;
        let rank = self
            .us
            .fold_wb(u32::from(to.rank()), 7 - u32::from(to.rank()));
        match kind {
            "promotion" => ensure(mv.is_promotion(), "no promotion"),
            "under_promotion" => ensure(
                mv.promotion().is_some_and(|role| role != Role::Queen),
                "no underpromotion",
            ),
            "advanced_pawn" => ensure(mv.role() == Role::Pawn && rank >= 6, "no advanced pawn"),
            "en_passant" => ensure(mv.is_en_passant(), "not en passant"),
            "castling" => ensure(mv.is_castle(), "no castling"),
            other => Err(format!("{other} has no proof")),
        }
    }
}
