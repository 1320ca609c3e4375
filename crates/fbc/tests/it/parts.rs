//! Reading parts of a text independently of each other: together always what reading at once finds.

use fbc::{Reading, parse, parts, read_part};
use proptest::prelude::*;
use source::{FileId, TextEdit};

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
