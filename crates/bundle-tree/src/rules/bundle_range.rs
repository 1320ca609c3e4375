//! `bundle-range-invalid`, `bundle-range-replaces`, `bundle-range-max`, `bundle-range-min-kube` and `bundle-range-ends`: into
//! the catalogs of which versions of OpenShift the index build puts a bundle, by its annotation
//! `com.redhat.openshift.versions`.
//!
//! The pipelines check `bundle-range-replaces` and `bundle-range-min-kube`, only of a bundle that is added (operator-pipelines
//! `operatorcert/static_tests/community/bundle.py`).

use crate::package::{Rendered, ascending};
use bundle::{Bundle, OpenShiftRange};
use catalog::predicate::{MAX_OPENSHIFT_PROPERTY, MaxOpenShift, Property};
use go_semver::blang::Version;
use source::{Diagnostic, OpenShift, Rule, parse_min_kube};
use std::collections::BTreeMap;

/// The versions of OpenShift that have catalogs, by the minor number of 4: older catalogs are no longer built, and later
/// ones do not have most packages yet (community-operators-prod and certified-operators in August 2026).
const MINORS: std::ops::RangeInclusive<u32> = 12..=22;

pub(crate) fn check(bundles: &[&Rendered<'_>], findings: &mut Vec<Diagnostic>) {
    let by_name: BTreeMap<&str, &Bundle> =
        bundles.iter().map(|rendered| (&*rendered.bundle.name, &rendered.bundle)).collect();
    // Without the annotation in any bundle, they may be for other clusters than those of OpenShift.
    let is_for_openshift = bundles.iter().any(|rendered| rendered.bundle.openshift_versions.is_some());
    for rendered in bundles {
        let Rendered { bundle, place, .. } = rendered;
        let place = bundle.openshift_versions.as_ref().map_or(*place, |versions| versions.span);
        let Some(range) = bundle.openshift_range() else {
            let message =
                format!("the catalogs of `{}` are not known: this is no range of OpenShift versions", bundle.name);
            let help =
                "write `v4.12` for this version and all later ones, `v4.12-v4.15`, or `=v4.12`; a number needs quotes";
            findings.push(Diagnostic::new(Rule::BundleRangeInvalid, place, message).with_help(help));
            continue;
        };
        let mut report = |rule, versions: &[OpenShift], what: String, help: String| {
            let message = format!("{} `{}`, {what}", catalogs(versions), bundle.name);
            findings.push(Diagnostic::new(rule, place, message).with_help(help));
        };
        if let Some(replaced) = by_name.get(&*bundle.updates.replaces)
            && let Some(other) = replaced.openshift_range()
        {
            let missing = versions(range, |version| !other.contains(version));
            let what = format!("but not `{}`, which it replaces", replaced.name);
            let help = "give both the same `com.redhat.openshift.versions`, or replace another bundle".to_owned();
            if !missing.is_empty() {
                report(Rule::BundleRangeReplaces, &missing, what, help);
            }
        }
        if let Some(max) = max_openshift(bundle) {
            let above = versions(range, |version| max < version);
            let what = format!("which supports OpenShift up to {max}: OLM installs it there nevertheless");
            let help = format!("end the range with v{max}, or raise `{MAX_OPENSHIFT_PROPERTY}`");
            if !above.is_empty() {
                report(Rule::BundleRangeMax, &above, what, help);
            }
        }
        let least = &*bundle.min_kube_version;
        let below = versions(range, |version| version.is_older_than(least));
        if is_for_openshift && !below.is_empty() {
            let never = if parse_min_kube(least).is_none() { ", which OLM cannot parse" } else { "" };
            let what = format!(
                "which needs Kubernetes {least}{never}: there its CSV stays Pending, and OLM updates nothing in its namespace \
                 any more"
            );
            let first = catalog_versions().find(|version| !version.is_older_than(least));
            let help = first.map_or_else(
                || "lower `minKubeVersion`; it needs three numbers, as in `1.27.0`".to_owned(),
                |first| format!("begin the range with v{first}, or lower `minKubeVersion`"),
            );
            report(Rule::BundleRangeMinKube, &below, what, help);
        }
    }
    check_ends(bundles, findings);
}

/// Checks the highest bundle of each channel.
fn check_ends(bundles: &[&Rendered<'_>], findings: &mut Vec<Diagnostic>) {
    let ascending = ascending(bundles);
    let named = ascending.iter().flat_map(|bundle| bundle.channels.iter().map(move |channel| (&**channel, *bundle)));
    // Of several the last one is kept.
    let highest: BTreeMap<&str, &Bundle> = named.collect();
    for (channel, bundle) in highest {
        let last = bundle.openshift_range().and_then(OpenShiftRange::last);
        let Some((last, stated)) = last.zip(bundle.openshift_versions.as_ref()) else { continue };
        // The bundle itself excludes later versions, so its range may end there.
        if max_openshift(bundle).is_some_and(|max| max <= last) {
            continue;
        }
        let later: Vec<OpenShift> = catalog_versions().filter(|version| last < *version).collect();
        let Some(next) = later.first() else { continue };
        let has = |other: &Bundle, version| other.openshift_range().is_some_and(|range| range.contains(version));
        let is_of = |other: &&&Bundle| other.channels.iter().any(|name| *name == channel);
        let head = |version| ascending.iter().rev().filter(is_of).find(|other| has(other, version));
        let next = head(*next).map(|head| &head.name);
        let alike: Vec<OpenShift> =
            later.iter().filter(|version| head(**version).map(|head| &head.name) == next).copied().collect();
        let what = match next {
            Some(head) => format!("`{head}` as the head of channel `{channel}`"),
            None => format!("no channel `{channel}`"),
        };
        let message = format!("`{}` is for OpenShift up to {last}: {} {what}", bundle.name, catalogs(&alike));
        let help = "leave the range open, or release a version for later ones of OpenShift";
        findings.push(Diagnostic::new(Rule::BundleRangeEnds, stated.span, message).with_help(help));
    }
}

/// The versions of OpenShift that have catalogs.
pub fn catalog_versions() -> impl Iterator<Item = OpenShift> {
    MINORS.map(minor)
}

const fn minor(minor: u32) -> OpenShift {
    OpenShift { major: 4, minor }
}

/// The versions of a range that have catalogs and for which something is so.
fn versions(range: OpenShiftRange, is_so: impl Fn(OpenShift) -> bool) -> Vec<OpenShift> {
    catalog_versions().filter(|version| range.contains(*version) && is_so(*version)).collect()
}

/// The highest version of OpenShift that a bundle supports, if it says so in a form that OLM can read.
fn max_openshift(bundle: &Bundle) -> Option<OpenShift> {
    let stated = bundle.properties.iter().filter(|property| property.kind == MAX_OPENSHIFT_PROPERTY);
    let stated: Vec<Property> = stated
        .filter_map(|property| Property::parse(&property.kind, &serde_json::from_str(&property.value).ok()?).ok())
        .collect();
    let max: Version = MaxOpenShift::of(&stated).0.ok()??;
    Some(OpenShift { major: max.major().try_into().ok()?, minor: max.minor().try_into().ok()? })
}

/// Which catalogs have something, with the verb: `the catalogs of OpenShift 4.12 to 4.14 and 4.16 have`.
fn catalogs(versions: &[OpenShift]) -> String {
    let (noun, verb) = if versions.len() == 1 { ("catalog", "has") } else { ("catalogs", "have") };
    format!("the {noun} of OpenShift {} {verb}", OpenShift::list(versions))
}
