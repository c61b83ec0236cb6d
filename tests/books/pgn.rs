//! Games for books: no move that the file does not have, nothing left out without a word.

use std::fs;
use std::io::Cursor;
use std::ops::ControlFlow;
use std::path::Path;

use crate::common::{Folder, lucena};
use lucena::lab::bookmaking::pgn::{Issues, ReadOptions, Step, read_file};
use pgn_reader::{RawTag, Reader, SanPlus, Visitor};
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Position};

/// Builds a book from these files; output and errors, and whether it succeeds.
fn build(files: &[&str], book: &str) -> (String, bool) {
    let start = ["book", "build", "--min-games", "1", "--out", book, "--pgn"];
    let output = lucena(&[&start[..], files].concat());
    let text = [output.stdout, output.stderr].concat();
    let text = String::from_utf8(text).expect("UTF-8");
    (text, output.status.success())
}

#[test]
fn games_that_cannot_be_read_are_named_and_leave_no_move() {
    let rows: [(&str, &str); 17] = [
        (
            "1. e4 e5 2. Sf3 Sc6 3. d4 exd4 1-0",
            "line 1: `Sf3` is not a move",
        ),
        ("hello world", "line 1: `hello` is not a move"),
        (
            "1. e4 e5\n2. Ke3 *",
            "line 2: `Ke3` is not legal; king moves: Ke2",
        ),
        ("1. e4 -- 2. d4 *", "a null move"),
        ("1. e4 { e5", "a comment has no end"),
        ("1. e4 (1. d4 *", "a variation has no end"),
        ("1. e4 ) e5 *", "a variation ends without a start"),
        ("1. e4 1-0 e5", "e5 comes after the result"),
        ("1. e4 ] e5 *", "']' cannot be read"),
        (
            "1. e4 e5\n\n2. Nf3 Nc6 *",
            "line 3: the moves start with number 2, without tags",
        ),
        (
            "[Event \"a\"] [FEN \"nonsense\"]\n\n1. d4 *",
            "game 1: line 1: FEN",
        ),
        (
            "[Event \"a\"]\n[Result \"1-0",
            "line 2: the tag \"[Result \\\"1-0\" has no end",
        ),
        (
            "[FEN \"8/8/8/8/8/8/8/K1k5 w - -\"]\n[FEN \"K1k5/8/8/8/8/8/8/8 w - -\"]\n\n*",
            "two FEN tags",
        ),
        ("[Variant \"Atomic\"]\n\n1. e4 *", "variant Atomic"),
        ("1. e4 \0 *", "a NUL byte"),
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "a position, not a game",
        ),
        (
            "1. Ng1-f3 d7-d5 2. Nb1-c3 d5-d4 3. Nb5 a6 4. Nd4 *",
            "`Nd4` is ambiguous: Nfxd4 Nbxd4",
        ),
    ];
    let folder = Folder::new("book-pgn");
    let book = folder.text("built.bin");
    for (text, reason) in rows {
        let games = folder.write("games.pgn", text);
        let (output, good) = build(&[games.to_str().expect("text")], &book);
        let place = "games.pgn: game ";
        let found = output
            .lines()
            .any(|line| line.contains(place) && line.contains(reason));
        assert!(found, "no {reason} in {output}");
        assert!(output.contains("1 game skipped"), "{output}");
        // Where an empty line ends a game, its first moves are one.
        assert_eq!(good, text.contains("\n\n2."), "{output}");
    }
    let long = format!("1. e4 {{{}}} *\n\n1. d4 *\n", "x".repeat(1 << 20));
    let games = folder.write("games.pgn", long);
    let (output, good) = build(&[games.to_str().expect("text")], &book);
    assert!(
        good && output.contains("game 1: line 1: the game is longer"),
        "{output}"
    );
    assert!(
        output.contains("\n1 game\n") || output.starts_with("1 game\n"),
        "{output}"
    );
    assert!(output.contains("book 1 position, 1 move\n"), "{output}");
}

#[test]
fn moves_are_read_as_people_write_them() {
    let folder = Folder::new("book-loose");
    let book = folder.text("built.bin");
    let games = folder.write(
        "games.pgn",
        "1. e2-e4 e7-e5 2. Ng1-f3 Nb8-c6 3. Bf1-b5 {x} (3. Bc4 xyzzy Ke4) Ng8-f6 4. 0-0 Nf6xe4 1/2\n",
    );
    let (output, good) = build(&[games.to_str().expect("text")], &book);
    assert!(
        good && output.contains("book 8 positions, 8 moves"),
        "{output}"
    );
}

