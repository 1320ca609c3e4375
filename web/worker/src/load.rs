//! Loads files as catalogs, a step at a time: between two steps queries are answered, and loading can be cancelled.

use crate::fetch::{self, Fetch, Reserve};
use crate::inbox::{Inbox, Progress, Urgent};
use crate::server::Server;
use crate::store::StoredSource;
use session::{Intake, Loading, NewCatalog, NewText, Purpose, Taking};
use source::Executor;
use views::{Answer, CatalogId, Event, NewFile, Opened, SetId, Stage};
use web_sys::Blob;

/// Bytes parsed between two message polls, about 20 ms of work; bounds the latency of a query.
const STEP: u32 = 2 << 20;
/// The page gets the first preview after this many milliseconds.
const FIRST_PREVIEW: f64 = 250.0;
/// Each preview comes after this many times the time of the last one, so that previews delay the result little. None is
/// sent if loading is about to end.
const NEXT_PREVIEW: f64 = 3.0;

/// A path, and the content or why there is none.
pub(crate) type RootFile = (String, Result<Blob, String>);

/// The files of one catalog.
pub(crate) struct Root {
    pub(crate) name: String,
    /// The id and the CatalogSource that its catalog keeps.
    pub(crate) kept: Option<(CatalogId, StoredSource)>,
    /// Whether it is a catalog of the store, which is not recognised again.
    pub(crate) is_stored: bool,
    /// The sets that its files made before.
    pub(crate) sets: Vec<SetId>,
    pub(crate) files: Vec<RootFile>,
    pub(crate) purpose: Purpose,
    /// How many other files an archive has that were not unpacked.
    pub(crate) others: u32,
}

/// Loading was cancelled.
pub(crate) struct Cancelled;

struct Load {
    progress: Progress,
    reserve: Reserve,
    /// Bytes of all roots, how many of them were fetched, and how many were parsed.
    total: u32,
    fetched: u32,
    parsed: u32,
    /// Bytes that were handled since messages were polled.
    since: u32,
    begun: Vec<Loading>,
    /// The sets that the page sees and that were not open before, also those that are still read.
    sets: Vec<SetId>,
    opened: Vec<Opened>,
    started: f64,
    next_preview: f64,
}

/// One root for each name, in the order of their first files.
pub(crate) fn roots(files: Vec<NewFile>, blobs: Vec<Blob>) -> Vec<Root> {
    let mut roots: Vec<Root> = Vec::new();
    for (NewFile { root, path }, blob) in files.into_iter().zip(blobs) {
        let path = if path.is_empty() { root.clone() } else { path };
        match roots.iter_mut().find(|other| other.name == root) {
            Some(known) => known.files.push((path, Ok(blob))),
            None => roots.push(Root::of(root, vec![(path, Ok(blob))])),
        }
    }
    roots
}

impl Root {
    /// The files of a catalog that was not loaded before.
    pub(crate) const fn of(name: String, files: Vec<RootFile>) -> Self {
        Self { name, kept: None, is_stored: false, sets: Vec::new(), files, purpose: Purpose::Any, others: 0 }
    }
}

/// The contents of all roots, one after the other.
fn blobs(roots: &[Root]) -> impl Iterator<Item = &Blob> {
    roots.iter().flat_map(|root| &root.files).filter_map(|(_, blob)| blob.as_ref().ok())
}

impl Server {
    /// Adds a catalog for each root, or none if that is cancelled.
    pub(crate) async fn load(
        &mut self,
        inbox: &mut Inbox,
        roots: Vec<Root>,
        opened: &mut Vec<Opened>,
    ) -> Result<Vec<CatalogId>, Cancelled> {
        let bytes = blobs(&roots).map(|blob| blob.size() as u32);
        let now = js_sys::Date::now();
        let total = bytes.fold(0, u32::saturating_add);
        let mut load = Load {
            reserve: Reserve::of(total),
            total,
            progress: Progress::new(&self.scope),
            fetched: 0,
            parsed: 0,
            since: 0,
            begun: Vec::new(),
            sets: Vec::new(),
            opened: Vec::new(),
            started: now,
            next_preview: now + FIRST_PREVIEW,
        };
        let mut outcome = Ok(());
        for root in roots {
            outcome = match root.is_stored {
                true => self.restore_root(inbox, root, &mut load).await,
                false => self.read_root(inbox, root, &mut load).await,
            };
            if outcome.is_err() {
                break;
            }
        }
        if outcome.is_ok() {
            load.progress.send(Stage::Judging, load.total, load.total);
            self.session.workbench.finish_loading(&load.begun);
            opened.append(&mut load.opened);
        } else {
            load.begun.iter().for_each(|loading| drop(self.session.workbench.remove(loading.catalog)));
            load.sets.iter().for_each(|set| self.session.workbench.remove_set(*set));
        }
        outcome.map(|()| load.begun.iter().map(|loading| loading.catalog).collect())
    }

