//! Typed access to the fields of an object, with a finding for each field of the wrong type.

use std::cell::{Cell, RefCell};
use std::fmt;

use fbc::{Node, Number, Value};
use source::{Diagnostic, Rule, Span};

use super::{Inherited, Kind};

/// The path of a field from its object, such as `spec.source.catalog.channels`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FieldPath(Box<str>);

impl FieldPath {
    /// Whether it is the field with this path, or below it.
    #[must_use]
    pub fn is_within(&self, path: &str) -> bool {
        self.0.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
    }
}

/// A finding about manifests, and the field that it is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldFinding {
    pub diagnostic: Diagnostic,
    /// Absent for a finding about an object as a whole, or about none.
    pub field: Option<FieldPath>,
}

impl From<Diagnostic> for FieldFinding {
    fn from(diagnostic: Diagnostic) -> Self {
        Self { diagnostic, field: None }
    }
}

/// The findings about one object.
#[derive(Default)]
pub(super) struct Problems {
    findings: RefCell<Vec<FieldFinding>>,
    /// Whether one of them is an error, so that the object must be ignored.
    has_error: Cell<bool>,
    /// Why the API server rejects the object, each with the path of the field.
    rejections: RefCell<Vec<Box<str>>>,
}

impl Problems {
    pub(super) fn into_inner(self) -> Vec<FieldFinding> {
        self.findings.into_inner()
    }
}

/// An object, or a part of it.
#[derive(Clone)]
pub(super) struct Fields<'n, 'p> {
    pub(super) node: &'n Node,
    /// The place of the part; if it is absent, the place of the object around it.
    pub(super) span: Span,
    /// The path from the object, with a final `.`; empty for the object itself.
    path: String,
    is_absent: bool,
    /// Whether the part exists but is not an object, which is already reported.
    is_wrong: bool,
    problems: &'p Problems,
}

impl<'n, 'p> Fields<'n, 'p> {
    pub(super) fn of(node: &'n Node, problems: &'p Problems) -> Self {
        Self { node, span: node.span, path: String::new(), is_absent: false, is_wrong: false, problems }
    }

    /// Whether there is no error so far.
    pub(super) fn is_valid(&self) -> bool {
        !self.problems.has_error.get()
    }

    /// The object under a key. An absent one has no fields.
    pub(super) fn part(&self, key: &str) -> Self {
        let path = format!("{}{key}.", self.path);
        match self.value(key) {
            Some(node) if matches!(node.value, Value::Mapping(_)) => {
                Self { node, span: node.span, path, is_absent: false, is_wrong: false, problems: self.problems }
            }
            found => {
                if let Some(node) = found {
                    self.wrong(key, node, "an object");
                }
                Self { path, is_absent: true, is_wrong: self.is_wrong || found.is_some(), ..self.clone() }
            }
        }
    }

