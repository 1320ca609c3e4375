//! The repair that is offered first, with its proof and its diff.

use super::diff;
use crate::kit::{plural, press, press_once, prose};
use crate::store::{Action, CatalogsAction, ExploreAction};
use views::{BestRepair, DiffLine, FixView, InputEdit, Subject};
use yew::prelude::*;

/// The card, with a button that applies the repair and one that shows all of them.
pub(crate) fn fix_card(view: &BestRepair, send: &Callback<Action>) -> Html {
    let subject = Subject::Channel { channel: view.channel.clone() };
    let all = press(send, Action::Explore(ExploreAction::SubjectSelected(subject)));
    let others = match view.others {
        0 => "Now and repaired".to_owned(),
        count => format!("{count} other way{}", plural(count as usize)),
    };
    let lines = view.fix.as_ref().and_then(|fix| fix.repair.as_ref());
    html! { <section class="fix-card" aria-label="Repair" data-testid="fix-card">
        <h3>{ prose(&view.title) }</h3>
        { for view.proof.iter().map(|text| html! { <p>{ prose(text) }</p> }) }
        { for lines.map(|repair| diff(&DiffLine::numbered(&repair.diff), None)) }
        <p class="actions">
            { for view.fix.as_ref().and_then(|fix| Some(apply(fix, fix.edit.clone()?, send))) }
            <button type="button" class="quiet" data-testid="other-repairs" onclick={all}>{ others }</button>
        </p>
    </section> }
}

fn apply(fix: &FixView, edit: InputEdit, send: &Callback<Action>) -> Html {
    let action = Action::Catalogs(CatalogsAction::FixApplied { what: fix.text.clone(), edit, is_tried: false });
    html! { <button type="button" class="primary" data-testid="apply-repair" onclick={press_once(send, action)}>
    { "Apply repair" }</button> }
}
