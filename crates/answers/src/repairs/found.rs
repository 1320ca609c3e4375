//! The repairs of the channels of a catalog, of which the first ones can be written.

use crate::repairs::{
    ChannelRepairs, RepairScope, RepairedText, changed_rows, faults, installed, installed_in, rejected_catalog,
    repairs_in,
};
use crate::simulation::cluster_after_current;
use catalog::{BundleName, Chain, Channel, Package};
use go_semver::blang::Version;
use release::{Intent, Policy, Release, release};
use repair::{Question, Repair, is_harmless};
use session::{Side, Workbench, WrittenFile, not_read, refused};
use source::Rule;
use std::collections::BTreeSet;
use update_graph::{ChannelEdit, Edit, applied};
use views::{CatalogId, FileEdit, NamespaceState, RefusedView, RepairsView};

/// Which channels of a catalog are repaired.
#[derive(Clone, Copy, Default)]
pub struct RepairRequest<'r> {
    /// The catalog before the change, if that is known.
    pub before: Option<CatalogId>,
    /// Only these packages; all if there are none.
    pub packages: &'r [&'r str],
    /// Only these channels; all if there are none.
    pub channels: &'r [&'r str],
    /// The versions or names that nobody may be updated to.
    pub avoid: &'r [String],
}

/// The repairs of the channels of a catalog.
pub struct FoundRepairs {
    /// The namespaces of the cluster as they stand.
    pub namespaces: Vec<NamespaceState>,
    /// The channels that something is wrong with, by package and channel.
    pub views: Vec<RepairsView>,
    /// What was assumed about what is installed.
    pub notices: Vec<String>,
    /// Why nobody knows whether versions reach the heads: a part of a catalog was not read.
    pub unknown: Option<String>,
    /// The versions to be avoided that no channel lists.
    pub unlisted: Vec<String>,
    /// Why nobody gets an update whatever the channels say: `opm` rejects the catalog for something that no edge mends. Absent if a
    /// channel says so.
    pub rejected: Option<RefusedView>,
    /// Whether `opm` accepts the catalog with the repairs.
    pub is_mended: bool,
    catalog: CatalogId,
    found: Vec<ChannelRepairs>,
}

/// The repairs of the channels of a catalog, of which `before` is the state before a change. What Subscriptions of the manifests
/// have installed counts, too.
///
/// # Errors
/// If the catalog is not open.
pub fn repairs(workbench: &Workbench, id: CatalogId, request: RepairRequest<'_>) -> Result<FoundRepairs, String> {
    let after = workbench.catalog(id).ok_or("the catalog is not open")?;
    let before = request.before.and_then(|id| workbench.catalog(id)).map(Side::present);
    let RepairRequest { packages, channels, avoid, .. } = request;
    let (cluster, namespaces) = cluster_after_current(workbench, simulate::Snapshots::new());
    // What an update replaces is installed until it has ended.
    let installed: Vec<_> = installed(workbench).into_iter().chain(installed_in(&cluster)).collect();
    let budget = workbench.budget();
    let scope = RepairScope { before, after, packages, channels, avoid, installed: &installed, budget: &budget };
    let found = repairs_in(scope);
    let unknown = Side::present(after).why_unread().or_else(|| before?.why_unread());
    let is_said = unknown.is_some() || found.iter().any(|found| found.refusal.is_some());
    let rejected = rejected_catalog(after).filter(|_| !is_said).map(|refusal| refused(&refusal));
    Ok(FoundRepairs {
        namespaces,
        views: found.iter().map(|found| found.view(scope)).collect(),
        unlisted: avoid.iter().filter(|avoid| !scope.is_known(avoid)).cloned().collect(),
        notices: workbench.cluster_manifests().1.cluster.installed_notices(),
        unknown,
        rejected,
        is_mended: faults(after).all(|fault| {
            let mut listed = found.iter().filter(|found| !found.unlisted.is_empty());
            fault.subject.as_ref().is_some_and(|subject| listed.any(|found| found.package == subject.package))
        }),
        catalog: id,
        found,
    })
}

/// Writes the first repair of each channel.
///
/// # Errors
///
/// If they cannot be written together: why, and what to do instead.
pub fn write_repairs(
    workbench: &mut Workbench,
    FoundRepairs { catalog, found, .. }: &FoundRepairs,
) -> Result<Vec<WrittenFile>, RefusedView> {
    workbench.catalog(*catalog).and_then(not_read).map_or(Ok(()), |refusal| Err(refused(&refusal)))?;
    let first = || found.iter().filter_map(|found| Some((found, found.repairs.first()?)));
    let texts = first().map(|(_, repaired)| FileEdit { file: repaired.file, splices: repaired.text.edits.clone() });
    let edits: Vec<ChannelEdit> =
        first().map(|(found, repaired)| ChannelEdit::of(&found.channel, repaired.repair.edits.clone())).collect();
    let packages = first().map(|(found, _)| found.package.as_str());
    let intent = Intent { channels: packages.zip(&edits).collect(), ..Intent::default() };
    workbench.write_edits(*catalog, &intent, &texts.collect::<Vec<_>>(), true).map_err(|refusal| refused(&refusal))
}

// Repairs of packages that `opm` rejects because no channel lists a bundle: the bundle gets an entry.

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
