//! What a search tells, turned into lines that a client can bear.
//! Uses: engine (Listener), chess, print. Used by: controller.
//! Idea: news may be held back, but the last word before the move is always the complete, exact, newest variation.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::base::sync::{Mutex, MutexGuard};
use crate::base::value::{Bound, Depth};
use crate::chess::{Move, Position};
use crate::engine::{self, Info, Listener, ReportedScore, SearchStats};

use super::options::Style;
use super::print::{Output, Variation, stats_line};

/// In the long run one line in this time: some clients drown in more.
const INTERVAL: Duration = Duration::from_millis(10);
/// How far ahead of that rate lines may run: fifteen at once.
const BURST: Duration = Duration::from_millis(150);
/// Bounds before this time are noise: the exact score follows at once.
const BOUNDS_FROM: Duration = Duration::from_secs(2);

/// The listener of one search.
pub struct InfoPrinter {
    output: Arc<Output>,
    style: Style,
    root: Position,
    started: Instant,
    state: Mutex<State>,
}

struct State {
    /// When the rate would allow the next line, were there no burst.
    next_line: Instant,
    /// The newest exact variations, in the order of their rank.
    latest: Vec<Variation>,
    /// Whether `latest` has been written.
    written: bool,
    /// Whether it was the last thing written.
    on_top: bool,
    /// The newest counters.
    stats: SearchStats,
    /// Whether root moves are told by now.
    tells_moves: bool,
}

impl InfoPrinter {
    /// The listener of a search from `root`, begun at `started`.
    #[must_use]
    pub fn new(output: Arc<Output>, style: Style, root: Position, started: Instant) -> Self {
        let state = State {
            next_line: started,
            latest: Vec::new(),
            written: true,
            on_top: true,
            stats: SearchStats::default(),
            tells_moves: false,
        };
        Self {
            output,
            style,
            root,
            started,
            state: Mutex::new(state),
        }
    }

    /// The search is over: makes sure that the last line is exact and begins with the move to be played.
    pub fn finish(&self, best: Option<Move>) {
        let mut state = self.lock();
        state.stats.elapsed = state.stats.elapsed.max(self.started.elapsed());
        if !state.on_top {
            self.write_latest(&mut state);
        }
        let first = state.latest.first();
        if let Some(best) =
            best.filter(|_| first.and_then(|first| first.pv.first()) != best.as_ref())
        {
            let (score, win_draw_loss) = first.map_or_else(
                || {
                    let draw = ReportedScore::default();
                    (draw, self.win_draw_loss(draw))
                },
                |first| (first.score, first.win_draw_loss),
            );
            let variation = Variation {
                depth: 1,
                selective_depth: 1,
                multi_pv: 1,
                score,
                bound: Bound::Exact,
                win_draw_loss,
                pv: vec![best],
            };
            self.write(&variation, &state.stats);
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock()
    }

    fn write(&self, variation: &Variation, stats: &SearchStats) {
        self.output
            .lines(&variation.line(stats, self.style.chess960));
    }

    fn write_latest(&self, state: &mut State) {
        for variation in &state.latest {
            self.write(variation, &state.stats);
        }
        state.next_line += INTERVAL * state.latest.len() as u32;
        state.written = true;
        state.on_top = true;
    }

    /// Before a line that is no variation: what was held back comes first, and must come again at the end.
    fn make_way(&self, state: &mut State) {
        if !state.written {
            self.write_latest(state);
        }
        state.on_top = state.latest.is_empty();
    }

    /// The score as the client wants it.
    fn shown(&self, score: ReportedScore) -> ReportedScore {
        if self.style.raw_scores {
            score
        } else {
            engine::normalise(&self.root, score)
        }
    }

    fn win_draw_loss(&self, score: ReportedScore) -> Option<[u16; 3]> {
        self.style
            .win_draw_loss
            .then(|| engine::win_draw_loss(&self.root, score))
    }
}

impl State {
    /// Whether the rate allows a line now; if so it is counted.
    fn may_write(&mut self) -> bool {
        let now = Instant::now();
        let allowed = self.next_line <= now + BURST;
        if allowed {
            self.next_line = self.next_line.max(now) + INTERVAL;
        }
        allowed
    }
}

impl Listener for InfoPrinter {
    fn info(&self, info: &Info<'_>) {
        let mut state = self.lock();
        state.stats = info.stats;
        let variation = Variation {
            depth: info.depth,
            selective_depth: info.selective_depth,
            multi_pv: info.multi_pv,
            score: self.shown(info.score),
            bound: info.bound,
            win_draw_loss: self.win_draw_loss(info.score),
            pv: info.pv.to_vec(),
        };
        if info.bound != Bound::Exact {
            if !self.style.minimal && info.stats.elapsed >= BOUNDS_FROM && state.may_write() {
                self.make_way(&mut state);
                self.write(&variation, &info.stats);
            }
            return;
        }
        let best = (state.latest.first()).map_or(variation.score, |best| best.score);
        let margin = self.style.margin;
        if info.multi_pv > 1 && margin > 0 && variation.score.value() < best.value() - margin {
            return;
        }
        // The lines of one depth stand or fall together: clients want them complete and in order.
        let wanted = if info.multi_pv == 1 {
            state.latest.clear();
            !self.style.minimal && state.may_write()
        } else {
            state.on_top
        };
        if wanted {
            self.write(&variation, &info.stats);
            if info.multi_pv > 1 {
                state.next_line += INTERVAL;
            }
        }
        state.written = wanted;
        state.on_top = wanted;
        state.latest.push(variation);
    }

