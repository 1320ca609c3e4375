//! The property `olm.maxOpenShiftVersion`, as OLM reads it (operator-lifecycle-manager
//! `pkg/controller/operators/openshift/helpers.go`).
//!
//! One limit: a value that is a JSON number has lost the zeros at its end, so that `4.20` reads as 4.2 (as text it does not).

use crate::predicate::Property;
use go_semver::blang::Version;

/// The type of the property.
pub const MAX_OPENSHIFT_PROPERTY: &str = "olm.maxOpenShiftVersion";

/// The highest version of OpenShift that an operator supports, with 0 as patch number; `None` if it has no property
/// `olm.maxOpenShiftVersion`, or OLM's error.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct MaxOpenShift(pub Result<Option<Version>, Box<str>>);

impl MaxOpenShift {
    /// Of the properties of a CSV, or of the bundle that it is made from.
    #[must_use]
    pub fn of<'p>(properties: impl IntoIterator<Item = &'p Property>) -> Self {
        let mut values = properties.into_iter().filter_map(|property| match property {
            Property::Other { kind, value } if &**kind == MAX_OPENSHIFT_PROPERTY => Some(value),
            _ => None,
        });
        let Some(value) = values.next() else { return Self(Ok(None)) };
        if values.next().is_some() {
            return Self(Err(
                format!("defining more than one \"{MAX_OPENSHIFT_PROPERTY}\" property is not allowed").into()
            ));
        }
        // OLM takes the JSON as text, without the quotes around it.
        let json = value.to_string();
        Self(read(json.trim_matches('"')).map(Some))
    }
}

fn read(text: &str) -> Result<Version, Box<str>> {
    if text.is_empty() {
        return Err("value cannot be \"\" (an empty string)".into());
    }
    let version =
        Version::parse_tolerant(text).map_err(|error| format!("failed to parse \"{text}\" as semver: {error}"))?;
    let minor = Version::new(version.major(), version.minor(), 0);
    if version != minor {
        return Err(format!(
            "property {MAX_OPENSHIFT_PROPERTY} must specify only <major>.<minor> version, got invalid value {version}"
        )
        .into());
    }
    Ok(minor)
}
