//! The paths of the command line, and places in files as the user can open them.

use crate::archived::Elsewhere;
use crate::args::FactArguments;
use crate::given::ManifestText;
use crate::output::Failure;
use crate::served::Served;
use crate::{folder, kubectl, parallel};
use report::{Places, Spot};
use session::{EXPANDED, Expand, Loading, NewText, ReadSet, Workbench};
use source::{OpmVersion, one_line};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use views::{CatalogId, FileKey, Place};

/// Catalogs, each with the path that it was read from, and the manifests.
pub(crate) struct Inputs {
    pub(crate) workbench: Workbench,
    roots: Vec<(CatalogId, PathBuf)>,
    /// The file of the manifests, if there is one.
    pub(crate) manifests: Option<PathBuf>,
    /// The files of a must-gather that cannot be read.
    unread_manifests: Vec<String>,
}

impl Default for Inputs {
    fn default() -> Self {
        Self::expanding(Expand::Nothing)
    }
}

impl Inputs {
    /// No inputs yet. All queries of the command share one budget of the solver.
    pub(crate) fn expanding(expand: Expand) -> Self {
        let mut workbench = Workbench::expanding(expand);
        workbench.share_budget();
        Self { workbench, roots: Vec::new(), manifests: None, unread_manifests: Vec::new() }
    }

    /// No inputs yet, whose templates are expanded, and whose catalogs a release of `opm` judges.
    pub(crate) fn judged_by(opm: OpmVersion) -> Self {
        let mut inputs = Self::expanding(Expand::Templates);
        inputs.workbench.set_opm(opm);
        inputs
    }

    /// These catalogs, which a release of `opm` judges; if nobody chose one, that of their version of OpenShift.
    pub(crate) fn of(served: Served, opm: OpmVersion) -> Self {
        let mut inputs = Self::judged_by(opm.serving(served.served_on()));
        inputs.add(served);
        inputs
    }

    /// Adds catalogs. A file that cannot be read is a finding.
    pub(crate) fn add(&mut self, served: Served) {
        self.add_read(served.catalogs.into_iter().map(|named| (named.name, named.path, named.member.files)));
    }

    /// Adds catalogs that were read from these paths.
    pub(crate) fn add_read(&mut self, catalogs: impl IntoIterator<Item = (String, PathBuf, Vec<NewText>)>) {
        let mut loaded = Vec::new();
        for (name, path, files) in catalogs {
            let loading = parallel::begin_catalog(&mut self.workbench, &name, files);
            self.add_root(loading.catalog, &path);
            loaded.push(loading);
        }
        self.finish(&loaded);
    }

    /// Analyses the catalogs that were added together.
    pub(crate) fn finish(&mut self, loaded: &[Loading]) {
        self.workbench.finish_loading(loaded);
        for loading in loaded {
            let root = self.roots.iter().find(|(id, _)| *id == loading.catalog);
            root.into_iter().for_each(|(id, path)| folder::note_bundle_tree(&self.workbench, *id, path));
        }
    }

    /// Says where a catalog of the workbench was read from.
    pub(crate) fn add_root(&mut self, id: CatalogId, path: &Path) {
        self.roots.push((id, path.to_path_buf()));
    }

    pub(crate) fn set_manifests(&mut self, manifests: &ManifestText, facts: &FactArguments) {
        self.unread_manifests.clone_from(&manifests.unread);
        self.set_cluster(&manifests.text, facts, manifests.is_complete);
    }

    /// Takes the objects of a cluster. It serves its catalogs with the `opm` of its OpenShift, unless somebody chose another.
    pub(crate) fn set_cluster(&mut self, text: &str, facts: &FactArguments, is_complete: bool) {
        self.workbench.set_cluster_with(text, facts.of(is_complete));
        if let Some(version) = self.workbench.cluster_content().openshift {
            self.workbench.set_opm(self.workbench.opm().serving(Some(version)));
        }
    }

    /// The answer of a command, unless a part of its inputs was not read.
    ///
    /// # Errors
    /// When files were not read completely, although `opm` or a cluster may read them.
    pub(crate) fn answer(&self, yes: bool) -> Result<bool, Failure> {
        self.answer_of(&[], yes)
    }

    /// The same with sets that were read beside them.
    ///
    /// # Errors
    /// The same.
    pub(crate) fn answer_of(&self, sets: &[&ReadSet], yes: bool) -> Result<bool, Failure> {
        let unread: BTreeSet<String> =
            self.unread().into_iter().chain(sets.iter().flat_map(|read| read.unread())).collect();
        if unread.is_empty() {
            return Ok(yes);
        }
        Err(doubtful(&unread))
    }

    /// The paths of the files of which nothing or only a part was read.
    pub(crate) fn unread(&self) -> BTreeSet<String> {
        let catalogs = self.workbench.catalogs().iter();
        let files = catalogs.flat_map(|catalog| {
            catalog.analysis.unread().map(|found| self.file(catalog.id, &catalog.path(found.span)))
        });
        files.chain(self.unread_manifests.iter().cloned()).collect()
    }

