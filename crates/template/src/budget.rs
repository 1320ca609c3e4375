//! Limits the size of an expanded catalog.
//!
//! A template can name one bundle many times, and with many minor versions every `skips` lists all versions below. A real
//! template names each bundle once, so that its catalog is about as large as its input.

use source::{Diagnostic, Rule, Span};

/// The bytes that any template may expand to.
const FLOOR: usize = 64 << 20;

/// The bytes that the checks of all results may look through: 64 results of the largest template.
const CHECKED: usize = 512 << 20;

/// The bytes that a catalog may still take, or that may still be looked through.
#[derive(Debug)]
pub(crate) struct Budget {
    what: &'static str,
    limit: usize,
    left: usize,
}

/// A limit is exceeded.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct TooLarge {
    what: &'static str,
    limit: usize,
}

impl Budget {
    /// The budget for a template and catalogs of `input` bytes together.
    pub(crate) fn of(input: usize) -> Self {
        let limit = FLOOR.saturating_add(input.saturating_mul(2));
        Self { what: "the expanded catalog", limit, left: limit }
    }

    /// The budget for checking the catalog again after each substitution.
    pub(crate) const fn of_checks() -> Self {
        Self { what: "the results of all substitutions together", limit: CHECKED, left: CHECKED }
    }

    /// Takes the bytes of a part.
    pub(crate) fn spend(&mut self, bytes: usize) -> Result<(), TooLarge> {
        self.left = self.left.checked_sub(bytes).ok_or(TooLarge { what: self.what, limit: self.limit })?;
        Ok(())
    }
}

impl TooLarge {
    pub(crate) fn diagnostic(&self, place: Span) -> Diagnostic {
        let message = format!("{} would exceed {} MiB, so no catalog is built", self.what, self.limit >> 20);
        Diagnostic::new(Rule::InvalidTemplate, place, message)
    }
}
