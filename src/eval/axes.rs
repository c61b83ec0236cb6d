//! The axes of the feature tables.
//!
//! An axis turns a chess value into a cell and a cell into words, so no index is computed or named by hand. Each axis has a
//! `const fn cell(Value) -> usize`, which a trait cannot declare yet.

use crate::chess::{File, Role, Square, role_name};

/// Declares axes with a word for each cell. The value is a `bool` or the number of the cell.
macro_rules! words {
    ($( $(#[$doc:meta])* $name:ident($value:ty) [$($word:literal),+ $(,)?]; )+) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub struct $name;

        impl $name {
            const WORDS: &[&str] = &[$($word),+];

            #[inline(always)]
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
    /// Whether the side that has the feature is to move.
    Mover(bool) ["not to move", "to move"];
    /// What the products of counts multiply.
    ImbalanceItem(usize) ["bishop pair", "pawn", "knight", "bishop", "rook", "queen"];
    /// What is counted by material class.
    MaterialItem(usize) ["pawn", "knight", "bishop", "rook", "queen", "passed pawn"];
    /// Whether an enemy pawn is ahead on the same file.
    Opposed(bool) ["unopposed", "opposed"];
    /// Whether no own pawn is on a neighbouring file.
    Isolation(bool) ["with neighbours", "isolated"];
    /// How far ahead the next own pawn of the same file is.
    Gap(usize) ["one step", "two steps", "more steps"];
    /// How a pawn is connected: in a phalanx or not, and by how many pawns it is defended.
    Link(usize) [
        "in a phalanx",
        "defended once",
        "defended once in a phalanx",
        "defended twice",
        "defended twice in a phalanx",
    ];
    /// One of the three files around a king, from the nearer edge of the board to the middle.
    ShelterFile(usize) ["outer file", "middle file", "inner file"];
    /// The rank of a pawn on a file, or none.
    PawnRankOrNone(usize) ["none", "rank 2", "rank 3", "rank 4", "rank 5", "rank 6", "rank 7"];
    /// How an attacked piece is defended. Held: defended twice, or attacked only once.
    Defence(usize) ["undefended", "outnumbered", "held", "pawn-defended"];
    /// Whether a side still has a queen to attack with.
    Queens(bool) ["no queen", "queen"];
    /// How many of the three files around a king lack an own pawn near it, and whether enemy pawns are near.
    Shelter(usize) [
        "full",
        "full, pawn storm",
        "one file bare",
        "one file bare, pawn storm",
        "two files bare",
        "two files bare, pawn storm",
        "all bare",
        "all bare, pawn storm",
    ];
    /// Which pieces have a safe check.
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
    /// The wing of a castling right.
    Wing(bool) ["queen side", "king side"];
    /// What stops a passed pawn's next step.
    Stop(usize) ["an enemy piece", "an own piece", "an attack", "an attack, defended", "nothing"];
    /// What is on a passed pawn's path to promotion.
    Path(usize) ["pieces", "attacks", "nothing"];
    Owner(usize) ["own", "enemy"];
    /// Whether an own pawn defends it.
    Supported(bool) ["unsupported", "supported"];
    /// The pawns on a rook's file.
    FileState(usize) ["open", "half-open", "closed"];
    FilesAway(usize) ["same file", "next file", "two files away", "farther away"];
    /// The files of an own and an enemy pawn, the king side folded onto the queen side.
    FileStep(usize) [
        "from a to b",
        "from b to a",
        "from b to c",
        "from c to b",
        "from c to d",
        "from d to c",
        "from d to e",
    ];
    /// Another piece from a king's perspective.
    OtherPiece(usize) [
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
    /// Whether castling can still free a rook.
    MayCastle(bool) ["no castling rights", "castling possible"];
}

/// One axis of a family's table.
pub trait Axis {
    /// The argument for this axis.
    type Value: Copy;
    /// The number of cells.
    const SIZE: usize;
    /// A cell in words.
    fn label(cell: usize) -> String;
}

/// `COUNT` roles from number `FIRST` on (pawn 1 … king 6).
#[derive(Clone, Copy, Debug)]
pub struct Roles<const FIRST: usize, const COUNT: usize>;

pub type AnyRole = Roles<1, 6>;
pub type PawnToQueen = Roles<1, 5>;
pub type KnightToQueen = Roles<2, 4>;
/// Knight and bishop.
pub type Minor = Roles<2, 2>;
pub type KnightToRook = Roles<2, 3>;
pub type BishopOrRook = Roles<3, 2>;

impl<const FIRST: usize, const COUNT: usize> Roles<FIRST, COUNT> {
    #[inline]
    pub const fn cell(role: Role) -> usize {
        role as usize - FIRST
    }
}

impl<const FIRST: usize, const COUNT: usize> Axis for Roles<FIRST, COUNT> {
    type Value = Role;
    const SIZE: usize = COUNT;

    fn label(cell: usize) -> String {
        role_name(Role::ALL[FIRST - 1 + cell]).to_owned()
    }
}

/// A square relative to its owner, with the king side folded onto the queen side: d4 and e4 are one cell.
#[derive(Clone, Copy, Debug)]
pub struct FoldedSquare;

impl FoldedSquare {
    /// The cell of a square relative to its owner.
    #[inline]
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

/// A square from a king's perspective, mirrored if the king is on the files e to h: h3 with a king on g1 is a3 with a king on
/// b1.
#[derive(Clone, Copy, Debug)]
pub struct MirroredSquare;

impl MirroredSquare {
    /// The cell of a square that is already mirrored.
    #[inline]
    pub const fn cell(square: Square) -> usize {
        square as usize
    }
}

impl Axis for MirroredSquare {
    type Value = Square;
    const SIZE: usize = 64;

    fn label(cell: usize) -> String {
        let square = Square::new(cell as u32);
        format!("{square}/{}", square.flip_horizontal())
    }
}

/// A folded square of the fourth to sixth rank, relative to its owner.
#[derive(Clone, Copy, Debug)]
pub struct OutpostSquare;

impl OutpostSquare {
    /// The first cell of the fourth rank in [`FoldedSquare`].
    const FIRST: usize = 12;

    /// The cell of a square relative to its owner.
    #[inline]
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

/// A file with the king side folded onto the queen side.
#[derive(Clone, Copy, Debug)]
pub struct FoldedFile;

impl FoldedFile {
    #[inline]
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

/// The rank of a pawn relative to its owner: 1 (the second rank) to 6.
#[derive(Clone, Copy, Debug)]
pub struct PawnRank;

impl PawnRank {
    #[inline]
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

/// Two items of [`ImbalanceItem`], the greater number first.
#[derive(Clone, Copy, Debug)]
pub struct ImbalancePair;

impl ImbalancePair {
    #[inline]
    pub const fn cell(pair: (usize, usize)) -> usize {
        pair.0 * (pair.0 + 1) / 2 + pair.1
    }
}

impl Axis for ImbalancePair {
    type Value = (usize, usize);
    const SIZE: usize = 21;

    fn label(cell: usize) -> String {
        let greater = (1..ImbalanceItem::SIZE)
            .rev()
            .find(|&greater| Self::cell((greater, 0)) <= cell)
            .unwrap_or(0);
        let lesser = cell - Self::cell((greater, 0));
        format!(
            "{} and {}",
            ImbalanceItem::label(lesser),
            ImbalanceItem::label(greater)
        )
    }
}

/// An own item of [`ImbalanceItem`] and one of the enemy's with a smaller number.
#[derive(Clone, Copy, Debug)]
pub struct OpposingPair;

impl OpposingPair {
    #[inline]
    pub const fn cell(pair: (usize, usize)) -> usize {
        pair.0 * (pair.0 - 1) / 2 + pair.1
    }
}

impl Axis for OpposingPair {
    type Value = (usize, usize);
    const SIZE: usize = 15;

    fn label(cell: usize) -> String {
        let own = (2..ImbalanceItem::SIZE)
            .rev()
            .find(|&own| Self::cell((own, 0)) <= cell)
            .unwrap_or(1);
        let enemy = cell - Self::cell((own, 0));
        format!(
            "{} against {}",
            ImbalanceItem::label(own),
            ImbalanceItem::label(enemy)
        )
    }
}

/// The distance of two squares in king's steps, from `FIRST` to 7.
#[derive(Clone, Copy, Debug)]
pub struct KingSteps<const FIRST: usize, const COUNT: usize>;

/// Of two different squares.
pub type Distance = KingSteps<1, 7>;
/// Of the two kings.
pub type KingDistance = KingSteps<2, 6>;

impl<const FIRST: usize, const COUNT: usize> KingSteps<FIRST, COUNT> {
    #[inline]
    pub const fn cell(steps: usize) -> usize {
        steps - FIRST
    }
}

impl<const FIRST: usize, const COUNT: usize> Axis for KingSteps<FIRST, COUNT> {
    type Value = usize;
    const SIZE: usize = COUNT;

    fn label(cell: usize) -> String {
        (cell + FIRST).to_string()
    }
}

/// A number; the last cell stands for `SIZE - 1` and more.
#[derive(Clone, Copy, Debug)]
pub struct Capped<const SIZE: usize>;

impl<const SIZE: usize> Capped<SIZE> {
    #[inline(always)]
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
    #[inline]
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
