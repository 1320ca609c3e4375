//! Where bytes come from: random access, so that no file has to lie in memory.

use std::io;

/// A file that can be read at any place.
///
/// The command line reads a `std::fs::File` through it, a web worker reads slices of a `Blob`.
pub trait Source {
    /// The number of bytes.
    fn len(&self) -> u64;

    /// Whether there are no bytes.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Reads bytes at an offset into the start of `into`. Returns how many were read: fewer than asked for are allowed, and none
    /// mean that the file ends at the offset.
    ///
    /// # Errors
    /// When the file cannot be read.
    fn read_at(&mut self, offset: u64, into: &mut [u8]) -> io::Result<usize>;
}

impl Source for &[u8] {
    fn len(&self) -> u64 {
        <[u8]>::len(self) as u64
    }

    fn read_at(&mut self, offset: u64, into: &mut [u8]) -> io::Result<usize> {
        let rest = usize::try_from(offset).ok().and_then(|offset| self.get(offset..)).unwrap_or_default();
        let count = rest.len().min(into.len());
        into[..count].copy_from_slice(&rest[..count]);
        Ok(count)
    }
}
