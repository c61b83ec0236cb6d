//! Concepts, facts and comparisons of evaluations: they add up to the unit, they are the same for both colours, and no line
//! is larger than a player can take as a reason.

use std::collections::{BTreeMap, BTreeSet};

use crate::common::Random;
use crate::common::evaluation::{built_in_model, random_model, random_positions};
use lucena::chess::{Game, Position};
use lucena::eval::weights::{FILE, hits};
use lucena::eval::{BUILT_IN, COUNT, UNITS_PER_CENTIPAWN};
use lucena::explain::{
    Comparison, Concept, ConceptSums, Facts, Ledger, Share, Summary, Topic, picture,
};

/// Good knight against bad bishop, a Carlsbad structure, a Dragon before and after the exchange sacrifice on c3, three rook
/// endings, the start position, and opposite bishops.
const TEXTBOOK: [&str; 9] = [
    "8/1b3k2/p3p1p1/1p1pPp1p/1PpP1P1P/2P1K1P1/P3N3/8 w - - 0 1",
    "r1bqr1k1/pp1nbppp/2p2n2/3p2B1/3P4/2NBPN2/PPQ2PPP/R4RK1 w - - 0 11",
    "2rq1rk1/pp1bppbp/3p1np1/4n3/3NP2P/1BN1BP2/PPPQ2P1/1K1R3R b - - 0 13",
    "3q1rk1/pp1bppbp/3p1np1/4n3/3NP2P/1BP1BP2/P1PQ2P1/1K1R3R b - - 0 14",
    "1K1k4/1P6/8/8/8/8/r7/2R5 w - - 0 1",
    "4k3/7R/8/3KP3/8/r7/8/8 b - - 0 1",
    "8/r4pk1/6p1/7p/4PP1P/4K1P1/R7/8 w - - 0 1",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "8/5k2/3b1p2/6p1/1P4P1/5P2/4BK2/8 w - - 0 1",
];

/// Three pieces of a kind and more.
const MANY: [&str; 3] = [
    "4k3/pppppppp/8/8/8/8/QQQQ4/QQQQKQ2 w - - 0 1",
    "1k3bbb/8/8/8/8/8/NNN5/K3N3 w - - 0 1",
    "kq4qq/8/8/8/8/8/PPP5/KNNNB3 b - - 0 1",
];

/// Positions of random games, and those of [`MANY`].
fn positions(seed: u64, games: usize) -> impl Iterator<Item = Position> {
    let many = MANY.map(|fen| Position::from_fen(fen).unwrap());
    random_positions(seed, games).into_iter().chain(many)
}

fn facts(fen: &str) -> Facts {
    Facts::by(&BUILT_IN, &Position::from_fen(fen).unwrap())
}

/// In each position the facts of a concept add up to the concept, and so do the lines; the concepts to the ledger's total.
#[test]
fn facts_and_lines_add_up_to_the_concepts() {
    let mut random = Random::new(7);
    let models = [built_in_model(), random_model(&mut random)];
    for position in positions(7, 14) {
        for model in &models {
            let facts = Facts::by(model, &position);
            let mut by_fact: BTreeMap<Concept, i32> = BTreeMap::new();
            for fact in &facts.facts {
                *by_fact.entry(fact.concept).or_default() += fact.exact;
            }
            let mut by_line: BTreeMap<Concept, i32> = BTreeMap::new();
            for line in facts.lines() {
                *by_line.entry(line.concept).or_default() += line.exact;
            }
            for sum in &facts.sums.lines {
                let of = |sums: &BTreeMap<Concept, i32>| {
                    sums.get(&sum.concept).copied().unwrap_or_default()
                };
                let fen = position.to_fen();
                assert_eq!(of(&by_fact), sum.net.0, "{:?} in {fen}", sum.concept);
                assert_eq!(of(&by_line), sum.net.0, "{:?} in {fen}", sum.concept);
                assert_eq!(sum.white.0 + sum.black.0, sum.net.0);
            }
            let ledger = Ledger::by(model, &position);
            assert_eq!(facts.sums, ConceptSums::by(model, &position));
            assert_eq!(
                (facts.sums.total, facts.sums.rounding),
                (ledger.total, ledger.rounding)
            );
        }
    }
}

/// With colours swapped, each fact is there for the other side with the opposite value.
#[test]
fn a_colour_flip_negates_every_fact() {
    for position in positions(8, 20) {
        let key = |facts: &Facts, sign: i32| {
            let mut keys: Vec<_> = (facts.facts.iter())
                .map(|fact| {
                    let subject = fact.subject.map(|square| match sign {
                        1 => square,
                        _ => square.flip_vertical(),
                    });
                    (fact.concept, fact.topic, subject, sign * fact.exact)
                })
                .collect();
            keys.sort();
            keys
        };
        let flipped = Facts::by(&BUILT_IN, &position.flip());
        let facts = Facts::by(&BUILT_IN, &position);
        assert_eq!(key(&facts, 1), key(&flipped, -1), "{}", position.to_fen());
    }
}

