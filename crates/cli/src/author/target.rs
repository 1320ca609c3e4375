//! What is written into: a catalog, a template, or one of the catalogs for several versions of OpenShift.

use crate::output::Failure;
use crate::parallel;
use crate::paths::{file_name, raw_path};
use crate::places::{Inputs, path_below};
use crate::{folder, set};
use source::OpenShift;
use std::path::{Path, PathBuf};
use views::{CatalogId, FileKey};
use workbench::{Expand, NewText, PipelineTemplate, SetMember, pipeline_templates};

/// A catalog that is written into.
pub(super) struct Target {
    pub(super) inputs: Inputs,
    pub(super) id: CatalogId,
    pub(super) root: PathBuf,
    /// The version of OpenShift that it is for, if it is one of a set.
    pub(super) openshift: Option<OpenShift>,
    /// The template of the community pipelines that it is: they write into it, by a `release-config.yaml`.
    pub(super) template: Option<PipelineTemplate>,
}

impl Target {
    /// The catalog at a path, or those of the set there, or the templates of an operator of the community pipelines.
    ///
    /// # Errors
    /// When nothing can be read there.
    pub(super) fn open(path: &Path) -> Result<Vec<Self>, Failure> {
        let files = folder::files(path)?;
        let templates = pipeline_templates(&files);
        if !templates.is_empty() {
            let target = |(template, file): (PipelineTemplate, NewText)| Self {
                template: Some(template),
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

    /// Whether it has a package.
    pub(super) fn has_package(&self, name: &str) -> bool {
        self.inputs.workbench.has_package(self.id, name)
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
            (None, Some(template)) => format!("{path}, {}", template.title()),
            (None, None) => path,
        }
    }
}
