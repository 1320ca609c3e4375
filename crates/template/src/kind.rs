//! Which kind of template a text is.

use fbc::raw::{RawDoc, Text};
use fbc::{Node, Parse, Value, same_field};

/// The fields that only an `olm.semver` template has.
const SEMVER_FIELDS: [&str; 6] =
    ["candidate", "fast", "stable", "generateMajorChannels", "generateMinorChannels", "defaultChannelTypePreference"];

/// A kind of template that can be expanded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `olm.semver`: channels made from versions.
    Semver,
    /// `olm.template.basic`: a catalog whose bundles are named by image.
    Basic,
}

impl Kind {
    /// The `schema` that says so.
    #[must_use]
    pub const fn schema(self) -> &'static str {
        match self {
            Self::Semver => "olm.semver",
            Self::Basic => "olm.template.basic",
        }
    }

    fn of_schema(schema: &str) -> Option<Self> {
        [Self::Semver, Self::Basic].into_iter().find(|kind| kind.schema() == schema)
    }
}

/// Whether a file that was read as a catalog is a template instead: its first document says so, as for `opm`
/// (`template/schema.go`).
#[must_use]
pub fn kind_of(parse: &Parse) -> Option<Kind> {
    match &parse.docs.first()?.raw {
        RawDoc::Other(other) => Kind::of_schema(&other.schema.value),
        RawDoc::Package(_) | RawDoc::Channel(_) | RawDoc::Bundle(_) | RawDoc::Deprecations(_) => None,
    }
}

/// The kind of a document that is to be expanded whatever its schema. Someone who gives a template with a wrong schema
/// (`opm alpha render-template semver FILE` takes it) is told so by the kind that its fields are of.
pub(crate) fn kind_meant(entries: &[(Text, Node)]) -> Kind {
    let has = |name: &str| entries.iter().any(|(key, _)| same_field(&key.value, name));
    let schema = entries.iter().find(|(key, _)| same_field(&key.value, "schema")).map(|(_, node)| &node.value);
    let said = match schema {
        Some(Value::String(schema)) => Kind::of_schema(schema),
        _ => None,
    };
    match said {
        Some(Kind::Semver) => Kind::Semver,
        _ if has("entries") => Kind::Basic,
        _ if SEMVER_FIELDS.into_iter().any(has) => Kind::Semver,
        said => said.unwrap_or(Kind::Semver),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use source::FileId;

    #[test]
    fn the_first_document_decides() {
        let table = [
            ("# a\nSchema: olm.semver\n", Some(Kind::Semver)),
            ("{\"schema\": \"olm.template.basic\"}", Some(Kind::Basic)),
            ("schema: olm.template.basic\nentries: []\n---\nschema: olm.package\n", Some(Kind::Basic)),
            ("schema: olm.package\n---\nschema: olm.semver\n", None),
            ("schema: olm.template.substitutes\n", None),
            ("schema: olm.Semver\n", None),
            ("", None),
            ("kind: A\n", None),
        ];
        for (text, kind) in table {
            assert_eq!(kind_of(&fbc::parse(FileId(0), text)), kind, "{text}");
        }
    }

    #[test]
    fn fields_tell_what_a_wrong_schema_does_not() {
        let table = [
            ("schema: olm.semver\nentries: []\n", Kind::Semver),
            ("schema: olm.template.basic\nstable: {}\n", Kind::Semver),
            ("schema: olm.template.basic\nstable: {}\nentries: []\n", Kind::Basic),
            ("schema: olm.template.basic\n", Kind::Basic),
            ("schema: 5\nEntries: []\n", Kind::Basic),
            ("schema: olm.package\n", Kind::Semver),
        ];
        for (text, kind) in table {
            let node = fbc::yaml_document(FileId(0), text).unwrap().node;
            let Value::Mapping(entries) = node.value else { panic!("{text}") };
            assert_eq!(kind_meant(&entries), kind, "{text}");
        }
    }
}
