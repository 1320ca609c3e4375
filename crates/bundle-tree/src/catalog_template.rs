//! Packages whose channels come from catalog templates: `ci.yaml` names these, and `release-config.yaml` of each new bundle
//! says how the pipelines add it.

use crate::ci::{Fbc, Mapping, MappingKind, Release, unfollowed};
use crate::package::{Rendered, ascending};
use crate::tree::{bundle_folders, inside, release_name};
use bundle::{Bundle, Document, File, RenderOutcome, catalog_document, render};
use fbc::{json_member, same_field, untyped_values, yaml_document};
use serde_json::{Value as Json, json};
use source::{Diagnostic, FileId, Rule};
use std::collections::{BTreeMap, BTreeSet};
use template::{Images, expand};

/// What the folder of an operator has for its templates.
#[derive(Debug, Default)]
pub(crate) struct Templates<'a> {
    /// The files in `catalog-templates/`, by name.
    pub(crate) files: BTreeMap<&'a str, File<'a>>,
    /// What `release-config.yaml` says, by the bundle's folder.
    pub(crate) releases: BTreeMap<&'a str, Vec<Release>>,
}

impl Templates<'_> {
    /// The template that is followed: the one with the given name, else the one of the newest catalog. One that neither
    /// exists nor gets a bundle does not count.
    pub(crate) fn choose<'f>(&self, fbc: &'f Fbc, name: Option<&str>) -> Option<&'f Mapping> {
        let gets_one = |template: &str| self.releases.values().flatten().any(|release| release.template == template);
        let is_there = |mapping: &&Mapping| self.files.contains_key(&*mapping.template) || gets_one(&mapping.template);
        let newest = |mapping: &Mapping| mapping.catalogs.iter().map(|name| numbers(&name.value)).max();
        let present = || fbc.mappings.iter().filter(is_there);
        // Of equal ones the first.
        let default = || present().rev().max_by_key(|mapping| newest(mapping));
        present().find(|mapping| Some(&*mapping.template) == name).or_else(default)
    }
}

/// The numbers in the name of a catalog, so that `v4.9` is before `v4.18`.
fn numbers(name: &str) -> Vec<u64> {
    name.split(|character: char| !character.is_ascii_digit()).filter_map(|digits| digits.parse().ok()).collect()
}

/// A package that is made of a template.
#[derive(Debug, Default)]
pub(crate) struct Made {
    pub(crate) documents: Vec<Document>,
    /// Whether a channel lists a bundle that neither the folder nor a loaded catalog has.
    pub(crate) has_unknown_bundles: bool,
}

