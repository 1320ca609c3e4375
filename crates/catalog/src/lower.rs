//! Builds a [`Catalog`] from raw documents.
//!
//! A document that has no place in the model (no name, or a name that is taken) is reported here and left out;
//! [`crate::rules`] checks everything else on the finished model. Documents are taken file by file in the given order,
//! as `opm` loads them (operator-registry `alpha/declcfg/load.go`).

use crate::model::{BundleName, ChannelName, Deprecation, DeprecationTarget, Entry, Icon, SkipRange};
use crate::predicate::{Property, PropertyError};
use crate::rules::invalid_lifecycle::Fields;
use crate::rules::unknown_package::{self, Mentions};
use crate::rules::{
    duplicate_name, invalid_deprecation, invalid_image, invalid_lifecycle, invalid_name, invalid_property,
    missing_field,
};
use crate::{
    Bundle, BundleVersion, Catalog, Channel, Lifecycle, LifecyclePhase, LifecycleVersion, Package, Platform, parse_day,
};
use fbc::raw::{
    LIFECYCLE_SCHEMA, RawBundle, RawChannel, RawDeprecation, RawDeprecations, RawDoc, RawEntry, RawIcon, RawOther,
    RawPackage, RawProperty, Text,
};
use fbc::{Doc, Legacy, Node, OpenError, Parse, Value, bundle_object_fault, property_misfit};
use go_semver::blang::{Range, Version};
use source::{Diagnostic, Executor, Findings, Span, Spanned};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use time::Date;

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
    let read =
        |&(span, raw, text): &(Span, &RawBundle, &str), findings: &mut Findings| read_bundle(span, raw, text, findings);
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
                    None => read_bundle(doc.span, raw, text, &mut lowering.diagnostics),
                };
                bundle.into_iter().for_each(|bundle| lowering.bundle(raw, bundle));
            }
            RawDoc::Deprecations(raw) => lowering.deprecations(doc.span, raw),
            RawDoc::Other(raw) if *raw.schema.value == *LIFECYCLE_SCHEMA => {
                let read = read_lifecycle(doc.span, raw, text, &mut lowering.diagnostics);
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

// What the model is built from.

/// A parsed file and the text it was parsed from.
#[derive(Clone, Copy, Debug)]
pub struct ParsedFile<'a> {
    pub text: &'a str,
    pub parse: &'a Parse,
}

// Parts of raw documents as parts of the model.

/// The text unless it is empty: Go's decoder does not distinguish an empty text from a missing one.
pub(super) fn named(text: Option<&Text>) -> Option<&Text> {
    text.filter(|text| !text.value.is_empty())
}

pub(super) fn channel_name(text: &Text) -> Spanned<ChannelName> {
    Spanned::new(ChannelName::from(&*text.value), text.span)
}

pub(super) fn entry(raw: &RawEntry) -> Entry {
    let unnamed = || Spanned::new(BundleName::from(""), raw.span);
    Entry {
        span: raw.span,
        name: raw.name.as_ref().map_or_else(unnamed, bundle_name),
        replaces: named(raw.replaces.as_ref()).map(bundle_name),
        skips: raw.skips.iter().map(bundle_name).collect(),
        skip_range: named(raw.skip_range.as_ref()).map(skip_range),
    }
}

pub(super) fn bundle_name(text: &Text) -> Spanned<BundleName> {
    Spanned::new(BundleName::from(&*text.value), text.span)
}

pub(super) fn skip_range(text: &Text) -> Spanned<SkipRange> {
    Spanned::new(SkipRange { text: text.value.clone(), range: Range::parse(&text.value) }, text.span)
}

pub(super) fn icon(raw: &RawIcon) -> Option<Icon> {
    let media_type = raw.mediatype.as_ref().map(|text| text.value.clone()).unwrap_or_default();
    Some(Icon { base64data: raw.base64data?, media_type })
}

pub(super) fn deprecation(raw: &RawDeprecation) -> Option<Deprecation> {
    let name = raw.name.as_ref().map_or("", |name| &name.value);
    let target = match &*raw.schema.as_ref()?.value {
        "olm.package" => DeprecationTarget::Package,
        "olm.channel" => DeprecationTarget::Channel(name.into()),
        "olm.bundle" => DeprecationTarget::Bundle(name.into()),
        _ => return None,
    };
    let message = raw.message.as_ref().map(|text| text.value.clone()).unwrap_or_default();
    let place = raw.name.as_ref().map_or(raw.span, |name| name.span);
    Some(Deprecation { span: raw.span, place, target, message })
}

// Builds bundles from `olm.bundle` documents.

// Properties that only describe the bundle. They are most of a catalog's bytes, and neither a rule nor the resolver
// reads them, so they stay out of the model. `crate::details` reads what else is needed of them.
pub(crate) const OBJECT: &str = "olm.bundle.object";
pub(crate) const METADATA: &str = "olm.csv.metadata";

