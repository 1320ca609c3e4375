//! Everything about one entry and its bundle.

mod facts;
mod requires;
mod updates;

pub(super) use requires::holds;

use super::findings::REPAIRED;
use super::graph_layout::follow_v1;
use super::small_chain::{small_chain, stuck_in};
use crate::findings::finding_list;
use crate::repairs::channel_repairs;
use catalog::predicate::Property;
use catalog::{Bundle, BundleName, Channel, DeprecationTarget, Entry, Package, SkipRange};
use go_semver::blang::Version;
use requires::{required_by, requires};
use session::{CatalogInput, Workbench};
use std::collections::BTreeSet;
use update_graph::known_name;
use updates::{EntryReach, Hops, hops};
use views::{ChannelReach, EntryKey, EntryRow, EntryView, PackageKey, RangeView, Runtime, StopReason};

/// Everything about an entry; absent when neither a channel nor a bundle has this name. `day` is the day for which
/// its phase of support is stated, `YYYY-MM-DD`; empty for none.
#[must_use]
pub fn entry(workbench: &Workbench, package: &PackageKey, key: &EntryKey, day: &str) -> Option<EntryView> {
    entry_with(workbench, package, key, day, Runtime::V0)
}

/// The same with the updates to the head that OLM v1 makes, if the question is about OLM v1 alone.
pub(super) fn entry_with(
    workbench: &Workbench,
    package: &PackageKey,
    key: &EntryKey,
    day: &str,
    runtime: Runtime,
) -> Option<EntryView> {
    let (catalog, package) = crate::package(workbench, package)?;
    let bundle = package.bundle(&key.name);
    let channels = channels(package, key);
    let own = channels.first().filter(|(channel, _)| key.channel.as_deref() == Some(channel.name.value.as_str()));
    let place = own.or(channels.first()).map(|(_, entry)| entry.span);
    let named = key.channel.as_deref().map(|name| package.channel(name));
    let shown = named.unwrap_or_else(|| channels.first().map(|(channel, _)| *channel));
    let Hops { from, to, later, passed_over, never } =
        shown.map(|channel| hops(package, channel, &key.name)).unwrap_or_default();
    let name = known_name(package, &key.name)?;
    // An entry with an empty name is drawn, but nobody can have it installed.
    let own_reach = EntryReach::of(package, name);
    let reach = shown.zip(own_reach.as_ref()).map(|(channel, own_reach)| own_reach.in_channel(channel));
    let stops = reach.as_ref().map(|reach| reach.stop);
    let is_stuck = stops.is_some_and(|stop| !matches!(stop, Some(StopReason::Head | StopReason::Newer)));
    let findings = about(workbench, catalog, package, &key.name, shown.filter(|_| is_stuck));
    let stuck = shown.filter(|_| is_stuck);
    let mut graph = shown.map(|_| update_graph::build(package));
    if runtime == Runtime::V1 {
        graph.iter_mut().for_each(follow_v1);
    }
    let chain = shown.zip(graph.as_ref()).and_then(|(channel, graph)| small_chain(graph, channel, &key.name));
    let mut stuck_too = stuck.zip(graph.as_ref()).map_or_else(Vec::new, |(channel, graph)| stuck_in(graph, channel));
    if stuck_too.contains(&key.name) {
        stuck_too.retain(|other| *other != key.name);
    } else {
        stuck_too.clear();
    }
    Some(EntryView {
        is_rejected: !catalog.is_accepted(),
        key: key.clone(),
        version: bundle.and_then(|bundle| Some(bundle.version.as_ref()?.value.text.to_string())),
        notes: notes(package, key, bundle, reach.as_ref()),
        switches: own_reach.map(|own_reach| own_reach.switches(shown)).unwrap_or_default(),
        reach,
        channels: channels.iter().map(|(channel, entry)| row(package, channel, entry)).collect(),
        provides: bundle.map(provides).unwrap_or_default(),
        requires: bundle.map(|bundle| requires(workbench, catalog, bundle)).unwrap_or_default(),
        required_by: bundle.map(|bundle| required_by(workbench, package, bundle)).unwrap_or_default(),
        image: bundle.and_then(|bundle| Some(bundle.image.as_ref()?.value.to_string())),
        facts: bundle.map(|bundle| facts::facts(catalog, package, bundle, day)).unwrap_or_default(),
        start_fault: shown.and_then(|channel| start_fault(channel, &key.name)),
        entry_place: place.map(|span| catalog.place(span)),
        bundle_place: bundle.map(|bundle| catalog.place(bundle.span)),
        excerpt: place.or(bundle.map(|bundle| bundle.span)).and_then(|span| catalog.excerpt(span)),
        findings,
        chain,
        repairs: stuck.and_then(|channel| {
            channel_repairs(workbench, catalog, (package.name.as_str(), channel.name.value.as_str()), &[name])
        }),
        stuck_too,
        from,
        to,
        later,
        passed_over,
        never,
        extension: bundle
            .map(|bundle| updates::extension_view(catalog, package, bundle, workbench.cluster_manifests().1.olm_v1)),
    })
}

