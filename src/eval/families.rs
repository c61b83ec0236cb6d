//! The declaration: every family of features the evaluation has, and nothing it has not.
//! Uses: axes, material, endings. Used by: all of eval, explain, learn.
//! Idea: one line gives a family its name, its shape, its words and its rules; offsets, typed index functions, the
//! decoding of an index into words and the total count all follow from it. Adding a family is a line here and a line
//! in `features` where it is counted.

use std::fmt;

use super::axes::{
    AnyRole, Axis, Beside, Capped, Checks, Counted, Distance, FileState, FileStep, FilesAway,
    FoldedFile, FoldedSquare, Gap, Guard, Holdings, KingDistance, Lesser, Link, Man, MayCastle,
    Minor, Mover, Number, Officer, Opposed, Opposition as Opposing, OutpostSquare, Owner, Path,
    PawnRank, Queens, ReflectedSquare, Seen, Shelter as Shelters, ShelterFile, Slider, Standing,
    Stop, Supported, Wing,
};
use super::endings::{Forces, PAWNS};
use super::material::Class;

families! {
    // Material.
    /// How many pieces of each kind there are. Worth is additive with `PieceSquare`: this is the mean of its table.
    Material "material" [role: Man]
        mirror Unplaced, penalty Free, "{role}";
    /// Where each piece stands, seen from its owner's side.
    PieceSquare "piece-square" [role: AnyRole][square: FoldedSquare]
        mirror Folded, penalty Deviation, "{role} on {square}";
    /// Where each other man stands as a king sees it: from its side, and reflected if the king stands on the king's wing.
    KingPieceSquare "places by king" [king: FoldedSquare][man: Seen][square: ReflectedSquare]
        mirror Folded, penalty Lasting, "king on {king}: {man} on {square}";
    /// Own counts multiplied: what two kinds of pieces are worth together. Of one kind, its pairs.
    Imbalance "imbalance" [pair: Holdings]
        mirror Unplaced, penalty Deviation, "{pair} together";
    /// An own count times a lesser one of the enemy's: what a piece is worth against another.
    Opposition "opposition" [pair: Opposing]
        mirror Unplaced, penalty Deviation, "{pair}";
    /// What is worth more or less in this kind of game.
    ClassMaterial "material by kind" [class: Class][item: Counted]
        mirror Unplaced, penalty Deviation, "{item} in {class}";
    /// Endings with at most two officers a side, by all their men: what the leader has more or less than they count.
    Ending "endings" [forces: Forces][enemy: Capped<PAWNS>][own: Capped<PAWNS>]
        mirror Unplaced, penalty Deviation, "{forces}, {own} pawns against {enemy}";
    /// Pieces against a bare king: how far it is from the edge and from the other king.
    BareKing "bare king" [edge: Number<4>][distance: KingDistance]
        mirror Unplaced, penalty Smooth, "bare enemy king {edge} from the edge, {distance} away";

    // Pawns and kings alone: these are cached.
    /// A pawn without own pawns beside.
    Isolated "isolated pawns" [opposed: Opposed][file: FoldedFile]
        mirror Folded, penalty Deviation, "{opposed} isolated pawn on {file}";
    /// A pawn with an own one ahead.
    Doubled "doubled pawns" [beside: Beside][gap: Gap]
        mirror Unplaced, penalty Free, "doubled pawn, {beside}, {gap} behind";
    /// A pawn that all beside it have left behind and that cannot step forward in peace.
    Backward "backward pawns" [opposed: Opposed][rank: PawnRank]
        mirror Unplaced, penalty Smooth, "{opposed} backward pawn on rank {rank}";
    /// Pawns that hold each other.
    Connected "connected pawns" [opposed: Opposed][link: Link][rank: PawnRank]
        mirror Unplaced, penalty Smooth, "{opposed} pawn {link} on rank {rank}";
    /// A pawn that attacks an enemy pawn.
    Lever "levers" [rank: PawnRank]
        mirror Unplaced, penalty Smooth, "lever on rank {rank}";
    /// A pawn that stands against an enemy pawn.
    Rammed "rammed pawns" [rank: PawnRank]
        mirror Unplaced, penalty Smooth, "rammed pawn on rank {rank}";
    /// An unopposed pawn that has as many helpers as there are sentries in its way.
    Candidate "candidates" [rank: PawnRank]
        mirror Unplaced, penalty Smooth, "candidate on rank {rank}";
    /// Groups of neighbouring files with pawns.
    Islands "pawn islands" [count: Number<5>]
        mirror Unplaced, penalty Smooth, "{count} pawn islands";
    /// Pawns that all stand within four files, enemy pawns included: the kings reach all of them.
    OneWing "pawns on one wing" [count: Number<9>]
        mirror Unplaced, penalty Smooth, "{count} pawns, all on one wing";
    /// On each of three files before the king: the own pawn nearest to its base and the enemy pawn nearest to the king.
    Shelter "shelter and storm" [king: FoldedFile][file: ShelterFile][enemy: Standing][own: Standing]
        mirror Folded, penalty Deviation, "king on {king}, {file}: own pawn {own}, enemy {enemy}";
    /// Two own pawns on one file.
    PawnsOnFile "pawns on one file" [file: FoldedFile][rear: PawnRank][front: PawnRank]
        mirror Folded, penalty Lasting, "two pawns on {file}, ranks {rear} and {front}";
    /// Two own pawns on neighbouring files, the outer one nearer to the edge.
    PawnsBeside "pawns on neighbouring files" [outer: FoldedFile][rank: PawnRank][inner: PawnRank]
        mirror Folded, penalty Lasting, "pawn on {outer}, rank {rank}, and the next inwards on rank {inner}";
    /// An own pawn and a less advanced one of the enemy's on the same file.
    PawnsFacing "pawns on an enemy's file" [file: FoldedFile][own: PawnRank][enemy: PawnRank]
        mirror Folded, penalty Lasting, "pawn on {file}, rank {own}, and the enemy's on its rank {enemy}";
    /// An own pawn and a less advanced one of the enemy's on a neighbouring file.
    PawnsAcross "pawns beside an enemy's file" [files: FileStep][own: PawnRank][enemy: PawnRank]
        mirror Folded, penalty Lasting, "pawn on rank {own}, the enemy's on its rank {enemy}, {files}";
    /// How far the king is from the nearest pawn of either side.
    KingToPawn "king to pawns" [steps: Number<8>]
        mirror Unplaced, penalty Smooth, "king {steps} steps from the nearest pawn";
    /// Where a passed pawn stands.
    PassedPlace "passed pawns" [file: FoldedFile][rank: PawnRank]
        mirror Folded, penalty Smooth, "passed pawn on {file}, rank {rank}";
    /// A passed pawn that another stands beside or guards.
    PassedPair "passed pairs" [rank: PawnRank]
        mirror Unplaced, penalty Smooth, "passed pawn beside another on rank {rank}";
    /// How far its own king is from the square ahead of a passed pawn.
    PassedOwnKing "passed pawn and own king" [rank: PawnRank][steps: Number<8>]
        mirror Unplaced, penalty Smooth, "own king {steps} from the passed pawn on rank {rank}";
    /// How far the enemy's king is from the square ahead of a passed pawn.
    PassedEnemyKing "passed pawn and enemy king" [rank: PawnRank][steps: Number<8>]
        mirror Unplaced, penalty Smooth, "enemy king {steps} from the passed pawn on rank {rank}";

    // Passed pawns and the pieces.
    /// What the next step of a passed pawn meets.
    PassedStop "passed pawn's step" [support: Supported][stop: Stop][rank: PawnRank]
        mirror Unplaced, penalty Smooth, "{support} passed pawn on rank {rank}, stopped by {stop}";
    /// What a passed pawn's whole run meets.
    PassedPath "passed pawn's path" [mover: Mover][path: Path][rank: PawnRank]
        mirror Unplaced, penalty Smooth, "passed pawn on rank {rank}, {path} ahead, {mover}";
    /// A rook or queen behind a passed pawn.
    PassedBehind "rook behind passed pawn" [owner: Owner]
        mirror Unplaced, penalty Free, "{owner} rook or queen behind a passed pawn";
    /// A passed pawn that the enemy, down to king and pawns, cannot catch.
    Runner "runners" [rank: PawnRank]
        mirror Unplaced, penalty Smooth, "uncatchable pawn on rank {rank}";

    // Officers.
    /// Squares that a piece attacks, without own men and without those that a lesser enemy attacks.
    Mobility "mobility" [piece: Officer][count: Number<28>]
        mirror Unplaced, penalty Smooth, "mobility of {piece}: {count} safe squares";
    /// Squares that a piece attacks, without own men.
    Reach "reach" [piece: Officer][count: Number<28>]
        mirror Unplaced, penalty Smooth, "reach of {piece}: {count} squares";
    /// Squares that a rook attacks ahead of it on its file.
    RookForward "rook forward" [count: Number<8>]
        mirror Unplaced, penalty Smooth, "rook attacks {count} squares ahead";
    /// How far a piece is from its own king.
    OwnKing "distance to own king" [piece: Officer][steps: Distance]
        mirror Unplaced, penalty Smooth, "{piece} {steps} from its own king";
    /// How far a piece is from the enemy's king.
    EnemyKing "distance to enemy king" [piece: Officer][steps: Distance]
        mirror Unplaced, penalty Smooth, "{piece} {steps} from the enemy king";
    /// A minor piece where no enemy pawn will ever attack it.
    Outpost "outposts" [piece: Minor][support: Supported][square: OutpostSquare]
        mirror Folded, penalty Deviation, "{support} outpost of {piece} on {square}";
    /// A minor piece that could step to a supported outpost.
    OutpostReach "outposts in reach" [piece: Minor]
        mirror Unplaced, penalty Free, "outpost in reach of {piece}";
    /// A minor piece with a pawn right ahead.
    BehindPawn "minor behind pawn" [piece: Minor]
        mirror Unplaced, penalty Free, "{piece} behind a pawn";
    /// Own pawns on squares of a bishop's colour, by how many pawns in the middle are blocked.
    BadBishop "bad bishop" [blocked: Capped<4>][pawns: Number<9>]
        mirror Unplaced, penalty Smooth, "bishop with {pawns} pawns on its colour, {blocked} blocked";
    /// The pawns on a rook's file, by how far the enemy's king is from it.
    RookFile "rook files" [state: FileState][king: FilesAway]
        mirror Unplaced, penalty Free, "rook on {state} file, enemy king {king}";
    /// A rook that its own king shuts in.
    TrappedRook "trapped rook" [castling: MayCastle]
        mirror Unplaced, penalty Free, "rook shut in by its king, {castling}";
    /// A queen that an enemy piece would attack if one man stepped aside.
    QueenExposed "exposed queen" [by: Slider]
        mirror Unplaced, penalty Free, "queen exposed to {by}";

    // Threats.
    /// A man attacked by another, by how it is defended and by who is to move.
    Threat "threats" [mover: Mover][by: AnyRole][on: Man][guard: Guard]
        mirror Unplaced, penalty Deviation, "{by} attacks {guard} {on}, {mover}";
    /// An officer that a pawn could attack by a safe step.
    PushThreat "pawn push threats" [mover: Mover][on: Officer]
        mirror Unplaced, penalty Free, "pawn step would attack {on}, {mover}";
    /// A safe square from which a lesser piece would attack the queen.
    QueenThreat "threats to queens" [mover: Mover][by: Lesser]
        mirror Unplaced, penalty Free, "{by} could attack the queen, {mover}";
    /// A man that nothing defends.
    Loose "loose men" [mover: Mover][on: Man]
        mirror Unplaced, penalty Free, "loose {on}, {mover}";
    /// A man that shields its king from an enemy slider.
    Pinned "pins" [mover: Mover][on: Man]
        mirror Unplaced, penalty Free, "pinned {on}, {mover}";
    /// A man that would give check by stepping aside.
    Discovered "discovered checks" [mover: Mover]
        mirror Unplaced, penalty Free, "discovered check in the air, {mover}";

    // The own king in danger.
    /// Which officers attack the squares around the king, by how many of those squares are weak.
    KingAttackers "attackers of king" [minors: Capped<4>][rooks: Capped<3>][queens: Capped<2>][weak: Capped<6>]
        mirror Unplaced, penalty Smooth, "king: {minors} minors, {rooks} rooks, {queens} queens attack, {weak} weak";
    /// How many officers attack how many times around the king.
    KingPressure "pressure on king" [queen: Queens][attackers: Capped<5>][attacks: Capped<12>]
        mirror Unplaced, penalty Smooth, "king: {attackers} attackers, {attacks} attacks, {queen}";
    /// How many officers attack around a king so sheltered.
    KingExposure "exposure of king" [queen: Queens][shelter: Shelters][attackers: Capped<5>]
        mirror Unplaced, penalty Smooth, "king's shelter {shelter}: {attackers} attackers, {queen}";
    /// How many officers attack around a king so guarded by its own officers.
    KingGuards "guards of king" [attackers: Capped<5>][guards: Number<10>]
        mirror Unplaced, penalty Smooth, "king: {guards} squares guarded, {attackers} attackers";
    /// Which officers could give safe check.
    SafeChecks "safe checks" [attackers: Capped<4>][checks: Checks]
        mirror Unplaced, penalty Deviation, "king: safe checks {checks}, {attackers} attackers";
    /// Squares from which an enemy could give a check that costs the checker.
    UnsafeChecks "unsafe checks" [count: Capped<6>]
        mirror Unplaced, penalty Smooth, "king: {count} unsafe checks";
    /// Squares of the king's camp that the enemy attacks: three files, five ranks.
    CampAttacks "attacks on camp" [queen: Queens][count: Number<16>]
        mirror Unplaced, penalty Smooth, "king's camp: {count} squares attacked, {queen}";
    /// Squares of the king's camp that the enemy attacks twice.
    CampAttacksTwice "double attacks on camp" [count: Number<16>]
        mirror Unplaced, penalty Smooth, "king's camp: {count} squares attacked twice";
    /// Squares of the king's camp that are defended.
    CampDefence "defence of camp" [count: Number<16>]
        mirror Unplaced, penalty Smooth, "king's camp: {count} squares defended";
    /// Enemy pawns' attacks on the squares around the king.
    KingStorm "pawns at king" [count: Capped<4>]
        mirror Unplaced, penalty Smooth, "king: {count} squares attacked by pawns";
    /// Squares that a queen in the king's place would attack: the lines to it.
    KingLines "lines to king" [count: Number<28>]
        mirror Unplaced, penalty Smooth, "king: open lines of {count} squares";
    /// Squares to which the king could go.
    KingMoves "king moves" [count: Number<9>]
        mirror Unplaced, penalty Smooth, "king: {count} safe steps";
    /// A right to castle, by how many pawns would shelter the king there.
    Castling "castling" [wing: Wing][pawns: Number<4>]
        mirror Rights, penalty Smooth, "castling to the {wing}, {pawns} pawns there";

    // Space and tempo.
    /// Safe squares behind and among the pawns in the middle, by how many officers want them.
    Space "space" [officers: Capped<8>][area: Capped<17>]
        mirror Unplaced, penalty Smooth, "space of {area} for {officers} officers";
    /// Squares that the enemy attacks without holding them, and that we attack too.
    Restriction "restriction" [count: Capped<24>]
        mirror Unplaced, penalty Smooth, "{count} enemy squares contested";
    /// Squares of the centre that are attacked.
    Centre "centre" [count: Number<5>]
        mirror Unplaced, penalty Smooth, "{count} centre squares attacked";
    /// Being to move, by phase from the bare board to the full one.
    Tempo "tempo" [phase: Number<4>]
        mirror Unplaced, penalty Free, "to move, phase {phase} of 3";
}

