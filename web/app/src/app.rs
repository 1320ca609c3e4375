//! The root component: holds the state, reduces actions, and runs the effects of the reducer.

use crate::client::{Client, WorkerMessage};
use crate::dom::{self, CodeEditor, Collected, Keys, Shortcut};
use crate::panels::{
    Packages, compared_list, dialogs, dock, embedded, header, notice_id, notices, package, panes, progress, shown_set,
    simulation,
};
use crate::store::{
    Action, Boundary, CatalogsAction, CompareAction, Dialog, Direction, Draft, EditorFocus, Effect, FileNames,
    FindingsAction, Follow, FollowAction, Fragment, LayoutAction, NavigationAction, PageAction, PaletteAction,
    PalettePurpose, Pane, SessionAction, SimulationAction, SourceAction, State, Tab, Wait, WorkerAction, needs_changes,
    update,
};
use gloo_events::EventListener;
use gloo_timers::callback::Timeout;
use js_sys::Uint8Array;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::rc::Rc;
use views::{FollowedFiles, FromWorker, TextRange};
use wasm_bindgen::JsCast;
use web_sys::{DragEvent, File, HtmlInputElement, KeyboardEvent};
use yew::html::Scope;
use yew::prelude::*;

/// Typing pauses after this many milliseconds without a change.
const TYPING_PAUSE: u32 = 150;
/// Milliseconds from one step of the playback to the next.
const PLAYBACK_INTERVAL: u32 = 1_200;

/// Notices of success are visible for this many milliseconds.
const READING: u32 = 10_000;
/// After so many milliseconds without a reply, progress is shown, and after more of them the page offers to stop the
/// worker.
const WAITS: [(Wait, u32); 2] = [(Wait::Brief, 300), (Wait::Long, 8_000)];

/// Messages to the root component. Those with JavaScript values are no actions: the reducer does not know the browser.
#[derive(Debug)]
pub(crate) enum Message {
    Action(Action),
    /// Files were dropped or picked.
    Collected(Collected),
    /// `opscope open` told what changed after a version of its files; nothing, if nothing has changed for a while.
    Followed(u32, Result<Option<(FollowedFiles, Vec<File>)>, String>),
    /// The worker sent a message with a text beside it.
    Received(Box<FromWorker>, Uint8Array),
    /// The script of the code editor was loaded or could not be.
    EditorLoaded(Result<(), String>),
}

#[derive(Debug)]
pub(crate) struct App {
    state: State,
    /// Made once: a new callback for each rendering would be unequal to the last one, and every panel would render
    /// again.
    send: Callback<Action>,
    picked: Callback<Event>,
    /// The token of `opscope open`, if it serves the page.
    token: Option<String>,
    client: Option<Client>,
    /// Timers that run while the worker starts.
    starting: Vec<Timeout>,
    batches: BTreeMap<u32, Vec<File>>,
    batch: u32,
    pause: Option<Timeout>,
    playback: Option<Timeout>,
    editor: Option<CodeEditor>,
    /// The text beside the message that is being handled.
    text: Option<Uint8Array>,
    reveal_excerpt: bool,
    reveal_in_editor: Option<(TextRange, EditorFocus)>,
    reveal_manifests: Option<(u32, u32)>,
    reveal_row: bool,
    /// The control that was used last, if it may be removed from the page.
    watched: Option<dom::WatchedControl>,
    /// Which keys are shortcuts. The listener has it in a cell, because it must call `prevent_default` before
    /// the message reaches the component.
    keys: Rc<Cell<Keys>>,
    _listeners: Vec<EventListener>,
}

impl Component for App {
    type Message = Message;
    type Properties = ();

