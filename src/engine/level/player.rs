//! A player of a rating: draws a move by its probability, within guards.

use std::collections::VecDeque;
use std::io;
use std::sync::Arc;

use super::feature::{Feature, Group};
use super::game_view::GameView;
use super::guards::{Guards, mates_lone_king};
use super::inputs::{Input, inputs};
use super::model::probabilities;
use super::overlook::{Oversight, oversight_rates, pinned_defender};
use super::personality::Personality;
use super::products::{BLUNDER, overlook_loss};
use super::search_setup::SearchSetup;
use super::shallow::ShallowSearcher;
use super::weights::{BUILT_IN, LevelWeights, RatedWeights};
use crate::base::clock::Instant;
use crate::base::random::mix;
use crate::base::value::{DRAW, Value, is_decisive};
use crate::chess::{Game, Move, Position, Role};
use crate::search::limits::Limits;
use crate::search::local::LocalSearcher;

/// The ratings of levels.
pub const RATINGS: [u16; 2] = [800, 2800];
/// Above this rating a level is only a limit of nodes.
pub const MODEL_UP_TO: u16 = 2200;
/// The nodes of a move at [`MODEL_UP_TO`], about as strong as the model there, and the rating points that double them: 4,000
/// at 2800 (docs/levels.md).
const NODES: f64 = 300.0;
const DOUBLING: f64 = 160.5;
/// A player blunders at most once in this many own moves, unless every move does.
pub const BLUNDER_INTERVAL: u32 = 3;
/// A capture of the queen is reported if it wins at least this much by exchanges, in centipawns.
const QUEEN_LEFT: i32 = 300;
/// The nodes of a move against a lone king.
const MATE_NODES: u64 = 20_000;
/// The settings of a level.
#[derive(Clone, Debug, PartialEq)]
pub struct LevelSettings {
    /// The rating, in [`RATINGS`].
    pub rating: u16,
    /// Rating points added for the tactics that are found, -300 to 300.
    pub tactics: i16,
    /// Rating points added for what is judged and attended to, -300 to 300.
    pub judgement: i16,
    /// Decides every choice together with the position.
    pub seed: u64,
    pub personality: Option<Arc<Personality>>,
}

impl LevelSettings {
    /// A plain level.
    pub const fn of(rating: u16) -> Self {
        Self {
            rating,
            tactics: 0,
            judgement: 0,
            seed: 0,
            personality: None,
        }
    }

    /// The limit of nodes of a level above [`MODEL_UP_TO`].
    pub fn nodes(&self) -> Option<u64> {
        let above = self
            .rating
            .checked_sub(MODEL_UP_TO)
            .filter(|above| *above > 0)?;
        Some((NODES * (f64::from(above) / DOUBLING).exp2()) as u64)
    }

    /// That limit in a position, up to 1.4 times smaller or greater by the seed, so that games differ.
    pub fn nodes_at(&self, position: &Position) -> Option<u64> {
        let exponent = unit(mix(self.seed ^ position.key())) - 0.5;
        Some((self.nodes()? as f64 * f64::from(exponent.exp2())) as u64)
    }

    /// The weights that count, with shifts and personality.
    #[doc(hidden)]
    pub fn weights(&self, weights: &LevelWeights) -> RatedWeights {
        let [low, high] = RATINGS;
        let shifted = |by: i16| self.rating.saturating_add_signed(by).clamp(low, high);
        let mut rated = weights.at(shifted(self.judgement));
        let seen = weights.at(shifted(self.tactics));
        for group in [Group::Sees, Group::Overlooks] {
            for feature in Feature::of(group) {
                rated.features[feature] = seen.features[feature];
            }
        }
        if let Some(personality) = &self.personality {
            personality.apply(&mut rated);
        }
        rated
    }
}

/// A legal move and its probability.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Likely {
    pub mv: Move,
    /// 0 to 1; those of all moves sum to 1.
    pub probability: f32,
}

/// The probabilities of all legal moves at a level, before guards, in the order of move generation. Levels above
/// [`MODEL_UP_TO`] answer as those at it.
///
/// # Errors
/// The memory for the searches could not be allocated.
pub fn move_probabilities(view: &GameView, settings: &LevelSettings) -> io::Result<Vec<Likely>> {
    let mut searcher = ShallowSearcher::new()?;
    let inputs = inputs(view, &mut searcher, None);
    Ok(likely(&inputs, &settings.weights(&BUILT_IN)))
}

/// The same with these searches.
///
/// # Errors
/// The memory for the searches could not be allocated.
#[doc(hidden)]
pub fn move_probabilities_by(
    view: &GameView,
    settings: &LevelSettings,
    setup: &SearchSetup,
) -> io::Result<Vec<Likely>> {
    let inputs = inputs(view, &mut setup.searcher()?, setup.time);
    Ok(likely(&inputs, &settings.weights(&BUILT_IN)))
}

