//! The log of scores: a text file with a header and one line for each search result, appended at once.
//!
//! ```text
//! lucena judgements 2, 20000 nodes a move, engine 0.1.0, method 2, weights 0123456789abcdef
//! 463b96181691fc9c 031c:25 02db:21 .89abcdef
//! ```
//!
//! A line has the Polyglot key of a position, moves in Polyglot's encoding with their scores, and a full stop with a checksum
//! of what is before it. A truncated or damaged last line is dropped: its moves are searched again. A damaged line before others
//! is an error: the searches after it depend on it. A log of an earlier version is refused.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::base::text::shortened;
use crate::base::value::{MATE, Value};
use crate::eval::weights::{Digest, WEIGHTS};
use crate::lab::atomic_file::open_locked;
use crate::lab::train::header::{ENGINE, METHOD};

/// Why a log cannot be used.
#[derive(Debug, Error)]
pub enum LogError {
    /// It cannot be read or written, or another process uses it.
    #[error("{}: {error}", path.display())]
    Io { path: PathBuf, error: io::Error },
    /// It was made with other nodes, engine or weights, or the file is not a log.
    #[error(
        "{}: begins with `{found}`, not with `{wanted}`: made with other nodes, another engine or other weights, or not a log",
        path.display()
    )]
    Header {
        path: PathBuf,
        found: String,
        wanted: String,
    },
    /// A line that is not the last one is damaged.
    #[error(
        "{}: line {line} is damaged: delete it and all lines after it, or begin another log",
        path.display()
    )]
    Damaged { path: PathBuf, line: usize },
}

/// Scores of moves in Polyglot's encoding, in the order in which they were found.
pub type RawScores = Vec<(u16, Value)>;

/// The scores so far by book key, and the file they are appended to, if there is one.
#[derive(Default)]
pub struct ScoreLog {
    scores: HashMap<u64, RawScores>,
    /// Locked against other processes.
    file: Option<(PathBuf, File)>,
}

impl ScoreLog {
    /// Reads a log, or creates it.
    ///
    /// # Errors
    /// [`LogError`]; the file is unchanged then.
    pub fn open(path: &Path, nodes: u64) -> Result<Self, LogError> {
        let failed = |error| LogError::Io {
            path: path.to_owned(),
            error,
        };
        let mut file = open_locked(path).map_err(failed)?;
        let header = header(nodes);
        let mut source = BufReader::new(&file);
        let mut line = Vec::new();
        source.read_until(b'\n', &mut line).map_err(failed)?;
        let mut log = Self::default();
        if !line.ends_with(b"\n") && header.as_bytes().starts_with(&line) {
            // New, or truncated before the first score.
            file.rewind().map_err(failed)?;
            writeln!(file, "{header}").map_err(failed)?;
        } else {
            let found = line.trim_ascii_end();
            if found != header.as_bytes() {
                let found = String::from_utf8_lossy(found);
                return Err(LogError::Header {
                    path: path.to_owned(),
                    found: shortened(&found, header.len()),
                    wanted: header,
                });
            }
            let (mut end, mut number, mut damaged) = (line.len() as u64, 1, None);
            loop {
                line.clear();
                if source.read_until(b'\n', &mut line).map_err(failed)? == 0 {
                    break;
                }
                if let Some(line) = damaged {
                    let path = path.to_owned();
                    return Err(LogError::Damaged { path, line });
                }
                number += 1;
                if log.read_line(&line) {
                    end += line.len() as u64;
                } else {
                    damaged = Some(number);
                }
            }
            file.set_len(end).map_err(failed)?;
            file.seek(SeekFrom::Start(end)).map_err(failed)?;
        }
        log.file = Some((path.to_owned(), file));
        Ok(log)
    }

    pub fn get(&self, key: u64) -> RawScores {
        self.scores.get(&key).cloned().unwrap_or_default()
    }

