//! Facts: features that are about the same thing, put together as one line that a player can check on the board.
//!
//! One piece has a dozen weights for its square alone, and single ones mean little. A fact has all of one topic of one piece,
//! king, pawn or side. The facts add up to the evaluation to the unit.

use std::collections::BTreeMap;

use serde::Serialize;

use super::concepts::{Concept, ConceptSums, FeatureValue, counts_material, feature_values};
use super::ledger::Share;
use super::material::{Difference, material_facts};
use super::topics::{Topic, topic};
use super::{sentences, words};
use crate::chess::{Bitboard, Color, Position, Role, Square};
use crate::eval::{Family, Model};

/// One line of an evaluation.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Fact {
    pub concept: Concept,
    pub topic: Topic,
    /// The side whose piece, pawn or king it is about.
    #[serde(serialize_with = "side")]
    pub side: Color,
    /// The square of that piece, pawn or king.
    #[serde(serialize_with = "square")]
    pub subject: Option<Square>,
    #[serde(serialize_with = "squares")]
    pub squares: Bitboard,
    /// The fact as a sentence.
    pub text: String,
    /// The numbers of the fact in few words, such as "3 squares"; empty if there are none.
    pub state: String,
    /// What it adds from white's view.
    pub value: Share,
    /// The value in 1/384 centipawn.
    pub exact: i32,
    /// How often the rarest of its main features was met in training.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hits: Option<u64>,
    /// Its features; none for differences in material.
    #[serde(skip)]
    #[doc(hidden)]
    pub features: Vec<FeatureValue>,
}

fn side<S: serde::Serializer>(color: &Color, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(match color {
        Color::White => "white",
        Color::Black => "black",
    })
}

#[allow(clippy::ref_option)] // the form that serde calls
fn square<S: serde::Serializer>(square: &Option<Square>, serializer: S) -> Result<S::Ok, S::Error> {
    match square {
        Some(square) => serializer.serialize_str(&square.to_string()),
        None => serializer.serialize_none(),
    }
}

fn squares<S: serde::Serializer>(squares: &Bitboard, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(squares.into_iter().map(|square| square.to_string()))
}

/// The evaluation of a position as concepts and facts.
#[derive(Clone, Debug, PartialEq)]
pub struct Facts {
    pub position: Position,
    pub sums: ConceptSums,
    /// Why the value is 0 whatever is on the board, if it is.
    pub known_draw: Option<String>,
    /// Every fact with a value, the greatest first.
    pub facts: Vec<Fact>,
}

impl Facts {
    /// The facts of a position with the weights of a model.
    pub fn by(model: &Model, position: &Position) -> Self {
        let values = feature_values(model, position);
        let sums = ConceptSums::from_values(&values);
        let known_draw = model
            .is_known_draw(position)
            .then(|| sentences::known_draw(position))
            .flatten();
        let mut facts = match known_draw {
            Some(_) => Vec::new(),
            None => differences(model, position),
        };
        let mut groups: BTreeMap<_, Vec<FeatureValue>> = BTreeMap::new();
        let others = values.iter().filter(|value| !counts_material(value.index));
        for value in others.flat_map(single) {
            let topic = topic(value.index, value.concept);
            let subject = subject(position, topic, &value);
            let key = (value.concept, topic, value.color == Color::Black, subject);
            groups.entry(key).or_default().push(value);
        }
        for ((concept, topic, is_black, subject), features) in groups {
            let side = Color::from_white(!is_black);
            let exact: i32 = features.iter().map(|feature| feature.value.0).sum();
            let all = features.iter().map(|feature| feature.squares);
            let squares = all.fold(Bitboard::EMPTY, |all, squares| all | squares);
            let (text, state) = sentences::sentence(position, topic, side, subject, &features);
            facts.push(Fact {
                concept,
                topic,
                side,
                subject,
                squares,
                text,
                state,
                value: Share(exact),
                exact,
                hits: None,
                features,
            });
        }
        facts.retain(|fact| fact.exact != 0);
        facts.sort_by_key(|fact| -fact.exact.abs());
        Self {
            position: *position,
            sums,
            known_draw,
            facts,
        }
    }

