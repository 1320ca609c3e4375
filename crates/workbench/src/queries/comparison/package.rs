//! The comparison of one package: groups of rows with their paths, causes and fixes, other changes, and all rows.

use super::{fix_edit, level_view};
use crate::Workbench;
use crate::comparison::{Compared, Comparison, ExtensionFinding, Finding, Side, source_diff, words};
use catalog::{ChannelName, Package};
use compare::{Change, Edit, Path, Row};
use source::Span;
use views::{
    CauseView, ChangeView, ExtensionGroupView, ExtensionOutcome, FileKey, FixView, LineView, PackageComparisonView,
    PathStrip, RowGroup, RowView,
};

/// The most versions that a strip shows.
const STRIP: usize = 12;
/// The most characters of a line that are shown.
const LINE: usize = 120;

pub(super) fn view(workbench: &Workbench, comparison: &Comparison<'_>, found: &Compared<'_>) -> PackageComparisonView {
    let groups = comparison.findings(found).into_iter().map(|finding| group(workbench, comparison, found, &finding));
    let extensions = comparison.extension_findings(found).into_iter();
    let change = |(level, change): (compare::Level, &Change)| ChangeView {
        level: level_view(level),
        rule: change.rule.id().to_owned(),
        text: change.message.clone(),
        place: after(comparison, found, &change.edit).or_else(|| before(comparison, found, &change.edit)),
    };
    let (groups, extensions) =
        (groups.collect(), extensions.map(|finding| extension_group(workbench, comparison, found, &finding)).collect());
    let unsearched = words::unsearched(comparison).map(|text| format!(". {text}"));
    PackageComparisonView {
        package: found.found.package.to_string(),
        sentence: words::happens(comparison, found) + &unsearched.unwrap_or_default(),
        groups,
        extensions,
        changes: comparison.changes(found).into_iter().map(change).collect(),
        rows: rows(comparison, found),
        source: source_diff(comparison, found),
    }
}

/// The table of all installed versions: those under OLM v0, then those under OLM v1 as in the report.
fn rows(comparison: &Comparison<'_>, found: &Compared<'_>) -> Vec<RowView> {
    let under_v0 = found.found.rows.iter().filter(|_| comparison.runtime.has_v0()).map(|row| {
        let rule = row.rule.map(|rule| rule.id().to_owned());
        let [before, after] = [&row.old, &row.new].map(|path| words::fate_label(row, path));
        let level = comparison.level(found, row).map(level_view);
        let (channel, installed) = (row.channel.to_string(), row.installed.to_string());
        let shown = RowView { channel, installed, label: words::label(row), order: 0, rule, level, before, after };
        ((&row.version, &row.installed), shown)
    });
    // Both runtimes stand in one table.
    let prefix = if comparison.runtime.has_v0() { "OLM v1: " } else { "" };
    let under_v1 = comparison.extension_cases(found).map(|(row, channel)| {
        let case = row.case(channel);
        let [before, after] = [&case.old, &case.new].map(|path| words::extension_fate_text(path));
        let shown = RowView {
            channel: format!("{prefix}{}", channel.map_or(words::ANY_CHANNEL, ChannelName::as_str)),
            installed: row.installed.to_string(),
            label: words::extension_label(row),
            order: 0,
            rule: case.rule.map(|rule| rule.rule().id.to_owned()),
            level: comparison.case_level(found, row, channel).map(level_view),
            before,
            after,
        };
        ((&row.version, &row.installed), shown)
    });
    let rows: Vec<_> = under_v0.chain(under_v1).collect();
    let mut versions: Vec<_> = rows.iter().map(|(version, _)| *version).collect();
    versions.sort();
    let order = |version| versions.partition_point(|other| *other < version) as u32;
    let orders: Vec<u32> = rows.iter().map(|(version, _)| order(*version)).collect();
    rows.into_iter().zip(orders).map(|((_, row), order)| RowView { order, ..row }).collect()
}

fn extension_group(
    workbench: &Workbench,
    comparison: &Comparison<'_>,
    found: &Compared<'_>,
    finding: &ExtensionFinding<'_>,
) -> ExtensionGroupView {
    let ExtensionFinding { group, level, cause: edits, fixes } = finding;
    let (case, rule) = (group.case(group.rows[0]), group.rule.rule());
    ExtensionGroupView {
        level: level_view(*level),
        rule: rule.id.to_owned(),
        about: rule.about.to_owned(),
        effect: rule.effect.to_owned(),
        channel: group.channel.map(ToString::to_string),
        title: words::extension_versions(group),
        versions: group.rows.iter().map(|row| words::extension_label(row)).collect(),
        before: words::extension_fate_text(&case.old),
        after: words::extension_fate_text(&case.new),
        outcome: outcome(&case.new),
        cause: edits.iter().map(|edit| cause(comparison, found, edit)).collect(),
        fixes: fixes.iter().map(|verified| fix(workbench, comparison, found, verified)).collect(),
    }
}

