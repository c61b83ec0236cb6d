//! Themes of a file of puzzles against motifs.

use std::collections::{BTreeMap, BTreeSet};

use lucena::explain::motifs::Kind;

use super::lines::Moves;

/// Found and labelled, only found, only labelled.
#[derive(Clone, Copy, Default)]
struct Tally([usize; 3]);

impl Tally {
    fn text(self) -> String {
        let [both, found, labelled] = self.0;
        let percent = |of: usize| 100.0 * both as f64 / of.max(1) as f64;
        format!(
            "{:>5} {:>9.1} {:>7.1}",
            both + labelled,
            percent(both + found),
            percent(both + labelled)
        )
    }

    fn plus(self, other: Self) -> Self {
        Self([0, 1, 2].map(|index| self.0[index] + other.0[index]))
    }
}

/// A theme in snake case.
fn snake(theme: &str) -> String {
    if theme == "attackingF2F7" {
        return "attacking_f2_f7".to_owned();
    }
    let letters = theme.chars().map(|letter| match letter {
        'A'..='Z' => format!("_{}", letter.to_ascii_lowercase()),
        other => other.to_string(),
    });
    letters.collect()
}

/// One of two halves, by the puzzle's name.
fn half(id: &str) -> usize {
    let seed = 0xcbf2_9ce4_8422_2325_u64;
    let hash = id.bytes().fold(seed, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
    });
    (hash.wrapping_mul(lucena::base::random::GOLDEN_RATIO) >> 40) as usize % 2
}

/// Prints precision and recall of every kind that is a theme, and proves every motif. `LUCENA_SHOW` names a kind whose rows
/// are shown where motif and theme disagree.
#[test]
#[ignore = "needs a file of puzzles; run by hand with --nocapture"]
fn puzzle_themes() {
    let path = std::env::var("LUCENA_PUZZLES").expect("LUCENA_PUZZLES names a file of puzzles");
    let file = std::fs::read_to_string(path).expect("a readable file");
    let kinds: BTreeSet<String> = Kind::ALL
        .iter()
        .map(|kind| kind.name().to_owned())
        .collect();
    let shown = std::env::var("LUCENA_SHOW").ok();
    let mut tallies: BTreeMap<String, [Tally; 2]> = BTreeMap::new();
    let (mut unproved, mut lines) = (Vec::new(), 0);
    for row in file.lines().skip(1) {
        let cells: Vec<&str> = row.split(',').collect();
        let puzzle = Moves::parse(cells[1], cells[2], 1);
        let themes: BTreeSet<String> = cells[6].split(' ').map(snake).collect();
        let found: BTreeSet<String> = puzzle
            .motifs()
            .iter()
            .map(|motif| motif.kind.to_string())
            .collect();
        for kind in kinds
            .iter()
            .filter(|kind| found.contains(*kind) || themes.contains(*kind))
        {
            let place = match (found.contains(kind), themes.contains(kind)) {
                (true, true) => 0,
                (true, false) => 1,
                _ => 2,
            };
            tallies.entry(kind.clone()).or_default()[half(cells[0])].0[place] += 1;
            if place > 0 && shown.as_deref() == Some(kind) {
                println!("{}: {row}", ["", "only found", "only labelled"][place]);
            }
        }
        unproved.extend(puzzle.unproved());
        lines += 1;
    }
    println!(
        "{:<20} {:>24} {:>24} {:>24}",
        "", "first half", "second half", "all"
    );
    let head = "rows precision  recall";
    println!("{:<20} {head:>24} {head:>24} {head:>24}", "kind");
    for (kind, [first, second]) in &tallies {
        let texts = [*first, *second, first.plus(*second)].map(|tally| tally.text());
        println!(
            "{kind:<20} {:>24} {:>24} {:>24}",
            texts[0], texts[1], texts[2]
        );
    }
    println!("{lines} lines, {} unproved motifs", unproved.len());
    assert!(unproved.is_empty(), "{}", unproved.join("\n"));
}
