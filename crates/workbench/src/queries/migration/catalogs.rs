//! What `migrate-catalogs-v0-to-v1` makes of CatalogSources, in its words.

use ::migration::{CatalogMigration, CatalogOutcome, CatalogSkip};
use views::{CatalogMigrationRow, CatalogMigrationStatus};

/// What only the cluster shows of created ClusterCatalogs.
pub(super) const SERVING: &str = "whether created ClusterCatalogs serve within 10 minutes is not known, because only the cluster shows it; without it the result is the error `ClusterCatalog not serving: …`";

pub(super) fn row(migration: &CatalogMigration) -> CatalogMigrationRow {
    let CatalogMigration { source, outcome, notes, is_deleted } = migration;
    let (status, hint) = match outcome {
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
        if is_deleted {
            "deleted unreferenced CatalogSource"
        } else {
            "CatalogSource retained because one or more Subscriptions still reference it"
        }
    });
    CatalogMigrationRow {
        source: source.name.to_string(),
        namespace: source.namespace.to_string(),
        status,
        catalog: outcome.catalog().map(ToString::to_string),
        reason: outcome.to_string(),
        notes: notes.iter().map(ToString::to_string).collect(),
        hint,
        deletion: deletion.map(ToOwned::to_owned),
    }
}
