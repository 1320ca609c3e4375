//! The rule `invalid-lifecycle`.
//!
#![doc = include_str!("invalid_lifecycle.md")]

use fbc::raw::Text;
use fbc::{Node, Value};
use source::{Diagnostic, Findings, QuickFix, Rule, Span, Spanned};

const HELP: &str = "opm accepts it, but the schema of lifecycle data does not allow it";

/// The fields of an object of a document, whose misfits are reported.
pub(crate) struct Fields<'a> {
    /// The name of the object in messages.
    pub(crate) title: &'static str,
    /// Where a missing field is reported.
    pub(crate) place: Span,
    pub(crate) entries: &'a [(Text, Node)],
    pub(crate) text: &'a str,
    pub(crate) findings: &'a mut Findings,
}

impl<'a> Fields<'a> {
    /// Reports the fields with other names.
    pub(crate) fn check_names(&mut self, known: &[&str]) {
        let title = self.title;
        self.findings.extend(self.entries.iter().filter(|(key, _)| !known.contains(&&*key.value)).map(|(key, _)| {
            Diagnostic::new(Rule::InvalidLifecycle, key.span, format!("{title} has no field `{key}`")).with_help(HELP)
        }));
    }

    /// A text, which is required.
    pub(crate) fn text(&mut self, name: &'static str) -> Option<Spanned<Box<str>>> {
        let node = self.get(name, true)?;
        match &node.value {
            Value::String(text) if text.is_empty() => self.missing(name, node.span),
            Value::String(text) => return Some(Spanned::new(text.clone(), node.span)),
            _ => self.findings.push(wrong_type(&format!("`{name}`"), "a text", node, self.text)),
        }
        None
    }