    fn create(ctx: &Context<Self>) -> Self {
        let token = dom::take_token();
        let state = initial_state(token.is_some());
        let keys = Rc::new(Cell::new(keys(&state)));
        dom::apply_theme(state.theme);
        apply_sizes(&state.layout.sizes);
        ctx.link().send_message(message(PageAction::Opened));
        let Fragment { target, route, .. } = dom::fragment();
        if let Some(target) = target {
            ctx.link().send_message(message(SessionAction::LinkFollowed(target)));
        } else if let Some(route) = route {
            ctx.link().send_message(message(NavigationAction::RouteFollowed(route)));
        }
        Self {
            state,
            send: ctx.link().callback(Message::Action),
            picked: picked(ctx),
            token,
            client: None,
            starting: Vec::new(),
            batches: BTreeMap::new(),
            batch: 0,
            pause: None,
            playback: None,
            editor: None,
            text: None,
            reveal_excerpt: false,
            reveal_in_editor: None,
            reveal_manifests: None,
            reveal_row: false,
            watched: None,
            _listeners: listeners(ctx, &keys),
            keys,
        }
    }

    fn update(&mut self, ctx: &Context<Self>, message: Message) -> bool {
        let action = match message {
            Message::Action(action) => action,
            Message::Collected(collected) => {
                self.batch += 1;
                let bytes = collected.bytes();
                self.batches.insert(self.batch, collected.files);
                Action::Catalogs(CatalogsAction::FilesCollected { batch: self.batch, files: collected.names, bytes })
            }
            Message::Followed(since, told) => Action::Follow(match told {
                Ok(Some((files, contents))) => {
                    self.batch += 1;
                    self.batches.insert(self.batch, contents);
                    FollowAction::Arrived { since, batch: self.batch, files }
                }
                Ok(None) => FollowAction::Unchanged { since },
                Err(reason) => FollowAction::Ended { since, reason },
            }),
            Message::Received(message, text) => {
                self.text = Some(text);
                Action::Worker(WorkerAction::Received(message))
            }
            Message::EditorLoaded(outcome) => {
                Action::Source(SourceAction::EditorLoaded(outcome.and_then(|()| self.create_editor())))
            }
        };
        if needs_changes(&self.state, &action)
            && let Some(editor) = &self.editor
        {
            let changes = editor.take_changes();
            self.reduce(ctx, Action::Source(SourceAction::Edited { changes }));
        }
        self.reduce(ctx, action);
        self.text = None;
        true
    }

    fn view(&self, _: &Context<Self>) -> Html {
        whole(&self.state, self.editor.as_ref(), &self.send, &self.picked)
    }

    fn rendered(&mut self, _: &Context<Self>, _: bool) {
        if std::mem::take(&mut self.reveal_excerpt) {
            dom::reveal_in_frame(".target", "source-frame");
        }
        if let (Some(editor), Some((range, focus))) = (&self.editor, self.reveal_in_editor.take()) {
            editor.reveal(range, focus);
        }
        if let Some((start, end)) = self.reveal_manifests.take() {
            dom::reveal_in_field("manifests", start, end);
        }
        if std::mem::take(&mut self.reveal_row) {
            dom::reveal_nearest("[data-testid='package-row'][aria-current='true']");
        }
        self.watched = self.watched.take().and_then(dom::move_focus);
    }
}

impl App {
    fn reduce(&mut self, ctx: &Context<Self>, action: Action) {
        let by_user = action.is_by_user();
        let (state, effects) = update(std::mem::take(&mut self.state), action);
        self.state = state;
        self.keys.set(keys(&self.state));
        // After another action of the user the focus need not move any more.
        if by_user {
            self.watched = None;
        }
        for effect in effects {
            self.run(ctx, effect);
        }
    }

