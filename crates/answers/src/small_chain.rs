//! The way of a version to the head of its channel in a few boxes, from the graph that is drawn, and the headline over
//! the drawing: whether OLM updates what is installed to the heads of the channels.

use super::findings::repaired_channel;
use super::graph_layout::follow_v1;
use super::graph_ways::no_way_on;
use super::overview::{rank, rejection, worst};
use catalog::{Channel, Entry, Package};
use session::{CatalogInput, Finding};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use update_graph::{LaneId, NodeId, UpdateGraph, hop};
use views::{
    AnswerView, ChainLine, ChainStep, GraphView, Mark, NodeView, Runtime, Severity, SmallChain, StuckView,
    first_and_more, with_short_names,
};

/// A way with more versions than this is shortened.
const BOXES: usize = 4;

/// The way of an entry of a channel to the head; `None` for the head, for what is newer, and where OLM cannot order the channel.
pub(super) fn small_chain(graph: &UpdateGraph<'_>, channel: &Channel, name: &str) -> Option<SmallChain> {
    let lane = lane_of(graph, channel)?;
    let (from, _) = graph.nodes_of(lane).find(|(_, node)| node.name.as_str() == name)?;
    Way::of(graph, lane, from).map(|way| way.view())
}

/// The names of the entries of a channel that are stuck, in the order of the text.
pub(super) fn stuck_in(graph: &UpdateGraph<'_>, channel: &Channel) -> Vec<String> {
    let nodes = lane_of(graph, channel).into_iter().flat_map(|lane| stuck(graph, lane));
    nodes.map(|id| graph.node(id).name.to_string()).collect()
}

/// The stuck versions of a package under OLM v0 and under OLM v1; `None` if there are none.
pub(crate) fn stuck_versions(catalog: &CatalogInput, package: &Arc<Package>) -> [Option<StuckView>; 2] {
    catalog.stuck.get_or_find(package, || {
        let mut graph = update_graph::build(package);
        let of_v0 = stuck_of(&graph);
        follow_v1(&mut graph);
        [of_v0, stuck_of(&graph)]
    })
}

/// The versions of a package that are stuck; `None` if none is.
fn stuck_of(graph: &UpdateGraph<'_>) -> Option<StuckView> {
    let of_lane = |at: u32| (LaneId(at), stuck(graph, LaneId(at)).collect::<Vec<NodeId>>());
    let lanes: Vec<(LaneId, Vec<NodeId>)> = (0..graph.lanes.len() as u32).map(of_lane).collect();
    let versions = lanes.iter().map(|(_, stuck)| stuck.len()).sum::<usize>() as u32;
    // Of several channels with as many, the first.
    let (lane, most) = lanes.into_iter().min_by_key(|(_, stuck)| Reverse(stuck.len()))?;
    let newest = most.iter().copied().max_by(|a, b| graph.node(*a).version.cmp(&graph.node(*b).version))?;
    let way = Way::of(graph, lane, newest)?;
    let entries = graph.lanes[lane.0 as usize].channel.entries.len();
    let (count, head) = (most.len(), way.label(way.head));
    let sentence = format!("{count} of {entries} entries never reach `{head}`, because {}", way.reason());
    Some(StuckView { versions, sentence, chain: way.view() })
}

/// Why the newest entries of a lane that never reach the head are stuck, as a clause.
pub(super) fn stuck_reason(graph: &UpdateGraph<'_>, lane: LaneId) -> Option<String> {
    let newest = stuck(graph, lane).max_by(|a, b| graph.node(*a).version.cmp(&graph.node(*b).version))?;
    Some(Way::of(graph, lane, newest)?.reason().replace('`', ""))
}

fn lane_of(graph: &UpdateGraph<'_>, channel: &Channel) -> Option<LaneId> {
    let at = graph.lanes.iter().position(|lane| lane.channel.name.value == channel.name.value)?;
    Some(LaneId(at as u32))
}

fn stuck<'g>(graph: &'g UpdateGraph<'_>, lane: LaneId) -> impl Iterator<Item = NodeId> + 'g {
    graph.nodes_of(lane).filter(|(_, node)| node.marks.contains(&Mark::Stranded)).map(|(id, _)| id)
}

