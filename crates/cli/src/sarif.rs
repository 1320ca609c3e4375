//! SARIF 2.1.0 (<https://docs.oasis-open.org/sarif/sarif/v2.1.0/>), the exchange format of code scanners.

use crate::validate::end;
use serde::Serialize;
use views::Place;
use workbench::Workbench;

const SCHEMA: &str = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

#[derive(Serialize)]
pub(crate) struct Log {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Run; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Run {
    tool: Tool,
    /// Columns count UTF-16 units.
    column_kind: &'static str,
    results: Vec<Outcome>,
}

#[derive(Serialize)]
pub(crate) struct Tool {
    driver: Driver,
}

#[derive(Serialize)]
pub(crate) struct Driver {
    name: &'static str,
    version: &'static str,
    rules: Vec<Descriptor>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Descriptor {
    pub(crate) id: &'static str,
    pub(crate) short_description: Message,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) full_description: Option<Message>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) help: Option<Help>,
    pub(crate) default_configuration: Configuration,
}

/// A longer text about a rule.
#[derive(Serialize)]
pub(crate) struct Help {
    pub(crate) text: String,
    pub(crate) markdown: String,
}

#[derive(Serialize)]
pub(crate) struct Configuration {
    pub(crate) level: &'static str,
}

#[derive(Serialize)]
pub(crate) struct Message {
    pub(crate) text: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Outcome {
    pub(crate) rule_id: String,
    pub(crate) rule_index: usize,
    pub(crate) level: &'static str,
    pub(crate) message: Message,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) locations: Vec<Location>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) related_locations: Vec<Location>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Location {
    physical_location: Physical,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<Message>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Physical {
    artifact_location: Artifact,
    region: Region,
}

#[derive(Serialize)]
pub(crate) struct Artifact {
    uri: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Region {
    start_line: u32,
    start_column: u32,
    end_line: u32,
    end_column: u32,
}

/// A log of one run of `opscope`.
pub(crate) fn log(rules: Vec<Descriptor>, results: Vec<Outcome>) -> Log {
    let driver = Driver { name: "opscope", version: env!("CARGO_PKG_VERSION"), rules };
    Log {
        schema: SCHEMA,
        version: "2.1.0",
        runs: [Run { tool: Tool { driver }, column_kind: "utf16CodeUnits", results }],
    }
}

/// A place in a file.
pub(crate) fn location(file: &str, place: Place, message: Option<Message>, workbench: &Workbench) -> Location {
    location_at(file, (place.line, place.column), end(workbench, place), message)
}

/// A place in a file, from one line and column to another.
pub(crate) fn location_at(
    file: &str,
    (start_line, start_column): (u32, u32),
    (end_line, end_column): (u32, u32),
    message: Option<Message>,
) -> Location {
    let region = Region { start_line, start_column, end_line, end_column };
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
