//! What a search of the engine reports, as data, at a rate that a page can draw.

use std::fmt;
use std::time::Duration;

use serde::Serialize;

use super::error::ApiError;
use crate::base::clock::Instant;
use crate::base::sync::Mutex;
use crate::base::value::Bound;
use crate::chess::Position;
use crate::engine::{self, BestMove, Info, Listener, ReportedScore, SearchStats};

/// The average time between reports, and how far they may be ahead of that rate.
const INTERVAL: Duration = Duration::from_millis(40);
const BURST: Duration = Duration::from_millis(400);
/// Bounds are reported after this time; before it the exact score follows soon.
const BOUNDS_FROM: Duration = Duration::from_secs(2);

/// A report of the engine.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum EngineReport {
    Info(InfoReport),
    BestMove(BestMoveReport),
    Error(ErrorReport),
}

/// A principal variation.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct InfoReport {
    pub id: u64,
    /// Completed depth in plies.
    pub depth: i32,
    pub seldepth: u32,
    /// Rank, from 1.
    pub multipv: usize,
    pub score: ScoreReport,
    /// The chances of the side to move to win, draw and lose in games at time controls, per mille.
    pub wdl: [u16; 3],
    pub nodes: u64,
    /// Nodes per second.
    pub nps: u64,
    /// Milliseconds since the search was requested.
    pub time: u64,
    /// Per mille.
    pub hashfull: u32,
    pub pv: Vec<String>,
    pub pv_san: Vec<String>,
}

/// A score for the side to move: normalised centipawns, or moves to mate (0 or less: it is mated).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ScoreReport {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cp: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mate: Option<i32>,
    /// `lower` or `upper`, if the score is not exact.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bound: Option<&'static str>,
}

/// The end of a search.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BestMoveReport {
    pub id: u64,
    /// `None` if there is no legal move.
    #[serde(rename = "move")]
    pub mv: Option<String>,
    pub san: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ponder: Option<String>,
}

/// A request that the engine refuses.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ErrorReport {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<u64>,
    #[serde(flatten)]
    pub error: ApiError,
}

impl ScoreReport {
    /// A score of a search; UCI has no tablebase scores either: they are centipawns that no estimate reaches.
    pub fn of(root: &Position, score: ReportedScore, bound: Bound) -> Self {
        let score = engine::normalise(root, score);
        let (cp, mate) = match score {
            ReportedScore::Mate(moves) => (None, Some(moves)),
            other => (Some(engine::centipawns(other)), None),
        };
        let bound = match bound {
            Bound::Exact => None,
            Bound::Lower => Some("lower"),
            Bound::Upper => Some("upper"),
        };
        Self { cp, mate, bound }
    }
}

/// Sends what a search reports. Reports may be skipped, but the last ones before the best move are the newest.
pub struct Reporter<F> {
    id: u64,
    root: Position,
    state: Mutex<State>,
    send: F,
}

impl<F> fmt::Debug for Reporter<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reporter")
            .field("id", &self.id)
            .finish_non_exhaustive()
    }
}

struct State {
    /// When the next report is due, without a burst.
    next: Instant,
    /// The newest exact variations, by rank, and whether they were sent.
    latest: Vec<InfoReport>,
    is_sent: bool,
}

impl State {
    /// Whether the rate allows a report now, which is then counted.
    fn may_send(&mut self) -> bool {
        let now = Instant::now();
        let allowed = self.next <= now + BURST;
        if allowed {
            self.next = self.next.max(now) + INTERVAL;
        }
        allowed
    }
}

impl<F: Fn(EngineReport) + Send + Sync> Reporter<F> {
    /// A reporter for one search of this position.
    pub fn new(id: u64, root: Position, send: F) -> Self {
        let state = State {
            next: Instant::now(),
            latest: Vec::new(),
            is_sent: true,
        };
        Self {
            id,
            root,
            state: Mutex::new(state),
            send,
        }
    }

    /// Ends the search: sends what was held back, and the best move.
    pub fn finish(&self, answer: BestMove) {
        let mut state = self.state.lock();
        self.flush(&mut state);
        let best = answer.best;
        (self.send)(EngineReport::BestMove(BestMoveReport {
            id: self.id,
            mv: best.map(|mv| self.root.uci(mv)),
            san: best.map(|mv| self.root.san(mv).to_string()),
            ponder: best
                .zip(answer.ponder)
                .map(|(best, ponder)| self.root.play(best).uci(ponder)),
        }));
    }

    fn flush(&self, state: &mut State) {
        if !std::mem::replace(&mut state.is_sent, true) {
            for info in &state.latest {
                (self.send)(EngineReport::Info(info.clone()));
            }
        }
    }

    fn info_report(&self, info: &Info<'_>) -> InfoReport {
        let (mut pv, mut pv_san) = (Vec::new(), Vec::new());
        let mut position = self.root;
        for &mv in info.pv {
            pv.push(position.uci(mv));
            pv_san.push(position.san(mv).to_string());
            position = Position::play(&position, mv);
        }
        let mut report = InfoReport {
            id: self.id,
            depth: info.depth,
            seldepth: info.selective_depth,
            multipv: info.multi_pv,
            score: ScoreReport::of(&self.root, info.score, info.bound),
            wdl: engine::win_draw_loss(&self.root, info.score),
            nodes: 0,
            nps: 0,
            time: 0,
            hashfull: 0,
            pv,
            pv_san,
        };
        report.set_stats(&info.stats);
        report
    }
}

impl InfoReport {
    fn set_stats(&mut self, stats: &SearchStats) {
        self.nodes = stats.nodes;
        self.nps = stats.nodes_per_second();
        self.time = stats.elapsed.as_millis() as u64;
        self.hashfull = stats.hash_full.min(1000);
    }
}

impl<F: Fn(EngineReport) + Send + Sync> Listener for Reporter<F> {
    fn info(&self, info: &Info<'_>) {
        let mut state = self.state.lock();
        let report = self.info_report(info);
        if info.bound != Bound::Exact {
            if info.stats.elapsed >= BOUNDS_FROM && state.may_send() {
                self.flush(&mut state);
                // The final lines must be exact.
                state.is_sent = false;
                (self.send)(EngineReport::Info(report));
            }
            return;
        }
        if info.multi_pv == 1 {
            state.latest.clear();
            state.is_sent = state.may_send();
        }
        // All lines of one depth, or none.
        if state.is_sent {
            (self.send)(EngineReport::Info(report.clone()));
        }
        state.latest.push(report);
    }

    fn stats(&self, stats: &SearchStats) {
        let mut state = self.state.lock();
        for info in &mut state.latest {
            info.set_stats(stats);
        }
        state.is_sent = false;
        self.flush(&mut state);
    }
}
