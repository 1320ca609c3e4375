//! Expands `olm.template.basic`: a catalog that names its bundles by image only (`alpha/template/basic/basic.go`).

use crate::budget::{Budget, TooLarge};
use crate::expansion::Report;
use crate::images::{Images, text_of};
use crate::semver::bundle_document;
use crate::{Channel, Document, ExpandedCatalog, Expansion, Package, TemplateKind, source_text};
use blang_semver::Quoted;
use fbc::raw::{RawBundle, RawDoc};
use fbc::{Doc, Node, Value, same_field};
use source::{Diagnostic, FileId, Rule, Span, Spanned};
use std::collections::BTreeSet;

/// The prefix of `opm`'s errors about YAML or JSON.
const UNREADABLE: &str = "decoding template schema: ";
const UNFIT: &str = "unmarshalling template: ";

/// Expands the template in the first document of a text.
pub(crate) fn expand(file: FileId, text: &str, images: &Images<'_>) -> Expansion {
    let mut report = Report::default();
    let mut missing = Vec::new();
    let budget = Budget::of(images.bytes + text.len());
    let catalog = match first_document(file, text, &mut report) {
        Some(node) => {
            let entries = entries(&node, text, &mut report);
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

/// The first document. `opm` splits and reads the text like that of a catalog.
fn first_document(file: FileId, text: &str, report: &mut Report) -> Option<Node> {
    let node = fbc::untyped_values(file, text).nodes.into_iter().next();
    let end = node.as_ref().map_or(u32::MAX, |node| node.span.start);
    // Read as a catalog, the text has `opm`'s errors about the documents before.
    let before = fbc::parse(file, text).diagnostics.into_iter().find(|finding| {
        finding.span.start < end
            && matches!(finding.rule, Rule::BrokenDocument | Rule::EmptyDocument | Rule::NotACatalog)
    });
    let Some(mut finding) = before else { return node };
    if finding.rule == Rule::EmptyDocument {
        report.reject(finding.with_opm(wrong_schema("")));
        return node;
    }
    finding.opm = finding.opm.map(|words| format!("{UNREADABLE}{words}"));
    report.reject(finding);
    None
}

fn wrong_schema(schema: &str) -> String {
    format!("template has unknown schema ({}), should be \"olm.template.basic\"", Quoted(schema))
}

/// The entries. `opm` does not read this kind of template strictly, unlike the other one.
fn entries<'n>(node: &'n Node, text: &str, report: &mut Report) -> Vec<(Doc, &'n Node)> {
    let Value::Mapping(fields) = &node.value else {
        report.reject(misfit(node, "a template must be a mapping", "Go value of type basic.BasicTemplateData"));
        return Vec::new();
    };
    let field = |name: &str| {
        let matching = fields.iter().filter(|(key, value)| same_field(&key.value, name) && value.value != Value::Null);
        matching.max_by(|(one, _), (other, _)| one.value.cmp(&other.value)).map(|(_, value)| value)
    };
    let (items, faults) = field("entries").map(|list| items(list, text, report)).unwrap_or_default();
    check_schema(node, field("schema"), report);
    faults.into_iter().for_each(|finding| report.reject(finding));
    for (key, _) in
        fields.iter().filter(|(key, _)| !["schema", "entries"].iter().any(|name| same_field(&key.value, name)))
    {
        let message = format!("an `olm.template.basic` template has no field `{key}`");
        report.note(Diagnostic::new(Rule::UnknownField, key.span, message).with_help("opm ignores it"));
    }
    items
}

fn check_schema(node: &Node, schema: Option<&Node>, report: &mut Report) {
    match schema.map(|schema| (schema, &schema.value)) {
        Some((_, Value::String(schema))) if &**schema == TemplateKind::Basic.schema() => {}
        Some((place, Value::String(schema))) => {
            let message = format!("`{schema}` is not the schema of templates with `entries`");
            let finding = Diagnostic::new(Rule::InvalidTemplate, place.span, message).with_opm(wrong_schema(schema));
            report.reject(finding.with_help("write `schema: olm.template.basic`"));
        }
        Some((place, _)) => {
            let target = "Go struct field BasicTemplateData.schema of type string";
            report.reject(misfit(place, "`schema` must be a text", target));
        }
        None => {
            let place = node.span.at_start();
            let finding = Diagnostic::new(Rule::InvalidTemplate, place, "the template has no `schema`");
            report.reject(finding.with_opm(wrong_schema("")).with_help("write `schema: olm.template.basic`"));
        }
    }
}

/// The documents in the list of entries, with their syntax trees. Reports errors in their syntax, and returns the errors
/// that `opm` finds later, when it loads them.
fn items<'n>(list: &'n Node, text: &str, report: &mut Report) -> (Vec<(Doc, &'n Node)>, Vec<Diagnostic>) {
    let Value::Sequence(items) = &list.value else {
        let target = "Go struct field BasicTemplateData.entries of type []*declcfg.Meta";
        report.reject(misfit(list, "`entries` must be a list of documents", target));
        return Default::default();
    };
    let mut read = Vec::with_capacity(items.len());
    let mut later = Vec::new();
    for item in items {
        if item.value == Value::Null {
            let finding = Diagnostic::new(Rule::EmptyDocument, item.span, "an empty entry, on which opm crashes");
            let opm = "panic: runtime error: invalid memory address or nil pointer dereference";
            later.push(finding.with_opm(opm).with_help("remove it"));
            continue;
        }
        let parse = fbc::documents(text, vec![item.clone()]);
        for mut finding in parse.diagnostics {
            match &finding.opm {
                None => report.note(finding),
                Some(words) if words.starts_with("parse ") || words.starts_with("object '") => later.push(finding),
                Some(words) => {
                    finding.opm = Some(format!("{UNFIT}{words}"));
                    report.reject(finding);
                }
            }
        }
        read.extend(parse.docs.into_iter().map(|doc| (doc, item)));
    }
    (read, later)
}

fn misfit(node: &Node, message: &str, target: &str) -> Diagnostic {
    let kind = node.value.go_kind("");
    let opm = format!("{UNFIT}json: cannot unmarshal {kind} into {target}");
    Diagnostic::new(Rule::WrongType, node.span, message).with_opm(opm)
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
            self.report.needs_registry();
            self.missing.push(image.clone());
        }
        Ok(None)
    }
}

fn own_document(doc: &Doc, text: String) -> Document {
    let (schema, package, name) = match &doc.raw {
        RawDoc::Package(raw) => ("olm.package", raw.name.as_ref(), raw.name.as_ref()),
        RawDoc::Channel(raw) => ("olm.channel", raw.package.as_ref(), raw.name.as_ref()),
        RawDoc::Bundle(raw) => ("olm.bundle", raw.package.as_ref(), raw.name.as_ref()),
        RawDoc::Deprecations(raw) => ("olm.deprecations", raw.package.as_ref(), None),
        RawDoc::Other(raw) => (&*raw.schema.value, raw.package.as_ref(), raw.name.as_ref()),
    };
    Document { schema: schema.into(), package: text_of(package).into(), name: text_of(name).into(), text }
}
