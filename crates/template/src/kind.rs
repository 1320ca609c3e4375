//! The kinds of templates, and which of them a file is.

use crate::basic::{self, Fields};
use fbc::raw::{RawDoc, Text};
use fbc::{GoStruct, GoType, Node, Parse, Value, same_field};
use source::{Diagnostic, FileId, Rule};

/// A kind of template that can be expanded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TemplateKind {
    /// `olm.semver`: channels made from versions.
    Semver,
    /// `olm.template.basic`: a catalog whose bundles are named by image.
    Basic,
    /// `olm.template.substitutes`: a catalog in which bundles take the places of others.
    Substitutes,
}

impl TemplateKind {
    /// All kinds, by the names of their types.
    pub const ALL: [Self; 3] = [Self::Basic, Self::Semver, Self::Substitutes];

    /// The `schema` of such templates.
    #[must_use]
    pub const fn schema(self) -> &'static str {
        match self {
            Self::Semver => "olm.semver",
            Self::Basic => "olm.template.basic",
            Self::Substitutes => "olm.template.substitutes",
        }
    }

    /// The type by which the arguments of `opm alpha render-template` name the kind: the last part of the schema.
    #[must_use]
    pub const fn type_name(self) -> &'static str {
        match self {
            Self::Semver => "semver",
            Self::Basic => "basic",
            Self::Substitutes => "substitutes",
        }
    }

    /// The Go type that such a template is decoded into.
    #[must_use]
    pub const fn go_type(self) -> &'static GoType {
        match self {
            Self::Semver => &SEMVER,
            Self::Basic => &BASIC,
            Self::Substitutes => &SUBSTITUTES,
        }
    }

    pub(crate) fn of_schema(schema: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.schema() == schema)
    }
}

const TEXT: GoType = GoType::Text("string");

static BASIC: GoType = GoType::Struct(&GoStruct {
    package: "basic",
    name: "BasicTemplateData",
    fields: &[("schema", TEXT), ("entries", GoType::List(&GoType::Any))],
});

static SUBSTITUTES: GoType = GoType::Struct(&GoStruct {
    package: "substitutes",
    name: "SubstitutesTemplateData",
    fields: &[
        ("schema", TEXT),
        ("entries", GoType::List(&GoType::Any)),
        ("substitutions", GoType::List(&SUBSTITUTION)),
    ],
});

pub(crate) static SUBSTITUTION: GoType =
    GoType::Struct(&GoStruct { package: "substitutes", name: "Substitute", fields: &[("name", TEXT), ("base", TEXT)] });

static SEMVER: GoType = GoType::Struct(&GoStruct {
    package: "semver",
    name: "SemverTemplateData",
    fields: &[
        ("schema", TEXT),
        ("generateMajorChannels", GoType::Bool),
        ("generateMinorChannels", GoType::Bool),
        ("defaultChannelTypePreference", GoType::Text("semver.StreamType")),
        ("candidate", CHANNEL_BUNDLES),
        ("fast", CHANNEL_BUNDLES),
        ("stable", CHANNEL_BUNDLES),
    ],
});

const CHANNEL_BUNDLES: GoType = GoType::Struct(&GoStruct {
    package: "semver",
    name: "channelBundles",
    fields: &[("bundles", GoType::List(&BUNDLE_ENTRY))],
});

static BUNDLE_ENTRY: GoType =
    GoType::Struct(&GoStruct { package: "semver", name: "bundleEntry", fields: &[("image", TEXT)] });

// Tells whether a file is a template, and of which kind.

/// The fields that only an `olm.semver` template has.
const SEMVER_FIELDS: [&str; 6] =
    ["candidate", "fast", "stable", "generateMajorChannels", "generateMinorChannels", "defaultChannelTypePreference"];

