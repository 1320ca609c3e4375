//! Properties of bundles, requirements, and which properties meet a requirement.
//!
//! Rules of the Common Expression Language are compiled and evaluated by `cel`.

mod constraint;
mod decode;
mod key;
mod max_openshift;
mod names;
mod property;
mod requirement;

pub use cel::{Fuel, NotKnown};
pub use decode::mismatch_text;
pub use key::RequirementKey;
pub use max_openshift::{MAX_OPENSHIFT_PROPERTY, MaxOpenShift};
pub use names::{Gvk, PackageName};
pub use property::{Original, Property, PropertyError};
pub use requirement::{Requirement, RequirementError, Unevaluated, exchange_range};
