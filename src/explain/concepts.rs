//! Concepts: the families of features merged into fourteen ideas that a chess player has a word for.
//!
//! Single weights of one side often cancel against those of the other, so an explanation speaks of concepts first. Every
//! weight belongs to one concept, the middlegame and the endgame half apart: the square of a king is shelter in the
//! middlegame and activity in the endgame. The sums of the concepts add up to the evaluation to the unit.

use std::sync::LazyLock;

use serde::Serialize;

use super::ledger::Share;
use crate::base::value::Value;
use crate::chess::{Bitboard, Color, Position, Role, Square};
use crate::eval::families::KingPieceSquare;
use crate::eval::{
    BUILT_IN, DetailedTrace, Family, Index, Model, UNITS_PER_CENTIPAWN, Weight, WeightPart,
    Weights, centipawns,
};

/// An idea of chess that families of features belong to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Concept {
    /// Which pieces each side has.
    Material,
    PawnStructure,
    PassedPawns,
    /// Mobility and squares of the pieces.
    PieceActivity,
    Outposts,
    /// The bishop pair, and pawns on the colour of a bishop.
    Bishops,
    /// Rooks on files and on the seventh rank.
    Rooks,
    /// Pawns and defenders around a king, and castling.
    KingShelter,
    /// Attackers of a king and possible checks.
    KingAttack,
    /// Attacked, undefended and pinned pieces.
    Threats,
    /// Space, contested squares and the centre.
    Space,
    /// Minor pieces on the first rank, and being to move.
    Development,
    /// Corrections for known endings.
    Endgame,
    /// The place of a king in the endgame.
    KingActivity,
}

impl Concept {
    /// Every concept.
    pub const ALL: [Self; 14] = [
        Self::Material,
        Self::PawnStructure,
        Self::PassedPawns,
        Self::PieceActivity,
        Self::Outposts,
        Self::Bishops,
        Self::Rooks,
        Self::KingShelter,
        Self::KingAttack,
        Self::Threats,
        Self::Space,
        Self::Development,
        Self::Endgame,
        Self::KingActivity,
    ];

    /// The name in JSON.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Material => "material",
            Self::PawnStructure => "pawn_structure",
            Self::PassedPawns => "passed_pawns",
            Self::PieceActivity => "piece_activity",
            Self::Outposts => "outposts",
            Self::Bishops => "bishops",
            Self::Rooks => "rooks",
            Self::KingShelter => "king_shelter",
            Self::KingAttack => "king_attack",
            Self::Threats => "threats",
            Self::Space => "space",
            Self::Development => "development",
            Self::Endgame => "endgame",
            Self::KingActivity => "king_activity",
        }
    }

    /// The name for people.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Material => "material",
            Self::PawnStructure => "pawn structure",
            Self::PassedPawns => "passed pawns",
            Self::PieceActivity => "piece activity",
            Self::Outposts => "outposts",
            Self::Bishops => "bishop pair and bad bishops",
            Self::Rooks => "rooks and files",
            Self::KingShelter => "king shelter",
            Self::KingAttack => "attack on the king",
            Self::Threats => "threats",
            Self::Space => "space and centre",
            Self::Development => "development and tempo",
            Self::Endgame => "endgame knowledge",
            Self::KingActivity => "king activity",
        }
    }

    /// The concepts of the middlegame and the endgame half of a weight.
    ///
    /// ```
    /// use lucena::chess::{Role, Square};
    /// use lucena::eval::families::{Mobility, PieceSquare};
    /// use lucena::explain::Concept;
    /// assert_eq!(Concept::of(Mobility::at(Role::Rook, 9)), [Concept::PieceActivity; 2]);
    /// let king = PieceSquare::at(Role::King, Square::G1);
    /// assert_eq!(Concept::of(king), [Concept::KingShelter, Concept::KingActivity]);
    /// ```
    #[doc(hidden)]
    pub fn of(index: Index) -> [Self; 2] {
        HALVES[index.get()]
    }

    /// The concepts of the parts of a weight.
    #[doc(hidden)]
    pub fn of_parts(index: Index) -> [Self; WeightPart::COUNT] {
        let [middlegame, endgame] = Self::of(index);
        [middlegame, endgame, middlegame, endgame]
    }

    /// The weights with those of this concept set to 0.
    #[doc(hidden)]
    pub fn removed_from(self, weights: &Weights) -> Weights {
        let mut rest = Weights(weights.0);
        for index in Index::all() {
            for (part, concept) in rest[index].0.iter_mut().zip(Self::of_parts(index)) {
                if concept == self {
                    *part = 0;
                }
            }
        }
        rest
    }
}

