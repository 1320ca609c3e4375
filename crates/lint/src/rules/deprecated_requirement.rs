//! The rule `deprecated-requirement`.
//!
#![doc = include_str!("deprecated_requirement.md")]

use crate::candidates::{Candidates, MetRequirement};
use source::{Diagnostic, Findings, Rule, name_list};

pub(crate) fn check(met: &MetRequirement<'_, '_>, candidates: &Candidates<'_>, findings: &mut Findings) {
    if !met.stated.by_head
        || met.candidates.is_empty()
        || met.candidates.iter().any(|&at| !candidates.all[at].is_deprecated)
    {
        return;
    }
    let names = name_list(met.candidates.iter().rev().map(|&at| candidates.all[at].bundle.name.value.as_str()));
    let message = format!(
        "{} requires an operator {}, but only deprecated bundles meet this: {names}",
        met.stated.who(),
        met.requirement
    );
    let help = "require a package that is still maintained";
    findings.push(Diagnostic::new(Rule::DeprecatedRequirement, met.stated.span, message).with_help(help));
}

#[cfg(test)]
mod tests {
    use crate::testing::check_across_catalogs;
    use source::Rule;

    #[test]
    fn findings() {
        let cases = "
            == the only candidate is deprecated
            c: 1.0.0 (requires q >=1.0.0)
                      ^^^^^^^^^^^^^^^^^^ deprecated-requirement: `p.v1.0.0` requires an operator with package: q and with version in range: >=1.0.0, but only deprecated bundles meet this: `q.v1.0.0`
            //- package q
            c: 1.0.0
            deprecated 1.0.0
            == it is not
            c: 1.0.0 (requires q >=1.0.0)
            //- package q
            c: 1.0.0
        ";
        check_across_catalogs(Rule::DeprecatedRequirement, cases);
    }
}
