//! Handles requests one after the other, and updates the store when none is waiting.

use crate::download::new_bundle;
use crate::follow::FollowedRoot;
use crate::inbox::{Inbox, Incoming};
use crate::jobs::{Change, Job};
use crate::load::{Cancelled, Root};
use crate::outbox::{post_event, post_reply};
use crate::responder::Responder;
use crate::store::{Store, StoredCatalog};
use crate::undo_stack::UndoStack;
use futures_util::future::{Either, select};
use gloo_timers::future::TimeoutFuture;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::pin::pin;
use views::{
    Answer, AnyQuery, Ask, Authored, AuthoringInput, CatalogId, Changed, Command, Compared, Event, FileKey, IconRow,
    Opened, PackageKey, Reply, RequestId, Revision, ShareView,
};
use web_sys::{Blob, DedicatedWorkerGlobalScope};
use workbench::{AttachedFiles, Expand, NewBundle, Workbench};

/// Icons are sent in messages of about this many bytes.
const ICON_BATCH: usize = 256 * 1024;
/// Before icons are sent, the worker waits this many milliseconds for a query, which is more urgent.
const ICON_DELAY: u32 = 30;

pub(crate) struct Server {
    pub(crate) scope: DedicatedWorkerGlobalScope,
    pub(crate) workbench: Workbench,
    pub(crate) revision: Revision,
    store: Option<Store>,
    unsaved: Unsaved,
    pub(crate) undo_stack: UndoStack,
    /// The bundles that can be tried on catalogs.
    pub(crate) new_bundles: Vec<NewBundle>,
    /// What `opscope open` names, by the names of the roots.
    pub(crate) followed: BTreeMap<String, FollowedRoot>,
    /// The last shared link and file; its `blob:` URL is revoked when the next one is made.
    pub(crate) shared: Option<ShareView>,
    icons: BTreeMap<PackageKey, String>,
    /// Whether the page may lack icons.
    icons_are_due: bool,
    /// What is worked on while no request waits.
    pub(crate) jobs: VecDeque<Job>,
}

/// Changes that have to be written to the store.
#[derive(Default)]
struct Unsaved {
    cleared: bool,
    removed: BTreeSet<CatalogId>,
    described: BTreeSet<CatalogId>,
    files: BTreeSet<FileKey>,
}

impl Server {
    pub(crate) fn new(scope: DedicatedWorkerGlobalScope) -> Self {
        Self {
            scope,
            workbench: Workbench::expanding(Expand::Templates),
            revision: Revision(0),
            store: None,
            unsaved: Unsaved::default(),
            undo_stack: UndoStack::default(),
            new_bundles: Vec::new(),
            followed: BTreeMap::new(),
            shared: None,
            icons: BTreeMap::new(),
            icons_are_due: false,
            jobs: VecDeque::new(),
        }
    }

    /// Handles requests until the worker ends. Icons are sent and the store is updated only while no request waits, so
    /// that they delay neither the first graph nor typing.
    pub(crate) async fn work(mut self, mut inbox: Inbox) {
        match Store::open_in_time().await {
            Ok((store, first)) => {
                // New catalogs get ids that no stored one has.
                self.workbench.reserve_ids_below(first);
                self.store = Some(store);
            }
            Err(reason) => self.send_event(Event::NotStored { reason }),
        }
        self.send_event(Event::Ready);
        while let Some(incoming) = self.next(&mut inbox).await {
            self.handle(incoming, &mut inbox).await;
        }
    }

    /// The next request. While there is none, jobs go on; without jobs icons are sent and the store is updated.
    async fn next(&mut self, inbox: &mut Inbox) -> Option<Incoming> {
        loop {
            if let Some(incoming) = inbox.try_next() {
                return Some(incoming);
            }
            if !self.jobs.is_empty() {
                self.work_on_jobs();
                inbox.pause().await;
            } else if self.icons_are_due {
                // The page requests the graph as soon as it has the overview, and that is more urgent than icons.
                match select(pin!(inbox.next()), TimeoutFuture::new(ICON_DELAY)).await {
                    Either::Left((incoming, _)) => return incoming,
                    Either::Right(_) => self.send_icons(),
                }
            } else if !self.save_something().await {
                return inbox.next().await;
            }
        }
    }

    /// Handles a request. Loading itself replies to the queries that arrive meanwhile.
    async fn handle(&mut self, incoming: Incoming, inbox: &mut Inbox) {
        let Incoming { id, revision, ask, blobs } = incoming;
        self.revision = revision;
        match ask {
            Ok(Ask::Query(query)) => self.begin_query(id, query).await,
            Ok(Ask::Command(command)) => {
                self.drop_outdated(Change::Catalogs);
                let mut opened = Vec::new();
                let cancelled = self.execute(command, blobs, inbox, &mut opened).await.is_err();
                self.reply(id, Answer::Changed(Changed { overview: self.workbench.overview(), opened, cancelled }));
                self.icons_are_due = true;
            }
            Ok(Ask::SetCluster(manifests)) => self.set_cluster(id, &manifests),
            Ok(Ask::SetComparison(compared)) => self.set_comparison(id, compared),
            Ok(Ask::Cancel) => self.reply(id, Answer::Cancelled),
            Ok(Ask::Stop(request)) => self.stop(id, request),
            Err(reason) => self.reply(id, Answer::Refused { reason }),
        }
    }

