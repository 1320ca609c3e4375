//! The order in which `opm validate` finds errors, and the error that it therefore stops at.

use crate::ParsedFile;
use source::{Diagnostic, FileId};

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
    /// The properties of that bundle.
    BundleProperties,
    /// Its `olm.package` property.
    BundlePackage,
    /// Its images.
    BundleImages,
    /// Its version.
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

/// The finding that stands for the error that `opm validate` stops at; where it prints several errors together, for the
/// first of them. `None` if `opm` accepts the catalog. `files` are the files of the catalog, in the order in which `opm`
/// loads them.
#[must_use]
pub fn rejection<'f>(
    files: &[(FileId, ParsedFile<'_>)],
    findings: impl IntoIterator<Item = &'f Diagnostic>,
) -> Option<&'f Diagnostic> {
    let key = |finding: &Diagnostic| {
        let file = files.iter().position(|(id, _)| *id == finding.span.file);
        let (pass, is_by_document) = pass(finding.opm_rank);
        let document = file.filter(|_| is_by_document).map(|file| {
            let docs = &files[file].1.parse.docs;
            docs.partition_point(|doc| doc.span.start <= finding.span.start)
        });
        (pass, file, document, finding.opm_rank, finding.span)
    };
    findings.into_iter().filter(|finding| finding.opm.is_some()).min_by_key(|finding| key(finding))
}

/// The rank at which the pass over the catalog with this rank begins, and whether the pass runs all of its checks on one
/// document before it goes to the next.
fn pass(rank: u8) -> (u8, bool) {
    let passes = [(OpmPhase::Channels, OpmPhase::ChannelNames), (OpmPhase::Bundles, OpmPhase::BundleListed)];
    let by_document = passes.into_iter().find(|&(first, last)| (first.into()..=last.into()).contains(&rank));
    by_document.map_or((rank, false), |(first, _)| (first.into(), true))
}
