//! A real client, if it is installed: python-chess.

use std::path::Path;
use std::process::Command;

#[test]
fn python_chess_plays_analyses_and_ponders() {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/client.py");
    let Ok(output) = Command::new("python3")
        .arg(script)
        .arg(crate::driver::program())
        .output()
    else {
        eprintln!("skipped: no python3 here");
        return;
    };
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(
        output.status.success(),
        "{}{}",
        text(&output.stdout),
        text(&output.stderr)
    );
    eprint!("{}", text(&output.stdout));
}
