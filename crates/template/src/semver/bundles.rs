//! The bundles of each archetype with their versions (`getVersionsFromStandardChannels`).

use super::conflicts;
use super::read::Template;
use crate::expansion::Report;
use crate::images::{CatalogBundle, text_of};
use catalog::predicate::Property;
use fbc::raw::RawProperty;
use go_semver::blang::{Quoted, Version};
use source::{Diagnostic, Rule, Spanned};
use std::collections::BTreeMap;

const UNPROCESSED: &str = "render: unable to post-process bundle info: ";

/// A bundle in the list of an archetype.
#[derive(Clone, Debug)]
pub(super) struct Member<'a> {
    pub(super) name: &'a str,
    /// The version of its `olm.package` property.
    pub(super) version: Version,
    pub(super) bundle: CatalogBundle<'a>,
}

/// The package, and for each archetype its bundles in ascending order of version, without the invalid ones.
pub(super) fn members<'a>(
    template: &Template,
    rendered: &BTreeMap<Box<str>, CatalogBundle<'a>>,
    report: &mut Report,
) -> (Box<str>, [Vec<Member<'a>>; 3]) {
    let mut reader = MemberReader { package: Box::default(), report };
    let members = template.lists.each_ref().map(|list| reader.archetype(list, rendered));
    (reader.package, members)
}

type Image = Spanned<Box<str>>;

struct MemberReader<'t> {
    /// The package of the first bundle.
    package: Box<str>,
    report: &'t mut Report,
}

impl MemberReader<'_> {
    fn archetype<'a>(&mut self, list: &[Image], rendered: &BTreeMap<Box<str>, CatalogBundle<'a>>) -> Vec<Member<'a>> {
        let mut named: BTreeMap<&str, &Image> = BTreeMap::new();
        let mut members: Vec<(Member<'a>, &Image)> = Vec::new();
        for image in list {
            let Some(&bundle) = rendered.get(&image.value) else { continue };
            let Some(version) = self.version(image, bundle) else { continue };
            let name = bundle.name();
            if let Some(first) = named.get(name) {
                let message = format!("bundle `{name}` is listed twice");
                let finding = Diagnostic::new(Rule::DuplicateName, image.span, message)
                    .with_label(first.span, "the first one")
                    .with_help("remove one of them");
                self.reject(finding, format!("duplicate bundle name {}", Quoted(name)));
                continue;
            }
            named.insert(name, image);
            members.push((Member { name, version, bundle }, image));
        }
        members.sort_by(|(one, _), (other, _)| one.version.cmp(&other.version));
        self.conflicts(&members);
        members.dedup_by(|(later, _), (first, _)| later.version == first.version);
        members.into_iter().map(|(member, _)| member).collect()
    }

    /// The version of a bundle of the template's package.
    fn version(&mut self, image: &Image, bundle: CatalogBundle<'_>) -> Option<Version> {
        let name = bundle.name();
        let (package, text) = self.package_property(image, bundle)?;
        let version = match Version::parse(&text) {
            Ok(version) => version,
            Err(error) => {
                let message = format!("bundle `{name}` has an invalid version: `{text}`");
                let finding = Diagnostic::new(Rule::InvalidVersion, image.span, message);
                let finding = finding.with_label(bundle.span, "the bundle").with_help("write a version like 1.2.3");
                let opm = format!("bundle {} has invalid version {}: {error}", Quoted(name), Quoted(&text));
                self.reject(finding, opm);
                return None;
            }
        };
        if self.package.is_empty() {
            self.package = package;
        } else if self.package != package {
            let message =
                format!("bundle `{name}` is of package `{package}`, and those before it of `{}`", self.package);
            let finding = Diagnostic::new(Rule::InvalidTemplate, image.span, message)
                .with_label(bundle.span, "the bundle")
                .with_help("write a template for each package");
            let opm = format!("bundle {} does not belong to this package: {}", Quoted(&package), Quoted(&self.package));
            self.reject(finding, opm);
            return None;
        }
        Some(version)
    }

    /// The name and version in the only `olm.package` property. All properties must have the shape of their type, except
    /// those that only describe the bundle: `opm` does not parse them.
    fn package_property(&mut self, image: &Image, bundle: CatalogBundle<'_>) -> Option<(Box<str>, Box<str>)> {
        let name = Quoted(bundle.name());
        let mut packages = Vec::new();
        for (index, property) in bundle.properties().iter().enumerate() {
            match read(property, bundle.text) {
                Ok(Some(Property::Package { name, version, .. })) => packages.push((name.as_str().into(), version)),
                Ok(_) => {}
                Err(error) => {
                    let kind = Quoted(text_of(property.kind.as_ref()));
                    let message = format!("a property of bundle `{}` cannot be read: {error}", bundle.name());
                    let finding = Diagnostic::new(Rule::InvalidProperty, image.span, message);
                    let opm =
                        format!("parse properties for bundle {name}: parse property[{index}] of type {kind}: {error}");
                    self.reject(finding.with_label(property.span, "the property"), opm);
                    return None;
                }
            }
        }
        if packages.len() == 1 {
            return packages.pop();
        }
        let count = packages.len();
        let message = format!("bundle `{}` must have one `olm.package` property, not {count}", bundle.name());
        let finding = Diagnostic::new(Rule::InvalidProperty, image.span, message);
        let opm = format!("bundle {name} has multiple \"olm.package\" properties, expected exactly 1");
        self.reject(finding.with_label(bundle.span, "the bundle"), opm);
        None
    }

    /// Reports versions of equal precedence in a list that is sorted by version.
    fn conflicts(&mut self, members: &[(Member<'_>, &Image)]) {
        let equal = members.chunk_by(|(one, _), (other, _)| one.version == other.version);
        let equal: Vec<_> = equal.filter(|group| group.len() > 1).collect();
        if equal.is_empty() {
            return;
        }
        let lines = |groups: &[Vec<&Version>]| -> Vec<String> {
            conflicts::texts(groups).into_iter().map(|text| format!("{UNPROCESSED}{text}")).collect()
        };
        let mut findings = Vec::new();
        for group in &equal {
            let (first, first_image) = &group[0];
            findings.extend(group[1..].iter().map(|(member, image)| {
                let message = format!(
                    "versions {} and {} differ only by build metadata, which does not count in their order",
                    first.version, member.version
                );
                let mut finding = Diagnostic::new(Rule::DuplicateVersion, image.span, message)
                    .with_label(first_image.span, "the other one")
                    .with_help("list one of them, or give one a prerelease or a higher version");
                finding.opm = lines(&[vec![&first.version, &member.version]]).into_iter().next();
                finding
            }));
        }
        let versions = equal.iter().map(|group| group.iter().map(|(member, _)| &member.version).collect());
        self.report.reject_with_any(findings, lines(&versions.collect::<Vec<_>>()));
    }

    fn reject(&mut self, finding: Diagnostic, opm: String) {
        self.report.reject(finding.with_opm(format!("{UNPROCESSED}{opm}")));
    }
}

/// The parsed property, `None` if it only describes the bundle; else Go's error about its value.
fn read(property: &RawProperty, text: &str) -> Result<Option<Property>, String> {
    let kind = text_of(property.kind.as_ref());
    match &property.value {
        None => Err("unexpected end of JSON input".to_owned()),
        Some(_) if matches!(kind, "olm.bundle.object" | "olm.csv.metadata") => Ok(None),
        Some(value) => {
            let json = value.to_json(text).map_err(|error| error.to_string())?;
            Property::parse(kind, &json).map(Some).map_err(|error| error.to_string())
        }
    }
}
