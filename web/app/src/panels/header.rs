//! The header: catalogs, a menu that opens more, and page-wide controls.

use super::Inspector;
use super::catalogs::add_buttons;
use super::notices::{save, undo};
use super::package::view_tabs;
use super::set::set_tabs;
use crate::dom;
use crate::kit::{Glyph, Menu, Splitter, choice, in_two_parts, press};
use crate::parts::words;
use crate::store::{
    Action, Boundary, CatalogsAction, Dialog, LayoutAction, NavigationAction, PageAction, PaletteAction,
    PalettePurpose, SessionAction, State, Theme, shown_crds,
};
use views::{CatalogRow, OlmV1Release, OpmVersion, Runtime};
use yew::prelude::*;

/// The header. `picked` receives the files of a file input.
pub(crate) fn header(state: &State, send: &Callback<Action>, picked: &Callback<Event>) -> Html {
    let chips = state.overview.catalogs.iter().map(|row| chip(state, row, false, send));
    let baselines = state.overview.baselines.iter().map(|row| chip(state, row, true, send));
    let share = press(send, Action::Session(SessionAction::ShareAsked));
    html! {
        <header class="top">
            <a class="skip" href="#package">{ "Skip to the package" }</a>
            <div class="opened">
                { brand() }
                <ul class="chips" aria-label="Catalogs">{ for chips }{ for baselines }</ul>
                { catalog_menu(state, send, picked) }
            </div>
            if state.sets.shown.is_some() { { set_tabs(state, send) } } else { { view_tabs(state, send) } }
            <span class="grow"></span>
            { undo(state, send) }
            { save(state, send) }
            if !state.overview.catalogs.is_empty() {
                { find(send) }
                <button type="button" class="share" data-testid="share" aria-label="Share"
                    onclick={share}>
                    { Glyph::Share.html() }<span>{ "Share" }</span></button>
            }
            if state.opm != OpmVersion::NEWEST {
                <span class="mute" data-testid="judging-opm">{ "opm " }{ state.opm.alike().1 }</span>
            }
            if let Some(release) = state.olm_v1.filter(|_| state.runtime.has_v1()) {
                <span class="mute" data-testid="answering-olm-v1">{ "OLM v1: " }{ release }</span>
            }
            { page_menu(state, send) }
        </header>
    }
}

/// The name with the sign: two versions and the update between them.
fn brand() -> Html {
    html! {
        <h1 class="brand">
            <svg viewBox="0 0 20 20" aria-hidden="true">
                <circle cx="4" cy="10" r="2.5" /><path d="M6.5 10H11" />
                <rect x="11" y="6" width="8" height="8" rx="2" />
            </svg>{ "opscope" }
        </h1>
    }
}

/// The button that opens the palette.
fn find(send: &Callback<Action>) -> Html {
    let onclick = press(send, Action::Palette(PaletteAction::Opened(PalettePurpose::Open)));
    html! {
        <button type="button" class="search" data-testid="search" aria-haspopup="dialog" {onclick}
            title="Find packages, channels, versions, APIs, images and files, or do something (/ or Ctrl-K)">
            { Glyph::Search.html() }
            <span>{ "Find or do…" }</span><kbd aria-hidden="true">{ "/" }</kbd>
        </button>
    }
}

