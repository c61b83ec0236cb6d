//! The second checker of whole explanations: every claim of every command is proved from its words and its JSON fields, with
//! shakmaty's rules and tablebases and none of the code that made it.
//!
//! Of a claim that the search makes (a longer mate, which move is better) the line and the numbers are checked; the rest of
//! it only another search could prove.

mod blame;
mod draws;
mod facts;
mod lines;
mod mates;
mod motifs;
mod pawn_endings;
mod perpetual;
mod pins;
mod points;
mod words;
mod zugzwang;

use lucena::chess::Game;
use lucena::explain::{Claim, Explainer, Explanation, Question, Source};
use shakmaty::{Chess, Move, Position, Square};
use shakmaty_syzygy::{AmbiguousWdl, Tablebase, Wdl};

use self::lines::{Played, ensure};
use crate::checker::Proof;
use crate::positions::{limit, nodes, own_positions};

/// What was said and what was proved.
#[derive(Default)]
pub struct Tally {
    claims: usize,
    /// Of these, claims whose sentence names a fact of the board that the checker knows.
    facts: usize,
    unproved: Vec<String>,
}

struct Prover {
    tables: Tablebase<Chess>,
    tally: Tally,
}

impl Prover {
    fn new() -> Self {
        let mut tables = Tablebase::new();
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tablebases");
        tables.add_directory(folder).expect("the tablebases");
        Self {
            tables,
            tally: Tally::default(),
        }
    }

    fn count(&mut self, fen: &str, claim: &Claim, proof: Proof) {
        self.tally.claims += 1;
        if let Err(fault) = proof {
            let text = &claim.text;
            self.tally
                .unproved
                .push(format!("{fen}: {} {text} [{fault}]", claim.kind));
        }
    }

    /// Proves the claims about two moves.
    fn explanation(&mut self, explanation: &Explanation) {
        let fen = explanation.fen.clone();
        let root = lines::position(&fen);
        let played: Vec<Played> = (explanation.lines.iter())
            .map(|line| Played::new(&root, &line.moves).expect("a legal line"))
            .collect();
        for claim in &explanation.claims {
            let proof = self.claim(&root, &played, explanation, claim);
            self.count(&fen, claim, proof);
        }
    }

    fn claim(
        &mut self,
        root: &Chess,
        played: &[Played],
        explanation: &Explanation,
        claim: &Claim,
    ) -> Proof {
        if claim.kind == "threat" {
            return threat(root, claim);
        }
        let own = Played::new(root, &claim.line)?;
        words::pieces_stand(claim, &own, played)?;
        let all = [played, std::slice::from_ref(&own)].concat();
        words::moves_are_played(&claim.text, &all)?;
        if let Some((_, why)) = claim.text.split_once(" is mate: ") {
            mates::prove(why, own.last())?;
        }
        match claim.kind.as_str() {
            "counter" => counter(claim, &own),
            "mate" => mate(claim, &own),
            "material" if claim.text.contains(" recaptures on ") => {
                recapture(claim, &own, played, &explanation.comparison.game)
            }
            "material" if claim.source == Source::Board => material(claim, &own),
            "draw" => draws::prove(claim, &own),
            "pawn_ending" => pawn_endings::prove(&self.tables, claim, &own),
            "zugzwang" => zugzwang::prove(&self.tables, claim, &own),
            "only_move" if root.legal_moves().len() == 1 => Ok(()),
            "tablebase" => self.tablebase(claim, explanation, root),
            "line" => Ok(()), // legal, and that of the search
            "verdict" if claim.text.starts_with("The best move is ") => {
                points::prove_score(claim, explanation)
            }
            "verdict" | "refusal" | "both_playable" => verdict(claim, explanation),
            "point" if claim.source == Source::Board => points::prove(claim, &own),
            _ if claim.source == Source::Ledger => {
                let Some(at) = own.positions.get(claim.ply + 1) else {
                    let is_total = matches!(claim.kind.as_str(), "cost" | "difference");
                    return ensure(is_total, "no position");
                };
                let known = facts::prove(&claim.text, at)?;
                self.tally.facts += usize::from(known);
                Ok(())
            }
            _ => prove_motif(explanation, claim),
        }
    }

