//! Why there is no answer, and why not a better one: as rules first, worded last.

mod core;
mod edge;
mod funnel;
mod near;
mod own;
mod seen;
mod witness;
mod wording;

pub(crate) use self::core::conflict;
pub use self::core::{Conflict, Refusal, refusal};
pub use self::funnel::{Filter, Funnel, Hint, Stage, requirement_funnel, subscription_funnel};
pub use self::witness::{Witness, witness};
pub use self::wording::{conflict_text, fact_text};
