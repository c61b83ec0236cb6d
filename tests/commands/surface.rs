//! The public surface of the library is the one listed in `docs/public-api.txt`.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

/// Set to any text, the listing is rewritten.
const REWRITE: &str = "LUCENA_REWRITE";
/// The compiler whose documentation the listing is read from; others may write it in another way.
const COMPILER: &str = "rustc 1.95.";

/// The text of HTML: without tags, entities replaced.
fn text(html: &str) -> String {
    let mut found = String::new();
    for part in html.split('<') {
        let shown = part.split_once('>').map_or(part, |(_, shown)| shown);
        found += shown;
    }
    for (entity, letter) in [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&#39;", "'"),
        ("&nbsp;", " "),
        ("&amp;", "&"),
    ] {
        found = found.replace(entity, letter);
    }
    found
}

/// A text on one line.
fn line(html: &str) -> String {
    let shown = text(html);
    shown.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The texts between each start and the next end.
fn between<'a>(html: &'a str, start: &'a str, end: &'a str) -> impl Iterator<Item = &'a str> {
    let parts = html.split(start).skip(1);
    parts.map(move |part| part.split(end).next().unwrap_or_default())
}

/// The part of a page from one mark to the first of others.
fn part<'a>(html: &'a str, from: &str, ends: &[&str]) -> &'a str {
    let Some((_, rest)) = html.split_once(from) else {
        return "";
    };
    let end = ends.iter().filter_map(|end| rest.find(end)).min();
    &rest[..end.unwrap_or(rest.len())]
}

/// An item of the page at this path: its declaration, its methods and the traits that it implements.
fn item(folder: &Path, href: &str, name: &str) -> String {
    let html = std::fs::read_to_string(folder.join(href)).expect("a page of an item");
    let declaration = part(&html, "<pre class=\"rust item-decl\">", &["</pre>"]);
    let summary = "<summary class=\"hideme\">";
    let hidden: Vec<&str> = between(declaration, summary, "</summary>").collect();
    let mut declaration = declaration.to_owned();
    for note in hidden {
        declaration = declaration.replace(note, "");
    }
    let mut found = format!("\nlucena::{name}\n");
    let declaration = declaration.replace("]</div>", "]</div>\n");
    for row in text(&declaration)
        .lines()
        .filter(|row| !row.trim().is_empty())
    {
        found += &format!("  {}\n", row.trim_end());
    }
    const TRAITS: &str = "id=\"trait-implementations\"";
    const OTHERS: [&str; 3] = [
        "id=\"synthetic-implementations\"",
        "id=\"blanket-implementations\"",
        "id=\"deref-methods-",
    ];
    let own = part(
        &html,
        "id=\"implementations\"",
        &[TRAITS, OTHERS[0], OTHERS[1], OTHERS[2]],
    );
    for header in between(own, "<h4 class=\"code-header\">", "</h4>") {
        found += &format!("  {}\n", line(header));
    }
    let traits = part(&html, TRAITS, &OTHERS);
    let mut headers: Vec<String> = between(traits, "<h3 class=\"code-header\">", "</h3>")
        .map(line)
        .collect();
    headers.sort();
    for header in headers {
        found += &format!("  {header}\n");
    }
    found
}

/// Everything that the documentation in this folder shows.
fn surface(folder: &Path) -> String {
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).expect("a page");
    let mut found =
        "The public surface of the library. `LUCENA_REWRITE=1 cargo test --test commands surface` writes it.\n\n"
            .to_owned();
    let all = read("all.html");
    let mut items: Vec<(String, &str)> = between(&all, "<li><a href=\"", "</li>")
        .map(|entry| {
            let (href, name) = entry.split_once("\">").expect("a link");
            (text(name), href)
        })
        .filter(|(_, href)| href.ends_with(".html"))
        .collect();
    items.sort();
    let modules = items
        .iter()
        .map(|(_, href)| Path::new(href).parent().expect("a folder"));
    let modules: BTreeSet<&Path> = modules.chain([Path::new("")]).collect();
    for module in modules {
        let page = std::fs::read_to_string(folder.join(module).join("index.html")).expect("a page");
        for used in between(&page, "id=\"reexport.", "</code>") {
            let used = line(used.split_once("<code>").expect("a path").1);
            let module = module.to_string_lossy().replace('/', "::");
            found += &format!(
                "{}: {used}\n",
                format!("lucena::{module}").trim_end_matches(':')
            );
        }
    }
    for (name, href) in items {
        found += &item(folder, href, &name);
    }
    found
}

#[test]
fn the_surface_is_the_one_listed() {
    let version = Command::new("rustc").arg("--version").output();
    let version = String::from_utf8(version.expect("rustc").stdout).expect("UTF-8");
    if !version.starts_with(COMPILER) {
        eprintln!("SKIPPED: the listing is for {COMPILER}x, this is {version}");
        return;
    }
    let documented = Command::new(env!("CARGO"))
        .args(["doc", "--no-deps", "--quiet", "--locked", "--lib"])
        .output()
        .expect("cargo");
    assert!(documented.status.success(), "{documented:?}");
    let metadata = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--format-version", "1", "--locked"])
        .output()
        .expect("cargo");
    let metadata: serde_json::Value = serde_json::from_slice(&metadata.stdout).expect("JSON");
    let target = metadata["target_directory"].as_str().expect("a folder");
    let found = surface(&Path::new(target).join("doc/lucena"));
    let types = ["pub struct", "pub enum"];
    for item in found.split("\n\n") {
        let is_type = types.iter().any(|declared| item.contains(declared));
        assert!(!is_type || item.contains(" Debug for "), "no Debug: {item}");
    }
    let listing = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/public-api.txt");
    if std::env::var_os(REWRITE).is_some() {
        std::fs::write(&listing, found).expect("the listing is written");
        return;
    }
    let listed = std::fs::read_to_string(&listing).expect("the listing");
    let lines = listed.lines().zip(found.lines()).enumerate();
    for (number, (listed, found)) in lines {
        assert_eq!(
            listed,
            found,
            "line {}: set {REWRITE}=1 to rewrite",
            number + 1
        );
    }
    assert_eq!(listed.len(), found.len(), "set {REWRITE}=1 to rewrite");
}
