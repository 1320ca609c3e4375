//! The header: catalogs, buttons to add some, and page-wide controls.

use super::catalogs::add_buttons;
use super::notices::undo;
use crate::dom;
use crate::kit::choice;
use crate::parts::dot;
use crate::store::{Action, CatalogsAction, Dialog, PageAction, SessionAction, State, Theme};
use views::CatalogRow;
use yew::prelude::*;

/// The header. `picked` receives the files of a file input.
pub(crate) fn header(state: &State, send: &Callback<Action>, picked: &Callback<Event>) -> Html {
    let chips = state.overview.catalogs.iter().map(|row| chip(row, send));
    let examples = send.reform(|_: MouseEvent| Action::Catalogs(CatalogsAction::ExamplesAsked));
    let clear = send.reform(|_: MouseEvent| Action::Catalogs(CatalogsAction::Cleared));
    let share = send.reform(|_: MouseEvent| Action::Session(SessionAction::ShareAsked));
    let help = send.reform(|_: MouseEvent| Action::Page(PageAction::DialogOpened(Dialog::Shortcuts)));
    html! {
        <header class="top">
            <a class="skip" href="#package">{ "Skip to the package" }</a>
            <h1 class="brand">{ "op" }<span>{ "scope" }</span></h1>
            <ul class="chips" aria-label="Catalogs">{ for chips }</ul>
            { add_buttons(send, picked) }
            <span class="grow"></span>
            <button type="button" class="examples" data-testid="examples" onclick={examples}>{ "Examples" }</button>
            if !state.overview.catalogs.is_empty() {
                <button type="button" class="share" data-testid="share" onclick={share}>{ "Share" }</button>
            }
            <span class="promise">{ "Runs locally" }</span>
            { themes(state, send) }
            { undo(state, send) }
            if !state.overview.catalogs.is_empty() {
                <button type="button" class="clear" data-testid="clear" onclick={clear}>{ "Clear all" }</button>
            }
            <button type="button" class="help" title="Keyboard shortcuts (?)" aria-label="Keyboard shortcuts" onclick={help}>{ "?" }</button>
        </header>
    }
}

/// The header of an embedded page: the name and a link to the full page.
pub(crate) fn embedded() -> Html {
    let address = dom::address_of_full_page();
    html! {
        <header class="top">
            <h1 class="brand">{ "op" }<span>{ "scope" }</span></h1>
            <span class="grow"></span>
            <a class="button" data-testid="whole" href={address} target="_blank" rel="noopener">{ "Open in Opscope" }</a>
        </header>
    }
}

/// The colour scheme switch; on a narrow screen it is in the shortcuts dialog.
pub(super) fn themes(state: &State, send: &Callback<Action>) -> Html {
    let themes = Theme::ALL.map(|theme| (theme, theme.name()));
    choice("Colours", &themes, state.theme, &send.reform(|it| Action::Page(PageAction::ThemeChosen(it))))
}

fn chip(row: &CatalogRow, send: &Callback<Action>) -> Html {
    let id = row.id;
    let onclick = send.reform(move |_: MouseEvent| Action::Page(PageAction::DialogOpened(Dialog::Catalog(id))));
    let packages = if row.packages == 1 { "1 package".to_owned() } else { format!("{} packages", row.packages) };
    html! { <li key={id.0}><button type="button" class="catalog" data-testid="catalog-chip" data-name={row.name.clone()} title={row.name.clone()} {onclick}>
        { dot(row.findings) }<b>{ &row.name }</b><span>{ packages }{ " · priority " }{ row.priority }</span>
    </button></li> }
}
