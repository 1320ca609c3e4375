//! Notices, the progress bar and the Undo button.

use crate::kit::{plural, press, prose, size};
use crate::store::{
    Action, CatalogsAction, CompareAction, FileUndo, FollowAction, Notice, NoticeKind, Opening, PageAction, Relation,
    SourceAction, State, Wait, WorkerAction, unsaved_files,
};
use std::borrow::Cow;
use views::{ArchiveView, Revision, ShareFault, Stage};
use yew::prelude::*;

/// The notices that were not dismissed yet; screen readers announce new ones.
pub(crate) fn notices(state: &State, send: &Callback<Action>) -> Html {
    html! {
        <div class="notices" role="status" aria-live="polite">
            { for state.notices.iter().filter(|row| !row.read).map(|row| notice(state, row, send)) }
        </div>
    }
}

fn notice(state: &State, Notice { number, kind, .. }: &Notice, send: &Callback<Action>) -> Html {
    let number = *number;
    let dismiss = press(send, PageAction::NoticeDismissed(number));
    // A text that may be longer than its box has to be reached by the keyboard.
    let scrolls = matches!(kind, NoticeKind::Unpacked(_) | NoticeKind::NotUnpacked { .. });
    html! {
        <div key={number} id={notice_id(number)} class="notice" data-testid="notice">
            <p tabindex={scrolls.then_some("0")}>
                <b>{ title(kind).into_owned() }</b>
                if let Some(reason) = reason(kind) { { " " }<span>{ prose(&reason) }</span> }
            </p>
            if let NoticeKind::Unpacked(view) = kind { { layers(view) } }
            { for offers((number, kind), state.revision).into_iter().map(|(name, action)| {
                let onclick = press(send, action);
                html! { <button type="button" {onclick}>{ name }</button> }
            }) }
            <button type="button" class="quiet" aria-label="Dismiss" data-testid="notice-dismiss" onclick={dismiss}>
                { "✕" }
            </button>
        </div>
    }
}

/// The layers of images, and what was used of each.
fn layers(view: &ArchiveView) -> Html {
    let mut layers = view.parts.iter().flat_map(|part| &part.layers).peekable();
    if layers.peek().is_none() {
        return Html::default();
    }
    html! {
        <details>
            <summary>{ "Layers" }</summary>
            <dl tabindex="0">
                { for layers.map(|(name, used)| html! { <><dt><code>{ name }</code></dt><dd>{ used }</dd></> }) }
            </dl>
        </details>
    }
}

pub(crate) fn notice_id(number: u32) -> String {
    format!("notice-{number}")
}

/// What a notice says first.
fn title(kind: &NoticeKind) -> Cow<'_, str> {
    match kind {
        NoticeKind::Restarted { .. } => "The worker stopped. It was restarted with your catalogs.".into(),
        NoticeKind::StartedEmpty { .. } => {
            "The worker stopped again while restoring your catalogs. It now runs without them.".into()
        }
        NoticeKind::NotStarted { .. } => "The worker did not start. It was started again.".into(),
        NoticeKind::Gone { .. } => "The worker does not start, and nothing can be opened without it.".into(),
        NoticeKind::Stopped => "Stopped. The worker was restarted with your catalogs.".into(),
        NoticeKind::Cancelled => "Cancelled. Nothing was changed.".into(),
        NoticeKind::NotRestored => {
            "Cancelled. The catalogs of your last session were not loaded; this browser still keeps them.".into()
        }
        NoticeKind::NotStored { .. } => {
            "This browser cannot keep your catalogs. They are lost when you close the tab.".into()
        }
        NoticeKind::NotAnswered { .. } => "The worker did not answer; reload the page if something is missing.".into(),
        NoticeKind::Refused { .. } => "Could not read that.".into(),
        NoticeKind::NoDefinition => "No loaded catalog defines the name at the cursor.".into(),
        NoticeKind::ManifestsFound => "Found cluster manifests. The simulation now starts from them.".into(),
        NoticeKind::Gathered { name, objects: 0, .. } => {
            format!("{name} is a must-gather without objects of OLM.").into()
        }
        NoticeKind::Gathered { name, objects, .. } => format!("Read {objects} objects of OLM from {name}.").into(),
        NoticeKind::Unpacked(ArchiveView { name, .. }) => format!("Read {name}:").into(),
        NoticeKind::NotUnpacked { name, .. } => format!("Could not read {name}:").into(),
        NoticeKind::NotWritten { .. } => "Nothing was written:".into(),
        NoticeKind::ImageSetWaits => "Read an ImageSetConfiguration.".into(),
        NoticeKind::ManifestsCleared => "Cleared the manifests.".into(),
        NoticeKind::NotOpen { package: None, .. } => "The address leads to a catalog that is not open.".into(),
        NoticeKind::NotOpen { .. } => "The address leads to a package that is not open.".into(),
        NoticeKind::Copied => "Copied.".into(),
        NoticeKind::CopyBlocked => "The browser blocked copying.".into(),
        NoticeKind::NotSaved { .. } => "There is nothing to save:".into(),
        NoticeKind::Saved { name } => format!("Saved {name}.").into(),
        NoticeKind::CommentCopied { comment } => format!("Copied {comment}").into(),
        NoticeKind::FormChanged { .. } | NoticeKind::CatalogEdited { .. } => "Applied:".into(),
        NoticeKind::EditUndone { .. } => "Undone:".into(),
        NoticeKind::CatalogRemoved { name, .. } => format!("Removed catalog {name}.").into(),
        NoticeKind::Cleared { .. } => "Cleared everything.".into(),
        NoticeKind::Replaced { .. } => "Replaced your catalogs and your cluster.".into(),
        NoticeKind::PackagesShared { new, known, packages } => {
            format!("{} has {packages} package{} of {}, too.", new.1, plural(*packages as usize), known.1).into()
        }
        NoticeKind::NewVersionReady => "A newer version of Opscope is ready.".into(),
        NoticeKind::RootGone { name } => format!("{name} is not on the disk any more.").into(),
        NoticeKind::FollowEnded { .. } => "The page no longer follows the files of `opscope open`.".into(),
        NoticeKind::Contradicted { path, .. } => format!("Changed on the disk and here: {path}.").into(),
        NoticeKind::NotOpened { .. } => "Could not open the link or file.".into(),
    }
}

