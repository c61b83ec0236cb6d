//! Threads that search together.

mod pool;
mod table;