/// A way from a version to the head of a channel.
struct Way<'g, 'c> {
    graph: &'g UpdateGraph<'c>,
    lane: LaneId,
    head: NodeId,
    /// The version, and those that OLM updates it to.
    made: Vec<NodeId>,
    /// What follows where these updates end, if that is not the head: an entry that would update it and those after, or the head alone.
    rest: Vec<NodeId>,
    /// How many entries of the channel would update the version at which the updates end, and are ignored.
    ignored: usize,
}

impl<'g, 'c> Way<'g, 'c> {
    fn of(graph: &'g UpdateGraph<'c>, lane: LaneId, from: NodeId) -> Option<Self> {
        let (head, _) = graph.nodes_of(lane).find(|(_, node)| node.position == Some(0))?;
        let made = updates(graph, from, head);
        let mut way = Self { graph, lane, head, made, rest: Vec::new(), ignored: 0 };
        let end = way.end();
        if from == head || (end == from && graph.node(from).version > graph.node(head).version) {
            return None;
        }
        if end != head {
            let (name, version) = (graph.node(end).name, graph.node(end).version.as_ref());
            let would_update = |entry: &Entry| hop(entry, name, version).is_some();
            let nodes = graph.nodes_of(lane).filter(|(id, node)| *id != end && node.position.is_none());
            let ignored = nodes.filter(|(_, node)| node.entry.is_some_and(would_update));
            let mut ways: Vec<_> = ignored.map(|(id, _)| updates(graph, id, head)).collect();
            ways.sort_by_key(|way| (way.last() != Some(&head), way.len()));
            way.ignored = ways.len();
            way.rest = ways.into_iter().next().unwrap_or_default();
            if way.rest.last() != Some(&head) {
                way.rest.push(head);
            }
        }
        Some(way)
    }

    /// Where the updates that OLM makes end.
    fn end(&self) -> NodeId {
        self.made.last().copied().unwrap_or(self.head)
    }

    fn label(&self, node: NodeId) -> String {
        self.graph.node(node).label()
    }

