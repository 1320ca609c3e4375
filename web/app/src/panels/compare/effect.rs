//! The line below the editor that says what the edits do to installed versions.

use super::level;
use crate::kit::prose;
use crate::store::{Action, CompareAction, State, Tab, compared, edits};
use views::Level;
use yew::prelude::*;

/// What the edits of the open catalog do to installed versions.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct EditEffect {
    /// Of what: the edits, or the compared change that the graph shows.
    subject: &'static str,
    /// The worst level.
    worst: Option<Level>,
    /// What happens to the worst package.
    text: String,
}

/// The effect of the edits of the open catalog, once it is known.
pub(crate) fn edit_effect(state: &State) -> Option<EditEffect> {
    let edits = edits(state).filter(|_| state.tab != Tab::Compare)?;
    let asked = compared(state)?;
    let view = state.compare.view(&asked).filter(|view| view.left == 0)?;
    let subject = if (asked.before, asked.after) == edits { "Your edits" } else { "The change" };
    let text = match (view.packages.as_slice(), view.not_comparable.first()) {
        (_, Some(reason)) => reason.clone(),
        ([], None) => "nothing changes for what is installed".to_owned(),
        ([worst], None) => format!("`{}`: {}", worst.key.package, worst.sentence),
        ([worst, rest @ ..], None) => {
            format!("`{}`: {}; {} more changed", worst.key.package, worst.sentence, rest.len())
        }
    };
    Some(EditEffect { subject, worst: view.levels.worst(), text })
}

/// The line, with a button that shows the comparison.
pub(crate) fn edit_effect_line(effect: &EditEffect, send: &Callback<Action>) -> Html {
    let onclick = send.reform(|_: MouseEvent| Action::Compare(CompareAction::EditsShown));
    html! { <div class="tools effect" role="status" data-testid="edit-effect">
        <span class="mute">{ effect.subject }</span>{ for effect.worst.map(level) }<span>{ prose(&effect.text) }</span>
        <button type="button" class="link" data-testid="compare-edits" {onclick}>{ "Compare" }</button>
    </div> }
}
