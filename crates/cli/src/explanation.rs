//! Why OLM does something, in text, in the words of `answers`: the results of Subscriptions with the steps that lead
//! there, conflicts, refusals, filters and fixes.

use crate::scene::Scene;
use report::{Block, Cell, Paint, Printer, Report, Table, verdict};
use source::{markdown, one_line};
use std::io::{self, Write};
use views::{
    BlockedView, ConflictView, CsvFailureView, ExplainedMessage, FailureKind, FailureView, FixView, FunnelView,
    MessageView, NamespaceState, RefusalView, RepairsView, SelectedView, StepView, SubscriptionStatus,
    SubscriptionView, Verdict,
};

/// The number of groups of refused candidates that are shown.
const REFUSALS: usize = 8;

/// What a namespace waits for as it stands. Where OLM acts by itself, the answer that follows says what it does.
pub(crate) fn stands(printer: &mut Printer<'_>, scene: &Scene, state: &NamespaceState) -> io::Result<()> {
    // A Subscription that the command line describes has no manifests, from which an OperatorGroup could be missing.
    let is_assumed = scene.inputs.manifests.is_some() && state.lacks("OperatorGroup");
    let blocks = (state.has_lead() || is_assumed).then(|| Block::Item(verdict(state))).into_iter().collect();
    printer.report(&Report { blocks, ..Report::default() })
}

/// What the objects of a namespace say themselves, each with its age; nothing of what is as it should be.
pub(crate) fn reported(
    printer: &mut Printer<'_>,
    messages: &[ExplainedMessage],
    is_shown: impl Fn(&ExplainedMessage) -> bool,
) -> io::Result<()> {
    let shown: Vec<&ExplainedMessage> =
        messages.iter().filter(|one| one.verdict != Some(Verdict::Acts) && is_shown(one)).collect();
    if !shown.is_empty() {
        printer.heading(Paint::Bold, "What the cluster reports")?;
    }
    for one in shown {
        let age = if one.age.is_empty() { String::new() } else { format!(", {}", one.age) };
        let text = if one.text.is_empty() { String::new() } else { format!(": {}", one.text) };
        lines(printer, "  - ", Paint::Plain, &format!("{}{age}{text}", one.about))?;
        printer.line("      → ", Paint::Hint, &one.meaning)?;
    }
    Ok(())
}

/// A text of OLM. Only its first line is wrapped: the others point to a place in the line above.
pub(crate) fn lines(printer: &mut Printer<'_>, lead: &str, paint: Paint, text: &str) -> io::Result<()> {
    let (first, others) = text.split_once('\n').unwrap_or((text, ""));
    printer.line(lead, paint, &one_line(first))?;
    if others.is_empty() { Ok(()) } else { printer.verbatim(others) }
}

/// The argument why OLM finds no solution, fixes, and OLM's own message.
pub(crate) fn failure(printer: &mut Printer<'_>, view: &FailureView) -> io::Result<()> {
    for row in &view.conflicts {
        conflict(printer, row, view.conflicts.len())?;
    }
    if view.bounded {
        printer.line("", Paint::Plain, "There may be more conflicts; the search stopped here.")?;
    }
    if !view.rules.is_empty() {
        printer.heading(Paint::Bad, heading(view.kind))?;
        printer.reasons("  - ", &view.rules)?;
    }
    fixes(printer, &view.fixes)?;
    message(printer, &view.message)
}

const fn heading(kind: FailureKind) -> &'static str {
    match kind {
        FailureKind::Conflict => "These rules conflict:",
        FailureKind::Refused => "OLM refuses to resolve this namespace:",
        FailureKind::Unknown => "Opscope cannot tell what OLM would do:",
    }
}

/// The CSVs that never run, each with what helps.
pub(crate) fn csv_failures(printer: &mut Printer<'_>, rows: &[CsvFailureView]) -> io::Result<()> {
    if !rows.is_empty() {
        printer.heading(Paint::Bad, "These CSVs do not fit the OperatorGroup:")?;
    }
    rows.iter().try_for_each(|row| printer.sentence("  - ", &row.sentence(), None))?;
    rows.first().map_or(Ok(()), |row| fixes(printer, &row.fixes))
}

