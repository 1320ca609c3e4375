//! `olm.bundle`

use super::Text;
use crate::Node;
use crate::decode::{Decoder, Fields, Shape};
use crate::go_type::{GoStruct, GoType, STRING};
use GoType::{Any, List, Struct};
use source::Span;

/// `olm.bundle`
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RawBundle {
    pub name: Option<Text>,
    pub package: Option<Text>,
    pub image: Option<Text>,
    pub properties: Vec<RawProperty>,
    /// `relatedImages`
    pub related_images: Vec<RawRelatedImage>,
}

/// One of a bundle's `properties`.
#[derive(Clone, Debug, PartialEq)]
pub struct RawProperty {
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
    pub name: Option<Text>,
    pub image: Option<Text>,
}

static BUNDLE: Shape = Shape {
    go: &GoStruct {
        package: "declcfg",
        name: "Bundle",
        fields: &[
            ("schema", STRING),
            ("name", STRING),
            ("package", STRING),
            ("image", STRING),
            ("properties", PROPERTIES),
            ("relatedImages", List(&Struct(RELATED_IMAGE.go))),
        ],
    },
    path: "",
    title: "`olm.bundle`",
};

static PROPERTY: Shape = Shape {
    go: &GoStruct { package: "property", name: "Property", fields: &[("type", STRING), ("value", Any)] },
    path: "properties.",
    title: "a property",
};

/// The type of the field `properties`.
pub(super) const PROPERTIES: GoType = List(&Struct(PROPERTY.go));

static RELATED_IMAGE: Shape = Shape {
    go: &GoStruct { package: "declcfg", name: "RelatedImage", fields: &[("name", STRING), ("image", STRING)] },
    path: "relatedImages.",
    title: "a related image",
};

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
    let mut fields = decoder.fields(entries, &BUNDLE);
    RawBundle {
        name: decoder.text(&mut fields, "name"),
        package: decoder.text(&mut fields, "package"),
        image: decoder.text(&mut fields, "image"),
        properties: properties(decoder, &mut fields),
        related_images: decoder.list(&mut fields, "relatedImages", &RELATED_IMAGE, |decoder, _, image| {
            RawRelatedImage { name: decoder.text(image, "name"), image: decoder.text(image, "image") }
        }),
    }
}

/// The field `properties`, which other schemas have as well.
pub(super) fn properties(decoder: &mut Decoder<'_>, fields: &mut Fields<'_>) -> Vec<RawProperty> {
    decoder.list(fields, "properties", &PROPERTY, |decoder, span, property| {
        let value = decoder.any(property, "value");
        let fits = value.as_ref().is_some_and(|value| decoder.fitting.binary_search(&value.span.start).is_ok());
        RawProperty { span, kind: decoder.text(property, "type"), value, fits }
    })
}
