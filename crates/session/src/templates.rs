//! Catalogs that are made of others: of templates, or of folders of bundle directories. A further file has the catalog,
//! which is served instead.

use crate::CatalogInput;
use crate::analysis::FindingSubject;
use crate::file::{FileInput, NewText};
use crate::new_bundle::ONLY_IMAGE;
use bundle::File;
use bundle_tree::{Tree, build, bundle_folders};
use fbc::raw::RawDoc;
use source::{Diagnostic, FileId, Rule, Span};
use std::collections::{BTreeMap, BTreeSet};
use template::{ExpandedCatalog, Images, Origins, TemplateKind, expand, is_of_deprecations, kind_of};
use views::{BundleChoice, BundleMode, BundleRules, CatalogId, FileKey};

/// What follows the path of a template in that of its expansion.
pub const EXPANDED: &str = " (expanded)";

/// The result of expanding a template.
struct Expansion {
    findings: Vec<Diagnostic>,
    /// The expanded catalog as YAML; empty when the template cannot be expanded.
    text: String,
    /// Whether it may have bundles that are not known. The channels of an `olm.semver` template are made of the bundles, so
    /// these have none that is unknown.
    has_unknown_images: bool,
    /// The images of its bundles of which nothing else is known.
    only_images: BTreeSet<Box<str>>,
}

/// Expands all templates. Returns the catalogs that this changes.
pub(crate) fn expand_all(catalogs: &mut [CatalogInput], next_file: &mut u32) -> BTreeSet<CatalogId> {
    let are_templates: Vec<bool> = catalogs.iter().map(are_templates).collect();
    let expansions: Vec<Vec<Option<Expansion>>> = expansions(catalogs, &are_templates);
    let mut changed = BTreeSet::new();
    for (catalog, expansions) in catalogs.iter_mut().zip(expansions) {
        // What is made of a folder of bundles is no expansion.
        if catalog.bundle_tree.is_none() && catalog.files.rearrange(|files| replace(files, expansions, next_file)) {
            changed.insert(catalog.id);
        }
    }
    changed
}

/// The expansion of each file of each catalog; `None` for files that are not templates.
fn expansions(catalogs: &[CatalogInput], are_templates: &[bool]) -> Vec<Vec<Option<Expansion>>> {
    let mut images = Images::default();
    let mut only_images: BTreeSet<Box<str>> = BTreeSet::new();
    if are_templates.contains(&true) {
        let others = catalogs.iter().zip(are_templates).filter(|(_, is_template)| !**is_template);
        for file in others.flat_map(|(catalog, _)| &catalog.files) {
            let own = file.text.starts_with(ONLY_IMAGE).then(|| file.parse().docs.iter()).into_iter().flatten();
            let own = own.filter_map(|doc| if let RawDoc::Bundle(raw) = &doc.raw { raw.image.as_ref() } else { None });
            only_images.extend(own.filter(|image| images.get(&image.value).is_none()).map(|image| image.value.clone()));
            images.add(&file.text, file.parse());
        }
    }
    let expansion = |file: &FileInput| {
        let expansion = expand(FileId(file.key.0), &file.text, &images);
        let text = expansion.catalog.as_ref().map(ExpandedCatalog::to_yaml).unwrap_or_default();
        let has_unknown_images = expansion.kind != TemplateKind::Semver && !expansion.missing.is_empty();
        Expansion { findings: expansion.diagnostics, text, has_unknown_images, only_images: only_images.clone() }
    };
    let of_catalog = |(catalog, is_template): (&CatalogInput, &bool)| {
        let written = catalog.files.iter().filter(|file| file.expanded_from.is_none());
        written.map(|file| (*is_template && is_template_file(file)).then(|| expansion(file))).collect()
    };
    catalogs.iter().zip(are_templates).map(of_catalog).collect()
}

/// Whether every file with documents is a template, apart from deprecations, and there is one.
fn are_templates(catalog: &CatalogInput) -> bool {
    if catalog.bundle_tree.is_some() {
        return false;
    }
    let mut some = false;
    let written = catalog.files.iter().filter(|file| file.expanded_from.is_none());
    let all = written.filter(|file| is_template_file(file) || !file.parse().docs.is_empty()).all(|file| {
        let is_template = is_template_file(file);
        some |= is_template;
        is_template || is_of_deprecations(file.parse())
    });
    all && some
}

/// Whether a text is a template.
#[must_use]
pub fn is_template(bytes: Vec<u8>) -> bool {
    let text = fbc::decode_bytes(FileId(0), bytes).text;
    kind_of(&fbc::parse(FileId(0), &text)).is_some()
}

