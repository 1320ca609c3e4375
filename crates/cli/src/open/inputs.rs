//! What `opscope open` names, as it is on the disk: read once, and again where it changes.

use crate::archived::Elsewhere;
use crate::args::RunningArguments;
use crate::folder::{self, Below};
use crate::given::{self, ManifestText};
use crate::kubectl::{self, Kubectl};
use crate::output::{Failure, say};
use crate::places::{STDIN, STDIN_FILE, file_name};
use crate::reading;
use crate::rewritten::{self, Rewritten};
use crate::scene::{self, missing};
use hyper::body::Bytes;
use session::{ManifestFacts, MustGather, NewText, Workbench, must_gather, must_gather_files};
use source::one_line;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, SystemTime};
use tokio::sync::watch::Sender;
use views::{FileState, FollowedFile, FollowedFiles, SavedFile};

/// All that is named. Nothing else is ever read for the page.
pub(crate) struct Inputs {
    named: Vec<Named>,
    /// Counts changes, from 1.
    version: u32,
    is_writable: bool,
}

struct Named {
    path: PathBuf,
    /// Where it is on the disk, without links; absent for what is not a file.
    place: Option<PathBuf>,
    name: String,
    is_baseline: bool,
    form: Form,
    /// Whether there is nothing at the path now. The files that were read before stay on the page.
    is_gone: bool,
    files: BTreeMap<Key, Known>,
}

/// How it is read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// File by file.
    Folder,
    /// As a whole: a file, an archive, a folder of images, a revision of git, an image of a registry.
    Whole,
    Manifests,
    /// As it was found on a running cluster: its objects, or a catalog.
    Found,
}

/// The name of a root on the page, and the path below it.
type Key = (String, String);
/// The bytes of a file, or why there are none.
type Content = Result<Bytes, String>;

/// The root and the path of the manifests.
pub(super) const MANIFESTS: (&str, &str) = ("cluster", "cluster.yaml");

struct Known {
    /// Absent if the file is gone.
    content: Option<Content>,
    /// Tells without reading it whether a file of a folder is still the same.
    stamp: Option<Stamp>,
    /// The version of the last change.
    version: u32,
}

#[derive(Clone, Copy, PartialEq, Eq)]
struct Stamp {
    bytes: u64,
    modified: Option<SystemTime>,
    /// When its contents or its name changed, which no program sets.
    changed: (i64, i64),
}

impl Inputs {
    /// Reads what is named.
    ///
    /// # Errors
    /// When there is nothing at a path, or it cannot be read.
    pub(crate) fn read(
        paths: &[PathBuf],
        baseline: Option<&Path>,
        cluster: Option<&Path>,
        running: &RunningArguments,
        is_writable: bool,
    ) -> Result<Self, Failure> {
        let mut inputs = Self { named: Vec::new(), version: 1, is_writable };
        for path in paths {
            inputs.add(path, false, Form::of(path)?)?;
        }
        match cluster {
            Some(path) if is_meant(path) => add_live(&mut inputs, running)?,
            Some(_) if running.is_used() => {
                let help =
                    "`--namespace`, `--context` and `--kubeconfig` are about a running cluster: write `--cluster live`";
                return Err(help.into());
            }
            cluster => cluster.into_iter().try_for_each(|path| inputs.add(path, false, Form::Manifests))?,
        }
        baseline.into_iter().try_for_each(|path| inputs.add(path, true, Form::of(path)?))?;
        Ok(inputs)
    }

    fn add(&mut self, path: &Path, is_baseline: bool, form: Form) -> Result<(), Failure> {
        let name = name_of(path);
        let is_taken = |name: &str| self.named.iter().any(|named| named.name == name);
        let numbered = (2..).map(|number| format!("{name}-{number}"));
        let name = std::iter::once(name.clone()).chain(numbered).find(|name| !is_taken(name)).unwrap_or(name);
        let place = path.canonicalize().ok();
        let files = BTreeMap::new();
        let mut named = Named { path: path.to_path_buf(), place, name, is_baseline, form, is_gone: false, files };
        named.refresh(self.version)?;
        self.named.push(named);
        Ok(())
    }

    /// Adds what was found on a running cluster, each with its files.
    fn add_found(&mut self, path: &Path, name: String, files: Vec<NewText>) {
        let found = files.into_iter().map(|file| ((name.clone(), file.path), file.content.map(Bytes::from), None));
        let files = BTreeMap::new();
        let (path, place) = (path.to_path_buf(), None);
        let (form, is_baseline, is_gone) = (Form::Found, false, false);
        let mut named = Named { path, place, name: name.clone(), is_baseline, form, is_gone, files };
        named.take(found.collect(), self.version);
        self.named.push(named);
    }

