//! One request after the other, and the store when nothing else is to be done.

use crate::inbox::{Inbox, Letter};
use crate::kept::Kept;
use crate::load::{Cancelled, Root, without_manifests};
use crate::post::post_with;
use crate::room::memory;
use crate::store::{Store, StoredCatalog};
use futures_util::future::{Either, select};
use gloo_timers::future::TimeoutFuture;
use std::collections::{BTreeMap, BTreeSet};
use std::pin::pin;
use views::{Answer, Ask, CatalogId, FileKey, IconRow, PackageKey, Request, Revision, ShareView};
use web_sys::{Blob, DedicatedWorkerGlobalScope};
use workbench::{NewText, Workbench, examples};

/// Icons go out in messages of about so many bytes.
const ICON_BATCH: usize = 256 * 1024;
/// Icons wait so many milliseconds for a question.
const GRACE: u32 = 30;

pub(crate) struct Desk {
    pub(crate) scope: DedicatedWorkerGlobalScope,
    pub(crate) workbench: Workbench,
    pub(crate) revision: Revision,
    store: Option<Store>,
    unsaved: Unsaved,
    pub(crate) kept: Kept,
    /// The visit that was made ready to be passed on last.
    pub(crate) shared: Option<ShareView>,
    /// The icons that the page has, and whether there may be others by now.
    icons: BTreeMap<PackageKey, String>,
    icons_are_due: bool,
}

/// What the store does not know yet.
#[derive(Default)]
struct Unsaved {
    cleared: bool,
    removed: BTreeSet<CatalogId>,
    described: BTreeSet<CatalogId>,
    files: BTreeSet<FileKey>,
}

impl Desk {
    pub(crate) fn new(scope: DedicatedWorkerGlobalScope) -> Self {
        Self {
            scope,
            workbench: Workbench::with_template_expansion(),
            revision: Revision(0),
            store: None,
            unsaved: Unsaved::default(),
            kept: Kept::default(),
            shared: None,
            icons: BTreeMap::new(),
            icons_are_due: false,
        }
    }

    /// Answers requests for ever. Icons and saving wait until no request does, so that neither the first graph nor
    /// typing waits for them.
    pub(crate) async fn work(mut self, mut inbox: Inbox) {
        match Store::open().await {
            Ok(store) => self.take_store(store).await,
            Err(reason) => self.reply(Answer::NotStored { reason }),
        }
        self.reply(Answer::Ready);
        while let Some(letter) = self.next(&mut inbox).await {
            self.handle(letter, &mut inbox).await;
        }
    }

    /// Keeps catalogs in the store from now on, beside those that it has.
    async fn take_store(&mut self, store: Store) {
        match store.next_catalog().await {
            Ok(first) => {
                self.workbench.reserve_ids_below(first);
                self.store = Some(store);
            }
            Err(reason) => self.reply(Answer::NotStored { reason }),
        }
    }

    /// The next request; while there is none, what can wait is done.
    async fn next(&mut self, inbox: &mut Inbox) -> Option<Letter> {
        loop {
            if let Some(letter) = inbox.try_next() {
                return Some(letter);
            }
            if self.icons_are_due {
                // The page answers an overview with a question: that comes first.
                match select(pin!(inbox.next()), TimeoutFuture::new(GRACE)).await {
                    Either::Left((letter, _)) => return letter,
                    Either::Right(_) => self.send_icons(),
                }
            } else if !self.save_something().await {
                return inbox.next().await;
            }
        }
    }

    async fn handle(&mut self, letter: Letter, inbox: &mut Inbox) {
        let Letter { request, blobs } = letter;
        if request.ask.is_question() {
            self.reply_to(&request);
        } else if request.ask != Ask::Cancel {
            self.revision = request.revision;
            self.change(request.ask, blobs, inbox).await;
        }
    }

