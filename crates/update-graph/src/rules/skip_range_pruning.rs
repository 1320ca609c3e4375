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
        parts.push(format!("channel `{channel}` does not list {versions}: no startingCSV can name them and no update leads to them; a cluster that has one can jump straight to `{entry}`"));
    }
    if pruning.elsewhere {
        parts.push("other channels still offer them all".to_owned());
    }
    if !pruning.off_chain.is_empty() {
        let bundle = |entry: &Entry| package.bundle(entry.name.value.as_str());
        let versions = versions(pruning.off_chain.len(), pruning.off_chain.iter().filter_map(bundle));
        parts.push(if pruning.ordered {
            format!("it lists {versions} off the chain: no update leads there, and a fresh install gets them by startingCSV only")
        } else {
            format!("it lists {versions} off the chain, and OLM finds no order in the channel: without a startingCSV nothing is installed from it, and no update leads anywhere")
        });
    }
    if pruning.unlisted.is_empty() && pruning.off_chain.is_empty() {
        parts.push(format!("no version in the range is in the package: channel `{channel}` offers none of them to start from or to update to"));
    }
    if pruning.range.unbounded_below() {
        parts.push("the range has no lower bound, so every older version can jump here, prereleases too".to_owned());
    }
    parts.join("; ")
}

fn help(pruning: &Pruning<'_>) -> String {
    let newest = pruning
        .predecessor
        .map(|entry| &entry.name)
        .or_else(|| pruning.unlisted.iter().next_back().map(|bundle| &bundle.name));
    let mut help = match newest {
        Some(name) => {
            format!("to keep them, list them in the channel and write `replaces: {name}`; the skipRange may stay")
        }
        None => "to let users start from or stop at an older version, list it and let this entry replace it".to_owned(),
    };
    if pruning.range.unbounded_below() {
        help.push_str("; give the range the oldest version it is tested for as lower bound, `>=a.b.c <x.y.z`");
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
    use crate::testing::{bundles, catalog};
    use source::Severity;

    #[track_caller]
    fn check(entries: &str, listed: &[&str], message: &str, help: &str) {
        let catalog = catalog(&format!("{entries}{}", bundles(listed)));
        let findings = crate::check(&catalog);
        assert_eq!(findings.len(), 1, "{findings:?}");
        assert_eq!(findings[0].message, message);
        assert_eq!(findings[0].help.as_deref(), Some(help));
    }

    #[test]
    fn no_lower_bound() {
        check(
            "- {name: p.v1.0.3, skipRange: <1.0.3}\n",
            &["1.0.3"],
            "`p.v1.0.3` has skipRange `<1.0.3` but no `replaces`; no version in the range is in the package: channel `c` offers none of them to start from or to update to; the range has no lower bound, so every older version can jump here, prereleases too",
            "to let users start from or stop at an older version, list it and let this entry replace it; give the range the oldest version it is tested for as lower bound, `>=a.b.c <x.y.z`",
        );
    }

    #[test]
    fn offered_elsewhere() {
        let entries = "- {name: p.v2.0.0, skipRange: '>=1.0.0 <2.0.0'}\n";
        let other = "---\nschema: olm.channel\npackage: p\nname: d\nentries: [{name: p.v1.1.0, replaces: p.v1.0.0}, {name: p.v1.0.0}]\n";
        let severity = |text: &str| {
            let found = crate::check(&catalog(&format!("{entries}{text}{}", bundles(&["1.0.0", "1.1.0", "2.0.0"]))));
            let told = found[0].message.contains("; other channels still offer them all");
            (found.len(), found[0].severity, told)
        };
        assert_eq!(severity(other), (1, Severity::Hint, true));
        assert_eq!(severity(""), (1, Severity::Warning, false));
        // There OLM cannot choose 1.0.0.
        assert_eq!(
            severity(&other.replace("1.1.0, replaces: p.v1.0.0", "1.1.0, skips: [p.v1.0.0]")),
            (1, Severity::Warning, false)
        );
    }

    #[test]
    fn stranded_in_the_range() {
        check(
            "- {name: p.v3.0.0, skips: [p.v2.0.0], skipRange: '>=1.0.0 <3.0.0'}\n- {name: p.v2.0.0, replaces: p.v1.0.0}\n- name: p.v1.0.0\n",
            &["1.0.0", "2.0.0", "3.0.0"],
            "`p.v3.0.0` has skipRange `>=1.0.0 <3.0.0` but no `replaces`; it lists 1.0.0 off the chain: no update leads there, and a fresh install gets them by startingCSV only",
            "to keep them, list them in the channel and write `replaces: p.v2.0.0`; the skipRange may stay",
        );
    }

    #[test]
    fn listed_and_unlisted() {
        check(
            "- {name: p.v2.0.0, skipRange: '>=1.0.0 <2.0.0'}\n- name: p.v1.1.0\n",
            &["1.0.0", "1.1.0", "2.0.0"],
            "`p.v2.0.0` has skipRange `>=1.0.0 <2.0.0` but no `replaces`; channel `c` does not list 1.0.0: no startingCSV can name them and no update leads to them; a cluster that has one can jump straight to `p.v2.0.0`; it lists 1.1.0 off the chain, and OLM finds no order in the channel: without a startingCSV nothing is installed from it, and no update leads anywhere",
            "to keep them, list them in the channel and write `replaces: p.v1.1.0`; the skipRange may stay",
        );
    }
}
