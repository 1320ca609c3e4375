//! The rule `dead-end-channel`.
//!
#![doc = include_str!("dead_end_channel.md")]

use crate::index::{IndexedChannel, IndexedPackage};
use catalog::Entry;
use go_semver::blang::Version;
use source::{Diagnostic, Findings, Rule, name_list};

/// How many labels a finding has at most; its message counts all channels.
const MAX_LABELS: usize = 8;

/// A package is not checked if there are more pairs of a head and an entry: every head is compared with the entries of
/// every channel. Real packages have some thousands of pairs.
const MAX_COMPARISONS: usize = 2_000_000;

struct Head<'c> {
    channel: &'c IndexedChannel<'c>,
    entry: &'c Entry,
    version: &'c Version,
    is_default: bool,
}

impl Head<'_> {
    fn channel_name(&self) -> &str {
        self.channel.name().value.as_str()
    }

    /// Whether users of this channel miss something in the other one. A stable channel misses nothing that is only in an
    /// alpha channel, unless that is the default channel.
    fn misses(&self, other: &Self) -> bool {
        let safety = |head: &Self| update_graph::safety(head.channel_name());
        other.version > self.version && (other.is_default || safety(other) <= safety(self))
    }

    /// Whether the channel lists this head or has an update from it.
    fn is_taken_by(&self, channel: &IndexedChannel<'_>) -> bool {
        channel.selectable().any(|at| {
            let entry = &channel.entries()[at];
            let mut names = std::iter::once(&entry.name).chain(&entry.replaces).chain(&entry.skips);
            let range = entry.skip_range.as_ref().and_then(|range| range.value.range.as_ref().ok());
            names.any(|name| name.value == self.entry.name.value)
                || range.is_some_and(|range| range.matches(self.version) == Ok(true))
        })
    }
}

pub(super) fn check(indexed: &IndexedPackage<'_>, findings: &mut Findings) {
    let default = indexed.package.default_channel.as_ref().map(|name| &name.value);
    let heads: Vec<Head<'_>> = indexed
        .channels
        .iter()
        .filter_map(|channel| {
            let (entry, version) = channel.head()?;
            Some(Head { channel, entry, version, is_default: default == Some(&channel.name().value) })
        })
        .collect();
    let entries: usize = indexed.channels.iter().map(|channel| channel.entries().len()).sum();
    if heads.len() < 2 || heads.len().saturating_mul(entries) > MAX_COMPARISONS {
        return;
    }
    let is_dead_end = |head: &&Head<'_>| {
        let mut others = indexed.channels.iter().filter(|channel| !std::ptr::eq(*channel, head.channel));
        heads.iter().any(|other| head.misses(other)) && !others.any(|channel| head.is_taken_by(channel))
    };
    let mut dead_ends: Vec<&Head<'_>> = heads.iter().filter(is_dead_end).collect();
    dead_ends.sort_by_key(|head| head.entry.name.span);
    let [first, others @ ..] = &dead_ends[..] else { return };
    // The channel to move to: the default one if it is newer than all dead ends, else the newest one.
    let default = heads.iter().find(|head| head.is_default);
    let default = default.filter(|head| dead_ends.iter().all(|dead_end| dead_end.version < head.version));
    let newest = heads.iter().max_by_key(|head| (head.version, head.entry.name.value.as_str()));
    let Some(target) = default.or(newest) else { return };
    let channels = name_list(dead_ends.iter().map(|head| head.channel_name()));
    let message = format!(
        "no update leads from {channels} to another channel, though `{}` has {}",
        target.channel_name(),
        target.version
    );
    let help = "a Subscription that changes to another channel stays at the installed version, without an error; let an entry of the newer channel replace or skip the head of this one, by name or by skipRange";
    let mut finding = Diagnostic::new(Rule::DeadEndChannel, first.entry.name.span, message).with_help(help);
    for head in others.iter().take(MAX_LABELS) {
        finding = finding.with_label(head.entry.name.span, format!("the head of `{}`", head.channel_name()));
    }
    findings.push(finding);
}

#[cfg(test)]
mod tests {
    use crate::testing::check;
    use source::Rule;

    #[test]
    fn heads_of_older_channels() {
        let cases = "
            == no edge into another channel
            c: 2.0.0
            old: 1.0.0
                 ^^^^^ dead-end-channel: no update leads from `old` to another channel, though `c` has 2.0.0
            == the default channel is the one to move to
            c: 2.0.0
            old: 1.0.0
                 ^^^^^ dead-end-channel: no update leads from `old` to another channel, though `c` has 2.0.0
            nightly: 3.0.0
            == an edge into the newer channel
            c: 2.0.0 (replaces 1.0.0)
            old: 1.0.0
            == a skip
            c: 2.0.0 (skips 1.0.0)
            old: 1.0.0
            == a skipRange
            c: 2.0.0 (skipRange >=1.0.0 <2.0.0)
            old: 1.0.0
        ";
        check(Rule::DeadEndChannel, cases);
    }

    #[test]
    fn less_safe_channels_are_not_missed() {
        let cases = "
            == by a stable channel
            package p, default stable
            alpha: 2.0.0
            stable: 1.0.0
            == by a beta channel
            package p, default stable
            alpha: 2.0.0
            beta: 1.0.0
            == but by a nightly channel
            package p, default stable
            alpha: 2.0.0
            nightly: 1.0.0
                     ^^^^^ dead-end-channel: no update leads from `nightly` to another channel, though `alpha` has 2.0.0
            == and by all if they are the default
            package p, default alpha
            alpha: 2.0.0
            stable: 1.0.0
                    ^^^^^ dead-end-channel: no update leads from `stable` to another channel, though `alpha` has 2.0.0
        ";
        check(Rule::DeadEndChannel, cases);
    }

    #[test]
    fn many_channels_are_not_compared() {
        let channels: String = (0..20_000).map(|at| format!("c{at}: 1.0.0\n")).collect();
        check(Rule::DeadEndChannel, &format!("c: 2.0.0\n{channels}"));
    }
}
