//! The heads of channels: other ones, and what they provide and require.

use super::{Case, Change, may_provide_more, provided};
use crate::edit::{Edit, EntryChange};
use crate::rule::Rule;
use catalog::predicate::Property;
use catalog::{Bundle, BundleDetails, BundleName, ChannelName, CsvDetails, Package, bundle_details};
use go_semver::blang::{Range, Version};
use source::{FileId, parse_min_kube};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use update_graph::UpdateChain;

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
    let is_known = !may_provide_more(case.catalog);
    let unmet = |is_met: bool| if is_met || !is_known { "" } else { ", which nothing in this catalog provides" };
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

// Channels that have another head after the change.

/// A channel with another head.
pub(crate) struct Exchange<'c> {
    pub(super) channel: &'c ChannelName,
    pub(super) before: &'c BundleName,
    pub(super) after: &'c BundleName,
    pub(super) bundles: Option<(&'c Bundle, &'c Bundle)>,
}

impl Exchange<'_> {
    /// The place of the new head in its channel.
    pub(super) fn edit(&self) -> Edit {
        Edit::Entry { channel: self.channel.clone(), entry: self.after.clone(), change: EntryChange::Added }
    }
}

/// The channels of both states that have another head.
pub(super) fn exchanges<'c>(old: &'c Package, new: &'c Package) -> Vec<Exchange<'c>> {
    let found = old.channels.iter().filter_map(|channel| {
        let channel = &channel.name.value;
        let (before, after) = (head(old, channel)?, head(new, channel)?);
        let bundles = old.bundle(before.as_str()).zip(new.bundle(after.as_str()));
        let bundles = bundles.filter(|(old, new)| !old.has_unknown_contents && !new.has_unknown_contents);
        (before != after).then_some(Exchange { channel, before, after, bundles })
    });
    found.collect()
}

fn head<'c>(package: &'c Package, name: &ChannelName) -> Option<&'c BundleName> {
    let chain = UpdateChain::of(package, package.channel(name.as_str())?).ok()?;
    chain.entries.first().map(|entry| &entry.name.value)
}

// What the ClusterServiceVersions and related images of new heads say, compared with those of the old heads.

/// The details of bundles by name. Each bundle is read once, because channels often share their heads, and so is each text,
/// because `text` may have to take back edits.
pub(super) fn read_details<'c, 't>(
    bundles: impl Iterator<Item = &'c Bundle>,
    text: &dyn Fn(FileId) -> Option<Cow<'t, str>>,
) -> BTreeMap<&'c BundleName, BundleDetails> {
    let mut texts: BTreeMap<FileId, Option<Cow<'t, str>>> = BTreeMap::new();
    let bundles: BTreeMap<&BundleName, &Bundle> = bundles.map(|bundle| (&bundle.name.value, bundle)).collect();
    let details = bundles.into_iter().filter_map(|(name, bundle)| {
        let file = bundle.span.file;
        let text = texts.entry(file).or_insert_with(|| text(file)).as_deref()?;
        Some((name, bundle_details(bundle, text)?))
    });
    details.collect()
}

/// Heads with a higher `minKubeVersion`. The resolver does not look at it (`pkg/controller/operators/olm/requirements.go`
/// of OLM).
pub(super) fn min_kube(case: &Case<'_>) -> Vec<Change> {
    of_csv(case, Rule::MinKubeRaised, |head, old, new| {
        let (before, now) = (old.min_kube_version.as_deref(), new.min_kube_version.as_deref()?);
        let version = |text| Version::parse_tolerant(text).ok();
        parse_min_kube(now)?;
        if before.and_then(version) >= Some(version(now)?) {
            return None;
        }
        let instead = before.map(|before| format!(" instead of `{before}`")).unwrap_or_default();
        Some(format!(
            "`{head}` needs Kubernetes `{now}`{instead}: on older clusters its CSV stays Pending with `CSV version \
             requirement not met: minKubeVersion ({now}) > server version (<version>)`"
        ))
    })
}

/// Heads with a `minKubeVersion` that OLM cannot parse, which the old head has not.
pub(super) fn min_kube_never(case: &Case<'_>) -> Vec<Change> {
    of_csv(case, Rule::MinKubeNever, |head, old, new| {
        let unread = |csv: &CsvDetails| csv.min_kube_version.clone().filter(|least| parse_min_kube(least).is_none());
        let least = unread(new).filter(|_| unread(old).is_none())?;
        Some(format!(
            "`{head}` has the `minKubeVersion` `{least}`, which OLM cannot parse: on every cluster its CSV stays Pending with \
             `CSV version parsing error`, and the update never ends"
        ))
    })
}

/// Heads without an install mode that the old head supports (`InstallModeSet` in operator-framework/api
/// `pkg/operators/v1alpha1/clusterserviceversion.go`).
pub(super) fn install_modes(case: &Case<'_>) -> Vec<Change> {
    of_csv(case, Rule::InstallModeDropped, |head, old, new| {
        let supported = new.install_modes.supported();
        let dropped = old.install_modes.supported().into_iter().filter(|mode| !supported.contains(mode));
        let dropped: Vec<String> = dropped.map(|mode| format!("`{mode}`")).collect();
        let (modes, them) = match dropped.len() {
            0 => return None,
            1 => ("the install mode", "it"),
            _ => ("the install modes", "them"),
        };
        Some(format!(
            "`{head}` no longer supports {modes} {}: in namespaces that use {them} its CSV fails with \
             `UnsupportedOperatorGroup`",
            dropped.join(", ")
        ))
    })
}

/// The changes between the ClusterServiceVersions of old and new heads, in the words of `describe`.
fn of_csv(
    case: &Case<'_>,
    rule: Rule,
    describe: impl Fn(&BundleName, &CsvDetails, &CsvDetails) -> Option<String>,
) -> Vec<Change> {
    let found = case.exchanges.iter().filter_map(|exchange| {
        let old = case.old_heads.get(exchange.before)?.csv.as_ref()?;
        let new = case.new_heads.get(exchange.after)?.csv.as_ref()?;
        Some(Change { rule, message: describe(exchange.after, old, new)?, edit: exchange.edit() })
    });
    found.collect()
}

/// Images of new heads that no old head has. One change for the package, because nearly every release has some.
pub(super) fn related_images(case: &Case<'_>) -> Vec<Change> {
    let heads = case.exchanges.iter().filter_map(|exchange| {
        let (old, new) = (case.old_heads.get(exchange.before)?, case.new_heads.get(exchange.after)?);
        Some((exchange, &old.related_images, &new.related_images))
    });
    let known: BTreeSet<_> = heads.clone().flat_map(|(_, old, _)| old).collect();
    let added = heads.map(|(exchange, _, new)| (exchange, new.iter().filter(|image| !known.contains(image))));
    let added: Vec<(&Exchange<'_>, Vec<_>)> = added.map(|(exchange, images)| (exchange, images.collect())).collect();
    let adding: Vec<_> = added.iter().filter(|(_, images)| !images.is_empty()).collect();
    let Some(((first, _), others)) = adding.split_first() else { return Vec::new() };
    let images: BTreeSet<_> = adding.iter().flat_map(|(_, images)| images).collect();
    let heads = match others.iter().all(|(other, _)| other.after == first.after) {
        true => format!("`{}` has", first.after),
        false => "the new heads have".to_owned(),
    };
    let images = match images.len() {
        1 => "a related image".to_owned(),
        count => format!("{count} related images"),
    };
    let message = format!("{heads} {images} that no old head has: mirrors have to be refreshed");
    vec![Change { rule: Rule::RelatedImages, message, edit: first.edit() }]
}
