//! The rule `duplicate-lifecycle`.
//!
#![doc = include_str!("duplicate_lifecycle.md")]
use crate::index::Input;
use source::{Diagnostic, Findings, Rule, Span};
use std::collections::BTreeMap;

pub(super) fn check(input: Input<'_>, findings: &mut Findings) {
    let mut first: BTreeMap<&str, Span> = BTreeMap::new();
    for package in input.catalog.lifecycles().filter_map(|data| data.package.as_ref()) {
        let earlier = *first.entry(&package.value).or_insert(package.span);
        if earlier != package.span {
            let message = format!("package `{package}` has a second document with lifecycle data");
            let finding = Diagnostic::new(Rule::DuplicateLifecycle, package.span, message);
            let help = "opm keeps both, and the console then shows \"No data\"; make one document of them";
            findings.push(finding.with_label(earlier, "the first one").with_help(help));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check;
    use source::Rule;

    #[test]
    fn two_documents_for_one_package_in_one_or_two_files() {
        let cases = "
            == in one file
            schema: io.openshift.operators.lifecycles.v1alpha1
            package: p
            ---
            schema: io.openshift.operators.lifecycles.v1alpha1
            package: p
                     ^ duplicate-lifecycle: package `p` has a second document with lifecycle data
            == in two files
            schema: io.openshift.operators.lifecycles.v1alpha1
            package: p
            //-
            schema: io.openshift.operators.lifecycles.v1alpha1
            package: p
                     ^ duplicate-lifecycle: package `p` has a second document with lifecycle data
            == of two packages
            schema: io.openshift.operators.lifecycles.v1alpha1
            package: p
            ---
            schema: io.openshift.operators.lifecycles.v1alpha1
            package: q
        ";
        check(Rule::DuplicateLifecycle, cases);
    }
}
