//! Semver mode and semver-skippatch mode: `AddBundleToGraph` (`pkg/registry/bundlegraphloader.go`), then
//! `AddPackageChannelsFromGraph` (`pkg/sqlite/load.go`) for the entries.
//!
//! `opm` adds one bundle after the other. They are added in ascending order here, so that each new one is the head of its
//! channels.

use crate::package::{Budget, Channel, Channels, Refusal};
use bundle::{Bundle, Entry};
use go_semver::blang::Version;
use std::collections::BTreeMap;

/// A bundle of a channel and what it replaces, in ascending order of the versions.
struct Node<'b> {
    bundle: &'b Bundle,
    version: Version,
    replaces: Vec<&'b Bundle>,
}

/// The channels of bundles that are added in this order.
pub(crate) fn channels(bundles: &[&Bundle], skips_patches: bool) -> Result<Channels, Refusal> {
    let mut graph: BTreeMap<&str, Vec<Node<'_>>> = BTreeMap::new();
    let mut default = "";
    let mut budget = Budget::default();
    for &bundle in bundles {
        let refused = |message: String| Refusal::new(message, Some(bundle));
        let version = Version::parse(&bundle.version)
            .map_err(|_| refused(format!("Bundle version {} is not valid", bundle.version)))?;
        if !bundle.default_channel.is_empty() {
            default = &bundle.default_channel;
        }
        if default.is_empty() {
            let first = bundle.channels.iter().min().map(String::as_str).unwrap_or_default();
            if first.is_empty() {
                return Err(refused("Default channel is missing and can't be inferred".to_owned()));
            }
            default = first;
        }
        for channel in &bundle.channels {
            let nodes = graph.entry(channel).or_default();
            if nodes.last().is_some_and(|last| last.version == version) {
                return Err(refused(format!("Bundle version {} already added to index", bundle.version)));
            }
            let replaces = replaced(nodes, &version, skips_patches);
            budget.take(replaces.len())?;
            nodes.push(Node { bundle, version: version.clone(), replaces });
        }
        if !graph.contains_key(default) {
            return Err(refused(format!("the default channel ({default}) does not exist")));
        }
    }
    let by_name = graph.iter().map(|(name, nodes)| ((*name).to_owned(), channel(nodes))).collect();
    Ok(Channels { default: default.to_owned(), by_name })
}

/// What a new head of a channel replaces. The nodes that it skips are no nodes any more.
fn replaced<'b>(nodes: &mut Vec<Node<'b>>, version: &Version, skips_patches: bool) -> Vec<&'b Bundle> {
    let below: Vec<&Bundle> = nodes.last().map(|node| node.bundle).into_iter().collect();
    if !skips_patches {
        return below;
    }
    let line = |node: &Node<'_>| (node.version.major(), node.version.minor());
    let kept = nodes.partition_point(|node| line(node) < (version.major(), version.minor()));
    let skipped = nodes.split_off(kept);
    if skipped.is_empty() {
        return below;
    }
    let mut replaces: Vec<&Bundle> = Vec::new();
    for node in skipped {
        replaces.extend(node.replaces);
        replaces.push(node.bundle);
    }
    replaces
}

/// A channel as it is exported: of what an entry replaces, a node is `replaces` and the others are `skips`, which are
/// entries without edges.
fn channel(nodes: &[Node<'_>]) -> Channel {
    let mut channel = Channel::default();
    let bare = |bundle: &Bundle| Entry {
        name: bundle.name.clone(),
        skip_range: bundle.updates.skip_range.clone(),
        ..Entry::default()
    };
    let mut below: Option<&Bundle> = None;
    for node in nodes {
        let mut entry = bare(node.bundle);
        for replaced in &node.replaces {
            if below.is_some_and(|below| below.name == replaced.name) {
                entry.replaces.clone_from(&replaced.name);
            } else {
                entry.skips.push(replaced.name.clone());
                channel.entries.entry(replaced.name.clone()).or_insert_with(|| bare(replaced));
            }
        }
        channel.head.clone_from(&entry.name);
        channel.entries.insert(entry.name.clone(), entry);
        below = Some(node.bundle);
    }
    channel
}
