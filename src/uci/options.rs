//! The options: one table that both introduces them and understands `setoption`.
//! Uses: engine. Used by: controller.
//! Idea: an option is one line here: its name as clients know it, its range, and what setting it does.

use std::fmt::{self, Write as _};
use std::time::Duration;

use thiserror::Error;

use crate::engine::{DEFAULT_HASH, DEFAULT_MOVE_OVERHEAD, Engine, Selection};

use super::command::{OptionRequest, excerpt};

/// What the options change: the engine, and how its answers are written.
pub struct Target<'a> {
    /// The engine.
    pub engine: &'a mut Engine,
    /// How answers are written.
    pub style: &'a mut Style,
}

/// How answers are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Style {
    /// Castling as the king taking its own rook.
    pub chess960: bool,
    /// Chances to win, draw and lose beside each score.
    pub win_draw_loss: bool,
    /// Scores as the search counts them, not scaled to chances of winning.
    pub raw_scores: bool,
}

/// What a value may be and what setting it does.
enum Kind {
    /// A whole number in a range.
    Spin {
        default: i64,
        min: i64,
        max: i64,
        set: fn(&mut Target<'_>, i64),
    },
    /// On or off.
    Check {
        default: bool,
        set: fn(&mut Target<'_>, bool),
    },
    /// An action without a value.
    Button { press: fn(&mut Target<'_>) },
    /// One of some words, named by its number among them.
    Combo {
        default: usize,
        words: &'static [&'static str],
        set: fn(&mut Target<'_>, usize),
    },
    /// Free text.
    Text {
        default: &'static str,
        set: fn(&mut Target<'_>, String),
    },
}

/// One option.
struct Entry {
    name: &'static str,
    kind: Kind,
}

const fn spin(
    name: &'static str,
    default: i64,
    (min, max): (i64, i64),
    set: fn(&mut Target<'_>, i64),
) -> Entry {
    Entry {
        name,
        kind: Kind::Spin {
            default,
            min,
            max,
            set,
        },
    }
}

const fn check(name: &'static str, default: bool, set: fn(&mut Target<'_>, bool)) -> Entry {
    Entry {
        name,
        kind: Kind::Check { default, set },
    }
}

const fn button(name: &'static str, press: fn(&mut Target<'_>)) -> Entry {
    Entry {
        name,
        kind: Kind::Button { press },
    }
}

const fn combo(
    name: &'static str,
    default: usize,
    words: &'static [&'static str],
    set: fn(&mut Target<'_>, usize),
) -> Entry {
    Entry {
        name,
        kind: Kind::Combo {
            default,
            words,
            set,
        },
    }
}

const fn text(
    name: &'static str,
    default: &'static str,
    set: fn(&mut Target<'_>, String),
) -> Entry {
    Entry {
        name,
        kind: Kind::Text { default, set },
    }
}

/// The ways to choose a move from a book, in the order of [`Selection::ALL`].
const SELECTIONS: [&str; 3] = [
    Selection::ALL[0].name(),
    Selection::ALL[1].name(),
    Selection::ALL[2].name(),
];

/// What `UCI_EngineAbout` says.
const ABOUT: &str = concat!(
    "Lucena ",
    env!("CARGO_PKG_VERSION"),
    ", free software that can explain itself, see https://www.gnu.org/licenses/gpl-3.0.html"
);

/// Every option, in the order in which clients are told. No bound exceeds 2^31 - 1: some clients read no more.
static OPTIONS: [Entry; 16] = [
    spin(
        "Hash",
        DEFAULT_HASH as i64,
        (1, 33_554_432),
        |to, megabytes| {
            to.engine.set_hash(megabytes as usize);
        },
    ),
    spin("Threads", 1, (1, 1024), |to, threads| {
        to.engine.set_threads(threads as usize);
    }),
    button("Clear Hash", |to| to.engine.clear_hash()),
    // Offered so that clients ponder; pondering itself is the client's to begin.
    check("Ponder", false, |_, _| {}),
    spin("MultiPV", 1, (1, 256), |to, lines| {
        to.engine.set_multi_pv(lines as usize);
    }),
    spin(
        "Move Overhead",
        DEFAULT_MOVE_OVERHEAD as i64,
        (0, 5000),
        |to, milliseconds| {
            to.engine
                .set_move_overhead(Duration::from_millis(milliseconds as u64));
        },
    ),
    check("UCI_Chess960", false, |to, on| to.style.chess960 = on),
    check("UCI_ShowWDL", false, |to, on| to.style.win_draw_loss = on),
    check("Raw Scores", false, |to, on| to.style.raw_scores = on),
    check("OwnBook", false, |to, on| to.engine.opening().set_on(on)),
    text("Book File", "", |to, files| {
        to.engine.opening().set_files(files);
    }),
    spin("Book Depth", 100, (0, 1000), |to, moves| {
        to.engine.opening().set_last_move(moves as u16);
    }),
    combo("Book Selection", 1, &SELECTIONS, |to, index| {
        to.engine.opening().set_selection(Selection::ALL[index]);
    }),
    spin("Book Variety", 100, (0, 100), |to, percent| {
        to.engine.opening().set_variety(percent as u8);
    }),
    spin("Book Seed", 0, (0, i32::MAX as i64), |to, seed| {
        to.engine.opening().set_seed(seed as u64);
    }),
    text("UCI_EngineAbout", ABOUT, |_, _| {}),
];

/// Other spellings of options, used by clients in the field.
static SPELLINGS: [(&str, &str); 2] = [
    ("MoveOverhead", "Move Overhead"),
    ("Move_Overhead", "Move Overhead"),
];

/// Options that clients set unasked and that change nothing here.
static TOLERATED: [&str; 4] = ["UCI_Variant", "Use NNUE", "UCI_Opponent", "UCI_AnalyseMode"];

/// Why an option keeps its old value.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum OptionError {
    /// There is no such option.
    #[error("no such option: {0}")]
    Unknown(String),
    /// The value is no whole number.
    #[error("option {name}: {value} is not a whole number; the old value stays")]
    NotANumber {
        /// The option.
        name: &'static str,
        /// The value asked for.
        value: String,
    },
    /// The value is out of range.
    #[error("option {name}: {value} is not in {min} to {max}; the old value stays")]
    OutOfRange {
        /// The option.
        name: &'static str,
        /// The value asked for.
        value: String,
        /// The least value.
        min: i64,
        /// The greatest value.
        max: i64,
    },
    /// The value is none of the words.
    #[error("option {name}: {value} is none of {words}; the old value stays")]
    NotAWord {
        /// The option.
        name: &'static str,
        /// The value asked for.
        value: String,
        /// The words, separated by commas.
        words: String,
    },
    /// The value is neither true nor false.
    #[error("option {name}: {value} is neither true nor false; the old value stays")]
    NotABoolean {
        /// The option.
        name: &'static str,
        /// The value asked for.
        value: String,
    },
}

/// Puts every option at its default.
pub fn set_defaults(target: &mut Target<'_>) {
    for entry in &OPTIONS {
        match entry.kind {
            Kind::Spin { default, set, .. } => set(target, default),
            Kind::Check { default, set } => set(target, default),
            Kind::Combo { default, set, .. } => set(target, default),
            Kind::Text { default, set } => set(target, default.to_owned()),
            Kind::Button { .. } => {}
        }
    }
}

/// Does what a `setoption` asks.
///
/// # Errors
/// [`OptionError`] if the option is unknown or the value not one it can have; nothing changes then.
pub fn set(request: &OptionRequest, target: &mut Target<'_>) -> Result<(), OptionError> {
    let same = |name: &str| name.eq_ignore_ascii_case(&request.name);
    if TOLERATED.iter().any(|name| same(name)) {
        return Ok(());
    }
    let spelt = SPELLINGS
        .iter()
        .find(|(other, _)| same(other))
        .map(|&(_, name)| name);
    let entry = OPTIONS
        .iter()
        .find(|entry| spelt.map_or_else(|| same(entry.name), |name| name == entry.name))
        .ok_or_else(|| OptionError::Unknown(excerpt(request.name.as_bytes())))?;
    entry.set(request.value.as_deref().unwrap_or_default(), target)
}

impl Entry {
    fn set(&self, value: &[u8], target: &mut Target<'_>) -> Result<(), OptionError> {
        let name = self.name;
        let shown = || {
            if value.is_empty() {
                "nothing".to_owned()
            } else {
                excerpt(value)
            }
        };
        match self.kind {
            Kind::Spin { min, max, set, .. } => {
                let text = std::str::from_utf8(value).unwrap_or_default();
                let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
                if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
                    return Err(OptionError::NotANumber {
                        name,
                        value: shown(),
                    });
                }
                // A number too long to read is out of range like any other.
                match text.parse() {
                    Ok(number) if (min..=max).contains(&number) => set(target, number),
                    _ => {
                        return Err(OptionError::OutOfRange {
                            name,
                            value: shown(),
                            min,
                            max,
                        });
                    }
                }
            }
            Kind::Check { set, .. } => {
                if value.eq_ignore_ascii_case(b"true") {
                    set(target, true);
                } else if value.eq_ignore_ascii_case(b"false") {
                    set(target, false);
                } else {
                    return Err(OptionError::NotABoolean {
                        name,
                        value: shown(),
                    });
                }
            }
            Kind::Button { press } => press(target),
            Kind::Combo { words, set, .. } => {
                let same = |word: &&str| value.eq_ignore_ascii_case(word.as_bytes());
                let index = words.iter().position(same);
                set(
                    target,
                    index.ok_or_else(|| OptionError::NotAWord {
                        name,
                        value: shown(),
                        words: words.join(", "),
                    })?,
                );
            }
            // Clients write an empty text as a word of its own.
            Kind::Text { set, .. } if value == b"<empty>" => set(target, String::new()),
            Kind::Text { set, .. } => set(target, String::from_utf8_lossy(value).into_owned()),
        }
        Ok(())
    }
}

/// The option as a client is told of it.
impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "option name {} type ", self.name)?;
        match self.kind {
            Kind::Spin {
                default, min, max, ..
            } => write!(f, "spin default {default} min {min} max {max}"),
            Kind::Check { default, .. } => write!(f, "check default {default}"),
            Kind::Button { .. } => write!(f, "button"),
            Kind::Combo { default, words, .. } => {
                write!(f, "combo default {}", words[default])?;
                words.iter().try_for_each(|word| write!(f, " var {word}"))
            }
            Kind::Text { default: "", .. } => write!(f, "string default <empty>"),
            Kind::Text { default, .. } => write!(f, "string default {default}"),
        }
    }
}

