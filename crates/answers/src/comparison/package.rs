//! The comparison of one package: groups of rows with their paths, causes and fixes, other changes, and all rows.

use super::channels::Repairs;
use super::source_diff::source_diff;
use super::strips::strips;
use catalog::Package;
use compare::{Change, Compared, Edit, Explanation, Finding, Row, UpdatedBy, mermaid, words};
use session::Author;
use session::{Comparison, Side};
use session::{offer, package_change};
use source::Span;
use std::collections::BTreeSet;
use update_graph::PackageEdit;
use views::{
    CauseView, ChangeView, FileKey, FixView, GroupView, InputEdit, LineView, PackageComparisonView, Place, RowView,
};

/// The most edits of a cause, and the most fixes, that a group lists.
const CAUSES: usize = 12;
const FIXES: usize = 4;
/// The most characters of a line that are shown.
const LINE: usize = 120;

/// What was found of a package. `is_stopped` says that the search for causes and fixes was stopped.
pub(super) fn view(
    comparison: &Comparison<'_>,
    found: &Compared,
    repairs: &Repairs,
    is_stopped: bool,
) -> PackageComparisonView {
    let group = |finding: Finding<'_>| {
        let view = group(comparison, found, &finding);
        // The repairs are beside the groups.
        if repairs.heal(finding.group.first) { GroupView { fixes: Vec::new(), ..view } } else { view }
    };
    let groups = comparison.findings(found).into_iter().map(group);
    let change = |(level, found_change): (compare::Level, &Change)| change_view(comparison, found, level, found_change);
    let groups = groups.collect();
    let stopped = comparison.stopped_text(found).filter(|_| is_stopped);
    let unsearched = comparison.unsearched_text().into_iter().chain(stopped).map(|text| format!(". {text}"));
    PackageComparisonView {
        package: found.comparison.package.to_string(),
        sentence: comparison.happens(found) + &unsearched.collect::<String>(),
        groups,
        repairs: repairs.views(),
        changes: comparison.changes(found).into_iter().map(change).collect(),
        rows: rows(comparison, found),
        source: source_diff(comparison, found),
        left: (comparison.unexplained(found) + repairs.left()) as u32,
        mermaid: None,
    }
}

/// What a report says of a package: without the difference of the texts, but with a drawing.
pub(super) fn reported(comparison: &Comparison<'_>, found: &Compared, repairs: &Repairs) -> PackageComparisonView {
    let findings = comparison.findings(found);
    let group = |finding: &Finding<'_>| {
        let view = group(comparison, found, finding);
        match repairs.healing(finding.group.first) {
            Some(fixes) => GroupView { fixes: fixes.to_vec(), more_fixes: 0, ..view },
            None => view,
        }
    };
    let change = |(level, found_change): (compare::Level, &Change)| change_view(comparison, found, level, found_change);
    PackageComparisonView {
        package: found.comparison.package.to_string(),
        sentence: comparison.happens(found),
        groups: findings.iter().map(group).collect(),
        changes: comparison.changes(found).into_iter().map(change).collect(),
        rows: rows(comparison, found),
        mermaid: drawing(comparison, found),
        ..PackageComparisonView::default()
    }
}

fn change_view(comparison: &Comparison<'_>, found: &Compared, level: compare::Level, change: &Change) -> ChangeView {
    ChangeView {
        level,
        rule: change.rule.id().to_owned(),
        text: change.message.clone(),
        place: after(comparison, found, &change.edit).or_else(|| before(comparison, found, &change.edit)),
    }
}

/// The changed part of the update graph; `None` if one state does not have the package.
fn drawing(comparison: &Comparison<'_>, found: &Compared) -> Option<String> {
    let [old, new] = comparison.states(found);
    let rows =
        found.comparison.subscriptions().filter(|row| comparison.level(found, row) >= Some(compare::Level::Risky));
    let harmed: BTreeSet<(&str, &str)> = rows.map(|row| (row.channel.as_str(), row.installed.as_str())).collect();
    mermaid(old?, new?, &harmed)
}

