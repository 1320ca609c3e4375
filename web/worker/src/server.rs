//! Handles requests one after the other, and updates the store when none is waiting.

use crate::fetch::size;
use crate::follow::FollowedRoot;
use crate::inbox::{Inbox, Incoming, post_event, post_reply};
use crate::jobs::{Change, Job};
use crate::load::{Cancelled, Root};
use crate::share::{self, build_file};
use crate::store::{Store, StoredCatalog};
use answers::Answers;
use futures_util::future::{Either, select};
use gloo_timers::future::TimeoutFuture;
use js_sys::Uint8Array;
use session::{Executed, Outside, SavedSession, Session, Unsaved};
use std::collections::{BTreeMap, VecDeque};
use std::pin::pin;
use views::{
    Answer, AnyQuery, Ask, CatalogId, Changed, Command, Compared, Event, FileView, IconRow, NewSubscriptionView,
    Opened, PackageKey, Query, Reply, RequestId, Respond, RespondInWorker, Revision, ShareView, SimulationView,
    WrittenView, query,
};
use web_sys::{Blob, DedicatedWorkerGlobalScope};

/// Icons are sent in messages of about this many bytes.
const ICON_BATCH: usize = 256 * 1024;
/// Before icons are sent, the worker waits this many milliseconds for a query, which is more urgent.
const ICON_DELAY: u32 = 30;

