//! `set-default-differs`

use crate::sets::finding::Finding;
use crate::sets::installed::PackagePair;
use source::{Rule, Severity};

pub(super) fn check(pairs: &[PackagePair<'_>]) -> Vec<Finding> {
    let finding = |of: &PackagePair<'_>| {
        let (before, after) = (of.old.default_channel.as_ref()?, of.new?.default_channel.as_ref()?);
        if before.value == after.value {
            return None;
        }
        let (old, new) = (of.pair.old.version, of.pair.new.version);
        let is_gone = of.new?.channel(before.value.as_str()).is_none();
        let gone = if is_gone { ", which is gone" } else { "" };
        let message =
            format!("the default channel is `{}` in the next catalog instead of `{}`{gone}", after.value, before.value);
        let found = Finding::of_member(Rule::SetDefaultDiffers, old, of.name, None, message).between(old, new);
        let found = Finding { spans: vec![(new, after.span)], ..found };
        Some(found.with_severity(if is_gone { Severity::Warning } else { Severity::Hint }))
    };
    pairs.iter().filter_map(finding).collect()
}
