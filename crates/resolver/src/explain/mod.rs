//! Why there is no answer, and why not a better one: as rules first, worded last.

mod core;
mod wording;

pub(crate) use self::core::conflict;
pub use self::core::{Conflict, Refusal, refusal};
pub use self::wording::{conflict_text, fact_text};
