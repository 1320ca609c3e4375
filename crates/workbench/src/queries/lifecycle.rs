//! What lifecycle data says about a version: its phases of support and the platforms that it fits.

use crate::CatalogInput;
use catalog::LifecycleVersion;
use views::FactLine;

/// The phases, in the order of the text.
pub(super) fn phases(catalog: &CatalogInput, version: &LifecycleVersion) -> Vec<FactLine> {
    let line = |phase: &catalog::LifecyclePhase| FactLine {
        text: format!("{}: {} to {}", phase.name, day(phase.start.as_ref()), day(phase.end.as_ref())),
        place: phase.start.as_ref().map(|start| catalog.place(start.span)),
        ..FactLine::default()
    };
    version.phases.iter().map(line).collect()
}

/// A day, if it can be read.
fn day(date: Option<&impl ToString>) -> String {
    date.map_or_else(|| "?".to_owned(), ToString::to_string)
}

/// The platforms with their versions.
pub(super) fn platforms(version: &LifecycleVersion) -> Vec<FactLine> {
    let line = |platform: &catalog::Platform| FactLine {
        text: format!("{} {}", platform.name, platform.versions.join(", ")),
        ..FactLine::default()
    };
    version.platforms.iter().map(line).collect()
}
