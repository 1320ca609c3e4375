//! The rule `unsatisfiable-requirement`.
//!
#![doc = include_str!("unsatisfiable_requirement.md")]
use crate::candidates::{Candidates, MetRequirement};
use crate::index::Input;
use catalog::predicate::{Gvk, Requirement};
use source::{Diagnostic, Findings, QuickFix, Rule, Severity, nearest};

pub(crate) fn check(
    input: Input<'_>,
    met: &MetRequirement<'_, '_>,
    candidates: &Candidates<'_>,
    findings: &mut Findings,
) {
    // A bundle that is not known may meet it.
    if !met.candidates.is_empty() || candidates.is_incomplete {
        return;
    }
    let stated = met.stated;
    let who = stated.who();
    let mut message = match met.requirement {
        Requirement::Gvk(Gvk { group, version, kind }) => {
            format!("{who} requires the API `{kind}` ({group}/{version}), which no loaded catalog provides")
        }
        other => format!("{who} requires an operator {other}, but no loaded catalog has one"),
    };
    let help = match met.requirement {
        Requirement::All(_) => {
            "one operator has to meet all parts; a part that another operator meets needs an `olm.constraint` of its own"
        }
        _ => "load the catalog that has such an operator, or correct the requirement",
    };
    let mut finding = Diagnostic::new(Rule::UnsatisfiableRequirement, stated.span, "").with_help(help);
    if let Requirement::Package { name, .. } = met.requirement {
        let known = candidates.of_package(name.as_str());
        let newest = known.last().and_then(|&at| candidates.all[at].bundle.version());
        match newest {
            Some(newest) => {
                message.push_str(&format!("; the newest version is {newest}"));
                finding.span = input.field(stated.span, "versionRange");
            }
            None => finding = misspelt(input, met, name.as_str(), candidates, finding),
        }
    }
    finding.message = message;
    if !stated.by_head {
        finding.severity = Severity::Hint;
    }
    findings.push(finding);
}

/// Completes the finding about a package that no catalog has.
fn misspelt(
    input: Input<'_>,
    met: &MetRequirement<'_, '_>,
    name: &str,
    candidates: &Candidates<'_>,
    finding: Diagnostic,
) -> Diagnostic {
    let mut finding = finding.with_missing([name]);
    finding.span = input.field(finding.span, "packageName");
    // Names that are nearly the same: a package of another name may be right, and its catalog not loaded.
    let near = nearest(name, candidates.all_names());
    let near = near.first().filter(|near| near.chars().count().abs_diff(name.chars().count()) <= 1);
    let Some(near) = near else { return finding };
    // A quick fix corrects one bundle.
    let place = input.scalar(met.stated.span, "packageName").filter(|_| met.stated.others == 0);
    finding
        .with_help(format!("did you mean `{near}`? otherwise load the catalog that has `{name}`"))
        .with_fix(place.map(|place| QuickFix::rename(place, near)))
}

#[cfg(test)]
mod tests {
    use crate::testing::check_across_catalogs;
    use source::Rule;

    #[test]
    fn findings() {
        let cases = "
            == an API without provider
            c: 1.0.0 (requires g/v1/K)
                      ^^^^^^^^^^^^^^^ unsatisfiable-requirement: `p.v1.0.0` requires the API `K` (g/v1), which no loaded catalog provides
            == an API with a provider
            c: 1.0.0 (requires g/v1/K)
            //- package q
            c: 1.0.0 (provides g/v1/K)
            == only other versions
            c: 1.0.0 (requires q >=2.0.0)
                                 ^^^^^^^ unsatisfiable-requirement: `p.v1.0.0` requires an operator with package: q and with version in range: >=2.0.0, but no loaded catalog has one; the newest version is 1.0.0
            //- package q
            c: 1.0.0
            == a compound constraint
            c: 1.0.0 (property olm.constraint {all: {constraints: [{gvk: {group: g, version: v1, kind: K}},
              {not: {constraints: [{package: {packageName: q, versionRange: <1.0.0}}]}}]}})
            //- package q
            c: 1.0.0 (provides g/v1/K)
            == a compound constraint that excludes the only candidate
            c: 1.0.0 (property olm.constraint {all: {constraints: [{gvk: {group: g, version: v1, kind: K}},
                      ^^^^^^^^^^^^^^^^^^^^^^^ unsatisfiable-requirement: `p.v1.0.0` requires an operator providing an API with group: g, version: v1, kind: K and with package: q and with version in range: <1.0.0, but no loaded catalog has one
              {not: {constraints: [{package: {packageName: q, versionRange: <1.0.0}}]}}]}})
            //- package q
            c: 0.9.0 (provides g/v1/K)
        ";
        check_across_catalogs(Rule::UnsatisfiableRequirement, cases);
    }
}
