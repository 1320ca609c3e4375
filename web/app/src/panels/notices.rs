//! What the user should know, and what is being waited for.

use crate::kit::{prose, size};
use crate::store::{Action, Notice, NoticeKind, State, Wait};
use std::borrow::Cow;
use views::{ShareFault, Stage};
use yew::prelude::*;

/// The notices that were not read yet; screen readers speak new ones.
pub(crate) fn notices(state: &State, send: &Callback<Action>) -> Html {
    html! { <div class="notices" role="status" aria-live="polite">{ for state.notices.iter().filter(|row| !row.read).map(|row| notice(row, send)) }</div> }
}

fn notice(Notice { number, kind, .. }: &Notice, send: &Callback<Action>) -> Html {
    let number = *number;
    let dismiss = send.reform(move |_: MouseEvent| Action::NoticeDismissed(number));
    let (title, reason) = words(kind);
    html! {
        <div key={number} id={notice_id(number)} class="notice" data-testid="notice">
            <p><b>{ title }</b>if let Some(reason) = reason { { " " }<span>{ prose(&reason) }</span> }</p>
            { for offers(kind).into_iter().map(|(name, action)| {
                let onclick = send.reform(move |_: MouseEvent| action.clone());
                html! { <button type="button" {onclick}>{ name }</button> }
            }) }
            <button type="button" class="quiet" aria-label="Dismiss" data-testid="notice-dismiss" onclick={dismiss}>{ "✕" }</button>
        </div>
    }
}

/// The id of a notice in the page.
pub(crate) fn notice_id(number: u32) -> String {
    format!("notice-{number}")
}

fn words(kind: &NoticeKind) -> (String, Option<Cow<'_, str>>) {
    match kind {
        NoticeKind::Restarted { reason } => {
            ("The worker stopped and was started again with your catalogs.".to_owned(), Some(reason.into()))
        }
        NoticeKind::StartedEmpty { reason } => (
            "The worker stopped again while it brought back your catalogs; it runs without them.".to_owned(),
            Some(reason.into()),
        ),
        NoticeKind::Gone { reason } => {
            ("The worker does not start; reload the page to try again.".to_owned(), Some(reason.into()))
        }
        NoticeKind::Stopped => ("Stopped. The worker was started again with your catalogs.".to_owned(), None),
        NoticeKind::Cancelled => ("Cancelled: all is as it was before.".to_owned(), None),
        NoticeKind::NotRestored => {
            ("Cancelled: the catalogs of your last visit were not loaded. They are still kept.".to_owned(), None)
        }
        NoticeKind::NotStored { reason } => {
            ("Your catalogs are not kept in this browser; this visit goes on without.".to_owned(), Some(reason.into()))
        }
        NoticeKind::Refused { reason } => ("That could not be read.".to_owned(), Some(reason.into())),
        NoticeKind::EditHeld => {
            ("The last change may not have been kept: compare the catalogs with what you expect.".to_owned(), None)
        }
        NoticeKind::NoDefinition => ("Nothing that is loaded defines what stands at the cursor.".to_owned(), None),
        NoticeKind::ManifestsFound => {
            ("Cluster manifests were found: the simulation starts from them now.".to_owned(), None)
        }
        NoticeKind::Exported => ("Copied: the form as manifests, which are also in their field now.".to_owned(), None),
        NoticeKind::Rewritten => ("The manifests now say what the form says.".to_owned(), None),
        NoticeKind::CommentCopied { comment } => (
            format!("Copied {comment}"),
            Some("Put it behind the line of a finding, before its item, or at the top of the document.".into()),
        ),
        NoticeKind::FormChanged { what } | NoticeKind::CatalogEdited { what, .. } => {
            ("Tried:".to_owned(), Some(what.into()))
        }
        NoticeKind::FieldsEmptied { package } => (format!("What belonged to {package} was taken out."), None),
        NoticeKind::SubscriptionRemoved { package } if package.is_empty() => ("Subscription removed.".to_owned(), None),
        NoticeKind::SubscriptionRemoved { package } => (format!("Subscription to {package} removed."), None),
        NoticeKind::CatalogRemoved { name, .. } => (format!("Catalog {name} removed."), None),
        NoticeKind::Cleared { .. } => ("Everything is cleared.".to_owned(), None),
        NoticeKind::Replaced { .. } => ("Your catalogs and your cluster were put aside.".to_owned(), None),
        NoticeKind::Renewed => ("A newer version of Opscope is here.".to_owned(), None),
        NoticeKind::NotArrived { fault } => ("Nothing was opened.".to_owned(), Some(not_arrived(fault))),
    }
}

