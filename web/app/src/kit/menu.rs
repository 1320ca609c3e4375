//! A button that opens a popover with controls.

use crate::dom;
use yew::prelude::*;

/// Properties of [`Menu`].
#[derive(Clone, PartialEq, Properties)]
pub(crate) struct Props {
    /// The text or icon of the button.
    pub(crate) label: Html,
    /// The name of the button for screen readers and as a tooltip, if the label does not say it.
    #[prop_or_default]
    pub(crate) title: Option<AttrValue>,
    /// The test id.
    pub(crate) testid: AttrValue,
    /// The controls.
    pub(crate) children: Html,
}

/// A menu. Escape, a click outside and every button in it close it; the browser closes it when another menu opens.
#[component]
pub(crate) fn Menu(props: &Props) -> Html {
    let Props { label, title, testid, children } = props.clone();
    html! {
        <details class="popup" name="menu" data-testid={testid}>
            <summary class="button" aria-label={title.clone()} {title}>{ label }</summary>
            <div class="menu" onclick={|event: MouseEvent| dom::close_menu_of(&event)}>{ children }</div>
        </details>
    }
}
