//! What the dialog about a rule of comparisons shows: what clusters do, and the level, which the user can change.

use super::{level, level_words};
use crate::kit::{prose, select};
use crate::store::{Action, CompareAction, State, chosen_level};
use views::{ComparisonRuleDoc, Level};
use yew::prelude::*;

/// The description of a rule, and the choice of its level.
pub(in crate::panels) fn comparison_rule(state: &State, doc: &ComparisonRuleDoc, send: &Callback<Action>) -> Html {
    let chosen = chosen_level(&state.compare.levels, &doc.id);
    let rule = doc.id.clone();
    let choose = move |level: String| {
        let level = Some(level).filter(|level| !level.is_empty());
        Some(CompareAction::LevelChosen { rule: rule.clone(), level })
    };
    let own = (String::new(), format!("{}, its own", level_words(doc.level).0));
    let names = Level::ALL.iter().map(|level| level_words(*level).0).chain(["off"]);
    let options = std::iter::once(own).chain(names.map(|name| (name.to_owned(), name.to_owned())));
    html! { <>
        <p>{ level(doc.level) }{ " " }<b>{ prose(&doc.about) }</b></p>
        <p>{ prose(&doc.effect) }</p>
        <p><label>{ "Level in this comparison: " }
            { select("rule-level", options, chosen.unwrap_or_default(), send, choose) }</label></p>
        <p class="mute">
            { "A comment with this rule at an entry, at the head of its channel or at the channel ignores it " }
            { "there." }
        </p>
    </> }
}
