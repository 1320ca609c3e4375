//! A comparison for people.

use crate::printer::Printer;
use crate::terminal::Paint;
use compare::Level;
use std::io;
use workbench::comparison::Comparison;
use workbench::comparison::words::{added, group_text, sentence, totals, unchanged};

/// The most fixes that are listed for a group.
const FIXES: usize = 3;

/// A sentence for each package with a difference, its groups with causes and fixes, and other changes.
pub(super) fn write(printer: &mut Printer<'_>, comparison: &Comparison<'_>) -> io::Result<()> {
    for known in &comparison.not_comparable {
        printer.line("! ", Paint::Bad, &format!("not comparable: {}", known.text()))?;
    }
    for found in comparison.packages.iter().filter(|found| comparison.is_changed(found)) {
        printer.heading(Paint::Bold, &sentence(comparison, found))?;
        for finding in comparison.findings(found) {
            let (sign, paint) = sign(finding.level);
            printer.line(sign, paint, &group_text(&finding.group))?;
            for edit in &finding.cause {
                let (text, place) = comparison.cause(found, edit);
                printer.labelled("    cause: ", Paint::Plain, &text, place)?;
            }
            for fix in finding.fixes.iter().take(FIXES) {
                printer.line("    fix: ", Paint::Plain, &fix.describe())?;
            }
        }
        for (level, change) in comparison.changes(found) {
            let (sign, paint) = sign(level);
            let text = format!("{} ({})", change.message, change.rule.id());
            printer.labelled(sign, paint, &text, comparison.place(found, &change.edit))?;
        }
    }
    let totals = totals(comparison).map(|totals| format!("In all packages: {totals}"));
    let mut closing = totals.into_iter().chain(added(comparison)).chain(unchanged(comparison));
    closing.try_for_each(|text| printer.heading(Paint::Dim, &text))
}

const fn sign(level: Level) -> (&'static str, Paint) {
    match level {
        Level::Breaking => ("✕ ", Paint::Bad),
        Level::Risky => ("▲ ", Paint::Warning),
        Level::Neutral => ("· ", Paint::Plain),
        Level::Good => ("✓ ", Paint::Good),
    }
}
