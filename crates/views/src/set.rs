//! Catalogs of one publisher for several versions of OpenShift. Sentences have names in backticks.

use crate::Severity;
use serde::{Deserialize, Serialize};
use source::OpenShift;

/// Identifies a set. Never reused.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct SetId(pub u32);

/// A set that is open.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SetRow {
    pub id: SetId,
    /// The name of the folder, or of what was opened.
    pub name: String,
    /// The versions of its members, in order.
    pub versions: Vec<OpenShift>,
    pub packages: u32,
}

/// A set as a matrix of packages and versions, with what is wrong with it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SetView {
    pub id: SetId,
    /// Who is left behind, in a sentence.
    pub sentence: String,
    /// The versions of the members, in order.
    pub versions: Vec<OpenShift>,
    /// Versions between them that are not loaded, members that a cluster gets nothing from, files that were not read, and what
    /// is wrong apart from a single package: sentences.
    pub notices: Vec<String>,
    /// The packages, the worst first, then by name.
    pub packages: Vec<SetPackage>,
}

/// A package in the members of a set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SetPackage {
    pub name: String,
    /// The worst of the findings about clusters.
    pub worst: Option<Severity>,
    /// How many of them are as bad.
    pub count: u32,
    /// In order; together all versions.
    pub cells: Vec<SetCell>,
    /// What is wrong with it for clusters, the worst first.
    pub findings: Vec<SetFinding>,
    /// What is wrong with the repository that its catalogs are made from, the worst first.
    pub repository: Vec<SetFinding>,
}

/// What a package is in one member, or in several that follow each other and have it from the same texts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SetCell {
    /// The first member.
    pub from: OpenShift,
    /// The last member.
    pub to: OpenShift,
    /// How many members it covers.
    pub span: u32,
    /// The version of the head of the default channel, or what stands for it where there is none.
    pub head: String,
    /// Whether these members have the package; also if nobody knows, because a part of them was not read.
    pub may_be_there: bool,
    pub label: String,
    /// The members that it leads to: the last of its own and the one after that; of the last one those before.
    pub pair: (OpenShift, OpenShift),
    /// The worst finding about them, or about the updates of OpenShift that begin there.
    pub worst: Option<Severity>,
}

/// What is wrong with a package in a set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SetFinding {
    /// How bad it is; an error if clusters that are up to date are left behind.
    pub severity: Severity,
    /// The versions and the channel that it is about, what is wrong, and the id of the rule.
    pub text: String,
    /// The installed versions that it is about, and what helps those who have them, in words.
    pub details: Vec<String>,
    /// The member before the update that it is about, and the one after it; of a finding about one member that one twice.
    pub pair: (OpenShift, OpenShift),
}