    /// A text, if there is one.
    pub(super) fn text(&self, key: &str) -> Option<&'n str> {
        let node = self.value(key)?;
        match &node.value {
            Value::String(text) => Some(text),
            _ => {
                self.wrong(key, node, "text");
                None
            }
        }
    }

    /// A text that is not empty. To OLM an empty text is the same as a missing one.
    pub(super) fn non_empty(&self, key: &str) -> Option<&'n str> {
        self.text(key).filter(|text| !text.is_empty())
    }

    /// A text that must not be missing or empty.
    pub(super) fn required(&self, key: &str) -> Option<&'n str> {
        let text = self.non_empty(key);
        if text.is_none() && !self.is_wrong && self.value(key).is_none_or(|node| node.as_str().is_some()) {
            let message = format!("`{}{key}` is missing", self.path);
            self.report(key, Diagnostic::new(Rule::MissingField, self.span.at_start(), message));
        }
        text
    }

    /// The path of a field from the object.
    pub(super) fn path_of(&self, key: &str) -> String {
        format!("{}{key}", self.path)
    }

    /// The keys of the part, in the order of the text.
    pub(super) fn keys(&self) -> Vec<&'n str> {
        match &self.node.value {
            Value::Mapping(fields) if !self.is_absent => fields.iter().map(|(key, _)| &*key.value).collect(),
            _ => Vec::new(),
        }
    }

    pub(super) fn place(&self, key: &str) -> Option<Span> {
        self.value(key).map(|node| node.span)
    }

    /// A whole number in a range.
    pub(super) fn integer<N>(&self, key: &str, least: N, most: N) -> Option<N>
    where
        N: TryFrom<i128> + PartialOrd + fmt::Display,
    {
        let node = self.value(key)?;
        let whole = |number: &Number| {
            // What YAML has with a fraction or an exponent, the API server gets as an integer if it is whole.
            let float = Some(number.0).filter(|float| float.fract() == 0.0).map(|float| float as i128);
            N::try_from(number.integer().or(float)?).ok().filter(|whole| (&least..=&most).contains(&whole))
        };
        let found = if let Value::Number(number) = &node.value { whole(number) } else { None };
        if found.is_none() {
            self.wrong(key, node, &format!("a whole number from {least} to {most}"));
        }
        found
    }

    pub(super) fn is_true(&self, key: &str) -> bool {
        match self.value(key).map(|node| (node, &node.value)) {
            Some((_, Value::Bool(value))) => *value,
            Some((node, _)) => {
                self.wrong(key, node, "`true` or `false`");
                false
            }
            None => false,
        }
    }

    /// The elements of a list, without nulls.
    pub(super) fn list(&self, key: &str) -> Vec<&'n Node> {
        match self.value(key).map(|node| (node, &node.value)) {
            Some((_, Value::Sequence(items))) => items.iter().filter(|item| item.value != Value::Null).collect(),
            Some((node, _)) => {
                self.wrong(key, node, "a list");
                Vec::new()
            }
            None => Vec::new(),
        }
    }

    /// The elements of a list of objects.
    pub(super) fn parts(&self, key: &str) -> Vec<Self> {
        let item = |(index, node): (usize, &'n Node)| {
            let path = format!("{}{key}[{index}].", self.path);
            match node.value {
                Value::Mapping(_) => Some(Self {
                    node,
                    span: node.span,
                    path,
                    is_absent: false,
                    is_wrong: false,
                    problems: self.problems,
                }),
                _ => {
                    self.wrong(&format!("{key}[{index}]"), node, "an object");
                    None
                }
            }
        };
        self.list(key).into_iter().enumerate().filter_map(item).collect()
    }

    /// The elements of a list of texts.
    pub(super) fn texts(&self, key: &str) -> Vec<&'n str> {
        let text = |(index, node): (usize, &'n Node)| {
            let text = node.as_str();
            if text.is_none() {
                self.wrong(&format!("{key}[{index}]"), node, "text");
            }
            text
        };
        self.list(key).into_iter().enumerate().filter_map(text).collect()
    }

    /// Adds an error about a field; the object must then be ignored.
    pub(super) fn report(&self, key: &str, finding: Diagnostic) {
        self.problems.has_error.set(true);
        self.warn(key, finding);
    }

    /// Adds that the API server rejects the object; it can still be read.
    pub(super) fn reject(&self, key: &str, rejection: &str, finding: Diagnostic) {
        self.problems.rejections.borrow_mut().push(rejection.into());
        self.warn(key, finding);
    }

    /// Why the API server rejects the object.
    pub(super) fn rejections(&self) -> Vec<Box<str>> {
        self.problems.rejections.borrow().clone()
    }

    /// Adds a finding about a field of an object that is still used.
    pub(super) fn warn(&self, key: &str, diagnostic: Diagnostic) {
        let field = Some(FieldPath(self.path_of(key).into()));
        self.problems.findings.borrow_mut().push(FieldFinding { diagnostic, field });
    }

    /// The value under a key, unless it is null.
    fn value(&self, key: &str) -> Option<&'n Node> {
        let node = if self.is_absent { None } else { self.node.get(key) };
        node.filter(|node| node.value != Value::Null)
    }

    fn wrong(&self, key: &str, node: &Node, expected: &str) {
        let found = match &node.value {
            Value::Null => "null",
            Value::Bool(_) => "a boolean",
            Value::Number(_) => "a number",
            Value::String(_) => "text",
            Value::Sequence(_) => "a list",
            Value::Mapping(_) => "an object",
            Value::Unopened => "something nested too deeply",
        };
        let mut finding = Diagnostic::new(
            Rule::WrongType,
            node.span,
            format!("`{}{key}` must be {expected}, found {found}", self.path),
        );
        if expected == "text" && matches!(node.value, Value::Bool(_) | Value::Number(_)) {
            finding = finding.with_help("put it in quotes");
        }
        self.report(key, finding);
    }
}

// The objects of manifests as they are written, also those that cannot be read.

