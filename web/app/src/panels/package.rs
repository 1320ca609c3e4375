//! The main region: the selected package with its title and tabs.

use super::catalog_overview::catalog_overview;
use super::compare::change_line;
use super::empty::{cluster_only, open_example_note};
use super::ending::where_it_ends;
use super::findings::findings_of_package;
use super::header::splitter;
use super::{Findings, Reach, Source, Table, compare, edges, edit_effect, empty, release, verdicts};
use crate::dom;
use crate::graph::{Canvas, ChannelMap, whole};
use crate::kit::{Glyph, plural, press, prose};
use crate::parts::{Icon, answer};
use crate::store::{
    Action, Boundary, Dialog, ExploreAction, LayoutAction, NavigationAction, PageAction, Pane, State, Tab, highlight,
    path_entries, selected_findings, simulated_entries,
};
use views::{Runtime, Subject};
use web_sys::Node;
use yew::prelude::*;

const DETAILS: &str = "Details";

/// The region in the middle.
pub(crate) fn package(state: &State, editor: Option<Node>, send: &Callback<Action>, picked: &Callback<Event>) -> Html {
    if state.overview.catalogs.is_empty() {
        let restoring = state.worker.kept && !state.pending.is_empty() && state.pending_selection.is_some();
        return html! {
            <section id="package" class="package" tabindex="-1">
                { match state.simulation.manifests.trim() {
                    _ if restoring => restoring_note(),
                    "" => empty(state.theme, send, picked),
                    _ => cluster_only(state, send, picked),
                } }
            </section>
        };
    }
    html! {
        <section id="package" class="package" tabindex="-1" data-tab={state.tab.title()}>
            { splitter(state, Boundary::Packages, send) }
            <div class="bar">
                { title(state, send) }
                { ways_to_see(state, send) }
                if state.shows_both() || state.tab == Tab::Source && state.selection.whole.is_none() {
                    { split_button(state, send) }
                }
            </div>
            { package_answer(state, send) }
            if state.tab != Tab::Simulate { { open_example_note(state) } }
            if state.tab != Tab::Compare { { verdicts(state, send) } }
            { release(state, send) }
            { edges(state, send) }
            if state.selection.package.is_some() { { change_line(state, send) } }
            <div class={classes!("views", state.shows_both().then_some("split"))}>
                { graph_tab(state, send) }
                if state.shows_both() { { splitter(state, Boundary::Source, send) } }
                { other_tab(state, editor, send, picked) }
            </div>
            if state.is_presenting { { presented(state, send) } }
        </section>
    }
}

/// What is presented, and the keys.
fn presented(state: &State, send: &Callback<Action>) -> Html {
    let package = state.selection.package.as_ref();
    let catalog = package.and_then(|key| state.catalog(key.catalog)).map(|row| &row.name);
    html! {
        <footer class="presented" data-testid="presented">
            <h1>{ package.map(|key| &key.package) }{ " · " }{ catalog }</h1>
            <span>
                { "← → other packages" }
                if state.graph_changes.is_some() { { " · ↑ ↓ before, both, after" } }
            </span>
            <button type="button" data-testid="end-presenting"
                onclick={press(send, LayoutAction::Presented { on: false })}>{ "End presenting (Esc)" }</button>
        </footer>
    }
}

/// The tabs of the page; nothing while nothing is open.
pub(super) fn view_tabs(state: &State, send: &Callback<Action>) -> Html {
    if state.overview.catalogs.is_empty() || state.sets.shown.is_some() {
        return Html::default();
    }
    tabs("tabs", "Views", &Tab::MAIN, state.tab.main(), state, send)
}

/// The ways to see what the first tab is about: the updates of a package, or a catalog as a whole.
fn ways_to_see(state: &State, send: &Callback<Action>) -> Html {
    let all: &[Tab] = if state.selection.whole.is_some() { &Tab::OF_OVERVIEW } else { &Tab::OF_UPDATES };
    match all.contains(&state.tab) {
        true => tabs("choice", "Ways to see it", all, state.tab, state, send),
        false => Html::default(),
    }
}