#[test]
fn compressed_files_are_read_and_damage_is_named() {
    let folder = Folder::new("book-packed");
    let book = folder.text("built.bin");
    let plain = "tests/data/review.pgn";
    assert!(build(&[plain], &book).1);
    let expected = fs::read(&book).expect("a book");
    for ending in ["zst", "xz"] {
        let packed = format!("{plain}.{ending}");
        assert!(build(&[&packed], &book).1);
        assert_eq!(fs::read(&book).expect("a book"), expected);
        let bytes = fs::read(&packed).expect("a file");
        let cut = folder.write(&format!("cut.pgn.{ending}"), &bytes[..bytes.len() - 40]);
        let cut = cut.to_str().expect("text");
        for (output, good) in [build(&[cut], &book), review(cut)] {
            assert!(!good, "{output}");
            assert!(
                output.contains("the compressed file is damaged or cut off"),
                "{output}"
            );
        }
    }
    let gzip = folder.write("games.pgn.gz", b"\x1f\x8b\x08\0\0\0\0\0\0\x03");
    let gzip = gzip.to_str().expect("text");
    for (output, good) in [build(&[gzip], &book), review(gzip)] {
        assert!(
            !good && output.contains("gzip, which is not supported: unpack it first"),
            "{output}"
        );
    }
    assert_eq!(fs::read(&book).expect("a book"), expected);
}

/// Errors of a review, and whether it succeeds.
fn review(file: &str) -> (String, bool) {
    let output = lucena(&["review", file, "--nodes", "100"]);
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    (errors, output.status.success())
}

/// The moves of each game in UCI notation, by pgn-reader and shakmaty.
struct Moves;

impl Visitor for Moves {
    type Tags = Chess;
    type Movetext = (Chess, Vec<String>);
    type Output = Vec<String>;

    fn begin_tags(&mut self) -> ControlFlow<Vec<String>, Chess> {
        ControlFlow::Continue(Chess::default())
    }

    fn tag(
        &mut self,
        start: &mut Chess,
        name: &[u8],
        value: RawTag<'_>,
    ) -> ControlFlow<Vec<String>> {
        if name == b"FEN" {
            let fen = Fen::from_ascii(value.as_bytes()).expect("a FEN");
            *start = fen
                .into_position(CastlingMode::Standard)
                .expect("a position");
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, start: Chess) -> ControlFlow<Vec<String>, (Chess, Vec<String>)> {
        ControlFlow::Continue((start, Vec::new()))
    }

    fn san(
        &mut self,
        (at, moves): &mut (Chess, Vec<String>),
        san: SanPlus,
    ) -> ControlFlow<Vec<String>> {
        let mv = san.san.to_move(at).expect("a legal move");
        moves.push(mv.to_uci(CastlingMode::Standard).to_string());
        at.play_unchecked(mv);
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, (_, moves): (Chess, Vec<String>)) -> Vec<String> {
        moves
    }
}

#[test]
fn another_reader_finds_the_same_moves() {
    for file in [
        "tests/data/review.pgn",
        "tests/data/players.pgn",
        "books/repertoire.pgn",
    ] {
        let text = fs::read(file).expect("games");
        let mut reader = Reader::new(Cursor::new(text));
        let mut expected = Vec::new();
        while let Some(moves) = reader.read_game(&mut Moves).expect("PGN") {
            expected.push(moves);
        }
        let options = ReadOptions {
            max_ply: usize::MAX,
            names: false,
            scores: false,
        };
        let (mut found, mut skipped) = (Vec::new(), Issues::default());
        let read = read_file(Path::new(file), options, &(), &mut skipped, &mut |batch| {
            for game in &batch.games {
                let mut moves = Vec::new();
                let read = batch.play(game, |step| {
                    if let Step::Move(_, mv) = step {
                        moves.push(mv.uci(false).to_string());
                    }
                });
                read.expect("a game");
                found.push(moves);
            }
            ControlFlow::Continue(())
        });
        read.expect("a file");
        assert!(skipped.count == 0 && found == expected, "{file}");
    }
}