/// The menu of the open catalogs: to edit or remove them, and to open others.
fn catalog_menu(state: &State, send: &Callback<Action>, picked: &Callback<Event>) -> Html {
    let examples = press(send, Action::Catalogs(CatalogsAction::ExamplesAsked));
    let edit = |row: &CatalogRow| {
        let onclick = press(send, Action::Page(PageAction::DialogOpened(Dialog::Catalog(row.id))));
        html! { <button type="button" data-testid="edit-catalog" {onclick}>{ format!("Edit {}…", row.name) }</button> }
    };
    let (catalogs, baselines) = (&state.overview.catalogs, &state.overview.baselines);
    let is_empty = catalogs.is_empty() && baselines.is_empty();
    let label = if is_empty {
        html! { "Open" }
    } else {
        Glyph::Down.html()
    };
    html! {
        <Menu {label} title="Open or edit catalogs" testid="open-menu">
            { for catalogs.iter().chain(baselines).map(edit) }
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
        <Menu label={Glyph::More.html()} title="Menu" testid="page-menu">
            { runtimes(state, send) }
            { releases_of_opm(state, send) }
            if state.runtime.has_v1() { { releases_of_olm_v1(state.olm_v1, send) } }
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
pub(crate) fn embedded(state: &State, send: &Callback<Action>) -> Html {
    let address = dom::address_of_full_page();
    html! {
        <header class="top">
            { brand() }
            { view_tabs(state, send) }
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
    choice("Colours", &themes, state.theme, send, PageAction::ThemeChosen)
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
    html! { <div class="runtimes" role="group" aria-label="Version of OLM">{ for RUNTIMES.map(button) }</div> }
}

/// The choice of the release of `opm` that judges catalogs, of those that judge alike the first.
fn releases_of_opm(state: &State, send: &Callback<Action>) -> Html {
    let send = send.clone();
    let onchange = Callback::from(move |event: Event| {
        let at = dom::select_text(&event).parse().ok();
        if let Some((first, _)) = at.and_then(|at: usize| OpmVersion::ALIKE.get(at)) {
            send.emit(Action::Page(PageAction::OpmChosen(*first)));
        }
    });
    let options = OpmVersion::ALIKE.iter().enumerate().rev().map(|(at, (first, names))| {
        html! { <option value={at.to_string()} selected={*first == state.opm.alike().0}>{ names }</option> }
    });
    html! {
        <label title="Which catalogs are rejected depends on the release of opm that validates and serves them">
            { "Judge as opm " }<select data-testid="opm-release" {onchange}>{ for options }</select>
        </label>
    }
}

/// The choice of the release of OLM v1, of those that answer alike the first.
fn releases_of_olm_v1(olm_v1: Option<OlmV1Release>, send: &Callback<Action>) -> Html {
    let onchange = send.reform(|event: Event| {
        let at = dom::select_text(&event).parse().ok();
        let release = at.and_then(|at: usize| Some(OlmV1Release::ALIKE.get(at)?.0));
        Action::Page(PageAction::OlmV1Chosen(release))
    });
    let of = olm_v1.map(OlmV1Release::alike);
    let options = OlmV1Release::ALIKE.iter().enumerate().rev().map(|(at, (first, names))| {
        html! { <option value={at.to_string()} selected={of == Some(*first)}>{ names }</option> }
    });
    html! {
        <label title="The release of operator-controller that installs ClusterExtensions">
            { "Answer as OLM v1 " }
            <select data-testid="olm-v1-release" {onchange}>
                <option value="" selected={of.is_none()}>{ "as the manifests tell, else the newest" }</option>
                { for options }
            </select>
        </label>
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
    let found = match row.findings.total() {
        _ if state.is_preview => "being read".to_owned(),
        0 => "no findings".to_owned(),
        _ => words(row.findings),
    };
    let title = format!("{}: {packages}, {role}, {found}", row.name);
    html! {
        <li key={id.0}>
            <button type="button" class={classes!("catalog", is_baseline.then_some("baseline"))}
                data-testid="catalog-chip" data-name={row.name.clone()} {title} {onclick}>
                <b>{ in_two_parts(&row.name) }</b>
            </button>
        </li>
    }
}

// The dock: the details of the selection, on the right.

pub(crate) fn dock(state: &State, send: &Callback<Action>) -> Html {
    html! {
        <section class="dock" aria-label="Details">
            { splitter(state, Boundary::Details, send) }
            <Inspector selected={state.selection.entry.clone()} entry={state.entry.clone()}
                subject={state.explore.subject.clone()} about={state.explore.about.clone()}
                path={state.explore.path.clone()}
                played={state.simulation.view.is_some()} why_not={state.simulation.why_not.clone()}
                readiness={state.explore.readiness.clone()} crds={shown_crds(state).cloned()}
                day={state.day.clone()} has_v1={state.runtime.has_v1()} send={send.clone()} />
        </section>
    }
}

pub(super) fn splitter(state: &State, boundary: Boundary, send: &Callback<Action>) -> Html {
    let label = match boundary {
        Boundary::Packages => "Width of the package list",
        Boundary::Details => "Width of the details",
        Boundary::Simulation => "Width of the simulation",
        Boundary::Source => "Width of the source",
    };
    let on_move = send.reform(move |size| Action::Layout(LayoutAction::BoundaryMoved { boundary, size }));
    html! { <Splitter region={boundary.region()} {label} leads={boundary == Boundary::Packages}
    size={state.layout.sizes.get(&boundary).copied()} {on_move} /> }
}
