//! The options of levels, and a move of a level.

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use crate::base::clock::Instant;
use crate::base::random::mix;
use crate::chess::Game;
use crate::engine::level::player::{MODEL_UP_TO, RATINGS};
use crate::engine::level::scale::{CCRL_RATINGS, level_of_ccrl};
use crate::engine::level::{Chosen, LevelSearch, LevelSettings, Personality, Player};
use crate::engine::{BestMove, Engine, Limits, Model, Style, Ticket};

use super::info_printer::InfoPrinter;

/// The rating of `UCI_Elo` before it is set.
pub const DEFAULT_RATING: u16 = 1500;
/// The `Skill Level` of full strength.
pub const FULL_SKILL: i64 = 20;
/// The words of `Level Scale`, and the place of the one that engines are rated on.
pub const SCALES: [&str; 2] = ["Human", "CCRL"];
const CCRL: usize = 1;
/// A choice between equal moves takes this share of the time that full strength would take, in percent; the clearest choice
/// takes [`MIN_TEMPO`].
const MAX_TEMPO: u32 = 80;
const MIN_TEMPO: u32 = 8;
/// How hard a choice is assumed to be above the ratings of the model.
const TEMPO_WITHOUT_MODEL: f32 = 0.5;
/// The most time that `Level Tempo` waits for.
const LONGEST_TEMPO: Duration = Duration::from_secs(10);

/// What the options of levels are set to.
#[derive(Default)]
pub struct LevelOptions {
    /// `UCI_LimitStrength`.
    pub limited: bool,
    /// `UCI_Elo`.
    pub rating: u16,
    /// `Skill Level`; [`FULL_SKILL`]: full strength.
    pub skill: u16,
    /// The index of `Level Scale` in [`SCALES`].
    pub scale: usize,
    /// `Level Seed`; 0: another one for every game.
    pub seed: u64,
    /// `Level Tactics`.
    pub tactics: i16,
    /// `Level Judgement`.
    pub judgement: i16,
    /// `Level Tempo`.
    pub tempo: bool,
    personality: Option<Arc<Personality>>,
    /// The weights in use before a personality changed them.
    base: Option<Option<Arc<Model>>>,
    /// Games so far.
    games: u64,
    /// The seed of the current game if `Level Seed` is 0.
    game_seed: Option<u64>,
    /// What has been reported.
    reported: [bool; 4],
}

impl LevelOptions {
    /// A new game has a new seed.
    pub fn new_game(&mut self) {
        self.games += 1;
        self.game_seed = None;
    }

    /// The rating in force, on the Human scale: `UCI_Elo`, or else that of `Skill Level`; `None` at full strength.
    pub fn rating(&self) -> Option<u16> {
        if self.limited {
            return Some(if self.scale == CCRL {
                level_of_ccrl(self.rating)
            } else {
                self.rating
            });
        }
        let full = FULL_SKILL as u16;
        (self.skill < full).then(|| {
            let [low, high] = RATINGS;
            low + (high - low) * self.skill / full
        })
    }

    /// The settings of the level; `None` at full strength.
    pub fn settings(&mut self) -> Option<LevelSettings> {
        let rating = self.rating()?;
        let seed = if self.seed == 0 {
            *(self.game_seed).get_or_insert_with(|| RandomState::new().hash_one(0))
        } else {
            mix(self.seed ^ mix(self.games))
        };
        Some(LevelSettings {
            rating,
            tactics: self.tactics,
            judgement: self.judgement,
            seed,
            personality: self.personality.clone(),
        })
    }

    /// What to report with this search; each thing once.
    pub fn notes(&mut self, limits: &Limits, engine: &Engine) -> Vec<String> {
        let [low, high] = CCRL_RATINGS;
        let nearest = self.rating.clamp(low, high);
        let cases = [
            (
                is_analysis(limits),
                "level: analysis (go infinite, go mate) is at full strength".to_owned(),
            ),
            (
                engine.multi_pv() > 1,
                "level: MultiPV above 1 is answered at full strength".to_owned(),
            ),
            (
                engine.threads() > 1 && !needs_full_strength(limits, engine),
                "level: a level uses one thread; Threads is ignored".to_owned(),
            ),
            (
                self.limited && self.scale == CCRL && nearest != self.rating,
                format!(
                    "level: UCI_Elo {}: levels are measured from {low} to {high} on the CCRL scale; it plays at {nearest}",
                    self.rating
                ),
            ),
        ];
        let mut notes = Vec::new();
        for (reported, (is_due, text)) in self.reported.iter_mut().zip(cases) {
            if is_due && !std::mem::replace(reported, true) {
                notes.push(text);
            }
        }
        notes
    }

    /// Loads a personality; without a file the present one ends.
    ///
    /// # Errors
    /// What is wrong with the file; the personality in use stays.
    pub fn load_personality(
        &mut self,
        file: Option<&Path>,
        engine: &mut Engine,
    ) -> Result<(), String> {
        let stays = |error: String| {
            // The message already begins with the path.
            let path = file.map(|file| format!("{}: ", file.display()));
            let reason = path.and_then(|path| Some(error.strip_prefix(&path)?.to_owned()));
            format!("{}; the personality in use stays", reason.unwrap_or(error))
        };
        let loaded = file.map(Personality::load).transpose();
        let loaded = loaded.map_err(|error| stays(error.to_string()))?;
        let base = self.base.clone().unwrap_or_else(|| engine.model().cloned());
        let changed = loaded.as_ref().filter(|loaded| loaded.changes_evaluation());
        let changed = changed.map(|loaded| loaded.model(base.as_deref()));
        let changed = changed
            .transpose()
            .map_err(|error| stays(error.to_string()))?;
        if let Some(model) = changed {
            engine.set_model(Some(model));
            self.base = Some(base);
        } else if let Some(base) = self.base.take() {
            engine.set_model(base);
        }
        engine.set_style(
            loaded
                .as_ref()
                .map_or_else(Style::default, |loaded| loaded.style),
        );
        let last_move = loaded.as_ref().and_then(|loaded| loaded.book_moves);
        engine.own_book().set_personal_last_move(last_move);
        self.personality = loaded.map(Arc::new);
        Ok(())
    }