/// Why no startingCSV can name an entry in a channel.
fn start_fault(channel: &Channel, name: &str) -> Option<String> {
    match channel.entry(name) {
        None => Some(format!("channel `{}` does not list it", channel.name)),
        Some(entry) if !update_graph::can_start(entry) => Some("it replaces or skips itself".to_owned()),
        Some(_) => None,
    }
}

/// The channels that list the entry, the requested one first.
fn channels<'c>(package: &'c Package, key: &EntryKey) -> Vec<(&'c Channel, &'c Entry)> {
    let listing = package.channels.iter().filter_map(|channel| Some((channel, channel.entry(&key.name)?)));
    let mut channels: Vec<_> = listing.collect();
    channels.sort_by_key(|(channel, _)| Some(channel.name.value.as_str()) != key.channel.as_deref());
    channels
}

/// What is special about an entry, besides where its updates end in the channel that is shown.
fn notes(package: &Package, key: &EntryKey, bundle: Option<&Bundle>, reach: Option<&ChannelReach>) -> Vec<String> {
    let name = key.name.as_str();
    let is_said = |channel: &Channel| {
        reach.is_some_and(|reach| {
            reach.channel == channel.name.value.as_str() && reach.stop == Some(StopReason::Head) && reach.hops == 0
        })
    };
    let is_head = |channel: &&Channel| {
        channel.entry(name).is_some() && catalog::heads(channel).contains(&name) && !is_said(channel)
    };
    let head_of: Vec<String> =
        package.channels.iter().filter(is_head).map(|channel| channel.name.to_string()).collect();
    let mut notes: Vec<String> =
        Some(format!("head of {}", head_of.join(", "))).filter(|_| !head_of.is_empty()).into_iter().collect();
    for channel in &package.channels {
        let skips = |entry: &&Entry| entry.skips.iter().any(|skip| skip.value.as_str() == name);
        let skipping: Vec<&str> =
            channel.entries.iter().filter(skips).map(|entry| short(package, entry.name.value.as_str())).collect();
        if !skipping.is_empty() {
            let verb = if skipping.len() == 1 { "skips" } else { "skip" };
            notes.push(format!("nobody is updated to it in {}: {} {verb} it", channel.name, skipping.join(", ")));
        }
    }
    notes.extend(named_only(package, key));
    notes.extend(pruned(package, key));
    if package.may_be_unknown(name) {
        notes.push("bundle unknown: no loaded catalog has its image".to_owned());
    } else if bundle.is_none() {
        notes.push("no bundle of this name in the catalog".to_owned());
    } else if package.channels.iter().all(|channel| channel.entry(name).is_none()) {
        notes.push("not listed in any channel".to_owned());
    }
    let deprecated = package.deprecations.iter().filter(
        |deprecation| matches!(&deprecation.target, DeprecationTarget::Bundle(target) if target.as_str() == name),
    );
    notes.extend(deprecated.map(|deprecation| format!("deprecated: {}", deprecation.message)));
    notes
}

/// The version in a name that begins with that of the package, else the name.
pub(super) fn short<'n>(package: &Package, name: &'n str) -> &'n str {
    name.strip_prefix(package.name.as_str()).and_then(|rest| rest.strip_prefix(".v")).unwrap_or(name)
}

/// Why a version is shown in the requested channel that does not list it.
fn named_only(package: &Package, key: &EntryKey) -> Option<String> {
    let is_own = |channel: &&Channel| Some(channel.name.value.as_str()) == key.channel.as_deref();
    let channel = package.channels.iter().find(is_own).filter(|channel| channel.entry(&key.name).is_none())?;
    let replaces = |entry: &&Entry| entry.replaces.as_ref().is_some_and(|old| old.value.as_str() == key.name);
    let entry = channel.entries.iter().find(replaces)?;
    Some(format!("not an entry of {}: shown because {} replaces it", channel.name, entry.name))
}

