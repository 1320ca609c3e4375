//! Migrations as JSON.

use super::group::{Group, Member, groups};
use serde::Serialize;
use views::{
    CatalogMigrationRow, CatalogMigrationStatus, CheckView, ConversionView, CrdUpgradeRow, CrdUpgradeStatus,
    EligibilityView, MigrationNote, MigrationNoteKind, MigrationVerdictView, MigrationView, ReadinessRow,
    ReadinessVerdictView, RecoveryRow, RecoveryView,
};

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Report<'v> {
    groups: Vec<GroupReport<'v>>,
    /// The operators that are migrated already.
    migrated: Vec<MigratedReport<'v>>,
    /// What `migrate-catalogs-v0-to-v1` makes of the CatalogSources.
    catalogs: Vec<CatalogReport<'v>>,
    /// The error with which the tool ends.
    #[serde(skip_serializing_if = "Option::is_none")]
    failed_catalogs: Option<&'v str>,
    /// What `rollback` and `cleanup` do with the ClusterExtensions that the migration tool made.
    recoveries: Vec<RecoveryReport<'v>>,
    /// What only the cluster shows of these results.
    #[serde(skip_serializing_if = "Option::is_none")]
    unknown_catalogs: Option<&'v str>,
    /// The objects that the migration tool creates, as a YAML stream.
    manifests: &'v str,
    notices: &'v [String],
}

#[derive(Serialize)]
struct MigratedReport<'v> {
    /// The ClusterExtension.
    extension: &'v str,
    /// `namespace/name`
    subscription: &'v str,
}

#[derive(Serialize)]
struct RecoveryReport<'v> {
    /// The ClusterExtension.
    extension: &'v str,
    /// `namespace/name`
    subscription: &'v str,
    rollback: StepsReport<'v>,
    /// The Subscription that `rollback` creates, as YAML.
    #[serde(skip_serializing_if = "Option::is_none")]
    restored: Option<&'v str>,
    /// Only if the Subscription exists.
    #[serde(skip_serializing_if = "Option::is_none")]
    cleanup: Option<StepsReport<'v>>,
}

/// What `rollback` or `cleanup` does.
#[derive(Serialize)]
struct StepsReport<'v> {
    #[serde(skip_serializing_if = "Option::is_none")]
    refusal: Option<&'v str>,
    deleted: &'v [String],
    notes: &'v [String],
}

/// What `convert` does with a Subscription.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ConversionReport<'v> {
    #[serde(skip_serializing_if = "Option::is_none")]
    refusal: Option<&'v str>,
    unknown: &'v [String],
    /// The namespace of the operator afterwards.
    #[serde(skip_serializing_if = "Option::is_none")]
    namespace: Option<&'v str>,
    /// The name of the ClusterObjectSet.
    #[serde(skip_serializing_if = "Option::is_none")]
    cluster_object_set: Option<&'v str>,
    phases: Vec<PhaseReport<'v>>,
    /// What it deletes, keeps and moves.
    plan: &'v [String],
}

#[derive(Serialize)]
struct PhaseReport<'v> {
    name: &'v str,
    /// `Kind namespace/name`
    objects: &'v [String],
}

/// The verdict of the migration tool.
#[derive(Serialize)]
struct EligibilityReport<'v> {
    /// `Conflict`, `Ineligible` or `Eligible`
    state: &'v str,
    reason: &'v str,
    /// The number of checks that are not known.
    unknown: u32,
    checks: Vec<CheckReport<'v>>,
    warnings: &'v [String],
}

#[derive(Serialize)]
struct CheckReport<'v> {
    name: &'v str,
    /// `passed`, `overridden`, `failed` or `notKnown`
    outcome: &'static str,
    message: &'v str,
}

