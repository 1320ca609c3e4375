//! Which properties state the same requirement.

use crate::{Gvk, PackageName, Property};

/// What a property requires, before that is read: reading takes long, and thousands of bundles state the same. The order
/// is by kind, then by text.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RequirementKey<'p>(Kind<'p>);

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind<'p> {
    Gvk(&'p Gvk),
    Package(&'p PackageName, &'p str),
    Other(&'p str, String),
}

/// Types of OLM's own that [`Requirement::of`](crate::Requirement::of) reads, of properties that did not have the shape
/// of their type as well.
const TYPES: [&str; 4] = ["olm.constraint", "olm.gvk.required", "olm.label.required", "olm.package.required"];

impl<'p> RequirementKey<'p> {
    /// None if the property requires nothing.
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
    use crate::Requirement;
    use serde_json::json;

    #[test]
    fn what_has_a_key_can_be_read() {
        for kind in TYPES.into_iter().chain(["olm.label", "olm.csv.metadata", "app.constraint"]) {
            let property = Property::Other { kind: kind.into(), value: json!({}) };
            assert_eq!(RequirementKey::of(&property).is_some(), Requirement::of(&property).is_some(), "{kind}");
        }
    }
}
