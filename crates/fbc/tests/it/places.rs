//! Places are those of the text, whole characters and whole values.

use fbc::raw::RawDoc;
use fbc::{Node, Parse};
use source::FileId;

fn parse(text: &str) -> Parse {
    fbc::parse(FileId(0), text)
}

/// The text of the value of the first property, and the JSON that it opens to.
#[track_caller]
fn check_value(text: &str, written: &str, json: &str) {
    let parse = parse(text);
    let RawDoc::Bundle(bundle) = &parse.docs[0].raw else { panic!("a bundle") };
    let value: &Node = bundle.properties[0].value.as_ref().expect("a value");
    let opened = value.to_json(text).expect("well-formed");
    assert_eq!((value.span.slice(text), opened.to_string().as_str()), (written, json));
}

#[test]
fn a_list_at_the_column_of_its_key_begins_with_its_dash() {
    const HEAD: &str = "schema: olm.bundle\nproperties:\n- type: t\n  value:";
    for (list, written, json) in [
        ("\n  - x: 1\n  - w: 2\n", "- x: 1\n  - w: 2", r#"[{"x":1},{"w":2}]"#),
        ("\n    - x\n    - z\n", "- x\n    - z", r#"["x","z"]"#),
        ("\n  - # - a\n    x\n  - - z\n", "- # - a\n    x\n  - - z", r#"["x",["z"]]"#),
        ("\n  -\n  - [x]\n", "-\n  - [x]", r#"[null,["x"]]"#),
        ("\n  - - [x]\n", "- - [x]", r#"[[["x"]]]"#),
        (" # - a\n  - x\n", "- x", r#"["x"]"#),
        (" [x]\n", "[x]", r#"["x"]"#),
    ] {
        check_value(&format!("{HEAD}{list}name: a\n"), written, json);
    }
    let text = "schema: olm.bundle\nproperties:\n- value: [x]\n  type: t\n";
    check_value(text, "[x]", r#"["x"]"#);
}

#[test]
fn the_last_text_of_a_value_keeps_its_blanks() {
    const HEAD: &str = "schema: olm.bundle\nproperties:\n- type: t\n  value:\n    a: ";
    for (text, written, json) in [
        ("|\n      b  \nname: a\n", "a: |\n      b", r#"{"a":"b  \n"}"#),
        ("|+\n      b\n\n  \nname: a\n", "a: |+\n      b", r#"{"a":"b\n\n\n"}"#),
        ("b  \n    \nname: a\n", "a: b", r#"{"a":"b"}"#),
    ] {
        check_value(&format!("{HEAD}{text}"), written, json);
    }
}

#[test]
fn a_document_ends_behind_the_colon_or_dash_of_its_last_value() {
    for text in ["schema: olm.bundle\nname:", "schema: olm.bundle\nproperties:\n-", "schema: olm.bundle\nname: |"] {
        for behind in ["", "\n", "\n# name: a\n", "\n---\nschema: x\n"] {
            let text_behind = format!("{text}{behind}");
            assert_eq!(parse(&text_behind).docs[0].span.slice(&text_behind), text);
        }
    }
}

#[test]
fn a_document_of_one_character_is_a_place() {
    for text in ["schema: x\n---\né", "schema: x\n---\n😀"] {
        let parse = parse(text);
        let finding = parse.diagnostics.iter().find(|finding| finding.message.contains("must be a mapping"));
        assert_eq!(finding.map(|finding| finding.span.slice(text).chars().count()), Some(1), "{text}");
    }
}

#[test]
fn a_key_that_occurs_very_often_is_not_told_every_time() {
    let text = format!("schema: olm.package\n{}", "a:\n".repeat(30_000));
    assert_eq!(parse(&text).diagnostics.len(), 10_001);
    let json = format!("{{\"schema\":\"x\"{}}}", ",\"a\":1".repeat(30_000));
    assert_eq!(parse(&json).diagnostics.len(), 10_001);
    assert_eq!(fbc::untyped_values(FileId(0), &text).diagnostics.len(), 10_001);
}