/// The bundle of a document, unless it names no package.
fn read_bundle(span: Span, raw: &RawBundle, text: &str, findings: &mut Findings) -> Option<Bundle> {
    findings.extend(object_faults(raw, text));
    let Some(package) = named(raw.package.as_ref()) else {
        findings.push(missing_field::bundle_package(span, raw.name.as_ref()));
        return None;
    };
    let name = raw.name.as_ref().map_or_else(
        || Spanned::new(BundleName::from(""), span.at_start()),
        |name| Spanned::new(BundleName::from(&*name.value), name.span),
    );
    let properties = properties(&raw.properties, &name.value, text, findings);
    let bundle = Bundle {
        version: version(raw, &properties),
        has_objects: raw.properties.iter().any(|property| bundle_property_kind(property) == OBJECT),
        has_metadata: raw.properties.iter().any(|property| bundle_property_kind(property) == METADATA),
        image: named(raw.image.as_ref()).cloned(),
        has_unknown_contents: false,
        name,
        span,
        properties,
    };
    findings.extend(invalid_property::package_property(&bundle, &package.value));
    findings.extend(invalid_image::check(raw, bundle.name.value.as_str(), &package.value));
    Some(bundle)
}

/// The type of a property; empty if it has none.
pub(crate) fn bundle_property_kind(property: &RawProperty) -> &str {
    property.kind.as_ref().map_or("", |kind| &kind.value)
}

/// Parses the properties of a bundle, and reports values that cannot be parsed.
pub(super) fn properties(
    raw: &[RawProperty],
    name: &BundleName,
    text: &str,
    diagnostics: &mut Findings,
) -> Vec<Spanned<Property>> {
    let mut properties = Vec::with_capacity(raw.len());
    for (index, property) in raw.iter().enumerate() {
        let kind = bundle_property_kind(property);
        if kind == OBJECT {
            continue;
        }
        diagnostics.extend(misfit(property, index, kind, name, text));
        match &property.value {
            None => diagnostics.push(invalid_property::no_value(property.span, index, kind, name)),
            Some(_) if kind == METADATA => {}
            Some(node) => match parsed(kind, node, text) {
                Ok(Ok(parsed)) => properties.push(Spanned::new(parsed, property.span)),
                Ok(Err(error)) => {
                    diagnostics.push(invalid_property::invalid_value(node.span, index, kind, name, &error));
                }
                Err(error) => diagnostics.push(invalid_property::unopened(kind, &error)),
            },
        }
    }
    properties
}

/// The property with this value, or why there is none.
fn parsed(kind: &str, value: &Node, text: &str) -> Result<Result<Property, PropertyError>, OpenError> {
    if let Value::Mapping(fields) = &value.value
        && let Some(property) = Property::of_texts(kind, fields.len(), |name| value.get(name)?.as_str())
    {
        return Ok(Ok(property));
    }
    value.to_json(text).map(|json| Property::parse(kind, &json))
}

/// Reports manifests that cannot be read. `opm` reads them while it loads the catalog, before it checks the package.
fn object_faults(raw: &RawBundle, text: &str) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    for (index, property) in
        raw.properties.iter().enumerate().filter(|(_, property)| bundle_property_kind(property) == OBJECT)
    {
        let object = invalid_property::BundleObject { bundle: raw, property, index };
        findings.extend(match &property.value {
            None => Some(object.no_value()),
            Some(value) => match bundle_object_fault(value, text) {
                Ok(fault) => fault.map(|fault| object.unreadable_manifest(fault)),
                Err(error) => Some(object.unopened(&error)),
            },
        });
    }
    findings
}

/// Reports a value that does not have the form of its type. Parsing has already marked most values as fitting.
fn misfit(property: &RawProperty, index: usize, kind: &str, name: &BundleName, text: &str) -> Option<Diagnostic> {
    let value = property.value.as_ref().filter(|_| !property.fits)?;
    match property_misfit(kind, value, text) {
        Ok(misfit) => {
            misfit.map(|misfit| invalid_property::invalid_value(misfit.span, index, kind, name, &misfit.message))
        }
        Err(error) => Some(invalid_property::unopened(kind, &error)),
    }
}

/// The version in the only `olm.package` property, with the place of its `version` scalar.
fn version(raw: &RawBundle, properties: &[Spanned<Property>]) -> Option<Spanned<BundleVersion>> {
    let mut packages = properties.iter().filter_map(|property| match &property.value {
        Property::Package { version, .. } => Some((version, property.span)),
        _ => None,
    });
    let (Some((text, span)), None) = (packages.next(), packages.next()) else { return None };
    let node = raw.properties.iter().find(|property| property.span == span)?.value.as_ref()?;
    let place = node.field("version").map_or(span, |node| node.span);
    Some(Spanned::new(BundleVersion { version: Version::parse(text), text: text.clone() }, place))
}

// Documents with lifecycle data.

