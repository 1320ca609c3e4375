//! The questions that the workbench answers, one file each, and how places and findings become views.

mod definition;
mod entry;
mod examples;
mod excerpt;
mod file;
mod findings;
mod graph;
mod graph_text;
mod icons;
mod overview;
mod path;
mod reach;
mod simulation;
mod source;
mod subject;

pub use self::examples::examples;
pub use self::simulation::goes_round;

use crate::{CatalogInput, Workbench};
use ::source::{Severity, Span};
use views::{FileKey, PackageKey, Place};

impl CatalogInput {
    /// A span as a place with line and column; the start of an unknown file's text when the file is gone.
    pub(crate) fn place(&self, span: Span) -> Place {
        let key = FileKey(span.file.0);
        let (line, column) = self.file(key).map_or((1, 1), |file| {
            let position = file.lines.position(&file.text, span.start);
            (position.line, position.column)
        });
        Place { file: key, start: span.start, end: span.end, line, column }
    }

    /// The text under a span.
    pub(crate) fn text(&self, span: Span) -> &str {
        self.file(FileKey(span.file.0)).map_or("", |file| span.slice(&file.text))
    }

    pub(crate) fn path(&self, span: Span) -> String {
        self.file(FileKey(span.file.0)).map(|file| file.path.clone()).unwrap_or_default()
    }
}

impl Workbench {
    pub(crate) fn package(&self, key: &PackageKey) -> Option<(&CatalogInput, &catalog::Package)> {
        let catalog = self.catalog(key.catalog)?;
        Some((catalog, catalog.analysis.catalog.package(&key.package)?))
    }
}

const fn severity(severity: Severity) -> views::Severity {
    match severity {
        Severity::Error => views::Severity::Error,
        Severity::Warning => views::Severity::Warning,
        Severity::Hint => views::Severity::Hint,
    }
}
