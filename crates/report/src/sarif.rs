//! SARIF 2.1.0 (<https://docs.oasis-open.org/sarif/sarif/v2.1.0/>), the exchange format of code scanners.

use crate::item::{Item, Spot};
use serde::Serialize;
use std::collections::BTreeSet;
use views::Severity;

const SCHEMA: &str = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// A log.
#[derive(Serialize)]
pub struct Log {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Run; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Run {
    tool: Tool,
    /// Columns count UTF-16 units.
    column_kind: &'static str,
    results: Vec<Outcome>,
}

#[derive(Serialize)]
struct Tool {
    driver: Driver,
}

#[derive(Serialize)]
struct Driver {
    name: &'static str,
    version: &'static str,
    rules: Vec<Descriptor>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Descriptor {
    id: String,
    short_description: Message,
    #[serde(skip_serializing_if = "Option::is_none")]
    full_description: Option<Message>,
    #[serde(skip_serializing_if = "Option::is_none")]
    help: Option<Help>,
    default_configuration: Configuration,
}

/// A longer text about a rule.
#[derive(Serialize)]
struct Help {
    text: String,
    markdown: String,
}

#[derive(Serialize)]
struct Configuration {
    level: &'static str,
}

#[derive(Serialize)]
struct Message {
    text: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Outcome {
    rule_id: String,
    rule_index: usize,
    level: &'static str,
    message: Message,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    locations: Vec<Location>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related_locations: Vec<Location>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Location {
    physical_location: Physical,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<Message>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Physical {
    artifact_location: Artifact,
    region: Region,
}

#[derive(Serialize)]
struct Artifact {
    uri: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: u32,
    start_column: u32,
    end_line: u32,
    end_column: u32,
}

/// The log of a run of `opscope` that reports these items, those without a place at the start. `describe` documents a rule by its
/// id.
#[must_use]
pub fn log(items: &[&Item], start: Option<&Spot>, describe: &dyn Fn(&str) -> RuleText) -> Log {
    let shown: Vec<&Item> = items.iter().copied().filter(|item| item.is_for_review()).collect();
    let mut named: Vec<(&str, Severity)> = Vec::new();
    for item in &shown {
        if named.iter().all(|(id, _)| *id != item.rule) {
            named.push((&item.rule, item.grade.severity()));
        }
    }
    let index = |id: &str| named.iter().position(|(known, _)| *known == id).unwrap_or_default();
    let results = shown.into_iter().map(|item| outcome(item, index(&item.rule), start)).collect();
    let rules = named.iter().map(|(id, severity)| descriptor(id, *severity, describe(id))).collect();
    let driver = Driver { name: "opscope", version: env!("CARGO_PKG_VERSION"), rules };
    Log {
        schema: SCHEMA,
        version: "2.1.0",
        runs: [Run { tool: Tool { driver }, column_kind: "utf16CodeUnits", results }],
    }
}

/// The documentation of a rule.
#[derive(Default)]
pub struct RuleText {
    /// One sentence.
    pub summary: String,
    /// What it finds and why that matters; empty if the summary says it all.
    pub about: String,
    /// All of it with examples, as Markdown; empty if there is no more.
    pub markdown: String,
    /// How bad its findings are, unless they say otherwise.
    pub severity: Option<Severity>,
}

fn descriptor(id: &str, severity: Severity, text: RuleText) -> Descriptor {
    let present = |text: String| Some(text).filter(|text| !text.is_empty());
    Descriptor {
        id: id.to_owned(),
        short_description: Message { text: text.summary },
        full_description: present(text.about).map(|text| Message { text }),
        // This Markdown is readable as text, too.
        help: present(text.markdown).map(|markdown| Help { text: markdown.clone(), markdown }),
        default_configuration: Configuration { level: level(text.severity.unwrap_or(severity)) },
    }
}

const fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error | Severity::Warning => severity.as_str(),
        Severity::Hint => "note",
    }
}

fn outcome(item: &Item, rule_index: usize, start: Option<&Spot>) -> Outcome {
    let notes = || item.notes.iter().filter(|note| note.is_for_tools);
    let help = notes().filter(|note| note.place.is_none() && !note.label.is_empty());
    let help: String = help.map(|note| format!(". {}: {}", capitalized(&note.label), note.text)).collect();
    let places = item.places.iter().skip(1).map(|place| (place, &place.label));
    let places = places.chain(notes().filter_map(|note| Some((note.place.as_ref()?, &note.text))));
    // The schema allows no duplicates.
    let mut seen = BTreeSet::new();
    let related = places.filter(|(place, label)| seen.insert((&place.path, place.start, *label)));
    Outcome {
        rule_id: item.rule.clone(),
        rule_index,
        level: level(item.grade.severity()),
        message: Message { text: item.sentence.clone() + &help },
        locations: item.review_place().or(start).map(|place| location(place, "")).into_iter().collect(),
        related_locations: related.map(|(place, label)| location(place, label)).collect(),
    }
}

fn capitalized(label: &str) -> String {
    let (first, rest) = label.split_at_checked(1).unwrap_or((label, ""));
    first.to_uppercase() + rest
}

fn location(place: &Spot, label: &str) -> Location {
    let ((start_line, start_column), (end_line, end_column)) = (place.start, place.end);
    let region = Region { start_line, start_column, end_line, end_column };
    let message = Some(label).filter(|label| !label.is_empty()).map(|label| Message { text: label.to_owned() });
    Location { physical_location: Physical { artifact_location: Artifact { uri: uri(&place.path) }, region }, message }
}

/// A path as a URI: a relative reference for a relative path, else with the scheme `file`.
fn uri(path: &str) -> String {
    let path = if cfg!(windows) { path.replace('\\', "/") } else { path.to_owned() };
    let mut uri = String::with_capacity(path.len());
    let is_drive = cfg!(windows) && path.as_bytes().get(1) == Some(&b':');
    if cfg!(windows) && path.starts_with("//") {
        // The name of a host follows.
        uri.push_str("file:");
    } else if path.starts_with('/') {
        uri.push_str("file://");
    } else if is_drive {
        uri.push_str("file:///");
    }
    for byte in path.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => uri.push(char::from(byte)),
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}
