//! A text field of the forms of Subscriptions and ClusterExtensions.

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

/// The faults of a field.
pub(super) fn faults<'v>(view: Option<&'v Shared<SimulationView>>, at: &FormPlace) -> Vec<&'v str> {
    let all = view.into_iter().flat_map(|view| &view.faults);
    all.filter(|fault| fault.at == *at).map(|fault| &*fault.message).collect()
}
