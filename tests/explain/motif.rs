//! Motifs in lines of its own search: are the themes of puzzles named in the first two sentences?

use std::collections::BTreeMap;

use lucena::chess::{Game, Position};
use lucena::explain::motifs::Kind;
use lucena::explain::{Explainer, Question};

use crate::positions::{data, first, limit};
use crate::proof;

/// `backRankMate` as `back_rank_mate`.
fn snake(theme: &str) -> String {
    let mut text = String::new();
    for letter in theme.chars() {
        if letter.is_ascii_uppercase() {
            text.push('_');
        }
        text.push(letter.to_ascii_lowercase());
    }
    text
}

/// Themes that describe a position or a move but name no pattern.
const NO_PATTERNS: [&str; 10] = [
    "mate",
    "castling",
    "quiet_move",
    "en_passant",
    "advanced_pawn",
    "exposed_king",
    "defensive_move",
    "only_move",
    "attacking_f2_f7",
    "sacrifice",
];

#[test]
#[ignore = "minutes; reads LUCENA_DATA"]
fn motifs_of_puzzles_are_named() {
    let mut explainer = Explainer::new(200_000).expect("memory");
    let kinds: Vec<&str> = Kind::ALL.iter().map(|kind| kind.name()).collect();
    let text = data("puzzles.csv");
    let rows: Vec<&str> = text.lines().skip(1).collect();
    let stride = (rows.len() / limit(rows.len())).max(1);
    let (mut asked, mut named, mut wrong, mut proved) = (0, 0, 0, 0);
    let mut by_theme: BTreeMap<String, [u32; 2]> = BTreeMap::new();
    let mut wrong_kinds: BTreeMap<String, u32> = BTreeMap::new();
    for row in rows.into_iter().skip(first()).step_by(stride) {
        let cells: Vec<&str> = row.split(',').collect();
        let mut themes: Vec<String> = cells[6].split(' ').map(snake).collect();
        let is_pattern = |theme: &&String| {
            kinds.contains(&theme.as_str()) && !NO_PATTERNS.contains(&theme.as_str())
        };
        let patterns: Vec<String> = themes.iter().filter(is_pattern).cloned().collect();
        if patterns.is_empty() {
            continue;
        }
        themes.retain(|theme| kinds.contains(&theme.as_str()));
        let position = Position::from_fen(cells[1]).expect("a position");
        let mut game = Game::new(position);
        let first = cells[2].split(' ').next().expect("a move");
        game.play_uci(first).expect("a legal move");
        let explanation = explainer
            .explain(&game, Question::default())
            .expect("an open game");
        let claims = &explanation.claims[..explanation.claims.len().min(2)];
        let said: Vec<&str> = claims.iter().map(|claim| claim.kind.as_str()).collect();
        asked += 1;
        let hit = patterns.iter().any(|theme| said.contains(&theme.as_str()));
        named += i32::from(hit);
        for theme in &patterns {
            let counts = by_theme.entry(theme.clone()).or_default();
            counts[0] += 1;
            counts[1] += u32::from(said.contains(&theme.as_str()));
        }
        for claim in claims {
            let kind = claim.kind.as_str();
            if !kinds.contains(&kind) || kind == "mate" || themes.iter().any(|theme| theme == kind)
            {
                continue;
            }
            wrong += 1;
            match proof::prove_motif(&explanation, claim) {
                Ok(()) => proved += 1,
                Err(fault) => println!("not proved: {fault}\n{row}\n{explanation}"),
            }
            *wrong_kinds.entry(kind.to_owned()).or_default() += 1;
            if std::env::var("LUCENA_SHOW").is_ok() {
                let line = explanation.lines[0].moves.join(" ");
                println!("{kind}: {row}\n{line}\n{explanation}\n");
            }
        }
    }
    for (theme, [all, found]) in by_theme {
        println!("{theme:25} {found:4} of {all:4}");
    }
    println!("not among the themes: {wrong_kinds:?}");
    let percent = |count| 100.0 * f64::from(count) / f64::from(asked);
    println!(
        "{asked} puzzles with a pattern: named in the first two sentences in {:.1} %, another motif named in {:.1} %: {wrong}, {proved} of them proved by the second checker",
        percent(named),
        percent(wrong)
    );
}
