//! Reading in steps and after edits: in the end always what reading at once finds.

use fbc::raw::RawDoc;
use fbc::{Changes, Doc, Parse, Reading, parse, parts, read_part};
use proptest::prelude::*;
use source::{FileId, TextEdit};
use std::ops::Range;

const FRAGMENTS: &[&str] = &[
    "schema: olm.package\n",
    "schema: olm.channel\nname: é\n",
    "schema: olm.bundle\nproperties:\n- type: olm.csv.metadata\n  value:\n    a: b\n",
    "entries:\n- name: a\n  skips: [b, c]\n",
    "entires: x\n",
    "icon: {base64data: =}\n",
    "name: 1.0\n",
    "---\n",
    "---",
    "--- # x\n",
    "--- {}\n",
    "-",
    "...\n",
    "\n",
    "\r\n",
    " ",
    "# x\n",
    "\u{feff}",
    "{\"schema\":\"olm.package\"}",
    "{",
    "}",
    "[",
    "\"",
    "'",
    "|\n",
    "&a ",
    "*a",
    "x",
];

fn texts() -> impl Strategy<Value = String> {
    let fragments = proptest::collection::vec(proptest::sample::select(FRAGMENTS), 0..20);
    prop_oneof![8 => fragments.prop_map(|parts| parts.concat()), 1 => any::<String>()]
}

fn finish(reading: &mut Reading, text: &str, bytes: u32) {
    while !reading.step(text, bytes) {}
}

/// Replaces the characters around two places of a text; `at` and `length` are taken modulo what there is.
fn edited(text: &str, at: usize, length: usize, inserted: &str) -> (String, TextEdit) {
    let start = text.floor_char_boundary(at % (text.len() + 1));
    let end = text.ceil_char_boundary(start + length % (text.len() - start + 1));
    let new = [&text[..start], inserted, &text[end..]].concat();
    (new, TextEdit { start: start as u32, end: end as u32, text: inserted.to_owned() })
}

/// The parts of a document that an edit elsewhere leaves as they are.
fn told(doc: &Doc) -> Option<String> {
    match &doc.raw {
        RawDoc::Channel(raw) => raw.name.as_ref().map(|name| name.value.to_string()),
        RawDoc::Package(raw) => raw.name.as_ref().map(|name| name.value.to_string()),
        _ => None,
    }
}

/// What changes say must lead from the documents before to those behind.
fn check_changes(before: &Parse, after: &Parse, changes: &Changes) -> Result<(), TestCaseError> {
    let Range { start, end } = changes.added;
    prop_assert!(start <= end && end <= after.docs.len(), "{:?} of {}", changes.added, after.docs.len());
    let behind = after.docs.len() - end;
    prop_assert_eq!(before.docs.len(), start + changes.removed.len() + behind);
    prop_assert_eq!(&before.docs[..start], &after.docs[..start]);
    prop_assert_eq!(&before.docs[start..before.docs.len() - behind], &changes.removed[..]);
    let (old, new) = (&before.docs[before.docs.len() - behind..], &after.docs[end..]);
    prop_assert!(old.iter().map(told).eq(new.iter().map(told)));
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn steps_of_any_size_come_to_the_same(text in texts(), bytes in 0u32..60) {
        let mut reading = Reading::new(FileId(7));
        let mut steps = 0;
        while !reading.step(&text, bytes) {
            steps += 1;
            prop_assert!(steps <= text.len() + 2, "it never ends");
            prop_assert!(reading.position() as usize <= text.len());
        }
        prop_assert_eq!(reading.position() as usize, text.len());
        prop_assert_eq!(reading.take_changes().added, 0..reading.parse().docs.len());
        prop_assert_eq!(reading.into_parse(), fbc::parse(FileId(7), &text));
    }

    #[test]
    fn after_edits_all_is_as_if_read_anew(
        text in texts(),
        edits in proptest::collection::vec(
            (any::<usize>(), prop_oneof![Just(0), 0usize..9, any::<usize>()], texts(), 0u32..40),
            1..5,
        ),
    ) {
        let mut text = text;
        let mut reading = Reading::new(FileId(0));
        finish(&mut reading, &text, 1 << 20);
        reading.take_changes();
        for (at, length, inserted, bytes) in edits {
            let before = reading.parse().clone();
            let (new, edit) = edited(&text, at, length, &inserted);
            reading.edit(&new, &edit);
            finish(&mut reading, &new, bytes);
            let anew = fbc::parse(FileId(0), &new);
            prop_assert_eq!(reading.parse(), &anew, "{:?} of {:?} to {:?}", edit, text, new);
            check_changes(&before, &anew, &reading.take_changes())?;
            text = new;
        }
    }

    #[test]
    fn an_edit_may_come_before_all_is_read(
        text in texts(),
        edits in proptest::collection::vec((any::<usize>(), 0usize..9, texts(), 0u32..40), 1..5),
    ) {
        let mut text = text;
        let mut reading = Reading::new(FileId(0));
        reading.step(&text, 10);
        for (at, length, inserted, bytes) in edits {
            let (new, edit) = edited(&text, at, length, &inserted);
            reading.edit(&new, &edit);
            reading.step(&new, bytes);
            text = new;
        }
        finish(&mut reading, &text, 8);
        prop_assert_eq!(reading.parse(), &fbc::parse(FileId(0), &text));
        let changes = reading.take_changes();
        prop_assert!(changes.added.start <= changes.added.end && changes.added.end <= reading.parse().docs.len());
    }
}