/// The objects of the kinds that OLM reads, in the order of the text; also those with errors.
#[must_use]
pub fn object_nodes(nodes: &[Node]) -> Vec<(Kind, &Node)> {
    let all = every_object(nodes).into_iter();
    all.filter_map(|(kind, api_version, node)| Some((Kind::of(kind, api_version)?, node))).collect()
}

/// All objects with their `kind` and `apiVersion`, which the items of a list take from it, in the order of the text.
#[must_use]
pub fn every_object(nodes: &[Node]) -> Vec<(&str, &str, &Node)> {
    let mut found = Vec::new();
    nodes.iter().for_each(|node| collect(node, &Inherited::default(), &mut found));
    found
}

fn collect<'n>(node: &'n Node, inherited: &Inherited<'n>, found: &mut Vec<(&'n str, &'n str, &'n Node)>) {
    if let Value::Sequence(items) = &node.value {
        return items.iter().for_each(|item| collect(item, inherited, found));
    }
    let text = |key| node.get(key).and_then(Node::as_str);
    let kind = text("kind").unwrap_or(inherited.kind);
    let api_version = text("apiVersion").unwrap_or(inherited.api_version);
    let of_list = if kind.is_empty() { Some(kind) } else { kind.strip_suffix("List") };
    match node.get("items").zip(of_list) {
        Some((items, "")) => collect(items, &Inherited::default(), found),
        Some((items, kind)) => collect(items, &Inherited { kind, api_version }, found),
        None => found.push((kind, api_version, node)),
    }
}

// Whether Go reads a text as a duration (`time.ParseDuration`, Go `src/time/format.go`).

const UNITS: [&str; 8] = ["ns", "us", "\u{b5}s", "\u{3bc}s", "ms", "s", "m", "h"];

/// # Errors
/// Go's error.
pub(super) fn check_go_duration(text: &str) -> Result<(), String> {
    let invalid = || format!("time: invalid duration {text:?}");
    let mut rest = text.strip_prefix(['-', '+']).unwrap_or(text);
    if rest == "0" {
        return Ok(());
    }
    if rest.is_empty() {
        return Err(invalid());
    }
    while !rest.is_empty() {
        let is_number = |c: char| c.is_ascii_digit() || c == '.';
        let end = rest.find(|c| !is_number(c)).unwrap_or(rest.len());
        let (number, after) = rest.split_at(end);
        if !number.contains(|c: char| c.is_ascii_digit()) || number.matches('.').count() > 1 {
            return Err(invalid());
        }
        let end = after.find(is_number).unwrap_or(after.len());
        let (unit, next) = after.split_at(end);
        if unit.is_empty() {
            return Err(format!("time: missing unit in duration {text:?}"));
        }
        if !UNITS.contains(&unit) {
            return Err(format!("time: unknown unit {unit:?} in duration {text:?}"));
        }
        rest = next;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use source::FileId;

    use super::*;

    #[test]
    fn objects_are_found_in_lists_and_with_errors() {
        let text = "kind: Subscription\n---\napiVersion: v1\nkind: List\nitems:\n- {kind: OperatorGroup}\n- {kind: ConfigMap}\n---\n\
                    apiVersion: olm.operatorframework.io/v1\nkind: ClusterExtensionList\nitems: [{spec: 1}]\n---\n\
                    apiVersion: messaging.knative.dev/v1\nkind: Subscription\n";
        let trees = fbc::untyped_values(FileId(0), text);
        let kinds: Vec<Kind> = object_nodes(&trees.nodes).into_iter().map(|(kind, _)| kind).collect();
        assert_eq!(kinds, [Kind::Subscription, Kind::OperatorGroup, Kind::ClusterExtension]);
    }

    #[test]
    fn errors_are_those_of_go() {
        for valid in ["0", "10m", "1h30m", "-1.5s", "+3ms", ".5s"] {
            assert_eq!(check_go_duration(valid), Ok(()), "{valid}");
        }
        let table = [
            ("ten", "time: invalid duration \"ten\""),
            ("", "time: invalid duration \"\""),
            ("1.2.3s", "time: invalid duration \"1.2.3s\""),
            ("3", "time: missing unit in duration \"3\""),
            ("1 m", "time: unknown unit \" m\" in duration \"1 m\""),
        ];
        for (text, error) in table {
            assert_eq!(check_go_duration(text), Err(error.to_owned()), "{text}");
        }
    }
}
