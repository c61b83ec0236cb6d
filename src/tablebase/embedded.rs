//! The tables built into the program: all with three and four pieces, from the folder `tablebases`, where
//! `lucena tablebase generate` made them.

/// A built-in table.
#[derive(Clone, Copy, Debug)]
pub struct Embedded {
    /// File name, such as `KQvK.rtbw`.
    pub name: &'static str,
    pub bytes: &'static [u8],
}

#[cfg(not(target_family = "wasm"))]
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
#[cfg(not(target_family = "wasm"))]
macro_rules! tables {
    ($($material:ident)*) => {
        &[$(file!($material, ".rtbw"), file!($material, ".rtbz")),*]
    };
}

#[cfg(not(target_family = "wasm"))]
pub static TABLES: &[Embedded] = tables! {
    KQvK KRvK KBvK KNvK KPvK
    KQQvK KQRvK KQBvK KQNvK KQPvK KRRvK KRBvK KRNvK KRPvK KBBvK KBNvK KBPvK KNNvK KNPvK KPPvK
    KQvKQ KQvKR KQvKB KQvKN KQvKP KRvKR KRvKB KRvKN KRvKP KBvKB KBvKN KBvKP KNvKN KNvKP KPvKP
};

#[cfg(target_family = "wasm")]
pub use late::{PACK, TABLES};

/// A web page loads the tables separately from the program, as one file, and sets it before anything else.
#[cfg(target_family = "wasm")]
mod late {
    use std::sync::LazyLock;

    use super::Embedded;
    use crate::base::set_once::SetOnceBytes;

    /// For each table its name (16 bytes, padded with zeros), its length (4 bytes, little-endian) and its bytes.
    pub static PACK: SetOnceBytes = SetOnceBytes::new();

    pub static TABLES: LazyLock<Vec<Embedded>> = LazyLock::new(|| {
        let pack: &'static [u8] = PACK.get();
        let (mut rest, mut tables) = (pack, Vec::new());
        while let Some((table, after)) = split(rest) {
            tables.push(table);
            rest = after;
        }
        tables
    });

    fn split(pack: &'static [u8]) -> Option<(Embedded, &'static [u8])> {
        let (name, rest) = pack.split_first_chunk::<16>()?;
        let (length, rest) = rest.split_first_chunk::<4>()?;
        let (bytes, rest) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
        let name = str::from_utf8(name).ok()?.trim_end_matches('\0');
        Some((Embedded { name, bytes }, rest))
    }
}

/// All built-in tables.
pub fn iter() -> std::slice::Iter<'static, Embedded> {
    TABLES.iter()
}

/// The built-in table with this file name.
#[must_use]
pub fn find(name: &str) -> Option<&'static Embedded> {
    iter().find(|table| table.name == name)
}
