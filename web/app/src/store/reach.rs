//! The table of reach: filtered and sorted rows and columns, the texts of its cells, and the table as text.

use super::table::TableFilter;
use std::cmp::{Ordering, Reverse};
use views::{ChannelReach, EntryView, ReachCell, ReachColumn, ReachView, StopReason};

/// Which versions and channels are shown, and in which order: else the newest version first. A problem counts in the
/// shown channels.
pub type ReachFilter = TableFilter<ReachProblem, ReachOrder>;

/// What versions are sorted by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReachOrder {
    /// The version, the oldest first.
    Version,
    /// The hops in this channel.
    Channel(String),
}

/// A problem that a version has in a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReachProblem {
    /// The channel lists the version and does not update it to its head.
    Stuck,
    /// The channel does not list the version, and a Subscription that switches to it does not reach its head.
    CannotSwitch,
}

impl ReachProblem {
    /// Whether a cell has it.
    #[must_use]
    pub fn is_in(self, cell: &ReachCell) -> bool {
        match self {
            Self::Stuck => cell.is_stuck(),
            Self::CannotSwitch => cell.cannot_switch(),
        }
    }
}

impl ReachFilter {
    /// The columns that are shown, as indices.
    #[must_use]
    pub fn shown_columns(&self, table: &ReachView) -> Vec<usize> {
        let needle = self.head.trim().to_lowercase();
        let columns = table.columns.iter().enumerate();
        columns.filter(|(_, column)| column.channel.to_lowercase().contains(&needle)).map(|(at, _)| at).collect()
    }

    /// The rows that are shown, in order, as indices.
    #[must_use]
    pub fn shown_rows(&self, table: &ReachView) -> Vec<usize> {
        let columns = self.shown_columns(table);
        let texts = |row: usize| vec![&*table.rows[row].name, &*table.rows[row].label];
        let is_of = |row: usize, problem: ReachProblem| {
            columns.iter().any(|&at| table.columns[at].cell(row).is_some_and(|cell| problem.is_in(cell)))
        };
        self.apply(0..table.rows.len(), texts, is_of, |a, b, order| match order {
            // The rows are the newest first.
            ReachOrder::Version => b.cmp(&a),
            ReachOrder::Channel(name) => {
                let column = table.columns.iter().find(|column| column.channel == *name);
                column.map_or(Ordering::Equal, |column| rank(column, a).cmp(&rank(column, b)))
            }
        })
    }
}

/// Sort key: versions that reach the head by their hops, then the others, those with the most hops first.
fn rank(column: &ReachColumn, row: usize) -> (bool, u32, Reverse<u32>) {
    column.cell(row).map_or((true, u32::MAX, Reverse(0)), |cell| match cell.stop {
        StopReason::Head => (false, cell.hops, Reverse(0)),
        other => (true, other as u32, Reverse(cell.hops)),
    })
}

/// Where an entry stands, as the first line of its details: nowhere if clusters do not get the catalog.
#[must_use]
pub fn entry_standing(view: &EntryView) -> String {
    let text = view.reach.as_ref().map_or_else(|| "In no channel".to_owned(), standing);
    if view.is_rejected { format!("Not served, because opm rejects the catalog; otherwise: {text}") } else { text }
}

/// Where the updates of an entry end in a channel.
fn standing(reach: &ChannelReach) -> String {
    let ChannelReach { channel, end, .. } = reach;
    match (reach.stop, reach.hops) {
        (None, _) => format!("OLM cannot order {channel}, a broken channel"),
        (Some(StopReason::Head), 0) => format!("Head of {channel}"),
        (Some(StopReason::Head), hops) => format!("Updates to {end}, the head of {channel}, in {}", count(hops)),
        (Some(StopReason::Circle), _) => format!("Updates in {channel} go in a circle"),
        (Some(StopReason::Newer), 0) => format!("Ahead of the head of {channel}"),
        (Some(StopReason::Stranded), 0) => format!("Stuck in {channel}"),
        (Some(StopReason::Uncovered), 0) => format!("No update path in {channel}"),
        (Some(_), hops) => format!("Updates in {channel} end at {end} after {}, not at the head", count(hops)),
    }
}

