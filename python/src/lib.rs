//! The engine as a Python module. This crate takes and gives text and numbers; `lucena_chess/*.py` turns them into the
//! objects of python-chess.

mod cluster;
mod engine;
mod errors;
mod games;
mod questions;
mod wait;

use pyo3::prelude::*;

/// The extension module.
#[pymodule]
mod _lucena {
    #[pymodule_export]
    use super::cluster::{
        NativeGameStore, NativeReviewStore, next_games, play_games, review_chunk, solve_lines,
    };
    #[pymodule_export]
    use super::engine::NativeEngine;
    #[pymodule_export]
    #[pymodule_export]
    use super::games::{NativeGames, NativeReview, profile};
    #[pymodule_export]
    use super::questions::{
        evaluate, explain, feature_counts, feature_names, level, threats, version, weights,
    };
}
