//! The families of features of the evaluation.
//!
//! One entry gives a family its key, its shape, its words and its regularisation; offsets, typed index functions, the words of
//! an index and the number of weights follow from it. A new family is an entry here and a line in `features`;
//! `lucena weights --complete` adds it to weights files.

use std::fmt;

use super::axes::{
    AnyRole, Axis, BishopOrRook, Capped, Checks, Defence, Distance, FileState, FileStep, FilesAway,
    FoldedFile, FoldedSquare, Gap, ImbalancePair, Isolation, KingDistance, KnightToQueen,
    KnightToRook, Link, MaterialItem, MayCastle, Minor, MirroredSquare, Mover, Number, Opposed,
    OpposingPair, OtherPiece, OutpostSquare, Owner, Path, PawnRank, PawnRankOrNone, PawnToQueen,
    Queens, Shelter as Shelters, ShelterFile, Stop, Supported, Wing,
};
use super::endings::{Forces, PAWNS};
use super::material::Class;

// Identifier, key in weights files, title in ledgers (if it differs from the key), axes, regularisation, the words of a
// term, and what the family is counted exactly once for (`once per`). Files of weights are read by key and axes, so a key
// never changes.
families! {
    // Material.
    /// The number of pieces of each role. `PieceSquare` has deviations from this mean.
    Material "material" [role: PawnToQueen]
        penalty Free, "{role}";
    /// Each piece on its square, relative to its owner.
    PieceSquare "piece-square" [role: AnyRole][square: FoldedSquare]
        penalty Deviation, "{role} on {square}"
            once per Piece, zero at Mean;
    /// Each other piece on its square, from a king's perspective.
    KingPieceSquare "places by king" as "king-piece-square" [king: FoldedSquare][piece: OtherPiece][square: MirroredSquare]
        penalty Lasting, "king on {king}: {piece} on {square}";
    /// Products of two own counts; of one role with itself, see [`own_product`](super::material::own_product).
    Imbalance "imbalance" [pair: ImbalancePair]
        penalty Deviation, "{pair} together";
    /// Products of an own count and one of a lesser enemy piece.
    Opposition "opposition" as "piece against piece" [pair: OpposingPair]
        penalty Deviation, "{pair}";
    /// Material and passed pawns by material class.
    ClassMaterial "material by kind" as "material by type of position" [class: Class][role: MaterialItem]
        penalty Deviation, "{role} in {class}"
            once per Piece, zero at Mean;
    /// Endings with at most two non-pawn pieces a side, by all pieces; counts for the side with more.
    Ending "endings" [forces: Forces][enemy: Capped<PAWNS>][own: Capped<PAWNS>]
        penalty Deviation, "{forces}, {own} pawns against {enemy}";
    /// A bare enemy king: its distance from the edge and from the other king.
    BareKing "bare king" [edge: Number<4>][distance: KingDistance]
        penalty Smooth, "bare enemy king {edge} from the edge, kings {distance} apart";

    // Pawns and kings alone, cached.
    /// A pawn without own pawns on neighbouring files.
    Isolated "isolated pawns" [opposed: Opposed][file: FoldedFile]
        penalty Deviation, "{opposed} isolated pawn on {file}";
    /// A pawn with an own pawn ahead on its file.
    Doubled "doubled pawns" [beside: Isolation][gap: Gap]
        penalty Free, "doubled pawn, {beside}, {gap} behind";
    /// A pawn whose neighbours are all ahead and that cannot advance safely.
    Backward "backward pawns" [opposed: Opposed][rank: PawnRank]
        penalty Smooth, "{opposed} backward pawn on rank {rank}";
    /// A pawn in a phalanx or defended by a pawn.
    Connected "connected pawns" [opposed: Opposed][link: Link][rank: PawnRank]
        penalty Smooth, "{opposed} pawn {link} on rank {rank}";
    /// A pawn that attacks an enemy pawn.
    Lever "levers" as "pawn levers" [rank: PawnRank]
        penalty Smooth, "pawn lever on rank {rank}";
    /// A pawn blocked by an enemy pawn.
    Rammed "rammed pawns" as "blocked pawns" [rank: PawnRank]
        penalty Smooth, "blocked pawn on rank {rank}";
    /// An unopposed pawn with as many supporting neighbours as enemy pawns that guard its path.
    Candidate "candidates" as "candidate passed pawns" [rank: PawnRank]
        penalty Smooth, "candidate passed pawn on rank {rank}";
    /// Groups of neighbouring files with pawns.
    Islands "pawn islands" [count: Number<5>]
        penalty Smooth, "{count} pawn islands"
            once per Side, zero at Mean;
    /// Own pawns, if all pawns of both sides are within four files.
    OneWing "pawns on one wing" [count: Number<9>]
        penalty Smooth, "{count} pawns, all on one wing"
            once per Side, zero at Mean;
    /// On each of three files around the king: the rearmost own pawn and the nearest enemy pawn.
    Shelter "shelter and storm" [king: FoldedFile][file: ShelterFile][enemy: PawnRankOrNone][own: PawnRankOrNone]
        penalty Deviation, "king on {king}, {file}: own pawn {own}, enemy {enemy}"
            once per Side, zero at Mean;
    /// Two own pawns on one file.
    PawnsOnFile "pawns on one file" [file: FoldedFile][rear: PawnRank][front: PawnRank]
        penalty Lasting, "two pawns on {file}, ranks {rear} and {front}";
    /// Two own pawns on neighbouring files; the outer one is nearer to the edge.
    PawnsBeside "pawns on neighbouring files" [outer: FoldedFile][rank: PawnRank][inner: PawnRank]
        penalty Lasting, "pawn on {outer}, rank {rank}, and the next inwards on rank {inner}";
    /// An own pawn and a less advanced enemy pawn on one file.
    PawnsFacing "pawns on an enemy's file" as "opposing pawns on one file" [file: FoldedFile][own: PawnRank][enemy: PawnRank]
        penalty Lasting, "pawn on {file}, rank {own}, and an enemy pawn on its rank {enemy}";
    /// An own pawn and a less advanced enemy pawn on a neighbouring file.
    PawnsAcross "pawns beside an enemy's file" as "opposing pawns on neighbouring files" [files: FileStep][own: PawnRank][enemy: PawnRank]
        penalty Lasting, "pawn on rank {own}, an enemy pawn on its rank {enemy}, {files}";
    /// The king's distance from the nearest pawn of either side.
    KingToPawn "king to pawns" as "king's distance to pawns" [steps: Number<8>]
        penalty Smooth, "king {steps} steps from the nearest pawn"
            once per Side, zero at Mean;
    /// A passed pawn on its square.
    PassedPlace "passed pawns" [file: FoldedFile][rank: PawnRank]
        penalty Smooth, "passed pawn on {file}, rank {rank}";
    /// A passed pawn in a phalanx or defended by a pawn.
    PassedPair "passed pairs" as "connected passed pawns" [rank: PawnRank]
        penalty Smooth, "connected passed pawn on rank {rank}";
    /// The own king's distance from the square ahead of a passed pawn.
    PassedOwnKing "passed pawn and own king" [rank: PawnRank][steps: Number<8>]
        penalty Smooth, "own king {steps} from the passed pawn on rank {rank}"
            once per PassedPawn, zero at Mean;
    /// The enemy king's distance from the square ahead of a passed pawn.
    PassedEnemyKing "passed pawn and enemy king" [rank: PawnRank][steps: Number<8>]
        penalty Smooth, "enemy king {steps} from the passed pawn on rank {rank}"
            once per PassedPawn, zero at Mean;

    // Passed pawns and pieces.
    /// The next step of a passed pawn.
    PassedStop "passed pawn's step" as "passed pawn's next step" [support: Supported][stop: Stop][rank: PawnRank]
        penalty Smooth, "{support} passed pawn on rank {rank}, stopped by {stop}"
            once per PassedPawn, zero at Mean;
    /// The path of a passed pawn to promotion.
    PassedPath "passed pawn's path" [mover: Mover][path: Path][rank: PawnRank]
        penalty Smooth, "passed pawn on rank {rank}, {path} ahead, {mover}"
            once per PassedPawn, zero at Mean;
    /// A rook or queen behind a passed pawn.
    PassedBehind "rook behind passed pawn" [owner: Owner]
        penalty Free, "{owner} rook or queen behind a passed pawn";
    /// A passed pawn that the enemy, with king and pawns only, cannot stop.
    Runner "runners" as "unstoppable passed pawns" [rank: PawnRank]
        penalty Smooth, "unstoppable passed pawn on rank {rank}";

    // Pieces.
    /// Squares that a piece attacks, without own pieces and squares that lesser enemy pieces attack.
    Mobility "mobility" [role: KnightToQueen][count: Number<28>]
        penalty Smooth, "mobility of {role}: {count} safe squares"
            once per Piece, zero at Mean;
    /// Squares that a piece attacks, without own pieces.
    Reach "reach" [role: KnightToQueen][count: Number<28>]
        penalty Smooth, "reach of {role}: {count} squares"
            once per Piece, zero at Mean;
    /// Squares that a rook attacks ahead of it on its file.
    RookForward "rook forward" as "rook's squares ahead" [count: Number<8>]
        penalty Smooth, "rook attacks {count} squares ahead"
            once per Rook, zero at Mean;
    /// A piece's distance from its own king.
    OwnKing "distance to own king" [role: KnightToQueen][steps: Distance]
        penalty Smooth, "{role} {steps} from its own king"
            once per Piece, zero at Mean;
    /// A piece's distance from the enemy king.
    EnemyKing "distance to enemy king" [role: KnightToQueen][steps: Distance]
        penalty Smooth, "{role} {steps} from the enemy king"
            once per Piece, zero at Mean;
    /// A minor piece on a square that no enemy pawn can ever attack.
    Outpost "outposts" [piece: Minor][support: Supported][square: OutpostSquare]
        penalty Deviation, "{support} outpost of {piece} on {square}";
    /// A minor piece that attacks a free supported outpost.
    OutpostReach "outposts in reach" [piece: Minor]
        penalty Free, "outpost in reach of {piece}";
    /// A minor piece directly behind a pawn.
    BehindPawn "minor behind pawn" as "minor piece behind pawn" [piece: Minor]
        penalty Free, "{piece} behind a pawn";
    /// Own pawns on squares of a bishop's colour, by the number of blocked pawns on the files c to f.
    BadBishop "bad bishop" [blocked: Capped<4>][pawns: Number<9>]
        penalty Smooth, "bishop with {pawns} pawns on its colour, {blocked} blocked"
            once per Bishop, zero at Mean;
    /// The pawns on a rook's file, by the enemy king's distance from the file.
    RookFile "rook files" [state: FileState][king: FilesAway]
        penalty Free, "rook on {state} file, enemy king {king}"
            once per Rook, zero at Mean;
    /// A rook on the seventh rank, by the number of enemy pawns there.
    RookOnSeventh "rook on seventh" [pawns: Capped<4>]
        penalty Smooth, "rook on the seventh rank, {pawns} enemy pawns there";
    /// A rook trapped by its own king.
    TrappedRook "trapped rook" [castling: MayCastle]
        penalty Free, "rook trapped by its king, {castling}";
    /// A queen with a single piece between it and an enemy bishop or rook.
    QueenExposed "exposed queen" [by: BishopOrRook]
        penalty Free, "queen exposed to {by}";

    // Threats.
    /// An attacked piece, by how it is defended and by who is to move.
    Threat "threats" [mover: Mover][by: AnyRole][on: PawnToQueen][defence: Defence]
        penalty Deviation, "{by} attacks {defence} {on}, {mover}";
    /// A non-pawn piece that a pawn could attack by a safe push.
    PushThreat "pawn push threats" [mover: Mover][on: KnightToQueen]
        penalty Free, "pawn push would attack {on}, {mover}";
    /// A safe square from which a lesser piece would attack the queen.
    QueenThreat "threats to queens" [mover: Mover][by: KnightToRook]
        penalty Free, "{by} could attack the queen, {mover}";
    /// An undefended piece.
    Loose "loose men" as "undefended pieces" [mover: Mover][on: PawnToQueen]
        penalty Free, "undefended {on}, {mover}";
    /// A piece pinned to its king.
    Pinned "pins" [mover: Mover][on: PawnToQueen]
        penalty Free, "pinned {on}, {mover}";
    /// A piece that can discover a check.
    Discovered "discovered checks" [mover: Mover]
        penalty Free, "discovered check possible, {mover}";

    // King safety.
    /// The pieces that attack the king ring, by its number of weak squares.
    KingAttackers "attackers of king" as "king attackers" [minors: Capped<4>][rooks: Capped<3>][queens: Capped<2>][weak: Capped<6>]
        penalty Smooth, "king: {minors} minors, {rooks} rooks, {queens} queens attack, {weak} weak squares"
            once per Side, zero at FirstCell;
    /// The number of pieces that attack the king ring, and of their attacks.
    KingPressure "pressure on king" [queen: Queens][attackers: Capped<5>][attacks: Capped<12>]
        penalty Smooth, "king: {attackers} attackers, {attacks} attacks, {queen}"
            once per Side, zero at Mean;
    /// The number of attackers by the king's shelter.
    KingExposure "exposure of king" as "king shelter under attack" [queen: Queens][shelter: Shelters][attackers: Capped<5>]
        penalty Smooth, "king's shelter ({shelter}): {attackers} attackers, {queen}"
            once per King, zero at Mean;
    /// The squares of the king ring that own pieces defend, by the number of attackers.
    KingGuards "guards of king" as "king defenders" [attackers: Capped<5>][guards: Number<10>]
        penalty Smooth, "king: {guards} squares defended by pieces, {attackers} attackers"
            once per King, zero at Mean;
    /// Which pieces have a safe check.
    SafeChecks "safe checks" [attackers: Capped<4>][checks: Checks]
        penalty Deviation, "king: safe checks {checks}, {attackers} attackers"
            once per King, zero at FirstCell;
    /// Squares from which an enemy piece could check but would be captured.
    UnsafeChecks "unsafe checks" [count: Capped<6>]
        penalty Smooth, "king: {count} unsafe checks"
            once per Side, zero at FirstCell;
    /// Attacked squares of the king's camp: three files, five ranks.
    CampAttacks "attacks on camp" as "attacks near king" [queen: Queens][count: Number<16>]
        penalty Smooth, "near king: {count} squares attacked, {queen}"
            once per King, zero at Mean;
    /// Squares of the king's camp that are attacked twice.
    CampAttacksTwice "double attacks on camp" as "double attacks near king" [count: Number<16>]
        penalty Smooth, "near king: {count} squares attacked twice"
            once per Side, zero at FirstCell;
    /// Defended squares of the king's camp.
    CampDefence "defence of camp" as "defence near king" [count: Number<16>]
        penalty Smooth, "near king: {count} squares defended"
            once per Side, zero at Mean;
    /// Squares of the king ring that enemy pawns attack.
    KingStorm "pawns at king" as "pawn attacks at king" [count: Capped<4>]
        penalty Smooth, "king: {count} squares attacked by pawns"
            once per Side, zero at FirstCell;
    /// Squares that a queen on the king's square would attack.
    KingLines "lines to king" as "open lines to king" [count: Number<28>]
        penalty Smooth, "king: open lines of {count} squares"
            once per Side, zero at Mean;
    /// Safe squares that the king can move to.
    KingMoves "king moves" [count: Number<9>]
        penalty Smooth, "king: {count} safe squares to move to"
            once per Side, zero at Mean;
    /// A castling right, by the number of pawns that would shelter the king.
    Castling "castling" [wing: Wing][pawns: Number<4>]
        penalty Smooth, "castling to the {wing}, {pawns} pawns there";

    // Space and tempo.
    /// Safe squares behind and among the pawns on the files c to f, by the number of pieces.
    Space "space" [pieces: Capped<8>][area: Capped<17>]
        penalty Smooth, "space of {area} for {pieces} pieces"
            once per Side, zero at Mean;
    /// Enemy-attacked squares that the own side attacks as well, if the enemy does not hold them firmly.
    Restriction "restriction" as "contested squares" [count: Capped<24>]
        penalty Smooth, "{count} enemy squares contested"
            once per Side, zero at Mean;
    /// Attacked squares of the centre.
    Centre "centre" [count: Number<5>]
        penalty Smooth, "{count} centre squares attacked"
            once per Side, zero at Mean;
    /// Being to move, by phase in four steps.
    Tempo "tempo" [phase: Number<4>]
        penalty Free, "to move, phase {phase} of 3";
}

