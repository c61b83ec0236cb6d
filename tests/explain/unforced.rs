//! What a line does not prove is not claimed: captures that win material back, captures that are left out, promotions.

use crate::common::lucena;

fn answer(arguments: &[&str]) -> String {
    String::from_utf8(lucena(arguments).stdout).expect("UTF-8")
}

/// The answer is without these words.
fn answer_without(arguments: &[&str], words: &str) -> String {
    let out = answer(arguments);
    assert!(!out.contains(words), "{out}");
    out
}

#[test]
fn a_pawn_that_can_be_taken_back_is_not_lost() {
    for (position, mv) in [("startpos e4", "d5"), ("startpos e4 d6 d4", "e5")] {
        answer_without(&["why-not", position, mv], "loses a pawn");
        answer_without(&["why-not", position, mv], "does not win the material back");
    }
    answer_without(&["why-not", "startpos c4 d5", "cxd5"], "does not win");
}

#[test]
fn what_the_opponent_has_just_taken_is_not_won() {
    let opera = "startpos e4 e5 Nf3 d6 d4 Bg4 dxe5";
    answer_without(&["explain", opera, "dxe5"], "4…Nd7 wins a pawn");
}

#[test]
fn a_move_that_does_not_recapture_loses_the_piece() {
    let out = answer(&["explain", "startpos e4 e5 Nf3 Nc6 Bb5 a6 Bxc6", "h6"]);
    assert!(
        out.contains("recaptures on c6; after 4…h6 5.Ba4, White is a knight up."),
        "{out}"
    );
    let bishop = "startpos d4 Nf6 c4 e6 Nc3 Bb4 Qc2 O-O a3 Bxc3+";
    let out = answer(&["explain", bishop, "Bd2"]);
    assert!(out.contains(", Black is a knight "), "{out}");
}

#[test]
fn a_new_queen_is_not_won() {
    let out = answer_without(
        &["explain", "8/PP5k/8/8/8/8/5p2/K7 w - - 0 1"],
        "wins a queen",
    );
    assert!(out.contains("1.b8=Q promotes"), "{out}");
}

/// Black could take the pawn on h6 and loses anyway.
#[test]
fn a_pawn_that_is_left_alone_does_not_promote() {
    answer_without(&["explain", "8/8/8/8/5k2/8/5PPP/6K1 w - - 0 1"], "promotes");
}

/// The lost side could take the pawn that promotes, but then loses as much.
#[test]
fn a_breakthrough_promotes() {
    for (position, mv) in [
        ("8/5ppp/8/5PPP/8/8/k7/6K1 w - - 0 1", "g6"),
        ("8/ppp5/8/PPP5/8/8/8/5k1K w - - 0 1", "b6"),
    ] {
        let out = answer(&["explain", position, mv]);
        assert!(out.contains(&format!("1.{mv} promotes a pawn")), "{out}");
    }
}

#[test]
fn a_queen_that_is_lost_is_no_defender() {
    let position = "r4rk1/pp3ppp/8/3q4/8/8/PPP2PPP/R2QR1K1 w - - 0 1";
    let out = answer(&["explain", position, "Qd2"]);
    assert!(
        out.contains("the queen on d2 is undefended: 1…Qxd2 takes it"),
        "{out}"
    );
}

#[test]
fn a_knight_instead_of_a_bishop_is_no_difference() {
    let position = "r1b1kbnr/pppp1ppp/8/4q3/2Bn4/8/PPPP1PPP/RNBQK2R w KQkq - 0 1";
    answer_without(&["explain", position], "a knight up in the line of");
}

#[test]
fn the_best_move_is_named_beside_a_mate() {
    let out = answer(&["explain", "7k/8/8/8/8/7p/5q1P/R6K w - - 0 1"]);
    assert!(out.starts_with("1.Ra8+ is the best move."), "{out}");
    let out = answer(&["explain", "k7/8/8/8/8/8/1R6/KR5r w - - 0 1", "R2b3"]);
    assert!(out.ends_with("after 1.Rb3 White still wins.\n"), "{out}");
}

