//! The rule `missing-field`.
//!
#![doc = include_str!("missing_field.md")]

use crate::{Bundle, Channel, Entry, OpmPhase, Package};
use fbc::raw::Text;
use go_semver::blang::Quoted;
use source::{Diagnostic, QuickFix, Rule, Span};

pub(crate) fn package_name(span: Span) -> Diagnostic {
    let finding = missing(span, "the package has no name", "add `name`");
    finding.with_opm_at(OpmPhase::Packages, "config contains package with no name")
}

pub(crate) fn channel_package(span: Span, name: Option<&Text>) -> Diagnostic {
    let name = name.map_or("", |name| &name.value);
    let finding = missing(span, &format!("channel `{name}` has no `package`"), "add `package`");
    finding.with_opm_at(OpmPhase::Channels, format!("unknown package \"\" for channel {}", Quoted(name)))
}

pub(crate) fn channel_name(span: Span, package: &str) -> Diagnostic {
    let finding = missing(span, &format!("a channel of package `{package}` has no name"), "add `name`");
    finding.with_opm_at(OpmPhase::ChannelNames, format!("package {} contains channel with no name", Quoted(package)))
}

pub(crate) fn bundle_package(span: Span, name: Option<&Text>) -> Diagnostic {
    let name = name.map_or("", |name| &name.value);
    let finding = missing(span, &format!("bundle `{name}` has no `package`"), "add `package`");
    finding.with_opm_at(OpmPhase::Bundles, format!("package name must be set for bundle {}", Quoted(name)))
}

pub(crate) fn deprecations_package(span: Span, index: usize) -> Diagnostic {
    let finding = missing(span, "the deprecations have no `package`", "add `package`");
    finding.with_opm_at(OpmPhase::Deprecations, format!("package name must be set for deprecation item {index}"))
}

pub(super) fn entry_names(channel: &Channel) -> impl Iterator<Item = Diagnostic> {
    channel.entries.iter().filter_map(|entry| entry_name(channel, entry))
}

pub(super) fn entry_name(channel: &Channel, entry: &Entry) -> Option<Diagnostic> {
    entry.name.value.as_str().is_empty().then(|| {
        let message = format!("an entry of channel `{}` has no name", channel.name);
        missing(entry.span, &message, "add the `name` of a bundle").with_opm_at(OpmPhase::Model, "name must be set")
    })
}

pub(super) fn skips(channel: &Channel) -> impl Iterator<Item = Diagnostic> {
    channel.entries.iter().flat_map(entry_skips)
}

pub(super) fn entry_skips(entry: &Entry) -> impl Iterator<Item = Diagnostic> {
    let empty = entry.skips.iter().enumerate().filter(|(_, skip)| skip.value.as_str().is_empty());
    empty.map(move |(index, skip)| {
        let message = format!("the `skips` of `{}` contain an empty name", entry.name);
        missing(skip.span, &message, "remove the empty name")
            .with_fix(QuickFix::remove(skip.span, "the empty name"))
            .with_opm_at(OpmPhase::Model, format!("skip[{index}] is empty"))
    })
}

/// The text of `opm` for a bundle, or an entry without one, that has no image.
pub(super) const NO_IMAGE: &str = "bundle image must be set";

pub(super) fn image(package: &Package) -> impl Iterator<Item = Diagnostic> {
    package.bundles.iter().filter_map(bundle_image)
}

pub(super) fn bundle_image(bundle: &Bundle) -> Option<Diagnostic> {
    (bundle.image.is_none() && !bundle.has_objects).then(|| {
        let message = format!("bundle `{}` has no image", bundle.name);
        missing(bundle.name.span, &message, "add `image`, the pull spec of the bundle image")
            .with_opm_at(OpmPhase::Model, NO_IMAGE)
    })
}

fn missing(span: Span, message: &str, help: &str) -> Diagnostic {
    Diagnostic::new(Rule::MissingField, span, message).with_help(help)
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::check;

    #[test]
    fn findings() {
        let cases = r#"
            == a package without a name
            {schema: olm.package}
            ^^^^^^^^^^^^^^^^^^^^^ missing-field: the package has no name
            ^^^^^^^^^^^^^^^^^^^^^ opm: config contains package with no name
            == a channel without a package
            {schema: olm.channel, name: c}
            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ missing-field: channel `c` has no `package`
            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ opm: unknown package "" for channel "c"
            == a bundle without a package
            {schema: olm.bundle, name: b}
            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ missing-field: bundle `b` has no `package`
            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ opm: package name must be set for bundle "b"
            == an empty image
            c: 1.0.0
            bundle 1.0.0 (image '')
                   ^^^^^ missing-field: bundle `p.v1.0.0` has no image
            == empty skips
            package p, default c
            bundle 1.0.0
            ---
            {schema: olm.channel, package: p, name: c, entries: [{name: p.v1.0.0, skips: ['']}]}
                                                                                          ^^ missing-field: the `skips` of `p.v1.0.0` contain an empty name
        "#;
        check(cases);
    }
}
