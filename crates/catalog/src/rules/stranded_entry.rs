//! The rule `stranded-entry`.
//!
#![doc = include_str!("stranded_entry.md")]

use super::labels::{LABELS, entries_named};
use super::mended::{misspelt, respell, skip_fix};
use crate::{Chain, Channel, OpmPhase};
use source::{Diagnostic, Rule, name_list};

pub(super) fn check(channel: &Channel, chain: &Chain<'_>) -> Option<Diagnostic> {
    let Chain::Headed { head, stranded } = chain else { return None };
    let places = entries_named(channel, stranded);
    let &(_, first) = places.first()?;
    let names = name_list(places.iter().map(|(name, _)| *name));
    let (are, them) = if stranded.len() == 1 { ("is", "it") } else { ("are", "them") };
    let message = format!(
        "{names} {are} stuck in channel `{}`: the `replaces` chain from `{head}` does not reach {them}",
        channel.name
    );
    let misspelt = misspelt(channel, stranded);
    // The line to correct is that of the misspelt name.
    let mut finding = match misspelt.first() {
        Some(wrong) => {
            let message = format!("{message}; no entry is named `{}`", wrong.name);
            Diagnostic::new(Rule::StrandedEntry, wrong.name.span, message)
                .with_help(format!("did you mean `{}`?", wrong.meant))
                .with_label(first, "stuck")
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
        finding = finding.with_label(span, format!("`{name}` is stuck, too"));
    }
    Some(finding)
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::{check, findings_in, titles};

    #[test]
    fn an_entry_that_only_a_skipped_entry_replaces() {
        let cases = "
            c: 1.0.0 <- 2.0.0 <- 3.0.0 (skips 2.0.0)
               ^^^^^ stranded-entry: `p.v1.0.0` is stuck in channel `c`: the `replaces` chain from `p.v3.0.0` does not reach it
               ^^^^^ opm: channel contains one or more stranded bundles: p.v1.0.0
        ";
        check(cases);
    }

    #[test]
    fn a_misspelt_name_is_the_place() {
        let text = fixture::yaml("c: 1.0.0 <- 2.0.0 <- 3.0.0 (skips 2.0.0, 1.0.O)");
        let [finding] = &findings_in(&text)[..] else { panic!("one finding") };
        assert_eq!(finding.span.slice(&text), "p.v1.0.O");
        assert_eq!(titles(finding), ["Change to `p.v1.0.0`", "Let `p.v3.0.0` skip `p.v1.0.0`"]);
    }
}
