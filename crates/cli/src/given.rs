//! What is at a path: its files are read here, and `session::Intake` says what they are.

use crate::archived::{self, ArchivedFiles};
use crate::folder::{self, Below};
use crate::output::{Failure, say, say_once};
use crate::parallel;
use crate::places::{file_name, path_inside, raw_path, shown_path};
use flate2::read::DeflateDecoder;
use session::{
    Given, Intake, Member, NewText, Purpose, ReadSet, SavedSession, TakenIn, Unread, decode_text, every_version,
    of_bundles,
};
use source::{Executor, OpenShift, OpmVersion, shell_word};
use std::collections::BTreeMap;
use std::io::Read as _;
use std::path::{Path, PathBuf};

/// The most bytes that a session may decompress to.
const SESSION: u64 = 128 << 20;

/// Which command says what the release of a bundle does.
const OF_RELEASE: &str = "`opscope review operators/NAME --before git:origin/main:operators/NAME` says what its release does to installed versions";

/// What is at a path.
pub(crate) struct Read {
    pub(crate) path: PathBuf,
    /// What tells it from other images in the same archive; empty if there are none.
    pub(crate) label: String,
    /// What was used of an archive; empty if there is nothing to say.
    line: String,
    files: Vec<NewText>,
    /// The files of a folder.
    below: Vec<Below>,
    taken: TakenIn,
    /// The release of `opm` that judges sets.
    opm: OpmVersion,
    /// How work on it is done.
    pub(crate) executor: Executor,
}

pub(crate) struct ManifestText {
    pub(crate) text: String,
    /// The files of a must-gather that cannot be read.
    pub(crate) unread: Vec<String>,
    /// Whether they have all objects of OLM that the cluster has, as those of a must-gather.
    pub(crate) is_complete: bool,
}

/// The version of OpenShift that the user states before a path, `4.18=PATH`, and the path.
pub(crate) fn stated(path: &Path) -> (Option<OpenShift>, &Path) {
    let split = path.to_str().filter(|_| !path.exists()).and_then(|text| text.split_once('='));
    match split.and_then(|(version, path)| Some((version.parse().ok()?, path))) {
        Some((version, path)) => (Some(version), Path::new(path)),
        None => (None, path),
    }
}

/// What is at a path: several for an archive with several images, and for the working directory of oc-mirror; else one.
///
/// # Errors
/// When there is nothing at the path, or it cannot be read.
pub(crate) fn all(path: &Path, purpose: Purpose, opm: OpmVersion) -> Result<Vec<Read>, Failure> {
    let (_, path) = stated(path);
    let name = file_name(&path.canonicalize().unwrap_or_else(|_| path.to_path_buf()));
    if path.is_dir() {
        let found = folder::below(path)?;
        let names: Vec<String> = found.iter().map(|file| file.name.clone()).collect();
        let read: Vec<String> = found.iter().filter(|file| file.path.is_ok()).map(|file| file.name.clone()).collect();
        if let Some(images) = archived::found_in_folder(path, &read)? {
            return Ok(images.into_iter().map(|found| Read::of(path, &name, found, purpose, opm)).collect());
        }
        return Ok(vec![Read::of_folder(path, found, Intake::of(&name, names, purpose), opm)?]);
    }
    Ok(folder::catalogs(path)?.into_iter().map(|found| Read::of(path, &name, found, purpose, opm)).collect())
}

/// The only thing at a path.
///
/// # Errors
/// When it cannot be read, or there are several.
pub(crate) fn only(path: &Path, purpose: Purpose, opm: OpmVersion) -> Result<Read, Failure> {
    let mut found = all(path, purpose, opm)?;
    match found.pop() {
        Some(only) if found.is_empty() => {
            only.tell();
            Ok(only)
        }
        last => {
            let help = "save the one that you mean alone, with `skopeo copy`";
            let first = format!("`{}` has several catalogs; {help}:", shown_path(path));
            let others = found.into_iter().chain(last).map(|found| format!("  {}", found.line));
            Err(Failure::of_lines(std::iter::once(first).chain(others)))
        }
    }
}

/// The sets that several paths make together, `4.18=PATH` or with versions in their names.
pub(crate) fn together(paths: &[PathBuf], opm: OpmVersion) -> Result<Read, Failure> {
    if let [path] = paths
        && stated(path).0.is_none()
    {
        return only(path, Purpose::Catalog, opm);
    }
    let (mut files, mut versions) = (Vec::new(), Vec::new());
    for path in paths {
        let (version, path) = stated(path);
        let found = folder::files(path)?;
        let (shown, is_single) = (raw_path(path), found.len() == 1 && found[0].path == file_name(path));
        versions.extend(version.map(|version| (shown.clone(), version)));
        let name = |file: &NewText| if is_single { shown.clone() } else { format!("{shown}/{}", file.path) };
        files.extend(found.into_iter().map(|file| NewText { path: name(&file), content: file.content }));
    }
    let names = files.iter().map(|file| file.path.clone()).collect();
    let intake = Intake::of("", names, Purpose::Catalog).stating(versions);
    Ok(Read::of_files(Path::new(""), ArchivedFiles::only(files), intake, opm))
}

