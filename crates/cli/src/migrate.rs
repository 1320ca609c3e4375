//! `opscope migrate`

use crate::args;
use crate::format::{CompareFormat, MigrateFormat};
use crate::json;
use crate::output::{Failure, say, write_report, written};
use crate::places::shown_path;
use crate::scene::{self, Scene};
use crate::served::Form;
use report::{Answer, Block, Cell, Paint, Report, Table, Terminal, standings};
use std::io::Write;
use views::{
    CatalogMigrationRow, CatalogMigrationStatus, MigratedSubscription, MigrationGroup, MigrationNote,
    MigrationNoteKind, MigrationVerdict, MigrationView, ReadinessRow, ReadinessVerdict,
};

/// Prints what becomes of the Subscriptions under OLM v1, or the objects to apply. Returns whether each moves or stays.
pub(crate) fn run(arguments: &args::Migrate, terminal: Terminal, out: &mut dyn Write) -> Result<bool, Failure> {
    let form = match arguments.format {
        MigrateFormat::Text => Form::Text,
        MigrateFormat::Markdown => Form::Markdown,
        MigrateFormat::Json => Form::Json,
        MigrateFormat::Yaml => Form::Commented("#"),
    };
    let manifests = arguments.cluster.cluster.as_deref();
    scene::ask(&arguments.cluster, manifests, form, terminal, out, |scene, out| {
        answer(&scene, arguments, terminal, out)
    })
}

fn answer(scene: &Scene, arguments: &args::Migrate, terminal: Terminal, out: &mut dyn Write) -> Result<bool, Failure> {
    let warnings = scene.warnings()?;
    if !scene.inputs.workbench.cluster_content().has_subscriptions {
        return Err(
            format!("`{}` has no Subscription, so there is nothing to migrate", shown_path(&scene.path())).into()
        );
    }
    for warning in warnings {
        say(&warning);
    }
    let view = answers::migration(&scene.inputs.workbench);
    match arguments.format {
        MigrateFormat::Text | MigrateFormat::Markdown => {
            let format = match arguments.format {
                MigrateFormat::Markdown => CompareFormat::Markdown,
                _ => CompareFormat::Text,
            };
            write_report(out, terminal, format, &report(&view))?;
        }
        MigrateFormat::Json => json::write(out, &scene.inputs, &view)?,
        MigrateFormat::Yaml => write!(out, "{}", view.manifests).map_err(written)?,
    }
    scene.inputs.answer(view.groups.iter().all(|group| group.verdict.succeeds()))
}

// Migrations in text: for Subscriptions with the same answer the verdict, what is in the way, and the bundles that they
// may get.

/// The number of neighbours with the same answer that are all shown.
const SHOWN: usize = 3;

pub(super) fn report(view: &MigrationView) -> Report {
    let mut whole = Answer::new(&());
    let answer = &mut whole;
    answer.blocks(standings(&view.namespaces));
    view.notices.iter().for_each(|notice| answer.line("note: ", Paint::Hint, notice));
    view.groups.iter().for_each(|group| write_group(answer, group));
    answer.heading(Paint::Bold, "CatalogSources");
    view.catalogs.iter().for_each(|row| catalog(answer, row));
    let count = |groups: &mut dyn Iterator<Item = &MigrationGroup>| -> usize {
        groups.map(|group| group.subscriptions.len()).sum()
    };
    let good = count(&mut view.groups.iter().filter(|group| group.verdict.succeeds()));
    let all = count(&mut view.groups.iter());
    let subscriptions = if (good, all) == (1, 1) { "Subscription" } else { "Subscriptions" };
    answer.gap();
    let text = format!(
        "{good} of {all} {subscriptions} can be migrated as far as the manifests show; `--format yaml` prints the objects"
    );
    answer.line("", Paint::Plain, &text);
    whole.into_report()
}

fn catalog(answer: &mut Answer<'_>, row: &CatalogMigrationRow) {
    let (mark, paint) = match row.status {
        CatalogMigrationStatus::New | CatalogMigrationStatus::Exists => ("✓ ", Paint::Good),
        CatalogMigrationStatus::Missing => ("✕ ", Paint::Bad),
        CatalogMigrationStatus::Unknown => ("? ", Paint::Hint),
    };
    let CatalogMigrationRow { source, namespace, catalog, reason, .. } = row;
    answer.line(mark, paint, &format!("{source} in {namespace}: ClusterCatalog `{catalog}` {reason}"));
    row.notes.iter().for_each(|text| answer.line("  note: ", Paint::Hint, text));
}

