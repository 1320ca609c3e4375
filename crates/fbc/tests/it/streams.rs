//! What a file holds: which documents are read, which are reported, and with `opm`'s own words for it.

use fbc::raw::RawDoc;
use source::{FileId, Severity};

const A: &str = "schema: olm.package\nname: a\n";
const B: &str = "schema: olm.package\nname: b\n";
const JSON_A: &str = r#"{"schema":"olm.package","name":"a"}"#;
const JSON_B: &str = r#"{"schema":"olm.package","name":"b"}"#;
const JSON_C: &str = r#"{"schema":"olm.package","name":"c"}"#;
const NO_SCHEMA: &str = "object '' is missing root schema field";

/// The names of the documents, and `opm`'s line for each error or else the rule.
fn read(text: &str) -> (String, Vec<String>) {
    let parse = fbc::parse(FileId(0), text);
    let names = parse.docs.iter().map(|doc| match &doc.raw {
        RawDoc::Package(package) => package.name.as_ref().map_or("-".to_owned(), ToString::to_string),
        other => format!("{other:?}"),
    });
    let names = names.collect::<Vec<_>>().join(" ");
    let findings = parse.diagnostics.iter().map(|finding| match (finding.severity, &finding.opm) {
        (Severity::Error, Some(opm)) => opm.clone(),
        _ => finding.rule.to_string(),
    });
    (names, findings.collect())
}

#[track_caller]
fn check(text: &str, names: &str, findings: &[&str]) {
    let (found_names, found) = read(text);
    assert_eq!(
        (found_names.as_str(), found.iter().map(String::as_str).collect::<Vec<_>>()),
        (names, findings.to_vec())
    );
}

#[test]
fn empty_documents_are_errors_but_an_empty_file_is_none() {
    check("", "", &["empty-file"]);
    for text in ["\n", "  \n", "# only a comment\n", "---", "---\n"] {
        check(text, "", &[NO_SCHEMA]);
    }
    check(&format!("---\n{A}"), "a", &[]);
    check(&format!("# licence\n---\n{A}"), "a", &[NO_SCHEMA]);
    check(&format!("\n---\n{A}"), "a", &[NO_SCHEMA]);
    check(&format!("{A}---\n"), "a", &[]);
    check(&format!("{A}---"), "a", &[]);
    check(&format!("{A}---\n\n"), "a", &[NO_SCHEMA]);
    check(&format!("{A}---\n# bye\n"), "a", &[NO_SCHEMA]);
    check(&format!("{A}---\n---\n{B}"), "a b", &[]);
    check("---\n---\n", "", &[NO_SCHEMA]);
}

#[test]
fn what_stands_behind_the_end_of_a_document_is_lost() {
    check(&format!("{A}...\n---\n{B}"), "a b", &[]);
    check(&format!("{A}...\n{B}"), "a", &["lost-text"]);
    check(&format!("\u{feff}{JSON_A}\n{JSON_B}"), "a", &["lost-text"]);
    check(&format!("{}{JSON_A}{JSON_B}", " ".repeat(4097)), "a", &["lost-text"]);
    check(&format!("{JSON_A}\n---\n{JSON_B}\n{JSON_C}"), "a b", &["lost-text"]);
}

#[test]
fn separators_carry_nothing_but_comments() {
    check(&format!("{A}--- {{}}\n{B}"), "a b", &["invalid Yaml document separator: {}"]);
    check(&format!("{A}----\n{B}"), "a b", &["invalid Yaml document separator: -"]);
    check(&format!("{A}--- # b\n{B}"), "a b", &[]);
}

#[test]
fn a_byte_order_mark_and_carriage_returns_do_no_harm_to_yaml() {
    check(&format!("\u{feff}{A}"), "a", &[]);
    check(&format!("{A}---\n{B}").replace('\n', "\r\n"), "a b", &[]);
}

#[test]
fn json_values_need_nothing_between_them() {
    check(&format!("{JSON_A}{JSON_B}"), "a b", &[]);
    check(&format!("{JSON_A}\n{JSON_B}\n"), "a b", &[]);
}

