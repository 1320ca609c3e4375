//! Writes values as YAML the way `opm` does, with the styles that yaml.v2 chooses (`encode.go`, `stringv`).

use crate::emit::{Emitter, Indent, Place, ScalarStyle};
use crate::go;
use crate::yaml::{Scalar, is_timestamp, resolve};
use serde_json::Value;
use std::cmp::Ordering;

/// A value as a YAML document in block style, with its keys sorted and a line break at its end.
///
/// Texts are in quotes where a reader of YAML 1.1 would take them for something else: `on`, `012`, `1:30`, `2024-01-01`.
///
/// ```
/// let value = serde_json::json!({"name": "etcd", "channels": ["4.10", "on"], "size": 3});
/// assert_eq!(fbc::to_yaml(&value), "channels:\n- \"4.10\"\n- \"on\"\nname: etcd\nsize: 3\n");
/// ```
#[must_use]
pub fn to_yaml(value: &Value) -> String {
    // Pictures are for people; the separators of Unicode end lines to some readers only.
    let is_printable = |c| (is_printable_to_opm(c) || c > '\u{ffff}') && !matches!(c, '\u{2028}' | '\u{2029}');
    written(value, usize::MAX, is_printable, Style { sorts_as_opm: false, is_text: is_plain })
}

/// A value as `opm` prints it, to the letter: long lines are folded, and texts are in quotes where yaml.v2 would take them
/// for something else.
///
/// ```
/// let value = serde_json::json!({"created": "2024-01-01T01:02:03", "day": "2024-01-01"});
/// assert_eq!(fbc::to_opm_yaml(&value), "created: 2024-01-01T01:02:03\nday: \"2024-01-01\"\n");
/// ```
#[must_use]
pub fn to_opm_yaml(value: &Value) -> String {
    written(value, 80, is_printable_to_opm, Style { sorts_as_opm: true, is_text: is_text_to_opm })
}

/// How values are written.
#[derive(Clone, Copy)]
struct Style {
    /// Whether the keys of mappings are in the order of yaml.v2; otherwise they are in that of their bytes.
    sorts_as_opm: bool,
    /// Whether a text is read as text where it is not in quotes.
    is_text: fn(&str) -> bool,
}

impl Style {
    fn of(self, text: &str) -> ScalarStyle {
        match text {
            _ if text.contains('\n') => ScalarStyle::Literal,
            _ if (self.is_text)(text) => ScalarStyle::Plain,
            _ => ScalarStyle::DoubleQuoted,
        }
    }
}

fn written(value: &Value, width: usize, is_printable: fn(char) -> bool, style: Style) -> String {
    let mut emitter = Emitter::new(width, is_printable);
    write(value, style, &mut emitter, None, Place::Item);
    emitter.end();
    emitter.out
}

fn write(value: &Value, style: Style, emitter: &mut Emitter, indent: Indent, place: Place) {
    match value {
        Value::Object(fields) if fields.is_empty() => emitter.empty("{}"),
        Value::Array(items) if items.is_empty() => emitter.empty("[]"),
        Value::Object(fields) => {
            let indent = Emitter::mapping_indent(indent);
            let fields = fields.iter().map(|(key, value)| (&**key, value)).collect();
            for (key, value) in if style.sorts_as_opm { sort_keys(fields) } else { fields } {
                emitter.key(key, style.of(key), indent);
                write(value, style, emitter, Some(indent), Place::Value);
            }
        }
        Value::Array(items) => {
            let indent = emitter.sequence_indent(indent, place);
            for item in items {
                emitter.item(indent);
                write(item, style, emitter, Some(indent), Place::Item);
            }
        }
        Value::String(text) => emitter.scalar(text, style.of(text), indent),
        Value::Null | Value::Bool(_) | Value::Number(_) => {
            let written = match value.as_f64().filter(|_| value.is_f64()) {
                Some(float) => go::float(float),
                None => value.to_string(),
            };
            emitter.scalar(&written, ScalarStyle::Plain, indent);
        }
    }
}

/// Whether yaml.v2 writes a character without an escape (`yamlprivateh.go`, `is_printable`): none beyond U+FFFF.
fn is_printable_to_opm(c: char) -> bool {
    matches!(c, '\n' | ' '..='~' | '\u{a0}'..='\u{d7ff}' | '\u{e000}'..='\u{fffd}') && c != '\u{feff}'
}