/// No line above 60 centipawns but material, what the type of ending takes off it, passed pawns and attacked pieces.
#[test]
fn no_line_of_a_textbook_position_is_larger_than_a_reason() {
    for fen in TEXTBOOK {
        for line in facts(fen).lines() {
            let is_reason = matches!(
                line.topic,
                Topic::Material | Topic::Ending | Topic::PassedPawn | Topic::Attacked
            );
            let is_small = line.exact.abs() <= 60 * UNITS_PER_CENTIPAWN;
            assert!(is_reason || is_small, "{fen}: {:?}", line.text);
        }
    }
}

#[test]
fn the_start_position_reads_as_level() {
    let facts = facts(TEXTBOOK[7]);
    let material = facts.sums.get(Concept::Material);
    assert_eq!((material.white, material.black), (Share(0), Share(0)));
    let texts: Vec<String> = facts.lines().into_iter().map(|line| line.text).collect();
    assert_eq!(texts.len(), 5, "{texts:#?}");
    assert!(
        texts
            .iter()
            .all(|text| text.contains("rook") || text == "White is to move.")
    );
}

#[test]
fn material_is_what_one_side_has_more() {
    let material = |fen: &str| {
        let facts = facts(fen).facts.into_iter();
        let facts = facts.filter(|fact| fact.topic == Topic::Material);
        facts.map(|fact| fact.text).collect::<Vec<_>>()
    };
    assert_eq!(
        material(TEXTBOOK[0]),
        ["White has a knight against a bishop."]
    );
    assert_eq!(
        material(TEXTBOOK[3]),
        ["White has a rook against a knight."]
    );
    assert_eq!(material(TEXTBOOK[8]), ["White is a pawn up."]);
    let rich = "3qk3/pppppppp/8/8/8/8/PPPP4/RR1BK3 w - - 0 1";
    let found: BTreeSet<String> = material(rich).into_iter().collect();
    let expected = [
        "Black is four pawns up.",
        "White has two rooks and a bishop against a queen.",
    ];
    assert_eq!(found, expected.map(str::to_owned).into());
}

fn has(fen: &str, text: &str) -> bool {
    facts(fen).facts.iter().any(|fact| fact.text == text)
}

#[test]
fn pawns_far_ahead_of_a_king_do_not_shelter_it() {
    let some = "Black's king on g8 stands behind a pawn on h7 and advanced ones on f4 and g4.";
    assert!(has("r2q2k1/7p/8/8/5pp1/2N5/PPP5/2KR3Q b - - 0 1", some));
    let only = "Black's king on g8 has only advanced pawns in front of it, on f4 and g4, with none on the h-file.";
    assert!(has("r2q2k1/8/8/8/5pp1/2N5/PPP5/2KR3Q b - - 0 1", only));
}

#[test]
fn numbers_agree_with_their_nouns() {
    let contains = |fen: &str, part: &str| {
        let facts = facts(fen);
        let texts = facts.facts.iter().map(|fact| &fact.text);
        assert!(
            texts.clone().any(|text| text.contains(part)),
            "{:?}",
            texts.collect::<Vec<_>>()
        );
    };
    contains(
        "r2q1rk1/ppp2p1p/8/8/6p1/8/PPP2PPP/R2Q1RK1 w - - 0 1",
        "; Black's pawn is near on g4.",
    );
    contains(
        "6k1/8/5p1p/8/8/8/5PPP/6K1 w - - 0 1",
        "attacks one square of White's camp on the files around White's king on g1, twice.",
    );
    contains(
        "8/8/4K3/4P3/7p/8/1k3PP1/8 w - - 0 1",
        "; White's king is on its next square, Black's four steps from it.",
    );
    contains(
        "3r2k1/5ppp/8/8/3N4/8/5PPP/r1NQ2K1 w - - 0 1",
        "White's queen on d1 and Black's rooks on a1 and d8; ",
    );
}

/// Pawns, not the king, are in the way of the rook on h3.
#[test]
fn a_rook_is_shut_in_only_by_a_king_beside_it() {
    let shut_in = "White's rook on h1 is shut in by its own king.";
    assert!(has("4k3/8/8/8/8/8/5PPP/6KR w - - 0 1", shut_in));
    let outside = "White's rook on h3 stands on the outer side of its king and reaches no square.";
    assert!(has("4k3/8/8/8/7P/6PR/5P1P/6K1 w - - 0 1", outside));
}

