//! `olm.template.basic`: a catalog whose bundles are named by image alone (`alpha/template/basic/basic.go`).

use crate::budget::{Budget, TooLarge};
use crate::expand::Told;
use crate::images::{Images, needs_registry, text_of};
use crate::semver::bundle_document;
use crate::{Channel, Document, Expanded, Expansion, Kind, Package, own_text};
use blang_semver::Quoted;
use fbc::raw::{RawBundle, RawDoc};
use fbc::{Doc, Node, Value, same_field};
use source::{Diagnostic, FileId, Rule, Span, Spanned};
use std::collections::BTreeSet;

/// What `opm` puts before a fault of YAML or JSON.
const UNREADABLE: &str = "decoding template schema: ";
const UNFIT: &str = "unmarshalling template: ";

/// Expands the template in the first document of a text.
pub(crate) fn expand(file: FileId, text: &str, images: &Images<'_>) -> Expansion {
    let mut told = Told::default();
    let mut missing = Vec::new();
    let budget = Budget::of(images.bytes + text.len());
    let catalog = match first_document(file, text, &mut told) {
        Some(node) => {
            let entries = entries(&node, text, &mut told);
            let known_missing = BTreeSet::new();
            Building { text, images, told: &mut told, missing: &mut missing, known_missing }.catalog(entries, budget)
        }
        None => Ok(None),
    };
    let catalog = catalog.unwrap_or_else(|too_large| {
        told.give_up(too_large.told(Span::new(file, 0, 0)));
        None
    });
    told.expansion(Kind::Basic, missing, catalog)
}

/// What `opm` takes for the first document: text is split and read as a catalog's.
fn first_document(file: FileId, text: &str, told: &mut Told) -> Option<Node> {
    let node = fbc::trees(file, text).nodes.into_iter().next();
    let end = node.as_ref().map_or(u32::MAX, |node| node.span.start);
    // What is read as a catalog says how `opm` words the fault of a document before.
    let before = fbc::parse(file, text).diagnostics.into_iter().find(|finding| {
        finding.span.start < end
            && matches!(finding.rule, Rule::BrokenDocument | Rule::EmptyDocument | Rule::NotACatalog)
    });
    let Some(mut finding) = before else { return node };
    if finding.rule == Rule::EmptyDocument {
        told.reject(finding.with_opm(wrong_schema("")));
        return node;
    }
    finding.opm = finding.opm.map(|words| format!("{UNREADABLE}{words}"));
    told.reject(finding);
    None
}

fn wrong_schema(schema: &str) -> String {
    format!("template has unknown schema ({}), should be \"olm.template.basic\"", Quoted(schema))
}

/// The entries, and what is wrong around them. Unlike the other kind of template this one is not read strictly.
fn entries<'n>(node: &'n Node, text: &str, told: &mut Told) -> Vec<(Doc, &'n Node)> {
    let Value::Mapping(fields) = &node.value else {
        told.reject(misfit(node, "a template must be a mapping", "Go value of type basic.BasicTemplateData"));
        return Vec::new();
    };
    let field = |name: &str| {
        let matching = fields.iter().filter(|(key, value)| same_field(&key.value, name) && value.value != Value::Null);
        matching.max_by(|(one, _), (other, _)| one.value.cmp(&other.value)).map(|(_, value)| value)
    };
    let (items, faults) = field("entries").map(|list| items(list, text, told)).unwrap_or_default();
    check_schema(node, field("schema"), told);
    faults.into_iter().for_each(|finding| told.reject(finding));
    for (key, _) in
        fields.iter().filter(|(key, _)| !["schema", "entries"].iter().any(|name| same_field(&key.value, name)))
    {
        let message = format!("an `olm.template.basic` template has no field `{key}`");
        told.note(Diagnostic::new(Rule::UnknownField, key.span, message).with_help("opm ignores it"));
    }
    items
}

