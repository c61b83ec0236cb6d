//! A reviewed game as annotated PGN: everything that was in the file, with the review added.

use std::io::{self, Write};

use super::judge::Mark;
use super::record::Item;
use super::report::{GameReport, MoveReport, WhiteScore};
use super::words::first_moves;
use crate::chess::{Move, Position};

/// Lines are broken before this column, except within comments.
const COLUMNS: usize = 80;

/// Writes tokens, broken into lines.
struct Movetext<'a, W> {
    out: &'a mut W,
    column: usize,
    /// The next move of Black needs its number.
    is_interrupted: bool,
    /// The last token was `(`.
    is_open: bool,
}

impl<W: Write> Movetext<'_, W> {
    fn token(&mut self, text: &str) -> io::Result<()> {
        let width = text.chars().count();
        if self.column > 0 && self.column + 1 + width > COLUMNS {
            writeln!(self.out)?;
            self.column = 0;
        } else if self.column > 0 && !self.is_open && text != ")" {
            write!(self.out, " ")?;
            self.column += 1;
        }
        self.is_open = text == "(";
        self.column += width;
        write!(self.out, "{text}")
    }

    fn mv(&mut self, san: &str, number: u32, by_black: bool) -> io::Result<()> {
        if !by_black {
            self.token(&format!("{number}."))?;
        } else if self.is_interrupted {
            self.token(&format!("{number}..."))?;
        }
        self.is_interrupted = false;
        self.token(san)
    }

    fn nag(&mut self, nag: u8) -> io::Result<()> {
        self.token(&format!("${nag}"))
    }

    fn comment(&mut self, text: &str) -> io::Result<()> {
        self.is_interrupted = true;
        self.token(&format!("{{ {text} }}"))
    }

    fn open(&mut self) -> io::Result<()> {
        self.is_interrupted = true;
        self.token("(")
    }

    fn close(&mut self) -> io::Result<()> {
        self.is_interrupted = true;
        self.token(")")
    }

    fn variation(&mut self, start: &Position, line: &[Move]) -> io::Result<()> {
        self.open()?;
        let mut position = *start;
        for &mv in first_moves(line) {
            let san = position.san(mv).to_string();
            self.mv(
                &san,
                u32::from(position.fullmoves()),
                position.turn().is_black(),
            )?;
            position = position.play(mv);
        }
        self.close()
    }

    fn item(&mut self, item: &Item) -> io::Result<()> {
        match item {
            Item::Move {
                san,
                number,
                by_black,
            } => self.mv(san, *number, *by_black),
            Item::Nag(nag) => self.nag(*nag),
            Item::Comment(text) => self.comment(text),
            Item::Open => self.open(),
            Item::Close => self.close(),
        }
    }
}

/// The value of a tag, escaped for PGN.
fn escaped(value: &str) -> String {
    value
        .replace('\\', "\\\\")
        .replace('"', "\\\"")
        .replace('\n', " ")
}

/// A game as PGN.
///
/// # Errors
/// Those of the writer.
pub fn write(game: &GameReport, out: &mut impl Write) -> io::Result<()> {
    let record = &game.record;
    for (name, value) in &record.tags {
        writeln!(out, "[{name} \"{}\"]", escaped(value))?;
    }
    let mut add = |name: &str, value: &str| match record.tag(name) {
        Some(_) => Ok(()),
        None => writeln!(out, "[{name} \"{}\"]", escaped(value)),
    };
    if record.tags.is_empty() {
        add("Event", "?")?;
    }
    add("Result", &record.result)?;
    if let Some(opening) = &game.opening {
        add("ECO", opening.eco)?;
        add("Opening", opening.name)?;
    }
    add("Annotator", &game.engine)?;
    writeln!(out)?;
    let mut text = Movetext {
        out,
        column: 0,
        is_interrupted: true,
        is_open: false,
    };
    write_moves(game, &mut text)?;
    text.token(&record.result)?;
    writeln!(text.out, "\n")
}