#[test]
fn a_json_stream_may_go_on_as_yaml_after_one_document() {
    check(&format!("{JSON_A}\n---\n{JSON_B}\n---\n{JSON_C}"), "a b c", &[]);
    check(&format!("{JSON_A}\n---\n"), "a", &[NO_SCHEMA]);
    check(&format!("{JSON_A}\n# comment\n"), "a", &[NO_SCHEMA]);
    check(r#"{"schema": "olm.package", "name": "a",}"#, "a", &[]);
    check("{schema: olm.package, name: a} # flow", "a", &[]);
}

#[test]
fn a_json_stream_may_not_after_two() {
    let two = format!("{JSON_A}{JSON_B}");
    check(&format!("{two}\n---\n{JSON_C}"), "a b c", &["invalid character '-' in numeric literal"]);
    let comma = "invalid character '}' looking for beginning of object key string";
    check(&format!("{two}\n{{\"name\": \"x\",}}\n{JSON_C}"), "a b c", &[comma]);
}

#[test]
fn broken_json_is_told_in_gos_words() {
    check(r#"{"schema" 1}"#, "", &["json: offset 11: invalid character '1' after object key"]);
    check(r#"{"schema":"olm.package""#, "", &["unexpected EOF"]);
    let broken = format!("{JSON_A}\n{{\"schema\": ]}}\n{JSON_B}");
    let opm = "json: offset 48: invalid character ']' looking for beginning of value";
    check(&broken, "a b", &[opm]);
}

#[test]
fn a_truncated_json_document_is_reported_once() {
    let key = "json: offset 2: invalid character 'p' looking for beginning of object key string";
    check("{p: [\n}\n{\"schema\": ", "", &[key, "unexpected EOF"]);
}

#[test]
fn documents_are_objects() {
    let go = "into Go value of type map[string]interface {} at offset";
    let decoding = "error unmarshaling JSON: while decoding JSON: json: cannot unmarshal";
    let list = format!("{decoding} array {go} 1 (indicated by <==)");
    check(&format!("{A}---\n- {JSON_B}\n"), "a", &[&list]);
    let number = format!("{decoding} number {go} 2 (indicated by <==)");
    check(&format!("{A}---\n42\n---\n{B}"), "a b", &[&number]);
    check(&format!("{A}---\nnull\n"), "a", &[NO_SCHEMA]);
    let keys = "object '{\"b\":1.5,\"c\":[true,\"<\\n>\"],\"package\":\"a\"}\n' is missing root schema field";
    check("package: a\nc: [yes, \"<\\n>\"]\nb: 1.50\n", "", &[keys]);
}

#[test]
fn names_must_be_texts() {
    let got = |shown: &str| {
        format!(
            "error unmarshaling JSON: while decoding JSON: expected value for key \"name\" to be a string, got {shown}"
        )
    };
    for (name, shown) in [
        ("1.10", "%!t(float64=1.1): 1.1"),
        ("", "%!t(<nil>): <nil>"),
        ("yes", "true: true"),
        ("{a: 1}", "map[%!t(string=a):%!t(float64=1)]: map[a:1]"),
        ("[x]", "[%!t(string=x)]: [x]"),
    ] {
        check(&format!("schema: olm.package\nname: {name}\n---\n{A}"), "- a", &[&got(shown)]);
    }
    let bare = "expected value for key \"name\" to be a string, got %!t(<nil>): <nil>";
    check(r#"{"schema":"olm.package","name":null}"#, "-", &[bare]);
}

#[test]
fn keys_match_in_any_case_but_only_once() {
    check("Schema: olm.package\nNAME: a\n", "a", &[]);
    let twice = "error unmarshaling JSON: while decoding JSON: duplicate keys for key \"name\": [Name name]";
    check("schema: olm.package\nname: a\nName: b\n", "a", &[twice]);
    check("schema: olm.package\nname: b\nname: a\n", "a", &["duplicate-key"]);
    check(r#"{"schema":"olm.package","name":"b","name":"a"}"#, "a", &["duplicate-key"]);
}

#[test]
fn broken_yaml_hides_nothing_but_itself() {
    let tab = "error converting YAML to JSON: yaml: line 2: found character that cannot start any token";
    check(&format!("{A}---\nschema:\n\tname: x\n---\n{B}"), "a b", &[tab]);
    let nested = "error converting YAML to JSON: yaml: mapping values are not allowed in this context";
    check(&format!("{A}---\nschema: a: b\n---\n{B}"), "a b", &[nested]);
    let anchor = "error converting YAML to JSON: yaml: unknown anchor 'x' referenced";
    check(&format!("schema: olm.package\nname: *x\n---\n{B}"), "b", &[anchor]);
    let control = "error converting YAML to JSON: yaml: control characters are not allowed";
    check(&format!("schema: olm.package\nname: \u{1}\n---\n{B}"), "b", &[control]);
}

#[test]
fn numbers_that_json_lacks_are_errors() {
    let nan = "error converting YAML to JSON: json: unsupported value: NaN";
    check(&format!("schema: olm.package\nx: .nan\n---\n{A}"), "a", &[nan]);
}

#[test]
fn merges_and_aliases() {
    check("x: &x {name: a}\nschema: olm.package\n<<: *x\n", "a", &["unknown-field"]);
    check("x: &x a\nschema: olm.package\nname: *x\n", "a", &["unknown-field"]);
    let contains = "error converting YAML to JSON: yaml: anchor 'x' value contains itself";
    check(&format!("schema: olm.package\nx: &x [*x]\n---\n{A}"), "a", &[contains]);
}

#[test]
fn aliases_that_grow_are_stopped() {
    let mut bomb = "schema: olm.package\na0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
    for level in 1..9 {
        let items = vec![format!("*a{}", level - 1); 10].join(", ");
        bomb += &format!("a{level}: &a{level} [{items}]\n");
    }
    let excessive = "error converting YAML to JSON: yaml: document contains excessive aliasing";
    check(&format!("{bomb}---\n{A}"), "a", &[excessive]);
}

#[test]
fn what_is_no_catalog_is_said_once() {
    let readme = "# Title\n\nSome *text*: with `code`.\n\n- a list\n\t- and a tab\n\n---\n\nMore {text\n";
    let parse = fbc::parse(FileId(0), readme);
    let rules: Vec<_> = parse.diagnostics.iter().map(|finding| finding.rule.id()).collect();
    assert_eq!((parse.docs.len(), rules), (0, vec!["not-a-catalog"]));
    let dockerfile =
        "FROM scratch\nADD catalog /configs\nLABEL operators.operatorframework.io.index.configs.v1=/configs\n";
    assert_eq!(fbc::parse(FileId(0), dockerfile).diagnostics[0].rule.id(), "not-a-catalog");
}

#[test]
fn a_catalog_with_a_typing_error_in_schema_stays_a_catalog() {
    let rules = |text: &str| {
        fbc::parse(FileId(0), text).diagnostics.iter().map(|finding| finding.rule.id()).collect::<Vec<_>>()
    };
    for text in ["shema: olm.package\nname: a\n", "{\"shema\": \"olm.package\", \"name\": \"a\"}"] {
        assert!(!rules(text).is_empty() && !rules(text).contains(&"not-a-catalog"), "{text}: {:?}", rules(text));
    }
    assert_eq!(rules("shema: olm.package\nname: \"a\n"), ["broken-document"]);
}

#[test]
fn ten_thousand_levels_are_survived() {
    let block = "- ".repeat(10_100);
    let deep = "error converting YAML to JSON: yaml: exceeded max depth of 10000";
    let deep_in_line_3 = "error converting YAML to JSON: yaml: line 3: exceeded max depth of 10000";
    check(&format!("schema: olm.package\nx:\n {block}y\n---\n{A}"), "a", &[deep_in_line_3]);
    let json = format!(r#"{{"schema":"olm.package","name":"a","x":{}{}}}"#, "[".repeat(9_000), "]".repeat(9_000));
    check(&json, "a", &["unknown-field"]);
    check(&format!("{A}---\n{}", "[".repeat(20_000)), "a", &[deep]);
    let flow = |levels: usize| format!("{A}x: {}{}\n", "[".repeat(levels), "]".repeat(levels));
    check(&flow(9_000), "a", &["unknown-field"]);
    check(&flow(10_001), "", &[deep_in_line_3]);
    let inner = format!("{A}x: {}\"\\q\"{}\n", "[".repeat(1_000), "]".repeat(1_000));
    check(&inner, "", &["error converting YAML to JSON: yaml: line 3: found unknown escape character"]);
}

#[test]
fn indentation_does_not_count_inside_quotes_and_brackets() {
    check(&format!("{A}x: [\n1,\n\"b\nc\"\n]\n"), "a", &["unknown-field"]);
    check("schema: olm.package\nname: \"a\nb\"\n---\nschema: olm.package\nname: 'c\n\nd'\n", "a b c\nd", &[]);
    check(&format!("{A}description: \"x\"# one\nproperties: []# two\n"), "a", &[]);
    check("schema:\tolm.package\nname: \ta\n", "a", &[]);
    let parse = fbc::parse(FileId(0), "schema: olm.package\nname: \"a\nb\"\ndescripton: c\n");
    assert_eq!(parse.diagnostics[0].span.start, 32);
}

#[test]
fn what_stands_where_a_key_must_stand_is_told_on_the_next_line() {
    let no_colon = "error converting YAML to JSON: yaml: line 4: could not find expected ':'";
    check(&format!("{A}[- x\n  y: z\n---\n{B}"), "b", &[no_colon]);
    check(&format!("{A}\"x\"\n---\n{B}"), "b", &[no_colon]);
    let never_ends = "error converting YAML to JSON: yaml: line 6: found unexpected end of stream";
    check(&format!("{A}x: \"y\nz: 1\nw: 2\n---\n{B}"), "b", &[never_ends]);
    let directive = "error converting YAML to JSON: yaml: line 1: did not find expected <document start>";
    check(&format!("%YAML 1.1\n---\n{A}"), "a", &[directive]);
}

#[test]
fn more_findings_than_anybody_reads_are_left_out() {
    let many = format!("{A}---\n{}{A}name: {{}}\n", "---\nschema: olm.channel\nx: 1\n".repeat(10_001));
    let parse = fbc::parse(FileId(0), &many);
    assert_eq!(parse.docs.len(), 10_002);
    assert_eq!(parse.diagnostics.iter().filter(|finding| finding.opm.is_some()).count(), 1);
    assert!(parse.diagnostics.len() <= 10_002);
    let fields: String = (0..20_000).map(|index| format!("k{index}: 1\n")).collect();
    let parse = fbc::parse(FileId(0), &format!("{A}{fields}"));
    assert!(parse.diagnostics.len() <= 10_002);
}

/// Ten thousand findings are told, the rest is counted, and what `opm` rejects stays rejected.
#[test]
fn findings_beyond_what_anyone_reads_are_counted() {
    let unknown: String = (0..10_050).map(|n| format!("x{n}: 1\n")).collect();
    for (text, all) in [
        (format!("schema: olm.channel\n{unknown}name: 5\n"), 10_051),
        (format!("schema: olm.channel\n{}", "---\nschema: olm.channel\nx: 1\n".repeat(11_000)), 11_000),
        (format!("{}name: 5\n", "schema: olm.channel\nx: 1\n---\n".repeat(11_000)), 11_002),
        ("---\n---\n".repeat(11_000) + "schema: olm.channel\n", 11_000),
    ] {
        let parse = fbc::parse(FileId(0), &text);
        let last = parse.diagnostics.last().expect("there are findings");
        let told = parse.diagnostics.len() - 1;
        assert!((10_000..=10_001).contains(&told), "{told}");
        assert_eq!(last.message, format!("{} further findings in this file are not shown", all - told));
        let is_error = text.contains("name: 5") || text.starts_with("---");
        assert_eq!(parse.diagnostics.iter().any(|finding| finding.opm.is_some()), is_error);
    }
}

/// What YAML 1.2 forbids and yaml.v2 reads.
#[test]
fn what_only_an_old_parser_reads_is_read() {
    for (text, expected) in [
        ("[-, a]", r#"["-","a"]"#),
        ("{a: -, b: [c -, -]}", r#"{"a":"-","b":["c -","-"]}"#),
        ("a: \"it\\'s\"", r#"{"a":"it's"}"#),
        ("a: 1\n... b: [", r#"{"a":1}"#),
        ("a: x\u{feff}y # \u{feff}", "{\"a\":\"x\u{feff}y\"}"),
        ("a: 1\n\u{feff}b: 2", "{\"a\":1,\"\u{feff}b\":2}"),
    ] {
        let trees = fbc::untyped_values(FileId(0), text);
        let json = trees.nodes.first().map(|node| node.to_json(text).expect("nothing lies deep").to_string());
        assert_eq!(json.as_deref(), Some(expected), "{text}");
    }
}

/// What YAML 1.2 allows and yaml.v2 does not read.
#[test]
fn what_only_a_new_parser_reads_is_an_error() {
    const TAB: &str = "found character that cannot start any token";
    const INDENT: &str = "found a tab character that violates indentation";
    for (text, expected) in [
        ("a:\n-\tb\n", format!("line 2: {TAB}")),
        ("a: \"b\"\n \t\nc: d\n", format!("line 2: {TAB}")),
        ("a: b # c\n\t# d\n", format!("line 2: {TAB}")),
        ("a: b\n\t\nc: d\n", format!("line 2: {INDENT}")),
        ("\ta: b", TAB.to_owned()),
        ("a: 1\nb: \"http:\\/\\/c\"", "line 2: found unknown escape character".to_owned()),
        ("a: 1\nb: [http://c?d, e]", "line 1: did not find expected ',' or ']'".to_owned()),
        ("a: 1\nb: {c: http://d?e}", "line 1: did not find expected ',' or '}'".to_owned()),
        ("a: |\n  \t- b\n", "line 2: found a tab character where an indentation space is expected".to_owned()),
        ("a: 1\n\u{feff}# c\nb: 2\n", "line 3: could not find expected ':'".to_owned()),
        ("a: &b.c d\n", "did not find expected alphabetic or numeric character".to_owned()),
    ] {
        check(&format!("{A}---\n{text}"), "a", &[&format!("error converting YAML to JSON: yaml: {expected}")]);
    }
    for text in [
        "a: |\n  b\n\tc: d\n  \te\n".replace("\n\tc: d", ""),
        "a: b\n  \tc\n".to_owned(),
        "a: \"b\n\tc\"\n".to_owned(),
        "a: [b,\n\tc]\n".to_owned(),
        "a:\tb\n".to_owned(),
        "a: 'http:\\/\\/c?d'\n".to_owned(),
        "a: http://b?c=[d]\n".to_owned(),
        "a: ['b?', \"c?\"] # d?\n".to_owned(),
        "a: b\n  &c.d \"\\/\"\n".to_owned(),
        "a: |\n  - \"\\/\"\n  \t[b?c]\n".to_owned(),
    ] {
        assert_eq!(fbc::untyped_values(FileId(0), &text).nodes.len(), 1, "{text}");
    }
}

/// `apimachinery` splits before anyone looks for byte order marks.
#[test]
fn each_document_may_begin_with_a_byte_order_mark() {
    check(&format!("{A}---\n\u{feff}{B}"), "a b", &[]);
    check("\u{feff}", "", &[NO_SCHEMA]);
    check(&format!("\u{feff}---\n{A}"), "a", &[]);
}

/// The JSON error is reported when the YAML reader fails on the separator behind the first YAML document.
#[test]
fn a_broken_separator_keeps_json_from_going_on_as_yaml() {
    let (_, findings) = read(&format!("{JSON_A}\n# YAML\n{A}--- {{}}\n"));
    assert_eq!(findings[0], "json: offset 37: invalid character '#' looking for beginning of value");
}
