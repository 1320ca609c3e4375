//! What becomes of Subscriptions as ClusterExtensions of OLM v1, and what OLM v1 refuses in bundles.

use super::copy;
use crate::kit::{press, prose};
use crate::store::Action;
use views::{
    CatalogMigrationRow, CatalogMigrationStatus, CheckOutcomeView, CheckView, ConversionView, CrdUpgradeRow,
    CrdUpgradeStatus, EligibilityView, MigrationNote, MigrationNoteKind, MigrationRow, MigrationVerdictView,
    MigrationView, ReadinessRow, ReadinessVerdictView, ReadinessView, RecoveryRow, RecoveryView,
};
use yew::prelude::*;

/// The Subscriptions, each with its verdict, what is in the way, and its manifest.
pub(super) fn migration(view: &MigrationView, send: &Callback<Action>) -> Html {
    if view.subscriptions.is_empty() {
        return Html::default();
    }
    html! {
        <section aria-label="Migration to OLM v1" data-testid="migration"><h4>{ "As ClusterExtensions of OLM v1" }</h4>
            { for view.notices.iter().map(|text| html! { <p class="remark">{ prose(text) }</p> }) }
            { for view.subscriptions.iter().map(row) }
            { for view.migrated.iter().map(|(extension, subscription)| html! {
                <p class="remark">
                    { "Already migrated: ClusterExtension " }<code>{ extension }</code>
                    { " (from " }<code>{ subscription }</code>{ ")" }
                </p>
            }) }
            { for view.recoveries.iter().map(recovery) }
            { catalogs(view) }
            { manifests(&view.manifests, send) }
        </section>
    }
}

/// How many Subscriptions are listed before the details.
const LISTED: usize = 6;

/// What becomes of each Subscription, in a line; the details are further below.
pub(super) fn migration_summary(view: &MigrationView) -> Html {
    let rows = &view.subscriptions;
    let line = |row: &MigrationRow| {
        let (class, sign) = look(row.verdict);
        html! { <li {class}><span aria-hidden="true">{ sign }</span>
        { &row.subscription }{ ": it " }{ prose(&row.summary) }</li> }
    };
    let more = rows.len().saturating_sub(LISTED);
    html! { if !rows.is_empty() {
        <h4>{ "On OLM v1" }</h4>
        <ul class="namespaces" data-testid="migration-verdicts">
            { for rows.iter().take(LISTED).map(line) }
            if more > 0 { <li class="mute">{ format!("and {more} more below") }</li> }
        </ul>
    } }
}

const fn look(verdict: MigrationVerdictView) -> (&'static str, &'static str) {
    match verdict {
        MigrationVerdictView::Moves | MigrationVerdictView::Stays => ("fine", "✓ "),
        MigrationVerdictView::CannotBeKnown => ("warning", "? "),
        MigrationVerdictView::Fails | MigrationVerdictView::Refused => ("error", "✕ "),
    }
}

/// The results of the official tool for the CatalogSources.
fn catalogs(view: &MigrationView) -> Html {
    if view.catalogs.is_empty() {
        return Html::default();
    }
    html! {
        <details data-testid="migration-catalogs">
            <summary>{ "CatalogSources, as " }<code>{ "migrate-catalogs-v0-to-v1" }</code>{ " migrates them" }</summary>
            <ul class="changes">{ for view.catalogs.iter().map(catalog) }</ul>
            if let Some(text) = &view.failed_catalogs {
                <p><b>{ "The tool ends with an error: " }</b>{ text }</p>
            }
            if let Some(text) = &view.unknown_catalogs { <p class="remark">{ prose(text) }{ "." }</p> }
        </details>
    }
}

fn catalog(row: &CatalogMigrationRow) -> Html {
    let status = match row.status {
        CatalogMigrationStatus::Created | CatalogMigrationStatus::Adopted | CatalogMigrationStatus::DryRun => "",
        CatalogMigrationStatus::Skipped => "Skipped: ",
        CatalogMigrationStatus::Error => "Error: ",
        CatalogMigrationStatus::NotKnown => "Unknown: ",
    };
    html! {
        <li>
            <b>{ status }</b><code>{ &row.source }</code>{ " in " }<code>{ &row.namespace }</code>
            if let Some(catalog) = &row.catalog { { ", ClusterCatalog " }<code>{ catalog }</code> }
            { ": " }{ prose(&row.reason) }
            if !row.notes.is_empty() || row.hint.is_some() || row.deletion.is_some() {
                <ul>
                    { for row.notes.iter().chain(&row.hint).map(|text| html! { <li>{ prose(text) }</li> }) }
                    if let Some(text) = &row.deletion {
                        <li>{ "With " }<code>{ "--delete-catalogsource" }</code>{ ": " }{ text }</li>
                    }
                </ul>
            }
        </li>
    }
}

