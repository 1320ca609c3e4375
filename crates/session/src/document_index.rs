//! Finds the document, and the entry in it, that a span of the text belongs to.

use catalog::predicate::PackageName;
use catalog::{BundleName, Catalog, Channel, ChannelName, Package};
use source::Span;

/// What a finding is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FindingSubject {
    pub package: PackageName,
    pub channel: Option<ChannelName>,
    pub entry: Option<BundleName>,
}

/// The documents of a catalog, sorted by their spans.
pub struct DocumentIndex {
    docs: Vec<(Span, u32, Doc)>,
}

#[derive(Clone, Copy)]
enum Doc {
    Package,
    Channel(u32),
    Bundle(u32),
}

impl DocumentIndex {
    /// The documents of a catalog.
    pub fn of(catalog: &Catalog) -> Self {
        let mut docs = Vec::new();
        for (at, package) in (0..).zip(&catalog.packages) {
            docs.extend(package.declared.map(|span| (span, at, Doc::Package)));
            docs.extend(package.deprecations.iter().map(|deprecation| (deprecation.span, at, Doc::Package)));
            docs.extend((0..).zip(&package.channels).map(|(index, channel)| (channel.span, at, Doc::Channel(index))));
            docs.extend((0..).zip(&package.bundles).map(|(index, bundle)| (bundle.span, at, Doc::Bundle(index))));
        }
        docs.sort_by_key(|(span, ..)| *span);
        Self { docs }
    }

    /// The package, channel and entry at `span`. `catalog` must be the one that the index was made of.
    pub fn subject(&self, catalog: &Catalog, span: Span) -> Option<FindingSubject> {
        let before = self.docs.partition_point(|(doc, ..)| (doc.file, doc.start) <= (span.file, span.start));
        let &(doc_span, package, doc) = self.docs[..before].last()?;
        if !doc_span.contains(span) {
            return None;
        }
        let package = &catalog.packages[package as usize];
        Some(match doc {
            Doc::Package => FindingSubject { package: package.name.clone(), channel: None, entry: None },
            Doc::Channel(index) => in_channel(package, &package.channels[index as usize], span),
            Doc::Bundle(index) => {
                let name = package.bundles[index as usize].name.value.clone();
                FindingSubject { package: package.name.clone(), channel: None, entry: Some(name) }
            }
        })
    }
}

fn in_channel(package: &Package, channel: &Channel, span: Span) -> FindingSubject {
    // Entries are sorted by their spans, except those that are YAML aliases.
    let before = channel.entries.partition_point(|entry| entry.span.start <= span.start);
    let entry = channel.entries[..before].last().filter(|entry| entry.span.contains(span));
    FindingSubject {
        package: package.name.clone(),
        channel: Some(channel.name.value.clone()),
        entry: entry.map(|entry| entry.name.value.clone()),
    }
}