/// The cluster manifests in a file or on standard input; of a folder or an archive those of its must-gather, and a line that
/// says what was left out goes to standard error.
///
/// # Errors
/// When a file of manifests cannot be read, or a folder or an archive is no must-gather or one without objects of OLM.
pub(crate) fn manifests(path: &Path) -> Result<ManifestText, Failure> {
    let read = only(path, Purpose::Manifests, OpmVersion::NEWEST)?;
    let shown =
        |name: &str| if path.is_dir() { raw_path(&path.join(name)) } else { path_inside(&raw_path(path), name) };
    let mut texts = Vec::new();
    for given in read.taken.given {
        match given {
            Given::Manifests(text) => texts.push(text),
            Given::MustGather { found, unread, .. } => {
                let unread = unread.into_iter().map(|Unread { path, reason }| {
                    say(&format!("cannot read `{}`: {reason}", shown(&path)));
                    shown(&path)
                });
                let unread: Vec<String> = unread.collect();
                let path = shown_path(path);
                if found.objects == 0 {
                    let help = "`oc adm inspect -A olm` collects them";
                    return Err(format!("the must-gather `{path}` has no objects of OLM; {help}").into());
                }
                let read = format!("read {} objects of OLM from `{path}`", found.objects);
                say(&format!("{read}; left out: copied CSVs ({}), and other files", found.copied));
                let is_complete = unread.is_empty();
                return Ok(ManifestText { text: found.manifests, unread, is_complete });
            }
            Given::Nothing { reason, .. } => return Err(format!("cannot read `{}`: {reason}", shown_path(path)).into()),
            other => return Err(refused(&other, path, "a cluster is a file of manifests, or a must-gather")),
        }
    }
    Ok(ManifestText { text: texts.join("---\n"), unread: Vec::new(), is_complete: false })
}

/// The text of the only file at a path, if it is what a command takes, or nothing that another one takes: then the command
/// says what is wrong in it.
///
/// # Errors
/// When it cannot be read, or is something else.
pub(crate) fn text(path: &Path, expected: &str, is_it: impl Fn(&str) -> bool) -> Result<String, Failure> {
    let read = only(path, Purpose::Any, OpmVersion::NEWEST)?;
    let found = match read.given() {
        [Given::Catalog { files, .. }] if files.len() == 1 => {
            let text = files[0].content.clone().and_then(decode_text);
            Some(text.map_err(|reason| format!("cannot read `{}`: {reason}", shown_path(path)))?)
        }
        [Given::Manifests(text)] => Some(text.clone()),
        _ => None,
    };
    let other = || read.given().first().map(|other| refused(other, path, expected));
    let is_unknown = |text: &str| matches!(read.given(), [Given::Catalog { .. }]) && !text.contains("schema");
    found.filter(|text| is_it(text) || is_unknown(text)).ok_or_else(|| other().unwrap_or_else(|| expected.into()))
}

impl Read {
    fn of(path: &Path, name: &str, found: ArchivedFiles, purpose: Purpose, opm: OpmVersion) -> Self {
        let paths = found.files.iter().map(|file| file.path.clone()).collect();
        let intake = Intake::of(if found.label.is_empty() { name } else { &found.label }, paths, purpose);
        Self::of_files(path, found, intake, opm)
    }

    fn of_files(path: &Path, found: ArchivedFiles, intake: Intake, opm: OpmVersion) -> Self {
        let ArchivedFiles { label, line, mut files } = found;
        let executor = parallel::executor(parallel::size(&files));
        let taken = intake.judged_by(opm).all(executor, |wanted, is_last| {
            let content = |at: &usize| match &mut files[*at].content {
                content if is_last => std::mem::replace(content, Ok(Vec::new())),
                content => content.clone(),
            };
            wanted.iter().map(content).collect()
        });
        Self { path: path.to_path_buf(), label, line, files, below: Vec::new(), taken, opm, executor }
    }

