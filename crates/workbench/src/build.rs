//! What follows from the files of one catalog: the model and the findings.

use crate::beside;
use crate::input::FileInput;
use crate::places::{Places, Subject};
use catalog::{Catalog, ParsedFile};
use resolver::Listing;
use source::{Diagnostic, Severity};
use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::sync::Arc;
use views::Counts;

/// The model of a catalog and everything found in it.
pub struct Built {
    /// The model.
    pub catalog: Catalog,
    /// Worst first, then in the order of the files.
    pub findings: Vec<Found>,
    /// What resolutions look up, made when the first one asks.
    listing: OnceCell<Arc<Listing>>,
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
        let (mut catalog, mut unplaced) = catalog::lower(&parsed);
        unplaced.extend(beside::attach(&mut catalog, files));
        let places = Places::of(&catalog);
        let read = files.iter().flat_map(|file| file.diagnostics().iter().cloned());
        let judged = catalog::check(&catalog).into_iter().chain(update_graph::check(&catalog));
        let mut diagnostics: Vec<Diagnostic> = read.chain(unplaced).chain(judged).collect();
        let order: BTreeMap<u32, usize> = files.iter().enumerate().map(|(at, file)| (file.key.0, at)).collect();
        diagnostics.sort_by_cached_key(|diagnostic| {
            (
                diagnostic.severity,
                order.get(&diagnostic.span.file.0),
                diagnostic.span,
                diagnostic.rule,
                diagnostic.message.clone(),
            )
        });
        let found = |diagnostic: Diagnostic| {
            let subject = places.subject(&catalog, diagnostic.span);
            Found { diagnostic, subject }
        };
        let findings = diagnostics.into_iter().map(found).collect();
        Self { catalog, findings, listing: OnceCell::new() }
    }

    /// The model as resolutions look things up in it.
    pub(crate) fn listing(&self) -> Arc<Listing> {
        Arc::clone(self.listing.get_or_init(|| Arc::new(Listing::of(&self.catalog))))
    }

    /// How many findings of each severity.
    pub(crate) fn counts(&self) -> Counts {
        let mut counts = Counts::default();
        self.findings.iter().for_each(|found| found.count_in(&mut counts));
        counts
    }

    /// The same by what `key` says of a finding; those that it has nothing to say of are left out.
    pub(crate) fn counts_by<'b, K: Ord>(&'b self, key: impl Fn(&'b Found) -> Option<K>) -> BTreeMap<K, Counts> {
        let mut counts: BTreeMap<K, Counts> = BTreeMap::new();
        for found in &self.findings {
            if let Some(key) = key(found) {
                found.count_in(counts.entry(key).or_default());
            }
        }
        counts
    }
}

impl Found {
    const fn count_in(&self, counts: &mut Counts) {
        match self.diagnostic.severity {
            Severity::Error => counts.errors += 1,
            Severity::Warning => counts.warnings += 1,
            Severity::Hint => counts.hints += 1,
        }
    }
}
