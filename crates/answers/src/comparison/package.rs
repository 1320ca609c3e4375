//! The comparison of one package: groups of rows with their paths, causes and fixes, other changes, and all rows.

use crate::repairs::{ChannelRepairs, RepairScope, repairs_in};
use catalog::predicate::PackageName;
use catalog::{BundleName, ChannelName, Package};
use cluster::Budget;
use compare::{
    Change, ChannelState, Compared, Edit, Explanation, Finding, Path, Row, Rule, UpdatedBy, mermaid, shortened, words,
};
use fbc::raw::LIFECYCLE_SCHEMA;
use fbc::{Node, Value as Unread};
use report::contract::{
    ComparedExtension, ComparedRow, ComparedSubscription, ExtensionPath, SubscriptionPath, group_of,
};
use serde_json::Value;
use session::{Author, Comparison, Side, offered_edit, package_change};
use similar::{ChangeTag, TextDiff};
use source::Span;
use std::collections::{BTreeMap, BTreeSet};
use update_graph::PackageEdit;
use views::{
    CauseView, ChangeView, DiffLine, DiffSign, DocumentDiff, FileKey, FixView, GroupView, InputEdit, LineView,
    PackageComparisonView, PathStrip, Place, RepairsView, RowView, SourceDiff,
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
    let stopped = comparison.stopped_text(found).filter(|_| is_stopped);
    let unsearched = comparison.unsearched_text().into_iter().chain(stopped).map(|text| format!(". {text}"));
    let view = with_groups(comparison, found, |view, row| match repairs.healing(row) {
        // The repairs are beside the groups.
        Some(_) => GroupView { fixes: Vec::new(), ..view },
        None => view,
    });
    PackageComparisonView {
        sentence: view.sentence + &unsearched.collect::<String>(),
        repairs: repairs.views(),
        source: source_diff(comparison, found),
        left: (comparison.unexplained(found) + repairs.left()) as u32,
        ..view
    }
}

/// What a report says of a package: without the difference of the texts, but with a drawing.
pub(super) fn reported(comparison: &Comparison<'_>, found: &Compared, repairs: &Repairs) -> PackageComparisonView {
    let view = with_groups(comparison, found, |view, row| match repairs.healing(row) {
        Some(fixes) => GroupView { fixes: fixes.to_vec(), more_fixes: 0, ..view },
        None => view,
    });
    PackageComparisonView { mermaid: drawing(comparison, found), ..view }
}

/// What page and report have in common. `with_fixes` sets the fixes of a group, whose first row it gets.
fn with_groups(
    comparison: &Comparison<'_>,
    found: &Compared,
    with_fixes: impl Fn(GroupView, &Row) -> GroupView,
) -> PackageComparisonView {
    let findings = comparison.findings(found);
    let mut channels: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for Finding { group, .. } in &findings {
        let channels = channels.entry(group_name(group)).or_default();
        channels.extend(Some(words::channel_text(group.first)).filter(|channel| !channels.contains(channel)));
    }
    let view = |finding: &Finding<'_>| {
        let channels = &channels[&group_name(&finding.group)];
        with_fixes(group(comparison, found, finding, channels), finding.group.first)
    };
    let groups = findings.iter().map(view).collect();
    let change = |(level, found_change): (compare::Level, &Change)| change_view(comparison, found, level, found_change);
    PackageComparisonView {
        package: found.comparison.package.to_string(),
        sentence: comparison.happens(found),
        groups,
        changes: comparison.changes(found).into_iter().map(change).collect(),
        rows: rows(comparison, found),
        ..PackageComparisonView::default()
    }
}