/// How training regularises a family.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Penalty {
    /// Not at all: few weights, each of them frequent.
    Free,
    /// Each weight is a deviation from a mean in another family, and is pulled to zero.
    Deviation,
    /// A deviation that lasts for much of a game, so that many positions of one game count hardly more than one.
    Lasting,
    /// The last axis is a scale; neighbouring weights are pulled together.
    Smooth,
}

/// What a family is counted exactly once for, on axes of the same name in the same cell. A constant can then move from the
/// family to another one without any change of an evaluation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Per {
    /// Once for each side, or equally often for both: the constant cancels out.
    Side,
    /// Once for each piece with a value in [`Family::Material`], by its role.
    Piece,
    Bishop,
    Rook,
    /// Once for each king, as [`Family::KingPressure`].
    King,
    /// Once for each passed pawn, as [`Family::PassedPlace`].
    PassedPawn,
}

/// Which part of a family is worth 0, so that its constant is determined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ZeroAt {
    /// The first cell, in which nothing happens.
    FirstCell,
    /// The mean of the cells, weighted by their hits.
    Mean,
}

/// One axis of a family.
#[derive(Clone, Copy, Debug)]
pub struct AxisDeclaration {
    /// The name in the family's label.
    pub name: &'static str,
    /// The number of cells.
    pub size: usize,
    /// A cell in words.
    pub label: fn(usize) -> String,
}

