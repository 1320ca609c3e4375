//! A set as a whole: who is left behind in one sentence, and a matrix of packages and versions.

use crate::finding::Finding;
use crate::set::CatalogSet;
use catalog::{BundleName, Package, heads};
use predicate::PackageName;
use source::{Rule, Severity};
use std::collections::BTreeSet;
use std::sync::Arc;
use vocabulary::OpenShift;

/// What a package is in the members.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatrixRow {
    /// The package.
    pub package: PackageName,
    /// In order; together all members.
    pub cells: Vec<Cell>,
}

/// What a package is in one member, or in several that follow each other and have it from the same texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// The first member.
    pub from: OpenShift,
    /// The last member.
    pub to: OpenShift,
    /// The head of the default channel; absent without the package, or if the channel has no head.
    pub head: Option<BundleName>,
    /// Whether these members have the package.
    pub is_there: bool,
    /// The worst finding about these members, or about the updates of OpenShift that begin there.
    pub worst: Option<Severity>,
}

/// All packages by name, each with its cells.
#[must_use]
pub fn matrix(set: &CatalogSet, findings: &[Finding]) -> Vec<MatrixRow> {
    let row = |name: &PackageName| {
        let own: Vec<&Finding> = findings.iter().filter(|finding| finding.package.as_ref() == Some(name)).collect();
        let mut cells: Vec<(Cell, Option<&Arc<Package>>)> = Vec::new();
        for member in &set.members {
            let package = member.catalog.shared_package(name.as_str());
            let is_same = |known: Option<&Arc<Package>>| match (known, package) {
                (Some(known), Some(package)) => Arc::ptr_eq(known, package),
                (known, package) => known.is_none() && package.is_none(),
            };
            let worst = worst(&own, member.version);
            match cells.last_mut() {
                Some((cell, known)) if is_same(*known) => {
                    cell.to = member.version;
                    cell.worst = cell.worst.into_iter().chain(worst).min();
                }
                _ => {
                    let head = package.and_then(|package| default_head(package));
                    let (from, to, is_there) = (member.version, member.version, package.is_some());
                    cells.push((Cell { from, to, head, is_there, worst }, package));
                }
            }
        }
        MatrixRow { package: name.clone(), cells: cells.into_iter().map(|(cell, _)| cell).collect() }
    };
    set.packages().into_iter().map(row).collect()
}

/// The worst of the findings about a member, or about what an update from it does.
fn worst(findings: &[&Finding], version: OpenShift) -> Option<Severity> {
    let is_meant = |finding: &&&Finding| match (finding.is_about_updates(), finding.rows.is_empty()) {
        (true, false) => finding.rows.iter().any(|row| row.from == version),
        (true, true) => finding.from <= version && version < finding.to,
        (false, _) => finding.from <= version && version <= finding.to,
    };
    findings.iter().filter(is_meant).map(|finding| finding.severity).min()
}

fn default_head(package: &Package) -> Option<BundleName> {
    let channel = package.channel(package.default_channel.as_ref()?.value.as_str())?;
    match heads(channel)[..] {
        [head] => Some(head.into()),
        _ => None,
    }
}

/// The packages that leave clusters behind that are up to date, somewhere on the way from the first member to the last.
#[must_use]
pub fn harmful(findings: &[Finding]) -> BTreeSet<&PackageName> {
    let is_harm = |finding: &&Finding| {
        let rules = [Rule::SetPackageEnds, Rule::SetChannelEnds, Rule::SetInstalledLost, Rule::SetInstalledAhead];
        let is_free = finding.severity == Severity::Hint;
        rules.contains(&finding.rule) && !is_free && finding.rows.iter().any(|row| row.is_end)
    };
    findings.iter().filter(is_harm).filter_map(|finding| finding.package.as_ref()).collect()
}

/// The result in one sentence.
#[must_use]
pub fn sentence(set: &CatalogSet, findings: &[Finding]) -> String {
    let (Some(first), Some(last)) = (set.members.first(), set.members.last()) else {
        return "The set has no catalog.".to_owned();
    };
    let (harmful, all) = (harmful(findings).len(), set.packages().len());
    let way = format!("on the way from {} to {}", first.version, last.version);
    match (harmful, all) {
        (0, 1) => format!("The package leaves nobody behind {way}."),
        (_, 1) => format!("The package leaves somebody behind {way}."),
        (0, _) => format!("None of {all} packages leaves anybody behind {way}."),
        (1, _) => format!("1 of {all} packages leaves somebody behind {way}."),
        _ => format!("{harmful} of {all} packages leave somebody behind {way}."),
    }
}