/// The concepts of all weights, in their order.
static HALVES: LazyLock<Vec<[Concept; 2]>> = LazyLock::new(|| {
    let of_family =
        |&family: &Family| (family.indices()).map(move |index| concepts(family, &index.cells()));
    Family::ALL.iter().flat_map(of_family).collect()
});

/// The concepts of one cell of a family.
fn concepts(family: Family, cells: &[usize]) -> [Concept; 2] {
    let both = match family {
        Family::PieceSquare => return piece_square(cells),
        Family::KingPieceSquare => return king_piece_square(cells),
        Family::Imbalance if PAIR_PRODUCTS.contains(&cells[0]) => Concept::Bishops,
        Family::Opposition if PAIR_OPPOSITIONS.contains(&cells[0]) => Concept::Bishops,
        Family::ClassMaterial if cells[1] == PASSED_ITEM => Concept::PassedPawns,
        Family::Material | Family::Imbalance | Family::Opposition | Family::ClassMaterial => {
            Concept::Material
        }
        Family::Ending | Family::BareKing | Family::OneWing => Concept::Endgame,
        Family::Isolated
        | Family::Doubled
        | Family::Backward
        | Family::Connected
        | Family::Lever
        | Family::Rammed
        | Family::Islands
        | Family::PawnsOnFile
        | Family::PawnsBeside
        | Family::PawnsFacing
        | Family::PawnsAcross => Concept::PawnStructure,
        Family::Candidate
        | Family::PassedPlace
        | Family::PassedPair
        | Family::PassedOwnKing
        | Family::PassedEnemyKing
        | Family::PassedStop
        | Family::PassedPath
        | Family::PassedBehind
        | Family::Runner => Concept::PassedPawns,
        Family::Mobility
        | Family::Reach
        | Family::OwnKing
        | Family::EnemyKing
        | Family::BehindPawn => Concept::PieceActivity,
        Family::Outpost | Family::OutpostReach => Concept::Outposts,
        Family::BadBishop => Concept::Bishops,
        Family::RookForward | Family::RookFile | Family::RookOnSeventh | Family::TrappedRook => {
            Concept::Rooks
        }
        Family::Threat
        | Family::PushThreat
        | Family::QueenThreat
        | Family::Loose
        | Family::Pinned
        | Family::Discovered
        | Family::QueenExposed => Concept::Threats,
        Family::Shelter
        | Family::KingExposure
        | Family::KingGuards
        | Family::CampDefence
        | Family::KingLines
        | Family::Castling => Concept::KingShelter,
        Family::KingAttackers
        | Family::KingPressure
        | Family::SafeChecks
        | Family::UnsafeChecks
        | Family::CampAttacks
        | Family::CampAttacksTwice
        | Family::KingStorm => Concept::KingAttack,
        Family::KingMoves => return [Concept::KingShelter, Concept::KingActivity],
        Family::KingToPawn => Concept::KingActivity,
        Family::Space | Family::Restriction | Family::Centre => Concept::Space,
        Family::Tempo => Concept::Development,
    };
    [both; 2]
}

/// The cells of `Imbalance` with the bishop pair.
const PAIR_PRODUCTS: [usize; 6] = [0, 1, 3, 6, 10, 15];
/// The cells of `Opposition` with the bishop pair.
const PAIR_OPPOSITIONS: [usize; 5] = [0, 1, 3, 6, 10];
/// The cell of passed pawns in `ClassMaterial`.
const PASSED_ITEM: usize = 5;

/// The concepts of a piece on a square, relative to its owner.
fn piece_square(cells: &[usize]) -> [Concept; 2] {
    let is_on_first_rank = cells[1] < 4;
    match Role::ALL[cells[0]] {
        Role::Pawn => [Concept::PawnStructure; 2],
        Role::Knight | Role::Bishop if is_on_first_rank => {
            [Concept::Development, Concept::PieceActivity]
        }
        Role::King => [Concept::KingShelter, Concept::KingActivity],
        _ => [Concept::PieceActivity; 2],
    }
}