    /// Takes the objects that a running cluster has by now, and returns the new version if anything changed.
    fn renew_manifests(&mut self, text: String) -> Option<u32> {
        let version = self.version + 1;
        let named = self.named.iter_mut().find(|named| named.name == MANIFESTS.0)?;
        named.take(vec![(key(MANIFESTS), Ok(Bytes::from(text)), None)], version).then(|| {
            self.version = version;
            version
        })
    }

    /// Reads again what is named at, above or below one of these paths, and returns the new version if anything changed. What is not
    /// there any more stays as it was: editors remove a file for a moment when they save it, and scripts a folder.
    pub(crate) fn refresh(&mut self, changed: &[PathBuf]) -> Option<u32> {
        let version = self.version + 1;
        let is_at = |place: &PathBuf| changed.iter().any(|path| path.starts_with(place) || place.starts_with(path));
        let is_concerned = |named: &Named| named.place.as_ref().is_some_and(is_at);
        let mut is_any = false;
        for named in self.named.iter_mut().filter(|named| is_concerned(named)) {
            is_any |= named.follow(version);
        }
        is_any.then(|| {
            self.version = version;
            version
        })
    }

    /// What is named so far.
    pub(super) fn names(&self) -> BTreeSet<String> {
        self.named.iter().map(|named| named.name.clone()).collect()
    }

    /// Whether the page may save edits.
    pub(crate) const fn is_writable(&self) -> bool {
        self.is_writable
    }

    /// Saves edits to the files that they come from, and returns the new version. Saves none if one of them is not a file that was
    /// told, or has not the text any more that was edited.
    ///
    /// # Errors
    /// Why nothing was saved.
    pub(crate) fn save(&mut self, files: &[SavedFile]) -> Result<Option<u32>, Failure> {
        let rewritten = files.iter().map(|file| {
            let named = self.named.iter().find(|named| named.is_writable(file));
            let named =
                named.ok_or_else(|| format!("`{}` is none of the files that can be saved", one_line(&file.path)))?;
            Ok(Rewritten { root: &named.path, below: &file.path, before: Some(&file.before), after: &file.after })
        });
        rewritten::write(&rewritten.collect::<Result<Vec<_>, Failure>>()?)?;
        let places: Vec<PathBuf> = self.named.iter().filter_map(|named| named.place.clone()).collect();
        Ok(self.refresh(&places))
    }

    /// The paths on the disk whose changes are shown.
    pub(crate) fn watched(&self) -> impl Iterator<Item = &Path> {
        self.named.iter().filter_map(|named| named.place.as_deref())
    }

    /// What changed after a version, with the contents behind it; all files after version 0.
    pub(crate) fn since(&self, version: u32) -> Vec<u8> {
        let files = self.named.iter().flat_map(|named| &named.files);
        // Who has nothing need not hear of what is gone.
        let is_new = |known: &Known| known.version > version && (version > 0 || known.content.is_some());
        let (mut told, mut contents) = (Vec::new(), Vec::new());
        for ((root, path), known) in files.filter(|(_, known)| is_new(known)) {
            let state = match &known.content {
                Some(Ok(bytes)) => {
                    contents.push(bytes);
                    FileState::Read(u32::try_from(bytes.len()).unwrap_or(u32::MAX))
                }
                Some(Err(reason)) => FileState::Unread(reason.clone()),
                None => FileState::Gone,
            };
            told.push(FollowedFile { root: root.clone(), path: path.clone(), state });
        }
        let names = |is_it: fn(&Named) -> bool| -> Vec<String> {
            self.named.iter().filter(|named| is_it(named)).map(|named| named.name.clone()).collect()
        };
        let head = FollowedFiles {
            version: self.version,
            baselines: names(|named| named.is_baseline),
            manifests: vec![MANIFESTS.0.to_owned()],
            gone: names(|named| named.is_gone),
            is_writable: self.is_writable,
            files: told,
        };
        // It has only strings and numbers.
        let head = serde_json::to_vec(&head).unwrap_or_default();
        let mut body = u32::try_from(head.len()).unwrap_or_default().to_be_bytes().to_vec();
        body.reserve(head.len() + contents.iter().map(|bytes| bytes.len()).sum::<usize>());
        body.extend_from_slice(&head);
        contents.into_iter().for_each(|bytes| body.extend_from_slice(bytes));
        body
    }
}

