//! How large an expanded catalog may become: a template can name one bundle many times, and channels of many minor
//! versions list every version below in every `skips`.

use source::{Diagnostic, Rule, Span};

/// The most text that a template is expanded to; the largest real catalogs have a fifth of that.
const MAX_BYTES: usize = 256 << 20;

/// What is left of it.
#[derive(Debug)]
pub(crate) struct Budget(usize);

/// A catalog that would be too large to be made.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct TooLarge;

impl Budget {
    pub(crate) const fn new() -> Self {
        Self(MAX_BYTES)
    }

    /// Takes what a part of the catalog needs.
    pub(crate) fn spend(&mut self, bytes: usize) -> Result<(), TooLarge> {
        self.0 = self.0.checked_sub(bytes).ok_or(TooLarge)?;
        Ok(())
    }
}

impl TooLarge {
    pub(crate) fn told(&self, place: Span) -> Diagnostic {
        let message = format!("the expanded catalog would have more than {} MiB and is not made", MAX_BYTES >> 20);
        Diagnostic::new(Rule::InvalidTemplate, place, message)
    }
}
