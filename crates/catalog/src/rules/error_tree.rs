//! The tree of errors that `opm validate` prints when it checks the finished model (operator-registry `alpha/model/model.go`,
//! `alpha/model/error.go`).
//!
//! `opm` goes through its packages, channels and bundles in the order of Go's maps. The order here is that of the text, which
//! small maps have most often.

use super::missing_bundle::NO_VERSION;
use super::missing_field::NO_IMAGE;
use super::{
    duplicate_version, empty_channel, invalid_deprecation, invalid_range, invalid_release, missing_field,
    multiple_channel_heads, no_channel_head, replaces_cycle, stranded_entry, unknown_default_channel,
};
use crate::{BundleName, Catalog, Chain, Channel, DeprecationTarget, Entry, OpmPhase, Package};
use go_semver::blang::Quoted;
use source::{Diagnostic, OpmVersion};
use std::sync::Arc;

/// A line with those below it. An error has none.
struct Line {
    text: String,
    below: Vec<Self>,
    /// The first and the last release with an error.
    releases: (Option<OpmVersion>, Option<OpmVersion>),
}

/// The errors in the model as `opm` prints them; `None` if there are none.
pub(crate) fn error_tree(catalog: &Catalog) -> Option<String> {
    let mut packages: Vec<&Package> = catalog.packages.iter().map(Arc::as_ref).collect();
    packages.sort_by_key(|package| package.span());
    let index = Line::group("invalid index".to_owned(), packages.into_iter().filter_map(package).collect())?;
    let index = index.printed_by(catalog.opm)?;
    let mut out = String::new();
    index.write("", "", &mut out);
    Some(out.trim().to_owned())
}

fn package(package: &Package) -> Option<Line> {
    let mut lines = Vec::new();
    let default = unknown_default_channel::check(package);
    // `opm` makes a channel for a default channel that does not exist.
    let (made, unset): (Vec<_>, Vec<_>) = default.into_iter().partition(|_| package.default_channel.is_some());
    lines.extend(errors(unset));
    lines.extend(errors(empty_channel::package(package)));
    let mut channels: Vec<&Channel> = package.channels.iter().collect();
    channels.sort_by_key(|channel| channel.span);
    lines.extend(channels.into_iter().filter_map(|it| channel(package, it)));
    if let Some(default) = &package.default_channel {
        lines
            .extend(Line::group(format!("invalid channel {}", Quoted(default.value.as_str())), errors(made).collect()));
    }
    lines.extend(errors(duplicate_version::check(package)));
    lines.extend(deprecations(package, &DeprecationTarget::Package));
    Line::group(format!("invalid package {}", Quoted(package.name.as_str())), lines)
}

fn channel(package: &Package, channel: &Channel) -> Option<Line> {
    let chain = Chain::of(channel);
    let mut lines: Vec<Line> = errors(empty_channel::channel(package, channel)).collect();
    lines.extend(errors(no_channel_head::check(package, channel, &chain)));
    lines.extend(errors(multiple_channel_heads::check(package, channel, &chain)));
    lines.extend(errors(replaces_cycle::check(package, channel, &chain)));
    lines.extend(errors(replaces_cycle::through_skipped(package, channel, &chain)));
    lines.extend(errors(stranded_entry::check(package, channel, &chain)));
    lines.extend(channel.entries.iter().filter_map(|it| entry(package, channel, it)));
    lines.extend(deprecations(package, &DeprecationTarget::Channel(channel.name.value.clone())));
    Line::group(format!("invalid channel {}", Quoted(channel.name.value.as_str())), lines)
}

fn entry(package: &Package, channel: &Channel, entry: &Entry) -> Option<Line> {
    let name: &BundleName = &entry.name.value;
    let bundle = package.bundle(name.as_str());
    let mut lines: Vec<Line> = errors(missing_field::entry_name(channel, entry)).collect();
    let of_release = bundle.map(|bundle| invalid_release::check_bundle(package, bundle)).unwrap_or_default();
    let (of_name, of_version): (Vec<_>, Vec<_>) =
        of_release.into_iter().partition(|finding| bundle.is_some_and(|bundle| finding.span == bundle.name.span));
    lines.extend(errors(of_name));
    lines.extend(errors(missing_field::entry_skips(entry)));
    lines.extend(errors(invalid_range::skip_range(entry)));
    match bundle {
        Some(bundle) => lines.extend(errors(missing_field::bundle_image(bundle))),
        None if package.may_be_unknown(name.as_str()) => {}
        None => lines.extend([NO_VERSION, NO_IMAGE].map(|text| Line::error(text.to_owned()))),
    }
    lines.extend(deprecations(package, &DeprecationTarget::Bundle(name.clone())));
    lines.extend(errors(of_version));
    Line::group(format!("invalid bundle {}", Quoted(name.as_str())), lines)
}

fn deprecations<'p>(package: &'p Package, of: &DeprecationTarget) -> impl Iterator<Item = Line> + use<'p> {
    let of = package.deprecations.iter().filter(|deprecation| deprecation.target == *of).collect::<Vec<_>>();
    errors(of.into_iter().filter_map(invalid_deprecation::no_message))
}

/// The errors of the model among findings.
fn errors(findings: impl IntoIterator<Item = Diagnostic>) -> impl Iterator<Item = Line> {
    let of_model = findings.into_iter().filter(|finding| finding.opm_rank == u8::from(OpmPhase::Model));
    of_model.filter_map(|finding| {
        Some(Line { releases: (finding.opm_since, finding.opm_until), ..Line::error(finding.opm?) })
    })
}

impl Line {
    /// A line above others; `None` above none.
    fn group(text: String, below: Vec<Self>) -> Option<Self> {
        (!below.is_empty()).then_some(Self { below, ..Self::error(text) })
    }

    const fn error(text: String) -> Self {
        Self { text, below: Vec::new(), releases: (None, None) }
    }

    /// What a release of `opm` prints of it.
    fn printed_by(self, opm: OpmVersion) -> Option<Self> {
        if self.below.is_empty() {
            let (since, until) = self.releases;
            let is_there = since.is_none_or(|since| since <= opm) && until.is_none_or(|until| opm <= until);
            return is_there.then_some(self);
        }
        Self::group(self.text, self.below.into_iter().filter_map(|line| line.printed_by(opm)).collect())
    }

    /// Writes the line behind `first`, and those below it behind `rest`.
    fn write(&self, first: &str, rest: &str, out: &mut String) {
        let colon = if self.below.is_empty() { "" } else { ":" };
        *out += &format!("{first}{}{colon}\n", self.text);
        let last = self.below.len().saturating_sub(1);
        for (at, line) in self.below.iter().enumerate() {
            let (branch, margin) = if at == last { ("└── ", "    ") } else { ("├── ", "│   ") };
            line.write(&format!("{rest}{branch}"), &format!("{rest}{margin}"), out);
        }
    }
}
