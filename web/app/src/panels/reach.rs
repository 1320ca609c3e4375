//! The Reach tab: number of hops from every version to the head of every channel. Renders visible cells only.

use crate::dom;
use crate::kit::{on, plural, press, shortened, table_body, use_window};
use crate::parts::{TableParts, mark_sign};
use crate::store::{Action, ExploreAction, ReachFilter, ReachOrder, ReachProblem, Shared, cell_sentence};
use std::ops::Range;
use std::rc::Rc;
use views::{EntryKey, Mark, ReachView, StopReason};
use yew::prelude::*;

/// Height of a row in CSS pixels, as in the style sheet.
const ROW: u32 = 30;
/// Width of a channel column and of the version column in CSS pixels, as in the style sheet.
const WIDTHS: (u32, u32) = (108, 150);
/// The most characters of a version that fit its column; the tooltip has the whole name.
const LABEL: usize = 18;
/// The largest number of channel columns.
const COLUMNS: usize = 120;
/// Channels side by side on paper, and the largest number of printed cells.
const PRINTED: (usize, usize) = (8, 16_000);
/// Rows that Page Up and Page Down move.
const PAGE: usize = 12;

#[derive(Clone, PartialEq, Properties)]
pub(crate) struct Props {
    /// The part of the table that has arrived.
    pub(crate) table: Option<Shared<ReachView>>,
    pub(crate) filter: ReachFilter,
    /// Whether the page is being printed.
    pub(crate) printing: bool,
    pub(crate) send: Callback<Action>,
}

/// A cell of the grid: row 0 is the header, column 0 has the versions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Spot {
    row: usize,
    column: usize,
}

/// The tab. Until the table of another package arrives, the one before stays in sight.
#[component]
pub(crate) fn Reach(props: &Props) -> Html {
    let last = use_mut_ref(|| None);
    let is_outdated = props.table.is_none();
    if !is_outdated {
        last.replace(props.table.clone());
    }
    let props = &Props { table: last.borrow().clone(), ..props.clone() };
    let shown =
        use_memo((props.table.clone(), props.filter.clone()), |(table, filter)| Shown::of(table.as_deref(), filter));
    let spot = use_state(Spot::default);
    let window = use_window(ROW, WIDTHS.0);
    let moved = use_mut_ref(|| false);
    {
        let moved = moved.clone();
        use_effect_with(*spot, move |spot| {
            if moved.replace(false) {
                dom::focus_into_view(&id(*spot));
            }
        });
    }
    let Some(table) = &props.table else {
        return html! {
            <p class="mute waiting" role="status">{ "Computing the updates of every version in every channel…" }</p>
        };
    };
    let go = {
        let (spot, shown, window) = (spot.clone(), shown.clone(), window.clone());
        Callback::from(move |next: Spot| {
            let next = Spot { row: next.row.min(shown.rows.len()), column: next.column.min(shown.columns.len()) };
            *moved.borrow_mut() = next != *spot;
            window.show(next.row.saturating_sub(1), next.column.saturating_sub(1));
            spot.set(next);
        })
    };
    let onkeydown = on_key(props, &shown, *spot, &go);
    let onclick = on_click(props, &shown, &go);
    html! {
        <div class={classes!("reach", is_outdated.then_some("outdated"))} role="tabpanel" aria-label="Reach"
            inert={is_outdated} aria-busy={is_outdated.then_some("true")}>
            { tools(props, table, &shown) }
            <div class="scroll grid" ref={window.frame.clone()} onscroll={window.onscroll.clone()}>
                <table role="grid" data-testid="reach"
                    aria-label="Hops from an installed version to the head of a channel"
                    tabindex={if *spot == Spot::default() { "0" } else { "-1" }}
                    width={(WIDTHS.1 as usize + shown.columns.len() * WIDTHS.0 as usize).to_string()}
                    id={id(Spot::default())} aria-rowcount={(shown.rows.len() + 1).to_string()}
                    aria-colcount={(shown.columns.len() + 1).to_string()} {onkeydown} {onclick}>
                    { head(props, table, &shown, *spot) }
                    { body(table, &shown, window.rows(shown.rows.len()), window.columns(shown.columns.len()), *spot) }
                </table>
                { empty_list(props, table, &shown) }
            </div>
            if props.printing { { on_paper(props, table, &shown) } }
        </div>
    }
}

