//! `olm.bundle`

use super::Text;
use crate::Node;
use crate::decode::{Decoder, Fields, Shape};
use source::Span;

/// `olm.bundle`
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RawBundle {
    /// `name`
    pub name: Option<Text>,
    /// `package`
    pub package: Option<Text>,
    /// `image`
    pub image: Option<Text>,
    /// `properties`
    pub properties: Vec<RawProperty>,
    /// `relatedImages`
    pub related_images: Vec<RawRelatedImage>,
}

/// One of a bundle's `properties`.
#[derive(Clone, Debug, PartialEq)]
pub struct RawProperty {
    /// The whole property.
    pub span: Span,
    /// `type`
    pub kind: Option<Text>,
    /// `value`; large values (`olm.csv.metadata`, `olm.bundle.object` and others that no rule reads) stay
    /// [`Value::Unopened`](crate::Value::Unopened) unless anchors or aliases tie them to the rest of the document.
    pub value: Option<Node>,
    /// The value certainly has the shape of its type; otherwise [`property_misfit`](crate::property_misfit) has to check.
    pub fits: bool,
}

/// One of a bundle's `relatedImages`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RawRelatedImage {
    /// `name`
    pub name: Option<Text>,
    /// `image`
    pub image: Option<Text>,
}

const BUNDLE: Shape = Shape {
    go: "Bundle",
    path: "",
    title: "`olm.bundle`",
    fields: &["schema", "name", "package", "image", "properties", "relatedImages"],
};

const PROPERTY: Shape = Shape { go: "Property", path: "properties.", title: "a property", fields: &["type", "value"] };

const RELATED_IMAGE: Shape =
    Shape { go: "RelatedImage", path: "relatedImages.", title: "a related image", fields: &["name", "image"] };

/// Whether a rule of `opm validate` or OLM's resolver reads the values of properties of this type.
pub(crate) fn is_read(kind: &str) -> bool {
    matches!(
        kind,
        "olm.package"
            | "olm.gvk"
            | "olm.gvk.required"
            | "olm.package.required"
            | "olm.label"
            | "olm.label.required"
            | "olm.constraint"
            | "olm.deprecated"
            | "olm.channel"
            | "olm.maxOpenShiftVersion"
    )
}

pub(crate) fn decode(decoder: &mut Decoder<'_>, entries: &mut [(Text, Node)]) -> RawBundle {
    let mut fields = decoder.fields(entries, BUNDLE);
    let related_image = ("[]declcfg.RelatedImage", RELATED_IMAGE);
    RawBundle {
        name: decoder.text(&mut fields, "name"),
        package: decoder.text(&mut fields, "package"),
        image: decoder.text(&mut fields, "image"),
        properties: properties(decoder, &mut fields),
        related_images: decoder.list(&mut fields, "relatedImages", related_image, |decoder, _, image| {
            RawRelatedImage { name: decoder.text(image, "name"), image: decoder.text(image, "image") }
        }),
    }
}

/// The field `properties`, which other schemas have as well.
pub(super) fn properties(decoder: &mut Decoder<'_>, fields: &mut Fields<'_>) -> Vec<RawProperty> {
    decoder.list(fields, "properties", ("[]property.Property", PROPERTY), |decoder, span, property| {
        let value = decoder.any(property, "value");
        let fits = value.as_ref().is_some_and(|value| decoder.fitting.binary_search(&value.span.start).is_ok());
        RawProperty { span, kind: decoder.text(property, "type"), value, fits }
    })
}
