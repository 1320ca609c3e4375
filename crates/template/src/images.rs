//! Bundle images, looked up in loaded catalogs.

use crate::TemplateKind;
use fbc::raw::{RawBundle, RawDoc, RawProperty};
use fbc::{Parse, raw::Text};
use source::{Diagnostic, Rule, Span, Spanned};
use std::collections::BTreeMap;

/// The bundles of loaded catalogs by image. They take the place of a registry.
#[derive(Clone, Debug, Default)]
pub struct Images<'a> {
    by_image: BTreeMap<&'a str, Vec<CatalogBundle<'a>>>,
    /// How many bytes of text the catalogs have.
    pub(crate) bytes: usize,
}

/// A bundle of a loaded catalog. `opm render` makes the same document of its image.
#[derive(Clone, Copy, Debug)]
pub struct CatalogBundle<'a> {
    /// The text of the catalog's file.
    pub(crate) text: &'a str,
    /// The `olm.bundle` document.
    pub(crate) span: Span,
    pub(crate) raw: &'a RawBundle,
}

impl<'a> Images<'a> {
    /// Adds the bundles of a catalog's file. Of several bundles of one image the first that was added counts.
    pub fn add(&mut self, text: &'a str, parse: &'a Parse) {
        self.bytes += text.len();
        for doc in &parse.docs {
            let RawDoc::Bundle(raw) = &doc.raw else { continue };
            if let Some(image) = raw.image.as_ref().filter(|image| !image.value.is_empty()) {
                self.by_image.entry(&image.value).or_default().push(CatalogBundle { text, span: doc.span, raw });
            }
        }
    }

    /// The bundle of an image. The text of the image must be the same.
    #[must_use]
    pub fn get(&self, image: &str) -> Option<CatalogBundle<'a>> {
        self.by_image.get(image)?.first().copied()
    }

    /// The finding for an image that loaded catalogs list with different bundles.
    pub(crate) fn ambiguous(&self, image: &Spanned<Box<str>>) -> Option<Diagnostic> {
        let bundles = self.by_image.get(&*image.value)?;
        let (first, others) = bundles.split_first()?;
        let other = others.iter().find(|other| other.name() != first.name())?;
        let message = format!(
            "the image `{image}` is bundle `{}` in one place and `{}` in another: the first one is used",
            first.name(),
            other.name()
        );
        let finding = Diagnostic::new(Rule::NeedsRegistry, image.span, message);
        Some(finding.with_label(first.span, "one").with_label(other.span, "the other one"))
    }
}

impl<'a> CatalogBundle<'a> {
    /// The bundle's name; empty when it has none.
    #[must_use]
    pub fn name(&self) -> &'a str {
        text_of(self.raw.name.as_ref())
    }

    /// The bundle's package; empty when it has none.
    #[must_use]
    pub fn package(&self) -> &'a str {
        text_of(self.raw.package.as_ref())
    }

    pub(crate) fn properties(&self) -> &'a [RawProperty] {
        &self.raw.properties
    }
}

/// An absent text is an empty one to Go.
pub(crate) fn text_of(text: Option<&Text>) -> &str {
    text.map_or("", |text| &text.value)
}

/// The error about an image that no loaded catalog has.
pub(crate) fn not_found(image: &str) -> String {
    format!("bundle image {image:?} not found")
}

/// How many labels the finding has at most; its message counts all images.
const MAX_LABELS: usize = 100;

/// The finding for the images that no loaded catalog has, if there are any.
pub(crate) fn needs_registry(kind: TemplateKind, images: &[Spanned<Box<str>>]) -> Option<Diagnostic> {
    let named: Vec<_> = images.iter().filter(|image| !image.value.is_empty()).collect();
    let (first, others) = named.split_first()?;
    let message = match others.len() {
        0 => format!("no loaded catalog has a bundle with the image `{first}`, and opm would ask its registry"),
        more => format!(
            "no loaded catalog has the bundles of {} images, and opm would ask their registry: `{first}` and {more} more",
            more + 1
        ),
    };
    let command = kind.type_name();
    let help = format!(
        "load a catalog that has the bundles, or run `opm alpha render-template {command} -o yaml FILE > catalog.yaml` and open the output"
    );
    let finding = Diagnostic::new(Rule::NeedsRegistry, first.span, message).with_help(help);
    let label = |finding: Diagnostic, image: &Spanned<Box<str>>| finding.with_label(image.span, "nor this image");
    Some(others.iter().copied().take(MAX_LABELS).fold(finding, label))
}

#[cfg(test)]
mod tests {
    use super::*;
    use source::FileId;

    #[test]
    fn the_first_of_several_bundles_is_used() {
        let text = "schema: olm.bundle\nname: a\nimage: i\n---\nschema: olm.bundle\nname: b\nimage: i\n---\n\
                    schema: olm.bundle\nname: c\nimage: ''\n";
        let parse = fbc::parse(FileId(0), text);
        let mut images = Images::default();
        images.add(text, &parse);
        assert_eq!((images.get("i").unwrap().name(), images.get("").is_none()), ("a", true));
        let image = Spanned::new("i".into(), Span::new(FileId(1), 0, 1));
        let report = images.ambiguous(&image).unwrap().message;
        assert_eq!(report, "the image `i` is bundle `a` in one place and `b` in another: the first one is used");
    }
}