impl Form {
    fn of(path: &Path) -> Result<Self, Failure> {
        if Elsewhere::of(path).is_some() || !path.is_dir() {
            return Ok(Self::Whole);
        }
        let names = folder::names(path)?;
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        Ok(if archive::may_hold_image(names.iter().copied()) { Self::Whole } else { Self::Folder })
    }
}

impl Named {
    /// Whether an edited file is one of these, and on the disk as it is.
    fn is_writable(&self, file: &SavedFile) -> bool {
        let known = self.files.get(&(file.root.clone(), file.path.clone()));
        let is_read = known.is_some_and(|known| matches!(known.content, Some(Ok(_))));
        is_read && self.place.is_some() && self.is_in_place() && !self.is_baseline && self.form != Form::Manifests
    }

    /// Whether its path leads to where it was named: a link that comes later is not followed, as none in a folder.
    fn is_in_place(&self) -> bool {
        self.place.as_ref().is_none_or(|place| self.path.canonicalize().is_ok_and(|now| now == *place))
    }

    /// Reads it again after a change. Returns whether anything is another than before.
    fn follow(&mut self, version: u32) -> bool {
        let is_there = self.place.as_ref().is_none_or(|place| match place.is_dir() {
            true => place.read_dir().is_ok_and(|mut entries| entries.next().is_some()),
            false => place.exists(),
        });
        let is_there = is_there && self.is_in_place();
        let was_gone = std::mem::replace(&mut self.is_gone, !is_there);
        let is_other = is_there && self.refresh(version).unwrap_or(false);
        is_other || was_gone == is_there
    }

    /// Reads it. Returns whether anything is another than before.
    fn refresh(&mut self, version: u32) -> Result<bool, Failure> {
        let found = match self.form {
            Form::Folder => self.files_of_folder()?,
            Form::Whole => self.files_of_whole()?,
            Form::Manifests => vec![(key(MANIFESTS), manifests(&self.path)?, None)],
            Form::Found => return Ok(false),
        };
        Ok(self.take(found, version))
    }

    /// Takes what it has now. Returns whether anything is another than before.
    fn take(&mut self, found: Vec<(Key, Content, Option<Stamp>)>, version: u32) -> bool {
        let mut is_any = false;
        let mut former = std::mem::take(&mut self.files);
        for (key, content, stamp) in found {
            let known = former.remove(&key).filter(|known| known.content.as_ref() == Some(&content));
            is_any |= known.is_none();
            let version = known.map_or(version, |known| known.version);
            self.files.insert(key, Known { content: Some(content), stamp, version });
        }
        for (key, known) in former {
            is_any |= known.content.is_some();
            let version = if known.content.is_some() { version } else { known.version };
            self.files.insert(key, Known { content: None, stamp: None, version });
        }
        is_any
    }

    fn files_of_whole(&self) -> Result<Vec<(Key, Content, Option<Stamp>)>, Failure> {
        let found = folder::catalogs(&self.path)?.into_iter().flat_map(|found| {
            folder::tell(&found);
            let root =
                if found.label.is_empty() { self.name.clone() } else { format!("{} {}", self.name, found.label) };
            found.files.into_iter().map(move |file| ((root.clone(), file.path), file.content.map(Bytes::from), None))
        });
        Ok(found.collect())
    }

    /// The files below the folder; reads only those that are not as they were. None is outside of the folder, whatever links it
    /// has by now.
    fn files_of_folder(&self) -> Result<Vec<(Key, Content, Option<Stamp>)>, Failure> {
        let mut found = folder::below(&self.path)?;
        let names: Vec<&str> = found.iter().map(|file| &*file.name).collect();
        // Of a must-gather only the objects of OLM: the rest has gigabytes.
        if let Some(wanted) = must_gather_files(&names) {
            let wanted: BTreeSet<usize> = wanted.into_iter().collect();
            let mut at = 0..;
            found.retain(|_| at.next().is_some_and(|at| wanted.contains(&at)));
        }
        folder::check_repeated(&self.path, &found)?;
        let found = found.into_iter().map(|Below { name, path, .. }| {
            let key = (self.name.clone(), name);
            let path = match path {
                Ok(path) => path,
                Err(reason) => return (key, Err(reason), None),
            };
            let stamp = path.metadata().ok().map(|data| Stamp::of(&data));
            let same = self.files.get(&key).filter(|known| stamp.is_some() && known.stamp == stamp);
            let read = || reading::file(&path).map(Bytes::from).map_err(|error| error.to_string());
            let content = same.and_then(|known| known.content.clone()).unwrap_or_else(read);
            (key, content, stamp)
        });
        Ok(found.collect())
    }
}

