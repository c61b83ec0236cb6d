//! Samples: positions of people with the features of every legal move, kept in a file so that fitting can be repeated and
//! resumed.

use std::collections::BTreeMap;
use std::fs::File;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;

use rayon::prelude::*;

use super::games::{HumanGame, HumanPosition, replay};
use crate::base::progress::Progress;
use crate::base::random::Random;
use crate::chess::Move;
use crate::engine::level::place::{TABLES, table_indices};
use crate::engine::level::{Feature, GameView, ShallowSearcher, inputs};
use crate::eval::weights::{Digest, WEIGHTS};
use crate::lab::atomic_file::open_locked;
use crate::lab::train::header::{ENGINE, METHOD};

/// Positions from one player of one game.
const PER_PLAYER: usize = 20;
/// The width of the rating ranges that are sampled equally.
const RANGE: u16 = 100;
/// One game in this many is held out.
const HELD_OUT: u64 = 10;
/// Positions between two writes.
const CHUNK: usize = 128;
/// Feature values are stored in thousandths.
const SCALE: f32 = 1000.0;
/// The parts of the endgame and of the opening are stored in these parts.
const FACTOR_SCALE: f32 = 200.0;
/// Bytes of the digest of a stored sample's task.
const DIGEST_BYTES: usize = 8;
/// Bytes of a stored sample's length.
const LENGTH_BYTES: usize = 4;
/// Bytes of the checksum after a stored sample.
const CHECKSUM_BYTES: usize = 8;
/// The most bytes of a sample without these.
const MAX_BYTES: usize = 1 << 18;
/// The first bytes of a file of samples.
const MAGIC: &[u8; 16] = b"lucena samples 5";

/// A legal move of a sample.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// Indices into the tables of places: before and after the move.
    pub places: [u16; 2],
    /// The features that are not 0.
    pub features: Vec<(u8, f32)>,
}

/// A position with the move played.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    pub rating: u16,
    /// Whether it is for measuring, not for fitting.
    pub held_out: bool,
    /// The index of the move played.
    pub played: usize,
    /// How far the game is in the endgame, 0 to 1.
    pub ending: f32,
    /// How far the game is in the opening, 0 to 1.
    pub opening: f32,
    pub choices: Vec<Choice>,
}

impl Sample {
    /// How far the game is in the endgame and in the opening.
    pub const fn factors(&self) -> [f32; 2] {
        [self.ending, self.opening]
    }
}

impl Choice {
    /// The index in each table of places.
    pub fn indices(&self) -> [usize; TABLES.len()] {
        let [from, to] = self.places.map(usize::from);
        table_indices(from, to)
    }
}

/// A position to sample.
#[derive(Clone, Debug)]
pub struct Task {
    pub rating: u16,
    pub held_out: bool,
    pub view: GameView,
    pub played: Move,
}

impl Task {
    /// A digest of all that a sample depends on besides the program.
    fn digest(&self) -> Digest {
        let game = self.view.game();
        let mut digest = Digest::START.add(game.position().to_fen().as_bytes());
        for mv in [Some(self.played), self.view.last(), self.view.own_last()] {
            let text = mv.map_or_else(String::new, |mv| mv.uci(true).to_string());
            digest = digest.add(text.as_bytes()).add(b" ");
        }
        for key in game.keys() {
            digest = digest.add(&key.to_le_bytes());
        }
        let [low, high] = self.rating.to_le_bytes();
        digest.add(&[low, high, u8::from(self.held_out)])
    }
}

impl From<HumanPosition> for Task {
    fn from(position: HumanPosition) -> Self {
        Self {
            rating: position.rating,
            held_out: true,
            view: position.view,
            played: position.played,
        }
    }
}

/// Chooses `count` positions of the games: as many of each range of ratings as there are, rare ranges first exhausted.
/// The same games and seed give the same choice.
pub fn plan(games: &[HumanGame], count: usize, seed: u64) -> Vec<Task> {
    let mut ranges: BTreeMap<u16, Vec<(usize, usize)>> = BTreeMap::new();
    for (index, game) in games.iter().enumerate() {
        for color in 0..2 {
            let range = game.ratings[color] / RANGE;
            ranges.entry(range).or_default().push((index, color));
        }
    }
    let mut random = Random::new(seed, 0);
    for players in ranges.values_mut() {
        random.shuffle(players);
    }
    let mut tasks = Vec::new();
    while tasks.len() < count && !ranges.is_empty() {
        for players in ranges.values_mut() {
            if let Some((index, color)) = players.pop() {
                tasks.extend(of_player(&games[index], color, &mut random));
            }
        }
        ranges.retain(|_, players| !players.is_empty());
    }
    tasks.truncate(count);
    tasks
}

