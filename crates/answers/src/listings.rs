//! Repairs of packages that `opm` rejects because no channel lists a bundle: the bundle gets an entry.

use crate::repairs::{ChannelRepairs, RepairScope, RepairedText, changed_rows, faults};
use catalog::{BundleName, Chain, Channel, Package};
use go_semver::blang::Version;
use release::{Policy, Release, release};
use repair::{Question, Repair, is_harmless};
use source::Rule;
use std::collections::BTreeSet;
use update_graph::{Edit, applied};

/// The most bundles that are listed together.
const MOST: usize = 20;

/// The weight of a new entry: that of a new `replaces` of an older entry.
const WEIGHT: u32 = 5;

/// The repairs that list the bundles of a package in its default channel; `None` if all are listed, or `opm` rejects the package for
/// something else.
pub(crate) fn listings(scope: RepairScope<'_>, package: &Package) -> Option<ChannelRepairs> {
    let is_of =
        |fault: &&session::Finding| fault.subject.as_ref().is_none_or(|subject| subject.package == package.name);
    if !faults(scope.after).filter(is_of).all(|fault| fault.diagnostic.rule == Rule::BundleInNoChannel) {
        return None;
    }
    let default = &package.default_channel.as_ref()?.value;
    let channel = package.channel(default.as_str()).filter(|channel| scope.has(channel))?;
    let listed: BTreeSet<&BundleName> =
        package.channels.iter().flat_map(|channel| &channel.entries).map(|entry| &entry.name.value).collect();
    let unlisted = package.bundles.iter().filter(|bundle| !listed.contains(&bundle.name.value));
    let unlisted = unlisted.map(|bundle| Some((bundle.version()?.clone(), bundle.name.value.clone())));
    let mut unlisted = unlisted.collect::<Option<Vec<(Version, BundleName)>>>()?;
    unlisted.sort();
    if unlisted.is_empty() || unlisted.len() > MOST {
        return None;
    }
    let mut repairs: Vec<RepairedText> = Vec::new();
    for below in [Policy::SkippedHotfix, Policy::Hotfix] {
        let Some(repair) = listing(scope, package, channel, &unlisted, below) else { continue };
        if repairs.iter().all(|known| known.repair != repair) {
            repairs.extend(RepairedText::of(scope.after, package, channel, repair));
        }
    }
    (!repairs.is_empty()).then(|| ChannelRepairs {
        package: package.name.clone(),
        channel: channel.name.value.clone(),
        stranded: Vec::new(),
        by_opm_alone: BTreeSet::new(),
        unlisted: unlisted.into_iter().map(|(_, name)| name).collect(),
        repairs,
        refusal: None,
    })
}

/// An entry for each bundle: above the head it replaces the head, and below it goes as the policy says.
fn listing(
    scope: RepairScope<'_>,
    package: &Package,
    channel: &Channel,
    unlisted: &[(Version, BundleName)],
    below: Policy,
) -> Option<Repair> {
    let (mut with, mut edits) = (package.clone(), Vec::new());
    for (version, name) in unlisted {
        let new = Release { name: name.clone(), version: version.clone(), from: None };
        let policies = [Policy::ReplaceHead, below].into_iter();
        let edit = policies.filter_map(|policy| release(policy, &with, &channel.name.value, &new).ok()).next()?;
        with = edit.applied_to(&with);
        edits.extend(edit.as_edits());
    }
    let listed = applied(channel, &edits);
    let before = scope.before.and_then(|before| before.catalog().package(package.name.as_str()));
    let none = BTreeSet::new();
    let question = Question { before, after: package, channel, installed: &none, avoid: &none, budget: scope.budget };
    let is_whole = matches!(Chain::of(&listed), Chain::Headed { stranded, .. } if stranded.is_empty());
    if !is_whole || !is_harmless(&question, &listed) {
        return None;
    }
    let is_new = |edit: &&Edit| unlisted.iter().any(|(_, name)| *name == edit.entry);
    let changed = edits.iter().filter(|edit| !is_new(edit)).count() as u32;
    let widening = changed_rows(scope.before, package, &listed).len();
    Some(Repair { weight: WEIGHT * (unlisted.len() as u32 + changed), widening, edits })
}
