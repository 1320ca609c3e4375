//! The rule `no-minimum-version`.
//!
#![doc = include_str!("no_minimum_version.md")]

use crate::supply::Supply;
use crate::together::Met;
use predicate::{Property, Requirement};
use source::{Diagnostic, Findings, Rule};

pub(crate) fn check(met: &Met<'_, '_>, supply: &Supply<'_>, found: &mut Findings) {
    let Requirement::Gvk(gvk) = met.requirement else { return };
    let names = supply.names(&met.offers);
    let (Some(provider), 1, true) = (names.first(), names.len(), met.demand.by_head) else { return };
    let named = |property: &Property| match property {
        Property::PackageRequired { name, .. } => name.as_str() == *provider,
        // A constraint may say the same in many ways.
        Property::Other { kind, .. } => **kind == *"olm.constraint",
        Property::Package { .. } | Property::Gvk(..) | Property::GvkRequired(..) => false,
    };
    if met.demand.package.as_str() == *provider
        || met.demand.bundle.properties.iter().any(|property| named(&property.value))
    {
        return;
    }
    let message = format!("{} requires {gvk} of whatever version of `{provider}`", met.demand.who());
    let help =
        format!("if it uses fields that were added later, require a minimum version of package `{provider}`, too");
    found.push(Diagnostic::new(Rule::NoMinimumVersion, met.demand.span, message).with_help(help));
}

#[cfg(test)]
mod tests {
    use crate::testing::{check_together, operator};
    use source::Rule;

    const API: &str = "{type: olm.gvk.required, value: {group: g, version: v1, kind: K}}";
    const PROVIDED: &str = "{type: olm.gvk, value: {group: g, version: v1, kind: K}}";

    #[test]
    fn the_api_alone() {
        let (p, q, r) =
            (operator("p", "1.0.0", API), operator("q", "1.0.0", PROVIDED), operator("r", "1.0.0", PROVIDED));
        check_together(
            Rule::NoMinimumVersion,
            &[&p, &q],
            &["8:4 `p.v1.0.0` requires K (g/v1) of whatever version of `q`"],
        );
        check_together(Rule::NoMinimumVersion, &[&p, &q, &r], &[]);
    }

    #[test]
    fn with_a_version() {
        let both = format!("{API}, {{type: olm.package.required, value: {{packageName: q, versionRange: '>=1.0.0'}}}}");
        check_together(
            Rule::NoMinimumVersion,
            &[&operator("p", "1.0.0", &both), &operator("q", "1.0.0", PROVIDED)],
            &[],
        );
    }
}
