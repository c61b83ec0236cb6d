//! Files of samples: the feature pass of a training run, cut into shards for several machines.
//!
//! A file has the samples of one [`Shard`] of all games. It starts with lines of text that end with an empty one; then comes,
//! for each file of games with games in the shard, its header and the samples of each game; the last 8 bytes are a digest of
//! all others. Numbers are little-endian. The files of all shards give the [`Corpus`] of an undivided run.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

use super::corpus::{Blend, Corpus, Filter, GameSamples, SAMPLE_BYTES, Sample, extract};
use super::known_games::KnownGames;
pub use super::samples_error::SamplesError;
use super::samples_error::{KIND, MAGIC, io_error};
use super::scale::ScoreCounts;
use super::store::{self, GameReader, MAX_GAME_BYTES, StoreError, files_with};
use crate::base::progress::Progress;
use crate::eval::weights::Digest;
use crate::lab::atomic_file;
use crate::lab::shard::Shard;

/// Extension of the files.
pub const EXTENSION: &str = "samples";
/// The keys of the other lines, in their order.
const KEYS: [&str; 8] = [
    "shard",
    "data",
    "sections",
    "ply",
    "pieces",
    "score",
    "foresight",
    "scale",
];
/// Longest text at the start of a file, and longest header of a file of games, in bytes.
const MAX_TEXT: usize = 4096;

/// Whether a file is one of samples, of this or another version, by its first line.
pub fn is_samples(path: &Path) -> bool {
    let mut start = Vec::new();
    // Opening a pipe would wait for a writer.
    path.is_file()
        && File::open(path)
            .and_then(|file| file.take(KIND.len() as u64).read_to_end(&mut start))
            .is_ok_and(|_| start == KIND.as_bytes())
}

/// The files of games in a folder, or if it has none, of samples, sorted by name; if `path` is a file, that file.
///
/// # Errors
/// [`StoreError`] if the folder cannot be read or has neither.
pub fn files_in(path: &Path) -> Result<Vec<PathBuf>, StoreError> {
    match store::files_in(path) {
        Err(StoreError::Empty(_)) => {}
        found => return found,
    }
    let files = files_with(EXTENSION, path)?;
    if files.is_empty() {
        Err(StoreError::Empty(path.to_owned()))
    } else {
        Ok(files)
    }
}

/// The lines of text at the start of a file.
#[derive(Clone, Debug, PartialEq)]
struct Head {
    shard: Shard,
    /// A digest of the headers, numbers and checksums of all games of all shards.
    data: Digest,
    /// Number of files of games with games in this shard.
    sections: usize,
    filter: Filter,
    /// [`Corpus::score_scale`], from all games of all shards.
    scale: f32,
}

impl Head {
    fn values(&self) -> [String; KEYS.len()] {
        let Filter {
            min_ply,
            min_pieces,
            max_score,
            foresight,
        } = self.filter;
        [
            self.shard.to_string(),
            self.data.to_string(),
            self.sections.to_string(),
            min_ply.to_string(),
            min_pieces.to_string(),
            max_score.to_string(),
            format!("{foresight:?}"),
            format!("{:?}", self.scale),
        ]
    }

    fn text(&self) -> String {
        let values = self.values();
        let lines = KEYS.iter().zip(&values);
        let lines: Vec<String> = lines
            .map(|(key, value)| format!("{key} {value}\n"))
            .collect();
        format!("{MAGIC}\n{}\n", lines.concat())
    }

