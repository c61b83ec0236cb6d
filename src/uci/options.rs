//! The table of options. One entry gives an option's name, its range and what setting it does.

use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use crate::base::value::{Depth, Value};
use crate::engine::level::player::RATINGS;
use crate::engine::{DEFAULT_HASH, DEFAULT_MOVE_OVERHEAD, SearchMode, Selection};
#[cfg(feature = "tune")]
use crate::engine::{TUNABLES, Tunable};

use super::command::OptionRequest;
use super::level::{DEFAULT_RATING, FULL_SKILL, SCALES};
use super::text::{did_you_mean, excerpt};
use super::uci_option::{
    OptionError, OptionTarget, OptionType, UciOption, button, check, combo, spin, text,
};

/// The words of `Book Selection`, in the order of [`Selection::ALL`].
const SELECTIONS: [&str; 3] = [
    Selection::ALL[0].name(),
    Selection::ALL[1].name(),
    Selection::ALL[2].name(),
];

/// The words of `Search Mode`, in the order of [`SearchMode::ALL`].
const MODES: [&str; 3] = [
    SearchMode::ALL[0].name(),
    SearchMode::ALL[1].name(),
    SearchMode::ALL[2].name(),
];

const ABOUT: &str = concat!(
    "Lucena ",
    env!("CARGO_PKG_VERSION"),
    ", a chess engine that can explain itself; free software, see https://www.gnu.org/licenses/gpl-3.0.html"
);

/// All options, in the order in which they are listed. No bound exceeds 2^31 - 1, the largest that some GUIs read.
static OPTIONS: &[UciOption] = &[
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
    // Without effect: its presence allows GUIs to ponder.
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
    combo("Search Mode", 0, &MODES, |to, index| {
        to.engine.set_search_mode(SearchMode::ALL[index]);
    }),
    spin("Rollout Depth", 0, (0, 3), |to, depth| {
        to.engine.set_rollout_depth(depth as Depth);
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
    spin("SyzygyProbeLimit", 7, (0, 7), |to, pieces| {
        to.engine.tablebases().set_probe_limit(pieces as u32);
    }),
    check("UCI_Chess960", false, |to, on| to.style.chess960 = on),
    check("UCI_ShowWDL", false, |to, on| to.style.win_draw_loss = on),
    check("Raw Scores", false, |to, on| to.style.raw_scores = on),
    check("Explain", false, |to, on| to.style.explain = on),
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
        if path.is_empty() {
            // The weights that the program started with; GUIs may send the default of every option.
            let is_same = match (to.engine.model(), to.start_model) {
                (None, None) => true,
                (Some(model), Some(start)) => Arc::ptr_eq(model, start),
                _ => false,
            };
            if is_same {
                return Ok(());
            }
            to.engine.set_model(to.start_model.cloned());
            return to.level.weights_loaded(to.engine);
        }
        let loaded = to
            .engine
            .load_weights(Some(Path::new(&path)))
            .map_err(|error| {
                // The message already begins with the path.
                let error = error.to_string();
                let reason = error
                    .strip_prefix(&format!("{}: ", Path::new(&path).display()))
                    .unwrap_or(&error);
                format!("{reason}; the weights in use stay")
            });
        loaded.and_then(|()| to.level.weights_loaded(to.engine))
    }),
    check("UCI_LimitStrength", false, |to, on| to.level.limited = on),
    spin(
        "UCI_Elo",
        DEFAULT_RATING as i64,
        (RATINGS[0] as i64, RATINGS[1] as i64),
        |to, rating| {
            to.level.rating = rating as u16;
        },
    ),
    spin("Skill Level", FULL_SKILL, (0, FULL_SKILL), |to, skill| {
        to.level.skill = skill as u16;
    }),
    combo("Level Scale", 0, &SCALES, |to, index| {
        to.level.scale = index;
    }),
    spin("Level Seed", 0, (0, i32::MAX as i64), |to, seed| {
        to.level.seed = seed as u64;
    }),
    spin("Level Tactics", 0, (-300, 300), |to, points| {
        to.level.tactics = points as i16;
    }),
    spin("Level Judgement", 0, (-300, 300), |to, points| {
        to.level.judgement = points as i16;
    }),
    check("Level Tempo", true, |to, on| to.level.tempo = on),
    text("Personality File", "", |to, path| {
        let file = Some(Path::new(&path)).filter(|path| !path.as_os_str().is_empty());
        to.level.load_personality(file, to.engine)
    }),
    text("UCI_EngineAbout", ABOUT, |_, _| Ok(())),
];

/// Other spellings that GUIs send.
static ALIASES: [(&str, &str); 2] = [
    ("MoveOverhead", "Move Overhead"),
    ("Move_Overhead", "Move Overhead"),
];

