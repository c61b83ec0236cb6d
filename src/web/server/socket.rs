//! The WebSocket of `/api/engine`: searches in, reports out. Closing it stops its search.

use std::sync::Arc;
use std::time::Instant;

use futures_util::{SinkExt, StreamExt};
use http_body_util::{Either, Full};
use hyper::body::{Bytes, Incoming};
use hyper::header::{
    CONNECTION, HeaderName, HeaderValue, SEC_WEBSOCKET_ACCEPT, SEC_WEBSOCKET_KEY,
    SEC_WEBSOCKET_VERSION, UPGRADE,
};
use hyper::upgrade::Upgraded;
use hyper::{HeaderMap, Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use tokio::sync::mpsc::{self, Receiver};
use tokio::time::{interval, timeout};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::handshake::derive_accept_key;
use tokio_tungstenite::tungstenite::protocol::{Role, WebSocketConfig};
use tokio_tungstenite::tungstenite::{Message, Utf8Bytes};

use super::answer::{self, Answer};
use super::engine_thread::{EngineThread, Job, Send};
use super::limits;
use super::memory::HashBudget;
use super::state::State;
use crate::engine::level::GameView;
use crate::web::api::{ApiError, EngineReport, ErrorKind, ErrorReport, SearchRequest};

/// The version of the protocol.
const VERSION: &str = "13";

type Socket = WebSocketStream<TokioIo<Upgraded>>;

/// Answers the handshake, and serves the connection from then on.
pub fn open(state: &Arc<State>, mut request: Request<Incoming>) -> Answer {
    let headers = request.headers();
    let key = headers.get(SEC_WEBSOCKET_KEY).cloned();
    let Some(key) = key.filter(|_| is_handshake(headers)) else {
        let message = "this route is a WebSocket: an upgrade to version 13 is needed";
        let mut refusal = answer::refuse(StatusCode::UPGRADE_REQUIRED, message);
        let headers = refusal.headers_mut();
        headers.insert(UPGRADE, HeaderValue::from_static("websocket"));
        headers.insert(SEC_WEBSOCKET_VERSION, HeaderValue::from_static(VERSION));
        return refusal;
    };
    let Ok(place) = Arc::clone(&state.sockets).try_acquire_owned() else {
        return answer::busy("too many searches: close another page");
    };
    let Ok(accept) = HeaderValue::from_str(&derive_accept_key(key.as_bytes())) else {
        return answer::refuse(StatusCode::BAD_REQUEST, "invalid key");
    };
    let upgrade = hyper::upgrade::on(&mut request);
    let budget = Arc::clone(&state.hash);
    tokio::spawn(async move {
        if let Ok(upgraded) = upgrade.await {
            let mut config = WebSocketConfig::default();
            config.max_message_size = Some(limits::MAX_MESSAGE_BYTES);
            config.max_frame_size = Some(limits::MAX_MESSAGE_BYTES);
            let io = TokioIo::new(upgraded);
            let socket = WebSocketStream::from_raw_socket(io, Role::Server, Some(config)).await;
            serve(socket, budget).await;
        }
        drop(place);
    });
    let mut response = Response::new(Either::Left(Full::new(Bytes::new())));
    *response.status_mut() = StatusCode::SWITCHING_PROTOCOLS;
    let headers = response.headers_mut();
    headers.insert(CONNECTION, HeaderValue::from_static("upgrade"));
    headers.insert(UPGRADE, HeaderValue::from_static("websocket"));
    headers.insert(SEC_WEBSOCKET_ACCEPT, accept);
    response
}

/// Whether the headers ask for a WebSocket.
fn is_handshake(headers: &HeaderMap) -> bool {
    let has = |name: HeaderName, word: &str| {
        let values = headers.get_all(name).iter();
        let mut words = values
            .filter_map(|value| value.to_str().ok())
            .flat_map(|value| value.split(','));
        words.any(|found| found.trim().eq_ignore_ascii_case(word))
    };
    has(CONNECTION, "upgrade") && has(UPGRADE, "websocket") && has(SEC_WEBSOCKET_VERSION, VERSION)
}

/// Serves a connection until it ends. Its search ends with it.
async fn serve(mut socket: Socket, budget: Arc<HashBudget>) {
    let (send, mut reports) = outbox();
    let mut client = Client {
        engine: EngineThread::start(Arc::clone(&budget), Arc::clone(&send)).ok(),
        budget,
        send,
    };
    let mut pings = interval(limits::PING);
    let mut last_message = Instant::now();
    loop {
        let message = tokio::select! {
            received = socket.next() => {
                let Some(Ok(received)) = received else {
                    break;
                };
                last_message = Instant::now();
                match received {
                    Message::Text(text) => client.receive(&text),
                    Message::Binary(_) => Some(error_report(None, ApiError::new(
                        ErrorKind::Invalid,
                        "a message must be JSON text",
                    ))),
                    Message::Close(_) => break,
                    _ => None,
                }
                .map(|report| Message::Text(text(&report)))
            }
            Some(report) = reports.recv() => Some(Message::Text(report)),
            _ = pings.tick() => {
                if last_message.elapsed() > limits::SILENCE {
                    break;
                }
                Some(Message::Ping(Bytes::new()))
            }
        };
        if let Some(message) = message
            && !matches!(
                timeout(limits::SEND_TIME, socket.send(message)).await,
                Ok(Ok(()))
            )
        {
            break;
        }
    }
    // The search stops before the socket is closed, which may wait for the client.
    drop(client);
    let _ = timeout(limits::SEND_TIME, socket.close(None)).await;
}

/// A queue of reports. Those that a slow client cannot take are left out, but never a best move or an error.
fn outbox() -> (Send, Receiver<Utf8Bytes>) {
    let (sender, receiver) = mpsc::channel(limits::MESSAGES_WAITING);
    let send = move |report: EngineReport| {
        if matches!(report, EngineReport::Info(_)) {
            if sender.capacity() > limits::MESSAGES_KEPT {
                let _ = sender.try_send(text(&report));
            }
        } else {
            let _ = sender.blocking_send(text(&report));
        }
    };
    (Arc::new(send), receiver)
}

fn text(report: &EngineReport) -> Utf8Bytes {
    serde_json::to_string(report).unwrap_or_default().into()
}

fn error_report(id: Option<u64>, error: ApiError) -> EngineReport {
    EngineReport::Error(ErrorReport { id, error })
}

/// One connection.
struct Client {
    /// `None` if its thread could not start; the next search tries again.
    engine: Option<EngineThread>,
    budget: Arc<HashBudget>,
    send: Send,
}

impl Client {
    /// Takes a message, and returns what is to be answered at once.
    fn receive(&mut self, text: &str) -> Option<EngineReport> {
        match parse(text) {
            Ok(Command::Stop) => {
                if let Some(engine) = &self.engine {
                    engine.stop();
                }
                None
            }
            Ok(Command::Search(request)) => {
                let id = request.id;
                match self.search(&request) {
                    Ok(replaced) => replaced,
                    Err(error) => Some(error_report(Some(id), error)),
                }
            }
            Err((id, error)) => Some(error_report(id, error)),
        }
    }

    fn search(&mut self, request: &SearchRequest) -> Result<Option<EngineReport>, ApiError> {
        let read = request.game()?;
        let limits = request.limits.limits(read.game.position().turn())?;
        let job = Job {
            id: request.id,
            level: request.level(&limits)?,
            limits,
            lines: request.lines()?,
            hash: request.hash(limits::HASH, limits::MAX_HASH)?,
            book: request.book,
            view: GameView::with_moves(read.game, &read.moves),
        };
        let engine = match self.engine.take() {
            Some(engine) => engine,
            None => EngineThread::start(Arc::clone(&self.budget), Arc::clone(&self.send))
                .map_err(|error| ApiError::new(ErrorKind::Failed, error))?,
        };
        let replaced = engine.search(job);
        self.engine = Some(engine);
        Ok(replaced)
    }
}

/// A message of the client.
enum Command {
    Search(Box<SearchRequest>),
    Stop,
}

/// Reads a message; an error comes with the number of the search, if there is one.
fn parse(text: &str) -> Result<Command, (Option<u64>, ApiError)> {
    let value = serde_json::from_str(text);
    let mut value: serde_json::Value =
        value.map_err(|error| (None, ApiError::of_json("", &error)))?;
    let id = value.get("id").and_then(serde_json::Value::as_u64);
    let Some(object) = value.as_object_mut() else {
        let error = ApiError::new(ErrorKind::Invalid, "a message must be a JSON object");
        return Err((None, error));
    };
    match object.remove("type").as_ref().map(|kind| kind.as_str()) {
        Some(Some("stop")) => Ok(Command::Stop),
        Some(Some("search")) => {
            let request = serde_path_to_error::deserialize(value);
            let request: Result<SearchRequest, _> = request;
            request
                .map(|request| Command::Search(Box::new(request)))
                .map_err(|error| {
                    let path = error.path().to_string();
                    (id, ApiError::of_json(&path, error.inner()))
                })
        }
        _ => {
            let error = ApiError::in_field("type", "must be search or stop");
            Err((id, error))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn field(text: &str) -> Option<String> {
        let (_, error) = parse(text).err()?;
        error.field.or(Some(error.message))
    }

    #[test]
    fn errors_of_messages_name_the_field() {
        assert_eq!(field("{\"type\":\"stop\"}"), None);
        assert_eq!(field("{\"type\":\"search\",\"id\":1}"), None);
        for (text, expected) in [
            ("{\"type\":\"jump\"}", "type"),
            ("{}", "type"),
            ("{\"type\":\"search\",\"id\":-1}", "id"),
            (
                "{\"type\":\"search\",\"limits\":{\"depth\":\"x\"}}",
                "limits.depth",
            ),
            ("{\"type\":\"search\",\"more\":1}", "more"),
            ("[1]", "a message must be a JSON object"),
        ] {
            assert_eq!(field(text).as_deref(), Some(expected), "{text}");
        }
        assert!(field("{").is_some_and(|message| message.starts_with("not JSON")));
    }

    #[test]
    fn messages_use_plain_words() {
        for (fields, expected) in [
            (
                "\"id\":\"a, expected b\"",
                "id: expected a whole number from 0",
            ),
            ("\"id\":-1", "id: expected a whole number from 0"),
            ("\"fen\":1", "fen: expected text"),
            ("\"book\":null", "book: expected true or false"),
            ("\"limits\":5", "limits: expected an object"),
            ("\"limits\":[100]", "limits: expected an object"),
            (
                "\"limits\":{\"depth\":-1}",
                "limits.depth: expected a whole number from 0",
            ),
        ] {
            let text = format!("{{\"type\":\"search\",{fields}}}");
            let (_, error) = parse(&text).err().expect("an error");
            assert_eq!(error.message, expected, "{text}");
        }
        let message = |text: &str| parse(text).err().map(|(_, error)| error.message);
        let unknown = message("{\"type\":\"search\",\"more\":1}").expect("an error");
        assert!(
            unknown.starts_with("more: there is no such field; there are id, fen,"),
            "{unknown}"
        );
        let expected = "not JSON: line 1, column 2";
        assert_eq!(message("nojson").as_deref(), Some(expected));
    }

    #[test]
    fn deep_nesting_is_refused() {
        assert!(field(&"[".repeat(100_000)).is_some());
    }
}
