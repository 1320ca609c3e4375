//! The palette: a field, and below it the results in groups, of which the keyboard picks one.

use super::close_dialog;
use crate::dom;
use crate::kit::{Modal, press};
use crate::store::{
    Action, Direction, Palette, PaletteAction, PaletteItem, PalettePurpose, Shared, State, group_items,
};
use views::{Overview, SearchGroup, SearchKind};
use yew::prelude::*;

/// The id of the list, which the field controls.
const LIST: &str = "palette-list";

/// The palette in its dialog.
pub(super) fn palette(state: &State, send: &Callback<Action>) -> Html {
    let title = match (state.palette.purpose, &state.selection.entry) {
        (PalettePurpose::Path, Some(entry)) => format!("Path from {} to…", entry.name),
        _ => "Search".to_owned(),
    };
    html! {
        <Modal {title} testid="palette" on_close={close_dialog(send)}>
            <Content palette={state.palette.clone()} overview={state.overview.clone()} send={send.clone()} />
        </Modal>
    }
}

/// Properties of [`Content`].
#[derive(Clone, PartialEq, Properties)]
struct Props {
    palette: Palette,
    overview: Shared<Overview>,
    send: Callback<Action>,
}

/// The field and the results.
#[component]
fn Content(props: &Props) -> Html {
    let Props { palette, send, .. } = props;
    use_effect_with((palette.active, palette.found.clone()), |_| {
        dom::reveal_nearest("[data-testid='palette'] [aria-selected='true']");
    });
    let oninput = send.reform(|event: InputEvent| Action::Palette(PaletteAction::Typed(dom::input_text(&event))));
    let items = palette.items().count();
    let groups = palette.found.as_ref().map(|found| found.groups.as_slice()).unwrap_or_default();
    let mut first = 0;
    let groups = groups.iter().map(|group| {
        let start = first;
        first += group_items(group).count();
        section(props, group, start)
    });
    let placeholder = match palette.purpose {
        PalettePurpose::Open => "Package, channel, version, API, image, file",
        PalettePurpose::Path => "Version or channel",
    };
    html! {
        <>
            <input class="wide" type="text" role="combobox" autofocus=true autocomplete="off" spellcheck="false"
                aria-label={placeholder} aria-autocomplete="list" aria-expanded={(items > 0).to_string()}
                aria-controls={LIST} aria-activedescendant={(items > 0).then(|| item_id(palette.active))}
                data-testid="palette-text" {placeholder} value={palette.text.clone()} {oninput}
                onkeydown={on_key(send)} />
            <p class="mute" role="status" data-testid="palette-status">{ status(props, items) }</p>
            if items > 0 {
                <div id={LIST} class="results" role="listbox" aria-label="Results" tabindex="-1"
                    onmousedown={keep_focus}>
                    { for groups }
                </div>
            }
        </>
    }
}

/// Keeps the focus in the field, which has the keys.
fn keep_focus(event: MouseEvent) {
    event.prevent_default();
}

fn status(props: &Props, items: usize) -> String {
    match (&props.palette.found, items) {
        _ if props.overview.catalogs.is_empty() => "Open a catalog to search in it.".to_owned(),
        (None, _) => "Searching…".to_owned(),
        (Some(_), 0) => "Nothing has all of these words.".to_owned(),
        (Some(found), _) => {
            let all: usize = found.groups.iter().map(|group| group.hits.len() + group.more as usize).sum();
            let results = if all == 1 { "1 result".to_owned() } else { format!("{all} results") };
            format!("{results}. ↑ ↓ and Enter pick one.")
        }
    }
}

fn on_key(send: &Callback<Action>) -> Callback<KeyboardEvent> {
    let send = send.clone();
    Callback::from(move |event: KeyboardEvent| {
        let action = match event.key().as_str() {
            "ArrowUp" => PaletteAction::Stepped(Direction::Earlier),
            "ArrowDown" => PaletteAction::Stepped(Direction::Later),
            "Enter" if !event.is_composing() => PaletteAction::Entered,
            _ => return,
        };
        event.prevent_default();
        send.emit(Action::Palette(action));
    })
}

fn item_id(at: usize) -> String {
    format!("palette-{at}")
}

/// The results of a kind; the first one has the number `start`.
fn section(props: &Props, group: &SearchGroup, start: usize) -> Html {
    let title = match group.kind {
        SearchKind::Package => "Packages",
        SearchKind::Channel => "Channels",
        SearchKind::Version => "Versions",
        SearchKind::Api => "APIs",
        SearchKind::Image => "Images",
        SearchKind::File => "Files",
        SearchKind::Catalog => "Catalogs",
    };
    let all = group.hits.len() + group.more as usize;
    let options = group_items(group).zip(start..).map(|(item, at)| option(props, group, item, at));
    html! {
        <div key={title} role="group" aria-label={title} data-testid="palette-group">
            <h3 aria-hidden="true">{ title }{ " " }<span class="number">{ all }</span></h3>
            { for options }
        </div>
    }
}

fn option(props: &Props, group: &SearchGroup, item: PaletteItem<'_>, at: usize) -> Html {
    let onclick = press(&props.send, Action::Palette(PaletteAction::Picked(at)));
    let (testid, content) = match item {
        PaletteItem::Hit(hit) => {
            let catalogs = &props.overview.catalogs;
            let catalog = catalogs.iter().find(|row| row.id == hit.catalog).filter(|_| catalogs.len() > 1);
            let catalog = catalog.filter(|_| props.palette.purpose == PalettePurpose::Open).map(|row| &*row.name);
            let about = Some(&*hit.about).filter(|about| !about.is_empty()).into_iter().chain(catalog);
            let about = about.collect::<Vec<_>>().join(" · ");
            ("palette-hit", html! { <><span class="mono">{ &hit.text }</span><small>{ about }</small></> })
        }
        PaletteItem::More(..) => ("palette-more", html! { <small>{ format!("{} more…", group.more) }</small> }),
    };
    html! {
        <div key={at} id={item_id(at)} role="option" aria-selected={(at == props.palette.active).to_string()}
            data-testid={testid} {onclick}>
            { content }
        </div>
    }
}