/// The concepts of another piece on a square, from the perspective of a king.
fn king_piece_square(cells: &[usize]) -> [Concept; 2] {
    const OWN_PAWN: usize = 0;
    const ENEMY_PAWN: usize = 5;
    const ENEMY_KING: usize = 10;
    /// Enemy pieces at this distance in king's steps, or nearer, count as attackers.
    const NEAR: u32 = 3;
    let king = Square::new((cells[0] / 4 * 8 + cells[0] % 4) as u32);
    let square = Square::new(cells[2] as u32);
    let both = match cells[1] {
        OWN_PAWN | ENEMY_PAWN if king.file().distance(square.file()) > 1 => Concept::PawnStructure,
        OWN_PAWN | ENEMY_PAWN => return [Concept::KingShelter, Concept::KingActivity],
        ENEMY_KING => Concept::KingActivity,
        piece if piece > ENEMY_PAWN && king.distance(square) <= NEAR => Concept::KingAttack,
        _ => Concept::PieceActivity,
    };
    [both; 2]
}

/// Whether a weight depends on the numbers of pieces alone. Those of one side mean nothing without those of the other.
pub(super) fn counts_material(index: Index) -> bool {
    let family = index.family();
    matches!(
        family,
        Family::Material | Family::Imbalance | Family::Opposition | Family::ClassMaterial
    ) && Concept::of(index)[0] != Concept::PassedPawns
}

/// What one feature of one side adds to the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FeatureValue {
    pub index: Index,
    pub concept: Concept,
    /// The side that has the feature: whose piece or king it is about.
    pub color: Color,
    /// How often the side has it, not signed by colour; negative where it is a feature of the enemy king's.
    pub count: i32,
    /// The squares of the pieces that make up the feature.
    pub squares: Bitboard,
    /// What it adds from white's view, in 1/384 centipawn.
    pub value: Share,
}

/// Every feature of a position with its value, in the order of the walk. A weight whose halves belong to two concepts is
/// there twice. The values add up to the exact sum of [`Ledger`](super::Ledger)'s families. A known draw has none.
pub fn feature_values(model: &Model, position: &Position) -> Vec<FeatureValue> {
    let taper = model.accumulator(position).taper();
    let mut values = Vec::new();
    if model.is_known_draw(position) {
        return values;
    }
    for term in DetailedTrace::of(position).counts() {
        let [middlegame, endgame] = Concept::of(term.index);
        let signed = match term.color {
            Color::White => term.count,
            Color::Black => -term.count,
        };
        let (color, count) = if is_about_enemy(term.index) {
            (!term.color, -term.count)
        } else {
            (term.color, term.count)
        };
        let mut add = |concept, weight: Weight| {
            values.push(FeatureValue {
                index: term.index,
                concept,
                color,
                count,
                squares: term.squares,
                value: Share((weight.score() * signed).tapered(taper)),
            });
        };
        let weight = model.weights()[term.index];
        if middlegame == endgame {
            add(middlegame, weight);
        } else {
            let [of_middlegame, of_endgame, middlegame_pawns, endgame_pawns] = weight.0;
            add(middlegame, Weight([of_middlegame, 0, middlegame_pawns, 0]));
            add(endgame, Weight([0, of_endgame, 0, endgame_pawns]));
        }
    }
    values
}

/// Whether a weight of one side is about a piece of the other one.
fn is_about_enemy(index: Index) -> bool {
    const FIRST: usize = 5 * 64;
    const END: usize = 10 * 64;
    const KING: usize = 11 * 64;
    index.family() == Family::KingPieceSquare
        && (FIRST..END).contains(&((index.get() - KingPieceSquare::OFFSET) % KING))
}

/// What one concept adds to the value, from white's view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ConceptSum {
    pub concept: Concept,
    /// What white's features add. Material counts as a difference, for the side that is ahead.
    pub white: Share,
    /// What black's features add: negative where they are good for black.
    pub black: Share,
    pub net: Share,
}

/// The static value of a position by concepts.
///
/// It is the evaluation before the search adjusts it: rule50 scaling and correction history are the search's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ConceptSums {
    /// One line for each concept, in the order of [`Concept::ALL`].
    pub lines: Vec<ConceptSum>,
    /// What the rounding to whole centipawns adds.
    pub rounding: Share,
    /// The static value in centipawns from white's view: the sum of the concepts and the rounding.
    pub total: Value,
}