fn check_schema(node: &Node, schema: Option<&Node>, told: &mut Told) {
    match schema.map(|schema| (schema, &schema.value)) {
        Some((_, Value::String(schema))) if &**schema == Kind::Basic.schema() => {}
        Some((place, Value::String(schema))) => {
            let message = format!("`{schema}` is not the schema of a template with `entries`");
            let finding = Diagnostic::new(Rule::InvalidTemplate, place.span, message).with_opm(wrong_schema(schema));
            told.reject(finding.with_help("say `schema: olm.template.basic`"));
        }
        Some((place, _)) => {
            let target = "Go struct field BasicTemplateData.schema of type string";
            told.reject(misfit(place, "`schema` must be a text", target));
        }
        None => {
            let place = node.span.at_start();
            let finding = Diagnostic::new(Rule::InvalidTemplate, place, "the template has no `schema`");
            told.reject(finding.with_opm(wrong_schema("")).with_help("say `schema: olm.template.basic`"));
        }
    }
}

/// The documents of the list of entries, with their trees. What is wrong with how they are written is told; what `opm`
/// finds when it loads them, which is later, is handed back.
fn items<'n>(list: &'n Node, text: &str, told: &mut Told) -> (Vec<(Doc, &'n Node)>, Vec<Diagnostic>) {
    let Value::Sequence(items) = &list.value else {
        let target = "Go struct field BasicTemplateData.entries of type []*declcfg.Meta";
        told.reject(misfit(list, "`entries` must be a list of documents", target));
        return Default::default();
    };
    let mut read = Vec::with_capacity(items.len());
    let mut later = Vec::new();
    for item in items {
        if item.value == Value::Null {
            let finding =
                Diagnostic::new(Rule::EmptyDocument, item.span, "an entry without content, on which opm crashes");
            let opm = "panic: runtime error: invalid memory address or nil pointer dereference";
            later.push(finding.with_opm(opm).with_help("remove it"));
            continue;
        }
        let parse = fbc::documents(text, vec![item.clone()]);
        for mut finding in parse.diagnostics {
            match &finding.opm {
                None => told.note(finding),
                Some(words) if words.starts_with("parse ") || words.starts_with("object '") => later.push(finding),
                Some(words) => {
                    finding.opm = Some(format!("{UNFIT}{words}"));
                    told.reject(finding);
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

/// The catalog while it grows.
struct Building<'a, 'i> {
    text: &'a str,
    images: &'a Images<'i>,
    told: &'a mut Told,
    missing: &'a mut Vec<Spanned<Box<str>>>,
    known_missing: BTreeSet<Box<str>>,
}

impl Building<'_, '_> {
    fn catalog(mut self, entries: Vec<(Doc, &Node)>, mut budget: Budget) -> Result<Option<Expanded>, TooLarge> {
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
            let document = own_document(&doc, own_text::part(self.text, node));
            budget.spend(document.text.len())?;
            documents.push(document);
        }
        Ok((!documents.is_empty()).then(|| Expanded::new(packages, channels, documents)))
    }

    /// Whether a bundle only names its image, as `opm` wants it. Others are told and kept as they are.
    fn is_reference(&mut self, raw: &RawBundle, span: Span) -> bool {
        let package = raw.package.as_ref().filter(|package| !package.value.is_empty()).map(|package| package.span);
        let property = raw.properties.first().map(|property| property.span);
        let related =
            raw.related_images.first().and_then(|image| Some(image.image.as_ref().or(image.name.as_ref())?.span));
        let inlined = package.or(property).or(related).or((!raw.related_images.is_empty()).then_some(span));
        let (place, message, help) = match inlined {
            None if !text_of(raw.image.as_ref()).is_empty() => return true,
            None => (span, "the bundle has no `image`", "name the image of the bundle"),
            Some(place) => (
                place,
                "a bundle of a template must name its `image` and nothing else: opm does not expand this one",
                "remove all but `schema` and `image`, or write the catalog without a template",
            ),
        };
        let finding = Diagnostic::new(Rule::InvalidTemplate, place, message).with_help(help);
        self.told.reject(finding.with_opm("unexpected fields present in basic template bundle"));
        inlined.is_none()
    }

    /// The bundle that an image stands for.
    fn rendered(&mut self, raw: &RawBundle, budget: &mut Budget) -> Result<Option<Document>, TooLarge> {
        let Some(image) = raw.image.as_ref().filter(|image| !image.value.is_empty()) else { return Ok(None) };
        if let Some(bundle) = self.images.get(&image.value) {
            self.images.ambiguous(image).into_iter().for_each(|finding| self.told.note(finding));
            return bundle_document(bundle, budget).map(Some);
        }
        if self.known_missing.insert(image.value.clone()) {
            self.told.needs_registry(needs_registry(image));
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
