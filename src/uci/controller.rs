//! The controller: carries out the queued requests in order and answers searches with `bestmove`. During a search it sleeps
//! in the engine; the reader stops the search by its ticket.

use std::sync::Arc;
use std::time::Instant;

use crate::base::text::plural;
use crate::base::value::Depth;
use crate::chess::{Game, Move, Position};
use crate::engine::bench;
use crate::engine::level::{GameView, LevelSearch, Player};
use crate::engine::perft::{self, PerftError};
use crate::engine::{BestMove, Engine, Explainer, Limits, Listener, Model, Signal, Ticket};

use super::command::Command;
use super::genfens::{self, GenfensRequest};
use super::go::GoRequest;
use super::info_printer::InfoPrinter;
use super::inquiry::{self, Inquiry};
use super::level::{self, LevelOptions};
use super::options;
use super::print::{self, Output, OutputStyle};
use super::prompt;
use super::queue::QueueReceiver;
use super::reader::Request;
use super::tree_text;
use super::uci_option::OptionTarget;

/// The most messages kept for the next `go`.
const MAX_MESSAGES: usize = 20;
/// The most errors of one `go` that are reported one by one.
const MAX_GO_ERRORS: usize = 8;

const NO_POSITION: &str = "no valid position is set";
const POSITION: &str = "position: ";

/// The state that requests act on.
pub struct Controller {
    engine: Engine,
    signal: Arc<Signal>,
    output: Arc<Output>,
    style: OutputStyle,
    level: LevelOptions,
    /// The weights that the program was started with; `None`: the built-in ones.
    start_model: Option<Arc<Model>>,
    player: Player,
    /// `None` after an invalid `position`.
    game: Option<Game>,
    /// The moves of the game, newest last.
    recent: Vec<Move>,
    /// For the lines before `bestmove`, once they were wanted.
    explainer: Option<Explainer>,
    /// Messages for the next `go`, where every GUI accepts them.
    messages: Vec<String>,
    messages_left_out: usize,
    /// Whether any line was invalid, as a whole or in part.
    has_errors: bool,
}

impl Controller {
    /// A controller with default options and the start position; `model` `None`: the built-in weights.
    pub fn new(mut engine: Engine, model: Option<Arc<Model>>, output: Arc<Output>) -> Self {
        let mut style = OutputStyle::default();
        let mut level = LevelOptions::default();
        options::set_defaults(&mut OptionTarget {
            engine: &mut engine,
            style: &mut style,
            level: &mut level,
            start_model: model.as_ref(),
            log: output.log(),
        });
        engine.set_model(model.clone());
        let signal = engine.signal();
        let game = Some(Game::new(Position::startpos()));
        Self {
            engine,
            signal,
            output,
            style,
            level,
            start_model: model,
            player: Player::default(),
            game,
            recent: Vec::new(),
            explainer: None,
            messages: Vec::new(),
            messages_left_out: 0,
            has_errors: false,
        }
    }

    /// Whether any line was invalid, as a whole or in part.
    pub const fn has_errors(&self) -> bool {
        self.has_errors
    }

    /// Carries out requests until there are no more.
    pub fn run(&mut self, requests: &QueueReceiver<Request>) {
        while let Some(request) = requests.receive() {
            match request {
                Request::Warning(text) => self.warn(text),
                Request::Error(text) => self.error(&text),
                Request::Note(text) => self.output.info_string(&text),
                Request::Quick(command) => self.run_quick(command),
                Request::Long {
                    command,
                    ticket,
                    started,
                    waits,
                } => {
                    let started = if waits { Instant::now() } else { started };
                    if matches!(&command, Command::Go(request) if !request.ends_by_itself()) {
                        self.signal.start(ticket);
                    }
                    self.run_long(command, ticket, started);
                    // For commands without a best move.
                    self.signal.finish(ticket);
                }
            }
        }
    }

