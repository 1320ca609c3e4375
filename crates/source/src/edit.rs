//! What an edit does to a text, and where that leaves what was known about it.

/// One replacement in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The first byte that is replaced, in the old text as in the new.
    pub start: u32,
    /// How many bytes of the old text are gone.
    pub removed: u32,
    /// How many bytes of the new text took their place.
    pub inserted: u32,
}

impl Edit {
    /// The first byte of the old text behind the edit.
    #[must_use]
    pub const fn end(&self) -> u32 {
        self.start + self.removed
    }

    /// By how much what stands behind the edit moves.
    #[must_use]
    pub fn shift(&self) -> i64 {
        i64::from(self.inserted) - i64::from(self.removed)
    }
}