    fn channel(&self) -> &'c Channel {
        self.graph.lanes[self.lane.0 as usize].channel
    }

    fn view(&self) -> SmallChain {
        let all: Vec<NodeId> = self.made.iter().chain(&self.rest).copied().collect();
        let (last, end) = (all.len() - 1, self.made.len() - 1);
        // Where the way breaks off stays in sight.
        let middle = if self.rest.is_empty() { [1, 1] } else { [end, end + 1] };
        let shown = |at: usize| all.len() <= BOXES || at == 0 || at == last || middle.contains(&at);
        let (mut steps, mut more) = (Vec::new(), 0);
        for (at, &id) in all.iter().enumerate() {
            if shown(at) {
                let line =
                    if at == end + 1 { self.break_line() } else { self.line(at.checked_sub(1).map(|at| all[at]), id) };
                steps.push(ChainStep { label: self.label(id), marks: self.marks(id), line, more });
                more = 0;
            } else {
                more += 1;
            }
        }
        SmallChain { channel: self.channel().name.to_string(), steps, cause: self.cause() }
    }

    fn break_line(&self) -> ChainLine {
        if self.ignored > 0 { ChainLine::Ignored } else { ChainLine::Missing }
    }

    /// The line between two versions other than those between which the way breaks off.
    fn line(&self, before: Option<NodeId>, to: NodeId) -> ChainLine {
        let is_update = before.is_none_or(|before| self.graph.node(before).next.is_some_and(|next| next.to == to));
        if is_update { ChainLine::Update } else { ChainLine::Missing }
    }

    fn marks(&self, id: NodeId) -> Vec<Mark> {
        let told = [Mark::Head, Mark::Skipped, Mark::Stranded];
        told.into_iter().filter(|mark| self.graph.node(id).marks.contains(mark)).collect()
    }

    /// What OLM makes of it, and why.
    fn cause(&self) -> String {
        if self.rest.is_empty() {
            let first = self.made.first().and_then(|&from| self.graph.node(from).next);
            let field = first.map_or(("", self.head), |next| (next.via.as_str(), next.to));
            let (field, to) = (field.0, self.label(field.1));
            return match self.made.len() - 1 {
                1 => format!("One hop, by `{field}` of `{to}`."),
                hops => format!("{hops} hops, the first by `{field}` of `{to}`."),
            };
        }
        let reason = self.reason();
        let olm = match self.ignored {
            0 => "",
            _ => " OLM ignores the edges of entries that it does not choose from.",
        };
        format!("{}.{olm}", capitalized(&reason))
    }

    /// The entry nearest to the head that updates the version at which the updates end, although OLM makes no update.
    fn refused(&self) -> Option<NodeId> {
        let end = self.graph.node(self.end());
        let updates = |entry: &Entry| hop(entry, end.name, end.version.as_ref()).is_some();
        let others = self.graph.nodes_of(self.lane).filter(|(id, _)| *id != self.end());
        let updating = others.filter(|(_, node)| node.entry.is_some_and(updates));
        updating.min_by_key(|(_, node)| node.position).map(|(id, _)| id)
    }

    /// Why the updates end before the head, as a clause.
    fn reason(&self) -> String {
        let end = self.label(self.end());
        let Some((&to, true)) = self.rest.first().map(|to| (to, self.ignored > 0)) else {
            return match self.graph.node(self.end()).next {
                Some(_) => format!("the updates of `{end}` lead in a circle"),
                None => match self.refused() {
                    Some(to) => format!("OLM v1 refuses to update `{end}` to `{}`", self.label(to)),
                    None => format!("no entry replaces, skips or covers `{end}`"),
                },
            };
        };
        let only = if self.ignored == 1 { "only " } else { "" };
        let skips = |entry: &&Entry| entry.skips.iter().any(|skip| skip.value == *self.graph.node(to).name);
        let others = self.graph.nodes_of(self.lane).filter(|(_, node)| node.entry.as_ref().is_some_and(skips));
        // The nearest to the head of those that skip it.
        let skipped_by = others.min_by_key(|(_, node)| (node.position.is_none(), node.position)).map(|(id, _)| id);
        let to = self.label(to);
        match skipped_by {
            Some(by) => format!("{only}`{to}` updates `{end}`, and `{}` skips `{to}`", self.label(by)),
            None => format!("{only}`{to}` updates `{end}`, and no `replaces` leads from the head to `{to}`"),
        }
    }
}

/// A version and those that OLM updates it to, until the head or until none follows.
fn updates(graph: &UpdateGraph<'_>, from: NodeId, head: NodeId) -> Vec<NodeId> {
    let (mut way, mut seen, mut at) = (vec![from], BTreeSet::from([from]), from);
    while let Some(next) = graph.node(at).next.filter(|next| at != head && seen.insert(next.to)) {
        at = next.to;
        way.push(at);
    }
    way
}

// The headline over the drawing of a package: whether OLM updates what is installed to the heads of the channels.

/// How many versions a sentence names.
const NAMED: usize = 3;

