//! Migrations for the page and the command line: Subscriptions with the same answer together, so that the answer is as long as the
//! list of names, not their number times the list of bundles.

use crate::cluster_catalog::{CatalogOrigin, CatalogTarget, cluster_catalogs};
use crate::crds::BundleReadiness;
use crate::manifest::manifests;
use crate::plan::{Inputs, Migration, NextV0, PackageShare, migrations};
use crate::words;
use crd_upgrade::{CrdUpgrade, Finding, UpgradeOutcome};
use std::collections::BTreeMap;
use views::{
    CatalogMigrationRow, CatalogMigrationStatus, CrdUpgradeRow, CrdUpgradeStatus, MigratedSubscription, MigrationGroup,
    MigrationNote, MigrationVerdict, MigrationView, ReadinessRow,
};

/// What becomes of the Subscriptions and CatalogSources of a cluster under OLM v1, in all namespaces, with the objects to apply.
#[must_use]
pub fn migration_view(inputs: &Inputs<'_, '_>) -> MigrationView {
    let found = migrations(inputs);
    let is_installed = found.iter().any(|migration| migration.installed.is_some());
    MigrationView {
        namespaces: Vec::new(),
        groups: groups(&found),
        catalogs: cluster_catalogs(inputs.cluster, inputs.cluster_catalogs).iter().map(catalog).collect(),
        manifests: manifests(&found),
        notices: is_installed.then(|| words::TOOL.to_owned()).into_iter().collect(),
    }
}

fn groups(found: &[Migration]) -> Vec<MigrationGroup> {
    let mut groups: Vec<Vec<MigrationGroup>> = Vec::new();
    let mut by_summary: BTreeMap<(String, Option<String>, String), Vec<usize>> = BTreeMap::new();
    for migration in found {
        let one = group(migration);
        let alike = by_summary.entry((one.package.clone(), one.installed.clone(), one.summary.clone())).or_default();
        match alike.iter().copied().find(|&at| has_same_answer(&groups[at][0], &one)) {
            Some(at) => groups[at].push(one),
            None => {
                alike.push(groups.len());
                groups.push(vec![one]);
            }
        }
    }
    groups.into_iter().filter_map(merged).collect()
}

/// The group of a single Subscription, which has all notes.
fn group(migration: &Migration) -> MigrationGroup {
    let extension = match &migration.share {
        Some(PackageShare::Ends { extension, .. }) => extension,
        _ => &migration.extension.name,
    };
    // Of one that ends nothing is installed.
    let is_made = migration.verdict != MigrationVerdict::Ends;
    MigrationGroup {
        package: migration.extension.package.to_string(),
        installed: migration.installed.as_ref().map(|installed| installed.name.to_string()),
        verdict: migration.verdict,
        summary: words::summary(migration),
        v0: words::v0(migration),
        v1: words::v1(migration),
        differs: differs(migration),
        notes: words::notes(migration),
        bundles: if is_made { bundles(migration) } else { Vec::new() },
        crds: migration.crds.iter().filter(|_| is_made).flat_map(|crds| &crds.upgrades).map(crd).collect(),
        subscriptions: vec![MigratedSubscription {
            subscription: migration.subscription.to_string(),
            namespace: migration.namespace.to_string(),
            extension: extension.to_string(),
            notes: Vec::new(),
        }],
    }
}

fn has_same_answer(one: &MigrationGroup, other: &MigrationGroup) -> bool {
    (one.verdict, one.differs, &one.v0, &one.v1) == (other.verdict, other.differs, &other.v0, &other.v1)
        && one.bundles == other.bundles
        && one.crds == other.crds
}

/// One group of groups with the same answer: it keeps the notes that all have.
fn merged(groups: Vec<MigrationGroup>) -> Option<MigrationGroup> {
    let is_shared = |note: &MigrationNote| groups.iter().all(|group| group.notes.contains(note));
    let shared: Vec<MigrationNote> = groups.first()?.notes.iter().filter(|note| is_shared(note)).cloned().collect();
    let mut groups = groups.into_iter();
    let mut first = groups.next()?;
    let mut subscriptions = own(&mut first, &shared);
    subscriptions.extend(groups.flat_map(|mut group| own(&mut group, &shared)));
    Some(MigrationGroup { notes: shared, subscriptions, ..first })
}

