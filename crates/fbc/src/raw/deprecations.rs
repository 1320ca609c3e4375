//! `olm.deprecations`

use super::Text;
use crate::Node;
use crate::decode::{Decoder, Shape};
use crate::go_type::{GoStruct, GoType, STRING};
use GoType::{List, Struct};
use source::Span;

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
        fields: &[("schema", STRING), ("package", STRING), ("name", STRING), ("entries", List(&Struct(ENTRY.go)))],
    },
    path: "",
    title: "`olm.deprecations`",
};

static ENTRY: Shape = Shape {
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

pub(crate) fn decode(decoder: &mut Decoder<'_>, entries: &mut [(Text, Node)]) -> RawDeprecations {
    let mut fields = decoder.fields(entries, &DEPRECATIONS);
    RawDeprecations {
        package: decoder.text(&mut fields, "package"),
        entries: decoder.list(&mut fields, "entries", &ENTRY, |decoder, span, entry| {
            let mut reference = decoder.object(entry, "reference", &REFERENCE);
            let mut of_reference = |name| reference.as_mut().and_then(|reference| decoder.text(reference, name));
            let (schema, name) = (of_reference("schema"), of_reference("name"));
            RawDeprecation { span, schema, name, message: decoder.text(entry, "message") }
        }),
    }
}