/// The answer for a package; `view` has the updates of the runtime.
pub(super) fn answer(view: &GraphView, catalog: &CatalogInput, runtime: Runtime) -> AnswerView {
    let package = view.package.package.as_str();
    let is_own = |found: &Finding| found.subject.as_ref().is_some_and(|of| of.package.as_str() == package);
    // What is found about updates is about those of OLM v0.
    let is_meant = |found: &Finding| runtime != Runtime::V1 || rank(found) != 2;
    let findings = catalog.analysis.roots(|found| is_own(found) && is_meant(found));
    let warnings = findings.iter().filter(|found| found.worst == Severity::Warning).count();
    let problem = worst(findings.iter().copied());
    let clause = |found: &Finding| sentence(&with_short_names(&found.diagnostic.message, package));
    if let Some(rejected) = rejection(catalog) {
        return match problem.filter(|found| found.worst == Severity::Error) {
            Some(found) => AnswerView {
                repaired_channel: repaired_channel(found).filter(|_| runtime != Runtime::V1),
                ..bad("`opm` rejects this package: no cluster gets it".to_owned(), clause(found))
            },
            None => {
                let cause = rejected.package.unwrap_or(rejected.path);
                bad("No cluster gets this package".to_owned(), format!("`opm` rejects the catalog for `{cause}`."))
            }
        };
    }
    if let Some(found) = stuck_answer(view) {
        return AnswerView { repaired_channel: found.repaired_channel.filter(|_| runtime != Runtime::V1), ..found };
    }
    let reached = reached(view, runtime);
    let (severity, title, reason) = match (problem, &view.deprecated) {
        (Some(found), _) if found.worst == Severity::Error => (Some(Severity::Error), reached, clause(found)),
        (Some(found), _) => {
            let count = if warnings == 1 { "1 warning".to_owned() } else { format!("{warnings} warnings") };
            (Some(Severity::Warning), format!("{reached}, with {count}"), clause(found))
        }
        (None, Some(message)) => {
            (Some(Severity::Hint), format!("{reached}, but the package is deprecated"), sentence(message))
        }
        (None, None) => {
            let fine = || (reached.clone(), "`opm` accepts the catalog, and nothing is stuck.");
            let no_way_on = no_way_on(view);
            let severity = no_way_on.is_some().then_some(Severity::Hint);
            let (title, reason) = no_way_on.unwrap_or_else(fine);
            (severity, title, reason.to_owned())
        }
    };
    AnswerView { severity, title, reason, repaired_channel: None }
}

fn bad(title: String, reason: String) -> AnswerView {
    AnswerView { severity: Some(Severity::Error), title, reason, repaired_channel: None }
}

/// The part of a message before its first semicolon: what follows are details.
pub(super) fn first_clause(message: &str) -> &str {
    message.split_once("; ").map_or(message, |(clause, _)| clause)
}

/// The first clause of a message as a sentence.
fn sentence(message: &str) -> String {
    let clause = first_clause(message);
    let end = if clause.ends_with(['.', '!', '?']) { "" } else { "." };
    capitalized(clause) + end
}

/// The text with its first letter in upper case.
fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
    first + letters.as_str()
}

/// What is said of a package in which nothing is stuck.
fn reached(view: &GraphView, runtime: Runtime) -> String {
    let target = if runtime == Runtime::V1 { "highest version" } else { "head" };
    match &view.lanes[..] {
        [] => "No channel lists a version".to_owned(),
        lanes if lanes.iter().all(|lane| lane.entries <= 1) => "Each channel has one version".to_owned(),
        [_] => format!("Every version reaches the {target}"),
        _ => format!("Every version reaches the {target} of its channel"),
    }
}

/// The versions that OLM does not update to the end of their channel: how many, and what that means for clusters.
fn stuck_answer(view: &GraphView) -> Option<AnswerView> {
    let mut by_lane: BTreeMap<u32, Vec<&NodeView>> = BTreeMap::new();
    for node in view.nodes.iter().filter(|node| node.marks.contains(&Mark::Stranded)) {
        by_lane.entry(node.lane).or_default().push(node);
    }
    let nodes: Vec<&NodeView> = by_lane.values().flatten().copied().collect();
    let stays = nodes.iter().all(|node| node.next.is_none());
    let one = nodes.len() == 1;
    let what = match (stays, one) {
        (true, true) => "never updates again",
        (true, false) => "never update again",
        (false, true) => "never reaches the end",
        (false, false) => "never reach the end",
    };
    let (lane, of) = by_lane.first_key_value()?;
    let lane = view.lanes.get(*lane as usize)?;
    let title = match by_lane.len() {
        1 => format!("{} of {} versions in `{}` {what}", of.len(), lane.entries, lane.channel),
        _ => format!("{} versions in {} channels {what}", nodes.len(), by_lane.len()),
    };
    let labels = labels(view, by_lane.into_values().next()?.as_slice(), nodes.len());
    let stops = if stays { "stays where it is" } else { "stops before the end of its channel" };
    let reason = format!("Installed at {labels}, an operator {stops}, and OLM reports no error.");
    Some(AnswerView { repaired_channel: Some(lane.channel.clone()), ..bad(title, reason) })
}

