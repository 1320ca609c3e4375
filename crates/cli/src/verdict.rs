//! The results of Subscriptions in text: a marked line each, the steps that lead there, and why there is nothing newer.

use crate::explanation::{fixes, funnel, refusals, repairs};
use report::{Cell, Paint, Printer, Table};
use std::io;
use views::{SelectedView, StepView, SubscriptionStatus, SubscriptionView};

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
