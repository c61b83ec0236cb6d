//! Plots of weights, training, tuning and tablebases, as SVG and HTML pages.

pub mod chart;
pub mod page;
pub mod report;
pub mod tablebase;
