//! What is written into templates: images in the lists of an `olm.semver` template, which computes all edges, new builds in an
//! `olm.template.substitutes`, and which image stands for a bundle.

use crate::authoring::{Author, ReleaseRequest, image, not_editable};
use crate::{AuthoredCatalog, CatalogInput, FileInput, NewBundle, NewText};
use bundle::File;
use bundle_tree::{Mapping, MappingKind, bundles_of_template, enabled_fbc};
use catalog::{Bundle, BundleName, Package, image_identity};
use fbc::{Decoded, decode_bytes};
use go_semver::blang::Version;
use release::{Advice, Authored, Form, ListItem, Policy, Reason, Refusal, SEMVER_LISTS, tag_version};
use source::{FileId, Rule, name_list};
use std::collections::BTreeSet;
use template::TemplateKind;
use update_graph::version_in;
use views::FileEdit;

impl CatalogInput {
    /// The `olm.semver` templates in it, which compute all edges of their bundles.
    pub fn semver_templates(&self) -> impl Iterator<Item = &FileInput> {
        self.files.iter().filter(|file| ::template::kind_of(file.parse()) == Some(TemplateKind::Semver))
    }

    /// That channels are made without the bundles of some images, for each `olm.semver` template that names such images, and of
    /// which bundles only the image is known.
    pub(crate) fn unknown_versions(&self) -> Vec<String> {
        let findings = self.semver_templates().flat_map(FileInput::diagnostics);
        let unknown = findings.filter(|finding| finding.rule == Rule::NeedsRegistry);
        let unknown = unknown.map(|finding| format!("not all versions are known here: {}", finding.message));
        let bundles = self.analysis.catalog.packages.iter().flat_map(|package| &package.bundles);
        let bundles = bundles.filter(|bundle| bundle.has_unknown_contents);
        unknown
            .chain(bundles.map(|bundle| format!("what `{}` provides and requires is not known here", bundle.name)))
            .collect()
    }
}

/// Adds the image to the lists of an `olm.semver` template, which computes the edges.
pub(crate) fn released(
    (file, text): (&FileInput, &Authored<'_>),
    request: &ReleaseRequest<'_>,
    version: &Version,
    items: &mut Vec<ListItem>,
) -> Result<Vec<FileEdit>, Refusal> {
    let has_own_edges = [Policy::DirectJumps, Policy::WithdrawHead, Policy::SkippedHotfix, Policy::Rebuild];
    if let Some(policy) = request.policy.filter(|policy| has_own_edges.contains(policy)) {
        let sentence = format!("an `olm.semver` template computes all edges, so `{}` cannot be written", policy.id());
        let instead = "render the template and keep the catalog instead";
        return Err(Refusal::new(Reason::NotExpressible, sentence, instead).advising(None, [Advice::NoPolicy]));
    }
    // The only list is the one.
    let listed = text.semver_images();
    let only: BTreeSet<&str> = listed.iter().map(|(list, _)| *list).collect();
    let only: Vec<String> = only.into_iter().map(str::to_owned).collect();
    let channels = if request.channels.is_empty() && only.len() == 1 { &only } else { request.channels };
    if channels.is_empty() {
        let sentence = "the template does not say which of its lists the bundle is for";
        return Err(Refusal::new(Reason::Missing, sentence, "name `candidate`, `fast` or `stable` with `--channel`"));
    }
    let image = image(&request.new.bundle)?;
    if listed.iter().any(|(list, other)| image_identity(other) == image_identity(image) && is_named(channels, list)) {
        let sentence = format!("the template lists the image `{image}` already");
        return Err(Refusal::new(Reason::AlreadyListed, sentence, "give the release an image of its own"));
    }
    let known = SEMVER_LISTS.into_iter().filter(|list| is_named(channels, list));
    items.extend(known.map(|list| list_item(list, image, false)));
    let splices: Result<_, Refusal> = channels.iter().map(|list| text.semver_image(list, image, version)).collect();
    Ok(vec![FileEdit { file: file.key, splices: splices? }])
}

/// Whether one of the names is that of a list of an `olm.semver` template.
fn is_named(names: &[String], list: &str) -> bool {
    names.iter().any(|name| fbc::same_field(name, list))
}

/// An image as an item of a list of an `olm.semver` template.
fn list_item(list: &'static str, image: &str, is_removed: bool) -> ListItem {
    ListItem { list: vec![list, "bundles"], fields: vec![("image", image.to_owned())], is_removed }
}

/// The `olm.semver` template among texts.
pub(crate) fn template<'t, 'c>(
    texts: &'t [(&'c FileInput, Authored<'c>)],
) -> Option<&'t (&'c FileInput, Authored<'c>)> {
    texts.iter().find(|(_, text)| text.form == Form::Template(TemplateKind::Semver))
}

