//! Documents as YAML the way `opm` writes them: block style, keys sorted. Texts are quoted wherever any reading of YAML,
//! 1.1 or 1.2, might take them for something else.

use crate::{Channel, Package};
use serde_json::Value;
use std::fmt::Write;

/// The document of a package.
pub(crate) fn package(package: &Package) -> String {
    let mut out = String::new();
    field(&mut out, 0, "defaultChannel", &package.default_channel);
    if !package.description.is_empty() {
        field(&mut out, 0, "description", &package.description);
    }
    if let Some(icon) = &package.icon {
        out.push_str("icon:\n");
        field(&mut out, 1, "base64data", &icon.base64data);
        field(&mut out, 1, "mediatype", &icon.media_type);
    }
    field(&mut out, 0, "name", &package.name);
    field(&mut out, 0, "schema", "olm.package");
    out
}

/// The document of a channel.
pub(crate) fn channel(channel: &Channel) -> String {
    let mut out = String::from(if channel.entries.is_empty() { "entries: []\n" } else { "entries:\n" });
    for entry in &channel.entries {
        out.push_str("- ");
        field(&mut out, 0, "name", &entry.name);
        if let Some(replaces) = &entry.replaces {
            field(&mut out, 1, "replaces", replaces);
        }
        if let Some(range) = &entry.skip_range {
            field(&mut out, 1, "skipRange", range);
        }
        if !entry.skips.is_empty() {
            out.push_str("  skips:\n");
        }
        for skip in &entry.skips {
            out.push_str("  - ");
            text(&mut out, 2, skip);
            out.push('\n');
        }
    }
    field(&mut out, 0, "name", &channel.name);
    field(&mut out, 0, "package", &channel.package);
    field(&mut out, 0, "schema", "olm.channel");
    out
}

/// A document of any content.
pub(crate) fn document(value: &Value) -> String {
    let mut out = String::new();
    node(&mut out, 0, value);
    while out.starts_with([' ', '\n']) {
        out.remove(0);
    }
    out
}

/// Writes what follows a key, a dash or the start of a document; `level` is the indentation of collections in it.
fn node(out: &mut String, level: usize, value: &Value) {
    match value {
        Value::Object(fields) if !fields.is_empty() => {
            let mut keys: Vec<_> = fields.iter().collect();
            keys.sort_by_key(|(key, _)| key.as_str());
            out.push('\n');
            for (key, value) in keys {
                indent(out, level);
                scalar(out, key);
                out.push(':');
                // A list stands at the indentation of its key.
                node(out, level + usize::from(!value.is_array()), value);
            }
        }
        Value::Array(items) if !items.is_empty() => {
            out.push('\n');
            for item in items {
                indent(out, level);
                out.push('-');
                node(out, level + 1, item);
            }
        }
        Value::String(content) => {
            out.push(' ');
            text(out, level, content);
            out.push('\n');
        }
        Value::Object(_) => out.push_str(" {}\n"),
        Value::Array(_) => out.push_str(" []\n"),
        Value::Null | Value::Bool(_) | Value::Number(_) => {
            writeln!(out, " {value}").expect("writing to a string never fails");
        }
    }
}

fn field(out: &mut String, level: usize, key: &str, content: &str) {
    indent(out, level);
    out.push_str(key);
    out.push_str(": ");
    text(out, level + 1, content);
    out.push('\n');
}

fn indent(out: &mut String, level: usize) {
    (0..level).for_each(|_| out.push_str("  "));
}

/// Writes a text; further lines of it at the indentation `level`.
fn text(out: &mut String, level: usize, content: &str) {
    if is_block(content) {
        let body = content.strip_suffix('\n');
        out.push_str(if body.is_some() { "|" } else { "|-" });
        for line in body.unwrap_or(content).split('\n') {
            out.push('\n');
            if !line.is_empty() {
                indent(out, level.max(1));
                out.push_str(line);
            }
        }
    } else {
        scalar(out, content);
    }
}

/// Writes a text on one line.
fn scalar(out: &mut String, content: &str) {
    if is_plain(content) {
        out.push_str(content);
    } else {
        quoted(out, content);
    }
}

/// Whether a text is best shown as a block of lines, and such a block is sure to say it.
fn is_block(content: &str) -> bool {
    let body = content.strip_suffix('\n').unwrap_or(content);
    body.contains('\n')
        && !body.starts_with([' ', '\n'])
        && !body.ends_with('\n')
        && content.chars().all(|c| c == '\n' || is_printable(c))
        && body.split('\n').all(|line| line.trim_end() == line)
}

