//! What bundles say of themselves and require of others: properties, requirements, and whether one meets the other.

mod names;
mod property;

pub use names::{Gvk, PackageName};
pub use property::{Property, PropertyError};
