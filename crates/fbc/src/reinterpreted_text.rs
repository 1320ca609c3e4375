//! The rule `reinterpreted-text`.
//!
#![doc = include_str!("rules/reinterpreted_text.md")]

use crate::go;
use crate::yaml::Scalar;
use source::{Diagnostic, Rule, Span};

/// Judges a plain scalar in the value of a property.
pub(crate) fn value(text: &str, scalar: Scalar, span: Span) -> Option<Diagnostic> {
    let read = match scalar {
        Scalar::Bool(_) if matches!(text, "true" | "True" | "TRUE" | "false" | "False" | "FALSE") => return None,
        Scalar::Bool(value) => value.to_string(),
        Scalar::Int(value) => go::json_float(value as f64),
        Scalar::Float(value) => go::json_float(value),
        Scalar::Null | Scalar::Text => return None,
    };
    let kind = if matches!(scalar, Scalar::Bool(_)) { "boolean" } else { "number" };
    (read != text).then(|| told(span, format!("opm reads `{text}` as the {kind} {read}")))
}

/// Judges a plain scalar that is the key `read`.
pub(crate) fn key(text: &str, read: &str, span: Span) -> Option<Diagnostic> {
    (text != read).then(|| told(span, format!("opm reads the key `{text}` as `{read}`")))
}

fn told(span: Span, message: String) -> Diagnostic {
    Diagnostic::new(Rule::ReinterpretedText, span, message).with_help("put it in quotes if it is meant as text")
}

#[cfg(test)]
mod tests {
    use source::FileId;

    #[track_caller]
    fn check(value: &str, expected: &[&str]) {
        let text = format!("schema: olm.bundle\nproperties:\n- type: olm.label\n  value: {value}\n");
        let parse = crate::parse(FileId(0), &text);
        let told: Vec<_> = parse.diagnostics.iter().map(|finding| finding.message.as_str()).collect();
        assert_eq!(told, expected, "{value}");
    }

    #[test]
    fn values() {
        check("[true, 1, 1.5, text, '010', \"on\", ~, 4.10.1, !!str 010]", &[]);
        check(
            "[on, n, 010, 0x1f, 1_000, 4.10, 9007199254740993]",
            &[
                "opm reads `on` as the boolean true",
                "opm reads `n` as the boolean false",
                "opm reads `010` as the number 8",
                "opm reads `0x1f` as the number 31",
                "opm reads `1_000` as the number 1000",
                "opm reads `4.10` as the number 4.1",
                "opm reads `9007199254740993` as the number 9007199254740992",
            ],
        );
    }

    #[test]
    fn keys() {
        check(
            "{y: 1, 2.50: a, 7: b, 'n': c}",
            &["opm reads the key `y` as `true`", "opm reads the key `2.50` as `2.5`"],
        );
    }

    #[test]
    fn elsewhere_a_type_is_asked_for() {
        let parse = crate::parse(FileId(0), "schema: olm.channel\nentries:\n- name: on\n");
        let rules: Vec<_> = parse.diagnostics.iter().map(|finding| finding.rule.id()).collect();
        assert_eq!(rules, ["wrong-type"]);
    }
}