    fn read(path: &Path, source: &mut impl BufRead) -> Result<(Self, String), SamplesError> {
        let mut text = Vec::new();
        let mut start = source.take(MAX_TEXT as u64);
        while !text.ends_with(b"\n\n") {
            let length = start.read_until(b'\n', &mut text).map_err(io_error(path))?;
            if length == 0 {
                return Err(SamplesError::Foreign(path.to_owned()));
            }
        }
        let text = String::from_utf8(text).ok();
        let text = text.filter(|text| text.lines().next() == Some(MAGIC));
        let text = text.ok_or_else(|| SamplesError::Foreign(path.to_owned()))?;
        let fault = |index: usize| SamplesError::Field(path.to_owned(), KEYS[index]);
        let values: Vec<&str> = (KEYS.iter().enumerate().zip(text.lines().skip(1)))
            .map(|((index, key), line)| {
                let value = line
                    .strip_prefix(key)
                    .and_then(|rest| rest.strip_prefix(' '));
                value.ok_or_else(|| fault(index))
            })
            .collect::<Result<_, _>>()?;
        let number = |index: usize| values[index].parse().map_err(|_| fault(index));
        let head = Self {
            shard: values[0].parse().map_err(|_| fault(0))?,
            data: Digest(u64::from_str_radix(values[1], 16).map_err(|_| fault(1))?),
            sections: number(2)?,
            filter: Filter {
                min_ply: number(3)?,
                min_pieces: number(4)?,
                max_score: values[5].parse().map_err(|_| fault(5))?,
                foresight: values[6].parse().map_err(|_| fault(6))?,
            },
            scale: values[7].parse().map_err(|_| fault(7))?,
        };
        Ok((head, text))
    }

    /// Checks that its filter is the wanted one.
    fn check_filter(&self, path: &Path, filter: &Filter) -> Result<(), SamplesError> {
        let wanted = Self {
            filter: *filter,
            ..self.clone()
        };
        let pairs = self.values().into_iter().zip(wanted.values());
        match KEYS
            .iter()
            .zip(pairs)
            .find(|(_, (found, wanted))| found != wanted)
        {
            None => Ok(()),
            Some((field, (found, wanted))) => Err(SamplesError::Filter {
                path: path.to_owned(),
                field,
                found,
                wanted,
            }),
        }
    }
}

/// Adds up the digest of what is written.
struct Summed<'a> {
    out: &'a mut dyn Write,
    digest: Digest,
}

impl Summed<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.digest = self.digest.add(bytes);
        self.out.write_all(bytes)
    }
}

/// The data about all games that a shard needs.
struct Games {
    /// A digest of their headers, numbers and checksums.
    data: Digest,
    /// The scale of their scores, in centipawns.
    scale: f32,
    /// The places of the shard's games in each file.
    places: Vec<Range<usize>>,
}

/// Reads the games of all files.
fn survey(files: &[PathBuf], shard: Shard, filter: &Filter) -> Result<Games, SamplesError> {
    let (mut data, mut counts) = (Digest::START, Vec::with_capacity(files.len()));
    let (mut scores, mut known) = (ScoreCounts::default(), KnownGames::default());
    for file in files {
        let mut reader = GameReader::open(file)?;
        for line in reader.header().lines() {
            data = data.add(line.as_bytes()).add(b"\n");
        }
        known.start_file(file, reader.header());
        let mut games = Vec::new();
        while let Some(block) = reader.next_block()? {
            known.add(&block)?;
            games.push((block.number, block.checksum));
            scores.add_game(&block.game, filter.max_score);
        }
        games.sort_unstable();
        for (number, checksum) in &games {
            data = data.add(&number.to_le_bytes()).add(&checksum.to_le_bytes());
        }
        counts.push(games.len() as u64);
    }
    let range = shard.range(counts.iter().sum());
    let mut before = 0;
    let places = counts.iter().map(|&count| {
        let place = |game: u64| (game.max(before) - before).min(count) as usize;
        let places = place(range.start)..place(range.end);
        before += count;
        places
    });
    Ok(Games {
        data,
        scale: scores.fit(),
        places: places.collect(),
    })
}

