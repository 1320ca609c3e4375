//! What is written into: a catalog, a template, or one of the catalogs for several versions of OpenShift.

use crate::args::OpenShiftRanges;
use crate::given::{self, Read};
use crate::output::{Failure, say};
use crate::places::{Inputs, file_name, path_below, raw_path, shown_path};
use crate::rewritten::Rewritten;
use crate::served::{self, Folders, Which, title};
use crate::{folder, parallel, reading};
use session::{
    CatalogInput, Given, Member, NewText, PipelineTemplate, Purpose, WrittenFile, bundles_beside, pipeline_templates,
};
use source::{OpenShift, OpmVersion};
use std::path::{Path, PathBuf};
use views::{CatalogId, FileKey};

/// A catalog that is written into.
pub(crate) struct Target {
    pub(crate) inputs: Inputs,
    pub(crate) id: CatalogId,
    pub(crate) root: PathBuf,
    /// What tells it from the other catalogs there, if there are any.
    pub(crate) which: Option<Which>,
    /// The version of OpenShift that it is for, if anything tells it.
    pub(crate) served_on: Option<OpenShift>,
    pub(crate) folders: Folders,
    /// The template of the community pipelines that it is: they write into it, by a `release-config.yaml`.
    pub(crate) template: Option<PipelineTemplate>,
}

impl Target {
    /// The catalog at a path, or those for several versions of OpenShift there, or the templates of an operator of the community
    /// pipelines.
    ///
    /// # Errors
    /// When nothing can be read there, or it is no catalog.
    pub(crate) fn open(
        path: &Path,
        opm: OpmVersion,
        openshift: Option<&OpenShiftRanges>,
    ) -> Result<Vec<Self>, Failure> {
        let (_, path) = given::stated(path);
        let read = given::only(path, Purpose::Catalog, opm)?;
        if let [Given::Catalog { files, .. } | Given::Bundle(files)] = read.given() {
            let templates = pipeline_templates(files);
            let target = |(template, file): (PipelineTemplate, NewText)| {
                let beside = bundles_beside(&file_name(path), files, &file);
                let mut target = Self::of(path, Source::of(Member::only(None, vec![file]), &[]), opm);
                target.template = Some(template);
                beside.iter().for_each(|bundle| target.inputs.workbench.add_new_bundle(bundle));
                target
            };
            if !templates.is_empty() {
                return Ok(templates.into_iter().map(target).collect());
            }
        }
        let sources = Source::among(path, read, openshift)?;
        Ok(sources.into_iter().map(|source| Self::of(path, source, opm)).collect())
    }

    /// The same without regard to pipelines: templates only where a catalog is rendered from them.
    ///
    /// # Errors
    /// When nothing can be read there, or it is no catalog.
    pub(crate) fn catalogs(
        path: &Path,
        opm: OpmVersion,
        openshift: Option<&OpenShiftRanges>,
    ) -> Result<Vec<Self>, Failure> {
        let (_, path) = given::stated(path);
        let sources = Source::among(path, given::only(path, Purpose::Catalog, opm)?, openshift)?;
        let targets: Vec<Self> = sources.into_iter().map(|source| Self::of(path, source, opm)).collect();
        targets.iter().for_each(|target| folder::note_bundle_tree(&target.inputs.workbench, target.id, path));
        Ok(targets)
    }

    fn of(root: &Path, source: Source, opm: OpmVersion) -> Self {
        let mut inputs = Inputs::judged_by(opm.serving(source.openshift));
        let (which, served_on, folders) = (source.which.clone(), source.openshift, source.folders.clone());
        let id = source.add_to(&mut inputs, root);
        Self { inputs, id, root: root.to_path_buf(), which, served_on, folders, template: None }
    }

    /// Whether it is an `olm.semver` template, which computes all edges.
    pub(crate) fn is_computed(&self) -> bool {
        self.inputs.workbench.catalog(self.id).is_some_and(|catalog| catalog.semver_templates().next().is_some())
    }

    /// The version of OpenShift that tells it from the other catalogs there.
    pub(crate) fn openshift(&self) -> Option<OpenShift> {
        self.which.as_ref().and_then(Which::openshift)
    }

    pub(crate) fn has_package(&self, name: &str) -> bool {
        answers::has_package(&self.inputs.workbench, self.id, name)
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
        match (&self.which, &self.template) {
            (Some(which), _) => format!("{path}, {}", title(std::slice::from_ref(which))),
            (None, Some(template)) => format!("{path}, {}", template.title()),
            (None, None) => path,
        }
    }
}

/// A catalog as it is written into.
pub(crate) struct Source {
    /// Its files or, if it is rendered from templates, these: what is written into the catalog, the next rendering overwrites.
    files: Vec<NewText>,
    /// The catalog that is served, if these are its templates.
    served: Option<Vec<NewText>>,
    /// The other catalogs that may have the images of the templates.
    images: Vec<Vec<NewText>>,
    pub(crate) which: Option<Which>,
    /// The version of OpenShift that it is for, if anything tells it.
    openshift: Option<OpenShift>,
    folders: Folders,
}

