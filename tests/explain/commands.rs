//! The commands as a user meets them: wrong moves, finished games, the best move, texts in pictures.

use crate::common::{lucena, lucena_with_input};

const ITALIAN: &str = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3";

fn run(arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = lucena(&[arguments, &["--nodes", "5000"]].concat());
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    (
        output.status.code(),
        text(output.stdout),
        text(output.stderr),
    )
}

/// The answer with as many nodes as a user gets, or as are given.
fn answer(arguments: &[&str]) -> String {
    String::from_utf8(lucena(arguments).stdout).expect("UTF-8")
}

#[test]
fn a_wrong_move_names_the_legal_ones() {
    for (mv, message) in [
        ("d7d3", "moves from d7"),
        ("e7e4", "e7 is empty"),
        ("Ke6", "king moves: Ke7"),
        ("Nf7", "knight moves"),
        ("hello", "is not a move"),
    ] {
        let (status, out, error) = run(&["explain", ITALIAN, mv]);
        assert_eq!((status, out.as_str()), (Some(2), ""), "{mv}: {error}");
        assert!(error.contains(message), "{mv}: {error}");
    }
    let twins = "4k3/8/8/8/8/8/3K4/R6R w - - 0 1";
    let (status, _, error) = run(&["why-not", twins, "Rd1"]);
    assert!(
        status == Some(2) && error.contains("ambiguous: Rad1 Rhd1"),
        "{error}"
    );
    let (status, _, error) = run(&["explain", twins, "Ra5", "--against", "a1a5"]);
    assert!(
        status == Some(2) && error.contains("compared with itself"),
        "{error}"
    );
    let (status, _, error) = run(&["why-not", ITALIAN]);
    assert_eq!(status, Some(2), "{error}");
}

#[test]
fn a_finished_game_has_nothing_to_explain() {
    for (fen, end) in [
        ("3R2k1/5ppp/8/8/8/8/8/K7 b - - 1 1", "checkmate"),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "stalemate"),
        (
            "8/8/8/4k3/8/8/8/4K3 w - - 0 1",
            "draw by insufficient material",
        ),
    ] {
        for command in ["explain", "threats", "blame"] {
            let (status, out, error) = run(&[command, fen]);
            assert_eq!((status, out.as_str()), (Some(1), ""));
            let missing = if command == "threats" {
                "no threats"
            } else {
                "nothing to explain"
            };
            assert_eq!(error, format!("error: {missing}: {end}\n"));
        }
    }
}

#[test]
fn nothing_is_blamed_where_no_concept_decides() {
    let mate = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1";
    let (status, out, _) = run(&["blame", mate]);
    let decided = "A mate or a tablebase decides between 1.Rd8# and ";
    assert!(status == Some(0) && out.starts_with(decided), "{out}");
    assert_eq!(out.lines().count(), 1, "{out}");
    let blocked = "8/8/1p6/p1p2k2/P1P5/1P3K2/8/8 w - - 0 1";
    let out = answer(&["blame", blocked, "--nodes", "20000"]);
    assert!(out.ends_with("both are playable.\n"), "{out}");
}

#[test]
fn too_many_nodes_are_refused() {
    for command in ["explain", "threats", "blame"] {
        let nodes = u64::MAX.to_string();
        let output = lucena(&[command, ITALIAN, "--nodes", &nodes]);
        assert_eq!(output.status.code(), Some(2), "{command}");
    }
    assert!(lucena::explain::Explainer::new(u64::MAX).is_ok());
}

#[test]
fn the_best_move_is_called_so() {
    let (status, out, _) = run(&["why-not", "6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1", "d1d8"]);
    assert!(
        status == Some(0) && out.starts_with("1.Rd8 is mate"),
        "{out}"
    );
    let capture = "4k3/5ppp/8/3q4/4P3/8/5PPP/4K3 w - - 0 1";
    let (_, out, _) = run(&["explain", capture, "exd5"]);
    assert!(out.contains("wins a queen"), "{out}");
    let only = "7k/8/8/8/8/8/6q1/7K w - - 0 1";
    let (_, out, _) = run(&["explain", only]);
    assert_eq!(out, "1.Kxg2 is the only legal move.\n");
}

