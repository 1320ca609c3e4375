//! Modal dialogs.

use crate::dom;
use yew::prelude::*;

#[derive(Clone, PartialEq, Properties)]
pub(crate) struct Props {
    pub(crate) title: AttrValue,
    /// The test id.
    pub(crate) testid: AttrValue,
    /// Called when the dialog is closed by Escape, its button or a click outside.
    pub(crate) on_close: Callback<()>,
    /// The content.
    pub(crate) children: Html,
}

/// A modal dialog that opens when it is mounted. The browser traps the focus and restores it afterwards.
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
