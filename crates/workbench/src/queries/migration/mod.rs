//! Subscriptions as ClusterExtensions, and what OLM v1 refuses in the bundles of a package.

mod catalogs;
mod conversion;
mod readiness;
mod wording;

pub(super) use wording::unknown_crd;

use crate::{CatalogInput, Workbench};
use ::migration::{
    BundleReadiness, CatalogContent, CatalogOptions, Check, CheckOutcome, ConvertOptions, Dump, Eligibility, Inputs,
    Migration, MigrationVerdict, NextV0, already_migrated, catalog_migrations, manifests, migrations, recoveries,
};
use crd_upgrade::{CrdUpgrade, UpgradeOutcome};
use resolver::CatalogKey;
use simulate::Cluster;
use source::FileId;
use std::collections::{BTreeMap, BTreeSet};
use views::{
    CatalogId, CatalogMigrationRow, CatalogMigrationStatus, CheckOutcomeView, CheckView, CrdUpgradeRow,
    CrdUpgradeStatus, EligibilityView, MigrationRow, MigrationVerdictView, MigrationView, PackageKey, ReadinessRow,
};

/// What the user asks of the migration tool.
#[derive(Clone, Debug, Default)]
pub struct MigrationOptions {
    /// The flags of `convert`.
    pub convert: ConvertOptions,
    /// The flags of `migrate-catalogs-v0-to-v1`.
    pub catalogs: CatalogOptions,
    /// Whether the cluster has no objects of OLM but those of the manifests, so that what is missing does not exist.
    pub is_complete: bool,
}

impl Workbench {
    /// What becomes of the Subscriptions and CatalogSources of the cluster under OLM v1, in all namespaces, with the objects that
    /// the migration tool creates.
    #[must_use]
    pub fn migration(&self) -> MigrationView {
        self.migration_with(&MigrationOptions::default())
    }

    /// The same with flags of the migration tool.
    #[must_use]
    pub fn migration_with(&self, options: &MigrationOptions) -> MigrationView {
        let scenario = self.scenario("");
        let mut cluster = scenario.cluster;
        let (_, read) = self.cluster_manifests();
        add_unbound_sources(&mut cluster, &read.cluster);
        let bound = scenario.bound.iter().filter_map(|(key, id)| Some((key.clone(), content(self.catalog(*id)?))));
        let contents: BTreeMap<CatalogKey, CatalogContent<'_>> = bound.collect();
        let served: BTreeMap<String, CatalogContent<'_>> =
            self.catalogs().iter().map(|catalog| (catalog.name.clone(), content(catalog))).collect();
        let text = self.cluster.read();
        let dump = Dump::of(text.text(), text.nodes(), options.is_complete);
        let inputs = Inputs {
            served: &served,
            dump: &dump,
            options: &options.convert,
            catalog_options: options.catalogs,
            cluster: &cluster,
            cluster_catalogs: &read.cluster_catalogs,
            extensions: &read.cluster_extensions,
            contents: &contents,
        };
        let found = migrations(&inputs);
        let mut notices = scenario.notices;
        let used: BTreeSet<CatalogId> = scenario.bound.values().copied().collect();
        notices.extend(used.iter().filter_map(|id| wording::rejected(self.catalog(*id)?)));
        if found.iter().any(|migration| migration.installed.is_some()) {
            notices.push(wording::TOOL.to_owned());
        }
        let row = |migration: &Migration| {
            let catalog = migration.source.as_ref().and_then(|key| scenario.bound.get(key));
            row(migration, catalog.copied(), &contents)
        };
        let migrated = already_migrated(&dump).into_iter().map(|row| (row.extension, row.subscription)).collect();
        let catalogs = catalog_migrations(&cluster, &read.cluster_catalogs, options.catalogs);
        let catalogs: Vec<CatalogMigrationRow> =
            catalogs.iter().map(|row| catalogs::row(row, options.catalogs)).collect();
        let has_new = catalogs.iter().any(|row| row.status == CatalogMigrationStatus::Created);
        MigrationView {
            subscriptions: found.iter().map(row).collect(),
            migrated,
            failed_catalogs: catalogs::failure(&catalogs),
            recoveries: recoveries(&dump).iter().map(conversion::recovery).collect(),
            catalogs,
            unknown_catalogs: has_new.then(|| catalogs::SERVING.to_owned()),
            manifests: manifests(&found),
            notices,
        }
    }
}

/// Adds the CatalogSources without a loaded catalog, which the simulation leaves out: their images are known.
fn add_unbound_sources(cluster: &mut Cluster, read: &Cluster) {
    for source in &read.catalog_sources {
        if cluster.catalog_sources.iter().all(|known| known.key != source.key) {
            cluster.catalog_sources.push(source.clone());
        }
    }
}