/// The objects to create, and a button that copies them.
fn manifests(text: &str, send: &Callback<Action>) -> Html {
    if text.is_empty() {
        return Html::default();
    }
    let onclick = press(send, copy(text.into()));
    html! { <details data-testid="migration-manifests"><summary>{ "Manifests of the objects" }</summary>
    <button type="button" data-testid="migration-copy" {onclick}>{ "Copy manifests" }</button>
    <pre class="diff" tabindex="0">{ text }</pre></details> }
}

fn row(row: &MigrationRow) -> Html {
    let (class, sign) = look(row.verdict);
    let notes = row.notes.iter().map(note);
    html! {
        <section class="verdict" data-testid="migration-row" data-subscription={row.subscription.clone()}>
            <p><b>{ &row.subscription }</b></p>
            { eligibility(&row.eligibility) }
            <p>
                <span class={classes!("badge", class)} aria-hidden="true">{ sign }</span>
                { "OLM v1 then: it " }{ prose(&row.summary) }
            </p>
            if row.differs {
                <p class="remark" data-testid="runtimes-differ">{ prose(&row.v0) }{ "; " }{ prose(&row.v1) }{ "." }</p>
            } else {
                <p class="remark">{ prose(&row.v1) }{ "." }</p>
            }
            if !row.notes.is_empty() { <ul class="changes">{ for notes }</ul> }
            { conversion(row) }
            if !row.crds.is_empty() {
                <details>
                    <summary>{ "CRDs of the update" }</summary>
                    <ul class="changes">{ for row.crds.iter().map(crd) }</ul>
                </details>
            }
            if !row.bundles.is_empty() {
                <details>
                    <summary>{ "Bundles that the Subscription can come to" }</summary>
                    { bundles(&row.bundles) }
                </details>
            }
        </section>
    }
}

/// What `convert` creates and deletes.
fn conversion(row: &MigrationRow) -> Html {
    let ConversionView { refusal, unknown, namespace, object_set, phases, plan } = &row.conversion;
    if refusal.is_some() || object_set.is_none() {
        return Html::default();
    }
    let phase = |(name, objects): &(String, Vec<String>)| html! { <li>{ name }{ ": " }{ objects.join(", ") }</li> };
    html! {
        <details data-testid="migration-conversion">
            <summary>{ "What " }<code>{ "convert" }</code>{ " does" }</summary>
            <ul class="changes">
                if let Some(set) = object_set {
                    <li>
                        { "Creates ClusterObjectSet " }<code>{ set }</code>
                        if !phases.is_empty() { <ul>{ for phases.iter().map(phase) }</ul> }
                    </li>
                }
                <li>
                    { "Creates ClusterExtension " }<code>{ &row.extension }</code>
                    if let Some(name) = namespace { { "; the operator is in namespace " }<code>{ name }</code> }
                </li>
                { for plan.iter().map(|text| html! { <li>{ text }</li> }) }
                { for unknown.iter().map(|text| html! { <li><b>{ "Unknown: " }</b>{ prose(text) }</li> }) }
            </ul>
        </details>
    }
}

/// What `rollback` and `cleanup` do with a ClusterExtension.
fn recovery(row: &RecoveryRow) -> Html {
    let RecoveryRow { extension, subscription, rollback, restored, cleanup } = row;
    let command = |name: &'static str, view: &RecoveryView| {
        html! { <>
            <li>
                <code>{ name }</code>
                if let Some(text) = &view.refusal {
                    { " refuses: " }<code>{ text }</code>
                } else {
                    { " deletes " }{ view.deleted.join(", ") }
                }
            </li>
            { for view.notes.iter().map(|text| html! { <li>{ prose(text) }</li> }) }
        </> }
    };
    html! {
        <details data-testid="migration-recovery">
            <summary>
                { "Recovery of ClusterExtension " }<code>{ extension }</code>
                { ", made of " }<code>{ subscription }</code>
            </summary>
            <ul class="changes">
                { command("rollback", rollback) }
                if let Some(view) = cleanup { { command("cleanup", view) } }
            </ul>
            if let Some(text) = restored { <pre class="diff" tabindex="0">{ text }</pre> }
        </details>
    }
}

