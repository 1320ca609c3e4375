//! Keys by which properties with the same requirement are recognized.

use crate::predicate::{Gvk, PackageName, Property};

/// Identifies the requirement of a property without parsing it: parsing is slow, and thousands of bundles have the same
/// requirement. Ordered by kind, then by text.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RequirementKey<'p>(Kind<'p>);

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind<'p> {
    Gvk(&'p Gvk),
    Package(&'p PackageName, &'p str),
    Other(&'p str, String),
}

/// The types that [`Requirement::of`](crate::predicate::Requirement::of) reads in [`Property::Other`]. Properties without the shape of
/// their type are among them.
const TYPES: [&str; 4] = ["olm.constraint", "olm.gvk.required", "olm.label.required", "olm.package.required"];

impl<'p> RequirementKey<'p> {
    /// The key of a property; `None` if it requires nothing.
    pub fn of(property: &'p Property) -> Option<Self> {
        match property {
            Property::GvkRequired(gvk, _) => Some(Self(Kind::Gvk(gvk))),
            Property::PackageRequired { name, range, .. } => Some(Self(Kind::Package(name, range))),
            Property::Other { kind, value } if TYPES.contains(&&**kind) => {
                Some(Self(Kind::Other(kind, value.to_string())))
            }
            Property::Other { .. } | Property::Package { .. } | Property::Gvk(..) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::predicate::Requirement;
    use serde_json::json;

    #[test]
    fn properties_with_a_key_have_a_requirement() {
        for kind in TYPES.into_iter().chain(["olm.label", "olm.csv.metadata", "app.constraint"]) {
            let property = Property::Other { kind: kind.into(), value: json!({}) };
            assert_eq!(RequirementKey::of(&property).is_some(), Requirement::of(&property).is_some(), "{kind}");
        }
    }
}