/// What a left-right reflection of the board does to a family. Every family states it, and a test holds it to that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mirror {
    /// No side of the board appears in the index.
    Unplaced,
    /// Squares that mirror each other share a weight.
    Folded,
    /// It speaks of castling rights only, which a reflected position has not.
    Rights,
}

/// How learning keeps a family from fitting noise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Penalty {
    /// Not at all: few weights, each seen everywhere.
    Free,
    /// Each cell is a deviation from a mean that another family holds; it is pulled to zero.
    Deviation,
    /// The same, and what a cell says holds for much of a game: the many positions of one game say hardly more than one.
    Lasting,
    /// The last axis is a scale; neighbours on it are pulled together.
    Smooth,
}

/// One axis as the declaration names it.
#[derive(Clone, Copy, Debug)]
pub struct AxisDeclaration {
    /// The name that the label uses.
    pub name: &'static str,
    /// How many cells it has.
    pub size: usize,
    /// What a cell is called.
    pub label: fn(usize) -> String,
}

/// One family as declared.
#[derive(Clone, Copy, Debug)]
pub struct Declaration {
    /// What it is called in ledgers and in the weights file.
    pub name: &'static str,
    /// Its axes, the innermost last.
    pub axes: &'static [AxisDeclaration],
    /// Its words, with the axes' names in braces.
    pub label: &'static str,
    /// What a left-right reflection does to it.
    pub mirror: Mirror,
    /// How learning restrains it.
    pub penalty: Penalty,
}

