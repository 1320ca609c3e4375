//! Everything about one entry and its bundle.

use super::findings;
use crate::input::{CatalogInput, Workbench};
use blang_semver::Version;
use catalog::{Bundle, BundleName, Channel, DeprecationTarget, Entry, Package, SkipRange};
use order::{Order, Ordered};
use predicate::{Property, Requirement};
use source::Spanned;
use std::collections::BTreeSet;
use views::{EntryKey, EntryRow, EntryView, PackageKey, RangeView, RequirementView};

/// At most so many bundles are named as meeting a requirement.
const MET_BY: usize = 6;
/// At most so many characters of an entry's text are shown.
const EXCERPT: usize = 2000;

impl Workbench {
    /// Everything about an entry; absent when neither a channel nor a bundle has the name.
    #[must_use]
    pub fn entry(&self, package: &PackageKey, key: &EntryKey) -> Option<EntryView> {
        let (catalog, package) = self.package(package)?;
        let bundle = package.bundle(&key.name);
        let channels = channels(package, key);
        let asked = channels.first().filter(|(channel, _)| key.channel.as_deref() == Some(channel.name.value.as_str()));
        let place = asked.or(channels.first()).map(|(_, entry)| entry.span);
        if bundle.is_none() && channels.is_empty() && !is_named(package, &key.name) {
            return None;
        }
        let asked = key.channel.as_deref().map(|name| package.channel(name));
        let shown = asked.unwrap_or_else(|| channels.first().map(|(channel, _)| *channel));
        let excerpt = place.or(bundle.map(|bundle| bundle.span)).map(|span| catalog.text(span)).unwrap_or_default();
        Some(EntryView {
            key: key.clone(),
            version: bundle.and_then(|bundle| Some(bundle.version.as_ref()?.value.text.to_string())),
            notes: notes(package, &key.name, bundle),
            channels: channels.iter().map(|(channel, entry)| row(package, channel, entry)).collect(),
            provides: bundle.map(provides).unwrap_or_default(),
            requires: bundle.map(|bundle| self.requires(catalog, bundle)).unwrap_or_default(),
            image: bundle.and_then(|bundle| Some(bundle.image.as_ref()?.value.to_string())),
            entry_place: place.map(|span| catalog.place(span)),
            bundle_place: bundle.map(|bundle| catalog.place(bundle.span)),
            excerpt: excerpt.chars().take(EXCERPT).collect(),
            findings: about(catalog, package, &key.name),
            from: shown.map(|channel| from(package, channel, &key.name)).unwrap_or_default(),
            to: shown.map(|channel| to(package, channel, &key.name)).unwrap_or_default(),
        })
    }

    fn requires(&self, catalog: &CatalogInput, bundle: &Bundle) -> Vec<RequirementView> {
        let read = bundle.properties.iter().filter_map(|property| {
            let requirement = Requirement::of(&property.value)?;
            let (text, met_by) = match &requirement {
                Ok(requirement) => (requirement.to_string(), self.met_by(requirement)),
                Err(error) => (format!("something that OLM cannot read: {error}"), Vec::new()),
            };
            Some(RequirementView { text, met_by, place: Some(catalog.place(property.span)) })
        });
        read.collect()
    }

    /// Some of the newest bundles of all catalogs that meet a requirement.
    fn met_by(&self, requirement: &Requirement) -> Vec<String> {
        let packages = self.catalogs().iter().flat_map(|catalog| &catalog.built.catalog.packages);
        let mut met: Vec<&Bundle> = packages
            .flat_map(|package| package.bundles.iter().filter(|bundle| holds(requirement, package, bundle)))
            .collect();
        met.order_by(|a, b| b.version().cmp(&a.version()).then_with(|| a.name.value.cmp(&b.name.value)));
        let more = met.len().saturating_sub(MET_BY);
        let named = met.iter().take(MET_BY).map(|bundle| bundle.name.to_string());
        named.chain((more > 0).then(|| format!("{more} more"))).collect()
    }
}

fn holds(requirement: &Requirement, package: &Package, bundle: &Bundle) -> bool {
    let properties = bundle.properties.iter().map(|property: &Spanned<Property>| &property.value);
    requirement.holds(&package.name, bundle.version(), properties).unwrap_or(false)
}

