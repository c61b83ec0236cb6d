//! Access control: requests for another host (DNS rebinding) or from another origin are refused, and those without the
//! token, if there is one.

use std::net::IpAddr;

use hyper::header::{AUTHORIZATION, COOKIE, HOST, HeaderValue, LOCATION, ORIGIN, SET_COOKIE};
use hyper::{HeaderMap, StatusCode};
use thiserror::Error;

use super::answer::{self, Answer};
use super::routes::{TOKEN, parameter};

/// The shortest and the longest token in characters.
pub const TOKEN_LENGTHS: (usize, usize) = (16, 128);

/// Why a text is not a valid token.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum TokenError {
    #[error("must have {} to {} characters", TOKEN_LENGTHS.0, TOKEN_LENGTHS.1)]
    Length,
    #[error("must consist of letters, digits and - . _ ~")]
    Characters,
}

/// The secret of a server.
#[derive(Clone, Debug)]
pub struct Token(String);

impl Token {
    /// A token that needs no quoting in a URL or a cookie.
    ///
    /// # Errors
    /// [`TokenError`] if it is too short, too long or has other characters.
    pub fn new(text: &str) -> Result<Self, TokenError> {
        if !(TOKEN_LENGTHS.0..=TOKEN_LENGTHS.1).contains(&text.len()) {
            return Err(TokenError::Length);
        }
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
        if !text.bytes().all(is_plain) {
            return Err(TokenError::Characters);
        }
        Ok(Self(text.to_owned()))
    }

    pub fn text(&self) -> &str {
        &self.0
    }

    /// Whether a text is the token, in a time that does not depend on where they differ.
    fn is(&self, given: &str) -> bool {
        let pairs = self.0.bytes().zip(given.bytes());
        let difference = pairs.fold(0, |all, (one, other)| all | (one ^ other));
        self.0.len() == given.len() && difference == 0
    }
}

/// Checks the host and the origin of a request. `is_api` is false for the files of the page, which other pages may link to.
pub fn check_origin(headers: &HeaderMap, has_token: bool, is_api: bool) -> Result<(), Box<Answer>> {
    let mut hosts = headers.get_all(HOST).iter();
    let host = hosts.next().and_then(|host| host.to_str().ok());
    let Some(host) = host.filter(|_| hosts.next().is_none()) else {
        let message = "exactly one Host header is needed";
        return Err(Box::new(answer::refuse(StatusCode::BAD_REQUEST, message)));
    };
    // With a token, a name that was rebound has no cookie.
    if !has_token && !is_loopback(host) {
        let message = "this host is not served: use localhost or 127.0.0.1";
        let refusal = answer::refuse(StatusCode::MISDIRECTED_REQUEST, message);
        return Err(Box::new(refusal));
    }
    if let Some(origin) = headers.get(ORIGIN) {
        let own = ["http://", "https://"].map(|scheme| format!("{scheme}{host}"));
        let is_own = own.iter().any(|own| {
            let given = origin.as_bytes();
            given.eq_ignore_ascii_case(own.as_bytes())
        });
        if !is_own {
            return Err(foreign());
        }
    }
    let site = headers.get("sec-fetch-site").map(HeaderValue::as_bytes);
    if is_api && site.is_some_and(|site| site != b"same-origin" && site != b"none") {
        return Err(foreign());
    }
    Ok(())
}

fn foreign() -> Box<Answer> {
    let message = "requests of other pages are refused";
    Box::new(answer::refuse(StatusCode::FORBIDDEN, message))
}

/// Whether a `Host` header names the loopback address, with any port: a tunnel may use another one.
fn is_loopback(host: &str) -> bool {
    let is_port = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let name = match host.rsplit_once(':') {
        Some((name, port)) if is_port(port) => name,
        _ => host,
    };
    if name.eq_ignore_ascii_case("localhost") {
        return true;
    }
    let address = name
        .strip_prefix('[')
        .and_then(|name| name.strip_suffix(']'));
    let address = address.unwrap_or(name).parse::<IpAddr>();
    address.is_ok_and(|address| address.is_loopback())
}

