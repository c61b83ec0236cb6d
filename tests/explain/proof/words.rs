//! What a sentence says of pieces, squares, moves and material.

use lucena::explain::Claim;
use shakmaty::{Board, Color, Position as _, Role, Square};

use super::lines::{Played, ensure};
use crate::checker::Proof;

const ROLES: [(&str, Role); 6] = [
    ("pawn", Role::Pawn),
    ("knight", Role::Knight),
    ("bishop", Role::Bishop),
    ("rook", Role::Rook),
    ("queen", Role::Queen),
    ("king", Role::King),
];

pub fn role(word: &str) -> Option<Role> {
    let found = ROLES.iter().find(|(name, _)| *name == word);
    found.map(|&(_, role)| role)
}

fn color(word: &str) -> Option<Color> {
    match word {
        "White's" | "white" => Some(Color::White),
        "Black's" | "black" => Some(Color::Black),
        _ => None,
    }
}

/// A square in a word, with its punctuation.
pub fn square(word: &str) -> Option<Square> {
    word.trim_matches(|letter: char| !letter.is_ascii_alphanumeric())
        .parse()
        .ok()
}

/// `knight on e5` and `White's knight on e5` in a text.
pub fn named_pieces(text: &str) -> Vec<(Option<Color>, Role, Square)> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let mut found = Vec::new();
    for (place, three) in words.windows(3).enumerate() {
        if let (Some(role), "on", Some(square)) = (role(three[0]), three[1], square(three[2])) {
            let owner = place.checked_sub(1).and_then(|before| color(words[before]));
            found.push((owner, role, square));
        }
    }
    found
}

fn stands(board: &Board, (owner, role, square): (Option<Color>, Role, Square)) -> bool {
    let piece = board.piece_at(square);
    piece.is_some_and(|piece| piece.role == role && owner.is_none_or(|owner| piece.color == owner))
}

/// The pieces of the fields stand on their squares when the claim is true, and those of the text somewhere in a line.
pub fn pieces_stand(claim: &Claim, own: &Played, lines: &[Played]) -> Proof {
    let all = || lines.iter().flat_map(|line| &line.positions);
    for piece in named_pieces(&claim.text) {
        ensure(
            all().any(|position| stands(position.board(), piece)),
            &format!("no {piece:?}"),
        )?;
    }
    if claim.line.is_empty() {
        return Ok(());
    }
    ensure(claim.ply < own.moves.len(), "no such move")?;
    let mut squares = claim.squares.iter();
    for piece in &claim.pieces {
        let (owner, name) = piece.split_once(' ').ok_or("a piece without a side")?;
        let role = role(name).ok_or("an unknown piece")?;
        let owner = color(owner);
        // The pieces are those on some of the squares, in order.
        let mut at = squares.by_ref().filter_map(|name| square(name));
        let found = at.any(|square| {
            let near = claim.ply..=claim.ply + 2;
            let mut boards = near.filter_map(|ply| own.positions.get(ply));
            let is_last = own.positions.len() <= claim.ply + 2;
            boards.any(|position| stands(position.board(), (owner, role, square)))
                || is_last && all().any(|position| stands(position.board(), (owner, role, square)))
        });
        ensure(found, &format!("no {piece}"))?;
    }
    Ok(())
}

/// Every numbered move of a sentence, and the moves right behind it, is that of a line.
pub fn moves_are_played(text: &str, lines: &[Played]) -> Proof {
    let mut at: Option<(u32, Color)> = None;
    for word in text.split_whitespace() {
        let word = word.trim_matches(['(', ')', '.', ',', ':', ';']);
        let (number, rest) = word.split_at(
            word.find(|letter: char| !letter.is_ascii_digit())
                .unwrap_or(word.len()),
        );
        let mv = if let (Ok(number), Some(mv)) = (number.parse(), rest.strip_prefix('.')) {
            at = Some((number, Color::White));
            mv
        } else if let (Ok(number), Some(mv)) = (number.parse(), rest.strip_prefix('…')) {
            at = Some((number, Color::Black));
            mv
        } else if let Some((number, Color::Black)) = at.filter(|_| is_san(word)) {
            at = Some((number, Color::Black));
            word
        } else {
            at = None;
            continue;
        };
        if !mv.starts_with(|letter: char| letter.is_ascii_alphabetic()) {
            at = None;
            continue;
        }
        let Some((number, turn)) = at else { continue };
        let bare = |text: &str| text.trim_end_matches(['+', '#']).to_owned();
        let is_played = lines.iter().any(|line| {
            let mut plies = line.positions.iter().zip(&line.sans);
            plies.any(|(position, san)| {
                position.fullmoves().get() == number
                    && position.turn() == turn
                    && bare(san) == bare(mv)
            })
        });
        ensure(is_played, &format!("{word} is in no line"))?;
        // The reply has the same number or the next one.
        at = match turn {
            Color::White => Some((number, Color::Black)),
            Color::Black => None,
        };
    }
    Ok(())
}

fn is_san(word: &str) -> bool {
    let bare = word.trim_end_matches(['+', '#']);
    bare.starts_with("O-O")
        || bare.len() <= 7
            && bare.starts_with(|letter: char| "NBRQKabcdefgh".contains(letter))
            && bare.contains(|letter: char| letter.is_ascii_digit())
            && bare.parse::<shakmaty::san::San>().is_ok()
}

/// Words about pawns that are promoted.
pub struct Promotion<'a> {
    /// 1 if by the side that the claim is about, otherwise -1.
    pub sign: i32,
    /// The new pieces, counted from pawn to queen.
    pub new: [i32; 5],
    /// The words behind.
    rest: &'a str,
}

