//! Catalogs of one publisher for several versions of OpenShift, as one set.
//!
//! An update of OpenShift exchanges the catalogs under the installed operators. Each member of a set may be valid, and
//! the step from one to the next may still leave behind what is installed. [`recognise()`] finds sets by paths,
//! [`Loading`] reads one, and [`check`] says what is wrong with it.
//!
//! Knows no folder and no archive: files come with their paths.

mod bundles;
mod dockerfile;
mod finding;
mod installed;
mod loading;
mod recognise;
mod rules;
mod set;
mod unit;
mod view;

pub use bundles::set_of_bundles;
pub use dockerfile::is_dockerfile;
pub use finding::{Finding, WayOut};
pub use installed::{Cell, MatrixRow, harmful, matrix, sentence};
pub use loading::{Loading, add_file};
pub use recognise::{Alone, Candidate, Doubt, Paths, Place, Recognised, recognise, version_in};
pub use rules::{check, check_each, check_for, together};
pub use set::{CatalogSet, Hole, Member, Pair, SetFile};
pub use source::OpenShift;
pub use unit::Rejected;
pub use view::member_notices;
pub(crate) use view::version_text;
