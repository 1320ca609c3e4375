//! The bundles of each archetype with their versions (`getVersionsFromStandardChannels`).

use super::read::Template;
use crate::expand::Report;
use crate::images::{CatalogBundle, text_of};
use catalog::predicate::Property;
use fbc::raw::RawProperty;
use go_semver::blang::{Quoted, Version};
use source::{Diagnostic, Rule, Spanned};
use std::collections::{BTreeMap, BTreeSet};

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
            texts(groups).into_iter().map(|text| format!("{UNPROCESSED}{text}")).collect()
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

// `opm`'s errors for versions that differ only by build metadata.
//
// It iterates over a Go map, so that chance decides which version it meets first and in which order it names the
// others.

/// The most versions of which every order is listed; of more versions there is one order only.
const MAX_ORDERED: usize = 5;

/// The most orders that are tried.
const MAX_ORDERS: usize = 256;

/// The texts for groups of versions of equal precedence, each of at least two. The first is that of a map in the order
/// of the groups; some are left out when there are very many.
fn texts(groups: &[Vec<&Version>]) -> Vec<String> {
    let others = groups.iter().flat_map(|group| group.iter().skip(1));
    let mut search =
        Search { groups, reported: others.map(|version| error(version)).collect(), orders: 0, texts: Vec::new() };
    if search.reported.len() > MAX_ORDERED {
        return vec![aggregate(&search.distinct())];
    }
    search.reported.clear();
    search.choose(0);
    search.texts
}

struct Search<'a> {
    groups: &'a [Vec<&'a Version>],
    /// The errors for the groups so far.
    reported: Vec<String>,
    orders: usize,
    texts: Vec<String>,
}

impl Search<'_> {
    /// The errors, each text once.
    fn distinct(&self) -> Vec<String> {
        let mut seen = BTreeSet::new();
        self.reported.iter().filter(|report| seen.insert(*report)).cloned().collect()
    }

    /// Chooses which version of each group `opm` meets first, and so does not report.
    fn choose(&mut self, at: usize) {
        let Some(group) = self.groups.get(at) else {
            self.order(self.distinct(), &mut Vec::new());
            return;
        };
        let mut tried = BTreeSet::new();
        for (first, version) in group.iter().enumerate() {
            if self.orders >= MAX_ORDERS || !tried.insert(version.to_string()) {
                continue;
            }
            let before = self.reported.len();
            let others = group.iter().enumerate().filter(|(index, _)| *index != first);
            self.reported.extend(others.map(|(_, version)| error(version)));
            self.choose(at + 1);
            self.reported.truncate(before);
        }
    }

    /// Tries every order of the errors that are left.
    fn order(&mut self, left: Vec<String>, chosen: &mut Vec<String>) {
        if self.orders >= MAX_ORDERS {
            return;
        }
        if left.is_empty() {
            self.orders += 1;
            let text = aggregate(chosen);
            if !self.texts.contains(&text) {
                self.texts.push(text);
            }
            return;
        }
        for index in 0..left.len() {
            let mut rest = left.clone();
            chosen.push(rest.remove(index));
            self.order(rest, chosen);
            chosen.pop();
        }
    }
}

fn error(version: &Version) -> String {
    let text = version.to_string();
    let stripped = text.split('+').next().unwrap_or_default();
    format!("bundle version {} cannot be compared to {}", Quoted(&text), Quoted(stripped))
}

/// `utilerrors.Aggregate.Error`.
fn aggregate(errors: &[String]) -> String {
    let list = match errors {
        [only] => only.clone(),
        _ => format!("[{}]", errors.join(", ")),
    };
    format!("encountered bundle versions which differ only by build metadata, which cannot be ordered: {list}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(groups: &[&[&str]], expected: &[&str]) {
        let versions: Vec<Vec<Version>> =
            groups.iter().map(|group| group.iter().map(|text| Version::parse(text).unwrap()).collect()).collect();
        let groups: Vec<Vec<&Version>> = versions.iter().map(|group| group.iter().collect()).collect();
        let prefix = "encountered bundle versions which differ only by build metadata, which cannot be ordered: ";
        let short = |text: &String| {
            let list = text.strip_prefix(prefix).unwrap();
            list.replace("bundle version ", "").replace(" cannot be compared to ", "~").replace('"', "")
        };
        assert_eq!(texts(&groups).iter().map(short).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn either_of_two_may_come_first() {
        check(&[&["1.0.0", "1.0.0+a"]], &["1.0.0+a~1.0.0", "1.0.0~1.0.0"]);
    }

    #[test]
    fn several_errors_come_in_any_order() {
        check(
            &[&["1.0.0+a", "1.0.0+b"], &["2.0.0+c", "2.0.0+c"]],
            &[
                "[1.0.0+b~1.0.0, 2.0.0+c~2.0.0]",
                "[2.0.0+c~2.0.0, 1.0.0+b~1.0.0]",
                "[1.0.0+a~1.0.0, 2.0.0+c~2.0.0]",
                "[2.0.0+c~2.0.0, 1.0.0+a~1.0.0]",
            ],
        );
    }

    #[test]
    fn equal_errors_come_once() {
        check(&[&["1.0.0", "1.0.0", "1.0.0"]], &["1.0.0~1.0.0"]);
    }

    #[test]
    fn the_number_of_orders_is_limited() {
        let version = |build: u32| Version::parse(&format!("1.0.0+{build}")).unwrap();
        let versions: Vec<Version> = (0..40).map(version).collect();
        assert_eq!(texts(&[versions.iter().collect()]).len(), 1);
        assert_eq!(texts(&[versions.iter().take(6).collect()]).len(), MAX_ORDERS);
    }
}