/// The declaration of a family.
#[derive(Clone, Copy, Debug)]
pub struct Declaration {
    /// The key in weights files.
    pub name: &'static str,
    /// The name in ledgers.
    pub title: &'static str,
    /// The axes; the last one is contiguous.
    pub axes: &'static [AxisDeclaration],
    /// The words of a term, with the names of axes in braces.
    pub label: &'static str,
    pub penalty: Penalty,
    /// What the family is counted exactly once for, and which of its cells is worth nothing.
    pub once: Option<(Per, ZeroAt)>,
}

impl Declaration {
    /// The number of weights.
    pub const fn size(&self) -> usize {
        let (mut size, mut axis) = (1, 0);
        while axis < self.axes.len() {
            size *= self.axes[axis].size;
            axis += 1;
        }
        size
    }
}

impl Family {
    #[inline]
    pub const fn declaration(self) -> &'static Declaration {
        &DECLARATIONS[self as usize]
    }

    /// The index of the first weight.
    pub const fn offset(self) -> usize {
        OFFSETS[self as usize]
    }

    /// The indices of the weights.
    pub fn indices(self) -> impl Iterator<Item = Index> {
        let first = self.offset();
        (first..first + self.declaration().size()).map(|index| Index(index as u32))
    }
}

/// The index of the first weight of each family, and the number of all weights.
const OFFSETS: [usize; DECLARATIONS.len() + 1] = {
    let mut offsets = [0; DECLARATIONS.len() + 1];
    let mut family = 0;
    while family < DECLARATIONS.len() {
        offsets[family + 1] = offsets[family] + DECLARATIONS[family].size();
        family += 1;
    }
    offsets
};

