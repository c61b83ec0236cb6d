//! What `lucena review` writes: annotated games, JSON, pages, the profile, and lines on standard output.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use super::failure::{Failure, in_file};
use super::stdout::stdout;
use crate::base::text::{plural, shortened};
use crate::chess::Game;
use crate::lab::atomic_file;
use crate::lab::review::html::{self, Entry};
use crate::lab::review::profile::Profiler;
use crate::lab::review::profile_picture::picture;
use crate::lab::review::report::{GameReport, SideReport};
use crate::lab::review::{Reviewed, annotate, source};

/// Whether a path stands for standard output.
pub fn is_stdio(path: &Path) -> bool {
    path.as_os_str() == source::STDIN
}

/// Runs `write` with the writer of an output: a file, standard output or nothing.
pub fn with_file<T>(
    path: Option<&Path>,
    write: impl FnOnce(&mut dyn Write) -> Result<T, Failure>,
) -> Result<T, Failure> {
    match path {
        None => write(&mut io::sink()),
        Some(path) if is_stdio(path) => {
            let mut out = BufWriter::new(stdout());
            let result = write(&mut out)?;
            out.flush()?;
            Ok(result)
        }
        Some(path) => {
            let mut result = None;
            atomic_file::write_whole(path, in_file(path), |out: &mut BufWriter<File>| {
                result = Some(write(out)?);
                Ok(())
            })?;
            result.ok_or(Failure::Printed)
        }
    }
}

/// Where a fault of writing happened, in its message.
fn named(path: Option<&Path>) -> impl Fn(io::Error) -> io::Error {
    move |error| {
        let name = match path {
            Some(path) if !is_stdio(path) => path.display().to_string(),
            _ => "standard output".into(),
        };
        io::Error::new(error.kind(), format!("{name}: {error}"))
    }
}

/// Takes the games of a review one by one.
pub struct Outputs<'a> {
    /// The files of annotated games and of JSON, and their writers.
    files: [Option<&'a Path>; 2],
    writers: [&'a mut dyn Write; 2],
    html: Option<&'a Path>,
    entries: Vec<Entry>,
    profiler: Option<Profiler>,
    /// Standard output is not one of the files.
    prints: bool,
}

impl<'a> Outputs<'a> {
    pub fn new(
        files: [Option<&'a Path>; 2],
        writers: [&'a mut dyn Write; 2],
        html: Option<&'a Path>,
        player: Option<&str>,
    ) -> Self {
        Self {
            files,
            writers,
            html,
            entries: Vec::new(),
            profiler: player.map(Profiler::new),
            prints: !files.iter().flatten().any(|path| is_stdio(path)),
        }
    }

    /// Writes a game, or why it was skipped.
    ///
    /// # Errors
    /// An error that names the file.
    pub fn take(&mut self, reviewed: &Reviewed) -> io::Result<()> {
        let game = match reviewed {
            Reviewed::LeftOut => return Ok(()),
            Reviewed::Fault(fault) => {
                let kind = if fault.is_position {
                    "position"
                } else {
                    "game"
                };
                let place = match fault.number {
                    0 => fault.source.clone(),
                    number => format!("{}: {kind} {number}", fault.source),
                };
                // An error of standard error does not end the review.
                let _ = writeln!(io::stderr(), "{place}: {}", fault.message);
                return Ok(());
            }
            Reviewed::Game(game) => game,
        };
        if let Some(other) = &game.record.other_result {
            let _ = writeln!(
                io::stderr(),
                "{}: game {}: the Result tag is {}, but the result after the moves is {other}; the tag is used",
                game.source,
                game.number,
                game.result
            );
        }
        let [pgn, json] = &mut self.writers;
        annotate::write(game, pgn).map_err(named(self.files[0]))?;
        serde_json::to_writer(&mut *json, game)
            .map_err(io::Error::from)
            .and_then(|()| writeln!(json))
            .map_err(named(self.files[1]))?;
        if let Some(folder) = self.html {
            html::write(game, folder).map_err(named(Some(folder)))?;
            self.entries.push(Entry::of(game));
        }
        if let Some(profiler) = &mut self.profiler {
            profiler.add(game);
        }
        if self.prints {
            print(game, &mut stdout()).map_err(named(None))?;
        }
        Ok(())
    }

    /// Writes what is about all games: the index page and the profile.
    pub fn finish(self, profiles: &[PathBuf]) -> Result<(), Failure> {
        let profile = self.profiler.map(|profiler| profiler.profile());
        if let Some(folder) = self.html {
            let index = html::write_index(&self.entries, profile.as_ref(), folder);
            index.map_err(in_file(folder))?;
        }
        let Some(profile) = profile else {
            return Ok(());
        };
        for path in profiles {
            let text = if path.extension().is_some_and(|ending| ending == "svg") {
                picture(&profile)
            } else {
                let json = serde_json::to_string_pretty(&profile);
                json.map_err(io::Error::from).map_err(in_file(path))? + "\n"
            };
            if is_stdio(path) {
                write!(stdout(), "{text}")?;
            } else {
                atomic_file::write_bytes(path, text.as_bytes()).map_err(in_file(path))?;
            }
        }
        if self.prints && !profiles.iter().any(|path| is_stdio(path)) {
            write!(stdout(), "\n{profile}")?;
        }
        Ok(())
    }
}

/// A line for a position; for a game another one for each side.
fn print(game: &GameReport, out: &mut impl Write) -> io::Result<()> {
    if game.record.is_position {
        let found = match (game.moves.first(), Game::new(game.record.start).end()) {
            (Some(first), _) => first.summary(),
            (None, end) => end.map_or_else(String::new, |end| end.to_string()),
        };
        return writeln!(out, "{}: position {}, {found}", game.source, game.number);
    }
    let opening = game.opening.as_ref();
    let opening = opening.map_or(String::new(), |found| {
        format!(", {} {}", found.eco, found.name)
    });
    writeln!(
        out,
        "{}: game {}, {}, {}{opening}",
        game.source,
        game.number,
        plural(game.moves.len().div_ceil(2), "move"),
        game.result
    )?;
    for side in [&game.white, &game.black] {
        writeln!(out, "  {}", line(side))?;
    }
    Ok(())
}

fn line(side: &SideReport) -> String {
    let name = shortened(&side.name, 28);
    let accuracy = side
        .accuracy
        .map_or("    -".into(), |accuracy| format!("{accuracy:5.1}"));
    format!(
        "{name:28}  accuracy {accuracy} %  inaccuracies {:2}  mistakes {:2}  blunders {:2}",
        side.inaccuracies, side.mistakes, side.blunders
    )
}
