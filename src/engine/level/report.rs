//! The report of a level's choice, as a search would report its line.

use std::time::Duration;

use super::player::Chosen;
use super::shallow::DEPTHS;
use crate::base::value::Bound;
use crate::chess::Move;
use crate::search::report::{Info, Listener, SearchStats};

impl Chosen {
    /// Reports the move and the expected reply with the value at the greatest depth seen.
    #[doc(hidden)]
    pub fn report(&self, elapsed: Duration, listener: &dyn Listener) {
        let pv: Vec<Move> = std::iter::once(self.mv).chain(self.reply).collect();
        let [.., depth] = DEPTHS;
        listener.info(&Info {
            depth,
            selective_depth: depth as u32,
            multi_pv: 1,
            score: self.value.into(),
            bound: Bound::Exact,
            stats: SearchStats {
                nodes: self.nodes,
                elapsed,
                ..SearchStats::default()
            },
            pv: &pv,
        });
    }
}
