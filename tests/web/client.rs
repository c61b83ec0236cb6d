//! A server process, and small clients for HTTP and WebSockets.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, BufRead, BufReader, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use serde_json::Value;
use tungstenite::client::IntoClientRequest;
use tungstenite::http::HeaderValue;
use tungstenite::{Error, Message, WebSocket};

/// No answer takes longer, also on a busy machine.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// Held by tests that measure time or use all processors, so that they run one after the other.
pub static ALONE: Mutex<()> = Mutex::new(());

/// A running `lucena serve`, killed when dropped.
pub struct Server {
    process: Child,
    pub url: String,
    pub port: u16,
}

/// A response.
#[derive(Debug)]
pub struct Response {
    pub status: u16,
    pub headers: BTreeMap<String, String>,
    pub body: Vec<u8>,
}

impl Server {
    pub fn start() -> Self {
        Self::with(&["--port", "0"])
    }

    pub fn with(arguments: &[&str]) -> Self {
        let mut process = Command::new(env!("CARGO_BIN_EXE_lucena"))
            .arg("serve")
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .expect("a server");
        let mut line = String::new();
        let out = process.stdout.take().expect("its output");
        BufReader::new(out).read_line(&mut line).expect("a line");
        let url = line.split(' ').nth(2).expect("an address").to_owned();
        let address = url.split('/').nth(2).expect("an address");
        let port = address.rsplit_once(':').expect("a port").1;
        let port = port.parse().expect("a number");
        Self { process, url, port }
    }

    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).expect("a connection");
        stream.set_read_timeout(Some(PATIENCE)).expect("a timeout");
        stream.set_nodelay(true).expect("no delay");
        stream
    }

    /// Sends bytes on a new connection, and reads the response.
    pub fn send(&self, bytes: &[u8]) -> Option<Response> {
        let mut stream = self.connect();
        // A refused request may not be read to its end.
        let _ = stream.write_all(bytes);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        Response::parse(&answer)
    }

    /// A request with these headers beside the host.
    pub fn request(&self, method: &str, target: &str, headers: &[&str], body: &[u8]) -> Response {
        let mut text = format!("{method} {target} HTTP/1.1\r\nConnection: close\r\n");
        if !headers.iter().any(|header| header.starts_with("Host:")) {
            text += &format!("Host: 127.0.0.1:{}\r\n", self.port);
        }
        for header in headers {
            text += &format!("{header}\r\n");
        }
        if method == "POST" {
            text += &format!("Content-Length: {}\r\n", body.len());
        }
        let bytes = [text.as_bytes(), b"\r\n", body].concat();
        self.send(&bytes).expect("a response")
    }

    pub fn get(&self, target: &str) -> Response {
        self.request("GET", target, &[], b"")
    }

    /// The JSON of a route; parameters are encoded here.
    pub fn json(&self, path: &str, parameters: &[(&str, &str)]) -> (u16, Value) {
        let response = self.get(&target(path, parameters));
        (response.status, response.json())
    }

    /// A WebSocket of the engine.
    pub fn engine(&self) -> Engine {
        self.try_engine(&[]).expect("a WebSocket")
    }

    /// A WebSocket with more headers, or the status of the refusal.
    pub fn try_engine(&self, headers: &[(&'static str, &str)]) -> Result<Engine, u16> {
        let url = format!("ws://127.0.0.1:{}/api/engine", self.port);
        let mut request = url.into_client_request().expect("a request");
        for (name, value) in headers {
            let value = HeaderValue::from_str(value).expect("a value");
            request.headers_mut().insert(*name, value);
        }
        match tungstenite::client(request, self.connect()) {
            Ok((socket, _)) => Ok(Engine(socket)),
            Err(tungstenite::HandshakeError::Failure(tungstenite::Error::Http(response))) => {
                Err(response.status().as_u16())
            }
            Err(error) => panic!("{error}"),
        }
    }

    /// The resident memory in MiB.
    pub fn memory(&self) -> u64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.process.id()));
        let status = status.expect("a process");
        let line = status.lines().find(|line| line.starts_with("VmRSS:"));
        let words = line.and_then(|line| line.split_whitespace().nth(1));
        words.map_or(0, |kib| kib.parse::<u64>().expect("a number") >> 10)
    }

    /// The processor time so far.
    pub fn processor_time(&self) -> Duration {
        let stat = fs::read_to_string(format!("/proc/{}/stat", self.process.id()));
        let stat = stat.expect("a process");
        let fields: Vec<&str> = stat
            .rsplit(')')
            .next()
            .expect("fields")
            .split(' ')
            .collect();
        let ticks = |index: usize| fields[index].parse::<u64>().expect("a number");
        Duration::from_millis((ticks(12) + ticks(13)) * 10)
    }

    /// How many threads have a name that starts so.
    pub fn threads(&self, name: &str) -> usize {
        let tasks = fs::read_dir(format!("/proc/{}/task", self.process.id()));
        let names = tasks.expect("threads").filter_map(|task| {
            let name = fs::read_to_string(task.ok()?.path().join("comm"));
            name.ok()
        });
        names.filter(|found| found.starts_with(name)).count()
    }

    /// Waits until the server does nothing.
    pub fn wait_until_idle(&self) {
        let started = Instant::now();
        loop {
            let before = self.processor_time();
            std::thread::sleep(Duration::from_millis(300));
            if self.processor_time() - before <= Duration::from_millis(20) {
                return;
            }
            assert!(started.elapsed() < PATIENCE, "the server still searches");
        }
    }

    /// Whether the process runs and answers.
    pub fn is_well(&mut self) -> bool {
        let runs = self.process.try_wait().expect("a status").is_none();
        runs && self.get("/api/about").status == 200
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A path with encoded parameters.
pub fn target(path: &str, parameters: &[(&str, &str)]) -> String {
    let pairs = parameters.iter().map(|(name, value)| {
        let value: String = value
            .bytes()
            .map(|byte| match byte {
                b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => char::from(byte).to_string(),
                other => format!("%{other:02X}"),
            })
            .collect();
        format!("{name}={value}")
    });
    let query = pairs.collect::<Vec<_>>().join("&");
    format!("{path}?{query}")
}

impl Response {
    fn parse(bytes: &[u8]) -> Option<Self> {
        let end = bytes.windows(4).position(|window| window == b"\r\n\r\n")?;
        let head = String::from_utf8_lossy(&bytes[..end]);
        let mut lines = head.lines();
        let status = lines.next()?.split(' ').nth(1)?.parse().ok()?;
        let headers: BTreeMap<String, String> = lines
            .filter_map(|line| line.split_once(": "))
            .map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned()))
            .collect();
        let rest = &bytes[end + 4..];
        let is_chunked = headers.contains_key("transfer-encoding");
        let body = if is_chunked {
            unchunk(rest)
        } else {
            rest.to_vec()
        };
        Some(Self {
            status,
            headers,
            body,
        })
    }

    pub fn json(&self) -> Value {
        let text = String::from_utf8_lossy(&self.body);
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
    }

    /// The values of a body with one on each line.
    pub fn lines(&self) -> Vec<Value> {
        let text = String::from_utf8(self.body.clone()).expect("UTF-8");
        let values = text.lines().map(serde_json::from_str);
        values.collect::<Result<_, _>>().expect("JSON")
    }
}

