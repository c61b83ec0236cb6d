//! Why a setting of the engine could not be applied.

use thiserror::Error;

/// A setting that could not be applied.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum EngineError {
    /// No memory for a TT of this size.
    #[error("Hash: {megabytes} MiB cannot be allocated; {kept} MiB stay in use")]
    Hash {
        /// MiB requested.
        megabytes: usize,
        /// MiB still in use.
        kept: usize,
    },
    /// Too few processors or too little memory for this many threads.
    #[error("Threads: {threads} are too many for this machine; {started} are in use")]
    Threads {
        /// Threads requested.
        threads: usize,
        /// Threads running.
        started: usize,
    },
    /// A book that cannot be read, or only in part.
    #[error("Book File: {0}")]
    Book(String),
}