    /// Answers a question.
    pub(crate) fn reply_to(&mut self, request: &Request) {
        self.revision = request.revision;
        if let Some(answer) = self.answer(&request.ask) {
            self.reply(answer);
        }
    }

    /// The answer to a question; none to a change.
    fn answer(&self, ask: &Ask) -> Option<Answer> {
        let workbench = &self.workbench;
        Some(match ask {
            Ask::Graph { package } => Answer::Graph { graph: workbench.graph(package), package: package.clone() },
            Ask::GraphText { package, format, purpose } => Answer::GraphText {
                text: workbench.graph_text(package, *format),
                package: package.clone(),
                format: *format,
                purpose: *purpose,
            },
            Ask::Entry { package, entry } => {
                let view = workbench.entry(package, entry).map(Box::new);
                Answer::Entry { package: package.clone(), entry: entry.clone(), view }
            }
            Ask::Subject { package, subject } => {
                let view = workbench.subject(package, subject).map(Box::new);
                Answer::Subject { package: package.clone(), subject: subject.clone(), view }
            }
            Ask::Reach { package, first } => {
                Answer::Reach { view: workbench.reach(package, *first), package: package.clone(), first: *first }
            }
            Ask::Way { package, from, to } => {
                let view = workbench.way(package, from, to).map(Box::new);
                Answer::Way { package: package.clone(), from: from.clone(), to: to.clone(), view }
            }
            Ask::Findings { filter, limit } => Answer::Findings(workbench.findings(filter, *limit)),
            Ask::Source { file, start, end } => Answer::Source(workbench.source(*file, *start, *end)),
            Ask::Line { file, line } => Answer::Source(workbench.source_line(*file, *line)),
            Ask::File { file, target, text } => Answer::File(workbench.file_view(*file, *target, *text)),
            Ask::Here { file, at } => Answer::Here(workbench.here(*file, *at)),
            Ask::Simulate { cluster } => Answer::Simulation(workbench.simulate(cluster)),
            Ask::Timeline { cluster, outcome, approved } => {
                Answer::Timeline(workbench.timeline(cluster, *outcome, *approved))
            }
            Ask::WhyNot { cluster, outcome, package, entry } => {
                Answer::WhyNot(workbench.why_not(cluster, *outcome, package, entry))
            }
            Ask::Export { form } => Answer::Exported(workbench.manifests(form)),
            Ask::Examples => Answer::Examples(examples()),
            Ask::Memory => Answer::Memory { bytes: memory() },
            _ => return None,
        })
    }

    /// Makes a change; questions make none.
    async fn change(&mut self, ask: Ask, blobs: Vec<Blob>, inbox: &mut Inbox) {
        match ask {
            Ask::Restore => self.restore(inbox).await,
            Ask::Share { page } => return self.share(&page).await,
            Ask::Open { files } => match self.open(inbox, files, blobs).await {
                Ok(added) => {
                    added.into_iter().for_each(|id| self.keep(id));
                    self.attach_bundle_files();
                }
                Err(Cancelled) => self.reply(Answer::Cancelled { restoring: false }),
            },
            Ask::Paste { text } => self.paste(text),
            Ask::DescribeCatalog { catalog, name, namespace, priority } => {
                self.workbench.set_metadata(catalog, &name, &namespace, priority);
                self.unsaved.described.insert(catalog);
            }
            Ask::RemoveCatalog { catalog } => {
                let removed = self.workbench.remove(catalog);
                self.kept.push(self.revision, removed.into_iter().collect(), Vec::new());
                self.unsaved.removed.insert(catalog);
            }
            Ask::Edit { file, start, end, text } => {
                self.workbench.edit(file, start..end, &text);
                self.unsaved.files.insert(file);
            }
            Ask::SwitchRules { off } => self.workbench.disable_rules(&off),
            Ask::Type { file, changes } => {
                self.workbench.apply_changes(file, &changes);
                self.unsaved.files.insert(file);
            }
            Ask::OpenExample { slug, keep } => self.open_example(&slug, keep),
            Ask::Arrive { arrival } => self.arrive(&arrival).await,
            Ask::PutBack { change } => self.put_back(change),
            Ask::KeepNothing => {
                self.store = None;
                self.unsaved = Unsaved::default();
            }
            Ask::Clear => {
                let cleared = self.workbench.clear();
                self.replaced(cleared, Vec::new());
            }
            _ => return,
        }
        self.overview();
    }

