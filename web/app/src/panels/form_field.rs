//! The rows and the text fields of the forms of Subscriptions and ClusterExtensions.

use crate::kit::prose;
use crate::store::Shared;
use views::{FormPlace, SimulationView};
use yew::prelude::*;

/// A text field with its faults below.
pub(super) struct Input<'p> {
    pub(super) label: &'static str,
    pub(super) value: &'p str,
    /// What an empty field means.
    pub(super) empty: &'p str,
    /// The id of the list of suggestions.
    pub(super) list: Option<String>,
    pub(super) test_name: String,
    /// When the user leaves the field with another text.
    pub(super) onchange: Option<Callback<Event>>,
}

impl Input<'_> {
    pub(super) fn render(self, oninput: Callback<InputEvent>, row: &str, faults: Vec<&str>) -> Html {
        let Self { label, value, empty, list, test_name, onchange } = self;
        let id = format!("{row}-{test_name}-fault");
        let is_wrong = !faults.is_empty();
        html! {
            <div class="field">
                <label>
                    { label }
                    <input value={value.to_owned()} placeholder={empty.to_owned()} {list} autocomplete="off"
                        spellcheck="false" data-testid={test_name} aria-invalid={is_wrong.then_some("true")}
                        aria-describedby={is_wrong.then(|| id.clone())} {oninput} {onchange} />
                </label>
                if is_wrong {
                    <div {id} class="wrong" data-testid="field-fault">
                        { for faults.into_iter().map(|text| html! { <p>{ prose(text) }</p> }) }
                    </div>
                }
            </div>
        }
    }
}

/// A row of a form: a line that says what it is, and below it the fields, folded.
pub(super) struct FormCard<'p> {
    pub(super) class: &'static str,
    pub(super) test_name: &'static str,
    /// What it is, and what its fields say.
    pub(super) line: [&'p str; 4],
    /// Whether the fields are shown from the beginning.
    pub(super) is_open: bool,
    pub(super) remove: (String, &'static str, Callback<MouseEvent>),
}

impl FormCard<'_> {
    pub(super) fn render(self, key: usize, fields: Html) -> Html {
        let [name, rest @ ..] = self.line;
        let (label, remove_name, remove) = self.remove;
        let rest: Vec<&str> = rest.into_iter().filter(|text| !text.is_empty()).collect();
        html! {
            <div class="form-card" {key}>
                <details open={self.is_open} data-testid={format!("{}-card", self.test_name)}>
                    <summary><b>{ name }</b><span>{ for rest.iter().map(|text| format!(" · {text}")) }</span></summary>
                    <fieldset class={classes!("subscription", self.class)} data-testid={self.test_name}>
                        <legend class="unseen">{ name }</legend>
                        { fields }
                    </fieldset>
                </details>
                <button type="button" class="quiet remove" aria-label={label} data-testid={remove_name}
                    onclick={remove}>
                    { "✕" }
                </button>
            </div>
        }
    }
}

pub(super) fn faults<'v>(view: Option<&'v Shared<SimulationView>>, at: &FormPlace) -> Vec<&'v str> {
    let all = view.into_iter().flat_map(|view| &view.faults);
    all.filter(|fault| fault.at == *at).map(|fault| &*fault.message).collect()
}