    /// Adds to each fact how often the rarest of its features was met in training; `hits` are by index.
    #[doc(hidden)]
    pub fn count_hits(&mut self, hits: &[u64]) {
        for fact in &mut self.facts {
            let counts = fact
                .features
                .iter()
                .map(|feature| hits[feature.index.get()]);
            // Places by king have thousands of rare weights, each of them small.
            let main = counts.zip(&fact.features).filter(|(_, feature)| {
                feature.index.family() != Family::KingPieceSquare || fact.features.len() == 1
            });
            fact.hits = main.map(|(hits, _)| hits).min();
        }
    }
}

/// A feature that counts several squares as one feature for each of them.
fn single(value: &FeatureValue) -> Vec<FeatureValue> {
    let count = value.squares.count() as i32;
    if count < 2 || value.count != count {
        return vec![*value];
    }
    let one = |square| FeatureValue {
        count: 1,
        squares: Bitboard::from_square(square),
        value: Share(value.value.0 / count),
        ..*value
    };
    value.squares.into_iter().map(one).collect()
}

/// The square of the piece, pawn or king that a feature is about.
fn subject(position: &Position, topic: Topic, value: &FeatureValue) -> Option<Square> {
    if !topic.has_subject() {
        return None;
    }
    let own = value.squares & position.by_color(value.color);
    let king = position.king(value.color);
    match topic {
        Topic::Shelter
        | Topic::KingPlace
        | Topic::KingDefenders
        | Topic::KingLines
        | Topic::KingMoves
        | Topic::Castling
        | Topic::KingAttackers
        | Topic::SafeChecks
        | Topic::UnsafeChecks
        | Topic::AttacksNearKing
        | Topic::PawnsAtKing => Some(king),
        Topic::BareKing => Some(position.king(!value.color)),
        Topic::Pinned => own.without(king).first(),
        Topic::ExposedQueen => (own & position.by_role(Role::Queen)).first(),
        Topic::RookOnSeventh | Topic::TrappedRook => (own & position.by_role(Role::Rook)).first(),
        Topic::PassedPawn => (own & position.by_role(Role::Pawn)).first(),
        // The piece that moves away is nearer to the king than the one that gives check.
        Topic::DiscoveredCheck => {
            let king = position.king(!value.color);
            own.into_iter().min_by_key(|square| square.distance(king))
        }
        _ => value.squares.first(),
    }
}

fn differences(model: &Model, position: &Position) -> Vec<Fact> {
    let facts = material_facts(model, position).into_iter().map(|fact| {
        let (concept, topic) = match fact.difference {
            Difference::BishopPair(_) => (Concept::Bishops, Topic::BishopPair),
            _ => (Concept::Material, Topic::Material),
        };
        let (side, squares) = match fact.difference {
            Difference::More(side, role, _) => (side, position.pieces(side, role)),
            Difference::BishopPair(Some(side)) => (side, position.pieces(side, Role::Bishop)),
            Difference::BishopPair(None) => (Color::White, position.by_role(Role::Bishop)),
            Difference::Against(white, black) => {
                let of = |color: Color, counts: [u32; 5]| {
                    let roles = Role::ALL.iter().zip(counts).filter(|(_, count)| *count > 0);
                    roles.fold(Bitboard::EMPTY, |all, (role, _)| {
                        all | position.pieces(color, *role)
                    })
                };
                let side = if fact.value.0 < 0 {
                    Color::Black
                } else {
                    Color::White
                };
                (side, of(Color::White, white) | of(Color::Black, black))
            }
        };
        Fact {
            concept,
            topic,
            side,
            subject: None,
            squares,
            text: fact.difference.to_string(),
            state: words::capital(fact.difference.to_string().trim_end_matches('.')),
            value: fact.value,
            exact: fact.value.0,
            hits: None,
            features: Vec::new(),
        }
    });
    facts.collect()
}
