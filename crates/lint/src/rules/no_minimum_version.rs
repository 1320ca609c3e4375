//! The rule `no-minimum-version`.
//!
#![doc = include_str!("no_minimum_version.md")]

use crate::candidates::{Candidates, MetRequirement};
use catalog::predicate::{Property, Requirement};
use source::{Diagnostic, Findings, Rule};

pub(crate) fn check(met: &MetRequirement<'_, '_>, candidates: &Candidates<'_>, findings: &mut Findings) {
    let Requirement::Gvk(gvk) = met.requirement else { return };
    let names = candidates.package_names(&met.candidates);
    let (Some(provider), 1, true) = (names.first(), names.len(), met.stated.by_head) else { return };
    let names_provider = |property: &Property| match property {
        Property::PackageRequired { name, .. } => name.as_str() == *provider,
        // A constraint can express the same in many ways, so it gets the benefit of the doubt.
        Property::Other { kind, .. } => **kind == *"olm.constraint",
        Property::Package { .. } | Property::Gvk(..) | Property::GvkRequired(..) => false,
    };
    if met.stated.package.as_str() == *provider
        || met.stated.bundle.properties.iter().any(|property| names_provider(&property.value))
    {
        return;
    }
    let message =
        format!("{} requires {gvk}, but no minimum version of `{provider}`, which provides it", met.stated.who());
    let help =
        format!("if it uses fields that were added later, also require a minimum version of package `{provider}`");
    findings.push(Diagnostic::new(Rule::NoMinimumVersion, met.stated.span, message).with_help(help));
}

#[cfg(test)]
mod tests {
    use crate::testing::check_across_catalogs;
    use source::Rule;

    #[test]
    fn findings() {
        let cases = "
            == only the API is required
            c: 1.0.0 (requires g/v1/K)
                      ^^^^^^^^^^^^^^^ no-minimum-version: `p.v1.0.0` requires K (g/v1), but no minimum version of `q`, which provides it
            //- package q
            c: 1.0.0 (provides g/v1/K)
            == several packages provide it
            c: 1.0.0 (requires g/v1/K)
            //- package q
            c: 1.0.0 (provides g/v1/K)
            //- package r
            c: 1.0.0 (provides g/v1/K)
            == a minimum version is required too
            c: 1.0.0 (requires g/v1/K; requires q >=1.0.0)
            //- package q
            c: 1.0.0 (provides g/v1/K)
        ";
        check_across_catalogs(Rule::NoMinimumVersion, cases);
    }
}