#[test]
fn a_mate_says_which_line_it_ends() {
    let position = "1Q6/5pk1/2p3p1/1p2N2p/1b5P/1b6/r3n1P1/1K6 b - - 13 40";
    let out = answer(&["explain", position, "Ra1+"]);
    let mate = "40…Nc3+ forces mate: 40…Nc3+ 41.Kc1 Ba3#.\n41…Ba3 is mate: ";
    assert!(out.contains(mate), "{out}");
    let out = answer(&["explain", "5bk1/R6R/8/8/8/8/8/K7 w - - 0 1"]);
    for mate in out.lines().filter(|line| line.contains(" is mate")) {
        assert!(mate.starts_with("After 1.Rh"), "{out}");
    }
    let lost = "r1bk2nr/p2p1pNp/n2B1Q2/1p1NP2P/6P1/3P4/P1P1K3/q5b1 b - - 2 22";
    let out = answer(&["explain", lost, "Ne7"]);
    assert!(out.contains("lose equally fast"), "{out}");
}

#[test]
fn a_promotion_is_the_point_of_a_move() {
    let out = answer(&["explain", "8/P4p1k/1P6/8/8/8/5p2/K7 w - - 0 1", "a8=Q"]);
    assert!(
        out.contains("1.a8=Q promotes the pawn to a queen."),
        "{out}"
    );
}

/// The mate that is missed, or that a move allows, comes before material.
#[test]
fn a_mate_is_the_first_sentence() {
    let missed = "4r1k1/5ppp/8/8/8/8/PP3PPP/2B1R1K1 w - - 0 1";
    let out = answer_without(&["why-not", missed, "Be3"], "loses a pawn");
    assert!(out.starts_with("1.Rxe8 is mate: "), "{out}");
    let allowed = "startpos e4 b6 d4 Bb7 Bd3 f5 exf5 Bxg2 Qh5+ g6 fxg6";
    let out = answer_without(&["why-not", allowed, "Nf6"], "wins a pawn");
    assert!(out.starts_with("After 6…Nf6 Black is mated"), "{out}");
}

#[test]
fn a_pawn_that_hangs_is_a_threat() {
    for (position, threat) in [
        ("startpos e4 d6 d4 Nf6", "3…Nxe4"),
        ("startpos e4 e6 d4 d5", "3…dxe4"),
        ("startpos e4 c6 d4 d5", "3…dxe4"),
        ("startpos e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6", "5…Nxe4"),
    ] {
        let out = answer(&["threats", position]);
        let expected = format!("Black threatens to win a pawn: {threat}.");
        assert!(out.contains(&expected), "{out}");
    }
    answer_without(&["threats", "startpos e4"], "threatens");
}

#[test]
fn a_knight_that_is_won_back_is_not_lost() {
    let knights = "startpos e4 e5 Nf3 Nc6 Nc3 Nf6 Bc4";
    for nodes in ["20000", "200000"] {
        let out = answer(&["why-not", knights, "Nxe4", "--nodes", nodes]);
        let expected = "After 4…Nxe4, 5.Nxe4 does not win the knight: 5…d5";
        assert!(out.contains(expected), "{out}");
    }
}

/// The rook is behind the bishop on its file.
#[test]
fn a_rook_controls_no_square_of_its_own_piece() {
    let position = "r2q1rk1/ppp1bppp/2n1bn2/3p4/3P4/2N1BN2/PPP1BPPP/R2Q1RK1 w - - 0 1";
    let out = answer_without(&["why-not", position, "Re1"], "as far as e2");
    assert!(out.contains("behind its own bishop on e2"), "{out}");
}

