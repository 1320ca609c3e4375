//! A dialog above the page.

use crate::dom;
use yew::prelude::*;

/// A dialog: a title, what is in it, and how it goes away.
#[derive(Clone, PartialEq, Properties)]
pub(crate) struct Props {
    /// The title.
    pub(crate) title: AttrValue,
    /// For tests.
    pub(crate) testid: AttrValue,
    /// It was closed, by Escape, its button or a click beside it.
    pub(crate) on_close: Callback<()>,
    /// What is in it.
    pub(crate) children: Html,
}

/// Shows itself as soon as it is in the page; the browser keeps the focus inside and gives it back afterwards.
#[component]
pub(crate) fn Modal(props: &Props) -> Html {
    let node = use_node_ref();
    let shown = node.clone();
    use_effect_with((), move |()| {
        dom::show(&shown);
        move || dom::close(&shown)
    });
    let onclose = props.on_close.reform(|_: Event| ());
    let close = props.on_close.reform(|_: MouseEvent| ());
    html! {
        <dialog ref={node} {onclose} onclick={|event: MouseEvent| dom::close_on_backdrop(&event)}
            data-testid={props.testid.clone()} aria-labelledby="modal-title">
            <header><h2 id="modal-title">{ &props.title }</h2>
                <button type="button" class="quiet" aria-label="Close" onclick={close}>{ "✕" }</button></header>
            { props.children.clone() }
        </dialog>
    }
}