/// A catalog with the texts of its files.
fn content(catalog: &CatalogInput) -> CatalogContent<'_> {
    let texts = catalog.files.iter().map(|file| (FileId(file.key.0), file.text.as_str()));
    CatalogContent { catalog: &catalog.analysis.catalog, texts: texts.collect() }
}

fn row(
    migration: &Migration,
    catalog: Option<CatalogId>,
    contents: &BTreeMap<CatalogKey, CatalogContent<'_>>,
) -> MigrationRow {
    let package = migration.extension.package.as_str();
    let content = migration.source.as_ref().and_then(|key| contents.get(key));
    let package_key = catalog
        .filter(|_| content.is_some_and(|content| content.catalog.package(package).is_some()))
        .map(|catalog| PackageKey { catalog, package: package.to_owned() });
    MigrationRow {
        subscription: migration.subscription.to_string(),
        namespace: migration.namespace.to_string(),
        package: package.to_owned(),
        package_key,
        installed: migration.installed.as_ref().map(|installed| installed.name.to_string()),
        extension: migration.extension.name.to_string(),
        eligibility: eligibility(&migration.eligibility),
        conversion: conversion::view(&migration.conversion),
        verdict: verdict(migration.verdict),
        summary: wording::summary(migration),
        v0: wording::v0(migration),
        v1: wording::v1(migration),
        differs: differs(migration),
        notes: wording::notes(migration),
        bundles: bundles(migration),
        crds: migration.crds.iter().flat_map(|crds| &crds.upgrades).map(crd).collect(),
        manifest: manifests([migration]),
    }
}

fn eligibility(found: &Eligibility) -> EligibilityView {
    let check = |check: &Check| CheckView {
        name: check.name.to_owned(),
        outcome: match check.outcome {
            CheckOutcome::Passed => CheckOutcomeView::Passed,
            CheckOutcome::Overridden => CheckOutcomeView::Overridden,
            CheckOutcome::Failed => CheckOutcomeView::Failed,
            CheckOutcome::NotKnown => CheckOutcomeView::NotKnown,
        },
        message: check.message.clone(),
    };
    EligibilityView {
        state: found.state.as_str().to_owned(),
        reason: found.reason.clone(),
        checks: found.checks.iter().map(check).collect(),
        warnings: found.warnings.clone(),
        unknown: u32::try_from(found.count(CheckOutcome::NotKnown)).unwrap_or(u32::MAX),
    }
}

const fn verdict(verdict: MigrationVerdict) -> MigrationVerdictView {
    match verdict {
        MigrationVerdict::Moves => MigrationVerdictView::Moves,
        MigrationVerdict::Stays => MigrationVerdictView::Stays,
        MigrationVerdict::Fails => MigrationVerdictView::Fails,
        MigrationVerdict::CannotBeKnown => MigrationVerdictView::CannotBeKnown,
        MigrationVerdict::Refused => MigrationVerdictView::Refused,
    }
}

/// Whether the next bundles of both versions of OLM differ, where both are known.
fn differs(migration: &Migration) -> bool {
    let installed = migration.installed.as_ref().map(|installed| &installed.name);
    let v0 = match &migration.v0 {
        NextV0::Installs(bundle) | NextV0::Updates(bundle) => Some(bundle),
        NextV0::Stays => installed,
        NextV0::NoPackage | NextV0::NoChannel | NextV0::BrokenChannel(_) => None,
        NextV0::Unknown => return false,
    };
    v0 != migration.v1.bundle()
}

/// The bundles that the row is about, each once: those that the channel leads to, the chosen one, the installed one.
fn bundles(migration: &Migration) -> Vec<ReadinessRow> {
    let installed = migration.installed.as_ref().map(|installed| &installed.name);
    let chosen = migration.v1.bundle();
    let mut rows: Vec<&BundleReadiness> = migration.reachable.iter().map(|bundle| &**bundle).collect();
    for more in migration.chosen.iter().chain(&migration.current) {
        if rows.iter().all(|row| row.bundle != more.bundle) {
            rows.push(more);
        }
    }
    let row = |bundle: &BundleReadiness| ReadinessRow {
        is_installed: installed == Some(&bundle.bundle),
        is_chosen: chosen == Some(&bundle.bundle),
        ..readiness::row(bundle)
    };
    rows.into_iter().map(row).collect()
}

fn crd(crd: &CrdUpgrade) -> CrdUpgradeRow {
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
        UpgradeOutcome::Unknown(reason) => (CrdUpgradeStatus::Unknown, vec![unknown_crd(reason)]),
    };
    CrdUpgradeRow { name: crd.name.to_string(), status, lines }
}

fn texts(findings: &[crd_upgrade::Finding]) -> Vec<String> {
    findings.iter().map(ToString::to_string).collect()
}

#[cfg(test)]
mod tests;