/// Extracts the samples of a shard of the games of files, and writes them; returns the number of games and samples.
///
/// # Errors
/// [`SamplesError`]; the file is then unchanged.
pub fn write(
    files: &[PathBuf],
    shard: Shard,
    filter: &Filter,
    out: &Path,
    progress: &dyn Progress,
) -> Result<(usize, usize), SamplesError> {
    let Games {
        data,
        scale,
        places,
    } = survey(files, shard, filter)?;
    let blend = Blend {
        foresight: filter.foresight,
        scale,
    };
    let sections = files.iter().zip(places).enumerate();
    let sections: Vec<_> = sections
        .filter(|(_, (_, places))| !places.is_empty())
        .collect();
    let head = Head {
        shard,
        data,
        sections: sections.len(),
        filter: *filter,
        scale,
    };
    progress.start(0);
    let (mut games, mut samples) = (0, 0);
    atomic_file::write_whole(out, io_error(out), |file| {
        let mut to = Summed {
            out: file,
            digest: Digest::START,
        };
        to.write(head.text().as_bytes()).map_err(io_error(out))?;
        for (index, (file, places)) in sections {
            let mut reader = GameReader::open(file)?;
            let header = reader.header();
            let lines = header.lines().collect::<Vec<_>>().join("\n");
            let start = [
                &(index as u64).to_le_bytes()[..],
                &header.seed().to_le_bytes(),
                &(places.len() as u64).to_le_bytes(),
                &(lines.len() as u32).to_le_bytes(),
                lines.as_bytes(),
            ];
            to.write(&start.concat()).map_err(io_error(out))?;
            extract(&mut reader, places, filter, blend, progress, &mut |game| {
                games += 1;
                samples += game.samples.len();
                write_game(&mut to, &game).map_err(io_error(out))
            })?;
        }
        let digest = to.digest.0.to_le_bytes();
        to.write(&digest).map_err(io_error(out))
    })?;
    progress.finish();
    Ok((games, samples))
}

/// Number 8 | checksum 4 | positions 4 | samples 4, then the samples.
fn write_game(out: &mut Summed, game: &GameSamples) -> io::Result<()> {
    out.write(&game.number.to_le_bytes())?;
    out.write(&game.checksum.to_le_bytes())?;
    out.write(&(game.positions as u32).to_le_bytes())?;
    out.write(&(game.samples.len() as u32).to_le_bytes())?;
    let mut samples = game.samples.iter();
    samples.try_for_each(|sample| out.write(&sample.to_bytes()))
}

/// The start of the samples of one file of games.
struct Section {
    /// The place of the file of games among all.
    index: u64,
    seed: u64,
    /// Games that follow.
    games: u64,
    header: Vec<String>,
}

/// Reads a file of samples from start to end.
struct SampleReader {
    path: PathBuf,
    head: Head,
    source: BufReader<File>,
    digest: Digest,
    /// Size of the file in bytes.
    length: u64,
}

impl SampleReader {
    fn open(path: &Path) -> Result<Self, SamplesError> {
        let metadata = fs::metadata(path).map_err(io_error(path))?;
        if !metadata.is_file() {
            return Err(SamplesError::Foreign(path.to_owned()));
        }
        let mut source = BufReader::new(File::open(path).map_err(io_error(path))?);
        let (head, text) = Head::read(path, &mut source)?;
        Ok(Self {
            path: path.to_owned(),
            head,
            source,
            digest: Digest::START.add(text.as_bytes()),
            length: metadata.len(),
        })
    }

    fn damaged(&self) -> SamplesError {
        SamplesError::Damaged(self.path.clone())
    }

    fn bytes<const N: usize>(&mut self) -> Result<[u8; N], SamplesError> {
        let mut bytes = [0; N];
        self.source
            .read_exact(&mut bytes)
            .map_err(io_error(&self.path))?;
        self.digest = self.digest.add(&bytes);
        Ok(bytes)
    }

    fn number(&mut self) -> Result<u64, SamplesError> {
        self.bytes().map(u64::from_le_bytes)
    }

    /// A number of 4 bytes, at most `limit`.
    fn small(&mut self, limit: usize) -> Result<usize, SamplesError> {
        let number = u32::from_le_bytes(self.bytes()?) as usize;
        (number <= limit)
            .then_some(number)
            .ok_or_else(|| self.damaged())
    }

