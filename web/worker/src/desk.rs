//! One request after the other, and the store when nothing else is to be done.

use crate::files;
use crate::post::{Progress, post};
use crate::store::Store;
use futures_channel::mpsc::UnboundedReceiver;
use futures_util::future::{Either, select};
use gloo_timers::future::TimeoutFuture;
use js_sys::{Array, Reflect};
use std::collections::{BTreeMap, BTreeSet};
use views::{Answer, Ask, CatalogId, FileKey, IconRow, NewFile, PackageKey, Request, Revision, Stage};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Blob, DedicatedWorkerGlobalScope};
use workbench::{Arrival, NewText, Workbench, examples, sort_out};

/// Icons go out in messages of about so many bytes.
const ICON_BATCH: usize = 256 * 1024;
/// Icons wait so many milliseconds for a question.
const GRACE: u32 = 30;

pub(crate) struct Desk {
    scope: DedicatedWorkerGlobalScope,
    workbench: Workbench,
    revision: Revision,
    store: Option<Store>,
    unsaved: Unsaved,
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
            workbench: Workbench::new(),
            revision: Revision(0),
            store: None,
            unsaved: Unsaved::default(),
            icons: BTreeMap::new(),
            icons_are_due: false,
        }
    }

    /// Answers requests for ever. Icons and saving wait until no request does, so that neither the first graph nor
    /// typing waits for them.
    pub(crate) async fn work(mut self, mut requests: UnboundedReceiver<JsValue>) {
        match Store::open().await {
            Ok(store) => self.store = Some(store),
            Err(reason) => self.reply(Answer::NotStored { reason }),
        }
        self.reply(Answer::Ready);
        while let Some(message) = self.next(&mut requests).await {
            self.handle(&message).await;
        }
    }

    /// The next request; while there is none, what can wait is done.
    async fn next(&mut self, requests: &mut UnboundedReceiver<JsValue>) -> Option<JsValue> {
        loop {
            if let Ok(message) = requests.try_recv() {
                return Some(message);
            }
            if self.icons_are_due {
                // The page answers an overview with a question: that comes first.
                match select(requests.recv(), TimeoutFuture::new(GRACE)).await {
                    Either::Left((message, _)) => return message.ok(),
                    Either::Right(_) => self.send_icons(),
                }
            } else if !self.save_something().await {
                return requests.recv().await.ok();
            }
        }
    }

    async fn handle(&mut self, message: &JsValue) {
        let field = |name: &str| Reflect::get(message, &name.into()).unwrap_or(JsValue::UNDEFINED);
        let request: Request = match serde_wasm_bindgen::from_value(field("request")) {
            Ok(request) => request,
            Err(error) => wasm_bindgen::throw_str(&format!("a request could not be read: {error}")),
        };
        self.revision = request.revision;
        let blobs: Vec<Blob> = Array::from(&field("files")).iter().filter_map(|file| file.dyn_into().ok()).collect();
        match self.answer(&request.ask) {
            Some(answer) => self.reply(answer),
            None => self.change(request.ask, &blobs).await,
        }
    }

    /// The answer to a question; none to a change.
    fn answer(&self, ask: &Ask) -> Option<Answer> {
        let workbench = &self.workbench;
        Some(match ask {
            Ask::Graph { package } => Answer::Graph { graph: workbench.graph(package), package: package.clone() },
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
            Ask::Simulate { cluster } => Answer::Simulation(workbench.simulate(cluster)),
            Ask::Timeline { cluster, outcome, approved } => {
                Answer::Timeline(workbench.timeline(cluster, *outcome, *approved))
            }
            Ask::WhyNot { cluster, outcome, package, entry } => {
                Answer::WhyNot(workbench.why_not(cluster, *outcome, package, entry))
            }
            Ask::Export { form } => Answer::Exported(workbench.manifests(form)),
            Ask::Examples => Answer::Examples(examples()),
            _ => return None,
        })
    }

    /// Makes a change; questions make none.
    async fn change(&mut self, ask: Ask, blobs: &[Blob]) {
        match ask {
            Ask::Restore => self.restore().await,
            Ask::Open { files } => self.open(files, blobs),
            Ask::Paste { text } => self.paste(text),
            Ask::DescribeCatalog { catalog, name, namespace, priority } => {
                self.workbench.describe(catalog, &name, &namespace, priority);
                self.unsaved.described.insert(catalog);
            }
            Ask::RemoveCatalog { catalog } => {
                self.workbench.remove(catalog);
                self.unsaved.removed.insert(catalog);
            }
            Ask::Edit { file, start, end, text } => {
                self.workbench.edit(file, start..end, &text);
                self.unsaved.files.insert(file);
            }
            Ask::OpenExample { slug } => {
                if let Some(opened) = self.workbench.open_example(&slug) {
                    self.unsaved = Unsaved { cleared: true, ..Unsaved::default() };
                    self.reply(Answer::Example(opened));
                }
            }
            Ask::Clear => {
                self.workbench.clear();
                self.unsaved = Unsaved { cleared: true, ..Unsaved::default() };
            }
            _ => return,
        }
        self.overview();
    }

    /// Adds one catalog for each run of files of one root.
    fn open(&mut self, files: Vec<NewFile>, blobs: &[Blob]) {
        let total = blobs.iter().map(|blob| blob.size() as u32).fold(0, u32::saturating_add);
        let mut progress = Progress::new(&self.scope, self.revision, Stage::Reading, total);
        let mut done: u32 = 0;
        let mut texts: Vec<(String, NewText)> = Vec::new();
        let mut manifests: Vec<String> = Vec::new();
        for (file, blob) in files.into_iter().zip(blobs) {
            let path = if file.path.is_empty() { file.root.clone() } else { file.path };
            let content = files::read(blob).map(|bytes| without_manifests(bytes, &mut manifests));
            if content != Ok(None) {
                texts.push((file.root, NewText { path, content: content.map(Option::unwrap_or_default) }));
            }
            done = done.saturating_add(blob.size() as u32);
            progress.tell(done);
        }
        self.send_manifests(&manifests);
        while let Some((root, _)) = texts.first() {
            let root = root.clone();
            let (here, rest) = texts.into_iter().partition(|(other, _)| *other == root);
            texts = rest;
            self.add(&root, here.into_iter().map(|(_, text)| text).collect());
        }
        self.adopt_files_beside();
    }

    /// Cluster manifests are the page's: it shows them beside the form.
    fn send_manifests(&self, texts: &[String]) {
        if !texts.is_empty() {
            self.reply(Answer::Manifests { text: texts.join("---\n") });
        }
    }

    fn paste(&mut self, text: String) {
        let mut manifests = Vec::new();
        let left = without_manifests(text.into_bytes(), &mut manifests);
        self.send_manifests(&manifests);
        let Some(content) = left else { return };
        let path = if content.trim_ascii_start().starts_with(b"{") { "pasted.json" } else { "pasted.yaml" };
        self.add("pasted", vec![NewText { path: path.to_owned(), content: Ok(content) }]);
        self.adopt_files_beside();
    }

    fn adopt_files_beside(&mut self) {
        let adopted = self.workbench.adopt_files_beside();
        let catalogs = adopted.into.iter().filter_map(|&id| self.workbench.catalog(id));
        self.unsaved.files.extend(catalogs.flat_map(|catalog| &catalog.files).map(|file| file.key));
        self.unsaved.removed.extend(adopted.gone);
    }

    fn add(&mut self, name: &str, files: Vec<NewText>) -> CatalogId {
        let sizes = files.iter().map(|file| file.content.as_ref().map_or(0, |bytes| bytes.len() as u32));
        let total = sizes.fold(0, u32::saturating_add);
        let mut progress = Progress::new(&self.scope, self.revision, Stage::Parsing, total);
        let id = self.workbench.add_catalog(name, files, &mut |done| progress.tell(done));
        self.unsaved.described.insert(id);
        self.unsaved
            .files
            .extend(self.workbench.catalog(id).into_iter().flat_map(|catalog| &catalog.files).map(|file| file.key));
        id
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

    async fn restore(&mut self) {
        let stored = match &self.store {
            Some(store) => store.load().await,
            None => Ok(Vec::new()),
        };
        match stored {
            Ok(catalogs) => {
                for catalog in catalogs {
                    let files =
                        catalog.files.into_iter().map(|(path, blob)| NewText { path, content: files::read(&blob) });
                    let id = self.add(&catalog.source.name, files.collect());
                    self.workbench.describe(
                        id,
                        &catalog.source.name,
                        &catalog.source.namespace,
                        catalog.source.priority,
                    );
                }
                // What is loaded has new ids, under which it is stored anew.
                self.unsaved.cleared = true;
            }
            Err(reason) => self.reply(Answer::NotStored { reason }),
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

    fn reply(&self, answer: Answer) {
        post(&self.scope, self.revision, answer);
    }
}

/// The bytes without the cluster manifests in them, which go to `manifests`; nothing if they are all there is.
fn without_manifests(bytes: Vec<u8>, manifests: &mut Vec<String>) -> Option<Vec<u8>> {
    let Some(arrival) = std::str::from_utf8(&bytes).ok().and_then(sort_out) else { return Some(bytes) };
    let Arrival { manifests: mut found, catalog } = arrival;
    if !found.ends_with('\n') {
        found.push('\n');
    }
    manifests.push(found);
    (!catalog.is_empty()).then(|| catalog.into_bytes())
}
