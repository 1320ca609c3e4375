//! The requirements of a bundle and the bundles that satisfy them; and the bundles that require the bundle.

use crate::listing_channel;
use crate::simulation::requirement as worded;
use catalog::predicate::{Property, Requirement};
use catalog::{Bundle, Package};
use go_semver::blang::Range;
use session::{CatalogInput, Workbench};
use source::Spanned;
use std::collections::BTreeMap;
use views::{CsvRef, FactLine, RequirementView};

/// Maximum number of bundles that are named for a requirement, and of requirements that a bundle is named for.
const NAMED: usize = 24;
/// Maximum number of parts of a constraint that are described.
const PARTS: usize = 60;

type Loaded<'w> = (&'w CatalogInput, &'w Package, &'w Bundle);

fn bundles(workbench: &Workbench) -> impl Iterator<Item = Loaded<'_>> {
    workbench.catalogs().iter().flat_map(|catalog| {
        let packages = catalog.analysis.catalog.packages.iter();
        packages.flat_map(move |package| package.bundles.iter().map(move |bundle| (catalog, &**package, bundle)))
    })
}

pub(super) fn requires(workbench: &Workbench, catalog: &CatalogInput, bundle: &Bundle) -> Vec<RequirementView> {
    let read = bundle.properties.iter().filter_map(|property| {
        let place = Some(catalog.place(property.span));
        Some(match Requirement::of(&property.value)? {
            Ok(requirement) => {
                let (met_by, more) = met_by(workbench, &requirement);
                let mut parts = Vec::new();
                add_parts(workbench, &requirement, 0, &mut parts);
                RequirementView { text: worded(&requirement), met_by, more, parts, place }
            }
            Err(error) => RequirementView {
                text: format!("something that OLM cannot read: {error}"),
                met_by: Vec::new(),
                more: 0,
                parts: Vec::new(),
                place,
            },
        })
    });
    read.collect()
}

/// The newest bundles of all catalogs that satisfy a requirement, and the number of further ones.
fn met_by(workbench: &Workbench, requirement: &Requirement) -> (Vec<FactLine>, u32) {
    let mut met: Vec<Loaded<'_>> =
        bundles(workbench).filter(|(_, package, bundle)| holds(requirement, package, bundle)).collect();
    met.sort_by(|(_, _, a), (_, _, b)| b.version().cmp(&a.version()).then_with(|| a.name.value.cmp(&b.name.value)));
    let more = met.len().saturating_sub(NAMED);
    let lines = met.into_iter().take(NAMED).map(|(catalog, package, bundle)| FactLine {
        csv: Some(reference(catalog, package, bundle)),
        ..FactLine::default()
    });
    (lines.collect(), more as u32)
}

/// Describes the parts of a requirement, each with the number of bundles that satisfy it.
fn add_parts(workbench: &Workbench, requirement: &Requirement, depth: usize, into: &mut Vec<FactLine>) {
    if into.len() >= PARTS {
        return;
    }
    let (text, inner): (String, &[Requirement]) = match requirement {
        Requirement::Gvk(gvk) if depth > 0 => (format!("provides `{gvk}`"), &[]),
        Requirement::Label(label) if depth > 0 => (format!("has the label `{label}`"), &[]),
        Requirement::Gvk(_) | Requirement::Label(_) => return,
        Requirement::Package { name, range, text } => {
            let parsed = Some(range.normalised()).filter(|normalised| **normalised != **text);
            let parsed = parsed.map(|normalised| format!(", parsed as `{normalised}`")).unwrap_or_default();
            let versions = matching(workbench, name.as_str(), range);
            (format!("is package `{name}` in range `{text}`{parsed}: {versions}"), &[])
        }
        Requirement::All(inner) => ("meets all of".to_owned(), inner),
        Requirement::Any(inner) => ("meets any of".to_owned(), inner),
        Requirement::Not(inner) => ("meets none of".to_owned(), inner),
        Requirement::Cel { rule, message, .. } => {
            let message = Some(message).filter(|text| !text.is_empty());
            let message = message.map(|text| format!(" (otherwise OLM says: {text})")).unwrap_or_default();
            (format!("the CEL rule `{rule}` is true for its properties{message}"), &[])
        }
    };
    let met = bundles(workbench).filter(|(_, package, bundle)| holds(requirement, package, bundle)).count();
    let indent = "\u{2003}".repeat(depth);
    let count = if met == 1 { "1 bundle".to_owned() } else { format!("{met} bundles") };
    into.push(FactLine { text: format!("{indent}{text} ({count})"), ..FactLine::default() });
    for part in inner {
        add_parts(workbench, part, depth + 1, into);
    }
}

/// The versions of a package in a range, from all catalogs.
fn matching(workbench: &Workbench, name: &str, range: &Range) -> String {
    let bundles = bundles(workbench).filter(|(_, package, _)| package.name.as_str() == name);
    let mut versions: Vec<_> = bundles.filter_map(|(_, _, bundle)| bundle.version()).collect();
    versions.sort();
    versions.dedup();
    let matched: Vec<_> = versions.iter().filter(|version| range.matches(version).unwrap_or(false)).collect();
    match matched.as_slice() {
        [] if versions.is_empty() => "the package is not loaded".to_owned(),
        [] => format!("none of {} loaded versions", versions.len()),
        [one] => format!("{one} of {} loaded versions", versions.len()),
        [first, .., last] => {
            format!("{first} to {last}, {} of {} loaded versions", matched.len(), versions.len())
        }
    }
}

/// The bundles that require a bundle: for each package and satisfied requirement the newest bundle that has it.
pub(super) fn required_by(workbench: &Workbench, package: &Package, bundle: &Bundle) -> Vec<FactLine> {
    let mut found: BTreeMap<(&str, u32, String), (Loaded<'_>, usize)> = BTreeMap::new();
    for (catalog, of, other) in bundles(workbench).filter(|(_, _, other)| !std::ptr::eq(*other, bundle)) {
        for property in &other.properties {
            let Some(Ok(requirement)) = Requirement::of(&property.value) else { continue };
            if holds(&requirement, package, bundle) {
                let key = (of.name.as_str(), catalog.id.0, worded(&requirement));
                let (newest, count) = found.entry(key).or_insert(((catalog, of, other), 0));
                *count += 1;
                if other.version() > newest.2.version() {
                    *newest = (catalog, of, other);
                }
            }
        }
    }
    let line = |((_, _, requirement), ((catalog, of, other), count)): (_, (Loaded<'_>, usize))| FactLine {
        text: match count {
            1 => requirement,
            many => format!("and {} older: {requirement}", many - 1),
        },
        csv: Some(reference(catalog, of, other)),
        ..FactLine::default()
    };
    found.into_iter().take(NAMED).map(line).collect()
}

pub(crate) fn holds(requirement: &Requirement, package: &Package, bundle: &Bundle) -> bool {
    let properties = bundle.properties.iter().map(|property: &Spanned<Property>| &property.value);
    requirement.holds(&package.name, bundle.version(), properties).unwrap_or(false)
}

/// A bundle with a channel that lists it.
fn reference(catalog: &CatalogInput, package: &Package, bundle: &Bundle) -> CsvRef {
    let channel = listing_channel(package, bundle.name.value.as_str());
    CsvRef {
        name: bundle.name.to_string(),
        package: package.name.to_string(),
        channel: channel.map(|channel| channel.name.to_string()).unwrap_or_default(),
        catalog: catalog.name.clone(),
        catalog_namespace: catalog.namespace.clone(),
    }
}