/// Whether a file has deprecations and nothing else. Templates without a place for them have it beside what is rendered.
#[must_use]
pub fn is_of_deprecations(parse: &Parse) -> bool {
    !parse.docs.is_empty() && parse.docs.iter().all(|doc| matches!(doc.raw, RawDoc::Deprecations(_)))
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

/// Why `opm alpha render-template FILE` cannot tell the kind of a template; `None` if it can (`alpha/template/schema.go`,
/// `cmd/opm/alpha/template/render.go`).
#[must_use]
pub fn detection_error(file: FileId, text: &str) -> Option<String> {
    let error = match basic::first_document(file, text) {
        (_, Some(fault)) if fault.rule != Rule::EmptyDocument => {
            format!("decoding template input: {}", fault.opm.unwrap_or(fault.message))
        }
        (None, None) => "decoding template input: EOF".to_owned(),
        (Some(node), None) => unknown_kind(&node)?,
        (_, Some(_)) => NO_SCHEMA.to_owned(),
    };
    Some(format!("auto-detecting template type: {error}"))
}

const NO_SCHEMA: &str = "template input missing required 'schema' field";

fn unknown_kind(node: &Node) -> Option<String> {
    let unfit = |node: &Node, target: &str| {
        let kind = node.value.go_kind("");
        Some(format!("unmarshalling template schema: json: cannot unmarshal {kind} into Go {target}"))
    };
    let Value::Mapping(fields) = &node.value else {
        return unfit(node, "value of type struct { Schema string \"json:\\\"schema\\\"\" }");
    };
    match Fields(fields).get("schema").map(|schema| (schema, schema.as_str())) {
        None | Some((_, Some(""))) => Some(NO_SCHEMA.to_owned()),
        Some((schema, None)) => unfit(schema, "struct field .schema of type string"),
        Some((_, Some(schema))) if TemplateKind::of_schema(schema).is_some() => None,
        Some((_, Some(schema))) => Some(format!("unknown template schema: {schema}")),
    }
}

/// The finding for a text that is no template: a piece of a catalog or, where nobody named a type, a document with neither the
/// schema nor a field of a template.
pub(crate) fn no_template(node: &Node, is_named: bool) -> Option<Diagnostic> {
    let Value::Mapping(entries) = &node.value else { return None };
    let has = |name: &str| entries.iter().any(|(key, _)| same_field(&key.value, name));
    if SEMVER_FIELDS.into_iter().any(has) || has("substitutions") {
        return None;
    }
    let schema = Fields(entries).get("schema").map(|schema| schema.as_str().ok_or(schema)).transpose().ok()?;
    let place = Fields(entries).get("schema").map_or(node.span.at_start(), |schema| schema.span);
    let finding = |message: String| Diagnostic::new(Rule::InvalidTemplate, place, message);
    let kinds = "write the schema of a template: `olm.template.basic`, `olm.semver` or `olm.template.substitutes`";
    match schema.filter(|schema| !schema.is_empty()) {
        Some(schema) if is_of_catalogs(schema) => Some(
            finding(format!("the file is no template but a piece of a catalog: it begins with an `{schema}` document"))
                .with_help(
                    "put its documents into `entries:` of a basic template (`opm alpha convert-template basic`)",
                ),
        ),
        Some(schema) if TemplateKind::of_schema(schema).is_some() => None,
        _ if is_named || has("entries") => None,
        Some(schema) => Some(finding(format!("`{schema}` is not the schema of a template")).with_help(kinds)),
        None => Some(finding("the document has no `schema`, and no field of a template".to_owned()).with_help(kinds)),
    }
}

/// Whether documents of a catalog have this schema (`alpha/declcfg/declcfg.go`).
fn is_of_catalogs(schema: &str) -> bool {
    matches!(schema, "olm.package" | "olm.channel" | "olm.bundle" | "olm.deprecations")
}

/// The kind of template that its author probably meant. If the schema is wrong, which `opm alpha render-template semver FILE`
/// reports, the fields decide.
pub(crate) fn intended_kind(entries: &[(Text, Node)]) -> TemplateKind {
    let has = |name: &str| entries.iter().any(|(key, _)| same_field(&key.value, name));
    let stated = Fields(entries).get("schema").and_then(Node::as_str).and_then(TemplateKind::of_schema);
    match stated {
        Some(kind @ (TemplateKind::Semver | TemplateKind::Substitutes)) => kind,
        None if has("substitutions") => TemplateKind::Substitutes,
        _ if has("entries") => TemplateKind::Basic,
        _ if SEMVER_FIELDS.into_iter().any(has) => TemplateKind::Semver,
        stated => stated.unwrap_or(TemplateKind::Semver),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_document_decides() {
        let table = [
            ("# a\nSchema: olm.semver\n", Some(TemplateKind::Semver)),
            ("{\"schema\": \"olm.template.basic\"}", Some(TemplateKind::Basic)),
            ("schema: olm.template.basic\nentries: []\n---\nschema: olm.package\n", Some(TemplateKind::Basic)),
            ("schema: olm.package\n---\nschema: olm.semver\n", None),
            ("schema: olm.template.substitutes\n", Some(TemplateKind::Substitutes)),
            ("schema: olm.template.substitute\n", None),
            ("schema: olm.Semver\n", None),
            ("", None),
            ("kind: A\n", None),
        ];
        for (text, kind) in table {
            assert_eq!(kind_of(&fbc::parse(FileId(0), text)), kind, "{text}");
        }
    }

    #[test]
    fn what_opm_says_of_a_kind_that_it_cannot_tell() {
        let unknown = "unknown template schema: ";
        let table = [
            ("schema: olm.template.substitutes\n", None),
            ("{\"SCHEMA\": \"olm.semver\"}", None),
            ("schema: olm.template.substitute\n", Some(format!("{unknown}olm.template.substitute"))),
            ("schema: olm.composite\n---\nschema: olm.semver\n", Some(format!("{unknown}olm.composite"))),
            ("entries: []\n", Some("template input missing required 'schema' field".to_owned())),
            ("schema: ''\n", Some("template input missing required 'schema' field".to_owned())),
            ("# ours\n---\nschema: olm.semver\n", Some("template input missing required 'schema' field".to_owned())),
            (
                "schema: 5\n",
                Some("unmarshalling template schema: json: cannot unmarshal number into Go struct field .schema of type string".to_owned()),
            ),
            (
                "[5]\n",
                Some("unmarshalling template schema: json: cannot unmarshal array into Go value of type struct { Schema string \"json:\\\"schema\\\"\" }".to_owned()),
            ),
            ("", Some("decoding template input: EOF".to_owned())),
            (
                "schema: [\n",
                Some("decoding template input: error converting YAML to JSON: yaml: line 1: did not find expected node content".to_owned()),
            ),
        ];
        for (text, error) in table {
            let error = error.map(|error| format!("auto-detecting template type: {error}"));
            assert_eq!(detection_error(FileId(0), text), error, "{text}");
        }
    }

    #[test]
    fn a_text_that_is_no_template_is_recognised() {
        let piece = |schema: &str| {
            Some(format!("the file is no template but a piece of a catalog: it begins with an `{schema}` document"))
        };
        let none = Some("the document has no `schema`, and no field of a template".to_owned());
        let table = [
            ("schema: olm.channel\nname: stable\nentries: [{name: op.v1.0.0}]\n", piece("olm.channel"), true),
            ("{\"Schema\": \"olm.bundle\", \"image\": \"quay.io/x/op:1\"}\n", piece("olm.bundle"), true),
            ("schema: olm.package\nname: op\n", piece("olm.package"), true),
            ("schema: olm.package\nstable: {}\n", None, false),
            ("name: op\ngenerate: true\n", none.clone(), false),
            ("schema: ''\nname: op\n", none, false),
            ("schema: olm.composite\n", Some("`olm.composite` is not the schema of a template".to_owned()), false),
            ("schema: 5\n", None, false),
            ("schema: olm.semver\nname: op\n", None, false),
            ("name: op\nentries: []\n", None, false),
            ("schema: olm.template.substitute\nsubstitutions: []\n", None, false),
            ("- schema: olm.channel\n", None, false),
        ];
        for (text, expected, is_piece) in table {
            let node = fbc::yaml_document(FileId(0), text).unwrap().node;
            assert_eq!(no_template(&node, false).map(|finding| finding.message), expected, "{text}");
            assert_eq!(no_template(&node, true).is_some(), is_piece, "{text}");
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
            ("schema: olm.template.substitutes\n", TemplateKind::Substitutes),
            ("schema: olm.template.substitute\nsubstitutions: []\nentries: []\n", TemplateKind::Substitutes),
            ("schema: olm.template.basic\nsubstitutions: []\nentries: []\n", TemplateKind::Basic),
        ];
        for (text, kind) in table {
            let node = fbc::yaml_document(FileId(0), text).unwrap().node;
            let Value::Mapping(entries) = node.value else { panic!("{text}") };
            assert_eq!(intended_kind(&entries), kind, "{text}");
        }
    }
}