/// The table of all installed versions: those under OLM v0, then those under OLM v1 as in the report.
fn rows(comparison: &Comparison<'_>, found: &Compared) -> Vec<RowView> {
    let mut versions: Vec<_> = comparison.rows(found).map(|row| (&row.version, &row.installed)).collect();
    versions.sort();
    // Both runtimes stand in one table.
    let prefix = |row: &Row| if row.updated_by.is_v1() && comparison.runtime.has_v0() { "OLM v1: " } else { "" };
    let shown = |row: &Row| {
        let [before, after] = words::outcomes(row, words::outcome_label);
        RowView {
            channel: format!("{}{}", prefix(row), words::channel_text(row)),
            installed: row.installed.to_string(),
            label: words::label(row),
            order: versions.partition_point(|other| *other < (&row.version, &row.installed)) as u32,
            rule: row.rule.map(|rule| rule.id().to_owned()),
            level: comparison.level(found, row),
            before,
            after,
        }
    };
    comparison.rows(found).map(shown).collect()
}

fn group(comparison: &Comparison<'_>, found: &Compared, finding: &Finding<'_>) -> GroupView {
    let Finding { group, level, explanation: Explanation { cause: edits, fixes, simulated } } = finding;
    let first = group.first;
    let [before, after] = strips(first);
    GroupView {
        is_v1: first.updated_by.is_v1(),
        level: *level,
        rule: group.rule.id().to_owned(),
        about: group.rule.about().to_owned(),
        effect: group.rule.effect().to_owned(),
        channel: first.named_channel().map(ToString::to_string),
        title: words::versions(group),
        versions: group.rows.iter().map(|row| words::label(row)).collect(),
        before,
        after,
        shows: words::cluster_shows(first),
        simulated: simulated.as_ref().map(words::simulated_text),
        sentence: words::group_text(group),
        place: place(comparison, found, edits.first()),
        cause: edits.iter().take(CAUSES).map(|edit| cause(comparison, found, edit, first.updated_by)).collect(),
        more_causes: edits.len().saturating_sub(CAUSES) as u32,
        fixes: fixes.iter().take(FIXES).map(|verified| fix(comparison, found, verified)).collect(),
        more_fixes: fixes.len().saturating_sub(FIXES) as u32,
    }
}

/// Where to show a finding: at an edit in the new state, else at the package, which may be in the old state alone.
fn place(comparison: &Comparison<'_>, found: &Compared, edit: Option<&Edit>) -> Option<Place> {
    let [old, new] = comparison.states(found);
    if comparison.is_mirror() {
        let edited = edit.and_then(|edit| edit.span(old?));
        return edited.or_else(|| old?.span()).map(|span| comparison.before.place(span));
    }
    let edited = edit.and_then(|edit| edit.span(new?));
    let package = || new.and_then(Package::span);
    let after = edited.or_else(package).map(|span| comparison.after.place(span));
    after.or_else(|| Some(comparison.before.place(old?.span()?)))
}

fn cause(comparison: &Comparison<'_>, found: &Compared, edit: &Edit, updated_by: UpdatedBy) -> CauseView {
    let [old, new] = comparison.states(found);
    CauseView {
        text: old.zip(new).map_or_else(String::new, |(old, new)| edit.describe(old, new, updated_by)),
        before: before(comparison, found, edit),
        after: after(comparison, found, edit),
    }
}

fn fix(comparison: &Comparison<'_>, found: &Compared, verified: &compare::VerifiedFix) -> FixView {
    FixView {
        text: verified.fix.describe(),
        effects: vec![format!("then {}", verified.outcome)],
        edit: edit(comparison, found, &verified.fix),
        ..FixView::default()
    }
}

/// The edit of the text after the change that makes an edit of the package. `None` if that is no text that can be edited.
fn edit(comparison: &Comparison<'_>, found: &Compared, edit: &PackageEdit) -> Option<InputEdit> {
    let catalog = Some(comparison.after).filter(|after| !after.is_opened)?.input;
    let author = Author { catalog, package: found.comparison.package.as_str() };
    author.package_edit(comparison.before, comparison.states(found)[0]?, edit).ok()?;
    Some(offer(catalog.id, [package_change(author.package, comparison.before, edit)]))
}

fn before(comparison: &Comparison<'_>, found: &Compared, edit: &Edit) -> Option<LineView> {
    line(comparison.before, span(comparison.states(found)[0], edit)?)
}

/// Nobody writes the text of a mirror.
fn after(comparison: &Comparison<'_>, found: &Compared, edit: &Edit) -> Option<LineView> {
    if comparison.is_mirror() {
        return None;
    }
    line(comparison.after, span(comparison.states(found)[1], edit)?)
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