#[test]
fn a_blunder_is_named_before_what_the_other_move_wins() {
    let hanging = "r4rk1/ppp2ppp/2n5/3q4/Q7/2N5/PPP2PPP/R4RK1 w - - 0 1";
    let (_, out, _) = run(&["why-not", hanging, "Qd4"]);
    let second = out.lines().nth(1);
    assert_eq!(second, Some("1.Qd4 loses a queen: 1.Qd4 Qxd4."), "{out}");
    // What the line wins later is left out.
    assert!(out.contains("\n1.Nxd5 wins a queen.\n"), "{out}");
    let mate = "3r2k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1";
    let (_, out, _) = run(&["explain", mate, "h3"]);
    assert!(out.contains("\n1.h3 loses a rook: 1.h3 Rxd1+.\n"), "{out}");
}

#[test]
fn of_two_playable_moves_the_points_are_named() {
    let castled = "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 2 8";
    let point = "After 8.O-O, White's king on g1 stands behind pawns on f2, g2 and h2.";
    let out = answer(&["explain", castled, "O-O", "--against", "dxc5"]);
    assert!(out.contains(": both are playable.\n"), "{out}");
    assert!(out.contains(point), "{out}");
}

/// Of a mate that is missed the text also says what the move keeps.
#[test]
fn what_a_move_keeps_that_misses_mate_is_shown() {
    let mate = "4kb1r/p2n1ppp/4q3/4p1B1/4P3/1Q6/PPP2PPP/2KR4 w k - 1 16";
    let (_, out, _) = run(&["why-not", mate, "Qb7"]);
    let (_, kept) = out
        .rsplit_once("\nThe best move is 16.Qb8+; after 16.Qb7 ")
        .expect(&out);
    assert!(kept.ends_with(").\n"), "{out}");
}

/// Black castles after any capture of the bishop.
#[test]
fn the_shelter_of_the_enemy_king_is_no_cost() {
    let bishop = "r2qk2r/1pp2ppp/p1n1bn2/8/Q1pP4/2b1BN2/PP2BPPP/R4RK1 w kq - 0 11";
    let out = answer(&["explain", bishop, "--nodes", "60000"]);
    assert!(!out.contains("costs"), "{out}");
}

/// Both queens attack each other.
#[test]
fn an_exchange_that_is_offered_is_no_threat() {
    let queens = "2r2rk1/pp1b1ppp/4p1n1/3pP3/1q6/N2B1N2/PPQ2PPP/R3R1K1 w - - 0 16";
    let out = answer(&[
        "explain",
        queens,
        "Qb3",
        "--against",
        "Qd2",
        "--nodes",
        "20000",
    ]);
    assert!(
        out.contains("16.Qb3 offers the exchange of queens."),
        "{out}"
    );
    assert!(!out.contains("threatens to win a queen"), "{out}");
}

#[test]
fn without_queens_pawns_in_front_of_a_king_are_no_point() {
    let knights = "8/8/p3k2p/6p1/5n2/2P5/PPN5/2K5 w - - 0 35";
    let out = answer(&["explain", knights, "--nodes", "60000"]);
    assert!(!out.contains("stands behind"), "{out}");
}

/// The bishop attacks a knight that the queen defends.
#[test]
fn an_attack_that_wins_nothing_is_no_reason() {
    let knight = "r1bqk2r/1pp2ppp/p1n5/3n4/2BP4/5N2/PP1N1PPP/R2QK2R w KQkq - 0 10";
    let (_, out, _) = run(&["explain", knight, "Qe2+"]);
    assert!(!out.contains("which is defended"), "{out}");
}

/// The king walks into the centre of an endgame for its squares.
#[test]
fn a_king_without_pawns_in_front_of_it_is_no_point() {
    let pawns = "8/5pk1/6p1/7p/7P/4K1P1/5P2/8 w - - 0 1";
    let (_, out, _) = run(&["explain", pawns]);
    assert!(!out.contains("has no pawn in front"), "{out}");
}

/// The check only delays the mate.
#[test]
fn what_a_side_attacks_before_it_is_mated_is_no_reason() {
    let (_, out, _) = run(&["explain", "6k1/5p1p/5PpQ/8/8/2n5/5PPP/2R3K1 b - - 0 1"]);
    assert!(
        out.starts_with("After 1…Ne2+ White mates within 3 moves"),
        "{out}"
    );
    assert!(!out.contains("at once"), "{out}");
}

/// Both pawns would be the same passed pawn, both rooks stand on the same file.
#[test]
fn what_both_moves_make_is_no_point() {
    let rooks = "r4rk1/5p1p/p2qpnp1/1p2b3/3p4/3B1R2/PPQ3PP/R1BN3K b - - 0 1";
    let (_, out, _) = run(&["explain", rooks, "Rac8", "--against", "Rfc8"]);
    assert!(!out.contains("open file"), "{out}");
}

