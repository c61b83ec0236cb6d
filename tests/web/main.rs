//! The server of `lucena serve`, driven over real sockets.
#![cfg(feature = "web")]

#[path = "../common/mod.rs"]
mod common;

mod client;
mod crowd;
mod engine;
mod malformed;
mod openapi;
mod review;
mod routes;
mod safety;
mod start;
