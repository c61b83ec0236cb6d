//! The tables built into the program: all with three and four pieces, from the folder `tablebases`, where
//! `lucena tablebase generate` made them.

/// A built-in table.
#[derive(Clone, Copy, Debug)]
pub struct Embedded {
    /// File name, such as `KQvK.rtbw`.
    pub name: &'static str,
    pub bytes: &'static [u8],
}

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

/// The WDL and the DTZ table of each material.
macro_rules! tables {
    ($($material:ident)*) => {
        &[$(file!($material, ".rtbw"), file!($material, ".rtbz")),*]
    };
}

pub static TABLES: &[Embedded] = tables! {
    KQvK KRvK KBvK KNvK KPvK
    KQQvK KQRvK KQBvK KQNvK KQPvK KRRvK KRBvK KRNvK KRPvK KBBvK KBNvK KBPvK KNNvK KNPvK KPPvK
    KQvKQ KQvKR KQvKB KQvKN KQvKP KRvKR KRvKB KRvKN KRvKP KBvKB KBvKN KBvKP KNvKN KNvKP KPvKP
};

/// The built-in table with this file name.
#[must_use]
pub fn find(name: &str) -> Option<&'static Embedded> {
    TABLES.iter().find(|table| table.name == name)
}
