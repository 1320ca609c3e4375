//! The rule `unknown-default-channel`.
//!
#![doc = include_str!("unknown_default_channel.md")]

use crate::{Chain, OpmPhase, Package};
use source::{Diagnostic, QuickFix, Rewrite, Rule, name_list, nearest};

/// What a help ends with where a package has no bundles, or no channels, at all: somebody may have asked catalogd for the
/// documents of one schema.
pub(super) const PART_OF_A_CATALOG: &str = "; if this is an answer of catalogd's `/api/v1/metas`, which may be a part of a catalog, load that of `/api/v1/all`";

/// To how many channels quick fixes change the default.
const MOST_OFFERED: usize = 3;

pub(super) fn check(package: &Package) -> Option<Diagnostic> {
    let declared = package.declared?;
    if package.default_channel.as_ref().is_some_and(|default| package.channel(default.value.as_str()).is_some()) {
        return None;
    }
    // Suggest only channels that OLM can install something from.
    let installable = package.channels.iter().filter(|channel| Chain::of(channel).head().is_some());
    let names: Vec<&str> = installable.map(|channel| channel.name.value.as_str()).collect();
    let help = match (names.as_slice(), package.channels.is_empty()) {
        ([], true) => format!("add a channel first{PART_OF_A_CATALOG}"),
        ([], false) => "fix a channel first: none has exactly one head".to_owned(),
        ([one], _) => format!("choose `{one}`"),
        (many, _) => format!("choose one of {}", name_list(many.iter().copied())),
    };
    let Some(default) = &package.default_channel else {
        let message = format!("package `{}` has no default channel", package.name);
        let finding = Diagnostic::new(Rule::UnknownDefaultChannel, declared, message);
        let set = |name: &str| {
            let change =
                Rewrite::Set { mapping: declared, within: None, field: "defaultChannel", text: name.to_owned() };
            QuickFix::new(format!("Make `{name}` the default channel"), change)
        };
        let fixes = names.iter().take(MOST_OFFERED).map(|name| set(name));
        let finding = finding.with_help(help).with_opm_at(OpmPhase::Model, "default channel must be set");
        return Some(fixes.fold(finding, Diagnostic::with_fix));
    };
    let near = nearest(default.value.as_str(), package.channels.iter().map(|channel| channel.name.value.as_str()));
    let help = near.first().map_or(help, |near| format!("did you mean `{near}`?"));
    let offered = near.first().map_or(&names[..], std::slice::from_ref).iter().take(MOST_OFFERED);
    let message = format!("default channel `{default}` of package `{}` does not exist", package.name);
    let finding = Diagnostic::new(Rule::UnknownDefaultChannel, default.span, message);
    let finding = finding
        .with_help(help)
        .with_missing([default.value.as_str()])
        .with_opm_at(OpmPhase::Model, "channel must contain at least one bundle");
    Some(offered.map(|name| QuickFix::rename(default.span, name)).fold(finding, Diagnostic::with_fix))
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::{check, findings_in, titles};
    use source::{Diagnostic, Rule};

    #[test]
    fn findings() {
        let cases = "
            == a channel that does not exist
            package p, default d
                               ^ unknown-default-channel: default channel `d` of package `p` does not exist
                               ^ opm: channel must contain at least one bundle
            c: 1.0.0
            == no default channel
            schema: olm.package
            ^^^^^^^^^^^^^^^^^^^ unknown-default-channel: package `p` has no default channel
            name: p
            ---
            schema: olm.channel
            package: p
            name: c
            entries: [{name: p.v1.0.0}]
            ---
            schema: olm.bundle
            package: p
            name: p.v1.0.0
            image: i
            properties: [{type: olm.package, value: {packageName: p, version: 1.0.0}}]
        ";
        check(cases);
    }

    /// The finding about the default channel.
    fn found(notation: &str) -> Diagnostic {
        let found = findings_in(&fixture::yaml(notation));
        found.into_iter().find(|finding| finding.rule == Rule::UnknownDefaultChannel).unwrap()
    }

    #[test]
    fn a_misspelt_channel_gets_a_suggestion() {
        let finding = found("package p, default stabel\nstable: 1.0.0");
        assert_eq!(finding.help.as_deref(), Some("did you mean `stable`?"));
        assert_eq!(titles(&finding), ["Change to `stable`"]);
        let is_broken = found("package p, default stabel\nstable: 1.0.0, 1.1.0");
        assert_eq!(is_broken.help.as_deref(), Some("did you mean `stable`?"));
    }

    #[test]
    fn help_names_only_channels_with_one_head() {
        let help = |channels: &str| found(&format!("package p, default no\n{channels}")).help.unwrap();
        let not_installable = "empty:\ncycle: 1.0.0 (replaces 1.1.0) <- 1.1.0";
        assert!(help("").starts_with("add a channel first; if this is an answer of catalogd's `/api/v1/metas`"));
        assert_eq!(help(not_installable), "fix a channel first: none has exactly one head");
        assert_eq!(help(&format!("{not_installable}\nc: 1.0.0")), "choose `c`");
    }
}
