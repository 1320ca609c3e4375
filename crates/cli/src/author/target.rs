//! What is written into: a catalog, a template, or one of the catalogs for several versions of OpenShift.

use crate::output::Failure;
use crate::parallel;
use crate::paths::{file_name, raw_path};
use crate::places::{Inputs, path_below};
use crate::{folder, set};
use bundle_tree::{Mapping, enabled_fbc};
use catalog::Package;
use source::{FileId, OpenShift};
use std::path::{Path, PathBuf};
use views::{CatalogId, FileKey};
use workbench::{Expand, NewBundle, NewText, SetMember};

/// A catalog that is written into.
pub(super) struct Target {
    pub(super) inputs: Inputs,
    pub(super) id: CatalogId,
    pub(super) root: PathBuf,
    /// The version of OpenShift that it is for, if it is one of a set.
    pub(super) openshift: Option<OpenShift>,
    /// The template of the community pipelines that it is: they write into it, by a `release-config.yaml`.
    pub(super) template: Option<Mapping>,
}

/// Where the pipelines keep the templates of an operator.
const TEMPLATES: &str = "catalog-templates/";

impl Target {
    /// The catalog at a path, or those of the set there, or the templates of an operator of the community pipelines.
    ///
    /// # Errors
    /// When nothing can be read there.
    pub(super) fn open(path: &Path) -> Result<Vec<Self>, Failure> {
        let files = folder::files(path)?;
        let templates = templates(&files);
        if !templates.is_empty() {
            let target = |(mapping, file): (Mapping, NewText)| Self {
                template: Some(mapping),
                ..Self::of(path, vec![file], None)
            };
            return Ok(templates.into_iter().map(target).collect());
        }
        let members = set::members(&files);
        if members.len() > 1 {
            let member = |member: SetMember| Self::of(path, member.files, Some(member.version));
            return Ok(members.into_iter().map(member).collect());
        }
        Ok(vec![Self::of(path, files, None)])
    }

    fn of(root: &Path, files: Vec<NewText>, openshift: Option<OpenShift>) -> Self {
        let mut inputs = Inputs::expanding(Expand::Templates);
        let id = parallel::add_catalog(&mut inputs.workbench, &file_name(root), files);
        inputs.add_root(id, root);
        Self { inputs, id, root: root.to_path_buf(), openshift, template: None }
    }

    /// Lets templates find the bundle by its image.
    pub(super) fn add_bundle(&mut self, new: &NewBundle) {
        let bundle = new.bundle();
        if bundle.image.is_empty() || bundle.properties.is_empty() {
            return;
        }
        let Ok(text) = bundle.document().to_yaml() else { return };
        let files = vec![NewText { path: "bundle.yaml".to_owned(), content: Ok(text.into_bytes()) }];
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
        match (self.openshift, &self.template) {
            (Some(version), _) => format!("{path}, OpenShift {version}"),
            (None, Some(template)) => {
                let catalogs: Vec<&str> = template.catalogs.iter().map(|name| &*name.value).collect();
                format!("{path}, {} for {}", template.template, catalogs.join(", "))
            }
            (None, None) => path,
        }
    }
}

/// The templates that the `ci.yaml` among the files of an operator names, with their files.
fn templates(files: &[NewText]) -> Vec<(Mapping, NewText)> {
    let Some(Ok(content)) = files.iter().find(|file| file.path == "ci.yaml").map(|file| &file.content) else {
        return Vec::new();
    };
    let fbc::Decoded { text, fault } = fbc::decode_bytes(FileId(0), content.clone());
    let ci = bundle::File { id: FileId(0), path: "ci.yaml", text: &text, fault: fault.as_ref() };
    let with_file = |mapping: Mapping| {
        let path = format!("{TEMPLATES}{}", mapping.template);
        let file = files.iter().find(|file| file.path == path)?;
        Some((mapping, NewText { path, content: file.content.clone() }))
    };
    enabled_fbc(&ci).into_iter().flat_map(|fbc| fbc.mappings).filter_map(with_file).collect()
}
