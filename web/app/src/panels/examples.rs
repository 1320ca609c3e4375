//! The examples dialog.

use crate::kit::{Modal, prose};
use crate::store::{Action, CatalogsAction, PageAction, State};
use views::ExampleRow;
use yew::prelude::*;

/// The examples by theme, each with a sentence on what it shows.
pub(super) fn examples_dialog(state: &State, send: &Callback<Action>) -> Html {
    let themes = state.examples.iter().map(|theme| {
        let rows = theme.examples.iter().map(|row| example(row, state.example.as_deref(), send));
        html! { <section key={theme.title.clone()}><h3>{ &theme.title }</h3><ul class="gallery">{ for rows }</ul></section> }
    });
    let own = if state.has_own() { "It replaces what is open. You can undo this." } else { "" };
    html! {
        <Modal title="Examples" testid="examples-dialog" on_close={send.reform(|()| Action::Page(PageAction::DialogClosed))}>
            <p class="mute">{ "Small catalogs with a cluster. Each example shows one behaviour of OLM. " }{ own }</p>
            { for themes }
        </Modal>
    }
}

fn example(row: &ExampleRow, shown: Option<&str>, send: &Callback<Action>) -> Html {
    let slug = row.slug.clone();
    let onclick = send.reform(move |_: MouseEvent| Action::Catalogs(CatalogsAction::ExampleOpened(slug.clone())));
    let current = (shown == Some(&row.slug)).then_some("true");
    html! {
        <li key={row.slug.clone()}>
            <button type="button" class="example" data-testid="example-row" data-name={row.slug.clone()} aria-current={current} {onclick}>
                <b>{ &row.title }</b><span>{ prose(&row.says) }</span></button>
        </li>
    }
}
