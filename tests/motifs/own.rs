//! Own positions: one for every kind, with the sentence.

use std::collections::BTreeSet;

use lucena::explain::motifs::{Kind, sentence};

use super::lines::Moves;

/// Kind | FEN | the opponent's move before | moves | sentence
const POSITIONS: &str = "
fork | r3k3/8/8/3N4/8/8/8/4K3 w - - 0 1 | | d5c7 e8d7 c7a8 | 1.Nc7+ attacks the king on e8 and the rook on a8 at once; 2.Nxa8 takes the rook.
pin | 4k3/8/2q5/8/P7/8/8/4KB2 w - - 0 1 | | f1b5 e8d8 b5c6 | 1.Bb5 pins the queen on c6 to the king on e8; 2.Bxc6 takes the queen.
skewer | 8/8/8/q2k4/8/8/8/5RK1 w - - 0 1 | | f1f5 d5d4 f5a5 | 1.Rf5+ attacks the king on d5; when it moves, 2.Rxa5 takes the queen on a5 behind it.
discovered_attack | 3qk3/8/8/8/3N4/8/8/3RK3 w - - 0 1 | | d4b5 e8e7 d1d8 | 1.Nb5 opens the line of the rook on d1 to the queen on d8; 2.Rxd8 takes the queen.
discovered_attack | 4q1k1/4bp1p/8/8/4N3/8/5PPP/4R1K1 w - - 0 1 | | e4f6 e7f6 e1e8 | After 1.Nf6+, 1…Bxf6 opens the line of the rook on e1 to the queen on e8; 2.Rxe8+ takes the queen.
discovered_check | 4k3/8/8/8/4N3/8/8/4RK2 w - - 0 1 | | e4c5 | 1.Nc5+ opens the line of the rook on e1 to the king on e8: check.
double_check | 4k3/8/8/8/4N3/8/8/4RK2 w - - 0 1 | | e4f6 e8d8 | 1.Nf6+ checks with the rook on e1 and the knight on f6 at once: the king must move.
x_ray_attack | Rr6/6pk/7p/8/8/8/8/3Q2K1 w - - 0 1 | | d1d8 b8d8 a8d8 | After 1.Qd8 the rook on a8 attacks d8 through the rook on b8: after 1…Rxd8, 2.Rxd8 takes back.
trapped_piece | 6k1/5ppp/8/8/8/8/bPK5/8 w - - 0 1 | | b2b3 h7h6 c2b2 h6h5 b2a2 | After 2.Kb2 the bishop on a2 is attacked, and it is lost wherever it goes.
deflection | 6k1/3q1ppp/8/8/6n1/6P1/5P1P/3QR1K1 w - - 0 1 | | e1e8 d7e8 d1g4 | 1.Re8+ draws the queen on d7 away from the knight on g4: 2.Qxg4 follows.
attraction | 6k1/6p1/8/8/8/8/1Q6/R3K2R w - - 0 1 | | h1h8 g8h8 b2h2 | 1.Rh8+ draws the king from g8 to h8, where 2.Qh2+ attacks it.
capturing_defender | 6k1/6pp/5n2/3b2B1/8/8/8/3R2K1 w - - 0 1 | | g5f6 g7f6 d1d5 | 1.Bxf6 exchanges the knight on f6, which defends the bishop on d5; then 2.Rxd5 takes the bishop.
interference | r5k1/1N3ppp/8/8/8/n4R2/8/6K1 w - - 0 1 | | b7a5 g8f8 f3a3 | 1.Na5 comes between the rook on a8 and the knight on a3: 2.Rxa3 takes the knight.
clearance | 6k1/5ppp/8/4N3/8/8/8/Q5K1 w - - 0 1 | | e5c6 h7h6 a1e5 | 1.Nc6 clears e5 for the queen on a1: 2.Qe5 follows.
intermezzo | 6k1/6pp/5b2/8/3N4/8/2BQ4/7K b - - 0 1 | f6d4 | c2h7 g8h7 d2d4 | Before taking the bishop on d4, White plays 2.Bxh7+; 3.Qxd4 takes it a move later.
hanging_piece | 4k3/8/2n5/8/8/8/6B1/4K3 w - - 0 1 | | g2c6 | The knight on c6 is undefended: 1.Bxc6+ takes it.
sacrifice | r4r1k/6pp/7N/8/2Q5/8/8/6K1 w - - 0 1 | | c4g8 f8g8 h6f7 | 1.Qg8+ gives up the queen: 1…Rxg8 takes it.
smothered_mate | r4r1k/6pp/7N/8/2Q5/8/8/6K1 w - - 0 1 | | c4g8 f8g8 h6f7 | 2.Nf7 is mate: the knight checks, and Black's own pieces on g7, h7 and g8 leave the king no square.
mate | r4r1k/6pp/7N/8/2Q5/8/8/6K1 w - - 0 1 | | c4g8 f8g8 h6f7 | 1.Qg8+ leads to mate in 2: 2.Nf7.
back_rank_mate | 6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1 | | d1d8 | 1.Rd8 is mate: the rook checks along the back rank, and Black's own pieces on f7, g7 and h7 leave the king no square.
anastasia_mate | 8/4N1pk/8/8/8/8/8/K3R3 w - - 0 1 | | e1h1 | 1.Rh1 is mate: the rook on h1 checks and guards h6 and h8; the knight on e7 guards g6 and g8; Black's own pawn blocks g7.
arabian_mate | 7k/R7/5N2/8/8/8/8/K7 w - - 0 1 | | a7h7 | 1.Rh7 is mate: the rook on h7 checks and guards g7; the knight on f6 guards g8 and defends the rook on h7.
boden_mate | 2kr4/3p4/2p5/8/5B2/8/8/5B1K w - - 0 1 | | f1a6 | 1.Ba6 is mate: the bishop on a6 checks and guards b7; the bishop on f4 guards c7 and b8; Black's own pieces block d7 and d8.
double_bishop_mate | 7k/7p/8/8/8/1B6/8/K1B5 w - - 0 1 | | c1b2 | 1.Bb2 is mate: the bishop on b2 checks and guards g7; the bishop on b3 guards g8; Black's own pawn blocks h7.
dovetail_mate | 8/8/8/3pk1P1/4p3/8/8/K4Q2 w - - 0 1 | | f1f6 | 1.Qf6 is mate: the queen on f6 checks and guards d4, f4, f5, d6 and e6; the pawn on g5 defends the queen on f6; Black's own pawns block e4 and d5.
hook_mate | R7/5pk1/5N2/6P1/8/8/8/K7 w - - 0 1 | | a8g8 | 1.Rg8 is mate: the rook on g8 checks and guards g6, f8 and h8; the pawn on g5 guards h6 and defends the knight on f6; the knight on f6 guards h7 and defends the rook on g8; Black's own pawn blocks f7.
opera_mate | 4kb2/5p2/8/6B1/8/8/8/3RK3 w - - 0 1 | | d1d8 | 1.Rd8 is mate: the rook on d8 checks and guards d7; the bishop on g5 guards e7 and defends the rook on d8; Black's own pieces block f7 and f8.
pillsburys_mate | 6k1/5pp1/8/8/8/3B4/8/K3R3 w - - 0 1 | | e1e8 | 1.Re8 is mate: the rook on e8 checks and guards f8 and h8; the bishop on d3 guards h7; Black's own pawns block f7 and g7.
morphys_mate | 7k/7p/8/8/8/8/8/K1B3R1 w - - 0 1 | | c1b2 | 1.Bb2 is mate: the bishop on b2 checks and guards g7; the rook on g1 guards g8; Black's own pawn blocks h7.
pillsburys_mate | 6rk/8/7B/8/8/8/8/K6R w - - 0 1 | | h6f8 | 1.Bf8 is mate: the rook on h1 checks and guards h7; the bishop on f8 guards g7; Black's own rook blocks g8.
morphys_mate | 7k/6Rp/8/8/8/2B5/8/K7 w - - 0 1 | | g7g5 | 1.Rg5 is mate: the bishop on c3 checks and guards g7; the rook on g5 guards g8; Black's own pawn blocks h7.
triangle_mate | 7R/5pk1/8/8/8/8/8/K6Q w - - 0 1 | | h1h6 | 1.Qh6 is mate: the queen on h6 checks, guards f6, g6, h7 and f8 and defends the rook on h8; the rook on h8 guards g8 and defends the queen on h6; Black's own pawn blocks f7.
kill_box_mate | 6k1/5p2/5Q2/8/8/8/8/K6R w - - 0 1 | | h1h8 | 1.Rh8 is mate: the rook on h8 checks and guards h7 and f8; the queen on f6 guards g7 and defends the rook on h8; Black's own pawn blocks f7.
vukovic_mate | 8/5N1k/5P2/8/8/8/8/K5R1 w - - 0 1 | | g1g7 | 1.Rg7 is mate: the rook on g7 checks and guards g6 and g8; the knight on f7 guards h6 and h8; the pawn on f6 defends the rook on g7.
blind_swine_mate | 5rk1/1R5R/8/8/8/8/8/K7 w - - 0 1 | | b7g7 | 1.Rbg7 is mate: the rook on g7 checks, guards f7 and defends the rook on h7; the rook on h7 guards h8 and defends the rook on g7; Black's own rook blocks f8.
balestra_mate | 6k1/8/7Q/4N2B/8/8/8/K7 w - - 0 1 | | h5f7 | 1.Bf7 is mate: the bishop on f7 checks; the queen on h6 guards g7, h7, f8 and h8; the knight on e5 defends the bishop on f7.
promotion | 8/2P5/8/8/8/8/k7/2K5 w - - 0 1 | | c7c8q | 1.c8=Q promotes the pawn to a queen.
under_promotion | 8/k1P5/8/8/8/8/8/2K5 w - - 0 1 | | c7c8n | 1.c8=N+ promotes to a knight, not to a queen.
advanced_pawn | 8/8/2P5/8/8/8/k7/2K5 w - - 0 1 | | c6c7 | 1.c7 brings the pawn to c7, one step from promotion.
en_passant | 4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1 | | e5d6 | 1.exd6 takes en passant.
castling | 4k3/8/8/8/8/8/8/4K2R w K - 0 1 | | e1g1 | 1.O-O castles.
attacking_f2_f7 | r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 0 1 | | f3f7 | 1.Qxf7 takes on f7, beside the king on e8.
exposed_king | 6k1/8/8/8/8/8/1Q6/K7 w - - 0 1 | | b2g2 g8f8 g2f2 f8g8 f2g2 | 2.Qf2+ checks the king on f8, which had no pawn beside it.
quiet_move | 6k1/5ppp/8/8/8/8/5R2/K7 w - - 0 1 | | f2a2 h7h6 a2a8 | 1.Ra2 takes nothing and gives no check; 2.Ra8+ comes next.
defensive_move | 6k1/8/8/8/8/8/8/3K3r w - - 0 1 | | d1d2 | 1.Kd2 answers the check.
only_move | 8/5pk1/8/8/2B5/5pPq/5P1P/4R1K1 w - - 0 1 | | c4f1 | 1.Bf1 is the only move: every other one allows mate at once.
";