/// A fact speaks for the side in whose favour it is named.
#[test]
fn a_pair_of_bishops_does_not_speak_against_its_side() {
    let position = "r1b1k2r/ppppqppp/2n2n2/4p3/1bB1P3/2NP1N2/PPPB1PPP/R2QK2R b KQkq - 0 1";
    answer_without(&["why-not", position, "Nd4"], "White has the bishop pair");
}

/// A quiet move threatens what it attacks, not what the replies give away.
#[test]
fn a_capture_that_the_replies_allow_is_no_threat() {
    answer_without(&["threats", "startpos e4 e5 Nf3 Nc6 Bc4 Nf6 Ng5"], "O-O");
    let queen = "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 5 4";
    let out = answer(&["threats", queen]);
    assert_eq!(out, "White threatens mate: 5.Qxf7#.\n");
}

/// On its own file, or blocked, it could not move aside without the pin, either.
#[test]
fn a_pawn_that_cannot_move_aside_is_not_pinned() {
    for (position, mv) in [
        ("8/5b1k/5p2/6p1/p4P1p/P1P2K2/6R1/8 b - - 1 44", "gxf4"),
        ("3rr1k1/2P2ppp/8/8/8/8/5PPP/2R3K1 w - - 0 1", "h3"),
        (
            "r1q5/p1pb1k1n/2p4r/4P2p/4Np2/BP3P1p/P1P3P1/R2Q1RK1 w - - 0 19",
            "gxh3",
        ),
    ] {
        let out = answer(&["why-not", position, mv]);
        assert!(
            !out.contains("pins the pawn") && !out.contains("pinned"),
            "{out}"
        );
    }
}

#[test]
fn a_promoted_piece_that_is_captured_is_a_queen() {
    let position = "3rr1k1/2P2ppp/8/8/8/8/5PPP/2R3K1 w - - 0 1";
    let out = answer(&["explain", position]);
    assert!(out.starts_with("1.cxd8=Q wins a rook for a pawn"), "{out}");
    assert!(!out.contains("=N") && !out.contains("=R"), "{out}");
    let out = answer(&["explain", position, "cxd8=N"]);
    assert!(
        out.contains("1.cxd8=N") && out.contains("1.cxd8=Q"),
        "{out}"
    );
}

/// The other line has a state of its own, or the fact distinguishes nothing.
#[test]
fn lines_differ_in_what_is_not_true_of_both() {
    let position = "q1rr2k1/pbnn1pbp/1p4p1/4p1P1/2P1P3/1NN2B2/PP2QB1P/3RR1K1 w - - 0 20";
    let out = answer(&["why-not", position, "Kf1"]);
    let mut lines = out
        .lines()
        .filter(|line| line.starts_with("The lines differ"));
    assert!(lines.all(|line| line.contains("in the line of")), "{out}");
}

#[test]
fn a_pawn_that_captures_next_is_no_weakness() {
    let position = "8/2n1k3/3bP2p/3P4/4K1PP/2B5/8/8 b - - 0 40";
    answer_without(&["why-not", position, "Ne8"], "isolated");
    answer_without(&["explain", "8/5P1k/8/8/8/8/6pp/6K1 w - - 0 1"], "isolated");
}

#[test]
fn a_mate_that_is_not_shown_names_its_line() {
    let out = answer(&["explain", "6k1/5pP1/5P1p/7P/8/8/8/5QK1 w - - 0 1"]);
    for line in out.lines().filter(|line| line.contains("4.g8=Q is mate")) {
        assert!(line.starts_with("After "), "{out}");
    }
}

/// Attackers speak for the side that has more of them, and the same king behind the same pawns for nobody.
#[test]
fn attackers_and_shelter_are_named_for_the_side_that_they_favour() {
    let queens = "r3kbnr/ppp3pp/3ppq2/8/3QP3/8/PPP2PPP/RNB2RK1 w kq - 1 9";
    let out = answer(&["why-not", queens, "Qxf6", "--nodes", "200000"]);
    assert!(
        !out.contains("Black attacks the squares around White's king"),
        "{out}"
    );
    assert!(
        !out.contains("stands behind pawns on f2, g2 and h2"),
        "{out}"
    );
}

