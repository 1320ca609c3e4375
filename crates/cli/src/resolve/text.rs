//! What OLM does, in text: the verdict on each Subscription first, then the steps that lead there, and the reasons.

use crate::explanation::{blocked, csv_failures, failure, reported, stands};
use crate::scene::Scene;
use crate::verdict::{reasons, steps, verdicts};
use report::{Cell, Paint, Printer, Table};
use source::joined;
use std::collections::BTreeSet;
use std::io;
use views::{ExplainedMessage, ManifestsView, NamespaceState, OutcomeView, Severity, SimulationView, Verdict};

/// The most namespaces that are named together.
const MOST: usize = 8;
/// The number of outcomes that are shown in full, and side by side.
const OUTCOMES: usize = 4;

/// Writes the answers for the namespaces, one after the other.
pub(super) struct Text {
    has_several: bool,
    /// The notices that are written; other namespaces may have the same ones.
    noted: BTreeSet<String>,
    /// Whether the findings about the manifests are written.
    pub(super) has_findings: bool,
}

impl Text {
    /// For this number of namespaces.
    pub(super) const fn new(count: usize) -> Self {
        Self { has_several: count > 1, noted: BTreeSet::new(), has_findings: false }
    }

    /// Writes which of several namespaces do not go on by themselves.
    pub(super) fn summary(&self, printer: &mut Printer<'_>, states: &[NamespaceState]) -> io::Result<()> {
        let of = |verdict: Verdict| states.iter().filter(move |state| state.deciding().0 == verdict);
        let named = |verdict: Verdict, one: &str, many: &str| {
            let names = of(verdict).map(|state| format!("`{}`", state.namespace));
            let said = match of(verdict).count() {
                0 => return None,
                1 => one,
                _ => many,
            };
            Some(format!("{} {said}", joined(names, MOST, "and")))
        };
        let parts = [
            named(Verdict::Stuck, "is stuck", "are stuck"),
            named(Verdict::Waits, "waits for a person", "wait for a person"),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        if !self.has_several || parts.is_empty() {
            return Ok(());
        }
        printer.line("", Paint::Bold, &format!("Of {} namespaces {}.", states.len(), parts.join(", ")))
    }

    /// Writes the answer for the next namespace, with what OLM does there, where that follows.
    pub(super) fn write(
        &mut self,
        printer: &mut Printer<'_>,
        scene: &Scene,
        state: &NamespaceState,
        messages: &[ExplainedMessage],
        view: Option<&SimulationView>,
    ) -> io::Result<()> {
        if self.has_several {
            printer.heading(Paint::Bold, &format!("Namespace {}", state.namespace))?;
        }
        stands(printer, scene, state)?;
        reported(printer, messages, |one| one.namespace == state.namespace)?;
        let Some(view) = view else { return Ok(()) };
        if state.is_in_between() {
            printer.heading(Paint::Bold, "Then")?;
        }
        view.outcomes.first().map_or(Ok(()), |outcome| verdicts(printer, &outcome.subscriptions))?;
        if let Some(read) = view.manifests.as_ref().filter(|_| !self.has_findings) {
            unread(printer, read)?;
            self.has_findings = true;
        }
        for notice in &view.notices {
            if self.noted.insert(notice.clone()) {
                printer.line("note: ", Paint::Hint, notice)?;
            }
        }
        view.blocked.as_ref().map_or(Ok(()), |row| blocked(printer, row))?;
        outcomes(printer, view)
    }
}

/// Findings about the manifests, and the objects without a part in a resolution.
fn unread(printer: &mut Printer<'_>, view: &ManifestsView) -> io::Result<()> {
    for row in &view.findings {
        let paint = match row.severity {
            Severity::Error => Paint::Bad,
            Severity::Warning => Paint::Warning,
            Severity::Hint => Paint::Hint,
        };
        let lead = format!("{}: ", row.severity.as_str());
        let help = row.help.as_ref().map(|help| format!("; {help}")).unwrap_or_default();
        printer.labelled(&lead, paint, &format!("{}{help}", row.message), Some(row.place))?;
    }
    let names = |kind: &str, names: &[String]| {
        format!("{} {}", if kind.is_empty() { "no kind" } else { kind }, names.join(", "))
    };
    // The objects of OLM v1 have an answer of their own.
    let skipped = view.skipped.iter().filter(|row| !matches!(&*row.kind, "ClusterCatalog" | "ClusterExtension"));
    let count: usize = skipped.clone().map(|row| row.names.len()).sum();
    if count == 0 {
        return Ok(());
    }
    let listed: Vec<String> = skipped.map(|row| names(&row.kind, &row.names)).collect();
    let objects = if count == 1 { "1 object ignored" } else { &format!("{count} objects ignored") };
    printer.line("note: ", Paint::Hint, &format!("{objects}: {}", listed.join("; ")))
}

/// The possible outcomes: side by side if there are several, then each with its steps and reasons.
fn outcomes(printer: &mut Printer<'_>, view: &SimulationView) -> io::Result<()> {
    let [first, others @ ..] = view.outcomes.as_slice() else { return Ok(()) };
    if others.is_empty() {
        return outcome(printer, first);
    }
    comparison(printer, view)?;
    for (number, row) in view.outcomes.iter().take(OUTCOMES).enumerate() {
        let when = if row.when.is_empty() { String::new() } else { format!(", {}", row.when) };
        printer.heading(Paint::Bold, &format!("Outcome {}{when}", number + 1))?;
        verdicts(printer, &row.subscriptions)?;
        outcome(printer, row)?;
    }
    Ok(())
}

fn comparison(printer: &mut Printer<'_>, view: &SimulationView) -> io::Result<()> {
    let count = view.outcomes.len();
    let text = match (count, view.bounded) {
        (2, false) => "OLM may do either.".to_owned(),
        (_, false) => format!("OLM may do any of {count} things."),
        (_, true) => format!("OLM may do any of {count} things, or more."),
    };
    printer.gap()?;
    printer.line(
        "▲ ",
        Paint::Warning,
        &format!("{text} Which one happens depends on an order that OLM does not fix."),
    )?;
    let shown = count.min(OUTCOMES);
    let titles: Vec<String> = (1..=shown).map(|number| format!("outcome {number}")).collect();
    let mut table = Table::new(std::iter::once("").chain(titles.iter().map(String::as_str)));
    for row in &view.differences {
        let cells = row.cells.iter().take(shown).map(|text| Cell::plain(&text.replace('`', "")));
        table.push(std::iter::once(Cell::new(Paint::Bold, &row.subject)).chain(cells).collect());
    }
    printer.table(&table)?;
    match count - shown {
        0 => Ok(()),
        more => printer.line("", Paint::Plain, &format!("{more} more in `--format json`")),
    }
}

/// The steps of an outcome, why it ends, and why Subscriptions stay behind.
fn outcome(printer: &mut Printer<'_>, view: &OutcomeView) -> io::Result<()> {
    steps(printer, &view.steps, |_| true)?;
    csv_failures(printer, &view.csv_failures)?;
    let failures = view.steps.iter().filter_map(|step| step.failure.as_ref());
    failures.into_iter().try_for_each(|row| failure(printer, row))?;
    view.subscriptions.iter().try_for_each(|row| reasons(printer, row))
}
