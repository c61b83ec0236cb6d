//! The types of options (`spin`, `check` …): how they are printed for `uci`, and how a value is parsed and set.

use std::ffi::OsString;
use std::fmt;
use std::sync::Arc;

use thiserror::Error;

use crate::engine::{Engine, Model};

use super::level::LevelOptions;
use super::log::Log;
use super::print::OutputStyle;
use super::text::excerpt;

/// What options change.
pub struct OptionTarget<'a> {
    pub engine: &'a mut Engine,
    pub style: &'a mut OutputStyle,
    pub level: &'a mut LevelOptions,
    /// The weights that the program was started with; `None`: the built-in ones.
    pub start_model: Option<&'a Arc<Model>>,
    pub log: &'a Log,
}

/// The type of an option, with the function that sets it.
pub enum OptionType {
    Spin {
        default: i64,
        min: i64,
        max: i64,
        set: fn(&mut OptionTarget<'_>, i64),
    },
    Check {
        default: bool,
        set: fn(&mut OptionTarget<'_>, bool),
    },
    Button {
        press: fn(&mut OptionTarget<'_>),
    },
    /// One of some words; `default` and the value set are indices.
    Combo {
        default: usize,
        words: &'static [&'static str],
        set: fn(&mut OptionTarget<'_>, usize),
    },
    /// Free text, such as a path; setting it may fail.
    Text {
        default: &'static str,
        set: fn(&mut OptionTarget<'_>, OsString) -> Result<(), String>,
    },
}

/// One option.
pub struct UciOption {
    pub name: &'static str,
    pub option_type: OptionType,
}

pub const fn spin(
    name: &'static str,
    default: i64,
    (min, max): (i64, i64),
    set: fn(&mut OptionTarget<'_>, i64),
) -> UciOption {
    UciOption {
        name,
        option_type: OptionType::Spin {
            default,
            min,
            max,
            set,
        },
    }
}

pub const fn check(
    name: &'static str,
    default: bool,
    set: fn(&mut OptionTarget<'_>, bool),
) -> UciOption {
    UciOption {
        name,
        option_type: OptionType::Check { default, set },
    }
}

pub const fn button(name: &'static str, press: fn(&mut OptionTarget<'_>)) -> UciOption {
    UciOption {
        name,
        option_type: OptionType::Button { press },
    }
}

pub const fn combo(
    name: &'static str,
    default: usize,
    words: &'static [&'static str],
    set: fn(&mut OptionTarget<'_>, usize),
) -> UciOption {
    UciOption {
        name,
        option_type: OptionType::Combo {
            default,
            words,
            set,
        },
    }
}

pub const fn text(
    name: &'static str,
    default: &'static str,
    set: fn(&mut OptionTarget<'_>, OsString) -> Result<(), String>,
) -> UciOption {
    UciOption {
        name,
        option_type: OptionType::Text { default, set },
    }
}

/// Input as an OS string: any bytes on Unix; elsewhere UTF-8, or else Latin-1, which older GUIs send.
fn os_string(value: &[u8]) -> OsString {
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
    /// The name, and the option that may have been meant.
    #[error("no such option: {0}{1}")]
    Unknown(String, String),
    #[error("option {name}: expected {expected}, found {found}; the old value stays")]
    Invalid {
        name: &'static str,
        expected: String,
        found: String,
    },
    /// A valid value that could not be applied.
    #[error("option {name}: {value}: {reason}")]
    Failed {
        name: &'static str,
        value: String,
        reason: String,
    },
}

impl UciOption {
    /// Parses and sets a value.
    ///
    /// # Errors
    /// [`OptionError`] if the value is invalid; nothing changes then.
    pub fn set(&self, value: &[u8], target: &mut OptionTarget<'_>) -> Result<(), OptionError> {
        let name = self.name;
        let found = || {
            if value.is_empty() {
                "nothing".to_owned()
            } else {
                excerpt(value)
            }
        };
        let invalid = |expected: String| OptionError::Invalid {
            name,
            expected,
            found: found(),
        };
        match self.option_type {
            OptionType::Spin { min, max, set, .. } => {
                let number = std::str::from_utf8(value).ok();
                let number = number.and_then(|text| text.parse().ok());
                let number = number.filter(|number| (min..=max).contains(number));
                let expected = || invalid(format!("a whole number from {min} to {max}"));
                set(target, number.ok_or_else(expected)?);
            }
            OptionType::Check { set, .. } => {
                if value.eq_ignore_ascii_case(b"true") {
                    set(target, true);
                } else if value.eq_ignore_ascii_case(b"false") {
                    set(target, false);
                } else {
                    return Err(invalid("true or false".to_owned()));
                }
            }
            OptionType::Button { press } => press(target),
            OptionType::Combo { words, set, .. } => {
                let same = |word: &&str| value.eq_ignore_ascii_case(word.as_bytes());
                let expected = || invalid(format!("one of {}", words.join(", ")));
                set(target, words.iter().position(same).ok_or_else(expected)?);
            }
            OptionType::Text { set, .. } => {
                // GUIs write an empty text as `<empty>`.
                let text = if value == b"<empty>" { b"" } else { value };
                set(target, os_string(text)).map_err(|reason| OptionError::Failed {
                    name,
                    value: found(),
                    reason,
                })?;
            }
        }
        Ok(())
    }
}

/// The `option` line that answers `uci`.
impl fmt::Display for UciOption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "option name {} type ", self.name)?;
        match self.option_type {
            OptionType::Spin {
                default, min, max, ..
            } => write!(f, "spin default {default} min {min} max {max}"),
            OptionType::Check { default, .. } => write!(f, "check default {default}"),
            OptionType::Button { .. } => write!(f, "button"),
            OptionType::Combo { default, words, .. } => {
                write!(f, "combo default {}", words[default])?;
                words.iter().try_for_each(|word| write!(f, " var {word}"))
            }
            OptionType::Text { default: "", .. } => write!(f, "string default <empty>"),
            OptionType::Text { default, .. } => write!(f, "string default {default}"),
        }
    }
}
