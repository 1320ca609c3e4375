//! What follows from the files of one catalog: the model and the findings.

use crate::input::FileInput;
use crate::places::{Places, Subject};
use catalog::{Catalog, ParsedFile};
use source::{Diagnostic, Severity};

/// The model of a catalog and everything found in it.
pub struct Built {
    /// The model.
    pub catalog: Catalog,
    /// Worst first, then in the order of the files.
    pub findings: Vec<Found>,
}

/// A finding and what it is about.
pub struct Found {
    /// The finding.
    pub diagnostic: Diagnostic,
    /// The package, and the entry if it is about one.
    pub subject: Option<Subject>,
}

impl Built {
    pub(crate) fn of(files: &[FileInput]) -> Self {
        let parsed: Vec<ParsedFile<'_>> =
            files.iter().map(|file| ParsedFile { text: &file.text, parse: &file.parse }).collect();
        let (catalog, unplaced) = catalog::lower(&parsed);
        let places = Places::of(&catalog);
        let read = files.iter().flat_map(|file| file.diagnostics().iter().cloned());
        let judged = catalog::check(&catalog).into_iter().chain(update_graph::check(&catalog));
        let mut diagnostics: Vec<Diagnostic> = read.chain(unplaced).chain(judged).collect();
        let order = |diagnostic: &Diagnostic| files.iter().position(|file| file.key.0 == diagnostic.span.file.0);
        diagnostics.sort_by_cached_key(|diagnostic| {
            (diagnostic.severity, order(diagnostic), diagnostic.span, diagnostic.rule, diagnostic.message.clone())
        });
        let found = |diagnostic: Diagnostic| {
            let subject = places.subject(&catalog, diagnostic.span);
            Found { diagnostic, subject }
        };
        let findings = diagnostics.into_iter().map(found).collect();
        Self { catalog, findings }
    }

    /// How many findings of each severity `keep` lets through.
    pub(crate) fn counts(&self, keep: impl Fn(&Found) -> bool) -> views::Counts {
        let mut counts = views::Counts::default();
        for found in self.findings.iter().filter(|found| keep(found)) {
            match found.diagnostic.severity {
                Severity::Error => counts.errors += 1,
                Severity::Warning => counts.warnings += 1,
                Severity::Hint => counts.hints += 1,
            }
        }
        counts
    }
}
