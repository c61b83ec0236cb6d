//! Fitting levels to games of people, and measuring how much levels play like people.

pub mod calibrate;
pub mod fit;
pub mod games;
pub mod measure;
pub mod results;
pub mod samples;
pub mod table;
