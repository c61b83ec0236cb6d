//! Is a book, or a collection of lines, what it should be?
//! Uses: entry, reader, lines, judge, pgn (faults), chess; value. Used by: cli.
//! Idea: the form of a file is checked entry by entry, its moves on the board: a position of the book is found by playing
//! from the first one, every legal move from every position that the book knows.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;

use super::lines::BookLine;
use super::pgn::Issues;
use super::scorer::{MoveScorer, MoveScores, ScoreError, ScoreRequest};
use crate::base::progress::Progress;
use crate::base::value::Value;
use crate::book::entry::{BookEntry, ENTRY_BYTES, raw_move_text};
use crate::book::polyglot::Book;
use crate::chess::{Game, Move};

/// The form of a file.
#[derive(Clone, Debug, Default)]
pub struct Form {
    /// Whole entries.
    pub entries: u64,
    /// Bytes behind them.
    pub stray: u64,
    /// Entries whose key is below the one before.
    pub unsorted: Issues,
    /// Moves that a position has twice.
    pub twice: Issues,
    /// Entries that are never played: their weight is 0.
    pub weightless: u64,
}

/// Reads a file through, sorted or not.
///
/// # Errors
/// What the system said when it could not be read.
pub fn form(path: &Path) -> io::Result<Form> {
    let mut reader = BufReader::with_capacity(1 << 16, File::open(path)?);
    let mut form = Form::default();
    let mut last = BookEntry::default();
    let mut moves = HashSet::new();
    loop {
        let mut bytes = [0; ENTRY_BYTES];
        let mut length = 0;
        while length < ENTRY_BYTES {
            match reader.read(&mut bytes[length..])? {
                0 => break,
                read => length += read,
            }
        }
        if length < ENTRY_BYTES {
            form.stray = length as u64;
            return Ok(form);
        }
        let entry = BookEntry::from_bytes(&bytes);
        let place = || format!("entry {} ({:016x})", form.entries, entry.key);
        if entry.key < last.key {
            form.unsorted.note(place);
        }
        if entry.key != last.key || form.entries == 0 {
            moves.clear();
        }
        if !moves.insert(entry.raw_move) {
            let text = raw_move_text(entry.raw_move);
            form.twice.note(|| format!("{text} in {}", place()));
        }
        form.weightless += u64::from(entry.weight == 0);
        form.entries += 1;
        last = entry;
    }
}

/// What a book holds, seen from the first position.
#[derive(Clone, Debug, Default)]
pub struct Contents {
    /// The positions that were found, in the order of their keys, with the moves of the book.
    pub positions: BTreeMap<u64, (Game, Vec<Move>)>,
    /// Plies from the first position to the farthest.
    pub plies: usize,
    /// Moves that are not legal where they stand.
    pub illegal: Issues,
    /// Entries of positions that were not found.
    pub unreached: u64,
}

/// Finds the positions of a book from the first position and from others.
///
/// # Errors
/// What the system said when it could not be read.
pub fn contents(book: &Book, others: &[Game]) -> io::Result<Contents> {
    let mut by_key: HashMap<u64, Vec<BookEntry>> = HashMap::new();
    book.for_each(|_, entry| {
        by_key.entry(entry.key).or_default().push(entry);
        true
    })?;
    let mut found = Contents::default();
    let start = Game::new(crate::chess::Position::startpos());
    let mut layer: Vec<Game> = std::iter::once(&start).chain(others).cloned().collect();
    let mut ply = 0;
    while !layer.is_empty() {
        let mut next = Vec::new();
        for game in layer {
            let Some(entries) = by_key.remove(&game.book_key()) else {
                continue;
            };
            found.plies = ply;
            let (moves, illegal) = crate::book::polyglot::split_legal(game.position(), entries);
            for entry in illegal {
                let (text, fen) = (raw_move_text(entry.raw_move), game.position().to_fen());
                found.illegal.note(|| format!("{text} in {fen}"));
            }
            for &mv in &game.position().legal_moves() {
                let mut after = game.clone();
                after.play(mv);
                if by_key.contains_key(&after.book_key()) {
                    next.push(after);
                }
            }
            let moves = moves.into_iter().map(|known| known.mv).collect();
            found.positions.insert(game.book_key(), (game, moves));
        }
        layer = next;
        ply += 1;
    }
    found.unreached = by_key.values().map(|entries| entries.len() as u64).sum();
    Ok(found)
}

/// A move that a search calls a mistake.
#[derive(Clone, Debug)]
pub struct Blunder {
    /// Where.
    pub fen: String,
    /// The move, in standard notation.
    pub played: String,
    /// What it costs, in centipawns.
    pub loss: Value,
    /// What the search would play.
    pub better: String,
}

/// The best score, and the move that has it.
fn best(judgement: &MoveScores) -> Option<(Move, Value)> {
    judgement.iter().copied().max_by_key(|&(_, score)| score)
}

