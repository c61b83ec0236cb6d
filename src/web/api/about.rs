//! Name, version and limits of the program.

use serde::Serialize;

/// The program and its limits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct About {
    pub name: &'static str,
    pub version: &'static str,
    /// Optional features of this build: `review`, `level`.
    pub features: Vec<&'static str>,
    pub limits: ApiLimits,
}

/// The greatest values that a request may have.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ApiLimits {
    /// Bytes of a body.
    pub max_body: usize,
    /// Nodes of a question.
    pub max_nodes: u64,
    /// Nodes for each move of a review.
    pub max_review_nodes: u64,
    /// Games of a review.
    pub max_games: usize,
    /// MiB of the transposition table of a search.
    pub max_hash: usize,
    /// Lines of a search.
    pub max_multipv: usize,
    /// The ratings of the levels of play; `None` if searches have none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_elo: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_elo: Option<u16>,
}

impl About {
    pub fn new(limits: ApiLimits) -> Self {
        let mut features = Vec::new();
        if limits.min_elo.is_some() {
            features.push("level");
        }
        if cfg!(feature = "lab") {
            features.push("review");
        }
        Self {
            name: "Lucena",
            version: env!("CARGO_PKG_VERSION"),
            features,
            limits,
        }
    }
}
