//! As much of Rust's syntax as `tests/house.rs` needs: comments, literals and paths.

/// A file without comments, and with empty strings and character literals.
pub fn code(text: &str) -> String {
    let (mut code, mut rest) = (String::new(), text);
    while let Some(first) = rest.chars().next() {
        let after = |from: usize, end: &str| rest[from..].find(end).map(|at| from + at + end.len());
        let end = if rest.starts_with("//") {
            rest.find('\n')
        } else if rest.starts_with("/*") {
            after(2, "*/")
        } else if let Some(hashes) = raw_string(rest) {
            code.push_str("\"\"");
            after(hashes + 2, &format!("\"{}", "#".repeat(hashes)))
        } else if first == '"' {
            code.push_str("\"\"");
            let mut is_escaped = false;
            let closing = rest[1..].find(|c| {
                let closes = c == '"' && !is_escaped;
                is_escaped = c == '\\' && !is_escaped;
                closes
            });
            closing.map(|at| at + 2)
        } else if rest.starts_with("'\\") {
            after(3, "'")
        } else if first == '\'' && rest.chars().nth(2) == Some('\'') {
            after(1, "'")
        } else {
            code.push(first);
            Some(first.len_utf8())
        };
        rest = &rest[end.unwrap_or(rest.len())..];
    }
    code
}

/// The number of hashes, if a raw string starts here.
fn raw_string(text: &str) -> Option<usize> {
    let tail = text.strip_prefix('r')?;
    let opening = tail.trim_start_matches('#');
    opening.starts_with('"').then(|| tail.len() - opening.len())
}

/// Parses a path or a tree such as `a::{b, c::d}`, adds its paths below `prefix` to `found`, and returns the rest.
fn parse_tree<'a>(mut rest: &'a str, prefix: &[&'a str], found: &mut Vec<Vec<&'a str>>) -> &'a str {
    let mut path = prefix.to_vec();
    loop {
        if let Some(list) = rest.strip_prefix('{') {
            rest = list;
            loop {
                rest = rest.trim_start_matches(|c: char| c == ',' || c.is_whitespace());
                if rest.is_empty() || rest.starts_with('}') {
                    return rest.get(1..).unwrap_or_default();
                }
                rest = parse_tree(rest, &path, found);
                rest = rest.trim_start_matches(|c: char| c != ',' && c != '}');
            }
        }
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_');
        let (word, tail) = rest.split_at(end.unwrap_or(rest.len()));
        path.extend(Some(word).filter(|word| !word.is_empty()));
        match tail.strip_prefix("::").filter(|_| !word.is_empty()) {
            Some(next) => rest = next,
            None => break found.push(path),
        }
    }
    rest
}

/// The paths in `code` that begin with `root::`, without it.
pub fn paths<'a>(code: &'a str, root: &str) -> Vec<Vec<&'a str>> {
    let prefix = format!("{root}::");
    let mut found = Vec::new();
    for (at, _) in code.match_indices(&prefix) {
        let before = code[..at].trim_end_matches(' ');
        let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$');
        if !code[..at].ends_with(is_word) && !before.ends_with([':', '.']) {
            parse_tree(&code[at + prefix.len()..], &[], &mut found);
        }
    }
    found
}
