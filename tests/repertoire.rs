//! The lines of `books/repertoire.pgn`: every move legal, every name once, all five volumes.
//! Uses: pgn-reader and shakmaty, which know nothing of this program's rules.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io::Cursor;
use std::ops::ControlFlow;

use pgn_reader::{RawTag, Reader, SanPlus, Visitor};
use shakmaty::Chess;

const LINES: &str = include_str!("../books/repertoire.pgn");
/// How many lines there are at least, in all and in each volume of the Encyclopaedia.
const MIN_LINES: usize = 1000;
const MIN_IN_VOLUME: usize = 150;
/// How many of the 500 codes A00 to E99 have a line.
const CODES: usize = 500;
/// How long a line may be, in plies.
const PLIES: std::ops::RangeInclusive<usize> = 6..=30;

/// One line: its tags and its moves as they are written.
#[derive(Default)]
struct Line {
    tags: BTreeMap<String, String>,
    moves: Vec<String>,
    /// The moves that are not legal or not written as the standard asks.
    faults: Vec<String>,
}

impl Line {
    fn tag(&self, name: &str) -> &str {
        self.tags.get(name).map_or("", String::as_str)
    }

    fn name(&self) -> (&str, &str, &str) {
        (self.tag("ECO"), self.tag("Opening"), self.tag("Variation"))
    }
}

/// Reads lines and plays their moves.
struct Player;

impl Visitor for Player {
    type Tags = Line;
    type Movetext = (Line, Chess);
    type Output = Line;

    fn begin_tags(&mut self) -> ControlFlow<Line, Line> {
        ControlFlow::Continue(Line::default())
    }

    fn tag(&mut self, line: &mut Line, name: &[u8], value: RawTag<'_>) -> ControlFlow<Line> {
        let name = String::from_utf8_lossy(name).into_owned();
        let is_twice = line
            .tags
            .insert(name, value.decode_utf8_lossy().into_owned());
        assert!(is_twice.is_none(), "a tag twice: {:?}", line.tags);
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, line: Line) -> ControlFlow<Line, (Line, Chess)> {
        ControlFlow::Continue((line, Chess::default()))
    }

    fn san(&mut self, (line, position): &mut (Line, Chess), san: SanPlus) -> ControlFlow<Line> {
        let written = san.to_string();
        match san.san.to_move(position) {
            Ok(played) => {
                let proper = SanPlus::from_move_and_play_unchecked(position, played).to_string();
                if proper != written {
                    line.faults.push(format!("{written} is {proper}"));
                }
            }
            Err(error) => {
                line.faults.push(format!("{written}: {error}"));
                return ControlFlow::Break(std::mem::take(line));
            }
        }
        line.moves.push(written);
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, (line, _): (Line, Chess)) -> Line {
        line
    }
}

fn lines() -> Vec<Line> {
    let mut reader = Reader::new(Cursor::new(LINES));
    let mut player = Player;
    let lines = reader.read_games(&mut player);
    lines.map(|line| line.expect("text in memory")).collect()
}

#[test]
fn every_move_is_legal_and_well_written() {
    for line in lines() {
        assert!(
            line.faults.is_empty(),
            "{:?}: {:?}",
            line.name(),
            line.faults
        );
        assert!(PLIES.contains(&line.moves.len()), "{:?}", line.name());
    }
}

#[test]
fn every_line_has_its_tags() {
    for line in lines() {
        let (code, opening, variation) = line.name();
        let (volume, number) = code.split_at(1);
        let is_code = "ABCDE".contains(volume) && number.len() == 2;
        assert!(is_code && number.parse::<u8>().is_ok(), "{code:?}");
        assert!(!opening.is_empty() && !variation.is_empty(), "{code}");
        assert!(opening.is_ascii() && variation.is_ascii(), "{variation}");
        assert_eq!(line.tag("Event"), "Lucena repertoire");
        assert_eq!(line.tag("Result"), "*");
        // A line that is not to be played says why.
        let is_kept_out = line.tag("Play") == "no";
        assert_eq!(
            is_kept_out,
            !line.tag("Annotator").is_empty(),
            "{variation}"
        );
        assert!(is_kept_out || line.tag("Play").is_empty(), "{variation}");
    }
}

#[test]
fn all_volumes_are_there() {
    let lines = lines();
    assert!(lines.len() >= MIN_LINES, "{}", lines.len());
    for volume in ["A", "B", "C", "D", "E"] {
        let count = lines
            .iter()
            .filter(|line| line.tag("ECO").starts_with(volume))
            .count();
        assert!(count >= MIN_IN_VOLUME, "{volume}: {count}");
    }
    let codes: BTreeSet<&str> = lines.iter().map(|line| line.tag("ECO")).collect();
    assert_eq!(codes.len(), CODES);
}

#[test]
fn no_name_and_no_line_stands_twice() {
    let lines = lines();
    let names: BTreeSet<_> = lines.iter().map(Line::name).collect();
    assert_eq!(names.len(), lines.len(), "a name twice");
    let mut by_moves = HashMap::new();
    for line in &lines {
        let twin = by_moves.insert(line.moves.as_slice(), line.name());
        assert!(twin.is_none(), "{:?} and {twin:?}", line.name());
    }
    // A line that goes on where another ends is a variation of its own and has a name of its own.
    for line in &lines {
        for length in 1..line.moves.len() {
            if let Some((_, opening, variation)) = by_moves.get(&line.moves[..length]) {
                assert_ne!(
                    (line.tag("Opening"), line.tag("Variation")),
                    (*opening, *variation)
                );
            }
        }
    }
}
