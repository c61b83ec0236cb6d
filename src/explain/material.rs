//! Material as a player counts it: what one side has and the other has not.
//!
//! The evaluation has products of counts (a knight with many pawns, a rook against a knight). Such a sum is linear in the
//! differences of the counts if their totals are given: with `s = w + b` and `d = w − b`, `w₁w₂ − b₁b₂ = (s₁d₂ + d₁s₂) / 2`
//! and `w₁b₂ − b₁w₂ = (d₁s₂ − s₁d₂) / 2`. So in each position every kind of piece has one worth, and what both sides have
//! cancels out. The product of a role with itself is linear only up to two pieces; the rest is added once.

use std::fmt;

use super::ledger::Share;
use super::words;
use crate::chess::{Color, Position, Role};
use crate::eval::families::{ClassMaterial, Imbalance, Material, Opposition};
use crate::eval::material::{MaterialClass, own_product};
use crate::eval::{Model, Score};

/// The item of the bishop pair among the counts; the others are roles.
const PAIR: usize = 0;
/// The bishop pair, pawn, knight, bishop, rook, queen.
const ITEMS: usize = 6;

/// A difference in material.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Difference {
    /// One side has more of a kind.
    More(Color, Role, u32),
    /// Each side has pieces that the other has not: white's and black's, by role from pawn to queen.
    Against([u32; 5], [u32; 5]),
    /// One side has two bishops or more; or both or neither, where other differences count the pairs.
    BishopPair(Option<Color>),
}

/// A difference in material and what it adds from white's view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MaterialFact {
    pub difference: Difference,
    pub value: Share,
}

/// What pieces are worth in a position, in half units.
struct Worth {
    /// White's count minus black's.
    difference: [i32; ITEMS],
    /// What one more is worth, without the products with the bishop pair.
    each: [i32; ITEMS],
    /// What the difference adds beside that, if a side has three or more of a kind.
    beyond: [i32; ITEMS],
    /// What all products with the bishop pair add.
    pairs: i32,
}

impl Worth {
    fn of(model: &Model, position: &Position) -> Self {
        let class = MaterialClass::of(position);
        let taper = model.accumulator(position).taper();
        let weights = model.weights();
        let [white, black] = [Color::White, Color::Black].map(|color| counts(position, color));
        let total: [i32; ITEMS] = std::array::from_fn(|item| white[item] + black[item]);
        let difference: [i32; ITEMS] = std::array::from_fn(|item| white[item] - black[item]);
        let mut each = [Score::ZERO; ITEMS];
        let mut beyond = [Score::ZERO; ITEMS];
        let mut pairs = weights[Imbalance::at((PAIR, PAIR))].score() * (2 * difference[PAIR]);
        for item in 1..ITEMS {
            let material = weights[Material::at(Role::ALL[item - 1])].score();
            let of_class = weights[ClassMaterial::at(class, item - 1)].score();
            each[item] += (material + of_class) * 2;
            let pair = weights[Imbalance::at((item, item))].score();
            each[item] += pair * (total[item] - 1);
            let [of_white, of_black] =
                [white, black].map(|counts| own_product(Role::ALL[item - 1], counts[item]));
            let linear = (total[item] - 1) * difference[item];
            beyond[item] += pair * (2 * (of_white - of_black) - linear);
            for other in 0..item {
                let together = weights[Imbalance::at((item, other))].score();
                let against = weights[Opposition::at((item, other))].score();
                let (of_item, of_other) = (together + against, together - against);
                if other == PAIR {
                    pairs += of_item * (total[PAIR] * difference[item]);
                    pairs += of_other * (total[item] * difference[PAIR]);
                } else {
                    each[item] += of_item * total[other];
                    each[other] += of_other * total[item];
                }
            }
        }
        Self {
            difference,
            each: each.map(|score| score.tapered(taper)),
            beyond: beyond.map(|score| score.tapered(taper)),
            pairs: pairs.tapered(taper),
        }
    }
}

fn counts(position: &Position, color: Color) -> [i32; ITEMS] {
    let mut counts = [0; ITEMS];
    for role in &Role::ALL[..5] {
        counts[*role as usize] = position.pieces(color, *role).count() as i32;
    }
    counts[PAIR] = i32::from(counts[Role::Bishop as usize] > 1);
    counts
}

