//! The details region: the selected entry or subject, and the requested path.

mod crd_changes;
mod entry;
mod extension;
mod links;
mod path;
mod subject;
mod updates;

use super::migration::readiness;
use crate::store::{Action, Shared, ShownPath, WhyNot};
use views::{CrdChangesView, EntryKey, EntryView, ReadinessView, Subject, SubjectView};
use yew::prelude::*;

#[derive(Clone, PartialEq, Properties)]
pub(crate) struct Props {
    pub(crate) selected: Option<EntryKey>,
    /// Its details, once the worker has answered.
    pub(crate) entry: Option<Shared<EntryView>>,
    /// The selected subject (channel, edge or skipRange); the package if nothing is selected.
    pub(crate) subject: Option<Subject>,
    /// Its details, once the worker has answered.
    pub(crate) about: Option<Shared<SubjectView>>,
    /// The day for which the phase of support is stated, `YYYY-MM-DD`.
    pub(crate) day: String,
    pub(crate) path: Option<ShownPath>,
    /// Whether there is a simulation result.
    pub(crate) played: bool,
    /// How the simulation treated an entry.
    pub(crate) why_not: Option<WhyNot>,
    /// What OLM v1 refuses in the bundles of the package.
    pub(crate) readiness: Option<Shared<ReadinessView>>,
    /// What updates do to CustomResourceDefinitions.
    pub(crate) crds: Option<Shared<CrdChangesView>>,
    /// Whether the details are also about OLM v1.
    pub(crate) has_v1: bool,
    pub(crate) send: Callback<Action>,
}

/// The region on the right. Until the details of another selection arrive, those before stay in sight.
#[component]
pub(crate) fn Inspector(props: &Props) -> Html {
    let last = use_mut_ref(|| None::<Props>);
    let is_known = props.entry.is_some() || (props.selected.is_none() && props.about.is_some());
    if is_known {
        last.replace(Some(props.clone()));
    }
    let shown = last.borrow();
    html! {
        <aside id="details" class="inspector" aria-label="Details" data-testid="inspector" tabindex="-1">
            { for props.path.iter().map(|shown| path::path(shown, &props.send)) }
            <div class={classes!((!is_known).then_some("outdated"))} inert={!is_known}
                aria-busy={(!is_known).then_some("true")}>
                { for shown.as_ref().map(details) }
            </div>
        </aside>
    }
}

/// The details of the selected entry, else of the subject.
fn details(props: &Props) -> Html {
    match (&props.entry, &props.about) {
        (Some(view), _) => entry::entry(view, props),
        (None, Some(view)) => {
            let more = match &props.subject {
                Some(_) => Html::default(),
                None => html! { <>
                    { for props.readiness.iter().map(|view| readiness(view)) }
                    { crd_changes::of_package(props) }
                </> },
            };
            subject::subject(view, props.subject.is_some(), &props.day, more, &props.send)
        }
        (None, None) => Html::default(),
    }
}
