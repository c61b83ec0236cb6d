//! The named lines of `books/repertoire.pgn`, checked with pgn-reader and shakmaty, independently of Lucena's own rules.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io::Cursor;
use std::ops::ControlFlow;

use crate::common::{Folder, lucena};
use pgn_reader::{RawTag, Reader, SanPlus, Visitor};
use shakmaty::Chess;

const LINES: &str = include_str!("../../books/repertoire.pgn");
/// Least number of lines, in all and in each ECO volume.
const MIN_LINES: usize = 1000;
const MIN_IN_VOLUME: usize = 150;
/// ECO codes A00 to E99, all with a line.
const CODES: usize = 500;
/// Length of a line in plies.
const PLIES: std::ops::RangeInclusive<usize> = 6..=30;

/// A line: its tags, and its moves as written.
#[derive(Default)]
struct Line {
    tags: BTreeMap<String, String>,
    moves: Vec<String>,
    /// Moves that are illegal or not in proper SAN.
    errors: Vec<String>,
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
struct LineReader;

impl Visitor for LineReader {
    type Tags = Line;
    type Movetext = (Line, Chess);
    type Output = Line;

    fn begin_tags(&mut self) -> ControlFlow<Line, Line> {
        ControlFlow::Continue(Line::default())
    }

    fn tag(&mut self, line: &mut Line, name: &[u8], value: RawTag<'_>) -> ControlFlow<Line> {
        let name = String::from_utf8_lossy(name).into_owned();
        let earlier = line
            .tags
            .insert(name, value.decode_utf8_lossy().into_owned());
        assert!(earlier.is_none(), "duplicate tag: {:?}", line.tags);
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
                    line.errors.push(format!("{written} is {proper}"));
                }
            }
            Err(error) => {
                line.errors.push(format!("{written}: {error}"));
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
    let mut line_reader = LineReader;
    let lines = reader.read_games(&mut line_reader);
    lines.map(|line| line.expect("text in memory")).collect()
}

#[test]
fn every_move_is_legal_and_proper_san() {
    for line in lines() {
        assert!(
            line.errors.is_empty(),
            "{:?}: {:?}",
            line.name(),
            line.errors
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
        // `Annotator` gives the reason why a line is not recommended.
        let is_name_only = line.tag("Play") == "no";
        assert_eq!(
            is_name_only,
            !line.tag("Annotator").is_empty(),
            "{variation}"
        );
        assert!(is_name_only || line.tag("Play").is_empty(), "{variation}");
    }
}

#[test]
fn every_eco_code_has_a_line() {
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
fn names_and_lines_are_unique() {
    let lines = lines();
    let names: BTreeSet<_> = lines.iter().map(Line::name).collect();
    assert_eq!(names.len(), lines.len(), "duplicate name");
    let mut by_moves = HashMap::new();
    for line in &lines {
        let twin = by_moves.insert(line.moves.as_slice(), line.name());
        assert!(twin.is_none(), "{:?} and {twin:?}", line.name());
    }
    // A line that continues another has its own name.
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

#[test]
fn the_table_of_names_is_compiled_from_the_lines() {
    let folder = Folder::new("names");
    let file = folder.text("names.tsv");
    let lines = ["books/repertoire.pgn", "books/trunk.pgn"];
    let arguments = ["--compile", lines[0], "--compile", lines[1], "--out", &file];
    let made = lucena(&[&["book", "name"], &arguments[..]].concat());
    assert!(made.status.success(), "{made:?}");
    let table = std::fs::read_to_string(&file).expect("the table");
    assert!(table == include_str!("../../books/names.tsv"));
}

#[test]
fn the_first_moves_have_names() {
    for (moves, name) in [
        ("e4", "B00 King's Pawn Opening"),
        ("e4 e5", "C20 King's Pawn Game"),
        ("e4 e5 Nf3", "C40 King's Knight Opening"),
        ("e4 e5 Nf3 d6", "C41 Philidor Defence"),
        ("d4 d5 c4", "D06 Queen's Gambit"),
        ("d4 d5 c4 c6", "D10 Slav Defence"),
        ("c4 e6 d4 d5", "D30 Queen's Gambit Declined"),
        ("d4 Nf6 Nf3 d5 c4", "D06 Queen's Gambit"),
        ("e4 e5 Nf3 Nc6 Bc4 Bc5", "C50 Italian Game"),
        ("e4 e5 f4", "C30 King's Gambit"),
        (
            "e4 e6 d4 d5 Nc3 Bb4",
            "C15 French Defence: Winawer Variation",
        ),
        ("startpos", "no name"),
    ] {
        let words: Vec<&str> = ["book", "name"]
            .into_iter()
            .chain(moves.split(' '))
            .collect();
        let output = lucena(&words).stdout;
        assert_eq!(String::from_utf8_lossy(&output).trim_end(), name, "{moves}");
    }
}
