//! How large an expanded catalog may become: a template can name one bundle many times, and channels of many minor
//! versions list every version below in every `skips`. A real template names a bundle once, so what comes of it is about
//! as large as what goes in.

use source::{Diagnostic, Rule, Span};

/// A template may always expand to that much.
const FLOOR: usize = 64 << 20;

/// What is left of the bytes that a catalog may have.
#[derive(Debug)]
pub(crate) struct Budget {
    limit: usize,
    left: usize,
}

/// A catalog that would be too large to be made.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct TooLarge {
    limit: usize,
}

impl Budget {
    /// For inputs, template and catalogs, of so many bytes.
    pub(crate) fn of(input: usize) -> Self {
        let limit = FLOOR.saturating_add(input.saturating_mul(2));
        Self { limit, left: limit }
    }

    /// Takes what a part of the catalog needs.
    pub(crate) fn spend(&mut self, bytes: usize) -> Result<(), TooLarge> {
        self.left = self.left.checked_sub(bytes).ok_or(TooLarge { limit: self.limit })?;
        Ok(())
    }
}

impl TooLarge {
    pub(crate) fn told(&self, place: Span) -> Diagnostic {
        let message = format!("the expanded catalog would have more than {} MiB and is not made", self.limit >> 20);
        Diagnostic::new(Rule::InvalidTemplate, place, message)
    }
}
