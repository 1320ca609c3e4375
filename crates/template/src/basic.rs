//! Expands `olm.template.basic`: a catalog that names its bundles by image only (`alpha/template/basic/basic.go`).

use crate::expand::{Budget, Report, TooLarge};
use crate::images::{Images, not_found, text_of};
use crate::semver::bundle_document;
use crate::{Channel, Document, ExpandedCatalog, Expansion, Package, TemplateKind, origins};
use fbc::raw::{RawBundle, RawDoc, Text};
use fbc::{Doc, Node, Value, member, same_field, second_spellings};
use go_semver::blang::Quoted;
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
            let document = own_document(&doc, origins::part(self.text, node));
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

// Reads the kinds of templates that `opm` decodes with Go's tolerant JSON decoder: a mapping with catalog documents in
// `entries` (`parseSpec` in `alpha/template/{basic,substitutes}`). Unknown fields are ignored, unlike in `olm.semver`.

/// The prefix of `opm`'s errors about YAML or JSON.
const UNREADABLE: &str = "decoding template schema: ";
const UNFIT: &str = "unmarshalling template: ";

/// What sets a kind apart.
pub(crate) struct Form {
    pub(crate) kind: TemplateKind,
    /// The Go struct, and the package that it is of.
    pub(crate) go: (&'static str, &'static str),
    /// What precedes all errors of reading.
    pub(crate) unread: &'static str,
    /// What precedes the errors of entries that are no catalog documents.
    pub(crate) unloaded: &'static str,
    pub(crate) fields: &'static [&'static str],
}

/// How a basic template is read.
pub(crate) static BASIC: Form = Form {
    kind: TemplateKind::Basic,
    go: ("basic", "BasicTemplateData"),
    unread: "",
    unloaded: "",
    fields: &["schema", "entries"],
};

/// Whether somebody named the kind of the template, or its text tells it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Chosen {
    ByName,
    ByText,
}

#[derive(Clone, Copy)]
pub(crate) struct Fields<'n>(pub(crate) &'n [(Text, Node)]);

impl<'n> Fields<'n> {
    /// The value that Go decodes into a field: `null` is as good as absent.
    pub(crate) fn get(self, name: &str) -> Option<&'n Node> {
        member(self.0, name).map(|(_, value)| value).filter(|value| value.value != Value::Null)
    }
}

impl Form {
    /// The first document. `opm` splits and reads the text like that of a catalog.
    pub(crate) fn first_document(&self, file: FileId, text: &str, report: &mut Report) -> Option<Node> {
        let (node, fault) = first_document(file, text);
        let Some(mut finding) = fault else { return node };
        if finding.rule == Rule::EmptyDocument {
            report.reject(finding.with_opm(self.wrong_schema("")));
            return node;
        }
        finding.opm = finding.opm.map(|words| format!("{}{UNREADABLE}{words}", self.unread));
        report.reject(finding);
        None
    }

