//! A text about a rule to data.
//!
//! A text has a sentence that says what the rule finds, paragraphs that say why, and then the sections `Fails`, `Passes`,
//! perhaps `Since`, and `Source`. An example has paragraphs, then fenced files; the word behind the language of a fence
//! names the file.

use crate::texts::text;
use source::Rule;
use views::{RuleDoc, RuleExample, RuleFile, Severity};

/// Stands behind the language of a fence whose file is a catalog by itself: nothing is left out.
pub(crate) const ALONE: &str = "alone";

/// What there is to say about a rule.
#[must_use]
pub fn doc(rule: Rule) -> RuleDoc {
    let text = text(rule);
    let mut about = paragraphs(text.split("\n## ").next().unwrap_or_default()).into_iter();
    RuleDoc {
        id: rule.id().to_owned(),
        severity: match rule.severity() {
            source::Severity::Error => Severity::Error,
            source::Severity::Warning => Severity::Warning,
            source::Severity::Hint => Severity::Hint,
        },
        summary: about.next().unwrap_or_default(),
        about: about.collect(),
        fails: example(section(text, "Fails").unwrap_or_default()),
        passes: example(section(text, "Passes").unwrap_or_default()),
        since: section(text, "Since").map(|since| since.trim().trim_start_matches("opm ").to_owned()),
        source: paragraphs(section(text, "Source").unwrap_or_default()).join(" "),
    }
}

/// What stands below a heading.
pub(crate) fn section<'t>(text: &'t str, heading: &str) -> Option<&'t str> {
    text.split("\n## ").skip(1).find_map(|section| section.strip_prefix(heading)?.strip_prefix('\n'))
}

/// The fences of a section: what stands behind the language, and the text.
pub(crate) fn fences(section: &str) -> impl Iterator<Item = (&str, &str)> {
    // Every second piece is inside a fence.
    section.split("```").skip(1).step_by(2).map(|fence| {
        let (info, text) = fence.split_once('\n').unwrap_or((fence, ""));
        (info.split_once(' ').map_or("", |(_, name)| name), text)
    })
}

fn example(section: &str) -> RuleExample {
    let files = fences(section).map(|(name, text)| RuleFile {
        name: if name == ALONE { String::new() } else { name.to_owned() },
        text: text.to_owned(),
    });
    let about = section.split("```").next().unwrap_or_default();
    RuleExample { about: paragraphs(about), files: files.collect() }
}

/// Paragraphs, each in one line.
fn paragraphs(text: &str) -> Vec<String> {
    let joined = text.split("\n\n").map(|part| part.split_whitespace().collect::<Vec<_>>().join(" "));
    joined.filter(|part| !part.is_empty()).collect()
}
