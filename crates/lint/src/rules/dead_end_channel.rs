//! The rule `dead-end-channel`.
//!
#![doc = include_str!("dead_end_channel.md")]

use crate::index::IndexedPackage;
use source::{Diagnostic, Findings, Rule, Span, joined, name_list};
use update_graph::{MappedChannel, Ways, version_of};

/// How many labels a finding has at most; its message counts all channels.
const MAX_LABELS: usize = 8;

/// How many versions are named that still have a way.
const NAMED: usize = 3;

pub(super) fn check(indexed: &IndexedPackage<'_>, findings: &mut Findings) {
    let package = indexed.package;
    let Some(ways) = Ways::of_several(package) else { return };
    let name = |at: usize| ways.channels[at].channel.name.value.as_str();
    let span = |at: usize| {
        let MappedChannel { channel, head, .. } = &ways.channels[at];
        Some(channel.entry(head.as_ref()?.name.as_str())?.name.span)
    };
    let dead_ends = (0..ways.channels.len()).filter(|at| ways.is_dead_end(*at));
    let mut dead_ends: Vec<(Span, usize)> = dead_ends.filter_map(|at| Some((span(at)?, at))).collect();
    dead_ends.sort();
    let [(first, _), others @ ..] = &dead_ends[..] else { return };
    // The channel to move to: the default one if it is newer than all dead ends, else the newest one.
    let is_newest = |target: &&MappedChannel<'_>| {
        dead_ends.iter().all(|(_, dead_end)| ways.channels[*dead_end].version() < target.version())
    };
    let target = ways.channels.iter().find(|mapped| mapped.is_default).filter(is_newest).unwrap_or(&ways.channels[0]);
    let Some(version) = target.version() else { return };
    let last_way = |(_, at): &(Span, usize)| {
        let listed = ways.channels[*at].channel.entries.iter().map(|entry| &entry.name.value);
        let leading = listed.filter(|entry| ways.leads_on(entry, *at)).filter_map(|entry| version_of(package, entry));
        Some(format!("{} of `{}`", leading.max()?, name(*at)))
    };
    let last_ways: Vec<String> = dead_ends.iter().filter_map(last_way).collect();
    let last_ways = match last_ways.len() {
        0 => String::new(),
        1 => format!("; the last version that has one is {}", last_ways[0]),
        _ => format!("; the last versions that have one are {}", joined(last_ways, NAMED, "and")),
    };
    let message = format!(
        "no update leads from the {} of {} to a newer channel, though `{}` has {version}{last_ways}",
        if others.is_empty() { "head" } else { "heads" },
        name_list(dead_ends.iter().map(|(_, at)| name(*at))),
        target.channel.name,
    );
    let help = "a Subscription that changes to another channel stays at the installed version, without an error; let an entry of the newer channel replace or skip the head of this one, by name or by skipRange";
    let mut finding = Diagnostic::new(Rule::DeadEndChannel, *first, message).with_help(help);
    for (head, at) in others.iter().take(MAX_LABELS) {
        finding = finding.with_label(*head, format!("the head of `{}`", name(*at)));
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
                 ^^^^^ dead-end-channel: no update leads from the head of `old` to a newer channel, though `c` has 2.0.0
            == the default channel is the one to move to
            c: 2.0.0
            old: 1.0.0
                 ^^^^^ dead-end-channel: no update leads from the head of `old` to a newer channel, though `c` has 2.0.0
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
            == an edge from older versions only
            c: 2.0.0 (replaces 1.1.0)
            older: 0.9.0 <- 0.9.1
                            ^^^^^ dead-end-channel: no update leads from the heads of `older`, `old` to a newer channel, though `c` has 2.0.0; the last version that has one is 1.1.0 of `old`
            old: 1.0.0 <- 1.1.0 <- 1.2.0
            == an edge that does not lead to the head
            c: 3.0.0 (skips 2.0.0), 2.0.0 (replaces 1.0.0)
            old: 1.0.0
                 ^^^^^ dead-end-channel: no update leads from the head of `old` to a newer channel, though `c` has 3.0.0
            == an edge into a channel that ends at the same version
            c: 2.0.0
            same: 1.0.0
                  ^^^^^ dead-end-channel: no update leads from the heads of `same`, `old` to a newer channel, though `c` has 2.0.0
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
                     ^^^^^ dead-end-channel: no update leads from the head of `nightly` to a newer channel, though `alpha` has 2.0.0
            == and by all if they are the default
            package p, default alpha
            alpha: 2.0.0
            stable: 1.0.0
                    ^^^^^ dead-end-channel: no update leads from the head of `stable` to a newer channel, though `alpha` has 2.0.0
        ";
        check(Rule::DeadEndChannel, cases);
    }

    #[test]
    fn many_channels_are_not_compared() {
        let channels: String = (0..20_000).map(|at| format!("c{at}: 1.0.0\n")).collect();
        check(Rule::DeadEndChannel, &format!("c: 2.0.0\n{channels}"));
    }
}