#[test]
fn an_expected_line_does_not_stop_before_a_capture() {
    for nodes in ["50000", "200000"] {
        let out = answer(&["why-not", "startpos e4 e5 Nf3", "Bc5", "--nodes", nodes]);
        assert!(
            out.contains("loses a pawn") || out.contains("2…Bc5 3.Nxe5 d6 4.Nf3"),
            "{out}"
        );
    }
}

/// A line ends neither before a check nor before the reply to it: White wins the piece back.
#[test]
fn an_expected_line_does_not_stop_before_a_check() {
    let position = "r2qkbnr/pppb2pp/2np4/1B2p3/4Pp2/2NP1N2/PPP2PPP/R1BQ1RK1 w kq - 0 7";
    let out = answer(&["why-not", position, "h3"]);
    assert!(!out.contains("8.Nxe5 dxe5.\n"), "{out}");
}

/// What speaks for a move is no cost of it.
#[test]
fn a_cost_speaks_against_the_move() {
    let rooks = "2r3k1/4b3/4pp1p/Pp2p3/2rpP3/P2N1P2/2PK2PP/3R3R w - - 1 23";
    answer_without(&["why-not", rooks, "Rc1"], "none of Black's pieces attacks");
    let king = "r1b1k2r/ppp1n1pp/2n5/1B2pp2/4P3/2N2N2/PPP2PPP/2KR3R b - - 3 10";
    answer_without(&["why-not", king, "h6"], "none of White's pieces attacks");
    answer_without(&["why-not", "startpos e4 f5", "e5"], "costs");
}

/// A right to castle that was there before, a fork that the better move allows, too, and a cleared line without a gain.
#[test]
fn what_explains_no_difference_is_no_reason() {
    let italian = "r1b1k2r/1pp1nppp/2np1q2/p1b1p1B1/2B1P2P/2NP1Q2/PPP1NPP1/R3K2R b KQkq - 1 8";
    answer_without(&["why-not", italian, "Qg6"], "may castle");
    let fork = "r1b1k2r/1pp1nppp/2np2q1/pNb1p1B1/2B1P2P/3P1Q2/PPP1NPP1/R3K2R b KQkq - 3 9";
    answer_without(&["explain", fork, "a4", "--against", "f6"], "at once");
    let check = "2kr4/pp1bn2r/1q3bpp/5p2/3p1B2/5N2/PP2QPPP/RN2R1K1 w - - 2 20";
    answer_without(&["why-not", check, "Rc1+"], "clears");
}

/// The rooks faced each other before; the move ends a threat of mate.
#[test]
fn a_threat_is_no_offer_of_an_exchange() {
    let position = "3rr1k1/5ppp/8/8/2q5/8/1Q3PPP/2R1R1K1 w - - 0 1";
    let out = answer_without(&["explain", position, "h3"], "offers");
    assert!(out.contains("threatens to win a queen"), "{out}");
}

/// A rounded DTZ leaves the mate or the fifty-move rule open.
#[test]
fn a_rounded_distance_proves_no_win_before_the_fifty_move_rule() {
    answer_without(&["explain", "k7/2r5/8/7K/8/2r5/8/8 b - - 97 1"], "prove");
}

/// 14.dxc5 and 14.Nxf7 late in the lines are mistakes.
#[test]
fn material_that_a_late_mistake_loses_is_no_reason() {
    let bishop = "r2qk1nr/pp1bbppp/2n5/1Bpp4/3P1P2/2P2N2/PP4PP/RNBQ1RK1 b kq - 0 9";
    answer_without(&["why-not", bishop, "c4"], "wins the exchange");
    let knight = "r2qk2r/pp1nbppp/5n2/3p4/2pP4/2N2N2/PPP2PPP/R1BQR1K1 w kq - 2 10";
    answer_without(&["why-not", knight, "h3"], "loses a knight");
}

