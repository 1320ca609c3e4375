//! The rule `downgrade`.
//!
#![doc = include_str!("downgrade.md")]

use crate::index::IndexedPackage;
use catalog::{BundleName, Chain, Entry};
use go_semver::blang::Version;
use source::{Diagnostic, Findings, QuickFix, Rule, Severity, Spanned};

pub(super) fn check(indexed: &IndexedPackage<'_>, findings: &mut Findings) {
    for channel in &indexed.channels {
        // Every cycle has such an edge; `replaces-cycle`, `no-channel-head` and `skipped-cycle` report it.
        let is_circle = match Chain::of(channel.channel) {
            Chain::Cycle(_) | Chain::NoHead => true,
            Chain::Headed { .. } => channel.update_chain.is_none(),
            Chain::Empty | Chain::ManyHeads(_) => false,
        };
        if is_circle {
            continue;
        }
        let head = channel.update_chain.as_ref().and_then(|chain| chain.first());
        for at in channel.selectable() {
            let (entry, own) = (&channel.entries()[at], channel.versions[at]);
            let downgrade = |older| Downgrade::of(indexed, entry, own?, older);
            findings.extend(entry.replaces.iter().filter_map(downgrade).map(|found| found.by_replaces()));
            // `head-below-entry` reports the versions that the head withdraws.
            if head != Some(&at) {
                findings.extend(entry.skips.iter().filter_map(downgrade).map(|found| found.by_skips()));
            }
        }
    }
}

/// An edge from a higher version to a lower one.
struct Downgrade<'a> {
    /// The entry that the edge leads to.
    entry: &'a Entry,
    own: &'a Version,
    /// The entry that it replaces or skips.
    older: &'a Spanned<BundleName>,
    /// The higher version of that entry.
    higher: &'a Version,
}

impl<'a> Downgrade<'a> {
    fn of(
        indexed: &IndexedPackage<'a>,
        entry: &'a Entry,
        own: &'a Version,
        older: &'a Spanned<BundleName>,
    ) -> Option<Self> {
        let higher = indexed.package.bundle(older.value.as_str())?.version().filter(|older| *older > own)?;
        Some(Self { entry, own, older, higher })
    }

    /// A name that ends with its version says it.
    fn sentence(&self, verb: &str) -> String {
        let named = |name: &BundleName, version: &Version| match name.as_str().ends_with(&version.to_string()) {
            true => format!("`{name}`"),
            false => format!("`{name}` ({version})"),
        };
        let (entry, older) = (named(&self.entry.name.value, self.own), named(&self.older.value, self.higher));
        format!("{entry} {verb} the higher version {older}")
    }

    fn by_replaces(&self) -> Diagnostic {
        let Self { own, older, higher, .. } = *self;
        let mut message = self.sentence("replaces");
        let same = Version::new(own.major(), own.minor(), own.patch());
        let help = if !own.pre().is_empty() && higher.pre().is_empty() && *higher == same {
            message.push_str(&format!("; `-{}` makes it a prerelease of {same}", own.pre()));
            format!(
                "OLM downgrades users along this edge; give a rebuild a higher patch version, such as {}",
                next_patch(&same)
            )
        } else {
            "OLM downgrades users along this edge; if this is not intended, swap the two".to_owned()
        };
        Diagnostic::new(Rule::Downgrade, older.span, message).with_help(help)
    }

    fn by_skips(&self) -> Diagnostic {
        let older = self.older;
        let message = self.sentence("skips");
        let help = "this withdraws the higher version: OLM downgrades users along this edge; if this is not intended, remove it";
        let fix = QuickFix::remove(older.span, &format!("`{older}` from the `skips`"));
        let mut finding = Diagnostic::new(Rule::Downgrade, older.span, message).with_help(help).with_fix(fix);
        finding.severity = Severity::Hint;
        finding
    }
}

fn next_patch(version: &Version) -> Version {
    Version::new(version.major(), version.minor(), version.patch().saturating_add(1))
}

#[cfg(test)]
mod tests {
    use crate::testing::check;
    use source::Rule;

    #[test]
    fn findings() {
        let cases = "
            == a higher version is replaced
            c: 1.1.0 <- 1.0.0
                     ^^ downgrade: `p.v1.0.0` replaces the higher version `p.v1.1.0`
            == a prerelease replaces its release
            c: 1.0.0 <- 1.0.0-1
                     ^^ downgrade: `p.v1.0.0-1` replaces the higher version `p.v1.0.0`; `-1` makes it a prerelease of 1.0.0
            == a higher version is skipped
            c: 1.0.0 (skips 1.1.0) <- 1.2.0, 1.1.0
                            ^^^^^ downgrade: `p.v1.0.0` skips the higher version `p.v1.1.0`
            == a name without its version
            c: old (version 1.1.0) <- new (version 1.0.0)
                                   ^^ downgrade: `new` (1.0.0) replaces the higher version `old` (1.1.0)
            == a cycle is not reported again
            c: 1.0.0 (replaces 1.1.0) <- 1.1.0 <- 1.2.0
            == a cycle of skipped entries is not reported again
            c: 1.0.0 (replaces 1.1.0) <- 1.1.0 <- 1.2.0 (skips 1.0.0, 1.1.0)
            == build metadata does not count
            c: 1.0.0+2 <- 1.0.0+1
        ";
        check(Rule::Downgrade, cases);
    }
}
