//! Reports as Markdown, for the comment of a pull request.

use crate::item::{Block, Grade, Item, Report};
use source::{fenced, markdown};
use std::fmt;

/// The report as Markdown.
#[must_use]
pub fn to_markdown(report: &Report) -> String {
    Document { report, picture: None }.to_string()
}

/// The report as Markdown that becomes HTML: without drawings in Mermaid, and with this in place of each picture of a package.
#[must_use]
pub fn to_markdown_for_html(report: &Report, picture: &dyn Fn(&str) -> String) -> String {
    Document { report, picture: Some(picture) }.to_string()
}

/// What stands in place of the picture of a package.
type Picture<'p> = Option<&'p dyn Fn(&str) -> String>;

struct Document<'r> {
    report: &'r Report,
    /// None of plain Markdown.
    picture: Picture<'r>,
}

impl fmt::Display for Document<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write(f, self.report, self.picture)
    }
}

fn write(out: &mut fmt::Formatter<'_>, report: &Report, picture: Picture<'_>) -> fmt::Result {
    if !report.title.is_empty() {
        writeln!(out, "## {}\n", markdown(&report.title))?;
    }
    if !report.about.is_empty() {
        writeln!(out, "{}\n", markdown(&report.about))?;
    }
    if let Some(summary) = &report.summary {
        writeln!(out, "{}.\n", markdown(summary))?;
    }
    blocks(out, &report.blocks, picture)?;
    report.remarks.iter().try_for_each(|sentence| writeln!(out, "\n{}.", markdown(sentence)))
}

fn blocks(out: &mut fmt::Formatter<'_>, all: &[Block], picture: Picture<'_>) -> fmt::Result {
    let is_shown = |block: &&Block| match block {
        Block::Picture(_) => picture.is_some(),
        Block::Gap => false,
        Block::Folded { blocks, .. } => {
            picture.is_none() || !blocks.iter().all(|block| matches!(block, Block::Mermaid(_)))
        }
        _ => true,
    };
    let all: Vec<&Block> = all.iter().filter(is_shown).collect();
    let is_listed = |block: &Block| match block {
        Block::Item(_) => true,
        Block::Text { lead, .. } => !lead.is_empty(),
        _ => false,
    };
    // The blanks in front of the first text of a list.
    let mut first = None;
    for (at, block) in all.iter().enumerate() {
        // A list that follows on another one continues it.
        let continues = is_listed(block) && at.checked_sub(1).is_some_and(|before| is_listed(all[before]));
        if !continues {
            first = None;
        }
        if at > 0 && !continues {
            writeln!(out)?;
        }
        match block {
            Block::Heading(_, title) => writeln!(out, "### {}", markdown(title))?,
            Block::Text { lead, text, .. } if lead.is_empty() => writeln!(out, "{}", markdown(text))?,
            Block::Text { lead, text, .. } => {
                let indent = lead.len() - lead.trim_start().len();
                let (top, width) = *first.get_or_insert((indent, 0));
                let is_nested = indent > top;
                // A dash is the mark of a list anyway.
                let lead = lead.trim().trim_start_matches('-');
                let is_number = lead.strip_suffix('.').is_some_and(|number| number.parse::<usize>().is_ok());
                let bullet = if is_number { format!("{lead} ") } else { "- ".to_owned() };
                let mark = match lead {
                    "" => String::new(),
                    _ if is_number => String::new(),
                    lead => markdown(lead) + " ",
                };
                if !is_nested {
                    first = Some((top, bullet.len()));
                }
                let nested = " ".repeat(if is_nested { width } else { 0 });
                writeln!(out, "{nested}{bullet}{mark}{}", markdown(text))?;
            }
            Block::Gap => {}
            Block::Item(item) => write_item(out, item)?,
            Block::Table(table) => out.write_str(&table.to_markdown())?,
            Block::Verbatim(text) => out.write_str(&fenced("", "", text))?,
            Block::Folded { title, is_open, blocks: inner } => {
                let open = if *is_open { " open" } else { "" };
                writeln!(out, "<details{open}><summary>{}</summary>\n", markdown(title))?;
                blocks(out, inner, picture)?;
                writeln!(out, "\n</details>")?;
            }
            Block::InMarkdown(inner) => blocks(out, inner, picture)?,
            Block::Picture(package) => {
                let picture = picture.map(|picture| picture(package)).unwrap_or_default();
                writeln!(out, "{picture}")?;
            }
            Block::Mermaid(drawing) => out.write_str(&fenced("", "mermaid", drawing))?,
        }
    }
    Ok(())
}

/// A list item with its notes as a list below it.
fn write_item(out: &mut fmt::Formatter<'_>, item: &Item) -> fmt::Result {
    let (lead, indent) = match item.grade {
        Grade::Repair(number) => (format!("{number}. "), "   "),
        Grade::Step => ("- [ ] ".to_owned(), "  "),
        grade if grade.as_str().is_empty() => ("- ".to_owned(), "  "),
        grade => (format!("- {}: ", grade.as_str()), "  "),
    };
    let rule = item.known_rule().map(|rule| format!(" (`{rule}`)")).unwrap_or_default();
    let place = match &item.places[..] {
        [only] => format!(" ({})", markdown(&only.shown())),
        _ => String::new(),
    };
    writeln!(out, "{lead}{}{rule}{place}", markdown(&item.sentence))?;
    for note in &item.notes {
        let place = note.place.as_ref().map(|place| format!(" ({})", place.shown())).unwrap_or_default();
        writeln!(out, "{indent}- {}", markdown(&(note.labelled() + &place)))?;
    }
    if item.places.len() > 1 {
        writeln!(out, "{indent}- {}", markdown(&item.all_places()))?;
    }
    for (language, text) in [("diff", &item.diff), ("sh", &item.commands.join("\n"))] {
        if !text.is_empty() {
            write!(out, "\n{}", fenced(indent, language, text))?;
        }
    }
    Ok(())
}
