//! The declaration: every family of features the evaluation has, and nothing it has not.
//! Uses: axes. Used by: all of eval, explain, learn.
//! Idea: one line gives a family its name, its shape, its words and its rules; offsets, typed index functions, the
//! decoding of an index into words and the total count all follow from it. Adding a family is a line here and a line
//! in `features` where it is counted.

use std::fmt;

use super::axes::{AnyRole, Axis, FoldedSquare, Man, Number, Officer};

families! {
    /// How many pieces of each kind there are. Worth is additive with `PieceSquare`: this is the mean of its table.
    Material "material" [role: Man]
        mirror Unplaced, penalty Free, "{role}";
    /// Where each piece stands, seen from its owner's side.
    PieceSquare "piece-square" [role: AnyRole][square: FoldedSquare]
        mirror Folded, penalty Deviation, "{role} on {square}";
    /// How many squares a piece attacks that hold no own piece and are not attacked by an enemy pawn.
    Mobility "mobility" [piece: Officer][count: Number<28>]
        mirror Unplaced, penalty Smooth, "mobility of {piece}: {count} safe squares";
}

/// What a left-right reflection of the board does to a family. Every family states it, and a test holds it to that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mirror {
    /// No side of the board appears in the index.
    Unplaced,
    /// Squares that mirror each other share a weight.
    Folded,
}

/// How learning keeps a family from fitting noise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Penalty {
    /// Not at all: few weights, each seen everywhere.
    Free,
    /// Each cell is a deviation from a mean that another family holds; it is pulled to zero.
    Deviation,
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
