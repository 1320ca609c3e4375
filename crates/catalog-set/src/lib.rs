//! Catalogs of one publisher for several versions of OpenShift, as one set.
//!
//! An update of OpenShift exchanges the catalogs under the installed operators. Each member of a set may be valid, and the step
//! from one to the next may still leave behind what is installed. [`candidates`] finds sets by paths, [`Loading`] reads one.
//!
//! Knows no folder and no archive: files come with their paths.

mod dockerfile;
mod loading;
mod recognise;
mod set;
mod unit;

pub use dockerfile::is_dockerfile;
pub use loading::Loading;
pub use recognise::{Candidate, Mismatch, Place, candidates};
pub use set::{CatalogSet, Member, Pair, SetFile};
pub use unit::Rejected;
pub use vocabulary::OpenShift;
