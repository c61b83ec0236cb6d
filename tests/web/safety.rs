//! Other hosts, other pages and those without the token are refused.

use crate::client::Server;

const TOKEN: &str = "0123456789abcdefXYZ";

#[test]
fn other_hosts_and_pages_are_refused() {
    let server = Server::start();
    let own = format!("Origin: http://127.0.0.1:{}", server.port);
    let other_port = format!("Origin: http://127.0.0.1:{}", server.port.wrapping_add(1));
    let routes = [
        ("GET", "/"),
        ("GET", "/api/about"),
        ("GET", "/api/position"),
        ("POST", "/api/review"),
        ("GET", "/api/engine"),
        ("GET", "/api/none"),
    ];
    let mut refused = 0;
    for (method, path) in routes {
        for (header, status) in [
            ("Host: evil.example", 421),
            ("Host: 127.0.0.1.evil.example", 421),
            ("Host: 192.168.1.1:8630", 421),
            ("Origin: https://evil.example", 403),
            ("Origin: null", 403),
            (other_port.as_str(), 403),
        ] {
            let response = server.request(method, path, &[header], b"1. e4 *");
            assert_eq!(response.status, status, "{path} {header}");
            assert!(response.json()["error"]["message"].is_string());
            refused += 1;
        }
        let foreign = server.request(method, path, &["Sec-Fetch-Site: cross-site"], b"");
        // Other pages may link to the page itself.
        let expected = if path == "/" { 200 } else { 403 };
        assert_eq!(foreign.status, expected, "{path}");
    }
    println!("{refused} requests for other hosts or from other pages refused");
    let same = server.request(
        "GET",
        "/api/about",
        &[&own, "Sec-Fetch-Site: same-origin"],
        b"",
    );
    assert_eq!(same.status, 200);
    assert!(!same.headers.contains_key("access-control-allow-origin"));
    // The WebSocket likewise.
    let foreign = server.try_engine(&[("origin", "https://evil.example")]);
    assert_eq!(foreign.err(), Some(403));
    assert_eq!(
        server.try_engine(&[("host", "evil.example")]).err(),
        Some(421)
    );
    let own = own.trim_start_matches("Origin: ");
    assert!(server.try_engine(&[("origin", own)]).is_ok());
    let none = b"GET /api/about HTTP/1.1\r\nConnection: close\r\n\r\n";
    assert_eq!(server.send(none).map(|answer| answer.status), Some(400));
}

#[test]
fn every_answer_has_the_policy() {
    let server = Server::start();
    for path in ["/", "/api/about", "/api/none", "/none", "/api/eval?fen=x"] {
        let headers = server.get(path).headers;
        let policy = &headers["content-security-policy"];
        assert!(policy.contains("default-src 'self'") && !policy.contains("unsafe-inline"));
        assert_eq!(headers["x-content-type-options"], "nosniff");
        assert_eq!(headers["cross-origin-resource-policy"], "same-origin");
    }
}

#[test]
fn the_token_is_needed_and_becomes_a_cookie() {
    let server = Server::with(&["--port", "0", "--token", TOKEN]);
    assert!(server.url.ends_with(&format!("/?token={TOKEN}")));
    for path in [
        "/",
        "/api/about",
        "/api/about?token=0123456789abcdefXYY",
        "/?token=",
    ] {
        assert_eq!(server.get(path).status, 401, "{path}");
    }
    assert_eq!(server.try_engine(&[]).err(), Some(401));
    let page = server.get(&format!("/?token={TOKEN}"));
    assert_eq!((page.status, page.headers["location"].as_str()), (303, "/"));
    let cookie = &page.headers["set-cookie"];
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"));
    let cookie = cookie.split(';').next().expect("a cookie");
    let cookie = format!("Cookie: other=1; {cookie}");
    assert_eq!(server.request("GET", "/", &[&cookie], b"").status, 200);
    let bearer = format!("Authorization: Bearer {TOKEN}");
    assert_eq!(
        server.request("GET", "/api/about", &[&bearer], b"").status,
        200
    );
    let direct = server.get(&format!("/api/about?token={TOKEN}"));
    assert_eq!(direct.status, 200);
    assert!(
        server
            .try_engine(&[("authorization", &bearer["Authorization: ".len()..])])
            .is_ok()
    );
    // Other pages are refused all the same.
    let foreign = server.request(
        "GET",
        "/api/about",
        &[&bearer, "Origin: http://evil.example"],
        b"",
    );
    assert_eq!(foreign.status, 403);
}