pub(crate) struct Server {
    pub(crate) scope: DedicatedWorkerGlobalScope,
    pub(crate) session: Session,
    pub(crate) revision: Revision,
    store: Option<Store>,
    /// Changes that have to be written to the store.
    pub(crate) unsaved: Unsaved,
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

impl Server {
    pub(crate) fn new(scope: DedicatedWorkerGlobalScope) -> Self {
        Self {
            scope,
            session: Session::new(),
            revision: Revision(0),
            store: None,
            unsaved: Unsaved::default(),
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
                self.session.workbench.reserve_ids_below(first);
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
                self.reply(
                    id,
                    Answer::Changed(Changed {
                        overview: answers::overview(&self.session.workbench),
                        opened,
                        cancelled,
                    }),
                );
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
        self.session.workbench.set_cluster(manifests);
        self.reply(id, Answer::ClusterSet);
    }

    /// Sets the states that later queries compare.
    pub(crate) fn set_comparison(&mut self, id: RequestId, compared: Compared) {
        self.drop_outdated(Change::Comparison);
        self.session.workbench.set_comparison(compared);
        self.reply(id, Answer::ComparisonSet);
    }

    pub(crate) async fn answer(&mut self, id: RequestId, query: AnyQuery) {
        let Self { session, followed, shared, .. } = self;
        let mut responder = Responder { session, followed, shared, bytes: None };
        let answer = query.put_to(&mut responder).await;
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
        match self.session.execute(command, self.revision) {
            Ok(Executed { opened: found, unsaved }) => {
                opened.extend(found);
                self.unsaved.add(unsaved);
            }
            Err(Outside::Restore) => self.restore(inbox, opened).await?,
            Err(Outside::Open { files, adds_session }) => {
                self.open(inbox, (files, blobs), adds_session, opened)
                    .await?
                    .into_iter()
                    .for_each(|id| self.mark_unsaved(id));
                self.attach_bundle_files(opened);
            }
            Err(Outside::Follow(files)) => self.follow(inbox, files, blobs, opened).await?,
            Err(Outside::OpenLink(content)) => {
                let shared = share::open(&content).await;
                self.replace_by(shared, opened);
            }
            Err(Outside::KeepNothing) => {
                self.store = None;
                self.unsaved = Unsaved::default();
            }
        }
        Ok(())
    }

    pub(crate) fn attach_bundle_files(&mut self, opened: &mut Vec<Opened>) {
        let Executed { opened: lost, unsaved } = self.session.attach_bundle_files();
        opened.extend(lost);
        self.unsaved.add(unsaved);
    }

    /// Marks a new catalog to be stored.
    pub(crate) fn mark_unsaved(&mut self, id: CatalogId) {
        self.unsaved.add_catalog(&self.session.workbench, id);
    }

    /// Sends the icons that the page does not have yet.
    fn send_icons(&mut self) {
        self.icons_are_due = false;
        let has = |icon: &IconRow| self.icons.get(&icon.key) == Some(&icon.url);
        let new: Vec<IconRow> = answers::icons(&self.session.workbench).filter(|icon| !has(icon)).collect();
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
        let is_missing = |catalog: &StoredCatalog| self.session.workbench.catalog(catalog.id).is_none();
        let (mut roots, mut edited) = (Vec::new(), Vec::new());
        for StoredCatalog { id, source, files, opened } in stored.into_iter().filter(is_missing) {
            let files = files.into_iter().map(|(path, blob)| (path, Ok(blob))).collect();
            let name = source.name.clone();
            roots.push(Root { kept: Some((id, source)), is_stored: true, ..Root::of(name, files) });
            edited.push((id, opened));
        }
        self.load(inbox, roots, opened).await?;
        for (id, changes) in edited {
            self.session.workbench.set_opened(id, changes);
        }
        Ok(())
    }

    /// Writes one change to the store. Returns whether there was one.
    async fn save_something(&mut self) -> bool {
        let Some(store) = &self.store else { return false };
        let unsaved = &mut self.unsaved;
        let saved = if unsaved.cleared {
            *unsaved = Unsaved::default();
            store.replace(self.session.workbench.inputs()).await
        } else if let Some(id) = unsaved.removed.pop_first() {
            store.remove(id).await
        } else if let Some(id) = unsaved.described.pop_first() {
            match self.session.workbench.catalog(id) {
                Some(catalog) => store.describe(catalog).await,
                None => Ok(()),
            }
        } else if let Some(key) = unsaved.files.pop_first() {
            match self.session.workbench.file(key) {
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

// Answers the queries that need the browser, or have bytes beside their reply. The workbench answers the others.

/// Answers one query.
struct Responder<'s> {
    pub(crate) session: &'s mut Session,
    pub(crate) followed: &'s BTreeMap<String, FollowedRoot>,
    /// What was shared last.
    pub(crate) shared: &'s mut Option<ShareView>,
    /// Bytes that go beside the reply.
    pub(crate) bytes: Option<Uint8Array>,
}

impl<Q: Query> Respond<Q> for Responder<'_>
where
    for<'w> Answers<'w>: Respond<Q>,
{
    fn respond(&self, query: &Q) -> Q::Answer {
        Answers(&self.session.workbench).respond(query)
    }
}

impl RespondInWorker<query::Try> for Responder<'_> {
    async fn respond(&mut self, query: &query::Try) -> Result<Box<SimulationView>, String> {
        let query::Try { namespace, change } = query;
        answers::try_change(&mut self.session.workbench, namespace, change)
    }
}

impl RespondInWorker<query::NewSubscription> for Responder<'_> {
    async fn respond(&mut self, query: &query::NewSubscription) -> Option<NewSubscriptionView> {
        let query::NewSubscription { package, entry, runtime } = query;
        answers::new_subscription(&mut self.session.workbench, package, entry.as_ref(), *runtime)
    }
}

impl RespondInWorker<query::Share> for Responder<'_> {
    async fn respond(&mut self, query: &query::Share) -> ShareView {
        if let Some(before) = self.shared.take() {
            share::forget(&before.file);
        }
        let workbench = &self.session.workbench;
        let wanted = query.scene.as_ref();
        let scene = wanted.and_then(|(namespace, selected)| answers::scene(workbench, namespace, selected.as_ref()));
        let page = &*query.page;
        let scene = scene.map(|catalogs| SavedSession { page: page.into(), catalogs, ..SavedSession::default() });
        match share::share(&SavedSession::of(workbench.inputs(), page), scene.as_ref()).await {
            Ok(view) => {
                *self.shared = Some(view.clone());
                view
            }
            // The worker ends; the page notices and starts another one.
            Err(error) => wasm_bindgen::throw_val(error),
        }
    }
}

impl RespondInWorker<query::File> for Responder<'_> {
    async fn respond(&mut self, query: &query::File) -> Option<FileView> {
        let query::File { file, target, text } = *query;
        let opened = self.session.workbench.file(file).filter(|_| text);
        self.bytes = opened.map(|(_, file)| Uint8Array::from(file.text.as_bytes()));
        answers::file_view(&self.session.workbench, file, target, text)
    }
}

impl RespondInWorker<query::FileText> for Responder<'_> {
    async fn respond(&mut self, query: &query::FileText) -> Option<String> {
        let file = self.session.workbench.file(query.file).map(|(_, file)| file);
        self.bytes = file.map(|file| Uint8Array::from(file.text.as_bytes()));
        file.map(|file| file.path.clone())
    }
}

impl RespondInWorker<query::Download> for Responder<'_> {
    async fn respond(&mut self, query: &query::Download) -> Result<String, String> {
        let (name, bytes) = build_file(self.session, self.followed, &query.what)?;
        self.bytes = Some(Uint8Array::from(&*bytes));
        Ok(name)
    }
}

impl RespondInWorker<query::Written> for Responder<'_> {
    async fn respond(&mut self, query: &query::Written) -> WrittenView {
        let query::Written { set, input } = query;
        self.session.workbench.written(*set, input, self.session.released_bundle(input))
    }
}

impl RespondInWorker<query::Memory> for Responder<'_> {
    async fn respond(&mut self, _: &query::Memory) -> u32 {
        size()
    }
}
