//! Lifecycle data: how long versions are supported.

use super::case::{Case, Change};
use crate::edit::Edit;
use crate::rule::Rule;
use catalog::{Lifecycle, LifecycleVersion};
use source::name_list;

/// Versions whose support ends earlier.
pub(super) fn ends_earlier(case: &Case<'_>) -> Vec<Change> {
    let Some((old, new)) = case.old.lifecycle().zip(case.new.lifecycle()) else { return Vec::new() };
    let change = |before: &LifecycleVersion| {
        let version = before.name.as_ref()?;
        let (was, is) = (before.end()?, item(new, before)?.end()?);
        let package = &case.new.name;
        let message =
            || format!("support ends earlier: `{package}` {version} is supported until {is} instead of {was}");
        (is < was).then(|| Change { rule: Rule::SupportEndsEarlier, message: message(), edit: Edit::Lifecycle })
    };
    old.versions.iter().filter_map(change).collect()
}

/// New, removed and otherwise changed lifecycle data.
pub(super) fn changed(case: &Case<'_>) -> Vec<Change> {
    if !case.edits.contains(&Edit::Lifecycle) {
        return Vec::new();
    }
    let message = match (case.old.lifecycle(), case.new.lifecycle()) {
        (_, None) if case.new.lifecycles.is_empty() => {
            "the lifecycle data of the package is gone: the console shows \"No data\"".to_owned()
        }
        (_, None) => {
            let count = case.new.lifecycles.len();
            format!("the package has {count} documents with lifecycle data: the console shows \"No data\"")
        }
        (None, Some(_)) => "the package has lifecycle data, which the console shows".to_owned(),
        (Some(old), Some(new)) => match differing(old, new) {
            names if names.is_empty() => return Vec::new(),
            names => format!("the lifecycle data differs for {}", name_list(names.into_iter())),
        },
    };
    vec![Change { rule: Rule::Metadata, message, edit: Edit::Lifecycle }]
}

/// The versions whose data was added, removed or changed.
fn differing<'l>(old: &'l Lifecycle, new: &'l Lifecycle) -> Vec<&'l str> {
    let differs = |version: &&LifecycleVersion| !item(new, version).is_some_and(|other| other.says_the_same(version));
    let added = new.versions.iter().filter(|version| item(old, version).is_none());
    let versions = old.versions.iter().filter(differs).chain(added);
    versions.filter_map(|version| version.name.as_ref()).map(|name| &*name.value).collect()
}

/// What a document says about the same version.
fn item<'l>(data: &'l Lifecycle, version: &LifecycleVersion) -> Option<&'l LifecycleVersion> {
    let name = &version.name.as_ref()?.value;
    data.versions.iter().find(|other| other.name.as_ref().is_some_and(|other| other.value == *name))
}
