//! Documents as written, by schema: every field optional, every scalar with its span, nothing resolved.
//!
//! The shapes are those of operator-registry `alpha/declcfg/declcfg.go`.

use crate::Node;
use crate::decode::{Decoder, Fields, Shape};
use crate::go_type::{GoStruct, GoType, STRING};
use GoType::{Any, Bytes, List, Struct};
use source::{Span, Spanned};

/// A text that was read from a scalar.
pub type Text = Spanned<Box<str>>;

/// A document by its schema.
#[derive(Clone, Debug, PartialEq)]
pub enum RawDoc {
    /// `olm.package`
    Package(RawPackage),
    /// `olm.channel`
    Channel(RawChannel),
    /// `olm.bundle`
    Bundle(RawBundle),
    /// `olm.deprecations`
    Deprecations(RawDeprecations),
    /// Any other schema, kept verbatim by `opm` and never validated.
    Other(RawOther),
}

/// A document of a schema that OLM does not know.
#[derive(Clone, Debug, PartialEq)]
pub struct RawOther {
    pub schema: Text,
    pub package: Option<Text>,
    pub name: Option<Text>,
    /// All fields of a document with lifecycle data; of other schemas none.
    pub lifecycle: Vec<(Text, Node)>,
}

/// The schema of documents that say how long each version of a package is supported.
pub const LIFECYCLE_SCHEMA: &str = "io.openshift.operators.lifecycles.v1alpha1";

// `olm.package`

/// `olm.package`
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RawPackage {
    pub name: Option<Text>,
    /// `defaultChannel`
    pub default_channel: Option<Text>,
    pub icon: Option<RawIcon>,
    pub description: Option<Text>,
}

/// `icon` of a package.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RawIcon {
    /// `base64data`: the place of the base64 text.
    pub base64data: Option<Span>,
    pub mediatype: Option<Text>,
}

static PACKAGE: Shape = Shape {
    go: &GoStruct {
        package: "declcfg",
        name: "Package",
        fields: &[
            ("schema", STRING),
            ("name", STRING),
            ("package", STRING),
            ("defaultChannel", STRING),
            ("icon", Struct(ICON.go)),
            ("description", STRING),
            ("properties", PROPERTIES),
        ],
    },
    path: "",
    title: "`olm.package`",
};

static ICON: Shape = Shape {
    go: &GoStruct { package: "declcfg", name: "Icon", fields: &[("base64data", Bytes), ("mediatype", STRING)] },
    path: "icon.",
    title: "`icon`",
};

pub(crate) fn decode_package(decoder: &mut Decoder<'_>, entries: &mut [(Text, Node)]) -> RawPackage {
    let mut fields = decoder.fields(entries, &PACKAGE);
    // OLM ignores them, but `opm` decodes them.
    properties(decoder, &mut fields);
    RawPackage {
        name: decoder.text(&mut fields, "name"),
        default_channel: decoder.text(&mut fields, "defaultChannel"),
        icon: decoder.object(&mut fields, "icon", &ICON).map(|mut icon| RawIcon {
            base64data: decoder.bytes(&mut icon, "base64data"),
            mediatype: decoder.text(&mut icon, "mediatype"),
        }),
        description: decoder.text(&mut fields, "description"),
    }
}

// `olm.channel`

/// `olm.channel`
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RawChannel {
    pub name: Option<Text>,
    pub package: Option<Text>,
    pub entries: Vec<RawEntry>,
}

/// One of a channel's `entries`.
#[derive(Clone, Debug, PartialEq)]
pub struct RawEntry {
    pub span: Span,
    pub name: Option<Text>,
    pub replaces: Option<Text>,
    pub skips: Vec<Text>,
    /// `skipRange`
    pub skip_range: Option<Text>,
}

static CHANNEL: Shape = Shape {
    go: &GoStruct {
        package: "declcfg",
        name: "Channel",
        fields: &[
            ("schema", STRING),
            ("name", STRING),
            ("package", STRING),
            ("entries", List(&Struct(ENTRY.go))),
            ("properties", PROPERTIES),
        ],
    },
    path: "",
    title: "`olm.channel`",
};

static ENTRY: Shape = Shape {
    go: &GoStruct {
        package: "declcfg",
        name: "ChannelEntry",
        fields: &[("name", STRING), ("replaces", STRING), ("skips", List(&STRING)), ("skipRange", STRING)],
    },
    path: "entries.",
    title: "a channel entry",
};

pub(crate) fn decode_channel(decoder: &mut Decoder<'_>, entries: &mut [(Text, Node)]) -> RawChannel {
    let mut fields = decoder.fields(entries, &CHANNEL);
    // OLM ignores them, but `opm` decodes them.
    properties(decoder, &mut fields);
    RawChannel {
        name: decoder.text(&mut fields, "name"),
        package: decoder.text(&mut fields, "package"),
        entries: decoder.list(&mut fields, "entries", &ENTRY, |decoder, span, entry| RawEntry {
            span,
            name: decoder.text(entry, "name"),
            replaces: decoder.text(entry, "replaces"),
            skips: decoder.texts(entry, "skips"),
            skip_range: decoder.text(entry, "skipRange"),
        }),
    }
}

// `olm.bundle`

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
const PROPERTIES: GoType = List(&Struct(PROPERTY.go));

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

pub(crate) fn decode_bundle(decoder: &mut Decoder<'_>, entries: &mut [(Text, Node)]) -> RawBundle {
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

// `olm.deprecations`

/// `olm.deprecations`
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RawDeprecations {
    pub package: Option<Text>,
    pub entries: Vec<RawDeprecation>,
}

/// One of the `entries` of `olm.deprecations`.
#[derive(Clone, Debug, PartialEq)]
pub struct RawDeprecation {
    /// The whole entry.
    pub span: Span,
    /// `reference.schema`
    pub schema: Option<Text>,
    /// `reference.name`
    pub name: Option<Text>,
    pub message: Option<Text>,
}

static DEPRECATIONS: Shape = Shape {
    go: &GoStruct {
        package: "declcfg",
        name: "Deprecation",
        fields: &[
            ("schema", STRING),
            ("package", STRING),
            ("name", STRING),
            ("entries", List(&Struct(DEPRECATION.go))),
        ],
    },
    path: "",
    title: "`olm.deprecations`",
};

static DEPRECATION: Shape = Shape {
    go: &GoStruct {
        package: "declcfg",
        name: "DeprecationEntry",
        fields: &[("reference", Struct(REFERENCE.go)), ("message", STRING)],
    },
    path: "entries.",
    title: "a deprecation entry",
};

static REFERENCE: Shape = Shape {
    go: &GoStruct {
        package: "declcfg",
        name: "PackageScopedReference",
        fields: &[("schema", STRING), ("name", STRING)],
    },
    path: "entries.reference.",
    title: "a deprecation's reference",
};

pub(crate) fn decode_deprecations(decoder: &mut Decoder<'_>, entries: &mut [(Text, Node)]) -> RawDeprecations {
    let mut fields = decoder.fields(entries, &DEPRECATIONS);
    RawDeprecations {
        package: decoder.text(&mut fields, "package"),
        entries: decoder.list(&mut fields, "entries", &DEPRECATION, |decoder, span, entry| {
            let mut reference = decoder.object(entry, "reference", &REFERENCE);
            let mut of_reference = |name| reference.as_mut().and_then(|reference| decoder.text(reference, name));
            let (schema, name) = (of_reference("schema"), of_reference("name"));
            RawDeprecation { span, schema, name, message: decoder.text(entry, "message") }
        }),
    }
}