/// Whether a text can stand without quotes.
fn is_plain(content: &str) -> bool {
    const WORDS: [&str; 9] = ["y", "n", "yes", "no", "on", "off", "true", "false", "null"];
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '/' | '@' | '+' | '-');
    content.starts_with(|c: char| c.is_ascii_alphabetic())
        && content.split(':').all(|part| !part.is_empty() && part.chars().all(fits))
        && !WORDS.contains(&content.to_ascii_lowercase().as_str())
}

fn quoted(out: &mut String, content: &str) {
    out.push('"');
    for c in content.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            _ if is_printable(c) => out.push(c),
            _ => write!(out, "\\U{:08x}", u32::from(c)).expect("writing to a string never fails"),
        }
    }
    out.push('"');
}

/// Whether every reader of YAML takes a character as it stands. Tabs and the line breaks of YAML 1.1 are none of them.
const fn is_printable(c: char) -> bool {
    matches!(c, ' '..='~' | '\u{a0}'..='\u{2027}' | '\u{202a}'..='\u{d7ff}' | '\u{e000}'..='\u{fefe}' | '\u{ff00}'..='\u{fffd}' | '\u{10000}'..)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Entry, Icon};
    use proptest::prelude::*;
    use serde_json::json;
    use source::FileId;

    fn read(yaml: &str) -> Value {
        let parse = fbc::trees(FileId(0), &format!("---\n{yaml}"));
        assert_eq!((parse.diagnostics.len(), parse.nodes.len()), (0, 1), "{yaml}");
        parse.nodes[0].to_json(&format!("---\n{yaml}")).unwrap()
    }

    #[track_caller]
    fn check(value: &Value, expected: &str) {
        assert_eq!(document(value), expected);
        assert_eq!(read(expected), *value);
    }

    #[test]
    fn documents_are_written_in_block_style() {
        check(
            &json!({"b": [{"x": 1, "a": ["p", []]}, [], [["q"]]], "a": {"k": {}, "f": 1.5}, "n": null, "t": true}),
            "a:\n  f: 1.5\n  k: {}\nb:\n-\n  a:\n  - p\n  - []\n  x: 1\n- []\n-\n  -\n    - q\n\"n\": null\nt: true\n",
        );
    }

    #[test]
    fn texts_that_mean_something_else_are_quoted() {
        check(
            &json!({"a": "on", "b": "1.0.0", "c": "", "d": "a: b", "e": "quay.io/a:v1", "f": "a:", "no": "~", "g": "é"}),
            "a: \"on\"\nb: \"1.0.0\"\nc: \"\"\nd: \"a: b\"\ne: quay.io/a:v1\nf: \"a:\"\ng: \"é\"\n\"no\": \"~\"\n",
        );
    }

    #[test]
    fn lines_are_shown_as_lines() {
        check(
            &json!({"a": {"b": "x\n\n  y: 1\n"}, "c": ["p\nq"]}),
            "a:\n  b: |\n    x\n\n      y: 1\nc:\n- |-\n  p\n  q\n",
        );
        check(&json!({"a": " x\ny", "b": "x \ny", "c": "x\n\n"}), "a: \" x\\ny\"\nb: \"x \\ny\"\nc: \"x\\n\\n\"\n");
    }

    #[test]
    fn packages_and_channels_have_sorted_keys() {
        let icon = Icon { base64data: "Zg==".into(), media_type: "image/svg+xml".into() };
        let made = Package {
            name: "op".into(),
            default_channel: "".into(),
            description: "An operator.\nIt works.\n".into(),
            icon: Some(icon),
        };
        let expected = "defaultChannel: \"\"\ndescription: |\n  An operator.\n  It works.\nicon:\n  base64data: \"Zg==\"\n  \
                        mediatype: image/svg+xml\nname: op\nschema: olm.package\n";
        assert_eq!(package(&made), expected);
        let entry = Entry {
            name: "a.v2".into(),
            replaces: Some("a.v1".into()),
            skips: vec!["a.v0".into()],
            skip_range: Some("<2.0.0".into()),
        };
        let made = Channel { name: "stable".into(), package: "a".into(), entries: vec![entry] };
        let expected = "entries:\n- name: a.v2\n  replaces: a.v1\n  skipRange: \"<2.0.0\"\n  skips:\n  - a.v0\nname: stable\n\
                        package: a\nschema: olm.channel\n";
        assert_eq!(channel(&made), expected);
    }

    fn value() -> impl Strategy<Value = Value> {
        let text = prop_oneof![any::<String>(), "[a-z:#\\- \n\t'\"|>&*!%@`{}\\[\\],0-9.]{0,12}"];
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            (-1_000_000..1_000_000_i64).prop_map(Value::from),
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
            prop_assert_eq!(read(&document(&value)), value);
        }
    }
}
