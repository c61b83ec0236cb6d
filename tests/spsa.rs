//! The tuner of the search's constants, killed at any moment, ends as if it had been left in peace. Only a build with
//! `--features tune` can tune, and others say so.
//! Uses: the program itself.

use std::path::Path;
use std::process::{Command, Output, Stdio};

fn spsa(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lucena"));
    command.args(["spsa", "--nodes", "60", "--pairs", "60", "--threads", "1"]);
    command.arg("--out").arg(folder).args(arguments);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn told(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[cfg(not(feature = "tune"))]
#[test]
fn a_build_with_literals_says_so_and_writes_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("out");
    let output = spsa(&out, &[]).output().expect("it starts");
    assert_eq!(output.status.code(), Some(1));
    assert!(told(&output).contains("--features tune"), "{output:?}");
    assert!(!out.exists());
}

#[cfg(feature = "tune")]
mod tuning {
    use std::fs;
    use std::thread::sleep;
    use std::time::Duration;

    use lucena::base::random::Random;

    use super::*;

    /// How often a run is killed, and how many milliseconds it lives at most before that.
    const KILLS: usize = 12;
    const LONGEST_LIFE: usize = 400;

    #[test]
    fn kills_change_nothing() {
        let folder = tempfile::tempdir().expect("a folder");
        let (calm, rough) = (folder.path().join("calm"), folder.path().join("rough"));
        let whole = spsa(&calm, &[]).output().expect("it starts");
        assert!(whole.status.success(), "{}", told(&whole));
        let mut random = Random::new(u64::from(std::process::id()), 0);
        for _ in 0..KILLS {
            let mut child = spsa(&rough, &[]).spawn().expect("it starts");
            sleep(Duration::from_millis(random.below(LONGEST_LIFE) as u64));
            // SIGKILL on Unix: nothing can be tidied up.
            let _ = child.kill();
            let _ = child.wait();
        }
        let resumed = spsa(&rough, &[]).output().expect("it starts");
        assert!(resumed.status.success(), "{}", told(&resumed));
        let read = |folder: &Path, name| fs::read_to_string(folder.join(name)).expect("a file");
        for name in ["spsa.state", "spsa.svg"] {
            assert_eq!(read(&rough, name), read(&calm, name), "{name}");
        }
        assert_eq!(resumed.stdout, whole.stdout);

        let other = spsa(&calm, &["--seed", "2"]).output().expect("it starts");
        assert_eq!(other.status.code(), Some(1));
        assert!(told(&other).contains("`seed 1`"), "{}", told(&other));
        let other = spsa(&calm, &["--only", "nonsense"])
            .output()
            .expect("it starts");
        assert!(
            told(&other).contains("no constant `nonsense`"),
            "{}",
            told(&other)
        );
        let book = folder.path().join("none.epd");
        let book = ["--openings", book.to_str().expect("text")];
        let other = spsa(&calm, &book).output().expect("it starts");
        assert!(told(&other).contains("none.epd: "), "{}", told(&other));
    }
}
