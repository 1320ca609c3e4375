//! `set-image-differs`, `set-version-differs`, `set-name-differs` and `set-max-differs`: what members say of the same
//! bundle.

use crate::sets::finding::Finding;
use crate::sets::set::CatalogSet;
use catalog::predicate::Property;
use catalog::{Bundle, Package, image_identity};
use source::{OpenShift, Rule, Span, name_list};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The answers to one question about a bundle or version: each with its first text, and the members that give it with a place.
type Answers<'s> = BTreeMap<&'s str, BTreeMap<String, (String, Vec<(OpenShift, Span)>)>>;

/// The answers about one of them.
type Said = Vec<(String, Vec<(OpenShift, Span)>)>;

/// A bundle or version, and the answers about it.
type Subject<'s> = (&'s str, Said);

/// The members that give each of the answers.
type Members = Vec<Vec<OpenShift>>;

/// What a bundle says: the name or version that it is about, and the answer.
type Answer = fn(&Bundle) -> Option<(&str, String)>;

pub(super) fn check(set: &CatalogSet) -> Vec<Finding> {
    let mut found = Vec::new();
    for name in set.packages() {
        let packages: Vec<(OpenShift, &Arc<Package>)> =
            set.of_package(name.as_str()).map(|(member, package)| (member.version, package)).collect();
        if packages.windows(2).all(|pair| Arc::ptr_eq(pair[0].1, pair[1].1)) {
            continue;
        }
        let asked: [(Rule, &str, Answer); 4] = [
            (Rule::SetImageDiffers, "image", |bundle| {
                Some((bundle.name.value.as_str(), bundle.image.as_ref()?.value.to_string()))
            }),
            (Rule::SetVersionDiffers, "version", |bundle| {
                Some((bundle.name.value.as_str(), bundle.version.as_ref()?.value.text.to_string()))
            }),
            (Rule::SetNameDiffers, "name", |bundle| {
                Some((&bundle.version.as_ref()?.value.text, bundle.name.value.to_string()))
            }),
            (Rule::SetMaxDiffers, "`olm.maxOpenShiftVersion`", |bundle| {
                Some((bundle.name.value.as_str(), max(bundle)))
            }),
        ];
        for (rule, what, answer) in asked {
            let mut answers: Answers<'_> = BTreeMap::new();
            for (version, package) in &packages {
                for bundle in &package.bundles {
                    let Some((subject, said)) = answer(bundle) else { continue };
                    let (mut span, mut key) = (bundle.name.span, said.clone());
                    if let Some(image) = bundle.image.as_ref().filter(|_| rule == Rule::SetImageDiffers) {
                        (span, key) = (image.span, image_identity(&said).to_owned());
                    }
                    let answer = answers.entry(subject).or_default().entry(key);
                    answer.or_insert_with(|| (said, Vec::new())).1.push((*version, span));
                }
            }
            // What differs between the same members is one thing.
            let mut alike: BTreeMap<(Members, Option<&str>), Vec<Subject<'_>>> = BTreeMap::new();
            for (subject, said) in answers.into_iter().filter(|(_, said)| said.len() > 1) {
                let said: Said = said.into_values().collect();
                let versions = |places: &[(OpenShift, Span)]| places.iter().map(|place| place.0).collect();
                let mut members: Members = said.iter().map(|(_, places)| versions(places)).collect();
                members.sort();
                let own = Some(subject).filter(|_| rule != Rule::SetImageDiffers);
                alike.entry((members, own)).or_default().push((subject, said));
            }
            for subjects in alike.into_values() {
                found.push(finding(rule, name, what, subjects));
            }
        }
    }
    found
}

fn finding(rule: Rule, package: &catalog::predicate::PackageName, what: &str, subjects: Vec<Subject<'_>>) -> Finding {
    let names: Vec<&str> = subjects.iter().map(|(subject, _)| *subject).collect();
    let mut subjects = subjects.into_iter();
    let (subject, mut said) = subjects.next().unwrap_or_default();
    said.sort_by_key(|(_, places)| places.first().map(|place| place.0));
    let texts = said.iter().map(|(text, places)| {
        let versions: Vec<OpenShift> = places.iter().map(|place| place.0).collect();
        format!("`{text}` in {}", ranges(&versions))
    });
    let texts = texts.collect::<Vec<_>>().join(", ");
    let message = match rule {
        _ if names.len() > 1 => {
            let (bundles, members) =
                (name_list(names), said.iter().map(|(_, places)| places.iter().map(|place| place.0)));
            let members: Vec<String> = members.map(|versions| ranges(&versions.collect::<Vec<_>>())).collect();
            format!("{bundles} do not have the same {what} in {} as in {}", members[0], members[1..].join(" and in "))
        }
        Rule::SetNameDiffers => format!("version {subject} has several names: {texts}"),
        _ => format!("`{subject}` does not have the same {what} everywhere: {texts}"),
    };
    let mut places: Vec<(OpenShift, Span)> = said.iter().filter_map(|(_, places)| places.first().copied()).collect();
    places.sort_unstable();
    let versions = || said.iter().flat_map(|(_, places)| places).map(|place| place.0);
    let (from, to) = (versions().min(), versions().max());
    let first = places.first().map_or(OpenShift { major: 4, minor: 0 }, |place| place.0);
    let found = Finding::of_member(rule, first, package, None, message);
    Finding { spans: places, ..found.between(from.unwrap_or(first), to.unwrap_or(first)) }
}

/// `olm.maxOpenShiftVersion` as written; `none` without it.
fn max(bundle: &Bundle) -> String {
    let value = bundle.properties.iter().find_map(|property| match &property.value {
        Property::Other { kind, value } if &**kind == "olm.maxOpenShiftVersion" => Some(value),
        _ => None,
    });
    value.map_or_else(|| "none".to_owned(), |value| value.to_string().trim_matches('"').to_owned())
}

/// Versions in order, with neighbours as a range: `4.12 to 4.16, 4.18`.
fn ranges(versions: &[OpenShift]) -> String {
    let mut ranges: Vec<(OpenShift, OpenShift)> = Vec::new();
    for version in versions {
        match ranges.last_mut() {
            Some((_, last)) if *last == *version || last.next().any(|next| next == *version) => *last = *version,
            _ => ranges.push((*version, *version)),
        }
    }
    let shown =
        ranges.iter().map(|(first, last)| if first == last { first.to_string() } else { format!("{first} to {last}") });
    shown.collect::<Vec<_>>().join(", ")
}
