//! Fields of an object, each of the kind that the API wants, with a finding at the place of one that is not.

use std::cell::{Cell, RefCell};

use fbc::{Node, Value};
use source::{Diagnostic, Rule, Span};

/// What is wrong with one object.
#[derive(Default)]
pub(super) struct Problems {
    found: RefCell<Vec<Diagnostic>>,
    broken: Cell<bool>,
}

impl Problems {
    pub(super) fn into_inner(self) -> Vec<Diagnostic> {
        self.found.into_inner()
    }
}

/// An object or a part of it.
#[derive(Clone)]
pub(super) struct Fields<'n, 'p> {
    pub(super) node: &'n Node,
    /// The part's place; for one that is absent that of the object around it.
    pub(super) span: Span,
    /// How to get here from the object; empty for the object itself, with a final `.` for a part.
    path: String,
    absent: bool,
    /// It is there but no object, which is told already.
    wrong: bool,
    problems: &'p Problems,
}

impl<'n, 'p> Fields<'n, 'p> {
    pub(super) fn of(node: &'n Node, problems: &'p Problems) -> Self {
        Self { node, span: node.span, path: String::new(), absent: false, wrong: false, problems }
    }

    /// Whether everything that was read so far is as it should be.
    pub(super) fn is_sound(&self) -> bool {
        !self.problems.broken.get()
    }

    /// The object under a key; one that is absent has no fields.
    pub(super) fn part(&self, key: &str) -> Self {
        let path = format!("{}{key}.", self.path);
        match self.value(key) {
            Some(node) if matches!(node.value, Value::Mapping(_)) => {
                Self { node, span: node.span, path, absent: false, wrong: false, problems: self.problems }
            }
            found => {
                if let Some(node) = found {
                    self.wrong(key, node, "an object");
                }
                Self { path, absent: true, wrong: self.wrong || found.is_some(), ..self.clone() }
            }
        }
    }

    /// A text; nothing if there is none.
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

    /// A text that says something; OLM does not tell an empty one from none.
    pub(super) fn some(&self, key: &str) -> Option<&'n str> {
        self.text(key).filter(|text| !text.is_empty())
    }

    /// A text that has to be there.
    pub(super) fn required(&self, key: &str) -> Option<&'n str> {
        let text = self.some(key);
        if text.is_none() && !self.wrong && self.value(key).is_none_or(|node| node.as_str().is_some()) {
            let message = format!("`{}{key}` is missing", self.path);
            self.report(Diagnostic::new(Rule::MissingField, self.span.at_start(), message));
        }
        text
    }

    /// Where a field stands.
    pub(super) fn place(&self, key: &str) -> Option<Span> {
        self.value(key).map(|node| node.span)
    }

    /// A whole number in a range.
    pub(super) fn integer(&self, key: &str, least: i32, most: i32) -> Option<i32> {
        let node = self.value(key)?;
        match &node.value {
            Value::Number(number)
                if number.0.fract() == 0.0 && (f64::from(least)..=f64::from(most)).contains(&number.0) =>
            {
                Some(number.0 as i32)
            }
            _ => {
                self.wrong(key, node, &format!("a whole number from {least} to {most}"));
                None
            }
        }
    }

    /// Whether a field is `true`.
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

    /// The elements of a list, those that say nothing left out.
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
                Value::Mapping(_) => {
                    Some(Self { node, span: node.span, path, absent: false, wrong: false, problems: self.problems })
                }
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

    /// Adds a finding about the object, which does not count then.
    pub(super) fn report(&self, finding: Diagnostic) {
        self.problems.broken.set(true);
        self.problems.found.borrow_mut().push(finding);
    }

    /// Adds a finding about an object that counts all the same.
    pub(super) fn warn(&self, finding: Diagnostic) {
        self.problems.found.borrow_mut().push(finding);
    }

    /// What stands under a key and is not null.
    fn value(&self, key: &str) -> Option<&'n Node> {
        let node = if self.absent { None } else { self.node.get(key) };
        node.filter(|node| node.value != Value::Null)
    }

    fn wrong(&self, key: &str, node: &Node, expected: &str) {
        let found = match &node.value {
            Value::Null => "nothing",
            Value::Bool(_) => "a yes or no",
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
        self.report(finding);
    }
}
