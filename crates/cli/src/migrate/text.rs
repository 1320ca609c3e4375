//! Migrations in text: for Subscriptions with the same answer the verdict, what is in the way, and the bundles that it may get.

use super::group::{Group, Member, groups};
use report::{Cell, Paint, Printer, Table};
use std::io;
use views::{
    CatalogMigrationRow, CatalogMigrationStatus, CheckOutcomeView, CheckView, ConversionView, EligibilityView,
    MigrationNote, MigrationNoteKind, MigrationRow, MigrationVerdictView, MigrationView, ReadinessRow,
    ReadinessVerdictView, RecoveryRow, RecoveryView,
};

/// The number of neighbours with the same answer that are all shown.
const SHOWN: usize = 3;

pub(super) fn write(printer: &mut Printer<'_>, view: &MigrationView, is_dry_run: bool) -> io::Result<()> {
    view.notices.iter().try_for_each(|notice| printer.line("note: ", Paint::Hint, notice))?;
    groups(view).iter().try_for_each(|group| write_group(printer, group))?;
    if is_dry_run {
        view.subscriptions.iter().try_for_each(|row| dry_run(printer, row))?;
    }
    if !view.migrated.is_empty() {
        printer.heading(Paint::Bold, "Already migrated")?;
    }
    for (extension, subscription) in &view.migrated {
        printer.line("✓ ", Paint::Good, &format!("ClusterExtension {extension} (migrated from {subscription})"))?;
    }
    view.recoveries.iter().try_for_each(|row| recovery(printer, row))?;
    if !view.catalogs.is_empty() {
        printer.heading(Paint::Bold, "CatalogSources, as `migrate-catalogs-v0-to-v1` migrates them")?;
        view.catalogs.iter().try_for_each(|row| catalog(printer, row))?;
        view.failed_catalogs.iter().try_for_each(|text| printer.line("✕ ", Paint::Bad, text))?;
        view.unknown_catalogs.iter().try_for_each(|text| printer.line("? ", Paint::Hint, text))?;
    }
    let good = view.subscriptions.iter().filter(|row| row.succeeds()).count();
    let all = view.subscriptions.len();
    let subscriptions = if (good, all) == (1, 1) { "Subscription" } else { "Subscriptions" };
    printer.gap()?;
    let text = format!(
        "{good} of {all} {subscriptions} can be migrated as far as the manifests show; `--format yaml` prints the objects"
    );
    printer.line("", Paint::Plain, &text)
}

/// What `convert --dry-run` says of a Subscription.
fn dry_run(printer: &mut Printer<'_>, row: &MigrationRow) -> io::Result<()> {
    let ConversionView { refusal, unknown, namespace, object_set, phases, plan } = &row.conversion;
    printer.heading(Paint::Bold, &format!("Dry run of {} in {}", row.subscription, row.namespace))?;
    let EligibilityView { state, reason, .. } = &row.eligibility;
    if !row.eligibility.is_eligible() {
        let (name, namespace) = (&row.subscription, &row.namespace);
        let text = format!("operator {namespace}/{name} is not eligible for migration ({state}): {reason}");
        return printer.line("✕ ", Paint::Bad, &text);
    }
    if let Some(text) = refusal {
        return printer.line("✕ ", Paint::Bad, text);
    }
    if let Some((set, namespace)) = object_set.as_ref().zip(namespace.as_ref()) {
        printer.line("+ ", Paint::Good, &format!("ClusterObjectSet {set}"))?;
        for (phase, objects) in phases {
            printer.line("    ", Paint::Plain, &format!("{phase}: {}", objects.join(", ")))?;
        }
        let text = format!("ClusterExtension {}; the operator is in namespace {namespace}", row.extension);
        printer.line("+ ", Paint::Good, &text)?;
    }
    plan.iter().try_for_each(|text| printer.line("- ", Paint::Plain, text))?;
    unknown.iter().try_for_each(|text| printer.line("? ", Paint::Hint, &format!("not known: {text}")))
}

/// What `rollback` and `cleanup` do with a ClusterExtension.
fn recovery(printer: &mut Printer<'_>, row: &RecoveryRow) -> io::Result<()> {
    let RecoveryRow { extension, subscription, rollback, cleanup, .. } = row;
    printer.heading(Paint::Bold, &format!("Recovery of ClusterExtension {extension}, made of {subscription}"))?;
    for (command, view) in [("rollback", Some(rollback)), ("cleanup", cleanup.as_ref())] {
        let Some(RecoveryView { refusal, deleted, notes }) = view else { continue };
        if let Some(text) = refusal {
            printer.line("✕ ", Paint::Bad, &format!("`{command}` refuses: `{text}`"))?;
        } else {
            printer.line("✓ ", Paint::Good, &format!("`{command}` deletes {}", deleted.join(", ")))?;
        }
        notes.iter().try_for_each(|text| printer.line("  note: ", Paint::Hint, text))?;
    }
    Ok(())
}