/// The channels that list the entry, the asked one first.
fn channels<'c>(package: &'c Package, key: &EntryKey) -> Vec<(&'c Channel, &'c Entry)> {
    let listing = package.channels.iter().filter_map(|channel| Some((channel, channel.entry(&key.name)?)));
    let mut channels: Vec<_> = listing.collect();
    channels.order_by_key(|(channel, _)| Some(channel.name.value.as_str()) != key.channel.as_deref());
    channels
}

/// Whether an edge of the package names it.
fn is_named(package: &Package, name: &str) -> bool {
    let entries = package.channels.iter().flat_map(|channel| &channel.entries);
    let mut named = entries.flat_map(|entry| entry.replaces.iter().chain(&entry.skips));
    named.any(|edge| edge.value.as_str() == name)
}

fn notes(package: &Package, name: &str, bundle: Option<&Bundle>) -> Vec<String> {
    let mut notes = Vec::new();
    for channel in &package.channels {
        let listed = channel.entry(name).is_some();
        if listed && catalog::heads(channel).contains(&name) {
            notes.push(format!("head of {}", channel.name));
        }
        for other in channel.entries.iter().filter(|entry| entry.skips.iter().any(|skip| skip.value.as_str() == name)) {
            notes.push(format!("skipped by {} in {}", other.name, channel.name));
        }
    }
    if bundle.is_none() {
        notes.push("no bundle of this name in the catalog".to_owned());
    } else if package.channels.iter().all(|channel| channel.entry(name).is_none()) {
        notes.push("in no channel".to_owned());
    }
    let deprecated = package.deprecations.iter().filter(
        |deprecation| matches!(&deprecation.target, DeprecationTarget::Bundle(target) if target.as_str() == name),
    );
    notes.extend(deprecated.map(|deprecation| format!("deprecated: {}", deprecation.message)));
    notes
}

fn row(package: &Package, channel: &Channel, entry: &Entry) -> EntryRow {
    EntryRow {
        channel: channel.name.to_string(),
        replaces: entry.replaces.as_ref().map(ToString::to_string),
        skips: entry.skips.iter().map(ToString::to_string).collect(),
        skip_range: entry.skip_range.as_ref().map(|range| range_view(package, &range.value)),
    }
}

fn range_view(package: &Package, range: &SkipRange) -> RangeView {
    let (normalised, matches, error) = match &range.range {
        Ok(parsed) => {
            let versions: BTreeSet<&Version> = package.bundles.iter().filter_map(Bundle::version).ordered();
            let matched = versions.into_iter().filter(|version| parsed.matches(version).unwrap_or(false));
            (Some(parsed.normalised()), matched.map(ToString::to_string).collect(), None)
        }
        Err(error) => (None, Vec::new(), Some(error.to_string())),
    };
    RangeView { text: range.text.to_string(), normalised, matches, error }
}

fn provides(bundle: &Bundle) -> Vec<String> {
    let gvks = bundle.properties.iter().filter_map(|property| match &property.value {
        Property::Gvk(gvk, _) => Some(gvk.to_string()),
        _ => None,
    });
    gvks.collect()
}

fn about(catalog: &CatalogInput, package: &Package, name: &str) -> Vec<views::FindingView> {
    let here = catalog.built.findings.iter().filter(|found| {
        let subject = found.subject.as_ref();
        subject.is_some_and(|subject| {
            subject.package == package.name && subject.entry.as_ref().map(BundleName::as_str) == Some(name)
        })
    });
    here.map(|found| findings::row(catalog, found)).collect()
}

/// What OLM may update to this entry in one hop: entries of the channel, then whatever else of the package a cluster
/// may have installed.
fn from(package: &Package, channel: &Channel, name: &str) -> Vec<String> {
    let Some(to) = chosen_from(package, channel).into_iter().find(|entry| entry.name.value.as_str() == name) else {
        return Vec::new();
    };
    let listed = channel.entries.iter().map(|entry| &entry.name.value);
    let bundles = package.bundles.iter().map(|bundle| &bundle.name.value);
    let unlisted = bundles.filter(|name| channel.entry(name.as_str()).is_none());
    let others = listed.chain(unlisted).filter(|other| **other != to.name.value);
    others.filter_map(|other| hop(package, other, to, other)).collect()
}

/// Entries of the channel that OLM may update this one to in one hop, the one it prefers first.
fn to(package: &Package, channel: &Channel, name: &str) -> Vec<String> {
    let name = BundleName::from(name);
    let targets = chosen_from(package, channel).into_iter().filter(|entry| entry.name.value != name);
    targets.filter_map(|to| hop(package, &name, to, &to.name.value)).collect()
}