/// The answer to `uci`: who we are, the options, `uciok`.
#[must_use]
pub fn introduction() -> String {
    let mut text = concat!(
        "id name Lucena ",
        env!("CARGO_PKG_VERSION"),
        "\nid author the Lucena authors\n"
    )
    .to_owned();
    for entry in &OPTIONS {
        let _ = writeln!(text, "{entry}");
    }
    text + "uciok"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn try_set(name: &str, value: Option<&str>) -> (Result<(), OptionError>, Style) {
        let mut engine = Engine::new();
        let mut style = Style::default();
        let request = OptionRequest {
            name: name.into(),
            value: value.map(|value| value.as_bytes().to_vec()),
        };
        let result = set(
            &request,
            &mut Target {
                engine: &mut engine,
                style: &mut style,
            },
        );
        (result, style)
    }

    #[test]
    fn names_are_found_in_any_case() {
        assert!(try_set("uci_showwdl", Some("TRUE")).1.win_draw_loss);
        assert!(try_set("UCI_Chess960", Some("true")).1.chess960);
        assert_eq!(try_set("clear hash", Some("stray")).0, Ok(()));
        assert_eq!(try_set("MoveOverhead", Some("0")).0, Ok(()));
        assert_eq!(try_set("Use NNUE", Some("anything")).0, Ok(()));
    }

    #[test]
    fn wrong_values_are_refused_by_name() {
        for value in ["0", "-5", "99999999999999999999999999"] {
            assert!(matches!(
                try_set("Hash", Some(value)).0,
                Err(OptionError::OutOfRange { name: "Hash", .. })
            ));
        }
        for value in ["", "abc", "1.5", "0x10", "-"] {
            assert!(matches!(
                try_set("Threads", Some(value)).0,
                Err(OptionError::NotANumber {
                    name: "Threads",
                    ..
                })
            ));
        }
        assert!(matches!(
            try_set("Ponder", None).0,
            Err(OptionError::NotABoolean { .. })
        ));
        assert_eq!(
            try_set("Nonsense", None).0,
            Err(OptionError::Unknown("Nonsense".into()))
        );
    }

    #[test]
    fn no_bound_is_beyond_what_clients_read() {
        for entry in &OPTIONS {
            if let Kind::Spin {
                default, min, max, ..
            } = entry.kind
            {
                assert!(min <= default && default <= max && max <= i64::from(i32::MAX));
            }
        }
    }
}
