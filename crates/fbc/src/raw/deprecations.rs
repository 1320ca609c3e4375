//! `olm.deprecations`

use super::Text;
use crate::Node;
use crate::decode::{Decoder, Shape};
use source::Span;

/// `olm.deprecations`
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RawDeprecations {
    /// `package`
    pub package: Option<Text>,
    /// `entries`
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
    /// `message`
    pub message: Option<Text>,
}

const DEPRECATIONS: Shape = Shape {
    go: "Deprecation",
    path: "",
    title: "`olm.deprecations`",
    fields: &["schema", "package", "name", "entries"],
};

const ENTRY: Shape =
    Shape { go: "DeprecationEntry", path: "entries.", title: "a deprecation entry", fields: &["reference", "message"] };

const REFERENCE: Shape = Shape {
    go: "PackageScopedReference",
    path: "entries.reference.",
    title: "a deprecation's reference",
    fields: &["schema", "name"],
};

pub(crate) fn decode(decoder: &mut Decoder<'_>, entries: &mut [(Text, Node)]) -> RawDeprecations {
    let mut fields = decoder.fields(entries, DEPRECATIONS);
    RawDeprecations {
        package: decoder.text(&mut fields, "package"),
        entries: decoder.list(&mut fields, "entries", ("[]declcfg.DeprecationEntry", ENTRY), |decoder, span, entry| {
            let mut reference = decoder.object(entry, "reference", ("declcfg.PackageScopedReference", REFERENCE));
            let mut of_reference = |name| reference.as_mut().and_then(|reference| decoder.text(reference, name));
            let (schema, name) = (of_reference("schema"), of_reference("name"));
            RawDeprecation { span, schema, name, message: decoder.text(entry, "message") }
        }),
    }
}