impl ConceptSums {
    /// The sums with the built-in weights.
    ///
    /// ```
    /// use lucena::chess::Position;
    /// use lucena::explain::{Concept, ConceptSums, Share};
    /// let start = ConceptSums::of(&Position::startpos());
    /// assert_eq!(start.get(Concept::Material).white, Share(0));
    /// ```
    pub fn of(position: &Position) -> Self {
        Self::by(&BUILT_IN, position)
    }

    /// The sums with the weights of a model.
    pub fn by(model: &Model, position: &Position) -> Self {
        Self::from_values(&feature_values(model, position))
    }

    /// The sums of all features of one position.
    #[doc(hidden)]
    pub fn from_values(values: &[FeatureValue]) -> Self {
        let mut lines = Concept::ALL.map(|concept| ConceptSum {
            concept,
            white: Share(0),
            black: Share(0),
            net: Share(0),
        });
        let mut material = [Share(0); Concept::ALL.len()];
        for feature in values {
            let line = &mut lines[feature.concept as usize];
            line.net += feature.value;
            if counts_material(feature.index) {
                material[feature.concept as usize] += feature.value;
            } else if feature.color == Color::White {
                line.white += feature.value;
            } else {
                line.black += feature.value;
            }
        }
        for (line, material) in lines.iter_mut().zip(material) {
            if material.0 > 0 {
                line.white += material;
            } else {
                line.black += material;
            }
        }
        let exact: i32 = lines.iter().map(|line| line.net.0).sum();
        let total = centipawns(exact);
        Self {
            lines: lines.to_vec(),
            rounding: Share(total * UNITS_PER_CENTIPAWN - exact),
            total,
        }
    }

    /// The line of a concept.
    pub fn get(&self, concept: Concept) -> ConceptSum {
        self.lines[concept as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::load::new_model;
    use crate::explain::Ledger;

    #[test]
    fn concepts_are_in_order_and_each_has_weights() {
        for (number, concept) in Concept::ALL.into_iter().enumerate() {
            assert_eq!(concept as usize, number);
            assert!(HALVES.iter().any(|halves| halves.contains(&concept)));
        }
    }

    #[test]
    fn cells_with_the_bishop_pair_are_about_bishops() {
        for index in Family::Imbalance
            .indices()
            .chain(Family::Opposition.indices())
        {
            let has_pair = index.to_string().contains("bishop pair");
            assert_eq!(
                Concept::of(index) == [Concept::Bishops; 2],
                has_pair,
                "{index}"
            );
        }
        for index in Family::ClassMaterial.indices() {
            let is_passed = index.to_string().starts_with("passed pawn");
            assert_eq!(
                Concept::of(index) == [Concept::PassedPawns; 2],
                is_passed,
                "{index}"
            );
        }
    }

    #[test]
    fn a_concept_taken_away_is_worth_nothing() {
        let fen = "r1bqk2r/pp2bppp/2n2n2/3p4/3N4/2N3P1/PP2PPBP/R1BQ1RK1 b kq - 0 10";
        let position = Position::from_fen(fen).expect("a position");
        let whole = ConceptSums::of(&position);
        for concept in Concept::ALL {
            let model = new_model(|| concept.removed_from(BUILT_IN.weights())).expect("a thread");
            let rest = ConceptSums::by(&model, &position);
            for (line, all) in rest.lines.iter().zip(&whole.lines) {
                let is_gone = line.concept == concept;
                assert_eq!(line.net, if is_gone { Share(0) } else { all.net });
            }
        }
    }

    #[test]
    fn the_sums_are_those_of_the_ledger() {
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "8/1b3k2/p3p1p1/1p1pPp1p/1PpP1P1P/2P1K1P1/P3N3/8 b - - 0 1",
            "3qkq2/1q4q1/8/8/8/8/1Q4Q1/3QKQ2 w - - 0 1",
        ] {
            let position = Position::from_fen(fen).expect("a position");
            let (sums, ledger) = (ConceptSums::of(&position), Ledger::of(&position));
            assert_eq!(
                (sums.total, sums.rounding),
                (ledger.total, ledger.rounding),
                "{fen}"
            );
            for line in sums.lines {
                assert_eq!(line.net.0, line.white.0 + line.black.0);
            }
        }
    }
}
