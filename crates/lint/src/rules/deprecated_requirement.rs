//! The rule `deprecated-requirement`.
//!
#![doc = include_str!("deprecated_requirement.md")]

use crate::supply::Supply;
use crate::together::Met;
use source::{Diagnostic, Findings, Rule, name_list};

pub(crate) fn check(met: &Met<'_, '_>, supply: &Supply<'_>, found: &mut Findings) {
    if !met.demand.by_head || met.offers.is_empty() || met.offers.iter().any(|&at| !supply.offers[at].deprecated) {
        return;
    }
    let names = name_list(met.offers.iter().rev().map(|&at| supply.offers[at].bundle.name.value.as_str()));
    let message =
        format!("what {} requires, an operator {}, is deprecated: {names}", met.demand.who(), met.requirement);
    let help = "require something that is still maintained";
    found.push(Diagnostic::new(Rule::DeprecatedRequirement, met.demand.span, message).with_help(help));
}

#[cfg(test)]
mod tests {
    use crate::testing::{check_together, operator};
    use source::Rule;

    #[test]
    fn all_of_it() {
        let p =
            operator("p", "1.0.0", "{type: olm.package.required, value: {packageName: q, versionRange: '>=1.0.0'}}");
        let q = operator("q", "1.0.0", "");
        check_together(Rule::DeprecatedRequirement, &[&p, &q], &[]);
        let q = q
            + "---\nschema: olm.deprecations\npackage: q\nentries:\n- reference: {schema: olm.bundle, name: q.v1.0.0}\n  message: old\n";
        let expected = "8:4 what `p.v1.0.0` requires, an operator with package: q and with version in range: >=1.0.0, is deprecated: `q.v1.0.0`";
        check_together(Rule::DeprecatedRequirement, &[&p, &q], &[expected]);
    }
}
