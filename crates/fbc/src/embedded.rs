//! Catalog documents that are embedded in other files, such as templates.

use crate::findings::Findings;
use crate::meta::{Meta, Syntax};
use crate::{Doc, Node, Parse, Value, go, yaml};
use source::{Diagnostic, FileId, Rule, Span};

/// The first YAML document of a text.
#[derive(Clone, Debug, PartialEq)]
pub struct YamlDocument {
    /// The value, built down to 64 levels; null when the text has no content.
    pub node: Node,
    /// The byte at which the value ends. What follows was not looked at.
    pub end: u32,
    /// Findings about keys that occur twice, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads the first document of a text as `yaml.Unmarshal` of `sigs.k8s.io/yaml` does: by YAML's own rules of where a
/// document ends, JSON as a kind of YAML.
///
/// ```
/// use source::FileId;
///
/// let document = fbc::yaml_document(FileId(0), "# licence\n---\nkind: A\n---\nkind: B\n").unwrap();
/// assert_eq!((document.node.get("kind").and_then(fbc::Node::as_str), document.end), (Some("A"), 22));
/// ```
///
/// # Errors
/// When the document is not well-formed; `opm` of the finding is the error of `yaml.Unmarshal`.
pub fn yaml_document(file: FileId, text: &str) -> Result<YamlDocument, Box<Diagnostic>> {
    match yaml::read_text(file, text, yaml::Open::All) {
        Ok(document) => Ok(YamlDocument {
            node: document.node,
            end: document.end.min(text.len()) as u32,
            diagnostics: document.diagnostics.into_reported(),
        }),
        Err(fault) => {
            let at = text.floor_char_boundary(fault.at);
            let end = text.ceil_char_boundary((at + 1).min(text.len()));
            let opm = fault.opm();
            let place = Span::new(file, at as u32, end as u32);
            let mut finding = Diagnostic::new(Rule::BrokenDocument, place, fault.message);
            finding.opm = opm;
            Err(Box::new(finding))
        }
    }
}

/// Reads parts of a text as catalog documents: what `declcfg.LoadSlice` does with the entries of a template.
#[must_use]
pub fn documents(text: &str, nodes: Vec<Node>) -> Parse {
    let mut parse = Parse::default();
    let mut findings = Findings::default();
    for node in nodes {
        let span = node.span;
        let mut meta = Meta { text, syntax: Syntax::Json, diagnostics: &mut findings, fitting: &[] };
        parse.docs.extend(meta.document(node).map(|raw| Doc { span, raw }));
    }
    parse.diagnostics = findings.into_reported();
    parse
}

impl Node {
    /// The text that `sigs.k8s.io/yaml` makes of a number or boolean where a text is wanted. Nothing for other values.
    #[must_use]
    pub fn coerced(&self) -> Option<String> {
        match self.value {
            Value::Bool(value) => Some(value.to_string()),
            Value::Number(number) => Some(go::coerced(number)),
            Value::Null | Value::String(_) | Value::Sequence(_) | Value::Mapping(_) | Value::Unopened => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn broken(text: &str) -> (u32, String) {
        let finding = yaml_document(FileId(0), text).unwrap_err();
        (finding.span.start, finding.opm.unwrap())
    }

    #[test]
    fn faults_count_lines_from_the_top_of_the_text() {
        let words = "error converting YAML to JSON: yaml: line 3: mapping values are not allowed in this context";
        assert_eq!(broken("---\na: 1\nb: c: d\n"), (13, words.to_owned()));
    }

    #[test]
    fn only_the_first_document_is_read() {
        let document = yaml_document(FileId(0), "\u{feff}a: 1\na: 2\n...\nb: [\n").unwrap();
        assert_eq!((document.diagnostics.len(), document.node.get("b")), (1, None));
        assert_eq!(yaml_document(FileId(0), "---\n---\na: 1\n").unwrap().node.value, Value::Null);
        assert_eq!(yaml_document(FileId(0), "").unwrap().node.value, Value::Null);
    }

    #[test]
    fn numbers_and_booleans_become_texts() {
        let text = "[4.10, 5, yes, 1e6, 1.5, 0xE, 9007199254740993, x]";
        let Value::Sequence(items) = yaml_document(FileId(0), text).unwrap().node.value else { panic!() };
        let coerced: Vec<_> = items.iter().map(Node::coerced).collect();
        let expected = ["4.1", "5", "true", "1e+06", "1.5", "14", "9007199254740993"].map(|text| Some(text.to_owned()));
        assert_eq!(coerced, [&expected[..], &[None]].concat());
    }

    #[test]
    fn parts_are_read_as_documents() {
        let text = "entries:\n- schema: olm.package\n  name: a\n- schema: olm.channel\n  name: 1.0\n- x\n";
        let node = yaml_document(FileId(0), text).unwrap().node;
        let Some(Value::Sequence(items)) = node.get("entries").map(|entries| entries.value.clone()) else { panic!() };
        let parse = documents(text, items);
        let opm: Vec<_> = parse.diagnostics.iter().filter_map(|finding| finding.opm.as_deref()).collect();
        assert_eq!(parse.docs.len(), 2);
        assert_eq!(opm[0], "expected value for key \"name\" to be a string, got %!t(float64=1): 1");
        assert!(opm[1].starts_with("json: cannot unmarshal string into Go value of type map[string]interface {}"));
    }
}
