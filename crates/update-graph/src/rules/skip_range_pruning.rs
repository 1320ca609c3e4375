//! The rule `skip-range-pruning`.
//!
#![doc = include_str!("skip_range_pruning.md")]

use crate::{Pruning, prunings};
use catalog::{Bundle, Entry, Package};
use source::{Diagnostic, Rule, Severity};

/// How many labels a finding has at most; its message counts all entries.
const MAX_LABELS: usize = 8;

pub(super) fn check(package: &Package) -> impl Iterator<Item = Diagnostic> {
    prunings(package).into_iter().map(|pruning| finding(package, &pruning))
}

fn finding(package: &Package, pruning: &Pruning<'_>) -> Diagnostic {
    let range = pruning.entry.skip_range.as_ref();
    let span = range.map_or(pruning.entry.span, |range| range.span);
    let mut finding = Diagnostic::new(Rule::SkipRangePruning, span, message(package, pruning)).with_help(help(pruning));
    if pruning.elsewhere {
        finding.severity = Severity::Hint;
    }
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
    if pruning.elsewhere {
        parts.push("other channels still offer all of them".to_owned());
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
    if pruning.unlisted.is_empty() && pruning.off_chain.is_empty() {
        parts.push(format!("the package has no version in the range, so channel `{channel}` offers none of them for an installation or an update"));
    }
    if pruning.range.unbounded_below() {
        parts.push(
            "the range has no lower bound, so every older version can update directly to it, prereleases as well"
                .to_owned(),
        );
    }
    parts.join("; ")
}

fn help(pruning: &Pruning<'_>) -> String {
    let newest = pruning
        .predecessor
        .map(|entry| &entry.name)
        .or_else(|| pruning.unlisted.iter().next_back().map(|bundle| &bundle.name));
    let mut help = match newest {
        Some(name) if pruning.unlisted.is_empty() => {
            format!("add `replaces: {name}`, so that updates lead to the older entries; the skipRange may stay")
        }
        Some(name) => {
            let versions = versions(pruning.unlisted.len(), pruning.unlisted.iter());
            format!(
                "to offer {versions} in channel `{}`, list them there and add `replaces: {name}`; the skipRange may stay",
                pruning.channel.name
            )
        }
        None => "list an older version and let this entry replace it, so that users can install it and stay on it"
            .to_owned(),
    };
    if pruning.range.unbounded_below() {
        help.push_str("; add the oldest version that the update is tested from as a lower bound, `>=a.b.c <x.y.z`");
    }
    help
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
    use source::Severity;

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
            "c: 1.0.3 (skipRange <1.0.3)",
            "`p.v1.0.3` has skipRange `<1.0.3` but no `replaces`; the package has no version in the range, so channel `c` offers none of them for an installation or an update; the range has no lower bound, so every older version can update directly to it, prereleases as well",
            "list an older version and let this entry replace it, so that users can install it and stay on it; add the oldest version that the update is tested from as a lower bound, `>=a.b.c <x.y.z`",
        );
    }

    #[test]
    fn versions_that_other_channels_offer_make_it_a_hint() {
        let severity = |text: &str| {
            let found = crate::check(&read(&format!("c: 2.0.0 (skipRange >=1.0.0 <2.0.0)\n{text}")));
            let says_elsewhere = found[0].message.contains("; other channels still offer all of them");
            (found.len(), found[0].severity, says_elsewhere)
        };
        assert_eq!(severity("d: 1.0.0 <- 1.1.0"), (1, Severity::Hint, true));
        assert_eq!(severity("bundle 1.0.0, 1.1.0"), (1, Severity::Warning, false));
        // In this channel OLM cannot choose 1.0.0.
        assert_eq!(severity("d: 1.1.0 (skips 1.0.0), 1.0.0"), (1, Severity::Warning, false));
    }

    #[test]
    fn entries_off_the_chain_are_reported() {
        check(
            "c: 1.0.0 <- 2.0.0, 3.0.0 (skips 2.0.0; skipRange >=1.0.0 <3.0.0)",
            "`p.v3.0.0` has skipRange `>=1.0.0 <3.0.0` but no `replaces`; channel `c` lists 1.0.0 outside of the update chain, so no update leads there, and only a startingCSV installs them",
            "add `replaces: p.v2.0.0`, so that updates lead to the older entries; the skipRange may stay",
        );
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
