//! The error that `opm validate` stops at.

use crate::rules::error_tree;
use crate::{Catalog, ParsedFile};
use source::{Diagnostic, FileId};
use std::collections::BTreeMap;

/// The finding that stands for the error that `opm validate` stops at; where it prints several errors together, for the
/// first of them. `None` if `opm` accepts the catalog. `files` are the files of the catalog, in the order in which `opm`
/// loads them.
#[must_use]
pub fn rejection<'f>(
    files: &[(FileId, ParsedFile<'_>)],
    findings: impl IntoIterator<Item = &'f Diagnostic>,
) -> Option<&'f Diagnostic> {
    errors_in_order(files, findings).into_iter().next()
}

/// The findings that stand for errors of `opm validate`, in the order in which `opm` finds them.
#[must_use]
pub fn errors_in_order<'f>(
    files: &[(FileId, ParsedFile<'_>)],
    findings: impl IntoIterator<Item = &'f Diagnostic>,
) -> Vec<&'f Diagnostic> {
    let positions: BTreeMap<FileId, usize> = files.iter().enumerate().map(|(at, (id, _))| (*id, at)).collect();
    let key = |finding: &Diagnostic| {
        let file = positions.get(&finding.span.file).copied();
        let (pass, is_by_document) = pass(finding.opm_rank);
        let document = file.filter(|_| is_by_document).map(|file| {
            let docs = &files[file].1.parse.docs;
            docs.partition_point(|doc| doc.span.start <= finding.span.start)
        });
        (pass, file, document, finding.opm_rank, finding.span)
    };
    let mut errors: Vec<&Diagnostic> = findings.into_iter().filter(|finding| finding.opm.is_some()).collect();
    errors.sort_by_cached_key(|finding| key(finding));
    errors
}

/// The whole text that `opm validate` prints for the finding that it stops at: one line, or the tree of all errors in the
/// model. `None` for a finding that `opm` does not report.
#[must_use]
pub fn rejection_text(catalog: &Catalog, rejection: &Diagnostic) -> Option<String> {
    if rejection.opm_rank == u8::from(OpmPhase::Model) { error_tree(catalog) } else { rejection.opm.clone() }
}

/// The rank at which the pass over the catalog with this rank begins, and whether the pass runs all of its checks on one
/// document before it goes to the next.
fn pass(rank: u8) -> (u8, bool) {
    let passes = [(OpmPhase::Channels, OpmPhase::ChannelNames), (OpmPhase::Bundles, OpmPhase::BundleListed)];
    let by_document = passes.into_iter().find(|&(first, last)| (first.into()..=last.into()).contains(&rank));
    by_document.map_or((rank, false), |(first, _)| (first.into(), true))
}

// The order in which `opm validate` finds errors.

/// The checks of `opm validate` in the order in which it runs them; a finding carries the number of its check as
/// [`Diagnostic::opm_rank`].
///
/// `opm` stops at the first error before [`OpmPhase::Model`]; there it collects all errors (operator-registry
/// `alpha/declcfg/load.go`, `alpha/declcfg/declcfg_to_model.go`, `alpha/model/model.go`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum OpmPhase {
    /// Reads the documents, file by file.
    Load,
    /// Goes through the packages.
    Packages,
    /// Goes through the channels: does the channel's package exist?
    Channels,
    /// The names of that channel and of its entries.
    ChannelNames,
    /// Goes through the bundles: does the bundle's package exist?
    Bundles,
    BundleProperties,
    /// The `olm.package` property of a bundle.
    BundlePackage,
    BundleImages,
    BundleVersion,
    /// Whether a channel lists it.
    BundleListed,
    /// Looks for the bundles of all entries.
    Entries,
    /// Goes through the deprecations.
    Deprecations,
    /// Validates the model that was built.
    Model,
}

impl From<OpmPhase> for u8 {
    fn from(phase: OpmPhase) -> Self {
        phase as Self
    }
}