    fn run(&mut self, ctx: &Context<Self>, effect: Effect) {
        let link = ctx.link();
        match effect {
            Effect::StartWorker => self.start(ctx),
            Effect::EndWorker => self.client = None,
            Effect::Send { request, batch } => {
                let files = batch.and_then(|batch| self.batches.remove(&batch)).unwrap_or_default();
                let sent = self.client.as_ref().map(|client| client.send(&request, &files));
                if let Some(Err(reason)) = sent {
                    link.send_message(died(reason));
                }
                let id = request.id;
                for (wait, after) in WAITS {
                    later(link, after, WorkerAction::Waited { id, wait }).forget();
                }
            }
            Effect::AwaitTypingPause => self.pause = Some(later(link, TYPING_PAUSE, PageAction::TypingPaused)),
            Effect::AwaitPlaybackTick => {
                self.playback = Some(later(link, PLAYBACK_INTERVAL, SimulationAction::PlaybackTicked));
            }
            Effect::AwaitFiles { since } => {
                let token = self.token.clone().unwrap_or_default();
                link.send_future(async move { Message::Followed(since, dom::followed_files(&token, since).await) });
            }
            Effect::AwaitReading { notice } => await_reading(self.send.clone(), notice),
            Effect::SaveDraft(draft) => report(ctx, dom::save_draft(&draft)),
            Effect::Copy(text) => {
                let send = self.send.clone();
                dom::copy_and(&text, move |copied| {
                    if !copied {
                        send.emit(PageAction::CopyBlocked.into());
                    }
                });
            }
            Effect::FetchRules => link.send_future(async {
                let text = dom::fetch("opscope-rules").await;
                let book = text.and_then(|text| serde_json::from_str(&text).map_err(|error| error.to_string()));
                message(FindingsAction::RulesFetched(book))
            }),
            Effect::SaveArrived { name } => self.text.iter().for_each(|text| dom::save_bytes(&name, text)),
            Effect::SaveToDisk { names } => {
                let (token, edits) = (self.token.clone().unwrap_or_default(), self.text.clone());
                link.send_future(async move {
                    let outcome = dom::save_to_disk(&token, edits.as_ref()).await;
                    message(FollowAction::Saved { names, outcome })
                });
            }
            Effect::SaveFile { name, kind, text } => dom::save_text(&name, kind, &text),
            Effect::SaveManifests(text) => report(ctx, dom::save_manifests(&text)),
            Effect::ForgetDraft => report(ctx, dom::forget_draft()),
            Effect::ApplyTheme(theme) => dom::apply_theme(theme),
            Effect::ApplySizes(sizes) => apply_sizes(&sizes),
            Effect::RevealExcerpt => self.reveal_excerpt = true,
            Effect::LoadEditor => dom::load_editor(link.callback(Message::EditorLoaded)),
            effect @ (Effect::OpenInEditor { .. }
            | Effect::ReconcileEditor
            | Effect::ReplaceInEditor { .. }
            | Effect::ShowFindings(_)
            | Effect::ShowChanges(_)
            | Effect::RevealInEditor { .. }) => self.run_in_editor(effect),
            Effect::RevealManifests { start, end } => self.reveal_manifests = Some((start, end)),
            Effect::RevealVerdict(name) => dom::reveal_verdict(name),
            Effect::RevealPackage => self.reveal_row = true,
            Effect::MoveFocus(to) => self.watched = dom::watch_focus(to),
            Effect::ShowRoute { route, is_step } => after_drawing(move || dom::show_route(route.as_ref(), is_step)),
            Effect::ForgetFragment => after_drawing(dom::forget_fragment),
            Effect::LoadNewVersion => dom::load_new_version(),
        }
    }

    fn create_editor(&mut self) -> Result<(), String> {
        if self.editor.is_none() {
            self.editor = Some(CodeEditor::new(&self.send)?);
        }
        Ok(())
    }

