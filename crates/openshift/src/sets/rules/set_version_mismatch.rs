//! `set-version-mismatch`

use crate::sets::finding::Finding;
use crate::sets::recognise::Doubt;
use crate::sets::set::CatalogSet;
use source::{Rule, Span};

pub(super) fn check(set: &CatalogSet) -> Vec<Finding> {
    let finding = |doubt: &Doubt| {
        let member = set.member(doubt.version).or(set.members.first())?;
        let package = member.catalog.packages.first()?;
        let (rule, message) = (Rule::SetVersionMismatch, doubt.message.clone());
        let mut found = Finding::of_member(rule, member.version, &package.name, None, message);
        found.package = None;
        let span = set.file_at(&doubt.dockerfile).map(|file| Span::new(file, doubt.at, doubt.at));
        found.spans = span.or(package.span()).map(|span| (member.version, span)).into_iter().collect();
        Some(found)
    };
    set.doubts.iter().filter_map(finding).collect()
}