    /// Both moves have the results that the tablebases give.
    fn tablebase(&self, claim: &Claim, explanation: &Explanation, root: &Chess) -> Proof {
        let (first, rest) = claim.text.split_once(':').ok_or("no colon")?;
        ensure(rest.contains("tablebases prove"), "no proof")?;
        for line in &explanation.lines {
            let after = Played::new(root, &line.moves[..1])?;
            let at = after.last();
            let result = if at.is_checkmate() {
                "win"
            } else if at.is_game_over()
                || draws::is_repeated(&explanation.comparison.game, &line.moves[0])
            {
                "draw"
            } else {
                let wdl = self
                    .tables
                    .probe_wdl(at)
                    .map_err(|fault| fault.to_string())?;
                // The fifty-move rule ends a long win of a position that does not begin with a capture or a pawn's move.
                let left = 100 - i64::from(at.halfmoves());
                let dtz = self.tables.probe_dtz(at);
                let dtz = dtz.map_err(|fault| fault.to_string())?.ignore_rounding();
                let needed = i64::from(dtz.0).abs();
                match wdl {
                    _ if at.halfmoves() > 0 && (needed - left).abs() <= 1 => return Ok(()), // rounded
                    _ if at.halfmoves() > 0 && needed > left => "draw",
                    AmbiguousWdl::Loss => "win",
                    AmbiguousWdl::Win => "lose",
                    _ if wdl.unambiguous() == Some(Wdl::Draw) => "draw",
                    _ => return Ok(()), // the fifty-move rule
                }
            };
            let name = line.moves[0].trim_end_matches(['#', '+']);
            let after = |mark: &str| first.split_once(&format!("{mark}{name}"));
            let (_, says) = after("…")
                .or_else(|| after("."))
                .ok_or("the move is not named")?;
            let verb = ["win", "draw", "lose"]
                .into_iter()
                .filter_map(|verb| says.find(&format!(" {verb}")).map(|place| (place, verb)))
                .min();
            ensure(
                verb.is_some_and(|(_, verb)| verb == result),
                &format!("{name}: {result}"),
            )?;
        }
        Ok(())
    }

    /// Proves the claims about what the opponent would do.
    fn threats(&mut self, explainer: &mut Explainer, game: &Game) {
        let threats = explainer.threats(game).expect("an open game");
        let root = lines::position(&threats.fen);
        let passed = lines::passed(&root);
        for claim in &threats.claims {
            let proof = match (claim.kind.as_str(), &passed) {
                ("check", _) => ensure(root.is_check(), "no check"),
                ("no_threat", _) => Ok(()),
                (_, None) => Err("it may not pass".to_owned()),
                (kind, Some(passed)) => Played::new(passed, &claim.line).and_then(|own| {
                    words::moves_are_played(&claim.text, std::slice::from_ref(&own))?;
                    match kind {
                        "mate" => mate(claim, &own),
                        "threat" => material(claim, &own),
                        _ => motifs::prove_threat(&threats.fen, claim),
                    }
                }),
            };
            self.count(&threats.fen, claim, proof);
        }
    }

    /// Proves the claim about what a choice rests on.
    fn blame(&mut self, explainer: &mut Explainer, game: &Game) {
        let blame = explainer.blame(game, Question::default());
        let blame = blame.expect("an open game");
        for claim in &blame.claims {
            self.count(&blame.fen, claim, blame::prove(&blame, claim));
        }
    }
}

/// A motif, or a pin that the line uses.
pub fn prove_motif(explanation: &Explanation, claim: &Claim) -> Proof {
    let own = Played::new(&lines::position(&explanation.fen), &claim.line)?;
    match claim.kind.as_str() {
        "pin" if pins::is_used(claim) => pins::prove(claim, &own),
        "pin" => pins::prove(claim, &own).or_else(|_| motifs::prove(explanation, claim)),
        _ => motifs::prove(explanation, claim),
    }
}

/// A mate: on the board if the line is shown to its end, else by the length of the line.
fn mate(claim: &Claim, own: &Played) -> Proof {
    let moves = claim.numbers.get("moves").copied().ok_or("no number")? as usize;
    let is_mate = own.last().is_checkmate();
    if claim.source == Source::Board || claim.text.contains(" is mate") {
        ensure(is_mate, "no mate at the end")?;
    }
    if is_mate {
        let plies = own.moves.len();
        ensure(
            plies.div_ceil(2) == moves || plies / 2 == moves,
            "another number of moves",
        )?;
    }
    let one = moves == 1 && !is_mate;
    ensure(!one || own.moves.len() > 1, "no mate in one")
}