    /// Takes in the files of a root, whatever they are.
    async fn read_root(&mut self, inbox: &mut Inbox, root: Root, load: &mut Load) -> Result<(), Cancelled> {
        let Root { name, mut kept, sets, files, purpose, others, .. } = root;
        let paths: Vec<String> = files.iter().map(|(path, _)| path.clone()).collect();
        let mut intake =
            Intake::of(&name, paths.clone(), purpose).judged_by(self.session.workbench.opm()).besides(others);
        let mut taking = Taking { before: sets, opened: std::mem::take(&mut load.opened), ..Taking::default() };
        let (mut alone, fetched, parsed) = (None, load.fetched, load.parsed);
        while let Some(wanted) = intake.wanted(Executor::default()) {
            // Files that are needed again are counted once.
            (load.fetched, load.parsed) = (fetched, parsed);
            let blobs = wanted.iter().filter_map(|at| files[*at].1.as_ref().ok());
            let mut fetch = Fetch::of(blobs);
            let mut position = 0;
            for (number, &at) in wanted.iter().enumerate() {
                let content = match &files[at].1 {
                    Ok(blob) => {
                        position += 1;
                        self.fetch(inbox, &mut fetch, (position - 1, blob), load).await?
                    }
                    Err(reason) => Err(reason.clone()),
                };
                // While it is parsed, the browser reads the next files.
                if let Some(file) = intake.give_or_load(at, content) {
                    let loading = alone.get_or_insert_with(|| self.begin(&name, kept.take(), Vec::new(), load));
                    self.session.workbench.add_file(loading, file);
                    self.parse(inbox, loading, load).await?;
                }
                let is_last = number + 1 == wanted.len();
                if load.fetched.saturating_sub(load.parsed) >= STEP || is_last {
                    while !intake.step(STEP) {
                        load.parsed = load.parsed.saturating_add(STEP).min(load.fetched);
                        load.progress.send(Stage::Reading, load.parsed, load.total);
                        self.handle_messages(inbox, load, STEP).await?;
                    }
                    if intake.sets().next().is_some() {
                        load.parsed = load.fetched;
                        load.progress.send(Stage::Reading, load.parsed, load.total);
                        let coming: Vec<&str> = wanted[number + 1..].iter().map(|at| &*paths[*at]).collect();
                        self.preview_sets(&name, &mut intake, &coming, &mut taking, load);
                    }
                }
            }
        }
        if let Some(loading) = alone
            && paths.len() == 1
            && !self.session.workbench.take_back(&loading, &mut taking.opened)
        {
            load.begun.pop();
        }
        let (catalogs, session) =
            self.session.workbench.take(&name, intake.finish(), &mut self.session.bundles, &mut taking);
        let is_new = |id: &SetId| !taking.before.contains(id) && !load.sets.contains(id);
        let new: Vec<SetId> = taking.sets.iter().copied().filter(is_new).collect();
        load.sets.extend(new);
        self.session.workbench.remove_former_sets(&taking);
        load.opened = taking.opened;
        // Sessions are opened before, by their names.
        drop(session);
        for NewCatalog { name, files } in catalogs {
            let mut loading = self.begin(&name, kept.take(), files, load);
            self.parse(inbox, &mut loading, load).await?;
        }
        Ok(())
    }

    /// Loads a catalog of the store again.
    async fn restore_root(&mut self, inbox: &mut Inbox, root: Root, load: &mut Load) -> Result<(), Cancelled> {
        let Root { name, kept, files, .. } = root;
        let mut fetch = Fetch::of(files.iter().filter_map(|(_, blob)| blob.as_ref().ok()));
        let mut loading = self.begin(&name, kept, Vec::new(), load);
        let mut position = 0;
        for (path, blob) in files {
            let content = match blob {
                Ok(blob) => {
                    position += 1;
                    self.fetch(inbox, &mut fetch, (position - 1, &blob), load).await?
                }
                Err(reason) => Err(reason),
            };
            self.session.workbench.add_file(&loading, NewText { path, content });
            self.parse(inbox, &mut loading, load).await?;
        }
        Ok(())
    }