/// What it says after that: a reason, or what to do.
fn reason(kind: &NoticeKind) -> Option<Cow<'_, str>> {
    Some(match kind {
        NoticeKind::Restarted { reason }
        | NoticeKind::StartedEmpty { reason }
        | NoticeKind::NotStarted { reason }
        | NoticeKind::Gone { reason }
        | NoticeKind::NotStored { reason }
        | NoticeKind::NotAnswered { reason }
        | NoticeKind::Refused { reason }
        | NoticeKind::NotUnpacked { reason, .. }
        | NoticeKind::NotWritten { reason }
        | NoticeKind::NotSaved { reason }
        | NoticeKind::FollowEnded { reason } => reason.into(),
        NoticeKind::FormChanged { what: done }
        | NoticeKind::CatalogEdited { undo: FileUndo { what: done, .. } }
        | NoticeKind::EditUndone { redo: FileUndo { what: done, .. } } => done.into(),
        NoticeKind::Gathered { objects: 0, .. } => "`oc adm inspect -A olm` collects them into a folder.".into(),
        NoticeKind::Gathered { copied, others, .. } => {
            format!("Left out: copied CSVs ({copied}), other files ({others}).").into()
        }
        NoticeKind::Unpacked(ArchiveView { parts, passed_over, .. }) => {
            let parts = parts.iter().map(|part| format!("{}.", part.sentence));
            let others = passed_over.iter().map(|(image, reason)| format!("Without image `{image}`: {reason}."));
            parts.chain(others).collect::<Vec<_>>().join(" ").into()
        }
        NoticeKind::ImageSetWaits => {
            "Drop the catalog that it mirrors, to see which installed versions the mirror strands.".into()
        }
        NoticeKind::NotOpen { catalog, package: None } => format!("Open the catalog `{catalog}`.").into(),
        NoticeKind::NotOpen { catalog, package: Some(package) } => {
            format!("Open a catalog that has `{package}`; the address names `{catalog}`.").into()
        }
        NoticeKind::CopyBlocked => "Allow this page to use the clipboard, or save a file instead.".into(),
        NoticeKind::CommentCopied { .. } => {
            "Paste it at the end of the finding’s line, before its list item, or at the top of the document.".into()
        }
        NoticeKind::PackagesShared { .. } => {
            "Is it another state of that catalog? Then see what the change does to installed operators.".into()
        }
        NoticeKind::RootGone { .. } => "The page shows what was there last, and reads it again when it is back.".into(),
        NoticeKind::Contradicted { .. } => {
            "Your text is kept. If you save it, it takes the place of the one on the disk.".into()
        }
        NoticeKind::NotOpened { fault } => refusal(fault),
        _ => return None,
    })
}

/// The button that undoes the last change that can be undone; nothing if there is none.
pub(super) fn undo(state: &State, send: &Callback<Action>) -> Html {
    let Some(last) = state.notices.iter().rev().find(|notice| notice.kind.undo_action().is_some()) else {
        return Html::default();
    };
    // A tooltip has no marks for names.
    let title =
        format!("Undo (Ctrl+Z): {} {}", title(&last.kind), reason(&last.kind).unwrap_or_default()).replace('`', "");
    let onclick = press(send, PageAction::UndoAsked);
    html! { <button type="button" class="clear" data-testid="undo" {title} {onclick}>{ "Undo" }</button> }
}

/// The button that saves the edits to the files that they come from; nothing where nothing can be saved.
pub(super) fn save(state: &State, send: &Callback<Action>) -> Html {
    let files = unsaved_files(state);
    if files.is_empty() {
        return Html::default();
    }
    let title = format!("Save to the disk: {}", files.join(", "));
    let onclick = press(send, FollowAction::SaveAsked);
    html! { <button type="button" data-testid="save-to-disk" {title} {onclick}>{ "Save to disk" }</button> }
}

