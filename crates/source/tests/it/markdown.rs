//! Properties of texts in Markdown, read with a CommonMark reader that has GitHub's tables and strikethrough.

use proptest::prelude::*;
use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};
use source::{fenced, is_control, markdown, push_escaped};

/// Pieces of hostile names: markup, what ends code and fences, what begins lists, headings, links and tables.
const PIECES: &[&str] = &[
    "a",
    " ",
    "`",
    "``",
    "```",
    "\n",
    "\r\n",
    "\t",
    "    ",
    "- ",
    "- [ ] ",
    "+ ",
    "1. ",
    "2) ",
    "# ",
    "> ",
    "=",
    "---",
    "|",
    "\\",
    "*",
    "**",
    "_",
    "~~",
    "$",
    "[x](http://e)",
    "![x](y)",
    "<img src=x>",
    "<!--",
    "-->",
    "&lt;",
    "&#42;",
    "@someone",
    "http://e",
    "www.e",
    "~~~",
    "\u{1b}",
    "\u{2028}",
    "\u{202e}",
    "é",
    "[ ]",
    ":",
    "stable-1.0",
    "'",
    "\"",
    "$(b)",
];

fn hostile() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(PIECES), 0..8).prop_map(|pieces| pieces.concat())
}

/// The text as it is meant to be read, without blanks: code has no backticks around it, and what is not shown is written out.
fn meant(text: &str) -> String {
    let mut meant = String::new();
    for character in text.trim().chars().filter(|c| !matches!(c, '\n' | '\r' | '`')) {
        if is_control(character) { push_escaped(&mut meant, character) } else { meant.push(character) }
    }
    without_blanks(&meant)
}

fn without_blanks(text: &str) -> String {
    let mut text: String = text.chars().filter(|c| !c.is_whitespace() && *c != '`').collect();
    // In code outside of a table, the backslash before a bar is shown.
    while text.contains("\\|") {
        text = text.replace("\\|", "|");
    }
    text
}

/// What a reader shows of a document that has nothing but these tags, and whether it has any other markup.
fn read(document: &str, tags: &[TagEnd]) -> Result<String, String> {
    let options =
        Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS | Options::ENABLE_MATH;
    let mut shown = String::new();
    for event in Parser::new_ext(document, options) {
        match event {
            Event::Text(text) | Event::Code(text) => shown += &text,
            Event::SoftBreak => shown.push(' '),
            Event::InlineHtml(html) if &*html == "<!-- -->" => {}
            Event::Start(tag) if tags.contains(&tag.to_end()) => {}
            Event::End(tag) if tags.contains(&tag) => {}
            other => return Err(format!("{other:?} in {document:?}")),
        }
    }
    Ok(without_blanks(&shown))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn a_text_is_no_markup(text in hostile()) {
        let shown = markdown(&text);
        let item = [TagEnd::List(false), TagEnd::Item, TagEnd::Paragraph];
        prop_assert_eq!(read(&format!("- {shown}\n"), &item), Ok(meant(&text)));
        let heading = [TagEnd::Heading(pulldown_cmark::HeadingLevel::H3)];
        prop_assert_eq!(read(&format!("### x {shown} x\n"), &heading), Ok(format!("x{}x", meant(&text))));
        prop_assert_eq!(read(&format!("{shown}\n"), &[TagEnd::Paragraph]), Ok(meant(&text)));
    }

    #[test]
    fn a_name_in_code_is_no_markup(text in hostile()) {
        let sentence = format!("`{text}` is updated to `{text}`");
        let expected = meant(&sentence);
        prop_assert_eq!(read(&markdown(&sentence), &[TagEnd::Paragraph]), Ok(expected));
    }

    #[test]
    fn a_cell_stays_one_cell(text in hostile()) {
        let table = format!("| a | b |\n| --- | --- |\n| {} | c |\n", markdown(&text));
        let tags = [TagEnd::Table, TagEnd::TableHead, TagEnd::TableRow, TagEnd::TableCell];
        prop_assert_eq!(read(&table, &tags), Ok(format!("ab{}c", meant(&text))));
    }

    #[test]
    fn a_fence_ends_where_it_is_meant_to(text in hostile(), is_in_item: bool) {
        let (lead, indent) = if is_in_item { ("- item\n\n", "  ") } else { ("", "") };
        let document = format!("{lead}{}", fenced(indent, "sh", &text));
        let mut blocks = Vec::new();
        let mut is_code = false;
        for event in Parser::new(&document) {
            match event {
                Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(info))) => {
                    prop_assert_eq!(&*info, "sh");
                    is_code = true;
                    blocks.push(String::new());
                }
                Event::End(TagEnd::CodeBlock) => is_code = false,
                Event::Text(text) if is_code => blocks.last_mut().unwrap().push_str(&text),
                _ => {}
            }
        }
        let expected: String = text.lines().map(|line| format!("{line}\n")).collect();
        prop_assert_eq!(blocks, [expected]);
    }
}
