//! What is deprecated: the document `olm.deprecations` (operator-registry `alpha/declcfg/declcfg.go`, `Deprecation`).

use catalog::{BundleName, ChannelName};

/// What an entry of an `olm.deprecations` document is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Deprecated {
    Package,
    Channel(ChannelName),
    Bundle(BundleName),
}

impl Deprecated {
    /// The schema of the reference.
    #[must_use]
    pub const fn schema(&self) -> &'static str {
        match self {
            Self::Package => "olm.package",
            Self::Channel(_) => "olm.channel",
            Self::Bundle(_) => "olm.bundle",
        }
    }

    /// The name in the reference; empty for a package, which has none.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Package => "",
            Self::Channel(name) => name.as_str(),
            Self::Bundle(name) => name.as_str(),
        }
    }
}