    fn current_move(&self, depth: Depth, current: Move, number: usize) {
        let mut state = self.lock();
        // The first move told is the first of an iteration.
        let is_due = number == 1 || state.tells_moves;
        if !self.style.minimal && is_due && state.may_write() {
            state.tells_moves = true;
            self.make_way(&mut state);
            let text = current.uci(self.style.chess960);
            self.output.lines(&format!(
                "info depth {depth} currmove {text} currmovenumber {number}"
            ));
        }
    }

    fn stats(&self, stats: &SearchStats) {
        let mut state = self.lock();
        state.stats = *stats;
        if self.style.minimal {
            return;
        }
        self.make_way(&mut state);
        self.output.lines(&stats_line(stats));
    }

    fn info_string(&self, text: &str) {
        let mut state = self.lock();
        self.make_way(&mut state);
        self.output.info_string(text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{self, Write};

    /// Keeps what is written.
    #[derive(Clone, Default)]
    struct Sink(Arc<Mutex<Vec<u8>>>);

    impl Write for Sink {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    impl Sink {
        fn lines(&self) -> Vec<String> {
            String::from_utf8_lossy(&self.0.lock())
                .lines()
                .map(str::to_owned)
                .collect()
        }
    }

    fn teller() -> (InfoPrinter, Sink, Vec<Move>) {
        let sink = Sink::default();
        let output = Arc::new(Output::to(Box::new(sink.clone())));
        let root = Position::startpos();
        let teller = InfoPrinter::new(output, Style::default(), root, Instant::now());
        (teller, sink, root.legal_moves().to_vec())
    }

    fn tell(teller: &InfoPrinter, depth: Depth, multi_pv: usize, bound: Bound, pv: &[Move]) {
        let stats = SearchStats {
            nodes: depth as u64,
            elapsed: Duration::from_secs(9),
            ..SearchStats::default()
        };
        let (selective_depth, score) = (depth as u32, ReportedScore::default());
        teller.info(&Info {
            depth,
            selective_depth,
            multi_pv,
            score,
            bound,
            stats,
            pv,
        });
    }

    #[test]
    fn a_flood_is_held_back_but_its_end_is_told() {
        let (teller, sink, moves) = teller();
        for depth in 1..=200 {
            for rank in 1..=2 {
                tell(&teller, depth, rank, Bound::Exact, &moves[rank..=rank]);
            }
        }
        teller.finish(Some(moves[1]));
        let lines = sink.lines();
        assert!(lines.len() < 60, "{} lines", lines.len());
        assert!(lines.len().is_multiple_of(2), "half a group");
        let last = &lines[lines.len() - 2..];
        assert!(last[0].starts_with("info depth 200 ") && last[0].contains(" multipv 1 "));
        assert!(last[1].starts_with("info depth 200 ") && last[1].contains(" multipv 2 "));
    }

    #[test]
    fn the_last_line_is_exact() {
        let (teller, sink, moves) = teller();
        tell(&teller, 5, 1, Bound::Exact, &moves[..1]);
        tell(&teller, 6, 1, Bound::Lower, &moves[..1]);
        teller.stats(&SearchStats {
            nodes: 77,
            ..SearchStats::default()
        });
        teller.finish(Some(moves[0]));
        let lines = sink.lines();
        assert!(lines[1].contains(" lowerbound "));
        assert!(lines[3].starts_with("info depth 5 ") && lines[3].contains(" nodes 77 "));
        assert_eq!(lines.len(), 4);
    }

    #[test]
    fn the_move_is_always_told() {
        let (teller, sink, moves) = teller();
        tell(&teller, 5, 1, Bound::Exact, &moves[..1]);
        teller.finish(Some(moves[3]));
        let end = format!(" pv {}", moves[3].uci(false));
        assert!(sink.lines().last().is_some_and(|line| line.ends_with(&end)));
    }
}
