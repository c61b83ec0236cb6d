//! Accepts connections, reads requests and dispatches each to its handler.

use std::convert::Infallible;
use std::io;
use std::net::TcpListener;
use std::sync::Arc;
use std::time::Duration;

use hyper::body::Incoming;
use hyper::header::{ALLOW, HeaderValue};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio::sync::Semaphore;

use super::answer::{self, Answer};
use super::routes::{Handler, Parameters, ROUTES, Route};
use super::state::State;
use super::timed_writes::TimedWrites;
use super::{assets, guard, limits, questions, review, socket};

/// What a connection beyond the limit gets.
const TOO_MANY: &[u8] = b"HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\ncontent-type: application/json\r\n\
    retry-after: 1\r\ncontent-length: 45\r\n\r\n{\"error\":{\"message\":\"too many connections\"}}\n";
/// The pause after a failure to accept, such as too many open files.
const PAUSE: Duration = Duration::from_millis(50);

/// Serves connections until the process ends.
pub fn serve(listener: TcpListener, state: Arc<State>) -> io::Result<()> {
    listener.set_nonblocking(true)?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_io()
        .enable_time()
        .max_blocking_threads(State::threads())
        .thread_stack_size(limits::STACK)
        .thread_name("web")
        .build()?;
    runtime.block_on(async move {
        let listener = tokio::net::TcpListener::from_std(listener)?;
        let places = Arc::new(Semaphore::new(limits::CONNECTIONS));
        loop {
            let Ok((stream, _)) = listener.accept().await else {
                tokio::time::sleep(PAUSE).await;
                continue;
            };
            match Arc::clone(&places).try_acquire_owned() {
                Ok(place) => {
                    let state = Arc::clone(&state);
                    tokio::spawn(async move {
                        connection(stream, state).await;
                        drop(place);
                    });
                }
                Err(_) => drop(tokio::spawn(turn_away(stream))),
            }
        }
    })
}

/// Answers a connection beyond the limit.
async fn turn_away(mut stream: TcpStream) {
    let write = stream.write_all(TOO_MANY);
    let _ = tokio::time::timeout(Duration::from_secs(1), write).await;
}

/// Serves one connection until it ends; a WebSocket goes on without it.
async fn connection(stream: TcpStream, state: Arc<State>) {
    let _ = stream.set_nodelay(true);
    let stream = TimedWrites::new(stream, limits::SEND_TIME);
    let service = service_fn(move |request| {
        let state = Arc::clone(&state);
        async move { Ok::<_, Infallible>(respond(state, request).await) }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(limits::HEADER_TIME)
        .max_buf_size(limits::MAX_HEADER_BYTES)
        .serve_connection(TokioIo::new(stream), service)
        .with_upgrades();
    // An error is caused by the client: it disconnected, does not read, or sent no HTTP.
    let _ = connection.await;
}

async fn respond(state: Arc<State>, request: Request<Incoming>) -> Answer {
    match route(&state, &request) {
        Ok(Target::File) => assets::file(request.uri().path(), request.headers()),
        Ok(Target::Route(route)) => {
            let query = request.uri().query().unwrap_or_default();
            match Parameters::read(route, query) {
                Ok(parameters) => call(state, route.handler, parameters, request).await,
                Err(error) => answer::error(error),
            }
        }
        Err(refusal) => *refusal,
    }
}

/// What a request is for.
enum Target {
    File,
    Route(&'static Route),
}

/// Checks access, and finds the route.
fn route(state: &State, request: &Request<Incoming>) -> Result<Target, Box<Answer>> {
    let (path, headers) = (request.uri().path(), request.headers());
    let is_api = path.starts_with("/api/");
    guard::check_origin(headers, state.token.is_some(), is_api)?;
    if let Some(token) = &state.token {
        let query = request.uri().query().unwrap_or_default();
        guard::check_token(token, state.port, headers, path, query)?;
    }
    let method = match *request.method() {
        Method::HEAD => Method::GET,
        ref method => method.clone(),
    };
    let mut found = ROUTES.iter().filter(|route| route.path == path).peekable();
    let allowed = if is_api {
        if found.peek().is_none() {
            let refusal = answer::refuse(StatusCode::NOT_FOUND, "there is no such route");
            return Err(Box::new(refusal));
        }
        let found: Vec<&Route> = found.collect();
        if let Some(route) = found.iter().find(|route| route.method.name() == method) {
            return Ok(Target::Route(route));
        }
        let names: Vec<&str> = found.iter().map(|route| route.method.name()).collect();
        names.join(", ")
    } else if method == Method::GET {
        return Ok(Target::File);
    } else {
        "GET".to_owned()
    };
    let message = format!("the method must be {allowed}");
    let mut refusal = answer::refuse(StatusCode::METHOD_NOT_ALLOWED, &message);
    if let Ok(allowed) = HeaderValue::from_str(&allowed) {
        refusal.headers_mut().insert(ALLOW, allowed);
    }
    Err(Box::new(refusal))
}

async fn call(
    state: Arc<State>,
    handler: Handler,
    parameters: Parameters,
    request: Request<Incoming>,
) -> Answer {
    let answer = match handler {
        Handler::About => Ok(questions::about()),
        Handler::Position => Ok(questions::position(&parameters).await),
        Handler::Eval => Ok(questions::eval(state, &parameters).await),
        Handler::Explain | Handler::WhyNot | Handler::Threats => {
            questions::question(&state, handler, &parameters).await
        }
        Handler::Level => questions::level(&state, &parameters).await,
        Handler::Review => review::game(&state, &parameters).await,
        Handler::ReviewPgn => review::pgn(&state, &parameters, request).await,
        Handler::Engine => Ok(socket::open(&state, request)),
    };
    answer.unwrap_or_else(|refusal| refusal)
}