/// Options that GUIs set without being offered; ignored.
static IGNORED: [&str; 4] = ["UCI_Variant", "Use NNUE", "UCI_Opponent", "UCI_AnalyseMode"];

/// Sets every option to its default.
pub fn set_defaults(target: &mut OptionTarget<'_>) {
    for option in OPTIONS {
        match option.option_type {
            OptionType::Spin { default, set, .. } => set(target, default),
            OptionType::Check { default, set } => set(target, default),
            OptionType::Combo { default, set, .. } => set(target, default),
            // Defaults cannot fail.
            OptionType::Text { default, set } => drop(set(target, default.into())),
            OptionType::Button { .. } => {}
        }
    }
}

/// Carries out a `setoption`.
///
/// # Errors
/// [`OptionError`] if the option is unknown or the value invalid; nothing changes then.
pub fn set(request: &OptionRequest, target: &mut OptionTarget<'_>) -> Result<(), OptionError> {
    let same = |name: &str| name.eq_ignore_ascii_case(&request.name);
    if IGNORED.iter().any(|name| same(name)) {
        return Ok(());
    }
    let alias = ALIASES
        .iter()
        .find(|(other, _)| same(other))
        .map(|&(_, name)| name);
    #[cfg(feature = "tune")]
    if let Some(tunable) = Tunable::find(&request.name) {
        let text = request.value.as_deref().map(excerpt).unwrap_or_default();
        let value = text.parse().map_err(|_| OptionError::Invalid {
            name: tunable.name,
            expected: "a number".to_owned(),
            found: text,
        })?;
        tunable.set(&request.name, value);
        return Ok(());
    }
    let option = OPTIONS
        .iter()
        .find(|option| alias.map_or_else(|| same(option.name), |name| name == option.name))
        .ok_or_else(|| {
            let names = OPTIONS.iter().map(|option| option.name);
            OptionError::Unknown(
                excerpt(request.name.as_bytes()),
                did_you_mean(&excerpt(request.name.as_bytes()), names),
            )
        })?;
    option.set(request.value.as_deref().unwrap_or_default(), target)
}

/// The answer to `uci`: `id`, the options, `uciok`.
pub fn uci_answer() -> String {
    let mut text = concat!(
        "id name Lucena ",
        env!("CARGO_PKG_VERSION"),
        "\nid author the Lucena authors\n"
    )
    .to_owned();
    for option in OPTIONS {
        let _ = writeln!(text, "{option}");
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
    use super::super::log::Log;
    use super::super::print::OutputStyle;
    use super::*;
    use crate::engine::Engine;

    fn try_set(name: &str, value: Option<&str>) -> (Result<(), OptionError>, OutputStyle) {
        let mut engine = Engine::new();
        let mut style = OutputStyle::default();
        let request = OptionRequest {
            name: name.into(),
            value: value.map(|value| value.as_bytes().to_vec()),
        };
        let result = set(
            &request,
            &mut OptionTarget {
                engine: &mut engine,
                style: &mut style,
                level: &mut super::super::level::LevelOptions::default(),
                start_model: None,
                log: &Log::new(),
            },
        );
        (result, style)
    }

    #[test]
    fn option_names_match_in_any_case() {
        assert!(try_set("uci_showwdl", Some("TRUE")).1.win_draw_loss);
        assert!(try_set("UCI_Chess960", Some("true")).1.chess960);
        assert_eq!(try_set("clear hash", Some("stray")).0, Ok(()));
        assert_eq!(try_set("MoveOverhead", Some("0")).0, Ok(()));
        assert_eq!(try_set("Use NNUE", Some("anything")).0, Ok(()));
    }

    #[test]
    fn invalid_values_are_refused() {
        let error = |name, value| try_set(name, value).0.map_err(|error| error.to_string());
        for value in [
            "0",
            "-5",
            "99999999999999999999999999",
            "",
            "abc",
            "1.5",
            "0x10",
            "-",
        ] {
            let found = if value.is_empty() { "nothing" } else { value };
            let expected = "a whole number from 1 to 1024";
            assert_eq!(
                error("Threads", Some(value)),
                Err(format!(
                    "option Threads: expected {expected}, found {found}; the old value stays"
                ))
            );
        }
        assert_eq!(
            error("Ponder", None),
            Err("option Ponder: expected true or false, found nothing; the old value stays".into())
        );
        assert_eq!(
            error("Nonsense", None),
            Err("no such option: Nonsense".into())
        );
        assert_eq!(
            error("Thread", Some("2")),
            Err("no such option: Thread; did you mean Threads?".into())
        );
    }
}