/// The probabilities of some moves.
pub fn likely(inputs: &[Input], weights: &RatedWeights) -> Vec<Likely> {
    let scores: Vec<f32> = inputs.iter().map(|input| weights.score(input)).collect();
    let shares = probabilities(&scores);
    let pairs = inputs.iter().zip(shares);
    let pairs = pairs.map(|(input, probability)| Likely {
        mv: input.mv,
        probability,
    });
    pairs.collect()
}

/// The move that a player chooses, and why.
#[derive(Clone, Debug)]
pub struct Chosen {
    pub mv: Move,
    /// The expected reply, as far as the level sees it.
    pub reply: Option<Move>,
    /// The probability among the moves that the guards allow.
    pub probability: f32,
    /// The value at the greatest of the three depths, for the mover.
    pub value: Value,
    /// How hard the choice was: 0 for a move without alternative, 1 if all moves were equally probable.
    pub entropy: f32,
    /// Whether the best move wins or loses by force, so that a search would end at once.
    pub is_decided: bool,
    /// What was overlooked of the move's replies, in words.
    pub overlooked: Option<String>,
    /// The reply by which a lesser piece wins the queen, in words.
    pub queen_left: Option<String>,
    /// The guard that removed the move that would have been played without guards, in words.
    pub guard: Option<&'static str>,
    pub nodes: u64,
}

/// A player of one game after another.
#[derive(Debug, Default)]
pub struct Player {
    /// Own moves that lost much: the move number and the key of the position after it.
    blunders: VecDeque<(u32, u64)>,
}

impl Player {
    /// Forgets the game.
    pub fn new_game(&mut self) {
        self.blunders.clear();
    }

    /// Chooses a legal move; `None` if there is none. Ratings below 800 choose as 800, those above [`MODEL_UP_TO`] as that: a
    /// stronger level is a search of [`LevelSettings::nodes`].
    ///
    /// # Errors
    /// The memory for the searches could not be allocated.
    pub fn choose(
        &mut self,
        view: &GameView,
        settings: &LevelSettings,
        setup: &SearchSetup,
    ) -> io::Result<Option<Chosen>> {
        let started = Instant::now();
        let mut searcher = setup.searcher()?;
        let mut found = inputs(view, &mut searcher, setup.time);
        if found.iter().any(|input| setup.only.contains(&input.mv)) {
            found.retain(|input| setup.only.contains(&input.mv));
        }
        if found.is_empty() {
            return Ok(None);
        }
        let weights = settings.weights(&BUILT_IN);
        let key = settings.seed ^ view.game().position().key();
        let overlooked = overlook(&mut found, &weights, key);
        let unseen = overlooked.iter().map(|missed| missed.mv).collect();
        let mut guards = Guards::new(view, settings.rating, &found, unseen);
        guards.narrow(self.may_blunder(view.game()));
        if mates_lone_king(view.game().position(), settings.rating)
            && let Some(best) = best_move(view.game(), setup, started)?
            && found.iter().any(|input| input.mv == best)
        {
            guards.keep(|input| input.mv == best, "mates the lone king");
        }
        let scores: Vec<f32> = found.iter().map(|input| weights.score(input)).collect();
        let allowed: Vec<usize> = guards.allowed();
        let shares = probabilities(
            &allowed
                .iter()
                .map(|&index| scores[index])
                .collect::<Vec<_>>(),
        );
        let drawn = draw(&shares, key);
        let chosen = &found[allowed[drawn]];
        let loss = guards.losses[allowed[drawn]];
        if loss >= BLUNDER {
            let position = view.game().position();
            let after = position.play(chosen.mv).key();
            self.blunders.push_back((move_number(position), after));
        }
        let unguarded = draw(&probabilities(&scores), key);
        let guard = guards.forbidden[unguarded];
        let missed = overlooked.iter().find(|missed| missed.mv == chosen.mv);
        let text = missed.map(|missed| missed.words(view.game().position()));
        let best = found.iter().map(|input| input.estimate.values[2]).max();
        Ok(Some(Chosen {
            mv: chosen.mv,
            reply: chosen.estimate.reply.filter(|_| missed.is_none()),
            probability: shares[drawn],
            value: chosen.estimate.values[2],
            entropy: entropy(&shares),
            is_decided: best.is_some_and(is_decisive),
            overlooked: text,
            queen_left: queen_left(view.game().position(), chosen.mv),
            guard,
            nodes: searcher.nodes(),
        }))
    }

    /// Whether the last own moves of this game leave room for a blunder. A move that was chosen but not played, in a ponder
    /// search or before a take-back, does not count.
    fn may_blunder(&mut self, game: &Game) -> bool {
        let now = move_number(game.position());
        let is_near = |then: u32| then <= now && now - then < BLUNDER_INTERVAL;
        self.blunders.retain(|(then, _)| is_near(*then));
        !(self.blunders.iter()).any(|(_, after)| game.keys().contains(after))
    }
}

fn move_number(position: &Position) -> u32 {
    u32::from(position.fullmoves())
}

