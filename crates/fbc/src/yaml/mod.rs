//! One YAML document to a tree of nodes, as yaml.v2 reads it.

mod build;
mod fault;
mod parser;
mod scalar;
mod scanner;
mod skip;

pub(crate) use build::{Document, Open};
pub(crate) use fault::{BLOCK, Fault, Undecoded};
pub(crate) use scalar::{Scalar, is_timestamp, resolve};

use build::Builder;
use fault::Lines;
use parser::Parser;
use source::FileId;
use std::ops::Range;

const BYTE_ORDER_MARK: char = '\u{feff}';

/// Reads the first document of `range` as apimachinery passes it on: every line ends with a line break. A byte order mark
/// at the start is ignored.
pub(crate) fn read(file: FileId, text: &str, range: Range<usize>, open: Open) -> Result<Document, Fault> {
    let Range { start, end } = range;
    let chunk = &text[start..end];
    if chunk.is_empty() || chunk.ends_with('\n') {
        return read_behind(file, &text[..end], start, open, Lines::PassedOn, None);
    }
    // Only where the text ends, so that one of its chunks is copied. No `\r` is lost before the line feed that is added.
    let line_end = if chunk.ends_with('\r') { "\r\n" } else { "\n" };
    let text = text[..end].to_owned() + line_end;
    let read = read_behind(file, &text, start, open, Lines::PassedOn, None);
    let mut document = read.map_err(|mut fault| {
        fault.at = fault.at.min(end);
        fault
    })?;
    // A document of nothing has its place behind the line break that was added.
    let span = &mut document.node.span;
    (span.start, span.end) = (span.start.min(end as u32), span.end.min(end as u32));
    Ok(Document { end: document.end.min(end), ..document })
}

/// Reads the first document of a text, whose last line may end without a line break.
pub(crate) fn read_text(file: FileId, text: &str, open: Open) -> Result<Document, Fault> {
    read_behind(file, text, 0, open, Lines::Whole, None)
}

/// Why the first document of a text cannot be read, behind which the input may go on with what cannot be decoded.
pub(crate) fn fault(text: &str, behind: Option<Undecoded>) -> Option<Fault> {
    read_behind(FileId(0), text, 0, Open::WhatIsRead, Lines::Whole, behind).err()
}

