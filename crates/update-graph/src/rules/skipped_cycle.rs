//! The rule `skipped-cycle`.
//!
#![doc = include_str!("skipped_cycle.md")]

use crate::{SortErrorKind, sort_channel};
use catalog::{Chain, Channel, Entry, Package};
use source::{Diagnostic, QuickFix, Rule};
use std::collections::BTreeMap;

pub(super) fn check(package: &Package) -> impl Iterator<Item = Diagnostic> {
    package.channels.iter().filter_map(move |channel| of_channel(package, channel))
}

fn of_channel(package: &Package, channel: &Channel) -> Option<Diagnostic> {
    // Any other fault of the chain is one that `opm` reports.
    if !matches!(Chain::of(channel), Chain::Headed { .. }) {
        return None;
    }
    let error = sort_channel(channel.name.value.as_str(), package.name.as_str(), &channel.entries).err()?;
    let SortErrorKind::Cycle { head } = error.kind() else { return None };
    let last = closing(channel, head)?;
    let replaces = last.replaces.as_ref()?;
    let message = format!(
        "OLM v0 installs and updates nothing from channel `{}`: {error}; opm does not follow skipped entries, such as `{}`",
        channel.name, last.name
    );
    let finding = Diagnostic::new(Rule::SkippedCycle, replaces.span, message);
    let fix = QuickFix::remove(replaces.span, "the `replaces` that closes the circle");
    Some(finding.with_help("let skipped entries, too, replace older ones only").with_fix(fix))
}

/// The entry whose `replaces` leads back to one that the walk from the head has passed.
fn closing<'c>(channel: &'c Channel, head: &str) -> Option<&'c Entry> {
    let by_name: BTreeMap<&str, &Entry> =
        channel.entries.iter().map(|entry| (entry.name.value.as_str(), entry)).collect();
    let mut passed = vec![head];
    loop {
        let entry = *by_name.get(passed.last()?)?;
        let next = entry.replaces.as_ref()?.value.as_str();
        if passed.contains(&next) {
            return Some(entry);
        }
        passed.push(next);
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::read;
    use source::Rule;

    #[track_caller]
    fn check(notation: &str, expected: &[&str]) {
        let findings = crate::check(&read(notation));
        let found = findings.iter().filter(|finding| finding.rule == Rule::SkippedCycle);
        assert_eq!(found.map(|finding| finding.message.as_str()).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn a_cycle_behind_skipped_entries_stops_olm_v0_alone() {
        check(
            "c: 3.0.0 (replaces 2.0.0; skips 2.0.0, 1.0.0), 2.0.0 (replaces 1.0.0), 1.0.0 (replaces 2.0.0)",
            &[
                "OLM v0 installs and updates nothing from channel `c`: a cycle exists in the chain of replacement beginning \
               with \"p.v3.0.0\" in channel \"c\" of package \"p\"; opm does not follow skipped entries, such as `p.v1.0.0`",
            ],
        );
    }

    #[test]
    fn the_finding_is_at_the_replaces_that_closes_the_circle() {
        let notation = "c: 3.0.0 (replaces 2.0.0; skips 2.0.0, 1.0.0), 2.0.0 (replaces 1.0.0), 1.0.0 (replaces 2.0.0)";
        let catalog = read(notation);
        let entry =
            catalog.packages[0].channels[0].entries.iter().find(|entry| entry.name.value.as_str() == "p.v1.0.0");
        let place = entry.and_then(|entry| entry.replaces.as_ref()).map(|replaces| replaces.span);
        assert_eq!(crate::check(&catalog).first().map(|finding| finding.span), place);
    }

    #[test]
    fn an_entry_behind_the_circle_may_begin_it() {
        check(
            "c: 4.0.0 (replaces 3.0.0; skips 3.0.0, 2.0.0, 1.0.0), 3.0.0 (replaces 2.0.0), 2.0.0 (replaces 1.0.0), \
             1.0.0 (replaces 1.0.0)",
            &[
                "OLM v0 installs and updates nothing from channel `c`: a cycle exists in the chain of replacement beginning \
               with \"p.v4.0.0\" in channel \"c\" of package \"p\"; opm does not follow skipped entries, such as `p.v1.0.0`",
            ],
        );
    }

    #[test]
    fn what_opm_finds_itself_is_not_said_twice() {
        check("c: 1.0.0 (replaces 2.0.0) <- 2.0.0 <- 3.0.0", &[]);
        // The chain does not come to the circle.
        check("c: 3.0.0 (skips 2.0.0, 1.0.0), 2.0.0 (replaces 1.0.0), 1.0.0 (replaces 2.0.0)", &[]);
        check("c: 1.0.0 <- 2.0.0 <- 3.0.0 (skips 2.0.0)", &[]);
    }
}
