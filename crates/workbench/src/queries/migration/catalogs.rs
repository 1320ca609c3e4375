//! What `migrate-catalogs-v0-to-v1` makes of CatalogSources, in its words.

use ::migration::{CatalogMigration, CatalogOptions, CatalogOutcome, CatalogSkip};
use views::{CatalogMigrationRow, CatalogMigrationStatus};

/// What only the cluster shows of created ClusterCatalogs.
pub(super) const SERVING: &str = "whether created ClusterCatalogs serve within 10 minutes is not known, because only the cluster shows it; without it the result is the error `ClusterCatalog not serving: …`";

/// The error with which it ends.
pub(super) fn failure(rows: &[CatalogMigrationRow]) -> Option<String> {
    let failed = rows.iter().filter(|row| row.status == CatalogMigrationStatus::Error).count();
    (failed > 0).then(|| format!("{failed} catalog source(s) failed to migrate"))
}

pub(super) fn row(migration: &CatalogMigration, options: CatalogOptions) -> CatalogMigrationRow {
    let CatalogMigration { source, outcome, notes, is_deleted } = migration;
    let (status, hint) = match outcome {
        CatalogOutcome::Created(_) | CatalogOutcome::Adopted { .. } if options.is_dry_run => {
            (CatalogMigrationStatus::DryRun, None)
        }
        CatalogOutcome::Created(_) => (CatalogMigrationStatus::Created, None),
        CatalogOutcome::Adopted { catalog, adds_annotation } => {
            let annotated = format!(
                "only an annotation is added to ClusterCatalog `{catalog}`; its priority and poll interval stay"
            );
            (CatalogMigrationStatus::Adopted, adds_annotation.then_some(annotated))
        }
        CatalogOutcome::Consolidated(_) => (CatalogMigrationStatus::Adopted, None),
        CatalogOutcome::Skipped(CatalogSkip::Priority { capped, .. }) => {
            let text = format!("with `--acknowledge-priority-overflow` the priority is {capped}");
            (CatalogMigrationStatus::Skipped, Some(text))
        }
        CatalogOutcome::Skipped(_) => (CatalogMigrationStatus::Skipped, None),
        CatalogOutcome::Failed(_) => (CatalogMigrationStatus::Error, None),
        CatalogOutcome::NotKnown(_) => (CatalogMigrationStatus::NotKnown, None),
    };
    let deletion = is_deleted.map(|is_deleted| {
        let text = match (is_deleted, options.is_dry_run) {
            (true, false) => "deleted unreferenced CatalogSource",
            (true, true) => "would delete unreferenced CatalogSource",
            (false, _) => "CatalogSource retained because one or more Subscriptions still reference it",
        };
        text.to_owned()
    });
    let mut notes: Vec<String> = notes.iter().map(ToString::to_string).collect();
    let deletion = if options.deletes_sources {
        notes.extend(deletion);
        None
    } else {
        deletion
    };
    CatalogMigrationRow {
        source: source.name.to_string(),
        namespace: source.namespace.to_string(),
        status,
        catalog: outcome.catalog().map(ToString::to_string),
        reason: if options.is_dry_run { outcome.dry_run_text() } else { outcome.to_string() },
        notes,
        hint,
        deletion,
    }
}
