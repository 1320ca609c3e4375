//! The rule `dead-end-channel`.
//!
#![doc = include_str!("dead_end_channel.md")]

use crate::lane::Lane;
use crate::operator::Operator;
use blang_semver::Version;
use catalog::Entry;
use source::{Diagnostic, Findings, Rule, name_list};
use std::collections::BTreeMap;
use std::ops::Range;

/// At most so many heads are pointed at; the message counts them all.
const LABELS: usize = 8;

/// The head of a channel.
struct Head<'c> {
    lane: usize,
    entry: &'c Entry,
    version: &'c Version,
}

pub(super) fn check(operator: &Operator<'_>, found: &mut Findings) {
    let lanes = operator.lanes.iter().enumerate();
    let mut heads: Vec<Head<'_>> =
        lanes.filter_map(|(lane, of)| of.head().map(|(entry, version)| Head { lane, entry, version })).collect();
    if heads.len() < 2 {
        return;
    }
    heads.sort_by_key(|head| (head.version, head.entry.name.value.as_str()));
    let ways = ways(&operator.lanes, &heads);
    let Some(newest) = heads.last() else { return };
    let missed = missed(operator, &heads);
    // Its own channel is one of them, for it lists the head.
    let stuck = heads.iter().enumerate().filter(|(at, _)| ways[*at] < 2 && missed[*at]);
    let mut stuck: Vec<&Head<'_>> = stuck.map(|(_, head)| head).collect();
    // Where users are meant to go, if that is ahead of them all.
    let default = heads.iter().find(|head| is_default(operator, head.lane));
    let newest = default.filter(|head| stuck.iter().all(|other| other.version < head.version)).unwrap_or(newest);
    stuck.sort_by_key(|head| head.entry.name.span);
    let [first, others @ ..] = &stuck[..] else { return };
    let channel = |head: &Head<'_>| operator.lanes[head.lane].channel.name.value.as_str();
    let (here, there) = (name_list(stuck.iter().map(|head| channel(head))), channel(newest));
    let message = format!(
        "nothing leads out of {here}: no other channel lists or takes the head, though `{there}` has {}",
        newest.version
    );
    let help = "a Subscription that changes its channel stays where it is without a word: let an entry of the newer channel replace or skip the head, by name or skipRange";
    let mut finding = Diagnostic::new(Rule::DeadEndChannel, first.entry.name.span, message).with_help(help);
    for head in others.iter().take(LABELS) {
        finding = finding.with_label(head.entry.name.span, format!("the head of `{}`", channel(head)));
    }
    found.push(finding);
}

fn is_default(operator: &Operator<'_>, lane: usize) -> bool {
    let default = operator.package.default_channel.as_ref().map(|name| &name.value);
    default == Some(&operator.lanes[lane].channel.name.value)
}

/// For each head whether something newer is the head of the default channel, or of one whose name is no less safe: who
/// stays in `stable` does not miss what is in `alpha`.
fn missed(operator: &Operator<'_>, heads: &[Head<'_>]) -> Vec<bool> {
    let safety = |head: &Head<'_>| update_graph::safety(operator.lanes[head.lane].channel.name.value.as_str());
    let mut missed = vec![false; heads.len()];
    // Of all that are newer the safest.
    let mut ahead = u8::MAX;
    let mut rest = heads;
    while let Some(last) = rest.last() {
        let same = rest.partition_point(|head| head.version < last.version);
        for at in same..rest.len() {
            missed[at] = ahead <= safety(&heads[at]);
        }
        let safest = rest[same..].iter().map(|head| if is_default(operator, head.lane) { 0 } else { safety(head) });
        ahead = safest.fold(ahead, u8::min);
        rest = &rest[..same];
    }
    missed
}