/// The first documents can be used before the last are read.
#[test]
fn documents_come_one_after_the_other() {
    for separator in ["---\n", ""] {
        let documents = ["a", "b", "c"].map(|name| format!("{{\"schema\":\"olm.package\",\"name\":\"{name}\"}}\n"));
        let text = documents.join(separator);
        let text = if separator.is_empty() { text } else { format!("# YAML\n---\n{text}") };
        let mut reading = Reading::new(FileId(0));
        let mut seen = Vec::new();
        while !reading.step(&text, 1) {
            seen.push(reading.parse().docs.len());
        }
        seen.dedup();
        seen.retain(|&docs| docs > 0);
        assert_eq!(seen, [1, 2, 3], "{separator:?}");
    }
}

/// Only the document with the edit is read anew, and all spans behind it move.
#[test]
fn what_an_edit_leaves_alone_is_not_read_again() {
    let documents: Vec<_> = (0..50).map(|n| format!("schema: olm.channel\nname: c{n}\nentires: x\n")).collect();
    let text = documents.join("---\n");
    let mut reading = Reading::new(FileId(0));
    finish(&mut reading, &text, 100);
    reading.take_changes();
    let at = text.find("name: c25").expect("it is there") + "name: ".len();
    let (new, edit) = edited(&text, at, 3, "longer");
    reading.edit(&new, &edit);
    let mut steps = 0;
    while !reading.step(&new, 1) {
        steps += 1;
    }
    assert!(steps <= 4, "the document with the edit, and one step for the rest: {steps}");
    let changes = reading.take_changes();
    assert_eq!(
        (changes.added, changes.removed.iter().filter_map(told).collect::<Vec<_>>()),
        (25..26, vec!["c25".to_owned()])
    );
    assert_eq!(*reading.parse(), fbc::parse(FileId(0), &new));
}

/// An edit that has another document begin elsewhere.
#[test]
fn separators_come_and_go() {
    let text = "schema: olm.package\nname: a\n---\nschema: olm.package\nname: b\n---\nschema: olm.package\nname: c\n";
    let mut reading = Reading::new(FileId(0));
    finish(&mut reading, text, u32::MAX);
    reading.take_changes();
    let (without, edit) = edited(text, 28, 4, "");
    reading.edit(&without, &edit);
    finish(&mut reading, &without, u32::MAX);
    assert_eq!(reading.take_changes().added, 0..1);
    let (again, edit) = edited(&without, 28, 0, "---\n");
    reading.edit(&again, &edit);
    finish(&mut reading, &again, u32::MAX);
    assert_eq!(reading.take_changes().added, 0..2);
    assert_eq!(*reading.parse(), fbc::parse(FileId(0), text));
}

/// What is left out because it would take too much memory does not depend on how the text came about.
#[test]
fn documents_that_take_too_much_are_left_out_and_come_back() {
    let small = "schema: olm.package\nname: a\n---\n";
    let large = format!("schema: olm.channel\nname: c\nx: [{}]\n---\n", "1,".repeat(2_000_000));
    let text = format!("{small}{large}schema: olm.package\nname: b\n");
    let mut reading = Reading::new(FileId(0));
    finish(&mut reading, &text, 1 << 20);
    assert_eq!(*reading.parse(), fbc::parse(FileId(0), &text));
    assert_eq!(reading.parse().docs.len(), 2);
    let told: Vec<_> = reading.parse().diagnostics.iter().map(|told| (told.rule.id(), &told.opm)).collect();
    assert_eq!(told, [("unreadable-file", &None)]);
    let at = small.len() + large.find('[').expect("it is there");
    let (fewer, edit) = edited(&text, at + 1, 3_200_000, "");
    reading.edit(&fewer, &edit);
    finish(&mut reading, &fewer, 1 << 20);
    assert_eq!(reading.parse().docs.len(), 3);
    assert_eq!(*reading.parse(), fbc::parse(FileId(0), &fewer));
}

