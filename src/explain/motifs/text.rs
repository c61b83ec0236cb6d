//! Motifs in words: the move, the pieces and squares, the consequence. Every word is a fact that the motif has.

use crate::chess::Square;

use super::attack::{attacks_of, role_on, value};
use super::kind::{Kind, Motif};
use super::line::Line;
use super::mate_text::{pinned, why_mate};
use super::pinned::attacks_newly;
use crate::explain::words::{join, role, side};

/// A motif of this line as one sentence.
///
/// ```
/// use lucena::chess::Position;
/// use lucena::explain::motifs::{Kind, Line, find, sentence};
///
/// let position = Position::from_fen("r3k3/8/8/3N4/8/8/8/4K3 w - - 0 1")?;
/// let line = Line::parse(&position, "d5c7 e8d7 c7a8")?;
/// let motifs = find(&line);
/// assert_eq!(motifs[0].kind, Kind::Fork);
/// assert_eq!(
///     sentence(&line, &motifs[0]),
///     "1.Nc7+ attacks the king on e8 and the rook on a8 at once; 2.Nxa8 takes the rook."
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn sentence(line: &Line, motif: &Motif) -> String {
    let words = Words {
        line,
        motif,
        mv: numbered(line, motif.ply),
    };
    if motif.kind.name().ends_with("mate") {
        words.mate()
    } else {
        words
            .tactic()
            .or_else(|| words.decoy())
            .unwrap_or_else(|| words.single_move())
    }
}

/// A motif and the move that shows it, as `4…Qg5`.
struct Words<'a> {
    line: &'a Line,
    motif: &'a Motif,
    mv: String,
}

