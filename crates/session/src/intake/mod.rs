//! What the user gave: the one place that decides what files are.
//!
//! An [`Intake`] knows the paths of files, says which of them it needs next, takes their contents, and tells what they are. It
//! reads nothing itself, so that the page, the command and the tests only fetch.

mod content;

use crate::file::{NewText, is_ignore_file};
use crate::share::open_session_file;
use crate::text_file::decode_text;
use bundle_tree::{bundle_folders, inside};
use catalog::IndexIgnore;
use cluster::{MustGather, must_gather, must_gather_files};
use compare::Settings;
use fbc::raw::RawDoc;
use openshift::sets::{Alone, Candidate, CatalogSet, Loading, Paths, Recognised, is_dockerfile, recognise, version_in};
use source::{Executor, FileId, OpenShift, OpmVersion};
use std::collections::BTreeSet;
use template::kind_of;
use views::ListView;

pub use content::{Content, SplitText, Unread, has_schema, opened_text, split};

/// The settings of a repository, which may name the templates of catalogs.
const SETTINGS: &str = ".opscope.yaml";

/// What the folder of an operator has, in the repositories of the community pipelines.
const OPERATOR: &str = "ci.yaml";

/// What files are given as. What an argument says is not guessed again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Purpose {
    /// Anything: somebody dropped or opened them.
    #[default]
    Any,
    /// A catalog: `opm` reads every file of its folder.
    Catalog,
    /// The manifests of a cluster.
    Manifests,
}

/// What was given.
pub enum Given {
    /// Catalogs that Dockerfiles, paths or the user tell apart: of several versions of OpenShift, or one that is a part of the files.
    Catalogs(Catalogs),
    /// One catalog: all files as `opm` reads them. They may also be templates, or bundle directories of which a catalog is made.
    Catalog { openshift: Option<OpenShift>, files: Vec<NewText> },
    /// One bundle directory, which is no catalog yet.
    Bundle(Vec<NewText>),
    /// Objects of a cluster, or what it says of them.
    Manifests(String),
    /// A must-gather, with its files that cannot be read and the number of its other files.
    MustGather { found: MustGather, unread: Vec<Unread>, others: u32 },
    /// An ImageSetConfiguration of oc-mirror.
    ImageSet(String),
    /// PackageManifests.
    PackageManifests(ListView),
    /// A session, compressed.
    Session(Vec<u8>),
    /// Nothing of these.
    Nothing { path: String, reason: String },
}

/// Files that are being taken in.
pub struct Intake {
    name: String,
    paths: Vec<String>,
    purpose: Purpose,
    /// Paths for which the user states a version of OpenShift.
    stated: Vec<(String, OpenShift)>,
    opm: OpmVersion,
    /// How many files there are that are not among the paths.
    besides: u32,
    stage: Stage,
    /// The files that say what others are: Dockerfiles, settings and `.gitignore`.
    recipes: Vec<(String, String)>,
    left_out: LeftOut,
    /// Whether a catalog may be among other files, which `opm` is not meant to read.
    is_repository: bool,
    catalogs: Vec<(Loading, Kind)>,
    files: Vec<NewText>,
    /// Whether files of the only catalog were returned to be loaded.
    is_loaded: bool,
    given: Vec<Given>,
    reasons: Vec<String>,
}

/// What was given, all of it.
pub struct TakenIn {
    pub given: Vec<Given>,
    /// Why templates and bundle directories make no catalogs for several versions, each as a line.
    pub reasons: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    Begun,
    Recipes,
    Catalogs,
    MustGather {
        others: u32,
    },
    /// All that is not left out.
    Files {
        has_bundles: bool,
    },
    Ended,
}

/// What a candidate for catalogs is.
#[derive(Clone, Copy)]
enum Kind {
    Set,
    /// A catalog by itself, and its version if anything tells it.
    Alone(Option<OpenShift>),
}

impl Intake {
    /// Of files with these paths below something with this name; a single file may have the name as its path.
    #[must_use]
    pub fn of(name: &str, paths: Vec<String>, purpose: Purpose) -> Self {
        Self {
            name: name.to_owned(),
            left_out: LeftOut::of(paths.iter().map(String::as_str), &[]),
            paths,
            purpose,
            stated: Vec::new(),
            opm: OpmVersion::NEWEST,
            besides: 0,
            stage: Stage::Begun,
            recipes: Vec::new(),
            is_repository: false,
            catalogs: Vec::new(),
            files: Vec::new(),
            is_loaded: false,
            given: Vec::new(),
            reasons: Vec::new(),
        }
    }

