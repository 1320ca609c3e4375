//! What the dialog about a rule of comparisons shows: what clusters do, and the level, which the user can change.

use super::{level, level_words};
use crate::dom;
use crate::kit::prose;
use crate::store::{Action, CompareAction, State, chosen_level};
use views::{ComparisonRuleDoc, Level};
use yew::prelude::*;

/// The description of a rule, and the choice of its level.
pub(in crate::panels) fn comparison_rule(state: &State, doc: &ComparisonRuleDoc, send: &Callback<Action>) -> Html {
    let chosen = chosen_level(&state.compare.levels, &doc.id);
    let (rule, send) = (doc.id.clone(), send.clone());
    let onchange = Callback::from(move |event: Event| {
        let level = Some(dom::select_text(&event)).filter(|level| !level.is_empty());
        send.emit(Action::Compare(CompareAction::LevelChosen { rule: rule.clone(), level }));
    });
    let names = Level::ALL.map(|level| level_words(level).0);
    let option = |name: &'static str| html! { <option value={name} selected={chosen == Some(name)}>{ name }</option> };
    html! { <>
        <p>{ level(doc.level) }{ " " }<b>{ prose(&doc.about) }</b></p>
        <p>{ prose(&doc.effect) }</p>
        <p><label>{ "Level in this comparison: " }<select data-testid="rule-level" {onchange}>
            <option value="" selected={chosen.is_none()}>{ format!("{}, its own", level_words(doc.level).0) }</option>
            { for names.map(option) }{ option("off") }
        </select></label></p>
        <p class="mute">
            { "A comment with this rule at an entry, at the head of its channel or at the channel ignores it " }
            { "there." }
        </p>
    </> }
}
