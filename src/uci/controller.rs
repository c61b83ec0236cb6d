//! The controller: does the orders in their order, and alone gives moves.
//! Uses: engine, explain, bench, chess, value, the other files here. Used by: uci.
//! Idea: it sleeps in the engine while a search runs; the reader stops that search by its ticket. Whatever goes wrong is
//! said, and the next order is done all the same.

use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Instant;

use crossbeam::channel::Receiver;

use crate::base::value::Depth;
use crate::chess::{Game, Position};
use crate::engine::bench;
use crate::engine::{Engine, Limits, Listener, Model, Signal, Ticket};
use crate::explain;
use crate::lab::perft;

use super::command::{Command, PositionRequest};
use super::genfens;
use super::go::GoRequest;
use super::listener::InfoPrinter;
use super::options::{self, Style, Target};
use super::print::Output;
use super::prompt;
use super::reader::Order;

/// As many notices are kept for the next `go`; a client that errs more often knows by then.
const NOTICES: usize = 20;

/// What people hear where a position could not be read.
const NO_POSITION: &str = "no position is on the board";

/// What the orders act on.
pub struct Controller {
    engine: Engine,
    signal: Arc<Signal>,
    output: Arc<Output>,
    style: Style,
    /// The game on the board; `None` after a position that made no sense.
    game: Option<Game>,
    /// What to tell the user at the next `go`, the place where every client bears it.
    notices: Vec<String>,
    /// Whether any line was refused, in whole or in part.
    has_refused: bool,
}

impl Controller {
    /// A controller with default options, the weights it was started with and the start position.
    #[must_use]
    pub fn new(mut engine: Engine, model: Option<Arc<Model>>, output: Arc<Output>) -> Self {
        let mut style = Style::default();
        options::set_defaults(&mut Target {
            engine: &mut engine,
            style: &mut style,
            log: output.log(),
        });
        engine.set_model(model);
        let signal = engine.signal();
        let game = Some(Game::new(Position::startpos()));
        Self {
            engine,
            signal,
            output,
            style,
            game,
            notices: Vec::new(),
            has_refused: false,
        }
    }

    /// Whether any line was refused, in whole or in part.
    #[must_use]
    pub const fn has_refused(&self) -> bool {
        self.has_refused
    }

    /// Does all orders until they end.
    pub fn obey(&mut self, orders: &Receiver<Order>) {
        for order in orders {
            match order {
                Order::Notice(notice) => self.refuse_quietly(notice),
                Order::Remark(remark) => self.refuse(&remark),
                Order::Command(command) => self.perform(command),
                Order::Work {
                    command,
                    ticket,
                    started,
                    waits,
                } => {
                    let started = if waits { Instant::now() } else { started };
                    self.work(command, ticket, started);
                    // Work that gives no move is done here.
                    self.signal.finish(ticket);
                }
            }
        }
    }

    /// Does a command that takes no time to speak of.
    fn perform(&mut self, command: Command) {
        match command {
            Command::Greet => self.output.introduce(&options::introduction()),
            Command::IsReady => {
                self.prepare();
                self.output.lines("readyok");
            }
            Command::SetOption(request) => {
                let target = &mut Target {
                    engine: &mut self.engine,
                    style: &mut self.style,
                    log: self.output.log(),
                };
                if let Err(error) = options::set(&request, target) {
                    self.refuse_quietly(error.to_string());
                }
            }
            Command::NewGame => {
                self.engine.new_game();
                self.game = Some(Game::new(Position::startpos()));
            }
            Command::Position(request) => match game(&request) {
                Ok(game) => self.game = Some(game),
                Err(reason) => self.no_position(&reason),
            },
            Command::NoPosition(reason) => self.no_position(&reason),
            Command::Display => {
                let unicode = prompt::shows_unicode();
                self.show(|_, position| prompt::drawing(position, unicode));
            }
            Command::Flip => match &self.game {
                Some(game) => self.game = Some(Game::new(game.position().flip())),
                None => self.refuse(NO_POSITION),
            },
            Command::Evaluate => self.show(|this, position| match this.engine.model() {
                Some(model) => explain::ledger_text_by(model, position),
                None => explain::ledger_text(position),
            }),
            Command::Help => self.output.lines(prompt::HELP),
            // Done by the reader, or by `work`.
            Command::Debug(_)
            | Command::Stop
            | Command::PonderHit
            | Command::Quit
            | Command::Nothing
            | Command::Go(_)
            | Command::Bench(_)
            | Command::GenerateFens(_) => {}
        }
    }

