//! The worker's life and its requests: numbering, waiting, dying and coming back.

use super::code;
use super::state::Wanted;
use super::{Effect, Millis, NoticeKind, Pending, Question, Shared, State, Wait};
use views::{Answer, Ask, PackageKey, Reply, Request, Revision};

/// A second death within this time means that restoring the catalogs kills the worker.
const QUICK_DEATH: Millis = 5_000;

impl Question {
    /// What a request asks for; nothing that is answered for [`Ask::Cancel`].
    pub(crate) const fn of(ask: &Ask) -> Option<Self> {
        Some(match ask {
            Ask::Cancel | Ask::Memory => return None,
            Ask::Restore
            | Ask::Open { .. }
            | Ask::Paste { .. }
            | Ask::DescribeCatalog { .. }
            | Ask::RemoveCatalog { .. }
            | Ask::Edit { .. }
            | Ask::Type { .. }
            | Ask::OpenExample { .. }
            | Ask::SwitchRules { .. }
            | Ask::Arrive { .. }
            | Ask::PutBack { .. }
            | Ask::KeepNothing
            | Ask::Clear => Self::Change,
            Ask::Graph { .. } => Self::Graph,
            Ask::GraphText { .. } => Self::GraphText,
            Ask::Entry { .. } => Self::Entry,
            Ask::Subject { .. } => Self::Subject,
            Ask::Reach { .. } => Self::Reach,
            Ask::Way { .. } => Self::Way,
            Ask::Findings { .. } => Self::Findings,
            Ask::Source { .. } | Ask::Line { .. } => Self::Source,
            Ask::File { .. } => Self::File,
            Ask::Here { .. } => Self::Here,
            Ask::Simulate { .. } => Self::Simulation,
            Ask::Timeline { .. } => Self::Timeline,
            Ask::WhyNot { .. } => Self::WhyNot,
            Ask::Export { .. } => Self::Export,
            Ask::Examples => Self::Examples,
            Ask::Share { .. } => Self::Share,
        })
    }

    /// What an answer answers; signs of life answer nothing.
    const fn answered_by(answer: &Answer) -> Option<Self> {
        match answer {
            Answer::Ready
            | Answer::Progress { .. }
            | Answer::Icons(_)
            | Answer::Manifests { .. }
            | Answer::Example(_)
            | Answer::SoFar(_)
            | Answer::Cancelled { .. }
            | Answer::Memory { .. }
            | Answer::Arrived { .. }
            | Answer::NotArrived(_)
            | Answer::NotStored { .. } => None,
            Answer::Overview(_) => Some(Self::Change),
            Answer::Graph { .. } => Some(Self::Graph),
            Answer::GraphText { .. } => Some(Self::GraphText),
            Answer::Entry { .. } => Some(Self::Entry),
            Answer::Subject { .. } => Some(Self::Subject),
            Answer::Reach { .. } => Some(Self::Reach),
            Answer::Way { .. } => Some(Self::Way),
            Answer::Findings(_) => Some(Self::Findings),
            Answer::Source(_) => Some(Self::Source),
            Answer::File(_) => Some(Self::File),
            Answer::Here(_) => Some(Self::Here),
            Answer::Simulation(_) => Some(Self::Simulation),
            Answer::Timeline(_) => Some(Self::Timeline),
            Answer::WhyNot(_) => Some(Self::WhyNot),
            Answer::Exported(_) => Some(Self::Export),
            Answer::Examples(_) => Some(Self::Examples),
            Answer::Shared(_) => Some(Self::Share),
        }
    }
}

/// Starts the worker, the first time.
pub(crate) fn start(state: &mut State, effects: &mut Vec<Effect>) {
    if !state.worker.started {
        state.worker.started = true;
        effects.push(Effect::StartWorker);
    }
}

/// Asks the worker, once it is ready. Returns the number of the request.
pub(crate) fn ask(state: &mut State, effects: &mut Vec<Effect>, ask: Ask) -> u32 {
    ask_with(state, effects, ask, None)
}

/// Asks the worker with a batch of files.
pub(crate) fn ask_with(state: &mut State, effects: &mut Vec<Effect>, ask: Ask, batch: Option<u32>) -> u32 {
    state.requests += 1;
    let number = state.requests;
    if state.worker.ready {
        send(state, effects, number, ask, batch);
    } else {
        state.queued.push((number, ask, batch));
        start(state, effects);
    }
    number
}

