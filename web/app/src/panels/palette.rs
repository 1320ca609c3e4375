//! The palette: a field, and below it the results in groups and the actions of the page, of which the keyboard picks
//! one.

use super::close_dialog;
use crate::dom;
use crate::kit::{Modal, on_input, press};
use crate::store::{
    Action, Command, Direction, PageAction, Palette, PaletteAction, PaletteItem, PalettePurpose, Shared, State,
    commands, group_items,
};
use views::{Overview, SearchGroup, SearchKind};
use yew::prelude::*;

/// The id of the list, which the field controls.
const LIST: &str = "palette-list";

pub(super) fn palette(state: &State, send: &Callback<Action>) -> Html {
    let title = match (state.palette.purpose, &state.selection.entry) {
        (PalettePurpose::Path, Some(entry)) => format!("Path from {} to…", entry.name),
        _ => "Find or do".to_owned(),
    };
    html! {
        <Modal {title} testid="palette" on_close={close_dialog(send)}>
            <Content palette={state.palette.clone()} commands={commands(state)} overview={state.overview.clone()}
                send={send.clone()} />
        </Modal>
    }
}

#[derive(Clone, PartialEq, Properties)]
struct Props {
    palette: Palette,
    /// The actions below the results.
    commands: Vec<Command>,
    overview: Shared<Overview>,
    send: Callback<Action>,
}

/// The field and the results.
#[component]
fn Content(props: &Props) -> Html {
    let Props { palette, commands, send, .. } = props;
    use_effect_with((palette.active, palette.found.clone()), |_| {
        dom::reveal_nearest("[data-testid='palette'] [aria-selected='true']");
    });
    let oninput = on_input(send, PaletteAction::Typed);
    let found = palette.items().count();
    let items = found + commands.len();
    let groups = palette.found.as_ref().map(|found| found.groups.as_slice()).unwrap_or_default();
    let mut first = 0;
    let groups = groups.iter().map(|group| {
        let start = first;
        first += group_items(group).count();
        section(props, group, start)
    });
    let placeholder = match palette.purpose {
        PalettePurpose::Open => "Package, version, API, image, file, or what to do",
        PalettePurpose::Path => "Version or channel",
    };
    html! {
        <>
            <input class="wide" type="text" role="combobox" autofocus=true autocomplete="off" spellcheck="false"
                aria-label={placeholder} aria-autocomplete="list" aria-expanded={(items > 0).to_string()}
                aria-controls={LIST} aria-activedescendant={(items > 0).then(|| item_id(palette.active))}
                data-testid="palette-text" {placeholder} value={palette.text.clone()} {oninput}
                onkeydown={on_key(props, found)} />
            <p class="mute" role="status" data-testid="palette-status">{ status(props, found) }</p>
            if items > 0 {
                <div id={LIST} class="results" role="listbox" aria-label="Results" tabindex="-1"
                    onmousedown={keep_focus}>
                    { for groups }
                    { actions(props, found) }
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
        (Some(_), 0) if props.commands.is_empty() => "Nothing has all of these words.".to_owned(),
        (Some(_), 0) => "Nothing open has all of these words.".to_owned(),
        (Some(found), _) => {
            let all: usize = found.groups.iter().map(|group| group.hits.len() + group.more as usize).sum();
            let results = if all == 1 { "1 result".to_owned() } else { format!("{all} results") };
            format!("{results}. ↑ ↓ and Enter pick one.")
        }
    }
}

/// The keys; the items from number `found` on are actions.
fn on_key(props: &Props, found: usize) -> Callback<KeyboardEvent> {
    let send = props.send.clone();
    let chosen = props.palette.active.checked_sub(found).and_then(|at| props.commands.get(at)).cloned();
    Callback::from(move |event: KeyboardEvent| {
        let action = match event.key().as_str() {
            "ArrowUp" => PaletteAction::Stepped(Direction::Earlier),
            "ArrowDown" => PaletteAction::Stepped(Direction::Later),
            "Enter" if !event.is_composing() => PaletteAction::Entered,
            _ => return,
        };
        event.prevent_default();
        if let Some(command) = chosen.as_ref().filter(|_| action == PaletteAction::Entered) {
            return run(&send, command);
        }
        send.emit(Action::Palette(action));
    })
}

/// Closes the palette and does what was chosen.
fn run(send: &Callback<Action>, command: &Command) {
    send.emit(PageAction::DialogClosed.into());
    send.emit(command.action.clone());
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

/// The actions; the first one has the number `start`.
fn actions(props: &Props, start: usize) -> Html {
    let option = |(command, at): (&Command, usize)| {
        let (send, chosen) = (props.send.clone(), command.clone());
        let onclick = Callback::from(move |_: MouseEvent| run(&send, &chosen));
        html! {
            <div key={command.title.clone()} id={item_id(at)} role="option" data-testid="palette-action" {onclick}
                aria-selected={(at == props.palette.active).to_string()}>
                <span>{ &command.title }</span>
                if !command.key.is_empty() { <kbd aria-hidden="true">{ command.key }</kbd> }
            </div>
        }
    };
    html! { if !props.commands.is_empty() {
        <div key="actions" role="group" aria-label="Actions" data-testid="palette-actions">
            <h3 aria-hidden="true">{ "Actions" }</h3>
            { for props.commands.iter().zip(start..).map(option) }
        </div>
    } }
}

fn option(props: &Props, group: &SearchGroup, item: PaletteItem<'_>, at: usize) -> Html {
    let onclick = press(&props.send, PaletteAction::Picked(at));
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