/// The rows and columns that pass the filters, in order.
#[derive(Debug, Default, PartialEq)]
struct Shown {
    rows: Vec<usize>,
    columns: Vec<usize>,
    /// Number of channels beyond the limit.
    hidden: usize,
    /// Whether this is for printing, without focusable cells.
    paper: bool,
}

impl Shown {
    fn of(table: Option<&ReachView>, filter: &ReachFilter) -> Self {
        let Some(table) = table else { return Self::default() };
        let mut columns = filter.shown_columns(table);
        let hidden = columns.len().saturating_sub(COLUMNS);
        columns.truncate(COLUMNS);
        Self { rows: filter.shown_rows(table), columns, hidden, paper: false }
    }
}

/// The text when no version passes the filters, with a button that clears them.
fn empty_list(props: &Props, table: &ReachView, shown: &Shown) -> Html {
    let arrived = table.columns.len() as u32 == table.total;
    // A channel that has not arrived yet may have such a version.
    if !shown.rows.is_empty() || table.rows.is_empty() || !arrived {
        return Html::default();
    }
    let filter = &props.filter;
    let is_alone = filter.text.is_empty() && filter.head.is_empty();
    let is_broken = table.columns.iter().any(|column| column.problem.is_some());
    let text = match (filter.kind.filter(|_| is_alone), is_broken) {
        (Some(ReachProblem::Stuck), false) => "No version is stuck in its own channel.",
        (Some(ReachProblem::Stuck), true) => "No version is stuck in the channels that OLM can order.",
        (Some(ReachProblem::CannotSwitch), false) => "Every version can switch to every channel.",
        (Some(ReachProblem::CannotSwitch), true) => "Every version can switch to every channel that OLM can order.",
        (None, _) => "No version matches the filters.",
    };
    parts(props).empty("reach", text, "Show all versions", "reach-stuck")
}

fn parts(props: &Props) -> TableParts<'_, ReachProblem, ReachOrder> {
    let filtered = on(&props.send, ExploreAction::ReachFiltered);
    TableParts { filter: &props.filter, filtered }
}

/// The switch of a filter, with the number of versions that have the problem in the channels shown.
fn problem_filter(props: &Props, table: &ReachView, problem: ReachProblem) -> Html {
    let (testid, name, title) = match problem {
        ReachProblem::Stuck => {
            ("reach-stuck", "Stuck", "Show versions that are not updated to the head of a channel that lists them")
        }
        ReachProblem::CannotSwitch => (
            "reach-cannot-switch",
            "Cannot switch",
            "Show versions that are not updated to the head after a switch to a channel that does not list them",
        ),
    };
    let filter = ReachFilter { kind: Some(problem), ..props.filter.clone() };
    let count = filter.shown_rows(table).len();
    let name = html! { <>{ name }{ " " }<span class="number">{ count }</span></> };
    parts(props).kind_button(problem, testid, Some(title), name)
}

/// The printed table: blocks of as many channels as fit the width of a sheet.
fn on_paper(props: &Props, table: &ReachView, shown: &Shown) -> Html {
    let all = shown.rows.len();
    let printed = printed(all, shown.columns.len());
    let left_out = (printed < all)
        .then(|| format!("The first {printed} of {all} versions. Use Copy to get all of them, or filter the table."));
    let part = |columns: &[usize]| {
        let rows = shown.rows[..printed].to_vec();
        let (across, down) = (0..columns.len(), 0..printed);
        let shown = Shown { rows, columns: columns.to_vec(), hidden: 0, paper: true };
        html! {
            <table>
                { head(props, table, &shown, Spot::default()) }{ body(table, &shown, down, across, Spot::default()) }
            </table>
        }
    };
    html! {
        <div class="paper" data-testid="reach-paper">
            <p>{ left_out }</p>
            { for shown.columns.chunks(PRINTED.0).map(part) }
        </div>
    }
}

/// Number of printed rows for this many rows and columns.
fn printed(rows: usize, columns: usize) -> usize {
    rows.min(PRINTED.1 / columns.max(1))
}

fn id(spot: Spot) -> String {
    format!("reach-{}-{}", spot.row, spot.column)
}

