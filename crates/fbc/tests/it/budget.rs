//! Texts that would take too much memory: a part of them is not read, and a finding always says so.

use fbc::{Parse, parse};
use source::{FileId, Rule};

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
