//! What a book plays, as a tree.
//! Uses: reader, names, chess. Used by: cli.
//! Idea: the tree is cut where a move's share of the games that would come so far is too small to be seen; text and
//! picture are two writings of one tree.

use std::fmt::Write as _;

use crate::book::entry::BookMove;
use crate::book::names::OpeningNames;
use crate::book::polyglot::Book;
use crate::chess::{Color, Game};

/// Where a tree ends.
#[derive(Clone, Copy, Debug)]
pub struct Extent {
    /// Plies from the root.
    pub depth: usize,
    /// The least share, in percent, of the games from the root that come to a branch.
    pub share: f64,
}

/// A move and what may follow.
#[derive(Clone, Debug, Default)]
pub struct Branch {
    /// The move in standard notation, with its number where white moves; empty at the root.
    pub text: String,
    /// How often the book plays it in its position, in percent.
    pub percent: f64,
    /// How many of the games from the root come here, in percent.
    pub share: f64,
    /// What the opening is called from here on, where that changes.
    pub name: String,
    /// What may follow, the likeliest first.
    pub next: Vec<Branch>,
}

/// The tree of a book from a position on. A position comes with the share of its likeliest way.
#[must_use]
pub fn tree(book: &Book, names: &OpeningNames<'_>, game: &Game, extent: Extent) -> Branch {
    let mut root = Branch {
        percent: 100.0,
        share: 100.0,
        name: names
            .of_game(game)
            .map_or_else(String::new, |name| name.to_string()),
        ..Branch::default()
    };
    let name = root.name.clone();
    grow(&mut root, book, names, game, extent, &name);
    root
}

fn grow(
    branch: &mut Branch,
    book: &Book,
    names: &OpeningNames<'_>,
    game: &Game,
    extent: Extent,
    called: &str,
) {
    if extent.depth == 0 {
        return;
    }
    let Ok((moves, _)) = book.moves(game) else {
        return;
    };
    let total: u32 = moves.iter().map(|known| u32::from(known.weight)).sum();
    for BookMove { mv, weight, .. } in moves {
        let percent = f64::from(weight) * 100.0 / f64::from(total.max(1));
        let share = branch.share * percent / 100.0;
        if share < extent.share || weight == 0 {
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
            name: if name == called {
                String::new()
            } else {
                name.clone()
            },
            next: Vec::new(),
        };
        let rest = Extent {
            depth: extent.depth - 1,
            ..extent
        };
        grow(&mut next, book, names, &after, rest, &name);
        branch.next.push(next);
    }
}

impl Branch {
    /// The tree as indented lines.
    #[must_use]
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

    /// How many branches end without another.
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

    /// The tree as a picture in SVG: from left to right, a line as thick as its share.
    #[must_use]
    pub fn svg(&self, title: &str) -> String {
        let width = self.plies() * STEP + 2 * MARGIN + NAME_WIDTH;
        let height = self.leaves() * ROW + 2 * MARGIN;
        let mut text = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"11\">\n\
             <title>{}</title>\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
            escaped(title)
        );
        self.draw(&mut text, MARGIN, MARGIN);
        text + "</svg>\n"
    }

    /// Draws what follows, from the column `left` and the row `top` on.
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
                escaped(&label)
            );
            if branch.next.is_empty() && !branch.name.is_empty() {
                let _ = writeln!(
                    text,
                    "<text x=\"{}\" y=\"{}\" fill=\"#666\">{}</text>",
                    right + 4,
                    to + 4,
                    escaped(&branch.name)
                );
            }
            branch.draw(text, right, row);
            row += branch.leaves() * ROW;
        }
    }
}

/// Pixels of the picture: between plies, between leaves, around it, for the names at its right.
const STEP: usize = 110;
const ROW: usize = 18;
const MARGIN: usize = 12;
const NAME_WIDTH: usize = 360;

/// Text as XML wants it.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