    /// Keeps scores and appends them to the file.
    ///
    /// # Errors
    /// [`LogError::Io`] if the file cannot be written.
    pub fn add(&mut self, key: u64, scores: RawScores) -> Result<(), LogError> {
        let line = line_of(key, &scores);
        self.keep(key, scores);
        let Some((path, file)) = &mut self.file else {
            return Ok(());
        };
        file.write_all(line.as_bytes())
            .map_err(|error| LogError::Io {
                path: path.clone(),
                error,
            })
    }

    /// Each move has one score, the first: a line may be in the file twice.
    fn keep(&mut self, key: u64, scores: RawScores) {
        let known = self.scores.entry(key).or_default();
        for (raw, score) in scores {
            if !known.iter().any(|&(other, _)| other == raw) {
                known.push((raw, score));
            }
        }
    }

    /// Whether the line is whole.
    fn read_line(&mut self, line: &[u8]) -> bool {
        let text = line.strip_suffix(b"\n");
        let found = text.and_then(|text| std::str::from_utf8(text).ok());
        let Some((key, scores)) = found.and_then(parse_line) else {
            return false;
        };
        self.keep(key, scores);
        true
    }
}

/// The first line, which names all that the scores depend on.
fn header(nodes: u64) -> String {
    let weights = Digest::of_weights(&WEIGHTS);
    format!(
        "lucena judgements 2, {nodes} nodes a move, engine {ENGINE}, method {METHOD}, weights {weights}"
    )
}

fn line_of(key: u64, scores: &RawScores) -> String {
    let mut line = format!("{key:016x} ");
    for (raw, score) in scores {
        let _ = write!(line, "{raw:04x}:{score} ");
    }
    let checksum = checksum(&line);
    line + &format!(".{checksum}\n")
}

fn checksum(text: &str) -> String {
    let Digest(sum) = Digest::START.add(text.as_bytes());
    format!("{:08x}", sum as u32)
}

