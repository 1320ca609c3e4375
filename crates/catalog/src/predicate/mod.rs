//! Properties of bundles, requirements, and which properties meet a requirement.
//!
//! Rules of the Common Expression Language are compiled and evaluated by `cel`.

mod constraint;
mod property;
mod requirement;

pub use cel::{Fuel, NotKnown};
pub use constraint::mismatch_text;
pub use property::{Gvk, MAX_OPENSHIFT_PROPERTY, MaxOpenShift, Original, PackageName, Property, PropertyError};
pub use requirement::{Requirement, RequirementError, RequirementKey, Unevaluated, exchange_range};
