//! The rule `non-default-provider`.
//!
#![doc = include_str!("non_default_provider.md")]

use crate::candidates::{Candidates, MetRequirement};
use source::{Diagnostic, Findings, Rule, name_list};

pub(crate) fn check(met: &MetRequirement<'_, '_>, candidates: &Candidates<'_>, findings: &mut Findings) {
    if !met.stated.by_head
        || met.candidates.is_empty()
        || met.candidates.iter().any(|&at| candidates.all[at].in_default_channel)
    {
        return;
    }
    let names = name_list(met.candidates.iter().rev().map(|&at| candidates.all[at].bundle.name.value.as_str()));
    let message = format!(
        "{} requires an operator {}, but no default channel has one, only other channels: {names}",
        met.stated.who(),
        met.requirement
    );
    let help = "OLM subscribes the dependency to such a channel; check that users are meant to use it";
    findings.push(Diagnostic::new(Rule::NonDefaultProvider, met.stated.span, message).with_help(help));
}

#[cfg(test)]
mod tests {
    use crate::testing::check_across_catalogs;
    use source::Rule;

    #[test]
    fn findings() {
        let cases = "
            == only in another channel
            c: 1.0.0 (requires q >=1.0.0)
                      ^^^^^^^^^^^^^^^^^^ non-default-provider: `p.v1.0.0` requires an operator with package: q and with version in range: >=1.0.0, but no default channel has one, only other channels: `q.v1.0.0`
            //- package q, default d
            c: 1.0.0
            == in the default channel
            c: 1.0.0 (requires q >=1.0.0)
            //- package q
            c: 1.0.0
        ";
        check_across_catalogs(Rule::NonDefaultProvider, cases);
    }
}