impl Source {
    /// The catalogs at a path, or those for versions of OpenShift.
    ///
    /// # Errors
    /// When it is something else, or has no catalog for the versions.
    pub(crate) fn among(path: &Path, read: Read, openshift: Option<&OpenShiftRanges>) -> Result<Vec<Self>, Failure> {
        let members = with_templates(read)?;
        if members.iter().all(|member| member.templates.is_empty()) {
            note_generated(path, &members);
        }
        let all = members.clone();
        let mut sources: Vec<Self> =
            served::each(members).map(|(which, member)| Self { which, ..Self::of(member, &all) }).collect();
        if let Some(versions) = openshift.filter(|_| sources.len() > 1) {
            let version = |source: &Source| source.which.as_ref().and_then(Which::openshift);
            sources.retain(|source| version(source).is_some_and(|version| versions.has(version)));
        }
        let only = openshift.and_then(OpenShiftRanges::only);
        sources.iter_mut().for_each(|source| source.openshift = source.openshift.or(only));
        match openshift.filter(|_| sources.is_empty()) {
            Some(version) => Err(format!("`{}` has no catalog for OpenShift {version}", shown_path(path)).into()),
            None => Ok(sources),
        }
    }

    fn of(member: Member, others: &[Member]) -> Self {
        let (folders, openshift) = (Folders::of(std::iter::once(&member)), member.openshift);
        if member.templates.is_empty() {
            return Self { files: member.files, served: None, images: Vec::new(), which: None, openshift, folders };
        }
        let others = others.iter().filter(|of| of.has_catalog && of.folder != member.folder).map(|of| of.files.clone());
        let images = others.collect();
        let served = member.has_catalog.then_some(member.files);
        Self { files: member.templates, served, images, which: None, openshift, folders }
    }

    /// Adds it, with as many of the catalogs that have images as it needs.
    pub(crate) fn add_to(self, inputs: &mut Inputs, root: &Path) -> CatalogId {
        let id = parallel::add_catalog(&mut inputs.workbench, &file_name(root), self.files);
        inputs.add_root(id, root);
        if let Some(files) = self.served {
            let served = parallel::add_catalog(&mut inputs.workbench, "served", files);
            inputs.workbench.set_served(id, served);
        }
        for files in self.images {
            if inputs.workbench.catalog(id).is_some_and(CatalogInput::needs_registry) {
                parallel::add_catalog(&mut inputs.workbench, "images", files);
            }
        }
        id
    }
}

/// The catalogs that were read, each with the templates that it is made of.
fn with_templates(read: Read) -> Result<Vec<Member>, Failure> {
    let executor = read.executor;
    let mut members = read.members()?;
    if let [only] = &mut members[..]
        && only.folder.is_empty()
    {
        let whole = std::mem::replace(only, Member::only(None, Vec::new()));
        *only = whole.with_templates(executor);
    }
    Ok(members)
}

/// So many folders above a path are looked into for a template.
const ABOVE: usize = 3;

/// Files that make images or catalogs, by a part of their names.
const RECIPES: [&str; 5] = ["Dockerfile", "Containerfile", "Makefile", ".mk", ".sh"];

/// Says that a catalog is probably rendered from a template in its folder or above it, where one is beside a file that makes images or
/// catalogs, and what to name instead: the folder if its catalog is known to be made of the template, else the template.
fn note_generated(path: &Path, members: &[Member]) {
    if reading::file(path).is_ok_and(session::is_template) {
        return;
    }
    let is_text = |name: &str| [".yaml", ".yml", ".json"].iter().any(|ending| name.ends_with(ending));
    let is_read = |name: &str| members.iter().flat_map(|member| &member.files).any(|file| file.path == name);
    for (above, folder) in path.ancestors().take(1 + ABOVE).enumerate() {
        let folder = if folder == Path::new(".") { Path::new("") } else { folder };
        let opened = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        let Ok(entries) = std::fs::read_dir(opened) else { continue };
        let mut names: Vec<String> =
            entries.filter_map(|entry| Some(entry.ok()?.file_name().to_string_lossy().into_owned())).collect();
        names.sort();
        let has_recipe = names.iter().any(|name| RECIPES.iter().any(|part| name.contains(part)));
        let is_template = |name: &&String| {
            let file = folder.join(name);
            is_text(name) && reading::file(&file).is_ok_and(session::is_template)
        };
        let Some(template) = names.iter().find(is_template).filter(|_| has_recipe) else { continue };
        if above == 0 && is_read(template) {
            return;
        }
        let template = folder.join(template);
        let found = || with_templates(given::only(opened, Purpose::Catalog, OpmVersion::NEWEST).ok()?).ok();
        let is_known = above > 0 && found().iter().flatten().any(|member| !member.templates.is_empty());
        let instead = shown_path(if is_known { opened } else { &template });
        let (path, template) = (shown_path(path), shown_path(&template));
        say(&format!(
            "`{path}` is probably rendered from `{template}`, and the next rendering overwrites what is written here; name `{instead}` to write into the template"
        ));
        return;
    }
}