fn tabs(
    class: &'static str,
    label: &'static str,
    all: &'static [Tab],
    shown: Tab,
    state: &State,
    send: &Callback<Action>,
) -> Html {
    let button = |tab: &Tab| tab_button(class, *tab, shown, state, send);
    html! {
        <div {class} role="tablist" aria-label={label} onkeydown={move_tab(class, all, shown, send)}>
            { for all.iter().map(button) }
        </div>
    }
}

/// Whether OLM updates the versions of the package to the heads, over the views that show how.
fn package_answer(state: &State, send: &Callback<Action>) -> Html {
    let shown = state.graph.as_ref().filter(|_| state.selection.whole.is_none());
    let shown = shown.filter(|_| matches!(state.tab.main(), Tab::Graph | Tab::Simulate) || state.shows_both());
    match shown {
        Some(graph) if !state.is_preview => {
            let found = &graph.answer;
            // The details of the channel, or of a version that is stuck in it, have the repair; on a phone they are in
            // another pane.
            let is_in_details = !state.narrow
                && state.shows_details()
                && (state.entry.as_ref().is_some_and(|entry| entry.repairs.is_some())
                    || state.explore.about.as_ref().is_some_and(|about| about.repairs.is_some()));
            let repair = found.repaired_channel.clone().filter(|_| !is_in_details).map(|channel| {
                let asked = NavigationAction::RepairsAsked(graph.package.clone(), channel);
                let onclick = press(send, Action::Navigation(asked));
                html! { <button type="button" class="primary" data-testid="repair-stuck" {onclick}>
                { "Repair channel" }</button> }
            });
            answer(found.severity, &found.title, prose(&found.reason), repair, "package-answer")
        }
        _ => Html::default(),
    }
}

fn restoring_note() -> Html {
    html! { <p class="mute waiting">{ "Restoring the catalogs of your last session…" }</p> }
}

fn title(state: &State, send: &Callback<Action>) -> Html {
    if let Some(row) = state.selection.whole.and_then(|catalog| state.catalog(catalog)) {
        let (packages, files) = (row.packages as usize, row.files.len());
        let edit = press(send, PageAction::DialogOpened(Dialog::Catalog(row.id)));
        return html! {
            <div class="title">
                <h2 data-testid="package-title">{ &row.name }</h2>
                <small class="mute">
                    { format!("{packages} package{}, {files} file{}", plural(packages), plural(files)) }
                </small>
                <button type="button" class="quiet" data-testid="catalog-edit" onclick={edit}>
                    { "Files and CatalogSource…" }</button>
            </div>
        };
    }
    let row = state.overview.packages.iter().find(|row| Some(&row.key) == state.selection.package.as_ref());
    let Some(row) = row else { return html! { <h2>{ "No package" }</h2> } };
    let about = press(send, ExploreAction::SubjectSelected(Subject::Package));
    let catalog = state.catalog(row.key.catalog).map(|row| row.name.clone()).unwrap_or_default();
    let (channels, bundles) = (row.channels.len(), row.bundles as usize);
    html! {
        <div class="title">
            if let Some(url) = state.icons.get(&row.key) {
                <Icon name={row.key.package.clone()} url={Some(url.clone())} />
            }
            <h2 data-testid="package-title">
                <button type="button" class="plain" onclick={about}>
                    { &row.key.package }
                </button>
            </h2>
            <small class="mute">
                { format!("{channels} channel{}, {bundles} bundle{}, {catalog}", plural(channels), plural(bundles)) }
                { match state.runtime {
                    Runtime::V0 => "",
                    Runtime::V1 => ", OLM v1",
                    Runtime::Both => ", OLM v0 and v1",
                } }
            </small>
        </div>
    }
}