    /// The same with catalogs judged by this release of `opm`.
    #[must_use]
    pub fn judged_by(self, opm: OpmVersion) -> Self {
        Self { opm, ..self }
    }

    /// The same with versions of OpenShift that the user states for folders and files.
    #[must_use]
    pub fn stating(self, stated: Vec<(String, OpenShift)>) -> Self {
        Self { stated, ..self }
    }

    /// The same with this number of other files, which are not read: of a must-gather they are counted.
    #[must_use]
    pub fn besides(self, besides: u32) -> Self {
        Self { besides, ..self }
    }

    /// What files are that `fetch` reads, some at a time; it is told whether they are asked for the last time.
    pub fn all(
        mut self,
        executor: Executor,
        mut fetch: impl FnMut(&[usize], bool) -> Vec<Result<Vec<u8>, String>>,
    ) -> TakenIn {
        while let Some(wanted) = self.wanted(executor) {
            let is_last = matches!(self.stage, Stage::MustGather { .. } | Stage::Files { .. });
            let contents = fetch(&wanted, is_last);
            wanted.into_iter().zip(contents).for_each(|(at, content)| self.give(at, content));
            self.catalogs.iter_mut().for_each(|(loading, _)| loading.read(executor));
        }
        self.finish()
    }

    /// The files to give next, by their indexes, in the order in which they are best given; `None` if nothing is needed any
    /// more. A file may be needed again, if it turned out not to be what its path says.
    pub fn wanted(&mut self, executor: Executor) -> Option<Vec<usize>> {
        if self.stage == Stage::Begun {
            let paths: Vec<&str> = self.paths.iter().map(String::as_str).collect();
            if let Some(wanted) = must_gather_files(&paths) {
                self.stage = Stage::MustGather { others: self.besides + (paths.len() - wanted.len()) as u32 };
                return Some(wanted);
            }
            self.stage = Stage::Recipes;
            let is_recipe = |path: &str| is_dockerfile(path) || path == SETTINGS || self.left_out.is_list(path);
            let wanted = self.indexes(|path| paths.len() > 1 && is_recipe(path));
            if !wanted.is_empty() {
                return Some(wanted);
            }
        }
        if self.stage == Stage::Recipes {
            let lists: Vec<(&str, &str)> = self.recipes.iter().map(|(path, text)| (&**path, &**text)).collect();
            self.left_out = LeftOut::of(self.paths.iter().map(String::as_str), &lists);
            self.catalogs = self.candidates();
            self.stage = Stage::Catalogs;
            let wanted = self.indexes(|path| self.catalogs.iter().any(|(loading, _)| loading.wants(path)));
            if !wanted.is_empty() {
                return Some(wanted);
            }
        }
        if self.stage == Stage::Catalogs {
            let (found, reasons) = finish(std::mem::take(&mut self.catalogs), executor);
            self.given.extend(found.into_iter().map(Given::Catalogs));
            self.reasons = reasons;
            if !self.given.is_empty() {
                self.stage = Stage::Ended;
                return None;
            }
            let has_bundles = !bundle_folders(self.paths.iter().map(String::as_str)).is_empty();
            self.stage = Stage::Files { has_bundles };
            return Some(self.indexes(|_| true)).filter(|wanted| !wanted.is_empty());
        }
        None
    }

    /// The indexes of files that are not left out.
    fn indexes(&self, is_wanted: impl Fn(&str) -> bool) -> Vec<usize> {
        let is_wanted = |at: &usize| !self.left_out.has(&self.paths[*at]) && is_wanted(&self.paths[*at]);
        (0..self.paths.len()).filter(is_wanted).collect()
    }