/// Some positions where one player of a game is to move.
fn of_player(game: &HumanGame, color: usize, random: &mut Random) -> Vec<Task> {
    let moves: Vec<&str> = game.moves.split_ascii_whitespace().collect();
    let mut plies: Vec<usize> = (0..moves.len()).filter(|ply| ply % 2 == color).collect();
    random.shuffle(&mut plies);
    plies.truncate(PER_PLAYER);
    let mut hasher = DefaultHasher::new();
    game.id.hash(&mut hasher);
    let held_out = hasher.finish().is_multiple_of(HELD_OUT);
    let task = |ply: usize| {
        let view = replay(&game.moves, ply).ok()?;
        let played = view.game().position().parse_move(moves[ply]).ok()?;
        Some(Task {
            rating: game.ratings[color],
            held_out,
            view,
            played,
        })
    };
    plies.into_iter().filter_map(task).collect()
}

/// The samples of the tasks. Those that the file has already are read; the rest is computed and appended, so that an
/// interrupted run is resumed. `None`: nothing is kept.
///
/// # Errors
/// The file cannot be read or written, is in use, is not a file of samples of this version, or has those of other tasks.
pub fn collect(
    tasks: &[Task],
    file: Option<&Path>,
    progress: &dyn Progress,
) -> io::Result<Vec<Sample>> {
    let mut samples = Vec::new();
    let mut out = None;
    if let Some(path) = file {
        let mut opened = open_locked(path)?;
        samples = resume(&mut opened, tasks)?;
        out = Some(opened);
    }
    samples.truncate(tasks.len());
    progress.start(tasks.len() as u64);
    progress.resume(samples.len() as u64);
    for chunk in tasks[samples.len()..].chunks(CHUNK) {
        let found: io::Result<Vec<Sample>> = chunk
            .par_iter()
            .map_init(ShallowSearcher::new, |searcher, task| match searcher {
                Ok(searcher) => Ok(rounded(sample(task, searcher))),
                Err(error) => Err(io::Error::new(error.kind(), error.to_string())),
            })
            .collect();
        let found = found?;
        if let Some(out) = &mut out {
            let mut bytes = Vec::new();
            for (task, sample) in chunk.iter().zip(&found) {
                let start = bytes.len();
                bytes.extend(task.digest().0.to_le_bytes());
                bytes.extend(bytes_of(sample));
                let checksum = Digest::START.add(&bytes[start..]);
                bytes.extend(checksum.0.to_le_bytes());
            }
            out.write_all(&bytes)?;
        }
        progress.advance(found.len() as u64);
        samples.extend(found);
    }
    progress.finish();
    Ok(samples)
}

/// Computes the features of one position.
fn sample(task: &Task, searcher: &mut ShallowSearcher) -> Sample {
    let inputs = inputs(&task.view, searcher, None);
    let played = inputs.iter().position(|input| input.mv == task.played);
    let choices = inputs.iter().map(|input| Choice {
        places: {
            let [from, to, ..] = input.place.indices();
            [from as u16, to as u16]
        },
        features: (0..)
            .zip(input.features.0)
            .filter(|(_, value)| *value != 0.0)
            .collect(),
    });
    Sample {
        rating: task.rating,
        held_out: task.held_out,
        played: played.unwrap_or(0),
        ending: inputs.first().map_or(0.0, |input| input.context.ending),
        opening: inputs.first().map_or(0.0, |input| input.context.opening),
        choices: choices.collect(),
    }
}

/// A sample as it is read from a file, so that a resumed run has the same numbers.
fn rounded(sample: Sample) -> Sample {
    decode(&bytes_of(&sample)[LENGTH_BYTES..]).unwrap_or(sample)
}

