//! What controls send when they are pressed, or get another value.

use super::{option, prose};
use crate::dom;
use std::cell::Cell;
use std::rc::Rc;
use yew::prelude::*;

/// Sends an action on each press.
pub(crate) fn press<A: Clone + 'static>(send: &Callback<A>, action: impl Into<A>) -> Callback<MouseEvent> {
    let action = action.into();
    send.reform(move |_: MouseEvent| action.clone())
}

/// Milliseconds and CSS pixels within which a click counts as one more of the same.
const AGAIN: (f64, i32) = (2_000.0, 24);

/// The same for a button whose place another one takes at once: a second click at the same place is none on that one.
pub(crate) fn press_once<A: Clone + 'static>(send: &Callback<A>, action: impl Into<A>) -> Callback<MouseEvent> {
    thread_local! {
        static LAST: Cell<(f64, i32, i32)> = const { Cell::new((f64::MIN, 0, 0)) };
    }
    let (send, action) = (send.clone(), action.into());
    Callback::from(move |event: MouseEvent| {
        let (time, x, y) = (event.time_stamp(), event.client_x(), event.client_y());
        let (before, at_x, at_y) = LAST.get();
        let is_near = (x - at_x).abs().max((y - at_y).abs()) < AGAIN.1;
        // A click by the keyboard has no number.
        if event.detail() == 0 || time - before > AGAIN.0 || !is_near {
            LAST.set((time, x, y));
            send.emit(action.clone());
        }
    })
}

/// Calls back on the keys that press a button, for shapes that are used as buttons. The arrows, Home and End lead to
/// the others beside it, of which Tab reaches the first.
pub(crate) fn on_activation(press: Callback<()>) -> Callback<KeyboardEvent> {
    Callback::from(move |event: KeyboardEvent| {
        let key = event.key();
        if matches!(&*key, "Enter" | " ") {
            event.prevent_default();
            press.emit(());
        } else if dom::focus_sibling(&event, &key) {
            event.prevent_default();
        }
    })
}

/// Sends the action that an event means.
pub(crate) fn on<E: 'static, A: 'static, B: Into<A>>(
    send: &Callback<A>,
    action: impl Fn(E) -> B + 'static,
) -> Callback<E> {
    send.reform(move |event| action(event).into())
}

/// Sends the action that a new text of a text field means.
pub(crate) fn on_input<A: 'static, B: Into<A>>(
    send: &Callback<A>,
    action: impl Fn(String) -> B + 'static,
) -> Callback<InputEvent> {
    on(send, move |event: InputEvent| action(dom::input_text(&event)))
}

/// Sends the action that the value of the chosen option of a `select` means, if it means one.
pub(crate) fn on_select<A: 'static, B: Into<A>>(
    send: &Callback<A>,
    action: impl Fn(String) -> Option<B> + 'static,
) -> Callback<Event> {
    let send = send.clone();
    Callback::from(move |event: Event| {
        if let Some(action) = action(dom::select_text(&event)) {
            send.emit(action.into());
        }
    })
}

/// Sends the action that a form means, if it means one, by the texts of its named fields.
pub(crate) fn on_submit<A: 'static, B: Into<A>>(
    send: &Callback<A>,
    action: impl Fn(&dyn Fn(&str) -> String) -> Option<B> + 'static,
) -> Callback<SubmitEvent> {
    let send = send.clone();
    Callback::from(move |event: SubmitEvent| {
        event.prevent_default();
        if let Some(action) = action(&|name| dom::form_text(&event, name)) {
            send.emit(action.into());
        }
    })
}

/// A button that sends an action and says by its text alone what that does.
pub(crate) fn button<A: Clone + 'static>(
    testid: &'static str,
    text: impl Into<AttrValue>,
    send: &Callback<A>,
    action: impl Into<A>,
) -> Html {
    html! { <button type="button" data-testid={testid} onclick={press(send, action)}>{ text.into() }</button> }
}

// Options of which one is chosen: as a row of buttons, or as a list that opens.