    /// What may be catalogs that paths and Dockerfiles tell apart.
    fn candidates(&mut self) -> Vec<(Loading, Kind)> {
        // The folder of an operator of the community pipelines has bundle directories and templates, and no catalogs.
        if self.paths.iter().any(|path| path == OPERATOR) {
            return Vec::new();
        }
        let bundles = bundle_folders(self.paths.iter().map(String::as_str));
        let is_outside = |path: &&str| inside(&bundles, path).is_none() && !self.left_out.has(path);
        let dockerfiles = self.recipes.iter().filter(|(path, _)| is_dockerfile(path));
        let settings = self.recipes.iter().find(|(path, _)| path == SETTINGS);
        let settings = settings.and_then(|(_, text)| Settings::parse(text).ok()).unwrap_or_default();
        let paths = Paths {
            all: self.paths.iter().map(String::as_str).filter(is_outside).collect(),
            dockerfiles: dockerfiles.map(|(path, text)| (&**path, &**text)).collect(),
            rendered: settings.rendered,
            stated: self.stated.iter().map(|(path, version)| (&**path, *version)).collect(),
        };
        let Recognised { sets, alone, serves_all } = recognise(&paths);
        self.is_repository = !serves_all && self.paths.iter().any(|path| is_of_repository(path));
        let is_only = alone.len() == 1 && sets.is_empty();
        let sets = sets.into_iter().map(|candidate| (candidate, Kind::Set));
        let alone = alone.into_iter().map(|one| {
            let named = version_in(&self.name).filter(|_| is_only);
            (one.candidate(&paths), Kind::Alone(one.version.or(named)))
        });
        sets.chain(alone).map(|(candidate, kind)| (Loading::new(candidate).judged_by(self.opm), kind)).collect()
    }

    /// Takes the content of a file that was wanted: its bytes, or why they cannot be read.
    pub fn give(&mut self, at: usize, content: Result<Vec<u8>, String>) {
        let file = self.give_or_load(at, content);
        self.files.extend(file);
    }

    /// The same. A file of the only catalog is returned, so that it can be loaded while others are fetched.
    pub fn give_or_load(&mut self, at: usize, content: Result<Vec<u8>, String>) -> Option<NewText> {
        let path = self.paths[at].clone();
        match self.stage {
            // Of a repository it is not known whether it has only one before all files are there.
            Stage::Files { has_bundles: false } if self.is_repository => {
                let file = self.content(path, content);
                self.files.extend(file);
            }
            Stage::Files { has_bundles: false } => {
                let file = self.content(path, content);
                self.is_loaded |= file.is_some();
                return file;
            }
            Stage::Files { has_bundles: true } | Stage::MustGather { .. } => self.files.push(NewText { path, content }),
            Stage::Catalogs => {
                openshift::sets::add_file(self.catalogs.iter_mut().map(|(loading, _)| loading), &path, content);
            }
            Stage::Recipes => {
                self.recipes.push((path, String::from_utf8_lossy(&content.unwrap_or_default()).into_owned()));
            }
            Stage::Begun | Stage::Ended => {}
        }
        None
    }

    /// What a file is that is not known by its path.
    fn content(&mut self, path: String, content: Result<Vec<u8>, String>) -> Option<NewText> {
        let is_single = self.paths.len() == 1;
        if self.is_repository && !is_single && content.as_ref().is_ok_and(|bytes| !is_catalog_file(&path, bytes)) {
            return None;
        }
        // `opm` reads every file of a folder as a part of the catalog.
        if self.purpose != Purpose::Any && !is_single {
            return Some(NewText { path, content });
        }
        let bytes = match content {
            Ok(bytes) => bytes,
            Err(reason) if self.purpose == Purpose::Manifests => {
                self.given.push(Given::Nothing { path, reason });
                return None;
            }
            Err(reason) => return Some(NewText { path, content: Err(reason) }),
        };
        if is_single && let Some(compressed) = open_session_file(&bytes).and_then(Result::ok) {
            self.given.push(Given::Session(compressed.to_vec()));
            return None;
        }
        if self.purpose == Purpose::Manifests
            && let Err(reason) = decode_text(bytes.clone())
        {
            self.given.push(Given::Nothing { path, reason });
            return None;
        }
        if self.purpose == Purpose::Any
            && is_single
            && let Some(reason) = fbc::no_text_reason(&bytes)
        {
            self.given.push(Given::Nothing { path, reason });
            return None;
        }
        let Content { catalog, other } = Content::of(bytes, self.purpose);
        self.given.extend(other);
        catalog.map(|bytes| NewText { path, content: Ok(bytes) })
    }

    /// Parses some of the files of catalogs that were given, about this number of bytes. Returns whether all is parsed.
    pub fn step(&mut self, bytes: u32) -> bool {
        self.catalogs.iter_mut().all(|(loading, _)| loading.step(bytes))
    }

    /// The catalogs for several versions that are read, to show those that are complete.
    pub fn sets(&mut self) -> impl Iterator<Item = &mut Loading> {
        self.catalogs.iter_mut().filter(|(_, kind)| matches!(kind, Kind::Set)).map(|(loading, _)| loading)
    }

