//! The rule `misspelt-name`.
//!
#![doc = include_str!("misspelt_name.md")]

use crate::index::IndexedPackage;
use catalog::Chain;
use source::{Diagnostic, Findings, QuickFix, Rule, nearest};
use update_graph::version_in;

/// Of how many names of a channel the nearest entry is searched.
const SEARCHED: usize = 100;

pub(super) fn check(indexed: &IndexedPackage<'_>, findings: &mut Findings) {
    for channel in &indexed.channels {
        // Otherwise the finding about the channel names the misspelt line.
        let Chain::Headed { stranded, .. } = Chain::of(channel.channel) else { continue };
        if !stranded.is_empty() {
            continue;
        }
        let edges = channel.entries().iter().flat_map(|entry| {
            let replaces = entry.replaces.iter().map(|name| ("replaces", name));
            replaces.chain(entry.skips.iter().map(|name| ("skips", name))).map(move |edge| (entry, edge))
        });
        // A version that the catalog does not have any more may be named.
        let dangling = edges.filter(|(_, (_, name))| {
            let name = name.value.as_str();
            !channel.positions.contains_key(name)
                && indexed.package.bundle(name).is_none()
                && version_in(name).is_none()
        });
        for (entry, (field, name)) in dangling.take(SEARCHED) {
            let others = channel.positions.keys().copied().filter(|other| *other != entry.name.value.as_str());
            let near = nearest(name.value.as_str(), others);
            let Some(near) = near.first().filter(|near| version_in(near).is_some()) else { continue };
            let message = format!("`{}` {field} `{name}`, which no channel and no bundle has", entry.name);
            findings.push(
                Diagnostic::new(Rule::MisspeltName, name.span, message)
                    .with_help(format!("did you mean `{near}`?"))
                    .with_fix(QuickFix::rename(name.span, near)),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check;
    use source::Rule;

    #[test]
    fn findings() {
        let cases = "
            == a name without a version that is near to an entry
            c: 1.0.0 <- 1.1.0 <- 1.2.0 (skips 1.0.O)
                                              ^^^^^ misspelt-name: `p.v1.2.0` skips `p.v1.0.O`, which no channel and no bundle has
            == another version
            c: 1.0.0 <- 1.1.0 <- 1.2.0 (skips 1.0.1)
            == another name
            c: 1.0.0 <- 1.1.0 <- 1.2.0 (skips nothing-like-it)
            == a channel with two heads is reported as such
            c: 1.0.0, 1.1.0 (replaces 1.0.O)
        ";
        check(Rule::MisspeltName, cases);
    }
}