impl Declaration {
    /// How many weights the family has.
    #[must_use]
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
    /// What was declared of it.
    #[inline]
    #[must_use]
    pub const fn declaration(self) -> &'static Declaration {
        &DECLARATIONS[self as usize]
    }

    /// The index of its first weight.
    #[must_use]
    pub const fn offset(self) -> usize {
        let (mut offset, mut family) = (0, 0);
        while family < self as usize {
            offset += DECLARATIONS[family].size();
            family += 1;
        }
        offset
    }

    /// The indices of its weights.
    pub fn indices(self) -> impl Iterator<Item = Index> {
        let first = self.offset();
        (first..first + self.declaration().size()).map(|index| Index(index as u32))
    }
}

/// How many weights there are.
pub const COUNT: usize = {
    let last = Family::ALL[Family::ALL.len() - 1];
    last.offset() + last.declaration().size()
};

/// The number of a weight. Only the families' `at` make one, so that it is never out of range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Index(u32);

impl Index {
    /// Every index, in order.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..COUNT as u32).map(Self)
    }

    /// Its number, less than [`COUNT`].
    #[inline]
    #[must_use]
    pub const fn get(self) -> usize {
        self.0 as usize
    }

    /// The family it belongs to.
    #[must_use]
    pub fn family(self) -> Family {
        let after = Family::ALL.partition_point(|family| family.offset() <= self.get());
        Family::ALL[after - 1]
    }

    /// Its cell on each axis of its family.
    ///
    /// ```
    /// use lucena::chess::Role;
    /// use lucena::eval::families::Mobility;
    /// assert_eq!(Mobility::at(Role::Rook, 9).cells(), [2, 9]);
    /// ```
    #[must_use]
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

