//! A bar on standard error for work that takes long.
//! Uses: progress. Used by: cli.
//! Idea: rooms tell how far they are through the trait `Progress`; on a terminal that moves a bar, in a log it becomes a
//! line now and then.

use std::fmt;
use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use parking_lot::Mutex;

use crate::base::progress::Progress;

/// How often a log gets a line.
const LOG_INTERVAL: Duration = Duration::from_secs(30);

/// Says something besides the number of steps: a rate, a loss.
pub type Remark = Box<dyn Fn(Duration) -> String + Send + Sync>;

/// A bar, or lines in a log.
pub struct Bar {
    drawn: ProgressBar,
    /// What a step is called, in the plural.
    steps: &'static str,
    remark: std::sync::Arc<Remark>,
    /// When a log got its last line; `None` on a terminal.
    logged: Option<Mutex<Instant>>,
}

impl Bar {
    /// A bar that counts steps of this name and adds a remark, which is asked with the time since the start.
    #[must_use]
    pub fn new(steps: &'static str, remark: Remark) -> Self {
        let remark = std::sync::Arc::new(remark);
        let logged = (!io::stderr().is_terminal()).then(|| Mutex::new(Instant::now()));
        let bar = ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::stderr_with_hz(4));
        let said = std::sync::Arc::clone(&remark);
        let style = ProgressStyle::with_template(
            "{bar:30} {human_pos}/{human_len} {msg} · {remark} · {eta} left",
        );
        if let Ok(style) = style {
            let write = move |state: &ProgressState, out: &mut dyn fmt::Write| {
                let _ = out.write_str(&said(state.elapsed()));
            };
            bar.set_style(style.with_key("remark", write));
        }
        bar.set_message(steps);
        Self {
            drawn: bar,
            steps,
            remark,
            logged,
        }
    }

    fn log(&self) {
        let (done, all) = (self.drawn.position(), self.drawn.length().unwrap_or(0));
        let (remark, left) = (
            (self.remark)(self.drawn.elapsed()),
            HumanDuration(self.drawn.eta()),
        );
        let _ = writeln!(
            io::stderr(),
            "{done}/{all} {}, {remark}, {left} left",
            self.steps
        );
    }
}

impl Progress for Bar {
    fn start(&self, steps: u64) {
        self.drawn.reset();
        self.drawn.set_length(steps);
    }

    fn advance(&self, steps: u64) {
        self.drawn.inc(steps);
        if let Some(logged) = &self.logged
            && let Some(mut logged) = logged.try_lock()
            && logged.elapsed() >= LOG_INTERVAL
        {
            *logged = Instant::now();
            self.log();
        }
    }

    fn finish(&self) {
        if self.logged.is_some() {
            self.log();
        }
        self.drawn.finish();
    }
}
