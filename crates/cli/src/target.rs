//! What is written into: a catalog, a template, or one of the catalogs for several versions of OpenShift.

use crate::output::{Failure, say};
use crate::paths::{file_name, raw_path, shown_path};
use crate::places::{Inputs, path_below};
use crate::rewritten::Rewritten;
use crate::{folder, parallel, reading, set};
use source::{OpenShift, OpmVersion};
use std::path::{Path, PathBuf};
use views::{CatalogId, FileKey};
use workbench::{
    CatalogInput, NewText, PipelineTemplate, SetMember, WrittenFile, bundles_beside, is_recipe, pipeline_templates,
};

/// A catalog that is written into.
pub(crate) struct Target {
    pub(crate) inputs: Inputs,
    pub(crate) id: CatalogId,
    pub(crate) root: PathBuf,
    /// The version of OpenShift that it is for, if it is one of a set.
    pub(crate) openshift: Option<OpenShift>,
    /// The template of the community pipelines that it is: they write into it, by a `release-config.yaml`.
    pub(crate) template: Option<PipelineTemplate>,
}

impl Target {
    /// The catalog at a path, or those of the set there, or the templates of an operator of the community pipelines.
    ///
    /// # Errors
    /// When nothing can be read there.
    pub(crate) fn open(path: &Path, opm: OpmVersion) -> Result<Vec<Self>, Failure> {
        let files = folder::files(path)?;
        let templates = pipeline_templates(&files);
        if !templates.is_empty() {
            let target = |(template, file): (PipelineTemplate, NewText)| {
                let beside = bundles_beside(&file_name(path), &files, &file);
                let mut target = Self { template: Some(template), ..Self::of(path, vec![file], opm) };
                beside.iter().for_each(|bundle| target.inputs.workbench.add_new_bundle(bundle));
                target
            };
            return Ok(templates.into_iter().map(target).collect());
        }
        let sources = Source::among(path, files);
        Ok(sources.into_iter().map(|source| Self::of_source(path, source, opm)).collect())
    }

    /// The same without regard to pipelines: templates only where a catalog is rendered from them.
    ///
    /// # Errors
    /// When nothing can be read there.
    pub(crate) fn catalogs(path: &Path, opm: OpmVersion) -> Result<Vec<Self>, Failure> {
        let sources = Source::among(path, folder::files(path)?);
        let targets: Vec<Self> = sources.into_iter().map(|source| Self::of_source(path, source, opm)).collect();
        targets.iter().for_each(|target| folder::note_bundle_tree(&target.inputs.workbench, target.id, path));
        Ok(targets)
    }

    fn of_source(root: &Path, source: Source, opm: OpmVersion) -> Self {
        let mut inputs = Inputs::judged_by(opm);
        let openshift = source.openshift;
        let id = source.add_to(&mut inputs, root);
        Self { inputs, id, root: root.to_path_buf(), openshift, template: None }
    }

    fn of(root: &Path, files: Vec<NewText>, opm: OpmVersion) -> Self {
        Self::of_source(root, Source { files, images: Vec::new(), openshift: None }, opm)
    }

    /// Whether it is an `olm.semver` template, which computes all edges.
    pub(crate) fn is_computed(&self) -> bool {
        self.inputs.workbench.catalog(self.id).is_some_and(|catalog| catalog.semver_templates().next().is_some())
    }

    /// Whether it has a package.
    pub(crate) fn has_package(&self, name: &str) -> bool {
        self.inputs.workbench.has_package(self.id, name)
    }

    /// The path of a file as the user can open it.
    pub(crate) fn shown(&self, key: FileKey) -> String {
        let file = self.inputs.workbench.catalog(self.id).and_then(|catalog| catalog.file(key));
        file.map_or_else(String::new, |file| path_below(&self.root, &file.path))
    }

    /// Its files with the texts that they are to have. Those of a folder that do not change, too: another target may change them by
    /// a link.
    pub(crate) fn rewritten<'t>(&'t self, edited: Vec<&'t WrittenFile>) -> impl Iterator<Item = Rewritten<'t>> {
        let catalog = self.inputs.workbench.catalog(self.id);
        let files = catalog.into_iter().flat_map(|catalog| &catalog.files);
        files.filter_map(move |file| {
            let edited = edited.iter().find(|edited| edited.key == file.key);
            let is_linked = self.root.is_dir() && file.expanded_from.is_none() && !file.ignored;
            let before = Some(edited.map_or(&*file.text, |edited| &*edited.before));
            let text = Rewritten { root: &self.root, below: &file.path, before, after: &file.text };
            (edited.is_some() || is_linked).then_some(text)
        })
    }