    /// The documents in `entries`, with their syntax trees, and what `others` makes of the other fields. Reports what `opm`
    /// rejects in the order in which it comes to it.
    pub(crate) fn read<'n, T: Default>(
        &self,
        node: &'n Node,
        text: &str,
        chosen: Chosen,
        report: &mut Report,
        others: impl FnOnce(Fields<'n>, &mut Report) -> T,
    ) -> (Vec<(Doc, &'n Node)>, T) {
        let Value::Mapping(fields) = &node.value else {
            let (package, name) = self.go;
            report.reject(self.misfit(
                node,
                "a template must be a mapping",
                &format!("Go value of type {package}.{name}"),
            ));
            return Default::default();
        };
        let fields = Fields(fields);
        // The keys are decoded in byte order, and what they say counts when all are.
        let (items, faults) = fields.get("entries").map(|list| self.items(list, text, report)).unwrap_or_default();
        let schema = fields.get("schema");
        if let Some(place) = schema.filter(|schema| schema.as_str().is_none()) {
            let target = format!("Go struct field {}.schema of type string", self.go.1);
            report.reject(self.misfit(place, "`schema` must be a text", &target));
        }
        let others = others(fields, report);
        self.check_schema(node, schema, chosen, report);
        faults.into_iter().for_each(|finding| report.reject(finding));
        second_spellings(fields.0, self.fields).into_iter().for_each(|finding| report.note(finding));
        let is_known = |key: &Text| self.fields.iter().any(|name| same_field(&key.value, name));
        for (key, _) in fields.0.iter().filter(|(key, _)| !is_known(key)) {
            let message = format!("an `{}` template has no field `{key}`", self.kind.schema());
            report.note(Diagnostic::new(Rule::UnknownField, key.span, message).with_help("opm ignores it"));
        }
        (items, others)
    }

    fn check_schema(&self, node: &Node, schema: Option<&Node>, chosen: Chosen, report: &mut Report) {
        let own = self.kind.schema();
        let (place, message, found) = match schema.map(|schema| (schema.span, schema.as_str())) {
            Some((_, None)) => return,
            Some((_, Some(schema))) if schema == own => return,
            Some((place, Some(schema))) => {
                (place, format!("`{schema}` is not the schema of templates with `entries`"), schema)
            }
            None => (node.span.at_start(), "the template has no `schema`".to_owned(), ""),
        };
        // What `opm` is not told it cannot tell either; a template of an unknown schema is then measured as a basic one.
        let opm = match chosen {
            Chosen::ByName => self.wrong_schema(found),
            Chosen::ByText => BASIC.wrong_schema(found),
        };
        let help = match TemplateKind::of_schema(found) {
            Some(kind) => format!("this is a template of the type `{}`", kind.type_name()),
            None => format!("write `schema: {own}`"),
        };
        report.reject(Diagnostic::new(Rule::InvalidTemplate, place, message).with_opm(opm).with_help(help));
    }

    /// The documents in the list of entries, with their syntax trees. Reports errors in their syntax, and returns the errors
    /// that `opm` finds later, when it loads them.
    fn items<'n>(&self, list: &'n Node, text: &str, report: &mut Report) -> (Vec<(Doc, &'n Node)>, Vec<Diagnostic>) {
        let Value::Sequence(items) = &list.value else {
            let target = format!("Go struct field {}.entries of type []*declcfg.Meta", self.go.1);
            report.reject(self.misfit(list, "`entries` must be a list of documents", &target));
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
                    Some(words) if words.starts_with("parse ") || words.starts_with("object '") => {
                        finding.opm = Some(format!("{}{words}", self.unloaded));
                        later.push(finding);
                    }
                    Some(words) => {
                        finding.opm = Some(format!("{}{UNFIT}{words}", self.unread));
                        report.reject(finding);
                    }
                }
            }
            read.extend(parse.docs.into_iter().map(|doc| (doc, item)));
        }
        (read, later)
    }

    fn wrong_schema(&self, schema: &str) -> String {
        let own = self.kind.schema();
        format!("{}template has unknown schema ({}), should be \"{own}\"", self.unread, Quoted(schema))
    }

    fn misfit(&self, node: &Node, message: &str, target: &str) -> Diagnostic {
        self.unfit(node, message, &format!("json: cannot unmarshal {} into {target}", node.value.go_kind("")))
    }

    /// A value of the wrong type, with Go's words for it.
    pub(crate) fn unfit(&self, node: &Node, message: &str, words: &str) -> Diagnostic {
        let opm = format!("{}{UNFIT}{words}", self.unread);
        Diagnostic::new(Rule::WrongType, node.span, message).with_opm(opm)
    }
}

/// The first document of a text that is split and read as a catalog is, and what stands in the way. An empty document before
/// it is in the way, too.
pub(crate) fn first_document(file: FileId, text: &str) -> (Option<Node>, Option<Diagnostic>) {
    let node = fbc::untyped_values(file, text).nodes.into_iter().next();
    let end = node.as_ref().map_or(u32::MAX, |node| node.span.start);
    // Read as a catalog, the text has `opm`'s errors about the documents before.
    let fault = fbc::parse(file, text).diagnostics.into_iter().find(|finding| {
        finding.span.start < end
            && matches!(finding.rule, Rule::BrokenDocument | Rule::EmptyDocument | Rule::NotACatalog)
    });
    (node, fault)
}