    fn run_quick(&mut self, command: Command) {
        match command {
            Command::Uci => self.output.answer_uci(&options::uci_answer()),
            Command::IsReady => {
                self.prepare();
                self.engine.touch_memory();
                self.output.lines("readyok");
            }
            Command::SetOption(request) => {
                let target = &mut OptionTarget {
                    engine: &mut self.engine,
                    style: &mut self.style,
                    level: &mut self.level,
                    start_model: self.start_model.as_ref(),
                    log: self.output.log(),
                };
                if let Err(error) = options::set(&request, target) {
                    self.warn(error.to_string());
                }
            }
            Command::NewGame => {
                self.engine.new_game();
                self.level.new_game();
                self.player.new_game();
                // A position that was refused stays refused.
                self.game = (self.game.is_some()).then(|| Game::new(Position::startpos()));
                self.recent.clear();
            }
            Command::Position(request) => match request.game() {
                Ok((game, moves)) => (self.game, self.recent) = (Some(game), moves),
                Err(reason) => self.clear_position(&reason),
            },
            Command::InvalidPosition(reason) => self.clear_position(&reason),
            Command::Display => {
                let unicode = prompt::shows_unicode();
                self.show(|_, game| prompt::board_text(game.position(), unicode));
            }
            Command::Flip => match &self.game {
                Some(game) => {
                    self.game = Some(Game::new(game.position().flip()));
                    self.recent.clear();
                }
                None => self.report_no_position(),
            },
            Command::Eval => self.show(|controller, game| controller.engine.evaluation_text(game)),
            Command::Tree(text) => match self.tree(text.as_deref()) {
                Ok(text) => self.output.lines(&text),
                Err(reason) => self.error(&reason),
            },
            Command::Help => self.output.lines(prompt::HELP),
            // Carried out by the reader or by `run_long`.
            Command::Debug(_)
            | Command::Stop
            | Command::PonderHit
            | Command::Quit
            | Command::Nothing
            | Command::Go(_)
            | Command::Bench(_)
            | Command::Genfens(_)
            | Command::Ask(_) => {}
        }
    }

    fn run_long(&mut self, command: Command, ticket: Ticket, started: Instant) {
        match command {
            Command::Go(request) => self.go(*request, ticket, started),
            Command::Bench(depth) => self.bench(depth, ticket),
            Command::Genfens(request) => self.genfens(&request, ticket),
            Command::Ask(inquiry) => self.ask(&inquiry, ticket),
            _ => {}
        }
    }

    /// Applies the settings.
    fn prepare(&mut self) {
        if let Err(errors) = self.engine.prepare() {
            for error in errors {
                self.warn(error.to_string());
            }
        }
        for message in self.engine.tablebases().take_messages() {
            self.message(message);
        }
    }

    /// Reports an invalid line at once.
    fn error(&mut self, reason: &str) {
        self.has_errors = true;
        self.output.info_string(reason);
    }

    /// Reports an invalid line with the next `go`, or at once with `debug on`.
    fn warn(&mut self, reason: String) {
        self.has_errors = true;
        self.message(reason);
    }

    /// Prints a message with the next `go`, or at once with `debug on`.
    fn message(&mut self, text: String) {
        if self.output.is_debugging() {
            self.output.info_string(&text);
        } else if self.messages.len() < MAX_MESSAGES {
            self.messages.push(text);
        } else {
            self.messages_left_out += 1;
        }
    }

    /// Drops the position after an invalid `position` and reports the error: at once if the GUI accepts it.
    fn clear_position(&mut self, reason: &str) {
        self.game = None;
        self.has_errors = true;
        let text = format!("{POSITION}{reason}");
        if self.output.accepts_info_strings() {
            self.output.info_string(&text);
        } else {
            self.message(text);
        }
    }

    /// Reports that there is no position; if the reason waits for a `go`, the reason.
    fn report_no_position(&mut self) {
        let mut messages = self.messages.iter();
        match messages.rposition(|text| text.starts_with(POSITION)) {
            Some(at) => self.output.info_string(&self.messages.remove(at)),
            None => self.error(NO_POSITION),
        }
    }

    /// Prints something about the position.
    fn show(&mut self, text: impl Fn(&Self, &Game) -> String) {
        match &self.game {
            Some(game) => self.output.lines(&text(self, game)),
            None => self.report_no_position(),
        }
    }

