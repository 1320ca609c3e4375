//! The checks that every document passes before its schema is looked at (operator-registry `declcfg.go`,
//! `extractUniqueMetaKeys`), and the choice of a decoder.

use crate::decode::{Decoder, found};
use crate::parse::Findings;
use crate::raw::{self, RawDoc, RawOther, Text};
use crate::{Node, Value, go};
use source::{Diagnostic, OpmVersion, QuickFix, Rewrite, Rule, Severity, Span, name_list};
use std::collections::BTreeMap;

const SCHEMAS: [&str; 4] = ["olm.package", "olm.channel", "olm.bundle", "olm.deprecations"];

/// The schemas of templates: those of operator-registry `alpha/template`, and those of the composite template, which ended
/// with v1.43.1.
const TEMPLATES: [&str; 5] =
    ["olm.semver", "olm.template.basic", "olm.template.substitutes", "olm.composite", "olm.composite.catalogs"];

/// How the document was written, which decides what `opm` puts before an error.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Syntax {
    Json,
    Yaml,
}

impl Syntax {
    /// What `opm` puts before an error that the checks here find.
    pub(crate) const fn prefix(self) -> &'static str {
        match self {
            Self::Json => "",
            Self::Yaml => "error unmarshaling JSON: while decoding JSON: ",
        }
    }
}

/// One document on its way from a tree to a raw document.
pub(crate) struct Meta<'a> {
    pub(crate) text: &'a str,
    pub(crate) syntax: Syntax,
    pub(crate) diagnostics: &'a mut Findings,
    /// Starts of unopened values that certainly have the shape of their type; ascending.
    pub(crate) fitting: &'a [u32],
}

