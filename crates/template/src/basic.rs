//! Expands `olm.template.basic`: a catalog that names its bundles by image only (`alpha/template/basic/basic.go`).

use crate::budget::{Budget, TooLarge};
use crate::expansion::Report;
use crate::images::{Images, not_found, text_of};
use crate::semver::bundle_document;
use crate::tolerant::{BASIC, Chosen};
use crate::{Channel, Document, ExpandedCatalog, Expansion, Package, TemplateKind, source_text};
use fbc::raw::{RawBundle, RawDoc};
use fbc::{Doc, Node};
use source::{Diagnostic, FileId, Rule, Span, Spanned};
use std::collections::BTreeSet;

/// Expands the template in the first document of a text.
pub(crate) fn expand(file: FileId, text: &str, images: &Images<'_>, chosen: Chosen) -> Expansion {
    let mut report = Report::default();
    let mut missing = Vec::new();
    let budget = Budget::of(images.bytes + text.len());
    let catalog = match BASIC.first_document(file, text, &mut report) {
        Some(node) => {
            let (entries, ()) = BASIC.read(&node, text, chosen, &mut report, |_, _| ());
            let known_missing = BTreeSet::new();
            Builder { text, images, report: &mut report, missing: &mut missing, known_missing }.catalog(entries, budget)
        }
        None => Ok(None),
    };
    let catalog = catalog.unwrap_or_else(|too_large| {
        report.reject_too_large(too_large.diagnostic(Span::new(file, 0, 0)));
        None
    });
    report.expansion(TemplateKind::Basic, missing, catalog)
}

/// Builds the catalog.
struct Builder<'a, 'i> {
    text: &'a str,
    images: &'a Images<'i>,
    report: &'a mut Report,
    missing: &'a mut Vec<Spanned<Box<str>>>,
    known_missing: BTreeSet<Box<str>>,
}

impl Builder<'_, '_> {
    fn catalog(mut self, entries: Vec<(Doc, &Node)>, mut budget: Budget) -> Result<Option<ExpandedCatalog>, TooLarge> {
        let (mut packages, mut channels, mut documents) = (Vec::new(), Vec::new(), Vec::new());
        for (doc, node) in entries {
            match &doc.raw {
                RawDoc::Package(raw) => packages.push(Package::from(raw)),
                RawDoc::Channel(raw) => channels.push(Channel::from(raw)),
                RawDoc::Bundle(raw) if self.is_reference(raw, doc.span) => {
                    documents.extend(self.rendered(raw, &mut budget)?);
                    continue;
                }
                RawDoc::Bundle(_) | RawDoc::Deprecations(_) | RawDoc::Other(_) => {}
            }
            let document = own_document(&doc, source_text::part(self.text, node));
            budget.spend(document.text.len())?;
            documents.push(document);
        }
        Ok((!documents.is_empty()).then(|| ExpandedCatalog::new(packages, channels, documents)))
    }

    /// Whether a bundle has nothing but its image, as `opm` requires. Other bundles are reported and kept as they are.
    fn is_reference(&mut self, raw: &RawBundle, span: Span) -> bool {
        let package = raw.package.as_ref().filter(|package| !package.value.is_empty()).map(|package| package.span);
        let property = raw.properties.first().map(|property| property.span);
        let related =
            raw.related_images.first().and_then(|image| Some(image.image.as_ref().or(image.name.as_ref())?.span));
        let inlined = package.or(property).or(related).or((!raw.related_images.is_empty()).then_some(span));
        let (place, message, help) = match inlined {
            None if !text_of(raw.image.as_ref()).is_empty() => return true,
            None => (span, "the bundle has no `image`", "add the `image` of the bundle"),
            Some(place) => (
                place,
                "a bundle in a template must have an `image` and nothing else: opm does not expand this one",
                "remove all fields but `schema` and `image`, or write a catalog instead of a template",
            ),
        };
        let finding = Diagnostic::new(Rule::InvalidTemplate, place, message).with_help(help);
        self.report.reject(finding.with_opm("unexpected fields present in basic template bundle"));
        inlined.is_none()
    }

    /// The document of the bundle with an image.
    fn rendered(&mut self, raw: &RawBundle, budget: &mut Budget) -> Result<Option<Document>, TooLarge> {
        let Some(image) = raw.image.as_ref().filter(|image| !image.value.is_empty()) else { return Ok(None) };
        if let Some(bundle) = self.images.get(&image.value) {
            self.images.ambiguous(image).into_iter().for_each(|finding| self.report.note(finding));
            return bundle_document(bundle, budget).map(Some);
        }
        if self.known_missing.insert(image.value.clone()) {
            self.report.needs_registry(not_found(&image.value));
            self.missing.push(image.clone());
        }
        Ok(None)
    }
}

/// The document of an entry that stays as it is written.
pub(crate) fn own_document(doc: &Doc, text: String) -> Document {
    let (schema, package, name) = match &doc.raw {
        RawDoc::Package(raw) => ("olm.package", raw.name.as_ref(), raw.name.as_ref()),
        RawDoc::Channel(raw) => ("olm.channel", raw.package.as_ref(), raw.name.as_ref()),
        RawDoc::Bundle(raw) => ("olm.bundle", raw.package.as_ref(), raw.name.as_ref()),
        RawDoc::Deprecations(raw) => ("olm.deprecations", raw.package.as_ref(), None),
        RawDoc::Other(raw) => (&*raw.schema.value, raw.package.as_ref(), raw.name.as_ref()),
    };
    Document { schema: schema.into(), package: text_of(package).into(), name: text_of(name).into(), text }
}