    /// The path of a catalog's file as the user can open it.
    pub(crate) fn file(&self, catalog: CatalogId, path: &str) -> String {
        let root = self.roots.iter().find(|(id, _)| *id == catalog);
        root.map_or_else(|| path.to_owned(), |(_, root)| path_below(root, path))
    }

    /// Adds what a mirror has of the first catalog, as if it came second. Its files have the paths of those of the first.
    pub(crate) fn insert_mirrored(&mut self, mirrored: CatalogId) {
        let Some((_, path)) = self.roots.first() else { return };
        self.roots.insert(1, (mirrored, path.clone()));
    }

    /// The catalogs in the order of the command line.
    pub(crate) fn ids(&self) -> Vec<CatalogId> {
        self.roots.iter().map(|(id, _)| *id).collect()
    }

    /// Gives the last catalogs exactly the names of the command line, which are those of CatalogSources.
    ///
    /// # Errors
    /// When two have one name.
    pub(crate) fn take_names(&mut self, catalogs: &[NamedPath]) -> Result<(), Failure> {
        let first = self.roots.len().saturating_sub(catalogs.len());
        for (at, ((id, _), (name, _))) in self.roots[first..].iter().zip(catalogs).enumerate() {
            if catalogs[..at].iter().any(|(other, _)| other == name) {
                return Err(format!("two catalogs are named `{name}`; write `--catalog NAME=PATH`").into());
            }
            let Some(catalog) = self.workbench.catalog(*id) else { continue };
            let (namespace, priority) = (catalog.namespace.clone(), catalog.priority);
            self.workbench.set_metadata(*id, name, &namespace, priority);
        }
        Ok(())
    }

    /// Whether a place is in manifests without a file, so that nobody can open it: in what kubectl printed, or in those of
    /// Subscriptions that the command line names.
    fn is_without_file(&self, place: Place) -> bool {
        place.file == FileKey::MANIFESTS
            && self.manifests.as_deref().is_none_or(|path| path == Path::new(kubectl::NAME))
    }

    /// A place from its first to its last character.
    pub(crate) fn spot_of(&self, place: Place) -> Spot {
        Spot { path: self.path(place), ..self.workbench.spot_without_path(place) }
    }

    /// The path of the file that a place is in.
    pub(crate) fn path(&self, place: Place) -> String {
        match &self.manifests {
            Some(path) if place.file == FileKey::MANIFESTS => raw_path(path),
            _ => {
                let found = self.workbench.file(place.file);
                found.map_or_else(String::new, |(catalog, file)| self.file(catalog.id, &file.path))
            }
        }
    }
}

impl Places for Inputs {
    fn spot(&self, place: Place) -> Option<Spot> {
        (!self.is_without_file(place)).then(|| self.spot_of(place))
    }
}

/// The path of a catalog's file; `ARCHIVE!/PATH` for one in an archive or image.
pub(crate) fn path_below(root: &Path, path: &str) -> String {
    if let Some(elsewhere) = Elsewhere::of(root) {
        return elsewhere.shown(path);
    }
    if let Some(template) = path.strip_suffix(EXPANDED) {
        return path_below(root, template) + EXPANDED;
    }
    if root.is_dir() {
        let file = root.join(path);
        let is_there = file.symlink_metadata().is_ok();
        let shown = if is_there { raw_path(&file) } else { path_inside(&raw_path(root), path) };
        // Code review knows the files of a repository without it.
        return shown.strip_prefix("./").map_or(shown.clone(), str::to_owned);
    }
    let own = if root == Path::new(STDIN) { STDIN_FILE.to_owned() } else { file_name(root) };
    if path == own { raw_path(root) } else { path_inside(&raw_path(root), path) }
}

/// That these files were not read completely, although `opm` or a cluster may read them.
pub(crate) fn doubtful(unread: &BTreeSet<String>) -> Failure {
    format!("the answer may be wrong, because these files were not read completely: {}", some(unread)).into()
}

/// How many files that were not read are named.
const NAMED: usize = 5;

/// The first of these paths in backticks, and how many more there are.
pub(crate) fn some(paths: &BTreeSet<String>) -> String {
    views::first_and_more(paths.iter().map(|path| format!("`{path}`")), NAMED)
}

// The paths of the command line, and how they are shown.

/// A catalog of the command line: the name of a CatalogSource, and a file or folder.
pub(crate) type NamedPath = (String, PathBuf);

/// The path that stands for standard input.
pub(crate) const STDIN: &str = "-";
/// The name of standard input as a file of a catalog.
pub(crate) const STDIN_FILE: &str = "stdin";

/// What stands between the path of an archive and a path in it.
const INSIDE: &str = "!/";

/// The name of the file or folder at the end of a path.
pub(crate) fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

/// A path for a message, in one line; standard input by a name.
pub(crate) fn shown_path(path: &Path) -> String {
    one_line(&raw_path(path)).into_owned()
}

/// A path for another program, which opens it; standard input by a name.
pub(crate) fn raw_path(path: &Path) -> String {
    if path == Path::new(STDIN) { "<stdin>".to_owned() } else { path.display().to_string() }
}

pub(crate) fn path_inside(archive: &str, path: &str) -> String {
    format!("{archive}{INSIDE}{path}")
}
