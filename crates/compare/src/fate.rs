//! What becomes of an installed version in one state of a catalog.

use blang_semver::Version;
use catalog::BundleName;
use update_graph::{UpdateChain, Via};

/// The updates that OLM v0 makes of one installed version with a Subscription to one channel, each plan taken to succeed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fate {
    /// The updates, one after the other; empty if the version stays.
    pub hops: Vec<Hop>,
    /// Whether the last hop leads back to a version that was installed before, so that the updates repeat forever.
    pub repeats: bool,
    /// OLM's error, if the resolution before the first or after the last hop fails.
    pub error: Option<Box<str>>,
    /// The state of the channel.
    pub state: ChannelState,
}

/// An update.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hop {
    /// What it installs.
    pub to: BundleName,
    /// The version of that.
    pub version: Option<Version>,
    /// The field that allows it; absent if the simulation found it, which does not say.
    pub via: Option<Via>,
}

/// Whether OLM can choose from a channel.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ChannelState {
    /// The catalog has no such package.
    PackageGone,
    /// The package has no such channel, or the channel lists nothing.
    ChannelGone,
    /// OLM cannot order the entries, or nothing can be chosen because `opm` rejects the catalog.
    #[default]
    Broken,
    /// It can.
    Served {
        /// The head of the channel.
        head: BundleName,
    },
}

impl Fate {
    /// The fate in a channel that OLM cannot choose from.
    pub(crate) fn failed(state: ChannelState, error: Box<str>) -> Self {
        Self { error: Some(error), state, ..Self::default() }
    }

    /// The first update.
    #[must_use]
    pub fn next(&self) -> Option<&BundleName> {
        self.hops.first().map(|hop| &hop.to)
    }

    /// The version where the updates of `installed` end. If they repeat, it is the first one that comes again.
    #[must_use]
    pub fn end<'f>(&'f self, installed: &'f BundleName) -> &'f BundleName {
        self.hops.last().map_or(installed, |hop| &hop.to)
    }

    /// The head of the channel.
    #[must_use]
    pub fn head(&self) -> Option<&BundleName> {
        match &self.state {
            ChannelState::Served { head } => Some(head),
            ChannelState::PackageGone | ChannelState::ChannelGone | ChannelState::Broken => None,
        }
    }
}

/// Follows the updates from an installed version. `version` has the version of a name in this state of the catalog.
pub(crate) fn follow(
    chain: &UpdateChain<'_>,
    version: impl Fn(&BundleName) -> Option<Version>,
    (installed, installed_version): (&BundleName, Option<&Version>),
) -> Fate {
    let mut fate = Fate::default();
    if let Some(head) = chain.entries.first() {
        fate.state = ChannelState::Served { head: head.name.value.clone() };
    }
    let (mut at, mut at_version) = (installed.clone(), installed_version.cloned());
    while let Some(next) = chain.next_update(&at, at_version.as_ref()) {
        let to = &next.to.name.value;
        let repeats = to == installed || fate.hops.iter().any(|hop| hop.to == *to);
        at_version = version(to);
        at = to.clone();
        fate.hops.push(Hop { to: to.clone(), version: at_version.clone(), via: Some(next.via) });
        if repeats {
            fate.repeats = true;
            break;
        }
    }
    fate
}
