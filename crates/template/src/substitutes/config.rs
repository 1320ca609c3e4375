//! The catalog of a template while bundles take the places of others.

use super::edges;
use crate::basic::own_document;
use crate::budget::{Budget, TooLarge};
use crate::images::{CatalogBundle, text_of};
use crate::semver::bundle_document;
use crate::{Channel, Document, ExpandedCatalog, Package, source_text};
use catalog::{Catalog, ParsedFile, lower};
use fbc::raw::{RawBundle, RawChannel, RawDoc};
use fbc::{Doc, Node, Parse, same_field};
use source::{Diagnostic, FileId};

/// The entries of a template, with what became of their channels, and the bundles that were added.
pub(super) struct Config<'t, 'i> {
    file: FileId,
    text: &'t str,
    entries: Parse,
    nodes: Vec<&'t Node>,
    /// The indices of the channels whose edges are not those of the text.
    changed: Vec<bool>,
    added: Vec<(CatalogBundle<'i>, Parse)>,
}

/// The channels before a substitution, by their indices.
pub(super) type Replaced = Vec<(usize, RawChannel)>;

/// Why `opm` refuses a catalog.
pub(super) struct Rejection {
    /// The finding that it stops at.
    pub(super) finding: Diagnostic,
    /// What it prints.
    pub(super) text: String,
    /// The other errors.
    pub(super) others: Vec<Diagnostic>,
}

impl<'t, 'i> Config<'t, 'i> {
    pub(super) fn new(file: FileId, text: &'t str, entries: Vec<(Doc, &'t Node)>) -> Self {
        let (docs, nodes): (Vec<Doc>, Vec<&Node>) = entries.into_iter().unzip();
        let changed = vec![false; docs.len()];
        Self { file, text, entries: Parse { docs, ..Parse::default() }, nodes, changed, added: Vec::new() }
    }

    /// The bytes that a check looks through.
    pub(super) fn bytes(&self) -> usize {
        let added = self.added.iter().map(|(bundle, _)| bundle.span.end as usize - bundle.span.start as usize);
        self.text.len() + added.sum::<usize>()
    }

    /// All bundles, each with the text that it was parsed from.
    pub(super) fn bundles(&self) -> impl Iterator<Item = (&RawBundle, &str)> {
        let own = self.entries.docs.iter().filter_map(|doc| match &doc.raw {
            RawDoc::Bundle(raw) => Some((raw, self.text)),
            _ => None,
        });
        own.chain(self.added.iter().map(|(bundle, _)| (bundle.raw, bundle.text)))
    }

    /// Why `opm` refuses the catalog, if it does.
    pub(super) fn rejection(&self) -> Option<Rejection> {
        let own = ParsedFile { text: self.text, parse: &self.entries };
        let added = self.added.iter();
        let added = added.map(|(bundle, parse)| (bundle.span.file, ParsedFile { text: bundle.text, parse }));
        let files: Vec<(FileId, ParsedFile<'_>)> = [(self.file, own)].into_iter().chain(added).collect();
        let parsed: Vec<ParsedFile<'_>> = files.iter().map(|(_, file)| *file).collect();
        let (catalog, mut findings) = lower(&parsed);
        findings.extend(catalog::check(&catalog));
        let first = catalog::rejection(&files, &findings)?;
        let text = catalog::rejection_text(&catalog, first)?;
        let finding = first.clone();
        findings.retain(|other| other.opm.is_some() && *other != finding);
        Some(Rejection { finding, text, others: findings })
    }

    /// The channels in which `base` stands.
    pub(super) fn channels(&self, base: &str) -> Replaced {
        let channel = |(at, doc): (usize, &Doc)| match &doc.raw {
            RawDoc::Channel(raw) if edges::names(raw, base) => Some((at, raw.clone())),
            _ => None,
        };
        self.entries.docs.iter().enumerate().filter_map(channel).collect()
    }

    /// Puts channels into the places of others. Returns what is needed to take it back.
    pub(super) fn put(&mut self, channels: Replaced) -> Replaced {
        let put = |(at, channel): (usize, RawChannel)| {
            self.changed[at] = true;
            match std::mem::replace(&mut self.entries.docs[at].raw, RawDoc::Channel(channel)) {
                RawDoc::Channel(before) => Some((at, before)),
                _ => None,
            }
        };
        channels.into_iter().filter_map(put).collect()
    }

    pub(super) fn add(&mut self, bundle: CatalogBundle<'i>) {
        let doc = Doc { span: bundle.span, raw: RawDoc::Bundle(bundle.raw.clone()) };
        self.added.push((bundle, Parse { docs: vec![doc], ..Parse::default() }));
    }

    pub(super) fn remove_last(&mut self) {
        self.added.pop();
    }

    /// The model of some of the channels alone.
    pub(super) fn model(&self, channels: &Replaced) -> Catalog {
        let docs = channels
            .iter()
            .map(|(at, channel)| Doc { span: self.entries.docs[*at].span, raw: RawDoc::Channel(channel.clone()) });
        let parse = Parse { docs: docs.collect(), ..Parse::default() };
        lower(&[ParsedFile { text: self.text, parse: &parse }]).0
    }

    /// The catalog; `None` if it is empty.
    pub(super) fn expanded(self, budget: &mut Budget) -> Result<Option<ExpandedCatalog>, TooLarge> {
        let (mut packages, mut channels, mut documents) = (Vec::new(), Vec::new(), Vec::new());
        for ((doc, node), changed) in self.entries.docs.iter().zip(&self.nodes).zip(&self.changed) {
            let text = match &doc.raw {
                RawDoc::Channel(raw) if *changed => channel_text(raw, node, self.text),
                _ => source_text::part(self.text, node),
            };
            match &doc.raw {
                RawDoc::Package(raw) => packages.push(Package::from(raw)),
                RawDoc::Channel(raw) => channels.push(Channel::from(raw)),
                RawDoc::Bundle(_) | RawDoc::Deprecations(_) | RawDoc::Other(_) => {}
            }
            budget.spend(text.len())?;
            documents.push(own_document(doc, text));
        }
        for (bundle, _) in &self.added {
            documents.push(bundle_document(*bundle, budget)?);
        }
        Ok((!documents.is_empty()).then(|| ExpandedCatalog::new(packages, channels, documents)))
    }
}

/// The document of a channel with other entries than those of its text.
fn channel_text(raw: &RawChannel, node: &Node, text: &str) -> String {
    let channel = Channel::from(raw);
    match node.to_json(text) {
        Ok(serde_json::Value::Object(mut fields)) => {
            fields.retain(|name, _| !same_field(name, "entries"));
            fields.insert("entries".to_owned(), channel.entries_json().into());
            fbc::to_yaml(&fields.into())
        }
        _ => Document::of_channel(&channel).text,
    }
}

/// The name of a bundle.
pub(super) fn name(bundle: &RawBundle) -> &str {
    text_of(bundle.name.as_ref())
}
