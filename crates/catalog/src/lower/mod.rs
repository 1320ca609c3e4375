//! Builds a [`Catalog`] from raw documents.
//!
//! A document that has no place in the model (no name, or a name that is taken) is reported here and left out;
//! [`crate::rules`] checks everything else on the finished model. Documents are taken file by file in the given order,
//! as `opm` loads them (operator-registry `alpha/declcfg/load.go`).

mod attach;
pub(crate) mod bundle;
mod lifecycle;
mod parts;

pub use attach::{NoSuchBundle, attach};

use crate::rules::unknown_package::{self, Mentions};
use crate::rules::{duplicate_name, invalid_deprecation, invalid_name, missing_field};
use crate::{Bundle, Catalog, Channel, Lifecycle, Package, ParsedFile};
use fbc::Doc;
use fbc::raw::{LIFECYCLE_SCHEMA, RawBundle, RawChannel, RawDeprecations, RawDoc, RawPackage};
use parts::{channel_name, deprecation, entry, icon, named};
use source::{Diagnostic, Executor, Findings, Span};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Builds the model, and reports the documents that have no place in it and the values that cannot be read.
#[must_use]
pub fn lower(files: &[ParsedFile<'_>]) -> (Catalog, Vec<Diagnostic>) {
    lower_with(files, Executor::default())
}

/// As [`lower`], but what is read of the bundles is perhaps read of several at once.
#[must_use]
pub fn lower_with(files: &[ParsedFile<'_>], executor: Executor) -> (Catalog, Vec<Diagnostic>) {
    let docs = || files.iter().flat_map(|file| file.parse.docs.iter().map(|doc| (doc, file.text)));
    let bundles: Vec<_> = docs().filter_map(|(doc, text)| Some((doc.span, bundle_of(doc)?, text))).collect();
    let read = |&(span, raw, text): &(Span, &RawBundle, &str), findings: &mut Findings| {
        bundle::read(span, raw, text, findings)
    };
    let mut bundles = executor.map_with_findings(&bundles, read).unwrap_or_default().into_iter();
    let mut lowering = Lowering::default();
    for (doc, text) in docs() {
        match &doc.raw {
            RawDoc::Package(raw) => lowering.package(doc.span, raw),
            RawDoc::Channel(raw) => lowering.channel(doc.span, raw),
            RawDoc::Bundle(raw) => {
                let bundle = match bundles.next() {
                    Some((bundle, findings)) => {
                        lowering.diagnostics.extend(findings);
                        bundle
                    }
                    None => bundle::read(doc.span, raw, text, &mut lowering.diagnostics),
                };
                bundle.into_iter().for_each(|bundle| lowering.bundle(raw, bundle));
            }
            RawDoc::Deprecations(raw) => lowering.deprecations(doc.span, raw),
            RawDoc::Other(raw) if *raw.schema.value == *LIFECYCLE_SCHEMA => {
                let read = lifecycle::read(doc.span, raw, text, &mut lowering.diagnostics);
                lowering.lifecycles.push(read);
            }
            RawDoc::Other(_) => {}
        }
    }
    lowering.finish()
}

const fn bundle_of(doc: &Doc) -> Option<&RawBundle> {
    match &doc.raw {
        RawDoc::Bundle(raw) => Some(raw),
        RawDoc::Package(_) | RawDoc::Channel(_) | RawDoc::Deprecations(_) | RawDoc::Other(_) => None,
    }
}

#[derive(Default)]
struct Lowering {
    packages: BTreeMap<Box<str>, Package>,
    /// The documents that name each package.
    mentions: BTreeMap<Box<str>, Mentions>,
    /// The first `olm.deprecations` document of each package.
    deprecated: BTreeMap<Box<str>, Span>,
    /// The number of `olm.deprecations` documents so far.
    deprecations: usize,
    lifecycles: Vec<Lifecycle>,
    diagnostics: Findings,
}

impl Lowering {
    fn package(&mut self, span: Span, raw: &RawPackage) {
        let Some(name) = named(raw.name.as_ref()) else {
            self.diagnostics.push(missing_field::package_name(span));
            return;
        };
        let package = self.packages.entry(name.value.clone()).or_insert_with(|| empty_package(&name.value));
        if let Some(first) = package.declared {
            self.diagnostics.push(duplicate_name::package(name, first));
            return;
        }
        package.declared = Some(span);
        package.default_channel = named(raw.default_channel.as_ref()).map(channel_name);
        package.description = raw.description.clone();
        package.icon = raw.icon.as_ref().and_then(icon);
        self.diagnostics.extend(invalid_name::check(name));
    }

    fn channel(&mut self, span: Span, raw: &RawChannel) {
        let Some(package) = named(raw.package.as_ref()) else {
            self.diagnostics.push(missing_field::channel_package(span, raw.name.as_ref()));
            return;
        };
        self.mentions(&package.value).channel(package, raw.name.as_ref());
        let owner = self.package_named(&package.value);
        let Some(name) = named(raw.name.as_ref()) else {
            self.diagnostics.push(missing_field::channel_name(span, &package.value));
            return;
        };
        owner.channels.push(Channel {
            name: channel_name(name),
            span,
            entries: raw.entries.iter().map(entry).collect(),
        });
    }

    fn bundle(&mut self, raw: &RawBundle, bundle: Bundle) {
        let Some(package) = named(raw.package.as_ref()) else { return };
        self.mentions(&package.value).bundle(package, raw.name.as_ref());
        self.package_named(&package.value).bundles.push(bundle);
    }

    /// The package that a document belongs to, declared or not.
    fn package_named(&mut self, name: &str) -> &mut Package {
        self.packages.entry(name.into()).or_insert_with(|| empty_package(name))
    }

    /// The documents that name the package.
    fn mentions(&mut self, package: &str) -> &mut Mentions {
        self.mentions.entry(package.into()).or_default()
    }

    fn deprecations(&mut self, span: Span, raw: &RawDeprecations) {
        let index = self.deprecations;
        self.deprecations += 1;
        let Some(package) = named(raw.package.as_ref()) else {
            self.diagnostics.push(missing_field::deprecations_package(span, index));
            return;
        };
        self.mentions(&package.value).deprecations(package);
        let first = *self.deprecated.entry(package.value.clone()).or_insert(span);
        let earlier = (first != span).then_some(first);
        self.diagnostics.extend(invalid_deprecation::document(raw, package, earlier));
        let deprecations = raw.entries.iter().filter_map(deprecation);
        self.package_named(&package.value).deprecations.extend(deprecations);
    }

    fn finish(self) -> (Catalog, Vec<Diagnostic>) {
        let mut packages = self.packages;
        let mut unmatched_lifecycles = Vec::new();
        for data in self.lifecycles {
            let owner = data.package.as_ref().and_then(|name| packages.get_mut(&name.value));
            owner.map_or(&mut unmatched_lifecycles, |package| &mut package.lifecycles).push(data);
        }
        let (mut diagnostics, mut duplicates) = (self.diagnostics, Findings::default());
        for Package { name, channels, bundles, .. } in packages.values_mut() {
            let report =
                |channel: &Channel, first: &Channel| duplicate_name::channel(channel, name.as_str(), first.span);
            keep_first(channels, |channel| &channel.name.value, report, &mut duplicates);
            let report = |bundle: &Bundle, first: &Bundle| duplicate_name::bundle(bundle, name.as_str(), first.span);
            keep_first(bundles, |bundle| &bundle.name.value, report, &mut duplicates);
        }
        let packages = packages.into_values().map(Arc::new).collect();
        let catalog = Catalog { packages, unmatched_lifecycles, ..Catalog::default() };
        for package in catalog.packages.iter().filter(|package| package.declared.is_none()) {
            let mentions = self.mentions.get(package.name.as_str());
            diagnostics.extend(mentions.and_then(|mentions| unknown_package::check(&catalog, package, mentions)));
        }
        let all = diagnostics.into_diagnostics().into_iter().chain(duplicates.into_diagnostics()).collect();
        (catalog, all)
    }
}

/// Sorts by name and keeps the first of all items with the same name; `report` is called with each of the others and the
/// first.
fn keep_first<T, N: Ord>(
    items: &mut Vec<T>,
    name: impl Fn(&T) -> &N,
    report: impl Fn(&T, &T) -> Diagnostic,
    findings: &mut Findings,
) {
    items.sort_by(|a, b| name(a).cmp(name(b)));
    items.dedup_by(|later, first| {
        let is_duplicate = name(later) == name(first);
        if is_duplicate {
            findings.push(report(later, first));
        }
        is_duplicate
    });
}

fn empty_package(name: &str) -> Package {
    Package {
        name: name.into(),
        declared: None,
        default_channel: None,
        description: None,
        icon: None,
        channels: Vec::new(),
        bundles: Vec::new(),
        deprecations: Vec::new(),
        lifecycles: Vec::new(),
        has_unknown_bundles: false,
    }
}
