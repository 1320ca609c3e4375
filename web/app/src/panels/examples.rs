//! The dialog of ready examples.

use crate::kit::{Modal, prose};
use crate::store::{Action, State};
use views::{ExampleRow, ExampleTheme};
use yew::prelude::*;

/// The examples by theme; each a button that says what is to be seen.
pub(super) fn examples_dialog(state: &State, send: &Callback<Action>) -> Html {
    html! {
        <Modal title="Examples" testid="examples-dialog" on_close={send.reform(|()| Action::DialogClosed)}>
            <Gallery themes={(*state.examples).clone()} own={state.has_own()} shown={state.example.clone()} send={send.clone()} />
        </Modal>
    }
}

#[derive(Clone, PartialEq, Properties)]
struct GalleryProps {
    themes: Vec<ExampleTheme>,
    /// Something of the user's own would be replaced.
    own: bool,
    /// The one that is open.
    shown: Option<String>,
    send: Callback<Action>,
}

/// Remembers which example waits for a yes.
#[component]
fn Gallery(props: &GalleryProps) -> Html {
    let asked = use_state(|| None::<String>);
    let themes = props.themes.iter().map(|theme| {
        let rows = theme.examples.iter().map(|row| example(row, props, &asked));
        html! { <section key={theme.title.clone()}><h3>{ &theme.title }</h3><ul class="gallery">{ for rows }</ul></section> }
    });
    html! { <>
        <p class="mute">{ "Small catalogs with a cluster, each showing one thing that OLM does." }</p>
        { for themes }
    </> }
}

fn example(row: &ExampleRow, props: &GalleryProps, asked: &UseStateHandle<Option<String>>) -> Html {
    let (slug, send) = (row.slug.clone(), props.send.clone());
    let open = Callback::from(move |_: MouseEvent| send.emit(Action::ExampleOpened(slug.clone())));
    let waits = **asked == Some(row.slug.clone());
    let onclick = if props.own {
        let (slug, asked) = (row.slug.clone(), asked.clone());
        Callback::from(move |_: MouseEvent| asked.set(Some(slug.clone())))
    } else {
        open.clone()
    };
    let keep = {
        let asked = asked.clone();
        Callback::from(move |_: MouseEvent| asked.set(None))
    };
    let shown = props.shown.as_ref() == Some(&row.slug);
    html! {
        <li key={row.slug.clone()}>
            <button type="button" class="example" data-testid="example-row" data-name={row.slug.clone()} aria-current={shown.then_some("true")} {onclick}>
                <b>{ &row.title }</b><span>{ prose(&row.says) }</span></button>
            if waits {
                <p class="confirm" role="alert">{ "This takes the place of your catalogs and your cluster." }
                    <button type="button" class="danger" data-testid="example-confirm" onclick={open}>{ "Replace" }</button>
                    <button type="button" autofocus=true onclick={keep}>{ "Keep mine" }</button></p>
            }
        </li>
    }
}