/// Every sentence is whole, and every topic is met.
#[test]
fn every_fact_has_a_sentence() {
    // Some families are not trained yet.
    let model = random_model(&mut Random::new(12));
    let mut topics = BTreeSet::new();
    for position in random_positions(9, 70) {
        for fact in Facts::by(&model, &position).facts {
            let text = &fact.text;
            let fen = position.to_fen();
            assert!(
                text.ends_with('.') && !text.contains("  "),
                "{fen}: {text:?}"
            );
            assert!(text.starts_with(char::is_uppercase), "{fen}: {text:?}");
            assert!(!text.contains(['{', '+']), "{fen}: {text:?}");
            topics.insert(fact.topic);
        }
    }
    assert_eq!(topics.len(), Topic::Tempo as usize + 1, "{topics:?}");
}

/// The concepts, and the changes with the small ones, add up to the difference of the totals, for positions of one game
/// and for unrelated ones.
#[test]
fn comparisons_add_up_to_the_difference() {
    let model = random_model(&mut Random::new(10));
    let positions = random_positions(10, 14);
    let mut random = Random::new(11);
    for pair in positions.windows(2) {
        let unrelated = [pair[0], *random.pick(&positions)];
        for [first, second] in [[pair[0], pair[1]], unrelated] {
            for model in [&BUILT_IN, &*model] {
                let [first, second] = [first, second].map(|position| Facts::by(model, &position));
                let comparison = Comparison::of(&first, &second);
                let difference = (second.sums.total - first.sums.total) * UNITS_PER_CENTIPAWN;
                let rounding = comparison.rounding_exact;
                let concepts = comparison.concepts.iter().map(|line| line.exact);
                assert_eq!(concepts.sum::<i32>() + rounding, difference);
                let changes = comparison.changes.iter().map(|change| change.exact);
                let small = comparison.small_exact;
                assert_eq!(changes.sum::<i32>() + small + rounding, difference);
            }
        }
    }
}

#[test]
fn a_comparison_pairs_the_facts_of_a_piece_that_moved() {
    let after = Game::from_words(&format!("{} moves Ng1", TEXTBOOK[0])).unwrap();
    let after = Facts::by(&BUILT_IN, after.position());
    let comparison = Comparison::of(&facts(TEXTBOOK[0]), &after);
    let texts: Vec<&str> = comparison
        .changes
        .iter()
        .map(|change| change.text.as_str())
        .collect();
    assert!(texts.contains(&"White's knight on e2 → g1."), "{texts:#?}");
    let same = Comparison::of(&after, &after);
    assert_eq!(
        (same.changes.len(), same.concepts.len(), same.small),
        (0, 0, 0)
    );
}

/// A picture is one well-formed element with a title and a description, and has one text for each line.
#[test]
fn a_picture_is_well_formed() {
    for fen in TEXTBOOK {
        let facts = facts(fen);
        let svg = picture(&facts, None);
        let mut open = Vec::new();
        for part in svg.split('<').skip(1) {
            let (tag, text) = part.split_once('>').unwrap();
            assert!(!text.contains('"') && !text.contains('>'), "{text}");
            assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
            match tag.strip_prefix('/') {
                Some(name) => assert_eq!(open.pop(), Some(name)),
                None if tag.ends_with('/') => {}
                None => open.push(tag.split(' ').next().unwrap()),
            }
        }
        assert!(open.is_empty(), "{open:?}");
        assert!(svg.contains(&format!("<title id=\"title\">{fen}: Evaluation")));
    }
}

#[test]
fn a_game_that_is_over_is_called_so_first() {
    for (fen, end) in [
        (
            "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1",
            "The game is over: checkmate. White has won.",
        ),
        (
            "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
            "The game is over: stalemate.",
        ),
        (
            "8/8/4k3/8/8/3BK3/8/8 w - - 0 1",
            "The game is over: draw by insufficient material.",
        ),
        (
            "4k3/8/8/8/8/8/8/R3K3 w - - 100 80",
            "The game is over: draw by the fifty-move rule.",
        ),
    ] {
        let game = Game::from_words(fen).unwrap();
        let facts = facts(fen);
        let summary = Summary {
            facts: facts.clone(),
            end: game.end(),
        }
        .to_string();
        assert!(summary.starts_with(end), "{summary}");
        assert!(picture(&facts, game.end()).contains(end));
    }
}

#[test]
fn rare_features_are_marked() {
    let mut facts = facts(TEXTBOOK[0]);
    facts.count_hits(&hits(FILE));
    assert!(facts.lines().iter().any(|line| !line.rarely_seen));
    facts.count_hits(&[0; COUNT]);
    let text = Summary { facts, end: None }.to_string();
    assert!(text.contains("(rarely seen)"), "{text}");
}