    /// Sets the manifests of the cluster that later queries are about.
    pub(crate) fn set_cluster(&mut self, id: RequestId, manifests: &str) {
        self.drop_outdated(Change::Cluster);
        self.workbench.set_cluster(manifests);
        self.reply(id, Answer::ClusterSet);
    }

    /// Sets the states that later queries compare.
    pub(crate) fn set_comparison(&mut self, id: RequestId, compared: Compared) {
        self.drop_outdated(Change::Comparison);
        self.workbench.set_comparison(compared);
        self.reply(id, Answer::ComparisonSet);
    }

    /// Answers a query.
    pub(crate) async fn answer(&mut self, id: RequestId, query: AnyQuery) {
        let Self { workbench, new_bundles, followed, shared, .. } = self;
        let mut responder = Responder { workbench, new_bundles, followed, shared, bytes: None };
        let answer = query.put_to(responder.workbench, &mut responder).await;
        let bytes = responder.bytes;
        post_reply(&self.scope, Reply { id, revision: self.revision, answer: Answer::Query(answer) }, bytes);
    }

    /// Executes a command. What it opens besides catalogs goes to `opened`.
    async fn execute(
        &mut self,
        command: Command,
        blobs: Vec<Blob>,
        inbox: &mut Inbox,
        opened: &mut Vec<Opened>,
    ) -> Result<(), Cancelled> {
        match command {
            Command::Restore => self.restore(inbox, opened).await?,
            Command::Open { files, adds_session } => {
                self.open(inbox, (files, blobs), adds_session, opened)
                    .await?
                    .into_iter()
                    .for_each(|id| self.mark_unsaved(id));
                self.attach_bundle_files(opened);
            }
            Command::Follow(files) => self.follow(inbox, files, blobs, opened).await?,
            Command::Paste { text, name } => self.paste(text, name, opened),
            Command::DescribeCatalog { catalog, name, namespace, priority } => {
                self.workbench.set_metadata(catalog, &name, &namespace, priority);
                self.unsaved.described.insert(catalog);
            }
            Command::SetBaseline { catalog, baseline } => {
                self.workbench.set_baseline(catalog, baseline);
                self.unsaved.described.insert(catalog);
            }
            Command::Mirror { input, replaces } => {
                replaces.into_iter().for_each(|id| drop(self.workbench.remove(id)));
                opened.extend(self.workbench.mirror(&input).map(Opened::Mirror));
            }
            Command::SetBundleRules { catalog, rules } => self.workbench.choose_bundle_rules(catalog, rules),
            Command::Author { catalog, input } => opened.push(Opened::Authored(self.author(catalog, input))),
            Command::OpenMembers { set, versions } => {
                for version in versions {
                    let id = self.workbench.open_member(set, version);
                    self.mark_unsaved(id);
                }
            }
            Command::RemoveSet { set } => self.workbench.remove_set(set),
            Command::SetBaselineSet { set, baseline } => self.workbench.set_baseline_set(set, baseline),
            Command::RemoveCatalog { catalog } => {
                let removed = self.workbench.remove(catalog);
                self.undo_stack.push(self.revision, removed.into_iter().collect(), Vec::new());
                self.unsaved.removed.insert(catalog);
            }
            Command::Edit(edits) => {
                opened.push(Opened::Edited(self.workbench.edit_files(&edits)));
                self.unsaved.files.extend(edits.iter().map(|edit| edit.file));
            }
            Command::Revert { file } => {
                let authored = self.revert(file).ok_or_else(|| "the file has the text of the disk".to_owned());
                opened.push(Opened::Authored(authored));
            }
            Command::Type { file, changes } => {
                self.workbench.apply_changes(file, &changes);
                self.unsaved.files.insert(file);
            }
            Command::SwitchRules { off } => self.workbench.disable_rules(&off),
            Command::JudgeAs { opm } => self.workbench.set_opm(opm),
            Command::AnswerAs { olm_v1 } => self.workbench.set_olm_v1(olm_v1),
            Command::Clear => {
                let cleared = self.workbench.clear();
                self.replaced(cleared, Vec::new());
            }
            Command::OpenExample { slug, keep } => opened.push(self.open_example(&slug, keep)),
            Command::OpenLink { content } => self.open_link(&content, opened).await,
            Command::PutBack { change } => self.put_back(change),
            Command::KeepNothing => {
                self.store = None;
                self.unsaved = Unsaved::default();
            }
        }
        Ok(())
    }

