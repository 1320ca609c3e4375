//! Installed versions with the same fate under OLM v1.

use super::group::causes;
use super::level;
use crate::kit::prose;
use crate::parts::{fixes, rule_link};
use crate::store::Action;
use views::{ExtensionGroupView, ExtensionOutcome, LevelView};
use yew::prelude::*;

/// A group.
pub(super) fn extension_group(row: &ExtensionGroupView, send: &Callback<Action>) -> Html {
    let channel = row.channel.as_ref().map_or_else(
        || html! { <span>{ " without channels" }</span> },
        |channel| html! { <span>{ " in channel " }<b>{ channel }</b></span> },
    );
    html! {
        <details class="row-group" key={format!("{} {:?} {}", row.rule, row.channel, row.title)} open={row.level == LevelView::Breaking} data-testid="extension-group" data-rule={row.rule.clone()}>
            <summary>{ level(row.level) }<b>{ &row.title }</b>{ channel }<span class="outcome">{ outcome(row) }</span></summary>
            <p>{ prose(&row.about) }{ " " }{ rule_link(&row.rule, send) }</p>
            if row.versions.len() > 1 { <p class="mute">{ row.versions.join(", ") }</p> }
            <p><b>{ "Before: " }</b>{ prose(&row.before) }</p>
            <p><b>{ "After: " }</b>{ prose(&row.after) }</p>
            <p class="shows">{ prose(&row.effect) }</p>
            { causes(&row.cause, send) }
            { fixes("Fixes (each one verified)", &row.fixes, send) }
        </details>
    }
}

/// What becomes of the versions, in a few words.
fn outcome(row: &ExtensionGroupView) -> String {
    match &row.outcome {
        ExtensionOutcome::Stays => "stays".to_owned(),
        ExtensionOutcome::EndsAt(version) => format!("→ {version}"),
        ExtensionOutcome::FailsAt(version) => format!("→ {version}, then fails"),
        ExtensionOutcome::Fails => "fails".to_owned(),
        ExtensionOutcome::Repeats => "repeats forever".to_owned(),
    }
}
