//! The comparison of one package: groups of rows with their paths, causes and fixes, other changes, and all rows.

use super::{fix_edit, level_view};
use crate::Workbench;
use crate::comparison::{Compared, Comparison, ExtensionFinding, Finding, Side, source_diff, words};
use catalog::Package;
use compare::{Change, Edit, Fate, Row};
use source::Span;
use views::{
    CauseView, ChangeView, ExtensionGroupView, FileKey, FixView, LineView, PackageComparisonView, PathStrip, RowGroup,
    RowView,
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
    let mut versions: Vec<&Row> = found.found.rows.iter().collect();
    versions.sort_by_key(|row| (&row.version, &row.installed));
    let order = |row: &Row| {
        versions.partition_point(|other| (&other.version, &other.installed) < (&row.version, &row.installed))
    };
    let row = |row: &Row| RowView {
        order: order(row) as u32,
        channel: row.channel.to_string(),
        installed: row.installed.to_string(),
        label: words::label(row),
        rule: row.rule.filter(|_| comparison.runtime.has_v0()).map(|rule| rule.id().to_owned()),
        level: comparison.level(found, row).map(level_view),
        before: words::fate_label(row, &row.old),
        after: words::fate_label(row, &row.new),
    };
    PackageComparisonView {
        package: found.found.package.to_string(),
        sentence: words::happens(comparison, found),
        groups: groups.collect(),
        extensions: extensions.map(|finding| extension_group(workbench, comparison, found, &finding)).collect(),
        changes: comparison.changes(found).into_iter().map(change).collect(),
        rows: found.found.rows.iter().map(row).collect(),
        source: source_diff(comparison, found),
    }
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
        cause: edits.iter().map(|edit| cause(comparison, found, edit)).collect(),
        fixes: fixes.iter().map(|verified| fix(workbench, comparison, found, verified)).collect(),
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
        effects: words::fix_effect(verified).map(|then| format!("then {then}")).into_iter().collect(),
        place: None,
        edit: fix_edit::edit(workbench, comparison, found, &verified.fix),
    }
}

/// The installed version, and where each update leads.
fn path(row: &Row, fate: &Fate) -> Vec<String> {
    std::iter::once(words::label(row)).chain(fate.hops.iter().map(words::hop_label)).collect()
}

fn strip(mut versions: Vec<String>, row: &Row, fate: &Fate, differs: Option<usize>) -> PathStrip {
    let reaches_head = fate.error.is_none() && !fate.repeats && fate.head() == Some(fate.end(&row.installed));
    let more = versions.len().saturating_sub(STRIP);
    versions.truncate(STRIP);
    PathStrip {
        differs: differs.filter(|at| *at < versions.len()).map(|at| at as u32),
        versions,
        more: more as u32,
        end: words::path_end(row, fate),
        reaches_head,
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