/// The capture of the queen by a lesser piece after a move that captures nothing, if it wins at least [`QUEEN_LEFT`].
fn queen_left(position: &Position, mv: Move) -> Option<String> {
    let after = position.play(mv);
    let queens = after.pieces(position.turn(), Role::Queen);
    let replies = after.legal_moves();
    let reply = replies.iter().find(|reply| {
        let taker = after.piece_on(reply.from());
        queens.contains(reply.to())
            && taker.is_some_and(|piece| !matches!(piece.role(), Role::Queen | Role::King))
            && after.see_ge(**reply, QUEEN_LEFT)
    });
    let reply = reply.filter(|_| !mv.is_capture())?;
    Some(format!("{} after {}", reply.uci(false), mv.uci(false)))
}

/// A reply that is overlooked.
struct Missed {
    mv: Move,
    reply: Move,
    class: Oversight,
}

impl Missed {
    fn words(&self, position: &Position) -> String {
        let after = position.play(self.mv);
        let square = match self.class {
            Oversight::PinnedDefender => pinned_defender(&after, self.reply),
            _ => None,
        };
        let square = square.map_or_else(String::new, |square| format!(" {square}"));
        let (mv, reply) = (self.mv.uci(false), self.reply.uci(false));
        format!("{}{square} ({reply} after {mv})", self.class.name())
    }
}

/// Draws the classes of replies that are overlooked in this position, and removes the losses by these replies from the
/// features.
fn overlook(found: &mut [Input], weights: &RatedWeights, key: u64) -> Vec<Missed> {
    let rates = oversight_rates(weights);
    let mut missed = Vec::new();
    for input in found.iter_mut() {
        let Some((class, points)) = input.estimate.oversight else {
            continue;
        };
        // Either the whole loss is seen or none of it.
        input.features[class.feature()] = 0.0;
        let rate = rates.iter().find(|(other, _)| *other == class);
        let rate = rate.map_or(0.0, |(_, rate)| *rate);
        if unit(mix(key ^ mix(class as u64 + 1))) >= rate {
            continue;
        }
        overlook_loss(&mut input.features, &input.context, points);
        if let Some(reply) = input.estimate.reply {
            missed.push(Missed {
                mv: input.mv,
                reply,
                class,
            });
        }
    }
    missed
}

/// The best move of a short search with the embedded tablebases, in what is left of the time since the start. Nothing is given
/// away unless nothing else wins or a pawn promotes at once.
fn best_move(game: &Game, setup: &SearchSetup, started: Instant) -> io::Result<Option<Move>> {
    let searcher = LocalSearcher::new(1)?;
    let mut searcher = searcher.with_signal(Arc::clone(&setup.signal), setup.ticket);
    let mut search = |search_moves: Vec<Move>| {
        let limits = Limits {
            move_time: setup.time.filter(|_| !setup.ponder),
            started,
            search_moves,
            ..Limits::nodes(MATE_NODES)
        };
        let best = searcher.search_lines(game, limits, 1).first()?;
        Some((best.mv, best.score))
    };
    let position = game.position();
    let gives = |mv: &Move| {
        let after = position.play(*mv);
        let replies = after.legal_moves();
        let mut captures = replies.iter().filter(|reply| reply.is_capture());
        captures.any(|&capture| !promotes(&after.play(capture)))
    };
    let legal = position.legal_moves();
    let kept: Vec<Move> = legal.iter().copied().filter(|mv| !gives(mv)).collect();
    let found = Some(kept).filter(|kept| !kept.is_empty());
    let found = found
        .and_then(&mut search)
        .filter(|&(_, score)| score > DRAW);
    let found = found.or_else(|| search(Vec::new()));
    Ok(found.map(|(mv, _)| mv))
}

/// Whether a pawn can promote to a piece that cannot be taken.
fn promotes(position: &Position) -> bool {
    let moves = position.legal_moves();
    let mut promotions = moves.iter().filter(|mv| mv.promotion().is_some());
    promotions.any(|&mv| {
        let replies = position.play(mv).legal_moves();
        !replies.iter().any(|reply| reply.to() == mv.to())
    })
}

/// A number from 0 to 1.
fn unit(bits: u64) -> f32 {
    (bits >> 40) as f32 / (1u64 << 24) as f32
}

/// Draws an index by its probability.
fn draw(shares: &[f32], key: u64) -> usize {
    let mut left = unit(mix(key));
    for (index, share) in shares.iter().enumerate() {
        left -= share;
        if left < 0.0 {
            return index;
        }
    }
    // Rounding.
    shares
        .iter()
        .enumerate()
        .max_by(|a, b| a.1.total_cmp(b.1))
        .map_or(0, |(index, _)| index)
}

/// The entropy of the choice as a share of the greatest that its moves allow.
fn entropy(shares: &[f32]) -> f32 {
    if shares.len() < 2 {
        return 0.0;
    }
    let entropy: f32 = shares
        .iter()
        .filter(|share| **share > 0.0)
        .map(|share| -share * share.ln())
        .sum();
    (entropy / (shares.len() as f32).ln()).clamp(0.0, 1.0)
}