fn tab_button(row: &str, tab: Tab, shown: Tab, state: &State, send: &Callback<Action>) -> Html {
    let onclick = press(send, NavigationAction::TabChosen(tab));
    let count = (tab == Tab::Findings).then(|| selected_findings(state).unwrap_or(state.overview.findings.total()));
    let selected = tab == shown;
    html! {
        <button type="button" role="tab" aria-selected={selected.to_string()}
            tabindex={if selected { "0" } else { "-1" }} data-testid={test_id(row, tab)} {onclick}>
            { tab.title_of(state.selection.whole.is_none()) }
            // Without findings it keeps its place.
            if let Some(count) = count {
                { " " }<span class="number">{ for Some(count).filter(|count| *count > 0) }</span>
            }
        </button>
    }
}

/// The switch that shows graph and source side by side.
fn split_button(state: &State, send: &Callback<Action>) -> Html {
    let on = !state.shows_both();
    let onclick = press(send, LayoutAction::SplitSwitched { on });
    html! {
        <button type="button" class="split-button" aria-pressed={(!on).to_string()} data-testid="split"
            title="Show the graph beside the source" {onclick}>
            { "Graph + source" }
        </button>
    }
}

fn test_id(row: &str, tab: Tab) -> String {
    // The graph is in both rows.
    let part = if row == "choice" && tab == Tab::Graph { "way" } else { "tab" };
    format!("{part}-{}", tab.title().to_lowercase())
}

/// Arrow keys move the selected tab and the focus.
fn move_tab(row: &'static str, all: &'static [Tab], tab: Tab, send: &Callback<Action>) -> Callback<KeyboardEvent> {
    let send = send.clone();
    Callback::from(move |event: KeyboardEvent| {
        let at = all.iter().position(|other| *other == tab).unwrap_or_default();
        let next = match event.key().as_str() {
            "ArrowLeft" => at.checked_sub(1).unwrap_or(all.len() - 1),
            "ArrowRight" => (at + 1) % all.len(),
            "Home" => 0,
            "End" => all.len() - 1,
            _ => return,
        };
        event.prevent_default();
        send.emit(NavigationAction::TabChosen(all[next]).into());
        dom::focus(&test_id(row, all[next]));
    })
}

/// The graph stays in the page, hidden, while another tab is shown: it keeps pan, zoom and focus.
fn graph_tab(state: &State, send: &Callback<Action>) -> Html {
    let visible = state.shows(Tab::Graph);
    if let Some(row) = state.selection.whole.and_then(|catalog| state.catalog(catalog)) {
        return if visible { catalog_overview(state, row, send) } else { Html::default() };
    }
    let Some(graph) = state.graph.as_ref().or(state.former_graph.as_ref()) else {
        return if visible { no_package("No graph yet.") } else { Html::default() };
    };
    let key = format!("{} {}", graph.package.catalog.0, graph.package.package);
    let shows_map = visible && state.shows_channel_map;
    let visible = visible && !shows_map;
    if let Some(drawn) = state.is_presenting.then(|| whole(graph, &simulated_entries(state))).flatten() {
        let label = format!("The updates of {}", graph.package.package);
        return html! {
            <div class="whole-drawing" tabindex="0" role="img" aria-label={label}>{ drawn }</div>
        };
    }
    html! {
        <>
            if shows_map {
                <ChannelMap map={state.explore.channel_map.clone()} subject={state.explore.subject.clone()}
                    send={send.clone()} />
            }
            <Canvas {key} graph={graph.clone()} simulated={simulated_entries(state)}
                selected={state.selection.entry.clone()} subject={state.explore.subject.clone()}
                pointed={state.explore.pointed.clone()} followed={state.explore.followed.clone()}
                path_entries={path_entries(state)} highlight={highlight(state)}
                editing={state.edges.editing} held={state.held_edge().cloned()}
                changes={state.graph_changes.filter(|_| graph.compares.is_some())}
                visible={visible && !graph.lanes.is_empty()}
                outdated={state.graph.is_none()} split={state.shows_both()} printing={visible && state.printing}
                send={send.clone()} />
            if visible && !state.shows_both() && !graph.lanes.is_empty() {
                { where_it_ends(graph, state.selection.entry.as_ref(), send) }
            }
            if visible && !state.shows_both() {
                { findings_of_package(&state.findings.view, graph.answer.repaired_channel.as_ref(), send) }
            }
        </>
    }
}