impl Stamp {
    fn of(data: &Metadata) -> Self {
        Self { bytes: data.len(), modified: data.modified().ok(), changed: reading::changed(data) }
    }
}

fn key((root, path): (&str, &str)) -> Key {
    (root.to_owned(), path.to_owned())
}

/// The manifests of a cluster, which say so if they have all objects of OLM.
fn manifests(path: &Path) -> Result<Content, Failure> {
    let ManifestText { text, is_complete, .. } = given::manifests(path)?;
    let text =
        if is_complete { MustGather { manifests: text, ..MustGather::default() }.marked_complete() } else { text };
    Ok(Ok(Bytes::from(text)))
}

/// What the page calls it: `catalog` for `a/catalog`, `catalog-origin/main` for `git:origin/main:a/catalog`.
fn name_of(path: &Path) -> String {
    if path == Path::new(STDIN) {
        return STDIN_FILE.to_owned();
    }
    if let Some(elsewhere) = Elsewhere::of(path) {
        return elsewhere.name();
    }
    // `.` and `..` have no name of their own.
    let whole = path.canonicalize();
    file_name(whole.as_deref().unwrap_or(path))
}

// `--cluster live`: the objects of the cluster that kubectl reaches, again and again, and its catalogs.

/// What stands for a running cluster in place of a file.
pub(super) const LIVE: &str = "live";
/// How long kubectl may take for one question.
const PATIENCE: Duration = Duration::from_secs(60);
/// How long the cluster is left alone between two questions.
const PAUSE: Duration = Duration::from_secs(5);

/// Whether a path means the running cluster: it is `live`, and no file has this name.
pub(super) fn is_meant(path: &Path) -> bool {
    path == Path::new(LIVE) && !path.exists()
}

/// The objects that kubectl printed, as the page takes those of a must-gather.
fn manifests_live(printed: &str, running: &RunningArguments) -> String {
    let found = must_gather([(kubectl::NAME, printed)]);
    if running.namespace.is_none() { found.marked_complete() } else { found.manifests }
}

/// Adds the objects of the cluster, and those of its catalogs that can be had and are needed.
///
/// # Errors
/// When kubectl fails, or the cluster has no OLM.
fn add_live(inputs: &mut Inputs, running: &RunningArguments) -> Result<(), Failure> {
    let kubectl = Kubectl::new(running, PATIENCE);
    let text = kubectl.manifests(running.namespace.as_deref())?;
    let mut workbench = Workbench::default();
    let is_complete = running.namespace.is_none();
    workbench.set_cluster_with(&text, ManifestFacts { is_complete, ..ManifestFacts::default() });
    let named = inputs.names();
    let missing = missing(&workbench, None).into_iter().filter(|missing| !named.contains(&missing.name));
    for found in scene::catalogs(missing.collect(), &kubectl) {
        inputs.add_found(&found.path, found.name, found.files);
    }
    let objects = NewText { path: MANIFESTS.1.to_owned(), content: Ok(manifests_live(&text, running).into_bytes()) };
    inputs.add_found(Path::new(kubectl::NAME), MANIFESTS.0.to_owned(), vec![objects]);
    Ok(())
}

/// Asks the cluster again and again in a thread of its own, and tells the new version when its objects change.
pub(super) fn follow(inputs: &Arc<Mutex<Inputs>>, running: RunningArguments, versions: Sender<u32>) {
    let inputs = Arc::clone(inputs);
    let ask = move || {
        let kubectl = Kubectl::new(&running, PATIENCE);
        loop {
            thread::sleep(PAUSE);
            // The lock is not held while kubectl works.
            match kubectl.manifests(running.namespace.as_deref()) {
                Ok(text) => {
                    if let Some(version) = super::locked(&inputs).renew_manifests(manifests_live(&text, &running)) {
                        versions.send_replace(version);
                    }
                }
                Err(failure) => say(&failure.text()),
            }
        }
    };
    if let Err(error) = thread::Builder::new().name("cluster".to_owned()).spawn(ask) {
        say(&format!("cannot watch the cluster, so its changes are not shown: {error}"));
    }
}
