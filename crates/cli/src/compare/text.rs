//! A comparison for people.

use crate::printer::Printer;
use crate::terminal::Paint;
use compare::words::{fix_text, group_text, simulated_text};
use compare::{Edit, Level, VerifiedFix};
use std::io;
use views::ClusterComparisonView;
use workbench::comparison::words::{
    added, failure_text, following, openshift_texts, sentence, subscription_text, totals, unchanged, unmirrored,
    unsearched,
};
use workbench::comparison::{Compared, Comparison};

/// The most edits of a cause that are listed for a group.
const EDITS: usize = 12;

/// The most fixes that are listed for a group.
const FIXES: usize = 3;

/// A sentence for each package with a difference, its groups with causes and fixes, and other changes.
pub(super) fn write(
    printer: &mut Printer<'_>,
    comparison: &Comparison<'_>,
    cluster: Option<&ClusterComparisonView>,
) -> io::Result<()> {
    for known in &comparison.not_comparable {
        printer.line("! ", Paint::Bad, &format!("{}: {}", known.label(), known.text()))?;
    }
    following(comparison).iter().try_for_each(|text| printer.line("  ", Paint::Plain, text))?;
    // Who gives a cluster asks about it first.
    if let Some(cluster) = cluster {
        write_cluster(printer, cluster)?;
    }
    for found in comparison.shown() {
        printer.heading(Paint::Bold, &sentence(comparison, found))?;
        for finding in comparison.findings(found) {
            let (sign, paint) = sign(finding.level);
            printer.line(sign, paint, &group_text(&finding.group))?;
            write_causes(printer, comparison, found, &finding.explanation.cause)?;
            if let Some(found) = &finding.explanation.simulated {
                printer.line("    but: ", Paint::Plain, &simulated_text(found))?;
            }
            write_fixes(printer, &finding.explanation.fixes)?;
        }
        for (level, change) in comparison.changes(found) {
            let (sign, paint) = sign(level);
            let text = format!("{} ({})", change.message, change.rule.id());
            printer.labelled(sign, paint, &text, comparison.place(found, &change.edit))?;
        }
    }
    let totals = totals(comparison).map(|totals| format!("In all packages: {totals}"));
    let mut closing = totals
        .into_iter()
        .chain(unsearched(comparison))
        .chain(added(comparison))
        .chain(unmirrored(comparison))
        .chain(unchanged(comparison));
    closing.try_for_each(|text| printer.heading(Paint::Dim, &text))
}

fn write_causes(
    printer: &mut Printer<'_>,
    comparison: &Comparison<'_>,
    found: &Compared,
    cause: &[Edit],
) -> io::Result<()> {
    cause.iter().take(EDITS).try_for_each(|edit| {
        let (text, place) = comparison.cause(found, edit);
        printer.labelled("    cause: ", Paint::Plain, &text, place)
    })?;
    let more = cause.len().saturating_sub(EDITS);
    if more > 0 { printer.line("    cause: ", Paint::Plain, &format!("{more} more")) } else { Ok(()) }
}

fn write_fixes(printer: &mut Printer<'_>, fixes: &[VerifiedFix]) -> io::Result<()> {
    fixes.iter().take(FIXES).try_for_each(|fix| printer.line("    fix: ", Paint::Plain, &fix_text(fix)))
}

/// What becomes of each Subscription, the namespaces that cannot be resolved, and what blocks an upgrade of OpenShift.
fn write_cluster(printer: &mut Printer<'_>, cluster: &ClusterComparisonView) -> io::Result<()> {
    printer.heading(Paint::Bold, "In the cluster")?;
    for notice in &cluster.notices {
        printer.line("! ", Paint::Warning, notice)?;
    }
    for row in &cluster.subscriptions {
        let (sign, paint) = sign(row.level);
        printer.line(sign, paint, &subscription_text(row))?;
    }
    for (level, text) in cluster.failures.iter().filter_map(failure_text) {
        let (sign, paint) = sign(level);
        printer.line(sign, paint, &text)?;
    }
    let Some(openshift) = &cluster.openshift else { return Ok(()) };
    for text in openshift_texts(openshift) {
        printer.line("▲ ", Paint::Warning, &text)?;
    }
    Ok(())
}

const fn sign(level: Level) -> (&'static str, Paint) {
    match level {
        Level::Breaking => ("✕ ", Paint::Bad),
        Level::Risky => ("▲ ", Paint::Warning),
        Level::Neutral => ("· ", Paint::Plain),
        Level::Good => ("✓ ", Paint::Good),
    }
}
