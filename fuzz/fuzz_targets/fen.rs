//! FEN → position → moves → FEN, from arbitrary bytes. The first line is a FEN, each byte after it chooses a move. A text
//! that is not a position must give an error; a position must be consistent after every move.
//!
//! Run: `cargo +nightly fuzz run fen -- -max_total_time=300` (with `cargo install cargo-fuzz`).
#![no_main]

use libfuzzer_sys::fuzz_target;
use lucena::chess::{GenType, MoveList, Position};
use lucena::lab::perft::{perft, perft_by_moves};

fuzz_target!(|bytes: &[u8]| {
    let mut parts = bytes.splitn(2, |&byte| byte == b'\n');
    let text = String::from_utf8_lossy(parts.next().unwrap_or_default());
    let mut position = match Position::from_fen(&text) {
        Ok(position) => position,
        Err(error) => {
            assert!(!error.to_string().is_empty());
            return;
        }
    };
    check(&position);
    for &choice in parts.next().unwrap_or_default().iter().take(200) {
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        let mv = moves[choice as usize % moves.len()];
        let in_check = position.gives_check(mv);
        position = position.play(mv);
        assert_eq!(position.in_check(), in_check, "{mv:?} to {position:?}");
        check(&position);
    }
    if position.legal_moves().len() < 60 {
        assert_eq!(perft(&position, 2), perft_by_moves(&position, 2));
    }
});

/// Checks that the methods of a position agree with each other.
fn check(position: &Position) {
    let fen = position.to_fen();
    assert_eq!(Position::from_fen(&fen).as_ref(), Ok(position), "{fen}");
    assert_eq!(&position.flip().flip(), position, "{fen}");
    let moves = position.legal_moves();
    assert_eq!(moves.len(), position.count_legal_moves(), "{fen}");
    assert_eq!(moves.is_empty(), !position.has_legal_move(), "{fen}");
    let (mut noisy, mut quiet) = (MoveList::new(), MoveList::new());
    position.generate(GenType::Noisy, &mut noisy);
    position.generate(GenType::Quiet, &mut quiet);
    assert_eq!(noisy.len() + quiet.len(), moves.len(), "{fen}");
    for &mv in &moves {
        assert!(position.is_legal(mv), "{mv:?} in {fen}");
        let text = mv.uci(true).to_string();
        assert_eq!(position.parse_move(&text), Ok(mv), "{text} in {fen}");
    }
}
