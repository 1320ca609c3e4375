//! The rule `unmatched-lifecycle`.
//!
#![doc = include_str!("unmatched_lifecycle.md")]
use crate::index::Input;
use catalog::{Lifecycle, Package};
use source::{Diagnostic, Findings, Rule, name_list};

pub(super) fn check(input: Input<'_>, findings: &mut Findings) {
    for data in input.catalog.lifecycles() {
        let Some(name) = &data.package else { continue };
        let (message, help) = match input.catalog.package(&name.value) {
            None if input.catalog.is_partial => continue,
            None => (
                format!("lifecycle data of package `{name}`, which is not in this catalog"),
                "correct the name, or remove the document",
            ),
            Some(package) => {
                let missing = without_data(data, package);
                if missing.is_empty() {
                    continue;
                }
                let list = name_list(missing.iter().copied());
                (
                    format!("the lifecycle data of package `{name}` does not have the versions of {list}"),
                    "the console shows \"No data\" for them; add their MAJOR.MINOR to `versions`",
                )
            }
        };
        findings.push(Diagnostic::new(Rule::UnmatchedLifecycle, name.span, message).with_help(help));
    }
}

/// The bundles whose version has no data. A version that is not a text is reported by itself, and may be any of them.
fn without_data<'a>(data: &Lifecycle, package: &'a Package) -> Vec<&'a str> {
    if data.versions.is_empty() || data.versions.iter().any(|version| version.name.is_none()) {
        return Vec::new();
    }
    let versions = package.bundles.iter().filter_map(|bundle| Some((bundle, &bundle.version.as_ref()?.value.text)));
    let missing = versions.filter(|(_, version)| data.of_version(version).is_none());
    missing.map(|(bundle, _)| bundle.name.value.as_str()).collect()
}

#[cfg(test)]
mod tests {
    use crate::testing::check;
    use source::Rule;

    #[test]
    fn findings() {
        let cases = "
            == an unknown package
            c: 1.0.0
            ---
            schema: io.openshift.operators.lifecycles.v1alpha1
            package: q
                     ^ unmatched-lifecycle: lifecycle data of package `q`, which is not in this catalog
            == a version without data
            c: 1.0.0 <- 1.1.0 <- 1.1.1
            ---
            schema: io.openshift.operators.lifecycles.v1alpha1
            package: p
                     ^ unmatched-lifecycle: the lifecycle data of package `p` does not have the versions of `p.v1.0.0`
            versions: [{name: '1.1'}]
            == found by the whole version
            c: 1.0.0
            ---
            schema: io.openshift.operators.lifecycles.v1alpha1
            package: p
            versions: [{name: 1.0.0}]
            == a version that is not a text
            c: 4.10.0
            ---
            schema: io.openshift.operators.lifecycles.v1alpha1
            package: p
            versions: [{name: 4.10}]
        ";
        check(Rule::UnmatchedLifecycle, cases);
    }
}
