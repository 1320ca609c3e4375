//! Explanations as values: why there is no answer, why a bundle is chosen, why another one is not, and what would help.
//!
//! A [`Conflict`](crate::Conflict) is a minimal set of facts that leave no answer. A [`Refusal`](crate::Refusal) is a
//! minimal set of facts and earlier picks that exclude one alternative, where there is an answer. Both are stated as
//! [`Line`]s.

mod conflicts;
mod edge;
mod fixes;
mod funnel;
mod head;
mod identifiers;
mod intrinsic_fault;
mod pattern;
mod reasoning;
mod refused;
mod visible;
mod why;
mod why_not;
mod witness;
mod wording;

pub use self::conflicts::{Conflicts, conflicts};
pub use self::fixes::{Fix, Fixes, Install, Stuck, StuckAt, fixes, stuck};
pub use self::funnel::{Filter, Funnel, Hint, Stage, requirement_funnel, subscription_funnel};
pub use self::head::{heads, unowned_csvs};
pub use self::identifiers::{Identifier, identifiers};
pub use self::reasoning::{Line, Role};
pub use self::refused::{RefusedAlternatives, RefusedGroup, refused_alternatives};
pub use self::why::{How, Link, Ways, Why};
pub use self::why_not::{EntryRef, Excluded, WhyNot, why_not, why_not_provider};
pub use self::witness::{Witness, witness};
pub use self::wording::{Message, Variants, conflict_message, conflict_text, conflict_variants, fact_text};
