//! Which entries of a channel remain: the order of a channel as oc-mirror has it, and its walk with a range (catalog-filter,
//! `pkg/filter/mirror-config/v1alpha1/channel.go`).

use crate::Bounds;
use catalog::{BundleName, Channel};
use fbc::quoted;
use go_semver::blang::Version;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// The entries of a channel and all names that they replace and skip.
pub(crate) struct ChannelOrder<'c> {
    nodes: Vec<ChannelNode<'c>>,
    head: usize,
}

struct ChannelNode<'c> {
    name: &'c BundleName,
    replaces: Option<usize>,
    skips: BTreeSet<usize>,
}

/// What remains of a channel within a range.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct KeptEntries {
    /// Names, some of which may be no entries.
    pub(crate) names: BTreeSet<BundleName>,
    /// The notes of catalog-filter about names outside of the range, from the head on.
    pub(crate) notes: Vec<String>,
}

impl<'c> ChannelOrder<'c> {
    /// Orders a channel. The error is that of catalog-filter; several are joined by line breaks.
    pub(crate) fn of(channel: &'c Channel) -> Result<Self, String> {
        if channel.entries.is_empty() {
            return Err("channel has no entries".to_owned());
        }
        let mut ids: BTreeMap<&BundleName, usize> = BTreeMap::new();
        let mut nodes: Vec<ChannelNode<'c>> = Vec::new();
        let mut id = |name: &'c BundleName, nodes: &mut Vec<ChannelNode<'c>>| {
            *ids.entry(name).or_insert_with(|| {
                nodes.push(ChannelNode { name, replaces: None, skips: BTreeSet::new() });
                nodes.len() - 1
            })
        };
        let mut listed = BTreeSet::new();
        let mut errors = Vec::new();
        for entry in &channel.entries {
            let name = &entry.name.value;
            let at = id(name, &mut nodes);
            if !listed.insert(at) {
                errors.push(format!("duplicate channel entry {}", quoted(name.as_str())));
                continue;
            }
            if let Some(replaced) = entry.replaces.as_ref().map(|replaces| &replaces.value) {
                if replaced == name {
                    errors.push(format!("invalid channel entry {}: replaces itself", quoted(name.as_str())));
                }
                nodes[at].replaces = Some(id(replaced, &mut nodes));
            }
            for skipped in entry.skips.iter().map(|skip| &skip.value) {
                if skipped == name {
                    errors.push(format!("invalid channel entry {}: skips itself", quoted(name.as_str())));
                }
                let skipped = id(skipped, &mut nodes);
                nodes[at].skips.insert(skipped);
            }
        }
        let mut incoming = vec![0_usize; nodes.len()];
        nodes.iter().flat_map(targets).for_each(|target| incoming[target] += 1);
        let heads = channel.entries.iter().map(|entry| id(&entry.name.value, &mut nodes));
        let heads: Vec<usize> = heads.filter(|at| incoming[*at] == 0).collect();
        match &heads[..] {
            [] => errors.push("no channel heads found".to_owned()),
            [_] => {}
            several => {
                let mut names: Vec<&str> = several.iter().map(|at| nodes[*at].name.as_str()).collect();
                names.sort_unstable();
                errors.push(format!("multiple channel heads found: [{}]", names.join(" ")));
            }
        }
        let (Some(&head), true) = (heads.first(), errors.is_empty()) else { return Err(errors.join("\n")) };
        if has_cycle(&nodes, head, incoming) {
            return Err("detected a cycle in the upgrade graph of the channel".to_owned());
        }
        Ok(Self { nodes, head })
    }

    /// The entry that no other one replaces or skips.
    pub(crate) fn head(&self) -> &'c BundleName {
        self.nodes[self.head].name
    }

    /// The part of the chain of `replaces` that has all versions of the range at or below its head: it ends before the first
    /// node below which there is none. Of what its nodes skip, only what is in the range.
    pub(crate) fn within(&self, bounds: &Bounds, version: &dyn Fn(&BundleName) -> Option<Version>) -> KeptEntries {
        let mut chain = vec![self.head];
        chain.extend(std::iter::successors(self.nodes[self.head].replaces, |at| self.nodes[*at].replaces));
        let is_inside = |at: usize| version(self.nodes[at].name).is_some_and(|version| bounds.contain(&version));
        // How many versions of the range are at or below each node of the chain.
        let (mut counts, mut seen) = (vec![0_usize; chain.len()], BTreeSet::new());
        let mut count = 0;
        for (place, &at) in chain.iter().enumerate().rev() {
            let nodes = std::iter::once(at).chain(self.nodes[at].skips.iter().copied());
            count += nodes.filter(|node| is_inside(*node) && seen.insert(*node)).count();
            counts[place] = count;
        }
        let mut kept = KeptEntries::default();
        let all = counts[0];
        if all == 0 {
            return kept;
        }
        let head = counts.iter().rposition(|count| *count == all).unwrap_or_default();
        for &at in chain[head..].iter().zip(&counts[head..]).take_while(|(_, count)| **count > 0).map(|(at, _)| at) {
            let name = self.nodes[at].name;
            kept.notes.extend(note(name, version(name).as_ref(), bounds));
            kept.names.insert(name.clone());
            let skipped = self.nodes[at].skips.iter().filter(|skipped| is_inside(**skipped));
            kept.names.extend(skipped.map(|skipped| self.nodes[*skipped].name.clone()));
        }
        kept
    }
}

/// What a node replaces and skips, each once.
fn targets(node: &ChannelNode<'_>) -> BTreeSet<usize> {
    node.skips.iter().copied().chain(node.replaces).collect()
}

/// Whether the edges cannot all be followed from the head, each node after all that lead to it.
fn has_cycle(nodes: &[ChannelNode<'_>], head: usize, mut incoming: Vec<usize>) -> bool {
    let mut queue = VecDeque::from([head]);
    let mut followed = 0;
    while let Some(at) = queue.pop_front() {
        followed += 1;
        for target in targets(&nodes[at]) {
            incoming[target] -= 1;
            if incoming[target] == 0 {
                queue.push_back(target);
            }
        }
    }
    followed < nodes.len()
}

fn note(name: &BundleName, version: Option<&Version>, bounds: &Bounds) -> Option<String> {
    let name = quoted(name.as_str());
    match version {
        None => Some(format!(
            "including bundle {name}: it is unversioned but is required to ensure inclusion of all bundles in the range"
        )),
        Some(version) if !bounds.contain(version) => {
            let (version, range) = (quoted(&version.to_string()), quoted(bounds.range().trim_start()));
            Some(format!(
                "including bundle {name} with version {version}: it falls outside the specified range of {range} but is required to ensure inclusion of all bundles in the range"
            ))
        }
        Some(_) => None,
    }
}