#[test]
fn what_a_move_threatens_is_shown() {
    let queen = "startpos e4 d5 exd5 Qxd5";
    let out = answer(&["explain", queen, "Nc3", "--against", "Nf3"]);
    let threat = "After 3.Nc3, White threatens to win a queen: 4.Nxd5.";
    assert!(out.contains(threat), "{out}");
    // 2.Rxb6 would lose the queen.
    let knight = "7k/1p6/1n1rrq1p/1R1p1p1p/3P1P2/QR2P2P/6PK/5B2 w - - 0 1";
    let (_, out, _) = run(&["explain", knight, "Qa7", "--against", "Qa5"]);
    assert!(!out.contains("2.Rxb6."), "{out}");
}

/// The search of two moves misses them: they are proved beside it.
#[test]
fn mates_that_begin_with_a_sacrifice_are_found() {
    let smothered = "r4rk1/p4Nbp/2p1Q1p1/8/1P6/q2P4/2P2PPP/5RK1 w - - 4 25";
    let lasker = "rn3rk1/pbppq1pp/1p2pb2/4N2Q/3PN3/3B4/PPP2PPP/R3K2R w KQ - 7 11";
    for (position, mv, mate) in [
        (smothered, None, "25.Nh6+ forces mate within 3 moves: "),
        (lasker, Some("Qxh7+"), "11.Qxh7+ forces mate within "),
    ] {
        let arguments: Vec<&str> = ["explain", position].into_iter().chain(mv).collect();
        let out = answer(&arguments);
        assert!(out.starts_with(mate), "{out}");
    }
}

/// 8…Kxd8 would be a pawn up, with the worse position.
#[test]
fn what_the_worse_side_is_ahead_is_not_won() {
    let out = answer(&["why-not", "startpos e4 e5 Nf3", "a6"]);
    assert!(!out.contains("wins a pawn"), "{out}");
}

#[test]
fn a_piece_that_is_taken_back_threatens_nothing() {
    let position = "startpos e4 e5 Nf3 Nc6 Bb5 a6";
    let (_, out, _) = run(&["explain", position, "Bxc6", "--against", "Ba4"]);
    assert!(!out.contains("threatens"), "{out}");
}

#[test]
fn what_the_better_move_wins_comes_before_a_mate() {
    let (_, out, _) = run(&["explain", "6k1/5p1p/6p1/8/8/2Q5/5PPP/2q3K1 w - - 0 1"]);
    assert!(out.starts_with("1.Qxc1 wins a queen.\n"), "{out}");
}

#[test]
fn what_is_taken_back_at_once_is_not_won() {
    let out = answer(&["explain", "startpos e4 e5 Nf3 d6 Bc4 Bg4 Nc3 h6"]);
    assert!(
        out.starts_with("5.Nxe5 wins a pawn: 5.Nxe5 dxe5 6.Qxg4.\n"),
        "{out}"
    );
}

#[test]
fn what_follows_the_only_move_is_named() {
    let (_, out, _) = run(&[
        "explain",
        "3rq1nr/p1R3pp/k7/1p6/Q1BP4/8/PP3PPP/6K1 b - - 0 1",
    ]);
    let mated = "1…Kb6 is the only legal move.\nAfter 1…Kb6 Black is mated: 1…Kb6 2.Qxa7#.\n";
    assert_eq!(out, mated);
}

#[test]
fn a_new_queen_that_is_taken_costs_the_piece_that_takes_it() {
    let pawn = "8/8/7p/1P3Pk1/R5PP/8/p1r5/6K1 b - - 0 1";
    let out = answer(&["explain", pawn]);
    assert!(out.contains("promotes the pawn"), "{out}");
    let taken = "; 4…Rxa1 takes the rook that takes it.";
    assert!(out.contains(taken), "{out}");
}

#[test]
fn what_both_moves_do_is_no_reason() {
    let queen = "rn2k1r1/pp5p/2b1pp1B/1Nb3pn/8/5N2/PP3PPP/R2qKB1R w KQq - 0 16";
    let (_, out, _) = run(&["explain", queen, "Kxd1", "--against", "Rxd1"]);
    assert!(!out.contains("a queen"), "{out}");
}

#[test]
fn a_piece_that_is_left_to_a_pawn_is_a_threat() {
    let bishop = "rnbq1rk1/pp3pbp/2p3pn/3B4/8/2NP1N2/PPP1QPPP/R1B1K2R w KQ - 0 9";
    let out = answer(&["threats", bishop]);
    assert_eq!(out, "Black threatens to win a bishop: 9…cxd5.\n");
}