    fn run_in_editor(&mut self, effect: Effect) {
        let Some(editor) = &self.editor else { return };
        let text = self.text.as_ref();
        match effect {
            Effect::OpenInEditor { key, label, read_only, opened } => {
                if let Some(text) = text {
                    editor.open((&key, &label), read_only.as_deref(), text, opened.as_ref());
                }
            }
            Effect::ShowChanges(shown) => editor.show_changes(shown),
            Effect::ReconcileEditor => text.into_iter().for_each(|text| editor.reconcile(text)),
            Effect::ReplaceInEditor { opened } => {
                text.into_iter().for_each(|text| editor.renew(text, opened.as_ref()));
            }
            Effect::ShowFindings(view) if !editor.mark(&view) => self.send.emit(SourceAction::Differs.into()),
            Effect::RevealInEditor { range, focus } => self.reveal_in_editor = Some((range, focus)),
            _ => {}
        }
    }

    fn start(&mut self, ctx: &Context<Self>) {
        // The old worker has to end before the new one starts: both write to the same IndexedDB database.
        self.client = None;
        let heard = ctx.link().callback(|heard| match heard {
            WorkerMessage::Sent(message, Some(text)) => Message::Received(message, text),
            WorkerMessage::Sent(received, None) => message(WorkerAction::Received(received)),
            WorkerMessage::Died(reason) => died(reason),
        });
        self.starting = WAITS.map(|(wait, after)| later(ctx.link(), after, WorkerAction::StartWaited(wait))).into();
        match Client::start(&heard) {
            Ok(client) => self.client = Some(client),
            Err(reason) => ctx.link().send_message(died(reason)),
        }
    }
}

/// Changes the address in a task of its own: browsers need some 20 ms for it.
fn after_drawing(change: impl FnOnce() + 'static) {
    Timeout::new(0, change).forget();
}

/// The initial state: the one of the last visit, but only the preferences if the page is embedded or follows files.
fn initial_state(follows: bool) -> State {
    let draft = dom::load_draft();
    let embedded = dom::fragment().embed;
    let state = if embedded || follows {
        let choices = Draft {
            theme: draft.theme,
            single_keys_off: draft.single_keys_off,
            rules_off: draft.rules_off,
            ..Draft::default()
        };
        State { embedded, follow: follows.then(Follow::default), ..State::new(choices) }
    } else {
        State::restored(draft, &dom::load_manifests())
    };
    State { day: dom::today(), ..state }
}

fn apply_sizes(sizes: &BTreeMap<Boundary, u32>) {
    for boundary in Boundary::ALL {
        dom::set_region_width(boundary.region(), sizes.get(&boundary).copied());
    }
}

fn message(action: impl Into<Action>) -> Message {
    Message::Action(action.into())
}

/// Sends an action after some milliseconds.
fn later(link: &Scope<App>, after: u32, action: impl Into<Action>) -> Timeout {
    let (link, action) = (link.clone(), action.into());
    Timeout::new(after, move || link.send_message(Message::Action(action)))
}

fn died(reason: String) -> Message {
    message(WorkerAction::Died { reason, at: dom::now() })
}

fn report(ctx: &Context<App>, kept: Result<(), String>) {
    if let Err(reason) = kept {
        ctx.link().send_message(message(PageAction::DraftLost(reason)));
    }
}

/// What the page of [`Shown`] shows.
#[derive(Clone, Debug, Properties)]
pub struct ShownProps {
    /// The state of the page.
    pub state: Rc<State>,
}

impl PartialEq for ShownProps {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.state, &other.state)
    }
}

/// The page as a function of its state, without a worker, listeners and effects: it is rendered without a browser, too.
#[component]
pub fn Shown(ShownProps { state }: &ShownProps) -> Html {
    whole(state, None, &Callback::noop(), &Callback::noop())
}

fn whole(state: &State, editor: Option<&CodeEditor>, send: &Callback<Action>, picked: &Callback<Event>) -> Html {
    html! {
        <ContextProvider<FileNames> context={FileNames::of(state)}>
            { page(state, editor, send, picked) }
        </ContextProvider<FileNames>>
    }
}