fn count(hops: u32) -> String {
    if hops == 1 { "1 hop".to_owned() } else { format!("{hops} hops") }
}

/// A cell as a sentence, for its tooltip and for screen readers.
#[must_use]
pub fn cell_sentence(table: &ReachView, column: &ReachColumn, row: usize) -> String {
    let (from, channel) = (table.rows.get(row).map_or("", |row| row.label.as_str()), &column.channel);
    let Some(cell) = column.cell(row) else {
        return format!("{from} in {channel}: {}", column.problem.as_deref().unwrap_or("OLM cannot order the channel"));
    };
    let end = column.end(row).map_or("", |end| end.label.as_str());
    let hops = count(cell.hops);
    let v1 = match table.rows.get(row).and_then(|row| column.v1.get(&row.name)) {
        None => String::new(),
        Some(None) => "; OLM v1 fails".to_owned(),
        Some(Some(end)) => format!("; OLM v1 ends at {}", end.label),
    };
    let sentence = |from: &str, channel: &str, cell: &ReachCell, what: &str| sentence(from, channel, cell, what) + &v1;
    let tail = match cell.stop {
        StopReason::Head if cell.hops == 0 => return sentence(from, channel, cell, "is the head"),
        StopReason::Head => return sentence(from, channel, cell, &format!("reaches the head {end} in {hops}")),
        StopReason::Circle => return sentence(from, channel, cell, "its updates go in a circle"),
        StopReason::Newer => "it is ahead of the head, and no entry replaces, skips or covers it",
        StopReason::Stranded => "it is an entry, but OLM chooses no entry that follows it",
        StopReason::Uncovered => "no entry replaces, skips or covers it",
    };
    match cell.hops {
        0 => sentence(from, channel, cell, &format!("stays: {tail}")),
        _ => sentence(from, channel, cell, &format!("ends after {hops} at {end}, not at the head: {tail}")),
    }
}

fn sentence(from: &str, channel: &str, cell: &ReachCell, what: &str) -> String {
    let of = if cell.listed { "" } else { ", which does not list it" };
    format!("{from} in {channel}{of}: {what}")
}