/// Number of findings outside the selection, if there is one.
fn elsewhere(state: &State) -> Option<u32> {
    let is_all = state.selection.whole.is_some() && state.overview.catalogs.len() == 1;
    selected_findings(state).filter(|_| !is_all).map(|listed| state.overview.findings.total().saturating_sub(listed))
}

/// The text when no package can be shown.
fn no_package(text: &'static str) -> Html {
    html! { <p class="mute waiting">{ text }</p> }
}

fn other_tab(state: &State, editor: Option<Node>, send: &Callback<Action>, picked: &Callback<Event>) -> Html {
    match state.tab {
        Tab::Graph if state.shows_both() => source(state, editor, send),
        Tab::Graph | Tab::Simulate => Html::default(),
        Tab::Reach if state.selection.package.is_none() => no_package("No table yet."),
        Tab::Reach => html! {
            <Reach table={state.explore.reach.clone()} filter={state.explore.filter.clone()} printing={state.printing}
                send={send.clone()} />
        },
        Tab::Compare => compare(state, send, picked),
        Tab::Table => match state.graph.as_ref().or(state.former_graph.as_ref()) {
            Some(graph) => html! {
                <Table graph={graph.clone()} filter={state.explore.table.clone()} simulated={simulated_entries(state)}
                    selected={state.selection.entry.clone()} outdated={state.graph.is_none()} printing={state.printing}
                    send={send.clone()} />
            },
            None => no_package("Select a package on the left to list its entries."),
        },
        Tab::Findings => {
            html! {
                <Findings findings={state.findings.clone()} is_loading={state.is_preview} elsewhere={elsewhere(state)}
                    whole={state.selection.whole.is_some()} send={send.clone()} />
            }
        }
        Tab::Source => source(state, editor, send),
    }
}

fn source(state: &State, editor: Option<Node>, send: &Callback<Action>) -> Html {
    html! {
        <Source source={state.source.clone()} {editor} overview={state.overview.clone()} effect={edit_effect(state)}
            send={send.clone()} />
    }
}

/// The bar at the bottom of a narrow screen.
pub(crate) fn panes(state: &State, send: &Callback<Action>) -> Html {
    // The details of the tapped element are in another pane, so its button gets a dot.
    let tells = state.selection.entry.is_some() || state.explore.subject.is_some();
    let pane = |id: &'static str, name: &'static str, icon: Glyph, on: bool, action: Action| {
        let onclick = press(send, action);
        html! {
            <button type="button" aria-current={on.then_some("page")}
                data-testid={format!("pane-{}", id.to_lowercase())} {onclick}>
                { icon.html() }{ name }
                if tells && !on && name == DETAILS { <i class="news" title="about the selection"></i> }
            </button>
        }
    };
    let region = |name: &'static str, icon: Glyph, at: Pane| {
        pane(name, name, icon, state.pane == at, Action::Navigation(NavigationAction::PaneChosen(at)))
    };
    let tab = |tab: Tab| {
        let on = state.pane == Pane::Package && state.tab.main() == tab;
        let action = Action::Navigation(NavigationAction::TabChosen(tab));
        let icon = match tab {
            Tab::Compare => Glyph::Compare,
            Tab::Simulate => Glyph::Play,
            Tab::Source => Glyph::Source,
            _ => Glyph::Graph,
        };
        pane(tab.title(), tab.title_of(state.selection.whole.is_none()), icon, on, action)
    };
    html! {
        <nav class="panes" aria-label="Regions">
            { region("Packages", Glyph::List, Pane::Packages) }
            { for Tab::MAIN.into_iter().map(tab) }
            if state.selection.whole.is_none() { { region(DETAILS, Glyph::More, Pane::Entry) } }
        </nav>
    }
}
