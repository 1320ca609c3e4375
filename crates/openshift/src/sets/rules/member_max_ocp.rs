//! `member-max-ocp-below`, `member-max-ocp-equal` and `member-max-ocp-invalid`: `olm.maxOpenShiftVersion` of the
//! bundles.

use super::member_min_kube::all_heads;
use crate::sets::finding::Finding;
use crate::sets::set::{CatalogSet, Member};
use catalog::predicate::{MAX_OPENSHIFT_PROPERTY as PROPERTY, MaxOpenShift, Property};
use catalog::{Bundle, ChannelName, Package, heads};
use source::{OpenShift, Rule, Severity, Span};

pub(super) fn check(set: &CatalogSet) -> Vec<Finding> {
    let mut found = Vec::new();
    for (at, member) in set.members.iter().enumerate() {
        let has_next = at + 1 < set.members.len();
        for package in &member.catalog.packages {
            let heads = all_heads(package);
            let bundle = |bundle| bundle_finding(member, package, bundle, has_next, &heads);
            found.extend(package.bundles.iter().filter_map(bundle));
        }
    }
    found
}

fn bundle_finding(
    member: &Member,
    package: &Package,
    bundle: &Bundle,
    has_next: bool,
    heads: &std::collections::BTreeSet<&str>,
) -> Option<Finding> {
    let (span, is_number) = place(bundle)?;
    let name = &bundle.name.value;
    let is_head = heads.contains(name.as_str());
    let finding = |rule, message| Finding::of_member(rule, member.version, &package.name, Some(span), message);
    let max = match MaxOpenShift::of(bundle.properties.iter().map(|property| &property.value)).0 {
        Err(error) => {
            let message =
                format!("`{PROPERTY}` of `{name}` blocks every update of OpenShift to another minor version: {error}");
            return Some(finding(Rule::MemberMaxOcpInvalid, message));
        }
        Ok(max) => max?,
    };
    if is_number {
        let (major, minor) = (max.major(), max.minor());
        let message = format!(
            "`{PROPERTY}` of `{name}` is the number {major}.{minor}: write text in quotes, since 4.20 as a \
             number is 4.2"
        );
        return Some(finding(Rule::MemberMaxOcpInvalid, message));
    }
    let release = |major: u64, minor: u64| if (major, minor) == (4, 23) { (5, 0) } else { (major, minor) };
    let OpenShift { major, minor } = member.version;
    let (max, own) = (release(max.major(), max.minor()), release(major.into(), minor.into()));
    let shown = format!("{}.{}", max.0, max.1);
    if max < own {
        let message = format!("`{name}` supports OpenShift up to {shown}, and OLM installs it here nevertheless");
        let severity = if is_head { Severity::Error } else { Severity::Warning };
        return Some(finding(Rule::MemberMaxOcpBelow, message).with_severity(severity));
    }
    let (message, severity) = if max != own {
        return None;
    } else if let Some(channel) = newer_channel(package, bundle).filter(|_| is_head && has_next) {
        let message = format!(
            "`{name}` supports OpenShift up to {shown} and is a head: the next update of OpenShift is blocked as long \
             as it is installed; channel `{channel}` has a newer version"
        );
        (message, Severity::Hint)
    } else if is_head && has_next {
        let message = format!(
            "`{name}` supports OpenShift up to {shown} and is a head: the next update of OpenShift is blocked as long \
             as it is installed, and this catalog has no newer version"
        );
        (message, Severity::Warning)
    } else {
        let message = format!(
            "`{name}` supports OpenShift up to {shown}: the next update of OpenShift is blocked as long as it is \
             installed"
        );
        (message, Severity::Hint)
    };
    Some(finding(Rule::MemberMaxOcpEqual, message).with_severity(severity))
}

/// The first channel whose head is a higher version than the bundle.
fn newer_channel<'p>(package: &'p Package, bundle: &Bundle) -> Option<&'p ChannelName> {
    let is_newer = |head: &str| package.bundle(head).and_then(Bundle::version) > bundle.version();
    let channel = package.channels.iter().find(|channel| heads(channel).into_iter().any(is_newer));
    channel.map(|channel| &channel.name.value)
}

/// Where the property is, and whether its value is a number.
fn place(bundle: &Bundle) -> Option<(Span, bool)> {
    bundle.properties.iter().find_map(|property| match &property.value {
        Property::Other { kind, value } if &**kind == PROPERTY => Some((property.span, value.is_number())),
        _ => None,
    })
}