/// The answers to the checks that the line leaves out lose, so that it is no perpetual check.
#[test]
fn a_line_that_repeats_a_position_is_a_draw() {
    let position = "r3k2r/pp1n1pp1/2p1pn2/7p/3P2bP/P1N1BNq1/1PP1B3/R2Q1R1K b kq - 1 14";
    let out = answer(&["explain", position, "--nodes", "100000"]);
    let line = "14…Qh3+ 15.Kg1 Qg3+ 16.Kh1 repeats the position: a draw by repetition.";
    assert!(out.contains(line), "{out}");
}

/// The other move wins a queen, too.
#[test]
fn what_the_best_move_wins_is_named_where_both_win() {
    let position = "2kr3r/ppp2ppp/2n5/1B2q3/8/2Q5/PP3PPP/R3R1K1 w - - 0 1";
    let out = answer(&["explain", position]);
    let won = "\n1.Rxe5 wins a queen and a knight for a rook: 1.Rxe5 Nxe5 2.Qxe5.";
    assert!(out.contains(won), "{out}");
}

#[test]
fn a_recapture_that_costs_more_is_no_loss_of_the_piece() {
    let bishop = "r2qk2r/p2nb1pp/1p1p1p1n/2pPP3/2P5/3PB3/PP1N2PP/R2QKB1R b KQkq - 0 12";
    let out = answer_without(&["why-not", bishop, "dxe5"], "loses a knight");
    assert!(!out.contains("does not win the bishop"), "{out}");
    // White gives up the knight on f7 and stands better.
    let attack = "rn1qk1nr/3p1pbp/p1b1p3/1pp1N1p1/4PB2/PBNP4/1PP2PPP/R2Q1RK1 w kq - 0 11";
    answer_without(&["why-not", attack, "Bg3"], "loses a knight");
}

/// Two captures of one pawn win the same, and the opponent's best reply is what speaks against a move.
#[test]
fn what_decides_between_two_captures_is_not_what_they_take() {
    let pawn = "1r2k2r/2p1ppb1/3p2pp/5q2/1ppPn3/P1P1PN1P/2Q2PPB/1R2K2R w Kk - 0 20";
    answer_without(&["why-not", pawn, "axb4"], "wins a pawn");
    let reply = "r2qkbnr/p1pb2p1/2pp4/4p2p/3PPp2/2N2N1P/PPP2PP1/R1BQ1RK1 b kq - 0 9";
    answer_without(&["why-not", reply, "g5"], "10.dxe5 does not win");
}

#[test]
fn beside_a_mate_that_a_move_allows_no_other_motif_is_named() {
    answer_without(&["why-not", "startpos f3 e5", "g4"], "before taking");
}

/// The other move loses a pawn, but the reader sees that the best one offers a knight.
#[test]
fn the_capture_that_the_best_move_allows_is_shown_beside_a_loss() {
    let offer = "2r1r1k1/p1qn1pb1/1ppn2p1/3p2Pp/3P1P2/1P2NP2/PB4BP/2RQR1K1 w - - 0 21";
    let out = answer(&["why-not", offer, "Nf1"]);
    let taken = "21…cxd5 does not win the material back: 22.Rxe8+ Nxe8 23.Rxc7.";
    assert!(out.contains(taken), "{out}");
}

/// The line ends before either piece is taken.
#[test]
fn a_fork_by_the_expected_reply_is_named() {
    let position = "r1bq1rk1/ppppnppp/8/4P3/1b3P2/2N5/PPPBQ1PP/2KR1B1R b - - 8 11";
    let out = answer(&["why-not", position, "Nf5"]);
    let fork = "After 11…Nf5, 12.Qe4 attacks the bishop on b4 and the knight on f5 at once.";
    assert!(out.contains(fork), "{out}");
}
