//! The rule `non-default-provider`.
//!
#![doc = include_str!("non_default_provider.md")]

use crate::supply::Supply;
use crate::together::Met;
use source::{Diagnostic, Findings, Rule, name_list};

pub(crate) fn check(met: &Met<'_, '_>, supply: &Supply<'_>, found: &mut Findings) {
    if !met.demand.by_head || met.offers.is_empty() || met.offers.iter().any(|&at| supply.offers[at].by_default) {
        return;
    }
    let names = name_list(met.offers.iter().rev().map(|&at| supply.offers[at].bundle.name.value.as_str()));
    let message = format!(
        "what {} requires, an operator {}, is in no default channel: only {names}",
        met.demand.who(),
        met.requirement
    );
    let help = "the dependency is then subscribed to that channel; check that it is meant to be used";
    found.push(Diagnostic::new(Rule::NonDefaultProvider, met.demand.span, message).with_help(help));
}

#[cfg(test)]
mod tests {
    use crate::testing::{check_together, operator};
    use source::Rule;

    const REQUIRED: &str = "{type: olm.package.required, value: {packageName: q, versionRange: '>=1.0.0'}}";

    #[test]
    fn beside_the_default_channel() {
        let p = operator("p", "1.0.0", REQUIRED);
        let q = operator("q", "1.0.0", "");
        check_together(Rule::NonDefaultProvider, &[&p, &q], &[]);
        let expected = "8:4 what `p.v1.0.0` requires, an operator with package: q and with version in range: >=1.0.0, is in no default channel: only `q.v1.0.0`";
        let q = q.replace("defaultChannel: c", "defaultChannel: d");
        check_together(Rule::NonDefaultProvider, &[&p, &q], &[expected]);
    }
}