/// Whether a file is a template. A template stays one while its text is broken, because it is being edited.
fn is_template_file(file: &FileInput) -> bool {
    let parse = file.parse();
    kind_of(parse).is_some() || (parse.docs.is_empty() && file.expansion_findings.is_some() && !file.text.is_empty())
}

/// Replaces the expansions among the files. Returns whether anything changed.
fn replace(files: &mut Vec<FileInput>, expansions: Vec<Option<Expansion>>, next_file: &mut u32) -> bool {
    if expansions.iter().all(Option::is_none) && files.iter().all(|file| file.expansion_findings.is_none()) {
        return false;
    }
    let mut changed = false;
    let (made, written): (Vec<FileInput>, Vec<FileInput>) =
        std::mem::take(files).into_iter().partition(|file| file.expanded_from.is_some());
    let made = made.into_iter().filter_map(|file| Some((file.expanded_from?, file)));
    let mut made: BTreeMap<FileKey, FileInput> = made.collect();
    for (mut file, expansion) in written.into_iter().zip(expansions) {
        let before = made.remove(&file.key);
        file.has_unknown_images = expansion.as_ref().is_some_and(|expansion| expansion.has_unknown_images);
        let only_images = expansion.as_ref().map(|expansion| expansion.only_images.clone()).unwrap_or_default();
        let (findings, text) = expansion.map(|expansion| (expansion.findings, expansion.text)).unzip();
        changed |= file.expansion_findings != findings;
        file.expansion_findings = findings;
        let text = text.unwrap_or_default();
        let same = before.as_ref().map_or("", |before| &before.text) == text;
        changed |= !same;
        let mut after =
            if same { before } else { expanded_file(&file, before.map(|before| before.key), text, next_file) };
        if let Some(after) = &mut after {
            after.origins = Origins::of(FileId(file.key.0), &file.text, after.parse());
            after.only_images = only_images;
        }
        files.push(file);
        files.extend(after);
    }
    changed
}

/// The file with the expansion of a template, under the key that it had before; `None` for an empty text.
fn expanded_file(template: &FileInput, key: Option<FileKey>, text: String, next_file: &mut u32) -> Option<FileInput> {
    if text.is_empty() {
        return None;
    }
    let key = key.unwrap_or_else(|| {
        *next_file += 1;
        FileKey(*next_file - 1)
    });
    let path = format!("{}{EXPANDED}", template.path);
    let mut file = FileInput::new(key, NewText { path, content: Ok(text.into_bytes()) });
    file.expanded_from = Some(template.key);
    file.read();
    Some(file)
}

// Catalogs that are folders of bundle directories: a further file has the catalog that is made of them, which is served
// instead.

/// A folder of bundle directories that a catalog is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BundleTree {
    /// By what each package was built.
    pub rules: BTreeMap<String, BundleRules>,
    /// The catalog templates that there are to choose from.
    pub templates: BTreeSet<String>,
}

/// Makes the catalogs of all folders of bundles that changed. Those with catalog templates follow all catalogs, whose bundles
/// they name by image. Returns the catalogs that this changes beyond the changed ones.
pub(crate) fn build_all(
    catalogs: &mut [CatalogInput],
    changed: &BTreeSet<CatalogId>,
    next_file: &mut u32,
) -> BTreeSet<CatalogId> {
    let is_changed = |catalog: &CatalogInput| changed.contains(&catalog.id);
    let follows = |catalog: &CatalogInput| catalog.bundle_tree.as_ref().is_some_and(|tree| !tree.templates.is_empty());
    let trees: Vec<bool> =
        catalogs.iter().map(|catalog| (is_changed(catalog) || follows(catalog)) && is_tree(catalog)).collect();
    let mut images = Images::default();
    if catalogs.iter().zip(&trees).any(|(catalog, is_tree)| *is_tree && has_templates(catalog)) {
        for file in catalogs.iter().filter(|catalog| catalog.bundle_tree.is_none()).flat_map(|catalog| &catalog.files) {
            images.add(&file.text, file.parse());
        }
    }
    let tree = |(catalog, is_tree): (&CatalogInput, &bool)| is_tree.then(|| built(catalog, &images));
    let trees: Vec<Option<Tree>> = catalogs.iter().zip(&trees).map(tree).collect();
    let mut also_changed = BTreeSet::new();
    for (catalog, tree) in catalogs.iter_mut().zip(trees) {
        if let Some(tree) = tree {
            if replace_tree(catalog, tree, next_file) {
                also_changed.insert(catalog.id);
            }
        } else if changed.contains(&catalog.id) && catalog.bundle_tree.take().is_some() {
            catalog.files.rearrange(|files| files.retain(|file| file.expanded_from.is_none()));
            for file in catalog.files.as_mut_slice() {
                file.in_tree = false;
                file.of_bundle = None;
                file.expansion_findings = None;
            }
        }
    }
    also_changed
}