fn catalog(printer: &mut Printer<'_>, row: &CatalogMigrationRow) -> io::Result<()> {
    let (mark, paint, status) = match row.status {
        // The reason says it.
        CatalogMigrationStatus::Created | CatalogMigrationStatus::Adopted | CatalogMigrationStatus::DryRun => {
            ("✓ ", Paint::Good, "")
        }
        CatalogMigrationStatus::Skipped => ("▲ ", Paint::Warning, "skipped, "),
        CatalogMigrationStatus::Error => ("✕ ", Paint::Bad, "error, "),
        CatalogMigrationStatus::NotKnown => ("? ", Paint::Hint, "not known, "),
    };
    let CatalogMigrationRow { source, namespace, reason, .. } = row;
    let catalog = row.catalog.as_ref().map(|catalog| format!(", ClusterCatalog {catalog}")).unwrap_or_default();
    printer.line(mark, paint, &format!("{source} in {namespace}{catalog}: {status}{reason}"))?;
    let deletion = row.deletion.as_ref().map(|note| format!("with `--delete-catalogsource`: {note}"));
    let notes = row.notes.iter().chain(&row.hint).chain(&deletion);
    notes.into_iter().try_for_each(|text| printer.line("  note: ", Paint::Hint, text))
}

fn write_group(printer: &mut Printer<'_>, group: &Group<'_>) -> io::Result<()> {
    let row = group.first;
    let heading = match &group.members[..] {
        [_] => format!("Subscription {} in {}", row.subscription, row.namespace),
        several => format!("{} Subscriptions to {}", several.len(), row.package),
    };
    printer.heading(Paint::Bold, &heading)?;
    eligibility(printer, &row.eligibility)?;
    let (mark, paint) = match row.verdict {
        MigrationVerdictView::Moves | MigrationVerdictView::Stays => ("✓ ", Paint::Good),
        MigrationVerdictView::CannotBeKnown => ("? ", Paint::Hint),
        MigrationVerdictView::Fails | MigrationVerdictView::Refused => ("✕ ", Paint::Bad),
    };
    printer.line(mark, paint, &row.summary)?;
    if row.differs || !row.verdict.succeeds() {
        printer.line("  ", Paint::Plain, &row.v0)?;
        printer.line("  ", Paint::Plain, &row.v1)?;
    }
    group.notes.iter().try_for_each(|row| note(printer, "", row))?;
    let table = bundles(&row.bundles);
    if !table.is_empty() {
        printer.table(&table)?;
    }
    if group.members.len() > 1 { members(printer, &group.members) } else { Ok(()) }
}

/// The verdict of the migration tool, with the checks that do not pass.
fn eligibility(printer: &mut Printer<'_>, view: &EligibilityView) -> io::Result<()> {
    let (mark, paint) = match (view.is_eligible(), view.unknown) {
        (true, 0) => ("✓ ", Paint::Good),
        (true, _) => ("? ", Paint::Hint),
        (false, _) => ("✕ ", Paint::Bad),
    };
    printer.line(mark, paint, &view.sentence())?;
    for check in &view.checks {
        let (mark, paint) = match check.outcome {
            CheckOutcomeView::Passed | CheckOutcomeView::NotKnown => continue,
            CheckOutcomeView::Overridden => ("▲", Paint::Warning),
            CheckOutcomeView::Failed => ("✗", Paint::Bad),
        };
        printer.line(&format!("    {mark} "), paint, &format!("[{}] {}", check.name, check.message))?;
    }
    let unknown: Vec<&CheckView> =
        view.checks.iter().filter(|check| check.outcome == CheckOutcomeView::NotKnown).collect();
    match &unknown[..] {
        [] => {}
        [one] => printer.line("    ? ", Paint::Hint, &format!("[{}] not known: {}", one.name, one.message))?,
        many => {
            let names = many.iter().map(|check| check.name.as_str()).collect::<Vec<_>>().join(", ");
            printer.line("    ? ", Paint::Hint, &format!("not known from the manifests: {names}"))?;
        }
    }
    view.warnings.iter().try_for_each(|text| printer.line("    ▲ ", Paint::Warning, text))
}

/// The Subscriptions of a group: each that has notes of its own, then the others in a line.
fn members(printer: &mut Printer<'_>, members: &[Member<'_>]) -> io::Result<()> {
    let name = |member: &Member<'_>| format!("{} in {}", member.row.subscription, member.row.namespace);
    let (noted, others): (Vec<_>, Vec<_>) = members.iter().partition(|member| !member.notes.is_empty());
    printer.gap()?;
    for member in noted {
        printer.line("- ", Paint::Plain, &name(member))?;
        member.notes.iter().try_for_each(|row| note(printer, "  ", row))?;
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
        ReadinessVerdictView::Refused => format!("refuses it: {}", bundle.refusals.join("; ")),
        ReadinessVerdictView::CannotBeKnown => "cannot be known".to_owned(),
        ReadinessVerdictView::NothingFound => "refuses nothing that the catalog shows".to_owned(),
    }
}
