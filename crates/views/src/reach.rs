//! The table of reach and update paths: from which installed versions OLM's updates reach the heads of channels, and how.

use crate::{EntryKey, Place, ReasonView, RepairsView};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use source::StopReason;
use std::collections::BTreeMap;

/// The table of reach of a package: for each version that may be installed and each channel, where updates end. It is sent
/// in parts, some channels at a time; only the first part contains the rows, which are the same for all.
#[derive(Clone, Debug, Default, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct ReachView {
    /// The newest first; empty in all parts except the first.
    pub rows: Vec<ReachRow>,
    /// How many older versions were left out.
    pub omitted: u32,
    /// The channels of this part.
    pub columns: Vec<ReachColumn>,
    /// The number of channels of the package.
    pub total: u32,
}

impl ReachView {
    /// Leaves the rows of these versions, or of all if none is named; perhaps only those that are stuck in one of the channels.
    pub fn keep_rows(&mut self, names: &[String], only_stuck: bool) {
        let is_stuck = |at: usize| self.columns.iter().any(|column| column.cell(at).is_some_and(ReachCell::is_stuck));
        let is_meant = |row: &ReachRow| names.is_empty() || names.contains(&row.name);
        let rows = self.rows.iter().enumerate();
        let kept: Vec<bool> = rows.map(|(at, row)| is_meant(row) && (!only_stuck || is_stuck(at))).collect();
        keep(&mut self.rows, &kept);
        self.columns.iter_mut().for_each(|column| keep(&mut column.cells, &kept));
    }
}

fn keep<T>(items: &mut Vec<T>, kept: &[bool]) {
    let mut kept = kept.iter();
    items.retain(|_| kept.next() == Some(&true));
}

/// The whole table of reach of a package, as `opscope reach` prints it.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct ReachReport {
    pub package: String,
    #[serde(flatten)]
    pub table: ReachView,
    /// What helps the channels in which versions are stuck, if only these are shown.
    pub repairs: Vec<RepairsView>,
}

/// A version that may be installed.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct ReachRow {
    /// The name of its CSV.
    pub name: String,
    /// The version, or the name if there is none or another row has the same version.
    pub label: String,
    /// Whether the catalog has a bundle with this name.
    pub bundle: bool,
}

/// A channel.
#[derive(Clone, Debug, Default, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct ReachColumn {
    pub channel: String,
    /// Whether it is the default channel.
    pub default: bool,
    pub head: Option<ReachEnd>,
    /// Why OLM cannot order it, in OLM's own words; it has no cells then.
    pub problem: Option<String>,
    /// One for each row.
    pub cells: Vec<ReachCell>,
    /// Where OLM v1 ends for an extension that names the channel, where that is elsewhere: by the name of the CSV that is
    /// installed, and none if the resolution fails. Empty unless OLM v1 is asked for.
    pub v1: BTreeMap<String, Option<ReachEnd>>,
}

/// A version where updates end.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct ReachEnd {
    /// The name of its CSV.
    pub name: String,
    /// As that of its row.
    pub label: String,
}

/// Where the updates of a version in a channel end.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct ReachCell {
    /// The number of updates.
    pub hops: u32,
    /// Where they end, if that is neither the head nor the version itself.
    pub end: Option<ReachEnd>,
    /// Why they end there.
    pub stop: StopReason,
    /// Whether the channel lists the version.
    pub listed: bool,
}

/// Where the updates of one version end, with a Subscription to a channel.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChannelReach {
    pub channel: String,
    /// Whether it is the default channel.
    pub default: bool,
    /// The head of the channel; absent if OLM cannot order it.
    pub head: Option<EntryKey>,
    /// The first update.
    pub next: Option<NextHop>,
    /// The number of updates.
    pub hops: u32,
    /// The version, else the name, where they end.
    pub end: String,
    /// Why they end there; absent if OLM cannot order the channel.
    pub stop: Option<StopReason>,
}

/// The next update of a version.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NextHop {
    /// What it leads to.
    pub to: EntryKey,
    /// Its version, else its name.
    pub label: String,
    /// The field that allows it: `replaces`, `skips` or `skipRange`.
    pub via: String,
}

impl ReachCell {
    /// Whether a channel that lists the version does not update it to its head.
    #[must_use]
    pub const fn is_stuck(&self) -> bool {
        self.listed && !matches!(self.stop, StopReason::Head)
    }

    /// Whether a channel that does not list the version does not update it to its head, although a switch to the
    /// channel should: a version ahead of the head has nothing to be updated to.
    #[must_use]
    pub fn cannot_switch(&self) -> bool {
        let is_ahead = self.stop == StopReason::Newer && self.hops == 0;
        !self.listed && self.stop != StopReason::Head && !is_ahead
    }
}

impl ReachColumn {
    /// The cell of a row; none if OLM cannot order the channel.
    #[must_use]
    pub fn cell(&self, row: usize) -> Option<&ReachCell> {
        self.cells.get(row)
    }

    /// Where the updates of a row end; none if there are none, or if OLM cannot order the channel.
    #[must_use]
    pub fn end(&self, row: usize) -> Option<&ReachEnd> {
        let cell = self.cell(row).filter(|cell| cell.hops > 0)?;
        cell.end.as_ref().or(self.head.as_ref())
    }