/// Makes the package of its template, to which the bundles that it does not list are added as they are released.
pub(crate) fn build(
    package: &str,
    rendered: &[&Rendered<'_>],
    templates: &Templates<'_>,
    mapping: &Mapping,
    images: &Images<'_>,
    findings: &mut Vec<Diagnostic>,
) -> Made {
    let file = templates.files.get(&*mapping.template);
    let written = file.and_then(|file| template_json(file));
    let named = written.as_ref().map(images_of).unwrap_or_default();
    let bundles = ascending(rendered);
    let folders: BTreeMap<&str, &str> =
        rendered.iter().map(|rendered| (&*rendered.bundle.name, rendered.folder)).collect();
    let releases: Vec<(&Bundle, &Release)> = bundles
        .iter()
        .filter(|bundle| !lists(written.as_ref(), mapping.kind, bundle, folders[&*bundle.name], &named, images))
        .flat_map(|bundle| {
            let releases = templates.releases.get(folders[&*bundle.name]).into_iter().flatten();
            releases.filter(|release| release.template == mapping.template).map(|release| (*bundle, release))
        })
        .collect();
    // A template that cannot be read stays as it is.
    let released = (file.is_none() || written.is_some()).then(|| written.unwrap_or_default());
    let released = released.filter(|_| !releases.is_empty()).map(|mut template| {
        for (bundle, release) in &releases {
            let image = release_name(folders[&*bundle.name]);
            match mapping.kind {
                MappingKind::Basic => add_entries(&mut template, package, &bundle.name, &image, release, findings),
                MappingKind::Semver => add_image(&mut template, &image, release, findings),
            }
        }
        template.to_string()
    });

    let mut known = String::new();
    for bundle in &bundles {
        let release = release_name(folders[&*bundle.name]);
        let is_new = releases.iter().any(|(released, _)| released.name == bundle.name);
        let own = named.iter().filter(|image| is_release(image, &release) && images.get(image).is_none());
        for image in own.map(String::as_str).chain(is_new.then_some(&*release)) {
            let bundle = Bundle { image: image.to_owned(), ..(*bundle).clone() };
            known.push_str(&bundle.document().json);
            known.push('\n');
        }
    }
    let parse = fbc::parse(FileId(0), &known);
    let mut images = images.clone();
    images.add(&known, &parse);

    let place = releases.first().map(|(_, release)| release.span);
    let as_written = file.map(|file| expand(file.id, file.text, &images));
    let mut reported: Vec<Diagnostic> = as_written.as_ref().map(|it| it.diagnostics.clone()).unwrap_or_default();
    let expansion = match (released, place) {
        (Some(text), Some(place)) => {
            let expansion = expand(place.file, &text, &images);
            // What the releases add to the findings has its place in no text.
            for finding in &expansion.diagnostics {
                if !reported.iter().any(|other| other.rule == finding.rule && other.message == finding.message) {
                    let finding = Diagnostic::new(finding.rule, place, finding.message.clone());
                    reported.push(finding.with_help("this is so when the bundles are released to the template"));
                }
            }
            Some(expansion)
        }
        _ => as_written,
    };
    let catalog = expansion.and_then(|expansion| expansion.catalog).unwrap_or_default();
    let listed: BTreeSet<&str> =
        catalog.channels.iter().flat_map(|channel| &channel.entries).map(|entry| &*entry.name).collect();
    let mut made = Made::default();
    let mut names: BTreeSet<&str> = BTreeSet::new();
    for document in &catalog.documents {
        let is_bundle = &*document.schema == "olm.bundle";
        if is_bundle {
            names.insert(&document.name);
        }
        if !(is_bundle && folders.contains_key(&*document.name)) {
            let nodes = untyped_values(FileId(0), &document.text).nodes;
            made.documents.extend(nodes.first().and_then(|node| catalog_document(node, &document.text).ok()));
        }
    }
    for bundle in bundles.iter().filter(|bundle| listed.contains(&*bundle.name)) {
        names.insert(&bundle.name);
        made.documents.push(bundle.document());
    }
    made.has_unknown_bundles = listed.iter().any(|name| !names.contains(name));
    if mapping.kind == MappingKind::Basic && !made.has_unknown_bundles {
        // The bundles of its images are in the folder under the names of the entries.
        reported.retain(|finding| finding.rule != Rule::NeedsRegistry);
    }
    findings.extend(reported);
    for rendered in rendered.iter().filter(|rendered| !listed.contains(&*rendered.bundle.name)) {
        findings.push(left_out(rendered, mapping, templates));
    }
    made
}

fn left_out(rendered: &Rendered<'_>, mapping: &Mapping, templates: &Templates<'_>) -> Diagnostic {
    let lists = match mapping.kind {
        MappingKind::Basic => "the template does not list it".to_owned(),
        MappingKind::Semver => format!("no image of the template is `{}`", release_name(rendered.folder)),
    };
    let release = match templates.releases.get(rendered.folder) {
        None => "it has no `release-config.yaml`",
        Some(_) => "its `release-config.yaml` does not add it there",
    };
    let (name, template) = (&rendered.bundle.name, &mapping.template);
    let message = format!("bundle `{name}` is in no channel of the template `{template}`: {lists}, and {release}");
    let help = "name the template and the channels in `release-config.yaml` if the bundle is for this catalog";
    Diagnostic::new(Rule::PrunedBundle, rendered.place, message).with_help(help)
}

/// The template as JSON, if it is a mapping.
fn template_json(file: &File<'_>) -> Option<Json> {
    let document = yaml_document(file.id, file.text).ok()?;
    document.node.to_json(file.text).ok().filter(Json::is_object)
}

/// The bundles of a folder that a template names by the images that the pipelines build of them, with these images.
#[must_use]
pub fn bundles_of_template(files: &[File<'_>], template: &File<'_>) -> Vec<Bundle> {
    let named = template_json(template).as_ref().map(images_of).unwrap_or_default();
    let folders = bundle_folders(files.iter().map(|file| file.path));
    let bundle = |folder: &&str| {
        let of_folder = files.iter().filter_map(|file| {
            let (_, path) = inside(&folders, file.path).filter(|(of, _)| of == folder)?;
            Some(File { path, ..*file })
        });
        match render(&of_folder.collect::<Vec<_>>()).outcome {
            RenderOutcome::Bundle(bundle) => Some((release_name(folder), *bundle)),
            _ => None,
        }
    };
    let with_images = |(release, bundle): (String, Bundle)| {
        let own: Vec<Bundle> = named
            .iter()
            .filter(|image| is_release(image, &release))
            .map(|image| Bundle { image: image.clone(), ..bundle.clone() })
            .collect();
        own
    };
    folders.iter().filter_map(bundle).flat_map(with_images).collect()
}

fn images_of(template: &Json) -> BTreeSet<String> {
    let mut images = BTreeSet::new();
    let mut open = vec![template];
    while let Some(value) = open.pop() {
        match value {
            Json::Array(items) => open.extend(items),
            Json::Object(fields) => {
                let image = fields.iter().filter(|(name, _)| same_field(name, "image"));
                images.extend(image.filter_map(|(_, image)| image.as_str()).map(str::to_owned));
                open.extend(fields.values());
            }
            _ => {}
        }
    }
    images
}

/// Whether an image is the one that the pipelines build for a release, `NAME:VERSION` in any registry.
fn is_release(image: &str, release: &str) -> bool {
    let image = image.split_once('@').map_or(image, |(image, _)| image);
    let image = image.rsplit('/').next().unwrap_or_default();
    let with_v = || release.split_once(':').map(|(name, version)| format!("{name}:v{version}"));
    image == release || Some(image) == with_v().as_deref()
}

/// Whether a template has a bundle already.
fn lists(
    template: Option<&Json>,
    kind: MappingKind,
    bundle: &Bundle,
    folder: &str,
    named: &BTreeSet<String>,
    images: &Images<'_>,
) -> bool {
    let is_entry = |entry: &Json| text_of(entry, "name") == Some(&bundle.name);
    let entries = |of: &'_ Json| member(of, "entries").and_then(Json::as_array).cloned().unwrap_or_default();
    match kind {
        MappingKind::Basic => {
            let documents = template.map(entries).unwrap_or_default();
            let mut channels = documents.iter().filter(|document| is_channel(document));
            channels.any(|channel| entries(channel).iter().any(is_entry))
        }
        MappingKind::Semver => {
            let release = release_name(folder);
            let is_known = |image: &String| images.get(image).is_some_and(|known| known.name() == bundle.name);
            named.iter().any(|image| is_release(image, &release) || is_known(image))
        }
    }
}

/// A field as Go decodes it.
fn member<'j>(value: &'j Json, field: &str) -> Option<&'j Json> {
    let fields = value.as_object()?;
    fields.get(json_member(fields, field)?)
}