/// For each head the number of channels that list it or have an entry that takes it. Each channel is gone through once.
fn ways(lanes: &[Lane<'_>], heads: &[Head<'_>]) -> Vec<i64> {
    let versions: Vec<&Version> = heads.iter().map(|head| head.version).collect();
    // Heads of one name have one version, and so stand side by side.
    let mut places: BTreeMap<&str, Range<usize>> = BTreeMap::new();
    for (place, head) in heads.iter().enumerate() {
        places.entry(head.entry.name.value.as_str()).or_insert(place..place).end = place + 1;
    }
    // Where the number of channels goes up and down.
    let mut steps = vec![0; heads.len() + 1];
    for lane in lanes {
        let mut taken: Vec<Range<usize>> = Vec::new();
        for at in lane.chosen() {
            let entry = &lane.channel.entries[at];
            let names = std::iter::once(&entry.name).chain(&entry.replaces).chain(&entry.skips);
            taken.extend(names.filter_map(|name| places.get(name.value.as_str()).cloned()));
            if let Some(Ok(range)) = entry.skip_range.as_ref().map(|range| &range.value.range) {
                taken.extend(range.runs(&versions));
            }
        }
        taken.sort_by_key(|run| run.start);
        let mut end = 0;
        for run in taken {
            if run.end > end {
                steps[run.start.max(end)] += 1;
                steps[run.end] -= 1;
                end = run.end;
            }
        }
    }
    let mut ways = 0;
    let sum = |step| {
        ways += step;
        ways
    };
    steps.into_iter().map(sum).collect()
}

#[cfg(test)]
mod tests {
    use crate::testing::{check, package};
    use source::Rule;

    fn promoted(entry: &str) -> String {
        let old = "---\nschema: olm.channel\npackage: p\nname: old\nentries:\n- name: p.v1.0.0\n";
        package(entry, &["1.0.0", "2.0.0"]) + old
    }

    #[test]
    fn no_edge() {
        let expected =
            "31:9 nothing leads out of `old`: no other channel lists or takes the head, though `c` has 2.0.0";
        check(Rule::DeadEndChannel, &promoted("- name: p.v2.0.0\n"), &[expected]);
    }

    #[test]
    fn many_channels_of_one_head() {
        let channels = (0..20_000).map(|at| {
            format!("---\n{{schema: olm.channel, package: p, name: c{at}, entries: [{{name: p.v1.0.0}}]}}\n")
        });
        check(
            Rule::DeadEndChannel,
            &(package("- name: p.v2.0.0\n", &["1.0.0", "2.0.0"]) + &channels.collect::<String>()),
            &[],
        );
    }

    #[test]
    fn less_safe_channels_are_not_missed() {
        let text = |old: &str, default: &str| {
            promoted("- name: p.v2.0.0\n")
                .replace("name: old", &format!("name: {old}"))
                .replace("name: c\n", "name: alpha\n")
                .replace("defaultChannel: c", &format!("defaultChannel: {default}"))
        };
        check(Rule::DeadEndChannel, &text("stable", "stable"), &[]);
        check(Rule::DeadEndChannel, &text("beta", "stable"), &[]);
        let told = |old: &str| {
            format!(
                "31:9 nothing leads out of `{old}`: no other channel lists or takes the head, though `alpha` has 2.0.0"
            )
        };
        check(Rule::DeadEndChannel, &text("nightly", "stable"), &[&told("nightly")]);
        check(Rule::DeadEndChannel, &text("stable", "alpha"), &[&told("stable")]);
    }

    #[test]
    fn the_default_channel_is_where_to_go() {
        let more = "---\n{schema: olm.channel, package: p, name: nightly, entries: [{name: p.v3.0.0}]}\n---\n{schema: olm.bundle, package: p, name: p.v3.0.0, image: i, properties: [{type: olm.package, value: {packageName: p, version: 3.0.0}}]}\n";
        let expected =
            "31:9 nothing leads out of `old`: no other channel lists or takes the head, though `c` has 2.0.0";
        check(Rule::DeadEndChannel, &(promoted("- name: p.v2.0.0\n") + more), &[expected]);
    }

    #[test]
    fn edges() {
        check(Rule::DeadEndChannel, &promoted("- {name: p.v2.0.0, replaces: p.v1.0.0}\n"), &[]);
        check(Rule::DeadEndChannel, &promoted("- {name: p.v2.0.0, skips: [p.v1.0.0]}\n"), &[]);
        check(Rule::DeadEndChannel, &promoted("- {name: p.v2.0.0, skipRange: '>=1.0.0 <2.0.0'}\n"), &[]);
    }
}