    /// Writes a release, a removal or a deprecation into the text of a catalog.
    fn author(&mut self, catalog: CatalogId, input: AuthoringInput) -> Result<Authored, String> {
        let new = new_bundle(&self.new_bundles, &input);
        let undo = self.workbench.author_input(catalog, &input, new)?;
        self.unsaved.files.extend(undo.iter().map(|edit| edit.file));
        Ok(Authored { catalog, input, undo })
    }

    /// Adds a text as a catalog. Cluster manifests in it are returned to the page.
    pub(crate) fn paste(&mut self, text: String, name: Option<String>, opened: &mut Vec<Opened>) {
        let before = self.ids();
        opened.extend(self.workbench.open_text(text, name.as_deref(), &mut self.new_bundles));
        self.ids().into_iter().filter(|id| !before.contains(id)).for_each(|id| self.mark_unsaved(id));
    }

    pub(crate) fn attach_bundle_files(&mut self, opened: &mut Vec<Opened>) {
        let attached = self.workbench.attach_bundle_files();
        let catalogs = attached.changed.iter().filter_map(|&id| self.workbench.catalog(id));
        self.unsaved.files.extend(catalogs.flat_map(|catalog| &catalog.files).map(|file| file.key));
        self.unsaved.removed.extend(attached.removed);
        let reason = || AttachedFiles::LOST.to_owned();
        opened.extend(attached.lost.into_iter().map(|name| Opened::NotUnpacked { name, reason: reason() }));
    }

    /// Marks the store to be replaced by the present catalogs.
    pub(crate) fn mark_all_unsaved(&mut self) {
        self.unsaved = Unsaved { cleared: true, ..Unsaved::default() };
    }

    /// Marks a new catalog to be stored.
    pub(crate) fn mark_unsaved(&mut self, id: CatalogId) {
        self.unsaved.described.insert(id);
        let files = self.workbench.catalog(id).into_iter().flat_map(|catalog| &catalog.files);
        self.unsaved.files.extend(files.map(|file| file.key));
    }

    /// Sends the icons that the page does not have yet.
    fn send_icons(&mut self) {
        self.icons_are_due = false;
        let has = |icon: &IconRow| self.icons.get(&icon.key) == Some(&icon.url);
        let new: Vec<IconRow> = self.workbench.icons().filter(|icon| !has(icon)).collect();
        self.icons.extend(new.iter().map(|icon| (icon.key.clone(), icon.url.clone())));
        let mut batch = Vec::new();
        let mut size = 0;
        for icon in new {
            size += icon.url.len();
            batch.push(icon);
            if size > ICON_BATCH {
                self.send_event(Event::Icons(std::mem::take(&mut batch)));
                size = 0;
            }
        }
        if !batch.is_empty() {
            self.send_event(Event::Icons(batch));
        }
    }

    /// Loads the stored catalogs with their ids.
    async fn restore(&mut self, inbox: &mut Inbox, opened: &mut Vec<Opened>) -> Result<(), Cancelled> {
        let Some(store) = &self.store else { return Ok(()) };
        let stored = match store.load().await {
            Ok(stored) => stored,
            Err(reason) => {
                self.send_event(Event::NotStored { reason });
                return Ok(());
            }
        };
        let is_missing = |catalog: &StoredCatalog| self.workbench.catalog(catalog.id).is_none();
        let (mut roots, mut edited) = (Vec::new(), Vec::new());
        for StoredCatalog { id, source, files, opened } in stored.into_iter().filter(is_missing) {
            let files = files.into_iter().map(|(path, blob)| (path, Ok(blob))).collect();
            let name = source.name.clone();
            roots.push(Root { kept: Some((id, source)), is_stored: true, ..Root::of(name, files) });
            edited.push((id, opened));
        }
        self.load(inbox, roots, opened).await?;
        for (id, changes) in edited {
            self.workbench.set_opened(id, changes);
        }
        Ok(())
    }

    /// Writes one change to the store. Returns whether there was one.
    async fn save_something(&mut self) -> bool {
        let Some(store) = &self.store else { return false };
        let unsaved = &mut self.unsaved;
        let saved = if unsaved.cleared {
            *unsaved = Unsaved::default();
            store.replace(self.workbench.inputs()).await
        } else if let Some(id) = unsaved.removed.pop_first() {
            store.remove(id).await
        } else if let Some(id) = unsaved.described.pop_first() {
            match self.workbench.catalog(id) {
                Some(catalog) => store.describe(catalog).await,
                None => Ok(()),
            }
        } else if let Some(key) = unsaved.files.pop_first() {
            match self.workbench.file(key) {
                Some((catalog, file)) => store.put(catalog.id, file).await,
                None => Ok(()),
            }
        } else {
            return false;
        };
        if let Err(reason) = saved {
            self.send_event(Event::NotStored { reason });
        }
        true
    }

    pub(crate) fn reply(&self, id: RequestId, answer: Answer) {
        post_reply(&self.scope, Reply { id, revision: self.revision, answer }, None);
    }

    pub(crate) fn send_event(&self, event: Event) {
        post_event(&self.scope, event);
    }
}