#[test]
fn a_fork_that_wins_after_long_is_a_threat() {
    let fork = "r2r2k1/pp3ppp/2p1qn2/5N1b/1n2PP2/4Q2P/PPP3B1/R1B2RK1 w - - 0 1";
    let out = answer(&["threats", fork]);
    let text =
        "Black threatens a fork: 1…Nxc2 attacks the queen on e3 and the rook on a1 at once.\n";
    assert!(out.starts_with(text), "{out}");
}

#[test]
fn a_pawn_that_becomes_a_queen_promotes() {
    let out = answer(&["threats", "6k1/1P4pp/8/8/8/8/5PPP/6K1 b - - 0 1"]);
    assert_eq!(out, "White threatens to promote a pawn: 2.b8=Q+.\n");
}

#[test]
fn a_promoted_piece_is_not_won_and_its_fork_is_named() {
    let position = "8/2pr1P2/6k1/8/5K2/P7/8/8 w - - 0 58";
    let out = answer(&["explain", position, "f8=N+", "--against", "Ke5"]);
    let text = "58.f8=N+ promotes a pawn to a knight and wins a rook: 58.f8=N+ Kf6 59.Nxd7+.\n\
        58.f8=N+ attacks the king on g6 and the rook on d7 at once; 59.Nxd7+ takes the rook.\n";
    assert!(out.contains(text), "{out}");
}

#[test]
fn a_piece_that_both_moves_lose_is_no_reason() {
    let rook = "rnb1k1nr/pp1p1pBp/1q2p3/2b5/2B1P3/5N2/P3QPPP/RN2K2R b KQkq - 2 8";
    let out = answer(&["why-not", rook, "Bb4+"]);
    assert!(!out.contains("the rook on h8"), "{out}");
}

#[test]
fn a_rook_for_a_minor_piece_is_the_exchange() {
    let exchange = "r1b1r1k1/ppq2pbp/2p2np1/2Ppn3/1P6/4PN2/PB1NBPPP/R2Q1RK1 w - - 0 12";
    let out = answer(&["why-not", exchange, "Qc2"]);
    assert!(out.contains("xe5 wins the exchange: "), "{out}");
}

#[test]
fn stalemate_and_mate_at_once_come_before_tablebases() {
    let out = answer(&["explain", "5k2/5P2/4K3/8/8/8/8/8 w - - 0 1", "Kf6"]);
    assert!(out.contains("1.Kf6 is stalemate."), "{out}");
    let out = answer(&["explain", "8/P7/8/8/8/8/k1K5/8 w - - 0 1", "a8=Q+"]);
    assert!(out.starts_with("1.a8=Q is mate: "), "{out}");
}

#[test]
fn what_several_moves_win_on_one_square_is_one_threat() {
    let out = answer(&["threats", "8/8/8/8/3k4/8/1p1K4/R7 b - - 0 1"]);
    assert_eq!(out.lines().count(), 1, "{out}");
}

#[test]
fn what_was_attacked_before_is_no_point() {
    let isolated = "r4rk1/1b3ppp/p2qp3/1p1n4/3N4/P2B4/1P1Q1PPP/3RR1K1 w - - 0 20";
    let out = answer(&["explain", isolated]);
    assert!(!out.contains("pawn on e6"), "{out}");
}

/// A null move ends the game by the fifty-move rule.
#[test]
fn nothing_threatens_before_the_fifty_move_rule() {
    let (status, out, error) = run(&["threats", "4k3/8/8/8/8/8/8/4K2R w K - 99 80"]);
    assert_eq!(status, Some(0), "{error}");
    assert!(out.contains("fifty-move rule"), "{out}");
}

#[test]
fn a_stalemate_is_named_beside_tablebases() {
    let (_, out, _) = run(&["explain", "7k/8/5KQ1/8/8/8/8/8 w - - 0 1", "Qf7"]);
    assert!(out.contains("\n1.Qf7 is stalemate.\n"), "{out}");
}

#[test]
fn nothing_follows_what_tablebases_prove() {
    let (_, out, _) = run(&["why-not", "8/8/4k3/8/4P3/4K3/8/8 w - - 0 1", "Kd3"]);
    assert!(out.ends_with(" both draw: tablebases prove it.\n"), "{out}");
    let castling = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    let (_, out, _) = run(&["explain", castling]);
    assert!(out.contains(" both win: tablebases prove it.\n"), "{out}");
}