/// The line ends with mate of the side whose capture fails, or the other side has the lead in material of
/// before the capture at the end of the line.
fn counter(claim: &Claim, own: &Played) -> Proof {
    let text = &claim.text;
    let text = text
        .rsplit_once(", ")
        .map_or(text.as_str(), |(_, text)| text);
    let (move_number, _) = text.split_once(['.', '…']).ok_or("no move")?;
    let number: u32 = move_number.parse().map_err(|_| "no move number")?;
    let is_white = text.as_bytes().get(move_number.len()) == Some(&b'.');
    let place = own.positions.iter().position(|position| {
        position.fullmoves().get() == number && position.turn().is_white() == is_white
    });
    let before = place.ok_or("the capture is in no line")?;
    ensure(own.moves[before].is_capture(), "no capture")?;
    if claim.text.contains("allows mate") {
        let loser = own.positions[before].turn();
        return ensure(
            own.last().is_checkmate() && own.last().turn() == loser,
            "no mate",
        );
    }
    if claim.source == Source::Search {
        return ensure(claim.text.contains("does not help"), "no fact of the board");
    }
    // From the view of the side that moves first in the line.
    let sign = if before % 2 == 0 { -1 } else { 1 };
    let lead = |plies: usize| sign * lines::worth(&own.change_after(plies));
    // What was won before the capture may be given back for the piece that it takes.
    let least = if claim.text.contains(" does not win the material back") {
        lead(before)
    } else {
        0
    };
    let is_kept = lead(own.moves.len()) >= least;
    ensure(lead(before) >= 0 && is_kept, "the material is won back")?;
    let number = claim.numbers.get("material").ok_or("no number")?;
    let material = f64::from(lines::worth(&own.change())) / 100.0;
    ensure((material - number).abs() < 0.01, "another number")
}

/// The first move captures what captured on its square, and the exchange as a whole wins what the words list.
fn recapture(claim: &Claim, own: &Played, played: &[Played], game: &Game) -> Proof {
    let (before, last) = game.last_move().ok_or("no last move")?;
    let (_, rest) = claim
        .text
        .split_once(" recaptures on ")
        .ok_or("no square")?;
    let square = rest.get(..2).and_then(words::square).ok_or("no square")?;
    let taken = |mv: &Move| mv.is_capture() && mv.to() == square;
    ensure(taken(&own.moves[0]), "no capture there")?;
    let (root, last) = (
        lines::position(&before.to_fen()),
        before.san(last).to_string(),
    );
    let all = [std::slice::from_ref(&last), own.sans.as_slice()].concat();
    let whole = Played::new(&root, &all)?;
    ensure(taken(&whole.moves[0]), "it recaptures nothing")?;
    let number = claim.numbers.get("material").ok_or("no number")?;
    let worth = lines::worth(&own.change());
    ensure(
        (f64::from(worth) / 100.0 - number).abs() < 0.01,
        "another number",
    )?;
    let change = whole.change().map(|count| -count);
    if let Some((_, missing)) = rest.split_once("; after ") {
        return missing_recapture(missing, played, square);
    }
    if rest.contains(" and wins ") {
        listed(&claim.text, change)
    } else {
        ensure(lines::worth(&change) < 100, "the exchange wins material")
    }
}

/// The other move does not recapture, and in its line there is the balance that the words name.
fn missing_recapture(words: &str, played: &[Played], square: Square) -> Proof {
    let (side, list) = words::balance(words).ok_or("no balance")?;
    let (moves, _) = words.split_once(", ").ok_or("no line")?;
    let last = moves.split([' ', '.', '…']).next_back().ok_or("no move")?;
    let counts = words::counts(&list)?;
    let is_there = |line: &Played| {
        let first = line.moves[0].to();
        let mut plies = line.sans.iter().zip(&line.positions[1..]);
        first != square
            && moves.contains(&line.sans[0])
            && plies.any(|(san, there)| {
                san == last && words::lists(words, counts, &lines::lead(there, side))
            })
    };
    ensure(played.iter().any(is_there), "another balance")
}

/// The words list these pieces.
fn listed(text: &str, change: [i32; 5]) -> Proof {
    let (sign, list) = words::material(text)?;
    let same = words::lists(text, list, &change.map(|count| count * sign));
    ensure(same, &format!("{change:?} against {list:?}"))
}

/// Pieces won or lost along the line, as the words list them.
fn material(claim: &Claim, own: &Played) -> Proof {
    let change = own.change();
    let number = claim.numbers.get("material").ok_or("no number")?;
    let worth = lines::worth(&change);
    ensure(
        (f64::from(worth) / 100.0 - number).abs() < 0.01,
        &format!("{worth} centipawns"),
    )?;
    // A new piece is won by a promotion, not by a capture: all that the side has more of at the end are named.
    let promotion = words::promotion(&claim.text)?;
    let (sign, named) = promotion.map_or((number.signum() as i32, [0; 5]), |found| {
        (found.sign, found.new)
    });
    ensure(own.promoted(sign) == named, "other new pieces")?;
    listed(&claim.text, change)
}

