//! Reads an `olm.semver` template as `yaml.UnmarshalStrict` reads it into `SemverTemplateData`: unknown and duplicate keys
//! are errors, keys match in any case, and numbers and booleans become texts.

use super::{Archetype, StreamType, UNREADABLE};
use crate::expand::Report;
use fbc::raw::Text;
use fbc::{Node, Value, YamlDocument, same_field, second_spellings};
use go_semver::blang::Quoted;
use source::{Diagnostic, LineIndex, Rule, Severity, Span, Spanned};
use std::collections::BTreeMap;

/// The valid parts of a template.
#[derive(Debug)]
pub(super) struct Template {
    /// The types of channels to make.
    pub(super) streams: Vec<StreamType>,
    /// The type of channel that is preferred as the default one.
    pub(super) preference: StreamType,
    /// The images by [`Archetype`]; an empty one stands where an image is missing.
    pub(super) lists: [Vec<Spanned<Box<str>>>; 3],
}

#[derive(Default)]
struct Fields {
    schema: Option<Spanned<Box<str>>>,
    major: bool,
    minor: bool,
    preference: Option<Spanned<Box<str>>>,
    lists: [Vec<Spanned<Box<str>>>; 3],
}

const FIELDS: [&str; 7] = [
    "schema",
    "generateMajorChannels",
    "generateMinorChannels",
    "defaultChannelTypePreference",
    "candidate",
    "fast",
    "stable",
];

const ALREADY_SET: &str = "render: unable to read file: error converting YAML to JSON: yaml: unmarshal errors:";

/// Reads the template. Findings come in the order of `opm`.
pub(super) fn read(text: &str, document: YamlDocument, report: &mut Report) -> Template {
    duplicate_keys(text, &document.node, document.diagnostics, report);
    let mut strict = StrictReader { report };
    let fields = strict.template(&document.node);
    check_schema(fields.schema.as_ref(), document.node.span, report);
    let streams = match (fields.major, fields.minor) {
        (true, true) => vec![StreamType::Major, StreamType::Minor],
        (true, false) => vec![StreamType::Major],
        (false, _) => vec![StreamType::Minor],
    };
    let preference = preference(fields.preference.as_ref(), &streams, report);
    Template { streams, preference, lists: fields.lists }
}

/// Reports duplicate keys, which yaml.v2 collects in one error.
fn duplicate_keys(text: &str, node: &Node, mut findings: Vec<Diagnostic>, report: &mut Report) {
    if findings.is_empty() {
        return;
    }
    let lines = LineIndex::new(text);
    let mut values = BTreeMap::new();
    values_by_key(node, &mut values);
    let mut all = ALREADY_SET.to_owned();
    for finding in &mut findings {
        let key = finding.span;
        let line = lines.position(text, values.get(&key).unwrap_or(&key).start).line;
        let name = key.slice(text).trim_matches(['"', '\'']);
        let words = format!("\n  line {line}: key {} already set in map", Quoted(name));
        finding.severity = Severity::Error;
        finding.opm = Some(format!("{ALREADY_SET}{words}"));
        all += &words;
    }
    report.reject_with_any(findings, vec![all]);
}

