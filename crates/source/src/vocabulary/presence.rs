//! Which states of a comparison have something.

use serde::{Deserialize, Serialize};

/// Which states of a comparison have something.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Presence {
    /// Both, or nothing is compared.
    #[default]
    Both,
    /// Only the state before: the change removed it.
    Before,
    /// Only the state after: the change added it.
    After,
}

impl Presence {
    /// Of something that the states have or do not have.
    #[must_use]
    pub const fn of(before: bool, after: bool) -> Self {
        match (before, after) {
            (true, false) => Self::Before,
            (false, true) => Self::After,
            _ => Self::Both,
        }
    }
}
