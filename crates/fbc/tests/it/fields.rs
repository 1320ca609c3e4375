//! Fields of the four schemas: what each finding says, where it points, and what is kept all the same.

use fbc::raw::RawDoc;
use fbc::{Node, Parse, Value};
use serde_json::json;
use source::{FileId, Rule};

/// Each finding as `rule at "text": opm's line, or else the help`.
#[track_caller]
fn check(text: &str, expected: &[&str]) {
    let parse = fbc::parse(FileId(0), text);
    let findings = parse.diagnostics.iter().map(|finding| {
        let said = finding.opm.as_ref().or(finding.help.as_ref()).expect("a finding that says what to do");
        format!("{} at {:?}: {said}", finding.rule, finding.span.slice(text))
    });
    assert_eq!(findings.collect::<Vec<_>>(), expected);
}

fn property_value(text: &str, index: usize) -> Node {
    let parse = fbc::parse(FileId(0), text);
    assert!(parse.diagnostics.iter().all(|finding| finding.rule == Rule::ReinterpretedText), "{:?}", parse.diagnostics);
    match &parse.docs[0].raw {
        RawDoc::Bundle(bundle) => bundle.properties[index].value.clone().expect("a value"),
        other => panic!("expected a bundle, found {other:?}"),
    }
}

#[test]
fn wrong_types_are_told_as_go_tells_them() {
    let package = "parse package: json: cannot unmarshal number into Go struct field";
    check(
        "schema: olm.package\ndefaultChannel: 4.10\nicon: {mediatype: 1}\n",
        &[
            &format!("wrong-type at \"4.10\": {package} Package.defaultChannel of type string"),
            &format!("wrong-type at \"1\": {package} Icon.icon.mediatype of type string"),
        ],
    );
    let channel = "parse channel: json: cannot unmarshal";
    check(
        "schema: olm.channel\nentries:\n- name: y\n- 5\n- skips: a\n- skips: [1]\n",
        &[
            &format!(
                "wrong-type at \"y\": {channel} bool into Go struct field ChannelEntry.entries.name of type string"
            ),
            &format!(
                "wrong-type at \"5\": {channel} number into Go struct field Channel.entries of type declcfg.ChannelEntry"
            ),
            &format!(
                "wrong-type at \"a\": {channel} string into Go struct field ChannelEntry.entries.skips of type []string"
            ),
            &format!(
                "wrong-type at \"1\": {channel} number into Go struct field ChannelEntry.entries.skips of type string"
            ),
        ],
    );
    check(
        "schema: olm.bundle\nproperties: {}\nrelatedImages:\n- image: []\n",
        &[
            "wrong-type at \"{}\": parse bundle: json: cannot unmarshal object into Go struct field Bundle.properties of type []property.Property",
            "wrong-type at \"[]\": parse bundle: json: cannot unmarshal array into Go struct field RelatedImage.relatedImages.image of type string",
        ],
    );
    check(
        "schema: olm.deprecations\nentries:\n- message: {}\n",
        &[
            "wrong-type at \"{}\": parse deprecation: json: cannot unmarshal object into Go struct field DeprecationEntry.entries.message of type string",
        ],
    );
}

#[test]
fn null_is_nothing() {
    check("schema: olm.channel\nname: a\nentries:\n- name: b\n  skips:\n  skipRange: ~\n- null\n", &[]);
    check("schema: olm.package\nicon:\ndescription: null\n", &[]);
}

#[test]
fn icons_must_be_base64() {
    check("schema: olm.package\nicon:\n  base64data: Zm9v\n", &[]);
    let illegal = "parse package: illegal base64 data at input byte 2";
    check(
        "schema: olm.package\nicon: {base64data: \"ab!\"}\n",
        &[&format!("wrong-type at \"\\\"ab!\\\"\": {illegal}")],
    );
}