    /// What was given.
    #[must_use]
    pub fn finish(mut self) -> TakenIn {
        let files = std::mem::take(&mut self.files);
        match self.stage {
            Stage::MustGather { others } => self.given.push(gathered(files, others)),
            Stage::Files { has_bundles: true } if is_one_bundle(&files) => self.given.push(Given::Bundle(files)),
            Stage::Files { .. } if files.is_empty() && self.is_repository && !self.is_loaded => {
                self.given.push(Given::Nothing { path: self.name, reason: NO_CATALOG.to_owned() });
            }
            Stage::Files { .. } if !files.is_empty() || self.given.is_empty() && !self.is_loaded => {
                // A Dockerfile that told what is copied would have been followed: this one takes it from a build argument.
                let is_chosen = self.is_repository && self.recipes.iter().any(|(path, _)| is_dockerfile(path));
                let alternatives = if is_chosen { alternatives(&files, self.opm) } else { Vec::new() };
                if !alternatives.is_empty() {
                    self.given.extend(alternatives.into_iter().map(Given::Catalogs));
                    return TakenIn { given: self.given, reasons: self.reasons };
                }
                self.given.push(Given::Catalog { openshift: version_in(&self.name), files });
            }
            _ => {}
        }
        TakenIn { given: self.given, reasons: self.reasons }
    }
}

/// Names that differ in a version of OpenShift alone: their pattern, and their indexes.
#[must_use]
pub fn named_for_versions(names: &[&str]) -> Vec<(String, Vec<usize>)> {
    let group = |candidate: openshift::sets::Candidate| {
        let is_member = |at: &usize| candidate.places.iter().any(|place| *place.path == *names[*at]);
        let members = (0..names.len()).filter(is_member).collect();
        (candidate.pattern.into_string(), members)
    };
    recognise(&Paths::new(names.to_vec(), Vec::new())).sets.into_iter().map(group).collect()
}

/// Why a repository is no catalog.
const NO_CATALOG: &str = "none of its YAML and JSON files is a catalog; if a script makes the catalog, run it first";

/// Whether a path is one that only repositories have: of a build, or of the checks of a pull request.
fn is_of_repository(path: &str) -> bool {
    is_dockerfile(path) || path == "Makefile" || [".git/", ".github/", ".tekton/"].iter().any(|at| path.starts_with(at))
}

/// Whether a file of a repository is one of a catalog, or says what is none: its name and its text say so.
fn is_catalog_file(path: &str, bytes: &[u8]) -> bool {
    let has_extension = [".yaml", ".yml", ".json"].iter().any(|extension| path.ends_with(extension));
    let Some(text) = opened_text(bytes).filter(|_| has_extension) else { return is_ignore_file(path) };
    let is_of_olm = |rest: &str| {
        let value = rest.trim_start_matches([' ', ':', '"', '\'']);
        value.starts_with("olm.") || value.starts_with("io.openshift.")
    };
    if text.trim_start().starts_with(['{', '[']) {
        return text.match_indices("\"schema\"").any(|(at, key)| is_of_olm(&text[at + key.len()..]));
    }
    text.lines().any(|line| {
        let field = line.trim_start_matches(['"', '\'']).split_at_checked("schema".len());
        field.is_some_and(|(field, rest)| field.eq_ignore_ascii_case("schema") && is_of_olm(rest))
    })
}

/// The files of a repository of which each is a catalog, and one is chosen when an image is built: some declare the same package, which
/// is an error in one catalog. Each with its catalog.
fn alternatives(files: &[NewText], opm: OpmVersion) -> Vec<Catalogs> {
    let (mut catalogs, mut declared) = (Vec::new(), Vec::new());
    for file in files {
        let text = file.content.as_ref().ok().and_then(|bytes| opened_text(bytes)).unwrap_or_default();
        let parse = fbc::parse(FileId(0), &text);
        if is_ignore_file(&file.path) || kind_of(&parse).is_some() {
            continue;
        }
        let names = parse.docs.into_iter().filter_map(|doc| match doc.raw {
            RawDoc::Package(package) => package.name,
            _ => None,
        });
        let before = declared.len();
        declared.extend(names.map(|name| name.value));
        // A file without a package is a part of a catalog.
        if declared.len() == before {
            return Vec::new();
        }
        catalogs.push(file);
    }
    let different: BTreeSet<&str> = declared.iter().map(|name| &**name).collect();
    if different.len() == declared.len() {
        return Vec::new();
    }
    let paths = Paths::new(catalogs.iter().map(|file| &*file.path).collect(), Vec::new());
    let of_file = |file: &NewText| {
        let path: Box<str> = file.path.as_str().into();
        let alone = Alone { path: path.clone(), version: None, served: vec![path] };
        let mut loading = Loading::new(alone.candidate(&paths)).judged_by(opm);
        loading.add_file(&file.path, file.content.clone());
        loading.read(Executor::default());
        Some(Catalogs { set: loading.finish_whole(Executor::default())?, is_set: false, openshift: None })
    };
    catalogs.into_iter().filter_map(of_file).collect()
}

