//! What each version of OLM does next with the installed bundle.

use catalog::predicate::Requirement;
use catalog::{Bundle, BundleName, ChannelName, Package};
use cluster::{ClusterExtension, InstalledBundle, Subscription};
use extension::{Resolution, ResolveError, VersionRelease};
use source::OlmV1;
use update_graph::{Paths, UpdateChain};

/// What OLM v0 does next with a Subscription: by its channel alone, or by a simulation of the namespace if the bundle requires others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NextV0 {
    /// It installs this bundle, because nothing is installed.
    Installs(BundleName),
    Updates(BundleName),
    /// Nothing.
    Stays,
    /// The catalog does not have the package.
    NoPackage,
    /// The package does not have the channel, or the channel lists nothing.
    NoChannel,
    /// OLM cannot order the channel, for this reason.
    BrokenChannel(Box<str>),
    /// It resolves nothing in the namespace, with this error.
    Fails(Box<str>),
    /// The catalog is not known.
    Unknown,
}

impl NextV0 {
    /// The bundle that OLM v0 installs.
    #[must_use]
    pub const fn bundle(&self) -> Option<&BundleName> {
        match self {
            Self::Installs(bundle) | Self::Updates(bundle) => Some(bundle),
            Self::Stays
            | Self::NoPackage
            | Self::NoChannel
            | Self::BrokenChannel(_)
            | Self::Fails(_)
            | Self::Unknown => None,
        }
    }
}

/// What OLM v1 does next with the installed bundle, if it had installed it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NextV1 {
    /// It installs this bundle, because nothing is installed.
    Installs(BundleName),
    Moves(BundleName),
    /// It applies this bundle, which is the installed one or has its version.
    Stays(BundleName),
    /// The resolution fails, and what is installed stays.
    Fails(ResolveError),
    /// The catalog is not known.
    Unknown,
    /// The version of this bundle, which is installed, is known neither from the manifests nor from the catalog.
    UnknownVersion(BundleName),
}

impl NextV1 {
    pub(crate) fn of(resolution: Resolution, extension: &ClusterExtension) -> Self {
        let resolved = match resolution.outcome {
            Ok(resolved) => resolved,
            Err(error) => return Self::Fails(error),
        };
        let Some(installed) = &extension.installed else { return Self::Installs(resolved.bundle) };
        let version = VersionRelease::of_installed(installed, extension.olm);
        let has_same_version = version.is_ok_and(|version| version == resolved.version_release());
        if resolved.bundle == installed.name || has_same_version {
            Self::Stays(resolved.bundle)
        } else {
            Self::Moves(resolved.bundle)
        }
    }

    /// The bundle that OLM v1 applies.
    #[must_use]
    pub fn bundle(&self) -> Option<&BundleName> {
        match self {
            Self::Installs(bundle) | Self::Moves(bundle) | Self::Stays(bundle) => Some(bundle),
            Self::Fails(_) | Self::Unknown | Self::UnknownVersion(_) => None,
        }
    }
}

/// The channel of a Subscription in a package: what OLM v0 makes of it, and the bundles that it could reach.
pub(crate) struct Followed<'c> {
    pub(crate) next: NextV0,
    /// Whether the bundle of the next step requires others, so that OLM v0 may choose an older one, or nothing.
    pub(crate) requires: bool,
    /// The bundles that updates in the channel may lead to, without the installed one, the head first.
    pub(crate) reachable: Vec<&'c Bundle>,
}

impl<'c> Followed<'c> {
    pub(crate) fn of(
        package: Option<&'c Package>,
        subscription: &Subscription,
        installed: Option<&BundleName>,
    ) -> Self {
        let without = |next: NextV0| Self { next, requires: false, reachable: Vec::new() };
        let Some(package) = package else { return without(NextV0::NoPackage) };
        let default = package.default_channel.as_ref().map(|channel| &channel.value);
        let name: Option<&ChannelName> = subscription.spec.channel.as_ref().or(default);
        let channel =
            name.and_then(|name| package.channel(name.as_str())).filter(|channel| !channel.entries.is_empty());
        let Some(channel) = channel else { return without(NextV0::NoChannel) };
        match UpdateChain::of(package, channel) {
            Ok(chain) => {
                let followed = Self::in_chain(package, &chain, subscription, installed);
                let bundle = followed.next.bundle().and_then(|name| package.bundle(name.as_str()));
                let properties = bundle.map(|bundle| &bundle.properties[..]).unwrap_or_default();
                let requires = properties.iter().any(|property| Requirement::of(&property.value).is_some());
                Self { requires, ..followed }
            }
            Err(error) => without(NextV0::BrokenChannel(error.to_string().into())),
        }
    }

    fn in_chain(
        package: &'c Package,
        chain: &UpdateChain<'c>,
        subscription: &Subscription,
        installed: Option<&BundleName>,
    ) -> Self {
        let paths = Paths::of(package);
        let Some(installed) = installed else {
            let start = subscription.spec.starting_csv.as_ref().filter(|name| chain.position(name).is_some());
            let first = start.or_else(|| chain.entries.first().map(|entry| &entry.name.value));
            let next = first.map_or(NextV0::NoChannel, |name| NextV0::Installs(name.clone()));
            let bundles = chain.entries.iter().filter_map(|entry| package.bundle(entry.name.value.as_str()));
            return Self { next, requires: false, reachable: bundles.collect() };
        };
        let next = paths.next_update(chain, installed);
        let next = next.map_or(NextV0::Stays, |next| NextV0::Updates(next.to.name.value.clone()));
        let reachable = paths.reachable(chain, installed).into_iter();
        let reachable = reachable.filter_map(|entry| package.bundle(entry.name.value.as_str()));
        Self { next, requires: false, reachable: reachable.collect() }
    }
}

/// The installed bundle as OLM v1 would know it. The version is that of the ClusterServiceVersion, else, where the manifests lack it,
/// that of the bundle in the catalog.
pub(crate) fn installed_bundle(
    package: Option<&Package>,
    name: &BundleName,
    of_csv: Option<String>,
    olm: OlmV1,
) -> Option<InstalledBundle> {
    let of_bundle = || {
        let bundle = package?.bundle(name.as_str())?;
        Some(VersionRelease::of(bundle, olm).ok()?.recorded().into())
    };
    let version: Box<str> = of_csv.map(Into::into).or_else(of_bundle)?;
    Some(InstalledBundle { name: name.clone(), version, release: None })
}

/// An extension that has a bundle installed.
pub(crate) fn with_installed(extension: &ClusterExtension, installed: &InstalledBundle) -> ClusterExtension {
    ClusterExtension { installed: Some(installed.clone()), ..extension.clone() }
}

/// Whether the API accepts a version in the field `version` of a ClusterExtension.
pub(crate) fn is_accepted_version(version: &str) -> bool {
    version.len() <= go_semver::masterminds::MAX_LENGTH && go_semver::masterminds::is_accepted_by_api(version)
}
