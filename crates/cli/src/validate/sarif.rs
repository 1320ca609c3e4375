//! Findings as SARIF 2.1.0 (<https://docs.oasis-open.org/sarif/sarif/v2.1.0/>), the exchange format of code scanners.

use super::excerpt::end;
use super::{Finding, Report};
use serde::Serialize;
use source::Rule;
use std::collections::BTreeSet;
use views::{Place, Severity};
use workbench::Workbench;

const SCHEMA: &str = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

#[derive(Serialize)]
pub(super) struct Log {
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
    id: &'static str,
    short_description: Message,
    full_description: Message,
    help: Help,
    default_configuration: Configuration,
}

/// The text of `opscope explain`.
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
    locations: [Location; 1],
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

pub(super) fn log(report: &Report, workbench: &Workbench) -> Log {
    let named: BTreeSet<&str> = report.findings.iter().map(|finding| finding.rule.as_str()).collect();
    let rules: Vec<Rule> = Rule::ALL.iter().copied().filter(|rule| named.contains(rule.id())).collect();
    let results = report.findings.iter().map(|finding| outcome(finding, &rules, workbench)).collect();
    let driver = Driver {
        name: "opscope",
        version: env!("CARGO_PKG_VERSION"),
        rules: rules.iter().map(|rule| descriptor(*rule)).collect(),
    };
    Log {
        schema: SCHEMA,
        version: "2.1.0",
        runs: [Run { tool: Tool { driver }, column_kind: "utf16CodeUnits", results }],
    }
}

fn descriptor(rule: Rule) -> Descriptor {
    let level = match rule.severity() {
        source::Severity::Error => "error",
        source::Severity::Warning => "warning",
        source::Severity::Hint => "note",
    };
    let doc = rulebook::doc(rule);
    let markdown = rulebook::markdown(&doc);
    Descriptor {
        id: rule.id(),
        full_description: Message { text: doc.about.join(" ") },
        short_description: Message { text: doc.summary },
        // This Markdown is readable as text, too.
        help: Help { text: markdown.clone(), markdown },
        default_configuration: Configuration { level },
    }
}

fn outcome(finding: &Finding, rules: &[Rule], workbench: &Workbench) -> Outcome {
    let level = match finding.view.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Hint => "note",
    };
    let text = match &finding.help {
        Some(help) => format!("{}. Help: {help}", finding.message),
        None => finding.message.clone(),
    };
    // The schema allows no duplicates.
    let mut seen = BTreeSet::new();
    let labels = finding.view.labels.iter().zip(&finding.label_files);
    let labels = labels.filter(|(label, _)| seen.insert((label.place.file, label.place.start, &label.message)));
    let related = labels
        .map(|(label, file)| location(file, label.place, Some(Message { text: label.message.clone() }), workbench));
    Outcome {
        rule_id: finding.rule.clone(),
        rule_index: rules.iter().position(|rule| rule.id() == finding.rule).unwrap_or_default(),
        level,
        message: Message { text },
        locations: [location(&finding.file, finding.view.place, None, workbench)],
        related_locations: related.collect(),
    }
}

fn location(file: &str, place: Place, message: Option<Message>, workbench: &Workbench) -> Location {
    let (end_line, end_column) = end(workbench, place);
    let region = Region { start_line: place.line, start_column: place.column, end_line, end_column };
    Location { physical_location: Physical { artifact_location: Artifact { uri: uri(file) }, region }, message }
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