/// The number of weights of all families.
pub const COUNT: usize = OFFSETS[OFFSETS.len() - 1];
/// The number of a weight. Only the `at` functions of families make one, so it is always in range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Index(u32);

impl Index {
    pub fn all() -> impl Iterator<Item = Self> {
        (0..COUNT as u32).map(Self)
    }

    /// The number, less than [`COUNT`].
    #[inline]
    pub const fn get(self) -> usize {
        self.0 as usize
    }

    /// The feature family that the feature belongs to.
    pub fn family(self) -> Family {
        let after = Family::ALL.partition_point(|family| family.offset() <= self.get());
        Family::ALL[after - 1]
    }

    /// The cell on each axis of the family.
    ///
    /// ```
    /// use lucena::chess::Role;
    /// use lucena::eval::families::Mobility;
    /// assert_eq!(Mobility::at(Role::Rook, 9).cells(), [2, 9]);
    /// ```
    pub fn cells(self) -> Vec<usize> {
        let family = self.family();
        let mut rest = self.get() - family.offset();
        let mut cells: Vec<usize> = (family.declaration().axes.iter().rev())
            .map(|axis| {
                let cell = rest % axis.size;
                rest /= axis.size;
                cell
            })
            .collect();
        cells.reverse();
        cells
    }
}