fn page(state: &State, editor: Option<&CodeEditor>, send: &Callback<Action>, picked: &Callback<Event>) -> Html {
    let pane = match state.pane {
        Pane::Packages => "packages",
        Pane::Package => "package",
        Pane::Entry => "entry",
    };
    let set = shown_set(state, send);
    let empty = state.overview.catalogs.is_empty() || set.is_some();
    let layout = match (empty, state.tab == Tab::Simulate || !state.simulation.is_empty(state.runtime)) {
        (true, _) => "bare",
        (false, true) => "busy",
        (false, false) => "idle",
    };
    let wide = (!state.shows_details()).then_some("wide");
    html! {
        <div class={classes!("app", layout, state.embedded.then_some("embedded"), wide,
            state.is_presenting.then_some("presenting"))}
            data-pane={pane}
            data-tab={state.tab.title()}>
            { if state.embedded { embedded(state, send) } else { header(state, send, picked) } }
            { progress(state, send) }
            if !empty {
                { compared_list(state, send).unwrap_or_else(|| html! {
                    <Packages overview={state.overview.clone()} is_preview={state.is_preview}
                        selected={state.selection.package.clone()} runtime={state.runtime} send={send.clone()} />
                }) }
            }
            <main>
                { set.unwrap_or_else(|| package(state, editor.map(CodeEditor::node), send, picked)) }
                if !empty { { simulation(state, send) } }
            </main>
            if !empty {
                { dock(state, send) }
                { panes(state, send) }
            }
            { notices(state, send) }
            { dialogs(state, send) }
            if state.dragging {
                <div class="dropzone" aria-hidden="true">
                    <p>{ "Drop to open: catalogs, or manifests of a cluster" }</p>
                </div>
            }
        </div>
    }
}

fn picked(ctx: &Context<App>) -> Callback<Event> {
    ctx.link().batch_callback(|event: Event| {
        let input = event.target().and_then(|target| target.dyn_into::<HtmlInputElement>().ok())?;
        let collected = dom::picked(&input.files()?);
        // Otherwise picking the same file again would cause no event.
        input.set_value("");
        Some(Message::Collected(collected))
    })
}

/// Which keys are shortcuts.
fn keys(state: &State) -> Keys {
    Keys { single: !state.single_keys_off, arrows: state.is_presenting }
}

fn listeners(ctx: &Context<App>, keys: &Rc<Cell<Keys>>) -> Vec<EventListener> {
    let link = ctx.link();
    let dropped = link.clone();
    let (send, keys) = (link.callback(Message::Action), Rc::clone(keys));
    // Sends the action that an event means, if it means one.
    let on = |event: &'static str, action: fn(&Event) -> Option<Action>| {
        let link = link.clone();
        dom::listen(event, move |event| action(event).into_iter().for_each(|action| link.send_message(message(action))))
    };
    let (narrowed, widened) = (link.clone(), link.clone());
    let all = [
        // Over another element, which an answer of the worker may have put there, the browser sends this one first.
        // A drop that follows at once counts only if it was taken.
        dom::listen("dragenter", |event| event.prevent_default()),
        on("dragover", |event| {
            event.prevent_default();
            Some(PageAction::Dragged { over: true }.into())
        }),
        on("dragleave", |event| {
            let is_out = event.dyn_ref::<DragEvent>().is_some_and(|event| event.related_target().is_none());
            is_out.then(|| PageAction::Dragged { over: false }.into())
        }),
        dom::listen("drop", move |event| {
            event.prevent_default();
            dropped.send_message(message(PageAction::Dragged { over: false }));
            take_drop(event, &dropped);
        }),
        on("paste", |event| {
            let text = dom::pasted(event)?;
            event.prevent_default();
            Some(CatalogsAction::Pasted(text).into())
        }),
        dom::listen("pointerdown", |event| {
            dom::close_menu(event);
        }),
        dom::listen("keydown", move |event| {
            if dom::close_menu(event) {
                return;
            }
            let shortcut = event.dyn_ref::<KeyboardEvent>().and_then(|event| dom::shortcut(event, keys.get()));
            if let Some(shortcut) = shortcut {
                event.prevent_default();
                press(shortcut, &send);
            }
        }),
        on("hashchange", |_| {
            let fragment = dom::fragment();
            // Another `opscope open` got the same port.
            let is_other = fragment.token.is_some() && dom::take_token().is_some();
            if is_other || (fragment.embed && fragment.target.is_some()) {
                dom::reload();
                return None;
            }
            match fragment.target {
                Some(target) => Some(SessionAction::LinkFollowed(target).into()),
                None => Some(NavigationAction::RouteFollowed(fragment.route?).into()),
            }
        }),
        dom::on_media(dom::NARROW, move |narrow| narrowed.send_message(message(PageAction::Narrowed { narrow }))),
        dom::on_media(dom::WIDE, move |is_wide| widened.send_message(message(PageAction::Widened { is_wide }))),
        on("beforeprint", |_| Some(PageAction::Printed { begins: true }.into())),
        on("afterprint", |_| Some(PageAction::Printed { begins: false }.into())),
        on("opscope-renewed", |_| Some(PageAction::NewVersionFound.into())),
    ];
    all.into_iter().flatten().collect()
}