/// Reads the first document of `text[start..]`.
fn read_behind(
    file: FileId,
    text: &str,
    start: usize,
    open: Open,
    lines: Lines,
    behind: Option<Undecoded>,
) -> Result<Document, Fault> {
    let mark = if text[start..].starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len_utf8() } else { 0 };
    let first = start + mark;
    let mut parser = Parser::new(text, first, lines);
    let document = Builder::new(file, text, first, open).run(&mut parser);
    let control = fault::unprintable(&text[first..]).map(|at| {
        let block = (mark + at) / BLOCK * BLOCK;
        (first + at, Undecoded { words: fault::CONTROL_CHARACTER, block: start + block })
    });
    match control.or_else(|| Some((text.len(), behind?))) {
        Some((at, undecoded)) if undecoded.is_seen(text, parser.position()) => {
            Err(Fault::undecoded(at, undecoded.words))
        }
        _ => document.map_err(|fault| fault.name_line(text, first, lines)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Node;
    use crate::stream::yaml_pieces;
    use flate2::read::GzDecoder;
    use proptest::prelude::*;
    use std::fs::File;
    use std::io::{BufRead, BufReader, Write};
    use std::path::PathBuf;

    const HEAD: &str = "schema: olm.bundle\nproperties:\n- type: olm.csv.metadata\n  value:\n";
    const TAIL: &str = "\n- type: olm.gvk\n  value: {kind: K}\nname: a\n";

    /// Passing over values must see what the parser sees.
    fn check_same(text: &str) -> Result<(), TestCaseError> {
        let seen = |document: Document| (document.node, document.end, document.diagnostics.into_reported());
        let read = |open| super::read(FileId(0), text, 0..text.len(), open).map(seen);
        prop_assert_eq!(read(Open::WhatIsRead), read(Open::WhatIsReadSlowly));
        Ok(())
    }

    fn check_documents(text: &str) -> Result<(), TestCaseError> {
        // What is looked at before all reading is left out.
        let chunks = yaml_pieces(text, 0).map(|piece| text[piece.chunk].trim_start_matches(BYTE_ORDER_MARK));
        chunks.filter(|chunk| fault::unprintable(chunk).is_none()).try_for_each(check_same)
    }

    /// The catalogs that `opm`'s verdicts were recorded of.
    #[test]
    fn recorded_catalogs_are_read_as_the_parser_reads_them() {
        let rows = concat!(env!("CARGO_MANIFEST_DIR"), "/../catalog/tests/validate.jsonl.gz");
        let rows = BufReader::new(GzDecoder::new(File::open(rows).expect("the file is there"))).lines();
        let mut count = 0;
        for row in rows {
            let row: serde_json::Value = serde_json::from_str(&row.expect("a line")).expect("a row");
            check_documents(row["catalog"].as_str().expect("a text")).expect("the same");
            count += 1;
        }
        assert_eq!(count, 700);
    }

    /// Catalogs of the community, say; they are too large to be kept in the repository.
    #[test]
    fn real_catalogs_are_read_as_the_parser_reads_them() {
        let Some(folder) = std::env::var_os("OPSCOPE_CATALOGS") else {
            // Written to the terminal itself: libtest hides what a passing test prints.
            writeln!(std::io::stderr(), "skipped: set `OPSCOPE_CATALOGS` to a folder of catalogs")
                .expect("standard error is open");
            return;
        };
        let mut folders = vec![PathBuf::from(folder)];
        while let Some(folder) = folders.pop() {
            for entry in folder.read_dir().expect("a folder") {
                let path = entry.expect("an entry").path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|ending| ending == "yaml") {
                    check_documents(&std::fs::read_to_string(path).expect("text")).expect("the same");
                }
            }
        }
    }

    #[test]
    fn the_outline_changes_nothing() {
        for value in [
            "    a: b\n    c:\n    - d\n    - e: f\n      g: |\n        x\n\n          y\n      h: []\n",
            "    a: \"x\n      y \\\" \\u00e9\"\n    b: 'it''s'\n    c: plain\n      - and on\n",
            "    a: |-\n    b: >\n\n      x\n    c:\n\n    d: 1\n",
            "    a:\n    - - x\n      - y\n    -\n      b: c\n",
            "    a: &x b\n    c: *x\n",
            "    a: |\n      - type: olm.csv.metadata\n        value:\n          x: y\n",
            "    é: ß\n    b: 😀\n",
            "    a:\n      -\n      value:\n",
            "    a:\n    -\n    x\n",
            "    a: b\n   c: d\n",
            "    a: b\n #\n   &x \n",
            "    a: |\n\t\n    b: []  \n    c:\n",
        ] {
            check_same(&format!("{HEAD}{value}{TAIL}")).expect(value);
        }
    }

    #[test]
    fn a_text_may_end_in_an_escape() {
        for value in ["    a: \"b\\", "    a: \"b\\\n", "    a: 'b'", "    a: \"b\\u00e"] {
            check_same(&format!("{HEAD}{value}")).expect(value);
        }
    }

    #[test]
    fn reading_lines_at_once_changes_nothing() {
        for text in [
            "a: b\nc: d\n",
            "a: b\nc: d",
            "a: b\n c: d\n",
            "a: b\n  and on\nc: d\n",
            "a: b\n\n  and on\nc: d\n",
            "a: b # note\nc: d\n# note\ne: f\n",
            "a: b#c:d\ne: f: g\n",
            "a: b: c\n",
            "a: b:\n  c: d\n",
            "a: b\n\tc: d\n",
            "a: b \nc:  d\n",
            "a: b\r\nc: d\r\n",
            "a: ß\nb: c\u{85}d: e\n",
            "a: b\n...\nc: d\n",
            "a:\n  b: c\n  d: e\nf: g\n",
            "a:\n  b: c\n d: e\n",
            "a:\nb: c\n  d: e\n",
            "- a: b\n  c: d\n- e: f\n g: h\n",
            "- - a: b\n    c: d\n  - e: f\n",
            "-  a: b\n   c: d\n- e\n",
            "x:\n- a: b\n  c:\n  - d: e\n    f: g\n- h: i\ny: z\n",
            "x: [a, {b: c}]\ny:\n- {a: b}\n- c: d\nz: e\n",
            "? a\n: b: c\n  d: e\nf: g\n",
            "a: &b\n  c: d\ne: *b\n",
            "&a b: c\nd: e\n",
            "!!map\na: b\nc: d\n",
            "a: b\n  c: d\n",
            "'a': b\nc: 'd'\ne: f\n",
            "a: |\n  b: c\nd: e\n",
            "on: off\n1: 0x1\nnull: null\n<<: {a: b}\na: c\na: d\n",
            "a: b\nc\nd: e\n",
            "a: b\n- c: d\n",
            "a: -1\nb: .5\nc: -\n",
        ] {
            check_same(text).expect(text);
        }
        let key = "k".repeat(200);
        check_same(&format!("a: b\n{key}: c\nd: e\n")).expect("a long key");
    }

    /// What is read of a text in which `~` is a line break of YAML 1.1, or what yaml.v2 says of it.
    #[track_caller]
    fn check_breaks(text: &str, expected: &str) {
        for line_break in ["\u{85}", "\u{2028}", "\u{2029}"] {
            let text = text.replace('~', line_break);
            let document = read(FileId(0), &text, 0..text.len(), Open::WhatIsRead);
            let told = match document {
                Ok(document) => document.node.to_json(&text).unwrap().to_string(),
                Err(fault) => fault.go_words().unwrap(),
            };
            assert_eq!(told, expected, "{text:?}");
        }
    }

    #[test]
    fn lines_end_where_those_of_yaml_1_1_end() {
        check_breaks("a: b~c: d~e:~- f\n", r#"{"a":"b","c":"d","e":["f"]}"#);
        check_breaks("# a~b: c\n", r#"{"b":"c"}"#);
        check_breaks("é: ß\na: b~c\n", "yaml: line 4: could not find expected ':'");
        check_breaks("a: |\n  b~c\n", "yaml: line 4: could not find expected ':'");
        check_breaks("a: \"b\\Nc\"\n", "{\"a\":\"b\u{85}c\"}");
    }

    /// What is read of a text of lines in which `~` is a line break, or what yaml.v2 says of it.
    #[track_caller]
    fn check_each_break(text: &str, expected: &str) {
        let kept = [("\u{2028}", "\u{2028}"), ("\u{2029}", "\u{2029}")];
        let read_as_feeds = ["\n", "\r", "\r\n", "\r\r\n", "\u{85}"].map(|line_break| (line_break, "\\n"));
        for (line_break, kept) in read_as_feeds.into_iter().chain(kept) {
            let broken = text.replace('~', line_break);
            for open in [Open::WhatIsRead, Open::WhatIsReadSlowly, Open::All] {
                let told = match read(FileId(0), &broken, 0..broken.len(), open) {
                    Ok(document) => document.node.to_json(&broken).unwrap().to_string(),
                    Err(fault) => fault.go_words().unwrap(),
                };
                assert_eq!(told, expected.replace('~', kept), "{broken:?}");
            }
        }
    }

    #[test]
    fn a_line_may_begin_with_any_break() {
        check_each_break("~a: b\n~c: d\n", r#"{"a":"b","c":"d"}"#);
        check_each_break("---\n~a: b\n~~# c\n~c: d", r#"{"a":"b","c":"d"}"#);
        check_each_break("a:\n~- b\n~  - c\n", r#"{"a":["b~- c"]}"#);
        check_each_break("a: [\n~b,~c~]\n~", r#"{"a":["b","c"]}"#);
    }

    #[test]
    fn a_skipped_value_may_go_on_behind_any_break() {
        let text = |value: &str| format!("{HEAD}{value}name: x\n");
        for (value, json) in [
            ("    a: b\n~    c: d\n", r#"{"a":"b","c":"d"}"#),
            ("    a: |-\n~      b\n    c: d\n", r#"{"a":"~b","c":"d"}"#),
            ("    a:~    - b\n~    - c\n", r#"{"a":["b","c"]}"#),
        ] {
            let expected = format!(
                r#"{{"name":"x","properties":[{{"type":"olm.csv.metadata","value":{json}}}],"schema":"olm.bundle"}}"#
            );
            check_each_break(&text(value), &expected);
        }
    }

    #[test]
    fn any_break_ends_a_line_behind_an_indicator_or_a_comment() {
        check_each_break("a:~  b~c: # d~- e~- ~  f: g~", r#"{"a":"b","c":["e",{"f":"g"}]}"#);
        check_each_break("? a~: b~", r#"{"a":"b"}"#);
        check_each_break("a: &x~  b~c: *x~d: !!str~  1~", r#"{"a":"b","c":"b","d":"1"}"#);
        check_each_break("%YAML 1.1~---~a: b~...~c: d~", r#"{"a":"b"}"#);
    }

    #[test]
    fn any_break_of_a_scalar_is_kept_or_folded() {
        check_each_break("a: |~  b~  c~~d: e~", r#"{"a":"b~c~","d":"e"}"#);
        check_each_break("a: |+~  b~~e: f", r#"{"a":"b~~","e":"f"}"#);
        check_each_break("a: |-~  b~  c", r#"{"a":"b~c"}"#);
        check_each_break("a: \"b\\~   c\\~\"", r#"{"a":"bc"}"#);
    }

    #[test]
    fn the_last_line_is_given_a_line_feed() {
        check_each_break("a: b~c", "yaml: line 3: could not find expected ':'");
        check_each_break("a: \"b\\", "yaml: line 2: found unexpected end of stream");
        let read = |text: &str| read(FileId(0), text, 0..text.len(), Open::All).unwrap().node.to_json(text).unwrap();
        for (text, value) in
            [("|\n a", "a\n"), ("|+\n a\r", "a\n"), ("|+\n a\u{85}", "a\n\n"), ("|+\n a\u{2028}", "a\u{2028}\n")]
        {
            assert_eq!(read(text), value, "{text:?}");
        }
    }

    /// The decoder of lines takes away one `\r` before a line feed, so that the others make one line break with it.
    #[test]
    fn one_carriage_return_before_a_line_feed_is_lost() {
        let text = "a: |\n  b\r\r\r\n  c\n";
        let passed_on = read(FileId(0), text, 0..text.len(), Open::All).unwrap().node;
        assert_eq!(passed_on.get("a").unwrap().as_str(), Some("b\n\nc\n"));
        let whole = read_text(FileId(0), text, Open::All).unwrap().node;
        assert_eq!(whole.get("a").unwrap().as_str(), Some("b\n\n\nc\n"));
    }

    #[test]
    fn a_second_byte_order_mark_costs_each_line_a_character() {
        let text = "\u{feff}\u{feff}schema: s\nname: x\n";
        let node = read(FileId(0), text, 0..text.len(), Open::WhatIsRead).unwrap().node;
        assert_eq!(node.to_json(text).unwrap(), serde_json::json!({"schema": "s", "ame": "x"}));
    }

    #[test]
    fn an_anchored_merge_key_is_a_text_to_its_alias() {
        let text = "&x <<: *x\n";
        let fault = read(FileId(0), text, 0..text.len(), Open::All).unwrap_err();
        let words = "yaml: map merge requires map or sequence of maps as the value";
        assert_eq!(fault.go_words().as_deref(), Some(words));
    }

    #[test]
    fn only_next_line_is_folded_like_a_line_feed() {
        let read = |text: &str| read(FileId(0), text, 0..text.len(), Open::All).unwrap().node.to_json(text).unwrap();
        for (text, value) in [
            ("b\u{85}  c", "b c"),
            ("'b\u{85}  c'", "b c"),
            ("b\u{2028}  c", "b\u{2028}c"),
            ("'b\u{2029}\n c'", "b\u{2029}\nc"),
        ] {
            assert_eq!(read(text), value, "{text:?}");
        }
    }

    #[test]
    fn a_question_mark_in_brackets_marks_a_key() {
        check_breaks("x: [?a]\n", r#"{"x":[{"a":null}]}"#);
        check_breaks("x: [b, ?a: c]\n", r#"{"x":["b",{"a":"c"}]}"#);
        check_breaks("x: {?a: b, c: d}\n", r#"{"x":{"a":"b","c":"d"}}"#);
        check_breaks("x: {? a, b: '?c'}\n", r#"{"x":{"a":null,"b":"?c"}}"#);
        check_breaks("x: ?a\n", r#"{"x":"?a"}"#);
    }

    #[test]
    fn what_stands_behind_a_break_is_where_it_is() {
        let text = "é: ß\u{85}a: {b: c}\u{2028}name: n\n";
        let document = read(FileId(0), text, 0..text.len(), Open::WhatIsRead).unwrap();
        let span = document.node.get("name").unwrap().span;
        assert_eq!((span.slice(text), document.end), ("n", text.len()));
    }

    #[test]
    fn a_property_inside_a_text_is_text() {
        let text = "description: |\n  - type: foo\n    value:\n      a: b\n  end\nname: a\n";
        let document = read(FileId(0), text, 0..text.len(), Open::WhatIsRead).expect("well-formed");
        let description = document.node.get("description").and_then(Node::as_str);
        assert_eq!(description, Some("- type: foo\n  value:\n    a: b\nend\n"));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4000))]

        #[test]
        fn the_outline_changes_nothing_in_any_text(
            lines in proptest::collection::vec(
                (0usize..9, proptest::collection::vec(
                    proptest::sample::select(vec![
                        "a:", "b: ", "c: x", "- ", "-", "\"", "'", "''", "\\n", "\\u00e9", "|", "|-", ">", ">+", "[]", "{}", "{",
                        ": ", " #", "#", "&x ", "*x", "!t ", "x", "é", " ", "\t", "? ", "value:", "- type: y", "%", "---", "...",
                    ]),
                    0..4,
                )),
                0..8,
            )
        ) {
            let lines = lines.into_iter().map(|(indent, words)| " ".repeat(indent) + &words.concat() + "\n");
            let value: String = lines.collect();
            check_same(&format!("{HEAD}    k: v\n{value}{TAIL}"))?;
        }

        #[test]
        fn breaks_of_yaml_1_1_change_nothing_between_the_readers(
            lines in proptest::collection::vec(
                (0usize..6, proptest::sample::select(vec![
                    "a: b", "c:", "- d", "e: |-", "f: \"g", "h\"", "'i'", "# j", "k: >", "l", "- m: n", "o: [p]", "",
                ]), proptest::sample::select(vec!["\n", "\n", "\n", "\r", "\r\n", "\r\r\n", "\u{85}", "\u{2028}", "\u{2029}"])),
                0..12,
            )
        ) {
            let lines = lines.into_iter().map(|(indent, line, end)| " ".repeat(indent) + line + end);
            let value: String = lines.collect();
            check_same(&format!("{HEAD}    k: v\n{value}{TAIL}"))?;
            check_same(&value)?;
        }

        #[test]
        fn text_of_generators_is_read_as_the_parser_reads_it(
            start in proptest::sample::select(vec!["", "---\n", "--- \n\n", "properties:\n", "properties:\n- type: olm.gvk\n  value:\n"]),
            lines in proptest::collection::vec(
                (0usize..4, proptest::collection::vec(
                    proptest::sample::select(vec![
                        "a: ", "b:", "c: x", "- ", "-", "x", "\"y\"", "'z'", "[]", "{}", "010", "on", "~", "<<: ", ": ", ":", " ", "-z",
                        "? ", "?", "#", " #", ",", "icon:", "base64data: ", "value:", "a:b", "\"", "'", "---", "...", "%", "@", "[", "}",
                    ]),
                    0..4,
                )),
                0..9,
            )
        ) {
            let lines = lines.into_iter().map(|(indent, words)| " ".repeat(indent) + &words.concat() + "\n");
            let text = start.to_owned() + &lines.collect::<String>();
            check_same(&text)?;
            check_same(text.trim_end())?;
        }
    }
}