/// `0.1.1 to 0.2.2` if these entries follow each other in their channel, else the first of them.
fn labels(view: &GraphView, of: &[&NodeView], total: usize) -> String {
    let ([first, .., last], true) = (of, of.len() == total) else {
        return first_and_more(of.iter().map(|node| format!("`{}`", node.label)), NAMED);
    };
    let between = view.nodes.iter().filter(|node| node.lane == first.lane && node.place.is_some());
    let between = between.filter(|node| (first.column..=last.column).contains(&node.column)).count();
    match between == of.len() && of.len() > 2 {
        true => format!("`{}` to `{}`", first.label, last.label),
        false => first_and_more(of.iter().map(|node| format!("`{}`", node.label)), NAMED),
    }
}

#[cfg(test)]
mod tests {
    use crate::entry::entry_with;
    use crate::{graph, overview};
    use session::testing::workbench;
    use views::{CatalogId, EntryKey, GraphOptions, PackageKey, Runtime, Severity, chain_words};

    fn bundles(versions: &[&str]) -> String {
        versions.iter().map(|version| format!("\nbundle p {version}")).collect()
    }

    /// The summary and the cause of the way of an entry.
    fn way(sketch: &str, name: &str) -> Option<(String, String)> {
        way_of(Runtime::V0, sketch, name)
    }

    fn way_of(runtime: Runtime, sketch: &str, name: &str) -> Option<(String, String)> {
        let package = PackageKey { catalog: CatalogId(0), package: "p".to_owned() };
        let key = EntryKey { channel: Some("c".to_owned()), name: name.to_owned() };
        let chain = entry_with(&workbench(&[("c", sketch)]), &package, &key, "", runtime).unwrap().chain?;
        Some((chain_words(&chain.steps), chain.cause))
    }

    #[track_caller]
    fn check(sketch: &str, name: &str, summary: &str, cause: &str) {
        assert_eq!(way(sketch, name), Some((summary.to_owned(), cause.to_owned())));
    }

    const SKIPPED: &str =
        "package p c\nchannel p c p.v3.0.0>p.v2.0.0-p.v2.0.0 p.v2.0.0>p.v1.0.0-p.v1.0.0,p.v1.1.0 p.v1.1.0 p.v1.0.0";
    const VERSIONS: [&str; 4] = ["1.0.0", "1.1.0", "2.0.0", "3.0.0"];

    #[test]
    fn the_way_of_a_stuck_version_breaks_at_the_edge_that_olm_ignores() {
        let sketch = SKIPPED.to_owned() + &bundles(&VERSIONS);
        check(
            &sketch,
            "p.v1.1.0",
            "1.1.0, stuck; an ignored edge to 2.0.0, skipped; then 3.0.0, the head",
            "Only `2.0.0` updates `1.1.0`, and `3.0.0` skips `2.0.0`. OLM ignores the edges of entries that it does not choose from.",
        );
        assert_eq!(way(&sketch, "p.v3.0.0"), None, "it is the head");
        // Its neighbour is skipped, and gets the head.
        check(&sketch, "p.v2.0.0", "2.0.0, skipped; then 3.0.0, the head", "One hop, by `replaces` of `3.0.0`.");
    }

    #[test]
    fn olm_v1_follows_what_olm_v0_ignores() {
        let sketch = SKIPPED.to_owned() + &bundles(&VERSIONS);
        let (summary, cause) = way_of(Runtime::V1, &sketch, "p.v1.1.0").unwrap();
        assert_eq!(summary, "1.1.0, skipped; then 2.0.0, skipped; then 3.0.0, the head");
        assert_eq!(cause, "2 hops, the first by `skips` of `2.0.0`.");
        assert_eq!(way_of(Runtime::Both, &sketch, "p.v1.1.0"), way(&sketch, "p.v1.1.0"));
        // Nor does it need one head.
        let heads = "package p c\nchannel p c p.v3.1.0 p.v3.0.0>p.v2.0.0 p.v2.0.0".to_owned()
            + &bundles(&["2.0.0", "3.0.0", "3.1.0"]);
        let expected = (
            "2.0.0, stuck; then 3.0.0, stuck; nothing leads to 3.1.0, the head",
            "No entry replaces, skips or covers `3.0.0`.",
        );
        let found = way_of(Runtime::V1, &heads, "p.v2.0.0").unwrap();
        assert_eq!((&*found.0, &*found.1), expected);
    }

