//! Recognizes templates and their kind.

use fbc::raw::{RawDoc, Text};
use fbc::{Node, Parse, Value, same_field};

/// The fields that only an `olm.semver` template has.
const SEMVER_FIELDS: [&str; 6] =
    ["candidate", "fast", "stable", "generateMajorChannels", "generateMinorChannels", "defaultChannelTypePreference"];

/// A kind of template that can be expanded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TemplateKind {
    /// `olm.semver`: channels made from versions.
    Semver,
    /// `olm.template.basic`: a catalog whose bundles are named by image.
    Basic,
}

impl TemplateKind {
    /// The `schema` of such templates.
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

/// The kind of template that a file is, if it is one: the schema of its first document decides, as in `opm`
/// (`template/schema.go`).
#[must_use]
pub fn kind_of(parse: &Parse) -> Option<TemplateKind> {
    match &parse.docs.first()?.raw {
        RawDoc::Other(other) => TemplateKind::of_schema(&other.schema.value),
        RawDoc::Package(_) | RawDoc::Channel(_) | RawDoc::Bundle(_) | RawDoc::Deprecations(_) => None,
    }
}

/// The kind of template that its author probably meant. If the schema is wrong, which `opm alpha render-template semver FILE`
/// reports, the fields decide.
pub(crate) fn intended_kind(entries: &[(Text, Node)]) -> TemplateKind {
    let has = |name: &str| entries.iter().any(|(key, _)| same_field(&key.value, name));
    let schema = entries.iter().find(|(key, _)| same_field(&key.value, "schema")).map(|(_, node)| &node.value);
    let stated = match schema {
        Some(Value::String(schema)) => TemplateKind::of_schema(schema),
        _ => None,
    };
    match stated {
        Some(TemplateKind::Semver) => TemplateKind::Semver,
        _ if has("entries") => TemplateKind::Basic,
        _ if SEMVER_FIELDS.into_iter().any(has) => TemplateKind::Semver,
        stated => stated.unwrap_or(TemplateKind::Semver),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use source::FileId;

    #[test]
    fn the_first_document_decides() {
        let table = [
            ("# a\nSchema: olm.semver\n", Some(TemplateKind::Semver)),
            ("{\"schema\": \"olm.template.basic\"}", Some(TemplateKind::Basic)),
            ("schema: olm.template.basic\nentries: []\n---\nschema: olm.package\n", Some(TemplateKind::Basic)),
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
    fn fields_decide_when_the_schema_is_wrong() {
        let table = [
            ("schema: olm.semver\nentries: []\n", TemplateKind::Semver),
            ("schema: olm.template.basic\nstable: {}\n", TemplateKind::Semver),
            ("schema: olm.template.basic\nstable: {}\nentries: []\n", TemplateKind::Basic),
            ("schema: olm.template.basic\n", TemplateKind::Basic),
            ("schema: 5\nEntries: []\n", TemplateKind::Basic),
            ("schema: olm.package\n", TemplateKind::Semver),
        ];
        for (text, kind) in table {
            let node = fbc::yaml_document(FileId(0), text).unwrap().node;
            let Value::Mapping(entries) = node.value else { panic!("{text}") };
            assert_eq!(intended_kind(&entries), kind, "{text}");
        }
    }
}