/// Which skipRanges prune a version from the requested channel, or from any channel if none is requested, and which cover one
/// that the requested channel does not list.
fn pruned(package: &Package, key: &EntryKey) -> impl Iterator<Item = String> {
    let is_own = |channel: &str| key.channel.as_deref().is_none_or(|own| own == channel);
    let prunings = update_graph::prunings(package).into_iter().filter(move |pruning| {
        is_own(pruning.channel.name.value.as_str()) && pruning.names().any(|name| name.as_str() == key.name)
    });
    prunings.map(|pruning| {
        let (channel, entry) = (&pruning.channel.name, &pruning.entry.name);
        if pruning.channel.entry(&key.name).is_some() {
            format!("nobody is updated to it in {channel}: the skipRange of {entry} prunes it")
        } else {
            format!("not an entry of {channel}: the skipRange of {entry} covers it, so a cluster that has it is updated to {entry}, and nobody is updated to it")
        }
    })
}

fn row(package: &Package, channel: &Channel, entry: &Entry) -> EntryRow {
    EntryRow {
        channel: channel.name.to_string(),
        replaces: entry.replaces.as_ref().map(ToString::to_string),
        skips: entry.skips.iter().map(ToString::to_string).collect(),
        skip_range: entry.skip_range.as_ref().map(|range| range_view(package, &range.value)),
    }
}