    #[test]
    fn a_version_that_nothing_names_has_nothing_that_leads_on() {
        let sketch = "package p c\nchannel p c p.v3.0.0>p.v2.0.0 p.v2.0.0\nchannel p d p.v1.0.0".to_owned()
            + &bundles(&["1.0.0", "2.0.0", "3.0.0"]);
        assert_eq!(way(&sketch, "p.v1.0.0"), None, "the channel does not show it");
        let listed = "package p c\nchannel p c p.v3.0.0~<3.0.0>p.v2.0.0 p.v2.0.0 p.v3.1.0".to_owned()
            + &bundles(&["2.0.0", "3.0.0", "3.1.0"]);
        assert_eq!(way(&listed, "p.v2.0.0"), None, "OLM cannot order two heads");
    }

    #[test]
    fn a_long_way_is_shortened_where_nothing_happens() {
        let entries: Vec<String> = (1..=6)
            .rev()
            .map(|at| if at > 1 { format!("p.v{at}.0.0>p.v{}.0.0", at - 1) } else { "p.v1.0.0".to_owned() })
            .collect();
        let versions: Vec<String> = (1..=6).map(|at| format!("{at}.0.0")).collect();
        let versions: Vec<&str> = versions.iter().map(String::as_str).collect();
        let sketch = format!("package p c\nchannel p c {}", entries.join(" ")) + &bundles(&versions);
        check(
            &sketch,
            "p.v1.0.0",
            "1.0.0; then 2.0.0; then 3 more; then 6.0.0, the head",
            "5 hops, the first by `replaces` of `2.0.0`.",
        );
        check(
            &sketch,
            "p.v4.0.0",
            "4.0.0; then 5.0.0; then 6.0.0, the head",
            "2 hops, the first by `replaces` of `5.0.0`.",
        );
    }

    #[test]
    fn the_stuck_versions_of_a_package_are_told_in_one_sentence() {
        let sketch = SKIPPED.to_owned() + &bundles(&VERSIONS);
        let rows = overview(&workbench(&[("c", &sketch)])).packages;
        let stuck = rows[0].v0.stuck.as_ref().unwrap();
        let told =
            "2 of 4 entries never reach `3.0.0`, because only `2.0.0` updates `1.1.0`, and `3.0.0` skips `2.0.0`";
        assert_eq!((stuck.versions, &*stuck.sentence, rows[0].v0.rank), (2, told, 2));
        // OLM v1 follows the edges of the skipped entry.
        assert_eq!(rows[0].problem(Runtime::V1).stuck, None);
        let fine = "package p c\nchannel p c p.v2.0.0>p.v1.0.0 p.v1.0.0".to_owned() + &bundles(&["1.0.0", "2.0.0"]);
        assert_eq!(overview(&workbench(&[("c", &fine)])).packages[0].v0.stuck, None);
    }

    fn answer(sketch: &str, runtime: Runtime) -> (Option<Severity>, String, String) {
        let key = PackageKey { catalog: CatalogId(0), package: "p".to_owned() };
        let options = GraphOptions { runtime, ..GraphOptions::default() };
        let answer = graph(&workbench(&[("c", sketch)]), &key, &options).unwrap().answer;
        (answer.severity, answer.title, answer.reason)
    }

