//! What is said about a rule as Markdown again, for those who show that.

use std::fmt::Write;
use views::{RuleDoc, RuleExample};

/// The text about a rule, without its summary.
#[must_use]
pub fn markdown(doc: &RuleDoc) -> String {
    let mut text = doc.about.join("\n\n");
    example(&mut text, "Fails", &doc.fails);
    example(&mut text, "Passes", &doc.passes);
    if let Some(since) = &doc.since {
        push(&mut text, format_args!("\n\nReported by opm since {since}."));
    }
    push(&mut text, format_args!("\n\nSource: {}\n", doc.source));
    text
}

fn example(text: &mut String, heading: &str, example: &RuleExample) {
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
    text.write_fmt(more).expect("a String takes everything");
}
