//! Places in files as the user can open them.

use crate::Failure;
use crate::archived::path_inside;
use crate::folder::{self, STDIN, STDIN_FILE};
use crate::git::Revision;
use crate::kubectl;
use std::path::{Path, PathBuf};
use views::{CatalogId, FileKey, Place};
use workbench::Workbench;

/// A catalog of the command line: the name of a CatalogSource, and a file or folder.
pub(crate) type NamedPath = (String, PathBuf);

/// Catalogs, each with the path that it was read from, and the manifests.
#[derive(Default)]
pub(crate) struct Inputs {
    pub(crate) workbench: Workbench,
    roots: Vec<(CatalogId, PathBuf)>,
    /// The file of the manifests, if there is one.
    pub(crate) manifests: Option<PathBuf>,
}

impl Inputs {
    /// Reads the catalogs.
    ///
    /// # Errors
    /// When one cannot be read.
    pub(crate) fn open(catalogs: &[NamedPath]) -> Result<Self, Failure> {
        let mut inputs = Self { workbench: Workbench::with_bundle_trees(), ..Self::default() };
        for (name, path) in catalogs {
            let id = folder::open(&mut inputs.workbench, name, path)?;
            inputs.roots.push((id, path.clone()));
        }
        Ok(inputs)
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

    /// Gives the catalogs exactly the names of the command line, which are those of CatalogSources.
    pub(crate) fn take_names(&mut self, catalogs: &[NamedPath]) {
        for ((id, _), (name, _)) in self.roots.iter().zip(catalogs) {
            let Some(catalog) = self.workbench.catalog(*id) else { continue };
            let (namespace, priority) = (catalog.namespace.clone(), catalog.priority);
            self.workbench.set_metadata(*id, name, &namespace, priority);
        }
    }

    /// Whether a place is in what kubectl printed, so that nobody can open it.
    pub(crate) fn is_of_live_cluster(&self, place: Place) -> bool {
        place.file == FileKey::MANIFESTS && self.manifests.as_deref() == Some(Path::new(kubectl::NAME))
    }

    /// A place as `path:line`.
    pub(crate) fn shown(&self, place: Place) -> String {
        format!("{}:{}", self.path(place), place.line)
    }

    /// The path of the file that a place is in.
    pub(crate) fn path(&self, place: Place) -> String {
        match &self.manifests {
            Some(path) if place.file == FileKey::MANIFESTS => shown_path(path),
            _ => self.workbench.file(place.file).map_or_else(String::new, |(catalog, file)| {
                let root = self.roots.iter().find(|(id, _)| *id == catalog.id);
                root.map_or_else(|| file.path.clone(), |(_, root)| path_below(root, &file.path))
            }),
        }
    }
}

/// The path of a catalog's file; `ARCHIVE!/PATH` for one in an archive or image.
pub(crate) fn path_below(root: &Path, path: &str) -> String {
    if let Some(revision) = Revision::of(root) {
        return revision.shown(path);
    }
    if root.is_dir() {
        let file = root.join(path);
        let is_there = file.symlink_metadata().is_ok();
        return if is_there { file.display().to_string() } else { path_inside(&shown_path(root), path) };
    }
    let own = if root == Path::new(STDIN) { STDIN_FILE.to_owned() } else { folder::file_name(root) };
    if path == own { shown_path(root) } else { path_inside(&shown_path(root), path) }
}

/// A path; standard input by a name.
pub(crate) fn shown_path(path: &Path) -> String {
    if path == Path::new(STDIN) { "<stdin>".to_owned() } else { path.display().to_string() }
}
