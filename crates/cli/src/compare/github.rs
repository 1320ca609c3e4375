//! A comparison as workflow commands, which GitHub Actions shows at their lines: what is breaking as errors, what is risky
//! as warnings.

use crate::places::Inputs;
use crate::validate::{data, property};
use compare::words::{fix_text, group_text};
use compare::{Edit, Explanation, Level, VerifiedFix};
use std::io::{self, Write};
use views::{ClusterComparisonView, Place};
use workbench::comparison::words::{following, subscription_text};
use workbench::comparison::{Comparison, Finding};

/// The most edits of a cause that a command lists.
const CAUSES: usize = 12;

/// One command for each group and each other change, at the line of its cause, else of the package.
pub(super) fn write(
    out: &mut dyn Write,
    inputs: &Inputs,
    comparison: &Comparison<'_>,
    cluster: Option<&ClusterComparisonView>,
) -> io::Result<()> {
    for known in &comparison.not_comparable {
        writeln!(out, "::error title={}::{}", known.label(), data(&known.text()))?;
    }
    following(comparison).iter().try_for_each(|text| writeln!(out, "::error title=not served::{}", data(text)))?;
    for found in comparison.packages.iter().filter(|found| !found.follows) {
        let message = |text: String, cause: &[Edit], fixes: &[VerifiedFix]| {
            let causes = cause.iter().take(CAUSES).map(|edit| format!("\ncause: {}", comparison.cause(found, edit).0));
            let fixes = fixes.first().map(|fix| format!("\nfix: {}", fix_text(fix)));
            [text].into_iter().chain(causes).chain(fixes).collect::<Vec<_>>().concat()
        };
        for Finding { group, level, explanation: Explanation { cause, fixes, .. } } in comparison.findings(found) {
            let place = comparison.place_after(found, cause.first());
            let message = message(group_text(&group), &cause, &fixes);
            command(out, inputs, (level, group.rule.id()), place, &message)?;
        }
        for (level, change) in comparison.changes(found) {
            let place = comparison.place_after(found, Some(&change.edit));
            command(out, inputs, (level, change.rule.id()), place, &change.message)?;
        }
    }
    for row in cluster.iter().flat_map(|cluster| &cluster.subscriptions) {
        command(out, inputs, (row.level, &row.rule), None, &subscription_text(row))?;
    }
    Ok(())
}

fn command(
    out: &mut dyn Write,
    inputs: &Inputs,
    (level, rule): (Level, &str),
    place: Option<Place>,
    message: &str,
) -> io::Result<()> {
    let name = match level {
        Level::Breaking => "error",
        Level::Risky => "warning",
        Level::Neutral | Level::Good => return Ok(()),
    };
    let shown = place.map(|place| inputs.shown(place)).unwrap_or_default();
    let at = shown.rsplit_once(':').map(|(file, line)| format!("file={},line={line},", property(file)));
    writeln!(out, "::{name} {}title={}::{}", at.unwrap_or_default(), property(rule), data(message))
}