/// The verdict of the migration tool, with the checks that do not pass, and all of them on demand.
fn eligibility(view: &EligibilityView) -> Html {
    let of = |outcome: CheckOutcomeView| view.checks.iter().filter(move |check| check.outcome == outcome);
    let line = |check: &CheckView| {
        let ends = match check.outcome {
            CheckOutcomeView::Passed => "passes",
            CheckOutcomeView::Overridden => "acknowledged",
            CheckOutcomeView::Failed => "fails",
            CheckOutcomeView::NotKnown => "not known",
        };
        html! { <li><b>{ &check.name }{ ": " }{ ends }</b>{ ": " }{ prose(&check.message) }</li> }
    };
    html! { <>
        <p data-testid="eligibility"><b>{ prose(&view.sentence()) }</b></p>
        <ul class="changes">
            { for of(CheckOutcomeView::Failed).chain(of(CheckOutcomeView::Overridden)).map(line) }
            { for view.warnings.iter().map(|text| html! { <li><b>{ "Warning: " }</b>{ text }</li> }) }
        </ul>
        if !view.checks.is_empty() {
            <details data-testid="migration-checks">
                <summary>{ format!("All {} checks of the migration tool", view.checks.len()) }</summary>
                <ul class="changes">{ for view.checks.iter().map(line) }</ul>
            </details>
        }
    </> }
}

fn note(note: &MigrationNote) -> Html {
    let kind = match note.kind {
        MigrationNoteKind::Refusal => "Refused: ",
        MigrationNoteKind::Obstacle => "To do: ",
        MigrationNoteKind::Unknown => "Unknown: ",
        MigrationNoteKind::Hint => "",
    };
    html! { <li><b>{ kind }</b>{ prose(&note.text) }</li> }
}

fn crd(row: &CrdUpgradeRow) -> Html {
    let status = match row.status {
        CrdUpgradeStatus::Accepted => "nothing found",
        CrdUpgradeStatus::Refused => "refused",
        CrdUpgradeStatus::RefusedByChance => "refused in some runs",
        CrdUpgradeStatus::New => "new",
        CrdUpgradeStatus::Gone => "gone",
        CrdUpgradeStatus::Unknown => "cannot be checked",
    };
    // Why it is not known is a sentence, all others are OLM's lines.
    if row.status == CrdUpgradeStatus::Unknown {
        return html! {
            <li>
                <code>{ &row.name }</code>{ ": " }{ status }
                { for row.lines.iter().map(|line| html! { <>{ ", because " }{ prose(line) }</> }) }
            </li>
        };
    }
    html! {
        <li>
            <code>{ &row.name }</code>{ ": " }{ status }
            if !row.lines.is_empty() {
                <ul>{ for row.lines.iter().map(|line| html! { <li><code>{ line }</code></li> }) }</ul>
            }
        </li>
    }
}

fn bundles(rows: &[ReadinessRow]) -> Html {
    let line = |row: &ReadinessRow| {
        let verdict = match row.verdict {
            ReadinessVerdictView::Refused => "refused",
            ReadinessVerdictView::CannotBeKnown => "cannot be known",
            ReadinessVerdictView::NothingFound => "nothing found",
        };
        let place = match (row.is_installed, row.is_chosen) {
            (true, true) => " (installed, stays)",
            (true, false) => " (installed)",
            (false, true) => " (next)",
            (false, false) => "",
        };
        let why = row.refusals.iter().chain(&row.needs).chain(&row.unknown);
        html! {
            <li>
                <code>{ &row.bundle }</code>{ place }{ ": " }<b>{ verdict }</b>
                { for why.map(|text| html! { <>{ "; " }{ prose(text) }</> }) }
            </li>
        }
    };
    html! { <ul class="changes">{ for rows.iter().map(line) }</ul> }
}

/// What OLM v1 refuses in the bundles of a package.
pub(super) fn readiness(view: &ReadinessView) -> Html {
    html! { <section data-testid="readiness" aria-label="Ready for OLM v1?"><h3>{ "Ready for OLM v1?" }</h3>
        <p>{ prose(&view.summary) }</p>
        <details><summary>{ "Each bundle" }</summary>{ bundles(&view.bundles) }</details>
    </section> }
}
