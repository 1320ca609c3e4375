//! Texts of several messages: lines of logs and of events, and messages below each other.

use super::known::MESSAGES;
use super::{of_text, one_line, unsolvable};
use regex_lite::Regex;
use std::sync::LazyLock;
use views::ExplainedMessage;

fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("a test compiles it")
}

/// How lines begin that klog and logrus write, also with the time that `kubectl logs --timestamps` adds, and those of
/// `kubectl get events`.
static START: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r#"^(?:\d{4}-\d\d-\d\dT\S+\s|[IWEF]\d{4} |time="|level=|ts=|\{"(?:level|ts|time)"|(?:\S+\s+){0,3}(?:Normal|Warning)\s+[A-Z]\w+\s+\S+/)"#,
    )
});
/// A field of JSON, which people copy without what is around it.
static FIELD: LazyLock<Regex> = LazyLock::new(|| pattern(r#"^\s*"\w+": ""#));
/// An event in what `kubectl describe` or `kubectl get events` prints, with the time since it happened last.
static EVENT: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^(?:[>\s]*|\S+\s+)(?:(?<before>(?:\d+[dhms])+)\s+)?(?<type>Normal|Warning)\s+[A-Z]\w+\s+(?<after>(?:\d+[dhms])+)?",
    )
});
/// The namespace that a line is about.
static NAMESPACE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r#"\bsync (?:\{\\?"\w+\\?" )?\\?"(?<sync>[a-z0-9-]+)|\bKind:\\?"Namespace\\?", Namespace:\\?"\\?", Name:\\?"(?<event>[a-z0-9-]+)|"?\b[Nn]amespace"?[=:]\\?"?(?<field>[a-z0-9-]+)"#,
    )
});
/// A value in quotation marks behind its key.
static VALUE: LazyLock<Regex> = LazyLock::new(|| pattern(r#"\b\w+"?(?:[=:]|: )"(?<value>(?:[^"\\]|\\.)*)""#));

/// What the messages in a text mean, line by line. A line that begins neither an entry of a log nor a message goes on with the line
/// before it, and so does one below a colon; an empty line ends it.
pub(super) fn of_lines<'t>(lines: impl Iterator<Item = &'t str>) -> Vec<ExplainedMessage> {
    let mut found = Vec::new();
    let mut entry = String::new();
    let mut lines: Vec<&str> = lines.collect();
    // The newest event comes first. Of events of the same time, warnings come first.
    if lines.iter().any(|line| event(line).is_some()) {
        lines.sort_by_key(|line| event(line).unwrap_or_default());
    }
    for line in lines {
        let is_open = entry.trim_end().ends_with(':');
        let is_apart = !is_open && line.trim().is_empty();
        let goes_on = is_open || !begins_message(line);
        let begins = is_apart
            || START.is_match(line)
            || FIELD.is_match(line)
            || event(line).is_some()
            || !goes_on && !of_entry(&entry).is_empty();
        if begins {
            found.append(&mut of_entry(&std::mem::take(&mut entry)));
        }
        entry += line;
        entry.push('\n');
    }
    found.append(&mut of_entry(&entry));
    found
}

/// What the entries of logs and the events mean that stand beside something else.
pub(super) fn of_entries(text: &str) -> Vec<ExplainedMessage> {
    of_lines(cluster::unmarked_lines(text).filter(|line| is_entry(line)))
}

/// Whether a text has entries of logs, or events.
pub(super) fn has_entries(text: &str) -> bool {
    cluster::unmarked_lines(text).any(is_entry)
}

fn is_entry(line: &str) -> bool {
    START.is_match(line) || event(line).is_some()
}

/// How many seconds ago an event happened last, and whether it is a usual one; `None` for another line.
fn event(line: &str) -> Option<(u64, bool)> {
    let event = EVENT.captures(line)?;
    let age = event.name("before").or_else(|| event.name("after"))?.as_str();
    let unit = |unit| match unit {
        'd' => 86_400,
        'h' => 3_600,
        'm' => 60,
        _ => 1,
    };
    let parts = age.split_inclusive(|c: char| c.is_ascii_alphabetic());
    let seconds = parts.filter_map(|part| {
        let (number, of) = part.split_at(part.len() - 1);
        number.parse::<u64>().ok()?.checked_mul(unit(of.chars().next()?))
    });
    Some((seconds.fold(0, u64::saturating_add), &event["type"] == "Normal"))
}

fn begins_message(line: &str) -> bool {
    let text = line.trim_start_matches(['-', '*', ' ']);
    let begins = |pattern: &Regex| pattern.find(text).is_some_and(|found| found.start() == 0);
    text.starts_with(unsolvable::START) || MESSAGES.iter().any(|known| begins(&known.pattern))
}

fn of_entry(entry: &str) -> Vec<ExplainedMessage> {
    if !START.is_match(entry) && !FIELD.is_match(entry) {
        return of_text(&one_line(entry));
    }
    let values = VALUE.captures_iter(entry).filter_map(|found| found.name("value"));
    let mut found: Vec<ExplainedMessage> =
        values.flat_map(|value| of_text(&one_line(&unescaped(value.as_str())))).collect();
    if found.is_empty() {
        found = of_text(&one_line(entry));
    }
    let names = NAMESPACE.captures(entry);
    let namespace = names.and_then(|names| ["sync", "event", "field"].into_iter().find_map(|group| names.name(group)));
    if let Some(namespace) = namespace.map(|name| name.as_str()) {
        for one in &mut found {
            one.about = format!("Namespace {namespace}");
            namespace.clone_into(&mut one.namespace);
        }
    }
    found
}

/// A text in quotation marks of Go or JSON without its escapes.
fn unescaped(text: &str) -> String {
    let mut plain = String::new();
    let mut chars = text.chars();
    while let Some(char) = chars.next() {
        plain.push(match (char, char == '\\') {
            (_, true) => match chars.next() {
                Some('n') => '\n',
                Some('t') => ' ',
                Some(char) => char,
                None => break,
            },
            (char, _) => char,
        });
    }
    plain
}
