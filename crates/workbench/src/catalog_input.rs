//! A catalog among the inputs, and how spans of its files become places and excerpts.

use crate::analysis::Analysis;
use crate::file::FileInput;
use catalog::ParsedFile;
use source::{Diagnostic, FileId, Span};
use views::{CatalogId, Excerpt, FileKey, Place};

/// The namespace of a catalog until the user sets another: the global catalog namespace of upstream OLM.
pub(crate) const DEFAULT_NAMESPACE: &str = "olm";

/// The number of lines that an excerpt shows.
const EXCERPT_LINES: usize = 40;
/// The number of characters that an excerpt shows of each line.
const EXCERPT_WIDTH: usize = 400;

/// A catalog: a CatalogSource and the files that it serves.
pub struct CatalogInput {
    /// The id; never reused.
    pub id: CatalogId,
    /// `metadata.name`
    pub name: String,
    /// `metadata.namespace`
    pub namespace: String,
    /// `spec.priority`
    pub priority: i32,
    /// In the order that `opm` walks them.
    pub files: Vec<FileInput>,
    /// The model and findings of all files together.
    pub analysis: Analysis,
}

impl CatalogInput {
    /// A file of the catalog.
    #[must_use]
    pub fn file(&self, key: FileKey) -> Option<&FileInput> {
        self.files.iter().find(|file| file.key == key)
    }

    /// Whether `opm validate` accepts the catalog: no finding stands for an error of `opm`.
    #[must_use]
    pub fn is_accepted(&self) -> bool {
        self.analysis.findings.iter().all(|found| found.diagnostic.opm.is_none())
    }

    /// The error that `opm validate` stops at, or prints first; `None` if it accepts the catalog.
    #[must_use]
    pub fn rejection(&self) -> Option<&Diagnostic> {
        let files: Vec<_> = (self.files.iter())
            .map(|file| (FileId(file.key.0), ParsedFile { text: &file.text, parse: file.served() }))
            .collect();
        catalog::rejection(&files, self.analysis.findings.iter().map(|found| &found.diagnostic))
    }

    /// The line and column of a span. A span in a file that is gone is at line 1, column 1.
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

    /// The path of the file that a span is in.
    pub(crate) fn path(&self, span: Span) -> String {
        self.file(FileKey(span.file.0)).map(|file| file.path.clone()).unwrap_or_default()
    }

    /// The first lines of a span, from the beginning of its first line.
    pub(crate) fn excerpt(&self, span: Span) -> Option<Excerpt> {
        let file = self.file(FileKey(span.file.0))?;
        let before = file.text.get(..span.start as usize)?;
        let start = before.rfind('\n').map_or(0, |at| at + 1);
        let text = file.text.get(start..span.end as usize)?.trim_end();
        let shown: Vec<String> =
            text.lines().take(EXCERPT_LINES).map(|line| line.chars().take(EXCERPT_WIDTH).collect()).collect();
        let more = text.lines().count() - shown.len();
        let place = self.place(span);
        Some(Excerpt { first_line: place.line, text: shown.join("\n"), more: more as u32, place })
    }
}
