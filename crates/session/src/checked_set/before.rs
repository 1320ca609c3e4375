//! What a change does to a set: to each of its catalogs, and which findings are new.

use catalog::predicate::PackageName;
use compare::{Level, NOTHING, PackageComparison, Runtime, compare_package, edits, sentence};
use openshift::sets::{CatalogSet, Finding, InstalledRow, OpenShift};
use source::Executor;
use std::collections::{BTreeMap, BTreeSet};
use views::SetChange;

/// The changes of all catalogs that are there before and after and were read completely, by package. The same change of several
/// catalogs is one.
pub fn changes(before: &CatalogSet, after: &CatalogSet, executor: Executor) -> Vec<SetChange> {
    let [before, after] = [before.complete(), after.complete()];
    let members = after.members.iter().filter_map(|new| Some((before.member(new.version)?, new)));
    let packages = members.flat_map(|(old, new)| old.catalog.packages.iter().map(move |package| (old, new, package)));
    let differing = packages.filter(|(_, new, package)| {
        let after = new.catalog.package(package.name.as_str());
        after.is_none_or(|after| !edits(package, after).is_empty())
    });
    let differing: Vec<_> = differing.collect();
    let compared = executor.map(&differing, |(old, new, package)| {
        let found = compare_package(old.state(), new.state(), &package.name, Runtime::V0);
        let sentence = sentence(&found, |_| true).unwrap_or_else(|| NOTHING.to_owned());
        (new.version, worst(&found), sentence, found.package)
    });
    let mut changes: BTreeMap<(PackageName, String), (Option<Level>, Vec<OpenShift>)> = BTreeMap::new();
    for (version, level, sentence, package) in compared {
        let (_, versions) = changes.entry((package, sentence)).or_insert_with(|| (level, Vec::new()));
        versions.push(version);
    }
    let change = |((package, sentence), (level, versions)): ((PackageName, String), _)| SetChange {
        package: package.to_string(),
        versions,
        sentence,
        level,
    };
    changes.into_iter().map(change).collect()
}

/// The worst level of the rows.
fn worst(found: &PackageComparison) -> Option<Level> {
    found.subscriptions().filter_map(|row| row.rule).map(|rule| rule.level()).max()
}

/// Leaves only findings that were not there before. Returns how many were.
pub(super) fn keep_new(before: &[Finding], findings: &mut Vec<Finding>) -> usize {
    let count = findings.len();
    findings.retain(|finding| !is_known(before, finding));
    count - findings.len()
}

fn is_known(before: &[Finding], finding: &Finding) -> bool {
    let key = |of: &Finding| (of.rule, of.severity, of.package.clone(), of.channel.clone());
    let same: Vec<&Finding> = before.iter().filter(|known| key(known) == key(finding)).collect();
    if finding.rows.is_empty() {
        return same
            .iter()
            .any(|known| known.message == finding.message && known.from <= finding.from && finding.to <= known.to);
    }
    let known: BTreeSet<&InstalledRow> = same.iter().flat_map(|known| &known.rows).collect();
    finding.rows.iter().all(|row| known.contains(row))
}
