//! What OLM chooses for a namespace, and why.
//!
//! [`Problem::new`] collects the rules of a [`Namespace`], [`resolve`] answers for one order of its anchors and
//! [`outcomes`] for all that can matter. The rules say what is possible and become clauses; the order of preference says
//! what is chosen. The README states both in prose. Knows no cluster manifests and no time: one resolution is one value.

mod cluster;
mod encode;
mod entry;
mod explain;
mod fact;
mod gather;
mod invariants;
mod outcomes;
mod pool;
mod prefer;
mod problem;
mod providers;
mod resolve;
mod script;
mod snapshot;
mod subscribe;

pub use cluster::{CsvProperties, InstalledCsv, Subscription};
pub use entry::{CatalogKey, Entry, PlacedProperty};
pub use explain::{Conflict, Refusal, conflict_text, fact_text, refusal};
pub use fact::{Fact, FactId, Missing, VarId};
pub use outcomes::{Outcomes, outcomes};
pub use prefer::Pick;
pub use problem::{GaveUp, Namespace, Obstacle, Prevented, Problem, Unresolvable};
pub use resolve::{Outcome, Resolution, Selected, resolve};
pub use snapshot::Snapshot;