/// The same for groups to whose versions the same happens.
fn group_name(group: &compare::Group<'_>) -> String {
    group_of(group.rule.id(), Some(&words::versions(group)), Some(&words::group_text(group, "")))
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

/// The view of a group, to whose versions the same happens in these channels.
fn group(comparison: &Comparison<'_>, found: &Compared, finding: &Finding<'_>, channels: &[&str]) -> GroupView {
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
        group: group_name(group),
        channels: channels.iter().map(ToString::to_string).collect(),
        sentence: words::group_text(group, &channels.join(", ")),
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
    Some(offered_edit(catalog.id, [package_change(author.package, comparison.before, edit)]))
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

// The rows of a package as programs get them.

/// The most updates of a row that are listed.
const HOPS: usize = 40;

/// A row for each channel and listed entry of the state before.
pub(super) fn program_rows(comparison: &Comparison<'_>, found: &Compared) -> Vec<ComparedRow> {
    let extensions: BTreeMap<_, &Row> = found.comparison.extensions().map(|row| (row.key(), row)).collect();
    let of_any: BTreeMap<_, &Row> = (found.comparison.extensions())
        .filter(|row| row.updated_by == UpdatedBy::Extension)
        .map(|row| (&row.installed, row))
        .collect();
    let extension = |row: &Row| {
        let all = of_any.get(&row.installed)?;
        Some([*all, *extensions.get(&(UpdatedBy::ExtensionOfChannel, &row.channel, &row.installed))?])
    };
    let served = found.unserved.as_deref().unwrap_or(found);
    let mut groups: BTreeMap<_, String> = BTreeMap::new();
    for group in compare::groups(comparison.rows(served).filter(|row| comparison.level(served, row).is_some())) {
        let name = group_name(&group);
        groups.extend(group.rows.iter().map(|row| (row.key(), name.clone())));
    }
    let rows = served.comparison.subscriptions().map(|row| {
        let v0 = || ComparedSubscription {
            rule: row.rule.map(|rule| rule.id().to_owned()),
            level: comparison.level(served, row),
            old: subscription_path(row, &row.old),
            new: subscription_path(row, &row.new),
        };
        let extension = extension(row);
        let v1 = |state: fn(&Row) -> &Path| {
            let [all, channel] = extension?.map(|row| extension_path(state(row)));
            Some(ComparedExtension { all, channel })
        };
        let worst =
            extension.and_then(|rows| rows.into_iter().filter(|row| row.rule.is_some()).min_by_key(|row| row.rule));
        ComparedRow {
            channel: row.channel.to_string(),
            installed: row.installed.to_string(),
            group: groups.get(&row.key()).cloned(),
            v0: comparison.runtime.has_v0().then(v0),
            v1_old: v1(|row| &row.old),
            v1_new: v1(|row| &row.new),
            v1_rule: worst.and_then(|row| row.rule).map(Rule::id).map(str::to_owned),
            v1_level: worst.and_then(|row| comparison.level(found, row)),
        }
    });
    rows.collect()
}

fn hops(path: &Path) -> Vec<String> {
    path.names().take(HOPS).map(BundleName::to_string).collect()
}

/// How many updates are not listed.
fn more(path: &Path) -> Option<usize> {
    path.len.checked_sub(HOPS).filter(|more| *more > 0)
}

fn subscription_path(row: &Row, path: &Path) -> SubscriptionPath {
    SubscriptionPath {
        state: match path.state {
            ChannelState::PackageGone => "pkg-gone",
            ChannelState::ChannelGone => "chan-gone",
            ChannelState::Broken => "graph-broken",
            ChannelState::Served { .. } => "ok",
        },
        hops: hops(path),
        more: more(path),
        repeats: path.repeats && path.len <= HOPS,
        cap: path.len > HOPS,
        end: path.end(&row.installed).to_string(),
        error: path.error_text().map(|text| shortened(text).into_owned()),
    }
}

fn extension_path(path: &Path) -> ExtensionPath {
    ExtensionPath {
        next: path.answer().map(ToString::to_string),
        hops: hops(path),
        more: more(path),
        error: path.first_error().map(|error| shortened(&error.text).into_owned()),
    }
}

// The repairs of the channels of a package that is compared, searched one channel at a time.

/// The repairs of a package that is compared, as far as they were searched.
#[derive(Default)]
pub(super) struct Repairs {
    /// The channels that are left, the next one last; `None` before the search.
    left: Option<Vec<ChannelName>>,
    /// What was found, with its words.
    found: Vec<(ChannelRepairs, RepairsView)>,
}

impl Repairs {
    /// Nothing is searched yet.
    pub(super) const fn new() -> Self {
        Self { left: None, found: Vec::new() }
    }

    /// Goes on up to the next channel in which something is wrong, or until channels with about `piece` entries were looked at.
    /// Returns whether any are left.
    pub(super) fn advance(
        &mut self,
        comparison: &Comparison<'_>,
        compared: &Compared,
        installed: &[(PackageName, ChannelName, BundleName)],
        piece: usize,
        budget: &Budget,
    ) -> bool {
        let left = self.left.get_or_insert_with(|| channels(comparison, compared));
        let (mut work, known) = (0, self.found.len());
        while let Some(channel) = left.pop() {
            let scope = RepairScope {
                before: Some(comparison.before),
                after: comparison.after.input,
                packages: &[compared.comparison.package.as_str()],
                channels: &[channel.as_str()],
                avoid: &[],
                installed,
                budget,
            };
            self.found.extend(repairs_in(scope).into_iter().map(|found| {
                let view = found.view(scope);
                (found, view)
            }));
            let entries =
                |package: &Package| package.channel(channel.as_str()).map_or(0, |channel| channel.entries.len());
            work += comparison.states(compared).into_iter().flatten().map(entries).sum::<usize>();
            if self.found.len() > known || work >= piece {
                break;
            }
        }
        !left.is_empty()
    }

    /// What was found, by channel.
    pub(super) fn views(&self) -> Vec<RepairsView> {
        self.found.iter().map(|(_, view)| view.clone()).collect()
    }

    /// How many channels are left; before the search at least one.
    pub(super) fn left(&self) -> usize {
        self.left.as_ref().map_or(1, Vec::len)
    }

    /// The repairs that bring a row with a Subscription to the head, each of them.
    fn healing(&self, row: &Row) -> Option<&[FixView]> {
        let (_, view) = self.found.iter().find(|(found, _)| found.heal(row))?;
        Some(&view.fixes)
    }
}

/// The channels of both states that are looked at, the first one last. None if nobody edits the text of the state after the
/// change, or if it is about OLM v1 alone: repairs are edits for OLM v0.
fn channels(comparison: &Comparison<'_>, compared: &Compared) -> Vec<ChannelName> {
    let [old, new] = comparison.states(compared);
    // Of a package that is gone, the groups of rows say all there is to say.
    let packages = old.into_iter().filter(|_| new.is_some()).chain(new);
    let packages = packages.filter(|_| comparison.has_repairs());
    let names = packages.flat_map(|package| package.channels.iter().map(|channel| channel.name.value.clone()));
    names.collect::<BTreeSet<_>>().into_iter().rev().collect()
}

// The documents of a package that a change touches, as a unified diff by meaning: each document is written in one form
// on both sides, so that order, quotes, YAML or JSON make no difference.

/// The most documents that are shown.
const DOCUMENTS: usize = 40;
/// The most lines of a document that are shown.
const LINES: usize = 200;
/// The most characters of a line that are shown.
const WIDTH: usize = 160;
/// Unchanged lines that are shown around changed ones.
const CONTEXT: usize = 3;

/// A document, or an entry of `olm.deprecations`: its order among those of a package, its schema, and its name.
type Key = (u8, &'static str, String);

/// What differs in the documents of a package.
fn source_diff(comparison: &Comparison<'_>, found: &Compared) -> SourceDiff {
    let [old, new] = comparison.states(found);
    let (before, after) = (documents(comparison.before, old), documents(comparison.after, new));
    let mut keys: Vec<&Key> = before.keys().chain(after.keys()).collect();
    keys.sort();
    keys.dedup();
    let text = |documents: &BTreeMap<Key, Value>, key: &Key| documents.get(key).map(fbc::to_yaml).unwrap_or_default();
    let differing = keys.into_iter().filter(|key| before.get(*key) != after.get(*key));
    let mut documents: Vec<DocumentDiff> = differing
        .map(|key| {
            let (_, schema, name) = key;
            let (lines, more) = lines(&text(&before, key), &text(&after, key));
            DocumentDiff { title: format!("{schema} {name}"), lines, more }
        })
        .collect();
    let more = documents.len().saturating_sub(DOCUMENTS) as u32;
    documents.truncate(DOCUMENTS);
    SourceDiff { documents, more }
}

/// The lines that differ with some around them, and how many are left out at the end.
fn lines(before: &str, after: &str) -> (Vec<DiffLine>, u32) {
    let diff = TextDiff::from_lines(before, after);
    let mut lines = Vec::new();
    for (at, group) in diff.grouped_ops(CONTEXT).iter().enumerate() {
        if at > 0 {
            lines.push(DiffLine { sign: DiffSign::Gap, text: "…".to_owned() });
        }
        for change in group.iter().flat_map(|op| diff.iter_changes(op)) {
            let sign = match change.tag() {
                ChangeTag::Equal => DiffSign::Same,
                ChangeTag::Delete => DiffSign::Removed,
                ChangeTag::Insert => DiffSign::Added,
            };
            let text = change.value().trim_end_matches('\n').chars().take(WIDTH).collect();
            lines.push(DiffLine { sign, text });
        }
    }
    let more = lines.len().saturating_sub(LINES) as u32;
    lines.truncate(LINES);
    (lines, more)
}

fn documents(side: Side<'_>, package: Option<&Package>) -> BTreeMap<Key, Value> {
    let Some(package) = package else { return BTreeMap::new() };
    let name = |name: &BundleName| name.to_string();
    let declared = package.declared.map(|span| ((0, "olm.package", package.name.to_string()), span));
    let channels = package.channels.iter().map(|channel| ((1, "olm.channel", channel.name.to_string()), channel.span));
    let bundles = package.bundles.iter().map(|bundle| ((3, "olm.bundle", name(&bundle.name.value)), bundle.span));
    let deprecations = package.deprecations.iter().map(|found| {
        let target = found.target.name().unwrap_or("of the package");
        ((2, "olm.deprecations", target.to_owned()), found.span)
    });
    let lifecycles = package.lifecycles.iter().zip(1..).map(|(data, number): (_, u32)| {
        let name = if number == 1 { package.name.to_string() } else { format!("{} ({number})", package.name) };
        ((4, LIFECYCLE_SCHEMA, name), data.span)
    });
    let spans = declared.into_iter().chain(channels).chain(deprecations).chain(bundles).chain(lifecycles);
    spans.filter_map(|(key, span)| Some((key, document(side, span)?))).collect()
}

fn document(side: Side<'_>, span: Span) -> Option<Value> {
    let text = side.text(span.file)?;
    let mut value = Node { span, value: Unread::Unopened }.to_json(&text).ok()?;
    sort_lists(&mut value);
    Some(value)
}

/// Sorts lists whose order means nothing: entries, `skips`, properties and related images.
fn sort_lists(value: &mut Value) {
    let Value::Object(fields) = value else { return };
    for list in ["entries", "properties", "relatedImages"] {
        if let Some(Value::Array(items)) = fields.get_mut(list) {
            for item in items.iter_mut() {
                if let Some(Value::Array(skips)) = item.get_mut("skips") {
                    skips.sort_by_key(ToString::to_string);
                }
            }
            items.sort_by_key(|item| {
                let field = |name: &str| item.get(name).and_then(Value::as_str).map(str::to_owned);
                (field("name"), field("type"), item.to_string())
            });
        }
    }
}

// The updates of an installed version, as a strip of versions.

/// The most versions that a strip shows.
const STRIP: usize = 12;

/// The updates of a row before and after the change, as much of them as a strip shows.
pub(crate) fn strips(row: &Row) -> [PathStrip; 2] {
    let (old, new) = (&row.old, &row.new);
    let differs = old.names().zip(new.names()).position(|(old, new)| old != new);
    let differs = differs.or_else(|| (old.len != new.len).then(|| old.len.min(new.len)));
    // The installed version is before the updates.
    [old, new].map(|path| strip(row, path, differs.map(|update| update + 1)))
}

/// The installed version and where each update leads, with the first version that differs.
fn strip(row: &Row, path: &Path, differs: Option<usize>) -> PathStrip {
    let skipped = differs.filter(|at| *at >= STRIP).map_or(0, |at| at.min(path.len + 1).saturating_sub(STRIP / 2));
    let updates = path.hops().skip(skipped).take(STRIP - 1).map(|hop| words::hop_label(&hop));
    let versions: Vec<String> = std::iter::once(words::label(row)).chain(updates).collect();
    PathStrip {
        differs: differs.map(|at| at - skipped).filter(|at| *at < versions.len()).map(|at| at as u32),
        more: (path.len + 1 - skipped - versions.len()) as u32,
        skipped: skipped as u32,
        last: path.last().map(words::last_label),
        head: path
            .head()
            .map(|head| words::last_label((head, path.version_of(head))))
            .filter(|_| !row.updated_by.is_v1()),
        versions,
        end: words::path_end(row, path),
        is_fine: path.error.is_none() && !path.repeats && (row.updated_by.is_v1() || is_head(row, path)),
    }
}

fn is_head(row: &Row, path: &Path) -> bool {
    path.head() == Some(path.end(&row.installed))
}
