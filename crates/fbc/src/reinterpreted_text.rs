//! The rule `reinterpreted-text`.
//!
#![doc = include_str!("rules/reinterpreted_text.md")]

use crate::go;
use crate::yaml::Scalar;
use source::{Diagnostic, QuickFix, Rule, Span};

/// Checks a plain scalar in the value of a property.
pub(crate) fn value(text: &str, scalar: Scalar, span: Span) -> Option<Diagnostic> {
    let read = match scalar {
        Scalar::Bool(_) if matches!(text, "true" | "True" | "TRUE" | "false" | "False" | "FALSE") => return None,
        Scalar::Bool(value) => value.to_string(),
        Scalar::Int(value) => go::json_float(value as f64),
        Scalar::Float(value) => go::json_float(value),
        Scalar::Null | Scalar::Text => return None,
    };
    let kind = if matches!(scalar, Scalar::Bool(_)) { "boolean" } else { "number" };
    (read != text).then(|| finding(span, format!("opm reads `{text}` as the {kind} {read}")))
}

/// Checks a plain scalar that is read as the key `read`.
pub(crate) fn key(text: &str, read: &str, span: Span) -> Option<Diagnostic> {
    (text != read).then(|| finding(span, format!("opm reads the key `{text}` as `{read}`")))
}

/// Checks a number of JSON, which is read as written but for digits that `float64` cannot hold. `document` is the byte at which the document begins.
pub(crate) fn json_number(text: &str, value: f64, span: Span, document: u32) -> Option<Diagnostic> {
    if !value.is_finite() {
        let offset = span.end - document + 1;
        let go = format!("json: cannot unmarshal number {text} into Go value of type float64 at offset {offset}");
        let finding = Diagnostic::new(Rule::WrongType, span, format!("opm cannot hold the number {text}"));
        let finding = finding.with_opm(format!("{go} (indicated by <==)")).with_help("put it in quotes");
        return Some(finding.with_fix(QuickFix::quote(span)));
    }
    const EXACT_DIGITS: usize = 15;
    let read = go::json_float(value);
    let is_lost = text.len() > EXACT_DIGITS && digits(text) != digits(&read);
    is_lost.then(|| finding(span, format!("opm reads `{text}` as the number {read}")))
}

/// The digits of a number without leading and trailing zeros, and the power of ten of the first.
fn digits(number: &str) -> (String, i64) {
    let (mantissa, exponent) = number.split_once(['e', 'E']).unwrap_or((number, "0"));
    let mantissa = mantissa.trim_start_matches('-');
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let all = [whole, fraction].concat();
    let significant = all.trim_start_matches('0');
    let power = whole.len() as i64 - (all.len() - significant.len()) as i64;
    let exponent: i64 = exponent.parse().unwrap_or_default();
    match significant.is_empty() {
        true => (String::new(), 0),
        false => (significant.trim_end_matches('0').to_owned(), power.saturating_add(exponent)),
    }
}

/// One half of a character that needs two escapes in JSON.
pub(crate) fn lone_surrogate(escape: &str, span: Span) -> Diagnostic {
    let message = format!("opm reads `{escape}`, half of a character, as U+FFFD");
    let finding = Diagnostic::new(Rule::ReinterpretedText, span, message);
    finding.with_help("write both halves, or the character itself")
}

fn finding(span: Span, message: String) -> Diagnostic {
    Diagnostic::new(Rule::ReinterpretedText, span, message)
        .with_help("put it in quotes if it is meant as text")
        .with_fix(QuickFix::quote(span))
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
    fn json() {
        let text = r#"{"schema":"x","a\udc00":[1.0, 1.10, 9007199254740993, 0.1234567890123456789, 1e22, 100000000000000000000, "\ud83d\ude00\ud83d\ufffd"]}"#;
        let parse = crate::parse(FileId(0), text);
        let told: Vec<_> =
            parse.diagnostics.iter().map(|told| (told.span.slice(text), told.message.as_str())).collect();
        let expected = [
            ("9007199254740993", "opm reads `9007199254740993` as the number 9007199254740992"),
            ("0.1234567890123456789", "opm reads `0.1234567890123456789` as the number 0.12345678901234568"),
            (r"\ud83d", r"opm reads `\ud83d`, half of a character, as U+FFFD"),
        ];
        assert_eq!(told[0], (r"\udc00", r"opm reads `\udc00`, half of a character, as U+FFFD"));
        assert_eq!(told[1..], expected);
        // Where `opm` takes the text up as YAML, after one document at most, it is a text.
        let [json, yaml] = [r#"{"schema":"x"}{"schema":"x"}"#, ""].map(|before| {
            let parse = crate::parse(FileId(0), &format!(r#"{before}{{"schema":"x","a":1e400}}"#));
            parse.diagnostics.into_iter().find_map(|finding| finding.opm)
        });
        let opm = "json: cannot unmarshal number 1e400 into Go value of type float64 at offset 24 (indicated by <==)";
        assert_eq!((json.as_deref(), yaml), (Some(opm), None));
    }

    #[test]
    fn elsewhere_a_type_is_asked_for() {
        let parse = crate::parse(FileId(0), "schema: olm.channel\nentries:\n- name: on\n");
        let rules: Vec<_> = parse.diagnostics.iter().map(|finding| finding.rule.id()).collect();
        assert_eq!(rules, ["wrong-type"]);
    }
}