    /// A list, which must not be empty.
    pub(crate) fn list(&mut self, name: &'static str, is_required: bool) -> &'a [Node] {
        let Some(node) = self.get(name, is_required) else { return &[] };
        match &node.value {
            Value::Sequence(items) => {
                if items.is_empty() && is_required {
                    let message = format!("`{name}` must have at least one item");
                    self.findings.push(Diagnostic::new(Rule::InvalidLifecycle, node.span, message).with_help(HELP));
                }
                items
            }
            _ => {
                self.findings.push(wrong_type(&format!("`{name}`"), "a list", node, self.text));
                &[]
            }
        }
    }

    /// A list of objects, each read by `read`.
    pub(crate) fn objects<T>(
        &mut self,
        name: &'static str,
        is_required: bool,
        title: &'static str,
        read: impl Fn(&mut Fields<'_>) -> T,
    ) -> Vec<T> {
        let mut all = Vec::new();
        for item in self.list(name, is_required) {
            match &item.value {
                Value::Mapping(entries) => {
                    let place = entries.first().map_or(item.span, |(key, _)| key.span);
                    let findings = &mut *self.findings;
                    all.push(read(&mut Fields { title, place, entries, text: self.text, findings }));
                }
                _ => {
                    let which = format!("every item of `{name}`");
                    self.findings.push(wrong_type(&which, "a mapping", item, self.text));
                }
            }
        }
        all
    }

    /// The value of a field; `null` is none.
    fn get(&mut self, name: &'static str, is_required: bool) -> Option<&'a Node> {
        let found = self.entries.iter().find(|(key, node)| *key.value == *name && node.value != Value::Null);
        if found.is_none() && is_required {
            self.missing(name, self.place);
        }
        Some(&found?.1)
    }

    fn missing(&mut self, name: &str, place: Span) {
        let message = format!("{} has no `{name}`", self.title);
        self.findings.push(Diagnostic::new(Rule::InvalidLifecycle, place, message).with_help(HELP));
    }
}

/// A value of a wrong type. A number is shown as it is read: `4.10` is 4.1.
pub(crate) fn wrong_type(which: &str, wanted: &str, node: &Node, text: &str) -> Diagnostic {
    let written = node.span.slice(text);
    let found = match (&node.value, node.to_json(text)) {
        (Value::Number(_), Ok(number)) => format!("the number {number}"),
        (value, _) => fbc::found(value.go_kind(written)).to_owned(),
    };
    let message = format!("{which} must be {wanted}, found {found}");
    let finding = Diagnostic::new(Rule::InvalidLifecycle, node.span, message);
    match &node.value {
        Value::Number(_) | Value::Bool(_) if wanted == "a text" => finding
            .with_help(format!("put it in quotes: \"{written}\"; the console finds only texts"))
            .with_fix(QuickFix::quote(node.span)),
        _ => finding.with_help(HELP),
    }
}

pub(crate) fn not_a_date(written: &str, span: Span) -> Diagnostic {
    let message = format!("`{written}` is not a date of the form YYYY-MM-DD");
    Diagnostic::new(Rule::InvalidLifecycle, span, message).with_help(HELP)
}

/// Reports a version that is not MAJOR.MINOR.
pub(crate) fn not_a_minor(version: &str, span: Span) -> Option<Diagnostic> {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let is_minor = version.split_once('.').is_some_and(|(major, minor)| is_number(major) && is_number(minor));
    let message = || format!("`{version}` is not a version of the form MAJOR.MINOR");
    (!is_minor).then(|| Diagnostic::new(Rule::InvalidLifecycle, span, message()).with_help(HELP))
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::check;

    #[test]
    fn the_example_of_the_enhancement_has_no_findings() {
        let cases = "
            == case
            schema: io.openshift.operators.lifecycles.v1alpha1
            package: p
            versions:
            - name: '4.12'
              platformCompatibility:
              - {name: openshift, versions: ['4.12', '4.13', '4.14']}
              phases:
              - {name: Full support, startDate: 2023-01-17, endDate: 2023-07-17}
              - {name: Maintenance support, startDate: 2023-07-18, endDate: 2024-07-17}
              - {name: Extended update support, startDate: 2024-07-18, endDate: 2025-01-17}
              - {name: Extended update support Term 2, startDate: 2025-01-18, endDate: 2026-01-17}
              - {name: ELS add-on, startDate: 2026-01-18, endDate: 2027-01-17}
            - name: '4.17'
              phases:
              - {name: Full support, startDate: 2024-10-01, endDate: 2025-03-31}
              - {name: Maintenance support, startDate: 2025-04-01, endDate: 2026-03-31}
        ";
        check(cases);
    }

    #[test]
    fn an_unquoted_version_is_a_number() {
        let cases = "
            == case
            schema: io.openshift.operators.lifecycles.v1alpha1
            package: p
            versions:
            - name: 4.10
                    ^^^^ invalid-lifecycle: `name` must be a text, found the number 4.1
              phases: [{name: A, startDate: 2024-01-01, endDate: 2024-02-29}]
        ";
        check(cases);
    }

    #[test]
    fn findings() {
        let cases = "
            == nothing but the schema
            schema: io.openshift.operators.lifecycles.v1alpha1
                    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ invalid-lifecycle: the lifecycle data has no `package`
                    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ invalid-lifecycle: the lifecycle data has no `versions`
            == empty lists and other fields
            schema: io.openshift.operators.lifecycles.v1alpha1
            package: p
            note: x
            ^^^^ invalid-lifecycle: the lifecycle data has no field `note`
            versions:
            - {name: '4.12', phases: []}
                                     ^^ invalid-lifecycle: `phases` must have at least one item
            - {name: v4.13, phases: [A]}
                     ^^^^^ invalid-lifecycle: `v4.13` is not a version of the form MAJOR.MINOR
                                     ^ invalid-lifecycle: every item of `phases` must be a mapping, found a text
            == dates
            schema: io.openshift.operators.lifecycles.v1alpha1
            package: p
            versions:
            - name: '4.12'
              phases: [{name: A, startDate: 2024-02-30}]
                        ^^^^ invalid-lifecycle: a phase has no `endDate`
                                            ^^^^^^^^^^ invalid-lifecycle: `2024-02-30` is not a date of the form YYYY-MM-DD
            == platforms
            schema: io.openshift.operators.lifecycles.v1alpha1
            package: p
            versions:
            - name: '4.12'
              phases: [{name: A, startDate: 2024-01-01, endDate: 2024-02-29}]
              platformCompatibility: [{name: openshift, versions: [4.12, '4']}]
                                                                   ^^^^ invalid-lifecycle: every item of `versions` must be a text, found the number 4.12
                                                                         ^^^ invalid-lifecycle: `4` is not a version of the form MAJOR.MINOR
        ";
        check(cases);
    }
}
