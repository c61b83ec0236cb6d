//! Prints the reports of a search as `info` lines, at a rate that GUIs can take. Lines may be skipped, but the last ones
//! before `bestmove` are always the complete, exact, newest variations.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::base::sync::Mutex;
use crate::base::value::{Bound, Depth};
use crate::chess::{Move, Position};
use crate::engine::{self, Info, Limits, Listener, ReportedScore, SearchStats};

use super::print::{Output, OutputStyle, Variation, stats_line};

/// The average time between lines: some GUIs cannot take more.
const INTERVAL: Duration = Duration::from_millis(10);
/// How far lines may be ahead of that rate: fifteen at once.
const BURST: Duration = Duration::from_millis(150);
/// Bounds are printed after this time; before it the exact score follows soon.
const BOUNDS_FROM: Duration = Duration::from_secs(2);

/// The listener of one search.
pub struct InfoPrinter {
    output: Arc<Output>,
    style: OutputStyle,
    root: Position,
    started: Instant,
    /// Print the final lines in any case: after `ponderhit` a GUI may ignore what it read before.
    pondering: bool,
    state: Mutex<State>,
}

struct State {
    /// When the next line is due, without a burst.
    next_line: Instant,
    /// The newest exact variations to be shown, numbered from 1, and the rank of each among all lines.
    latest: Vec<Variation>,
    ranks: Vec<usize>,
    /// Whether `latest` has been written.
    written: bool,
    /// Whether it was written last.
    is_last: bool,
    stats: SearchStats,
    /// Whether `currmove` lines have begun.
    prints_moves: bool,
}

impl InfoPrinter {
    pub fn new(output: Arc<Output>, style: OutputStyle, root: Position, limits: &Limits) -> Self {
        let started = limits.started;
        let state = State {
            next_line: started,
            latest: Vec::new(),
            ranks: Vec::new(),
            written: true,
            is_last: true,
            stats: SearchStats::default(),
            prints_moves: false,
        };
        Self {
            output,
            style,
            root,
            started,
            pondering: limits.ponder,
            state: Mutex::new(state),
        }
    }

