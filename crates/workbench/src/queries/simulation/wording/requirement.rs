//! Requirements and how they are met, in words.

use predicate::{Gvk, Property, Requirement};
use resolver::Witness;
use source::Span;

/// What completes "requires …".
pub(in crate::queries) fn requirement(requirement: &Requirement) -> String {
    match requirement {
        Requirement::Gvk(gvk) => format!("the API {}", api(gvk)),
        Requirement::Package { name, text, .. } => format!("package `{name}` in range `{text}`"),
        Requirement::Label(label) => format!("an operator with label `{label}`"),
        Requirement::All(inner) => several(inner, "all of", "and"),
        Requirement::Any(inner) => several(inner, "any of", "or"),
        Requirement::Not(inner) => several(inner, "an operator without", "and without"),
        Requirement::Cel { rule, message, .. } if message.trim().is_empty() => {
            format!("an operator for which the rule `{}` holds", one_line(rule))
        }
        Requirement::Cel { rule, message, .. } => {
            format!("an operator for which the rule `{}` holds (“{}”)", one_line(rule), one_line(message))
        }
    }
}

/// `` `Kind` (group/version) ``
pub(super) fn api(Gvk { group, version, kind }: &Gvk) -> String {
    format!("`{kind}` ({group}/{version})")
}

/// What completes "… meets that: ", and where it stands.
pub(super) fn witness(witness: &Witness) -> (String, Option<Span>) {
    match witness {
        Witness::Property { property: Property::Gvk(gvk, ..), span } => (format!("it provides {}", api(gvk)), *span),
        Witness::Property { property, span } => (format!("it has the property `{}`", property.kind()), *span),
        Witness::Package { version, span } => (format!("its version is `{version}`"), *span),
        Witness::All(inner) => {
            let parts: Vec<(String, Option<Span>)> = inner.iter().map(self::witness).collect();
            let text = parts.iter().map(|(text, _)| text.as_str()).collect::<Vec<_>>().join(" and ");
            (text, parts.iter().find_map(|(_, span)| *span))
        }
        Witness::Any(_, inner) => self::witness(inner),
        Witness::Not(inner) => (format!("it is none of what is excluded: {}", joined(inner, "or")), None),
        Witness::Rule => ("the rule is true of its properties".to_owned(), None),
    }
}

fn several(inner: &[Requirement], what: &str, last: &str) -> String {
    match inner {
        [only] if what != "an operator without" => requirement(only),
        _ => format!("{what} ({})", joined(inner, last)),
    }
}

fn joined(inner: &[Requirement], last: &str) -> String {
    inner.iter().map(requirement).collect::<Vec<_>>().join(&format!(" {last} "))
}

/// Rules are written over several lines; a backtick would end the name that they stand in.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").replace('`', "'")
}
