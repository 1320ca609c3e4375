//! The checks of `opm validate`, one file for each rule, with its tests and its documentation in Markdown beside it.
//!
//! [`check`] runs on a finished model; [`crate::lower()`] calls the rules about documents that have no place in the model.
//! A finding that stands for an error of `opm validate` carries the line that `opm` prints, to the letter.

mod bundle_in_no_channel;
pub(crate) mod duplicate_name;
mod duplicate_version;
mod empty_channel;
mod error_tree;
pub(crate) mod invalid_deprecation;
pub(crate) mod invalid_image;
pub(crate) mod invalid_lifecycle;
pub(crate) mod invalid_name;
pub(crate) mod invalid_property;
mod invalid_range;
mod invalid_release;
mod invalid_version;
mod labels;
mod mended;
mod missing_bundle;
pub(crate) mod missing_field;
mod multiple_channel_heads;
mod no_channel_head;
mod replaces_cycle;
mod stranded_entry;
mod unknown_default_channel;
pub(crate) mod unknown_package;

pub(crate) use error_tree::error_tree;
pub use invalid_release::release_error;
pub use mended::skip_fix;

use crate::{Catalog, Chain, Channel, Package};
use source::{Diagnostic, Findings, OpmVersion, Severity};

/// The findings of all rules, package by package.
#[must_use]
pub fn check(catalog: &Catalog) -> Vec<Diagnostic> {
    let mut findings = check_for_all(catalog);
    judge(catalog.opm, &mut findings);
    findings
}

/// The findings of all releases of `opm` together, package by package. [`judge`] leaves those of one.
#[must_use]
pub fn check_for_all(catalog: &Catalog) -> Vec<Diagnostic> {
    let mut findings = Findings::default();
    catalog.packages.iter().for_each(|package| check_package(package, &mut findings));
    findings.into_diagnostics()
}

/// Findings as a release of `opm` has them: without those that only older ones report. What only newer ones reject is a warning.
pub fn judge(opm: OpmVersion, findings: &mut Vec<Diagnostic>) {
    findings.retain(|found| found.opm_until.is_none_or(|until| opm <= until));
    for found in findings.iter_mut().filter(|found| found.opm.is_some() && !found.is_printed_by(opm)) {
        found.opm = None;
        found.severity = found.severity.max(Severity::Warning);
    }
}

/// The findings about a package of all releases of `opm` together. They depend on the package alone.
pub fn check_package(package: &Package, findings: &mut Findings) {
    findings.extend(unknown_default_channel::check(package));
    findings.extend(empty_channel::package(package));
    findings.extend(missing_bundle::check(package));
    findings.extend(bundle_in_no_channel::check(package));
    findings.extend(invalid_version::check(package));
    findings.extend(invalid_release::check(package));
    findings.extend(duplicate_version::check(package));
    findings.extend(missing_field::image(package));
    findings.extend(invalid_range::required(package));
    findings.extend(invalid_deprecation::check(package));
    package.channels.iter().for_each(|channel| check_channel(package, channel, findings));
}

fn check_channel(package: &Package, channel: &Channel, findings: &mut Findings) {
    let chain = Chain::of(channel);
    findings.extend(empty_channel::channel(package, channel));
    findings.extend(missing_field::entry_names(channel));
    findings.extend(missing_field::skips(channel));
    findings.extend(duplicate_name::entries(channel, package.name.as_str()));
    findings.extend(no_channel_head::check(package, channel, &chain));
    findings.extend(multiple_channel_heads::check(package, channel, &chain));
    findings.extend(replaces_cycle::check(package, channel, &chain));
    findings.extend(replaces_cycle::through_skipped(package, channel, &chain));
    findings.extend(stranded_entry::check(package, channel, &chain));
    findings.extend(invalid_range::skip_ranges(channel));
}

#[cfg(test)]
pub(crate) mod testing {
    //! `check(text)` compares the findings in a catalog with the marks of its text, as [`fixture::check`] says.

    use crate::{ParsedFile, lower};
    use source::{Diagnostic, FileId};

    /// Checks all rules on catalogs of one file.
    #[track_caller]
    pub(crate) fn check(text: &str) {
        fixture::check(text, |files| findings_in(files[0]));
    }

    /// The findings of all rules in a catalog, in the order of their places.
    pub(crate) fn findings_in(text: &str) -> Vec<Diagnostic> {
        let parse = fbc::parse(FileId(0), text);
        let (catalog, mut findings) = lower(&[ParsedFile { text, parse: &parse }]);
        findings.extend(super::check(&catalog));
        findings.sort_by_key(|finding| (finding.span, finding.rule));
        findings
    }

    /// The titles of the quick fixes.
    pub(crate) fn titles(finding: &Diagnostic) -> Vec<&str> {
        finding.fixes.iter().map(|fix| fix.title.as_str()).collect()
    }
}
