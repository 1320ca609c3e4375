//! `opscope migrate`

use crate::args;
use crate::format::MigrateFormat;
use crate::output::{Failure, say, write_json, written};
use crate::places::shown_path;
use crate::scene::{self, Scene};
use crate::served::Form;
use report::{Cell, Paint, Printer, Report, Table, Terminal, standings};
use std::io::{self, Write};
use views::{
    CatalogMigrationRow, CatalogMigrationStatus, MigratedSubscription, MigrationGroup, MigrationNote,
    MigrationNoteKind, MigrationVerdict, MigrationView, ReadinessRow, ReadinessVerdict,
};

/// Prints what becomes of the Subscriptions under OLM v1, or the objects to apply. Returns whether each moves or stays.
pub(crate) fn run(arguments: &args::Migrate, terminal: Terminal, out: &mut dyn Write) -> Result<bool, Failure> {
    let form = match arguments.format {
        MigrateFormat::Text => Form::Text,
        MigrateFormat::Json => Form::Json,
        MigrateFormat::Yaml => Form::Commented("#"),
    };
    scene::ask(&arguments.cluster, form, terminal, out, |scene, out| answer(&scene, arguments, terminal, out))
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
        MigrateFormat::Text => {
            write_text(&mut Printer::new(out, terminal, &scene.inputs), &view).map_err(written)?;
        }
        MigrateFormat::Json => write_json(out, &view)?,
        MigrateFormat::Yaml => write!(out, "{}", view.manifests).map_err(written)?,
    }
    scene.inputs.answer(view.groups.iter().all(|group| group.verdict.succeeds()))
}

// Migrations in text: for Subscriptions with the same answer the verdict, what is in the way, and the bundles that they
// may get.

/// The number of neighbours with the same answer that are all shown.
const SHOWN: usize = 3;

pub(super) fn write_text(printer: &mut Printer<'_>, view: &MigrationView) -> io::Result<()> {
    printer.report(&Report { blocks: standings(&view.namespaces), ..Report::default() })?;
    view.notices.iter().try_for_each(|notice| printer.line("note: ", Paint::Hint, notice))?;
    view.groups.iter().try_for_each(|group| write_group(printer, group))?;
    printer.heading(Paint::Bold, "CatalogSources")?;
    view.catalogs.iter().try_for_each(|row| catalog(printer, row))?;
    let count = |groups: &mut dyn Iterator<Item = &MigrationGroup>| -> usize {
        groups.map(|group| group.subscriptions.len()).sum()
    };
    let good = count(&mut view.groups.iter().filter(|group| group.verdict.succeeds()));
    let all = count(&mut view.groups.iter());
    let subscriptions = if (good, all) == (1, 1) { "Subscription" } else { "Subscriptions" };
    printer.gap()?;
    let text = format!(
        "{good} of {all} {subscriptions} can be migrated as far as the manifests show; `--format yaml` prints the objects"
    );
    printer.line("", Paint::Plain, &text)
}

fn catalog(printer: &mut Printer<'_>, row: &CatalogMigrationRow) -> io::Result<()> {
    let (mark, paint) = match row.status {
        CatalogMigrationStatus::New | CatalogMigrationStatus::Exists => ("✓ ", Paint::Good),
        CatalogMigrationStatus::Missing => ("✕ ", Paint::Bad),
        CatalogMigrationStatus::Unknown => ("? ", Paint::Hint),
    };
    let CatalogMigrationRow { source, namespace, catalog, reason, .. } = row;
    printer.line(mark, paint, &format!("{source} in {namespace}: ClusterCatalog `{catalog}` {reason}"))?;
    row.notes.iter().try_for_each(|text| printer.line("  note: ", Paint::Hint, text))
}

fn write_group(printer: &mut Printer<'_>, group: &MigrationGroup) -> io::Result<()> {
    let heading = match &group.subscriptions[..] {
        [one] => format!("Subscription {} in {}", one.subscription, one.namespace),
        several => format!("{} Subscriptions to {}", several.len(), group.package),
    };
    printer.heading(Paint::Bold, &heading)?;
    let (mark, paint) = match group.verdict {
        MigrationVerdict::Moves | MigrationVerdict::Stays => ("✓ ", Paint::Good),
        MigrationVerdict::CannotBeKnown => ("? ", Paint::Hint),
        MigrationVerdict::Fails | MigrationVerdict::Refused => ("✕ ", Paint::Bad),
    };
    printer.line(mark, paint, &group.summary)?;
    if group.differs || !group.verdict.succeeds() {
        printer.line("  ", Paint::Plain, &group.v0)?;
        printer.line("  ", Paint::Plain, &group.v1)?;
    }
    group.notes.iter().try_for_each(|row| note(printer, "", row))?;
    let table = bundles(&group.bundles);
    if !table.is_empty() {
        printer.table(&table)?;
    }
    if group.subscriptions.len() > 1 { subscriptions(printer, &group.subscriptions) } else { Ok(()) }
}

/// The Subscriptions of a group: each that has notes of its own, then the others in a line.
fn subscriptions(printer: &mut Printer<'_>, rows: &[MigratedSubscription]) -> io::Result<()> {
    let name = |row: &MigratedSubscription| format!("{} in {}", row.subscription, row.namespace);
    let (noted, others): (Vec<_>, Vec<_>) = rows.iter().partition(|row| !row.notes.is_empty());
    printer.gap()?;
    for row in noted {
        printer.line("- ", Paint::Plain, &name(row))?;
        row.notes.iter().try_for_each(|row| note(printer, "  ", row))?;
    }
    if others.is_empty() {
        return Ok(());
    }
    printer.line("- ", Paint::Plain, &others.into_iter().map(name).collect::<Vec<_>>().join(", "))
}

fn note(printer: &mut Printer<'_>, indent: &str, note: &MigrationNote) -> io::Result<()> {
    let (lead, paint) = match note.kind {
        MigrationNoteKind::Refusal => ("✕ ", Paint::Bad),
        MigrationNoteKind::Obstacle => ("▲ ", Paint::Warning),
        MigrationNoteKind::Unknown => ("? ", Paint::Hint),
        MigrationNoteKind::Hint => ("note: ", Paint::Hint),
    };
    printer.line(&format!("{indent}{lead}"), paint, &note.text)
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
