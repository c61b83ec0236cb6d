//! What kinds of options there are: how a client is told of one, and how a value is understood.
//! Uses: options (Target), command. Used by: options.
//! Idea: a value is checked here once and for all; whoever sets it gets one that can be.

use std::ffi::OsString;
use std::fmt;

use thiserror::Error;

use super::command::excerpt;
use super::options::Target;

/// What a value may be and what setting it does.
pub enum Kind {
    /// A whole number in a range.
    Spin {
        /// The value before anyone sets it.
        default: i64,
        /// The least value.
        min: i64,
        /// The greatest value.
        max: i64,
        /// Sets it.
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
    /// Free text, a path for instance; the error says why it will not do.
    Text {
        default: &'static str,
        set: fn(&mut Target<'_>, OsString) -> Result<(), String>,
    },
}

/// One option.
pub struct Entry {
    /// Its name, as clients know it.
    pub name: &'static str,
    /// What it may be.
    pub kind: Kind,
}

pub const fn spin(
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

pub const fn check(name: &'static str, default: bool, set: fn(&mut Target<'_>, bool)) -> Entry {
    Entry {
        name,
        kind: Kind::Check { default, set },
    }
}

pub const fn button(name: &'static str, press: fn(&mut Target<'_>)) -> Entry {
    Entry {
        name,
        kind: Kind::Button { press },
    }
}

pub const fn combo(
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

pub const fn text(
    name: &'static str,
    default: &'static str,
    set: fn(&mut Target<'_>, OsString) -> Result<(), String>,
) -> Entry {
    Entry {
        name,
        kind: Kind::Text { default, set },
    }
}

/// A text as a client wrote it, fit for a path: any bytes where paths are bytes, elsewhere UTF-8 or else Latin-1, which
/// older clients use.
fn text_of(value: &[u8]) -> OsString {
    #[cfg(unix)]
    {
        std::os::unix::ffi::OsStringExt::from_vec(value.to_vec())
    }
    #[cfg(not(unix))]
    {
        let text = std::str::from_utf8(value).map(str::to_owned);
        let text = text.unwrap_or_else(|_| value.iter().map(|&byte| byte as char).collect());
        OsString::from(text)
    }
}

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
    /// The text will not do.
    #[error("option {name}: {value}: {reason}")]
    Refused {
        /// The option.
        name: &'static str,
        /// The value asked for.
        value: String,
        /// Why.
        reason: String,
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

impl Entry {
    /// Sets the option.
    ///
    /// # Errors
    /// [`OptionError`] if the value is not one it can have; nothing changes then.
    pub fn set(&self, value: &[u8], target: &mut Target<'_>) -> Result<(), OptionError> {
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
            Kind::Text { set, .. } => {
                // Clients write an empty text as a word of its own.
                let text = if value == b"<empty>" { b"" } else { value };
                set(target, text_of(text)).map_err(|reason| OptionError::Refused {
                    name,
                    value: shown(),
                    reason,
                })?;
            }
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
