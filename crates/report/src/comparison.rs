//! What is reported of a comparison.

use crate::contract::ComparedRow;
use crate::item::{Block, Grade, Item, MIN_VERSION, NOT_COMPARABLE, Note, Report, Spot, standings};
use crate::printer::Places;
use crate::table::{Cell, Table};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;
use views::{
    CauseView, ChangeView, ClusterComparisonView, ComparisonView, FixView, GroupView, Level, LineView, MirrorView,
    NamespaceFailureRow, OpenShiftView, PackageComparisonView, RowView, SubscriptionRow,
};

/// A comparison of all packages, or of one.
pub struct Comparison {
    pub all: ComparisonView,
    /// Those with a difference, by name.
    pub packages: Vec<PackageComparisonView>,
    /// The rows of all packages of the state before; empty unless a program wants them.
    pub rows: BTreeMap<String, Vec<ComparedRow>>,
    /// What becomes of a cluster.
    pub cluster: Option<ClusterComparisonView>,
    /// The state after the change as a mirror, with the path of its configuration.
    pub mirror: Option<(String, MirrorView)>,
}

impl Comparison {
    /// What is reported: what cannot be compared, the cluster, each package with a difference, and the mirror.
    #[must_use]
    pub fn report(&self, places: &dyn Places) -> Report {
        let ComparisonView { before, after, totals, remarks, start, .. } = &self.all;
        let mut report = Report {
            title: "What this change does to installed operators".to_owned(),
            about: format!("Before: {before}. After: {after}."),
            summary: totals.as_ref().map(|totals| format!("In all packages: {totals}")),
            start: start.and_then(|place| places.spot(place)),
            remarks: remarks.clone(),
            blocks: Vec::new(),
            decision: None,
        };
        let of_following = if self.all.not_comparable.is_empty() { Level::Good } else { Level::Breaking };
        let not_comparable = self.all.not_comparable.iter().map(|text| (Level::Breaking, text));
        for (level, text) in not_comparable.chain(self.all.following.iter().map(|text| (of_following, text))) {
            report.push(Item::new(Grade::Difference(level), NOT_COMPARABLE, &**text));
        }
        if let Some(cluster) = &self.cluster {
            report.blocks.extend(of_cluster(cluster));
        }
        report.blocks.extend(self.packages.iter().flat_map(|package| of_package(package, places)));
        if let Some((config, view)) = &self.mirror {
            report.blocks.extend(of_mirror(config, view));
        }
        report
    }

    /// The answer for programs.
    #[must_use]
    pub fn json<'c>(&'c self) -> ComparedCatalogs<'c> {
        let levels = Level::ALL.iter().zip(self.all.levels.0).map(|(level, count)| (level.as_str(), count)).collect();
        let found = |name: &str| self.packages.iter().find(|package| package.package == *name);
        // What only the new state has is no row.
        let package = |(name, rows): (&'c String, &'c Vec<ComparedRow>)| Package {
            package: name,
            found: found(name).map(Differences::of),
            rows,
        };
        let ComparisonView { sentence, added, unmirrored, beside_fragment, not_comparable, following, remarks, .. } =
            &self.all;
        ComparedCatalogs {
            summary: levels,
            sentence,
            added,
            unmirrored: *unmirrored,
            beside_fragment: *beside_fragment,
            not_comparable,
            following: following.as_deref(),
            remarks,
            packages: self.rows.iter().map(package).collect(),
            cluster: self.cluster.as_ref(),
            mirror: self.mirror.as_ref().map(|(_, view)| view),
        }
    }
}

/// What a change of catalogs does, for programs.
#[derive(JsonSchema, Serialize)]
pub struct ComparedCatalogs<'c> {
    /// The number of rows and changes of each level.
    summary: BTreeMap<&'static str, u32>,
    sentence: &'c str,
    packages: Vec<Package<'c>>,
    added: &'c [String],
    unmirrored: u32,
    beside_fragment: u32,
    not_comparable: &'c [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    following: Option<&'c str>,
    remarks: &'c [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    cluster: Option<&'c ClusterComparisonView>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mirror: Option<&'c MirrorView>,
}

