//! Fitting levels to games of people, and measuring how much they play alike.

pub mod calibrate;
pub mod fit;
pub mod games;
pub mod measure;
pub mod results;
pub mod samples;
pub mod table;
