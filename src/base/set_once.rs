//! Data that a web page loads separately from the program.

use std::ops::Deref;
use std::sync::OnceLock;

/// Bytes that are empty until they are set, once.
pub struct SetOnceBytes(OnceLock<&'static [u8]>);

impl SetOnceBytes {
    #[must_use]
    pub const fn new() -> Self {
        Self(OnceLock::new())
    }

    /// Sets the bytes, for as long as the program runs; nothing happens if they are set or in use already.
    pub fn set(&self, bytes: Vec<u8>) {
        let _ = self.0.set(bytes.leak());
    }

    /// The bytes.
    pub fn get(&self) -> &'static [u8] {
        self.0.get_or_init(|| &[])
    }
}

impl Deref for SetOnceBytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        self.get()
    }
}
