//! What is wrong with a catalog, one file a rule: what it says, why, and its tests.
//!
//! [`check`] judges a finished model. Rules about documents that have no place in the model are called by
//! [`crate::lower()`]. Each finding that stands for an error of `opm validate` carries `opm`'s own line.

mod bundle_in_no_channel;
pub(crate) mod duplicate_name;
mod duplicate_version;
mod empty_channel;
pub(crate) mod invalid_bundle_object;
pub(crate) mod invalid_deprecation;
pub(crate) mod invalid_image;
pub(crate) mod invalid_name;
pub(crate) mod invalid_property;
mod invalid_range;
mod invalid_release;
mod invalid_version;
mod missing_bundle;
pub(crate) mod missing_field;
mod multiple_channel_heads;
mod no_channel_head;
mod replaces_cycle;
mod stranded_entry;
mod unknown_default_channel;
pub(crate) mod unknown_package;

use crate::{Catalog, Chain, Channel, Package};
use source::{Diagnostic, Findings, Span};
use std::collections::BTreeSet;

/// All findings of all rules, package by package.
#[must_use]
pub fn check(catalog: &Catalog) -> Vec<Diagnostic> {
    let mut found = Findings::default();
    for package in &catalog.packages {
        check_package(package, &mut found);
        for channel in &package.channels {
            check_channel(package, channel, &mut found);
        }
    }
    found.into_diagnostics()
}

fn check_package(package: &Package, found: &mut Findings) {
    found.extend(unknown_default_channel::check(package));
    found.extend(empty_channel::package(package));
    found.extend(missing_bundle::check(package));
    found.extend(bundle_in_no_channel::check(package));
    found.extend(invalid_version::check(package));
    found.extend(invalid_release::check(package));
    found.extend(duplicate_version::check(package));
    found.extend(missing_field::image(package));
    found.extend(invalid_range::required(package));
    found.extend(invalid_deprecation::check(package));
}

fn check_channel(package: &Package, channel: &Channel, found: &mut Findings) {
    let chain = Chain::of(channel);
    found.extend(empty_channel::channel(channel));
    found.extend(missing_field::entry_names(channel));
    found.extend(missing_field::skips(channel));
    found.extend(duplicate_name::entries(channel, package.name.as_str()));
    found.extend(no_channel_head::check(channel, &chain));
    found.extend(multiple_channel_heads::check(channel, &chain));
    found.extend(replaces_cycle::check(channel, &chain));
    found.extend(stranded_entry::check(channel, &chain));
    found.extend(invalid_range::skip_ranges(channel));
}

/// At most so many further places are pointed at; the message counts them all.
const LABELS: usize = 100;

/// The entries that have one of these names, in the order in which they stand, each name once.
fn pointed_at<'c>(channel: &'c Channel, names: &[&str]) -> Vec<(&'c str, Span)> {
    let mut wanted: BTreeSet<&str> = names.iter().copied().collect();
    let names = channel.entries.iter().map(|entry| (entry.name.value.as_str(), entry.name.span));
    names.filter(|(name, _)| wanted.remove(name)).collect()
}

#[cfg(test)]
pub(crate) mod testing {
    //! `check(yaml, expected)`: the findings of one text, a line each.

    use crate::{ParsedFile, lower};
    use source::{FileId, LineIndex};

    /// Asserts that `text` has exactly the findings `expected`, each written `line:column rule: message`.
    #[track_caller]
    pub(crate) fn check(text: &str, expected: &[&str]) {
        let findings = found(text);
        let lines = LineIndex::new(text);
        let told: Vec<String> = findings
            .iter()
            .map(|finding| {
                let at = lines.position(text, finding.span.start);
                format!("{}:{} {}: {}", at.line, at.column, finding.rule, finding.message)
            })
            .collect();
        assert_eq!(told, expected);
    }

    /// Asserts the lines that `opm validate` would print.
    #[track_caller]
    pub(crate) fn check_opm(text: &str, expected: &[&str]) {
        assert_eq!(opm_lines(text), expected);
    }

    /// The lines that `opm validate` would print, in the order of their places.
    pub(crate) fn opm_lines(text: &str) -> Vec<String> {
        found(text).into_iter().filter_map(|finding| finding.opm).collect()
    }

    fn found(text: &str) -> Vec<source::Diagnostic> {
        let parse = fbc::parse(FileId(0), text);
        let (catalog, mut found) = lower(&[ParsedFile { text, parse: &parse }]);
        found.extend(super::check(&catalog));
        found.sort_by_key(|finding| (finding.span, finding.rule));
        found
    }

    /// A package `p` with default channel `c`, the given entries in channel `c` and a bundle for each named version.
    pub(crate) fn package(entries: &str, versions: &[&str]) -> String {
        let mut text = format!(
            "schema: olm.package\nname: p\ndefaultChannel: c\n---\nschema: olm.channel\npackage: p\nname: c\nentries:\n{entries}"
        );
        for version in versions {
            text.push_str(&bundle(version));
        }
        text
    }

    /// A bundle document `p.v<version>`.
    pub(crate) fn bundle(version: &str) -> String {
        let tag = version.replace('+', "_");
        format!(
            "---\nschema: olm.bundle\npackage: p\nname: p.v{version}\nimage: quay.io/p/p:v{tag}\nproperties:\n- type: olm.package\n  value: {{packageName: p, version: {version}}}\n"
        )
    }
}