/// The bundles of a catalog with their images.
pub(crate) fn bundles(catalog: &CatalogInput) -> impl Iterator<Item = (&Bundle, &str)> {
    let bundles = catalog.analysis.catalog.packages.iter().flat_map(|package| &package.bundles);
    bundles.filter_map(|bundle| Some((bundle, &*bundle.image.as_ref()?.value)))
}

/// Which of the images of a template is that of a bundle: by the bundles that are known, else by the version in the tag.
///
/// # Errors
///
/// If several may be, with what to do instead.
pub(crate) fn image_of<'i>(
    catalog: &CatalogInput,
    images: &BTreeSet<&'i str>,
    name: &BundleName,
    instead: &str,
) -> Result<Option<&'i str>, Refusal> {
    let is_meant = |bundle: &Bundle| {
        let version = bundle.version.as_ref().map(|version| &*version.value.text);
        bundle.name.value == *name || version == Some(name.as_str())
    };
    let known = bundles(catalog).find(|(bundle, _)| is_meant(bundle)).map(|(_, image)| image);
    let version = Version::parse(name.as_str()).ok().or_else(|| version_in(name.as_str()));
    let is_it = |image: &&&str| match known {
        Some(known) => **image == known,
        None => **image == name.as_str() || (version.is_some() && tag_version(image) == version),
    };
    match images.iter().filter(is_it).collect::<Vec<_>>()[..] {
        [] => Ok(None),
        [image] => Ok(Some(*image)),
        ref several => {
            let sentence =
                format!("several images may be `{name}`: {}", name_list(several.iter().map(|image| **image)));
            Err(Refusal::new(Reason::Missing, sentence, instead))
        }
    }
}

/// The edits that take the image of a bundle out of the lists of an `olm.semver` template. Adds what the lists lose.
pub(crate) fn removed(
    catalog: &CatalogInput,
    (file, text): (&FileInput, &Authored<'_>),
    name: &BundleName,
    stays_listed: bool,
    items: &mut Vec<ListItem>,
) -> Result<Vec<FileEdit>, Refusal> {
    if stays_listed {
        let sentence = "an `olm.semver` template computes all edges, and offers each version that it lists";
        return Err(Refusal::new(Reason::NotExpressible, sentence, "edit the template by hand")
            .advising(None, [Advice::Removal]));
    }
    let listed = text.semver_images();
    let images: BTreeSet<&str> = listed.iter().map(|(_, image)| *image).collect();
    let instead = "give the image in the place of the version, as the template writes it";
    let image = image_of(catalog, &images, name, instead)?.ok_or_else(|| {
        Refusal::new(Reason::Missing, format!("no image of the template is known to be `{name}`"), instead)
    })?;
    if listed.iter().all(|(_, other)| *other == image) {
        let sentence = "the template would list no version any more, which `opm` rejects";
        return Err(Refusal::new(Reason::HeadWithdrawn, sentence, "release another version first"));
    }
    let lists: BTreeSet<&str> = listed.iter().filter(|(_, other)| *other == image).map(|(list, _)| *list).collect();
    items.extend(lists.into_iter().map(|list| list_item(list, image, true)));
    Ok(vec![FileEdit { file: file.key, splices: text.without_semver_image(image)? }])
}

impl Author<'_> {
    /// The image of a template that stands for a bundle, if the templates name bundles by their images.
    pub(crate) fn image_of(&self, name: &BundleName) -> Result<Option<String>, Refusal> {
        let texts = self.texts();
        let named: BTreeSet<&str> = texts.iter().flat_map(|(_, text)| text.bundle_images()).collect();
        let instead = "render the template, and name the folder that has both the template and the catalog";
        let image = image_of(self.catalog, &named, name, instead)?;
        let is_known = |image: &str| bundles(self.catalog).any(|(_, known)| known == image);
        if image.is_none() && !named.iter().all(|image| is_known(image)) {
            let sentence = format!(
                "no image of the template is known to be `{name}`, and `opm` rejects an image whose bundle no channel lists"
            );
            return Err(Refusal::new(Reason::Missing, sentence, instead));
        }
        Ok(image.map(str::to_owned))
    }
}