    /// Reads only the files of a folder that are needed: a must-gather has gigabytes of others.
    fn of_folder(path: &Path, found: Vec<Below>, intake: Intake, opm: OpmVersion) -> Result<Self, Failure> {
        let size = |at: &usize| found[*at].bytes as usize;
        let executor = parallel::executor((0..found.len()).map(|at| size(&at)).sum());
        let mut is_repeated = Ok(());
        let taken = intake.judged_by(opm).all(executor, |wanted, _| {
            is_repeated = folder::check_repeated(path, wanted.iter().map(|at| &found[*at]));
            if is_repeated.is_err() {
                return vec![Err(String::new()); wanted.len()];
            }
            parallel::map(wanted.iter().map(size).sum(), wanted.to_vec(), |at| found[at].read())
        });
        is_repeated?;
        let (path, label, line) = (path.to_path_buf(), String::new(), String::new());
        Ok(Self { path, label, line, files: Vec::new(), below: found, taken, opm, executor })
    }

    /// Says on standard error what was used.
    pub(crate) fn tell(&self) {
        if !self.line.is_empty() {
            say_once(&self.line);
        }
    }

    pub(crate) fn given(&self) -> &[Given] {
        &self.taken.given
    }

    /// The catalogs, of which each has a version of OpenShift or a folder if there are several; the folder of bundle directories,
    /// too.
    ///
    /// # Errors
    /// When it is something else.
    pub(crate) fn members(self) -> Result<Vec<Member>, Failure> {
        let mut members = Vec::new();
        let mut others = Vec::new();
        let unpacked = self.files.iter().map(|file| (&*file.path, Ok(&file.content)));
        let contents: BTreeMap<&str, Result<_, &Below>> =
            unpacked.chain(self.below.iter().map(|below| (&*below.name, Err(below)))).collect();
        for given in self.taken.given {
            match given {
                // What is read of a folder to tell catalogs apart is not kept: most commands do not need it.
                Given::Catalogs(catalogs) => members.extend(catalogs.members(|path| match contents.get(path) {
                    Some(Ok(content)) => (*content).clone(),
                    Some(Err(below)) => below.read(),
                    None => Err("it is not there".to_owned()),
                })),
                Given::Catalog { openshift, files } => members.push(Member::only(openshift, files)),
                Given::Session(bytes) => members.extend(session(&self.path, &bytes)?),
                Given::Bundle(files) if is_of_operator(&files) => members.push(Member::only(None, files)),
                other => others.push(other),
            }
        }
        match others.first() {
            Some(other) if members.is_empty() => Err(refused(other, &self.path, "the command takes a catalog")),
            _ => Ok(members),
        }
    }

    /// Says so if it is one bundle directory.
    pub(crate) fn tell_bundle(&self) {
        if let [Given::Bundle(files)] = self.given()
            && !is_of_operator(files)
        {
            say_once(&format!("`{}` is one bundle directory, not a catalog; {OF_RELEASE}", shown_path(&self.path)));
        }
    }

    /// The catalogs, or the files of one bundle directory as they are.
    ///
    /// # Errors
    /// When it is something else.
    pub(crate) fn members_or_bundle(mut self) -> Result<Vec<Member>, Failure> {
        if let [Given::Bundle(files)] = &mut self.taken.given[..] {
            return Ok(vec![Member::only(None, std::mem::take(files))]);
        }
        self.members()
    }

    /// The catalogs for several versions of OpenShift, and why there are no others. Bundle directories make some by their annotations.
    pub(crate) fn sets(self) -> (Vec<ReadSet>, Vec<String>) {
        let root = (!self.path.as_os_str().is_empty()).then(|| raw_path(&self.path));
        let (mut sets, mut reasons) = (Vec::new(), self.taken.reasons);
        for given in self.taken.given {
            match given {
                Given::Catalogs(catalogs) if catalogs.is_set => {
                    sets.push(ReadSet { set: catalogs.set, root: root.clone() });
                }
                Given::Catalogs(catalogs) => {
                    let version =
                        catalogs.openshift.map_or_else(String::new, |version| format!(", for OpenShift {version}"));
                    reasons.push(format!("`{}` is one catalog{version}", catalogs.set.pattern));
                }
                Given::Catalog { files, .. } => match of_bundles(files, self.opm, self.executor) {
                    Ok(set) => sets.push(ReadSet { set, root: root.clone() }),
                    Err(reason) => reasons.extend(reason),
                },
                other => reasons.push(refused(&other, &self.path, "expected catalogs").text()),
            }
        }
        (sets, reasons)
    }

