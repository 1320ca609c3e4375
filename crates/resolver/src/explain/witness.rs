//! How a bundle meets a requirement: through which of its properties.

use catalog::predicate::{Property, Requirement};
use go_semver::blang::Version;
use source::Span;

use crate::entry::Entry;

/// Why a requirement holds for a bundle, in the shape of the requirement.
#[derive(Clone, Debug, PartialEq)]
pub enum Witness {
    /// A property of the bundle says so: its API or its label.
    Property {
        property: Property,
        /// Absent for an installed CSV.
        span: Option<Span>,
    },
    /// The bundle is of the package, and a version of it lies in the range.
    Package {
        /// The first version that does.
        version: Version,
        /// The `olm.package` property that names the package; absent where the catalog alone says it.
        span: Option<Span>,
    },
    /// All of these hold.
    All(Vec<Witness>),
    /// One of several holds, the one at this position first.
    Any(usize, Box<Witness>),
    /// None of these holds.
    Not(Vec<Requirement>),
    /// The rule of the Common Expression Language is true of the properties as a whole.
    Rule,
}

/// How the entry meets the requirement; `None` if it does not, or if that is not known.
#[must_use]
pub fn witness(entry: &Entry, requirement: &Requirement) -> Option<Witness> {
    if !meets(entry, requirement) {
        return None;
    }
    match requirement {
        Requirement::Gvk(wanted) => {
            property(entry, |property| matches!(property, Property::Gvk(gvk, _) if gvk == wanted))
        }
        Requirement::Label(_) => property(entry, |property| says(entry, property, requirement)),
        Requirement::Package { name, range, .. } => {
            let span = entry.properties.iter().find_map(|placed| match &placed.property {
                Property::Package { name: own, .. } if own == name => placed.span,
                _ => None,
            });
            let inside = |version: &Version| range.matches(version) == Ok(true);
            versions(entry).find(inside).map(|version| Witness::Package { version, span })
        }
        Requirement::All(inner) => {
            inner.iter().map(|part| witness(entry, part)).collect::<Option<_>>().map(Witness::All)
        }
        Requirement::Any(inner) => {
            let mut parts = inner.iter().enumerate();
            parts.find_map(|(at, part)| Some(Witness::Any(at, Box::new(witness(entry, part)?))))
        }
        Requirement::Not(inner) => Some(Witness::Not(inner.clone())),
        Requirement::Cel { .. } => Some(Witness::Rule),
    }
}

/// Whether the entry meets the requirement; false if that is not known.
pub(crate) fn meets(entry: &Entry, requirement: &Requirement) -> bool {
    let properties = entry.properties.iter().map(|placed| &placed.property);
    requirement.holds(&entry.package, entry.version.as_ref(), properties).unwrap_or(false)
}

/// The versions that count for a range: those of `olm.package` properties, then the entry's own.
pub(crate) fn versions(entry: &Entry) -> impl Iterator<Item = Version> {
    let stated = entry.properties.iter().filter_map(|placed| match &placed.property {
        Property::Package { version, .. } => Version::parse(version).ok(),
        _ => None,
    });
    stated.chain(entry.version.clone())
}

fn property(entry: &Entry, test: impl Fn(&Property) -> bool) -> Option<Witness> {
    let placed = entry.properties.iter().find(|placed| test(&placed.property))?;
    Some(Witness::Property { property: placed.property.clone(), span: placed.span })
}

/// Whether this one property alone meets the requirement.
fn says(entry: &Entry, property: &Property, requirement: &Requirement) -> bool {
    requirement.holds(&entry.package, entry.version.as_ref(), std::iter::once(property)).unwrap_or(false)
}
