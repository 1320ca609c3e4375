//! What becomes of Subscriptions as ClusterExtensions of OLM v1, and what OLM v1 refuses in bundles.

use super::copy;
use super::result::namespace_states;
use crate::kit::{button, prose};
use crate::parts::fold;
use crate::store::Action;
use views::{
    CatalogMigrationRow, CatalogMigrationStatus, CrdUpgradeRow, CrdUpgradeStatus, MigratedSubscription, MigrationGroup,
    MigrationNote, MigrationNoteKind, MigrationVerdict, MigrationView, NamespaceState, ReadinessRow, ReadinessVerdict,
    ReadinessView,
};
use yew::prelude::*;

/// The namespaces as they stand, except one that is shown already, and the Subscriptions, each with its verdict, what
/// is in the way, and its manifest.
pub(super) fn migration(view: &MigrationView, shown: Option<&NamespaceState>, send: &Callback<Action>) -> Html {
    if view.groups.is_empty() {
        return Html::default();
    }
    let is_shown = |state: &&NamespaceState| shown.is_some_and(|shown| shown.namespace == state.namespace);
    html! {
        <section aria-label="Migration to OLM v1" data-testid="migration"><h4>{ "As ClusterExtensions of OLM v1" }</h4>
            { namespace_states(view.namespaces.iter().filter(|state| !is_shown(state)), send) }
            { for view.notices.iter().map(|text| html! { <p class="remark">{ prose(text) }</p> }) }
            { for view.groups.iter().map(group) }
            { catalogs(view) }
            { manifests(&view.manifests, send) }
        </section>
    }
}

/// How many Subscriptions are listed before the details.
const LISTED: usize = 6;

/// What becomes of each Subscription, in a line; the details are further below.
pub(super) fn migration_summary(view: &MigrationView) -> Html {
    let rows = || view.groups.iter().flat_map(|group| group.subscriptions.iter().map(move |row| (group, row)));
    let line = |(group, row): (&MigrationGroup, &MigratedSubscription)| {
        let (class, sign) = look(group.verdict);
        html! { <li {class}><span aria-hidden="true">{ sign }</span>
        { &row.subscription }{ ": it " }{ prose(&group.summary) }</li> }
    };
    let more = rows().count().saturating_sub(LISTED);
    html! { if !view.groups.is_empty() {
        <h4>{ "On OLM v1" }</h4>
        <ul class="namespaces" data-testid="migration-verdicts">
            { for rows().take(LISTED).map(line) }
            if more > 0 { <li class="mute">{ format!("and {more} more below") }</li> }
        </ul>
    } }
}

const fn look(verdict: MigrationVerdict) -> (&'static str, &'static str) {
    match verdict {
        MigrationVerdict::Moves | MigrationVerdict::Stays => ("fine", "✓ "),
        MigrationVerdict::CannotBeKnown => ("warning", "? "),
        MigrationVerdict::Ends | MigrationVerdict::Fails | MigrationVerdict::Refused => ("error", "✕ "),
    }
}

fn catalogs(view: &MigrationView) -> Html {
    html! {
        <details data-testid="migration-catalogs">
            <summary>{ "CatalogSources, as ClusterCatalogs" }</summary>
            <ul class="changes">{ for view.catalogs.iter().map(catalog) }</ul>
        </details>
    }
}

fn catalog(row: &CatalogMigrationRow) -> Html {
    let status = match row.status {
        CatalogMigrationStatus::New | CatalogMigrationStatus::Exists => "",
        CatalogMigrationStatus::Missing => "To do: ",
        CatalogMigrationStatus::Unknown => "Unknown: ",
    };
    html! {
        <li>
            <b>{ status }</b><code>{ &row.source }</code>{ " in " }<code>{ &row.namespace }</code>
            { ": ClusterCatalog " }<code>{ &row.catalog }</code>{ " " }{ prose(&row.reason) }
            if !row.notes.is_empty() {
                <ul>{ for row.notes.iter().map(|text| html! { <li>{ prose(text) }</li> }) }</ul>
            }
        </li>
    }
}

/// The objects to apply, and a button that copies them.
fn manifests(text: &str, send: &Callback<Action>) -> Html {
    if text.is_empty() {
        return Html::default();
    }
    html! { <details data-testid="migration-manifests"><summary>{ "Manifests of the objects" }</summary>
    { button("migration-copy", "Copy manifests", send, copy(text.into())) }
    <pre class="diff" tabindex="0">{ text }</pre></details> }
}

/// Subscriptions with the same answer.
fn group(group: &MigrationGroup) -> Html {
    let (class, sign) = look(group.verdict);
    let names: Vec<&str> = group.subscriptions.iter().map(|row| row.subscription.as_str()).collect();
    html! {
        <section class="verdict" data-testid="migration-row" data-subscription={names.join(" ")}>
            { for group.subscriptions.iter().map(subscription) }
            <p>
                <span class={classes!("badge", class)} aria-hidden="true">{ sign }</span>
                { "OLM v1: it " }{ prose(&group.summary) }
            </p>
            if group.differs {
                <p class="remark" data-testid="runtimes-differ">
                    { prose(&group.v0) }{ "; " }{ prose(&group.v1) }{ "." }
                </p>
            } else {
                <p class="remark">{ prose(&group.v1) }{ "." }</p>
            }
            { notes(&group.notes) }
            if !group.crds.is_empty() {
                <details>
                    <summary>{ "CRDs of the update" }</summary>
                    <ul class="changes">{ for group.crds.iter().map(crd) }</ul>
                </details>
            }
            if !group.bundles.is_empty() {
                <details>
                    <summary>{ "Bundles that the Subscription can come to" }</summary>
                    { bundles(&group.bundles) }
                </details>
            }
        </section>
    }
}

fn subscription(row: &MigratedSubscription) -> Html {
    html! { <>
        <p><b>{ &row.subscription }</b>{ " in " }<code>{ &row.namespace }</code></p>
        { notes(&row.notes) }
    </> }
}

fn notes(notes: &[MigrationNote]) -> Html {
    html! { if !notes.is_empty() { <ul class="changes">{ for notes.iter().map(note) }</ul> } }
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
            ReadinessVerdict::Refused => "refused",
            ReadinessVerdict::CannotBeKnown => "cannot be known",
            ReadinessVerdict::NothingFound => "nothing found",
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
    fold(
        "Ready for OLM v1?",
        "",
        true,
        html! { <section data-testid="readiness" aria-label="Ready for OLM v1?">
            <p>{ prose(&view.summary) }</p>
            <details><summary>{ "Each bundle" }</summary>{ bundles(&view.bundles) }</details>
        </section> },
    )
}
