//! `set-version-mismatch`

use crate::sets::finding::Finding;
use crate::sets::set::CatalogSet;
use source::{Rule, Span};

pub(super) fn check(set: &CatalogSet) -> Vec<Finding> {
    let finding = |mismatch: &crate::sets::Mismatch| {
        let declared = mismatch.declared.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        let message = format!(
            "`{}` is named for {}, but `{}` names {declared}, which counts",
            mismatch.path, mismatch.named, mismatch.dockerfile
        );
        let member = set.member(*mismatch.declared.first()?)?;
        let package = member.catalog.packages.first()?;
        let mut found = Finding::of_member(Rule::SetVersionMismatch, member.version, &package.name, None, message);
        found.package = None;
        let span = set.file_at(&mismatch.dockerfile).map(|file| Span::new(file, 0, 0));
        found.spans = span.or(package.span()).map(|span| (member.version, span)).into_iter().collect();
        Some(found)
    };
    set.mismatches.iter().filter_map(finding).collect()
}
