//! Migrations as JSON.

use serde::Serialize;
use views::{
    CrdUpgradeRow, CrdUpgradeStatus, MigrationNote, MigrationNoteKind, MigrationRow, MigrationVerdictView,
    MigrationView, ReadinessRow, ReadinessVerdictView,
};

#[derive(Serialize)]
pub(super) struct Report<'v> {
    subscriptions: Vec<SubscriptionReport<'v>>,
    /// The objects to create, as a YAML stream.
    manifests: &'v str,
    notices: &'v [String],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SubscriptionReport<'v> {
    subscription: &'v str,
    namespace: &'v str,
    package: &'v str,
    #[serde(skip_serializing_if = "Option::is_none")]
    installed: Option<&'v str>,
    /// The name of the ClusterExtension.
    extension: &'v str,
    /// `moves`, `stays`, `fails`, `cannotBeKnown` or `refused`
    verdict: &'static str,
    summary: &'v str,
    v0: &'v str,
    v1: &'v str,
    differs: bool,
    notes: Vec<NoteReport<'v>>,
    bundles: Vec<BundleReport<'v>>,
    crds: Vec<CrdReport<'v>>,
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
        Self {
            subscriptions: view.subscriptions.iter().map(subscription).collect(),
            manifests: &view.manifests,
            notices: &view.notices,
        }
    }
}

fn subscription(row: &MigrationRow) -> SubscriptionReport<'_> {
    SubscriptionReport {
        subscription: &row.subscription,
        namespace: &row.namespace,
        package: &row.package,
        installed: row.installed.as_deref(),
        extension: &row.extension,
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
        notes: row.notes.iter().map(note).collect(),
        bundles: row.bundles.iter().map(bundle).collect(),
        crds: row.crds.iter().map(crd).collect(),
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