/// Judges every move of a book; those that cost more than `margin` centipawns are returned, the worst first.
///
/// # Errors
/// [`ScoreError`] if the log cannot be written or there is no memory.
pub fn blunders(
    contents: &Contents,
    margin: Value,
    judge: &MoveScorer,
    threads: usize,
    progress: &dyn Progress,
) -> Result<Vec<Blunder>, ScoreError> {
    let questions: Vec<ScoreRequest> = contents
        .positions
        .values()
        .map(|(game, moves)| ScoreRequest {
            game: game.clone(),
            wanted: moves.clone(),
            at_least: 1,
        })
        .collect();
    progress.start(questions.len() as u64);
    let answers = judge.answer(&questions, threads, progress)?;
    progress.finish();
    let mut found = Vec::new();
    for (question, answer) in questions.iter().zip(&answers) {
        let Some((better, most)) = best(answer) else {
            continue;
        };
        let position = question.game.position();
        for &(mv, score) in answer.iter().filter(|(mv, _)| question.wanted.contains(mv)) {
            if most - score > margin {
                found.push(Blunder {
                    fen: position.to_fen(),
                    played: position.san(mv).to_string(),
                    loss: most - score,
                    better: position.san(better).to_string(),
                });
            }
        }
    }
    found.sort_by_key(|blunder| std::cmp::Reverse(blunder.loss));
    Ok(found)
}

/// What a search says of a line.
#[derive(Clone, Debug)]
pub struct LineReport {
    /// Its names.
    pub names: [String; 3],
    /// Whether its moves are recommended.
    pub is_recommended: bool,
    /// Its length in plies.
    pub plies: usize,
    /// The costliest move: its number and name, what it costs in centipawns, and what the search would play.
    pub worst: (String, Value, String),
    /// The score of the position at its end, in centipawns from white's view.
    pub end: Value,
}

/// Judges every move of every line, and the positions at their ends.
///
/// # Errors
/// [`ScoreError`] if the log cannot be written or there is no memory.
pub fn verdicts(
    lines: &[BookLine],
    judge: &MoveScorer,
    threads: usize,
    progress: &dyn Progress,
) -> Result<Vec<LineReport>, ScoreError> {
    let mut questions: BTreeMap<u64, ScoreRequest> = BTreeMap::new();
    for line in lines {
        let ends = line.end().map(|end| (end, None));
        let plies = line
            .plies
            .iter()
            .map(|(game, mv)| (game.clone(), Some(*mv)));
        for (game, mv) in plies.chain(ends) {
            let question = questions
                .entry(game.book_key())
                .or_insert_with(|| ScoreRequest {
                    game,
                    wanted: Vec::new(),
                    at_least: 1,
                });
            question
                .wanted
                .extend(mv.filter(|mv| !question.wanted.contains(mv)));
        }
    }
    let (keys, questions): (Vec<u64>, Vec<ScoreRequest>) = questions.into_iter().unzip();
    progress.start(questions.len() as u64);
    let answers = judge.answer(&questions, threads, progress)?;
    progress.finish();
    let answers: HashMap<u64, MoveScores> = keys.into_iter().zip(answers).collect();
    Ok(lines.iter().map(|line| verdict(line, &answers)).collect())
}

fn verdict(line: &BookLine, answers: &HashMap<u64, MoveScores>) -> LineReport {
    let answer = |game: &Game| answers.get(&game.book_key());
    let mut worst = ("–".to_owned(), 0, String::new());
    for (ply, (game, mv)) in line.plies.iter().enumerate() {
        let Some(judgement) = answer(game) else {
            continue;
        };
        let score = judgement.iter().find(|(judged, _)| judged == mv);
        let (Some((better, most)), Some((_, score))) = (best(judgement), score) else {
            continue;
        };
        if most - score > worst.1 {
            let position = game.position();
            let dots = if ply % 2 == 0 { "." } else { "..." };
            let text = format!("{}{dots}{}", ply / 2 + 1, position.san(*mv));
            worst = (text, most - score, position.san(better).to_string());
        }
    }
    let end = line.end().map_or(0, |end| {
        let score = answer(&end).and_then(best).map_or(0, |(_, score)| score);
        end.position().turn().fold_wb(score, -score)
    });
    LineReport {
        names: line.names.clone(),
        is_recommended: line.is_recommended,
        plies: line.plies.len(),
        worst,
        end,
    }
}

/// The verdicts as a table in Markdown, below what they were made with.
#[must_use]
pub fn report(verdicts: &[LineReport], nodes: u64, margin: Value) -> String {
    let played = verdicts.iter().filter(|verdict| verdict.is_recommended);
    let (count, kept) = (
        played.clone().count(),
        played.filter(|verdict| verdict.worst.1 <= margin).count(),
    );
    let mut text = format!(
        "# What Lucena's search says of the named lines\n\n\
         {} lines, every move judged by a search of {nodes} nodes of its own. {count} lines are recommended; in {kept} of \
         them no move costs\nmore than {margin} centipawns. A move that does is not in the book, but the replies to it \
         are. The other {} lines stand here for their\nnames only. `end` is the score at the end of the line, in \
         centipawns from white's view.\n\n\
         | ECO | line | plies | costliest move | costs | better | end |\n|---|---|---|---|---|---|---|\n",
        verdicts.len(),
        verdicts.len() - count,
    );
    for verdict in verdicts {
        let [eco, opening, variation] = &verdict.names;
        let (played, loss, better) = &verdict.worst;
        let mark = if verdict.is_recommended {
            ""
        } else {
            " (name only)"
        };
        let colon = if variation.is_empty() { "" } else { ": " };
        let _ = writeln!(
            text,
            "| {eco} | {opening}{colon}{variation}{mark} | {} | {played} | {loss} | {better} | {:+} |",
            verdict.plies, verdict.end
        );
    }
    text
}
