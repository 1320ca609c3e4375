//! The drawing of a package's channels, their map, and the way of one version.
//!
//! All numbers are integers in drawing units; one unit is a CSS pixel at zoom 1.

use crate::{ChannelSwitch, EntryKey, PackageKey, Place, Runtime};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use source::{AxisColumn, AxisDirection, EntryForm, Mark, Point, Presence, Severity};
use std::borrow::Cow;
use std::ops::Range;

/// How the lanes of a drawing are laid out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GraphLayout {
    /// Over one axis of versions that all lanes share.
    #[default]
    SharedAxis,
    /// Each lane by itself, with long runs of entries folded.
    Compact,
    /// Over one axis that all lanes share and that is as wide as a page: entries are stations, and long runs are folded.
    Dense,
}

/// The drawing of a graph that is wanted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GraphOptions {
    /// The layout; absent for the best one.
    pub layout: Option<GraphLayout>,
    pub direction: AxisDirection,
    /// Entries that are not folded.
    pub opened: Vec<EntryKey>,
    /// Draws both states of the comparison in one drawing. Labels and marks describe this state.
    /// `None` draws the catalog alone.
    pub compares: Option<Presence>,
    /// The versions of OLM: with OLM v1 the entries are marked where it parts from OLM v0.
    pub runtime: Runtime,
}

/// The answer to the question that a user comes with: is anything wrong?
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AnswerView {
    /// How bad it is; absent if nothing is wrong.
    pub severity: Option<Severity>,
    /// The answer, in few words.
    pub title: String,
    /// Its consequence or its cause, in one sentence.
    pub reason: String,
    /// The channel that a repair would help.
    pub repaired_channel: Option<String>,
}

/// The channels of a package as lanes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GraphView {
    pub package: PackageKey,
    pub catalog: String,
    pub layout: GraphLayout,
    /// Where the axis leads: x is along it, and y across it.
    pub direction: AxisDirection,
    /// The state that labels and marks describe, if it has both states of a comparison.
    pub compares: Option<Presence>,
    /// The package's deprecation message.
    pub deprecated: Option<String>,
    pub answer: AnswerView,
    pub width: i32,
    pub height: i32,
    /// Where entries begin; the lane names are left of it.
    pub gutter: i32,
    /// The shared axis, ascending; empty in the compact layout.
    pub columns: Vec<AxisColumn>,
    /// One lane for each channel: the default channel first, then stable before fast before candidate.
    pub lanes: Vec<LaneView>,
    /// All entries and ghosts, lane by lane, from old to new; edges and bands refer to them by index.
    pub nodes: Vec<NodeView>,
    /// `replaces` and `skips`.
    pub edges: Vec<EdgeView>,
    /// `skipRange`s.
    pub bands: Vec<BandView>,
    /// Runs of entries that are drawn as one box.
    pub folds: Vec<FoldView>,
}

/// Neighbours in a row of a lane that are drawn as one box.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FoldView {
    /// The oldest entry, an index of nodes; its element stands for all of them.
    pub first: u32,
    /// The newest entry.
    pub last: u32,
    /// The text of the box.
    pub label: String,
    /// The marks that all entries have, and those of errors that any of them has.
    pub marks: Vec<Mark>,
    /// What it is, for screen readers and tooltips.
    pub summary: String,
}

/// A channel.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LaneView {
    pub channel: String,
    /// Whether it is the default channel.
    pub default: bool,
    pub deprecated: Option<String>,
    /// Top.
    pub y: i32,
    pub height: i32,
    pub spine: i32,
    /// How many entries it lists.
    pub entries: u32,
    /// How many of them never reach the head.
    pub stuck: u32,
    /// What is wrong with its order, in short: `2 heads`, `no head`, `cycle`.
    pub problem: Option<String>,
    pub place: Place,
}

/// An entry of a channel, or a name that is shown in the channel without being its entry.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct NodeView {
    /// Which lane, an index.
    pub lane: u32,
    /// Its place among all versions of the package, ascending.
    pub column: u32,
    /// The row of its lane: 0 is the first, in which most entries stand.
    pub row: u32,
    /// The fold that it is in, an index; its box is that of the fold.
    pub fold: Option<u32>,
    /// From where a Subscription that changes its channel comes to it, in short.
    pub enters: Option<String>,
    pub key: EntryKey,
    /// The text of the box: the version, or the name if there is none or another name has the same version.
    pub label: String,
    /// The middle of the box.
    pub at: Point,
    pub width: i32,
    pub height: i32,
    pub form: EntryForm,
    /// Its marks, sorted.
    pub marks: Vec<Mark>,
    /// The text of its skipRange, if that is invalid; a valid one is a [`BandView`].
    pub bad_range: Option<String>,
    /// Everything that the drawing shows of it in one sentence, for screen readers and tooltips.
    pub summary: String,
    /// Its place; absent if it is not an entry of the channel.
    pub place: Option<Place>,
    /// What OLM v0 updates it to in its channel: of all entries that follow it, the nearest to the head.
    pub next: Option<NextView>,
    /// The updates that OLM makes from it until none follows, or until the head.
    pub hops: u32,
    /// The node where these updates end, an index. Where they lead in a circle, it is cut there.
    pub end: u32,
    /// The nodes that OLM's updates bring to it, its own first: first number and one past the last, in an order in which
    /// these nodes are contiguous. See [`GraphView::hops_between`].
    pub subtree: (u32, u32),
    /// How many nodes have it as their next update.
    pub updated_from: u32,
    /// The node to the left for the keyboard: what it replaces, else the newest that it skips or covers.
    pub previous: Option<u32>,
    /// The node to the right for the keyboard: its next update, else the oldest that names or covers it.
    pub following: Option<u32>,
    pub findings: u32,
}

