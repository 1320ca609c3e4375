//! A comparison as Markdown, for the comment of a pull request.

use super::words::{
    added, failure_text, following, openshift_texts, sentence, subscription_text, totals, unchanged, unmirrored,
    unsearched,
};
use super::{Compared, Comparison, Finding};
use compare::words::{
    channel_text, difference, fix_text, group_title, label, outcome_text, outcomes, simulated_text, versions,
};
use compare::{Edit, Level, VerifiedFix, mermaid};
use source::{fenced, markdown};
use std::collections::BTreeSet;
use std::io::{self, Write};
use views::{ClusterComparisonView, Place};

/// The most edits of a cause that are listed for a group.
const EDITS: usize = 12;
/// The most fixes that are listed for a group.
const FIXES: usize = 3;

/// A section for each package with a difference: its groups as a table, causes and fixes, other changes, and all rows folded.
///
/// `shown` is how a place is shown.
///
/// # Errors
/// Those of `out`.
pub fn write(
    out: &mut dyn Write,
    comparison: &Comparison<'_>,
    cluster: Option<&ClusterComparisonView>,
    shown: &dyn Fn(Place) -> String,
) -> io::Result<()> {
    writeln!(out, "## What this change does to installed operators\n")?;
    let [before, after] = [comparison.before, comparison.after].map(|side| markdown(&side.name()));
    writeln!(out, "Before: {before}. After: {after}.\n")?;
    if let Some(totals) = totals(comparison) {
        writeln!(out, "In all packages: {totals}.\n")?;
    }
    for known in &comparison.not_comparable {
        let label = if known.is_rejected { "Not served" } else { "Not comparable" };
        writeln!(out, "**{label}**: {}\n", markdown(&known.text()))?;
    }
    if let Some(text) = following(comparison) {
        writeln!(out, "{text}.\n")?;
    }
    if let Some(cluster) = cluster {
        write_cluster(out, cluster)?;
    }
    for found in comparison.shown() {
        writeln!(out, "### {}\n", markdown(&sentence(comparison, found)))?;
        let findings = comparison.findings(found);
        let (under_v0, under_v1): (Vec<&Finding<'_>>, Vec<&Finding<'_>>) =
            findings.iter().partition(|finding| !finding.group.first.updated_by.is_v1());
        write_groups(out, &under_v0)?;
        if !under_v1.is_empty() {
            let gap = if under_v0.is_empty() { "" } else { "\n" };
            writeln!(out, "{gap}Under OLM v1:\n")?;
        }
        write_groups(out, &under_v1)?;
        writeln!(out)?;
        for finding in &findings {
            let about = group_title(&finding.group);
            write_causes(out, (comparison, found), &about, &finding.explanation.cause, shown)?;
            if let Some(found) = &finding.explanation.simulated {
                writeln!(out, "- But {}: {}", markdown(&about), markdown(&simulated_text(found)))?;
            }
            write_fixes(out, &about, &finding.explanation.fixes)?;
        }
        for (level, change) in comparison.changes(found) {
            writeln!(out, "- {}: {} (`{}`)", level.as_str(), markdown(&change.message), change.rule.id())?;
        }
        if let Some(drawing) = drawing(comparison, found) {
            writeln!(
                out,
                "\n<details><summary>What changed in the update graph</summary>\n\n{}\n</details>",
                fenced("", "mermaid", &drawing)
            )?;
        }
        write_all(out, comparison, found)?;
    }
    let mut closing = unsearched(comparison)
        .into_iter()
        .chain(added(comparison))
        .chain(unmirrored(comparison))
        .chain(unchanged(comparison));
    closing.try_for_each(|text| writeln!(out, "{}.\n", markdown(&text)))
}

/// The changed part of the update graph; `None` if one state does not have the package.
fn drawing(comparison: &Comparison<'_>, found: &Compared) -> Option<String> {
    let [old, new] = comparison.states(found);
    let rows = found.found.subscriptions().filter(|row| comparison.level(found, row) >= Some(Level::Risky));
    let harmed: BTreeSet<(&str, &str)> = rows.map(|row| (row.channel.as_str(), row.installed.as_str())).collect();
    mermaid(old?, new?, &harmed)
}