/// Reads the complete samples of a file and moves to their end; a file without a whole header gets one.
fn resume(file: &mut File, tasks: &[Task]) -> io::Result<Vec<Sample>> {
    let mut header = MAGIC.to_vec();
    header.extend(program_digest().0.to_le_bytes());
    let mut found = Vec::new();
    let mut source = BufReader::new(&*file);
    source
        .by_ref()
        .take(header.len() as u64)
        .read_to_end(&mut found)?;
    if found.len() < header.len() && header.starts_with(&found) {
        // New, or cut off before the first sample.
        file.set_len(0)?;
        file.rewind()?;
        file.write_all(&header)?;
        return Ok(Vec::new());
    }
    if found != header {
        return Err(io::Error::other(
            "not a file of samples of this version; delete it or choose another file",
        ));
    }
    let mut samples = Vec::new();
    let mut end = header.len() as u64;
    while let Some((digest, sample, length)) = read(&mut source, end)? {
        let task = tasks.get(samples.len());
        if task.is_some_and(|task| task.digest() != digest) {
            return Err(io::Error::other(
                "has samples of other positions; delete it or choose another file",
            ));
        }
        samples.push(sample);
        end += length;
    }
    file.set_len(end)?;
    file.seek(SeekFrom::End(0))?;
    Ok(samples)
}

/// A digest of what all samples depend on: the program's version, its search, its weights and the features.
fn program_digest() -> Digest {
    let weights = Digest::of_weights(&WEIGHTS);
    let program = format!("{ENGINE} {METHOD} {weights}");
    Feature::ALL
        .iter()
        .fold(Digest::START.add(program.as_bytes()), |digest, feature| {
            digest.add(b" ").add(feature.key().as_bytes())
        })
}

/// A sample as bytes: its length in four bytes, and the rest.
fn bytes_of(sample: &Sample) -> Vec<u8> {
    let mut bytes = vec![0; LENGTH_BYTES];
    bytes.extend(sample.rating.to_le_bytes());
    bytes.push(u8::from(sample.held_out));
    bytes.push(sample.played as u8);
    for factor in sample.factors() {
        bytes.push((factor * FACTOR_SCALE).round() as u8);
    }
    bytes.push(sample.choices.len() as u8);
    for choice in &sample.choices {
        for place in choice.places {
            bytes.extend(place.to_le_bytes());
        }
        bytes.push(choice.features.len() as u8);
        for (index, value) in &choice.features {
            bytes.push(*index);
            let value = (value * SCALE).round() as i16;
            bytes.extend(value.to_le_bytes());
        }
    }
    let length = (bytes.len() - LENGTH_BYTES) as u32;
    bytes[..LENGTH_BYTES].copy_from_slice(&length.to_le_bytes());
    bytes
}

/// The digest of the task of the sample that starts at a byte, the sample, and the length of all that is stored of it; `None`
/// at the end, also amid a sample.
fn read(source: &mut impl Read, start: u64) -> io::Result<Option<(Digest, Sample, u64)>> {
    let damaged = || {
        io::Error::other(format!(
            "damaged at byte {start}; cut it off there to keep the samples before, or delete the file"
        ))
    };
    let mut bytes = vec![0; DIGEST_BYTES + LENGTH_BYTES];
    if !is_whole(source.read_exact(&mut bytes))? {
        return Ok(None);
    }
    let number = |bytes: &[u8]| {
        let bytes = bytes.iter().rev();
        bytes.fold(0, |number, byte| number << 8 | u64::from(*byte))
    };
    let (digest, length) = bytes.split_at(DIGEST_BYTES);
    let (digest, length) = (Digest(number(digest)), number(length) as usize);
    if length > MAX_BYTES {
        return Err(damaged());
    }
    let body = bytes.len();
    bytes.resize(body + length + CHECKSUM_BYTES, 0);
    if !is_whole(source.read_exact(&mut bytes[body..]))? {
        return Ok(None);
    }
    let (stored, checksum) = bytes.split_at(body + length);
    let is_intact = Digest::START.add(stored).0 == number(checksum);
    let sample = decode(&stored[body..]).filter(|_| is_intact);
    let sample = sample.ok_or_else(damaged)?;
    Ok(Some((digest, sample, bytes.len() as u64)))
}

/// Whether all bytes were read; `false` at the end of the file.
fn is_whole(read: io::Result<()>) -> io::Result<bool> {
    match read {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
        Err(error) => Err(error),
    }
}

