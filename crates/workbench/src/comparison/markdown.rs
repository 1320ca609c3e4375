//! A comparison as Markdown, for the comment of a pull request.

use super::mermaid::mermaid;
use super::words::{
    ANY_CHANNEL, added, extension_channels, extension_difference, extension_fate_text, extension_label,
    extension_versions, failure_text, fate_text, fix_text, label, openshift_texts, sentence, simulated_text,
    subscription_text, totals, unchanged, unmirrored, unsearched, versions,
};
use super::{Compared, Comparison, ExtensionFinding};
use catalog::ChannelName;
use compare::{Edit, ExtensionCase, ExtensionRow, VerifiedFix};
use source::markdown;
use std::io::{self, Write};
use views::{ClusterComparisonView, LevelView, Place};

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
    if let Some(totals) = totals(comparison) {
        writeln!(out, "In all packages: {totals}.\n")?;
    }
    for known in &comparison.not_comparable {
        writeln!(out, "**Not comparable**: {}\n", markdown(&known.text()))?;
    }
    if let Some(cluster) = cluster {
        write_cluster(out, cluster)?;
    }
    for found in comparison.packages.iter().filter(|found| comparison.is_changed(found)) {
        writeln!(out, "### {}\n", markdown(&sentence(comparison, found)))?;
        let findings = comparison.findings(found);
        if !findings.is_empty() {
            writeln!(
                out,
                "| level | channel | installed | before | after | rule |\n| --- | --- | --- | --- | --- | --- |"
            )?;
        }
        for finding in &findings {
            let first = finding.group.rows[0];
            let [channel, versions, before, after] = [
                first.channel.to_string(),
                versions(&finding.group),
                fate_text(first, &first.old),
                fate_text(first, &first.new),
            ]
            .map(|text| markdown(&text));
            let (level, rule) = (finding.level.as_str(), finding.group.rule.id());
            writeln!(out, "| {level} | {channel} | {versions} | {before} | {after} | `{rule}` |")?;
        }
        let extensions = comparison.extension_findings(found);
        if !extensions.is_empty() {
            let (head, line) =
                ("| level | channel | installed | before | after | rule |", "| --- | --- | --- | --- | --- | --- |");
            let gap = if findings.is_empty() { "" } else { "\n" };
            writeln!(out, "{gap}Under OLM v1:\n\n{head}\n{line}")?;
        }
        for ExtensionFinding { level, group, .. } in &extensions {
            let case = group.case(group.rows[0]);
            let [channel, versions, before, after] = [
                extension_channels(group),
                extension_versions(group),
                extension_fate_text(&case.old),
                extension_fate_text(&case.new)
                    + &extension_difference(group).map(|about| format!(". {about}")).unwrap_or_default(),
            ]
            .map(|text| markdown(&text));
            let rule = group.rule.rule().id;
            writeln!(out, "| {} | {channel} | {versions} | {before} | {after} | `{rule}` |", level.as_str())?;
        }
        writeln!(out)?;
        for finding in &findings {
            let about = format!("{} in {}", versions(&finding.group), finding.group.rows[0].channel);
            write_causes(out, (comparison, found), &about, &finding.cause, shown)?;
            if let Some(found) = &finding.simulated {
                writeln!(out, "- But {}: {}", markdown(&about), markdown(&simulated_text(found)))?;
            }
            write_fixes(out, &about, &finding.fixes)?;
        }
        for finding in &extensions {
            let group = &finding.group;
            let about = format!("{} in {} under OLM v1", extension_versions(group), extension_channels(group));
            write_causes(out, (comparison, found), &about, &finding.cause, shown)?;
            write_fixes(out, &about, &finding.fixes)?;
        }
        for (level, change) in comparison.changes(found) {
            writeln!(out, "- {}: {} (`{}`)", level.as_str(), markdown(&change.message), change.rule.id())?;
        }
        if let Some(drawing) = mermaid(comparison, found) {
            writeln!(
                out,
                "\n<details><summary>What changed in the update graph</summary>\n\n```mermaid\n{drawing}```\n\n</details>"
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

fn write_causes(
    out: &mut dyn Write,
    (comparison, found): (&Comparison<'_>, &Compared<'_>),
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

/// Folded tables of all installed versions: one for each version of OLM that the comparison asks about.
fn write_all(out: &mut dyn Write, comparison: &Comparison<'_>, found: &Compared<'_>) -> io::Result<()> {
    let mut table = |title: &str, rows: Vec<([String; 4], Option<&str>)>| {
        writeln!(out, "\n<details><summary>{title}</summary>\n")?;
        writeln!(out, "| channel | installed | before | after | rule |\n| --- | --- | --- | --- | --- |")?;
        for (cells, rule) in rows {
            let [channel, installed, before, after] = cells.map(|text| markdown(&text));
            let rule = rule.map(|id| format!("`{id}`")).unwrap_or_default();
            writeln!(out, "| {channel} | {installed} | {before} | {after} | {rule} |")?;
        }
        writeln!(out, "\n</details>\n")
    };
    if comparison.runtime.has_v0() {
        let rows = found.found.rows.iter().map(|row| {
            let cells = [row.channel.to_string(), label(row), fate_text(row, &row.old), fate_text(row, &row.new)];
            (cells, row.rule.map(|rule| rule.id()))
        });
        let is_only = !comparison.runtime.has_v1();
        table(if is_only { "All installed versions" } else { "All installed versions under OLM v0" }, rows.collect())?;
    }
    if comparison.runtime.has_v1() {
        let row = |channel: &str, row: &ExtensionRow, case: &ExtensionCase| {
            let [before, after] = [&case.old, &case.new].map(|fate| extension_fate_text(fate));
            ([channel.to_owned(), extension_label(row), before, after], case.rule.map(|rule| rule.rule().id))
        };
        let rows = comparison
            .extension_cases(found)
            .map(|(found, channel)| row(channel.map_or(ANY_CHANNEL, ChannelName::as_str), found, found.case(channel)));
        let rows = rows.collect();
        table("All installed versions under OLM v1", rows)?;
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
        writeln!(out, "- {}: {}", level_name(row.level), markdown(&subscription_text(row)))?;
    }
    for (level, text) in cluster.failures.iter().filter_map(failure_text) {
        writeln!(out, "- {}: {}", level_name(level), markdown(&text))?;
    }
    for text in cluster.openshift.iter().flat_map(openshift_texts) {
        writeln!(out, "- risky: {}", markdown(&text))?;
    }
    writeln!(out)
}

/// The name of a level.
#[must_use]
pub const fn level_name(level: LevelView) -> &'static str {
    match level {
        LevelView::Breaking => "breaking",
        LevelView::Risky => "risky",
        LevelView::Neutral => "neutral",
        LevelView::Good => "good",
    }
}