impl Meta<'_> {
    /// The raw document, unless the node is not an object or has no schema.
    pub(crate) fn document(&mut self, node: Node) -> Option<RawDoc> {
        let span = node.span;
        let Value::Mapping(mut entries) = node.value else {
            self.diagnostics.push(self.not_an_object(&node));
            return None;
        };
        self.duplicate_spellings(&entries);
        let schema = match lookup(&entries, "schema") {
            Some(node) if node.as_str() != Some("") => text(node),
            node => {
                let first_key = entries.first().map_or(span, |(key, _)| key.span);
                let place = node.map_or(first_key, |node| node.span);
                self.diagnostics.report(true, || no_schema(self.text, &entries, place));
                None
            }
        };
        let is_known = schema.as_ref().is_some_and(|schema| SCHEMAS.contains(&&*schema.value));
        entries.retain(|(key, node)| self.keeps(key, node, is_known));
        schema.map(|schema| self.by_schema(schema, &mut entries))
    }

    fn by_schema(&mut self, schema: Text, entries: &mut [(Text, Node)]) -> RawDoc {
        match &*schema.value {
            "olm.package" => RawDoc::Package(raw::decode_package(&mut self.decoder("parse package: "), entries)),
            "olm.channel" => RawDoc::Channel(raw::decode_channel(&mut self.decoder("parse channel: "), entries)),
            "olm.bundle" => RawDoc::Bundle(raw::decode_bundle(&mut self.decoder("parse bundle: "), entries)),
            "olm.deprecations" => {
                let decoder = self.decoder("parse deprecation: ");
                let mut decoder = Decoder { since: Some(OpmVersion::DEPRECATIONS), ..decoder };
                RawDoc::Deprecations(raw::decode_deprecations(&mut decoder, entries))
            }
            other => {
                unknown_schema(&schema).into_iter().for_each(|finding| self.diagnostics.push(finding));
                RawDoc::Other(RawOther {
                    package: lookup(entries, "package").and_then(text),
                    name: lookup(entries, "name").and_then(text),
                    lifecycle: if other == raw::LIFECYCLE_SCHEMA { entries.to_vec() } else { Vec::new() },
                    schema,
                })
            }
        }
    }

    const fn decoder(&mut self, prefix: &'static str) -> Decoder<'_> {
        Decoder { text: self.text, prefix, since: None, diagnostics: self.diagnostics, fitting: self.fitting }
    }

    /// Whether the field is kept for the decoder; `schema`, `package` and `name` are dropped when they are not texts. `is_known` tells
    /// whether the schema has a Go type, in which `name` always was a text.
    fn keeps(&mut self, key: &Text, node: &Node, is_known: bool) -> bool {
        if node.as_str().is_some() {
            return true;
        }
        let folded = fold(&key.value);
        if !matches!(&*folded, "schema" | "package" | "name") {
            return true;
        }
        let shown = node.to_json(self.text).map_or_else(|_| String::new(), |json| go::misprinted(&json));
        let opm = format!("{}expected value for key {:?} to be a string, got {shown}", self.syntax.prefix(), key.value);
        let written = node.span.slice(self.text);
        let kind = found(node.value.go_kind(written));
        let finding = Diagnostic::new(Rule::WrongType, node.span, format!("`{folded}` must be a text, found {kind}"));
        let finding = finding.with_opm(opm);
        let finding = if folded == "name" && !is_known { finding.since(OpmVersion::NAMES) } else { finding };
        self.diagnostics.push(match node.value {
            Value::Bool(_) | Value::Number(_) => {
                finding.with_help(format!("put it in quotes: \"{written}\"")).with_fix(QuickFix::quote(node.span))
            }
            _ => finding.with_help(format!("give `{folded}` a text or leave it out")),
        });
        false
    }

    /// Reports top-level keys that differ in case only, which `opm` rejects for every key.
    fn duplicate_spellings(&mut self, entries: &[(Text, Node)]) {
        let mut spellings: BTreeMap<String, Vec<&Text>> = BTreeMap::new();
        for (key, _) in entries {
            spellings.entry(fold(&key.value)).or_default().push(key);
        }
        spellings.retain(|_, keys| keys.len() > 1);
        let all: Vec<String> = spellings.iter().map(|(folded, keys)| duplicate_spelling(folded, keys)).collect();
        // `opm` reports them together, in any order.
        let list = if all.len() > 1 { format!("[{}]", all.join(", ")) } else { all.concat() };
        for keys in spellings.values() {
            let (first, last) = (keys[0].span, keys[keys.len() - 1]);
            let message = format!("the key `{last}` occurs before in another spelling");
            let mut finding =
                Diagnostic::new(Rule::DuplicateKey, last.span, message).with_label(first, "the first one");
            finding.severity = Severity::Error;
            let opm = format!("{}{list}", self.syntax.prefix());
            self.diagnostics.push(finding.with_opm(opm).since(OpmVersion::UNIQUE_KEYS).with_help("keep one of them"));
        }
    }

    fn not_an_object(&self, node: &Node) -> Diagnostic {
        if node.value == Value::Null {
            let opm = "object 'null\n' is missing root schema field";
            return empty_document(node.span).with_opm(opm);
        }
        let kind = node.value.go_kind(node.span.slice(self.text));
        let offset = match &node.value {
            Value::Sequence(_) => 1,
            _ => go::json(&node.to_json(self.text).unwrap_or_default()).len(),
        };
        let go = "into Go value of type map[string]interface {}";
        let opm =
            format!("{}json: cannot unmarshal {kind} {go} at offset {offset} (indicated by <==)", self.syntax.prefix());
        let message = format!("a document must be a mapping with a `schema`, found {}", found(kind));
        let first = node.span.slice(self.text).chars().next().map_or(0, |c| c.len_utf8() as u32);
        let place = Span::new(node.span.file, node.span.start, node.span.start + first);
        Diagnostic::new(Rule::WrongType, place, message)
            .with_opm(opm)
            .with_help("write each object as a document of its own, with `---` between them")
    }
}

/// The error of `opm` for keys that differ in case only.
fn duplicate_spelling(folded: &str, keys: &[&Text]) -> String {
    let mut keys: Vec<&str> = keys.iter().map(|key| &*key.value).collect();
    keys.sort_unstable();
    format!("duplicate keys for key {folded:?}: [{}]", keys.join(" "))
}