/// Whether files are one bundle directory, and not the folder of an operator or a catalog.
fn is_one_bundle(files: &[NewText]) -> bool {
    let folders = bundle_folders(files.iter().map(|file| &*file.path));
    let is_beside = |file: &&NewText| inside(&folders, &file.path).is_none();
    let of_catalog = |file: &NewText| {
        let has = |words: &[u8]| file.content.as_ref().is_ok_and(|bytes| memchr::memmem::find(bytes, words).is_some());
        file.path.rsplit('/').next() == Some("ci.yaml") || has(b"schema") && has(b"olm.")
    };
    folders.len() == 1 && !files.iter().filter(is_beside).any(of_catalog)
}

/// The objects in the files of a must-gather.
fn gathered(files: Vec<NewText>, others: u32) -> Given {
    let mut unread = Vec::new();
    let text = |NewText { path, content }: NewText| match content.and_then(content::manifest_text) {
        Ok(text) => Some((path, text)),
        Err(reason) => {
            unread.push(Unread { path, reason });
            None
        }
    };
    let texts: Vec<(String, String)> = files.into_iter().filter_map(text).collect();
    let found = must_gather(texts.iter().map(|(path, text)| (&**path, &**text)));
    Given::MustGather { found, unread, others }
}

// Files that are never read: those of git itself, and in a repository those that its `.gitignore` files name.

/// The folder of git, or in a worktree its file.
const GIT: &str = ".git";
/// What a file is named that lists what git leaves out.
const LIST: &str = ".gitignore";

/// Which files are left out.
#[derive(Clone, Debug, Default)]
pub struct LeftOut {
    is_repository: bool,
    ignored: IndexIgnore,
}

impl LeftOut {
    /// For a folder with these paths; `lists` are paths and texts of `.gitignore` files, which count in a repository.
    #[must_use]
    pub fn of<'p>(mut paths: impl Iterator<Item = &'p str>, lists: &[(&str, &str)]) -> Self {
        let is_repository = paths.any(|path| path.split('/').next() == Some(GIT));
        Self::of_repository(is_repository, lists)
    }

    /// The same of a folder that is a repository, or none.
    #[must_use]
    pub fn of_repository(is_repository: bool, lists: &[(&str, &str)]) -> Self {
        let lists = lists.iter().filter(|(path, _)| is_repository && is_list(path));
        Self { is_repository, ignored: IndexIgnore::new(lists.copied()) }
    }

    /// Whether a file is left out.
    #[must_use]
    pub fn has(&self, path: &str) -> bool {
        path.split('/').any(|part| part == GIT) || self.is_repository && self.ignored.ignores(path)
    }

    /// Whether a file says what is left out.
    #[must_use]
    pub fn is_list(&self, path: &str) -> bool {
        self.is_repository && is_list(path)
    }
}

fn is_list(path: &str) -> bool {
    path.rsplit('/').next() == Some(LIST)
}

// Catalogs that paths, Dockerfiles or the user tell apart, and the files of each.

/// Catalogs for several versions of OpenShift, or one that is a part of the files.
pub struct Catalogs {
    pub set: CatalogSet,
    /// Whether they are for several versions.
    pub is_set: bool,
    /// The version of the only one, if anything tells it.
    pub openshift: Option<OpenShift>,
}

/// One of several catalogs among files, or the only one.
#[derive(Clone)]
pub struct Member {
    /// The version of OpenShift that it is for, if anything tells it.
    pub openshift: Option<OpenShift>,
    /// Whether it is one of a set.
    pub is_of_set: bool,
    /// What tells it from other catalogs of the same files: its folder or file; empty for all of the files.
    pub folder: String,
    /// The folder of that with the Dockerfile and the templates around it.
    pub home: String,
    /// Its files; its templates if it has no others.
    pub files: Vec<NewText>,
    /// Whether it has others.
    pub has_catalog: bool,
    /// The templates that it is made of.
    pub templates: Vec<NewText>,
}

