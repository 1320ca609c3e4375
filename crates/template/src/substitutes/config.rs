//! The catalog of a template while bundles take the places of others.

use crate::basic::own_document;
use crate::expand::{Budget, TooLarge};
use crate::images::{CatalogBundle, text_of};
use crate::semver::bundle_document;
use crate::{Channel, Document, ExpandedCatalog, Package, origins};
use catalog::predicate::Property;
use catalog::{Catalog, ParsedFile, lower, release_error};
use fbc::raw::{RawBundle, RawChannel, RawDoc, RawEntry, Text};
use fbc::{Doc, Node, Parse, same_field};
use go_semver::blang::{Quoted, Version};
use source::{Diagnostic, FileId, Span};
use std::cmp::Ordering;
use std::fmt;

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

    pub(super) fn channels(&self, base: &str) -> Replaced {
        let channel = |(at, doc): (usize, &Doc)| match &doc.raw {
            RawDoc::Channel(raw) if edge_names(raw, base) => Some((at, raw.clone())),
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
                _ => origins::part(self.text, node),
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

pub(super) fn name(bundle: &RawBundle) -> &str {
    text_of(bundle.name.as_ref())
}

// The edges of a channel in which one bundle takes the place of another (`processSubstitution`).

/// Whether a substitution for `base` changes the channel.
fn edge_names(channel: &RawChannel, base: &str) -> bool {
    channel.entries.iter().any(|entry| is(entry.name.as_ref(), base) || skips(entry, base) || replaces(entry, base))
}

/// Lets the bundle `name` take the place of `base`; what is new has the place of the entry that it is made of.
///
/// The new entry gets the edges of `base`, and skips it. Of other entries, one that replaces `base` replaces `name` and skips
/// `base`; one that only skips `base` skips `name` instead.
pub(super) fn substitute(
    channel: &mut RawChannel,
    base: &str,
    name: &str,
    budget: &mut Budget,
) -> Result<(), TooLarge> {
    let text = |text: &str, place: Span| Text::new(text.into(), place);
    let written = channel.entries.len();
    for at in (0..written).rev().filter(|&at| is(channel.entries[at].name.as_ref(), base)).collect::<Vec<_>>() {
        let entry = &mut channel.entries[at];
        let span = entry.span;
        let mut skips = std::mem::take(&mut entry.skips);
        skips.push(text(base, span));
        budget.spend(size_of::<RawEntry>() + base.len() + name.len())?;
        let (replaces, skip_range) = (entry.replaces.take(), entry.skip_range.take());
        channel.entries.push(RawEntry { span, name: Some(text(name, span)), replaces, skips, skip_range });
    }
    for entry in &mut channel.entries[..written] {
        let replaces = replaces(entry, base);
        if replaces || skips(entry, base) {
            budget.spend(size_of::<Text>() + base.len() + name.len())?;
        }
        if replaces {
            entry.replaces = Some(text(name, entry.span));
            entry.skips.push(text(base, entry.span));
        } else if skips(entry, base) {
            entry.skips.push(text(name, entry.span));
            entry.skips.retain(|skip| *skip.value != *base);
        }
    }
    Ok(())
}

fn replaces(entry: &RawEntry, base: &str) -> bool {
    is(entry.replaces.as_ref(), base)
}

fn skips(entry: &RawEntry, base: &str) -> bool {
    entry.skips.iter().any(|skip| *skip.value == *base)
}

fn is(text: Option<&Text>, name: &str) -> bool {
    text_of(text) == name
}

// The version of a bundle with its release, by which a substitute must be higher than its base (operator-registry
// `alpha/declcfg/declcfg.go`, `VersionRelease`).

/// The annotation of a bundle whose build metadata is its release.
const ANNOTATION: &str = "olm.substitutesFor";

/// A version and a release; the release is empty when there is none.
pub(super) struct VersionRelease {
    pub(super) version: Version,
    release: Box<str>,
}

impl VersionRelease {
    /// The version and release of a bundle; `text` is the text that it was parsed from.
    ///
    /// # Errors
    /// What `opm` says of a bundle that has none.
    pub(super) fn of(bundle: &RawBundle, text: &str) -> Result<Self, String> {
        let name = Quoted(text_of(bundle.name.as_ref()));
        let mut found: Option<Self> = None;
        for property in &bundle.properties {
            if text_of(property.kind.as_ref()) != "olm.package" {
                continue;
            }
            if found.is_some() {
                return Err("must be exactly one property of type \"olm.package\"".to_owned());
            }
            let unfit =
                |error: String| format!("unable to unmarshal \"olm.package\" property for bundle {name}: {error}");
            let value = property.value.as_ref().ok_or_else(|| unfit("unexpected end of JSON input".to_owned()))?;
            let value = value.to_json(text).map_err(|error| unfit(error.to_string()))?;
            let Ok(Property::Package { version, release, .. }) =
                Property::parse("olm.package", &value).map_err(|error| unfit(error.to_string()))
            else {
                return Err(unfit("no package".to_owned()));
            };
            let number = Version::parse(&version).map_err(|error| {
                format!(
                    "invalid semver version {} in \"olm.package\" property for bundle {name}: {error}",
                    Quoted(&version)
                )
            })?;
            if let Some(error) = Some(&release).filter(|release| !release.is_empty()).and_then(|it| release_error(it)) {
                let release = Quoted(&release);
                return Err(format!(
                    "invalid release {release} in \"olm.package\" property for bundle {name}: {error}"
                ));
            }
            found = Some(Self { version: number, release });
        }
        let mut found = found.ok_or_else(|| format!("no \"olm.package\" property found for bundle {name}"))?;
        let build = found.version.build();
        if found.release.is_empty() && !build.is_empty() && is_annotated(bundle, text) {
            if let Some(error) = release_error(build) {
                return Err(format!("unable to convert build metadata to release for bundle {name}: {error}"));
            }
            found.release = build.into();
        }
        Ok(found)
    }
}

/// Whether the ClusterServiceVersion of the bundle has the annotation with which build metadata is a release.
fn is_annotated(bundle: &RawBundle, text: &str) -> bool {
    let annotation = |csv: Node| Some(!csv.field("annotations")?.get(ANNOTATION)?.as_str()?.is_empty());
    catalog::csv_metadata(bundle, text).and_then(annotation).unwrap_or_default()
}

impl VersionRelease {
    /// Compares versions without their build metadata, then releases; none is the lowest, and others are compared as
    /// prereleases are.
    pub(super) fn cmp(&self, other: &Self) -> Ordering {
        let release = |release: &str| match release {
            "" => None,
            release => Version::parse(&format!("0.0.0-{release}")).ok(),
        };
        let releases = || release(&self.release).cmp(&release(&other.release));
        self.version.cmp(&other.version).then_with(releases)
    }
}

impl fmt::Display for VersionRelease {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`", self.version)?;
        if self.release.is_empty() { Ok(()) } else { write!(f, ", release `{}`", self.release) }
    }
}
