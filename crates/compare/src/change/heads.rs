//! The heads of channels: other ones, and what they provide and require.

use super::case::{Case, Change, provided};
use super::exchange::Exchange;
use crate::rule::Rule;
use catalog::predicate::Property;
use catalog::{Bundle, BundleName, Package};
use go_semver::blang::{Range, Version};

/// The property that names the last version of OpenShift that a bundle supports (operator-lifecycle-manager
/// `pkg/controller/operators/openshift/helpers.go`).
const MAX_OPENSHIFT: &str = "olm.maxOpenShiftVersion";

/// New heads, and heads that were below the head before.
pub(super) fn changed(case: &Case<'_>) -> Vec<Change> {
    let found = case.exchanges.iter().filter_map(|exchange| {
        let Exchange { channel, before, after, .. } = exchange;
        let edit = exchange.edit();
        if case.old.channel(channel.as_str())?.entry(after.as_str()).is_none() {
            let message = format!("the head of channel `{channel}` is `{after}` instead of `{before}`");
            return Some(Change { rule: Rule::HeadChanged, message, edit });
        }
        let message = format!(
            "the head of channel `{channel}` is `{after}` again instead of `{before}`: who has `{before}` gets no update"
        );
        let is_carried = case.harmed.channels.contains(channel);
        (!is_carried).then_some(Change { rule: Rule::HeadRollback, message, edit })
    });
    found.collect()
}

/// APIs that the new head does not provide any more, and those that other packages provide, too.
pub(super) fn provides(case: &Case<'_>) -> Vec<Change> {
    let mut found = Vec::new();
    for exchange in &case.exchanges {
        let (after, edit) = (exchange.after, exchange.edit());
        let Some((old, new)) = exchange.bundles else { continue };
        let (before, now) = (provided(old), provided(new));
        for api in before.iter().filter(|api| !now.contains(api)) {
            let message = format!(
                "`{after}` no longer provides {api}: objects of it stay in clusters, but no operator serves them"
            );
            found.push(Change { rule: Rule::ProvidesRemoved, message, edit: edit.clone() });
        }
        for api in now.iter().filter(|api| !before.contains(api)) {
            let mut others = case.catalog.packages.iter().filter(|package| package.name != case.new.name);
            let Some(other) = others.find(|other| other.bundles.iter().any(|bundle| provided(bundle).contains(api)))
            else {
                continue;
            };
            let message = format!(
                "`{after}` provides {api}, as package `{}` does: both cannot be installed in one namespace",
                other.name
            );
            found.push(Change { rule: Rule::ProvidesDuplicate, message, edit: edit.clone() });
        }
    }
    found
}

/// Requirements that the new head has and the old one had not.
pub(super) fn requires(case: &Case<'_>) -> Vec<Change> {
    let mut found = Vec::new();
    for exchange in &case.exchanges {
        let (after, edit) = (exchange.after, exchange.edit());
        let Some((old, new)) = exchange.bundles else { continue };
        let had = |property: &Property| old.properties.iter().any(|other| other.value == *property);
        for property in new.properties.iter().map(|property| &property.value).filter(|property| !had(property)) {
            found.extend(requirement(case, old, after, property).map(|(rule, message)| Change {
                rule,
                message,
                edit: edit.clone(),
            }));
        }
    }
    found
}

fn requirement(case: &Case<'_>, old: &Bundle, head: &BundleName, property: &Property) -> Option<(Rule, String)> {
    let unmet = |is_met: bool| if is_met { "" } else { ", which nothing in this catalog provides" };
    let mut bundles = case.catalog.packages.iter().flat_map(|package| &package.bundles);
    Some(match property {
        Property::GvkRequired(api, _) => {
            let is_met = bundles.any(|bundle| provided(bundle).contains(&api));
            (Rule::RequiresAdded, format!("`{head}` requires {api}{}", unmet(is_met)))
        }
        Property::PackageRequired { name, range, .. } => {
            let versions: Vec<&Version> = case.catalog.package(name.as_str()).map(versions).unwrap_or_default();
            let allowed = |range: &str, version: &Version| {
                Range::parse(range).is_ok_and(|range| range.matches(version) == Ok(true))
            };
            let before = old.properties.iter().find_map(|property| match &property.value {
                Property::PackageRequired { name: other, range, .. } if other == name => Some(range),
                _ => None,
            });
            let Some(before) = before else {
                let is_met = versions.iter().any(|version| allowed(range, version));
                let message = format!("`{head}` requires package `{name}` in range `{range}`{}", unmet(is_met));
                return Some((Rule::RequiresAdded, message));
            };
            let lost =
                versions.into_iter().filter(|version| allowed(before, version) && !allowed(range, version)).max()?;
            let message = format!(
                "`{head}` requires package `{name}` in range `{range}` instead of `{before}`: `{lost}` is no longer enough"
            );
            (Rule::RangeNarrowed, message)
        }
        Property::Other { kind, .. } if &**kind == "olm.constraint" => {
            (Rule::RequiresAdded, format!("`{head}` has another `olm.constraint`"))
        }
        _ => return None,
    })
}

fn versions(package: &Package) -> Vec<&Version> {
    package.bundles.iter().filter_map(Bundle::version).collect()
}

/// Heads that name a lower last version of OpenShift, or name one for the first time.
pub(super) fn max_openshift(case: &Case<'_>) -> Vec<Change> {
    let found = case.exchanges.iter().filter_map(|exchange| {
        let (old, new) = exchange.bundles?;
        let after = exchange.after;
        let now = max_openshift_of(new)?;
        let before = max_openshift_of(old);
        if before.as_ref().is_some_and(|before| number(before) <= number(&now)) {
            return None;
        }
        let instead = before.map(|before| format!(" instead of `{before}`")).unwrap_or_default();
        let message = format!(
            "`{after}` names `{now}` as the last version of OpenShift{instead}: clusters of that version that have it \
             cannot be upgraded to the next one"
        );
        Some(Change { rule: Rule::MaxOpenShiftLowered, message, edit: exchange.edit() })
    });
    found.collect()
}

fn max_openshift_of(bundle: &Bundle) -> Option<String> {
    bundle.properties.iter().find_map(|property| match &property.value {
        Property::Other { kind, value } if &**kind == MAX_OPENSHIFT => {
            Some(value.as_str().map_or_else(|| value.to_string(), str::to_owned))
        }
        _ => None,
    })
}

/// Major and minor, for comparing.
fn number(version: &str) -> Option<(u64, u64)> {
    Version::parse_tolerant(version).ok().map(|version| (version.major(), version.minor()))
}