fn outcome(path: &Path) -> ExtensionOutcome {
    let end = path.last().map(words::last_label);
    match (end, &path.error) {
        (None, Some(_)) => ExtensionOutcome::Fails,
        (None, None) => ExtensionOutcome::Stays,
        (Some(_), None) if path.repeats => ExtensionOutcome::Repeats,
        (Some(end), None) => ExtensionOutcome::EndsAt(end),
        (Some(end), Some(_)) => ExtensionOutcome::FailsAt(end),
    }
}

fn group(workbench: &Workbench, comparison: &Comparison<'_>, found: &Compared<'_>, finding: &Finding<'_>) -> RowGroup {
    let Finding { group, level, cause: edits, fixes, simulated } = finding;
    let first = group.rows[0];
    let (old, new) = (path(first, &first.old), path(first, &first.new));
    let differs = old.iter().zip(&new).position(|(old, new)| old != new);
    let differs = differs.or_else(|| (old.len() != new.len()).then(|| old.len().min(new.len())));
    RowGroup {
        level: level_view(*level),
        rule: group.rule.id().to_owned(),
        about: group.rule.rule().about.to_owned(),
        channel: first.channel.to_string(),
        title: words::versions(group),
        versions: group.rows.iter().map(|row| words::label(row)).collect(),
        before: strip(old, first, &first.old, differs),
        after: strip(new, first, &first.new, differs),
        shows: words::cluster_shows(first),
        simulated: simulated.as_ref().map(words::simulated_text),
        cause: edits.iter().map(|edit| cause(comparison, found, edit)).collect(),
        fixes: fixes.iter().map(|verified| fix(workbench, comparison, found, verified)).collect(),
    }
}

fn cause(comparison: &Comparison<'_>, found: &Compared<'_>, edit: &Edit) -> CauseView {
    CauseView {
        text: comparison.cause(found, edit).0,
        before: before(comparison, found, edit),
        after: after(comparison, found, edit),
    }
}

fn fix(
    workbench: &Workbench,
    comparison: &Comparison<'_>,
    found: &Compared<'_>,
    verified: &compare::VerifiedFix,
) -> FixView {
    FixView {
        text: verified.fix.describe(),
        effects: verified.effect.iter().map(|then| format!("then {then}")).collect(),
        place: None,
        edit: fix_edit::edit(workbench, comparison, found, &verified.fix),
    }
}

/// The installed version, and where each update leads: as much of it as a strip shows.
fn path(row: &Row, path: &Path) -> Vec<String> {
    std::iter::once(words::label(row)).chain(path.hops().take(STRIP - 1).map(|hop| words::hop_label(&hop))).collect()
}

fn strip(versions: Vec<String>, row: &Row, path: &Path, differs: Option<usize>) -> PathStrip {
    PathStrip {
        differs: differs.filter(|at| *at < versions.len()).map(|at| at as u32),
        more: (path.len + 1 - versions.len()) as u32,
        versions,
        end: words::path_end(row, path),
        reaches_head: path.error.is_none() && !path.repeats && path.head() == Some(path.end(&row.installed)),
    }
}

fn before(comparison: &Comparison<'_>, found: &Compared<'_>, edit: &Edit) -> Option<LineView> {
    line(comparison.before, span(found.old, edit)?)
}

fn after(comparison: &Comparison<'_>, found: &Compared<'_>, edit: &Edit) -> Option<LineView> {
    line(comparison.after, span(found.new, edit)?)
}

fn span(package: Option<&Package>, edit: &Edit) -> Option<Span> {
    edit.span(package?)
}

/// The line of a span on one side.
fn line(side: Side<'_>, span: Span) -> Option<LineView> {
    let text = side.text(span.file)?;
    let start = text.get(..span.start as usize)?.rfind('\n').map_or(0, |at| at + 1);
    let line = text[start..].lines().next().unwrap_or_default().trim();
    // A line of a compact JSON file may hold a whole catalog.
    let line =
        if line.len() > LINE { text.get(span.start as usize..)?.lines().next().unwrap_or_default() } else { line };
    Some(LineView {
        place: side.place(span),
        path: side.input.file(FileKey(span.file.0))?.path.clone(),
        text: line.chars().take(LINE).collect(),
        is_present: !side.is_opened,
    })
}
