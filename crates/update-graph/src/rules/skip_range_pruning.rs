//! The rule `skip-range-pruning`.
//!
#![doc = include_str!("skip_range_pruning.md")]

use crate::{Change, Edit, Pruning, applied, prunings};
use catalog::{Bundle, BundleName, Chain, Entry, Package, skip_fix};
use source::{Diagnostic, Rule, name_list};

/// How many labels a finding has at most; its message counts all entries.
const MAX_LABELS: usize = 8;

/// How many entries are looked at to try the help of the findings of a package; findings beyond that have none that names an edge.
const MAX_TRIED: usize = 100_000;

pub(super) fn check(package: &Package) -> impl Iterator<Item = Diagnostic> {
    let mut tried = 0;
    // A channel that begins with a range takes nothing from users: other channels have what it covers.
    prunings(package).into_iter().filter(|pruning| !pruning.elsewhere).map(move |pruning| {
        tried += pruning.channel.entries.len();
        finding(package, &pruning, tried <= MAX_TRIED)
    })
}

fn finding(package: &Package, pruning: &Pruning<'_>, is_tried: bool) -> Diagnostic {
    let range = pruning.entry.skip_range.as_ref();
    let span = range.map_or(pruning.entry.span, |range| range.span);
    let mut finding = Diagnostic::new(Rule::SkipRangePruning, span, message(package, pruning));
    finding.help = help(package, pruning, is_tried);
    for entry in pruning.off_chain.iter().take(MAX_LABELS) {
        finding = finding.with_label(entry.name.span, "in the range, but neither replaced nor skipped by name");
    }
    finding
}

fn message(package: &Package, pruning: &Pruning<'_>) -> String {
    let (entry, channel) = (&pruning.entry.name, &pruning.channel.name);
    let range = pruning.entry.skip_range.as_ref().map_or("", |range| &range.value.text);
    let mut parts = vec![match &pruning.entry.replaces {
        None => format!("`{entry}` has skipRange `{range}` but no `replaces`"),
        Some(replaces) => {
            format!("`{entry}` has skipRange `{range}` and replaces `{replaces}`, not the version before it")
        }
    }];
    if !pruning.unlisted.is_empty() {
        let versions = versions(pruning.unlisted.len(), pruning.unlisted.iter());
        parts.push(format!("channel `{channel}` does not list {versions}, so no startingCSV can name them and no update leads to them; a cluster that has one can update directly to `{entry}`, or past it to an entry that covers it, too"));
    }
    if !pruning.off_chain.is_empty() {
        let bundle = |entry: &Entry| package.bundle(entry.name.value.as_str());
        let versions = versions(pruning.off_chain.len(), pruning.off_chain.iter().filter_map(bundle));
        parts.push(if pruning.ordered {
            format!("channel `{channel}` lists {versions} outside of the update chain, so no update leads there, and only a startingCSV installs them")
        } else {
            format!("channel `{channel}` lists {versions} outside of the chain of `replaces`, and OLM cannot order the channel: it makes no updates in it, and installs nothing from it without a startingCSV")
        });
    }
    if pruning.range.unbounded_below() {
        parts.push(
            "the range has no lower bound, so every older version can update directly to it, prereleases as well"
                .to_owned(),
        );
    }
    parts.join("; ")
}

fn help(package: &Package, pruning: &Pruning<'_>, is_tried: bool) -> Option<String> {
    let entry = &pruning.entry.name;
    let replaced = is_tried.then(|| replaced(package, pruning)).flatten();
    let may_stay = "the skipRange may stay";
    let mut parts = Vec::new();
    if !pruning.unlisted.is_empty() {
        let versions = versions(pruning.unlisted.len(), pruning.unlisted.iter());
        let edge = match replaced {
            Some(name) => format!("there and add `replaces: {name}`"),
            None => format!("there, in the chain of `replaces` from `{entry}`"),
        };
        parts.push(format!("to offer {versions} in channel `{}`, list them {edge}; {may_stay}", pruning.channel.name));
    } else if let Some(name) = replaced {
        parts.push(format!("add `replaces: {name}`, so that updates lead to the older entries; {may_stay}"));
    } else if is_tried {
        let names: Vec<&str> = pruning.off_chain.iter().map(|entry| entry.name.value.as_str()).collect();
        let fix = skip_fix(pruning.channel, pruning.entry, &names);
        parts.extend(fix.map(|_| format!("let `{entry}` skip {}; {may_stay}", name_list(names.iter().copied()))));
    }
    if pruning.range.unbounded_below() {
        parts.push(
            "add the oldest version that the update is tested from as a lower bound, `>=a.b.c <x.y.z`".to_owned(),
        );
    }
    (!parts.is_empty()).then(|| parts.join("; "))
}

/// The newest version that the entry may replace such that `opm` accepts the channel: the chain then reaches all entries that are
/// not skipped.
fn replaced<'c>(package: &Package, pruning: &Pruning<'c>) -> Option<&'c BundleName> {
    let version = |entry: &Entry| package.bundle(entry.name.value.as_str())?.version();
    let is_older = |entry: &&&Entry| version(entry) < version(pruning.entry);
    let off_chain = pruning.off_chain.iter().rev().filter(|entry| is_older(&entry)).take(1);
    let listed = pruning.predecessor.into_iter().chain(off_chain).map(|entry| (&entry.name.value, None));
    let unlisted = pruning.unlisted.iter().next_back().filter(|_| pruning.predecessor.is_none());
    let unlisted = unlisted.map(|bundle| (&bundle.name.value, Some(Change::List(None))));
    let is_accepted = |(name, listing): &(&BundleName, Option<Change>)| {
        let listing = listing.iter().map(|change| Edit { entry: (*name).clone(), change: change.clone() });
        let edge = Edit { entry: pruning.entry.name.value.clone(), change: Change::Replace((*name).clone()) };
        let channel = applied(pruning.channel, &listing.chain([edge]).collect::<Vec<_>>());
        matches!(Chain::of(&channel), Chain::Headed { stranded, .. } if stranded.is_empty())
    };
    listed.chain(unlisted).find(is_accepted).map(|(name, _)| name)
}