impl Words<'_> {
    /// Attacks and captures.
    fn tactic(&self) -> Option<String> {
        let (mv, next) = (&self.mv, self.next());
        let [first, second, third] = [0, 1, 2].map(|index| self.named(index));
        Some(match self.motif.kind {
            Kind::Fork => format!("{mv} attacks {} at once{}.", self.list(1), self.taken()),
            Kind::Pin => self.pin(),
            Kind::Skewer => {
                format!("{mv} attacks {second}; when it moves, {next} takes {third} behind it.")
            }
            Kind::DiscoveredAttack => {
                let (ply, squares) = (self.motif.ply, &self.motif.squares);
                let is_open =
                    attacks_of(self.line.position(ply + 1), squares[0]).contains(squares[1]);
                // The reply may open the last part of the line.
                let opener = if is_open {
                    mv.clone()
                } else {
                    format!("After {mv}, {}", numbered(self.line, ply + 1))
                };
                format!(
                    "{opener} opens the line of {first} to {second}{}.",
                    self.taken()
                )
            }
            Kind::DiscoveredCheck => format!("{mv} opens the line of {second} to {first}: check."),
            Kind::DoubleCheck => {
                format!(
                    "{mv} checks with {} at once: the king must move.",
                    self.list(1)
                )
            }
            Kind::XRayAttack => {
                let reply = numbered(self.line, self.motif.ply + 1);
                let square = self.motif.squares[2];
                format!(
                    "After {mv} {first} attacks {square} through {second}: after {reply}, {next} takes back."
                )
            }
            Kind::HangingPiece => {
                format!("{} is undefended: {mv} takes it.", capital(&first))
            }
            Kind::TrappedPiece => {
                let square = self.motif.squares[0];
                let legal = self.line.position(self.motif.ply + 1).legal_moves();
                let how = if legal.iter().any(|mv| mv.from() == square) {
                    "it is lost wherever it goes"
                } else {
                    "it has no move"
                };
                format!("After {mv} {first} is attacked, and {how}.")
            }
            Kind::CapturingDefender => {
                // A recapture of a piece of equal worth makes it an exchange.
                let (line, ply) = (self.line, self.motif.ply);
                let is_even = line.captured(ply).map(value) == Some(value(line.role(ply)));
                let is_retaken = line.to(ply + 1) == line.to(ply);
                let takes = if is_retaken && is_even {
                    "exchanges"
                } else {
                    "takes"
                };
                let target = self.role(1);
                format!(
                    "{mv} {takes} {first}, which defends {second}; then {next} takes the {target}."
                )
            }
            Kind::Intermezzo => {
                let side = side(self.motif.side);
                format!("Before taking {first}, {side} plays {mv}; {next} takes it a move later.")
            }
            _ => return None,
        })
    }

    fn pin(&self) -> String {
        let (mv, line, ply, squares) = (&self.mv, self.line, self.motif.ply, &self.motif.squares);
        let [first, second, third] = [0, 1, 2].map(|index| self.named(index));
        if squares.len() > 3 {
            let target = self.role(3);
            return format!(
                "After {mv} {second} cannot take the {target}: it is pinned to {third} by {first}."
            );
        }
        let taken = self.taken();
        let is_old = attacks_of(line.position(ply), squares[0]).contains(squares[1]);
        if line.to(ply) == squares[0] {
            format!("{mv} pins {second} to {third}{taken}.")
        } else if is_old && attacks_newly(line, ply, squares[1]) {
            format!("{mv} attacks {second}, which is pinned to {third} by {first}{taken}.")
        } else {
            format!("After {mv} {second} is pinned to {third} by {first}.")
        }
    }

    /// Pieces drawn away, drawn in, or in the way.
    fn decoy(&self) -> Option<String> {
        let (mv, next) = (&self.mv, self.next());
        let [first, second] = [0, 1].map(|index| self.named(index));
        let squares = &self.motif.squares;
        Some(match self.motif.kind {
            Kind::Deflection => {
                let taken = self.taken_later();
                format!("{mv} draws {first} away from {second}: {next} follows{taken}.")
            }
            Kind::Attraction => {
                let (to, from) = (squares[0], squares[1]);
                let piece = self.role(0);
                let taken = self.taken_later();
                format!(
                    "{mv} draws the {piece} from {from} to {to}, where {next} attacks it{taken}."
                )
            }
            Kind::Interference => {
                let what = format!(
                    "comes between {first} and {second}: {next} takes the {}.",
                    self.role(1)
                );
                if self.line.to(self.motif.ply) == squares[2] {
                    format!("{mv} {what}")
                } else {
                    // The opponent's own reply is in the way.
                    format!(
                        "After {mv}, {} {what}",
                        numbered(self.line, self.motif.ply + 1)
                    )
                }
            }
            Kind::Clearance => format!("{mv} clears {} for {first}: {next} follows.", squares[1]),
            Kind::Sacrifice => self.sacrifice(),
            _ => return None,
        })
    }

    fn sacrifice(&self) -> String {
        let (mv, ply) = (&self.mv, self.motif.ply);
        let reply = numbered(self.line, ply + 1);
        let taken = self.line.captured(ply + 1);
        let is_taken = self.line.mv(ply + 1).to() == self.line.to(ply);
        if let Some(taken) = taken.filter(|_| is_taken) {
            return format!("{mv} gives up the {}: {reply} takes it.", role(taken));
        }
        let lost = self.line.balance(0) - self.line.balance(ply + 3);
        let (side, pawns) = (side(self.motif.side), lost / 100);
        format!(
            "{mv} is part of a sacrifice: after {} {side} has lost material worth {pawns} pawns.",
            self.next()
        )
    }

    /// Motifs of one move.
    fn single_move(&self) -> String {
        let (mv, ply) = (&self.mv, self.motif.ply);
        let to = self.motif.squares[0];
        match self.motif.kind {
            // The piece is not named where a queen would do as well.
            Kind::Promotion => {
                let taken_back = self.taken_back();
                match self.role(0) {
                    role @ ("queen" | "knight") => {
                        format!("{mv} promotes the pawn to a {role}{taken_back}.")
                    }
                    _ => format!("{mv} promotes the pawn{taken_back}."),
                }
            }
            Kind::UnderPromotion => format!("{mv} promotes to a {}, not to a queen.", self.role(0)),
            Kind::AdvancedPawn if self.line.mv(ply).is_promotion() => {
                format!("{mv} promotes the pawn.")
            }
            Kind::AdvancedPawn => format!("{mv} brings the pawn to {to}, one step from promotion."),
            Kind::EnPassant => format!("{mv} takes en passant."),
            Kind::Castling => format!("{mv} castles."),
            Kind::AttackingF2F7 => format!("{mv} takes on {to}, beside {}.", self.named(1)),
            Kind::ExposedKing => {
                format!(
                    "{mv} checks {}, which had no pawn beside it.",
                    self.named(0)
                )
            }
            Kind::QuietMove => {
                format!(
                    "{mv} takes nothing and gives no check; {} comes next.",
                    self.next()
                )
            }
            Kind::DefensiveMove if self.line.position(ply).in_check() => {
                format!("{mv} answers the check.")
            }
            Kind::DefensiveMove => format!("{mv} takes nothing and threatens nothing."),
            Kind::OnlyMove => {
                format!("{mv} is the only move: every other one allows mate at once.")
            }
            Kind::Zugzwang => {
                let them = side(!self.motif.side);
                format!("After {mv} {them} is in zugzwang: every move makes the position worse.")
            }
            _ => format!("{mv}."),
        }
    }

    fn mate(&self) -> String {
        let them = side(!self.motif.side);
        let squares = &self.motif.squares;
        let why = match self.motif.kind {
            Kind::BackRankMate => format!(
                "the {} checks along the back rank, and {them}'s own pieces on {} leave the king no square",
                self.role(1),
                names(&squares[2..])
            ),
            Kind::SmotheredMate => format!(
                "the knight checks, and {them}'s own pieces on {} leave the king no square",
                names(&squares[2..])
            ),
            Kind::Mate if self.motif.numbers[0] > 1 => {
                let moves = self.motif.numbers[0];
                let first = numbered(self.line, 0);
                return format!("{first} leads to mate in {moves}: {}.", self.mv);
            }
            _ => why_mate(self.line.last()),
        };
        let is_whole = !matches!(self.motif.kind, Kind::BackRankMate | Kind::SmotheredMate);
        let pinned = pinned(self.line.last()).filter(|_| !is_whole);
        let pinned = pinned.map_or_else(String::new, |pinned| format!("; {pinned}"));
        format!("{} is mate: {why}{pinned}.", self.mv)
    }

    /// The side's next move.
    fn next(&self) -> String {
        numbered(self.line, self.motif.ply + 2)
    }

    /// `; 4…Rxa1 takes the rook that takes it` if the next two moves are captures on the same square.
    fn taken_back(&self) -> String {
        let (line, ply) = (self.line, self.motif.ply);
        let on_square = |index: usize| index < line.moves().len() && line.to(index) == line.to(ply);
        if !on_square(ply + 1) || !on_square(ply + 2) {
            return String::new();
        }
        let taker = role(line.role(ply + 1));
        format!("; {} takes the {taker} that takes it", self.next())
    }

    /// `; 5…Qxe5 takes the knight` if the first piece, or any that takes a pinned one, takes one of the others next.
    fn taken(&self) -> String {
        let (ply, squares) = (self.motif.ply + 2, &self.motif.squares);
        if ply >= self.line.moves().len() {
            return String::new();
        }
        let mv = self.line.mv(ply);
        if self.line.is_mate() && ply + 1 == self.line.moves().len() {
            return format!("; {} is mate", self.next());
        }
        let target = role_on(self.line.position(ply), mv.to());
        let is_worker = mv.from() == squares[0] || self.motif.kind == Kind::Pin;
        match target.filter(|_| is_worker && squares[1..].contains(&mv.to())) {
            Some(target) => format!("; {} takes the {}", self.next(), role(target)),
            None => String::new(),
        }
    }

    /// `; 6.Nxd8 takes the queen` if the piece of the next move takes more with the one after it than with that.
    fn taken_later(&self) -> String {
        let (line, ply) = (self.line, self.motif.ply + 4);
        if ply >= line.moves().len() || line.mv(ply).from() != line.to(ply - 2) {
            return String::new();
        }
        let worth = |ply: usize| line.captured(ply).map_or(0, value);
        match line.captured(ply).filter(|_| worth(ply) > worth(ply - 2)) {
            Some(target) => format!("; {} takes the {}", numbered(line, ply), role(target)),
            None => String::new(),
        }
    }

    fn role(&self, index: usize) -> &'static str {
        let piece = self.motif.pieces.get(index);
        piece.map_or("", |piece| role(piece.role()))
    }

    /// `the knight on e5`, or the square alone if it is empty.
    fn named(&self, index: usize) -> String {
        match (self.motif.squares.get(index), self.motif.pieces.get(index)) {
            (Some(square), Some(piece)) => format!("the {} on {square}", role(piece.role())),
            (Some(square), None) => square.to_string(),
            _ => String::new(),
        }
    }

    /// The pieces from an index on: `the king on g6 and the queen on d7`.
    fn list(&self, from: usize) -> String {
        let pieces: Vec<String> = (from..self.motif.squares.len())
            .map(|index| self.named(index))
            .collect();
        join(&pieces)
    }
}

/// A move with its number, as `4.Nxe5` or `4…Qg5`, without the sign of mate.
fn numbered(line: &Line, ply: usize) -> String {
    let Some(&mv) = line.moves().get(ply) else {
        return String::new();
    };
    let position = line.position(ply);
    let dots = position.turn().fold_wb(".", "…");
    let san = position.san(mv).to_string();
    format!(
        "{}{dots}{}",
        position.fullmoves(),
        san.trim_end_matches('#')
    )
}

fn names(squares: &[Square]) -> String {
    let names: Vec<String> = squares.iter().map(ToString::to_string).collect();
    join(&names)
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}
