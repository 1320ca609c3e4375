//! What holds for every text: reading never fails, every span lies inside the text, nothing hides its neighbours.

use fbc::raw::RawDoc;
use fbc::{Node, Parse, Value, parse};
use proptest::prelude::*;
use source::{FileId, Rule, Span};

const FRAGMENTS: &[&str] = &[
    "schema: olm.bundle\n",
    "schema: olm.channel\n",
    "schema: olm.package\n",
    "name: é\n",
    "entries:\n",
    "- name: a\n",
    "  skips: [b, c]\n",
    "properties:\n",
    "- type: olm.csv.metadata\n",
    "  value:\n",
    "    a: \"😀\"\n",
    "    b:\n    - c\n",
    "- type: olm.gvk\n  value: {group: g}\n",
    "---\n",
    "...\n",
    "\n",
    "\t",
    "{\"schema\":\"olm.package\"}",
    "{",
    "}",
    "[",
    "]",
    "\"",
    "'",
    ": ",
    "- ",
    "|\n",
    "&a ",
    "*a",
    "<<: ",
    "# x\n",
    "\u{feff}",
    "\r\n",
    "\u{1}",
    "icon: {base64data: =}\n",
    "~",
    "1.10",
    "\\u",
];

fn texts() -> impl Strategy<Value = String> {
    let fragments = proptest::collection::vec(proptest::sample::select(FRAGMENTS), 0..25);
    prop_oneof![3 => fragments.prop_map(|parts| parts.concat()), 1 => any::<String>()]
}

fn inside(span: Span, text: &str) -> bool {
    span.start <= span.end && text.get(span.start as usize..span.end as usize).is_some()
}

fn node_inside(node: &Node, text: &str) -> bool {
    inside(node.span, text)
        && match &node.value {
            Value::Sequence(items) => items.iter().all(|item| node_inside(item, text)),
            Value::Mapping(entries) => {
                entries.iter().all(|(key, value)| inside(key.span, text) && node_inside(value, text))
            }
            _ => true,
        }
}

const METADATA: &[&str] = &[
    "annotations:",
    "labels:",
    "keywords:",
    "description:",
    "installModes:",
    "crdDescriptions:",
    "owned:",
    "links: []",
    "provider: {}",
    "- name: a",
    "- a",
    "- 1",
    "-",
    "name: b",
    "name: 010",
    "supported: yes",
    "supported: 'yes'",
    "- supported: on",
    "containerPort: 8",
    "containerPort: 8.5",
    "apiServiceDefinitions:",
    "- containerPort: 99999999999",
    "value: 1",
    "KIND: true",
    "x: |",
    "text",
    "keywords: ~",
    "x-descriptors: []",
    "specDescriptors:",
    "- path: null",
    "nativeAPIs: {}",
    "version: 1.10",
    "kind: yes no",
    "y: z",
];

