//! The examples: a dialog to choose one, and the note about the open one.

use super::close_dialog;
use crate::dom;
use crate::kit::{Modal, press, prose};
use crate::store::{Action, CatalogsAction, Shared, State};
use views::{ExampleRow, ExampleTheme};
use yew::prelude::*;

pub(super) fn examples_dialog(state: &State, send: &Callback<Action>) -> Html {
    html! {
        <Gallery themes={state.examples.clone()} shown={state.example.clone()} replaces={state.has_own()}
            send={send.clone()} />
    }
}

/// What the open example shows, and what to look at; nothing if none is open.
pub(super) fn open_example_note(state: &State) -> Html {
    let mut rows = state.examples.iter().flat_map(|theme| &theme.examples);
    let Some(row) = rows.find(|row| state.example.as_ref() == Some(&row.slug)) else { return Html::default() };
    html! { <details class="example-note" data-testid="example-note">
        <summary>{ "Example: " }{ &row.title }</summary>
        <p>{ prose(&row.says) }</p><p>{ prose(&row.look_at) }</p>
    </details> }
}

#[derive(Clone, PartialEq, Properties)]
struct Props {
    themes: Shared<Vec<ExampleTheme>>,
    /// The open example.
    shown: Option<String>,
    /// Whether opening an example replaces something of the user's own.
    replaces: bool,
    send: Callback<Action>,
}

/// The examples by theme, each with a sentence on what it shows. The search field ends with the dialog.
#[component]
fn Gallery(props: &Props) -> Html {
    let text = use_state(String::new);
    let oninput = Callback::from({
        let text = text.clone();
        move |event: InputEvent| text.set(dom::input_text(&event))
    });
    let theme = |theme: &ExampleTheme| {
        let rows: Vec<Html> =
            theme.examples.iter().filter(|row| is_found(row, &text)).map(|row| example(row, props)).collect();
        (!rows.is_empty()).then(|| {
            html! {
                <section key={theme.title.clone()}>
                    <h3>{ &theme.title }</h3>
                    <ul class="gallery">{ for rows }</ul>
                </section>
            }
        })
    };
    let themes: Vec<Html> = props.themes.iter().filter_map(theme).collect();
    let own = if props.replaces { "It replaces what is open. You can undo this." } else { "" };
    html! {
        <Modal title="Examples" testid="examples-dialog" on_close={close_dialog(&props.send)}>
            <p class="mute">{ "Small catalogs with a cluster. Each example shows one behaviour of OLM. " }{ own }</p>
            <input type="search" class="wide" placeholder="Search examples" aria-label="Search examples"
                data-testid="examples-search" value={(*text).clone()} {oninput} />
            if themes.is_empty() && !text.is_empty() {
                <p class="mute waiting" role="status">{ "No example has these words." }</p>
            }
            // One child, however many there are: Yew matches children from the last one, and would replace the field.
            <>{ for themes }</>
        </Modal>
    }
}

/// Whether an example has every word of a text.
fn is_found(row: &ExampleRow, text: &str) -> bool {
    let all = [&*row.slug, &*row.title, &*row.says, &*row.look_at].join(" ").to_lowercase();
    text.to_lowercase().split_whitespace().all(|word| all.contains(word))
}

fn example(row: &ExampleRow, props: &Props) -> Html {
    let onclick = press(&props.send, CatalogsAction::ExampleOpened(row.slug.clone()));
    let current = (props.shown.as_ref() == Some(&row.slug)).then_some("true");
    html! {
        <li key={row.slug.clone()}>
            <button type="button" class="example" data-testid="example-row" data-name={row.slug.clone()}
                aria-current={current} {onclick}>
                <b>{ &row.title }</b><span>{ prose(&row.says) }</span>
            </button>
        </li>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_example_is_found_by_words_in_any_order() {
        let row = ExampleRow {
            slug: "held-back".to_owned(),
            title: "A new Subscription blocks an update".to_owned(),
            says: "`app` requires an API.".to_owned(),
            look_at: "Look at the graph.".to_owned(),
        };
        for text in ["", "blocks subscription", "HELD", "api graph "] {
            assert!(is_found(&row, text), "{text}");
        }
        assert!(!is_found(&row, "blocks channel"));
    }
}
