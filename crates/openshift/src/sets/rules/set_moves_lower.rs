//! `set-moves-lower`

use crate::sets::finding::Finding;
use crate::sets::installed::{Outcome, PackagePair};
use source::Rule;

pub(super) fn check(pairs: &[PackagePair<'_>]) -> Vec<Finding> {
    let mut found = Vec::new();
    for of in pairs {
        for (channel, rows) in of.channels_with(Outcome::MovesLower) {
            let (old, new) = (of.pair.old.version, of.pair.new.version);
            let to = rows[0].new.next();
            let entry = |name: &catalog::BundleName| of.new?.channel(channel.as_str())?.entry(name.as_str());
            let message = "the next catalog updates what is installed to a lower version".to_owned();
            let mut finding = Finding::of_member(Rule::SetMovesLower, old, of.name, None, message).between(old, new);
            finding.spans = to.and_then(entry).map(|entry| (new, entry.span)).into_iter().collect();
            finding.rows = rows.into_iter().map(|row| of.shown(row)).collect();
            found.push(finding.in_channel(channel));
        }
    }
    found
}