/// Turns the declaration into the enum of families, their table, and for each a type whose `at` computes indices.
macro_rules! families {
    ($(
        $(#[$doc:meta])*
        $family:ident $name:literal $([$axis:ident: $kind:ty])+
            mirror $mirror:ident, penalty $penalty:ident, $label:literal;
    )+) => {
        /// A family of features: one table of weights.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Family {
            $( $(#[$doc])* $family, )+
        }

        impl Family {
            /// Every family, in the order of their weights.
            pub const ALL: &[Self] = &[$(Self::$family),+];
        }

        /// What is declared of each family, in the order of [`Family::ALL`].
        const DECLARATIONS: &[Declaration] = &[$(Declaration {
            name: $name,
            axes: &[$(AxisDeclaration {
                name: stringify!($axis),
                size: <$kind as Axis>::SIZE,
                label: <$kind as Axis>::label,
            }),+],
            label: $label,
            mirror: Mirror::$mirror,
            penalty: Penalty::$penalty,
        }),+];

        $(
            $(#[$doc])*
            #[derive(Clone, Copy, Debug)]
            pub struct $family;

            impl $family {
                /// The index of its first weight.
                pub const OFFSET: usize = Family::$family.offset();

                /// The index of a cell. Strides and offset are constants.
                #[inline]
                #[must_use]
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