    /// Whether OLM cannot order it, or does not update a version that it lists to its head.
    #[must_use]
    pub fn is_stuck(&self) -> bool {
        self.problem.is_some() || self.cells.iter().any(ReachCell::is_stuck)
    }

    /// A cell in a word or two: the number of hops to the head, or why updates do not lead there.
    #[must_use]
    pub fn word(&self, row: usize) -> String {
        let Some(cell) = self.cell(row) else { return no_update(None).to_owned() };
        let end = self.end(row).map_or("", |end| end.label.as_str());
        match (cell.stop, cell.hops) {
            (StopReason::Head, 0) => "head".to_owned(),
            (StopReason::Head, hops) => hops.to_string(),
            (StopReason::Circle, _) | (StopReason::Newer | StopReason::Stranded | StopReason::Uncovered, 0) => {
                no_update(Some(cell.stop)).to_owned()
            }
            (StopReason::Newer | StopReason::Stranded | StopReason::Uncovered, hops) => {
                format!("{hops}, ends at {end}")
            }
        }
    }
}

/// Why a channel makes no update of a version, in a word or two.
#[must_use]
pub const fn no_update(stop: Option<StopReason>) -> &'static str {
    match stop {
        None => "broken channel",
        Some(stop) => stop.word(),
    }
}

/// How OLM updates an installed version to an entry, or why it does not.
#[derive(Clone, Debug, Default, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct PathView {
    /// The answer in a sentence; names are in backticks.
    pub title: String,
    /// Whether OLM's updates lead to the entry.
    pub arrives: bool,
    /// The updates that OLM makes with a Subscription to the channel of the entry, until the entry or until no update follows.
    pub olm: Vec<HopView>,
    /// Why they do not lead to the entry.
    pub because: Vec<ReasonView>,
    /// What helps the channel, if a version on the way is stuck.
    pub repairs: Option<RepairsView>,
    /// What helps without an edit of the catalog, and only this one cluster: sentences; names are in backticks.
    pub advice: Vec<String>,
    /// The shortest path along the fields of the channel; only if OLM takes another one.
    pub shortest: Option<Vec<HopView>>,
    /// The path across channels, if the Subscription switches them; only if OLM's updates do not lead to the entry otherwise.
    pub across_channels: Option<Vec<HopView>>,
}

/// One update.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct HopView {
    /// The name that is installed before it.
    pub from: String,
    /// What it updates to.
    pub to: EntryKey,
    /// Its version, else its name.
    pub label: String,
    /// The field that allows it: `replaces`, `skips` or `skipRange`.
    pub via: String,
    /// Why, a sentence; names are in backticks.
    pub because: String,
    /// What users of the bundle that it leads to are told, if that is deprecated.
    pub deprecated: Option<String>,
    pub place: Place,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_is_stuck_where_it_is_listed_and_cannot_switch_where_it_is_not() {
        let judged = |hops, stop, listed| {
            let cell = ReachCell { hops, end: None, stop, listed };
            (cell.is_stuck(), cell.cannot_switch())
        };
        assert_eq!(judged(3, StopReason::Head, true), (false, false));
        assert_eq!(judged(0, StopReason::Stranded, true), (true, false));
        assert_eq!(judged(0, StopReason::Newer, true), (true, false));
        assert_eq!(judged(0, StopReason::Uncovered, false), (false, true));
        assert_eq!(judged(2, StopReason::Stranded, false), (false, true));
        assert_eq!(judged(1, StopReason::Newer, false), (false, true));
        assert_eq!(judged(0, StopReason::Newer, false), (false, false));
    }

    #[test]
    fn rows_go_with_their_cells_and_ends_keep_their_names() {
        let row = |name: &str| ReachRow { name: name.to_owned(), label: name.to_owned(), bundle: true };
        let end = |name: &str| Some(ReachEnd { name: name.to_owned(), label: name.to_owned() });
        let cell = |hops, end, stop| ReachCell { hops, end, stop, listed: true };
        let column = |problem: Option<String>, cells| ReachColumn {
            channel: "c".to_owned(),
            default: true,
            head: end("p.v3").filter(|_| problem.is_none()),
            problem,
            cells,
            v1: BTreeMap::new(),
        };
        let cells = vec![
            cell(0, None, StopReason::Head),
            cell(0, None, StopReason::Stranded),
            cell(1, end("p.v2"), StopReason::Stranded),
        ];
        let mut view = ReachView {
            rows: ["p.v3", "p.v2", "p.v1"].map(row).to_vec(),
            omitted: 0,
            columns: vec![column(None, cells), column(Some("broken".to_owned()), Vec::new())],
            total: 2,
        };
        let shown = |view: &ReachView| {
            let words = (0..view.rows.len()).map(|at| format!("{}: {}", view.rows[at].name, view.columns[0].word(at)));
            words.collect::<Vec<_>>()
        };
        assert_eq!(shown(&view), ["p.v3: head", "p.v2: stuck", "p.v1: 1, ends at p.v2"]);
        view.keep_rows(&[], true);
        assert_eq!(shown(&view), ["p.v2: stuck", "p.v1: 1, ends at p.v2"]);
        view.keep_rows(&["p.v1".to_owned()], false);
        assert_eq!((shown(&view), view.columns[1].cells.len()), (vec!["p.v1: 1, ends at p.v2".to_owned()], 0));
    }
}