/// What was seen to fit while it was passed over must fit as a tree.
fn check_fitting(text: &str) -> Result<(), TestCaseError> {
    for doc in fbc::parse(FileId(0), text).docs {
        let RawDoc::Bundle(bundle) = doc.raw else { continue };
        for property in bundle.properties.iter().filter(|property| property.fits) {
            let (kind, value) = (property.kind.as_ref().expect("a type"), property.value.as_ref().expect("a value"));
            prop_assert_eq!(fbc::property_misfit(&kind.value, value, text), Ok(None), "{}", text);
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn any_text_is_read_and_every_span_lies_in_it(text in texts()) {
        let parse = fbc::parse(FileId(0), &text);
        for finding in &parse.diagnostics {
            prop_assert!(inside(finding.span, &text), "{finding:?}");
            prop_assert!(finding.labels.iter().all(|label| inside(label.span, &text)), "{finding:?}");
        }
        for doc in &parse.docs {
            prop_assert!(inside(doc.span, &text));
            let RawDoc::Bundle(bundle) = &doc.raw else { continue };
            for value in bundle.properties.iter().filter_map(|property| property.value.as_ref()) {
                prop_assert!(node_inside(value, &text), "{value:?}");
                if let Ok(opened) = value.open(&text) {
                    prop_assert!(node_inside(&opened, &text), "{opened:?}");
                }
            }
        }
    }

    #[test]
    fn a_value_that_was_seen_to_fit_fits(
        lines in proptest::collection::vec(
            (0usize..5, proptest::sample::select(METADATA)),
            0..9,
        )
    ) {
        let lines = lines.into_iter().map(|(indent, line)| "  ".repeat(indent + 2) + line + "\n");
        let lines: String = lines.collect();
        let yaml = format!("schema: olm.bundle\nproperties:\n- type: olm.csv.metadata\n  value:\n    maturity: a\n{lines}");
        check_fitting(&yaml)?;
        let trees = fbc::untyped_values(FileId(0), &yaml);
        if let Some(json) = trees.nodes.first().and_then(|node| node.to_json(&yaml).ok()) {
            check_fitting(&json.to_string())?;
        }
    }

    #[test]
    fn a_broken_document_hides_neither_neighbour(bad in texts()) {
        let a = "schema: olm.channel\nname: a\nentires: []\n---\n";
        let b = "\n---\nschema: olm.channel\nname: b\nentries: 5\n";
        let text = format!("{a}x: {bad}{b}");
        let parse = fbc::parse(FileId(0), &text);
        let names: Vec<_> = parse.docs.iter().filter_map(|doc| match &doc.raw {
            RawDoc::Channel(channel) => channel.name.as_ref().map(|name| &*name.value),
            _ => None,
        }).collect();
        prop_assert!(names.first() == Some(&"a") && names.last() == Some(&"b"), "{names:?}");
        let messages: Vec<_> = parse.diagnostics.iter().map(|finding| finding.message.as_str()).collect();
        prop_assert!(messages.contains(&"`olm.channel` has no field `entires`"), "{messages:?}");
        prop_assert!(messages.contains(&"`entries` must be a list, found a number"), "{messages:?}");
    }
}

// Texts that would take too much memory: a part of them is not read, and a finding always says so.

/// The findings that say that a part was not read, and how many documents were.
fn unread(parse: &Parse) -> (Vec<&str>, usize) {
    let findings = parse.diagnostics.iter().filter(|found| found.rule == Rule::UnreadableFile && found.opm.is_none());
    (findings.map(|found| found.message.as_str()).collect(), parse.docs.len())
}

const DOCUMENT: &str =
    "the document holds more or longer values than Opscope keeps in memory for a text of its size, and is left out";
const FILE: &str = "the file holds more or longer values than Opscope keeps in memory for a text of its size, and is read only in part";

/// A channel with more entries than are kept.
fn large_channel() -> String {
    "schema: olm.channel\npackage: p\nname: c\nentries:\n".to_owned() + &"- {name: a}\n".repeat(250_000)
}

#[test]
fn a_text_that_holds_too_much_is_not_taken_for_something_else() {
    let keys = (0..500_000).map(|key| format!("k{key}: 1\n")).collect();
    for text in ["- x\n".repeat(520_000), keys] {
        let parse = parse(FileId(0), &text);
        assert_eq!(unread(&parse), (vec![DOCUMENT], 0), "{}", &text[..20]);
        assert_eq!(parse.diagnostics.len(), 1);
    }
}

#[test]
fn the_file_is_to_blame_and_not_the_document_that_exceeds_the_limit() {
    let bundle = |name: usize| format!("---\nschema: olm.bundle\npackage: p\nname: b{name}\n");
    let text: String = (0..90_000).map(bundle).collect();
    let parse = parse(FileId(0), &text);
    let (messages, documents) = unread(&parse);
    assert_eq!(messages, [FILE]);
    let found = parse.diagnostics.iter().find(|found| found.rule == Rule::UnreadableFile).expect("it was found");
    let first_left_out = found.labels[0].span.start;
    assert!(found.span.start == 0 && first_left_out > 1_000_000 && documents > 20_000, "{found:?}");
}

#[test]
fn no_number_of_findings_hides_it() {
    let text = "schema: a\nx: 1\nx: 1\n---\n".repeat(10_100) + &large_channel();
    let parse = parse(FileId(0), &text);
    assert_eq!(unread(&parse).0, [DOCUMENT]);
    assert!(parse.diagnostics.iter().any(|found| found.rule == Rule::MoreFindings));
}
