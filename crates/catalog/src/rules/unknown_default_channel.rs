//! The rule `unknown-default-channel`.
//!
#![doc = include_str!("unknown_default_channel.md")]

use super::listed;
use crate::Package;
use source::{Diagnostic, OpmStep, Rule};

pub(super) fn check(package: &Package) -> Option<Diagnostic> {
    let declared = package.declared?;
    let channels = listed(package.channels.iter().map(|channel| channel.name.value.as_str()));
    let help = if channels.is_empty() { "add a channel first".to_owned() } else { format!("choose one of {channels}") };
    let Some(default) = &package.default_channel else {
        let message = format!("package `{}` has no default channel", package.name);
        let finding = Diagnostic::new(Rule::UnknownDefaultChannel, declared, message);
        return Some(finding.with_help(help).with_opm_at(OpmStep::Model, "default channel must be set"));
    };
    if package.channel(default.value.as_str()).is_some() {
        return None;
    }
    let message = format!("default channel `{default}` of package `{}` does not exist", package.name);
    let finding = Diagnostic::new(Rule::UnknownDefaultChannel, default.span, message);
    Some(finding.with_help(help).with_opm_at(OpmStep::Model, "channel must contain at least one bundle"))
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::{check, check_opm, package};

    #[test]
    fn a_channel_that_does_not_exist() {
        let text = package("- name: p.v1.0.0\n", &["1.0.0"]).replace("defaultChannel: c", "defaultChannel: d");
        check(&text, &["3:17 unknown-default-channel: default channel `d` of package `p` does not exist"]);
        check_opm(&text, &["channel must contain at least one bundle"]);
    }

    #[test]
    fn none_at_all() {
        let text = package("- name: p.v1.0.0\n", &["1.0.0"]).replace("defaultChannel: c\n", "");
        check(&text, &["1:1 unknown-default-channel: package `p` has no default channel"]);
    }
}