/// A table of the groups of one runtime.
fn write_groups(out: &mut dyn Write, findings: &[&Finding<'_>]) -> io::Result<()> {
    if !findings.is_empty() {
        writeln!(
            out,
            "| level | channel | installed | before | after | rule |\n| --- | --- | --- | --- | --- | --- |"
        )?;
    }
    for Finding { group, level, .. } in findings {
        let first = group.first;
        // Where the way or the end is a risk, the outcome alone does not say which.
        let risk = (*level == Level::Risky).then(|| group.rule.about().trim_end_matches('.'));
        let about = risk.or_else(|| difference(group)).map(|about| format!(". {about}")).unwrap_or_default();
        let [before, after] = outcomes(first, outcome_text);
        let cells =
            [channel_text(first).to_owned(), versions(group), before, after + &about].map(|text| markdown(&text));
        let ([channel, versions, before, after], rule) = (cells, group.rule.id());
        writeln!(out, "| {} | {channel} | {versions} | {before} | {after} | `{rule}` |", level.as_str())?;
    }
    Ok(())
}

fn write_causes(
    out: &mut dyn Write,
    (comparison, found): (&Comparison<'_>, &Compared),
    about: &str,
    cause: &[Edit],
    shown: &dyn Fn(Place) -> String,
) -> io::Result<()> {
    cause.iter().take(EDITS).try_for_each(|edit| {
        let (text, place) = comparison.cause(found, edit);
        let place = place.map(|place| format!(" ({})", shown(place))).unwrap_or_default();
        writeln!(out, "- Cause for {}: {}", markdown(about), markdown(&(text + &place)))
    })?;
    let more = cause.len().saturating_sub(EDITS);
    if more > 0 { writeln!(out, "- Cause for {}: {more} more", markdown(about)) } else { Ok(()) }
}

fn write_fixes(out: &mut dyn Write, about: &str, fixes: &[VerifiedFix]) -> io::Result<()> {
    let mut fixes = fixes.iter().take(FIXES);
    fixes.try_for_each(|fix| writeln!(out, "- Fix for {}: {}", markdown(about), markdown(&fix_text(fix))))
}

/// Folded tables of all installed versions: one for each version of OLM that the comparison is about.
fn write_all(out: &mut dyn Write, comparison: &Comparison<'_>, found: &Compared) -> io::Result<()> {
    let (has_v0, has_v1) = (comparison.runtime.has_v0(), comparison.runtime.has_v1());
    for is_v1 in [has_v0.then_some(false), has_v1.then_some(true)].into_iter().flatten() {
        let under = match is_v1 {
            true => " under OLM v1",
            false if has_v1 => " under OLM v0",
            false => "",
        };
        writeln!(out, "\n<details><summary>All installed versions{under}</summary>\n")?;
        writeln!(out, "| channel | installed | before | after | rule |\n| --- | --- | --- | --- | --- |")?;
        for row in comparison.rows(found).filter(|row| row.updated_by.is_v1() == is_v1) {
            let [before, after] = outcomes(row, outcome_text);
            let cells = [channel_text(row).to_owned(), label(row), before, after].map(|text| markdown(&text));
            let rule = row.rule.map(|rule| format!("`{}`", rule.id())).unwrap_or_default();
            writeln!(out, "| {} | {rule} |", cells.join(" | "))?;
        }
        writeln!(out, "\n</details>\n")?;
    }
    Ok(())
}

/// What becomes of the Subscriptions of a cluster.
fn write_cluster(out: &mut dyn Write, cluster: &ClusterComparisonView) -> io::Result<()> {
    writeln!(out, "### In the cluster\n")?;
    for notice in &cluster.notices {
        writeln!(out, "- {}", markdown(notice))?;
    }
    for row in &cluster.subscriptions {
        writeln!(out, "- {}: {}", row.level.as_str(), markdown(&subscription_text(row)))?;
    }
    for (level, text) in cluster.failures.iter().filter_map(failure_text) {
        writeln!(out, "- {}: {}", level.as_str(), markdown(&text))?;
    }
    for text in cluster.openshift.iter().flat_map(openshift_texts) {
        writeln!(out, "- risky: {}", markdown(&text))?;
    }
    writeln!(out)
}
