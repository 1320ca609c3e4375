//! Bundles that changed under the same name, and bundles that can never be selected.

use super::case::{Case, Change, provided};
use crate::edit::{BundleChange, Edit};
use crate::rule::Rule;
use catalog::Bundle;

/// Another image or version, or a new `olm.deprecated`, under the same name.
pub(super) fn changed(case: &Case<'_>) -> Vec<Change> {
    let mut found = Vec::new();
    for edit in &case.edits {
        let Edit::Bundle { bundle: name, change: BundleChange::Changed } = edit else { continue };
        let states = case.old.bundle(name.as_str()).zip(case.new.bundle(name.as_str()));
        let Some((old, new)) = states else { continue };
        let mut add = |rule, message| found.push(Change { rule, message, edit: edit.clone() });
        let image = |bundle: &Bundle| bundle.image.as_ref().map(|image| image.value.clone());
        if image(old) != image(new) {
            let message = format!(
                "bundle `{name}` has another image: with OLM v0, clusters that have it never get the new one, and new \
                 installations differ from them"
            );
            add(Rule::ImageChanged, message);
        }
        let version = |bundle: &Bundle| bundle.version.as_ref().map(|version| version.value.text.to_string());
        if version(old) != version(new) {
            let (before, after) = (version(old).unwrap_or_default(), version(new).unwrap_or_default());
            let message = format!(
                "bundle `{name}` has version `{after}` instead of `{before}`: what is installed keeps `{before}`, which \
                 ranges then treat differently"
            );
            add(Rule::VersionChanged, message);
        }
        let is_forbidden =
            |bundle: &Bundle| bundle.properties.iter().any(|property| property.value.kind() == "olm.deprecated");
        if is_forbidden(new) && !is_forbidden(old) && !case.harmed.installed.contains(name) {
            let message = format!("bundle `{name}` gains `olm.deprecated`: OLM no longer installs it");
            add(Rule::DeprecatedProperty, message);
        }
    }
    found
}

/// New or changed bundles that provide an API twice.
pub(super) fn duplicates(case: &Case<'_>) -> Vec<Change> {
    let found = case.edits.iter().filter_map(|edit| {
        let Edit::Bundle { bundle: name, change: BundleChange::Added | BundleChange::Changed } = edit else {
            return None;
        };
        let twice = |bundle: &Bundle| {
            let apis = provided(bundle);
            apis.iter().enumerate().find(|(at, api)| apis[..*at].contains(api)).map(|(_, api)| (*api).clone())
        };
        if case.old.bundle(name.as_str()).and_then(twice).is_some() {
            return None;
        }
        let api = twice(case.new.bundle(name.as_str())?)?;
        let message = format!("bundle `{name}` provides {api} twice: OLM never installs it");
        Some(Change { rule: Rule::OwnDuplicateGvk, message, edit: edit.clone() })
    });
    found.collect()
}
