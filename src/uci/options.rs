//! The options: one table that both introduces them and understands `setoption`.
//! Uses: engine, value, kinds, log. Used by: controller.
//! Idea: an option is one line here: its name as clients know it, its range, and what setting it does.

use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

use crate::base::value::Value;
use crate::engine::{DEFAULT_HASH, DEFAULT_MOVE_OVERHEAD, Engine, Selection};
#[cfg(feature = "tune")]
use crate::engine::{TUNABLES, Tunable};

use super::command::{OptionRequest, excerpt};
use super::kinds::{Entry, Kind, OptionError, button, check, combo, spin, text};
use super::log::Log;

/// What the options change: the engine, and how its answers are written.
pub struct Target<'a> {
    /// The engine.
    pub engine: &'a mut Engine,
    /// How answers are written.
    pub style: &'a mut Style,
    /// Where the dialogue is noted.
    pub log: &'a Log,
}

/// How answers are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "each is a switch of the client's"
)]
pub struct Style {
    /// Castling as the king taking its own rook.
    pub chess960: bool,
    /// Chances to win, draw and lose beside each score.
    pub win_draw_loss: bool,
    /// Scores as the search counts them, not scaled to chances of winning.
    pub raw_scores: bool,
    /// Only the last variation of a search, and nothing on the way.
    pub minimal: bool,
    /// Lines worse than the best by more centipawns than this are left out; 0: none are.
    pub margin: Value,
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
static OPTIONS: &[Entry] = &[
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
    spin("MultiPV_cp", 0, (0, 10_000), |to, centipawns| {
        to.style.margin = centipawns as Value;
    }),
    check("Minimal", false, |to, on| to.style.minimal = on),
    spin("Contempt", 0, (-100, 100), |to, centipawns| {
        to.engine.set_contempt(centipawns as Value);
    }),
    spin("White Contempt", 0, (-100, 100), |to, centipawns| {
        to.engine.set_white_contempt(centipawns as Value);
    }),
    spin("nodestime", 0, (0, 10_000), |to, nodes| {
        to.engine.set_node_time(nodes as u64);
    }),
    check("Deterministic", false, |to, on| {
        to.engine.set_deterministic(on);
    }),
    text("Debug Log File", "", |to, value| {
        if value.is_empty() {
            to.log.close();
            return Ok(());
        }
        let opened = to.log.open(Path::new(&value));
        opened.map_err(|error| error.to_string())
    }),
    text("SyzygyPath", "", |to, path| {
        to.engine.tablebases().set_path(&path);
        Ok(())
    }),
    spin("SyzygyProbeDepth", 1, (1, 100), |to, depth| {
        to.engine.tablebases().set_probe_depth(depth as i32);
    }),
    check("Syzygy50MoveRule", true, |to, holds| {
        to.engine.tablebases().set_fifty_move_rule(holds);
    }),
    spin("SyzygyProbeLimit", 7, (0, 7), |to, men| {
        to.engine.tablebases().set_probe_limit(men as u32);
    }),
    check("UCI_Chess960", false, |to, on| to.style.chess960 = on),
    check("UCI_ShowWDL", false, |to, on| to.style.win_draw_loss = on),
    check("Raw Scores", false, |to, on| to.style.raw_scores = on),
    check("OwnBook", false, |to, on| to.engine.own_book().set_on(on)),
    text("Book File", "", |to, files| {
        to.engine.own_book().set_files(files);
        Ok(())
    }),
    spin("Book Depth", 100, (0, 1000), |to, moves| {
        to.engine.own_book().set_last_move(moves as u16);
    }),
    combo("Book Selection", 1, &SELECTIONS, |to, index| {
        to.engine.own_book().set_selection(Selection::ALL[index]);
    }),
    spin("Book Variety", 100, (0, 100), |to, percent| {
        to.engine.own_book().set_variety(percent as u8);
    }),
    spin("Book Seed", 0, (0, i32::MAX as i64), |to, seed| {
        to.engine.own_book().set_seed(seed as u64);
    }),
    text("Weights File", "", |to, path| {
        let file = Some(Path::new(&path)).filter(|path| !path.as_os_str().is_empty());
        to.engine.load_weights(file).map_err(|error| {
            // The file stands before it already.
            let error = error.to_string();
            let reason = error
                .strip_prefix(&format!("{}: ", Path::new(&path).display()))
                .unwrap_or(&error);
            format!("{reason}; the weights in use stay")
        })
    }),
    text("UCI_EngineAbout", ABOUT, |_, _| Ok(())),
];

/// Other spellings of options, used by clients in the field.
static SPELLINGS: [(&str, &str); 2] = [
    ("MoveOverhead", "Move Overhead"),
    ("Move_Overhead", "Move Overhead"),
];

/// Options that clients set unasked and that change nothing here.
static TOLERATED: [&str; 4] = ["UCI_Variant", "Use NNUE", "UCI_Opponent", "UCI_AnalyseMode"];

/// Puts every option at its default.
pub fn set_defaults(target: &mut Target<'_>) {
    for entry in OPTIONS {
        match entry.kind {
            Kind::Spin { default, set, .. } => set(target, default),
            Kind::Check { default, set } => set(target, default),
            Kind::Combo { default, set, .. } => set(target, default),
            // Nothing that can fail stands behind a default.
            Kind::Text { default, set } => drop(set(target, default.into())),
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
    #[cfg(feature = "tune")]
    if let Some(tunable) = Tunable::find(&request.name) {
        let text = request.value.as_deref().map(excerpt).unwrap_or_default();
        let value = text.parse().map_err(|_| OptionError::NotANumber {
            name: tunable.name,
            value: text,
        })?;
        tunable.set(&request.name, value);
        return Ok(());
    }
    let entry = OPTIONS
        .iter()
        .find(|entry| spelt.map_or_else(|| same(entry.name), |name| name == entry.name))
        .ok_or_else(|| OptionError::Unknown(excerpt(request.name.as_bytes())))?;
    entry.set(request.value.as_deref().unwrap_or_default(), target)
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
    for entry in OPTIONS {
        let _ = writeln!(text, "{entry}");
    }
    #[cfg(feature = "tune")]
    for tunable in TUNABLES {
        let (name, value) = (tunable.name, tunable.value);
        let (min, max) = tunable.range();
        let _ = writeln!(
            text,
            "option name {name} type spin default {value} min {min} max {max}"
        );
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
                log: &Log::new(),
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
        for entry in OPTIONS {
            if let Kind::Spin {
                default, min, max, ..
            } = entry.kind
            {
                assert!(min <= default && default <= max && max <= i64::from(i32::MAX));
            }
        }
    }
}