/// What a skipRange means for a package.
pub(super) fn range_view(package: &Package, range: &SkipRange) -> RangeView {
    let (normalised, matches, error) = match &range.range {
        Ok(parsed) => {
            let versions: BTreeSet<&Version> = package.bundles.iter().filter_map(Bundle::version).collect();
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

/// The findings about an entry, and those that say why it is stuck in a channel: these may be about other entries, or the channel.
fn about(
    workbench: &Workbench,
    catalog: &CatalogInput,
    package: &Package,
    name: &str,
    stuck_in: Option<&Channel>,
) -> Vec<views::FindingView> {
    finding_list(workbench, catalog, |found| {
        let subject = found.subject.as_ref().filter(|subject| subject.package == package.name);
        let is_reason = REPAIRED.contains(&found.diagnostic.rule);
        let stuck_in = stuck_in.filter(|_| is_reason).map(|channel| &channel.name.value);
        subject.is_some_and(|subject| {
            subject.entry.as_ref().map(BundleName::as_str) == Some(name)
                || (stuck_in.is_some() && subject.channel.as_ref() == stuck_in)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph;
    use session::testing::workbench;

    /// The hops to and from an entry as `<from> | <to>`, the newest first.
    #[track_caller]
    fn check_hops(catalog: &str, channel: Option<&str>, name: &str, expected: &str) {
        let view = view(catalog, channel, name);
        assert_eq!(format!("{} | {}", view.from.join(", "), view.to.join(", ")), expected);
    }

    fn view(catalog: &str, channel: Option<&str>, name: &str) -> EntryView {
        let workbench = workbench(&[("c", catalog)]);
        let package = PackageKey { catalog: views::CatalogId(0), package: "p".to_owned() };
        let key = EntryKey { channel: channel.map(str::to_owned), name: name.to_owned() };
        entry(&workbench, &package, &key, "").unwrap()
    }

    const SKIPS: &str =
        "package p c\nchannel p c p.v3>p.v1-p.v2 p.v2>p.v1 p.v1\nbundle p 1.0.0\nchannel p d p.v2>p.v1 p.v1";

    #[test]
    fn an_entry_without_a_name_has_no_reach() {
        let text =
            "schema: olm.package\nname: p\n---\nschema: olm.channel\npackage: p\nname: c\nentries: [{name: ''}]\n";
        let workbench = Workbench::default().with_text("c", "c.yaml", text);
        let package = PackageKey { catalog: views::CatalogId(0), package: "p".to_owned() };
        let drawn = graph(&workbench, &package, &views::GraphOptions::default()).unwrap().nodes[0].key.clone();
        let view = entry(&workbench, &package, &drawn, "").unwrap();
        assert_eq!((view.key.name.as_str(), view.reach, view.switches.len()), ("", None, 0));
    }

    #[test]
    fn a_skipped_entry_is_no_target() {
        check_hops(SKIPS, Some("c"), "p.v1", " | p.v3 (replaces)");
        check_hops(SKIPS, Some("c"), "p.v2", " | p.v3 (skips)");
        check_hops(SKIPS, Some("c"), "p.v3", "p.v2 (skips), p.v1 (replaces) | ");
    }

    #[test]
    fn hops_are_those_of_the_requested_channel() {
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
    fn a_channel_that_cannot_be_ordered_has_no_hops() {
        check_hops("package p c\nchannel p c p.v2>p.v1 p.v1 p.v3", Some("c"), "p.v1", " | ");
    }

    #[test]
    fn notes_name_heads_skips_and_missing_bundles() {
        let notes = view(SKIPS, None, "p.v2").notes;
        assert_eq!(
            notes,
            ["head of d", "nobody is updated to it in c: 3 skips it", "no bundle of this name in the catalog"]
        );
    }

    #[test]
    fn notes_name_the_skip_range_that_prunes_a_version() {
        let catalog = "package p c\nchannel p c p.v2.0.0~<2.0.0\nchannel p d p.v1.0.0\nchannel p e p.v2.0.0>p.v0.9.0\nbundle p 1.0.0\nbundle p 2.0.0";
        let pruned = "not an entry of c: the skipRange of p.v2.0.0 covers it, so a cluster that has it is updated to p.v2.0.0, and nobody is updated to it";
        assert_eq!(view(catalog, Some("c"), "p.v1.0.0").notes, ["head of d", pruned]);
        assert_eq!(view(catalog, Some("d"), "p.v1.0.0").notes, [""; 0], "the reach says that it is the head of d");
    }

    #[test]
    fn notes_say_why_a_version_is_shown_in_a_channel_that_does_not_list_it() {
        let catalog =
            "package p c\nchannel p c p.v2.0.0>p.v1.0.0\nchannel p d p.v1.0.0\nbundle p 1.0.0\nbundle p 2.0.0";
        let named = "not an entry of c: shown because p.v2.0.0 replaces it";
        assert_eq!(view(catalog, Some("c"), "p.v1.0.0").notes, ["head of d", named]);
        assert_eq!(view(catalog, Some("d"), "p.v1.0.0").notes, [""; 0]);
    }

    #[test]
    fn an_unknown_name_has_no_view() {
        let workbench = workbench(&[("c", SKIPS)]);
        let package = PackageKey { catalog: views::CatalogId(0), package: "p".to_owned() };
        let key = EntryKey { channel: None, name: "p.v9".to_owned() };
        assert_eq!(entry(&workbench, &package, &key, ""), None);
    }

    #[test]
    fn requirements_name_the_bundles_that_satisfy_them() {
        let catalog = "package p c\nchannel p c p.v1.0.0\nbundle p 1.0.0 requires q >=1.0.0\npackage q c\nchannel q c q.v1.1.0>q.v0.9.0 q.v0.9.0\nbundle q 0.9.0\nbundle q 1.1.0";
        let requires = view(catalog, Some("c"), "p.v1.0.0").requires;
        assert_eq!(requires[0].text, "package `q` in range `>=1.0.0`");
        let met_by: Vec<_> = requires[0].met_by.iter().filter_map(|line| line.csv.clone()).collect();
        assert_eq!(met_by.iter().map(|csv| csv.name.as_str()).collect::<Vec<_>>(), ["q.v1.1.0"]);
        let parts: Vec<_> = requires[0].parts.iter().map(|part| part.text.as_str()).collect();
        assert_eq!(parts, ["is package `q` in range `>=1.0.0`: 1.1.0 of 2 loaded versions (1 bundle)"]);
    }

    #[test]
    fn a_constraint_is_described_part_by_part() {
        let catalog = session::testing::yaml(
            "package p c\nchannel p c p.v1.0.0\nbundle p 1.0.0 provides K\npackage q c\nchannel q c q.v2.0.0\nbundle q 2.0.0",
        );
        let constraint = "- type: olm.constraint\n  value:\n    failureMessage: sorry\n    any:\n      constraints:\n      - gvk: {group: example.com, version: v1, kind: K}\n      - not: {constraints: [{package: {packageName: q, versionRange: 3.x}}]}\n      - cel: {rule: 'properties.exists(p, p.type == \"olm.gvk\")'}\n";
        let workbench = Workbench::new().with_text("c", "c.yaml", catalog + constraint);
        let package = PackageKey { catalog: views::CatalogId(0), package: "q".to_owned() };
        let key = EntryKey { channel: None, name: "q.v2.0.0".to_owned() };
        let requires = entry(&workbench, &package, &key, "").unwrap().requires;
        let parts: Vec<_> = requires[0].parts.iter().map(|part| part.text.as_str()).collect();
        let expected = [
            "meets any of (2 bundles)",
            "\u{2003}provides `K (example.com/v1)` (1 bundle)",
            "\u{2003}meets none of (2 bundles)",
            "\u{2003}\u{2003}is package `q` in range `3.x`, parsed as `>=3.0.0 <4.0.0`: none of 1 loaded versions (0 bundles)",
            "\u{2003}the CEL rule `properties.exists(p, p.type == \"olm.gvk\")` is true for its properties (1 bundle)",
        ];
        assert_eq!(parts, expected);
    }

    #[test]
    fn a_bundle_names_the_bundles_that_require_it() {
        let catalog = "package p c\nchannel p c p.v1.0.0\nbundle p 1.0.0\npackage q c\nchannel q c q.v1.1.0>q.v1.0.0 q.v1.0.0\nbundle q 1.0.0 requires p >=1.0.0\nbundle q 1.1.0 requires p >=1.0.0";
        let lines = view(catalog, Some("c"), "p.v1.0.0").required_by;
        let shown: Vec<_> =
            lines.iter().map(|line| (line.csv.as_ref().map(|csv| csv.name.as_str()), line.text.as_str())).collect();
        assert_eq!(shown, [(Some("q.v1.1.0"), "and 1 older: package `p` in range `>=1.0.0`")]);
    }

    #[test]
    fn versions_are_grouped_by_the_number_of_hops_to_an_entry() {
        let catalog = "package p c\nchannel p c p.v3.0.0>p.v2.0.0 p.v2.0.0>p.v1.0.0 p.v1.0.0\nbundle p 0.9.0\nbundle p 1.0.0\nbundle p 2.0.0\nbundle p 3.0.0";
        let view = view(catalog, Some("c"), "p.v3.0.0");
        assert_eq!((view.later, view.never), (vec!["p.v1.0.0 (2 hops)".to_owned()], vec!["p.v0.9.0".to_owned()]));
    }

    #[test]
    fn no_update_leads_to_a_skipped_entry_or_in_an_unordered_channel() {
        let bundles = "bundle p 1.0.0\nbundle p 2.0.0\nbundle p 3.0.0";
        for entries in ["p.v3.0.0>p.v1.0.0-p.v2.0.0 p.v2.0.0 p.v1.0.0", "p.v3.0.0 p.v2.0.0 p.v1.0.0"] {
            let view = view(&format!("package p c\nchannel p c {entries}\n{bundles}"), Some("c"), "p.v2.0.0");
            assert_eq!((view.from.len(), view.later.len()), (0, 0), "{entries}");
            assert_eq!(view.never, ["p.v1.0.0"], "{entries}: a newer version is not expected to be updated to it");
        }
    }

    #[test]
    fn an_edge_that_olm_does_not_use_is_no_update() {
        let catalog = "package p c\nchannel p c p.v3.0.0>p.v2.0.0-p.v1.0.0 p.v2.0.0>p.v1.0.0\nbundle p 1.0.0\nbundle p 2.0.0\nbundle p 3.0.0";
        let view = view(catalog, Some("c"), "p.v2.0.0");
        assert_eq!((view.passed_over, view.from), (vec!["p.v1.0.0 (replaces)".to_owned()], Vec::new()));
    }

    /// `channel next via hops end reason`
    fn shown(reach: &ChannelReach) -> String {
        let next = reach.next.as_ref().map(|next| format!("{} {}", next.label, next.via)).unwrap_or_default();
        format!("{} [{next}] {} {} {:?}", reach.channel, reach.hops, reach.end, reach.stop)
    }

    #[test]
    fn an_entry_is_followed_in_its_channel_and_after_a_switch() {
        let catalog = "package p stable\nchannel p stable p.v2.0.0>p.v1.0.0 p.v1.0.0\nchannel p candidate p.v2.1.0~>=1.5.0_<2.1.0\nchannel p broken p.v1.0.0 p.v2.0.0\nbundle p 1.0.0\nbundle p 2.0.0\nbundle p 2.1.0";
        let view = |channel: Option<&str>, name| view(catalog, channel, name);
        let head = view(Some("stable"), "p.v2.0.0");
        assert_eq!(shown(&head.reach.unwrap()), "stable [] 0 2.0.0 Some(Head)");
        let switches: Vec<String> = head.switches.iter().map(shown).collect();
        assert_eq!(switches, ["broken [] 0 2.0.0 None", "candidate [2.1.0 skipRange] 1 2.1.0 Some(Head)"]);
        let old = view(Some("stable"), "p.v1.0.0");
        assert_eq!(shown(&old.reach.unwrap()), "stable [2.0.0 replaces] 1 2.0.0 Some(Head)");
        assert_eq!(shown(&old.switches[1]), "candidate [] 0 1.0.0 Some(Uncovered)");
        let newer = view(Some("stable"), "p.v2.1.0");
        assert_eq!(shown(&newer.reach.unwrap()), "stable [] 0 2.1.0 Some(Newer)");
    }
}
