//! What the drawing and the tables of an update graph show of entries.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A property of an entry that the drawing shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mark {
    /// No entry of its channel replaces or skips it.
    Head,
    /// An entry of its channel skips it by name.
    Skipped,
    /// The channel lists it, but a skipRange without `replaces` prunes it: no update leads to it.
    Pruned,
    /// Not an entry of this channel: an edge names it, or a skipRange covers it.
    Ghost,
    /// The package has the bundle, but a startingCSV for this channel cannot name it: the channel does
    /// not list it, or its entry replaces or skips itself.
    NotStartable,
    /// No path leads from it to the head of its channel.
    Stranded,
    /// A Subscription that has it can switch to a channel with a higher head.
    Switch,
    /// A head from which no switch leads to a channel with a higher head.
    NoWayOn,
    /// `olm.deprecations` names it.
    Deprecated,
    /// No bundle document describes it.
    NoBundle,
    /// The bundle is not known: it comes from a template with images that no loaded catalog has. The label is the name.
    UnknownBundle,
    /// The skipRange is invalid and covers no version.
    BadRange,
    Added,
    Removed,
    /// A change breaks clusters that have it installed.
    Harmed,
    /// A change is a risk for clusters that have it installed, which are updated another way.
    AtRisk,
    /// OLM v1 does something else with it than OLM v0.
    RuntimesDiffer,
}

/// Where the axis of versions leads, from old to new. Coordinates are along it, and across it from the first channel to the
/// last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum AxisDirection {
    /// To the right; channels are below each other.
    #[default]
    Right,
    /// Up, for narrow screens; channels are beside each other.
    Up,
}

/// How the drawing shows an entry.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum EntryForm {
    /// A box with its label.
    #[default]
    Box,
    /// A dot on a line, with its label only on demand.
    Station,
    /// A dot on a line, with its label.
    NamedStation,
}

impl Mark {
    /// In a word or two.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Head => "head",
            Self::Skipped => "skipped",
            Self::Pruned => "pruned",
            Self::Ghost => "not in channel",
            Self::NotStartable => "can’t be startingCSV",
            Self::Stranded => "stuck",
            Self::Switch => "switch",
            Self::NoWayOn => "no way on",
            Self::Deprecated => "deprecated",
            Self::NoBundle => "no bundle",
            Self::UnknownBundle => "bundle unknown",
            Self::BadRange => "invalid skipRange",
            Self::Added => "added",
            Self::Removed => "removed",
            Self::Harmed => "broken by the change",
            Self::AtRisk => "at risk",
            Self::RuntimesDiffer => "OLM v1 differs",
        }
    }

    /// As a part of a sentence about the entry.
    #[must_use]
    pub const fn meaning(self) -> &'static str {
        match self {
            Self::Head => "channel head",
            Self::Skipped => "skipped by name",
            Self::Pruned => "pruned by a skipRange",
            Self::Ghost => "not an entry of this channel",
            Self::NotStartable => "cannot be a startingCSV here",
            Self::Stranded => "no path to the head",
            Self::Switch => "can switch to a newer channel",
            Self::NoWayOn => "no way to a newer channel",
            Self::NoBundle => "no bundle document",
            Self::Added => "added by the change",
            Self::Removed => "removed by the change",
            Self::Harmed => "broken by the change if it is installed",
            Self::AtRisk => "at risk by the change if it is installed",
            Self::Deprecated | Self::UnknownBundle | Self::BadRange | Self::RuntimesDiffer => self.word(),
        }
    }
}

/// Why OLM makes no further update.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StopReason {
    /// The version is the head of the channel.
    Head,
    /// The version is newer than the head, and no entry of the channel follows it.
    #[serde(rename = "ahead_of_head")]
    Newer,
    /// An entry of the channel that no entry of the update chain follows.
    #[serde(rename = "stuck")]
    Stranded,
    /// Not an entry of the channel, and no entry follows.
    #[serde(rename = "no_path")]
    Uncovered,
    /// Updates go in a circle that does not contain the head.
    Circle,
}

impl StopReason {
    /// In a word or two.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Head => "already the head",
            Self::Newer => "ahead of head",
            Self::Stranded => "stuck",
            Self::Uncovered => "no path",
            Self::Circle => "circle",
        }
    }
}

/// A version on the axis of the drawing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AxisColumn {
    /// The middle.
    pub x: i32,
    /// The width of its widest box.
    pub width: i32,
    /// The version; for entries without one, their name.
    pub label: String,
}

/// A label of the grid, which has no axis.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AxisTick {
    /// The middle of its baseline; of a row, its left end.
    pub at: Point,
    pub label: String,
}

/// A Subscription at the head of one channel that switches to another one is updated to the head of that.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChannelSwitch {
    /// The channel that is left, an index.
    pub from: u32,
    /// The channel that is switched to, an index.
    pub to: u32,
    /// The number of updates; 0 if both channels have the same head.
    pub hops: u32,
    /// Whether no channel with a head between the two can be used as a step between them.
    pub direct: bool,
}

/// A point of a drawing; x grows to newer versions, y downwards.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Point {
    /// Across.
    pub x: i32,
    /// Down.
    pub y: i32,
}
