//! Loads files as catalogs, a step at a time: between two steps queries are answered, and loading can be cancelled.

use crate::fetch::Fetch;
use crate::files;
use crate::inbox::{Inbox, Urgent};
use crate::memory::Reserve;
use crate::outbox::Progress;
use crate::server::Server;
use crate::store::StoredSource;
use std::borrow::Cow;
use views::{Answer, CatalogId, Event, NewFile, Opened, SetId, Stage};
use web_sys::Blob;
use workbench::{
    Loading, MustGather, NewBundle, NewText, OpenedFile, SetLoading, add_to_sets, begin_sets, has_bundle_directory,
    is_recipe, joined_manifests, must_gather, must_gather_files, no_text_reason, opened_text,
};

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
    /// Its id and CatalogSource in the store, if it comes from there.
    pub(crate) stored: Option<(CatalogId, StoredSource)>,
    /// The sets that its files made before.
    pub(crate) sets: Vec<SetId>,
    pub(crate) files: Vec<RootFile>,
    /// How many other files it has, which are not read, if it is a must-gather.
    pub(crate) others: Option<u32>,
}

/// Loading was cancelled.
pub(crate) struct Cancelled;

/// A load that is going on.
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
    /// The sets that the page sees, also those that are still read.
    sets: Vec<SetId>,
    manifests: Vec<String>,
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
    roots.into_iter().map(Root::without_logs).collect()
}

impl Root {
    /// The files of a catalog that was not loaded before.
    pub(crate) const fn of(name: String, files: Vec<RootFile>) -> Self {
        Self { name, stored: None, sets: Vec::new(), files, others: None }
    }

    /// The root; of a must-gather only the files with the state of OLM.
    pub(crate) fn without_logs(mut self) -> Self {
        let paths: Vec<&str> = self.files.iter().map(|(path, _)| path.as_str()).collect();
        let Some(wanted) = must_gather_files(&paths) else { return self };
        self.others = Some((self.files.len() - wanted.len()) as u32);
        self.files = wanted.into_iter().map(|at| self.files[at].clone()).collect();
        self
    }
}

/// Whether paths differ in what may be a version of OpenShift, so that the files may be catalogs for several of them.
pub(crate) fn names_versions<'p>(paths: impl Iterator<Item = &'p str>) -> bool {
    let mut versions = paths.flat_map(|path| {
        let after = |(at, _)| path.get(at..).filter(|rest| matches!(rest.as_bytes().get(1), Some(b'.' | b'-')));
        let version =
            |rest: &'_ str| rest[..1].to_owned() + rest[2..].split(|c: char| !c.is_ascii_digit()).next().unwrap_or("");
        path.match_indices(['4', '5']).filter_map(after).map(version).filter(|version| version.len() > 1)
    });
    versions.next().is_some_and(|first| versions.any(|other| other != first))
}

/// The contents of all roots, one after the other.
fn blobs(roots: &[Root]) -> impl Iterator<Item = &Blob> {
    roots.iter().flat_map(|root| blobs_of(&root.files))
}