/// The index in words.
///
/// ```
/// use lucena::chess::{Role, Square};
/// use lucena::eval::families::{Mobility, PieceSquare};
/// assert_eq!(PieceSquare::at(Role::Pawn, Square::E4).to_string(), "pawn on d4/e4");
/// assert_eq!(Mobility::at(Role::Knight, 5).to_string(), "mobility of knight: 5 safe squares");
/// ```
impl fmt::Display for Index {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let declaration = self.family().declaration();
        let mut text = declaration.label.to_owned();
        for (axis, cell) in declaration.axes.iter().zip(self.cells()) {
            text = text.replace(&format!("{{{}}}", axis.name), &(axis.label)(cell));
        }
        f.pad(&text)
    }
}

/// Makes the enum of families, the table of declarations, and for each family a type whose `at` computes indices.
macro_rules! families {
    (@title $name:literal) => { $name };
    (@title $name:literal $title:literal) => { $title };
    (@once) => { None };
    (@once $per:ident $zero:ident) => { Some((Per::$per, ZeroAt::$zero)) };
    ($(
        $(#[$doc:meta])*
        $family:ident $name:literal $(as $title:literal)? $([$axis:ident: $kind:ty])+
            penalty $penalty:ident, $label:literal $(once per $per:ident, zero at $zero:ident)?;
    )+) => {
        /// A family of features: one table of weights.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Family {
            $( $(#[$doc])* $family, )+
        }

        impl Family {
            /// Every family, in the order of the weights.
            pub const ALL: &[Self] = &[$(Self::$family),+];
        }

        const DECLARATIONS: &[Declaration] = &[$(Declaration {
            name: $name,
            title: families!(@title $name $($title)?),
            axes: &[$(AxisDeclaration {
                name: stringify!($axis),
                size: <$kind as Axis>::SIZE,
                label: <$kind as Axis>::label,
            }),+],
            label: $label,
            penalty: Penalty::$penalty,
            once: families!(@once $($per $zero)?),
        }),+];

        $(
            $(#[$doc])*
            #[derive(Clone, Copy, Debug)]
            pub struct $family;

            impl $family {
                /// The index of the first weight.
                pub const OFFSET: usize = Family::$family.offset();

                /// The index of a cell.
                #[inline]
                pub const fn at($($axis: <$kind as Axis>::Value),+) -> Index {
                    let mut index = 0;
                    $(
                        let cell = <$kind>::cell($axis);
                        debug_assert!(cell < <$kind as Axis>::SIZE);
                        index = index * <$kind as Axis>::SIZE + cell;
                    )+
                    Index((Self::OFFSET + index) as u32)
                }
            }
        )+
    };
}
use families;