    /// Cluster manifests are the page's: it shows them beside the form.
    pub(crate) fn send_manifests(&self, texts: &[String]) {
        if !texts.is_empty() {
            self.reply(Answer::Manifests { text: texts.join("---\n") });
        }
    }

    pub(crate) fn paste(&mut self, text: String) {
        let mut manifests = Vec::new();
        let left = without_manifests(text.into_bytes(), &mut manifests);
        self.send_manifests(&manifests);
        let Some(content) = left else { return };
        let path = if content.trim_ascii_start().starts_with(b"{") { "pasted.json" } else { "pasted.yaml" };
        let text = NewText { path: path.to_owned(), content: Ok(content) };
        let id = self.workbench.add_catalog("pasted", vec![text], &mut |_| {});
        self.keep(id);
        self.attach_bundle_files();
    }

    fn attach_bundle_files(&mut self) {
        let attached = self.workbench.attach_bundle_files();
        let catalogs = attached.changed.iter().filter_map(|&id| self.workbench.catalog(id));
        self.unsaved.files.extend(catalogs.flat_map(|catalog| &catalog.files).map(|file| file.key));
        self.unsaved.removed.extend(attached.removed);
    }

    /// Has all catalogs stored, and no others.
    pub(crate) fn keep_all(&mut self) {
        self.unsaved = Unsaved { cleared: true, ..Unsaved::default() };
    }

    /// Has a new catalog stored.
    fn keep(&mut self, id: CatalogId) {
        self.unsaved.described.insert(id);
        let files = self.workbench.catalog(id).into_iter().flat_map(|catalog| &catalog.files);
        self.unsaved.files.extend(files.map(|file| file.key));
    }

    fn overview(&mut self) {
        self.reply(Answer::Overview(self.workbench.overview()));
        self.icons_are_due = true;
    }

    /// Sends the icons that the page does not have.
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
                self.reply(Answer::Icons(std::mem::take(&mut batch)));
                size = 0;
            }
        }
        if !batch.is_empty() {
            self.reply(Answer::Icons(batch));
        }
    }

    /// Loads what is stored, under the numbers that it is stored by.
    async fn restore(&mut self, inbox: &mut Inbox) {
        let Some(store) = &self.store else { return };
        let stored = match store.load().await {
            Ok(stored) => stored,
            Err(reason) => return self.reply(Answer::NotStored { reason }),
        };
        let here = |catalog: &StoredCatalog| self.workbench.catalog(catalog.id).is_none();
        let roots = stored.into_iter().filter(here).map(|StoredCatalog { id, source, files }| Root {
            name: source.name.clone(),
            stored: Some((id, source)),
            files,
        });
        if let Err(Cancelled) = self.load(inbox, roots.collect()).await {
            self.reply(Answer::Cancelled { restoring: true });
        }
    }

    /// Saves one thing that the store does not know yet; whether there was one.
    async fn save_something(&mut self) -> bool {
        let Some(store) = &self.store else { return false };
        let unsaved = &mut self.unsaved;
        let saved = if unsaved.cleared {
            *unsaved = Unsaved::default();
            store.replace(self.workbench.catalogs()).await
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
            self.reply(Answer::NotStored { reason });
        }
        true
    }

    pub(crate) fn reply(&self, answer: Answer) {
        let text = match &answer {
            Answer::File(Some(view)) if view.with_text => self.workbench.file(view.file).map(|(_, file)| &*file.text),
            _ => None,
        };
        post_with(&self.scope, self.revision, answer, text);
    }
}
