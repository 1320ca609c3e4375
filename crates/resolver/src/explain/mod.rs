//! Why there is no answer, and why not a better one: as rules first, worded last.

mod conflicts;
mod core;
mod decode;
mod edge;
mod fixes;
mod funnel;
mod near;
mod own;
mod passed;
mod reasoning;
mod seen;
mod shape;
mod why;
mod why_not;
mod witness;
mod wording;

pub use self::conflicts::{Clash, Conflicts, Verdict, conflicts};
pub(crate) use self::core::conflict;
pub use self::core::{Conflict, Refusal, refusal};
pub use self::decode::{Identifier, identifiers};
pub use self::fixes::{Fix, Fixes, Install, Stuck, StuckAt, fixes, stuck};
pub use self::funnel::{Filter, Funnel, Hint, Stage, requirement_funnel, subscription_funnel};
pub use self::near::nearest;
pub use self::passed::{PassedOver, RefusedGroup, passed_over};
pub use self::reasoning::{Line, Role};
pub use self::why::{How, Link, Ways, Why, why};
pub use self::why_not::{EntryRef, Excluded, WhyNot, why_not, why_not_provider};
pub use self::witness::{Witness, witness};
pub use self::wording::{Message, Variants, conflict_message, conflict_text, conflict_variants, fact_text};
