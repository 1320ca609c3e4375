//! Why there is no answer, and why not a better one: as rules first, worded last.

mod conflicts;
mod core;
mod edge;
mod funnel;
mod near;
mod own;
mod reasoning;
mod seen;
mod shape;
mod witness;
mod wording;

pub use self::conflicts::{Clash, Conflicts, Verdict, conflicts};
pub(crate) use self::core::conflict;
pub use self::core::{Conflict, Refusal, refusal};
pub use self::funnel::{Filter, Funnel, Hint, Stage, requirement_funnel, subscription_funnel};
pub use self::reasoning::{Line, Role};
pub use self::witness::{Witness, witness};
pub use self::wording::{conflict_text, fact_text};