#[test]
fn where_both_moves_win_that_comes_first() {
    let won = "3R4/6k1/P5pp/8/6n1/1P6/6KP/8 w - - 2 52";
    let (_, out, _) = run(&["explain", won]);
    assert!(
        out.starts_with("White is winning after either 52."),
        "{out}"
    );
    let lost = "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1";
    let (_, out, _) = run(&["explain", lost]);
    assert!(out.starts_with("Black is losing after either 1…"), "{out}");
}

#[test]
fn a_side_without_a_queen_loses_none() {
    let pawns = "8/5k2/8/8/1pp5/8/P1P3K1/6b1 w - - 0 1";
    let out = answer(&["explain", pawns, "a3", "--nodes", "200000"]);
    assert!(out.contains("1.a3 lets Black promote a pawn"), "{out}");
}

#[test]
fn tablebases_come_first() {
    let pawn = "4k3/8/4K3/4P3/8/8/8/8 w - - 0 1";
    let (_, out, _) = run(&["explain", pawn, "Kd6", "--against", "Kf6"]);
    assert!(
        out.starts_with("1.K") && out.contains(" both win: tablebases prove it.\n"),
        "{out}"
    );
    let drawn = "4k3/8/4K3/8/4P3/8/8/8 b - - 0 1";
    let (_, out, _) = run(&["explain", drawn, "Kd8"]);
    assert!(out.contains("tablebases prove"), "{out}");
}

#[test]
fn positions_may_be_moves_and_fens_unquoted() {
    let (status, out, _) = run(&["why-not", "startpos f3 e5", "g4", "--short"]);
    assert!(status == Some(0) && out.contains("mate"), "{out}");
    let words: Vec<&str> = ITALIAN.split(' ').collect();
    let (status, out, error) = run(&[&["explain"], &words[..], &["Nf6", "--short"]].concat());
    assert!(status == Some(0) && out.lines().count() == 1, "{error}");
}

#[test]
fn pictures_are_xml_with_the_sentences_as_text() {
    let (status, out, _) = run(&["explain", ITALIAN, "--svg"]);
    assert!(status == Some(0) && out.starts_with("<svg ") && out.ends_with("</svg>\n"));
    assert_eq!(out.matches("<text").count(), out.matches("</text>").count());
    assert!(out.contains("<title") && out.contains("<desc"));
    let bare = out
        .replace("&amp;", "")
        .replace("&lt;", "")
        .replace("&gt;", "")
        .replace("&quot;", "");
    assert!(!bare.contains('&'));
}

#[test]
fn the_prompt_answers_questions() {
    let position = "position startpos moves f2f3 e7e5";
    let output = lucena(&[position, "whynot g2g4", "explain", "say", "threats"]);
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(text.contains("White is mated: 2.g4 Qh4#"), "{text}");
    assert!(text.contains("Black played pawn to e5."), "{text}");
    assert!(text.contains("White is to move."), "{text}");
    let output = lucena(&["position startpos", "whynot e2e5"]);
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(text.contains("moves from e2: e3 e4"), "{text}");
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn a_mate_at_once_is_named_before_a_slower_one() {
    let fen = "5rk1/1R5R/8/8/8/8/6PP/6K1 w - - 0 1";
    let output = lucena(&["explain", fen, "--short"]);
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(text.starts_with("1.Rbg7 is mate: "), "{text}");
}

#[test]
fn an_answer_that_was_cut_short_says_so() {
    let output = lucena_with_input(&[], "position startpos\nwhynot a2a3\n");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(text.contains("stopped the search early"), "{text}");
    let output = lucena(&["position startpos", "whynot a2a3"]);
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(!text.contains("stopped the search early"), "{text}");
}

#[test]
fn the_option_adds_at_most_three_short_lines() {
    let lines = |option: &str| -> Vec<String> {
        let output = lucena(&[
            option,
            "position startpos moves e2e4 e7e5 d1h5 g8f6",
            "go nodes 200000",
        ]);
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        let lines = text.lines().map(str::to_owned).collect::<Vec<_>>();
        assert!(lines.last().expect("an answer").starts_with("bestmove "));
        lines
            .into_iter()
            .filter(|line| line.starts_with("info string why "))
            .collect()
    };
    let with = lines("setoption name Explain value true");
    assert!((1..=3).contains(&with.len()), "{with:?}");
    assert!(
        with.iter().all(|line| line.len() <= 200 && line.is_ascii()),
        "{with:?}"
    );
    assert!(lines("setoption name Explain value false").is_empty());
}