/// The entries that OLM chooses from, the head first; none where it finds no order.
fn chosen_from<'c>(package: &Package, channel: &'c Channel) -> Vec<&'c Entry> {
    let order = update_graph::sort_channel(channel.name.value.as_str(), package.name.as_str(), &channel.entries);
    order.unwrap_or_default().into_iter().map(|at| &channel.entries[at]).collect()
}

/// `other (field)`, if there is a hop.
fn hop(package: &Package, from: &BundleName, to: &Entry, other: &BundleName) -> Option<String> {
    let version = package.bundle(from.as_str()).and_then(Bundle::version);
    let via = update_graph::hop(to, from, version)?;
    Some(format!("{other} ({})", via.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::workbench;

    /// What leads to an entry and where it leads, as `<from> | <to>`.
    #[track_caller]
    fn check_hops(catalog: &str, channel: Option<&str>, name: &str, expected: &str) {
        let view = view(catalog, channel, name);
        assert_eq!(format!("{} | {}", view.from.join(", "), view.to.join(", ")), expected);
    }

    fn view(catalog: &str, channel: Option<&str>, name: &str) -> EntryView {
        let workbench = workbench(&[("c", catalog)]);
        let package = PackageKey { catalog: views::CatalogId(0), package: "p".to_owned() };
        let key = EntryKey { channel: channel.map(str::to_owned), name: name.to_owned() };
        workbench.entry(&package, &key).unwrap()
    }

    const SKIPS: &str =
        "package p c\nchannel p c p.v3>p.v1-p.v2 p.v2>p.v1 p.v1\nbundle p 1.0.0\nchannel p d p.v2>p.v1 p.v1";

    #[test]
    fn a_skipped_entry_is_no_target() {
        check_hops(SKIPS, Some("c"), "p.v1", " | p.v3 (replaces)");
        check_hops(SKIPS, Some("c"), "p.v2", " | p.v3 (skips)");
        check_hops(SKIPS, Some("c"), "p.v3", "p.v2 (skips), p.v1 (replaces) | ");
    }

    #[test]
    fn hops_are_those_of_the_asked_channel() {
        check_hops(SKIPS, Some("d"), "p.v2", "p.v1 (replaces) | ");
        check_hops(SKIPS, Some("d"), "p.v3", " | ");
        check_hops(SKIPS, None, "p.v1", " | p.v3 (replaces)");
    }

    #[test]
    fn a_skip_range_goes_by_version() {
        let catalog = "package p c\nchannel p c p.v2.0.0~<2.0.0\nbundle p 1.0.0\nbundle p 2.0.0";
        check_hops(catalog, Some("c"), "p.v1.0.0", " | p.v2.0.0 (skipRange)");
        check_hops(catalog, Some("c"), "p.v2.0.0", "p.v1.0.0 (skipRange) | ");
    }

    #[test]
    fn nothing_leads_anywhere_where_olm_finds_no_order() {
        check_hops("package p c\nchannel p c p.v2>p.v1 p.v1 p.v3", Some("c"), "p.v1", " | ");
    }

    #[test]
    fn notes_say_what_is_special() {
        let notes = view(SKIPS, None, "p.v2").notes;
        assert_eq!(notes, ["skipped by p.v3 in c", "head of d", "no bundle of this name in the catalog"]);
    }

    #[test]
    fn what_is_named_nowhere_is_absent() {
        let workbench = workbench(&[("c", SKIPS)]);
        let package = PackageKey { catalog: views::CatalogId(0), package: "p".to_owned() };
        let key = EntryKey { channel: None, name: "p.v9".to_owned() };
        assert_eq!(workbench.entry(&package, &key), None);
    }

    #[test]
    fn requirements_name_what_meets_them() {
        let catalog = "package p c\nchannel p c p.v1.0.0\nbundle p 1.0.0 requires q >=1.0.0\npackage q c\nchannel q c q.v1.1.0>q.v0.9.0 q.v0.9.0\nbundle q 0.9.0\nbundle q 1.1.0";
        let requires = view(catalog, Some("c"), "p.v1.0.0").requires;
        assert_eq!(requires[0].text, "with package: q and with version in range: >=1.0.0");
        assert_eq!(requires[0].met_by, ["q.v1.1.0"]);
    }
}