/// The differences in material of a position; first those of the concept of material, then the bishop pair. The values of
/// each of the two add up to those of its weights to the unit.
pub fn material_facts(model: &Model, position: &Position) -> Vec<MaterialFact> {
    let worth = Worth::of(model, position);
    let mut rest = worth.difference;
    let mut halves: Vec<(Difference, i32)> = Vec::new();
    let mut beyond = worth.beyond;
    // Added once, to the first fact about the role.
    let mut value = |role: Role, count: i32| {
        worth.each[role as usize] * count + std::mem::take(&mut beyond[role as usize])
    };

    let (knight, bishop) = (Role::Knight as usize, Role::Bishop as usize);
    if rest[knight].signum() * rest[bishop].signum() < 0 {
        let count = rest[knight].abs().min(rest[bishop].abs()) * rest[knight].signum();
        let mut sides = [[0; 5]; 2];
        let first = usize::from(count < 0);
        sides[first][knight - 1] = count.unsigned_abs();
        sides[1 - first][bishop - 1] = count.unsigned_abs();
        let difference = Difference::Against(sides[0], sides[1]);
        let half = value(Role::Knight, count) + value(Role::Bishop, -count);
        halves.push((difference, half));
        rest[knight] -= count;
        rest[bishop] += count;
    }
    let pieces = &rest[knight..];
    if pieces.iter().any(|&count| count > 0) && pieces.iter().any(|&count| count < 0) {
        let mut sides = [[0; 5]; 2];
        let mut half = 0;
        for role in &Role::ALL[1..5] {
            let count = std::mem::take(&mut rest[*role as usize]);
            half += value(*role, count);
            sides[usize::from(count < 0)][*role as usize - 1] = count.unsigned_abs();
        }
        halves.push((Difference::Against(sides[0], sides[1]), half));
    }
    for role in &Role::ALL[..5] {
        let count = rest[*role as usize];
        if count != 0 {
            let color = if count > 0 {
                Color::White
            } else {
                Color::Black
            };
            let more = Difference::More(color, *role, count.unsigned_abs());
            halves.push((more, value(*role, count)));
        }
    }

    let mut facts = whole(&halves);
    if worth.pairs != 0 {
        let owner = match worth.difference[PAIR] {
            0 => None,
            1 => Some(Color::White),
            _ => Some(Color::Black),
        };
        facts.push(MaterialFact {
            difference: Difference::BishopPair(owner),
            value: Share(worth.pairs / 2),
        });
    }
    facts
}

/// Half units as units: each rounded towards zero, what is left over added to the greatest.
fn whole(halves: &[(Difference, i32)]) -> Vec<MaterialFact> {
    let sum: i32 = halves.iter().map(|&(_, half)| half).sum();
    let mut facts: Vec<MaterialFact> = halves
        .iter()
        .map(|&(difference, half)| MaterialFact {
            difference,
            value: Share(half / 2),
        })
        .collect();
    let rounded: i32 = facts.iter().map(|fact| fact.value.0).sum();
    if let Some(greatest) = facts.iter_mut().rev().max_by_key(|fact| fact.value.0.abs()) {
        greatest.value.0 += sum / 2 - rounded;
    }
    facts
}

/// A difference in words.
impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::More(color, role, count) => {
                write!(
                    f,
                    "{} is {} up.",
                    words::side(*color),
                    pieces(*role, *count)
                )
            }
            Self::Against(white, black) => {
                write!(f, "White has {} against {}.", list(white), list(black))
            }
            Self::BishopPair(Some(color)) => {
                write!(f, "{} has the bishop pair.", words::side(*color))
            }
            Self::BishopPair(None) => {
                f.write_str("Bishop pairs change what the other pieces are worth.")
            }
        }
    }
}

/// Pieces by role as a list: "a rook and two pawns".
fn list(counts: &[u32; 5]) -> String {
    let some = Role::ALL.iter().zip(counts).rev();
    let words: Vec<String> = some
        .filter(|(_, count)| **count > 0)
        .map(|(role, &count)| pieces(*role, count))
        .collect();
    words::join(&words)
}

fn pieces(role: Role, count: u32) -> String {
    let name = words::role(role);
    match count {
        1 => format!("a {name}"),
        _ => format!("{} {name}s", words::number(count as usize)),
    }
}
