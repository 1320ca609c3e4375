//! Explanations as values: why there is no answer, why a bundle is chosen, why another one is not, and what would help.
//!
//! A [`Conflict`](crate::Conflict) is a minimal set of facts that leave no answer. A [`Refusal`](crate::Refusal) is a
//! minimal set of facts and earlier picks that exclude one alternative, where there is an answer. Both are stated as
//! [`Line`]s.

mod conflicts;
mod fixes;
mod funnel;
mod visible;
mod why;
mod why_not;
mod wording;

pub use conflicts::{Conflicts, Line, Role, conflicts};
pub use fixes::{Fix, Fixes, Install, Stuck, StuckAt, fixes, stuck};
pub use funnel::{Filter, Funnel, Hint, Stage, requirement_funnel, subscription_funnel};
pub use visible::{heads, unowned_csvs};
pub use why::{How, Link, RefusedAlternatives, RefusedGroup, Ways, Why, Witness, refused_alternatives, witness};
pub use why_not::{EntryRef, Excluded, WhyNot, why_not, why_not_provider};
pub use wording::{
    Identifier, Message, Variants, conflict_message, conflict_text, conflict_variants, fact_text, identifiers,
};
