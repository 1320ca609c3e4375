//! What lifecycle data says about a version: its phases of support, the one of a day, and the platforms that it fits.

use catalog::{LifecyclePhase, LifecycleVersion, Package, Platform, Support, parse_day};
use serde_json::{Value, json};
use session::CatalogInput;
use views::{FactLine, FactRow};

/// The number of lines of the row.
const LINES: usize = 200;
/// The heading of the row.
const SUPPORT: &str = "support";

/// The support of a version of a package with lifecycle data: what the console shows on a day, then all phases.
pub(super) fn of_version(catalog: &CatalogInput, package: &Package, version: &str, day: &str) -> FactRow {
    let Some(data) = package.lifecycle() else { return row(vec![duplicates(package)]) };
    let lines = match data.of_version(version) {
        Some(item) => shown(item, day).map(plain).into_iter().chain(phases(catalog, item)).collect(),
        None => {
            let minor = catalog::minor_of(version).map(|minor| format!(" or `{minor}`")).unwrap_or_default();
            vec![plain(format!("No data: the lifecycle data has no version `{version}`{minor}"))]
        }
    };
    row(lines)
}

/// The support of all versions of a package; absent without lifecycle data.
pub(super) fn of_package(catalog: &CatalogInput, package: &Package, day: &str) -> Option<FactRow> {
    let line = |version: &LifecycleVersion| {
        let name = version.name.as_ref()?;
        let lines = phases(catalog, version).into_iter().chain(platforms(version));
        let parts: Vec<String> = shown(version, day).into_iter().chain(lines.map(|line| line.text)).collect();
        let text = format!("`{name}`: {}", parts.join("; "));
        Some(FactLine { place: Some(catalog.place(name.span)), ..plain(text) })
    };
    let lines = match package.lifecycle() {
        Some(data) => data.versions.iter().filter_map(line).collect(),
        None if package.lifecycles.is_empty() => return None,
        None => vec![duplicates(package)],
    };
    Some(row(lines))
}

fn row(mut lines: Vec<FactLine>) -> FactRow {
    lines.truncate(LINES);
    FactRow { name: SUPPORT.to_owned(), lines, has_day: true, ..FactRow::default() }
}

fn duplicates(package: &Package) -> FactLine {
    plain(format!("No data: the package has {} documents with lifecycle data", package.lifecycles.len()))
}

/// What the console shows on a day; absent if the text is no day.
fn shown(version: &LifecycleVersion, day: &str) -> Option<String> {
    Some(match version.support(parse_day(day)?) {
        Support::Phase { phase, end, is_long } => {
            let left = if is_long { "more than 12 months left" } else { "12 months or less left" };
            format!("{} until {end}, {left}", phase.name)
        }
        Support::SelfSupport => "Self-support: all phases are over".to_owned(),
        Support::Unknown => "no phase has this day, so it is not known what the console shows".to_owned(),
    })
}

/// The phases, in the order of the text.
fn phases(catalog: &CatalogInput, version: &LifecycleVersion) -> Vec<FactLine> {
    let line = |phase: &LifecyclePhase| FactLine {
        text: format!("{}: {} to {}", phase.name, date(phase.start.as_ref()), date(phase.end.as_ref())),
        place: phase.start.as_ref().map(|start| catalog.place(start.span)),
        ..FactLine::default()
    };
    version.phases.iter().map(line).collect()
}

/// A date, if it can be read.
fn date(date: Option<&impl ToString>) -> String {
    date.map_or_else(|| "?".to_owned(), ToString::to_string)
}

pub(super) fn platforms(version: &LifecycleVersion) -> Vec<FactLine> {
    let line = |platform: &Platform| plain(format!("{} {}", platform.name, platform.versions.join(", ")));
    version.platforms.iter().map(line).collect()
}

fn plain(text: String) -> FactLine {
    FactLine { text, ..FactLine::default() }
}

/// The documents with lifecycle data of a package, with the names of their fields. What cannot be read is `null`.
#[must_use]
pub(super) fn lifecycles_json(package: &Package) -> Value {
    let phase = |phase: &LifecyclePhase| {
        let (start, end) = (phase.start.as_ref(), phase.end.as_ref());
        json!({
            "name": phase.name,
            "startDate": start.map(ToString::to_string),
            "endDate": end.map(ToString::to_string),
        })
    };
    let platform = |platform: &Platform| json!({"name": platform.name, "versions": platform.versions});
    let version = |version: &LifecycleVersion| {
        json!({
            "name": version.name.as_ref().map(ToString::to_string),
            "phases": version.phases.iter().map(phase).collect::<Vec<_>>(),
            "platformCompatibility": version.platforms.iter().map(platform).collect::<Vec<_>>(),
        })
    };
    let documents = package.lifecycles.iter();
    documents.map(|data| json!({"versions": data.versions.iter().map(version).collect::<Vec<_>>()})).collect()
}