fn write_moves<W: Write>(game: &GameReport, text: &mut Movetext<'_, W>) -> io::Result<()> {
    let items = &game.record.items;
    let mut moves = game.moves.iter();
    let mut index = 0;
    // Comments before the first move.
    while let Some(item) = items
        .get(index)
        .filter(|item| !matches!(item, Item::Move { .. }))
    {
        text.item(item)?;
        index += 1;
    }
    while let Some(item) = items.get(index) {
        text.item(item)?;
        let end = next_move(items, index + 1);
        let own = &items[index + 1..end];
        index = end;
        let Some(mv) = moves.next() else {
            continue;
        };
        let (mut nags, rest): (Vec<&Item>, Vec<&Item>) = (Vec::new(), own.iter().collect());
        let glyphs = rest
            .iter()
            .take_while(|item| matches!(item, Item::Nag(_)))
            .count();
        nags.extend(&rest[..glyphs]);
        let is_judged = nags.iter().any(|item| matches!(item, Item::Nag(1..=6)));
        if let Some(mark) = mv.mark.filter(|_| !is_judged) {
            text.nag(mark.nag())?;
        }
        for item in nags {
            text.item(item)?;
        }
        let comment = comment(mv);
        if !comment.is_empty() {
            text.comment(&comment)?;
        }
        // Comments and variations of the file come first, then the better line, unless the file already has it.
        let comments = rest[glyphs..]
            .iter()
            .take_while(|item| !matches!(item, Item::Open))
            .count();
        for item in &rest[glyphs..glyphs + comments] {
            match item {
                Item::Comment(words) => {
                    let words = without_eval(words);
                    if !words.is_empty() {
                        text.comment(&words)?;
                    }
                }
                item => text.item(item)?,
            }
        }
        let owned = &rest[glyphs + comments..];
        for item in owned {
            text.item(item)?;
        }
        let is_shown = owned
            .windows(2)
            .any(|pair| matches!(pair, [Item::Open, Item::Move { san, .. }] if *san == mv.best));
        if mv.mark.is_some_and(Mark::is_mistake) && !is_shown {
            text.variation(&mv.position, &mv.best_moves)?;
        }
    }
    Ok(())
}

/// The index of the next move of the game, or the end.
fn next_move(items: &[Item], from: usize) -> usize {
    let mut depth = 0_usize;
    for (index, item) in items.iter().enumerate().skip(from) {
        match item {
            Item::Open => depth += 1,
            Item::Close => depth -= 1,
            Item::Move { .. } if depth == 0 => return index,
            _ => {}
        }
    }
    items.len()
}

/// Takes out the evaluation of another engine, which the new one replaces.
fn without_eval(text: &str) -> String {
    let Some((before, rest)) = text.split_once("[%eval") else {
        return text.to_owned();
    };
    let after = rest.split_once(']').map_or("", |(_, after)| after);
    [before.trim(), after.trim()].join(" ").trim().to_owned()
}

/// The evaluation, the arrows and the words of a move.
fn comment(mv: &MoveReport) -> String {
    let mut parts = Vec::new();
    match mv.score {
        Some(WhiteScore::Cp(centipawns)) => {
            parts.push(format!(
                "[%eval {:.2}]",
                f64::from(centipawns) / 100.0 + 0.0
            ));
        }
        Some(WhiteScore::Mate(moves)) => parts.push(format!("[%eval #{moves}]")),
        None => {}
    }
    if mv.mark.is_some_and(Mark::is_mistake) {
        // Green: the better move. Red: the reply to the mistake.
        let arrow = |mv: &Move| format!("{}{}", mv.from(), king_or_target(*mv));
        let better = mv.best_moves.first().map(|mv| format!("G{}", arrow(mv)));
        let reply = mv.expected.first().map(|mv| format!("R{}", arrow(mv)));
        let arrows: Vec<String> = better.into_iter().chain(reply).collect();
        parts.push(format!("[%csl Y{}]", king_or_target(mv.played)));
        parts.push(format!("[%cal {}]", arrows.join(",")));
    }
    parts.push(mv.text.join(" "));
    parts.retain(|part| !part.is_empty());
    parts.join(" ").replace('}', ")")
}

/// Where a move ends; castling ends where the king goes.
fn king_or_target(mv: Move) -> crate::chess::Square {
    if mv.is_castling() {
        mv.castling_king_to()
    } else {
        mv.to()
    }
}
