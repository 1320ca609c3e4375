//! The table of reach on paper: so many channels side by side as a sheet is wide, below each other.

use super::reach::look;
use crate::store::{ReachTable, cell_word};
use yew::prelude::*;
use yew::virtual_dom::VList;

/// So many channels stand side by side.
const ACROSS: usize = 8;
/// So many cells are printed at most.
const MOST: usize = 16_000;

/// The rows and columns that are shown, all of them in the page. The style sheet shows them on paper alone.
pub(super) fn on_paper(table: &ReachTable, rows: &[usize], columns: &[usize]) -> Html {
    let printed = printed(rows.len(), columns.len());
    let left_out = (printed < rows.len())
        .then(|| format!("The first {printed} of {} versions. Copy has all; filters make it less.", rows.len()));
    html! { <div class="paper" data-testid="reach-paper">
        <p>{ left_out }</p>
        { for columns.chunks(ACROSS).map(|columns| html! { <table>{ part(table, &rows[..printed], columns) }</table> }) }
    </div> }
}

/// So many rows of so many columns are printed.
fn printed(rows: usize, columns: usize) -> usize {
    rows.min(MOST / columns.max(1))
}

fn part(table: &ReachTable, rows: &[usize], columns: &[usize]) -> VList {
    let label = |at: usize| table.rows.get(at).map(|row| row.label.clone());
    let mut part = VList::new();
    let mut head = VList::new();
    head.add_child(html! { <th scope="col">{ "installed" }</th> });
    for at in columns {
        let view = &table.columns[*at];
        head.add_child(html! { <th scope="col"><b>{ view.channel.clone() }</b><small>{ view.head.and_then(|row| label(row as usize)) }</small></th> });
    }
    part.add_child(html! { <thead><tr>{ head }</tr></thead> });
    for row in rows {
        let mut cells = VList::new();
        cells.add_child(html! { <th scope="row">{ label(*row) }</th> });
        for at in columns {
            let view = &table.columns[*at];
            cells.add_child(html! { <td class={look(view, *row)}>{ cell_word(table, view, *row) }</td> });
        }
        part.add_child(html! { <tr>{ cells }</tr> });
    }
    part
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_more_channels_the_fewer_versions_are_printed() {
        assert_eq!(printed(1000, 1), 1000);
        assert_eq!(printed(1000, 60), 266);
        assert_eq!(printed(0, 0), 0);
    }
}
