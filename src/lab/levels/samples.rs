//! Samples: positions of people with the features of every legal move, kept in a file so that fitting can be repeated and
//! resumed.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;

use rayon::prelude::*;

use super::games::{HumanGame, HumanPosition, replay};
use crate::base::progress::Progress;
use crate::base::random::Random;
use crate::chess::Move;
use crate::engine::level::place::{TABLES, table_indices};
use crate::engine::level::{Feature, Scene, ShallowSearcher, inputs};

/// Positions from one player of one game.
const PER_PLAYER: usize = 20;
/// The width of the rating ranges that are sampled alike.
const RANGE: u16 = 100;
/// One game in this many is held out.
const HELD_OUT: u64 = 10;
/// Positions between two writes.
const CHUNK: usize = 128;
/// Feature values are stored in thousandths.
const SCALE: f32 = 1000.0;
/// The parts of the endgame and of the opening are stored in these parts.
const FACTOR_SCALE: f32 = 200.0;
/// Bytes of a stored sample's length.
const LENGTH_BYTES: usize = 4;
/// The first bytes of a file of samples.
const MAGIC: &[u8; 16] = b"lucena samples 3";

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
    pub scene: Scene,
    pub played: Move,
}

impl From<HumanPosition> for Task {
    fn from(position: HumanPosition) -> Self {
        Self {
            rating: position.rating,
            held_out: true,
            scene: position.scene,
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
        let scene = replay(&game.moves, ply).ok()?;
        let played = scene.game().position().parse_move(moves[ply]).ok()?;
        Some(Task {
            rating: game.ratings[color],
            held_out,
            scene,
            played,
        })
    };
    plies.into_iter().filter_map(task).collect()
}

/// The samples of the tasks. Those that the file has already are read; the rest is computed and appended, so that an
/// interrupted run is resumed. `None`: nothing is kept.
///
/// # Errors
/// The file cannot be read or written, or is not a file of samples of this build and plan.
pub fn collect(
    tasks: &[Task],
    file: Option<&Path>,
    seed: u64,
    progress: &dyn Progress,
) -> io::Result<Vec<Sample>> {
    let mut samples = Vec::new();
    let mut out = None;
    if let Some(path) = file {
        let mut open = OpenOptions::new();
        let mut opened = open
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)?;
        samples = resume(&mut opened, seed)?;
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
            let bytes: Vec<u8> = found.iter().flat_map(bytes_of).collect();
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
    let inputs = inputs(&task.scene, searcher, None);
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
        ending: inputs.first().map_or(0.0, |input| input.ending),
        opening: inputs.first().map_or(0.0, |input| input.opening),
        choices: choices.collect(),
    }
}

/// A sample as it is read from a file, so that a resumed run has the same numbers.
fn rounded(sample: Sample) -> Sample {
    decode(&bytes_of(&sample)[LENGTH_BYTES..]).unwrap_or(sample)
}

/// Reads the complete samples of a file and moves to their end; an empty file gets its header.
fn resume(file: &mut File, seed: u64) -> io::Result<Vec<Sample>> {
    let mut header = MAGIC.to_vec();
    header.extend(digest().to_le_bytes());
    header.extend(seed.to_le_bytes());
    if file.metadata()?.len() == 0 {
        file.write_all(&header)?;
        return Ok(Vec::new());
    }
    let mut source = BufReader::new(&*file);
    let mut found = vec![0; header.len()];
    let fault = || io::Error::other("not a file of samples of this build and seed");
    source.read_exact(&mut found).map_err(|_| fault())?;
    if found != header {
        return Err(fault());
    }
    let mut samples = Vec::new();
    let mut end = header.len() as u64;
    while let Some((sample, length)) = read(&mut source)? {
        samples.push(sample);
        end += length;
    }
    file.set_len(end)?;
    file.seek(SeekFrom::End(0))?;
    Ok(samples)
}

/// A digest of the features of this build.
fn digest() -> u64 {
    let mut hasher = DefaultHasher::new();
    for feature in Feature::ALL {
        feature.key().hash(&mut hasher);
    }
    hasher.finish()
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

/// The next sample and its length with the four bytes before it; `None` at the end, also amid a sample.
fn read(source: &mut impl Read) -> io::Result<Option<(Sample, u64)>> {
    let mut length = [0; LENGTH_BYTES];
    let is_whole = |read: io::Result<()>| match read {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
        Err(error) => Err(error),
    };
    if !is_whole(source.read_exact(&mut length))? {
        return Ok(None);
    }
    let length = u32::from_le_bytes(length).min(1 << 20) as usize;
    let mut bytes = vec![0; length];
    if !is_whole(source.read_exact(&mut bytes))? {
        return Ok(None);
    }
    let sample = decode(&bytes).ok_or_else(|| io::Error::other("a damaged sample"))?;
    Ok(Some((sample, (length + LENGTH_BYTES) as u64)))
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
        let whole = collect(&tasks, Some(&path), 3, &()).expect("samples");
        assert!(whole.iter().all(|sample| sample.choices.len() >= 20));
        let bytes = std::fs::read(&path).expect("the file");
        // A run that was killed while it wrote.
        std::fs::write(&path, &bytes[..bytes.len() * 2 / 3]).expect("a file");
        let resumed = collect(&tasks, Some(&path), 3, &()).expect("samples");
        assert_eq!(resumed, whole);
        assert_eq!(std::fs::read(&path).expect("the file"), bytes);
        let other_seed = collect(&tasks, Some(&path), 4, &());
        assert!(other_seed.is_err());
    }
}
