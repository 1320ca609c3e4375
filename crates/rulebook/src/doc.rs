//! Reads the documentation of a rule into data, and writes it as Markdown again.
//!
//! A documentation file starts with one sentence that says what the rule finds, then paragraphs that say why it matters.
//! The sections `Fails`, `Passes`, optionally `Since`, and `Source` follow. An example has paragraphs, then files in fenced
//! blocks; the word after the language of a block names the file.

use crate::texts::text;
use source::{Rule, Severity};
use std::fmt::Write;
use views::{ComparisonRuleDoc, RuleDoc, RuleExample, RuleFile, Rulebook};

/// Stands after the language of a block whose file is a whole catalog, so that the tests add nothing to it.
pub(crate) const ALONE: &str = "alone";

/// The documentation of a rule.
#[must_use]
pub fn doc(rule: Rule) -> RuleDoc {
    let text = text(rule);
    let mut about = paragraphs(text.split("\n## ").next().unwrap_or_default()).into_iter();
    RuleDoc {
        id: rule.id().to_owned(),
        severity: rule.severity(),
        summary: about.next().unwrap_or_default(),
        about: about.collect(),
        fails: example(section(text, "Fails").unwrap_or_default()),
        passes: example(section(text, "Passes").unwrap_or_default()),
        since: section(text, "Since").map(|since| since.trim().trim_start_matches("opm ").to_owned()),
        source: paragraphs(section(text, "Source").unwrap_or_default()).join(" "),
    }
}

pub(crate) fn section<'t>(text: &'t str, heading: &str) -> Option<&'t str> {
    text.split("\n## ").skip(1).find_map(|section| section.strip_prefix(heading)?.strip_prefix('\n'))
}

/// The fenced blocks of a section: the word after the language, and the text.
pub(crate) fn blocks(section: &str) -> impl Iterator<Item = (&str, &str)> {
    // Every second piece is inside a block.
    section.split("```").skip(1).step_by(2).map(|block| {
        let (info, text) = block.split_once('\n').unwrap_or((block, ""));
        (info.split_once(' ').map_or("", |(_, name)| name), text)
    })
}

fn example(section: &str) -> RuleExample {
    let files = blocks(section).map(|(name, text)| RuleFile {
        name: if name == ALONE { String::new() } else { name.to_owned() },
        text: text.to_owned(),
    });
    let about = section.split("```").next().unwrap_or_default();
    RuleExample { about: paragraphs(about), files: files.collect() }
}

/// The paragraphs of a text, each as one line.
fn paragraphs(text: &str) -> Vec<String> {
    let joined = text.split("\n\n").map(|part| part.split_whitespace().collect::<Vec<_>>().join(" "));
    joined.filter(|part| !part.is_empty()).collect()
}

/// The documentation of a rule as Markdown, without its summary; for SARIF.
#[must_use]
pub fn markdown(doc: &RuleDoc) -> String {
    let mut text = doc.about.join("\n\n");
    push_example(&mut text, "Fails", &doc.fails);
    push_example(&mut text, "Passes", &doc.passes);
    if let Some(since) = &doc.since {
        push(&mut text, format_args!("\n\nReported by opm since {since}."));
    }
    push(&mut text, format_args!("\n\nSource: {}\n", doc.source));
    text
}

fn push_example(text: &mut String, heading: &str, example: &RuleExample) {
    push(text, format_args!("\n\n## {heading}"));
    for paragraph in &example.about {
        push(text, format_args!("\n\n{paragraph}"));
    }
    for file in &example.files {
        if !file.name.is_empty() {
            push(text, format_args!("\n\n`{}`:", file.name));
        }
        push(text, format_args!("\n\n```yaml\n{}```", file.text));
    }
}

fn push(text: &mut String, more: std::fmt::Arguments<'_>) {
    text.write_fmt(more).expect("writing to a String never fails");
}

// The rules as pages of a book in Markdown.

/// The page of a rule of findings.
///
/// ```
/// let page = rulebook::page(&rulebook::doc(source::Rule::Downgrade));
/// assert!(page.starts_with("# downgrade\n\n**Warning.** "));
/// ```
#[must_use]
pub fn page(doc: &RuleDoc) -> String {
    format!("# {}\n\n**{}.** {}\n\n{}", doc.id, severity_name(doc.severity), doc.summary, markdown(doc))
}

/// Tables of all rules. Those of findings link to `FOLDER/ID.md`.
#[must_use]
pub fn index(book: &Rulebook, folder: &str) -> String {
    let mut text = String::new();
    for severity in [Severity::Error, Severity::Warning, Severity::Hint] {
        let rows = book.findings.iter().filter(|doc| doc.severity == severity);
        let rows = rows.map(|doc| format!("| [`{0}`]({folder}/{0}.md) | {1} |", doc.id, cell(&doc.summary)));
        table(&mut text, &format!("{}s", severity_name(severity)), "| rule | what it finds |\n|---|---|", rows);
    }
    let row = |doc: &ComparisonRuleDoc| {
        let ComparisonRuleDoc { id, level, about, effect } = doc;
        format!("| `{id}` | {} | {} | {} |", level.as_str(), cell(about), cell(effect))
    };
    let head = "| rule | level | what changed | what clusters do |\n|---|---|---|---|";
    table(&mut text, "Rules of comparisons", head, book.comparison.iter().map(row));
    text
}

fn table(text: &mut String, title: &str, head: &str, rows: impl Iterator<Item = String>) {
    let rows: Vec<String> = rows.collect();
    write!(text, "\n## {title}\n\n{head}\n{}\n", rows.join("\n")).expect("writing to a String never fails");
}

/// A text in a cell of a table, where `|` ends the cell.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

const fn severity_name(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "Error",
        Severity::Warning => "Warning",
        Severity::Hint => "Hint",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_is_in_a_table() {
        let book = crate::all();
        let text = index(&book, "rules");
        let rows = text.lines().filter(|line| line.starts_with("| `") || line.starts_with("| [`")).count();
        assert_eq!(rows, book.findings.len() + book.comparison.len());
        assert!(text.contains("\n| [`downgrade`](rules/downgrade.md) | "), "{text}");
        assert!(text.contains("\n## Hints\n\n| rule | what it finds |\n|---|---|\n| [`"), "{text}");
    }

    #[test]
    fn a_bar_does_not_end_a_cell() {
        assert_eq!(cell("`>1 || <0`"), "`>1 \\|\\| <0`");
    }
}
