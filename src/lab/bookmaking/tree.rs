//! The moves of a book as a tree, printed as text or drawn as SVG.

use std::fmt::Write as _;

use crate::base::text::escape;
use crate::book::embedded;
use crate::book::entry::BookMove;
use crate::book::names::OpeningNames;
use crate::book::polyglot::Book;
use crate::chess::{Color, Game};

/// Where the tree ends.
#[derive(Clone, Copy, Debug)]
pub struct TreeLimits {
    /// Plies from the root.
    pub depth: usize,
    /// Least probability of a branch from the root, in percent.
    pub share: f64,
}

/// A move and its continuations.
#[derive(Clone, Debug, Default)]
pub struct Branch {
    /// The move in SAN, with a move number where White moves; empty at the root.
    pub text: String,
    /// Probability in its position, in percent.
    pub percent: f64,
    /// Probability from the root, in percent.
    pub share: f64,
    /// The name of the opening, where it changes.
    pub name: String,
    /// Continuations, the likeliest first.
    pub next: Vec<Branch>,
}

/// The tree of a book from a position.
pub fn tree(book: &Book, game: &Game, limits: TreeLimits) -> Branch {
    let names = embedded::names();
    let mut root = Branch {
        percent: 100.0,
        share: 100.0,
        name: names
            .of_game(game)
            .map_or_else(String::new, |name| name.to_string()),
        ..Branch::default()
    };
    let name = root.name.clone();
    grow(&mut root, book, names, game, limits, &name);
    root
}

fn grow(
    branch: &mut Branch,
    book: &Book,
    names: &OpeningNames<'_>,
    game: &Game,
    limits: TreeLimits,
    parent_name: &str,
) {
    if limits.depth == 0 {
        return;
    }
    let Ok((moves, _)) = book.moves(game) else {
        return;
    };
    let total: u32 = moves.iter().map(|entry| u32::from(entry.weight)).sum();
    for BookMove { mv, weight, .. } in moves {
        let percent = f64::from(weight) * 100.0 / f64::from(total.max(1));
        let share = branch.share * percent / 100.0;
        if share < limits.share || weight == 0 {
            continue;
        }
        let position = game.position();
        let dots = if position.turn() == Color::White {
            format!("{}.", position.fullmoves())
        } else if branch.text.is_empty() {
            format!("{}...", position.fullmoves())
        } else {
            String::new()
        };
        let mut after = game.clone();
        after.play(mv);
        let name = names
            .of_game(&after)
            .map_or_else(String::new, |name| name.to_string());
        let mut next = Branch {
            text: format!("{dots}{}", position.san(mv)),
            percent,
            share,
            name: if name == parent_name {
                String::new()
            } else {
                name.clone()
            },
            next: Vec::new(),
        };
        let rest = TreeLimits {
            depth: limits.depth - 1,
            ..limits
        };
        grow(&mut next, book, names, &after, rest, &name);
        branch.next.push(next);
    }
}

impl Branch {
    /// The tree as indented lines.
    pub fn text(&self) -> String {
        let mut text = String::new();
        if !self.name.is_empty() {
            let _ = writeln!(text, "{}", self.name);
        }
        self.write_next(&mut text, "");
        text
    }

    fn write_next(&self, text: &mut String, indent: &str) {
        for (index, branch) in self.next.iter().enumerate() {
            let is_last = index + 1 == self.next.len();
            let (fork, below) = if is_last {
                ("└─", "   ")
            } else {
                ("├─", "│  ")
            };
            let _ = write!(
                text,
                "{indent}{fork}{} {:.0} %",
                branch.text, branch.percent
            );
            let _ = if branch.name.is_empty() {
                writeln!(text)
            } else {
                writeln!(text, "  {}", branch.name)
            };
            branch.write_next(text, &format!("{indent}{below}"));
        }
    }

    fn leaves(&self) -> usize {
        self.next.iter().map(Self::leaves).sum::<usize>().max(1)
    }

    fn plies(&self) -> usize {
        self.next
            .iter()
            .map(|branch| branch.plies() + 1)
            .max()
            .unwrap_or(0)
    }

    /// The tree as SVG, from left to right; the width of a line shows its share.
    pub fn svg(&self, title: &str) -> String {
        let width = self.plies() * STEP + 2 * MARGIN + NAME_WIDTH;
        let height = self.leaves() * ROW + 2 * MARGIN;
        let mut text = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"11\">\n\
             <title>{}</title>\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
            escape(title)
        );
        self.draw(&mut text, MARGIN, MARGIN);
        text + "</svg>\n"
    }

    /// Draws the continuations from the pixel column `left` and row `top`.
    fn draw(&self, text: &mut String, left: usize, top: usize) {
        let middle = |branch: &Self, top: usize| top + branch.leaves() * ROW / 2;
        let from = middle(self, top);
        let mut row = top;
        for branch in &self.next {
            let (to, right) = (middle(branch, row), left + STEP);
            let bend = left + STEP / 3;
            let stroke = (branch.share / 8.0).clamp(0.6, 8.0);
            let _ = writeln!(
                text,
                "<path d=\"M{left} {from} C{bend} {from} {left} {to} {bend} {to} L{right} {to}\" fill=\"none\" \
                 stroke=\"#4a6fa5\" stroke-opacity=\"0.6\" stroke-width=\"{stroke:.1}\"/>"
            );
            let label = format!("{} {:.0} %", branch.text, branch.percent);
            let _ = writeln!(
                text,
                "<text x=\"{}\" y=\"{}\">{}</text>",
                bend + 2,
                to - 3,
                escape(&label)
            );
            if branch.next.is_empty() && !branch.name.is_empty() {
                let _ = writeln!(
                    text,
                    "<text x=\"{}\" y=\"{}\" fill=\"#666\">{}</text>",
                    right + 4,
                    to + 4,
                    escape(&branch.name)
                );
            }
            branch.draw(text, right, row);
            row += branch.leaves() * ROW;
        }
    }
}

/// Pixels between plies, between leaves, around the picture and for the names on the right.
const STEP: usize = 110;
const ROW: usize = 18;
const MARGIN: usize = 12;
const NAME_WIDTH: usize = 360;
