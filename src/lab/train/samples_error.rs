//! Errors of files of samples, and how such a file begins.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::store::StoreError;
use crate::lab::shard::Shard;

/// How the first line of a file of any version begins.
pub(super) const KIND: &str = "lucena samples ";
/// The first line of a file of this version: the samples have win probabilities, those of version 1 had scores.
pub(super) const MAGIC: &str = "lucena samples 2";
/// Why samples cannot be written or read.
#[derive(Debug, Error)]
pub enum SamplesError {
    #[error(transparent)]
    Games(#[from] StoreError),
    #[error("{0}: {1}")]
    Io(PathBuf, io::Error),
    #[error("{0}: not a file of samples of this version (its first line must be \"{MAGIC}\")")]
    Foreign(PathBuf),
    #[error("{0}: field \"{1}\" is missing or has no such value")]
    Field(PathBuf, &'static str),
    #[error("{0}: damaged or cut off; make it again with --shard")]
    Damaged(PathBuf),
    #[error("{path}: field \"{field}\": the samples were made with {found}, not with {wanted}")]
    Filter {
        path: PathBuf,
        field: &'static str,
        found: String,
        wanted: String,
    },
    #[error(
        "{0}: field \"{1}\": the samples are of other games or of another number of shards than those of {2}"
    )]
    Other(PathBuf, &'static str, PathBuf),
    #[error("{0} and {1} have the same shard {2}")]
    Twice(PathBuf, PathBuf, Shard),
    #[error("the samples of shard {0} are missing")]
    Missing(Shard),
}

pub(super) fn io_error(path: &Path) -> impl Fn(io::Error) -> SamplesError + '_ {
    |error| match error.kind() {
        io::ErrorKind::UnexpectedEof => SamplesError::Damaged(path.to_owned()),
        _ => SamplesError::Io(path.to_owned(), error),
    }
}
