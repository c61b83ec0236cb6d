//! Facts of the evaluation in words, proved on the board: files, pawns, shelters, pins.

use shakmaty::attacks::{pawn_attacks, queen_attacks};
use shakmaty::{Bitboard, Board, Chess, Color, File, Position as _, Rank, Role, Square};

use super::lines::{self, ensure};
use super::words::{self, named_pieces, square};

/// Numbers of a sentence.
fn number(word: &str) -> Option<usize> {
    const WORDS: [&str; 13] = [
        "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
        "eleven", "twelve",
    ];
    let place = WORDS.iter().position(|name| *name == word);
    place.or_else(|| word.parse().ok())
}

/// The number before a phrase: `with three squares ahead`, and whether it means so many at least.
fn before(text: &str, phrase: &str) -> Option<(usize, bool)> {
    let words = text[..text.find(phrase)?].trim_end();
    let or_more = words.ends_with("or more");
    let words = words.trim_end_matches("or more").trim_end();
    let count = number(words.rsplit(' ').next()?)?;
    Some((count, or_more || text.contains("at least")))
}

fn is_count(found: usize, (count, or_more): (usize, bool)) -> bool {
    if or_more {
        found >= count
    } else {
        found == count
    }
}

/// The squares of the files beside one.
fn neighbours(file: File) -> Bitboard {
    let mut files = Bitboard::EMPTY;
    for step in [-1, 1] {
        if let Some(file) = file.offset(step) {
            files |= Bitboard::from_file(file);
        }
    }
    files
}

/// The squares of the ranks ahead of a square, for a colour.
fn ahead(square: Square, color: Color) -> Bitboard {
    let is_ahead = |other: Square| {
        let (own, other) = (square.rank() as u32, other.rank() as u32);
        if color.is_white() {
            other > own
        } else {
            other < own
        }
    };
    Bitboard::FULL
        .into_iter()
        .filter(|&other| is_ahead(other))
        .fold(Bitboard::EMPTY, Bitboard::with)
}

struct Fact<'a> {
    text: &'a str,
    board: &'a Board,
    us: Color,
    square: Square,
}

/// Proves the fact of a sentence; false if it has none that this checker knows.
///
/// # Errors
/// The fact does not hold.
pub fn prove(text: &str, position: &Chess) -> Result<bool, String> {
    if let Some((side, list)) = words::balance(text) {
        let lead = lines::lead(position, side);
        let same = words::lists(&list, words::counts(&list)?, &lead);
        ensure(same, &format!("{lead:?} against {list}"))?;
        return Ok(true);
    }
    // The fact follows the line: `After 14.Rd1 Kf8, White's rook on d1 …: 0.41 of the difference of 0.63 is due to …`
    let Some((us, _, at)) = named_pieces(text)
        .into_iter()
        .find_map(|(us, role, square)| Some((us?, role, square)))
    else {
        return Ok(false);
    };
    let fact = Fact {
        text,
        board: position.board(),
        us,
        square: at,
    };
    for (phrase, test) in TESTS {
        if text.contains(phrase) {
            let holds = test(&fact).ok_or_else(|| format!("not understood: {phrase}"))?;
            ensure(holds, phrase)?;
            return Ok(true);
        }
    }
    Ok(false)
}

type Test = fn(&Fact) -> Option<bool>;

