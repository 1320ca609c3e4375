//! Which states are compared: two lists of catalogs, a switch that exchanges them, and ways to open the state before.

use crate::dom;
use crate::kit::{Glyph, Menu};
use crate::store::{Action, CompareAction, State, inputs};
use views::{CatalogId, CatalogRow, Compared, SideKey};
use yew::prelude::*;

/// The tools above the comparison.
pub(super) fn side_tools(
    state: &State,
    compared: &Compared,
    is_ready: bool,
    send: &Callback<Action>,
    picked: &Callback<Event>,
) -> Html {
    let swap = send.reform(|_: MouseEvent| Action::Compare(CompareAction::Swapped));
    let copy = send.reform(|_: MouseEvent| Action::Compare(CompareAction::ReportCopied));
    let sides = format!("{} → {}", side_name(state, compared.before), side_name(state, compared.after));
    let label = html! { <>{ &sides }{ Glyph::Down.html() }</> };
    html! { <div class="tools sides">
        <Menu title={format!("{sides}: which states are compared")} {label} testid="compare-sides">
            { select(state, compared, true, send) }
            <button type="button" title="Exchange before and after" aria-label="Exchange before and after"
                data-testid="compare-swap" onclick={swap}>{ "⇄ Exchange" }</button>
            { select(state, compared, false, send) }
            { open_before(send, picked) }
        </Menu>
        <span class="grow"></span>
        <button type="button" disabled={!is_ready} title="For the comment of a pull request"
            data-testid="compare-copy" onclick={copy}>
            { Glyph::Copy.html() }{ "Copy as Markdown" }</button>
    </div> }
}

/// The name of a side.
fn side_name(state: &State, side: SideKey) -> String {
    inputs(state).find(|row| row.id == side.catalog).map_or_else(String::new, |row| name_in(row, side.is_opened))
}

/// A catalog as it was opened, or as it is now.
fn name_in(row: &CatalogRow, is_opened: bool) -> String {
    match (is_opened, row.files.iter().any(|file| file.edited)) {
        (true, _) => format!("{} as opened", row.name),
        (false, true) => format!("{} with your edits", row.name),
        (false, false) => row.name.clone(),
    }
}

/// The value of a side in its list.
fn value(side: SideKey) -> String {
    format!("{}{}", side.catalog.0, if side.is_opened { " opened" } else { "" })
}

fn parse(value: &str) -> Option<SideKey> {
    let (id, is_opened) = match value.split_once(' ') {
        Some((id, _)) => (id, true),
        None => (value, false),
    };
    Some(SideKey { catalog: CatalogId(id.parse().ok()?), is_opened })
}

fn select(state: &State, compared: &Compared, is_before: bool, send: &Callback<Action>) -> Html {
    let (label, testid, on) = match is_before {
        true => ("Before", "compare-before", compared.before),
        false => ("After", "compare-after", compared.after),
    };
    let (before, after, send) = (compared.before, compared.after, send.clone());
    let onchange = Callback::from(move |event: Event| {
        if let Some(side) = parse(&dom::select_text(&event)) {
            let (before, after) = if is_before { (side, after) } else { (before, side) };
            send.emit(Action::Compare(CompareAction::SidesChosen { before, after }));
        }
    });
    let options = |row: &CatalogRow| {
        let side = |is_opened| SideKey { catalog: row.id, is_opened };
        let option = |side: SideKey| {
            html! { <option value={value(side)} selected={side == on}>{ name_in(row, side.is_opened) }</option> }
        };
        html! { <>{ option(side(false)) }{ option(side(true)) }</> }
    };
    // No label, which would close the menu.
    html! { <p><span class="mute">{ label }</span><select aria-label={label} data-testid={testid} {onchange}>
    { for inputs(state).map(options) }</select></p> }
}

/// The buttons that open the state before.
fn open_before(send: &Callback<Action>, picked: &Callback<Event>) -> Html {
    let awaited = send.reform(|_: MouseEvent| Action::Compare(CompareAction::BeforeAwaited));
    html! { <span class="add" role="group" aria-label="Open the version before">
        <label class="button" onclick={awaited.clone()}>
            <input type="file" multiple=true data-testid="pick-before" onchange={picked.clone()} />
            { "Compare with file…" }</label>
        <label class="button" onclick={awaited}>
            <input type="file" webkitdirectory=true data-testid="pick-before-folder" onchange={picked.clone()} />
            { "Folder…" }</label>
    </span> }
}

/// Whether both states are the same text, so that there is nothing to compare yet.
pub(super) fn is_side_missing(state: &State, compared: &Compared) -> bool {
    let is_edited =
        || inputs(state).any(|row| row.id == compared.after.catalog && row.files.iter().any(|file| file.edited));
    compared.before.catalog == compared.after.catalog && !is_edited()
}

/// What would be here, and how to get it.
pub(super) fn missing_side(send: &Callback<Action>, picked: &Callback<Event>) -> Html {
    let awaited = send.reform(|_: MouseEvent| Action::Compare(CompareAction::BeforeAwaited));
    html! { <div class="nothing-yet" data-testid="compare-missing">
        <h3>{ "What a change does to clusters" }</h3>
        <p>{ "Nothing is compared yet. Edit the source, or open the catalog as it was before the change." }</p>
        <label class="button" onclick={awaited}>
            <input type="file" multiple=true onchange={picked.clone()} />{ "Open the state before…" }</label>
    </div> }
}
