//! The rule `duplicate-gvk`.
//!
#![doc = include_str!("duplicate_gvk.md")]

use crate::index::IndexedPackage;
use catalog::predicate::{Gvk, Property};
use source::{Diagnostic, Findings, QuickFix, Rule, Span};
use std::collections::BTreeMap;

pub(super) fn check(indexed: &IndexedPackage<'_>, findings: &mut Findings) {
    for bundle in &indexed.package.bundles {
        // Kind first: the APIs of one bundle mostly differ in their kind, so comparisons end early.
        let mut first: BTreeMap<(&str, &str, &str), Span> = BTreeMap::new();
        for property in &bundle.properties {
            let Property::Gvk(gvk, ..) = &property.value else { continue };
            let Gvk { group, version, kind } = gvk;
            let earlier = *first.entry((kind, version, group)).or_insert(property.span);
            if earlier != property.span {
                let message = format!("`{}` provides {gvk} twice and so conflicts with itself", bundle.name);
                findings.push(
                    Diagnostic::new(Rule::DuplicateGvk, property.span, message)
                        .with_label(earlier, "first here")
                        .with_fix(QuickFix::remove(property.span, "this property"))
                        .with_help("remove one of them; opm accepts both, but OLM can never install the bundle"),
                );
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check;
    use source::Rule;

    #[test]
    fn findings() {
        let cases = "
            == the same API twice
            c: 1.0.0 (provides g/v1/K; provides g/v1/K)
                                       ^^^^^^^^^^^^^^^ duplicate-gvk: `p.v1.0.0` provides K (g/v1) twice and so conflicts with itself
            == two APIs
            c: 1.0.0 (provides g/v1/K; provides g/v1/L)
        ";
        check(Rule::DuplicateGvk, cases);
    }
}
