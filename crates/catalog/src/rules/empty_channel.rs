//! The rule `empty-channel`.
//!
#![doc = include_str!("empty_channel.md")]

use crate::{Channel, OpmPhase, Package};
use source::{Diagnostic, QuickFix, Rewrite, Rule};

pub(super) fn channel(package: &Package, channel: &Channel) -> Option<Diagnostic> {
    let message = || format!("channel `{}` has no entries", channel.name);
    let is_default = package.default_channel.as_ref().is_none_or(|default| default.value == channel.name.value);
    let is_deprecated = || {
        let target = crate::DeprecationTarget::Channel(channel.name.value.clone());
        package.deprecations.iter().any(|deprecation| deprecation.target == target)
    };
    channel.entries.is_empty().then(|| {
        let is_spare = !is_default && package.channels.len() > 1 && !is_deprecated();
        Diagnostic::new(Rule::EmptyChannel, channel.name.span, message())
            .with_help("add at least one bundle to its `entries`, or remove the channel")
            .with_fix(is_spare.then(|| {
                QuickFix::new(
                    format!("Remove channel `{}`", channel.name),
                    Rewrite::RemoveDocument { span: channel.span },
                )
            }))
            .with_opm_at(OpmPhase::Model, "channel must contain at least one bundle")
    })
}

pub(super) fn package(package: &Package) -> Option<Diagnostic> {
    let declared = package.declared?;
    // opm creates a default channel that does not exist, so the package then has a channel.
    let has_channel = !package.channels.is_empty() || package.default_channel.is_some();
    let message = || format!("package `{}` has no channels", package.name);
    (!has_channel).then(|| {
        Diagnostic::new(Rule::EmptyChannel, declared, message())
            .with_help("add a document with `schema: olm.channel`")
            .with_missing([package.name.as_str()])
            .with_opm_at(OpmPhase::Model, "package must contain at least one channel")
    })
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::check;

    #[test]
    fn findings() {
        let cases = "
            == a channel
            package p, default c
            c:
            ^ empty-channel: channel `c` has no entries
            == a package
            schema: olm.package
            ^^^^^^^^^^^^^^^^^^^ unknown-default-channel: package `p` has no default channel
            ^^^^^^^^^^^^^^^^^^^ opm: default channel must be set
            ^^^^^^^^^^^^^^^^^^^ empty-channel: package `p` has no channels
            ^^^^^^^^^^^^^^^^^^^ opm: package must contain at least one channel
            name: p
        ";
        check(cases);
    }
}
