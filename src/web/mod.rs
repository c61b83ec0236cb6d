//! The engine for programs that speak JSON: typed requests and answers, the server of the board in the browser, and the
//! engine in a Worker of a page.

pub mod api;
#[cfg(feature = "web")]
pub mod server;
#[cfg(feature = "wasm")]
pub mod wasm;
