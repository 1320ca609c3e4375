//! The targets, one file each. A target takes any bytes and panics when something does not hold.

mod cel;
mod desk;
mod graph;
mod ignore;
mod manifests;
mod range;
mod resolution;
mod stream;
mod template;
mod trees;
mod version;

use crate::words;

/// Something that takes any input.
pub struct Target {
    /// Its name.
    pub name: &'static str,
    /// Panics when something does not hold of the input.
    pub check: fn(&[u8]),
    /// The folders of inputs that it starts from.
    pub seeds: &'static [&'static str],
    /// What may well be put into an input.
    pub words: &'static [&'static [&'static str]],
    /// So many inputs are a short run.
    pub short: u64,
}

/// All targets, from the text upwards.
pub const TARGETS: &[Target] = &[
    Target { name: "version", check: version::check, seeds: &["range"], words: &[words::RANGES], short: 4000 },
    Target { name: "range", check: range::check, seeds: &["range"], words: &[words::RANGES], short: 4000 },
    Target { name: "cel", check: cel::check, seeds: &["cel"], words: &[words::CEL], short: 2000 },
    Target { name: "ignore", check: ignore::check, seeds: &["ignore"], words: &[words::IGNORE], short: 2000 },
    Target {
        name: "stream",
        check: stream::check,
        seeds: &["stream"],
        words: &[words::YAML, words::CATALOG],
        short: 600,
    },
    Target {
        name: "trees",
        check: trees::check,
        seeds: &["stream", "manifests"],
        words: &[words::YAML, words::CLUSTER],
        short: 600,
    },
    Target {
        name: "graph",
        check: graph::check,
        seeds: &["stream"],
        words: &[words::YAML, words::CATALOG],
        short: 300,
    },
    Target {
        name: "template",
        check: template::check,
        seeds: &["template"],
        words: &[words::TEMPLATE, words::CATALOG, words::YAML],
        short: 300,
    },
    Target {
        name: "manifests",
        check: manifests::check,
        seeds: &["manifests"],
        words: &[words::CLUSTER, words::YAML],
        short: 400,
    },
    Target {
        name: "resolution",
        check: resolution::check,
        seeds: &["resolution"],
        words: &[words::CATALOG, words::CLUSTER, words::RANGES],
        short: 60,
    },
    Target {
        name: "desk",
        check: desk::check,
        seeds: &["desk", "resolution"],
        words: &[words::CATALOG, words::CLUSTER, words::SCRIPT, words::YAML],
        short: 12,
    },
];

/// The target of this name.
#[must_use]
pub fn target(name: &str) -> Option<&'static Target> {
    TARGETS.iter().find(|target| target.name == name)
}

/// The text that is meant by bytes: few bytes that are none should not end a trial early.
fn text(input: &[u8]) -> String {
    String::from_utf8_lossy(input).into_owned()
}