/// The facts as numbered sentences.
fn conflict(printer: &mut Printer<'_>, view: &ConflictView, of: usize) -> io::Result<()> {
    let title = if of > 1 { "One of the conflicts: " } else { "Conflict: " };
    printer.heading(Paint::Bad, &(title.to_owned() + &view.title))?;
    for (number, line) in (1..).zip(&view.lines) {
        printer.sentence(&format!("{number:3}. "), &line.text, line.place)?;
    }
    view.more.iter().try_for_each(|row| printer.sentence("     ", &row.text, row.place))?;
    view.funnels.iter().try_for_each(|row| funnel(printer, row))
}

/// OLM's message, what its identifiers mean, and the other texts that it may have.
fn message(printer: &mut Printer<'_>, view: &MessageView) -> io::Result<()> {
    if view.text.is_empty() {
        return Ok(());
    }
    if view.is_reported {
        // It is among the messages of the cluster.
        printer.heading(Paint::Bold, "The cluster reports what follows from this")?;
    } else {
        printer.heading(Paint::Bold, "The message of OLM that follows from this")?;
        printer.verbatim(&view.text)?;
    }
    if let Some(differs) = &view.differs {
        printer.line("", Paint::Plain, &format!("The cluster reports another one: {differs}."))?;
    }
    for term in &view.terms {
        printer.line("  ", Paint::Plain, &format!("{}: {}", term.text, term.meaning))?;
    }
    if view.is_reported {
        return Ok(());
    }
    if !view.others.is_empty() {
        printer.line("", Paint::Plain, "OLM may print this instead:")?;
    }
    view.others.iter().try_for_each(|text| printer.verbatim(text))
}

/// The fixes, each with what OLM does after it.
pub(crate) fn fixes(printer: &mut Printer<'_>, rows: &[FixView]) -> io::Result<()> {
    if !rows.is_empty() {
        printer.heading(Paint::Good, "Fixes (each simulated)")?;
    }
    for row in rows {
        printer.sentence("  - ", &row.text, row.place)?;
        row.effects.iter().try_for_each(|effect| printer.line("      → ", Paint::Good, effect))?;
    }
    Ok(())
}

/// What helps a channel, or why nothing does.
pub(crate) fn repairs(printer: &mut Printer<'_>, view: &RepairsView) -> io::Result<()> {
    printer.heading(Paint::Bold, &view.title())?;
    for (number, row) in (1..).zip(&view.fixes) {
        printer.sentence(&format!("{number:3}. "), &row.text, row.place)?;
        row.effects.iter().try_for_each(|effect| printer.line("      → ", Paint::Good, effect))?;
    }
    view.refusal().iter().try_for_each(|text| printer.line("  - ", Paint::Plain, text))
}

/// The same as a section for each channel.
pub(crate) fn repairs_markdown(out: &mut dyn Write, views: &[RepairsView]) -> io::Result<()> {
    for view in views {
        writeln!(out, "\n{}\n", markdown(&view.title()))?;
        for (number, row) in (1..).zip(&view.fixes) {
            writeln!(out, "{number}. {} ({})", markdown(&row.text), markdown(&row.effects.join("; ")))?;
        }
        view.refusal().iter().try_for_each(|text| writeln!(out, "- {}", markdown(text)))?;
    }
    Ok(())
}

/// The filters of a search, each with the number of candidates that it leaves.
fn funnel(printer: &mut Printer<'_>, view: &FunnelView) -> io::Result<()> {
    printer.heading(Paint::Bold, &view.title)?;
    for stage in &view.stages {
        let (paint, tail) = if stage.left == 0 { (Paint::Bad, ": 0 candidates left") } else { (Paint::Plain, "") };
        printer.line(&format!("{:6}  ", stage.left), paint, &format!("{}{tail}", stage.text))?;
    }
    view.hints.iter().try_for_each(|hint| printer.line("        ", Paint::Hint, &hint.text))
}

/// The better candidates that OLM refused, each with the reasons. `unexplained` counts those without.
pub(crate) fn refusals(printer: &mut Printer<'_>, rows: &[RefusalView], unexplained: u32) -> io::Result<()> {
    for row in rows.iter().take(REFUSALS) {
        printer.line("  ", Paint::Plain, &format!("not {}:", row.title))?;
        printer.reasons("    - ", &row.because)?;
    }
    match rows.len().saturating_sub(REFUSALS) + unexplained as usize {
        0 => Ok(()),
        more => printer.line("  ", Paint::Dim, &format!("{more} more")),
    }
}