#[derive(JsonSchema, Serialize)]
struct Package<'c> {
    package: &'c str,
    #[serde(flatten)]
    found: Option<Differences<'c>>,
    rows: &'c [ComparedRow],
}

#[derive(JsonSchema, Serialize)]
struct Differences<'c> {
    sentence: &'c str,
    groups: &'c [GroupView],
    changes: &'c [ChangeView],
}

impl<'c> Differences<'c> {
    fn of(view: &'c PackageComparisonView) -> Self {
        Self { sentence: &view.sentence, groups: &view.groups, changes: &view.changes }
    }
}

fn of_package(view: &PackageComparisonView, places: &dyn Places) -> Vec<Block> {
    let mut blocks = vec![Block::heading(format!("{}: {}", view.package, view.sentence))];
    blocks.extend(view.different_groups().map(|view| Block::Item(group(view, places))));
    blocks.extend(view.changes.iter().map(|view| Block::Item(change(view, places))));
    let folded = |title: &str, blocks| Block::Folded { title: title.to_owned(), is_open: false, blocks };
    let mut in_markdown = Vec::new();
    if view.is_shown_in_graph() {
        in_markdown.push(Block::Picture(view.package.clone()));
    }
    if let Some(drawing) = &view.mermaid {
        in_markdown.push(folded("What changed in the update graph", vec![Block::Mermaid(drawing.clone())]));
    }
    in_markdown.push(folded("All installed versions", vec![Block::Table(table(&view.rows))]));
    blocks.push(Block::InMarkdown(in_markdown));
    blocks
}

fn group(view: &GroupView, places: &dyn Places) -> Item {
    let mut item = Item::new(Grade::Difference(view.level), &view.rule, &*view.sentence);
    // Where the way or the end is a risk, the outcome alone does not say which.
    let about = view.about.trim_end_matches('.');
    if view.level == Level::Risky && !view.sentence.contains(about) {
        item.notes.push(Note::aside("risk", about));
    }
    item.notes.extend(view.cause.iter().map(|row| cause(row, places)));
    item.notes.extend(more("cause", view.more_causes));
    item.notes.extend(view.simulated.iter().map(|text| Note::of("but", &**text)));
    let of_channel = view.channel.as_ref().filter(|_| view.channels.len() > 1);
    let label = of_channel.map_or_else(|| "fix".to_owned(), |channel| format!("fix in `{channel}`"));
    item.notes.extend(view.fixes.iter().map(|row| Note::of(&label, fix(row))));
    item.notes.extend(more("fix", view.more_fixes));
    Item { anchor: view.place.and_then(|place| places.spot(place)), ..item }
}

/// How many causes or fixes are not listed.
fn more(label: &str, count: u32) -> Option<Note> {
    (count > 0).then(|| Note::of(label, format!("{count} more")))
}

fn cause(row: &CauseView, places: &dyn Places) -> Note {
    Note::of("cause", &*row.text).at(row.after.as_ref().or(row.before.as_ref()).and_then(|line| spot(line, places)))
}

fn spot(line: &LineView, places: &dyn Places) -> Option<Spot> {
    places.spot(line.place)
}

/// What to change, and what OLM does then.
fn fix(row: &FixView) -> String {
    std::iter::once(&row.text).chain(&row.effects).map(String::as_str).collect::<Vec<_>>().join("; ")
}

fn change(view: &ChangeView, places: &dyn Places) -> Item {
    let item = Item::new(Grade::Difference(view.level), &view.rule, &*view.text);
    item.at(view.place.as_ref().and_then(|line| spot(line, places)))
}

/// All installed versions.
fn table(rows: &[RowView]) -> Table {
    let mut table = Table::new(["channel", "installed", "before", "after", "rule"]);
    for row in rows {
        let rule = row.rule.as_ref().map(|rule| format!("`{rule}`")).unwrap_or_default();
        let cells = [&row.channel, &row.label, &row.before, &row.after, &rule];
        table.push(cells.map(|text| Cell::plain(text)).into());
    }
    table
}

