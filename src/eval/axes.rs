//! The axes of the feature tables: what may stand at one place of an index.
//! Uses: chess. Used by: families, material, features.
//! Idea: an axis knows how to turn a chess value into a cell and a cell into words, so that no index is ever computed
//! or named by hand. Each axis also has a `const fn cell(Value) -> usize`, which a trait cannot declare yet.

use crate::chess::{File, Role, Square};

/// Declares axes whose cells are words. The value is a `bool` or a cell number.
macro_rules! words {
    ($( $(#[$doc:meta])* $name:ident($value:ty) [$($word:literal),+ $(,)?]; )+) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub struct $name;

        impl $name {
            const WORDS: &[&str] = &[$($word),+];

            /// The cell of a value.
            #[inline(always)]
            #[must_use]
            pub const fn cell(value: $value) -> usize {
                value as usize
            }
        }

        impl Axis for $name {
            type Value = $value;
            const SIZE: usize = $name::WORDS.len();

            fn label(cell: usize) -> String {
                $name::WORDS[cell].to_owned()
            }
        }
    )+};
}

words! {
    /// Whether the side a fact is true of is to move.
    Mover(bool) ["not to move", "to move"];
    /// What a side may have more or fewer of, for the products of counts.
    Holding(usize) ["bishop pair", "pawn", "knight", "bishop", "rook", "queen"];
    /// What is counted by kind of material.
    Counted(usize) ["pawn", "knight", "bishop", "rook", "queen", "passed pawn"];
    /// Whether an enemy pawn stands ahead on the same file.
    Opposed(bool) ["unopposed", "opposed"];
    /// Whether another pawn stands on a file beside.
    Beside(bool) ["with neighbours", "isolated"];
    /// How far ahead the next own pawn of the same file stands.
    Gap(usize) ["one step", "two steps", "more steps"];
    /// How pawns hold each other: this one beside another, and how many guard it.
    Link(usize) [
        "in a phalanx",
        "guarded once",
        "guarded once in a phalanx",
        "guarded twice",
        "guarded twice in a phalanx",
    ];
    /// One of the three files before a king, from the nearer edge of the board to the middle.
    ShelterFile(usize) ["outer file", "middle file", "inner file"];
    /// The rank of the pawn that matters on a file, or none.
    Standing(usize) ["none", "rank 2", "rank 3", "rank 4", "rank 5", "rank 6", "rank 7"];
    /// How well a man that is attacked is defended. By pieces: as often as it is attacked, or it is attacked once.
    Guard(usize) ["loose", "outnumbered", "held", "pawn-guarded"];
    /// Whether a side still has a queen to attack with.
    Queens(bool) ["no queen", "queen"];
    /// How a king is sheltered: how many of three files lack a pawn near it, and whether enemy pawns are near.
    Shelter(usize) [
        "full",
        "full but stormed",
        "one file bare",
        "one file bare and stormed",
        "two files bare",
        "two files bare and stormed",
        "all bare",
        "all bare and stormed",
    ];
    /// Which officers could check from a square where they are safe.
    Checks(usize) [
        "none",
        "N",
        "B",
        "NB",
        "R",
        "NR",
        "BR",
        "NBR",
        "Q",
        "NQ",
        "BQ",
        "NBQ",
        "RQ",
        "NRQ",
        "BRQ",
        "NBRQ",
    ];
    /// To which wing a king may castle.
    Wing(bool) ["queen side", "king side"];
    /// What is in the way of a passed pawn's next step.
    Stop(usize) ["an enemy", "an own man", "an attack", "a contest", "nothing"];
    /// What is in the way of a passed pawn's whole run.
    Path(usize) ["men", "attacks", "nothing"];
    /// Whose something is.
    Owner(usize) ["own", "enemy"];
    /// Whether a pawn guards it.
    Supported(bool) ["unsupported", "supported"];
    /// What pawns stand on a rook's file.
    FileState(usize) ["open", "half-open", "closed"];
    /// How far away a file is.
    FilesAway(usize) ["same file", "next file", "two files away", "farther away"];
    /// From which file to which an own pawn looks at an enemy's, the king's wing folded onto the queen's.
    FileStep(usize) [
        "from a to b",
        "from b to a",
        "from b to c",
        "from c to b",
        "from c to d",
        "from d to c",
        "from d to e",
    ];
    /// Another man as a king sees it.
    Seen(usize) [
        "own pawn",
        "own knight",
        "own bishop",
        "own rook",
        "own queen",
        "enemy pawn",
        "enemy knight",
        "enemy bishop",
        "enemy rook",
        "enemy queen",
        "enemy king",
    ];
    /// Whether castling could still free a rook.
    MayCastle(bool) ["for good", "may castle"];
}

/// One axis of a family's table.
pub trait Axis {
    /// What feature code passes for this axis.
    type Value: Copy;
    /// How many cells it has.
    const SIZE: usize;
    /// What a cell is called.
    fn label(cell: usize) -> String;
}

/// `COUNT` roles, the first of which is number `FIRST` (pawn 1 … king 6).
#[derive(Clone, Copy, Debug)]
pub struct Roles<const FIRST: usize, const COUNT: usize>;

/// Every role.
pub type AnyRole = Roles<1, 6>;
/// Pawn to queen: what can be taken.
pub type Man = Roles<1, 5>;
/// Knight to queen.
pub type Officer = Roles<2, 4>;
/// Knight and bishop.
pub type Minor = Roles<2, 2>;
/// Knight to rook: what a queen flees from.
pub type Lesser = Roles<2, 3>;
/// Bishop and rook.
pub type Slider = Roles<3, 2>;

impl<const FIRST: usize, const COUNT: usize> Roles<FIRST, COUNT> {
    /// The cell of a role.
    #[inline]
    #[must_use]
    pub const fn cell(role: Role) -> usize {
        role as usize - FIRST
    }
}

impl<const FIRST: usize, const COUNT: usize> Axis for Roles<FIRST, COUNT> {
    type Value = Role;
    const SIZE: usize = COUNT;

    fn label(cell: usize) -> String {
        match Role::ALL[FIRST - 1 + cell] {
            Role::Pawn => "pawn",
            Role::Knight => "knight",
            Role::Bishop => "bishop",
            Role::Rook => "rook",
            Role::Queen => "queen",
            Role::King => "king",
        }
        .to_owned()
    }
}

/// A square from its owner's side with the king's wing folded onto the queen's: d4 and e4 are one cell.
#[derive(Clone, Copy, Debug)]
pub struct FoldedSquare;

impl FoldedSquare {
    /// The cell of a square that is seen from its owner's side (the first rank is the own one).
    #[inline]
    #[must_use]
    pub const fn cell(square: Square) -> usize {
        let file = square.file() as usize;
        let folded = if file < 4 { file } else { 7 - file };
        square.rank() as usize * 4 + folded
    }
}

impl Axis for FoldedSquare {
    type Value = Square;
    const SIZE: usize = 32;

    fn label(cell: usize) -> String {
        let file = File::new((cell % 4) as u32);
        let (left, right, rank) = (file.char(), file.flip_horizontal().char(), cell / 4 + 1);
        format!("{left}{rank}/{right}{rank}")
    }
}

/// A square from a king's side, reflected if the king stands on the king's wing: what a king on g1 sees on h3 is what one on
/// b1 sees on a3.
#[derive(Clone, Copy, Debug)]
pub struct ReflectedSquare;

impl ReflectedSquare {
    /// The cell of a square that is reflected already.
    #[inline]
    #[must_use]
    pub const fn cell(square: Square) -> usize {
        square as usize
    }
}

impl Axis for ReflectedSquare {
    type Value = Square;
    const SIZE: usize = 64;

    fn label(cell: usize) -> String {
        let square = Square::new(cell as u32);
        format!("{square}/{}", square.flip_horizontal())
    }
}

/// A square of the fourth to sixth rank, from its owner's side and folded.
#[derive(Clone, Copy, Debug)]
pub struct OutpostSquare;

impl OutpostSquare {
    /// Where in [`FoldedSquare`] the fourth rank begins.
    const FIRST: usize = 12;

    /// The cell of a square that is seen from its owner's side.
    #[inline]
    #[must_use]
    pub const fn cell(square: Square) -> usize {
        FoldedSquare::cell(square) - Self::FIRST
    }
}

impl Axis for OutpostSquare {
    type Value = Square;
    const SIZE: usize = 12;

    fn label(cell: usize) -> String {
        FoldedSquare::label(cell + Self::FIRST)
    }
}

/// A file with the king's wing folded onto the queen's.
#[derive(Clone, Copy, Debug)]
pub struct FoldedFile;

impl FoldedFile {
    /// The cell of a file.
    #[inline]
    #[must_use]
    pub const fn cell(file: File) -> usize {
        let file = file as usize;
        if file < 4 { file } else { 7 - file }
    }
}

impl Axis for FoldedFile {
    type Value = File;
    const SIZE: usize = 4;

    fn label(cell: usize) -> String {
        let file = File::new(cell as u32);
        format!("{}/{}", file.char(), file.flip_horizontal().char())
    }
}

/// A rank on which a pawn may stand, as its owner sees it: 1 (the second rank) to 6.
#[derive(Clone, Copy, Debug)]
pub struct PawnRank;

impl PawnRank {
    /// The cell of a rank.
    #[inline]
    #[must_use]
    pub const fn cell(rank: usize) -> usize {
        rank - 1
    }
}

impl Axis for PawnRank {
    type Value = usize;
    const SIZE: usize = 6;

    fn label(cell: usize) -> String {
        (cell + 2).to_string()
    }
}

/// Two different things of [`Holding`], or twice the same: the greater number first.
#[derive(Clone, Copy, Debug)]
pub struct Holdings;

impl Holdings {
    /// The cell of two things, the first of which is not the lesser.
    #[inline]
    #[must_use]
    pub const fn cell(pair: (usize, usize)) -> usize {
        pair.0 * (pair.0 + 1) / 2 + pair.1
    }
}

impl Axis for Holdings {
    type Value = (usize, usize);
    const SIZE: usize = 21;

    fn label(cell: usize) -> String {
        let greater = (1..Holding::SIZE)
            .rev()
            .find(|&greater| Self::cell((greater, 0)) <= cell)
            .unwrap_or(0);
        let lesser = cell - Self::cell((greater, 0));
        format!("{} and {}", Holding::label(lesser), Holding::label(greater))
    }
}

/// Two different things of [`Holding`]: the greater number first.
#[derive(Clone, Copy, Debug)]
pub struct Opposition;

impl Opposition {
    /// The cell of an own thing and a lesser one of the enemy's.
    #[inline]
    #[must_use]
    pub const fn cell(pair: (usize, usize)) -> usize {
        pair.0 * (pair.0 - 1) / 2 + pair.1
    }
}

impl Axis for Opposition {
    type Value = (usize, usize);
    const SIZE: usize = 15;

    fn label(cell: usize) -> String {
        let own = (2..Holding::SIZE)
            .rev()
            .find(|&own| Self::cell((own, 0)) <= cell)
            .unwrap_or(1);
        let enemy = cell - Self::cell((own, 0));
        format!("{} against {}", Holding::label(own), Holding::label(enemy))
    }
}

/// How far two men stand apart: from `FIRST` to seven king's steps.
#[derive(Clone, Copy, Debug)]
pub struct Apart<const FIRST: usize, const COUNT: usize>;

/// The distance between two different squares.
pub type Distance = Apart<1, 7>;
/// The distance between the two kings.
pub type KingDistance = Apart<2, 6>;

impl<const FIRST: usize, const COUNT: usize> Apart<FIRST, COUNT> {
    /// The cell of a distance.
    #[inline]
    #[must_use]
    pub const fn cell(steps: usize) -> usize {
        steps - FIRST
    }
}

impl<const FIRST: usize, const COUNT: usize> Axis for Apart<FIRST, COUNT> {
    type Value = usize;
    const SIZE: usize = COUNT;

    fn label(cell: usize) -> String {
        (cell + FIRST).to_string()
    }
}

/// A number of which the last cell means its own number and more.
#[derive(Clone, Copy, Debug)]
pub struct Capped<const SIZE: usize>;

impl<const SIZE: usize> Capped<SIZE> {
    /// The cell of a number.
    #[inline(always)]
    #[must_use]
    pub const fn cell(number: usize) -> usize {
        if number < SIZE { number } else { SIZE - 1 }
    }
}

impl<const SIZE: usize> Axis for Capped<SIZE> {
    type Value = usize;
    const SIZE: usize = SIZE;

    fn label(cell: usize) -> String {
        let more = if cell + 1 == SIZE { "+" } else { "" };
        format!("{cell}{more}")
    }
}

/// A number from 0 to `SIZE - 1`.
#[derive(Clone, Copy, Debug)]
pub struct Number<const SIZE: usize>;

impl<const SIZE: usize> Number<SIZE> {
    /// The cell of a number.
    #[inline]
    #[must_use]
    pub const fn cell(number: usize) -> usize {
        number
    }
}

impl<const SIZE: usize> Axis for Number<SIZE> {
    type Value = usize;
    const SIZE: usize = SIZE;

    fn label(cell: usize) -> String {
        cell.to_string()
    }
}