/// The spans of all values by the spans of their keys.
fn values_by_key(node: &Node, values: &mut BTreeMap<Span, Span>) {
    match &node.value {
        Value::Mapping(entries) => {
            for (key, value) in entries {
                values.insert(key.span, value.span);
                values_by_key(value, values);
            }
        }
        Value::Sequence(items) => items.iter().for_each(|item| values_by_key(item, values)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Unopened => {}
    }
}

fn check_schema(schema: Option<&Spanned<Box<str>>>, whole: Span, report: &mut Report) {
    let (place, message) = match schema {
        Some(schema) if &*schema.value == "olm.semver" => return,
        Some(schema) => (schema.span, format!("`{schema}` is not the schema of templates with these fields")),
        None => (whole.at_start(), "the template has no `schema`".to_owned()),
    };
    let finding = Diagnostic::new(Rule::InvalidTemplate, place, message);
    let opm = format!("{UNREADABLE}readFile: input file has unknown schema, should be \"olm.semver\"");
    report.reject(finding.with_opm(opm).with_help("write `schema: olm.semver`"));
}

fn preference(wanted: Option<&Spanned<Box<str>>>, streams: &[StreamType], report: &mut Report) -> StreamType {
    let default = if streams.contains(&StreamType::Minor) { StreamType::Minor } else { StreamType::Major };
    let Some(wanted) = wanted.filter(|wanted| !wanted.value.is_empty()) else { return default };
    let stream = match &*wanted.value {
        "minor" => StreamType::Minor,
        "major" => StreamType::Major,
        other => {
            let message = format!("`{other}` is not a type of channel");
            let opm = format!(
                "{UNREADABLE}unknown DefaultChannelTypePreference: {}\nValid values are 'major' or 'minor'",
                Quoted(other)
            );
            let finding = Diagnostic::new(Rule::InvalidTemplate, wanted.span, message).with_opm(opm);
            report.reject(finding.with_help("write `minor` or `major`"));
            return default;
        }
    };
    if streams.contains(&stream) {
        return stream;
    }
    let opm = format!(
        "{UNREADABLE}schema attribute mismatch: DefaultChannelTypePreference set to '{wanted}' doesn't make sense if not \
         generating {wanted}-version channels"
    );
    let message = format!("the default channel cannot be a {wanted} channel: the template makes none");
    let field = if stream == StreamType::Minor { "generateMinorChannels" } else { "generateMajorChannels" };
    let finding = Diagnostic::new(Rule::InvalidTemplate, wanted.span, message).with_opm(opm);
    report.reject(finding.with_help(format!("add `{field}: true`")));
    default
}

/// Reads syntax trees into Go structs, strictly.
struct StrictReader<'a> {
    report: &'a mut Report,
}

/// The Go field that a value is read into, for error texts.
#[derive(Clone, Copy)]
struct Target<'a> {
    /// The struct that has the field.
    within: &'a str,
    /// The path from the top.
    path: &'a str,
    go_type: &'a str,
    /// What our message says is expected.
    wanted: &'a str,
}