    /// Shows the members of sets that are complete, if that is due.
    fn preview_sets(&mut self, name: &str, intake: &mut Intake, coming: &[&str], taking: &mut Taking, load: &mut Load) {
        if !load.is_preview_due() {
            return;
        }
        load.next_preview = js_sys::Date::now() + FIRST_PREVIEW;
        for (at, loading) in intake.sets().enumerate() {
            let known = taking.before.get(at).copied();
            if let Some(set) = self.session.workbench.preview_set(known, name, loading, coming) {
                if known.is_none() {
                    taking.before.push(set);
                    load.sets.push(set);
                }
                self.send_preview(load);
            }
        }
    }

    /// Reads the bytes of the file at a position among all files.
    async fn fetch(
        &mut self,
        inbox: &mut Inbox,
        fetch: &mut Fetch,
        (position, blob): (usize, &Blob),
        load: &mut Load,
    ) -> Result<Result<Vec<u8>, String>, Cancelled> {
        let mut bytes = match fetch::buffer(blob) {
            Ok(bytes) => bytes,
            Err(reason) => return Ok(Err(reason)),
        };
        while let Some(part) = fetch.next(position).await {
            let part = match part {
                Ok(part) => part,
                Err(reason) => return Ok(Err(reason)),
            };
            fetch::append(&mut bytes, &part);
            load.fetched = load.fetched.saturating_add(part.length());
            if load.parsed == 0 {
                load.progress.send(Stage::Fetching, load.fetched, load.total);
            }
            self.handle_messages(inbox, load, part.length()).await?;
        }
        Ok(Ok(bytes))
    }

    /// Begins to add a catalog with these files, perhaps in the place of one that it was before.
    fn begin(
        &mut self,
        name: &str,
        kept: Option<(CatalogId, StoredSource)>,
        files: Vec<NewText>,
        load: &mut Load,
    ) -> Loading {
        let loading = match kept {
            Some((id, source)) => {
                let loading = self.session.workbench.begin_loading_as(id, name, files);
                self.session.workbench.set_metadata(id, &source.name, &source.namespace, source.priority);
                self.session.workbench.set_baseline(id, source.baseline);
                loading
            }
            None => self.session.workbench.begin_loading(name, files),
        };
        load.begun.push(loading.clone());
        loading
    }

    /// Parses the files that a catalog has so far.
    async fn parse(&mut self, inbox: &mut Inbox, loading: &mut Loading, load: &mut Load) -> Result<(), Cancelled> {
        loop {
            let from = loading.done;
            let is_read = self.session.workbench.continue_loading(loading, STEP);
            load.parsed = load.parsed.saturating_add(loading.done - from);
            load.progress.send(Stage::Reading, load.parsed, load.total);
            self.preview(load);
            self.handle_messages(inbox, load, loading.done - from).await?;
            if is_read {
                return Ok(());
            }
        }
    }

    /// Polls for messages after every [`STEP`] bytes: answers queries, and stops if loading is cancelled.
    async fn handle_messages(&mut self, inbox: &mut Inbox, load: &mut Load, bytes: u32) -> Result<(), Cancelled> {
        load.since = load.since.saturating_add(bytes);
        if load.since < STEP {
            return Ok(());
        }
        load.since = 0;
        load.reserve.extend();
        inbox.pause().await;
        while let Some(urgent) = inbox.try_urgent() {
            match urgent {
                Urgent::Query(id, query) => self.answer(id, query).await,
                Urgent::SetCluster(id, manifests) => self.set_cluster(id, &manifests),
                Urgent::SetComparison(id, compared) => self.set_comparison(id, compared),
                Urgent::Cancel(id) => {
                    self.reply(id, Answer::Cancelled);
                    return Err(Cancelled);
                }
            }
        }
        Ok(())
    }

    /// Sends a preview if one is due.
    fn preview(&mut self, load: &mut Load) {
        if load.is_preview_due() {
            load.begun.iter().for_each(|loading| self.session.workbench.preview(loading));
            self.send_preview(load);
        }
    }

    fn send_preview(&mut self, load: &mut Load) {
        load.next_preview = load.started + (js_sys::Date::now() - load.started) * NEXT_PREVIEW;
        self.send_event(Event::Partial {
            revision: self.revision,
            overview: answers::overview(&self.session.workbench),
        });
    }
}

impl Load {
    /// Whether the page should see what was read so far: not too often, and not shortly before the end.
    fn is_preview_due(&self) -> bool {
        let now = js_sys::Date::now();
        let left =
            f64::from(self.total.saturating_sub(self.parsed)) * (now - self.started) / f64::from(self.parsed.max(1));
        now >= self.next_preview && left >= FIRST_PREVIEW
    }
}
