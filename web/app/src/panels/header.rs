//! The header: catalogs, a menu that opens more, and page-wide controls.

use super::catalogs::add_buttons;
use super::notices::undo;
use crate::dom;
use crate::kit::{Menu, choice, in_two_parts, press};
use crate::parts::dot;
use crate::store::{Action, CatalogsAction, Dialog, NavigationAction, PageAction, SessionAction, State, Theme};
use views::{CatalogRow, Runtime};
use yew::prelude::*;

/// The header. `picked` receives the files of a file input.
pub(crate) fn header(state: &State, send: &Callback<Action>, picked: &Callback<Event>) -> Html {
    let chips = state.overview.catalogs.iter().map(|row| chip(state, row, false, send));
    let baselines = state.overview.baselines.iter().map(|row| chip(state, row, true, send));
    let share = press(send, Action::Session(SessionAction::ShareAsked));
    html! {
        <header class="top">
            <a class="skip" href="#package">{ "Skip to the package" }</a>
            <h1 class="brand">{ "op" }<span>{ "scope" }</span></h1>
            { open_menu(send, picked) }
            <ul class="chips" aria-label="Catalogs">{ for chips }{ for baselines }</ul>
            <span class="grow"></span>
            { undo(state, send) }
            { runtimes(state, send) }
            if !state.overview.catalogs.is_empty() {
                <button type="button" class="share" data-testid="share" onclick={share}>{ "Share" }</button>
            }
            { page_menu(state, send) }
        </header>
    }
}

/// The ways to open something.
fn open_menu(send: &Callback<Action>, picked: &Callback<Event>) -> Html {
    let examples = press(send, Action::Catalogs(CatalogsAction::ExamplesAsked));
    html! {
        <Menu label="Open" testid="open-menu">
            { add_buttons(send, picked) }
            <button type="button" data-testid="examples" onclick={examples}>{ "Example…" }</button>
            <p class="mute">
                { "Or drop files and folders on the page, or paste with " }<kbd>{ "Ctrl V" }</kbd>{ "." }
            </p>
        </Menu>
    }
}

/// What concerns the whole page.
fn page_menu(state: &State, send: &Callback<Action>) -> Html {
    let help = press(send, Action::Page(PageAction::DialogOpened(Dialog::Shortcuts)));
    let clear = press(send, Action::Catalogs(CatalogsAction::Cleared));
    html! {
        <Menu label="☰" title="Menu" testid="page-menu">
            { themes(state, send) }
            <button type="button" class="help" data-testid="keyboard-help" onclick={help}>
                { "Keyboard shortcuts" }<kbd aria-hidden="true">{ "?" }</kbd>
            </button>
            <a class="button" data-testid="documentation" href="docs/index.html" target="_blank" rel="noopener">
                { "Documentation" }
            </a>
            if state.has_content() {
                <button type="button" class="clear danger" data-testid="clear" onclick={clear}>{ "Clear all" }</button>
            }
            <p class="mute promise">{ "Everything runs in this tab. Your catalogs are never sent anywhere." }</p>
            <p class="mute" data-testid="version">{ "Opscope " }{ dom::version() }</p>
        </Menu>
    }
}

/// The header of an embedded page: the name and a link to the full page.
pub(crate) fn embedded() -> Html {
    let address = dom::address_of_full_page();
    html! {
        <header class="top">
            <h1 class="brand">{ "op" }<span>{ "scope" }</span></h1>
            <span class="grow"></span>
            <a class="button" data-testid="whole" href={address} target="_blank" rel="noopener">
                { "Open in Opscope" }
            </a>
        </header>
    }
}

/// The colour scheme switch.
fn themes(state: &State, send: &Callback<Action>) -> Html {
    let themes = Theme::ALL.map(|theme| (theme, theme.name()));
    choice("Colours", &themes, state.theme, &send.reform(|it| Action::Page(PageAction::ThemeChosen(it))))
}

/// The switch of the versions of OLM that answers are about, with what each means for the page.
fn runtimes(state: &State, send: &Callback<Action>) -> Html {
    const RUNTIMES: [(Runtime, &str, &str); 3] = [
        (
            Runtime::V0,
            "OLM v0",
            "Subscriptions and CatalogSources: each update is an edge of the channel, one hop at a time.",
        ),
        (
            Runtime::V1,
            "OLM v1",
            "ClusterExtensions and ClusterCatalogs: the highest version that the range and the edges allow.",
        ),
        (Runtime::Both, "Both", "Answers of both; what they decide differently is marked."),
    ];
    let button = |(runtime, name, differs): (Runtime, &'static str, &'static str)| {
        let onclick = press(send, Action::Page(PageAction::RuntimeChosen(runtime)));
        html! {
            <button type="button" class="example" aria-pressed={(runtime == state.runtime).to_string()} {onclick}>
                <b>{ name }</b><span>{ differs }</span>
            </button>
        }
    };
    let chosen = RUNTIMES.iter().find(|(runtime, ..)| *runtime == state.runtime).map_or("", |(_, name, _)| *name);
    let label = if state.runtime == Runtime::Both { "OLM v0 + v1" } else { chosen };
    html! {
        <Menu {label} title={format!("{label}: choose the version of OLM")} testid="runtime">
            { for RUNTIMES.map(button) }
        </Menu>
    }
}

fn chip(state: &State, row: &CatalogRow, is_baseline: bool, send: &Callback<Action>) -> Html {
    let id = row.id;
    // A baseline has no packages in the list, so there is nothing to be an overview of.
    let shown = match is_baseline {
        true => Action::Page(PageAction::DialogOpened(Dialog::Catalog(id))),
        false => Action::Navigation(NavigationAction::CatalogSelected(id)),
    };
    let onclick = press(send, shown);
    let packages = if row.packages == 1 { "1 package".to_owned() } else { format!("{} packages", row.packages) };
    let role = if is_baseline { "only compared".to_owned() } else { format!("priority {}", row.priority) };
    html! {
        <li key={id.0}>
            <button type="button" class={classes!("catalog", is_baseline.then_some("baseline"))}
                data-testid="catalog-chip" data-name={row.name.clone()} title={row.name.clone()} {onclick}>
                if state.is_preview { <span class="dot pending"></span> } else { { dot(row.findings) } }
                <b>{ in_two_parts(&row.name) }</b><span>{ packages }{ " · " }{ role }</span>
            </button>
        </li>
    }
}
