//! One state of a catalog: before or after the change.

use crate::path::{ChannelState, Path, PathError, Update, Updates};
use crate::simulated::Simulation;
use catalog::predicate::PackageName;
use catalog::{Bundle, BundleName, Catalog, ChannelName, Package};
use go_semver::blang::Version;
use std::collections::BTreeMap;
use std::sync::Arc;
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

pub(crate) struct PackageState<'c> {
    state: State<'c>,
    package: Option<&'c Package>,
    /// Whether a bundle is forbidden, which the update chains do not know.
    has_deprecated: bool,
    /// Whether errors have OLM's text.
    has_texts: bool,
    simulation: Simulation<'c>,
}

impl<'c> PackageState<'c> {
    pub(crate) fn of(state: State<'c>, name: &PackageName) -> Self {
        let package = state.catalog.package(name.as_str());
        let has_deprecated = package.is_some_and(|package| package.bundles.iter().any(is_deprecated));
        Self { state, package, has_deprecated, has_texts: true, simulation: Simulation::of(name, state) }
    }

    /// For trials, which ask only whether the resolution fails.
    pub(crate) fn without_texts(self) -> Self {
        Self { has_texts: false, ..self }
    }

    /// The paths of installed versions with Subscriptions to a channel.
    pub(crate) fn paths(&self, channel: &ChannelName, installed: &[Installed<'_>]) -> Vec<Path> {
        let served = self.package.filter(|_| self.state.rejected.is_none());
        let chain = served.and_then(|package| {
            let chain = UpdateChain::of(package, package.channel(channel.as_str())?).ok();
            Some((package, chain.filter(|chain| !chain.entries.is_empty())?))
        });
        let Some((package, chain)) = chain else { return self.failed(channel, installed) };
        let state = ChannelState::Served { head: chain.entries[0].name.value.clone() };
        let is_forbidden =
            |installed: &&Installed<'_>| self.has_deprecated || installed.bundle.is_some_and(is_deprecated);
        let (forbidden, plain): (Vec<Installed<'_>>, Vec<Installed<'_>>) = installed.iter().partition(is_forbidden);
        let mut simulated = self.simulation.paths(channel, &forbidden).into_iter();
        let mut followed = if plain.is_empty() { Vec::new() } else { follow(&chain, package, &plain) }.into_iter();
        let path = |installed: &Installed<'_>| {
            let paths = if is_forbidden(&installed) { &mut simulated } else { &mut followed };
            Path { state: state.clone(), ..paths.next().unwrap_or_default() }
        };
        installed.iter().map(path).collect()
    }

    /// The paths in a channel that OLM cannot choose from. If the errors for the first and the last version are the same,
    /// they do not depend on what is installed: each takes a resolution, and may list all entries.
    fn failed(&self, channel: &ChannelName, installed: &[Installed<'_>]) -> Vec<Path> {
        let state = self.channel_state(channel);
        if !self.has_texts {
            let error = PathError::other("");
            return installed.iter().map(|_| Path::failed(state.clone(), error.clone())).collect();
        }
        let error = |installed: &Installed<'_>| PathError::other(self.simulation.error(channel, *installed));
        let [first, .., last] = installed else {
            return installed.iter().map(|installed| Path::failed(state.clone(), error(installed))).collect();
        };
        let shared = Some(error(first)).filter(|first| *first == error(last));
        let path = |installed| Path::failed(state.clone(), shared.clone().unwrap_or_else(|| error(installed)));
        installed.iter().map(path).collect()
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
/// (operator-lifecycle-manager `pkg/controller/registry/resolver/resolver.go`, `getBundleVariables`).
fn is_deprecated(bundle: &Bundle) -> bool {
    bundle.properties.iter().any(|property| property.value.kind() == "olm.deprecated")
}

/// Follows the updates of an update chain. The cluster has the versions of the old state, which are those of the chain for
/// most; others are looked up together.
fn follow(chain: &UpdateChain<'_>, package: &Package, installed: &[Installed<'_>]) -> Vec<Path> {
    let mut index: BTreeMap<&BundleName, usize> = BTreeMap::new();
    let mut versions: Vec<(BundleName, Option<Version>)> = Vec::new();
    for entry in &chain.entries {
        let name = &entry.name.value;
        index.entry(name).or_insert_with(|| {
            versions.push((name.clone(), version_of(package, name)));
            versions.len() - 1
        });
    }
    let next_updates = |of: &[(&BundleName, Option<&Version>)]| -> Vec<Option<Update>> {
        let updates = chain.next_updates(of).into_iter();
        updates
            .map(|update| update.map(|update| Update { to: index[&update.to.name.value], via: update.via.into() }))
            .collect()
    };
    let of_chain: Vec<_> = versions.iter().map(|(name, version)| (name, version.as_ref())).collect();
    let next = next_updates(&of_chain);
    let own: Vec<Option<Version>> = installed.iter().map(Installed::version).collect();
    let known = |at: usize| {
        let known = index.get(installed[at].name).copied();
        known.filter(|known| versions[*known].1 == own[at])
    };
    let others: Vec<usize> = (0..installed.len()).filter(|at| known(*at).is_none()).collect();
    let others_installed: Vec<_> = others.iter().map(|at| (installed[*at].name, own[*at].as_ref())).collect();
    let others: BTreeMap<usize, Option<Update>> = others.iter().copied().zip(next_updates(&others_installed)).collect();
    let firsts: Vec<Option<Update>> = (0..installed.len())
        .map(|at| others.get(&at).copied().unwrap_or_else(|| known(at).and_then(|known| next[known])))
        .collect();
    let updates = Arc::new(Updates::new(versions, &next, BTreeMap::new()));
    firsts.into_iter().zip(installed).map(|(first, one)| Path::through(&updates, one.name, first)).collect()
}