/// What the words say of promotions, if they do.
pub fn promotion(text: &str) -> Result<Option<Promotion<'_>>, String> {
    let verbs = [
        (" promotes ", 1),
        (" threatens to promote ", 1),
        (" lets White promote ", -1),
        (" lets Black promote ", -1),
    ];
    let found = verbs.iter().find_map(|&(verb, sign)| {
        let (_, rest) = text.split_once(verb)?;
        let pawns = [("a pawn", 1), ("two pawns", 2), ("three pawns", 3)];
        pawns
            .iter()
            .find_map(|&(words, count)| Some((sign, count, rest.strip_prefix(words)?)))
    });
    let Some((sign, pawns, rest)) = found else {
        return Ok(None);
    };
    let Some(named) = rest.strip_prefix(" to ") else {
        let new = [0, 0, 0, 0, pawns];
        return Ok(Some(Promotion { sign, new, rest }));
    };
    let ends = [" and win", " for ", ":", ";", "."];
    let end = ends.iter().filter_map(|end| named.find(end)).min();
    let (list, rest) = named.split_at(end.unwrap_or(named.len()));
    let new = counts(list)?;
    if new.iter().sum::<i32>() != pawns {
        return Err(format!("{pawns} pawns become {list}"));
    }
    Ok(Some(Promotion { sign, new, rest }))
}

/// What a promotion and what is won or given beside it change.
fn promoted(promotion: &Promotion) -> Result<[i32; 5], String> {
    let rest = promotion.rest;
    let end = rest.find([':', ';']).unwrap_or(rest.len());
    let rest = rest[..end].trim_end_matches('.');
    let won = [" and wins ", " and win "]
        .iter()
        .find_map(|verb| rest.strip_prefix(verb));
    let (factor, list) = match (won, rest.strip_prefix(" for ")) {
        (Some(list), _) => (1, counts(list)?),
        (_, Some(list)) => (-1, counts(list)?),
        _ if rest.is_empty() => (0, [0; 5]),
        _ => return Err(format!("not understood: {rest}")),
    };
    let mut all: [i32; 5] = std::array::from_fn(|role| list[role] * factor + promotion.new[role]);
    all[0] -= promotion.new.iter().sum::<i32>();
    Ok(all)
}

/// Whether the words list these pieces. Words leave out even exchanges of knight and bishop, and the exchange is a rook for
/// either.
pub fn lists(text: &str, list: [i32; 5], change: &[i32; 5]) -> bool {
    let all = super::lines::without_pairs(change);
    let minor = |counts: [i32; 5]| [counts[0], counts[1] + counts[2], counts[3], counts[4]];
    if text.contains("the exchange") {
        minor(all) == minor(list)
    } else {
        all == list
    }
}

/// The list of pieces of a claim of material: 1 if they are won, -1 if they are lost, and the counts from pawn to queen.
pub fn material(text: &str) -> Result<(i32, [i32; 5]), String> {
    if let Some(promotion) = promotion(text)? {
        return Ok((promotion.sign, promoted(&promotion)?));
    }
    let (sign, rest) = if let Some((_, rest)) = text.split_once(" wins ") {
        (1, rest)
    } else if let Some((_, rest)) = text.split_once(" threatens to win ") {
        (1, rest)
    } else {
        let lost = [
            " loses ",
            " gives up ",
            " lets White win ",
            " lets Black win ",
        ];
        let mut found = lost.iter().filter_map(|verb| text.split_once(verb));
        (-1, found.next().ok_or("no verb")?.1)
    };
    let end = rest.find([':', ';']).unwrap_or(rest.len());
    Ok((sign, counts(rest[..end].trim_end_matches('.'))?))
}

/// The side and its list in `Black is a knight and a pawn up` or `White has a queen for a rook and two pawns`.
///
/// What stands in brackets is about another line.
pub fn balance(text: &str) -> Option<(Color, String)> {
    let text = text.split(" (").next()?;
    let sides = [("White", Color::White), ("Black", Color::Black)];
    sides.into_iter().find_map(|(name, side)| {
        let up = || {
            let (_, rest) = text.split_once(&format!("{name} is "))?;
            let (list, rest) = rest.split_once(" up")?;
            let end = rest.find([':', '.', ',']).unwrap_or(rest.len());
            let given = Some(&rest[..end]).filter(|given| given.starts_with(" for "));
            Some(format!("{list}{}", given.unwrap_or_default()))
        };
        let against = || {
            let (_, rest) = text.split_once(&format!("{name} has "))?;
            let end = rest.find([':', '.']).unwrap_or(rest.len());
            rest[..end]
                .contains(" for ")
                .then(|| rest[..end].to_owned())
        };
        Some((side, up().or_else(against)?))
    })
}

/// `a knight and a pawn`, or `a queen for two rooks`, counted from pawn to queen.
pub fn counts(list: &str) -> Result<[i32; 5], String> {
    let (won, given) = list.split_once(" for ").unwrap_or((list, ""));
    let mut counts = [0; 5];
    for (part, factor) in [(won, 1), (given, -1)] {
        let mut words = part
            .split([' ', ','])
            .filter(|word| !matches!(*word, "" | "and"));
        while let Some(word) = words.next() {
            if word == "the" {
                words
                    .next()
                    .filter(|word| *word == "exchange")
                    .ok_or("no exchange")?;
                counts[Role::Rook as usize - 1] += factor;
                counts[Role::Knight as usize - 1] -= factor;
                continue;
            }
            let count = match word {
                "a" | "one" => 1,
                "two" => 2,
                "three" => 3,
                "four" => 4,
                "five" => 5,
                "six" => 6,
                other => return Err(format!("no count: {other}")),
            };
            let name = words.next().ok_or("no piece")?;
            let role = role(name.trim_end_matches('s')).ok_or("no piece")?;
            counts[role as usize - 1] += factor * count;
        }
    }
    Ok(counts)
}
