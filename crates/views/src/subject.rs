//! The details of something other than an entry, and rows of facts.

use crate::{CsvRef, FindingView, Place, RepairsView};
use serde::{Deserialize, Serialize};

/// A part of a package other than an entry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Subject {
    Package,
    Channel {
        channel: String,
    },
    /// A `replaces` or `skips` of an entry.
    Edge {
        channel: String,
        /// The older entry.
        from: String,
        /// The entry that names it.
        to: String,
    },
    /// The skipRange of an entry.
    Range {
        channel: String,
        entry: String,
    },
}

/// The details of a subject.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SubjectView {
    pub title: String,
    /// What it is, in one sentence; names are in backticks.
    pub summary: String,
    /// The channels of a package.
    pub channels: Vec<ChannelSummary>,
    pub facts: Vec<FactRow>,
    pub findings: Vec<FindingView>,
    /// Of a channel in which something is wrong with updates: what helps.
    pub repairs: Option<RepairsView>,
    /// Its first lines.
    pub excerpt: Option<Excerpt>,
}

/// A channel in a few words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChannelSummary {
    pub channel: String,
    /// Whether it is the default channel.
    pub default: bool,
    pub entries: u32,
    /// Its heads, with versions in place of names.
    pub heads: Vec<String>,
    pub place: Place,
}

/// Facts under one heading.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FactRow {
    /// The heading: a field of the catalog, or a few words.
    pub name: String,
    pub lines: Vec<FactLine>,
    /// Whether they are seldom looked at; the page folds them.
    pub folded: bool,
    /// Whether they are about the day of the query; the user can choose another one.
    pub has_day: bool,
}

/// A fact.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FactLine {
    /// The text; names are in backticks.
    pub text: String,
    pub place: Option<Place>,
    /// The bundle that it is about.
    pub csv: Option<CsvRef>,
    /// A web address, `http` or `https`.
    pub link: Option<String>,
}

/// The first lines of a part of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Excerpt {
    /// The number of the first line, from 1.
    pub first_line: u32,
    /// The lines, indented as in the file.
    pub text: String,
    /// The number of further lines.
    pub more: u32,
    /// The place of the whole part.
    pub place: Place,
}