    fn go(&mut self, mut request: GoRequest, ticket: Ticket, started: Instant) {
        self.output.note_go();
        self.prepare();
        let before = self.messages.len();
        self.messages.append(&mut request.warnings);
        let game = self.game.take();
        let board = game.as_ref().map(Game::position).copied();
        let position = board.unwrap_or_else(Position::startpos);
        let limits = request.limits(&position, started, &mut self.messages);
        let errors = self.messages.len() - before;
        self.has_errors |= errors > 0;
        if errors > MAX_GO_ERRORS {
            self.messages.truncate(before + MAX_GO_ERRORS);
            let errors = plural(errors - MAX_GO_ERRORS, "more error");
            self.messages.push(format!("go: {errors}"));
        }
        let left_out = std::mem::take(&mut self.messages_left_out);
        let more = (left_out > 0).then(|| plural(left_out, "more message"));
        for message in self.messages.drain(..).chain(more) {
            self.output.info_string(&message);
        }
        if request.perft.is_none()
            && let Some(end) = game.as_ref().and_then(Game::end)
        {
            self.output.info_string(&format!("the game is over: {end}"));
        }
        match &game {
            Some(_) if request.perft.is_some() => {
                self.perft(&position, request.perft.flatten(), ticket);
            }
            Some(game) if position.has_legal_move() => self.search(game, limits, ticket),
            Some(_) => self.answer_without_move(Some(&position), &limits, ticket),
            None if request.perft.is_some() => self.error(NO_POSITION),
            None => self.answer_without_move(None, &limits, ticket),
        }
        self.game = game;
    }

    /// Searches a position with legal moves.
    fn search(&mut self, game: &Game, mut limits: Limits, ticket: Ticket) {
        if self.style.explain {
            inquiry::keep_time(&mut limits);
        }
        let printer = Arc::new(InfoPrinter::new(
            Arc::clone(&self.output),
            self.style,
            *game.position(),
            &limits,
        ));
        let listener: Arc<dyn Listener> = printer.clone();
        let (started, is_pondering) = (limits.started, limits.ponder);
        let waited = self.output.log().waiting_time();
        let chosen = self.level_choice(game, &mut limits, ticket, &listener);
        let is_searched = chosen.is_none();
        let answer = chosen.unwrap_or_else(|| {
            let answer = self.engine.go(game, limits.clone(), ticket, &listener);
            let level = &self.level;
            level.wait_after_search(game, &limits, &printer, &self.engine, ticket);
            answer
        });
        // Tablebase errors met by this search.
        for message in self.engine.tablebases().take_messages() {
            printer.info_string(&message);
        }
        if self.output.is_debugging()
            && is_searched
            && let Some(report) = self.engine.tree_report()
        {
            for line in tree_text::debug_lines(&report, self.style.chess960) {
                printer.info_string(&line);
            }
        }
        // Without memory for a search any legal move will do.
        let best = answer
            .best
            .or_else(|| game.position().legal_moves().first().copied());
        printer.finish(best);
        if self.style.explain
            && let Some(best) = best
        {
            let clock_start = if is_pondering {
                self.signal.ponder_hit_at(ticket)
            } else {
                Some(started)
            };
            let nodes = printer.nodes() / self.engine.threads() as u64;
            let nodes = inquiry::searched_on_clock(nodes, started, clock_start);
            let of = (nodes, printer.is_mate() && clock_start.is_some());
            let moves = (best, printer.second());
            let lines = inquiry::why(&mut self.explainer, &self.engine, game, moves, of);
            for line in lines {
                self.output.lines(&line);
            }
        }
        let line = print::best_move(best, answer.ponder, self.style.chess960);
        self.print_answer(ticket, &line);
        self.output.log().note_search(waited, started.elapsed());
    }

    /// The answer of a level, if one is set and plays by its model; a level of high rating limits the nodes instead.
    fn level_choice(
        &mut self,
        game: &Game,
        limits: &mut Limits,
        ticket: Ticket,
        listener: &Arc<dyn Listener>,
    ) -> Option<BestMove> {
        self.engine.set_most_threads(usize::MAX);
        let settings = self.level.settings()?;
        for note in self.level.notes(limits, &self.engine) {
            self.output.info_string(&note);
        }
        if level::needs_full_strength(limits, &self.engine) {
            return None;
        }
        self.engine.set_most_threads(1);
        if let Some(nodes) = settings.nodes_at(game.position()) {
            limits.nodes = Some(limits.nodes.map_or(nodes, |given| given.min(nodes)));
            return None;
        }
        let level = &self.level;
        let search = LevelSearch {
            view: &GameView::with_moves(game.clone(), &self.recent),
            settings: &settings,
            limits,
            model: level.model(&self.engine),
            ticket,
            listener,
        };
        let debugging = self.output.is_debugging();
        let (player, engine) = (&mut self.player, &mut self.engine);
        level::play(&search, debugging, level, player, engine)
    }