/// The catalogs that are not served, so that OLM resolves nothing.
pub(crate) fn blocked(printer: &mut Printer<'_>, view: &BlockedView) -> io::Result<()> {
    printer.heading(Paint::Bad, "OLM cannot resolve anything in this namespace.")?;
    for source in &view.sources {
        printer.sentence("  - ", &source.sentence(), source.place)?;
    }
    printer.heading(Paint::Bold, "The message of OLM that follows from this")?;
    printer.verbatim(&view.message)?;
    let them = if view.sources.len() == 1 { "it were" } else { "they were" };
    printer.heading(Paint::Bold, &format!("What OLM would do if {them} served"))
}

// The results of Subscriptions in text: a marked line each, the steps that lead there, and why there is nothing newer.

/// A line for each Subscription: a mark, the verdict in a few words, and in full. Below it, why it ends below the head of its
/// channel.
pub(crate) fn verdicts(printer: &mut Printer<'_>, rows: &[SubscriptionView]) -> io::Result<()> {
    for row in rows {
        let (mark, paint) = look(row.status);
        printer.line(&format!("{mark} "), paint, &format!("{}: {}", row.short, row.verdict))?;
        let because = row.behind.iter().map(|kept| &kept.because);
        because.into_iter().try_for_each(|row| printer.sentence("  ", &row.text, row.place))?;
    }
    Ok(())
}

/// The mark of a status, and its colour.
const fn look(status: SubscriptionStatus) -> (&'static str, Paint) {
    match status {
        SubscriptionStatus::Installs | SubscriptionStatus::Updates | SubscriptionStatus::AtHead => ("✓", Paint::Good),
        SubscriptionStatus::Waits | SubscriptionStatus::Behind | SubscriptionStatus::NotInstalled => {
            ("▲", Paint::Warning)
        }
        SubscriptionStatus::Fails | SubscriptionStatus::Blocked | SubscriptionStatus::Loops => ("✕", Paint::Bad),
        SubscriptionStatus::Passes => ("…", Paint::Hint),
        SubscriptionStatus::Unknown => ("?", Paint::Hint),
    }
}

/// The bundles that OLM installs step by step, those for which `is_shown` holds; nothing if there are none.
pub(crate) fn steps(
    printer: &mut Printer<'_>,
    steps: &[StepView],
    is_shown: impl Fn(&SelectedView) -> bool,
) -> io::Result<()> {
    let mut table = Table::new(["step", "installs", "replaces", "channel", "catalog"]);
    for (number, step) in steps.iter().enumerate() {
        let waits = if step.waits_for_approval { ", approved" } else { "" };
        for row in step.selected.iter().filter(|row| is_shown(row)) {
            let replaces = row.replaces.as_deref().unwrap_or("-");
            let step = format!("{}{waits}", number + 1);
            let cells = [step.as_str(), &row.csv.name, replaces, &row.csv.channel, &row.csv.catalog];
            table.push(cells.map(Cell::plain).into());
        }
    }
    if !table.is_empty() {
        printer.table(&table)?;
    }
    for (number, step) in steps.iter().enumerate() {
        for line in &step.generated {
            printer.line("", Paint::Plain, &format!("Step {} creates Subscription {line}", number + 1))?;
        }
    }
    Ok(())
}

/// What OLM refused for a Subscription that ends below the head of its channel, and fixes; nothing if it does not.
pub(crate) fn reasons(printer: &mut Printer<'_>, row: &SubscriptionView) -> io::Result<()> {
    if row.fixes.is_empty() && row.repairs.is_none() && row.refused.is_empty() && row.funnel.is_none() {
        return Ok(());
    }
    printer.heading(Paint::Bold, &format!("Why no newer version for {}?", row.name))?;
    refusals(printer, &row.refused, 0)?;
    row.funnel.as_ref().map_or(Ok(()), |row| funnel(printer, row))?;
    row.repairs.as_ref().map_or(Ok(()), |view| repairs(printer, view))?;
    fixes(printer, &row.fixes)
}
