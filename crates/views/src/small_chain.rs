//! The way of an installed version to the head of its channel, in a few boxes, and what is told beside it.

use serde::{Deserialize, Serialize};
use source::Mark;

/// The updates from a version to the head of its channel, and where they break off.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SmallChain {
    pub channel: String,
    /// From old to new: the version, some of those on its way, the head.
    pub steps: Vec<ChainStep>,
    /// What OLM makes of it and why, in one sentence; versions are in backticks.
    pub cause: String,
}

/// A version on the way, and the line that leads to it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChainStep {
    pub label: String,
    /// Those of [`Mark::Head`], [`Mark::Skipped`] and [`Mark::Stranded`] that it has in its channel.
    pub marks: Vec<Mark>,
    /// The line from the step before; of the first one it says nothing.
    pub line: ChainLine,
    /// How many versions are left out before it.
    pub more: u32,
}

/// The steps in words: `0.2.1, stuck; an ignored edge to 0.2.3, skipped; then 0.3.0, the head`.
#[must_use]
pub fn chain_words(steps: &[ChainStep]) -> String {
    let step = |(at, step): (usize, &ChainStep)| {
        let line = match (at, step.line) {
            (0, _) => "",
            (_, ChainLine::Update) => "then ",
            (_, ChainLine::Ignored) => "an ignored edge to ",
            (_, ChainLine::Missing) => "nothing leads to ",
        };
        let more = if step.more > 0 { format!("then {} more; ", step.more) } else { String::new() };
        let mark = if step.marks.contains(&Mark::Stranded) {
            ", stuck"
        } else if step.marks.contains(&Mark::Head) {
            ", the head"
        } else if step.marks.contains(&Mark::Skipped) {
            ", skipped"
        } else {
            ""
        };
        format!("{more}{line}{}{mark}", step.label)
    };
    steps.iter().enumerate().map(step).collect::<Vec<_>>().join("; ")
}

/// What leads from one version to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ChainLine {
    /// OLM makes the update.
    Update,
    /// An edge that OLM ignores, because its entry is not in the update chain.
    Ignored,
    Missing,
}

/// The stuck versions of the channel that has the most of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StuckView {
    /// How many there are in all channels of the package.
    pub versions: u32,
    /// How many and why, as a short sentence without full stop; versions are in backticks.
    pub sentence: String,
    /// The way of the newest one.
    pub chain: SmallChain,
}
