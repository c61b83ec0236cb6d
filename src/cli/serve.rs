//! `lucena serve`: the board in the browser.

use std::io::{self, Write};
use std::net::IpAddr;

use super::failure::{Failure, failed, usage_error};
use super::stdout::stdout;
use crate::web::server::{DEFAULT_PORT, ServeError, Server, ServerOptions};

/// Serves a web page with a board, and the engine behind it, to browsers on this machine
///
/// Only this machine can connect, unless --bind names another address; then every request must have the token.
#[derive(Debug, clap::Args)]
pub struct ServeArguments {
    /// Port to listen on; 0 chooses a free one
    #[arg(long, value_name = "PORT", default_value_t = DEFAULT_PORT)]
    port: u16,
    /// Opens the page in the default browser
    #[arg(long)]
    open: bool,
    /// Address to listen on [default: 127.0.0.1, this machine only]; any address of other machines needs --token
    #[arg(long, value_name = "ADDR")]
    bind: Option<IpAddr>,
    /// Secret of 16 to 128 letters, digits and -._~ that every request must have
    #[arg(long, value_name = "T")]
    token: Option<String>,
}

/// Serves until the process ends.
pub fn run(arguments: &ServeArguments) -> Result<(), Failure> {
    let default = ServerOptions::default();
    let options = ServerOptions {
        address: arguments.bind.unwrap_or(default.address),
        port: arguments.port,
        token: arguments.token.clone(),
    };
    let server = Server::bind(&options).map_err(|error| match error {
        ServeError::NoToken => usage_error(format!("--token is missing: {error}")),
        ServeError::Token(_) => usage_error(error),
        other => failed(other),
    })?;
    let url = server.url();
    let mut out = stdout();
    writeln!(out, "Lucena serves {url} (Ctrl-C ends it)")?;
    out.flush()?;
    if arguments.open && open::that_detached(&url).is_err() {
        let _ = writeln!(io::stderr(), "no browser could be opened: open {url}");
    }
    server.run().map_err(failed)
}