fn send(state: &mut State, effects: &mut Vec<Effect>, number: u32, ask: Ask, batch: Option<u32>) {
    let question = Question::of(&ask);
    if question == Some(Question::Change) {
        state.revision = Revision(state.revision.0 + 1);
    }
    let revision = state.revision;
    state.pending.extend(question.map(|question| Pending { number, question, revision }));
    effects.push(Effect::Ask { number, request: Request { revision: state.revision, ask }, batch });
}

/// The worker takes requests.
pub(crate) fn ready(state: &mut State, effects: &mut Vec<Effect>) {
    state.worker.ready = true;
    if !state.rules.off.is_empty() {
        state.requests += 1;
        let request = state.rules.request();
        send(state, effects, state.requests, request, None);
    }
    let first = if state.embedded { Some(Ask::KeepNothing) } else { state.worker.restore.then_some(Ask::Restore) };
    if let Some(first) = first {
        state.requests += 1;
        send(state, effects, state.requests, first, None);
    }
    for (number, ask, batch) in std::mem::take(&mut state.queued) {
        send(state, effects, number, ask, batch);
    }
}

/// Takes the oldest request of the answer's kind off the list of those without an answer. Returns its number if the
/// answer is to be used: it was computed from the current inputs, and nothing of its kind was asked since.
pub(crate) fn settle(state: &mut State, reply: &Reply) -> Option<u32> {
    let question = Question::answered_by(&reply.answer)?;
    let at = state.pending.iter().position(|p| p.question == question)?;
    let number = state.pending.remove(at).number;
    if state.pending.is_empty() {
        state.wait = None;
        state.progress = None;
    }
    let asked_since = state.pending.iter().any(|p| p.question == question);
    (reply.revision >= state.revision && !asked_since).then_some(number)
}

/// A request has stayed unanswered for a while.
pub(crate) fn waited(state: &mut State, number: u32, wait: Wait) {
    if state.pending.iter().any(|p| p.number == number) {
        state.wait = state.wait.max(Some(wait));
    }
}

/// Has the worker stop loading, if that is what it does.
pub(crate) fn cancel(state: &mut State, effects: &mut Vec<Effect>) {
    if state.worker.ready && state.pending.iter().any(|p| p.question == Question::Change) {
        ask(state, effects, Ask::Cancel);
    }
}

/// The worker died: it is started again, the second time without the catalogs that may have killed it.
pub(crate) fn died(state: &mut State, effects: &mut Vec<Effect>, reason: String, at: Millis) {
    let again = state.worker.died.is_some_and(|before| at.saturating_sub(before) < QUICK_DEATH);
    let restored = state.worker.restore;
    state.worker.died = Some(at);
    if again && !restored {
        forget_worker(state);
        state.worker.gone = true;
        effects.push(Effect::EndWorker);
        notify(state, NoticeKind::Gone { reason });
        return;
    }
    restart(state, effects, !again);
    notify(state, if again { NoticeKind::StartedEmpty { reason } } else { NoticeKind::Restarted { reason } });
}

/// Starts another worker, with or without the catalogs of the last one.
pub(crate) fn restart(state: &mut State, effects: &mut Vec<Effect>, restore: bool) {
    let held = state.pending.iter().any(|p| p.question == Question::Change) && state.editor.is_some();
    forget_worker(state);
    state.worker.started = true;
    state.worker.restore = restore;
    state.worker.not_restored = !restore;
    state.worker.kept |= !restore;
    if held {
        notify(state, NoticeKind::EditHeld);
    }
    if !restore {
        state.overview = Shared::default();
        state.graph = None;
        state.entry = None;
        state.explore = super::Explore::default();
    }
    effects.push(Effect::StartWorker);
}

/// Forgets whatever belongs to a worker that is no more: its requests and its keys.
fn forget_worker(state: &mut State) {
    state.worker.ready = false;
    state.pending.clear();
    state.queued.clear();
    state.wait = None;
    state.progress = None;
    state.partial = false;
    state.displaced = None;
    state.goal = None;
    code::forget_worker(state);
    state.icons = Shared::default();
    // What it kept to be taken back went with it.
    state.notices.retain(|notice| notice.kind.undo().is_none());
    state.wanted = wanted(state).or(state.wanted.take());
}

/// What is selected, by name.
pub(crate) fn wanted(state: &State) -> Option<Wanted> {
    let PackageKey { catalog, package } = state.selection.package.clone()?;
    let catalog = state.catalog(catalog)?.name.clone();
    Some(Wanted { catalog, package, entry: state.selection.entry.clone() })
}

/// Tells the user; the same thing is said once.
pub(crate) fn notify(state: &mut State, kind: NoticeKind) {
    state.notices.retain(|notice| notice.kind != kind);
    state.noticed += 1;
    state.notices.push(super::Notice { number: state.noticed, kind, read: false });
}