/// The Subscription of a group, with its notes that are not shared.
fn own(group: &mut MigrationGroup, shared: &[MigrationNote]) -> Vec<MigratedSubscription> {
    let mut subscriptions = std::mem::take(&mut group.subscriptions);
    for subscription in &mut subscriptions {
        subscription.notes = std::mem::take(&mut group.notes);
        subscription.notes.retain(|note| !shared.contains(note));
    }
    subscriptions
}

fn catalog(target: &CatalogTarget) -> CatalogMigrationRow {
    CatalogMigrationRow {
        source: target.source.name.to_string(),
        namespace: target.source.namespace.to_string(),
        catalog: target.name.to_string(),
        status: match target.origin {
            CatalogOrigin::New(_) => CatalogMigrationStatus::New,
            CatalogOrigin::SameImage | CatalogOrigin::SameName => CatalogMigrationStatus::Exists,
            CatalogOrigin::OtherImage(_) | CatalogOrigin::NoImage => CatalogMigrationStatus::Missing,
            CatalogOrigin::UnknownImage => CatalogMigrationStatus::Unknown,
        },
        reason: words::catalog(&target.origin),
        notes: target.notes.clone(),
    }
}

/// Whether the next bundles of both versions of OLM differ, where both are known.
fn differs(migration: &Migration) -> bool {
    let installed = migration.installed.as_ref().map(|installed| &installed.name);
    let v0 = match &migration.v0 {
        NextV0::Installs(bundle) | NextV0::Updates(bundle) => Some(bundle),
        NextV0::Stays | NextV0::Fails(_) => installed,
        NextV0::NoPackage | NextV0::NoChannel | NextV0::BrokenChannel(_) => None,
        NextV0::Unknown => return false,
    };
    v0 != migration.v1_adopted.bundle()
}

/// The bundles that the group is about, each once: those that the channel leads to, the chosen one, the installed one.
fn bundles(migration: &Migration) -> Vec<ReadinessRow> {
    let installed = migration.installed.as_ref().map(|installed| &installed.name);
    let chosen = migration.v1_adopted.bundle();
    let mut found: Vec<&BundleReadiness> = migration.reachable.iter().map(|bundle| &**bundle).collect();
    for more in migration.chosen.iter().chain(&migration.current) {
        if found.iter().all(|bundle| bundle.bundle != more.bundle) {
            found.push(more);
        }
    }
    let row = |bundle: &BundleReadiness| ReadinessRow {
        is_installed: installed == Some(&bundle.bundle),
        is_chosen: chosen == Some(&bundle.bundle),
        ..bundle.row()
    };
    found.into_iter().map(row).collect()
}

fn crd(crd: &CrdUpgrade) -> CrdUpgradeRow {
    let texts = |findings: &[Finding]| findings.iter().map(ToString::to_string).collect();
    let (status, lines) = match &crd.outcome {
        UpgradeOutcome::Compared(compared) if !compared.v1.is_empty() => {
            (CrdUpgradeStatus::Refused, texts(&compared.v1))
        }
        UpgradeOutcome::Compared(compared) if !compared.v1_by_chance.is_empty() => {
            (CrdUpgradeStatus::RefusedByChance, texts(&compared.v1_by_chance))
        }
        UpgradeOutcome::Compared(_) => (CrdUpgradeStatus::Accepted, Vec::new()),
        UpgradeOutcome::New => (CrdUpgradeStatus::New, Vec::new()),
        UpgradeOutcome::Gone => (CrdUpgradeStatus::Gone, Vec::new()),
        UpgradeOutcome::Unknown(reason) => (CrdUpgradeStatus::Unknown, vec![reason.to_string()]),
    };
    CrdUpgradeRow { name: crd.name.to_string(), status, lines }
}
