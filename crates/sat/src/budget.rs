//! The work that may be done for all questions of one command.
//!
//! Work is counted in literals that are looked at, some nanoseconds each, and not in time, so that the same questions have the
//! same answers on every machine. A question that the solver would have to decide gets half of what is left at most: a hard one
//! leaves something for those after it. What unit propagation decides is answered also when nothing is left.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The work for one command: about three seconds of a processor.
const WHOLE: u64 = 500_000_000;

/// What is left for the answers of a command when all that may be done beside them is done: other outcomes, reasons, fixes.
const KEPT: u64 = WHOLE / 4;

/// The work that is left for the questions of a command. Its clones share what is left.
#[derive(Clone, Debug)]
pub struct Budget {
    left: Arc<AtomicU64>,
    /// What these questions have to leave.
    kept: u64,
}

impl Budget {
    /// A budget for so much work.
    #[must_use]
    pub fn of(work: u64) -> Self {
        Self { left: Arc::new(AtomicU64::new(work)), kept: 0 }
    }

    /// What questions beside the answer may use: a part is kept for others.
    #[must_use]
    pub fn for_extras(&self) -> Self {
        Self { kept: KEPT, ..self.clone() }
    }

    /// The work that is left.
    #[must_use]
    pub fn left(&self) -> u64 {
        self.left.load(Ordering::Relaxed).saturating_sub(self.kept)
    }

    /// Whether nothing is left.
    #[must_use]
    pub fn is_spent(&self) -> bool {
        self.left() == 0
    }

    /// Takes work that was done. Questions are asked one after the other.
    pub(crate) fn charge(&self, work: u64) {
        self.left.store(self.left.load(Ordering::Relaxed).saturating_sub(work), Ordering::Relaxed);
    }
}

impl Default for Budget {
    /// The budget of a command.
    fn default() -> Self {
        Self::of(WHOLE)
    }
}

impl PartialEq for Budget {
    /// What is left to spend is no part of the state of what has a budget.
    fn eq(&self, _: &Self) -> bool {
        true
    }
}
