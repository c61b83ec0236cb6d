//! The server of `lucena serve`: the board's page, questions over HTTP and the engine's stream over a WebSocket, for browsers
//! on this machine. `docs/web.md` describes it.
//!
//! One thread accepts connections and reads and writes sockets. Questions and reviews run on a few threads of their own, and
//! every connection that searches has an engine with one thread, so the scheduler of the system shares the processors fairly.
#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)
)]

mod answer;
mod assets;
mod connection;
mod engine_thread;
mod guard;
mod limits;
mod memory;
mod questions;
mod review;
mod routes;
mod socket;
mod state;
mod stop_guard;
mod timed_writes;

use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener};

use thiserror::Error;

use guard::Token;
pub use guard::{TOKEN_LENGTHS, TokenError};
pub use routes::{Method, ROUTES, Route};
use state::State;

/// The port by default.
pub const DEFAULT_PORT: u16 = 8630;
/// Ports above a taken one that are tried.
const PORTS_TRIED: u16 = 100;

/// Where the server listens, and who may use it.
#[derive(Clone, Debug)]
pub struct ServerOptions {
    pub address: IpAddr,
    /// 0: any free port.
    pub port: u16,
    /// Needed by every request, if given.
    pub token: Option<String>,
}

impl Default for ServerOptions {
    fn default() -> Self {
        Self {
            address: Ipv4Addr::LOCALHOST.into(),
            port: DEFAULT_PORT,
            token: None,
        }
    }
}

/// Why there is no server.
#[derive(Debug, Error)]
pub enum ServeError {
    /// The next free port, if there is one.
    #[error("port {port} is taken{}", next.map_or(String::new(), |next| format!("; port {next} is free: lucena serve --port {next}")))]
    PortTaken { port: u16, next: Option<u16> },
    #[error("{0}: {1}")]
    Listen(SocketAddr, io::Error),
    #[error("a token is needed to serve addresses other than the loopback address")]
    NoToken,
    #[error("token: {0}")]
    Token(#[from] TokenError),
    #[error("cannot start: {0}")]
    Start(io::Error),
}

/// A server that listens.
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    token: Option<Token>,
}

impl Server {
    /// Binds the address. Other addresses than the loopback address need a token.
    ///
    /// # Errors
    /// [`ServeError`]; a taken port comes with the next free one.
    pub fn bind(options: &ServerOptions) -> Result<Self, ServeError> {
        let token = options.token.as_deref().map(Token::new).transpose()?;
        if token.is_none() && !options.address.is_loopback() {
            return Err(ServeError::NoToken);
        }
        let address = SocketAddr::new(options.address, options.port);
        let listener = TcpListener::bind(address).map_err(|error| match error.kind() {
            io::ErrorKind::AddrInUse => ServeError::PortTaken {
                port: options.port,
                next: next_free_port(address),
            },
            _ => ServeError::Listen(address, error),
        })?;
        let address = listener.local_addr().map_err(ServeError::Start)?;
        Ok(Self {
            listener,
            address,
            token,
        })
    }

    /// The address of the page, with the token if there is one.
    pub fn url(&self) -> String {
        let token = self.token.as_ref();
        let token = token.map_or(String::new(), |token| format!("?token={}", token.text()));
        format!("http://{}/{token}", self.address)
    }

    /// Serves until the process ends.
    ///
    /// # Errors
    /// [`ServeError::Start`] if the threads cannot start.
    pub fn run(self) -> Result<(), ServeError> {
        let state = State::new(self.token, self.address.port());
        connection::serve(self.listener, state).map_err(ServeError::Start)
    }
}

/// The first port above a taken one that can be bound.
fn next_free_port(taken: SocketAddr) -> Option<u16> {
    let last = taken.port().saturating_add(PORTS_TRIED);
    (taken.port().saturating_add(1)..=last)
        .find(|&port| TcpListener::bind(SocketAddr::new(taken.ip(), port)).is_ok())
}
