//! The order in which `opm validate` finds errors.

#[cfg(doc)]
use source::Diagnostic;

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