    /// Answers without a legal move or a valid position, as late as a search would.
    fn answer_without_move(&self, position: Option<&Position>, limits: &Limits, ticket: Ticket) {
        let (score, wdl) = match position {
            Some(position) if position.in_check() => ("mate 0", "0 0 1000"),
            _ => ("cp 0", "0 1000 0"),
        };
        let wdl = if self.style.win_draw_loss {
            format!(" wdl {wdl}")
        } else {
            String::new()
        };
        self.output
            .lines(&format!("info depth 0 score {score}{wdl}"));
        if limits.ponder || limits.is_endless() {
            self.signal.hold(ticket, limits.ponder && !limits.infinite);
        }
        self.print_answer(ticket, "bestmove (none)");
    }

    /// Prints `bestmove`. The ticket is finished first, so that later lines count as sent after the search.
    fn print_answer(&self, ticket: Ticket, line: &str) {
        self.signal.finish(ticket);
        self.output.lines(line);
    }

    /// Answers a question about the position, as text.
    fn ask(&mut self, inquiry: &Inquiry, ticket: Ticket) {
        self.prepare();
        let Some(game) = &self.game else {
            return self.report_no_position();
        };
        match inquiry::answer(inquiry, &mut self.engine, game, (&self.signal, ticket)) {
            Ok(text) => self.output.lines(&text),
            Err(reason) => self.error(&reason),
        }
    }

    /// The moves of the last search's root, or why one of them was visited.
    fn tree(&self, text: Option<&str>) -> Result<String, String> {
        let chess960 = self.style.chess960;
        let report = self.engine.tree_report();
        let report =
            report.ok_or("tree: no search tree; search with Search Mode MCTS or UCT first")?;
        let Some(text) = text else {
            return Ok(tree_text::table(&report, chess960));
        };
        let found = report.position.find_move(text);
        let mv = found.map_err(|error| error.to_string())?;
        let line = tree_text::one_move(&report, mv, chess960);
        line.ok_or_else(|| format!("tree: {text} is not in the tree"))
    }

    fn perft(&mut self, position: &Position, depth: Option<u32>, ticket: Ticket) {
        // An invalid depth is reported already.
        let Some(depth) = depth else { return };
        let stop = PerftStop {
            signal: &self.signal,
            ticket,
        };
        let counts = match perft::divide_with(position, depth, None, &[], &stop) {
            Ok(counts) => counts,
            Err(PerftError::Stopped) => return self.output.info_string("perft: stopped"),
            Err(error) => return self.error(&format!("perft: {error}")),
        };
        for &(first, nodes) in &counts {
            self.output
                .lines(&format!("{}: {nodes}", first.uci(self.style.chess960)));
        }
        let total: u64 = counts.iter().map(|&(_, nodes)| nodes).sum();
        let total = total.max(u64::from(depth == 0));
        self.output.lines(&format!("\nNodes searched: {total}"));
    }

    fn genfens(&mut self, request: &GenfensRequest, ticket: Ticket) {
        let result = genfens::generate(request, &self.signal, ticket, &mut |opening| {
            self.output
                .lines(&format!("info string genfens {}", opening.to_fen()));
        });
        match result {
            Ok(true) => {}
            Ok(false) => self.output.info_string("genfens: stopped"),
            Err(reason) => self.error(&format!("genfens: {reason}")),
        }
    }

    fn bench(&self, depth: Option<Depth>, ticket: Ticket) {
        super::show_bench(
            &self.output,
            depth.unwrap_or(bench::DEPTH),
            self.engine.model(),
            &self.signal,
            ticket,
        );
    }
}

/// Stops a perft with its ticket.
struct PerftStop<'a> {
    signal: &'a Signal,
    ticket: Ticket,
}

impl perft::PerftProgress for PerftStop<'_> {
    fn is_stopped(&self) -> bool {
        self.signal.is_stopped(self.ticket)
    }
}