    /// Does a command that takes long.
    fn work(&mut self, command: Command, ticket: Ticket, started: Instant) {
        match command {
            Command::Go(request) => self.go(*request, ticket, started),
            Command::Bench(depth) => self.bench(depth, ticket),
            Command::GenerateFens(request) => self.generate_fens(&request, ticket),
            _ => {}
        }
    }

    /// Puts the settings into force.
    fn prepare(&mut self) {
        if let Err(errors) = self.engine.prepare() {
            for error in errors {
                self.refuse_quietly(error.to_string());
            }
        }
        for news in self.engine.tablebases().take_messages() {
            self.notice(news);
        }
    }

    /// Tells at once why a line is refused.
    fn refuse(&mut self, reason: &str) {
        self.has_refused = true;
        self.output.info_string(reason);
    }

    /// Tells why a line is refused, at once or at the next `go`.
    fn refuse_quietly(&mut self, reason: String) {
        self.has_refused = true;
        self.notice(reason);
    }

    /// Tells the user something, at once or at the next `go`.
    fn notice(&mut self, text: String) {
        if self.output.is_debugging() {
            self.output.info_string(&text);
        } else if self.notices.len() < NOTICES {
            self.notices.push(text);
        }
    }

    /// Takes the position off the board, since it is not the client's, and says why: at once, for no move will come of
    /// it, but not before the first `go` of a client that has just said `uci`.
    fn no_position(&mut self, reason: &str) {
        self.game = None;
        self.has_refused = true;
        let text = format!("position: {reason}");
        if self.output.bears_remarks() {
            self.output.info_string(&text);
        } else {
            self.notice(text);
        }
    }

    /// Shows a person something about the position.
    fn show(&mut self, text: impl Fn(&Self, &Position) -> String) {
        match &self.game {
            Some(game) => self.output.lines(&text(self, game.position())),
            None => self.refuse(NO_POSITION),
        }
    }

    /// Searches and gives the move.
    fn go(&mut self, mut request: GoRequest, ticket: Ticket, started: Instant) {
        self.output.allow_remarks();
        self.prepare();
        let known = self.notices.len();
        self.notices.append(&mut request.notices);
        let game = self.game.take();
        let position = game
            .as_ref()
            .map_or_else(Position::startpos, |game| *game.position());
        let limits = request.limits(&position, started, &mut self.notices);
        self.has_refused |= self.notices.len() > known;
        for notice in self.notices.drain(..) {
            self.output.info_string(&notice);
        }
        match &game {
            Some(_) if request.perft.is_some() => {
                self.perft(&position, request.perft.flatten(), ticket);
            }
            Some(game) if position.has_legal_move() => self.search(game, limits, ticket),
            Some(_) => self.answer_without_move(Some(&position), &limits, ticket),
            None if request.perft.is_some() => self.refuse(NO_POSITION),
            None => self.answer_without_move(None, &limits, ticket),
        }
        self.game = game;
    }

