//! The files of the page, embedded in the program from `web/dist`.

use hyper::header::{CACHE_CONTROL, ETAG, HeaderValue};
use hyper::{HeaderMap, StatusCode};
use include_dir::{Dir, include_dir};

use super::answer::{self, Answer};

static FILES: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/web/dist");
/// The file that `/` stands for.
const INDEX: &str = "index.html";

/// The file at a path of the page.
pub fn file(path: &str, headers: &HeaderMap) -> Answer {
    let name = match path.trim_start_matches('/') {
        "" => INDEX,
        name => name,
    };
    let Some(file) = FILES.get_file(name) else {
        return answer::refuse(StatusCode::NOT_FOUND, "there is no such file");
    };
    let tag = tag(file.contents());
    let is_known = headers.get(hyper::header::IF_NONE_MATCH);
    let is_known = is_known.is_some_and(|known| known.as_bytes() == tag.as_bytes());
    let mut answer = if is_known {
        answer::bytes(StatusCode::NOT_MODIFIED, kind(name), &b""[..])
    } else {
        answer::bytes(StatusCode::OK, kind(name), file.contents())
    };
    let headers = answer.headers_mut();
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        headers.insert(ETAG, tag);
    }
    answer
}

/// A tag that changes with the contents (FNV-1a).
fn tag(contents: &[u8]) -> String {
    let start = 0xcbf2_9ce4_8422_2325_u64;
    let hash = contents.iter().fold(start, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    format!("\"{hash:016x}\"")
}

/// The media type of a file, by its name.
fn kind(name: &str) -> &'static str {
    match name.rsplit_once('.').map_or("", |(_, ending)| ending) {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "json" => "application/json",
        "webmanifest" => "application/manifest+json",
        "wasm" => "application/wasm",
        "woff2" => "font/woff2",
        "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}