/// What can be read of a document; what does not fit its schema is reported.
fn read_lifecycle(span: Span, raw: &RawOther, text: &str, findings: &mut Findings) -> Lifecycle {
    let known = &["schema", "package", "versions"];
    let place = raw.schema.span;
    let mut document = Fields { title: "the lifecycle data", place, entries: &raw.lifecycle, text, findings };
    document.check_names(known);
    let package = document.text("package");
    let versions = document.objects("versions", true, "a version", |of| {
        of.check_names(&["name", "phases", "platformCompatibility"]);
        let name = of.text("name");
        name.iter().for_each(|name| of.findings.extend(invalid_lifecycle::not_a_minor(&name.value, name.span)));
        let phases = of.objects("phases", true, "a phase", phase);
        LifecycleVersion { name, phases, platforms: of.objects("platformCompatibility", false, "a platform", platform) }
    });
    Lifecycle { span, package, versions }
}

fn phase(of: &mut Fields<'_>) -> LifecyclePhase {
    of.check_names(&["name", "startDate", "endDate"]);
    let name = of.text("name").map_or_else(Box::default, |name| name.value);
    LifecyclePhase { name, start: date(of, "startDate"), end: date(of, "endDate") }
}

fn date(of: &mut Fields<'_>, name: &'static str) -> Option<Spanned<Date>> {
    let text = of.text(name)?;
    let date = parse_day(&text.value);
    if date.is_none() {
        of.findings.push(invalid_lifecycle::not_a_date(&text.value, text.span));
    }
    Some(Spanned::new(date?, text.span))
}

fn platform(of: &mut Fields<'_>) -> Platform {
    of.check_names(&["name", "versions"]);
    let name = of.text("name").map_or_else(Box::default, |name| name.value);
    let items = of.list("versions", true);
    let mut versions = Vec::with_capacity(items.len());
    for item in items {
        match &item.value {
            Value::String(version) => {
                of.findings.extend(invalid_lifecycle::not_a_minor(version, item.span));
                versions.push(version.clone());
            }
            _ => of.findings.push(invalid_lifecycle::wrong_type("every item of `versions`", "a text", item, of.text)),
        }
    }
    Platform { name, versions }
}

// Adds properties from files next to a catalog to its bundles.

/// The catalog has no bundle with this name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoSuchBundle(
    /// The name.
    pub BundleName,
);

impl fmt::Display for NoSuchBundle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the catalog has no bundle `{}`", self.0)
    }
}

impl std::error::Error for NoSuchBundle {}

/// Adds the properties of a `dependencies.yaml` or `properties.yaml` to the bundle `name`, after its own, in every package
/// that has a bundle with this name. `text` is the text of the file.
///
/// Returns findings about the values. None of them stands for an error of `opm`, which reads such files only when it
/// renders a bundle image.
///
/// # Errors
/// If the catalog has no such bundle.
pub fn attach(
    catalog: &mut Catalog,
    name: &BundleName,
    legacy: &Legacy,
    text: &str,
) -> Result<Vec<Diagnostic>, NoSuchBundle> {
    let mut findings = Findings::default();
    let properties = properties(&legacy.properties, name, text, &mut findings);
    let mut diagnostics = findings.into_diagnostics();
    for finding in &mut diagnostics {
        finding.opm = None;
    }
    let mut is_found = false;
    for package in &mut catalog.packages {
        if let Ok(at) = package.bundles.binary_search_by(|bundle| bundle.name.value.cmp(name)) {
            Arc::make_mut(package).bundles[at].properties.extend(properties.iter().cloned());
            is_found = true;
        }
    }
    if is_found { Ok(diagnostics) } else { Err(NoSuchBundle(name.clone())) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use source::FileId;

    fn catalog() -> Catalog {
        let text = "schema: olm.bundle\npackage: a\nname: a.v1\nproperties: [{type: olm.package, value: {packageName: a, version: 1.0.0}}]\n";
        let parse = fbc::parse(FileId(0), text);
        lower(&[ParsedFile { text, parse: &parse }]).0
    }

    fn attached(name: &str, text: &str) -> Result<(Vec<String>, Vec<String>), NoSuchBundle> {
        let mut catalog = catalog();
        let legacy = fbc::legacy(FileId(1), text).expect("a file of properties");
        let findings = attach(&mut catalog, &name.into(), &legacy, text)?;
        let kinds = catalog.packages[0].bundles[0].properties.iter().map(|property| property.value.kind().to_owned());
        Ok((kinds.collect(), findings.into_iter().map(|finding| finding.message).collect()))
    }

    #[test]
    fn properties_are_added_after_those_of_the_bundle() {
        let (kinds, findings) = attached("a.v1", "properties: [{type: sushi, value: salmon}]").unwrap();
        assert_eq!((kinds, findings), (vec!["olm.package".to_owned(), "sushi".to_owned()], Vec::new()));
    }

    #[test]
    fn an_invalid_value_is_reported() {
        let (kinds, findings) = attached("a.v1", "dependencies: [{type: olm.gvk, value: 1}]").unwrap();
        assert_eq!((kinds.len(), findings.len()), (1, 1));
    }

    #[test]
    fn an_unknown_bundle_is_an_error() {
        assert_eq!(attached("b.v1", "properties: []"), Err(NoSuchBundle("b.v1".into())));
    }
}