/// What becomes of the Subscriptions of a cluster, the namespaces that cannot be resolved, and what blocks an upgrade of OpenShift.
fn of_cluster(view: &ClusterComparisonView) -> Vec<Block> {
    let notices = view.notices.iter().map(|text| Item::new(Grade::Notice, "", &**text));
    let subscriptions = view.subscriptions.iter().map(subscription);
    let failures = view.failures.iter().filter_map(failure);
    let openshift = view.openshift.iter().flat_map(openshift_sentences);
    let openshift = openshift.map(|text| Item::new(Grade::Difference(Level::Risky), "", text));
    let items = notices.chain(subscriptions).chain(failures).chain(openshift);
    let title = std::iter::once(Block::heading("In the cluster".to_owned()));
    title.chain(standings(&view.namespaces)).chain(items.map(Block::Item)).collect()
}

/// What becomes of a Subscription.
fn subscription(row: &SubscriptionRow) -> Item {
    let installed = row.installed.as_deref().unwrap_or("not installed");
    let name = format!("{}/{} ({installed})", row.namespace, row.name);
    let dependencies =
        if row.dependencies.is_empty() { String::new() } else { format!("; {}", row.dependencies.join(", ")) };
    if row.about.is_empty() {
        let sentence = format!("{name}: {}, as before{dependencies}", row.after);
        return Item::new(Grade::Difference(row.level), "", sentence);
    }
    let sentence = format!("{name}: {} Before: {}. After: {}{dependencies}", row.about, row.before, row.after);
    Item::new(Grade::Difference(row.level), &row.rule, sentence)
}

/// A namespace that OLM cannot resolve after the change; `None` if it can be resolved again.
fn failure(row: &NamespaceFailureRow) -> Option<Item> {
    let error = row.after.as_deref()?;
    let causes = if row.causes.is_empty() { String::new() } else { format!(" (because of {})", row.causes.join(", ")) };
    let (level, before) = match row.before {
        Some(_) => (Level::Neutral, ", as before"),
        None => (Level::Breaking, ""),
    };
    let sentence = format!("namespace {} cannot be resolved{before}{causes}: {error}", row.namespace);
    Some(Item::new(Grade::Difference(level), "", sentence))
}

/// What blocks the upgrade of OpenShift, a sentence each; none if nothing does.
fn openshift_sentences(openshift: &OpenShiftView) -> Vec<String> {
    let OpenShiftView { current, next, now, before, after, remaining } = openshift;
    let upgrade = format!("the upgrade of OpenShift from {current} to {next}");
    let blocked = |when: &str, message: &Option<String>| match message {
        Some(message) => format!("{when} operators block {upgrade}: {}", message.replace('\n', " ")),
        None => format!("{when} no operator blocks {upgrade}"),
    };
    let mut texts: Vec<String> = now.iter().map(|_| blocked("now", now)).collect();
    if before != after {
        texts.push(blocked("with the updates of the catalog before,", before));
        texts.push(blocked("with the updates of the catalog after,", after));
    }
    texts.extend(remaining.iter().map(|text| format!("after its updates, {text}")));
    texts
}

/// Findings in the configuration of a mirror, and the `minVersion` that strands nobody.
fn of_mirror(config: &str, view: &MirrorView) -> Vec<Block> {
    let findings = view.findings.iter().map(|finding| {
        let at = (finding.line, finding.column);
        let item = Item::new(Grade::Finding(finding.severity), &finding.rule, &*finding.message);
        let item = item.at([Spot { path: config.to_owned(), start: at, end: at, label: String::new() }]);
        finding.help.iter().fold(item, |item, help| item.with(Note::of("help", &**help)))
    });
    let min_versions = view.min_versions.iter().map(|found| {
        let (grade, rule) = match found.stranded {
            0 => (Grade::Difference(Level::Neutral), ""),
            _ => (Grade::Finding(views::Severity::Hint), MIN_VERSION),
        };
        Item::new(grade, rule, &*found.text)
    });
    let title = Block::heading(format!("In the mirror ({})", view.follows));
    std::iter::once(title).chain(findings.chain(min_versions).map(Block::Item)).collect()
}
