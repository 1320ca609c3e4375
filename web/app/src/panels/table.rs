//! The entries of a package as a table: the same as the drawing, in words.

use crate::store::{Action, Shared, Standing, TableRow, table};
use views::{EntryKey, GraphView, Mark};
use yew::prelude::*;

/// What the table shows.
#[derive(Clone, PartialEq, Properties)]
pub(crate) struct Props {
    /// The graph.
    pub(crate) graph: Shared<GraphView>,
    /// What the simulation says of its entries.
    pub(crate) standing: Standing,
    /// The selected entry.
    pub(crate) selected: Option<EntryKey>,
    /// Where events go.
    pub(crate) send: Callback<Action>,
}

/// One row an entry, channel by channel, the newest first.
#[component]
pub(crate) fn Table(props: &Props) -> Html {
    let rows = table(&props.graph, &props.standing);
    html! {
        <div class="scroll" role="tabpanel" tabindex="0" aria-label="Entries">
            <table class="entries" data-testid="table">
                <thead><tr>{ for ["Channel", "Entry", "Replaces", "Skips", "skipRange", "Marks"].map(|name| html! { <th scope="col">{ name }</th> }) }</tr></thead>
                <tbody>{ for rows.iter().map(|row| table_row(props, row)) }</tbody>
            </table>
        </div>
    }
}

fn table_row(props: &Props, row: &TableRow<'_>) -> Html {
    let key = row.key.clone();
    let onclick = props.send.reform(move |_: MouseEvent| Action::EntrySelected(key.clone()));
    let marks = row.marks.iter().map(|mark| mark_word(*mark).to_owned()).chain(row.standing.clone());
    html! {
        <tr aria-current={(props.selected.as_ref() == Some(row.key)).then_some("true")}>
            <td>{ row.key.channel.as_deref().unwrap_or("none") }</td>
            <th scope="row"><button type="button" class="link mono" {onclick}>{ row.label }</button></th>
            <td class="mono">{ row.replaces.join(", ") }</td>
            <td class="mono">{ row.skips.join(", ") }</td>
            <td class="mono">{ row.skip_range }</td>
            <td>{ marks.collect::<Vec<_>>().join(", ") }</td>
        </tr>
    }
}

/// A mark in a word or two.
const fn mark_word(mark: Mark) -> &'static str {
    match mark {
        Mark::Head => "head",
        Mark::Skipped => "skipped",
        Mark::Pruned => "pruned",
        Mark::Ghost => "not in channel",
        Mark::Stranded => "stranded",
        Mark::Deprecated => "deprecated",
        Mark::NoBundle => "no bundle",
    }
}
