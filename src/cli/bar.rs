//! Progress on standard error: a bar on a terminal, a line now and then in a log.

use std::fmt;
use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use crate::base::progress::Progress;
use crate::base::sync::Mutex;

/// The time between two lines of a log.
const LOG_INTERVAL: Duration = Duration::from_secs(30);

/// A text besides the number of steps, such as a rate; its argument is the time since the start.
pub type Detail = Box<dyn Fn(Duration) -> String + Send + Sync>;

/// A progress bar, or lines in a log.
pub struct Bar {
    drawn: ProgressBar,
    /// The plural noun for a step.
    unit: Mutex<&'static str>,
    detail: std::sync::Arc<Detail>,
    /// The time of the last line of a log; `None` on a terminal.
    logged: Option<Mutex<Instant>>,
}

impl Bar {
    /// A bar with this plural noun for a step and this text.
    pub fn new(unit: &'static str, detail: Detail) -> Self {
        let detail = std::sync::Arc::new(detail);
        let logged = (!io::stderr().is_terminal()).then(|| Mutex::new(Instant::now()));
        let bar = ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::stderr_with_hz(4));
        bar.set_message(unit);
        let bar = Self {
            drawn: bar,
            unit: Mutex::new(unit),
            detail,
            logged,
        };
        bar.set_style(true);
        bar
    }

    /// Sets the plural noun for a step, which may be known only after the first.
    pub fn set_unit(&self, unit: &'static str) {
        *self.unit.lock() = unit;
        self.drawn.set_message(unit);
    }

    /// Runs code that prints, with the bar hidden.
    pub fn suspend<T>(&self, print: impl FnOnce() -> T) -> T {
        self.drawn.suspend(print)
    }

    fn log(&self) {
        let (done, all) = (self.drawn.position(), self.drawn.length().unwrap_or(0));
        let detail = after(", ", &(self.detail)(self.drawn.elapsed()));
        let (of, left) = match all {
            0 => (String::new(), String::new()),
            _ => (
                format!("/{all}"),
                format!(", {} left", HumanDuration(self.drawn.eta())),
            ),
        };
        let _ = writeln!(
            io::stderr(),
            "{done}{of} {}{detail}{left}",
            self.unit.lock()
        );
    }

    /// Sets the style of the bar; without a known number of steps there is no remaining time.
    fn set_style(&self, is_known: bool) {
        let template = if is_known {
            "{bar:30} {human_pos}/{human_len} {msg}{detail} · {eta} left"
        } else {
            "{human_pos} {msg}{detail}"
        };
        if let Ok(style) = ProgressStyle::with_template(template) {
            let shown = std::sync::Arc::clone(&self.detail);
            let write = move |state: &ProgressState, out: &mut dyn fmt::Write| {
                let _ = out.write_str(&after(" · ", &shown(state.elapsed())));
            };
            self.drawn.set_style(style.with_key("detail", write));
        }
    }
}

/// A field of a progress text after its separator; nothing for an empty field.
fn after(separator: &str, field: &str) -> String {
    if field.is_empty() {
        String::new()
    } else {
        format!("{separator}{field}")
    }
}

impl Progress for Bar {
    fn start(&self, steps: u64) {
        self.drawn.reset();
        self.drawn.set_length(steps);
        self.set_style(steps > 0);
    }

    fn resume(&self, steps: u64) {
        self.drawn.set_position(steps);
        self.drawn.reset_eta();
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_done_before_do_not_shorten_the_time_left() {
        let bar = Bar::new("games", Box::new(|_| String::new()));
        bar.start(1_000_000);
        bar.resume(999_999);
        assert_eq!(bar.drawn.position(), 999_999);
        std::thread::sleep(Duration::from_millis(50));
        bar.advance(0);
        let left = bar.drawn.eta();
        assert!(
            left.is_zero() || left >= Duration::from_millis(40),
            "{left:?}"
        );
    }

    #[test]
    fn an_empty_field_has_no_separator() {
        assert_eq!(after(", ", ""), "");
        assert_eq!(after(", ", "20 games"), ", 20 games");
    }
}