fn write_group(answer: &mut Answer<'_>, group: &MigrationGroup) {
    let heading = match &group.subscriptions[..] {
        [one] => format!("Subscription {} in {}", one.subscription, one.namespace),
        several => format!("{} Subscriptions to {}", several.len(), group.package),
    };
    answer.heading(Paint::Bold, &heading);
    let (mark, paint) = match group.verdict {
        MigrationVerdict::Moves | MigrationVerdict::Stays => ("✓ ", Paint::Good),
        MigrationVerdict::CannotBeKnown => ("? ", Paint::Hint),
        MigrationVerdict::Ends | MigrationVerdict::Fails | MigrationVerdict::Refused => ("✕ ", Paint::Bad),
    };
    answer.line(mark, paint, &group.summary);
    if group.differs || !group.verdict.succeeds() {
        answer.line("  ", Paint::Plain, &group.v0);
        answer.line("  ", Paint::Plain, &group.v1);
    }
    group.notes.iter().for_each(|row| note(answer, "", row));
    answer.blocks(Some(bundles(&group.bundles)).filter(|table| !table.is_empty()).map(Block::Table));
    if group.subscriptions.len() > 1 {
        subscriptions(answer, &group.subscriptions);
    }
}

/// The Subscriptions of a group: each that has notes of its own, then the others in a line.
fn subscriptions(answer: &mut Answer<'_>, rows: &[MigratedSubscription]) {
    let name = |row: &MigratedSubscription| format!("{} in {}", row.subscription, row.namespace);
    let (noted, others): (Vec<_>, Vec<_>) = rows.iter().partition(|row| !row.notes.is_empty());
    answer.gap();
    for row in noted {
        answer.line("- ", Paint::Plain, &name(row));
        row.notes.iter().for_each(|row| note(answer, "  ", row));
    }
    if !others.is_empty() {
        answer.line("- ", Paint::Plain, &others.into_iter().map(name).collect::<Vec<_>>().join(", "));
    }
}

fn note(answer: &mut Answer<'_>, indent: &str, note: &MigrationNote) {
    let (lead, paint) = match note.kind {
        MigrationNoteKind::Refusal => ("✕ ", Paint::Bad),
        MigrationNoteKind::Obstacle => ("▲ ", Paint::Warning),
        MigrationNoteKind::Unknown => ("? ", Paint::Hint),
        MigrationNoteKind::Hint => ("note: ", Paint::Hint),
    };
    answer.line(&format!("{indent}{lead}"), paint, &note.text);
}

/// The bundles in a table. Of neighbours with the same answer only the first is shown, and how many follow.
fn bundles(rows: &[ReadinessRow]) -> Table {
    let mut table = Table::new(["bundle", "version", "", "OLM v1"]);
    let has_role = |row: &ReadinessRow| row.is_installed || row.is_chosen;
    let is_alike = |a: &ReadinessRow, b: &ReadinessRow| !has_role(a) && !has_role(b) && readiness(a) == readiness(b);
    for run in rows.chunk_by(is_alike) {
        let shown = if run.len() > SHOWN { 1 } else { run.len() };
        for bundle in &run[..shown] {
            let version = if bundle.version.is_empty() { "-" } else { &bundle.version };
            let role = match (bundle.is_installed, bundle.is_chosen) {
                (true, _) => "installed",
                (false, true) => "next",
                (false, false) => "",
            };
            table.push([bundle.bundle.as_str(), version, role, &readiness(bundle)].map(Cell::plain).into());
        }
        if let Some(last) = run.last().filter(|_| shown < run.len()) {
            let more = format!("and {} more, to", run.len() - shown);
            table.push([more.as_str(), &last.version, "", "the same"].map(Cell::plain).into());
        }
    }
    table
}

fn readiness(bundle: &ReadinessRow) -> String {
    match bundle.verdict {
        ReadinessVerdict::Refused => format!("refuses it: {}", bundle.refusals.join("; ")),
        ReadinessVerdict::CannotBeKnown => "cannot be known".to_owned(),
        ReadinessVerdict::NothingFound => "refuses nothing that the catalog shows".to_owned(),
    }
}
