//! Bundle images, looked up in loaded catalogs.

use crate::{Icon, TemplateKind};
use fbc::raw::{RawBundle, RawDoc, RawProperty, Text};
use fbc::{Node, Parse, Value};
use source::{Diagnostic, FileId, Rule, Span, Spanned};
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

// The description and icon of a package, which `opm` takes from the ClusterServiceVersion of a bundle.

/// The description and icon that a bundle gives its package.
pub(crate) fn describe(bundle: CatalogBundle<'_>) -> (Box<str>, Option<Icon>) {
    let from_object =
        bundle.properties().iter().filter(|property| text_of(property.kind.as_ref()) == "olm.bundle.object");
    let manifests = from_object.filter_map(|property| manifest(property.value.as_ref()?, bundle.text));
    let described = manifests.into_iter().find_map(|manifest| csv(&manifest));
    described.or_else(|| Some((metadata(bundle)?, None))).unwrap_or_default()
}

/// The text of a manifest, which stands as base64 in `data`.
fn manifest(value: &Node, text: &str) -> Option<String> {
    let value = value.open(text).ok()?;
    let bytes = fbc::decode_base64(value.field("data")?.as_str()?).ok()?;
    String::from_utf8(bytes).ok()
}

/// The description and first icon, if the manifest is a ClusterServiceVersion.
fn csv(manifest: &str) -> Option<(Box<str>, Option<Icon>)> {
    let trees = fbc::untyped_values(FileId(0), manifest);
    let object = trees.nodes.first()?;
    if object.field("kind")?.as_str()? != "ClusterServiceVersion" {
        return None;
    }
    let spec = object.field("spec")?;
    let description = spec.field("description").and_then(Node::as_str).unwrap_or_default();
    Some((description.into(), spec.field("icon").and_then(first_icon)))
}

fn first_icon(icons: &Node) -> Option<Icon> {
    let Value::Sequence(icons) = &icons.value else { return None };
    let icon = icons.first()?;
    let base64: String = icon.field("base64data")?.as_str()?.split_ascii_whitespace().collect();
    fbc::decode_base64(&base64).ok()?;
    let media_type = icon.field("mediatype").and_then(Node::as_str).unwrap_or_default();
    Some(Icon { base64data: base64.into(), media_type: media_type.into() })
}

/// The description in `olm.csv.metadata`, which has no icon.
fn metadata(bundle: CatalogBundle<'_>) -> Option<Box<str>> {
    let mut metadata =
        bundle.properties().iter().filter(|property| text_of(property.kind.as_ref()) == "olm.csv.metadata");
    let value = metadata.next()?.value.as_ref()?.open(bundle.text).ok()?;
    Some(value.field("description")?.as_str()?.into())
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

    #[track_caller]
    fn check(properties: &str, description: &str, icon: Option<&str>) {
        let text = format!("schema: olm.bundle\nimage: i\nproperties:\n{properties}");
        let parse = fbc::parse(FileId(0), &text);
        let mut images = Images::default();
        images.add(&text, &parse);
        let (found, found_icon) = describe(images.get("i").unwrap());
        let found_icon = found_icon.map(|icon| format!("{} {}", icon.media_type, icon.base64data));
        assert_eq!((&*found, found_icon.as_deref()), (description, icon));
    }

    #[test]
    fn the_cluster_service_version_gives_the_description() {
        // {"kind":"Secret"} and kind: ClusterServiceVersion\nspec: {description: d, icon: [{base64data: Zg==, mediatype: m}]}
        let secret = "- type: olm.bundle.object\n  value: {data: eyJraW5kIjoiU2VjcmV0In0=}\n";
        let csv = "- type: olm.bundle.object\n  value:\n    data: a2luZDogQ2x1c3RlclNlcnZpY2VWZXJzaW9uCnNwZWM6IHtkZXNjcmlwdGlv\
                   bjogZCwgaWNvbjogW3tiYXNlNjRkYXRhOiBaZz09LCBtZWRpYXR5cGU6IG19XX0K\n";
        let metadata = "- type: olm.csv.metadata\n  value: {description: other}\n";
        check(&[metadata, secret, csv].concat(), "d", Some("m Zg=="));
        check(&[metadata, secret].concat(), "other", None);
        check(secret, "", None);
    }

    #[test]
    fn unreadable_properties_give_no_description() {
        check("- type: olm.bundle.object\n  value: {data: '!'}\n- type: olm.csv.metadata\n  value: 5\n", "", None);
        check("- type: olm.csv.metadata\n", "", None);
    }
}