    /// The only set, or the only catalog for each of these versions.
    ///
    /// # Errors
    /// When there is none, or several sets.
    pub(crate) fn set_or_catalog(self, versions: &[OpenShift], opm: OpmVersion) -> Result<ReadSet, Failure> {
        let path = shown_path(&self.path);
        let root = Some(raw_path(&self.path));
        if !self.taken.given.iter().any(|given| matches!(given, Given::Catalogs(found) if found.is_set)) {
            let executor = self.executor;
            let bundles = match &self.taken.given[..] {
                [Given::Catalog { files, .. }] => of_bundles(files.clone(), opm, executor),
                _ => Err(None),
            };
            let reason = match bundles {
                Ok(set) => return Ok(ReadSet { set, root }),
                Err(reason) => reason,
            };
            if let Some(reason) = reason {
                return Err(format!("`{path}`: {reason}").into());
            }
            let members = self.members()?;
            let set = members.first().map(|member| every_version(versions, &member.files, opm, executor));
            let folders = members.iter().map(|member| format!("  {}", member.folder));
            return match set {
                _ if members.len() > 1 => {
                    let first = format!("no answer: `{path}` has several catalogs; name one of:");
                    Err(Failure::of_lines(std::iter::once(first).chain(folders)))
                }
                Some(set) if !set.packages().is_empty() => Ok(ReadSet { set, root }),
                _ => Err(format!("`{path}` holds no catalog").into()),
            };
        }
        match <[ReadSet; 1]>::try_from(self.sets().0) {
            Ok([set]) => Ok(set),
            Err(sets) => {
                let first = format!("`{path}` holds the catalogs of several publishers; name one of:");
                let patterns = sets.iter().map(|read| format!("  {}", read.set.pattern));
                Err(Failure::of_lines(std::iter::once(first).chain(patterns)))
            }
        }
    }
}

/// The catalogs of a session, each below a folder with its name if there are several.
fn session(path: &Path, compressed: &[u8]) -> Result<Vec<Member>, Failure> {
    let failed = |reason: &str| Failure::from(format!("cannot read the session `{}`: {reason}", shown_path(path)));
    let mut bytes = Vec::new();
    let mut source = DeflateDecoder::new(compressed).take(SESSION + 1);
    source.read_to_end(&mut bytes).map_err(|error| failed(&error.to_string()))?;
    if bytes.len() as u64 > SESSION {
        return Err(failed(&format!("it has more than {} MiB", SESSION >> 20)));
    }
    let session = SavedSession::decode(&bytes).map_err(|_| failed("it is damaged"))?;
    let is_baseline = |at: usize| session.compared.get(at).is_some_and(|compared| compared.is_baseline);
    let catalogs: Vec<_> = session.catalogs.iter().enumerate().filter(|(at, _)| !is_baseline(*at)).collect();
    let member = |(_, catalog): &(usize, &session::SessionCatalog<'_>)| {
        let folder = if catalogs.len() > 1 { catalog.name.to_string() } else { String::new() };
        let below = |path: &str| if folder.is_empty() { path.to_owned() } else { format!("{folder}/{path}") };
        let text = |(path, text): &(_, std::borrow::Cow<'_, str>)| NewText {
            path: below(path as &std::borrow::Cow<'_, str>),
            content: Ok(text.as_bytes().to_vec()),
        };
        let files = catalog.files.iter().map(text).collect();
        Member { home: folder.clone(), folder: folder.clone(), ..Member::only(None, files) }
    };
    Ok(catalogs.iter().map(member).collect())
}

/// Whether the files of one bundle are those of an operator's folder, which has a folder for each version: a catalog of one bundle.
fn is_of_operator(files: &[NewText]) -> bool {
    files.iter().all(|file| !file.path.starts_with("manifests/") && !file.path.starts_with("metadata/"))
}

/// That a command has no answer about what was given, and which one has.
pub(crate) fn refused(given: &Given, path: &Path, expected: &str) -> Failure {
    let word = shell_word(&raw_path(path));
    let (what, instead) = match given {
        Given::Catalogs(found) if found.is_set => ("catalogs for several versions of OpenShift", format!("set {word}")),
        Given::Catalogs(_) | Given::Catalog { .. } => ("a catalog", format!("validate {word}")),
        Given::Bundle(_) => ("a bundle directory", format!("validate {word}")),
        Given::Manifests(_) => ("manifests of a cluster", format!("cluster --cluster {word}")),
        Given::MustGather { .. } => ("a must-gather", format!("cluster --cluster {word}")),
        Given::ImageSet(_) => ("an ImageSetConfiguration", format!("compare CATALOG --image-set {word}")),
        Given::PackageManifests(_) => ("the PackageManifests of a cluster", format!("list {word}")),
        Given::Session(_) => ("a session of the page", format!("open {word}")),
        Given::Nothing { reason, .. } => {
            return format!("no answer: cannot read `{}`: {reason}", shown_path(path)).into();
        }
    };
    let more = if matches!(given, Given::Bundle(_)) { format!("; {OF_RELEASE}") } else { String::new() };
    format!("no answer: `{}` is {what}, and {expected}; use `opscope {instead}`{more}", shown_path(path)).into()
}