/// The key and the scores of a whole line.
fn parse_line(line: &str) -> Option<(u64, RawScores)> {
    let (line, found) = line.trim_ascii_end().split_once('.')?;
    let words: Vec<&str> = line.trim_ascii_end().split(' ').collect();
    let (key, moves) = words.split_first()?;
    if found != checksum(line) {
        return None;
    }
    let scored = |word: &&str| -> Option<(u16, Value)> {
        let (raw, score) = word.split_once(':')?;
        let score = score.parse().ok()?;
        let is_valid = (-MATE..=MATE).contains(&score);
        is_valid.then_some((u16::from_str_radix(raw, 16).ok()?, score))
    };
    let mut scores = RawScores::new();
    for word in moves {
        let (raw, score) = scored(word)?;
        if scores.iter().any(|&(other, _)| other == raw) {
            return None;
        }
        scores.push((raw, score));
    }
    Some((u64::from_str_radix(key, 16).ok()?, scores))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    const NODES: u64 = 500;

    /// What a log with these bytes has for keys 1 and 2, or the error; and the bytes after it was opened.
    fn opened(bytes: &[u8]) -> (Result<[RawScores; 2], String>, Vec<u8>) {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("log");
        fs::write(&path, bytes).expect("a file");
        let log = ScoreLog::open(&path, NODES);
        let found = log.map(|log| [log.get(1), log.get(2)]);
        let found = found.map_err(|error| error.to_string());
        (found, fs::read(&path).expect("the log"))
    }

    #[test]
    fn a_log_gives_back_what_was_added() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("log");
        for key in [1, 2] {
            let mut log = ScoreLog::open(&path, NODES).expect("a log");
            log.add(key, vec![(0x31c, -25), (0x2db, MATE)])
                .expect("added");
        }
        let text = fs::read_to_string(&path).expect("the log");
        let lines: Vec<&str> = text.lines().collect();
        let line = "0000000000000001 031c:-25 02db:32000 .";
        assert!(lines.len() == 3 && lines[1].starts_with(line), "{text}");
        let weights = Digest::of_weights(&WEIGHTS).to_string();
        assert!(lines[0].contains(ENGINE) && lines[0].ends_with(&weights));
        let log = ScoreLog::open(&path, NODES).expect("a log");
        assert_eq!(log.get(2), [(0x31c, -25), (0x2db, MATE)]);
        // A second process is refused.
        let second = ScoreLog::open(&path, NODES).err().expect("a lock");
        assert!(
            second
                .to_string()
                .ends_with("log: in use by another process")
        );
    }

    #[test]
    fn a_log_with_another_header_is_refused_and_left_alone() {
        let method = format!("method {METHOD}");
        for header in [
            // The headers of earlier versions.
            "lucena judgements, 500 nodes a move\n".to_owned(),
            header(NODES).replace(" 2,", ",") + "\n",
            header(NODES).replace(&format!(", {method}"), "") + "\n",
            header(NODES).replace(&method, "method 1") + "\n",
            header(NODES + 1) + "\n",
            "other notes".to_owned(),
        ] {
            let (found, bytes) = opened(header.as_bytes());
            let message = found.expect_err("a refusal");
            assert!(message.contains("made with other nodes"), "{message}");
            assert_eq!(bytes, header.as_bytes());
        }
    }

    #[test]
    fn a_log_is_opened_wherever_it_was_truncated() {
        let (_, header) = opened(b"");
        let lines = line_of(1, &vec![(0x31c, 7)]) + &line_of(2, &vec![(0x2db, 8)]);
        let whole = [&header[..], lines.as_bytes()].concat();
        for length in 0..=whole.len() {
            let (found, bytes) = opened(&whole[..length]);
            let [first, second] = found.expect("a log");
            assert!(bytes.starts_with(&header) && bytes.ends_with(b"\n"));
            assert_eq!(second.is_empty(), length < whole.len(), "{length}");
            assert!(first.is_empty() || first == [(0x31c, 7)], "{length}");
        }
    }

    #[test]
    fn a_damaged_line_before_others_is_refused() {
        let lines = [1, 2].map(|key| line_of(key, &vec![(0x31c, 7)]));
        let damaged = lines[0].replace(":7", ":8");
        let whole = [header(NODES), damaged, lines[1].clone()].join("\n");
        let (found, bytes) = opened(whole.as_bytes());
        let message = found.expect_err("a refusal");
        assert!(message.contains("line 2 is damaged"), "{message}");
        assert_eq!(bytes, whole.as_bytes());
    }

    #[test]
    fn duplicates_damage_and_impossible_scores_change_nothing() {
        let scores = vec![(0x31c, 7), (0x2db, 8)];
        let line = line_of(1, &scores);
        let found = |more: &[u8]| {
            let header = header(NODES) + "\n";
            let bytes = [header.as_bytes(), line.as_bytes(), more].concat();
            opened(&bytes).0.expect("a log")
        };
        let second = line_of(2, &vec![(0x2db, 8)]);
        let flipped = (0..second.len()).map(|place| {
            let mut bytes = second.clone().into_bytes();
            bytes[place] ^= 1;
            bytes
        });
        let lines = [
            line.clone(),
            line_of(1, &vec![(0x31c, 9)]),
            line_of(2, &vec![(0x31c, Value::MAX)]),
            line_of(2, &vec![(0x31c, Value::MIN)]),
            line_of(2, &vec![(0x31c, MATE + 1)]),
            line_of(2, &vec![(0x31c, 1), (0x31c, 2)]),
        ];
        let lines = lines.into_iter().map(String::into_bytes).chain(flipped);
        for more in lines.chain([b"0000000000000002 031c:\xff .\n".to_vec(), vec![0xff]]) {
            let wanted = [scores.clone(), vec![]];
            assert_eq!(found(&more), wanted, "{:?}", String::from_utf8_lossy(&more));
        }
    }
}