    /// What it is, for a title.
    pub(crate) fn title(&self) -> String {
        let path = raw_path(&self.root);
        match (self.openshift, &self.template) {
            (Some(version), _) => format!("{path}, OpenShift {version}"),
            (None, Some(template)) => format!("{path}, {}", template.title()),
            (None, None) => path,
        }
    }
}

/// A catalog among files as it is written into.
pub(crate) struct Source {
    /// Its files or, if it is rendered from templates, these: what is written into the catalog, the next rendering overwrites.
    files: Vec<NewText>,
    /// The catalogs that may have the images of the templates, its own first.
    images: Vec<Vec<NewText>>,
    /// The version of OpenShift that it is for, if it is one of a set.
    pub(crate) openshift: Option<OpenShift>,
}

impl Source {
    /// The catalogs of the set at a path, or the only one there.
    pub(crate) fn among(path: &Path, files: Vec<NewText>) -> Vec<Self> {
        let members = set::members(&files);
        if members.len() > 1 {
            if members.iter().all(|member| member.templates.is_empty()) {
                note_generated(path);
            }
            let member = |member: &SetMember| Self::of_member(member, &members, Some(member.version));
            return members.iter().map(member).collect();
        }
        if let Some(member) = workbench::catalog_with_templates(&files, parallel::executor(parallel::size(&files))) {
            return vec![Self::of_member(&member, &[], None)];
        }
        note_generated(path);
        vec![Self { files, images: Vec::new(), openshift: None }]
    }

    fn of_member(member: &SetMember, others: &[SetMember], openshift: Option<OpenShift>) -> Self {
        if member.templates.is_empty() {
            return Self { files: member.files.clone(), images: Vec::new(), openshift };
        }
        let images = std::iter::once(member).chain(others).filter(|of| of.has_catalog).map(|of| of.files.clone());
        Self { files: member.templates.clone(), images: images.collect(), openshift }
    }

    /// Adds it, with as many of the catalogs that have images as it needs.
    pub(crate) fn add_to(self, inputs: &mut Inputs, root: &Path) -> CatalogId {
        let id = parallel::add_catalog(&mut inputs.workbench, &file_name(root), self.files);
        inputs.add_root(id, root);
        for files in self.images {
            if inputs.workbench.catalog(id).is_some_and(CatalogInput::needs_registry) {
                parallel::add_catalog(&mut inputs.workbench, "images", files);
            }
        }
        id
    }
}

/// So many folders above a path are looked into for a template.
const ABOVE: usize = 3;

/// Says that a catalog is rendered from a template above it: by a Makefile or a script that names both, or probably, where a template is
/// beside a file that makes images or catalogs.
fn note_generated(path: &Path) {
    let is_text = |name: &str| [".yaml", ".yml", ".json"].iter().any(|ending| name.ends_with(ending));
    for folder in path.ancestors().skip(1).take(ABOVE) {
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        let Ok(entries) = std::fs::read_dir(folder) else { continue };
        let mut names: Vec<String> =
            entries.filter_map(|entry| Some(entry.ok()?.file_name().to_string_lossy().into_owned())).collect();
        names.sort();
        let recipes: Vec<&String> = names.iter().filter(|name| is_recipe(name)).collect();
        let is_template = |name: &&String| {
            let file = folder.join(name);
            is_text(name) && file != path && reading::file(&file).is_ok_and(workbench::is_template)
        };
        let what = if let Some((template, recipe)) = named_template(path, folder, &recipes) {
            format!("is rendered from `{}` by `{recipe}`", shown_path(&folder.join(template)))
        } else if let Some(template) = names.iter().find(is_template).filter(|_| !recipes.is_empty()) {
            format!("is probably rendered from `{}`", shown_path(&folder.join(template)))
        } else {
            continue;
        };
        let (path, folder) = (shown_path(path), shown_path(folder));
        say(&format!(
            "`{path}` {what}, and the next rendering overwrites what is written here; name `{folder}` to write into the template"
        ));
        return;
    }
}

/// The template that one of the recipes in a folder renders a path from, with the recipe.
fn named_template(path: &Path, folder: &Path, recipes: &[&String]) -> Option<(String, String)> {
    let texts = recipes.iter().map(|name| folder::read(&folder.join(name), (*name).clone()));
    let texts: Vec<NewText> = texts.filter(workbench::renders_templates).collect();
    if texts.is_empty() {
        return None;
    }
    let below = folder::names(folder).ok()?;
    let paths: Vec<&str> = below.iter().map(|name| &**name).collect();
    let path = folder::name_below(folder, path);
    workbench::templates_rendered_into(&path, &paths, &texts.iter().collect::<Vec<_>>()).into_iter().next()
}
