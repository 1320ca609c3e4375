//! The rule `split-requirement`.
//!
#![doc = include_str!("split_requirement.md")]

use crate::candidates::{Candidates, MetRequirement};
use catalog::predicate::{Property, Requirement};
use source::{Diagnostic, Findings, Rule, name_list};

pub(crate) fn check(met: &MetRequirement<'_, '_>, candidates: &Candidates<'_>, findings: &mut Findings) {
    let Requirement::Gvk(gvk) = met.requirement else { return };
    if !met.stated.by_head {
        return;
    }
    let providers = candidates.package_names(&met.candidates);
    if providers.len() < 2 {
        return;
    }
    let named_provider = met.stated.bundle.properties.iter().find_map(|property| match &property.value {
        Property::PackageRequired { name, .. } if providers.contains(name.as_str()) => {
            Some((name.as_str(), property.span))
        }
        _ => None,
    });
    let Some((package, span)) = named_provider else { return };
    let others = name_list(providers.iter().copied().filter(|name| *name != package));
    let message =
        format!("{} requires {gvk} and package `{package}`, but OLM may choose {others} for the API", met.stated.who());
    let help = "write both as one `olm.constraint` with `all`, which a single operator must meet";
    findings.push(
        Diagnostic::new(Rule::SplitRequirement, met.stated.span, message)
            .with_label(span, "the intended package")
            .with_help(help),
    );
}

#[cfg(test)]
mod tests {
    use crate::testing::check_across_catalogs;
    use source::Rule;

    #[test]
    fn findings() {
        let cases = "
            == another package provides the API
            c: 1.0.0 (requires g/v1/K; requires q >=1.0.0)
                      ^^^^^^^^^^^^^^^ split-requirement: `p.v1.0.0` requires K (g/v1) and package `q`, but OLM may choose `r` for the API
            //- package q
            c: 1.0.0 (provides g/v1/K)
            //- package r
            c: 1.0.0 (provides g/v1/K)
            == only the required package provides the API
            c: 1.0.0 (requires g/v1/K; requires q >=1.0.0)
            //- package q
            c: 1.0.0 (provides g/v1/K)
        ";
        check_across_catalogs(Rule::SplitRequirement, cases);
    }
}
