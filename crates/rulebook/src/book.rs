//! The rules as pages of a book in Markdown.

use crate::doc::markdown;
use std::fmt::Write;
use views::{ComparisonRuleDoc, RuleDoc, Rulebook, Severity};

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