fn tools(props: &Props, table: &ReachView, shown: &Shown) -> Html {
    let parts = parts(props);
    let copy = |markdown: bool| press(&props.send, ExploreAction::ReachCopied { markdown });
    let arrived = table.columns.len() as u32;
    let counted = if arrived < table.total {
        format!("{arrived} of {} channel{}", table.total, plural(table.total as usize))
    } else {
        format!("{} of {} version{}", shown.rows.len(), table.rows.len(), plural(table.rows.len()))
    };
    html! {
        <div class="tools">
            { parts.search(("Version", "Versions that contain", "reach-version"), |filter| &mut filter.text) }
            { parts.search(("Channel", "Channels that contain", "reach-channel"), |filter| &mut filter.head) }
            { problem_filter(props, table, ReachProblem::Stuck) }
            { problem_filter(props, table, ReachProblem::CannotSwitch) }
            <span class="mute" role="status">{ counted }
                if table.omitted > 0 { { format!(", {} older versions not shown", table.omitted) } }
                if shown.hidden > 0 { { format!(", {} channel{} more", shown.hidden, plural(shown.hidden)) } }
            </span>
            <span class="grow"></span>
            <span class="choice" role="group" aria-label="Copy the rows shown">
                <button type="button" data-testid="reach-copy" onclick={copy(false)}
                    title="Copy the rows shown as tab-separated values">
                    { "Copy" }
                </button>
                <button type="button" data-testid="reach-copy-markdown" onclick={copy(true)}
                    title="Copy the rows shown as a Markdown table">
                    { "Copy as Markdown" }
                </button>
            </span>
            <p class="mute about">
                { "Row: installed version. Column: its channel. Cell: number of hops to the head of the \
                  channel; – is ahead of it." }
                if table.columns.iter().any(|column| !column.v1.is_empty()) { { " ≠: OLM v1 ends elsewhere." } }
            </p>
        </div>
    }
}

fn head(props: &Props, table: &ReachView, shown: &Shown, spot: Spot) -> Html {
    let parts = parts(props);
    let columns = shown.columns.iter().zip(1..).map(|(&at, column)| {
        let view = &table.columns[at];
        let own = Spot { row: 0, column };
        let (sort, arrow) = parts.sort_signs(&ReachOrder::Channel(view.channel.clone()));
        let head = view.head.as_ref().map(|head| head.label.as_str());
        let title =
            view.problem.clone().unwrap_or_else(|| format!("{}, head {}", view.channel, head.unwrap_or("none")));
        html! {
            <th role="columnheader" scope="col" id={(!shown.paper).then(|| id(own))} data-spot={format!("0 {column}")}
                aria-colindex={(column + 1).to_string()} aria-sort={sort}
                tabindex={if own == spot { "0" } else { "-1" }} {title}
                class={classes!(view.problem.is_some().then_some("broken"))}>
                <b>{ &view.channel }</b>
                <small>
                    { head.unwrap_or(if view.problem.is_some() { "broken channel" } else { "" }) }{ arrow }
                </small>
            </th>
        }
    });
    let (sort, arrow) = parts.sort_signs(&ReachOrder::Version);
    html! {
        <thead>
            <tr role="row" aria-rowindex="1">
                <th role="columnheader" scope="col" data-spot="0 0" aria-colindex="1" aria-sort={sort}>
                    <b>{ "installed" }</b><small>{ arrow }</small>
                </th>
                { for columns }
            </tr>
        </thead>
    }
}

fn body(table: &ReachView, shown: &Shown, range: Range<usize>, across: Range<usize>, spot: Spot) -> Html {
    let aside =
        |columns: usize| html! { if columns > 0 { <td role="presentation" colspan={columns.to_string()}></td> } };
    let row = |at: usize| {
        let (row, number) = (shown.rows[at], at + 1);
        let view = &table.rows[row];
        let own = Spot { row: number, column: 0 };
        let cell = |at: usize| cell(table, (shown, at), row, Spot { row: number, column: at + 1 }, spot);
        html! {
            <tr key={row} role="row" aria-rowindex={(number + 1).to_string()}>
                <th role="rowheader" scope="row" id={(!shown.paper).then(|| id(own))} aria-colindex="1"
                    data-spot={format!("{number} 0")} tabindex={if own == spot { "0" } else { "-1" }}
                    title={view.name.clone()} class={classes!((!view.bundle).then_some("ghost"))}>
                    { shortened(&view.label, LABEL) }
                </th>
                { aside(across.start) }
                { for across.clone().map(cell) }
                { aside(shown.columns.len() - across.end) }
            </tr>
        }
    };
    table_body(ROW, shown.rows.len(), range, row)
}