/// The update that OLM makes from a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NextView {
    /// The newer entry, an index of nodes.
    pub to: u32,
    /// What is drawn of it.
    pub line: Line,
}

/// A line of the drawing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Line {
    /// An index of edges.
    Edge(u32),
    /// An index of bands.
    Band(u32),
}

/// What an edge means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EdgeKind {
    Replaces,
    Skips,
}

/// An update edge from the older to the newer entry.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EdgeView {
    /// What it means.
    pub kind: EdgeKind,
    /// The older entry, an index of nodes.
    pub from: u32,
    /// The newer entry, an index of nodes.
    pub to: u32,
    /// The polyline, from the older to the newer; two points are a straight line, more have horizontal and vertical
    /// parts.
    pub points: Vec<Point>,
    /// Whether OLM v0 ignores it, because the newer entry is not in the update chain.
    pub ignored: bool,
    /// Whether it matters to nobody, and is drawn only on demand.
    pub quiet: bool,
    /// Which states of a comparison have it.
    pub presence: Presence,
}

/// The versions that a skipRange matches.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BandView {
    /// Which lane, an index.
    pub lane: u32,
    /// The entry with the skipRange, an index of nodes.
    pub to: u32,
    pub range: String,
    pub label: String,
    /// The left and right ends of the covered parts.
    pub stretches: Vec<(i32, i32)>,
    pub y: i32,
    /// Whether it shares its row with other bands of the lane; it is drawn only while it is highlighted.
    pub folded: bool,
    /// Whether its row has no room for the label.
    pub thin: bool,
    /// Whether it has no lower bound; it is drawn open to the left.
    pub unbounded_below: bool,
    /// Whether there is a finding about it.
    pub warns: bool,
    /// Columns that it covers: first and one past the last of each stretch, indices, ascending.
    pub columns: Vec<(u32, u32)>,
    /// Whether OLM v0 ignores it, because its entry is not in the update chain.
    pub ignored: bool,
}

impl GraphView {
    /// The node whose box is drawn for a node: the oldest one of its fold, else itself.
    #[must_use]
    pub fn shown_as(&self, node: u32) -> u32 {
        self.fold(node).map_or(node, |fold| fold.first)
    }

    /// The fold that a node is in.
    #[must_use]
    pub fn fold(&self, node: u32) -> Option<&FoldView> {
        self.folds.get(self.nodes.get(node as usize)?.fold? as usize)
    }

    /// The nodes of a fold.
    pub fn folded(&self, fold: &FoldView) -> impl Iterator<Item = u32> {
        let first = fold.first;
        (first..=fold.last).filter(move |&node| self.shown_as(node) == first)
    }

    /// What is drawn for a node: itself, or its fold in the form of a node.
    #[must_use]
    pub fn drawn(&self, node: u32) -> Option<Cow<'_, NodeView>> {
        let view = self.nodes.get(node as usize)?;
        let Some(fold) = self.fold(node) else { return Some(Cow::Borrowed(view)) };
        let (label, marks, summary) = (fold.label.clone(), fold.marks.clone(), fold.summary.clone());
        Some(Cow::Owned(NodeView { label, marks, summary, enters: None, findings: 0, ..view.clone() }))
    }

    /// The nodes of a lane that have a box of their own.
    pub fn boxes(&self, lane: u32) -> impl Iterator<Item = u32> {
        self.lane_nodes(lane).filter(|&node| self.shown_as(node) == node)
    }

    /// The nodes of a lane, from old to new; their indices are contiguous.
    #[must_use]
    pub fn lane_nodes(&self, lane: u32) -> Range<u32> {
        let before = |lane: u32| self.nodes.partition_point(|node| node.lane < lane) as u32;
        before(lane)..before(lane.saturating_add(1))
    }

    /// In how many updates OLM brings one node to another one; absent where its updates do not lead there.
    #[must_use]
    pub fn hops_between(&self, from: u32, to: u32) -> Option<u32> {
        let (from, to) = (self.nodes.get(from as usize)?, self.nodes.get(to as usize)?);
        let is_inside = from.lane == to.lane && (to.subtree.0..to.subtree.1).contains(&from.subtree.0);
        is_inside.then(|| from.hops.saturating_sub(to.hops))
    }

    /// Whether a band covers a node of its lane.
    #[must_use]
    pub fn covers(&self, band: &BandView, node: u32) -> bool {
        let covered = self.nodes.get(node as usize);
        node != band.to && covered.is_some_and(|node| node.lane == band.lane && in_runs(&band.columns, node.column))
    }

    /// The nodes of its lane that a band covers, from old to new, without the one that has the range.
    pub fn covered(&self, band: &BandView) -> impl DoubleEndedIterator<Item = u32> {
        let Range { start, end } = self.lane_nodes(band.lane);
        let (columns, to) = (band.columns.clone(), band.to);
        let nodes = self.nodes[start as usize..end as usize].iter().zip(start..end);
        nodes.filter(move |(node, index)| *index != to && in_runs(&columns, node.column)).map(|(_, index)| index)
    }
}