/// What `migrate-catalogs-v0-to-v1` makes of a CatalogSource.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CatalogReport<'v> {
    catalog_source: &'v str,
    namespace: &'v str,
    /// `created`, `adopted`, `skipped`, `error` or `dry-run`, as the tool has it, or `notKnown`
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    cluster_catalog: Option<&'v str>,
    reason: &'v str,
    notes: &'v [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<&'v str>,
    /// The note with `--delete-catalogsource`.
    #[serde(skip_serializing_if = "Option::is_none")]
    deletion: Option<&'v str>,
}

/// Subscriptions with the same answer.
#[derive(Serialize)]
struct GroupReport<'v> {
    package: &'v str,
    #[serde(skip_serializing_if = "Option::is_none")]
    installed: Option<&'v str>,
    eligibility: EligibilityReport<'v>,
    /// `moves`, `stays`, `fails`, `cannotBeKnown` or `refused`
    verdict: &'static str,
    summary: &'v str,
    v0: &'v str,
    v1: &'v str,
    differs: bool,
    /// What is to be known of all Subscriptions of the group.
    notes: Vec<NoteReport<'v>>,
    bundles: Vec<BundleReport<'v>>,
    crds: Vec<CrdReport<'v>>,
    /// By namespace and name.
    subscriptions: Vec<SubscriptionReport<'v>>,
}

#[derive(Serialize)]
struct SubscriptionReport<'v> {
    subscription: &'v str,
    namespace: &'v str,
    /// The name of the ClusterExtension.
    extension: &'v str,
    conversion: ConversionReport<'v>,
    /// What is to be known of this Subscription besides.
    notes: Vec<NoteReport<'v>>,
}

#[derive(Serialize)]
struct NoteReport<'v> {
    /// `refusal`, `obstacle`, `unknown` or `hint`
    kind: &'static str,
    text: &'v str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct BundleReport<'v> {
    bundle: &'v str,
    version: &'v str,
    channels: &'v [String],
    is_installed: bool,
    is_chosen: bool,
    /// `refused`, `cannotBeKnown` or `nothingFound`
    verdict: &'static str,
    refusals: &'v [String],
    needs: &'v [String],
    unknown: &'v [String],
}

#[derive(Serialize)]
struct CrdReport<'v> {
    name: &'v str,
    /// `accepted`, `refused`, `refusedByChance`, `new`, `gone` or `unknown`
    status: &'static str,
    lines: &'v [String],
}

impl<'v> Report<'v> {
    pub(super) fn of(view: &'v MigrationView) -> Self {
        let migrated = view.migrated.iter().map(|(extension, subscription)| MigratedReport { extension, subscription });
        Self {
            groups: groups(view).iter().map(group).collect(),
            migrated: migrated.collect(),
            catalogs: view.catalogs.iter().map(catalog).collect(),
            failed_catalogs: view.failed_catalogs.as_deref(),
            recoveries: view.recoveries.iter().map(recovery).collect(),
            unknown_catalogs: view.unknown_catalogs.as_deref(),
            manifests: &view.manifests,
            notices: &view.notices,
        }
    }
}

fn catalog(row: &CatalogMigrationRow) -> CatalogReport<'_> {
    CatalogReport {
        catalog_source: &row.source,
        namespace: &row.namespace,
        status: match row.status {
            CatalogMigrationStatus::Created => "created",
            CatalogMigrationStatus::DryRun => "dry-run",
            CatalogMigrationStatus::Adopted => "adopted",
            CatalogMigrationStatus::Skipped => "skipped",
            CatalogMigrationStatus::Error => "error",
            CatalogMigrationStatus::NotKnown => "notKnown",
        },
        cluster_catalog: row.catalog.as_deref(),
        reason: &row.reason,
        notes: &row.notes,
        hint: row.hint.as_deref(),
        deletion: row.deletion.as_deref(),
    }
}