    fn section(&mut self) -> Result<Section, SamplesError> {
        let (index, seed, games) = (self.number()?, self.number()?, self.number()?);
        let mut lines = vec![0; self.small(MAX_TEXT)?];
        self.source
            .read_exact(&mut lines)
            .map_err(io_error(&self.path))?;
        self.digest = self.digest.add(&lines);
        let lines = String::from_utf8(lines).map_err(|_| self.damaged())?;
        Ok(Section {
            index,
            seed,
            games,
            header: lines.lines().map(str::to_owned).collect(),
        })
    }

    fn game(&mut self) -> Result<GameSamples, SamplesError> {
        let number = self.number()?;
        let checksum = u32::from_le_bytes(self.bytes()?);
        let positions = self.small(MAX_GAME_BYTES)?;
        let count = self.small(positions)?;
        let mut samples = Vec::with_capacity(count);
        for _ in 0..count {
            let sample = Sample::from_bytes(&self.bytes::<SAMPLE_BYTES>()?);
            samples.push(sample.ok_or_else(|| self.damaged())?);
        }
        Ok(GameSamples {
            number,
            checksum,
            positions,
            samples,
        })
    }

    /// Checks the digest at the end of the file.
    fn end(&mut self) -> Result<(), SamplesError> {
        let expected = self.digest.0;
        let is_whole = self.number()? == expected;
        let at_end = self.source.fill_buf().map_err(io_error(&self.path))?;
        if is_whole && at_end.is_empty() {
            Ok(())
        } else {
            Err(self.damaged())
        }
    }
}

/// Checks that files are all shards of the same games, and sorts them by their numbers.
fn sorted(files: &[PathBuf], filter: &Filter) -> Result<Vec<PathBuf>, SamplesError> {
    let mut heads: BTreeMap<u64, (&PathBuf, Head)> = BTreeMap::new();
    for file in files {
        let head = SampleReader::open(file)?.head;
        head.check_filter(file, filter)?;
        if let Some((_, (path, first))) = heads.first_key_value() {
            let other = |field| SamplesError::Other(file.clone(), field, (*path).clone());
            if first.shard.of() != head.shard.of() {
                return Err(other("shard"));
            }
            if first.data != head.data {
                return Err(other("data"));
            }
        }
        let shard = head.shard;
        if let Some((again, _)) = heads.insert(shard.number(), (file, head)) {
            return Err(SamplesError::Twice(again.clone(), file.clone(), shard));
        }
    }
    let of = (heads.values().next()).map_or(0, |(_, first)| first.shard.of());
    let missing = (1..=of).find(|number| !heads.contains_key(number));
    match missing.and_then(|number| Shard::new(number, of).ok()) {
        Some(shard) => Err(SamplesError::Missing(shard)),
        None => Ok(heads.into_values().map(|(path, _)| path.clone()).collect()),
    }
}

/// Reads the files of all shards, in any order: the corpus is that of [`Corpus::read`] with the games that they were made
/// from.
///
/// # Errors
/// [`SamplesError`] if a file is damaged or was made with another filter, or if the files are not all shards of the same
/// games.
pub fn read(
    files: &[PathBuf],
    filter: &Filter,
    progress: &dyn Progress,
) -> Result<Corpus, SamplesError> {
    let files = sorted(files, filter)?;
    progress.start(0);
    let mut corpus = Corpus {
        filter: *filter,
        ..Corpus::default()
    };
    let mut last = None;
    for file in files {
        let mut reader = SampleReader::open(&file)?;
        corpus.score_scale = reader.head.scale;
        for _ in 0..reader.head.sections {
            let section = reader.section()?;
            // A file of games may be cut between two shards.
            if last != Some(section.index) {
                corpus.start_file(section.seed, section.header);
                last = Some(section.index);
            }
            for _ in 0..section.games {
                corpus.add(reader.game()?);
            }
        }
        reader.end()?;
        progress.advance(reader.length >> 10);
    }
    progress.finish();
    Ok(corpus)
}
