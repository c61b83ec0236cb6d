//! The rules of chess against other libraries and published counts.

#[path = "../common/mod.rs"]
mod common;

mod oracle;
mod perft;