    /// Searches a game that goes on.
    fn search(&mut self, game: &Game, limits: Limits, ticket: Ticket) {
        let teller = Arc::new(InfoPrinter::new(
            Arc::clone(&self.output),
            self.style,
            *game.position(),
            limits.started,
        ));
        let listener: Arc<dyn Listener> = teller.clone();
        let (started, waited) = (limits.started, self.output.log().measure());
        let answer = self.engine.go(game, limits, ticket, &listener);
        // A table found damaged on the way is told with this move, not with the next.
        for news in self.engine.tablebases().take_messages() {
            teller.info_string(&news);
        }
        // An engine without memory finds nothing; a legal move is still better than none.
        let best = answer
            .best
            .or_else(|| game.position().legal_moves().first().copied());
        teller.finish(best);
        let chess960 = self.style.chess960;
        let mut line = best.map_or_else(
            || "bestmove (none)".to_owned(),
            |best| format!("bestmove {}", best.uci(chess960)),
        );
        if let Some(ponder) = answer.ponder {
            let _ = write!(line, " ponder {}", ponder.uci(chess960));
        }
        self.give(ticket, &line);
        self.output.log().measured(waited, started.elapsed());
    }

    /// Answers where there is no move to give, as late as a search would.
    fn answer_without_move(&self, position: Option<&Position>, limits: &Limits, ticket: Ticket) {
        let (score, chances) = match position {
            Some(position) if position.in_check() => ("mate 0", "0 0 1000"),
            _ => ("cp 0", "0 1000 0"),
        };
        let chances = if self.style.win_draw_loss {
            format!(" wdl {chances}")
        } else {
            String::new()
        };
        self.output
            .lines(&format!("info depth 0 score {score}{chances}"));
        if limits.ponder || limits.is_endless() {
            self.signal.hold(ticket, limits.ponder && !limits.infinite);
        }
        self.give(ticket, "bestmove (none)");
    }

    /// Gives the answer to a search. The ticket is finished first: what the client sends from now on comes after.
    fn give(&self, ticket: Ticket, line: &str) {
        self.signal.finish(ticket);
        self.output.lines(line);
    }

    /// Counts the leaves below each move.
    fn perft(&mut self, position: &Position, depth: Option<u32>, ticket: Ticket) {
        // Without a depth, what was wrong has been said.
        let Some(depth) = depth else { return };
        let stop = Stop {
            signal: &self.signal,
            ticket,
        };
        let counts = match perft::divide_on(position, depth, None, &[], &stop) {
            Ok(counts) => counts,
            Err(error) => return self.refuse(&format!("perft: {error}")),
        };
        for &(first, nodes) in &counts {
            self.output
                .lines(&format!("{}: {nodes}", first.uci(self.style.chess960)));
        }
        let total: u64 = counts.iter().map(|&(_, nodes)| nodes).sum();
        let total = total.max(u64::from(depth == 0));
        self.output.lines(&format!("\nNodes searched: {total}"));
    }

    /// Finds openings.
    fn generate_fens(&mut self, request: &genfens::Request, ticket: Ticket) {
        let result = genfens::generate(request, &self.signal, ticket, &mut |opening| {
            self.output
                .lines(&format!("info string genfens {}", opening.to_fen()));
        });
        if let Err(reason) = result {
            self.refuse(&format!("genfens: {reason}"));
        }
    }

    /// Searches the fixed positions.
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

/// Ends a perft when its ticket is stopped.
struct Stop<'a> {
    signal: &'a Signal,
    ticket: Ticket,
}

impl perft::Tally for Stop<'_> {
    fn is_stopped(&self) -> bool {
        self.signal.is_stopped(self.ticket)
    }
}

/// The game that a `position` describes; the error says what is wrong with it.
fn game(request: &PositionRequest) -> Result<Game, String> {
    let start = match &request.fen {
        Some(fen) => Position::from_fen(fen).map_err(|error| error.to_string())?,
        None => Position::startpos(),
    };
    let mut game = Game::new(start);
    for (index, text) in request.moves.iter().enumerate() {
        let played = game.play_text(text);
        played
            .map_err(|error| format!("move {} of {}: {error}", index + 1, request.moves.len()))?;
    }
    Ok(game)
}
