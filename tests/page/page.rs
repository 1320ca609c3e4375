//! A page without a browser: the reducer, the worker's answers, and the markup of the state.

use std::collections::{BTreeMap, VecDeque};
use std::path::Path;
use std::rc::Rc;

use opscope_app::store::{
    Action, CatalogsAction, ClusterAction, Draft, Effect, FindingsAction, NavigationAction, PageAction, State, Tab,
    WorkerAction, update,
};
use opscope_app::{Shown, ShownProps};
pub(crate) use suite::inputs::{fixture, kettle};
use views::{EntryKey, Event, FormChange, FormPlace, FromWorker, NewFile, PackageKey, SubscriptionField};
use yew::LocalServerRenderer;

use crate::html::Element;
use crate::worker::Worker;

pub(crate) struct Page {
    pub(crate) state: State,
    worker: Worker,
    contents: BTreeMap<u32, Vec<Vec<u8>>>,
}

impl Page {
    /// The page at the first visit.
    pub(crate) fn open() -> Self {
        let state = State { day: "2026-01-15".to_owned(), ..State::new(Draft::default()) };
        let mut page = Self { state, worker: Worker::new(), contents: BTreeMap::new() };
        page.act(Action::Page(PageAction::Opened));
        page
    }

    /// Does what an action leads to, until nothing is left to do.
    pub(crate) fn act(&mut self, action: Action) {
        let mut actions = VecDeque::from([action]);
        while let Some(action) = actions.pop_front() {
            let (state, effects) = update(std::mem::take(&mut self.state), action);
            self.state = state;
            actions.extend(effects.into_iter().filter_map(|effect| self.run(effect)));
        }
    }

    fn run(&mut self, effect: Effect) -> Option<Action> {
        let received = |message| Action::Worker(WorkerAction::Received(Box::new(message)));
        match effect {
            Effect::StartWorker => Some(received(FromWorker::Event(Event::Ready))),
            Effect::Send { request, batch } => {
                let contents = batch.and_then(|batch| self.contents.remove(&batch)).unwrap_or_default();
                Some(received(FromWorker::Reply(self.worker.handle(request, contents))))
            }
            Effect::AwaitTypingPause => Some(Action::Page(PageAction::TypingPaused)),
            Effect::FetchRules => Some(Action::Findings(FindingsAction::RulesFetched(Ok(rulebook::all())))),
            _ => None,
        }
    }

    /// Drops files made of `(name, text)`.
    pub(crate) fn drop_texts(&mut self, files: &[(&str, &str)]) {
        let files = files.iter().map(|(name, text)| ((*name).to_owned(), String::new(), text.as_bytes().to_vec()));
        self.drop_files(files.collect());
    }

