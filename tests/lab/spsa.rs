//! `lucena spsa`, killed at random moments, ends with the result of an uninterrupted run. Builds without `--features
//! tune` refuse it.

use std::path::Path;
use std::process::{Command, Output, Stdio};

fn spsa(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lucena"));
    command.args(["spsa", "--nodes", "60", "--pairs", "60", "--threads", "1"]);
    command.arg("--out").arg(folder).args(arguments);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[cfg(not(feature = "tune"))]
#[test]
fn a_build_without_tuning_refuses_and_writes_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("out");
    let output = spsa(&out, &[]).output().expect("it starts");
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("--features tune"), "{output:?}");
    assert!(!out.exists());
}

#[cfg(feature = "tune")]
mod tuning {
    use std::fs;
    use std::thread::sleep;
    use std::time::Duration;

    use lucena::base::random::Random;

    use super::*;

    /// Kills, and the longest time before one in milliseconds.
    const KILLS: usize = 12;
    const LONGEST_LIFE: usize = 400;

    #[test]
    fn kills_change_nothing() {
        let folder = tempfile::tempdir().expect("a folder");
        let (uninterrupted, interrupted) = (
            folder.path().join("uninterrupted"),
            folder.path().join("interrupted"),
        );
        let whole = spsa(&uninterrupted, &[]).output().expect("it starts");
        assert!(whole.status.success(), "{}", stderr(&whole));
        let mut random = Random::new(u64::from(std::process::id()), 0);
        for _ in 0..KILLS {
            let mut child = spsa(&interrupted, &[]).spawn().expect("it starts");
            sleep(Duration::from_millis(random.below(LONGEST_LIFE) as u64));
            // SIGKILL on Unix: no cleanup is possible.
            let _ = child.kill();
            let _ = child.wait();
        }
        let resumed = spsa(&interrupted, &[]).output().expect("it starts");
        assert!(resumed.status.success(), "{}", stderr(&resumed));
        let read = |folder: &Path, name| fs::read_to_string(folder.join(name)).expect("a file");
        for name in ["spsa.state", "spsa.svg"] {
            assert_eq!(
                read(&interrupted, name),
                read(&uninterrupted, name),
                "{name}"
            );
        }
        assert_eq!(resumed.stdout, whole.stdout);

        let other = spsa(&uninterrupted, &["--seed", "2"])
            .output()
            .expect("it starts");
        assert_eq!(other.status.code(), Some(1));
        assert!(stderr(&other).contains("`seed 1`"), "{}", stderr(&other));
        // The plot would overwrite the openings.
        let plot = uninterrupted.join("spsa.svg");
        let before = fs::read(&plot).expect("a plot");
        let same = ["--openings", plot.to_str().expect("text")];
        let other = spsa(&uninterrupted, &same).output().expect("it starts");
        assert!(
            stderr(&other).contains("it is also an input"),
            "{}",
            stderr(&other)
        );
        assert_eq!(fs::read(&plot).expect("a plot"), before);
        let other = spsa(&uninterrupted, &["--only", "nonsense"])
            .output()
            .expect("it starts");
        assert!(
            stderr(&other).contains("no constant `nonsense`"),
            "{}",
            stderr(&other)
        );
        let book = folder.path().join("none.epd");
        let book = ["--openings", book.to_str().expect("text")];
        let other = spsa(&uninterrupted, &book).output().expect("it starts");
        assert!(stderr(&other).contains("none.epd: "), "{}", stderr(&other));
    }
}