const TESTS: [(&str, Test); 26] = [
    (", but is pinned to its king", |fact| {
        let count = before(fact.text, " square")?;
        Some(fact.is_pinned()? && is_count(fact.reach().count(), count))
    }),
    (" are open from ", |fact| {
        let (_, count) = fact.text.split_once(" are open from ")?;
        let lines = queen_attacks(fact.square, fact.board.occupied());
        let open = lines & !fact.board.by_color(fact.us);
        Some(is_count(open.count(), before(count, " square")?))
    }),
    ("reaches no square", |fact| Some(fact.reach().is_empty())),
    (" reaches ", |fact| fact.reaches()),
    ("is shut in by its own king", |fact| {
        let king = fact.board.king_of(fact.us)?;
        Some(fact.board.attacks_from(fact.square).contains(king))
    }),
    (", which ", |fact| fact.attacks()),
    ("is isolated", |fact| {
        Some((fact.own_pawns() & neighbours(fact.square.file())).is_empty())
    }),
    ("s passed pawn", |fact| fact.passed()),
    ("stands on an open file", |fact| {
        Some(fact.on_file(fact.pawns()).is_empty() && fact.looks()?)
    }),
    ("stands on a half-open file", |fact| {
        let own = fact.on_file(fact.own_pawns());
        Some(own.is_empty() && fact.on_file(fact.pawns()).any() && fact.looks()?)
    }),
    ("stands behind its own pawn on", |fact| {
        let pawn = square(fact.text.split("own pawn on ").nth(1)?.get(..2)?)?;
        let ahead = ahead(fact.square, fact.us);
        Some((fact.on_file(fact.own_pawns()) & ahead).contains(pawn))
    }),
    ("stands in front of its own pawn on", |fact| {
        let own = fact.on_file(fact.own_pawns());
        Some(own.any() && (own & ahead(fact.square, fact.us)).is_empty())
    }),
    ("is doubled", |fact| {
        let ahead = ahead(fact.square, fact.us);
        Some((fact.on_file(fact.own_pawns()) & ahead).any())
    }),
    ("is blocked by a", |fact| {
        let step = if fact.us.is_white() { 1 } else { -1 };
        let next = Square::from_coords(fact.square.file(), fact.square.rank().offset(step)?);
        Some((fact.pawns() & !fact.own_pawns()).contains(next))
    }),
    ("is defended by a pawn and stands beside", |fact| {
        Some(fact.pawn_defenders() == 1 && fact.has_neighbour())
    }),
    ("is defended by two pawns and stands beside", |fact| {
        Some(fact.pawn_defenders() == 2 && fact.has_neighbour())
    }),
    ("is defended by two pawns", |fact| {
        Some(fact.pawn_defenders() == 2)
    }),
    ("is defended by a pawn", |fact| {
        Some(fact.pawn_defenders() == 1)
    }),
    ("stands beside another pawn", |fact| {
        Some(fact.has_neighbour())
    }),
    ("stands on an outpost", |fact| {
        let files = neighbours(fact.square.file()) & ahead(fact.square, fact.us);
        let attackers = files & fact.pawns() & !fact.own_pawns();
        let is_supported = fact.pawn_defenders() > 0;
        Some(attackers.is_empty() && is_supported == fact.text.contains("a pawn defends it"))
    }),
    ("of its own on squares of its colour", |fact| {
        let color = if fact.square.is_light() {
            Bitboard::LIGHT_SQUARES
        } else {
            Bitboard::DARK_SQUARES
        };
        let pawns = (fact.own_pawns() & color).count();
        let noun = if fact.text.contains(" pawn of its own") {
            " pawn of its own"
        } else {
            " pawns of its own"
        };
        Some(is_count(pawns, before(fact.text, noun)?))
    }),
    ("is undefended", |fact| {
        let board = fact.board;
        let defenders = board.attacks_to(fact.square, fact.us, board.occupied());
        Some(defenders.is_empty())
    }),
    ("is pinned to its king", |fact| fact.is_pinned()),
    ("has no pawn in front of it", |fact| {
        Some(fact.shelter().is_empty())
    }),
    (" stands behind ", |fact| {
        let (_, list) = fact.text.split_once(" stands behind ")?;
        let (how, list) = list.split_once(" on ")?;
        let ahead = ahead(fact.square, fact.us);
        let is_where = |pawn: Square| how.contains("beside") || ahead.contains(pawn);
        let mut named = squares(list);
        let is_near = named
            .all(|pawn| fact.shelter().contains(pawn) && is_where(pawn) && !fact.is_advanced(pawn));
        Some(is_near && (!list.contains(" advanced ") || fact.names_advanced_pawns(list)?))
    }),
    (" has only ", |fact| fact.names_advanced_pawns(fact.text)),
];

/// The squares at the start of a list: `f2, g2 and h2`.
fn squares(list: &str) -> impl Iterator<Item = Square> {
    list.split([' ', ','])
        .filter(|word| !matches!(*word, "" | "and"))
        .map_while(square)
}