fn decode(bytes: &[u8]) -> Option<Sample> {
    let mut bytes = bytes.iter().copied();
    let mut byte = || bytes.next();
    let rating = u16::from_le_bytes([byte()?, byte()?]);
    let held_out = byte()? != 0;
    let played = byte()? as usize;
    let ending = f32::from(byte()?) / FACTOR_SCALE;
    let opening = f32::from(byte()?) / FACTOR_SCALE;
    let count = byte()?;
    let mut choices = Vec::with_capacity(count as usize);
    for _ in 0..count {
        let from = u16::from_le_bytes([byte()?, byte()?]);
        let to = u16::from_le_bytes([byte()?, byte()?]);
        let mut features = Vec::new();
        for _ in 0..byte()? {
            let index = byte()?;
            let value = i16::from_le_bytes([byte()?, byte()?]);
            features.push((index, f32::from(value) / SCALE));
        }
        choices.push(Choice {
            places: [from, to],
            features,
        });
    }
    let is_sound = played < choices.len()
        && choices.iter().all(|choice| {
            let known = |(index, _): &(u8, f32)| (*index as usize) < Feature::COUNT;
            choice.features.iter().all(known)
                && choice
                    .places
                    .iter()
                    .all(|place| (*place as usize) < crate::engine::level::Place::COUNT)
        });
    is_sound.then_some(Sample {
        rating,
        held_out,
        played,
        ending,
        opening,
        choices,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::levels::games::HumanGame;

    fn games() -> Vec<HumanGame> {
        let moves = "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1 f8e7 f1e1 b7b5 a4b3 d7d6";
        let game = |id: u16| HumanGame {
            id: id.to_string(),
            ratings: [1000 + 50 * id, 1010 + 50 * id],
            is_rated: None,
            minutes: None,
            moves: moves.to_owned(),
        };
        (0..6).map(game).collect()
    }

    #[test]
    fn an_interrupted_run_is_resumed_and_gives_the_same_samples() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("samples");
        let tasks = plan(&games(), 8, 3);
        assert_eq!(tasks.len(), 8);
        let whole = collect(&tasks, Some(&path), &()).expect("samples");
        assert!(whole.iter().all(|sample| sample.choices.len() >= 20));
        let bytes = std::fs::read(&path).expect("the file");
        // A run that was killed while it wrote.
        std::fs::write(&path, &bytes[..bytes.len() * 2 / 3]).expect("a file");
        let resumed = collect(&tasks, Some(&path), &()).expect("samples");
        assert_eq!(resumed, whole);
        assert_eq!(std::fs::read(&path).expect("the file"), bytes);
        let fewer = collect(&tasks[..3], Some(&path), &()).expect("samples");
        assert_eq!(fewer, whole[..3]);
        assert_eq!(std::fs::read(&path).expect("the file"), bytes);
    }

    #[test]
    fn a_changed_bit_never_changes_a_sample() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("samples");
        let tasks = plan(&games(), 3, 3);
        let whole = collect(&tasks, Some(&path), &()).expect("samples");
        let good = std::fs::read(&path).expect("the file");
        for place in (0..good.len()).step_by(131) {
            let mut bytes = good.clone();
            bytes[place] ^= 1 << (place % 8);
            std::fs::write(&path, &bytes).expect("a file");
            match collect(&tasks, Some(&path), &()) {
                Ok(samples) => assert_eq!(samples, whole, "{place}"),
                Err(_) => assert_eq!(std::fs::read(&path).expect("the file"), bytes),
            }
        }
        let damaged = good.len() - 20;
        std::fs::write(&path, [&good[..damaged], &[0; 20]].concat()).expect("a file");
        let message = collect(&tasks, Some(&path), &()).expect_err("damage");
        assert!(
            message.to_string().starts_with("damaged at byte "),
            "{message}"
        );
    }

    #[test]
    fn samples_of_other_tasks_and_a_file_in_use_are_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("samples");
        let tasks = plan(&games(), 2, 3);
        collect(&tasks, Some(&path), &()).expect("samples");
        let bytes = std::fs::read(&path).expect("the file");
        let refused = |tasks: &[Task]| {
            let error = collect(tasks, Some(&path), &()).expect_err("refused");
            assert_eq!(std::fs::read(&path).expect("the file"), bytes);
            error.to_string()
        };
        let mut rated = tasks.clone();
        rated[1].rating += 1;
        let mut played = tasks.clone();
        let legal = played[0].view.game().position().legal_moves();
        let other = legal.iter().find(|mv| **mv != played[0].played);
        played[0].played = *other.expect("another move");
        for other in [plan(&games(), 2, 4), rated, played] {
            let message = refused(&other);
            assert!(message.contains("samples of other positions"), "{message}");
        }
        let lock = open_locked(&path).expect("a lock");
        assert!(refused(&tasks).contains("in use by another process"));
        drop(lock);
    }
}
