//! The rule `split-requirement`.
//!
#![doc = include_str!("split_requirement.md")]

use crate::supply::Supply;
use crate::together::Met;
use predicate::{Property, Requirement};
use source::{Diagnostic, Findings, Rule, name_list};

pub(crate) fn check(met: &Met<'_, '_>, supply: &Supply<'_>, found: &mut Findings) {
    let Requirement::Gvk(gvk) = met.requirement else { return };
    if !met.demand.by_head {
        return;
    }
    let names = supply.names(&met.offers);
    let required = met.demand.bundle.properties.iter().find_map(|property| match &property.value {
        Property::PackageRequired { name, .. } if names.contains(name.as_str()) => Some((name.as_str(), property.span)),
        _ => None,
    });
    let Some((package, span)) = required.filter(|_| names.len() > 1) else { return };
    let others = name_list(names.iter().copied().filter(|name| *name != package));
    let message =
        format!("{} requires {gvk} and package `{package}`, but {others} may be taken for the first", met.demand.who());
    let help = "state both in one `olm.constraint` with `all`, which one operator has to meet";
    found.push(
        Diagnostic::new(Rule::SplitRequirement, met.demand.span, message)
            .with_label(span, "the package that is meant")
            .with_help(help),
    );
}

#[cfg(test)]
mod tests {
    use crate::testing::{check_together, operator};
    use source::Rule;

    #[test]
    fn two_operators() {
        let both = "{type: olm.gvk.required, value: {group: g, version: v1, kind: K}}, {type: olm.package.required, value: {packageName: q, versionRange: '>=1.0.0'}}";
        let provides = "{type: olm.gvk, value: {group: g, version: v1, kind: K}}";
        let (p, q, r) =
            (operator("p", "1.0.0", both), operator("q", "1.0.0", provides), operator("r", "1.0.0", provides));
        let expected = "8:4 `p.v1.0.0` requires K (g/v1) and package `q`, but `r` may be taken for the first";
        check_together(Rule::SplitRequirement, &[&p, &q, &r], &[expected]);
        check_together(Rule::SplitRequirement, &[&p, &q], &[]);
    }
}
