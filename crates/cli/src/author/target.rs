//! What is written into: a catalog, a template, or one of the catalogs for several versions of OpenShift.

use crate::output::{Failure, say};
use crate::paths::{file_name, raw_path, shown_path};
use crate::places::{Inputs, path_below};
use crate::{folder, parallel, reading, set};
use source::OpenShift;
use std::path::{Path, PathBuf};
use views::{CatalogId, FileKey};
use workbench::{
    CatalogInput, Expand, NewText, PipelineTemplate, SetMember, bundles_beside, is_dockerfile, pipeline_templates,
};

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
            let target = |(template, file): (PipelineTemplate, NewText)| {
                let beside = bundles_beside(&file_name(path), &files, &file);
                let mut target = Self { template: Some(template), ..Self::of(path, vec![file], None) };
                beside.iter().for_each(|bundle| target.inputs.workbench.add_new_bundle(bundle));
                target
            };
            return Ok(templates.into_iter().map(target).collect());
        }
        let members = set::members(&files);
        if members.len() > 1 {
            let member = |member: &SetMember| Self::of_member(path, member, &members, Some(member.version));
            return Ok(members.iter().map(member).collect());
        }
        if let Some(member) = workbench::catalog_with_templates(&files, parallel::executor(parallel::size(&files))) {
            return Ok(vec![Self::of_member(path, &member, &[], None)]);
        }
        note_generated(path);
        Ok(vec![Self::of(path, files, None)])
    }

    /// A catalog, or the templates that it is made of: what is written into the catalog, the next rendering overwrites. Their
    /// images are those of the catalog and, where it lacks some, of the others.
    fn of_member(root: &Path, member: &SetMember, others: &[SetMember], openshift: Option<OpenShift>) -> Self {
        if member.templates.is_empty() {
            return Self::of(root, member.files.clone(), openshift);
        }
        let mut target = Self::of(root, member.templates.clone(), openshift);
        for of in std::iter::once(member).chain(others).filter(|of| of.has_catalog) {
            let needs_registry = target.inputs.workbench.catalog(target.id).is_some_and(CatalogInput::needs_registry);
            if needs_registry {
                parallel::add_catalog(&mut target.inputs.workbench, "images", of.files.clone());
            }
        }
        target
    }

    fn of(root: &Path, files: Vec<NewText>, openshift: Option<OpenShift>) -> Self {
        let mut inputs = Inputs::expanding(Expand::Templates);
        let id = parallel::add_catalog(&mut inputs.workbench, &file_name(root), files);
        inputs.add_root(id, root);
        Self { inputs, id, root: root.to_path_buf(), openshift, template: None }
    }

    /// Whether it is an `olm.semver` template, which computes all edges.
    pub(super) fn is_computed(&self) -> bool {
        self.inputs.workbench.catalog(self.id).is_some_and(|catalog| catalog.semver_templates().next().is_some())
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

/// So many folders above a path are looked into for a template.
const ABOVE: usize = 3;

/// Says that a catalog is probably rendered from a template above it: there is one, beside a file that makes images or
/// catalogs.
fn note_generated(path: &Path) {
    let is_recipe = |name: &str| is_dockerfile(name) || name.starts_with("Makefile") || name.ends_with(".sh");
    let is_text = |name: &str| [".yaml", ".yml", ".json"].iter().any(|ending| name.ends_with(ending));
    for folder in path.ancestors().skip(1).take(ABOVE) {
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        let Ok(entries) = std::fs::read_dir(folder) else { continue };
        let mut names: Vec<String> =
            entries.filter_map(|entry| Some(entry.ok()?.file_name().to_string_lossy().into_owned())).collect();
        names.sort();
        let is_template = |name: &&String| {
            let file = folder.join(name);
            is_text(name) && file != path && reading::file(&file).is_ok_and(workbench::is_template)
        };
        let Some(template) = names.iter().find(is_template).filter(|_| names.iter().any(|name| is_recipe(name))) else {
            continue;
        };
        let (path, template, folder) = (shown_path(path), shown_path(&folder.join(template)), shown_path(folder));
        say(&format!(
            "`{path}` is probably rendered from `{template}`, and the next rendering overwrites what is written here; name \
             `{folder}` to write into the template"
        ));
        return;
    }
}