fn cell(table: &ReachView, (shown, at): (&Shown, usize), row: usize, own: Spot, spot: Spot) -> Html {
    let column = &table.columns[shown.columns[at]];
    let known = column.cell(row);
    let class = match known.map(|cell| (cell.stop, cell.hops, cell.listed)) {
        None => "broken",
        Some((StopReason::Head, 0, _)) => "head",
        Some((StopReason::Head, _, _)) => "comes",
        Some((StopReason::Newer, 0, false)) => "ahead",
        Some((StopReason::Uncovered, 0, _)) => "no-path",
        Some(_) => "ends",
    };
    let word = if class == "ahead" && !shown.paper { "–".to_owned() } else { column.word(row) };
    let sign = match class {
        "ends" | "broken" => mark_sign(Mark::Stranded),
        "no-path" => mark_sign(Mark::Pruned),
        _ => Html::default(),
    };
    let listed = known.is_some_and(|cell| cell.listed).then_some("listed");
    let sentence = AttrValue::from(cell_sentence(table, column, row));
    html! {
        <td role="gridcell" id={(!shown.paper).then(|| id(own))} class={classes!(class, listed)}
            aria-colindex={(own.column + 1).to_string()} aria-label={sentence.clone()} title={sentence}
            data-spot={format!("{} {}", own.row, own.column)} tabindex={if own == spot { "0" } else { "-1" }}>
            { sign }{ word }
            if column.v1.contains_key(&table.rows[row].name) { <span aria-hidden="true">{ " ≠" }</span> }
        </td>
    }
}

/// The action of a cell: a header sorts, a body cell shows the path.
fn act(props: &Props, shown: &Shown, spot: Spot) {
    let Some(table) = &props.table else { return };
    let column = spot.column.checked_sub(1).and_then(|at| table.columns.get(*shown.columns.get(at)?));
    let row = spot.row.checked_sub(1).and_then(|at| table.rows.get(*shown.rows.get(at)?));
    let explored = match (row, column) {
        (None, _) => {
            let order = column.map_or(ReachOrder::Version, |column| ReachOrder::Channel(column.channel.clone()));
            ExploreAction::ReachFiltered(props.filter.sorted_by(order))
        }
        (Some(row), Some(column)) => {
            let Some(head) = &column.head else { return };
            let to = EntryKey { channel: Some(column.channel.clone()), name: head.name.clone() };
            ExploreAction::ReachCellChosen { from: row.name.clone(), to }
        }
        (Some(_), None) => return,
    };
    props.send.emit(Action::Explore(explored));
}

fn on_click(props: &Props, shown: &Rc<Shown>, go: &Callback<Spot>) -> Callback<MouseEvent> {
    let (props, shown, go) = (props.clone(), shown.clone(), go.clone());
    Callback::from(move |event: MouseEvent| {
        let data = dom::closest_data(&event, "[data-spot]", "data-spot");
        let spot = data.as_deref().and_then(|data| data.split_once(' '));
        if let Some((Ok(row), Ok(column))) = spot.map(|(row, column)| (row.parse(), column.parse())) {
            go.emit(Spot { row, column });
            act(&props, &shown, Spot { row, column });
        }
    })
}

fn on_key(props: &Props, shown: &Rc<Shown>, at: Spot, go: &Callback<Spot>) -> Callback<KeyboardEvent> {
    let (props, shown, go) = (props.clone(), shown.clone(), go.clone());
    Callback::from(move |event: KeyboardEvent| {
        let Spot { row, column } = at;
        let all = event.ctrl_key() || event.meta_key();
        let next = match event.key().as_str() {
            "ArrowUp" => Spot { row: row.saturating_sub(1), column },
            "ArrowDown" => Spot { row: row + 1, column },
            "ArrowLeft" => Spot { row, column: column.saturating_sub(1) },
            "ArrowRight" => Spot { row, column: column + 1 },
            "PageUp" => Spot { row: row.saturating_sub(PAGE), column },
            "PageDown" => Spot { row: row + PAGE, column },
            "Home" => Spot { row: if all { 0 } else { row }, column: 0 },
            "End" => Spot { row: if all { shown.rows.len() } else { row }, column: shown.columns.len() },
            "Enter" | " " => {
                event.prevent_default();
                return act(&props, &shown, at);
            }
            _ => return,
        };
        event.prevent_default();
        go.emit(next);
    })
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