/// Why a link or file could not be opened.
fn refusal(fault: &ShareFault) -> Cow<'static, str> {
    match fault {
        ShareFault::Garbled => "It is damaged; part of it may have been cut off when it was sent.".into(),
        ShareFault::Unknown { format } => format!(
            "It has format {format}, which this version of Opscope cannot read. Reload the page to get a newer version."
        )
        .into(),
        ShareFault::NoExample { slug } => format!("There is no example `{slug}`.").into(),
        ShareFault::TooLarge { most } => format!("It is larger than {} when decompressed.", size(*most)).into(),
    }
}

/// What a notice offers at a revision of the inputs. Edits of files are undone from the last one on.
fn offers((number, kind): (u32, &NoticeKind), now: Revision) -> Vec<(Cow<'static, str>, Action)> {
    let offers = match kind {
        NoticeKind::PackagesShared { new: (new, name), known: (known, _), .. } => {
            let relation =
                |relation| Action::Compare(CompareAction::RelationChosen { new: *new, known: *known, relation });
            return vec![
                (format!("{name} is the version before").into(), relation(Relation::Before)),
                (format!("{name} is the version after").into(), relation(Relation::After)),
            ];
        }
        NoticeKind::Contradicted { file, .. } => {
            vec![
                ("Keep mine", Action::Page(PageAction::NoticeDismissed(number))),
                ("Take the text of the disk", Action::Follow(FollowAction::DiskChosen(*file))),
                ("Show the difference", Action::Source(SourceAction::DifferenceShown(*file))),
            ]
        }
        NoticeKind::StartedEmpty { .. } | NoticeKind::NotRestored => {
            vec![
                ("Try to restore again", Action::Catalogs(CatalogsAction::RestoreAsked)),
                ("Clear all", Action::Catalogs(CatalogsAction::Cleared)),
            ]
        }
        NoticeKind::NotOpened { fault: ShareFault::NoExample { .. } } => {
            vec![("Examples", Action::Catalogs(CatalogsAction::ExamplesAsked))]
        }
        NoticeKind::Gone { .. } => vec![("Try again", Action::Worker(WorkerAction::StartedAgain))],
        NoticeKind::NewVersionReady => vec![("Reload", Action::Page(PageAction::NewVersionRequested))],
        kind if kind.edit_undo().or(kind.edit_redo()).is_some_and(|undo| undo.revision != now) => Vec::new(),
        kind => {
            let undo = kind.undo_action().map(|action| ("Undo", action));
            undo.or_else(|| Some(("Redo", kind.redo_action()?))).into_iter().collect()
        }
    };
    offers.into_iter().map(|(name, action)| (name.into(), action)).collect()
}

/// The progress bar, with Cancel while loading, or Stop if another request takes long.
pub(crate) fn progress(state: &State, send: &Callback<Action>) -> Html {
    if state.wait.is_none() && state.opening.is_none() {
        return Html::default();
    }
    let opened = state.opening.as_ref().map(|opening| format!("{}: ", opening.names)).unwrap_or_default();
    let (value, text) = match (state.progress, &state.opening) {
        (Some((stage, done, total)), _) if total > 0 => {
            let part = f64::from(done) / f64::from(total);
            (Some(part), format!("{opened}{} {:.0} % of {}", stage_name(stage), part * 100.0, size(total)))
        }
        (_, Some(Opening { names, bytes: Some(bytes) })) => (None, format!("Opening {names} ({})", size(*bytes))),
        (_, Some(Opening { names, bytes: None })) => (None, format!("Opening {names}")),
        _ if !state.worker.ready => (None, "Starting".to_owned()),
        _ => (None, "Working".to_owned()),
    };
    let is_loading = matches!(state.progress, Some((Stage::Unpacking | Stage::Fetching | Stage::Reading, ..)));
    let offer = |name: &'static str, id: &'static str, action: Action| {
        let onclick = press(send, action);
        html! { <button type="button" data-testid={id} {onclick}>{ name }</button> }
    };
    html! {
        <div class="progress" data-testid="progress">
            <progress max="1" value={value.map(|value| value.to_string())} aria-label={text.clone()}></progress>
            if is_loading {
                <p>{ text }{ offer("Cancel", "cancel", Action::Worker(WorkerAction::LoadCancelled)) }</p>
            } else if state.wait == Some(Wait::Long) {
                <p role="status">
                    { "Still working: " }{ text }{ offer("Stop", "stop", Action::Worker(WorkerAction::Stopped)) }
                </p>
            } else if state.opening.is_some() {
                <p role="status">{ text }</p>
            }
        </div>
    }
}

const fn stage_name(stage: Stage) -> &'static str {
    match stage {
        Stage::Unpacking => "Unpacking",
        Stage::Fetching => "Loading files",
        Stage::Reading => "Parsing",
        Stage::Judging => "Validating",
    }
}