/// The contents of files.
fn blobs_of(files: &[RootFile]) -> impl Iterator<Item = &Blob> {
    files.iter().filter_map(|(_, blob)| blob.as_ref().ok())
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
            manifests: Vec::new(),
            opened: Vec::new(),
            started: now,
            next_preview: now + FIRST_PREVIEW,
        };
        let outcome = self.read_roots(inbox, roots, &mut load).await;
        if outcome.is_ok() {
            load.progress.send(Stage::Judging, load.total, load.total);
            self.workbench.finish_loading(&load.begun);
            opened.append(&mut load.opened);
            opened.extend(joined_manifests(&load.manifests));
        } else {
            load.begun.iter().for_each(|loading| drop(self.workbench.remove(loading.catalog)));
            load.sets.iter().for_each(|set| self.workbench.remove_set(*set));
        }
        outcome.map(|()| load.begun.iter().map(|loading| loading.catalog).collect())
    }

    async fn read_roots(&mut self, inbox: &mut Inbox, roots: Vec<Root>, load: &mut Load) -> Result<(), Cancelled> {
        let mut fetch = Fetch::of(blobs(&roots));
        let mut position = 0;
        for Root { name, mut stored, sets, files, others } in roots {
            let (mut loading, mut texts, mut gathered) = (None, Vec::new(), Vec::new());
            let mut is_whole = true;
            let is_single = files.len() == 1 && stored.is_none();
            let may_be_set =
                stored.is_none() && others.is_none() && names_versions(files.iter().map(|(path, _)| path.as_str()));
            if may_be_set && self.read_sets(inbox, &name, &files, &sets, load).await? {
                position += blobs_of(&files).count();
                continue;
            }
            // The manifests of a bundle are not those of a cluster.
            let is_bundles = has_bundle_directory(files.iter().map(|(path, _)| path.as_str()));
            for (path, blob) in files {
                let content = match blob {
                    Ok(blob) => {
                        position += 1;
                        self.fetch(inbox, &mut fetch, (position - 1, &blob), load).await?
                    }
                    Err(reason) => Err(reason),
                };
                if others.is_some() {
                    let lossy = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
                    let text = content.map(|bytes| opened_text(&bytes).map_or_else(|| lossy(&bytes), Cow::into_owned));
                    // A document with a fault, so that the manifests show which file is missing, and why.
                    let unread = |reason| format!("[ # this file cannot be read: {reason}");
                    is_whole &= text.is_ok();
                    gathered.push((path, text.unwrap_or_else(unread)));
                    continue;
                }
                if let Ok(bytes) = &content
                    && is_single
                    && let Some(reason) = no_text_reason(bytes)
                {
                    load.opened.push(Opened::NotUnpacked { name: path, reason });
                    continue;
                }
                if is_bundles {
                    texts.push(NewText { path, content });
                    continue;
                }
                let content = match content.map(OpenedFile::of) {
                    Ok(OpenedFile::Other(found)) => {
                        load.opened.push(found);
                        continue;
                    }
                    Ok(OpenedFile::Catalog { content, manifests }) => {
                        load.manifests.extend(manifests);
                        let Some(content) = content else { continue };
                        Ok(content)
                    }
                    Err(reason) => Err(reason),
                };
                let file = path.clone();
                let text = NewText { path, content };
                // While it is parsed, the browser reads the next files.
                let loading =
                    loading.get_or_insert_with(|| self.begin(&name, stored.take(), Vec::new(), &mut load.begun));
                self.workbench.add_file(loading, text);
                self.parse(inbox, loading, load).await?;
                if is_single && let Some(reason) = self.workbench.take_back_no_catalog(loading) {
                    load.begun.pop();
                    load.opened.push(Opened::NotUnpacked { name: file, reason });
                }
            }
            if let Some(others) = others {
                let files = gathered.iter().map(|(path, text)| (path.as_str(), text.as_str()));
                let found = must_gather(files);
                let MustGather { objects, copied, .. } = found;
                load.opened.push(Opened::MustGather { name, objects, copied, others });
                let manifests = if is_whole { found.marked_complete() } else { found.manifests };
                load.manifests.extend((objects > 0).then_some(manifests));
                continue;
            }
            if is_bundles
                && stored.is_none()
                && let Some(new) = NewBundle::of(&texts)
                && let Some(view) = self.workbench.trial(self.new_bundles.len() as u32, &new)
            {
                self.new_bundles.push(new);
                load.opened.push(Opened::NewBundle(view));
                continue;
            }
            if is_bundles
                && (stored.is_none() || !sets.is_empty())
                && let Some(set) = self.workbench.add_set_of_bundles(sets.first().copied(), &name, texts.clone())
            {
                load.sets.extend(sets.is_empty().then_some(set));
                load.opened.push(Opened::Set(set));
            }
            // A root with manifests alone is not a catalog.
            if !texts.is_empty() || stored.is_some() {
                let mut loading = self.begin(&name, stored, texts, &mut load.begun);
                self.parse(inbox, &mut loading, load).await?;
            }
        }
        Ok(())
    }

    /// Reads the sets that files make. Returns whether they make any: if not, they are to be read as one catalog.
    async fn read_sets(
        &mut self,
        inbox: &mut Inbox,
        name: &str,
        files: &[RootFile],
        before: &[SetId],
        load: &mut Load,
    ) -> Result<bool, Cancelled> {
        let paths: Vec<&str> = files.iter().map(|(path, _)| path.as_str()).collect();
        let recipes: Vec<RootFile> = files.iter().filter(|(path, _)| is_recipe(path)).cloned().collect();
        let (fetched, parsed) = (load.fetched, load.parsed);
        let mut texts = Vec::new();
        let mut fetch = Fetch::of(blobs_of(&recipes));
        for (at, (path, blob)) in recipes.iter().enumerate() {
            if let Ok(blob) = blob {
                let content = self.fetch(inbox, &mut fetch, (at, blob), load).await?;
                texts.push(NewText { path: path.clone(), content });
            }
        }
        // They are counted with the other files.
        load.fetched = fetched;
        let mut loadings = begin_sets(&paths, &texts.iter().collect::<Vec<_>>());
        if loadings.is_empty() {
            return Ok(false);
        }
        // The set of each that the page sees already.
        let mut shown: Vec<Option<SetId>> = (0..loadings.len()).map(|at| before.get(at).copied()).collect();
        let mut fetch = Fetch::of(blobs_of(files));
        let mut position = 0;
        for (at, (path, blob)) in files.iter().enumerate() {
            let content = match blob {
                Ok(blob) => {
                    position += 1;
                    self.fetch(inbox, &mut fetch, (position - 1, blob), load).await?
                }
                Err(reason) => Err(reason.clone()),
            };
            add_to_sets(&mut loadings, path, content);
            // While it is parsed, the browser reads the next files.
            if load.fetched.saturating_sub(load.parsed) >= STEP || at + 1 == files.len() {
                for loading in &mut loadings {
                    while !loading.step(STEP) {
                        load.parsed = load.parsed.saturating_add(STEP).min(load.fetched);
                        load.progress.send(Stage::Reading, load.parsed, load.total);
                        self.handle_messages(inbox, load, STEP).await?;
                    }
                }
                load.parsed = load.fetched;
                load.progress.send(Stage::Reading, load.parsed, load.total);
                if load.is_preview_due() {
                    load.next_preview = js_sys::Date::now() + FIRST_PREVIEW;
                    for (loading, known) in loadings.iter_mut().zip(&mut shown) {
                        self.preview_set(name, loading, &paths[at + 1..], known, load);
                    }
                }
            }
        }
        load.progress.send(Stage::Judging, load.total, load.total);
        let mut is_any = false;
        for (loading, known) in loadings.into_iter().zip(shown) {
            if let Some(set) = self.workbench.finish_set(known, name, loading) {
                is_any = true;
                load.sets.extend(known.is_none().then_some(set));
                load.opened.push(Opened::Set(set));
            }
        }
        if !is_any {
            (load.fetched, load.parsed) = (fetched, parsed);
        }
        Ok(is_any)
    }

    /// Shows the members of a set that are complete, if that can be done.
    fn preview_set(
        &mut self,
        name: &str,
        loading: &mut SetLoading,
        coming: &[&str],
        known: &mut Option<SetId>,
        load: &mut Load,
    ) {
        if let Some(set) = self.workbench.preview_set(*known, name, loading, coming) {
            if known.replace(set).is_none() {
                load.sets.push(set);
            }
            self.send_preview(load);
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
        let mut bytes = match files::buffer(blob) {
            Ok(bytes) => bytes,
            Err(reason) => return Ok(Err(reason)),
        };
        while let Some(part) = fetch.next(position).await {
            let part = match part {
                Ok(part) => part,
                Err(reason) => return Ok(Err(reason)),
            };
            files::append(&mut bytes, &part);
            load.fetched = load.fetched.saturating_add(part.length());
            if load.parsed == 0 {
                load.progress.send(Stage::Fetching, load.fetched, load.total);
            }
            self.handle_messages(inbox, load, part.length()).await?;
        }
        Ok(Ok(bytes))
    }

    /// Begins to add a catalog with these files.
    fn begin(
        &mut self,
        name: &str,
        stored: Option<(CatalogId, StoredSource)>,
        texts: Vec<NewText>,
        begun: &mut Vec<Loading>,
    ) -> Loading {
        let loading = match stored {
            Some((id, source)) => {
                let loading = self.workbench.begin_loading_as(id, name, texts);
                self.workbench.set_metadata(id, &source.name, &source.namespace, source.priority);
                self.workbench.set_baseline(id, source.baseline);
                loading
            }
            None => self.workbench.begin_loading(name, texts),
        };
        begun.push(loading.clone());
        loading
    }

    /// Parses the files that a catalog has so far.
    async fn parse(&mut self, inbox: &mut Inbox, loading: &mut Loading, load: &mut Load) -> Result<(), Cancelled> {
        loop {
            let from = loading.done;
            let is_read = self.workbench.continue_loading(loading, STEP);
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
            load.begun.iter().for_each(|loading| self.workbench.preview(loading));
            self.send_preview(load);
        }
    }

    fn send_preview(&mut self, load: &mut Load) {
        load.next_preview = load.started + (js_sys::Date::now() - load.started) * NEXT_PREVIEW;
        self.send_event(Event::Partial { revision: self.revision, overview: self.workbench.overview() });
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