fn text_of<'j>(value: &'j Json, field: &str) -> Option<&'j str> {
    member(value, field)?.as_str()
}

fn is_channel(document: &Json) -> bool {
    text_of(document, "schema") == Some("olm.channel")
}

/// The list in a field of a mapping, made where there is none.
fn list<'j>(value: &'j mut Json, field: &str) -> Option<&'j mut Vec<Json>> {
    let fields = value.as_object_mut()?;
    let key = json_member(fields, field).cloned().unwrap_or_else(|| field.to_owned());
    let items = fields.entry(key).or_insert(Json::Null);
    if items.is_null() {
        *items = json!([]);
    }
    items.as_array_mut()
}

/// Adds a bundle to an `olm.template.basic` template.
fn add_entries(
    template: &mut Json,
    package: &str,
    bundle: &str,
    image: &str,
    release: &Release,
    findings: &mut Vec<Diagnostic>,
) {
    let is_new = template.is_null();
    if is_new {
        let default = release.default_channel.as_ref().or(release.channels.first());
        *template = json!({ "schema": "olm.template.basic", "entries": [
            { "schema": "olm.package", "name": package, "defaultChannel": default }
        ]});
    }
    let Some(documents) = list(template, "entries") else { return };
    let mut entry = json!({ "name": bundle });
    if let Some(replaces) = &release.replaces {
        entry["replaces"] = json!(replaces);
    }
    if !release.skips.is_empty() {
        entry["skips"] = json!(release.skips);
    }
    if let Some(range) = &release.skip_range {
        entry["skipRange"] = json!(range);
    }
    for name in &release.channels {
        let is_it = |document: &Json| is_channel(document) && text_of(document, "name") == Some(name);
        let at = documents.iter().position(is_it).unwrap_or_else(|| {
            documents.push(json!({ "schema": "olm.channel", "name": name, "package": package, "entries": [] }));
            documents.len() - 1
        });
        if let Some(entries) = list(&mut documents[at], "entries")
            && !entries.contains(&entry)
        {
            entries.push(entry.clone());
        }
    }
    documents.push(json!({ "schema": "olm.bundle", "image": image }));
    let channels = documents.iter().filter(|document| is_channel(document));
    let channels: Vec<&str> = channels.filter_map(|channel| text_of(channel, "name")).collect();
    if let Some(default) = release.default_channel.as_deref().filter(|default| !channels.contains(default)) {
        let (template, channels) = (&release.template, channels.join(", "));
        let message = format!("defaultChannel '{default}' not found in '{template}'. Available channels: {channels}");
        findings.push(unfollowed(release.span, &message).with_help("name one of the channels"));
    }
}

/// Adds the image of a bundle to the lists of an `olm.semver` template.
fn add_image(template: &mut Json, image: &str, release: &Release, findings: &mut Vec<Diagnostic>) {
    if template.is_null() {
        *template = json!({ "schema": "olm.semver", "generateMajorChannels": true, "generateMinorChannels": true });
    }
    for channel in &release.channels {
        if !["Candidate", "Fast", "Stable"].contains(&&**channel) {
            let message = format!("semver catalog template '{}' has no channel `{channel}`", release.template);
            findings.push(unfollowed(release.span, &message).with_help("write `Candidate`, `Fast` or `Stable`"));
            continue;
        }
        let Some(fields) = template.as_object_mut() else { return };
        let key = json_member(fields, channel).cloned().unwrap_or_else(|| channel.to_lowercase());
        let value = fields.entry(key).or_insert(Json::Null);
        if value.is_null() {
            *value = json!({});
        }
        if let Some(bundles) = list(value, "bundles") {
            bundles.push(json!({ "image": image }));
        }
    }
}