fn version(bundle: &Bundle) -> String {
    bundle.version().map(ToString::to_string).unwrap_or_default()
}

/// `1.0.0, 1.1.0` or, from six on, `1.0.0 to 1.9.0 (10 versions)`: `bundles` are ascending.
fn versions<'c>(count: usize, mut bundles: impl DoubleEndedIterator<Item = &'c Bundle>) -> String {
    match (count, bundles.next(), bundles.next_back()) {
        (6.., Some(first), Some(last)) => format!("{} to {} ({count} versions)", version(first), version(last)),
        (_, first, last) => {
            let few = first.into_iter().chain(bundles).chain(last);
            few.map(version).collect::<Vec<_>>().join(", ")
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::read;

    #[track_caller]
    fn check(notation: &str, message: &str, help: &str) {
        let findings = crate::check(&read(notation));
        assert_eq!(findings.len(), 1, "{findings:?}");
        assert_eq!(findings[0].message, message);
        assert_eq!(findings[0].help.as_deref(), Some(help));
    }

    #[test]
    fn a_missing_lower_bound_is_reported() {
        check(
            "c: 2.0.0 (skipRange <2.0.0)\nbundle 1.0.0",
            "`p.v2.0.0` has skipRange `<2.0.0` but no `replaces`; channel `c` does not list 1.0.0, so no startingCSV can name them and no update leads to them; a cluster that has one can update directly to `p.v2.0.0`, or past it to an entry that covers it, too; the range has no lower bound, so every older version can update directly to it, prereleases as well",
            "to offer 1.0.0 in channel `c`, list them there and add `replaces: p.v1.0.0`; the skipRange may stay; add the oldest version that the update is tested from as a lower bound, `>=a.b.c <x.y.z`",
        );
    }

    #[test]
    fn a_range_takes_nothing_that_other_channels_list_or_that_the_package_does_not_have() {
        let found = |text: &str| crate::check(&read(&format!("c: 2.0.0 (skipRange >=1.0.0 <2.0.0)\n{text}"))).len();
        assert_eq!(found(""), 0);
        assert_eq!(found("d: 1.0.0 <- 1.1.0"), 0);
        // Each minor channel begins with a range, and skips its own older versions.
        assert_eq!(found("d: 1.1.0 (skips 1.0.0), 1.0.0"), 0);
        assert_eq!(found("bundle 1.0.0, 1.1.0"), 1);
    }

    #[test]
    fn entries_off_the_chain_are_reported() {
        check(
            "c: 1.0.0 <- 2.0.0, 3.0.0 (skips 2.0.0; skipRange >=1.0.0 <3.0.0)",
            "`p.v3.0.0` has skipRange `>=1.0.0 <3.0.0` but no `replaces`; channel `c` lists 1.0.0 outside of the update chain, so no update leads there, and only a startingCSV installs them",
            "add `replaces: p.v1.0.0`, so that updates lead to the older entries; the skipRange may stay",
        );
    }

    /// The help that is given.
    fn helps(notation: &str) -> Vec<Option<String>> {
        crate::check(&read(notation)).into_iter().map(|finding| finding.help).collect()
    }

    #[test]
    fn an_edge_is_advised_only_where_opm_accepts_it() {
        let replace = |name: &str| {
            format!("add `replaces: p.v{name}`, so that updates lead to the older entries; the skipRange may stay")
        };
        // The chain of opm ends at the version before it, which is skipped.
        let skipped = "c: 1.0.0 <- 1.1.0, 2.0.0 (skips 1.1.0; skipRange >=1.0.0 <2.0.0)";
        assert_eq!(helps(skipped), [Some(replace("1.0.0"))]);
        // 1.0.0 would be stranded.
        let other = "c: 1.0.0 <- 3.0.0 (skipRange >=1.0.0 <3.0.0), 2.0.0";
        assert_eq!(helps(other), [Some("let `p.v3.0.0` skip `p.v2.0.0`; the skipRange may stay".to_owned())]);
        let other = "c: 1.0.0 <- 3.0.0 (skipRange >=1.0.0 <3.0.0), 2.0.0 (replaces 1.0.0)";
        assert_eq!(helps(other), [Some(replace("2.0.0"))]);
        // Another head stays.
        assert_eq!(helps("c: 2.0.0 (skipRange >=1.0.0 <2.0.0), 1.0.0, 3.0.0"), [None]);
    }

    #[test]
    fn listed_and_unlisted_versions_are_reported() {
        check(
            "c: 2.0.0 (skipRange >=1.0.0 <2.0.0), 1.1.0\nbundle 1.0.0",
            "`p.v2.0.0` has skipRange `>=1.0.0 <2.0.0` but no `replaces`; channel `c` does not list 1.0.0, so no startingCSV can name them and no update leads to them; a cluster that has one can update directly to `p.v2.0.0`, or past it to an entry that covers it, too; channel `c` lists 1.1.0 outside of the chain of `replaces`, and OLM cannot order the channel: it makes no updates in it, and installs nothing from it without a startingCSV",
            "to offer 1.0.0 in channel `c`, list them there and add `replaces: p.v1.1.0`; the skipRange may stay",
        );
    }
}