fn no_schema(text: &str, entries: &[(Text, Node)], place: Span) -> Diagnostic {
    let fields = entries.iter().map(|(key, node)| Ok((key.value.to_string(), node.to_json(text)?)));
    let object: Result<serde_json::Map<_, _>, crate::OpenError> = fields.collect();
    let blob = go::json(&object.unwrap_or_default().into());
    Diagnostic::new(Rule::MissingField, place, "the document has no `schema`")
        .with_opm(format!("object '{blob}\n' is missing root schema field"))
        .with_help("say what it is, such as `schema: olm.bundle`")
}

/// The finding about a document of only blanks and comments.
pub(crate) fn empty_document(span: Span) -> Diagnostic {
    Diagnostic::new(Rule::EmptyDocument, span, "a document without content, which opm rejects")
        .with_opm("object '' is missing root schema field")
        .with_help("remove the `---` that makes it a document, or the blank lines and comments around it")
        .with_fix(QuickFix::new("Remove the empty document", Rewrite::RemoveDocument { span }))
}

/// The value of a key in any spelling.
pub(crate) fn lookup<'n>(entries: &'n [(Text, Node)], name: &str) -> Option<&'n Node> {
    entries.iter().find(|(key, _)| is_spelling_of(&key.value, name)).map(|(_, node)| node)
}

/// Reports a schema under OLM's names that nobody reads.
fn unknown_schema(schema: &Text) -> Option<Diagnostic> {
    let name = &*schema.value;
    let near = nearest(name, SCHEMAS.into_iter().chain(TEMPLATES));
    if TEMPLATES.contains(&name) || !(near.is_some() || name.starts_with("olm.")) {
        return None;
    }
    let message = format!("unknown schema `{name}`, which opm keeps without looking at it");
    let finding = Diagnostic::new(Rule::UnknownSchema, schema.span, message);
    Some(match near {
        Some(near) => {
            finding.with_help(format!("did you mean `{near}`?")).with_fix(QuickFix::rename(schema.span, near))
        }
        None => finding.with_help(format!("OLM reads only {}", name_list(SCHEMAS))),
    })
}

fn text(node: &Node) -> Option<Text> {
    node.as_str().map(|text| Text::new(text.into(), node.span))
}

/// Whether the key is `name`, which is lower-case, in any spelling.
fn is_spelling_of(key: &str, name: &str) -> bool {
    if key.is_ascii() { key.eq_ignore_ascii_case(name) } else { fold(key) == name }
}

/// Unicode case folding, as far as lower-casing differs from it in keys that anyone writes.
fn fold(key: &str) -> String {
    key.to_lowercase().replace('ſ', "s").replace('ß', "ss")
}

// Finds the known word that a misspelt one is nearest to.

/// Longer words get no suggestion: comparing takes time in proportion to their length.
const LONGEST: usize = 64;

/// The candidate that `word` differs from by few edits: one in short words, two in longer ones.
pub(crate) fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if word.len() > LONGEST {
        return None;
    }
    let word = word.to_lowercase();
    let most = if word.chars().count() <= 4 { 1 } else { 2 };
    let near =
        candidates.into_iter().map(|candidate| (strsim::osa_distance(&word, &candidate.to_lowercase()), candidate));
    near.filter(|&(edits, _)| edits <= most).min_by_key(|&(edits, _)| edits).map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suggests_what_is_near_only() {
        let fields = ["name", "defaultChannel", "schema"];
        for (word, expected) in [
            ("nmae", Some("name")),
            ("DefaultChanel", Some("defaultChannel")),
            ("shcema", Some("schema")),
            ("icon", None),
            ("x", None),
            (&"name".repeat(1_000_000), None),
        ] {
            assert_eq!(nearest(word, fields), expected, "{word}");
        }
    }
}
