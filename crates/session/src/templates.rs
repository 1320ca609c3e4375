//! Catalogs that consist of templates: each template gets a further file with its expansion, which is served instead.
//!
//! A catalog is expanded only if all its files are templates, apart from deprecations beside them; `opm` would read a template among catalog files as a document
//! of an unknown schema, and so is it served. The bundles of all other catalogs stand in for the registry.

use crate::CatalogInput;
use crate::file::{FileInput, NewText};
use source::{Diagnostic, FileId};
use std::collections::{BTreeMap, BTreeSet};
use template::{ExpandedCatalog, Images, Origins, TemplateKind, expand, is_of_deprecations, kind_of};
use views::{CatalogId, FileKey};

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
    if are_templates.contains(&true) {
        let others = catalogs.iter().zip(are_templates).filter(|(_, is_template)| !**is_template);
        for file in others.flat_map(|(catalog, _)| &catalog.files) {
            images.add(&file.text, file.parse());
        }
    }
    let expansion = |file: &FileInput| {
        let expansion = expand(FileId(file.key.0), &file.text, &images);
        let text = expansion.catalog.as_ref().map(ExpandedCatalog::to_yaml).unwrap_or_default();
        let has_unknown_images = expansion.kind != TemplateKind::Semver && !expansion.missing.is_empty();
        Expansion { findings: expansion.diagnostics, text, has_unknown_images }
    };
    let of_catalog = |(catalog, is_template): (&CatalogInput, &bool)| {
        let written = catalog.files.iter().filter(|file| file.expanded_from.is_none());
        written.map(|file| (*is_template && is_template_file(file)).then(|| expansion(file))).collect()
    };
    catalogs.iter().zip(are_templates).map(of_catalog).collect()
}

/// Whether every file with documents is a template, apart from deprecations, and there is one.
pub(crate) fn are_templates(catalog: &CatalogInput) -> bool {
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