/// What takes back the last change that can be, for as long as it can be.
pub(super) fn undo(state: &State, send: &Callback<Action>) -> Html {
    let Some(last) = state.notices.iter().rev().find(|notice| notice.kind.taken_back().is_some()) else {
        return Html::default();
    };
    let (title, reason) = words(&last.kind);
    let title = format!("Take back (Ctrl-Z): {title} {}", reason.unwrap_or_default());
    let onclick = send.reform(|_: MouseEvent| Action::UndoAsked);
    html! { <button type="button" class="clear" data-testid="undo" {title} {onclick}>{ "Undo" }</button> }
}

/// Why nothing could be opened.
fn not_arrived(fault: &ShareFault) -> Cow<'static, str> {
    match fault {
        ShareFault::Garbled => "The link or file is damaged: part of it may have been cut off on its way.".into(),
        ShareFault::Unknown { format } => {
            format!("It is in format {format}, which this version of Opscope does not know; a newer version does.")
                .into()
        }
        ShareFault::NoExample { slug } => format!("There is no example `{slug}`.").into(),
        ShareFault::TooLarge { most } => format!("It unfolds to more than {}.", size(*most)).into(),
    }
}

fn offers(kind: &NoticeKind) -> Vec<(&'static str, Action)> {
    match kind {
        NoticeKind::StartedEmpty { .. } | NoticeKind::NotRestored => {
            vec![("Restore again", Action::RestoreAsked), ("Clear all", Action::Cleared)]
        }
        NoticeKind::NotArrived { fault: ShareFault::NoExample { .. } } => vec![("Examples", Action::ExamplesAsked)],
        NoticeKind::Renewed => vec![("Reload", Action::RenewalAsked)],
        kind => kind.taken_back().map(|action| ("Undo", action)).into_iter().collect(),
    }
}

/// The bar that shows that work goes on, with the way to cancel it, or after a while to stop the worker.
pub(crate) fn progress(state: &State, send: &Callback<Action>) -> Html {
    let Some(wait) = state.wait else { return Html::default() };
    let (value, text) = match state.progress {
        Some((stage, done, total)) if total > 0 => {
            let part = f64::from(done) / f64::from(total);
            (Some(part), format!("{} {:.0} % of {}", stage_name(stage), part * 100.0, megabytes(total)))
        }
        _ => (None, "Working".to_owned()),
    };
    let is_loading = matches!(state.progress, Some((Stage::Fetching | Stage::Reading, ..)));
    let offer = |name: &'static str, id: &'static str, action: Action| {
        let onclick = send.reform(move |_: MouseEvent| action.clone());
        html! { <button type="button" data-testid={id} {onclick}>{ name }</button> }
    };
    html! {
        <div class="progress" data-testid="progress">
            <progress max="1" value={value.map(|value| value.to_string())} aria-label={text.clone()}></progress>
            if is_loading {
                <p>{ text }{ offer("Cancel", "cancel", Action::LoadCancelled) }</p>
            } else if wait == Wait::Long {
                <p role="status">{ "Still working: " }{ text }{ offer("Stop", "stop", Action::Stopped) }</p>
            }
        </div>
    }
}

const fn stage_name(stage: Stage) -> &'static str {
    match stage {
        Stage::Fetching => "Fetching",
        Stage::Reading => "Reading",
        Stage::Judging => "Judging",
    }
}

fn megabytes(bytes: u32) -> String {
    format!("{:.1} MB", f64::from(bytes) / 1e6)
}