    pub(crate) fn drop_folder<'f>(&mut self, name: &str, files: impl IntoIterator<Item = (&'f str, &'f [u8])>) {
        let files = files.into_iter().map(|(path, content)| (name.to_owned(), path.to_owned(), content.to_vec()));
        self.drop_files(files.collect());
    }

    /// Drops files or folders of this machine.
    pub(crate) fn drop_path(&mut self, path: &Path) {
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        let mut files = Vec::new();
        let mut folders = vec![path.to_path_buf()];
        while let Some(path_below) = folders.pop() {
            if path_below.is_dir() {
                let entries = path_below.read_dir().expect("a folder");
                folders.extend(entries.map(|entry| entry.expect("an entry").path()));
            } else {
                let below = path_below.strip_prefix(path).expect("it is below").to_string_lossy().into_owned();
                files.push((name.clone(), below, std::fs::read(&path_below).expect("a file")));
            }
        }
        files.sort();
        self.drop_files(files);
    }

    fn drop_files(&mut self, files: Vec<(String, String, Vec<u8>)>) {
        let batch = self.contents.len() as u32 + 1;
        let bytes = files.iter().map(|(_, _, content)| content.len() as u32).sum();
        let (names, contents) =
            files.into_iter().map(|(root, path, content)| (NewFile { root, path }, content)).unzip();
        self.contents.insert(batch, contents);
        self.act(Action::Catalogs(CatalogsAction::FilesCollected { batch, files: names, bytes }));
    }

    /// Drops a folder of the fixtures of the browser tests. Of several packages it selects the first one.
    pub(crate) fn drop_fixture(&mut self, name: &str) {
        self.drop_path(&fixture(name));
        let rows = self.state.overview.packages.iter().map(|row| &row.key);
        let first = rows.filter(|key| Some(key.catalog) == self.state.selection.whole).min_by_key(|key| &key.package);
        if let Some(first) = first.cloned() {
            self.act(Action::Navigation(NavigationAction::PackageSelected(first)));
        }
    }

    pub(crate) fn paste(&mut self, text: &str) {
        self.act(Action::Catalogs(CatalogsAction::Pasted(text.to_owned())));
    }

    pub(crate) fn select_package(&mut self, name: &str) {
        let key = self.package(name);
        self.act(Action::Navigation(NavigationAction::PackageSelected(key)));
    }

    /// The key of a package: that of the last catalog which has it.
    pub(crate) fn package(&self, name: &str) -> PackageKey {
        let packages = self.state.overview.packages.iter().rev();
        packages.map(|row| &row.key).find(|key| key.package == name).expect(name).clone()
    }

    pub(crate) fn select_catalog(&mut self, name: &str) {
        let catalogs = &self.state.overview.catalogs;
        let id = catalogs.iter().find(|catalog| catalog.name == name).expect(name).id;
        self.act(Action::Navigation(NavigationAction::CatalogSelected(id)));
    }

    pub(crate) fn select_entry(&mut self, channel: &str, name: &str) {
        let key = EntryKey { channel: Some(channel.to_owned()), name: name.to_owned() };
        self.act(Action::Navigation(NavigationAction::EntrySelected(key)));
    }

    pub(crate) fn choose_tab(&mut self, tab: Tab) {
        self.act(Action::Navigation(NavigationAction::TabChosen(tab)));
    }

    /// Adds a Subscription and fills in its fields.
    pub(crate) fn subscribe(&mut self, fields: &[(SubscriptionField, &str)]) {
        let index = self.state.simulation.cluster.subscriptions.len() as u32;
        self.act(Action::Cluster(ClusterAction::SubscriptionAdded(String::new())));
        // Those of the selected package.
        let cleared = [(SubscriptionField::Catalog, ""), (SubscriptionField::Channel, "")];
        cleared.iter().chain(fields).for_each(|(field, text)| self.set_field(index, *field, text));
    }

    /// Sets a field of a Subscription of the form.
    pub(crate) fn set_field(&mut self, index: u32, field: SubscriptionField, text: &str) {
        let (at, text) = (FormPlace::Subscription(index, field), text.to_owned());
        self.act(Action::Cluster(ClusterAction::FormChanged(FormChange::Set { at, text })));
    }

    /// The markup of the page.
    pub(crate) fn html(&self) -> Element {
        let props = ShownProps { state: Rc::new(self.state.clone()) };
        let html = LocalServerRenderer::<Shown>::with_props(props).hydratable(false).render();
        let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
        Element::parse(&runtime.block_on(html))
    }

    /// The texts of all matching elements.
    pub(crate) fn texts(&self, css: &str) -> Vec<String> {
        self.html().all(css).iter().map(|element| element.text()).collect()
    }

    /// An attribute of all matching elements.
    pub(crate) fn all(&self, css: &str, attribute: &str) -> Vec<String> {
        self.html().all(css).iter().map(|element| element.attribute(attribute).to_owned()).collect()
    }

    /// Fails unless the page shows a text.
    pub(crate) fn shows(&self, text: &str) {
        let page = self.html().text();
        assert!(page.contains(text), "expected `{text}` in:\n{page}");
    }
}