/// The move, a null move of the opponent, and the moves that mate or win what the words list.
fn threat(root: &Chess, claim: &Claim) -> Proof {
    let [_, null, ..] = &claim.line[..] else {
        return Err("no null move".to_owned());
    };
    ensure(null == "--", "no null move")?;
    let own = Played::new(root, &claim.line[..1])?;
    ensure(!own.last().is_check(), "a check is met first")?;
    let passed = lines::passed(own.last()).ok_or("it may not pass")?;
    let threat = Played::new(&passed, &claim.line[2..])?;
    words::pieces_stand(claim, &own, std::slice::from_ref(&threat))?;
    words::moves_are_played(&claim.text, &[own, threat.clone()])?;
    if claim.numbers.contains_key("moves") {
        return mate(claim, &threat);
    }
    ensure(lines::worth(&threat.change()) > 0, "nothing is won")?;
    material(claim, &threat)
}

/// The difference is that of the scores of the lines.
fn verdict(claim: &Claim, explanation: &Explanation) -> Proof {
    let Some(whole) = claim.numbers.get("whole") else {
        return Ok(());
    };
    let scores: Vec<f64> = (explanation.lines.iter())
        .filter_map(|line| match &line.score {
            lucena::explain::ShownScore::Centipawns(score) => Some(f64::from(*score) / 100.0),
            lucena::explain::ShownScore::Mate(_) => None,
        })
        .collect();
    let [better, worse] = scores[..] else {
        return Ok(());
    };
    if claim.text.contains("is winning after") || claim.text.contains("is losing after") {
        let both = format!("({better:+.2} and {worse:+.2})");
        let is_won = claim.text.contains("is winning after");
        let is_decided = if is_won { worse >= 1.5 } else { better <= -1.5 };
        let is_shown = claim.text.contains(&both) || better.abs().max(worse.abs()) > 100.0;
        ensure(is_shown && is_decided, "other scores")?;
    }
    ensure(
        (better - worse - whole).abs() < 0.025,
        &format!("{better} and {worse}"),
    )
}

/// `blame` is asked about one of so many positions: it searches a hundred times.
const BLAMED: usize = 10;

/// Proves all claims of all commands about this many own positions.
fn prove_positions(count: usize, nodes: u64) -> Tally {
    let mut explainer = Explainer::new(nodes).expect("memory");
    let mut prover = Prover::new();
    for (number, game) in own_positions(count).into_iter().enumerate() {
        let best = explainer
            .explain(&game, Question::default())
            .expect("an open game");
        prover.explanation(&best);
        // Of every position another move is asked about.
        let legal = game.position().legal_moves();
        let mv = legal[prover.tally.claims % legal.len()];
        let question = Question {
            mv: Some(mv),
            ..Question::default()
        };
        let why_not = explainer.explain(&game, question).expect("an open game");
        prover.explanation(&why_not);
        prover.threats(&mut explainer, &game);
        if number % BLAMED == 0 {
            prover.blame(&mut explainer, &game);
        }
    }
    prover.tally
}

#[test]
fn claims_are_proved_by_other_code() {
    let tally = prove_positions(60, 20_000);
    assert!(tally.unproved.is_empty(), "{:#?}", tally.unproved);
    assert!(tally.facts > 10, "only {} facts", tally.facts);
}

#[test]
fn perpetual_checks_are_proved_by_other_code() {
    let positions = [
        "7k/5p1p/8/6Q1/8/1q6/r7/6K1 w - - 0 1",
        "6k1/5p1p/8/6Q1/8/1qb5/r7/6K1 b - - 0 1",
    ];
    let mut prover = Prover::new();
    let mut explainer = Explainer::new(20_000).expect("enough nodes");
    for fen in positions {
        let game = Game::new(lucena::chess::Position::from_fen(fen).expect("a position"));
        let explanation = explainer.explain(&game, Question::default());
        let explanation = explanation.expect("an open game");
        assert!(explanation.to_string().contains("gives perpetual check"));
        prover.explanation(&explanation);
    }
    let unproved = prover.tally.unproved;
    assert!(unproved.is_empty(), "{unproved:#?}");
    // The king walks away from a lone check.
    let open_board = lines::position("7k/8/8/8/8/8/R7/K7 w - - 0 1");
    let check = Played::new(&open_board, &["Ra8+".to_owned()]).expect("a legal move");
    assert!(perpetual::prove(&check, 0).is_err());
}

#[test]
#[ignore = "minutes"]
fn claims_of_ten_thousand_positions() {
    let count = limit(10_000);
    let tally = prove_positions(count, nodes(5_000));
    for text in &tally.unproved {
        println!("{text}");
    }
    println!(
        "{} claims about {count} positions, {} of them with a fact of the evaluation; unproved: {}",
        tally.claims,
        tally.facts,
        tally.unproved.len()
    );
    assert!(tally.unproved.is_empty());
}
