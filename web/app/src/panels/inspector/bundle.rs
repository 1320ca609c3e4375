//! The bundle of an entry: provided and required APIs, and its description.

use super::entry::pair;
use crate::kit::prose;
use crate::parts::{fact_line, facts, few, place_link};
use crate::store::Action;
use views::{EntryView, RequirementView};
use yew::prelude::*;

/// The bundle section; nothing if the catalog has no such bundle.
pub(super) fn bundle(view: &EntryView, send: &Callback<Action>) -> Html {
    if view.bundle_place.is_none() {
        return Html::default();
    }
    let provides = view.provides.iter().map(|name| html! { <code>{ name }</code> }).collect();
    html! { <>
        <h3>{ "Bundle" }</h3>
        <dl class="pairs">
            if !view.provides.is_empty() { { pair("provides", few(provides)) } }
            { for view.requires.iter().map(|row| pair("requires", requirement(row, send))) }
            if !view.required_by.is_empty() {
                { pair("required by", few(view.required_by.iter().map(|line| fact_line(line, send)).collect())) }
            }
            { for view.image.as_ref().map(|image| pair("image", html! { <code class="long">{ image }</code> })) }
            { for view.bundle_place.map(|place| pair("defined at", place_link(None, place, send))) }
        </dl>
        if !view.facts.is_empty() {
            <h3>{ "Bundle" }</h3>
            { facts(&view.facts, send) }
        }
    </> }
}

fn requirement(row: &RequirementView, send: &Callback<Action>) -> Html {
    let parts = row.parts.iter().map(|part| html! { <li>{ fact_line(part, send) }</li> });
    html! { <div class="requirement" data-testid="requirement">{ prose(&row.text) }{ " " }{ for row.place.map(|place| place_link(None, place, send)) }
        if !row.parts.is_empty() { <ul class="parts">{ for parts }</ul> }
        if row.met_by.is_empty() {
            <div class="wrong">{ "No loaded catalog provides it" }</div>
        } else {
            <div class="mute">{ "provided by" }</div>
            { few(row.met_by.iter().map(|line| fact_line(line, send)).collect()) }
            if row.more > 0 { <div class="mute">{ format!("and {} more", row.more) }</div> }
        }
    </div> }
}