/// Checks the token of a request. A page that was opened with the token in its address gets it as a cookie, and loads again
/// without it.
pub fn check_token(
    token: &Token,
    port: u16,
    headers: &HeaderMap,
    path: &str,
    query: &str,
) -> Result<(), Box<Answer>> {
    let bearer = headers
        .get(AUTHORIZATION)
        .and_then(|value| value.to_str().ok());
    let bearer = bearer.and_then(|value| value.strip_prefix("Bearer "));
    if bearer.is_some_and(|given| token.is(given.trim())) {
        return Ok(());
    }
    let name = format!("lucena-{port}");
    let cookies = headers.get_all(COOKIE).iter();
    let mut cookies = cookies
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(';'))
        .filter_map(|cookie| cookie.trim().split_once('='));
    if cookies.any(|(known, value)| known == name && token.is(value)) {
        return Ok(());
    }
    if parameter(query, TOKEN).is_some_and(|given| token.is(&given)) {
        if path.starts_with("/api/") {
            return Ok(());
        }
        let mut answer = answer::bytes(StatusCode::SEE_OTHER, "text/plain", &b""[..]);
        let cookie = format!("{name}={}; HttpOnly; SameSite=Strict; Path=/", token.text());
        if let Ok(cookie) = HeaderValue::from_str(&cookie) {
            answer.headers_mut().insert(SET_COOKIE, cookie);
        }
        let page = HeaderValue::from_static("/");
        answer.headers_mut().insert(LOCATION, page);
        return Err(Box::new(answer));
    }
    let message = "the token is missing or wrong";
    Err(Box::new(answer::refuse(StatusCode::UNAUTHORIZED, message)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn status(pairs: &[(&'static str, &'static str)], has_token: bool) -> Option<u16> {
        let mut headers = HeaderMap::new();
        for (name, value) in pairs {
            headers.append(*name, HeaderValue::from_static(value));
        }
        let refused = check_origin(&headers, has_token, true).err();
        refused.map(|answer| answer.status().as_u16())
    }

    #[test]
    fn only_the_loopback_address_is_served() {
        for host in [
            "localhost",
            "LocalHost:8630",
            "127.0.0.1:1",
            "[::1]:8630",
            "127.9.9.9",
        ] {
            assert_eq!(status(&[("host", host)], false), None, "{host}");
        }
        for host in [
            "example.com",
            "localhost.example.com",
            "127.0.0.1.example.com:8630",
            "192.168.0.1",
            "",
            "[::1",
            "0.0.0.0",
        ] {
            assert_eq!(status(&[("host", host)], false), Some(421), "{host}");
        }
        assert_eq!(status(&[], false), Some(400));
        assert_eq!(
            status(&[("host", "localhost"), ("host", "evil")], false),
            Some(400)
        );
        assert_eq!(status(&[("host", "example.com")], true), None);
    }

    #[test]
    fn other_origins_are_refused() {
        let with = |name: &'static str, value: &'static str| {
            status(&[("host", "localhost:8630"), (name, value)], false)
        };
        assert_eq!(with("origin", "http://localhost:8630"), None);
        for origin in [
            "null",
            "http://localhost",
            "http://localhost:8631",
            "http://evil.example",
            "file://localhost:8630",
        ] {
            assert_eq!(with("origin", origin), Some(403), "{origin}");
        }
        assert_eq!(with("sec-fetch-site", "same-origin"), None);
        assert_eq!(with("sec-fetch-site", "none"), None);
        assert_eq!(with("sec-fetch-site", "cross-site"), Some(403));
        assert_eq!(with("sec-fetch-site", "same-site"), Some(403));
    }

    #[test]
    fn a_token_is_plain_and_long_enough() {
        assert_eq!(Token::new("short").err(), Some(TokenError::Length));
        assert_eq!(
            Token::new("with a space in it").err(),
            Some(TokenError::Characters)
        );
        let token = Token::new("0123456789abcdef").unwrap_or_else(|error| panic!("{error}"));
        assert!(token.is("0123456789abcdef"));
        assert!(!token.is("0123456789abcdee") && !token.is("0123456789abcdef0") && !token.is(""));
    }
}