#[test]
fn every_kind_is_found_proved_and_put_into_words() {
    let mut kinds: BTreeSet<Kind> = Kind::ALL.iter().copied().collect();
    for row in POSITIONS.lines().filter(|row| !row.is_empty()) {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let [name, fen, before, moves, text] = cells[..] else {
            panic!("{row}");
        };
        let skipped = usize::from(!before.is_empty());
        let moves = Moves::parse(fen, &format!("{before} {moves}"), skipped);
        let motifs = moves.motifs();
        let motif = motifs.iter().find(|motif| motif.kind.name() == name);
        let motif = motif.unwrap_or_else(|| panic!("no {name} in {fen}: {motifs:?}"));
        assert_eq!(sentence(&moves.line(), motif), text, "{name}");
        assert_eq!(moves.unproved(), None, "{name}");
        kinds.remove(&motif.kind);
    }
    // Zugzwang needs a search.
    assert_eq!(kinds.into_iter().collect::<Vec<_>>(), [Kind::Zugzwang]);
}

/// Positions that look like a motif and are none: FEN, moves, the kind that must not be found.
const COUNTEREXAMPLES: [(&str, &str, Kind); 10] = [
    // The rook on a8 is defended and worth no more than the forking rook.
    (
        "r3k3/8/8/8/8/8/8/R3K3 w - - 0 1",
        "a1a8 e8d7 a8a2",
        Kind::Fork,
    ),
    // The knight on c7 is taken.
    (
        "r1k5/8/8/3N4/8/8/8/4K3 w - - 0 1",
        "d5c7 c8c7 e1e2",
        Kind::Fork,
    ),
    // Two pieces stand between bishop and king.
    (
        "4k3/3p4/2n5/1B6/8/8/8/4K3 w - - 0 1",
        "b5c6 d7c6",
        Kind::Pin,
    ),
    // The knight is defended by a pawn.
    (
        "4k3/1p6/2n5/8/8/8/6B1/4K3 w - - 0 1",
        "g2c6 b7c6",
        Kind::HangingPiece,
    ),
    // The knight is defended by a rook behind the capturing rook.
    (
        "4k3/8/r7/8/R7/8/n7/4K3 w - - 0 1",
        "a4a2 a6a2",
        Kind::HangingPiece,
    ),
    // The pawn on g7 is attacked: the king's own pieces alone do not hold it in.
    (
        "6k1/5ppp/8/8/8/8/1B6/K2R4 w - - 0 1",
        "d1d8",
        Kind::BackRankMate,
    ),
    // The king may go to g7.
    (
        "6rk/7p/7N/8/8/8/8/K7 w - - 0 1",
        "h6f7",
        Kind::SmotheredMate,
    ),
    // The queens are exchanged.
    (
        "3rk3/8/8/8/8/8/8/3QK3 w - - 0 1",
        "d1d8 e8d8 e1e2",
        Kind::Fork,
    ),
    // Later in the line the queen takes one piece after the other.
    (
        "r5k1/1b3ppp/8/8/8/5Q2/8/6K1 w - - 0 1",
        "g1h2 h7h6 f3b7 g7g6 b7a8",
        Kind::CapturingDefender,
    ),
    // The queen defends the bishop beside the king.
    (
        "3qkb2/3ppp2/8/8/2B5/5Q2/8/4K3 w - - 0 1",
        "c4f7",
        Kind::BalestraMate,
    ),
];

#[test]
fn look_alikes_are_not_found() {
    for (fen, moves, kind) in COUNTEREXAMPLES {
        let motifs = Moves::parse(fen, moves, 0).motifs();
        assert!(
            motifs.iter().all(|motif| motif.kind != kind),
            "{kind} in {fen}"
        );
    }
}
