//! The rule `deprecated-default`.
//!
#![doc = include_str!("deprecated_default.md")]

use crate::operator::Operator;
use catalog::{Deprecation, DeprecationTarget};
use source::{Diagnostic, Findings, Rule};

pub(super) fn check(operator: &Operator<'_>, found: &mut Findings) {
    let package = operator.package;
    let Some(default) = &package.default_channel else { return };
    let entries = &package.deprecations;
    if entries.iter().any(|entry| entry.target == DeprecationTarget::Package) {
        return;
    }
    let lane = operator.lanes.iter().find(|lane| lane.channel.name.value == default.value);
    let head = lane.and_then(|lane| lane.head()).map(|(entry, _)| &entry.name.value);
    let told = |entry: &Deprecation, what: String| {
        Diagnostic::new(Rule::DeprecatedDefault, default.span, what)
            .with_label(entry.span, "deprecated here")
            .with_help("name a channel that users should have, or deprecate the package")
    };
    found.extend(entries.iter().find_map(|entry| match &entry.target {
        DeprecationTarget::Channel(name) if *name == default.value => {
            Some(told(entry, format!("the default channel `{name}` of package `{}` is deprecated", package.name)))
        }
        DeprecationTarget::Bundle(name) if Some(name) == head => {
            Some(told(entry, format!("`{name}`, the head of the default channel `{default}`, is deprecated")))
        }
        _ => None,
    }));
}

#[cfg(test)]
mod tests {
    use crate::testing::{check, package};
    use source::Rule;

    #[track_caller]
    fn deprecated(reference: &str, expected: &[&str]) {
        let entries = "- {name: p.v2.0.0, replaces: p.v1.0.0}\n- name: p.v1.0.0\n";
        let text = package(entries, &["1.0.0", "2.0.0"])
            + &format!(
                "---\nschema: olm.deprecations\npackage: p\nentries:\n- reference: {reference}\n  message: old\n"
            );
        check(Rule::DeprecatedDefault, &text, expected);
    }

    #[test]
    fn channel_and_head() {
        let channel = "3:17 the default channel `c` of package `p` is deprecated";
        deprecated("{schema: olm.channel, name: c}", &[channel]);
        let head = "3:17 `p.v2.0.0`, the head of the default channel `c`, is deprecated";
        deprecated("{schema: olm.bundle, name: p.v2.0.0}", &[head]);
    }

    #[test]
    fn others() {
        deprecated("{schema: olm.bundle, name: p.v1.0.0}", &[]);
        deprecated("{schema: olm.package}", &[]);
    }
}
