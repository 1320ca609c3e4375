//! The rule `unsatisfiable-requirement`.
//!
#![doc = include_str!("unsatisfiable_requirement.md")]

use crate::input::Input;
use crate::supply::Supply;
use crate::together::Met;
use predicate::Requirement;
use source::{Diagnostic, Findings, Rule, Severity};

pub(crate) fn check(input: Input<'_>, met: &Met<'_, '_>, supply: &Supply<'_>, found: &mut Findings) {
    if !met.offers.is_empty() {
        return;
    }
    let demand = met.demand;
    let mut message =
        format!("no loaded catalog can meet what {} requires: an operator {}", demand.who(), met.requirement);
    let mut span = demand.span;
    if let Requirement::Package { name, .. } = met.requirement {
        let offers = supply.of_package(name.as_str());
        let newest = offers.last().and_then(|&at| supply.offers[at].bundle.version());
        if let Some(newest) = newest {
            message.push_str(&format!("; the newest is {newest}"));
            span = input.field(span, "versionRange");
        }
    }
    let mut finding = Diagnostic::new(Rule::UnsatisfiableRequirement, span, message)
        .with_help("load the catalog that has it, or correct the requirement");
    if !demand.by_head {
        finding.severity = Severity::Hint;
    }
    found.push(finding);
}

#[cfg(test)]
mod tests {
    use crate::testing::{check_together, operator};
    use source::Rule;

    #[test]
    fn nobody() {
        let p = operator("p", "1.0.0", "{type: olm.gvk.required, value: {group: g, version: v1, kind: K}}");
        let expected = "8:4 no loaded catalog can meet what `p.v1.0.0` requires: an operator providing an API with group: g, version: v1, kind: K";
        check_together(Rule::UnsatisfiableRequirement, &[&p], &[expected]);
        let q = operator("q", "1.0.0", "{type: olm.gvk, value: {group: g, version: v1, kind: K}}");
        check_together(Rule::UnsatisfiableRequirement, &[&p, &q], &[]);
    }

    #[test]
    fn of_another_version() {
        let required = "{type: olm.package.required, value: {packageName: q, versionRange: '>=2.0.0'}}";
        let (p, q) = (operator("p", "1.0.0", required), operator("q", "1.0.0", ""));
        let expected = "8:71 no loaded catalog can meet what `p.v1.0.0` requires: an operator with package: q and with version in range: >=2.0.0; the newest is 1.0.0";
        check_together(Rule::UnsatisfiableRequirement, &[&p, &q], &[expected]);
    }

    #[test]
    fn compound() {
        let not = "{type: olm.constraint, value: {all: {constraints: [{gvk: {group: g, version: v1, kind: K}}, {not: {constraints: [{package: {packageName: q, versionRange: <1.0.0}}]}}]}}}";
        let p = operator("p", "1.0.0", not);
        let q = |version| operator("q", version, "{type: olm.gvk, value: {group: g, version: v1, kind: K}}");
        check_together(Rule::UnsatisfiableRequirement, &[&p, &q("1.0.0")], &[]);
        let expected = "8:4 no loaded catalog can meet what `p.v1.0.0` requires: an operator providing an API with group: g, version: v1, kind: K and with package: q and with version in range: <1.0.0";
        check_together(Rule::UnsatisfiableRequirement, &[&p, &q("0.9.0")], &[expected]);
    }
}
