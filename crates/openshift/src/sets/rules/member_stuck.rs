//! `member-stuck`

use crate::sets::finding::Finding;
use crate::sets::installed::is_stuck;
use crate::sets::set::{CatalogSet, Member};
use catalog::predicate::PackageName;
use catalog::{Catalog, Package};
use compare::{Row, Runtime, State, rows_without_texts};
use source::Rule;
use std::collections::BTreeMap;
use std::sync::Arc;
use views::InstalledRow;

pub(super) fn check(set: &CatalogSet) -> Vec<Finding> {
    let mut known: BTreeMap<*const Package, Vec<Row>> = BTreeMap::new();
    let mut found = Vec::new();
    for member in &set.members {
        for package in member.catalog.packages.iter().filter(|package| member.serves(package.name.as_str())) {
            let stuck = known.entry(Arc::as_ptr(package)).or_insert_with(|| stuck(package));
            for channel in &package.channels {
                let rows: Vec<&Row> = stuck.iter().filter(|row| row.channel == channel.name.value).collect();
                if !rows.is_empty() {
                    found.push(finding(member, &package.name, channel, &rows));
                }
            }
        }
    }
    found
}

/// The rows of versions that are not heads and that nothing follows.
fn stuck(package: &Arc<Package>) -> Vec<Row> {
    let alone = Catalog { packages: vec![Arc::clone(package)], ..Catalog::default() };
    let state = State { catalog: &alone, rejected: None };
    let rows = rows_without_texts(state, state, &package.name, Runtime::V0).rows;
    rows.into_iter().filter(|row| is_stuck(&row.old, &row.installed)).collect()
}

fn finding(member: &Member, package: &PackageName, channel: &catalog::Channel, rows: &[&Row]) -> Finding {
    let message = "nothing follows what is installed, although it is not the head".to_owned();
    let span = channel.entry(rows[0].installed.as_str()).map(|entry| entry.span);
    let shown = |row: &&Row| InstalledRow {
        from: member.version,
        to: member.version,
        channel: row.channel.to_string(),
        installed: row.installed.to_string(),
        is_end: true,
        end: row.installed.to_string(),
    };
    let found = Finding::of_member(Rule::MemberStuck, member.version, package, span, message);
    Finding { rows: rows.iter().map(shown).collect(), ..found.in_channel(&channel.name.value) }
}
