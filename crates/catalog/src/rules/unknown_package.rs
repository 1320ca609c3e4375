//! A package that channels, bundles or deprecations name, but that no `olm.package` document declares.
//!
//! `opm` stops at the first such document; one finding stands for all of them. Fix: add the `olm.package` document or
//! correct the name. Source: declcfg_to_model.go, "unknown package".

use crate::Package;
use blang_semver::Quoted;
use source::{Diagnostic, Rule};

pub(super) fn check(package: &Package) -> Option<Diagnostic> {
    if package.declared.is_some() {
        return None;
    }
    let name = Quoted(package.name.as_str());
    let (span, opm) = if let Some(channel) = package.channels.iter().min_by_key(|channel| channel.span) {
        let line = format!("unknown package {name} for channel {}", Quoted(channel.name.value.as_str()));
        (channel.span, line)
    } else if let Some(bundle) = package.bundles.iter().min_by_key(|bundle| bundle.span) {
        (bundle.span, format!("unknown package {name} for bundle {}", Quoted(bundle.name.value.as_str())))
    } else {
        let deprecation = package.deprecations.first()?;
        (deprecation.span, format!("cannot apply deprecations to an unknown package {name}"))
    };
    let (channels, bundles) = (package.channels.len(), package.bundles.len());
    let message =
        format!("package `{}` is not declared; {channels} channels and {bundles} bundles name it", package.name);
    let help =
        format!("add a document with `schema: olm.package` and `name: {}`, or correct the name here", package.name);
    Some(Diagnostic::new(Rule::UnknownPackage, span, message).with_help(help).with_opm(opm))
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::{check, check_opm};

    const CHANNEL: &str = "schema: olm.channel\npackage: p\nname: c\nentries:\n- name: a\n---\nschema: olm.bundle\npackage: p\nname: a\nimage: i\nproperties:\n- type: olm.package\n  value: {packageName: p, version: 1.0.0}\n";

    #[test]
    fn one_finding_for_all_documents() {
        check(CHANNEL, &["1:1 unknown-package: package `p` is not declared; 1 channels and 1 bundles name it"]);
        check_opm(CHANNEL, &["unknown package \"p\" for channel \"c\""]);
    }
}
