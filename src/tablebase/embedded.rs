//! The tables that are in the program itself.
//! Uses: nothing of the house. Used by: files, catalogue, cli.
//! Idea: `lucena tablebase generate` made them, `tablebases/` holds them, and the compiler puts their bytes in place, so
//! that a bare program plays small endings without a mistake.

/// A table in the program.
#[derive(Clone, Copy, Debug)]
pub struct Embedded {
    /// Its file name, as in `KQvK.rtbw`.
    pub name: &'static str,
    /// The whole file.
    pub bytes: &'static [u8],
}

/// Every table in the program.
pub static TABLES: &[Embedded] = &[];

/// The table with this file name.
#[must_use]
pub fn find(name: &str) -> Option<&'static Embedded> {
    TABLES.iter().find(|table| table.name == name)
}