/// The shown part of the table as tab-separated values or as a Markdown table.
#[must_use]
pub fn as_text(table: &ReachView, filter: &ReachFilter, markdown: bool) -> String {
    let columns = filter.shown_columns(table);
    let clean = |text: &str| text.replace(['\t', '\n', '\r'], " ").replace('|', if markdown { "\\|" } else { "|" });
    let line = |cells: Vec<String>| {
        if markdown { format!("| {} |\n", cells.join(" | ")) } else { cells.join("\t") + "\n" }
    };
    let channels = columns.iter().map(|&at| clean(&table.columns[at].channel));
    let mut text = line(std::iter::once("installed".to_owned()).chain(channels).collect());
    if markdown {
        text.push_str(&line(vec!["---".to_owned(); columns.len() + 1]));
    }
    for row in filter.shown_rows(table) {
        let cells = columns.iter().map(|&at| clean(&table.columns[at].word(row)));
        text.push_str(&line(std::iter::once(clean(&table.rows[row].label)).chain(cells).collect()));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use views::ReachRow;

    fn table() -> ReachView {
        let row = |label: &str| ReachRow { name: format!("p.v{label}"), label: label.to_owned(), bundle: true };
        let end = |label: &str| Some(views::ReachEnd { name: format!("p.v{label}"), label: label.to_owned() });
        let cell = |hops, stop| {
            let end = end("1.0.0").filter(|_| hops > 0 && stop != StopReason::Head);
            ReachCell { hops, end, stop, listed: stop == StopReason::Stranded }
        };
        let column = |channel: &str, head, cells| ReachColumn {
            channel: channel.to_owned(),
            head,
            cells,
            ..ReachColumn::default()
        };
        ReachView {
            rows: vec![row("3.0.0"), row("2.0.0"), row("1.0.0")],
            omitted: 0,
            columns: vec![
                column(
                    "fast",
                    end("3.0.0"),
                    vec![cell(0, StopReason::Head), cell(1, StopReason::Head), cell(2, StopReason::Head)],
                ),
                column(
                    "slow|x",
                    end("2.0.0"),
                    vec![cell(0, StopReason::Newer), cell(0, StopReason::Head), cell(1, StopReason::Stranded)],
                ),
                column(
                    "tight",
                    end("3.0.0"),
                    vec![cell(0, StopReason::Head), cell(0, StopReason::Uncovered), cell(1, StopReason::Head)],
                ),
                column("odd", None, Vec::new()),
            ],
            total: 4,
        }
    }

    #[test]
    fn cells_are_described_in_sentences() {
        let table = table();
        let sentence = |column: usize, row: usize| cell_sentence(&table, &table.columns[column], row);
        assert_eq!(sentence(0, 2), "1.0.0 in fast, which does not list it: reaches the head 3.0.0 in 2 hops");
        assert_eq!(
            sentence(1, 0),
            "3.0.0 in slow|x, which does not list it: stays: it is ahead of the head, and no entry replaces, skips or \
             covers it"
        );
        assert_eq!(sentence(3, 0), "3.0.0 in odd: OLM cannot order the channel");
    }

    #[test]
    fn an_entry_leads_with_where_its_updates_end() {
        let check = |stop, hops, expected: &str| {
            let (channel, end) = ("stable".to_owned(), "2.0.0".to_owned());
            assert_eq!(
                standing(&ChannelReach { channel, default: true, head: None, next: None, hops, end, stop }),
                expected
            );
        };
        check(Some(StopReason::Head), 0, "Head of stable");
        check(Some(StopReason::Head), 1, "Updates to 2.0.0, the head of stable, in 1 hop");
        let rejected = EntryView { is_rejected: true, ..EntryView::default() };
        assert_eq!(entry_standing(&rejected), "Not served, because opm rejects the catalog; otherwise: In no channel");
        check(Some(StopReason::Newer), 0, "Ahead of the head of stable");
        check(Some(StopReason::Stranded), 0, "Stuck in stable");
        check(Some(StopReason::Stranded), 2, "Updates in stable end at 2.0.0 after 2 hops, not at the head");
        check(Some(StopReason::Uncovered), 0, "No update path in stable");
        check(Some(StopReason::Circle), 3, "Updates in stable go in a circle");
        check(None, 0, "OLM cannot order stable, a broken channel");
    }

    #[test]
    fn rows_are_filtered_and_sorted() {
        let table = table();
        let shown = |filter: &ReachFilter| filter.shown_rows(&table);
        let all = ReachFilter::default();
        assert_eq!(shown(&all), [0, 1, 2]);
        assert_eq!(shown(&ReachFilter { text: "2.0".to_owned(), ..ReachFilter::default() }), [1]);
        assert_eq!(shown(&all.sorted_by(ReachOrder::Version)), [2, 1, 0]);
        let by = ReachOrder::Channel("slow|x".to_owned());
        assert_eq!(shown(&all.sorted_by(by.clone())), [1, 0, 2]);
        assert_eq!(shown(&all.sorted_by(by.clone()).sorted_by(by)), [2, 0, 1]);
        let only = |problem, channel: &str| {
            shown(&ReachFilter { kind: Some(problem), head: channel.to_owned(), ..ReachFilter::default() })
        };
        assert_eq!(only(ReachProblem::Stuck, ""), [2]);
        assert_eq!(only(ReachProblem::Stuck, "fast"), [0usize; 0]);
        assert_eq!(only(ReachProblem::CannotSwitch, ""), [1]);
    }

    #[test]
    fn the_text_contains_the_shown_cells() {
        let filter = ReachFilter { text: "1.0".to_owned(), ..ReachFilter::default() };
        assert_eq!(
            as_text(&table(), &filter, false),
            "installed\tfast\tslow|x\ttight\todd\n1.0.0\t2\t1, ends at 1.0.0\t1\tbroken channel\n"
        );
        let expected = "| installed | fast | slow\\|x | tight | odd |\n\
            | --- | --- | --- | --- | --- |\n\
            | 1.0.0 | 2 | 1, ends at 1.0.0 | 1 | broken channel |\n";
        assert_eq!(as_text(&table(), &filter, true), expected);
    }
}
