//! Findings as rows.

use super::severity;
use crate::build::Found;
use crate::input::{CatalogInput, Workbench};
use ::source::Label;
use views::{EntryKey, FindingView, FindingsFilter, FindingsView, LabelView};

impl Workbench {
    /// The findings that `filter` lets through, worst first, at most `limit` rows of them.
    #[must_use]
    pub fn findings(&self, filter: &FindingsFilter, limit: u32) -> FindingsView {
        let text = filter.text.to_lowercase();
        let catalogs = self
            .catalogs()
            .iter()
            .filter(|catalog| filter.package.as_ref().is_none_or(|package| package.catalog == catalog.id));
        let mut found: Vec<(&CatalogInput, &Found)> = catalogs
            .flat_map(|catalog| catalog.built.findings.iter().map(move |found| (catalog, found)))
            .filter(|(catalog, found)| is_of_package(found, filter) && mentions(catalog, found, &text))
            .collect();
        found.sort_by_key(|(_, found)| found.diagnostic.severity);
        let total = found.len() as u32;
        let rows = found.into_iter().take(limit as usize).map(|(catalog, found)| row(catalog, found)).collect();
        FindingsView { total, rows }
    }
}

fn is_of_package(found: &Found, filter: &FindingsFilter) -> bool {
    let Some(key) = &filter.package else { return true };
    found.subject.as_ref().is_some_and(|subject| subject.package.as_str() == key.package)
}

fn mentions(catalog: &CatalogInput, found: &Found, text: &str) -> bool {
    let diagnostic = &found.diagnostic;
    text.is_empty()
        || diagnostic.rule.id().contains(text)
        || diagnostic.message.to_lowercase().contains(text)
        || catalog.path(diagnostic.span).to_lowercase().contains(text)
}

pub(super) fn row(catalog: &CatalogInput, found: &Found) -> FindingView {
    let diagnostic = &found.diagnostic;
    let subject = found.subject.as_ref();
    FindingView {
        rule: diagnostic.rule.id().to_owned(),
        severity: severity(diagnostic.severity),
        message: diagnostic.message.clone(),
        help: diagnostic.help.clone(),
        opm: diagnostic.opm.clone(),
        catalog: catalog.id,
        path: catalog.path(diagnostic.span),
        place: catalog.place(diagnostic.span),
        package: subject.map(|subject| subject.package.to_string()),
        entry: subject.and_then(|subject| {
            let channel = subject.channel.as_ref().map(ToString::to_string);
            Some(EntryKey { channel, name: subject.entry.as_ref()?.to_string() })
        }),
        labels: diagnostic.labels.iter().map(|label| label_view(catalog, label)).collect(),
    }
}

fn label_view(catalog: &CatalogInput, label: &Label) -> LabelView {
    LabelView { message: label.message.clone(), path: catalog.path(label.span), place: catalog.place(label.span) }
}
