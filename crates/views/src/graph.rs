//! The drawing of a package's channels, their map, and the way of one version.
//!
//! All numbers are integers in drawing units; one unit is a CSS pixel at zoom 1.

use crate::{ChannelSwitch, EntryKey, PackageKey, Place, Runtime};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use source::{AxisColumn, AxisDirection, AxisTick, EntryForm, Mark, Point, Presence, Severity};
use std::ops::Range;

/// How the lanes of a drawing are laid out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GraphLayout {
    /// Boxes over one axis of versions that all lanes share.
    #[default]
    Boxes,
    /// The same with dots, as wide as a page.
    Dots,
    /// A row of dots for each lane or, of one lane, for each minor version.
    Grid,
}

/// The drawing of a graph that is wanted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GraphOptions {
    /// The layout; absent for the best one.
    pub layout: Option<GraphLayout>,
    pub direction: AxisDirection,
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
    /// The width of the column with the ways to newer channels, right of the entries; 0 without it.
    pub aside: i32,
    /// The shared axis, ascending; empty in the grid.
    pub columns: Vec<AxisColumn>,
    /// The labels of the grid.
    pub ticks: Vec<AxisTick>,
    /// One lane for each channel: the default channel first, then stable before fast before candidate.
    pub lanes: Vec<LaneView>,
    /// All entries and ghosts, lane by lane, from old to new; edges and bands refer to them by index.
    pub nodes: Vec<NodeView>,
    /// `replaces` and `skips`.
    pub edges: Vec<EdgeView>,
    /// `skipRange`s.
    pub bands: Vec<BandView>,
    /// The switches to newer channels that are drawn as lines.
    pub switches: Vec<SwitchView>,
}

/// A switch of a Subscription to a newer channel.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SwitchView {
    /// The installed entry, an index of nodes.
    pub from: u32,
    /// The entry of the other channel that one comes to first, an index of nodes.
    pub to: u32,
    /// The line, of horizontal and vertical parts.
    pub points: Vec<Point>,
}

/// How the entries of a channel come to channels with higher heads.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WaysView {
    /// Whether no channel has a higher head.
    pub is_newest: bool,
    /// How many entries can switch to such a channel.
    pub count: u32,
    /// The labels of these entries.
    pub only: Vec<String>,
    /// The newest channel that most of them can switch to.
    pub to: Option<String>,
    /// Whether the head cannot, although the users of the channel miss a newer version.
    pub is_dead_end: bool,
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
    /// Why the newest entries that never reach the head are stuck, as a clause.
    pub reason: Option<String>,
    /// The ways to newer channels; absent if it is the only channel, if OLM cannot order it, and for OLM v1.
    pub ways: Option<WaysView>,
    /// What is wrong with its order, in short: `2 heads`, `no head`, `cycle`.
    pub problem: Option<String>,
    pub place: Place,
    /// The updates before a change, in a row below its entries, if that changes them.
    pub before: Option<BeforeView>,
}

/// The updates of a channel before a change.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BeforeView {
    /// Where the row begins, and with it what is drawn of the shown state ends.
    pub top: i32,
    /// The entries of that state, from old to new.
    pub entries: Vec<BeforeEntry>,
}

/// An entry of the state before a change.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BeforeEntry {
    /// Its middle, which is that of the entry above it.
    pub x: i32,
    /// The middle of its next update.
    pub to: Option<i32>,
    /// Whether its updates never reached the head.
    pub is_stuck: bool,
    /// Its label, if it was the head.
    pub head: Option<String>,
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
