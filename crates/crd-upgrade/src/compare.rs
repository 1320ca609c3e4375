//! The comparison of two CRDs as operator-controller configures crdify: conversion policy Ignore, unhandled changes are
//! errors, `description` is not checked, `enum` may have more values, and all else is checked strictly
//! (`internal/operator-controller/rukpak/preflights/crdupgradesafety/crdupgradesafety.go`).

use crate::checks;
use crate::crd::{self, Crd, Version};
use crate::finding::{Finding, Place, SchemaChange};
use crate::schema::{Schema, flatten};
use std::collections::BTreeMap;

/// What OLM v1 finds when it upgrades a cluster that has `old` to a bundle that has `new`: about the whole CRD, then about
/// versions that both have, then about the served versions of `new` among themselves. Nothing: OLM upgrades.
///
/// OLM's own order is random; here versions have the order of their CRD, and properties are sorted by path.
///
/// ```
/// use source::FileId;
///
/// let crd = |field: &str| {
///     let text = format!(
///         "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {{name: as.b}}\nspec:\n  \
///          versions:\n  - {{name: v1, schema: {{openAPIV3Schema: {{properties: {{a: {field}}}}}}}}}\n"
///     );
///     crd_upgrade::read(FileId(0), &text).expect("a CRD")
/// };
/// let findings = crd_upgrade::findings(&crd("{type: string}"), &crd("{type: integer}"));
/// let texts: Vec<String> = findings.iter().map(ToString::to_string).collect();
/// assert_eq!(texts, ["v1: ^.a: type: type changed : \"string\" -> \"integer\""]);
/// ```
#[must_use]
pub fn findings(old: &Crd, new: &Crd) -> Vec<Finding> {
    safety_check(old, new).findings
}

/// The answer of the CRD upgrade safety check.
pub(crate) struct SafetyCheck {
    /// What OLM finds each time.
    pub(crate) findings: Vec<Finding>,
    /// What OLM finds in some runs and not in others: it prints the names of required properties in any order, and drops a
    /// finding about served versions if the old CRD had the same text.
    pub(crate) by_chance: Vec<Finding>,
}

pub(crate) fn safety_check(old: &Crd, new: &Crd) -> SafetyCheck {
    let of_crd = [checks::scope::check(old, new), checks::stored_versions::check(old, new)].into_iter().flatten();
    let of_crd = of_crd.chain(checks::existing_fields::check(old, new));
    let mut found: Vec<Finding> = of_crd.map(|change| Finding { place: Place::Crd, change }).collect();
    found.extend(same_version(old, new));
    let mut by_chance = Vec::new();
    if !new.has_conversion_webhook {
        let before = served_versions(old);
        let mut of_place: BTreeMap<&Place, Vec<&SchemaChange>> = BTreeMap::new();
        for Finding { place, change } in &before {
            of_place.entry(place).or_default().push(change);
        }
        let is_dropped = |finding: &Finding| {
            is_repeatable(finding) && of_place.get(&finding.place).is_some_and(|had| had.contains(&&finding.change))
        };
        let (dropped, kept): (Vec<_>, Vec<_>) = served_versions(new).into_iter().partition(is_dropped);
        found.extend(kept);
        let has_order = |finding: &Finding| matches!(&finding.change, SchemaChange::Required(names) if names.len() > 1);
        by_chance.extend(dropped.into_iter().filter(has_order));
    }
    SafetyCheck { findings: found, by_chance }
}

/// Whether OLM finds the same text twice.
const fn is_repeatable(finding: &Finding) -> bool {
    !matches!(finding.change, SchemaChange::OneOf { is_repeatable: false, .. })
}

/// The findings about versions of the same name, served or not.
fn same_version(old: &Crd, new: &Crd) -> Vec<Finding> {
    let mut found = Vec::new();
    for version in &old.versions {
        let Some(counterpart) = new.version(&version.name) else { continue };
        for (path, change) in properties(version, counterpart) {
            let place = Place::Version { version: version.name.clone(), path };
            found.push(Finding { place, change });
        }
    }
    found
}

/// The findings about the served versions of a CRD among themselves, each compared with those behind it.
fn served_versions(crd: &Crd) -> Vec<Finding> {
    let mut served: Vec<&Version> = crd.versions.iter().filter(|version| version.is_served).collect();
    served.sort_by(|one, other| crd::compare(&one.name, &other.name));
    let mut found = Vec::new();
    for (at, old) in served.iter().enumerate() {
        for new in &served[at + 1..] {
            for (path, change) in properties(old, new) {
                let place = Place::Served { old: old.name.clone(), new: new.name.clone(), path };
                found.push(Finding { place, change });
            }
        }
    }
    found
}