/// Radio buttons styled as a segmented control.
pub(crate) fn choice<T: Copy + PartialEq + 'static, A: Clone + 'static, B: Into<A>>(
    label: &'static str,
    options: &[(T, &'static str)],
    on: T,
    send: &Callback<A>,
    action: impl Fn(T) -> B,
) -> Html {
    let options = options.iter().map(|&(value, name)| {
        let onclick = press(send, action(value));
        html! { <button type="button" aria-pressed={(value == on).to_string()} {onclick}>{ name }</button> }
    });
    html! { <div class="choice" role="group" aria-label={label}>{ for options }</div> }
}

/// A `select` of options, each a value and a text. `action` gets the value of the chosen one.
pub(crate) fn select<A: 'static, B: Into<A>>(
    testid: impl Into<AttrValue>,
    options: impl IntoIterator<Item = (String, String)>,
    on: &str,
    send: &Callback<A>,
    action: impl Fn(String) -> Option<B> + 'static,
) -> Html {
    let options = options.into_iter().map(|(value, text)| {
        let is_chosen = value == on;
        option(value, is_chosen, &text)
    });
    html! { <select data-testid={testid.into()} onchange={on_select(send, action)}>{ for options }</select> }
}

// A button that opens a popover with controls.

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

// Modal dialogs.

#[derive(Clone, PartialEq, Properties)]
pub(crate) struct ModalProps {
    pub(crate) title: AttrValue,
    /// The test id.
    pub(crate) testid: AttrValue,
    /// Called when the dialog is closed by Escape, its button or a click outside.
    pub(crate) on_close: Callback<()>,
    pub(crate) children: Html,
}

/// A modal dialog that opens when it is mounted. The browser traps the focus and restores it afterwards.
#[component]
pub(crate) fn Modal(props: &ModalProps) -> Html {
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

// A command line with a button that copies it.

/// The command; `copy` receives it when it is to be copied.
pub(crate) fn command(text: &str, copy: &Callback<Rc<str>>) -> Html {
    let shown: Rc<str> = text.into();
    let onclick = press(copy, Rc::clone(&shown));
    html! {
        <span class="command">
            <code>{ shown }</code>
            <button type="button" class="link" {onclick}>{ "Copy" }</button>
        </span>
    }
}

/// The command, or why there is none.
pub(crate) fn command_if_any(found: &Result<String, String>, copy: &Callback<Rc<str>>) -> Html {
    match found {
        Ok(text) => command(text, copy),
        Err(reason) => html! { <span class="mute">{ prose(&format!("no command, because {reason}")) }</span> },
    }
}

// The icons of buttons and tabs, one small set.

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Glyph {
    Compare,
    Copy,
    Down,
    Folder,
    Graph,
    List,
    More,
    Play,
    Search,
    Share,
    Source,
}

impl Glyph {
    /// Its lines in a square of 16 units.
    const fn path(self) -> &'static str {
        match self {
            Self::Compare => "M2.5 5.5h10M10 2.5l3 3l-3 3M13.5 11h-10M6 8l-3 3l3 3",
            Self::Copy => "M6 6h7.5v7.5H6zM10.5 6V2.5h-8v8H6",
            Self::Down => "M4.5 6.5L8 10l3.5-3.5",
            Self::Folder => "M2 12.5v-9h4l1.5 2H14v7z",
            Self::Graph => {
                "M4 6a2 2 0 1 0 0 4a2 2 0 1 0 0-4M12 2a2 2 0 1 0 0 4a2 2 0 1 0 0-4M12 10a2 2 0 1 0 0 4a2 2 0 1 0 0-4\
                M5.8 7.1l4.4-2.2M5.8 8.9l4.4 2.2"
            }
            Self::List => "M2.5 4h.01M2.5 8h.01M2.5 12h.01M6 4h8M6 8h8M6 12h8",
            Self::More => "M3.5 8h.01M8 8h.01M12.5 8h.01",
            Self::Play => "M5 3v10l8-5z",
            Self::Search => "M7 2.5a4.5 4.5 0 1 0 0 9a4.5 4.5 0 1 0 0-9M10.5 10.5L14 14",
            Self::Share => "M8 10V2.5M5 5l3-3l3 3M3.5 8v5.5h9V8",
            Self::Source => "M6 4L2 8l4 4M10 4l4 4l-4 4",
        }
    }

    /// The icon, which says nothing to screen readers.
    pub(crate) fn html(self) -> Html {
        html! { <svg class="glyph" viewBox="0 0 16 16" aria-hidden="true"><path d={self.path()} /></svg> }
    }
}
