//! Catalogs of one publisher for several versions of OpenShift. Sentences have names in backticks.

use crate::{Level, Severity};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use source::OpenShift;
use std::collections::{BTreeMap, BTreeSet};

/// Identifies a set. Never reused.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, JsonSchema, Serialize, Deserialize)]
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
    /// Whether the other sets are only compared with it.
    pub is_baseline: bool,
}

/// A set as a matrix of packages and versions, with what is wrong with it.
#[derive(Clone, Debug, Default, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct SetView {
    pub id: SetId,
    /// What the paths have in common, with `*` for the version.
    pub pattern: String,
    /// Whose updates stop, in a sentence.
    pub sentence: String,
    /// By version.
    pub members: Vec<SetMemberView>,
    /// The versions between them that are not loaded.
    pub missing: Vec<OpenShift>,
    /// The versions with a folder and without a catalog.
    pub holes: Vec<SetHole>,
    /// Members that a cluster gets nothing from, and files that were not read: sentences.
    pub notices: Vec<String>,
    /// The packages with operators that are up to date and stop updating.
    pub harmful: Vec<String>,
    /// The packages by name.
    pub matrix: Vec<SetPackage>,
    pub findings: Vec<SetFinding>,
    /// The set that it is compared with.
    pub before: Option<SetId>,
    /// What a change does to the catalogs; absent if nothing is compared.
    pub changes: Option<Vec<SetChange>>,
    /// How many findings were there before the change, and are not listed.
    pub known: Option<usize>,
    /// What the answer does not say: sentences.
    pub limits: Vec<String>,
}

impl SetView {
    /// The versions of the members, in order.
    pub fn versions(&self) -> impl Iterator<Item = OpenShift> {
        self.members.iter().map(|member| member.version)
    }

    /// The findings by package, the worst first; those about several packages have none.
    #[must_use]
    pub fn by_package(&self) -> BTreeMap<Option<&str>, Vec<&SetFinding>> {
        let mut found: BTreeMap<Option<&str>, Vec<&SetFinding>> = BTreeMap::new();
        self.findings.iter().for_each(|finding| found.entry(finding.package.as_deref()).or_default().push(finding));
        found.values_mut().for_each(|findings| findings.sort_by_key(|finding| finding.harm));
        found
    }

    /// How many packages have operators that stop updating at each update of OpenShift, by the version after it.
    #[must_use]
    pub fn stranding(&self) -> BTreeMap<OpenShift, usize> {
        let mut found: BTreeMap<OpenShift, BTreeSet<&str>> = BTreeMap::new();
        let is_meant = |finding: &&SetFinding| finding.harm == Severity::Error && !finding.is_about_repository;
        for finding in self.findings.iter().filter(is_meant) {
            let (from, to) = finding.pair();
            let after = finding.rows.iter().map(|row| row.to).chain((from != to).then_some(to));
            after.for_each(|to| found.entry(to).or_default().extend(finding.package.as_deref()));
        }
        found.into_iter().map(|(to, packages)| (to, packages.len())).collect()
    }

    /// Whether `opm` rejects a member, there is an error, or the change is breaking.
    #[must_use]
    pub fn is_bad(&self) -> bool {
        self.members.iter().any(|member| member.rejected.is_some())
            || self.findings.iter().any(|finding| finding.severity == Severity::Error)
            || self.changes.iter().flatten().any(|change| change.level == Some(Level::Breaking))
    }
}

/// The catalog for one version of OpenShift.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct SetMemberView {
    pub version: OpenShift,
    pub paths: Vec<String>,
    pub packages: usize,
    /// Why `opm validate` rejects the catalog, if it does.
    pub rejected: Option<SetRejection>,
    /// The files of which nothing or only a part was read, and why.
    pub unread: Vec<String>,
}

/// Why `opm` rejects a catalog.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct SetRejection {
    /// All that it prints.
    pub text: String,
    /// The first error.
    pub error: String,
    pub place: SetPlace,
}

/// A version with a folder and without a catalog.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct SetHole {
    pub version: OpenShift,
    /// What is there instead of a catalog.
    pub reason: String,
}

/// A place in a catalog. Lines and columns count from 1, columns in UTF-16 units.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct SetPlace {
    pub openshift: OpenShift,
    pub path: String,
    /// Line and column of the first character.
    pub start: (u32, u32),
    /// Line and column after the last character.
    pub end: (u32, u32),
}

/// What a change does to a package in some of the catalogs.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct SetChange {
    pub package: String,
    pub versions: Vec<OpenShift>,
    pub level: Option<Level>,
    /// Such as "2 of 4 installed versions get stuck".
    pub sentence: String,
}

/// A package in the members of a set.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct SetPackage {
    pub package: String,
    /// In order; together all versions.
    pub cells: Vec<SetCell>,
}

/// What a package is in one member, or in several that follow each other and have it from the same texts.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct SetCell {
    /// The first member.
    pub from: OpenShift,
    /// The last member.
    pub to: OpenShift,
    /// How many members it covers.
    pub span: u32,
    /// The head of the default channel.
    pub head: Option<String>,
    /// Its version, or what stands for it where there is none.
    pub text: String,
    /// Whether these members have the package; absent if nobody knows, because a part of them was not read.
    pub is_there: Option<bool>,
    pub label: String,
    /// The members that it leads to: the last of its own and the one after that; of the last one those before.
    pub pair: (OpenShift, OpenShift),
    /// The worst finding about them, or about the updates of OpenShift that begin there.
    pub worst: Option<Severity>,
}

/// What is wrong with a set.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct SetFinding {
    /// The rule.
    pub id: String,
    pub severity: Severity,
    /// How bad it is for clusters: an error if some that are up to date are left behind.
    pub harm: Severity,
    /// Whether it is about the repository that the catalogs are made from, and not about clusters.
    pub is_about_repository: bool,
    pub package: Option<String>,
    pub channel: Option<String>,
    pub from: OpenShift,
    pub to: OpenShift,
    /// The versions and the channel that it is about, and what is wrong.
    pub text: String,
    /// The package, the versions and the channel that it is about, and what is wrong.
    pub sentence: String,
    /// What is wrong.
    pub message: String,
    /// The installed versions that it is about.
    pub rows: Vec<InstalledRow>,
    /// The same in words.
    pub installed: Vec<String>,
    /// What helps those who have them.
    pub way_out: Option<WayOut>,
    pub places: Vec<SetPlace>,
}

impl SetFinding {
    /// The member before the update that it is about, and the one after it; of a finding about one member that one twice.
    #[must_use]
    pub fn pair(&self) -> (OpenShift, OpenShift) {
        self.rows.first().map_or((self.from, self.to), |row| (row.from, row.to))
    }
}

/// An installed version that an update of OpenShift leaves behind, or changes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, JsonSchema, Serialize, Deserialize)]
pub struct InstalledRow {
    /// The version of OpenShift before the update.
    pub from: OpenShift,
    /// The version of OpenShift after it.
    pub to: OpenShift,
    pub channel: String,
    pub installed: String,
    /// Whether nothing follows it before the update of OpenShift: clusters that are up to date have it.
    pub is_end: bool,
    /// Where its updates end before the update; itself if none follows.
    pub end: String,
}

/// What helps those who have an installed version that an update of OpenShift leaves behind.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct WayOut {
    /// `switch-before`, `switch-after`, `update-first` or `reinstall`.
    pub kind: String,
    pub channel: Option<String>,
    pub bundle: Option<String>,
    pub text: String,
}