/// What the checks of properties find, for each path of the old schema. A path that the new schema does not have is compared
/// with an empty schema.
fn properties(old: &Version, new: &Version) -> Vec<(String, SchemaChange)> {
    let empty = Schema::default();
    let mut found = Vec::new();
    for (path, old, new) in counterparts(old, new) {
        let changes = checks::of_property(old, new.unwrap_or(&empty));
        found.extend(changes.into_iter().map(|change| (path.clone(), change)));
    }
    found
}

/// The paths of the old version with both schemas.
pub(crate) fn counterparts<'s>(
    old: &'s Version,
    new: &'s Version,
) -> impl Iterator<Item = (String, &'s Schema, Option<&'s Schema>)> {
    let (old, new) = (old.schema.as_ref().map(flatten), new.schema.as_ref().map(flatten));
    let new = new.unwrap_or_default();
    old.unwrap_or_default().into_iter().map(move |(path, schema)| {
        let counterpart = new.get(&path).copied();
        (path, schema, counterpart)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    /// A CRD whose versions are all served.
    fn crd(versions: &[(&str, Value)]) -> Crd {
        let version = |(name, schema): &(&str, Value)| Version {
            name: (*name).into(),
            is_served: true,
            is_storage: false,
            schema: Some(Schema::of(schema)),
        };
        Crd { versions: versions.iter().map(version).collect(), ..Crd::default() }
    }

    #[track_caller]
    fn check(old: &Crd, new: &Crd, expected: &[&str]) {
        let texts: Vec<String> = findings(old, new).iter().map(ToString::to_string).collect();
        assert_eq!(texts, expected);
    }

    fn kind(name: &str) -> Value {
        json!({"type": name})
    }

    #[test]
    fn served_versions_are_compared_from_the_older_name() {
        let old = crd(&[("v1", kind("a"))]);
        let line = "v1beta1 -> v1: ^: type: type changed : \"b\" -> \"a\"";
        check(&old, &crd(&[("v1", kind("a")), ("v1beta1", kind("b"))]), &[line]);
        check(&old, &crd(&[("v1beta1", kind("b")), ("v1", kind("a"))]), &[line]);
    }

    #[test]
    fn versions_that_are_not_served_are_compared_with_themselves_only() {
        let old = crd(&[("v1", kind("a")), ("v2", kind("a"))]);
        let mut new = crd(&[("v1", kind("a")), ("v2", kind("b"))]);
        new.versions[1].is_served = false;
        check(&old, &new, &["v2: ^: type: type changed : \"a\" -> \"b\""]);
    }

    #[test]
    fn a_conversion_webhook_switches_served_versions_off() {
        let new = crd(&[("v1", kind("a")), ("v2", kind("b"))]);
        let new = Crd { has_conversion_webhook: true, ..new };
        check(&crd(&[("v1", kind("a"))]), &new, &[]);
    }

    #[test]
    fn what_the_old_crd_had_is_dropped() {
        let old = crd(&[("v1", kind("a")), ("v2", kind("b"))]);
        check(&old, &old, &[]);
        let new = crd(&[("v1", kind("a")), ("v2", kind("c"))]);
        check(
            &old,
            &new,
            &["v2: ^: type: type changed : \"b\" -> \"c\"", "v1 -> v2: ^: type: type changed : \"a\" -> \"c\""],
        );
    }

    #[test]
    fn several_required_names_are_dropped_by_chance() {
        let of = |names: &[&str]| crd(&[("v1", json!({})), ("v2", json!({"required": names}))]);
        let by_chance = |crd: &Crd| {
            let found = safety_check(crd, crd);
            assert_eq!(found.findings, []);
            found.by_chance.iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        assert_eq!(by_chance(&of(&["b", "a"])), ["v1 -> v2: ^: required: new required fields: [a b]"]);
        assert_eq!(by_chance(&of(&["a"])), [""; 0]);
    }

    #[test]
    fn a_removed_property_is_compared_with_an_empty_one() {
        let (old, new) =
            (crd(&[("v1", json!({"properties": {"p": {"type": "a", "pattern": "b"}}}))]), crd(&[("v1", json!({}))]));
        check(
            &old,
            &new,
            &[
                "existingFieldRemoval: removed field : v1.^.p",
                "v1: ^.p: type: type changed : \"a\" -> \"\"",
                "v1: ^.p: pattern: pattern removed : \"b\" -> \"\"",
            ],
        );
        check(&new, &old, &[]);
    }
}