/// Whether a column is in one of some ascending ranges.
fn in_runs(runs: &[(u32, u32)], column: u32) -> bool {
    let before = runs.partition_point(|&(_, end)| end <= column);
    runs.get(before).is_some_and(|&(start, _)| start <= column)
}

// The channel map of a package: to which channels a Subscription can switch when it is at the head of its own.

/// Channels, and the switches between them that OLM follows to the head of the other channel.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChannelMapView {
    /// The one with the newest head first; channels that OLM cannot order last.
    pub channels: Vec<MapChannel>,
    /// Sorted by the channel before the switch, then by the channel after it.
    pub switches: Vec<ChannelSwitch>,
    /// How many channels are left out: those with the oldest heads.
    pub omitted: u32,
}

/// A channel of the map.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MapChannel {
    pub channel: String,
    /// Whether it is the default channel.
    pub default: bool,
    /// Whether `olm.deprecations` names it.
    pub deprecated: bool,
    /// Its head; absent if OLM cannot order it.
    pub head: Option<MapHead>,
    /// Why OLM cannot order it, in OLM's own words.
    pub problem: Option<String>,
    /// Whether no switch leads on from its head, although another channel has a newer one.
    pub dead_end: bool,
}

/// The head of a channel.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MapHead {
    pub name: String,
    /// Its version, else its name.
    pub label: String,
}

// The way of an installed version to the head of its channel, in a few boxes, and what is told beside it.

/// The updates from a version to the head of its channel, and where they break off.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SmallChain {
    pub channel: String,
    /// From old to new: the version, some of those on its way, the head.
    pub steps: Vec<ChainStep>,
    /// What OLM makes of it and why, in one sentence; versions are in backticks.
    pub cause: String,
}

/// A version on the way, and the line that leads to it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChainStep {
    pub label: String,
    /// Those of [`Mark::Head`], [`Mark::Skipped`] and [`Mark::Stranded`] that it has in its channel.
    pub marks: Vec<Mark>,
    /// The line from the step before; of the first one it says nothing.
    pub line: ChainLine,
    /// How many versions are left out before it.
    pub more: u32,
}

/// The steps in words: `0.2.1, stuck; an ignored edge to 0.2.3, skipped; then 0.3.0, the head`.
#[must_use]
pub fn chain_words(steps: &[ChainStep]) -> String {
    let step = |(at, step): (usize, &ChainStep)| {
        let line = match (at, step.line) {
            (0, _) => "",
            (_, ChainLine::Update) => "then ",
            (_, ChainLine::Ignored) => "an ignored edge to ",
            (_, ChainLine::Missing) => "nothing leads to ",
        };
        let more = if step.more > 0 { format!("then {} more; ", step.more) } else { String::new() };
        let mark = if step.marks.contains(&Mark::Stranded) {
            ", stuck"
        } else if step.marks.contains(&Mark::Head) {
            ", the head"
        } else if step.marks.contains(&Mark::Skipped) {
            ", skipped"
        } else {
            ""
        };
        format!("{more}{line}{}{mark}", step.label)
    };
    steps.iter().enumerate().map(step).collect::<Vec<_>>().join("; ")
}

/// What leads from one version to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ChainLine {
    /// OLM makes the update.
    Update,
    /// An edge that OLM ignores, because its entry is not in the update chain.
    Ignored,
    Missing,
}

/// The stuck versions of the channel that has the most of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StuckView {
    /// How many there are in all channels of the package.
    pub versions: u32,
    /// How many and why, as a short sentence without full stop; versions are in backticks.
    pub sentence: String,
    /// The way of the newest one.
    pub chain: SmallChain,
}
