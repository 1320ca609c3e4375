//! What is selected other than an entry, and facts about anything as rows.

use crate::{CsvRef, FindingView, Place};
use serde::{Deserialize, Serialize};

/// Something of a package that is not an entry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Subject {
    /// The package itself.
    Package,
    /// A channel.
    Channel {
        /// Its name.
        channel: String,
    },
    /// That an entry names another one in `replaces` or `skips`.
    Edge {
        /// The channel.
        channel: String,
        /// The older entry.
        from: String,
        /// The entry that names it.
        to: String,
    },
    /// The skipRange of an entry.
    Range {
        /// The channel.
        channel: String,
        /// The entry.
        entry: String,
    },
}

/// All about it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SubjectView {
    /// What it is called.
    pub title: String,
    /// What it is, a sentence; names are in backticks.
    pub summary: String,
    /// What there is to know.
    pub facts: Vec<FactRow>,
    /// Findings about it.
    pub findings: Vec<FindingView>,
    /// Where it stands.
    pub excerpt: Option<Excerpt>,
}

/// What there is to know under one heading.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FactRow {
    /// The heading: a field of the catalog, or a word or two.
    pub name: String,
    /// One line each.
    pub lines: Vec<FactLine>,
}

/// One thing to know.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FactLine {
    /// A text; names are in backticks.
    pub text: String,
    /// Where it stands.
    pub place: Option<Place>,
    /// The bundle that it is about.
    pub csv: Option<CsvRef>,
    /// An address on the web, `http` or `https`.
    pub link: Option<String>,
}

/// Some lines of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Excerpt {
    /// The number of the first line, from 1.
    pub first_line: u32,
    /// The lines, indented as in the file.
    pub text: String,
    /// How many lines follow that belong to it.
    pub more: u32,
    /// Where all of it stands.
    pub place: Place,
}