impl StrictReader<'_> {
    fn template(&mut self, node: &Node) -> Fields {
        let mut fields = Fields::default();
        match &node.value {
            Value::Mapping(entries) => {
                self.spellings(entries, &FIELDS);
                for (key, value) in sorted(entries) {
                    match FIELDS.into_iter().find(|field| same_field(&key.value, field)) {
                        Some(name) => self.field(&mut fields, name, value),
                        None => self.unknown(key, "an `olm.semver` template", &FIELDS),
                    }
                }
            }
            Value::Null => {}
            _ => {
                let target = "Go value of type semver.SemverTemplateData".to_owned();
                self.mismatch(node, "a template must be a mapping", target);
            }
        }
        fields
    }

    fn field(&mut self, fields: &mut Fields, name: &str, value: &Node) {
        let data = |go_type, wanted| Target { within: "SemverTemplateData", path: name, go_type, wanted };
        let boolean = data("bool", "`true` or `false`");
        match name {
            "schema" => self.string(&mut fields.schema, value, data("string", "a text")),
            "defaultChannelTypePreference" => {
                self.string(&mut fields.preference, value, data("semver.StreamType", "`minor` or `major`"));
            }
            "generateMajorChannels" => self.boolean(&mut fields.major, value, boolean),
            "generateMinorChannels" => self.boolean(&mut fields.minor, value, boolean),
            archetype => {
                let at = Archetype::ALL.iter().position(|other| other.name() == archetype).unwrap_or_default();
                self.channel(&mut fields.lists[at], value, data("semver.channelBundles", "a mapping with `bundles`"));
            }
        }
    }

    fn channel(&mut self, list: &mut Vec<Spanned<Box<str>>>, node: &Node, target: Target<'_>) {
        let Some(entries) = self.mapping(node, target) else { return };
        let path = format!("{}.bundles", target.path);
        self.spellings(entries, &["bundles"]);
        let bundles = |go_type, wanted| Target { within: "channelBundles", path: &path, go_type, wanted };
        for (key, value) in sorted(entries) {
            if !same_field(&key.value, "bundles") {
                self.unknown(key, &format!("`{}`", target.path), &["bundles"]);
                continue;
            }
            match &value.value {
                Value::Sequence(items) => {
                    list.truncate(items.len());
                    for (at, item) in items.iter().enumerate() {
                        if at == list.len() {
                            list.push(Spanned::new(Box::default(), item.span));
                        }
                        self.bundle(&mut list[at], item, bundles("semver.bundleEntry", "a mapping with `image`"));
                    }
                }
                Value::Null => list.clear(),
                _ => self.misfit(value, bundles("[]semver.bundleEntry", "a list of images")),
            }
        }
    }

    fn bundle(&mut self, image: &mut Spanned<Box<str>>, node: &Node, target: Target<'_>) {
        let Some(entries) = self.mapping(node, target) else { return };
        self.spellings(entries, &["image"]);
        let path = format!("{}.image", target.path);
        for (key, value) in sorted(entries) {
            if same_field(&key.value, "image") {
                let mut found = None;
                let target = Target { within: "bundleEntry", path: &path, go_type: "string", wanted: "a text" };
                self.string(&mut found, value, target);
                if let Some(found) = found {
                    *image = found;
                }
            } else {
                self.unknown(key, "a bundle", &["image"]);
            }
        }
    }

    /// Reports keys that are one field to Go: the values are decoded into it one after the other.
    fn spellings(&mut self, entries: &[(Text, Node)], fields: &[&str]) {
        second_spellings(entries, fields).into_iter().for_each(|finding| self.report.note(finding));
    }

    fn mapping<'n>(&mut self, node: &'n Node, target: Target<'_>) -> Option<&'n [(Text, Node)]> {
        match &node.value {
            Value::Mapping(entries) => Some(entries),
            Value::Null => None,
            _ => {
                self.misfit(node, target);
                None
            }
        }
    }

    fn string(&mut self, out: &mut Option<Spanned<Box<str>>>, node: &Node, target: Target<'_>) {
        match &node.value {
            Value::String(text) => *out = Some(Spanned::new(text.clone(), node.span)),
            Value::Null => {}
            _ => match node.coerced() {
                Some(text) => *out = Some(Spanned::new(text.into(), node.span)),
                None => self.misfit(node, target),
            },
        }
    }

    fn boolean(&mut self, out: &mut bool, node: &Node, target: Target<'_>) {
        match &node.value {
            Value::Bool(value) => *out = *value,
            Value::Null => {}
            _ => self.misfit(node, target),
        }
    }

    fn misfit(&mut self, node: &Node, target: Target<'_>) {
        let Target { within, path, go_type, wanted } = target;
        let field = path.rsplit('.').next().unwrap_or(path);
        let message = format!("`{field}` must be {wanted}");
        self.mismatch(node, &message, format!("Go struct field {within}.{path} of type {go_type}"));
    }

    fn mismatch(&mut self, node: &Node, message: &str, target: String) {
        let kind = node.value.go_kind("");
        let opm = self.unmarshal(&format!("cannot unmarshal {kind} into {target}"));
        self.report.reject(Diagnostic::new(Rule::WrongType, node.span, message).with_opm(opm));
    }

    fn unknown(&mut self, key: &Text, owner: &str, known: &[&str]) {
        let opm = self.unmarshal(&format!("unknown field {}", Quoted(&key.value)));
        let mut finding = Diagnostic::new(Rule::UnknownField, key.span, format!("{owner} has no field `{key}`"));
        finding.severity = Severity::Error;
        let help = match &*key.value {
            "package" => "remove it: the package is taken from the bundles".to_owned(),
            _ => format!("its fields are `{}`", known.join("`, `")),
        };
        self.report.reject(finding.with_opm(opm).with_help(help));
    }

    fn unmarshal(&self, words: &str) -> String {
        format!("{UNREADABLE}error unmarshaling JSON: while decoding JSON: json: {words}")
    }
}

/// The entries in the order in which Go decodes them: it converts YAML to JSON first, and `json.Marshal` sorts keys.
fn sorted(entries: &[(Text, Node)]) -> Vec<&(Text, Node)> {
    let mut sorted: Vec<_> = entries.iter().collect();
    sorted.sort_by(|(one, _), (other, _)| one.value.cmp(&other.value));
    sorted
}