fn unchunk(mut rest: &[u8]) -> Vec<u8> {
    let mut body = Vec::new();
    while let Some(end) = rest.windows(2).position(|window| window == b"\r\n") {
        let size = std::str::from_utf8(&rest[..end]).expect("a size");
        let size = usize::from_str_radix(size, 16).expect("a size");
        if size == 0 {
            break;
        }
        body.extend_from_slice(&rest[end + 2..end + 2 + size]);
        rest = &rest[end + 4 + size..];
    }
    body
}

/// A connection to the engine.
pub struct Engine(pub WebSocket<TcpStream>);

impl Engine {
    pub fn send(&mut self, text: &str) {
        self.0.send(Message::text(text)).expect("a connection");
    }

    /// The next message.
    pub fn read(&mut self) -> Value {
        loop {
            match self.0.read().expect("a message") {
                Message::Text(text) => return serde_json::from_str(&text).expect("JSON"),
                Message::Close(_) => panic!("closed"),
                _ => {}
            }
        }
    }

    /// The messages that are there already; pings are answered.
    pub fn read_waiting(&mut self) -> Vec<Value> {
        let soon = Some(Duration::from_millis(1));
        self.0.get_ref().set_read_timeout(soon).expect("a socket");
        let mut found = Vec::new();
        loop {
            match self.0.read() {
                Ok(Message::Text(text)) => found.push(serde_json::from_str(&text).expect("JSON")),
                Ok(_) => {}
                Err(Error::Io(error)) if is_timeout(&error) => break,
                Err(error) => panic!("{error}"),
            }
        }
        let patience = Some(PATIENCE);
        self.0
            .get_ref()
            .set_read_timeout(patience)
            .expect("a socket");
        found
    }

    /// Reads up to the best move of a search, and returns it with the reports before it.
    pub fn best_move(&mut self, id: u64) -> (Value, Vec<Value>) {
        let mut infos = Vec::new();
        loop {
            let report = self.read();
            if report["id"] == id && report["type"] == "bestmove" {
                return (report, infos);
            }
            infos.push(report);
        }
    }
}

fn is_timeout(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut)
}