/// Whether every reader of YAML 1.1 takes a text for text when it is not in quotes, if it can stand without.
pub(crate) fn is_plain(text: &str) -> bool {
    let is_merge_key = matches!(text, "<<" | "=");
    // 1:30 is a number in base 60, 2024-01-01 a timestamp. yaml.v2 reads both as text, and yet puts them in quotes.
    let is_base_60 = text.contains(':') && text.bytes().all(|byte| byte.is_ascii_digit() || b":._+-".contains(&byte));
    let is_date =
        matches!(text.as_bytes(), [b'0'..=b'9', b'0'..=b'9', b'0'..=b'9', b'0'..=b'9', b'-', b'0'..=b'9', ..]);
    !is_merge_key && !is_base_60 && !is_date && resolve(text) == Scalar::Text
}

/// Whether yaml.v2 takes a text for text when it is not in quotes (`encode.go`, `stringv`).
fn is_text_to_opm(text: &str) -> bool {
    !is_base_60(text) && !is_timestamp(text) && resolve(text) == Scalar::Text
}

/// Whether a text is a number in base 60 to YAML 1.1: `1:30`, `-1:30:00.5`.
fn is_base_60(text: &str) -> bool {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let mut parts = whole.strip_prefix(['-', '+']).unwrap_or(whole).split(':');
    let is_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit() || byte == b'_');
    let is_first =
        parts.next().is_some_and(|first| first.starts_with(|c: char| c.is_ascii_digit()) && is_digits(first));
    let rest: Vec<&str> = parts.collect();
    let is_sixty = |part: &&str| matches!(part.as_bytes(), [b'0'..=b'9'] | [b'0'..=b'5', b'0'..=b'9']);
    is_first && !rest.is_empty() && rest.iter().all(is_sixty) && is_digits(fraction)
}

// The order in which yaml.v2 writes the keys of a mapping (`sorter.go`, `keyList.Less`): numbers in them by their
// value, and letters behind everything else. Rust has no table of the letters and digits of all scripts: some vowel
// signs count as letters here, and only ASCII has digits.

/// Sorts what has keys. The order goes in circles, as from `01` over `10` and `1a` to `01`, where that of yaml.v2 is random:
/// the sort of the standard library may panic then.
fn sort_keys<T>(mut items: Vec<(&str, T)>) -> Vec<(&str, T)> {
    if items.len() < 2 {
        return items;
    }
    let second = sort_keys(items.split_off(items.len() / 2)).into_iter();
    let (mut first, mut second) = (sort_keys(items).into_iter().peekable(), second.peekable());
    let next = || match (first.peek(), second.peek()) {
        (Some((one, _)), Some((other, _))) if compare(one, other).is_gt() => second.next(),
        (Some(_), _) => first.next(),
        (None, _) => second.next(),
    };
    std::iter::from_fn(next).collect()
}

/// Compares two keys.
fn compare(one: &str, other: &str) -> Ordering {
    let (a, b): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    let Some(at) = a.iter().zip(&b).position(|(one, other)| one != other) else { return a.len().cmp(&b.len()) };
    let (x, y) = (a[at], b[at]);
    let is_letter = |c: char| c.is_alphabetic() && !c.is_numeric();
    match (is_letter(x), is_letter(y)) {
        (true, true) => return x.cmp(&y),
        (false, false) => {}
        (is_letter, _) => return if is_letter { Ordering::Greater } else { Ordering::Less },
    }
    // A zero counts only behind another digit of the same number.
    let before = a[..at].iter().rev().take_while(|c| c.is_ascii_digit());
    let is_inside = (x == '0' || y == '0') && before.into_iter().any(|c| *c != '0');
    let number = |chars: &[char]| {
        let digits = chars[at..].iter().map_while(|c| c.to_digit(10));
        digits.fold((i64::from(is_inside), at), |(number, end), digit| {
            (number.wrapping_mul(10).wrapping_add(digit.into()), end + 1)
        })
    };
    number(&a).cmp(&number(&b)).then(x.cmp(&y))
}

// Which documents of a catalog `opm` writes, and in which order (`alpha/declcfg/write.go`).

/// The schemas whose documents `opm` drops if they have no package.
const KNOWN: [&str; 4] = ["olm.package", "olm.channel", "olm.bundle", "olm.deprecations"];

/// What the order of a document depends on.
#[derive(Clone, Copy, Debug)]
pub struct DocumentKey<'d> {
    pub schema: &'d str,
    /// `package`; empty when it has none.
    pub package: &'d str,
    /// `name`; empty when it has none.
    pub name: &'d str,
}

