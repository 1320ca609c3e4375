//! The line below the editor that says what the edits do to installed versions.

use super::level;
use crate::kit::{press, prose};
use crate::store::{Action, CompareAction, NavigationAction, State, Tab, compared, edits, shows_change};
use views::{ComparisonView, Level, SideKey};
use yew::prelude::*;

/// What the edits of the open catalog do to installed versions.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct EditEffect {
    /// Of what: the edits, or the compared change that the graph shows.
    subject: &'static str,
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
    let worst = view.packages.split_first().map(|(worst, rest)| {
        let more = if rest.is_empty() { String::new() } else { format!("; {} more changed", rest.len()) };
        let harmed = if worst.harmed.is_empty() { String::new() } else { format!(". Harmed: {}", worst.harmed) };
        format!("`{}`: {}{more}{harmed}", worst.key.package, worst.sentence)
    });
    let text = sentences(view.not_comparable.first(), worst, view);
    let text = if text.is_empty() { "nothing changes for what is installed".to_owned() } else { text };
    Some(EditEffect { subject, worst: view.levels.worst(), text })
}

/// What a change does by itself, after why the catalog is not served and before what follows from that.
fn sentences(cause: Option<&String>, change: Option<String>, view: &ComparisonView) -> String {
    let said = cause.cloned().into_iter().chain(change).chain(view.following.clone());
    said.collect::<Vec<_>>().join(". ")
}

/// The line, with a button that shows the comparison.
pub(crate) fn edit_effect_line(effect: &EditEffect, send: &Callback<Action>) -> Html {
    let onclick = press(send, CompareAction::EditsShown);
    html! { <div class="tools effect" role="status" data-testid="edit-effect">
        <span class="mute">{ effect.subject }</span>{ for effect.worst.map(level) }<span>{ prose(&effect.text) }</span>
        <button type="button" class="link" data-testid="compare-edits" {onclick}>{ "Compare" }</button>
    </div> }
}

/// Why a catalog is not served, unless the overview says it already.
fn cause<'v>(state: &State, after: SideKey, view: &'v ComparisonView) -> Option<&'v String> {
    let is_said = state.selection.whole == Some(after.catalog)
        && state.catalog(after.catalog).is_some_and(|row| row.rejection.is_some());
    view.not_comparable.first().filter(|_| !is_said)
}

/// What changed between the states of the catalog whose overview is shown, in one line with a button that shows the
/// comparison.
pub(crate) fn change_line(state: &State, send: &Callback<Action>) -> Html {
    let Some(asked) = compared(state).filter(|_| shows_change(state)) else { return Html::default() };
    let name = |side: SideKey| state.catalog(side.catalog).map(|row| row.name.clone()).unwrap_or_default();
    let subject = match asked.before.catalog == asked.after.catalog {
        true => "Your edits".to_owned(),
        false => format!("{} → {}", name(asked.before), name(asked.after)),
    };
    let onclick = press(send, NavigationAction::TabChosen(Tab::Compare));
    let view = state.compare.view(&asked).filter(|view| view.left == 0);
    html! { <p class="change-line" data-testid="catalog-change">
        <b>{ subject }</b>
        <span role="status">{ match view {
            None => html! { "Comparing…" },
            Some(view) if !view.is_read => html! { "One of the two states cannot be read." },
            Some(view) => {
                let change = match view.packages.as_slice() {
                    [only] if state.selection.whole.is_none() => format!("`{}`: {}", only.key.package, only.sentence),
                    _ => view.sentence.clone(),
                };
                let text = sentences(cause(state, asked.after, view), Some(change), view);
                html! { <>{ for view.levels.worst().map(level) }{ " " }{ prose(&text) }{ "." }</> }
            }
        } }</span>
        <button type="button" class="link" data-testid="catalog-compare" {onclick}>{ "Compare" }</button>
    </p> }
}