/// Whether the channels may come from catalog templates.
fn has_templates(catalog: &CatalogInput) -> bool {
    let is_ci = |file: &&FileInput| file.path.rsplit('/').next() == Some("ci.yaml");
    catalog.files.iter().filter(is_ci).any(|file| file.text.contains("fbc"))
}

fn built(catalog: &CatalogInput, images: &Images<'_>) -> Tree {
    let written = catalog.files.iter().filter(|file| file.expanded_from.is_none());
    let files: Vec<File<'_>> = written
        .map(|file| File { id: FileId(file.key.0), path: &file.path, text: &file.text, fault: file.fault() })
        .collect();
    build(&files, catalog.bundle_rules.as_ref(), images)
}

/// Whether a catalog has bundle directories, and no documents of a catalog.
fn is_tree(catalog: &CatalogInput) -> bool {
    let written = || catalog.files.iter().filter(|file| file.expanded_from.is_none());
    let is_catalog = |file: &FileInput| file.parse().docs.iter().any(|doc| !matches!(doc.raw, RawDoc::Other(_)));
    !bundle_folders(written().map(|file| &*file.path)).is_empty() && !written().any(is_catalog)
}

/// Puts what was built into the place of what was built before. Returns whether anything changed.
fn replace_tree(catalog: &mut CatalogInput, mut tree: Tree, next_file: &mut u32) -> bool {
    let made = catalog.files.iter().position(|file| file.expanded_from.is_some());
    let made = made.map(|at| catalog.files.rearrange(|files| files.remove(at)));
    let text = tree.to_yaml().unwrap_or_else(|error| {
        let place = catalog.files.first().map_or(FileId(0), |file| FileId(file.key.0));
        let message = format!("there is no answer for these bundles: {error}");
        tree.findings.push(Diagnostic::new(Rule::UnreadableFile, Span::new(place, 0, 0), message));
        String::new()
    });
    let mut changed = made.as_ref().map_or("", |made| &made.text) != text;
    let mut findings: BTreeMap<u32, Vec<Diagnostic>> = BTreeMap::new();
    for finding in tree.findings {
        findings.entry(finding.span.file.0).or_default().push(finding);
    }
    for file in catalog.files.as_mut_slice() {
        file.in_tree = true;
        file.of_bundle = tree.bundles.remove(&FileId(file.key.0)).map(|(package, bundle)| FindingSubject {
            package: package.as_str().into(),
            channel: None,
            entry: Some(bundle.as_str().into()),
        });
        let findings = Some(findings.remove(&file.key.0).unwrap_or_default());
        changed |= file.expansion_findings != findings;
        file.expansion_findings = findings;
    }
    catalog.bundle_tree = Some(BundleTree { rules: tree.rules, templates: tree.templates });
    let Some(first) = catalog.files.first().map(|file| file.key).filter(|_| !text.is_empty()) else { return changed };
    let mut file = match made {
        Some(made) if made.text == text => made,
        made => {
            let key = made.map_or_else(
                || {
                    *next_file += 1;
                    FileKey(*next_file - 1)
                },
                |made| made.key,
            );
            let path = format!("{} (from its bundles)", catalog.name);
            let mut file = FileInput::new(key, NewText { path, content: Ok(text.into_bytes()) });
            file.expanded_from = Some(first);
            file.in_tree = true;
            file.read();
            file
        }
    };
    changed |= file.has_unknown_images != tree.has_unknown_bundles;
    file.has_unknown_images = tree.has_unknown_bundles;
    catalog.files.push(file);
    changed
}

/// All rules that a catalog can be made by, and the ones that it is made by: those of its first package.
pub fn bundle_choice(tree: &BundleTree) -> BundleChoice {
    let modes = BundleMode::ALL.into_iter().map(BundleRules::Mode);
    let templates = tree.templates.iter().map(|name| BundleRules::Template(name.clone()));
    let rules = tree.rules.values().next().cloned().unwrap_or(BundleRules::Mode(BundleMode::Replaces));
    BundleChoice { rules, all: modes.chain(templates).collect() }
}