impl<'d> DocumentKey<'d> {
    fn is_written(self) -> bool {
        !self.package.is_empty() || !KNOWN.contains(&self.schema)
    }

    fn order(self) -> (bool, &'d str, usize, &'d str, &'d str) {
        let rank = match self.schema {
            "olm.package" => 0,
            "olm.channel" => 1,
            "olm.bundle" => 2,
            "olm.deprecations" => 4,
            _ => 3,
        };
        let (schema, name) = if rank == 3 { (self.schema, "") } else { ("", self.name) };
        (self.package.is_empty(), self.package, rank, schema, name)
    }
}

/// Keeps the documents that `opm` writes, in its order: by package, and in each the package, its channels, bundles, others and
/// deprecations; in the end what belongs to no package.
pub fn put_in_render_order<D>(documents: &mut Vec<D>, key: impl Fn(&D) -> DocumentKey<'_>) {
    documents.retain(|document| key(document).is_written());
    documents.sort_by(|one, other| key(one).order().cmp(&key(other).order()));
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;
    use source::FileId;

    #[test]
    fn opm_folds_lines_and_quotes_what_it_would_read_as_something_else() {
        let long = "word ".repeat(20);
        let value = json!({"k": long.trim_end(), "q": format!("{long}\r")});
        let words = |count| vec!["word"; count].join(" ");
        let expected = format!("k: {}\n  {}\nq: \"{}\n  {} \\r\"\n", words(16), words(4), words(16), words(4));
        assert_eq!(to_opm_yaml(&value), expected);
        for text in ["1:30", "-1_0:59:5.5", "2024-01-02", "2024-1-2T03:04:05Z", ".5_1", "0b-1", "on", "4.10", ""] {
            assert_eq!(to_opm_yaml(&json!([text])), format!("- \"{text}\"\n"));
        }
        for text in ["1:60", "1:a", "2024-01-02T03:04:05", "2024-13-01", ".5_", "<<", "=", "v1:30"] {
            assert_eq!(to_opm_yaml(&json!([text])), format!("- {text}\n"));
        }
        assert_eq!(to_opm_yaml(&json!([1e21, 1_234_567.5, 10_000_000])), "- 1e+21\n- 1.2345675e+06\n- 10000000\n");
    }

    #[test]
    fn opm_writes_only_what_it_takes_for_printable() {
        let value = json!({
            "boat": "a fact about boats \u{1f6a4}",
            "boats": "\u{1f6a4}\nmore\n",
            "line": "a\u{2028}b",
            "mark": "\u{feff} a",
            "two\nlines": "x\n\n",
        });
        let expected = "boat: \"a fact about boats \\U0001F6A4\"\nboats: \"\\U0001F6A4\\nmore\\n\"\nline: 'a\u{2028}  b'\nmark: \
                        \"\\uFEFF\\x20\\x61\"\n? |-\n  two\n  lines\n: |+\n  x\n\n";
        assert_eq!(to_opm_yaml(&value), expected);
        assert_eq!(to_yaml(&json!(["\u{1f6a4}\nmore", "a\u{2028}b"])), "- |-\n  \u{1f6a4}\n  more\n- \"a\\Lb\"\n");
    }

    fn read(yaml: &str) -> Value {
        let parse = crate::untyped_values(FileId(0), &format!("---\n{yaml}"));
        assert_eq!((parse.diagnostics.len(), parse.nodes.len()), (0, 1), "{yaml}");
        parse.nodes[0].to_json(&format!("---\n{yaml}")).unwrap()
    }

    #[track_caller]
    fn check(value: &Value, expected: &str) {
        assert_eq!(to_yaml(value), expected);
        assert_eq!(read(expected), *value);
    }

    #[test]
    fn documents_are_written_in_block_style() {
        check(
            &json!({"b": [{"x": 1, "a": ["p", []]}, [], [["q"]]], "a": {"k": {}, "f": 1.5}, "n": null, "t": true}),
            "a:\n  f: 1.5\n  k: {}\nb:\n- a:\n  - p\n  - []\n  x: 1\n- []\n- - - q\n\"n\": null\nt: true\n",
        );
    }

    #[test]
    fn texts_that_mean_something_else_are_quoted() {
        for text in [
            "",
            "~",
            "null",
            "y",
            "No",
            "on",
            "OFF",
            "true",
            "0",
            "012",
            "0o12",
            "0x1F",
            "0b1",
            "1_000",
            "-1",
            "+1.5",
            "1e3",
            ".5",
            ".inf",
            "-.INF",
            ".NaN",
            "1:30",
            "-1:30:00.5",
            "2024-01-02",
            "2024-01-02T03:04:05Z",
            "=",
            "<<",
        ] {
            check(&json!({ "k": text }), &format!("k: \"{text}\"\n"));
        }
        for text in ["1.0.0", "v1", "quay.io/a:v1", "é", "a b", "1.2.x", "nil", "12-34", "1:a"] {
            check(&json!({ "k": text }), &format!("k: {text}\n"));
        }
        check(
            &json!({"k": " a", "l": "a: b", "m": "a #b", "n": "- a"}),
            "k: ' a'\nl: 'a: b'\nm: 'a #b'\n\"n\": '- a'\n",
        );
    }

    #[test]
    fn lines_are_shown_as_lines() {
        check(
            &json!({"a": {"b": "x\n\n  y: 1\n"}, "c": ["p\nq"]}),
            "a:\n  b: |\n    x\n\n      y: 1\nc:\n- |-\n  p\n  q\n",
        );
        check(&json!({"a": " x\ny", "b": "x \ny"}), "a: |2-\n   x\n  y\nb: \"x \\ny\"\n");
        let long = "k".repeat(200);
        check(&json!({ &*long: ["v"] }), &format!("? {long}\n: - v\n"));
    }

    fn value() -> impl Strategy<Value = Value> {
        let text = prop_oneof![any::<String>(), "[a-z:#\\- \n\t'\"|>&*!%@`{}\\[\\],0-9._+xefT=<~]{0,12}"];
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            (-1_000_000..1_000_000_i64).prop_map(Value::from),
            (-1e9..1e9).prop_map(Value::from),
            text.clone().prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 24, 4, move |inner| {
            prop_oneof![
                proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                proptest::collection::btree_map(text.clone(), inner, 0..4)
                    .prop_map(|fields| Value::Object(fields.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn what_is_written_is_read_back(value in value()) {
            let value = json!({"value": value});
            let yaml = to_yaml(&value);
            prop_assert_eq!(read(&yaml), value.clone());
            prop_assert_eq!(serde_yaml::from_str::<Value>(&yaml).unwrap(), value);
        }
    }

    #[test]
    fn an_order_that_goes_in_circles_does_no_harm() {
        let keys: Vec<String> =
            (0..600_u32).map(|at| format!("{:0>1$}{2}", at % 13, 1 + at as usize % 3, at % 7)).collect();
        let keys: Vec<String> =
            keys.into_iter().zip(["", "a", "_", "0"].into_iter().cycle()).map(|(a, b)| a + b).collect();
        let sorted = sort_keys(keys.iter().map(|key| (&**key, ())).collect());
        assert!(compare("01", "10").is_lt() && compare("10", "1a").is_lt() && compare("1a", "01").is_lt());
        assert_eq!(sorted.len(), keys.len());
    }

    #[test]
    fn numbers_are_sorted_by_value_and_letters_come_last() {
        let sorted = [
            "", "$ref", "Ⅷ", "1", "2", "10", "A", "a", "a_b", "a1", "a2", "a2b", "a02", "a10", "a100", "aB", "ab", "b",
        ];
        let mixed = sorted.iter().rev().map(|key| (*key, ())).collect();
        assert!(sort_keys(mixed).into_iter().map(|(key, ())| key).eq(sorted));
        for (at, one) in sorted.iter().enumerate() {
            for (behind, other) in sorted.iter().enumerate() {
                assert_eq!(compare(one, other), at.cmp(&behind), "{one} {other}");
            }
        }
    }

    #[test]
    fn packages_come_first_and_what_has_no_package_last() {
        let mut documents = vec![
            ("olm.csv.metadata", "", "x"),
            ("olm.deprecations", "b", ""),
            ("olm.bundle", "b", "b.v2"),
            ("olm.channel", "", "lost"),
            ("example.com/z", "b", "first"),
            ("olm.bundle", "b", "b.v1"),
            ("olm.channel", "b", "stable"),
            ("example.com/a", "b", "second"),
            ("olm.package", "b", "b"),
            ("olm.package", "a", "a"),
        ];
        put_in_render_order(&mut documents, |&(schema, package, name)| DocumentKey { schema, package, name });
        let names: Vec<&str> = documents.iter().map(|document| document.2).collect();
        assert_eq!(names, ["a", "b", "stable", "b.v1", "b.v2", "second", "first", "", "x"]);
    }
}
