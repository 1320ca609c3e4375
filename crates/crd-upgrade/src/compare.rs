//! The comparison of two CRDs as operator-controller configures crdify: conversion policy Ignore, unhandled changes are
//! errors, `description` is not checked, `enum` may have more values, and all else is checked strictly
//! (`internal/operator-controller/rukpak/preflights/crdupgradesafety/crdupgradesafety.go`).

use crate::checks;
use crate::crd::{Crd, Version};
use crate::finding::{Change, Finding, Place};
use crate::flatten::flatten;
use crate::schema::Schema;
use crate::version_order;

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
    let of_crd = [checks::scope::check(old, new), checks::stored_versions::check(old, new)].into_iter().flatten();
    let of_crd = of_crd.chain(checks::existing_fields::check(old, new));
    let mut found: Vec<Finding> = of_crd.map(|change| Finding { place: Place::Crd, change }).collect();
    found.extend(same_version(old, new));
    if !new.has_conversion_webhook {
        let before = served_versions(old);
        found.extend(
            served_versions(new).into_iter().filter(|finding| !(is_repeatable(finding) && before.contains(finding))),
        );
    }
    found
}

/// Whether OLM finds the same text twice.
const fn is_repeatable(finding: &Finding) -> bool {
    !matches!(finding.change, Change::OneOf { is_repeatable: false, .. })
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
    served.sort_by(|one, other| version_order::compare(&one.name, &other.name));
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
fn properties(old: &Version, new: &Version) -> Vec<(String, Change)> {
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
