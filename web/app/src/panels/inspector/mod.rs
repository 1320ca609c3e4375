//! What is selected: an entry, or something else of the package; and the way that was asked for.

mod bundle;
mod entry;
mod subject;
mod way;

use crate::store::{Action, Shared, Way};
use views::{EntryKey, EntryView, Subject, SubjectView, WhyNotView};
use yew::prelude::*;

/// What the inspector shows.
#[derive(Clone, PartialEq, Properties)]
pub(crate) struct Props {
    /// The selection.
    pub(crate) selected: Option<EntryKey>,
    /// All about it, once it is known.
    pub(crate) entry: Option<Shared<EntryView>>,
    /// What is selected instead of an entry; the package is shown if nothing is.
    pub(crate) subject: Option<Subject>,
    /// All about it, once it is known.
    pub(crate) about: Option<Shared<SubjectView>>,
    /// The version that a way is to begin with.
    pub(crate) from: Option<String>,
    /// The way that is shown.
    pub(crate) way: Option<Way>,
    /// Whether there is a simulation to ask about the entry.
    pub(crate) played: bool,
    /// What becomes of an entry in it.
    pub(crate) why_not: Option<Shared<WhyNotView>>,
    /// Where events go.
    pub(crate) send: Callback<Action>,
}

/// The region on the right.
#[component]
pub(crate) fn Inspector(props: &Props) -> Html {
    html! {
        <aside class="inspector" aria-label="Details" data-testid="inspector" tabindex="-1">
            { way::way(props.from.as_deref(), props.way.as_ref(), &props.send) }
            { match (&props.entry, &props.selected, &props.about) {
                (Some(view), ..) => entry::entry(view, props),
                (None, Some(key), _) => html! { <h2 class="mono">{ &key.name }</h2> },
                (None, None, Some(view)) => subject::subject(view, props.subject.is_some(), &props.send),
                (None, None, None) => Html::default(),
            } }
        </aside>
    }
}
