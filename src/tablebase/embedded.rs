//! The tables that are in the program itself: all with three and four men.
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

/// A file of the folder `tablebases`.
macro_rules! file {
    ($material:ident, $extension:literal) => {
        Embedded {
            name: concat!(stringify!($material), $extension),
            bytes: include_bytes!(concat!(
                env!("CARGO_MANIFEST_DIR"),
                "/tablebases/",
                stringify!($material),
                $extension
            )),
        }
    };
}

/// Both tables of each material.
macro_rules! tables {
    ($($material:ident)*) => {
        &[$(file!($material, ".rtbw"), file!($material, ".rtbz")),*]
    };
}

/// Every table in the program.
pub static TABLES: &[Embedded] = tables! {
    KQvK KRvK KBvK KNvK KPvK
    KQQvK KQRvK KQBvK KQNvK KQPvK KRRvK KRBvK KRNvK KRPvK KBBvK KBNvK KBPvK KNNvK KNPvK KPPvK
    KQvKQ KQvKR KQvKB KQvKN KQvKP KRvKR KRvKB KRvKN KRvKP KBvKB KBvKN KBvKP KNvKN KNvKP KPvKP
};

/// The table with this file name.
#[must_use]
pub fn find(name: &str) -> Option<&'static Embedded> {
    TABLES.iter().find(|table| table.name == name)
}
