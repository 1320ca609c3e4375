//! The rule `duplicate-name`.
//!
#![doc = include_str!("duplicate_name.md")]

use crate::{Bundle, Channel, OpmPhase};
use fbc::raw::Text;
use go_semver::blang::Quoted;
use source::{Diagnostic, QuickFix, Rule, Span};
use std::collections::BTreeMap;

pub(crate) fn package(name: &Text, first: Span) -> Diagnostic {
    let message = format!("package `{}` is declared twice", name.value);
    finding(name.span, first, message, OpmPhase::Packages, format!("duplicate package {}", Quoted(&name.value)))
}

pub(crate) fn channel(channel: &Channel, package: &str, first: Span) -> Diagnostic {
    let name = &channel.name.value;
    let opm = format!("package {} has duplicate channel {}", Quoted(package), Quoted(name.as_str()));
    let message = format!("package `{package}` has two channels named `{name}`");
    finding(channel.name.span, first, message, OpmPhase::ChannelNames, opm)
}

pub(crate) fn bundle(bundle: &Bundle, package: &str, first: Span) -> Diagnostic {
    let name = &bundle.name.value;
    let opm = format!("package {} has duplicate bundle {}", Quoted(package), Quoted(name.as_str()));
    let message = format!("package `{package}` has two bundles named `{name}`");
    finding(bundle.name.span, first, message, OpmPhase::Bundles, opm)
}

pub(super) fn entries<'c>(channel: &'c Channel, package: &'c str) -> impl Iterator<Item = Diagnostic> + 'c {
    let mut first: BTreeMap<&str, Span> = BTreeMap::new();
    channel.entries.iter().filter_map(move |entry| {
        let name = entry.name.value.as_str();
        let earlier = *first.entry(name).or_insert(entry.name.span);
        let channel_name = &channel.name.value;
        let opm = format!(
            "invalid package {}, channel {}: duplicate entry {}",
            Quoted(package),
            Quoted(channel_name.as_str()),
            Quoted(name)
        );
        let message = format!("channel `{channel_name}` lists `{name}` twice");
        (earlier != entry.name.span).then(|| {
            finding(entry.name.span, earlier, message, OpmPhase::ChannelNames, opm)
                .with_fix(QuickFix::remove(entry.span, &format!("this entry of `{name}`")))
        })
    })
}

fn finding(span: Span, first: Span, message: String, step: OpmPhase, opm: String) -> Diagnostic {
    Diagnostic::new(Rule::DuplicateName, span, message)
        .with_label(first, "first defined here; this is the one that Opscope uses")
        .with_help("remove or rename one of the two")
        .with_opm_at(step, opm)
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::check;

    #[test]
    fn findings() {
        let cases = r#"
            == entries
            c: 1.0.0, 1.0.0
                      ^^^^^ duplicate-name: channel `c` lists `p.v1.0.0` twice
                      ^^^^^ opm: invalid package "p", channel "c": duplicate entry "p.v1.0.0"
            == each duplicate is reported
            c: 1.0.0
            ---
            {schema: olm.bundle, package: p, name: p.v1.0.0, image: i, properties: [{type: olm.package, value: {packageName: p, version: 1.0.0}}]}
                                                   ^^^^^^^^ duplicate-name: package `p` has two bundles named `p.v1.0.0`
                                                   ^^^^^^^^ opm: package "p" has duplicate bundle "p.v1.0.0"
            ---
            {schema: olm.bundle, package: p, name: p.v1.0.0, image: i, properties: [{type: olm.package, value: {packageName: p, version: 1.0.0}}]}
                                                   ^^^^^^^^ duplicate-name: package `p` has two bundles named `p.v1.0.0`
                                                   ^^^^^^^^ opm: package "p" has duplicate bundle "p.v1.0.0"
            == documents
            c: 1.0.0
            ---
            {schema: olm.bundle, package: p, name: p.v1.0.0, image: i, properties: [{type: olm.package, value: {packageName: p, version: 1.0.0}}]}
                                                   ^^^^^^^^ duplicate-name: package `p` has two bundles named `p.v1.0.0`
                                                   ^^^^^^^^ opm: package "p" has duplicate bundle "p.v1.0.0"
            ---
            {schema: olm.channel, package: p, name: c, entries: [{name: p.v1.0.0}]}
                                                    ^ duplicate-name: package `p` has two channels named `c`
                                                    ^ opm: package "p" has duplicate channel "c"
            ---
            {schema: olm.package, name: p, defaultChannel: c}
                                        ^ duplicate-name: package `p` is declared twice
                                        ^ opm: duplicate package "p"
        "#;
        check(cases);
    }
}
