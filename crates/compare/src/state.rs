//! One state of a catalog: before or after the change.

use crate::fate::{ChannelState, Fate, follow};
use crate::simulated::Simulation;
use blang_semver::Version;
use catalog::{Bundle, BundleName, Catalog, Channel, ChannelName, Package};
use predicate::PackageName;
use std::collections::BTreeMap;
use update_graph::{UpdateChain, version_of};

/// A state of a catalog.
#[derive(Clone, Copy, Debug)]
pub struct State<'c> {
    /// What it says.
    pub catalog: &'c Catalog,
    /// Why `opm` rejects it: OLM then gets nothing from it.
    pub rejected: Option<&'c str>,
}

/// An installed version of the old state, which the other functions judge.
#[derive(Clone, Copy, Debug)]
pub struct Installed<'c> {
    /// The name of its CSV.
    pub name: &'c BundleName,
    /// Its bundle, if the old state has one.
    pub bundle: Option<&'c Bundle>,
}

impl Installed<'_> {
    /// Its version; for names without bundle the version that the name ends in.
    #[must_use]
    pub fn version(&self) -> Option<Version> {
        match self.bundle {
            Some(bundle) => bundle.version().cloned(),
            None => update_graph::version_in(self.name.as_str()),
        }
    }
}

/// A package in one state.
pub(crate) struct PackageState<'c> {
    state: State<'c>,
    package: Option<&'c Package>,
    /// The channels that OLM can order.
    chains: BTreeMap<&'c ChannelName, UpdateChain<'c>>,
    /// Whether a bundle is forbidden, which the chains do not know.
    has_deprecated: bool,
    simulation: Simulation<'c>,
}

impl<'c> PackageState<'c> {
    pub(crate) fn of(state: State<'c>, name: &PackageName) -> Self {
        let package = state.catalog.package(name.as_str());
        let channels = package.into_iter().flat_map(|package| &package.channels);
        let chain = |channel: &'c Channel| {
            let chain = UpdateChain::of(package?, channel).ok()?;
            Some((&channel.name.value, chain)).filter(|(_, chain)| !chain.entries.is_empty())
        };
        let mut bundles = package.into_iter().flat_map(|package| &package.bundles);
        Self {
            state,
            package,
            chains: channels.filter_map(chain).collect(),
            has_deprecated: bundles.any(is_deprecated),
            simulation: Simulation::of(name, state),
        }
    }

    /// What becomes of an installed version.
    pub(crate) fn fate(&self, channel: &ChannelName, installed: Installed<'_>) -> Fate {
        let version = installed.version();
        let forbidden = self.has_deprecated || installed.bundle.is_some_and(is_deprecated);
        match self.chains.get(channel) {
            Some(chain) if self.state.rejected.is_none() => {
                let version_of = |name: &BundleName| self.package.and_then(|package| version_of(package, name));
                let fate = follow(chain, version_of, (installed.name, version.as_ref()));
                if forbidden { self.simulation.fate(channel, installed, fate.state) } else { fate }
            }
            _ => Fate::failed(self.channel_state(channel), self.simulation.error(channel, installed)),
        }
    }

    /// Why nothing can be chosen from a channel. What a rejected catalog lacks may be in a part that could not be read.
    fn channel_state(&self, channel: &ChannelName) -> ChannelState {
        if self.state.rejected.is_some() {
            return ChannelState::Broken;
        }
        let Some(package) = self.package else { return ChannelState::PackageGone };
        match package.channel(channel.as_str()) {
            Some(channel) if !channel.entries.is_empty() => ChannelState::Broken,
            _ => ChannelState::ChannelGone,
        }
    }
}

/// Whether a bundle has the property `olm.deprecated`: the resolver then never chooses it, and moves away from it
/// (olm-runtime A2.6).
fn is_deprecated(bundle: &Bundle) -> bool {
    bundle.properties.iter().any(|property| property.value.kind() == "olm.deprecated")
}