#[test]
fn unknown_fields_are_pointed_at() {
    check(
        "schema: olm.package\ndefaultChanel: a\nfoo: b\n",
        &[
            "unknown-field at \"defaultChanel\": did you mean `defaultChannel`? opm ignores `defaultChanel`",
            "unknown-field at \"foo\": opm ignores it",
        ],
    );
    check("schema: olm.package\nPROPERTIES: []\npackage: a\n", &[]);
    check("schema: olm.bundel\n", &["unknown-schema at \"olm.bundel\": did you mean `olm.bundle`?"]);
    let read = "OLM reads only `olm.package`, `olm.channel`, `olm.bundle`, `olm.deprecations`";
    for schema in ["olm.catalog.deprecation", "olm.csv", "olm.bundles.v1alpha1"] {
        check(&format!("schema: {schema}\n"), &[&format!("unknown-schema at \"{schema}\": {read}")]);
    }
    check("schema: olm.semvar\n", &["unknown-schema at \"olm.semvar\": did you mean `olm.semver`?"]);
    for schema in
        ["olm.semver", "olm.template.substitutes", "olmx.bundle.notes", "io.openshift.operators.lifecycles.v1alpha1"]
    {
        check(&format!("schema: {schema}\n"), &[]);
    }
}

#[test]
fn of_two_spellings_the_last_in_byte_order_wins() {
    let text = "schema: olm.channel\nentries:\n- {name: lower, Name: upper}\n";
    let parse = fbc::parse(FileId(0), text);
    let RawDoc::Channel(channel) = &parse.docs[0].raw else { panic!("expected a channel") };
    assert_eq!(channel.entries[0].name.as_ref().map(|name| &*name.value), Some("lower"));
    let told: Vec<_> = parse.diagnostics.iter().map(|finding| finding.message.as_str()).collect();
    assert_eq!(told, ["`Name` and `name` are one field, and `name` is read"]);
}

#[test]
fn values_that_nobody_reads_stay_closed_until_opened() {
    for text in [
        "schema: olm.bundle\nproperties:\n- type: olm.csv.metadata\n  value:\n    b: [1.0, yes]\n    a: é\n",
        "schema: olm.bundle\nproperties:\n- type: olm.csv.metadata\n  value: {b: [1.0, yes],\n    a: é}\n",
        r#"{"schema":"olm.bundle","properties":[{"type":"olm.csv.metadata","value":{"b":[1.0,true],"a":"é"}}]}"#,
    ] {
        let value = property_value(text, 0);
        assert_eq!(value.value, Value::Unopened);
        let opened = value.open(text).unwrap();
        assert_eq!(opened.get("a").map(|a| a.span.slice(text).trim_matches('"')), Some("é"), "{text}");
        assert_eq!(value.to_json(text), Ok(json!({"a": "é", "b": [1, true]})));
    }
}

#[test]
fn values_that_are_read_are_open() {
    let text = "schema: olm.bundle\nproperties:\n- type: olm.package\n  value:\n    version: 1.10\n";
    assert_eq!(property_value(text, 0).to_json(text), Ok(json!({"version": 1.1})));
}

#[test]
fn anchors_open_what_they_tie_together() {
    let text = "schema: olm.bundle\nproperties:\n- type: x\n  value: &v {a: [b]}\n- type: z\n  value: *v\n";
    for index in [0, 1] {
        assert_eq!(property_value(text, index).to_json(text), Ok(json!({"a": ["b"]})));
    }
}

#[test]
fn numbers_pass_through_float64() {
    let text = "schema: olm.bundle\nproperties:\n- {type: x, value: [1.0, 9007199254740993, 010, 089]}\n";
    assert_eq!(property_value(text, 0).to_json(text), Ok(json!([1, 9_007_199_254_740_992_i64, 8, 89])));
}

#[test]
fn tags_decide_over_looks() {
    let text =
        "schema: olm.bundle\nproperties:\n- {type: olm.label, value: [!!str 4.10, !!binary aGk=, !!int \"5\", !x 1]}\n";
    assert_eq!(property_value(text, 0).to_json(text), Ok(json!(["4.10", "hi", 5, "1"])));
}

#[test]
fn lone_surrogates_are_replaced() {
    let text = r#"{"schema":"olm.bundle","properties":[{"type":"olm.label","value":"\ud800a\ud83d\ude00\n"}]}"#;
    assert_eq!(property_value(text, 0).as_str(), Some("\u{fffd}a😀\n"));
}

// Places are those of the text, whole characters and whole values.

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
