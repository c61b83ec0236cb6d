//! The features of all legal moves of a position.

use std::time::Duration;

use super::attention::Attention;
use super::feature::{Feature, Features, Group, flag};
use super::game_view::GameView;
use super::place::Place;
use super::products::{Context, NEAR, THRESHOLDS, set_products};
use super::shallow::{MoveEstimate, ShallowSearcher};
use crate::chess::{Color, Move, Position};
use crate::engine::embedded::book_moves;
use crate::eval::UNITS_PER_CENTIPAWN;
use crate::explain::{Concept, ConceptSums};

/// The greatest difference of a concept that counts, in pawns.
const MAX_PAWNS: f32 = 4.0;
/// The greatest loss at one depth that counts, in pawns.
const MAX_LOSS: f32 = 9.0;

/// The unit of a book move's share inside the logarithm: a rarer move counts almost as none.
const SHARE_UNIT: f32 = 0.01;

/// The features of a search of all moves together.
struct RankedFeatures {
    ranks: &'static [Feature],
    loss: Feature,
    slip: Feature,
    clear: Feature,
}

/// Those of the level's own search and of its longer one.
const RANKED: [RankedFeatures; 2] = [
    RankedFeatures {
        ranks: &[
            Feature::BestSearch,
            Feature::SecondSearch,
            Feature::ThirdSearch,
        ],
        loss: Feature::LossSearch,
        slip: Feature::SlipSearch,
        clear: Feature::ClearSearch,
    },
    RankedFeatures {
        ranks: &[
            Feature::BestDeep,
            Feature::SecondDeep,
            Feature::ThirdDeep,
            Feature::FourthDeep,
        ],
        loss: Feature::LossDeep,
        slip: Feature::SlipDeep,
        clear: Feature::ClearDeep,
    },
];

/// A legal move with all that a level knows about it.
#[derive(Clone, Debug)]
pub struct Input {
    pub mv: Move,
    /// Which role moves where, from the mover's view.
    pub place: Place,
    /// What all moves of the position share.
    pub context: Context,
    pub features: Features,
    pub estimate: MoveEstimate,
}

/// The legal moves of a game with their features. `time` limits the searches.
pub fn inputs(
    view: &GameView,
    searcher: &mut ShallowSearcher,
    time: Option<Duration>,
) -> Vec<Input> {
    let position = view.game().position();
    let attention = Attention::of(view);
    let before = concepts(position, position.turn());
    let estimates = searcher.estimate_moves(view, time);
    let leads = leads(&estimates);
    let context = attention.context(estimates.len());
    let book = book_moves(view.game());
    let plays: f32 = book.iter().map(|known| f32::from(known.weight)).sum();
    let input = |estimate: MoveEstimate| {
        let mut features = Features::default();
        let child = position.play(estimate.mv);
        note_estimate(&estimate, &leads, &mut features);
        let after = concepts(&child, position.turn());
        let judged = Feature::of(Group::Judges).zip(after.into_iter().zip(before));
        for (feature, (after, before)) in judged {
            features[feature] = (after - before).clamp(-MAX_PAWNS, MAX_PAWNS);
        }
        let known = book.iter().find(|known| known.mv == estimate.mv);
        let share = known.map_or(0.0, |known| f32::from(known.weight) / plays.max(1.0));
        features[Feature::Book] = (share / SHARE_UNIT).ln_1p();
        attention.note(estimate.mv, &child, &mut features);
        features[Feature::Mates] = flag(child.in_check() && !child.has_legal_move());
        set_products(&mut features, &context);
        Input {
            mv: estimate.mv,
            place: Place::of(position, estimate.mv),
            context,
            features,
            estimate,
        }
    };
    estimates.iter().cloned().map(input).collect()
}

/// The concepts of a position in pawns, from a side's view.
fn concepts(position: &Position, side: Color) -> [f32; Concept::ALL.len()] {
    let sums = ConceptSums::of(position);
    let sign = if side == Color::White { 1.0 } else { -1.0 };
    Concept::ALL.map(|concept| {
        let units = sums.get(concept).net.0 as f32;
        sign * units / (UNITS_PER_CENTIPAWN as f32 * 100.0)
    })
}

/// At one depth: the best expected points, those of the second move, and the best value in centipawns.
#[derive(Clone, Copy)]
struct Lead {
    best: f32,
    second: f32,
    value: i32,
    /// The values of the second, third and tenth move.
    ranks: [i32; 3],
}