impl Catalogs {
    /// Each of the catalogs with its files, whose contents `fetch` has.
    #[must_use]
    pub fn members(&self, mut fetch: impl FnMut(&str) -> Result<Vec<u8>, String>) -> Vec<Member> {
        let mut of = |paths: &BTreeSet<&str>| {
            paths.iter().map(|path| NewText { path: (*path).to_owned(), content: fetch(path) }).collect()
        };
        let member = |member: &openshift::sets::Member| {
            let (served, templates) = self.set.paths_of(member);
            let mut roots = member.places.iter().flat_map(|place| place.roots());
            let first = roots.next().unwrap_or_default();
            let is_only = roots.next().is_none();
            let place = member.places.first().map_or("", |place| &place.path);
            Member {
                openshift: if self.is_set { Some(member.version) } else { self.openshift },
                is_of_set: self.is_set,
                folder: if is_only { first } else { place }.to_owned(),
                home: place.to_owned(),
                files: of(&served),
                has_catalog: served != templates,
                templates: of(&templates),
            }
        };
        self.set.members.iter().map(member).collect()
    }
}

impl Member {
    /// The only catalog of these files.
    #[must_use]
    pub const fn only(openshift: Option<OpenShift>, files: Vec<NewText>) -> Self {
        Self {
            openshift,
            is_of_set: false,
            folder: String::new(),
            home: String::new(),
            files,
            has_catalog: true,
            templates: Vec::new(),
        }
    }

    /// The same with the templates that the catalog is made of, if there are some beside it.
    #[must_use]
    pub fn with_templates(self, executor: Executor) -> Self {
        let set = every_version(&[OpenShift { major: 4, minor: 0 }], &self.files, OpmVersion::NEWEST, executor);
        let found = Catalogs { set, is_set: false, openshift: self.openshift }.members(|path| {
            let same = self.files.iter().find(|file| file.path == path);
            same.map_or_else(|| Err(String::new()), |file| file.content.clone())
        });
        let is_rendered = |member: &Self| member.has_catalog && !member.templates.is_empty();
        found.into_iter().find(is_rendered).unwrap_or(self)
    }
}

/// A catalog that is the same for all of these versions.
#[must_use]
pub fn every_version(versions: &[OpenShift], files: &[NewText], opm: OpmVersion, executor: Executor) -> CatalogSet {
    let paths = Paths::new(files.iter().map(|file| &*file.path).collect(), Vec::new());
    let mut loading = Loading::new(Candidate::of_all(versions, &paths)).judged_by(opm);
    for file in files {
        loading.add_file(&file.path, file.content.clone());
    }
    loading.read(executor);
    loading.preview(&[])
}

/// The catalogs of candidates that were read, and why templates make none. Templates count only where there are no catalogs:
/// elsewhere they make these.
fn finish(candidates: Vec<(Loading, Kind)>, executor: Executor) -> (Vec<Catalogs>, Vec<String>) {
    let (mut found, mut reasons) = (Vec::new(), Vec::new());
    for (loading, kind) in candidates {
        let (set, openshift) = match kind {
            Kind::Alone(version) => (loading.finish_whole(executor), version),
            Kind::Set => match loading.finish(executor) {
                Ok(set) => (Some(set), None),
                Err(holes) => {
                    reasons.extend(holes.iter().map(ToString::to_string));
                    (None, None)
                }
            },
        };
        let is_set = matches!(kind, Kind::Set);
        found.extend(set.map(|set| Catalogs { set, is_set, openshift }));
    }
    if !found.iter().all(|catalogs| catalogs.set.is_of_templates()) {
        found.retain(|catalogs| !catalogs.set.is_of_templates());
    }
    (found, reasons)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_git_leaves_out_is_left_out_of_a_repository() {
        let lists = [(".gitignore", "/bin\n*.log\n"), ("a/.gitignore", "!keep.log\nout/\n")];
        let of = |paths: [&str; 2]| LeftOut::of(paths.into_iter(), &lists);
        let repository = of([".git/HEAD", "a/c.yaml"]);
        for (path, is_out) in [
            (".git/HEAD", true),
            ("a/.git", true),
            ("bin/x", true),
            ("a/bin", false),
            ("a/b/x.log", true),
            ("a/keep.log", false),
            ("a/out/x", true),
            ("out/x", false),
            ("a/c.yaml", false),
        ] {
            assert_eq!(repository.has(path), is_out, "{path}");
        }
        assert!(!of(["c.yaml", "x.log"]).has("x.log"), "for opm it is a file of the catalog");
    }
}