/// Reports that a notice was read, after some time in which neither the pointer nor the focus was on it.
fn await_reading(send: Callback<Action>, number: u32) {
    let read = move || {
        if dom::is_attended(&notice_id(number)) {
            await_reading(send, number);
        } else {
            send.emit(PageAction::NoticeRead(number).into());
        }
    };
    Timeout::new(READING, read).forget();
}

fn take_drop(event: &Event, link: &Scope<App>) {
    let transfer = event.dyn_ref::<DragEvent>().and_then(DragEvent::data_transfer);
    if let Some((names, collected)) = transfer.as_ref().map(dom::dropped) {
        link.send_message(message(CatalogsAction::Dropped(names)));
        link.send_future(async move {
            match collected.await {
                Ok(collected) => Message::Collected(collected),
                Err(reason) => message(CatalogsAction::FilesRefused(reason)),
            }
        });
    }
}

/// Shows a region, which a narrow screen may hide, and gives it the focus.
fn go_to_region(send: &Callback<Action>, pane: Pane, test_id: &'static str) {
    send.emit(NavigationAction::PaneChosen(pane).into());
    dom::next_frame(move || dom::focus(test_id));
}

fn press(shortcut: Shortcut, send: &Callback<Action>) {
    send.emit(match shortcut {
        Shortcut::Search => PaletteAction::Opened(PalettePurpose::Open).into(),
        Shortcut::Help => PageAction::DialogOpened(Dialog::Shortcuts).into(),
        Shortcut::Run => SimulationAction::Run.into(),
        Shortcut::Undo => PageAction::UndoAsked.into(),
        Shortcut::Redo => PageAction::RedoAsked.into(),
        Shortcut::Examples => CatalogsAction::ExamplesAsked.into(),
        Shortcut::Entry => return go_to_region(send, Pane::Entry, "inspector"),
        Shortcut::Cluster => {
            dom::next_frame(|| dom::focus("cluster"));
            NavigationAction::TabChosen(Tab::Simulate).into()
        }
        Shortcut::Tab(index) => match Tab::ALL.get(index) {
            Some(tab) => NavigationAction::TabChosen(*tab).into(),
            None => return,
        },
        Shortcut::Close => NavigationAction::EntryLeft.into(),
        Shortcut::Present => LayoutAction::Presented { on: true }.into(),
        Shortcut::NextPackage => NavigationAction::PackageStepped(Direction::Later).into(),
        Shortcut::NextState => CompareAction::GraphStepped(Direction::Later).into(),
        Shortcut::PreviousState => CompareAction::GraphStepped(Direction::Earlier).into(),
        Shortcut::PreviousPackage => NavigationAction::PackageStepped(Direction::Earlier).into(),
    });
}