#[test]
fn values_in_json_are_bounded_as_well() {
    let text =
        format!("{{\"schema\":\"olm.package\",\"x\":[1{}]}}{{\"schema\":\"olm.package\"}}", ",1".repeat(2_000_000));
    let parse = fbc::parse(FileId(0), &text);
    assert_eq!((parse.docs.len(), parse.diagnostics.len()), (1, 1));
    assert_eq!(parse.diagnostics[0].rule.id(), "unreadable-file");
}

#[test]
fn many_short_lines_in_quotes_are_read() {
    let text = format!("schema: olm.package\nname: p\ndescription: \"{}\"\n", "a\n".repeat(900_000));
    let parse = fbc::parse(FileId(0), &text);
    assert_eq!((parse.docs.len(), parse.diagnostics.len()), (1, 0));
    let open = format!("schema: olm.package\nname: \"{}", "a\n".repeat(900_000));
    let never = "error converting YAML to JSON: yaml: line 900002: found unexpected end of stream";
    assert_eq!(fbc::parse(FileId(0), &open).diagnostics[0].opm.as_deref(), Some(never));
}

// Reading parts of a text independently of each other: together always what reading at once finds.

const LINES: &[&str] = &[
    "schema: olm.package",
    "name: é",
    "- a",
    "entires: x",
    "a: [",
    "a: \"",
    "---",
    "--- # x",
    "--- {}",
    "----",
    "...",
    "",
    " ",
    "# x",
    "{",
    "}",
    r#"{"schema":"a","name":5}"#,
    "\u{feff}",
    "x---",
    "&a x",
    "b: *a",
];

const FILE: FileId = FileId(0);

fn in_parts(text: &str, bytes: usize) -> Reading {
    let mut reading = Reading::new(FILE);
    reading.read_with(text, parts(text, bytes).into_iter().map(|part| read_part(FILE, text, part)).collect());
    reading
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn parts_find_what_the_whole_text_holds(
        lines in proptest::collection::vec(proptest::sample::select(LINES), 0..20),
        bytes in 1usize..40,
    ) {
        let text = lines.join("\n");
        let reading = in_parts(&text, bytes);
        prop_assert_eq!(reading.parse(), &parse(FILE, &text), "{:?}", parts(&text, bytes));
    }

    #[test]
    fn what_was_read_in_parts_can_be_edited(
        lines in proptest::collection::vec(proptest::sample::select(LINES), 1..20),
        bytes in 1usize..40,
        at in any::<prop::sample::Index>(),
    ) {
        let text = lines.join("\n");
        let start = text.floor_char_boundary(at.index(text.len() + 1));
        let edited = [&text[..start], "\n---\n", &text[start..]].concat();
        let mut reading = in_parts(&text, bytes);
        reading.edit(&edited, &TextEdit { start: start as u32, end: start as u32, text: "\n---\n".to_owned() });
        while !reading.step(&edited, u32::MAX) {}
        prop_assert_eq!(reading.parse(), &parse(FILE, &edited));
    }
}

#[test]
fn a_text_is_cut_at_documents() {
    let text = "a: 1\n---\nb: 2\n---\n---\nc: 3\n--- {}\nd: 4\n";
    let pieces: Vec<&str> = parts(text, 1).into_iter().map(|part| &text[part]).collect();
    assert_eq!(pieces, ["a: 1\n---\n", "b: 2\n---\n", "---\nc: 3\n--- {}\n", "d: 4\n"]);
    assert_eq!(parts("{}\n---\n{}", 1), []);
    assert!(parts("", 1).into_iter().all(|part| part.is_empty()));
}

/// A part is read as YAML, which concatenated JSON is not.
#[test]
fn parts_of_json_are_not_taken_over() {
    let text = r#"{"schema":"olm.package","name":5}"#;
    let mut reading = Reading::new(FILE);
    reading.read_with(text, vec![read_part(FILE, text, 0..text.len())]);
    assert_eq!(reading.parse(), &parse(FILE, text));
}

/// Which findings are omitted, and which documents are left out, depends on all before them.
#[test]
fn limits_are_those_of_the_whole_text() {
    let findings = "schema: x\nschema: x\n---\n".repeat(10_100);
    let entries = "- {name: a}\n".repeat(45_000);
    let documents = format!("schema: olm.channel\nname: c\nentries:\n{entries}---\n").repeat(3);
    for text in [findings, documents] {
        let expected = parse(FILE, &text);
        assert!(expected.diagnostics.len() == 10_001 || expected.docs.len() < 3);
        assert_eq!(in_parts(&text, 1 << 16).parse(), &expected);
    }
}
