//! The rule `stranded-entry`.
//!
#![doc = include_str!("stranded_entry.md")]
use super::labels::{LABELS, entries_named};
use super::mended::{misspelt, respell, skip_fix};
use crate::model::whole_chain;
use crate::{Chain, Channel, Entry, OpmPhase, Package};
use source::{Diagnostic, OpmVersion, Rule, name_list};

pub(super) fn check(package: &Package, channel: &Channel, chain: &Chain<'_>) -> Option<Diagnostic> {
    let Chain::Headed { head, stranded } = chain else { return None };
    let places = entries_named(channel, stranded);
    let &(_, first) = places.first()?;
    let names = name_list(places.iter().map(|(name, _)| *name));
    let (are, them) = if stranded.len() == 1 { ("is", "it") } else { ("are", "them") };
    let mut message = format!(
        "{names} {are} stranded in channel `{}`: the `replaces` chain from `{head}` does not reach {them}",
        channel.name
    );
    if stranded.iter().all(|name| is_in_range(package, channel.entry(head), name)) {
        message += &format!(", though OLM v0 updates {them} by its skipRange");
    }
    let misspelt = misspelt(channel, stranded);
    // The line to correct is that of the misspelt name.
    let mut finding = match misspelt.first() {
        Some(wrong) => {
            let message = format!("{message}; no entry is named `{}`", wrong.name);
            Diagnostic::new(Rule::StrandedEntry, wrong.name.span, message)
                .with_help(format!("did you mean `{}`?", wrong.meant))
                .with_label(first, "stranded")
        }
        None => Diagnostic::new(Rule::StrandedEntry, first, message)
            .with_help(format!("let an entry of the chain from `{head}` replace or skip {them}")),
    };
    finding = finding
        .with_fix(respell(channel, &misspelt))
        .with_fix(channel.entry(head).and_then(|head| skip_fix(channel, head, stranded)))
        .with_opm_at(
            OpmPhase::Model,
            format!("channel contains one or more stranded bundles: {}", stranded.join(", ")),
        );
    for (name, span) in places.into_iter().skip(1).take(LABELS) {
        finding = finding.with_label(span, format!("`{name}` is stranded, too"));
    }
    let is_new = matches!(whole_chain(channel, head), Chain::Headed { stranded, .. } if stranded.is_empty());
    Some(if is_new { finding.since(OpmVersion::CHAIN_ENDS_AT_SKIPPED) } else { finding })
}

/// Whether the skipRange of an entry has the version of a bundle.
fn is_in_range(package: &Package, entry: Option<&Entry>, name: &str) -> bool {
    let range = entry.and_then(|entry| entry.skip_range.as_ref()?.value.range.as_ref().ok());
    let version = package.bundle(name).and_then(|bundle| bundle.version());
    range.zip(version).is_some_and(|(range, version)| range.matches(version) == Ok(true))
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::{check, findings_in, titles};
    use source::OpmVersion;

    #[test]
    fn an_entry_that_only_a_skipped_entry_replaces() {
        let cases = "
            c: 1.0.0 <- 2.0.0 <- 3.0.0 (skips 2.0.0)
               ^^^^^ stranded-entry: `p.v1.0.0` is stranded in channel `c`: the `replaces` chain from `p.v3.0.0` does not reach it
               ^^^^^ opm: channel contains one or more stranded bundles: p.v1.0.0
            == the skipRange of the head leads on under OLM v0
            c: 1.0.0 <- 2.0.0 <- 3.0.0 (skips 2.0.0; skipRange >=1.0.0 <3.0.0)
               ^^^^^ stranded-entry: `p.v1.0.0` is stranded in channel `c`: the `replaces` chain from `p.v3.0.0` does not reach it, though OLM v0 updates it by its skipRange
               ^^^^^ opm: channel contains one or more stranded bundles: p.v1.0.0
            == a skipRange that does not have it
            c: 1.0.0 <- 2.0.0 <- 3.0.0 (skips 2.0.0; skipRange >=2.0.0 <3.0.0)
               ^^^^^ stranded-entry: `p.v1.0.0` is stranded in channel `c`: the `replaces` chain from `p.v3.0.0` does not reach it
               ^^^^^ opm: channel contains one or more stranded bundles: p.v1.0.0
        ";
        check(cases);
    }

    #[test]
    fn older_opm_goes_on_at_skipped_entries() {
        let since = |notation: &str| findings_in(&fixture::yaml(notation))[0].opm_since;
        assert_eq!(since("c: 1.0.0 <- 2.0.0 <- 3.0.0 (skips 2.0.0)"), Some(OpmVersion(1, 58, 0)));
        // Nothing of the chain leads to 1.0.0.
        assert_eq!(since("c: 1.0.0 (replaces 1.0.0), 2.0.0 <- 3.0.0"), None);
    }

    #[test]
    fn a_misspelt_name_is_the_place() {
        let text = fixture::yaml("c: 1.0.0 <- 2.0.0 <- 3.0.0 (skips 2.0.0, 1.0.O)");
        let [finding] = &findings_in(&text)[..] else { panic!("one finding") };
        assert_eq!(finding.span.slice(&text), "p.v1.0.O");
        assert_eq!(titles(finding), ["Change to `p.v1.0.0`", "Let `p.v3.0.0` skip `p.v1.0.0`"]);
    }
}
