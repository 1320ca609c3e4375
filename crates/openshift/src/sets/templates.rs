//! Templates in the folders of catalogs: what they give today, with the bundles of the other catalogs in place of a
//! registry.

use catalog::{Package, ParsedFile, lower};
use fbc::raw::RawDoc;
use source::FileId;
use std::collections::BTreeSet;
use std::sync::Arc;
use template::{Expansion, Images, RenderStatus, TemplateKind, expand, kind_of};

/// What a template gives today.
#[derive(Clone, Debug)]
pub(crate) struct Rendered {
    /// The packages with their channels. Bundles of images that no catalog has are missing.
    pub(crate) packages: Vec<Arc<Package>>,
    /// The images of all bundles.
    pub(crate) images: BTreeSet<Box<str>>,
}

/// Expands a text to compare it with a catalog, if it is a template; else `None`. An error is why nobody knows what it
/// gives.
pub(crate) fn rendered(file: FileId, text: &str, images: &Images<'_>) -> Option<Result<Rendered, String>> {
    let kind = kind_of(&fbc::parse(file, text))?;
    Some(rendered_as(kind, file, text, images))
}

fn rendered_as(kind: TemplateKind, file: FileId, text: &str, images: &Images<'_>) -> Result<Rendered, String> {
    // A template that lists its channels itself needs no bundles to be compared.
    let none = Images::default();
    let expansion = expand(file, text, if kind == TemplateKind::Basic { &none } else { images });
    let text = text_of(&expansion)?;
    let parse = fbc::parse(file, &text);
    let (catalog, _) = lower(&[ParsedFile { text: &text, parse: &parse }]);
    let own = parse.docs.iter().filter_map(|doc| match &doc.raw {
        RawDoc::Bundle(raw) => raw.image.as_ref().map(|image| image.value.clone()),
        _ => None,
    });
    let images = own.chain(expansion.missing.into_iter().map(|image| image.value)).collect();
    Ok(Rendered { packages: catalog.packages, images })
}

/// The catalog of a template as text, without the bundles of images that no catalog has.
///
/// # Errors
/// Why nobody knows what it gives.
pub(crate) fn text_of(expansion: &Expansion) -> Result<String, String> {
    let is_computed = expansion.kind == TemplateKind::Semver;
    match (&expansion.status, expansion.missing.split_first()) {
        (RenderStatus::Rejected(lines), _) => {
            Err(format!("`opm` does not render it: {}", lines.first().map_or("", |line| &**line)))
        }
        (_, Some((first, more))) if is_computed => {
            let more = if more.is_empty() { String::new() } else { format!(" and {} more images", more.len()) };
            Err(format!("no catalog of the set has the bundle of `{first}`{more}"))
        }
        (RenderStatus::TooLarge, _) => Err("it or its catalog is too large".to_owned()),
        (RenderStatus::Accepted | RenderStatus::NeedsRegistry(_), _) => {
            Ok(expansion.catalog.as_ref().map(template::ExpandedCatalog::to_yaml).unwrap_or_default())
        }
    }
}
