//! Builds bundles from `olm.bundle` documents.

use super::parts::named;
use crate::predicate::{Property, PropertyError};
use crate::rules::{invalid_image, invalid_property, missing_field};
use crate::{Bundle, BundleName, BundleVersion};
use fbc::raw::{RawBundle, RawProperty};
use fbc::{Node, OpenError, Value, bundle_object_fault, property_misfit};
use go_semver::blang::Version;
use source::{Diagnostic, Findings, Span, Spanned};

// Properties that only describe the bundle. They are most of a catalog's bytes, and neither a rule nor the resolver
// reads them, so they stay out of the model. `crate::details` reads what else is needed of them.
pub(crate) const OBJECT: &str = "olm.bundle.object";
pub(crate) const METADATA: &str = "olm.csv.metadata";

/// The bundle of a document, unless it names no package.
pub(super) fn read(span: Span, raw: &RawBundle, text: &str, findings: &mut Findings) -> Option<Bundle> {
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
        has_objects: raw.properties.iter().any(|property| kind(property) == OBJECT),
        image: named(raw.image.as_ref()).cloned(),
        name,
        span,
        properties,
    };
    findings.extend(invalid_property::package_property(&bundle, &package.value));
    findings.extend(invalid_image::check(raw, bundle.name.value.as_str(), &package.value));
    Some(bundle)
}

/// The type of a property; empty if it has none.
pub(crate) fn kind(property: &RawProperty) -> &str {
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
        let kind = kind(property);
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
    for (index, property) in raw.properties.iter().enumerate().filter(|(_, property)| kind(property) == OBJECT) {
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