fn group<'v>(group: &Group<'v>) -> GroupReport<'v> {
    let row = group.first;
    GroupReport {
        package: &row.package,
        installed: row.installed.as_deref(),
        eligibility: eligibility(&row.eligibility),
        verdict: match row.verdict {
            MigrationVerdictView::Moves => "moves",
            MigrationVerdictView::Stays => "stays",
            MigrationVerdictView::Fails => "fails",
            MigrationVerdictView::CannotBeKnown => "cannotBeKnown",
            MigrationVerdictView::Refused => "refused",
        },
        summary: &row.summary,
        v0: &row.v0,
        v1: &row.v1,
        differs: row.differs,
        notes: group.notes.iter().copied().map(note).collect(),
        bundles: row.bundles.iter().map(bundle).collect(),
        crds: row.crds.iter().map(crd).collect(),
        subscriptions: group.members.iter().map(subscription).collect(),
    }
}

fn eligibility(view: &EligibilityView) -> EligibilityReport<'_> {
    fn check(CheckView { name, outcome, message }: &CheckView) -> CheckReport<'_> {
        CheckReport { name, outcome: outcome.as_str(), message }
    }
    EligibilityReport {
        state: &view.state,
        reason: &view.reason,
        unknown: view.unknown,
        checks: view.checks.iter().map(check).collect(),
        warnings: &view.warnings,
    }
}

fn conversion(view: &ConversionView) -> ConversionReport<'_> {
    ConversionReport {
        refusal: view.refusal.as_deref(),
        unknown: &view.unknown,
        namespace: view.namespace.as_deref(),
        cluster_object_set: view.object_set.as_deref(),
        phases: view.phases.iter().map(|(name, objects)| PhaseReport { name, objects }).collect(),
        plan: &view.plan,
    }
}

fn recovery(row: &RecoveryRow) -> RecoveryReport<'_> {
    fn steps(RecoveryView { refusal, deleted, notes }: &RecoveryView) -> StepsReport<'_> {
        StepsReport { refusal: refusal.as_deref(), deleted, notes }
    }
    RecoveryReport {
        extension: &row.extension,
        subscription: &row.subscription,
        rollback: steps(&row.rollback),
        restored: row.restored.as_deref(),
        cleanup: row.cleanup.as_ref().map(steps),
    }
}

fn subscription<'v>(member: &Member<'v>) -> SubscriptionReport<'v> {
    SubscriptionReport {
        subscription: &member.row.subscription,
        namespace: &member.row.namespace,
        extension: &member.row.extension,
        conversion: conversion(&member.row.conversion),
        notes: member.notes.iter().copied().map(note).collect(),
    }
}

fn note(note: &MigrationNote) -> NoteReport<'_> {
    let kind = match note.kind {
        MigrationNoteKind::Refusal => "refusal",
        MigrationNoteKind::Obstacle => "obstacle",
        MigrationNoteKind::Unknown => "unknown",
        MigrationNoteKind::Hint => "hint",
    };
    NoteReport { kind, text: &note.text }
}

fn bundle(row: &ReadinessRow) -> BundleReport<'_> {
    BundleReport {
        bundle: &row.bundle,
        version: &row.version,
        channels: &row.channels,
        is_installed: row.is_installed,
        is_chosen: row.is_chosen,
        verdict: match row.verdict {
            ReadinessVerdictView::Refused => "refused",
            ReadinessVerdictView::CannotBeKnown => "cannotBeKnown",
            ReadinessVerdictView::NothingFound => "nothingFound",
        },
        refusals: &row.refusals,
        needs: &row.needs,
        unknown: &row.unknown,
    }
}

fn crd(row: &CrdUpgradeRow) -> CrdReport<'_> {
    let status = match row.status {
        CrdUpgradeStatus::Accepted => "accepted",
        CrdUpgradeStatus::Refused => "refused",
        CrdUpgradeStatus::RefusedByChance => "refusedByChance",
        CrdUpgradeStatus::New => "new",
        CrdUpgradeStatus::Gone => "gone",
        CrdUpgradeStatus::Unknown => "unknown",
    };
    CrdReport { name: &row.name, status, lines: &row.lines }
}
