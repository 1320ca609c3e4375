//! The rule `invalid-min-kube`.
//!
#![doc = include_str!("invalid_min_kube.md")]

use crate::index::{IndexedPackage, Input};
use catalog::min_kube_version;
use source::{Diagnostic, Findings, Rule, Severity, parse_min_kube};

pub(super) fn check(input: Input<'_>, indexed: &IndexedPackage<'_>, findings: &mut Findings) {
    let heads = indexed.heads();
    for bundle in &indexed.package.bundles {
        let least = input.bundle(bundle.span).and_then(|(raw, text)| min_kube_version(raw, text));
        let Some(least) = least.filter(|least| parse_min_kube(least).is_none()) else { continue };
        let message = format!(
            "`{}` has the `minKubeVersion` `{least}`, which OLM cannot parse: on every cluster its CSV stays Pending with `CSV \
             version parsing error`",
            bundle.name
        );
        let mut finding = Diagnostic::new(Rule::InvalidMinKube, bundle.name.span, message).with_help(
            "write three numbers in the ClusterServiceVersion, as in `1.27.0`, and release it as a new version",
        );
        if heads.contains(bundle.name.value.as_str()) {
            finding.severity = Severity::Error;
        }
        findings.push(finding);
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::found;
    use source::{Rule, Severity};

    #[test]
    fn heads_are_errors_and_other_bundles_warnings() {
        let bundle = |version: &str, least: &str| {
            format!(
                "---\nschema: olm.bundle\npackage: p\nname: p.v{version}\nimage: i:{version}\nproperties:\n\
                 - {{type: olm.package, value: {{packageName: p, version: {version}}}}}\n\
                 - {{type: olm.csv.metadata, value: {{displayName: P, minKubeVersion: {least}}}}}\n"
            )
        };
        let channel = "schema: olm.channel\npackage: p\nname: c\nentries:\n- {name: p.v1.1.0, replaces: p.v1.0.0}\n- {name: p.v1.0.0}\n";
        let severities = |old: &str, new: &str| {
            let text = format!("{channel}{}{}", bundle("1.0.0", old), bundle("1.1.0", new));
            found(Rule::InvalidMinKube, &text).iter().map(|finding| finding.severity).collect::<Vec<_>>()
        };
        assert_eq!(severities("'1.27'", "latest"), [Severity::Warning, Severity::Error]);
        assert_eq!(severities("v1.27.0", "1.27.0-rc.1"), []);
    }
}
