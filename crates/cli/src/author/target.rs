//! What is written into: a catalog, a template, or one of the catalogs for several versions of OpenShift.

use crate::output::Failure;
use crate::parallel;
use crate::paths::{file_name, raw_path};
use crate::places::{Inputs, path_below};
use crate::{folder, set};
use catalog::Package;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use views::{CatalogId, FileKey};
use vocabulary::OpenShift;
use workbench::{NewBundle, NewText};

/// A catalog that is written into.
pub(super) struct Target {
    pub(super) inputs: Inputs,
    pub(super) id: CatalogId,
    /// The path that was given.
    pub(super) root: PathBuf,
    /// The version of OpenShift that it is for, if it is one of a set.
    pub(super) openshift: Option<OpenShift>,
    /// The texts as they were read.
    pub(super) before: BTreeMap<FileKey, String>,
}

impl Target {
    /// The catalog at a path, or those of the set there.
    ///
    /// # Errors
    /// When nothing can be read there.
    pub(super) fn open(path: &Path) -> Result<Vec<Self>, Failure> {
        let files = folder::files(path)?;
        let members = set::members(&files);
        if members.len() > 1 {
            let member = |(version, files): (OpenShift, Vec<NewText>)| Self::of(path, files, Some(version));
            return Ok(members.into_iter().map(member).collect());
        }
        Ok(vec![Self::of(path, files, None)])
    }

    fn of(root: &Path, files: Vec<NewText>, openshift: Option<OpenShift>) -> Self {
        let mut inputs = Inputs::with_template_expansion();
        let id = parallel::add_catalog(&mut inputs.workbench, &file_name(root), files);
        inputs.add_root(id, root);
        let files = inputs.workbench.catalog(id).into_iter().flat_map(|catalog| &catalog.files);
        let before = files.map(|file| (file.key, file.text.clone())).collect();
        Self { inputs, id, root: root.to_path_buf(), openshift, before }
    }

    /// Lets templates find the bundle by its image.
    pub(super) fn add_bundle(&mut self, new: &NewBundle) {
        let bundle = new.bundle();
        if bundle.image.is_empty() || bundle.properties.is_empty() {
            return;
        }
        let content = Ok(bundle.document().to_json().into_bytes());
        let files = vec![NewText { path: "bundle.json".to_owned(), content }];
        parallel::add_catalog(&mut self.inputs.workbench, "new bundle", files);
    }

    /// A package of the catalog.
    pub(super) fn package(&self, name: &str) -> Option<&Package> {
        self.inputs.workbench.catalog(self.id)?.analysis.catalog.package(name)
    }

    /// The names of its packages.
    pub(super) fn packages(&self) -> impl Iterator<Item = &str> {
        let catalog = self.inputs.workbench.catalog(self.id);
        catalog.into_iter().flat_map(|catalog| &catalog.analysis.catalog.packages).map(|package| package.name.as_str())
    }

    /// The path of a file as the user can open it.
    pub(super) fn shown(&self, key: FileKey) -> String {
        let file = self.inputs.workbench.catalog(self.id).and_then(|catalog| catalog.file(key));
        file.map_or_else(String::new, |file| path_below(&self.root, &file.path))
    }

    /// What it is, for a title.
    pub(super) fn title(&self) -> String {
        let path = raw_path(&self.root);
        self.openshift.map_or_else(|| path.clone(), |version| format!("{path}, OpenShift {version}"))
    }
}
