//! Anchored nodes, and yaml.v2's bound on how often aliases repeat them.

use super::fault::Fault;
use crate::{Node, budget};
use std::collections::BTreeMap;

/// A node that aliases can name.
#[derive(Clone)]
pub(super) struct Anchored {
    pub(super) node: Node,
    /// Levels below the node.
    pub(super) height: usize,
    /// How many nodes it decodes to, aliases inside it expanded.
    pub(super) size: u64,
    /// How much a copy of it takes.
    pub(super) weight: u64,
}

/// All anchored nodes of a document and what was spent on them.
#[derive(Default)]
pub(super) struct Anchors<'a> {
    /// The number of the last anchor of a name; the first is 1.
    numbers: BTreeMap<&'a str, usize>,
    count: usize,
    /// By number, those that are read to their end.
    known: BTreeMap<usize, Anchored>,
    /// Nodes decoded so far, aliases expanded.
    pub(super) decoded: u64,
    through_aliases: u64,
}

impl<'a> Anchors<'a> {
    /// The number of an anchor that begins now.
    pub(super) fn begin(&mut self, name: &'a str) -> usize {
        self.count += 1;
        self.numbers.insert(name, self.count);
        self.count
    }

    /// The number of the last anchor of a name.
    pub(super) fn named(&self, name: &str) -> Option<usize> {
        self.numbers.get(name).copied()
    }

    /// Keeps a node, if it has an anchor; how much that takes.
    pub(super) fn define(&mut self, anchor: usize, node: &Node, height: usize, size: u64) -> u64 {
        if anchor == 0 {
            return 0;
        }
        let weight = budget::weight(node);
        self.known.insert(anchor, Anchored { node: node.clone(), height, size, weight });
        weight
    }

    /// The node that the alias at `at` stands for; nothing when it is not built.
    pub(super) fn expand(&mut self, anchor: usize, at: usize) -> Result<Option<&Anchored>, Fault> {
        let Some(target) = self.known.get(&anchor) else { return Ok(None) };
        self.decoded = self.decoded.saturating_add(target.size);
        self.through_aliases = self.through_aliases.saturating_add(target.size);
        let share = self.through_aliases as f64 / self.decoded as f64;
        let excessive = self.through_aliases > 100 && self.decoded > 1000 && share > allowed_share(self.decoded);
        match excessive {
            true => {
                let message = "the aliases of this document expand to far more than its text";
                Err(Fault::bare(at, message, "document contains excessive aliasing"))
            }
            false => Ok(Some(target)),
        }
    }
}

/// yaml.v2 `decode.go` `allowedAliasRatio`: from 0.99 up to 400 000 nodes down to 0.10 from 4 000 000 on.
fn allowed_share(decoded: u64) -> f64 {
    const LOW: u64 = 400_000;
    const HIGH: u64 = 4_000_000;
    match decoded {
        ..=LOW => 0.99,
        HIGH.. => 0.10,
        _ => 0.99 - 0.89 * ((decoded - LOW) as f64 / (HIGH - LOW) as f64),
    }
}