    /// Applies the personality in use to weights that were loaded after it.
    ///
    /// # Errors
    /// There is no memory for another model.
    pub fn weights_loaded(&mut self, engine: &mut Engine) -> Result<(), String> {
        let personality = self.personality.as_ref();
        if let Some(personality) = personality.filter(|known| known.changes_evaluation()) {
            let base = engine.model().cloned();
            let model = personality.model(base.as_deref());
            engine.set_model(Some(model.map_err(|error| error.to_string())?));
            self.base = Some(base);
        }
        Ok(())
    }

    /// Waits after a search of `nodes` whose move is that of a level without a model; not where full strength would have
    /// stopped early, too: in the book (no nodes) and with a mate.
    pub fn wait_after_search(
        &self,
        game: &Game,
        limits: &Limits,
        printer: &InfoPrinter,
        engine: &Engine,
        ticket: Ticket,
    ) {
        let is_level = self.rating().is_some_and(|rating| rating > MODEL_UP_TO);
        if is_level
            && !needs_full_strength(limits, engine)
            && printer.nodes() > 0
            && !printer.is_mate()
        {
            self.wait(game, limits, TEMPO_WITHOUT_MODEL, engine, ticket);
        }
    }

    /// Waits as long as a move takes with `Level Tempo`, from the start of the search or the ponder hit, the longer the more
    /// open the choice is (`entropy`, 0 to 1); not for the only legal or allowed move, nor after a stop.
    fn wait(&self, game: &Game, limits: &Limits, entropy: f32, engine: &Engine, ticket: Ticket) {
        let soft = engine.time_limits(limits).and_then(|(soft, _)| soft);
        let legal = game.position().legal_moves();
        let wanted = legal.iter().filter(|mv| limits.search_moves.contains(mv));
        let is_forced = legal.len() < 2 || wanted.count() == 1;
        let signal = engine.signal();
        let from = if limits.ponder {
            signal.ponder_hit_at(ticket)
        } else {
            Some(limits.started)
        };
        if let (true, true, false, Some(soft), Some(from)) =
            (self.tempo, limits.clock.is_some(), is_forced, soft, from)
        {
            let percent = MIN_TEMPO + ((MAX_TEMPO - MIN_TEMPO) as f32 * entropy) as u32;
            let until = from + (soft * percent / 100).min(LONGEST_TEMPO);
            let is_over = || signal.is_stopped(ticket) || Instant::now() >= until;
            while !is_over() {
                signal.wait(Some(until), is_over);
            }
        }
    }

    /// The weights that a level sees with: those without a personality.
    pub fn model(&self, engine: &Engine) -> Option<Arc<Model>> {
        self.base.clone().unwrap_or_else(|| engine.model().cloned())
    }
}

/// Whether a search is answered at full strength whatever the level.
pub fn needs_full_strength(limits: &Limits, engine: &Engine) -> bool {
    is_analysis(limits) || engine.multi_pv() > 1
}

/// Whether a search is to analyse rather than to play.
fn is_analysis(limits: &Limits) -> bool {
    limits.is_endless() && !limits.ponder || limits.mate.is_some()
}

/// Chooses and reports a move; `None` without memory or legal moves.
pub fn play(
    search: &LevelSearch<'_>,
    debugging: bool,
    options: &LevelOptions,
    player: &mut Player,
    engine: &mut Engine,
) -> Option<BestMove> {
    let (answer, chosen) = player.answer(engine, search)?;
    if let Some(chosen) = &chosen {
        report(search, chosen, debugging);
    }
    // In a ponder search it waits for the hit or the stop.
    if search.limits.ponder {
        let is_limited = !search.limits.is_endless();
        engine.signal().hold(search.ticket, is_limited);
    }
    if let Some(chosen) = chosen.filter(|chosen| !chosen.is_decided) {
        let game = search.view.game();
        options.wait(game, search.limits, chosen.entropy, engine, search.ticket);
    }
    Some(answer)
}

/// Reports the choice: the line with the move, and with `debug on` what was overlooked and which guards held.
fn report(search: &LevelSearch<'_>, chosen: &Chosen, debugging: bool) {
    if debugging {
        if let Some(overlooked) = &chosen.overlooked {
            let text = format!("level overlooked {overlooked}");
            search.listener.info_string(&text);
        }
        if let Some(reply) = &chosen.queen_left {
            let text = format!("level leaves the queen to {reply}");
            search.listener.info_string(&text);
        }
        if let Some(guard) = chosen.guard {
            search
                .listener
                .info_string(&format!("level guard: {guard}"));
        }
        let rating = search.settings.rating;
        let percent = 100.0 * chosen.probability;
        search
            .listener
            .info_string(&format!("level {rating}: chosen with {percent:.0} %"));
    }
    chosen.report(search.limits.started.elapsed(), &**search.listener);
    debug_assert!(search.settings.rating <= MODEL_UP_TO);
}