    #[test]
    fn the_stuck_versions_of_a_channel_are_counted_and_named() {
        let channel = "package p c\nchannel p c p.v5.0.0>p.v4.0.0-p.v4.0.0 p.v4.0.0-p.v1.0.0,p.v2.0.0,p.v3.0.0 p.v3.0.0 p.v2.0.0 p.v1.0.0";
        let sketch = channel.to_owned() + &bundles(&["1.0.0", "2.0.0", "3.0.0", "4.0.0", "5.0.0"]);
        let (severity, title, reason) = answer(&sketch, Runtime::V0);
        assert_eq!((severity, &*title), (Some(Severity::Error), "3 of 5 versions in `c` never update again"));
        assert_eq!(reason, "Installed at `1.0.0` to `3.0.0`, an operator stays where it is, and OLM reports no error.");
        // OLM v1 follows the edges of the skipped entry.
        assert_eq!(answer(&sketch, Runtime::V1).1, "Every version reaches the highest version");
    }

    #[test]
    fn a_package_at_fault_and_its_neighbour_are_told_apart() {
        let other =
            "\npackage q c\nchannel q c q.v1.0.0\nbundle q 1.0.0\npackage p c\nchannel p c p.v1.0.0\nbundle p 1.0.0";
        let (_, title, reason) = answer(&("package r none".to_owned() + other), Runtime::V0);
        let expected = ("No cluster gets this package", "`opm` rejects the catalog for `r`.");
        assert_eq!((&*title, &*reason), expected);
        let (_, title, reason) = answer("package p none", Runtime::V0);
        assert_eq!(title, "`opm` rejects this package: no cluster gets it");
        assert_eq!(reason, "Default channel `none` of package `p` does not exist.");
    }

    #[test]
    fn a_package_without_problems_says_that_its_versions_move_on() {
        let sketch = "package p c\nchannel p c p.v2.0.0>p.v1.0.0 p.v1.0.0".to_owned() + &bundles(&["1.0.0", "2.0.0"]);
        let (severity, title, reason) = answer(&sketch, Runtime::V0);
        assert_eq!((severity, &*title), (None, "Every version reaches the head"), "{reason}");
        let lone = "package p c\nchannel p c p.v1.0.0".to_owned() + &bundles(&["1.0.0"]);
        assert_eq!(answer(&lone, Runtime::V0).1, "Each channel has one version");
        let downgrade =
            "package p c\nchannel p c p.v1.0.0>p.v2.0.0 p.v2.0.0".to_owned() + &bundles(&["1.0.0", "2.0.0"]);
        let (severity, title, _) = answer(&downgrade, Runtime::V0);
        assert_eq!((severity, &*title), (Some(Severity::Warning), "Every version reaches the head, with 1 warning"));
    }

    #[test]
    fn channels_without_a_way_on_are_the_headline() {
        let sketch = "package p c\nchannel p c p.v2.0.0>p.v1.5.0 p.v1.5.0\nchannel p old p.v1.0.0".to_owned();
        let sketch = sketch + &bundles(&["1.0.0", "1.5.0", "2.0.0"]);
        let (severity, title, reason) = answer(&sketch, Runtime::V0);
        assert_eq!((severity, &*title), (Some(Severity::Hint), "`old` has no way to a newer channel"));
        assert!(reason.starts_with("Updates end at the head of the channel"), "{reason}");
        let title = |more: &str| answer(&format!("{sketch}\n{more}"), Runtime::V0).1;
        let other = "channel p older p.v0.9.0\nbundle p 0.9.0";
        assert_eq!(title(other), "3 channels, and no way between them");
        // The newer channel updates the version before the head.
        let before = "channel p slow p.v1.5.1>p.v1.5.0 p.v1.5.0\nbundle p 1.5.1";
        assert_eq!(title(before), "2 of 3 channels have no way to a newer one");
        assert_eq!(answer(&sketch, Runtime::V1).1, "Every version reaches the highest version of its channel");
        // The list has the package in the group of that headline, also if it is the default channel.
        let default = "package p stable\nchannel p stable p.v1.0.0\nchannel p stable-2 p.v2.0.0".to_owned();
        let default = default + &bundles(&["1.0.0", "2.0.0"]);
        assert_eq!(answer(&default, Runtime::V0).1, "`stable` has no way to a newer channel");
        let workbench = workbench(&[("c", &default)]);
        assert_eq!(overview(&workbench).packages[0].v0.rank, 4);
    }
}
