//! The examples print what `docs/theory.md` shows.

use std::process::Command;

/// Set to any text, the page is rewritten with what the examples print.
const REWRITE: &str = "LUCENA_REWRITE";

#[test]
fn examples_print_what_the_page_shows() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/theory.md");
    let text = std::fs::read_to_string(page).expect("the page");
    let mut written = String::new();
    let mut rest = text.as_str();
    let mut count = 0;
    while let Some((before, after)) = rest.split_once("<!-- example: ") {
        let (name, after) = after.split_once(" -->\n```text\n").expect("a block");
        let (_, after) = after.split_once("```\n").expect("the end of a block");
        let output = Command::new(env!("CARGO"))
            .args(["run", "--quiet", "--locked", "--example", name])
            .output()
            .expect("cargo");
        assert!(output.status.success(), "{name}: {output:?}");
        let printed = String::from_utf8(output.stdout).expect("UTF-8");
        written += &format!("{before}<!-- example: {name} -->\n```text\n{printed}```\n");
        rest = after;
        count += 1;
    }
    written += rest;
    assert!(count > 0);
    if std::env::var_os(REWRITE).is_some() {
        std::fs::write(page, written).expect("the page is written");
    } else {
        assert_eq!(text, written, "set {REWRITE}=1 to rewrite the page");
    }
}
