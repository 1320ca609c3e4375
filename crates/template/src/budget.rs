//! Limits the size of an expanded catalog.
//!
//! A template can name one bundle many times, and with many minor versions every `skips` lists all versions below. A real
//! template names each bundle once, so that its catalog is about as large as its input.

use source::{Diagnostic, Rule, Span};

/// The bytes that any template may expand to.
const FLOOR: usize = 64 << 20;

/// The bytes that a catalog may still take.
#[derive(Debug)]
pub(crate) struct Budget {
    limit: usize,
    left: usize,
}

/// The expanded catalog exceeds the limit.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct TooLarge {
    limit: usize,
}

impl Budget {
    /// The budget for a template and catalogs of `input` bytes together.
    pub(crate) fn of(input: usize) -> Self {
        let limit = FLOOR.saturating_add(input.saturating_mul(2));
        Self { limit, left: limit }
    }

    /// Takes the bytes of a part of the catalog.
    pub(crate) fn spend(&mut self, bytes: usize) -> Result<(), TooLarge> {
        self.left = self.left.checked_sub(bytes).ok_or(TooLarge { limit: self.limit })?;
        Ok(())
    }
}

impl TooLarge {
    pub(crate) fn diagnostic(&self, place: Span) -> Diagnostic {
        let message = format!("the expanded catalog would exceed {} MiB and is not built", self.limit >> 20);
        Diagnostic::new(Rule::InvalidTemplate, place, message)
    }
}