/// Names the image of a new build of a bundle that the package has.
pub(crate) fn rebuild(
    texts: &[(&FileInput, Authored<'_>)],
    package: &Package,
    bundle: &bundle::Bundle,
    items: &mut Vec<ListItem>,
) -> Result<Vec<FileEdit>, Refusal> {
    let is_there = package.bundle(&bundle.name).is_some()
        || package.channels.iter().any(|channel| channel.entry(&bundle.name).is_some());
    if !is_there {
        let sentence = format!("the package has no bundle `{}` to be built again", bundle.name);
        return Err(Refusal::new(Reason::Missing, sentence, "name the bundle whose place it takes with `--name`"));
    }
    let image = image(bundle)?;
    let of_form = |(_, text): &&(&FileInput, Authored<'_>)| text.form == Form::Template(TemplateKind::Substitutes);
    let (file, text) = texts.iter().find(of_form).or(texts.first()).ok_or_else(not_editable)?;
    items.push(ListItem {
        list: vec!["substitutions"],
        fields: vec![("name", image.to_owned()), ("base", bundle.name.clone())],
        is_removed: false,
    });
    Ok(vec![FileEdit { file: file.key, splices: vec![text.substitution(image, &bundle.name)?] }])
}

// Operators of the community pipelines: their templates, and the `release-config.yaml` from which the pipelines write a
// bundle into them (operator-pipelines `docs/users/fbc_autorelease.md`).

/// Where the pipelines keep the templates of an operator.
const TEMPLATES: &str = "catalog-templates/";

/// A template that the pipelines write into.
pub struct PipelineTemplate {
    mapping: Mapping,
}

impl PipelineTemplate {
    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.mapping.template
    }

    /// Its name, and the catalogs that are made of it.
    #[must_use]
    pub fn title(&self) -> String {
        let catalogs: Vec<&str> = self.mapping.catalogs.iter().map(|name| &*name.value).collect();
        format!("{} for {}", self.mapping.template, catalogs.join(", "))
    }
}

/// The templates that the `ci.yaml` among the files of an operator names, with their files.
#[must_use]
pub fn pipeline_templates(files: &[NewText]) -> Vec<(PipelineTemplate, NewText)> {
    let Some(Ok(content)) = files.iter().find(|file| file.path == "ci.yaml").map(|file| &file.content) else {
        return Vec::new();
    };
    let Decoded { text, fault } = decode_bytes(FileId(0), content.clone());
    let ci = File { id: FileId(0), path: "ci.yaml", text: &text, fault: fault.as_ref() };
    let with_file = |mapping: Mapping| {
        let path = format!("{TEMPLATES}{}", mapping.template);
        let file = files.iter().find(|file| file.path == path)?;
        Some((PipelineTemplate { mapping }, NewText { path, content: file.content.clone() }))
    };
    enabled_fbc(&ci).into_iter().flat_map(|fbc| fbc.mappings).filter_map(with_file).collect()
}

/// The bundles in the folder of an `operator` that a template of it names, each in its image.
#[must_use]
pub fn bundles_beside(operator: &str, files: &[NewText], template: &NewText) -> Vec<NewBundle> {
    let read = |file: &NewText| Some(decode_bytes(FileId(0), file.content.as_ref().ok()?.clone()));
    let decoded: Vec<(String, Decoded)> =
        files.iter().filter_map(|file| Some((format!("{operator}/{}", file.path), read(file)?))).collect();
    let files: Vec<File<'_>> = (0..)
        .zip(&decoded)
        .map(|(id, (path, decoded))| File { id: FileId(id), path, text: &decoded.text, fault: decoded.fault.as_ref() })
        .collect();
    let Some(decoded) = read(template) else { return Vec::new() };
    let template = File { id: FileId(0), path: &template.path, text: &decoded.text, fault: decoded.fault.as_ref() };
    bundles_of_template(&files, &template).into_iter().map(NewBundle::rendered).collect()
}

/// The `release-config.yaml` of a release into templates.
#[must_use]
pub fn release_config(templates: &[(&PipelineTemplate, &AuthoredCatalog)]) -> String {
    // The pipelines spell the lists so.
    let title = |list: &String| {
        let (first, rest) = list.split_at_checked(1)?;
        Some(first.to_uppercase() + &rest.to_lowercase())
    };
    let lists: Vec<Vec<String>> =
        templates.iter().map(|(_, authored)| authored.lists().filter_map(title).collect()).collect();
    let items = templates.iter().zip(&lists).map(|((template, authored), lists)| {
        let channels = match template.mapping.kind {
            MappingKind::Semver => lists.iter().map(|list| (&**list, None)).collect(),
            MappingKind::Basic => authored.channels().map(|edit| (edit.channel.as_str(), edit.added.first())).collect(),
        };
        (template.name(), channels)
    });
    release::release_config(&items.collect::<Vec<_>>())
}
