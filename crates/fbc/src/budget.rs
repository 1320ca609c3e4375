//! Limits the memory that reading takes, in proportion to the text.
//!
//! Go shares strings and collects garbage; we keep trees and documents with a place for every value, and a text such as
//! `[1,1,1]` has a value in every other byte. So that no text, however it is made, takes more than ten times its own size and
//! 72 MiB, what reading builds is counted roughly, and a document that exceeds the limit is left out with a finding.

use crate::raw::{RawDoc, RawEntry, Text};
use crate::{Node, Value};

/// What a file may take whatever its size, in bytes: 60 channels of 1000 entries, however short their names are, or a
/// channel of 20,000 entries with their bundles. Real catalogs take about their own size.
const FREE: u64 = 72 << 20;

/// How many bytes each byte of text may take.
const PER_BYTE: u64 = 3;

/// A node in a list or mapping that is still growing.
const NODE: u64 = 80;

/// A text of its own, with the memory that is lost while it is made.
const TEXT: u64 = 80;

/// A key of a mapping, with its node's place.
const KEY: u64 = 112;

/// The bytes of a unit, in which the cost of documents is counted.
const UNIT: u64 = 64;

/// How many bytes may be built for a text of `bytes` bytes.
const fn allowance(bytes: usize) -> u64 {
    FREE + PER_BYTE * bytes as u64
}

/// How many units all documents in `bytes` bytes of text may cost.
pub(crate) const fn affordable(bytes: usize) -> u32 {
    (allowance(bytes) / UNIT) as u32
}

/// How many units the documents in a part of a text may cost, if all parts are kept at once.
pub(crate) const fn share(part: usize, text: usize) -> u32 {
    let free = FREE * part as u64 / if text == 0 { 1 } else { text as u64 };
    ((free + PER_BYTE * part as u64) / UNIT) as u32
}

/// What may still be built for one document.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Budget {
    left: u64,
}

/// A document would take more than it may.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Spent;

impl Spent {
    /// What is wrong with the text.
    pub(crate) const MESSAGE: &str = "holds more or longer values than Opscope keeps in memory for a text of its size,";
}

impl Budget {
    /// The budget of a document of `bytes` bytes.
    pub(crate) const fn of(bytes: usize) -> Self {
        Self { left: allowance(bytes) }
    }

    /// Takes what a node needs, without the nodes in it.
    pub(crate) fn node(&mut self, node: &Node) -> Result<(), Spent> {
        self.spend(own_weight(node))
    }

    /// Takes what a key needs.
    pub(crate) fn key(&mut self, key: &str) -> Result<(), Spent> {
        self.spend(KEY + key.len() as u64)
    }

    pub(crate) fn spend(&mut self, bytes: u64) -> Result<(), Spent> {
        match self.left.checked_sub(bytes) {
            Some(left) => {
                self.left = left;
                Ok(())
            }
            None => Err(Spent),
        }
    }
}

fn own_weight(node: &Node) -> u64 {
    NODE + node.as_str().map_or(0, |text| TEXT + text.len() as u64)
}

/// What a node takes with all nodes in it.
pub(crate) fn weight(node: &Node) -> u64 {
    let inside: u64 = match &node.value {
        Value::Sequence(items) => items.iter().map(weight).sum(),
        Value::Mapping(entries) => entries.iter().map(|(key, node)| KEY + key.value.len() as u64 + weight(node)).sum(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Unopened => 0,
    };
    own_weight(node) + inside
}

/// How often the bytes of a name are kept: in the document, the model, indexes, findings and their places.
const COPIES: u64 = 40;

/// How often the bytes of a `skipRange` are counted: its versions take eight times its bytes, in the model and while they are compared.
const RANGE_COPIES: u64 = 22;

/// Shorter names are part of what an entry or a document takes.
const USUAL_NAME: usize = 256;

/// What a document takes with what follows from it (the model, indexes, and what is found wrong with it), in units.
pub(crate) fn cost(doc: &RawDoc) -> u32 {
    let bytes = match doc {
        RawDoc::Package(package) => 1500 + names([&package.name, &package.default_channel]),
        RawDoc::Channel(channel) => {
            let entry = |entry: &RawEntry| {
                let skips: u64 = entry.skips.iter().map(|name| 150 + long_name(name)).sum();
                let range = entry.skip_range.iter().map(|range| RANGE_COPIES * beyond_usual(range)).sum::<u64>();
                1200 + skips + range + names([&entry.name, &entry.replaces])
            };
            2000 + names([&channel.package, &channel.name]) + channel.entries.iter().map(entry).sum::<u64>()
        }
        RawDoc::Bundle(bundle) => {
            let properties = bundle.properties.iter().map(|property| 300 + property.value.as_ref().map_or(0, weight));
            let names = names([&bundle.package, &bundle.name, &bundle.image]);
            1300 + names + properties.sum::<u64>() + 300 * bundle.related_images.len() as u64
        }
        RawDoc::Deprecations(deprecations) => {
            let entries = deprecations.entries.iter().map(|entry| 1500 + names([&entry.name, &entry.schema]));
            1000 + names([&deprecations.package]) + entries.sum::<u64>()
        }
        // The values are kept as they are, and read into the model.
        RawDoc::Other(other) => 300 + 3 * other.lifecycle.iter().map(|(_, node)| weight(node)).sum::<u64>(),
    };
    u32::try_from(bytes.div_ceil(UNIT)).unwrap_or(u32::MAX)
}

fn names<const N: usize>(names: [&Option<Text>; N]) -> u64 {
    names.into_iter().flatten().map(long_name).sum()
}

/// What a name takes beyond what is counted for every name.
fn long_name(name: &Text) -> u64 {
    COPIES * beyond_usual(name)
}

/// How many bytes a text has beyond what is counted for every text.
const fn beyond_usual(text: &Text) -> u64 {
    text.value.len().saturating_sub(USUAL_NAME) as u64
}