fn leads(estimates: &[MoveEstimate]) -> [Lead; 3] {
    [0, 1, 2].map(|depth| {
        let mut points: Vec<f32> = estimates
            .iter()
            .map(|estimate| estimate.points[depth])
            .collect();
        points.sort_by(|a, b| b.total_cmp(a));
        let best = points.first().copied().unwrap_or(0.0);
        let mut values: Vec<i32> = estimates
            .iter()
            .map(|estimate| estimate.values[depth])
            .collect();
        values.sort_unstable_by(|a, b| b.cmp(a));
        let nth = |place: usize| values.get(place).or(values.last()).copied().unwrap_or(0);
        Lead {
            best,
            second: points.get(1).copied().unwrap_or(best),
            value: nth(0),
            ranks: [nth(1), nth(2), nth(9)],
        }
    })
}

fn note_estimate(estimate: &MoveEstimate, leads: &[Lead; 3], features: &mut Features) {
    let losses = [Feature::Loss1, Feature::Loss2, Feature::Loss4];
    let slips = [Feature::Slip1, Feature::Slip2, Feature::Slip4];
    let bests = [Feature::Best1, Feature::Best2, Feature::Best4];
    for depth in 0..3 {
        let loss = (leads[depth].best - estimate.points[depth]).max(0.0);
        features[losses[depth]] = loss;
        features[slips[depth]] = loss.sqrt();
        features[bests[depth]] = flag(estimate.values[depth] == leads[depth].value);
    }
    let near = |depth: usize| {
        let loss = leads[depth].best - estimate.points[depth];
        flag(loss <= NEAR)
    };
    features[Feature::Near1] = near(0);
    features[Feature::Near4] = near(2);
    for (depth, pawns, clear) in [
        (0, Feature::Pawns1, Feature::Clear1),
        (2, Feature::Pawns4, Feature::Clear4),
    ] {
        let Lead {
            best,
            second,
            value,
            ..
        } = leads[depth];
        let lost = (value - estimate.values[depth]) as f32 / 100.0;
        features[pawns] = lost.clamp(0.0, MAX_LOSS);
        if estimate.values[depth] == value {
            features[clear] = best - second;
        }
    }
    note_ranks(estimate, leads, features);
    if let Some((class, points)) = estimate.oversight {
        features[class.feature()] = points;
    }
}

/// What ranks and thresholds show.
fn note_ranks(estimate: &MoveEstimate, leads: &[Lead; 3], features: &mut Features) {
    let is_best = |depth: usize| estimate.values[depth] == leads[depth].value;
    let has_rank = |depth: usize, rank: usize| {
        !is_best(depth) && estimate.values[depth] == leads[depth].ranks[rank]
    };
    features[Feature::Second1] = flag(has_rank(0, 0));
    features[Feature::Second4] = flag(has_rank(2, 0));
    features[Feature::Third4] = flag(has_rank(2, 1) && !has_rank(2, 0));
    features[Feature::Lower4] = flag(estimate.values[2] < leads[2].ranks[2]);
    let lost = leads[2].best - estimate.points[2];
    for (feature, least) in THRESHOLDS {
        features[feature] = flag(lost >= least);
    }
    for (ranked, features_of) in estimate.ranked.iter().zip(RANKED) {
        if let Some(feature) = ranked.rank.and_then(|rank| features_of.ranks.get(rank)) {
            features[*feature] = 1.0;
        }
        features[features_of.loss] = ranked.loss;
        features[features_of.slip] = ranked.loss.sqrt();
        features[features_of.clear] = ranked.lead;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Game;

    #[test]
    fn moves_of_the_book_and_ranks_of_searches_are_features() {
        let view = GameView::new(Game::new(Position::startpos()));
        let mut searcher = ShallowSearcher::new().expect("memory");
        let found = inputs(&view, &mut searcher, None);
        let of = |text: &str| {
            let mv = view.game().position().parse_move(text).expect("a move");
            let mut own = found.iter().filter(|input| input.mv == mv);
            own.next().expect("a legal move").features
        };
        assert!(of("e2e4")[Feature::Book] > 1.0);
        assert_eq!(of("f2f3")[Feature::Book].to_bits(), 0);
        for search in RANKED {
            for rank in search.ranks {
                let count = found.iter().filter(|input| input.features[*rank] > 0.0);
                assert_eq!(count.count(), 1, "{rank:?}");
            }
            let is_lost = |input: &&Input| input.features[search.loss] > 0.0;
            assert!(found.iter().any(|input| is_lost(&input)));
        }
    }
}
