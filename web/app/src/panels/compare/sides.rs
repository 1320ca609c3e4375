//! Which states are compared: two lists of catalogs, a switch that exchanges them, and ways to open the state before.

use crate::dom;
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
    html! { <div class="tools sides">
        { select(state, compared, true, send) }
        <button type="button" title="Exchange before and after" aria-label="Exchange before and after"
            data-testid="compare-swap" onclick={swap}>{ "⇄" }</button>
        { select(state, compared, false, send) }
        { open_before(send, picked) }
        <button type="button" disabled={!is_ready} title="For the comment of a pull request"
            data-testid="compare-copy" onclick={copy}>{ "Copy as Markdown" }</button>
    </div> }
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
        let is_edited = row.files.iter().any(|file| file.edited);
        let present = if is_edited { format!("{} with your edits", row.name) } else { row.name.clone() };
        let option = |side: SideKey, text: String| {
            html! { <option value={value(side)} selected={side == on}>{ text }</option> }
        };
        html! { <>{ option(side(false), present) }{ option(side(true), format!("{} as opened", row.name)) }</> }
    };
    html! { <label>{ label }<select data-testid={testid} {onchange}>{ for inputs(state).map(options) }
    </select></label> }
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

const NOTHING_COMPARED: &str = "Nothing is compared yet: both sides are the same text. To see what a change does to \
                                clusters that have an older version installed:";
const DROP_BEFORE: &str = "drop the catalog as it was before the change on this page: a file, a folder, a template or \
                           a shared file";

/// What to do when there is nothing to compare yet.
pub(super) fn missing_side() -> Html {
    html! { <div class="missing-side" data-testid="compare-missing">
        <p>{ NOTHING_COMPARED }</p>
        <ul>
            <li>{ "edit the catalog in the Source tab; the edits are compared with what you opened, or" }</li>
            <li>{ DROP_BEFORE }</li>
        </ul>
    </div> }
}