    /// Ends the search: the last line is exact and begins with the best move.
    pub fn finish(&self, best: Option<Move>) {
        let mut state = self.state.lock();
        state.stats.elapsed = state.stats.elapsed.max(self.started.elapsed());
        if self.pondering || !state.is_last {
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

    /// The nodes of the search, as reported last.
    pub fn nodes(&self) -> u64 {
        self.state.lock().stats.nodes
    }

    /// The first move of the second best variation, with `MultiPV`.
    pub fn second(&self) -> Option<Move> {
        self.state.lock().latest.get(1)?.pv.first().copied()
    }

    /// Whether the best variation reported last ends with mate.
    pub fn is_mate(&self) -> bool {
        let state = self.state.lock();
        let score = state.latest.first().map(|best| best.score);
        matches!(score, Some(ReportedScore::Mate(_)))
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
        state.is_last = true;
    }

    /// Before any other line: writes variations held back, which must be repeated at the end.
    fn flush(&self, state: &mut State) {
        if !state.written {
            self.write_latest(state);
        }
        state.is_last = state.latest.is_empty();
    }

    /// The score to print.
    fn displayed_score(&self, score: ReportedScore) -> ReportedScore {
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
    /// Whether the rate allows a line now, which is then counted.
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
        let mut state = self.state.lock();
        let nodes_before = std::mem::replace(&mut state.stats, info.stats).nodes;
        let mut variation = Variation {
            depth: info.depth,
            selective_depth: info.selective_depth,
            multi_pv: info.multi_pv,
            score: self.displayed_score(info.score),
            bound: info.bound,
            win_draw_loss: self.win_draw_loss(info.score),
            pv: info.pv.to_vec(),
        };
        if info.bound != Bound::Exact {
            if !self.style.minimal && info.stats.elapsed >= BOUNDS_FROM && state.may_write() {
                self.flush(&mut state);
                self.write(&variation, &info.stats);
            }
            return;
        }
        let best = (state.latest.first()).map_or(variation.score, |best| best.score);
        let margin = self.style.margin;
        if info.multi_pv > 1 && margin > 0 && variation.score.value() < best.value() - margin {
            return;
        }
        // The engine reports the final lines once more: what has not changed since is not printed twice.
        let known = (state.ranks.iter()).position(|&rank| rank == info.multi_pv);
        if let Some(known) = known.filter(|_| info.stats.nodes == nodes_before) {
            variation.multi_pv = known + 1;
            if state.latest[known] != variation {
                state.latest[known] = variation;
                (state.written, state.is_last) = (false, false);
            }
            return;
        }
        // All lines of one depth, or none: GUIs expect them complete and in order.
        let wanted = if info.multi_pv == 1 {
            state.latest.clear();
            state.ranks.clear();
            !self.style.minimal && state.may_write()
        } else {
            state.is_last
        };
        // Hidden lines leave no gap.
        variation.multi_pv = state.latest.len() + 1;
        if wanted {
            self.write(&variation, &info.stats);
            if info.multi_pv > 1 {
                state.next_line += INTERVAL;
            }
        }
        state.written = wanted;
        state.is_last = wanted;
        state.latest.push(variation);
        state.ranks.push(info.multi_pv);
    }

    fn current_move(&self, depth: Depth, current: Move, number: usize) {
        let mut state = self.state.lock();
        // Begin with the first move of an iteration.
        let is_due = number == 1 || state.prints_moves;
        if !self.style.minimal && is_due && state.may_write() {
            state.prints_moves = true;
            self.flush(&mut state);
            let text = current.uci(self.style.chess960);
            self.output.lines(&format!(
                "info depth {depth} currmove {text} currmovenumber {number}"
            ));
        }
    }

    fn stats(&self, stats: &SearchStats) {
        let mut state = self.state.lock();
        state.stats = *stats;
        if self.style.minimal {
            return;
        }
        self.flush(&mut state);
        self.output.lines(&stats_line(stats));
    }

    fn info_string(&self, text: &str) {
        let mut state = self.state.lock();
        self.flush(&mut state);
        self.output.info_string(text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{self, Write};

    #[derive(Clone, Default)]
    struct Buffer(Arc<Mutex<Vec<u8>>>);

    impl Write for Buffer {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    impl Buffer {
        fn lines(&self) -> Vec<String> {
            String::from_utf8_lossy(&self.0.lock())
                .lines()
                .map(str::to_owned)
                .collect()
        }
    }

    fn setup() -> (InfoPrinter, Buffer, Vec<Move>) {
        let buffer = Buffer::default();
        let output = Arc::new(Output::to(Box::new(buffer.clone())));
        let root = Position::startpos();
        let printer = InfoPrinter::new(output, OutputStyle::default(), root, &Limits::none());
        (printer, buffer, root.legal_moves().to_vec())
    }

    fn report(printer: &InfoPrinter, depth: Depth, multi_pv: usize, bound: Bound, pv: &[Move]) {
        let stats = SearchStats {
            nodes: depth as u64,
            elapsed: Duration::from_secs(9),
            ..SearchStats::default()
        };
        let (selective_depth, score) = (depth as u32, ReportedScore::default());
        printer.info(&Info {
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
    fn many_lines_are_skipped_but_the_last_are_printed() {
        let (printer, buffer, moves) = setup();
        for depth in 1..=200 {
            for rank in 1..=2 {
                report(&printer, depth, rank, Bound::Exact, &moves[rank..=rank]);
            }
        }
        printer.finish(Some(moves[1]));
        let lines = buffer.lines();
        assert!(lines.len() < 60, "{} lines", lines.len());
        assert!(lines.len().is_multiple_of(2), "an incomplete group");
        let last = &lines[lines.len() - 2..];
        assert!(last[0].starts_with("info depth 200 ") && last[0].contains(" multipv 1 "));
        assert!(last[1].starts_with("info depth 200 ") && last[1].contains(" multipv 2 "));
    }

    #[test]
    fn the_final_lines_are_printed_again_only_if_they_differ() {
        let (printer, buffer, moves) = setup();
        let report_both = |second: &[Move]| {
            report(&printer, 5, 1, Bound::Exact, &moves[..1]);
            report(&printer, 5, 2, Bound::Exact, second);
        };
        report_both(&moves[1..2]);
        report_both(&moves[1..2]);
        printer.finish(Some(moves[0]));
        assert_eq!(buffer.lines().len(), 2);
        report_both(&moves[2..3]);
        printer.finish(Some(moves[0]));
        let lines = buffer.lines();
        assert_eq!(lines.len(), 4);
        assert!(lines[2].contains(" multipv 1 ") && lines[3].contains(" multipv 2 "));
    }

    #[test]
    fn the_final_lines_are_always_printed_after_pondering() {
        let (mut printer, buffer, moves) = setup();
        printer.pondering = true;
        report(&printer, 5, 1, Bound::Exact, &moves[..1]);
        printer.finish(Some(moves[0]));
        assert_eq!(buffer.lines().len(), 2);
    }

    #[test]
    fn the_last_line_is_exact() {
        let (printer, buffer, moves) = setup();
        report(&printer, 5, 1, Bound::Exact, &moves[..1]);
        report(&printer, 6, 1, Bound::Lower, &moves[..1]);
        printer.stats(&SearchStats {
            nodes: 77,
            ..SearchStats::default()
        });
        printer.finish(Some(moves[0]));
        let lines = buffer.lines();
        assert!(lines[1].contains(" lowerbound "));
        assert!(lines[3].starts_with("info depth 5 ") && lines[3].contains(" nodes 77 "));
        assert_eq!(lines.len(), 4);
    }

    #[test]
    fn the_last_line_begins_with_the_best_move() {
        let (printer, buffer, moves) = setup();
        report(&printer, 5, 1, Bound::Exact, &moves[..1]);
        printer.finish(Some(moves[3]));
        let end = format!(" pv {}", moves[3].uci(false));
        assert!(
            buffer
                .lines()
                .last()
                .is_some_and(|line| line.ends_with(&end))
        );
    }
}
