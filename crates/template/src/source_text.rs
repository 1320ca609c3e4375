//! Copies documents out of a file as they are written, with comments and style, where the copy reads back as the same.

use fbc::{Node, Value};
use source::{FileId, Span};

/// The document at `span` of a file, as YAML with a line break at its end.
pub(crate) fn document(text: &str, span: Span) -> String {
    let own = span.slice(text);
    let node = Node { span, value: Value::Unopened };
    if own.starts_with(['{', '[']) {
        return checked(&node, text, own.to_owned() + "\n");
    }
    let lines = Span::new(span.file, span.start - margin(text, span), span.end).slice(text);
    let behind = text.get(span.end as usize..).unwrap_or_default();
    let candidate = lines.trim_start_matches('\u{feff}').to_owned() + trailing(behind);
    // With a line break at its end a block of text can have another value.
    let is_unended = !text.ends_with('\n') && behind.trim().is_empty();
    if is_unended { checked(&node, text, candidate) } else { candidate }
}

/// A part of a file as a document of its own, moved to the left margin.
pub(crate) fn part(text: &str, node: &Node) -> String {
    let span = node.span;
    let slice = span.slice(text);
    let margin = margin(text, span) as usize;
    let mut lines = slice.split_inclusive('\n');
    let mut out = lines.next().unwrap_or_default().to_owned();
    for line in lines {
        let blanks = line.bytes().take(margin).take_while(|&byte| byte == b' ').count();
        out.push_str(&line[blanks..]);
    }
    out.push('\n');
    checked(node, text, out)
}

/// `candidate` if it reads back as the node, else the node written by [`fbc::to_yaml`]. A node that is nested too deeply
/// to be compared is taken as it is written.
fn checked(node: &Node, text: &str, candidate: String) -> String {
    let Ok(expected) = node.to_json(text) else { return candidate };
    let yaml = format!("---\n{candidate}");
    let trees = fbc::untyped_values(FileId(0), &yaml);
    let same = match trees.nodes.as_slice() {
        [only] => only.to_json(&yaml).is_ok_and(|found| found == expected),
        _ => false,
    };
    if same { candidate } else { fbc::to_yaml(&expected) }
}

/// The bytes before a place on its line. Nobody indents by more than a page, but JSON can stand on one line.
fn margin(text: &str, span: Span) -> u32 {
    const PAGE: u32 = 4096;
    let start = span.start as usize;
    let page = text.as_bytes().get(span.start.saturating_sub(PAGE) as usize..start).unwrap_or_default();
    let line = page.iter().rposition(|&byte| byte == b'\n').map_or(page.len(), |newline| page.len() - newline - 1);
    if line == PAGE as usize { 0 } else { line as u32 }
}

/// The blank lines between a document and the next one, which may belong to its last text (`|+`). Ends with a line break,
/// so that the text behind it starts a line.
fn trailing(behind: &str) -> &str {
    let end = behind.find("\n---").map_or(behind.len(), |at| at + 1);
    let blanks = &behind[..end];
    match blanks.rfind('\n') {
        Some(last) if blanks.trim().is_empty() => &blanks[..=last],
        _ => "\n",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let parse = fbc::parse(FileId(0), text);
        assert_eq!(document(text, parse.docs[0].span), expected);
    }

    #[test]
    fn documents_are_copied_as_written() {
        check("schema: olm.bundle # the first\nname: a\n---\nschema: b\n", "schema: olm.bundle # the first\nname: a\n");
        check("---\n# b\n  schema: olm.bundle\n  # c\n  name: a", "  schema: olm.bundle\n  # c\n  name: a\n");
        check("schema: olm.bundle\r\nname: a\r\n", "schema: olm.bundle\r\nname: a\r\n");
        check("schema: olm.bundle\nname: |+\n  a\n\n\n---\nschema: b\n", "schema: olm.bundle\nname: |+\n  a\n\n\n");
        check("schema: olm.bundle\nname: a\n...\nlost\n", "schema: olm.bundle\nname: a\n");
        check("&a schema: olm.bundle\nname: *a\n", "&a schema: olm.bundle\nname: *a\n");
        check("\u{feff}schema: olm.bundle\nname: a\n", "schema: olm.bundle\nname: a\n");
    }

    #[test]
    fn a_document_ends_with_its_last_line() {
        check("schema: olm.bundle\nname:\n ", "schema: olm.bundle\nname:\n");
        check("schema: olm.bundle\nname: |+\n  a\n\n ", "name: |+\n  a\n\n\nschema: olm.bundle\n");
        check("schema: olm.bundle\nname: |\n  a\n   ", "name: \"a\\n \\n\"\nschema: olm.bundle\n");
    }

    #[test]
    fn json_stays_json_where_yaml_reads_it() {
        check("{\"schema\": \"olm.bundle\",\n \"name\": \"a\"}{}", "{\"schema\": \"olm.bundle\",\n \"name\": \"a\"}\n");
        check("{\"schema\": \"olm.bundle\", \"name\": \"\\ud83d\\ude00\"}", "name: 😀\nschema: olm.bundle\n");
    }

    #[test]
    fn parts_move_to_the_margin() {
        let text = "entries:\n  - schema: a\n    name: |\n      x\n\n       y\n    # c\n    b: 1\n  - {schema: b,\n     c: d}\n";
        let node = fbc::yaml_document(FileId(0), text).unwrap().node;
        let Some(Value::Sequence(items)) = node.get("entries").map(|list| list.value.clone()) else { panic!() };
        let parts: Vec<_> = items.iter().map(|item| part(text, item)).collect();
        assert_eq!(parts, ["schema: a\nname: |\n  x\n\n   y\n# c\nb: 1\n", "{schema: b,\n c: d}\n"]);
    }

    #[test]
    fn parts_that_refer_to_other_parts_are_written_again() {
        let text = "- &a\n  schema: a\n- schema: b\n  c: *a\n";
        let node = fbc::yaml_document(FileId(0), text).unwrap().node;
        let Value::Sequence(items) = node.value else { panic!() };
        assert_eq!(part(text, &items[1]), "c:\n  schema: a\nschema: b\n");
    }
}