impl Fact<'_> {
    /// Whether a pawn is more than three ranks away from the king.
    fn is_advanced(&self, pawn: Square) -> bool {
        (pawn.rank() as u32).abs_diff(self.square.rank() as u32) > 3
    }

    /// Whether the squares behind `advanced … on` have advanced pawns of the shelter.
    fn names_advanced_pawns(&self, text: &str) -> Option<bool> {
        let (_, list) = text.split_once(" advanced ")?;
        let (_, list) = list.split_once("on ")?;
        let is_one = |pawn| self.shelter().contains(pawn) && self.is_advanced(pawn);
        Some(squares(list).all(is_one))
    }

    fn pawns(&self) -> Bitboard {
        self.board.pawns()
    }

    fn own_pawns(&self) -> Bitboard {
        self.board.pawns() & self.board.by_color(self.us)
    }

    /// Squares that it attacks and that no own piece stands on.
    fn reach(&self) -> Bitboard {
        self.board.attacks_from(self.square) & !self.board.by_color(self.us)
    }

    /// Whether the enemy gives check without it.
    fn is_pinned(&self) -> Option<bool> {
        let mut thinner = self.board.clone();
        thinner.discard_piece_at(self.square);
        let king = self.board.king_of(self.us)?;
        let checks = |board: &Board| board.attacks_to(king, !self.us, board.occupied());
        Some((checks(&thinner) & !checks(self.board)).any())
    }

    /// Whether no cheaper enemy piece attacks a square.
    fn is_safe(&self, to: Square) -> bool {
        let attackers = self.board.attacks_to(to, !self.us, self.board.occupied());
        let value = |role: Role| match role {
            Role::Bishop => Role::Knight,
            other => other,
        };
        let own = self.board.role_at(self.square).map(value);
        let roles = attackers
            .into_iter()
            .filter_map(|at| self.board.role_at(at));
        !roles.map(value).any(|role| Some(role) < own)
    }

    /// `reaches five squares, two of them safe from pawns`.
    fn reaches(&self) -> Option<bool> {
        let text = self.text.split(" (").next()?;
        let (_, rest) = text.split_once(" reaches ")?;
        let (count, rest) = rest.split_once(" square")?;
        let reach = self.reach();
        let Some((safe, _)) = rest.split_once(" of them safe from ") else {
            return Some(reach.count() == number(count)?);
        };
        let safe = match safe.rsplit(' ').next()? {
            "none" => 0,
            safe => number(safe)?,
        };
        let found = reach.into_iter().filter(|&to| self.is_safe(to)).count();
        Some(reach.count() == number(count)? && found == safe)
    }

    /// `White's knight on e5 and bishop on b5 attack Black's pawn on c6, which nothing defends`.
    fn attacks(&self) -> Option<bool> {
        let (attack, how) = self.text.split_once(", which ")?;
        let mut pieces = named_pieces(attack);
        let (_, _, target) = pieces.pop()?;
        let all = self.board.occupied();
        let attackers = self.board.attacks_to(target, self.us, all);
        let is_attacked = pieces.iter().all(|&(_, _, from)| attackers.contains(from));
        let defenders = self.board.attacks_to(target, !self.us, all);
        let is_so = if how.starts_with("nothing defends") {
            defenders.is_empty()
        } else if how.starts_with("a pawn defends") {
            (defenders & self.board.pawns()).any()
        } else {
            defenders.any()
        };
        Some(!pieces.is_empty() && is_attacked && is_so)
    }

    fn on_file(&self, pieces: Bitboard) -> Bitboard {
        pieces & Bitboard::from_file(self.square.file())
    }

    fn pawn_defenders(&self) -> usize {
        (pawn_attacks(!self.us, self.square) & self.own_pawns()).count()
    }

    fn has_neighbour(&self) -> bool {
        let rank = Bitboard::from_rank(self.square.rank());
        (self.own_pawns() & rank & neighbours(self.square.file())).any()
    }

    /// Whether a rook attacks the square that is named, and none farther ahead.
    fn looks(&self) -> Option<bool> {
        let ahead = Bitboard::from_file(self.square.file()) & ahead(self.square, self.us);
        let seen = self.board.attacks_from(self.square) & ahead;
        let is_behind = self.text.split_once("file behind its own ");
        let far = if let Some((_, far)) = self.text.split_once("controls it as far as ") {
            far.get(..2)?
        } else if let Some((_, own)) = is_behind {
            own.split_once(" on ")?.1.get(..2)?
        } else {
            return Some(seen.is_empty());
        };
        let far = square(far)?;
        let is_own = self.board.by_color(self.us).contains(far);
        let is_farther = |other: Square| other.distance(self.square) > far.distance(self.square);
        let is_last = seen.contains(far) && !seen.into_iter().any(is_farther);
        Some(is_last && is_own == is_behind.is_some())
    }

    /// No enemy pawn ahead on three files, and so many moves to promote.
    fn passed(&self) -> Option<bool> {
        let file = Bitboard::from_file(self.square.file());
        let files = (file | neighbours(self.square.file())) & ahead(self.square, self.us);
        let enemies = self.pawns() & !self.own_pawns();
        let back = self.us.fold_wb(Rank::Eighth, Rank::First);
        let steps = self.square.rank().distance(back) as usize;
        let noun = if self.text.contains(" move to promote") {
            " move to promote"
        } else {
            " moves to promote"
        };
        let moves = before(self.text, noun)?.0;
        Some((files & enemies).is_empty() && moves == steps.min(5))
    }

    /// The own pawns ahead of the king and beside it.
    fn shelter(&self) -> Bitboard {
        let file = self.square.file();
        let mut files = Bitboard::from_file(file) | neighbours(file);
        // Beside the edge the three files nearest to it.
        files |= match file {
            File::A => Bitboard::from_file(File::C),
            File::H => Bitboard::from_file(File::F),
            _ => Bitboard::EMPTY,
        };
        let rank = Bitboard::from_rank(self.square.rank());
        files & (ahead(self.square, self.us) | rank) & self.own_pawns()
    }
}
