//! The catalogs as the search reads them: for each operator of a namespace and each version of OpenShift the update chains of
//! its package.

use crate::gate::next_minor;
use crate::plans::question::{Question, Served};
use catalog::predicate::MaxOpenShift;
use catalog::{Bundle, BundleName, Channel, ChannelName, Package};
use cluster::{CatalogKey, CsvProperties, Subscription};
use go_semver::blang::Version;
use source::{Approval, OpenShift};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use update_graph::{UpdateChain, version_in};

/// A namespace and what its Subscriptions can get on each version.
pub(crate) struct Model<'c> {
    pub(crate) way: &'c [OpenShift],
    pub(crate) operators: Vec<OperatorModel<'c>>,
    /// Whether every InstallPlan of the namespace waits for an approval: it does if one Subscription asks for that
    /// (operator-lifecycle-manager `pkg/controller/operators/catalog/operator.go`, `createInstallPlan`).
    pub(crate) is_manual: bool,
    /// A CSV whose limit is not looked at: what if it were gone?
    pub(crate) without_max: Option<BundleName>,
}

pub(crate) struct OperatorModel<'c> {
    pub(crate) subscription: &'c Subscription,
    /// What its package is on each version; absent if the catalog has no such package.
    pub(crate) at: Vec<Option<PackageAt<'c>>>,
    /// The CSV that it has at first.
    pub(crate) installed: Option<Rc<Csv>>,
}

/// A package on one version of OpenShift.
pub(crate) struct PackageAt<'c> {
    pub(crate) package: &'c Package,
    /// The channels that OLM can order; none if the catalog is rejected.
    pub(crate) chains: BTreeMap<&'c ChannelName, UpdateChain<'c>>,
    /// The catalog that it is from; absent for one that is made up.
    served: Option<&'c dyn Served>,
    csvs: RefCell<BTreeMap<&'c BundleName, Rc<Csv>>>,
}

impl<'c> Model<'c> {
    /// Of Subscriptions of one namespace. `package` gives the package of each on a version of the way, and the catalog that
    /// it is from, if it is not made up to ask what would be if.
    pub(crate) fn of<'p: 'c>(
        question: &'c Question<'p>,
        subscriptions: &[&'c Subscription],
        package: &dyn Fn(&'c Subscription, usize) -> Option<(&'c Package, Option<&'c dyn Served>)>,
    ) -> Self {
        let operators = subscriptions.iter().map(|&subscription| {
            let at: Vec<Option<PackageAt<'c>>> = (0..question.way.len())
                .map(|at| package(subscription, at).map(|(package, served)| PackageAt::of(package, served)))
                .collect();
            let first = at.first().and_then(Option::as_ref).map(|at| at.package);
            let csv = question.cluster.installed(subscription).csv();
            let installed = csv.map(|csv| Rc::new(Csv::installed(csv, first)));
            OperatorModel { subscription, at, installed }
        });
        let is_manual = subscriptions.first().is_some_and(|one| question.is_manual(&one.namespace));
        Self { way: question.way, operators: operators.collect(), is_manual, without_max: None }
    }

    /// Whether a CSV blocks the update of OpenShift from a version of the way.
    pub(crate) fn blocks(&self, csv: &Csv, at: usize) -> Option<crate::gate::BlockReason> {
        if self.without_max.as_ref() == Some(&csv.name) {
            return None;
        }
        crate::gate::BlockReason::of(&csv.max, &next_after(self.way[at]))
    }
}

/// The version that OLM takes for the next one of a cluster.
pub(crate) fn next_after(version: OpenShift) -> go_semver::blang::Version {
    next_minor(&go_semver::blang::Version::new(version.major.into(), version.minor.into(), 0))
}

impl<'c> Question<'c> {
    fn is_manual(&self, namespace: &str) -> bool {
        let mut here = self.cluster.subscriptions.iter().filter(|one| &*one.namespace == namespace);
        here.any(|one| one.approval == Approval::Manual)
    }

    /// The catalog of a Subscription on a version of the way. A Subscription without a source takes the first that has its
    /// package.
    pub(crate) fn served(&self, subscription: &Subscription, at: usize) -> Option<&'c dyn Served> {
        self.sources.get(self.source_key(subscription)?)?.get(at).copied().flatten()
    }

    pub(crate) fn source_key<'k>(&'k self, subscription: &'k Subscription) -> Option<&'k CatalogKey> {
        let package = subscription.spec.package.as_str();
        let has = |versions: &Vec<Option<&dyn Served>>| {
            versions.iter().flatten().any(|served| served.state().catalog.package(package).is_some())
        };
        let first = || self.sources.iter().find(|(_, versions)| has(versions)).map(|(key, _)| key);
        subscription.spec.catalog.as_ref().or_else(first)
    }

    /// The package of a Subscription on a version of the way.
    pub(crate) fn package(&self, subscription: &Subscription, at: usize) -> Option<(&'c Package, &'c dyn Served)> {
        let served = self.served(subscription, at)?;
        Some((served.state().catalog.package(subscription.spec.package.as_str())?, served))
    }
}

impl<'c> PackageAt<'c> {
    fn of(package: &'c Package, served: Option<&'c dyn Served>) -> Self {
        let chain = |channel: &'c Channel| {
            let chain = UpdateChain::of(package, channel).ok().filter(|chain| !chain.entries.is_empty())?;
            Some((&channel.name.value, chain))
        };
        let is_served = served.is_none_or(|served| served.state().rejected.is_none());
        let chains = package.channels.iter().filter(|_| is_served).filter_map(chain).collect();
        Self { package, chains, served, csvs: RefCell::default() }
    }

    /// Why `opm` rejects its catalog, if it does.
    pub(crate) fn rejected(&self) -> Option<&'c str> {
        self.served.and_then(|served| served.state().rejected)
    }

    /// The channel that a Subscription follows: the default one if it names none.
    pub(crate) fn chain(&self, channel: Option<&ChannelName>) -> Option<&UpdateChain<'c>> {
        let default = || self.package.default_channel.as_ref().map(|name| &name.value);
        self.chains.get(channel.or_else(default)?)
    }

    pub(crate) fn csv(&self, name: &'c BundleName) -> Rc<Csv> {
        if let Some(known) = self.csvs.borrow().get(name) {
            return Rc::clone(known);
        }
        let bundle = self.package.bundle(name.as_str());
        let csv = Rc::new(match bundle {
            Some(bundle) => {
                Csv::of_bundle(bundle, self.served.and_then(|served| served.min_kube(&self.package.name, bundle)))
            }
            None => Csv::of_name(name),
        });
        self.csvs.borrow_mut().insert(name, Rc::clone(&csv));
        csv
    }

    pub(crate) fn lists(&self, channel: Option<&ChannelName>, csv: &Csv) -> bool {
        self.chain(channel).is_some_and(|chain| chain.channel.entry(csv.name.as_str()).is_some())
    }

    /// Whether lifecycle data says that a CSV does not fit a version of OpenShift. A version without such data fits.
    pub(crate) fn is_incompatible(&self, csv: &Csv, version: OpenShift) -> bool {
        let text = csv.version.as_ref().map(ToString::to_string).unwrap_or_default();
        let known = self.package.lifecycles.iter().find_map(|lifecycle| lifecycle.of_version(&text));
        let platforms = known.map(|known| &known.platforms[..]).unwrap_or_default();
        let mut named = platforms.iter().filter(|platform| platform.name.eq_ignore_ascii_case("openshift")).peekable();
        let fits =
            |listed: &str| listed.parse::<OpenShift>().is_ok_and(|one| one == version || one.is_sibling(version));
        named.peek().is_some() && !named.any(|platform| platform.versions.iter().any(|listed| fits(listed)))
    }
}

// An installed CSV, as far as plans depend on it.

/// A CSV. OLM writes the properties of the bundle into it when it creates it, and never changes them
/// (operator-lifecycle-manager `pkg/controller/operators/catalog/operator.go`, a step that is `Present`), so
/// that equal names may have different properties.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Csv {
    pub name: BundleName,
    /// Its version; absent if none is known.
    pub version: Option<Version>,
    /// The highest version of OpenShift that it supports.
    pub max: MaxOpenShift,
    /// `minKubeVersion`; absent if any Kubernetes will do.
    pub min_kube: Option<Box<str>>,
}

impl Csv {
    fn of_bundle(bundle: &Bundle, min_kube: Option<Box<str>>) -> Self {
        Self {
            name: bundle.name.value.clone(),
            version: bundle.version().cloned(),
            max: MaxOpenShift::of(bundle.properties.iter().map(|property| &property.value)),
            min_kube,
        }
    }

    /// Of an entry without a bundle.
    fn of_name(name: &BundleName) -> Self {
        Self { name: name.clone(), version: version_in(name.as_str()), max: MaxOpenShift(Ok(None)), min_kube: None }
    }

    /// What an installed CSV is: its own properties, or those of the bundle if the manifests have none of them.
    pub(crate) fn installed(csv: &cluster::Csv, package: Option<&Package>) -> Self {
        let installed = &csv.installed;
        let bundle = package.and_then(|package| package.bundle(installed.name.as_str()));
        let known = bundle.map_or_else(|| Self::of_name(&installed.name), |bundle| Self::of_bundle(bundle, None));
        let own = (installed.version != Version::new(0, 0, 0)).then(|| installed.version.clone());
        let max = match &installed.properties {
            CsvProperties::Known(properties) => MaxOpenShift::of(properties.iter().map(|one| &one.property)),
            CsvProperties::Inferred { .. } => known.max,
            CsvProperties::Broken(error) => MaxOpenShift(Err(error.clone())),
        };
        Self { version: own.or(known.version), max, ..known }
    }

    /// Whether its `minKubeVersion` is above the Kubernetes of a version of OpenShift, so that it stays Pending there
    /// (operator-lifecycle-manager `pkg/controller/operators/olm/requirements.go`). OLM compares it with the API server's version; of this only major and minor are known. A value that
    /// OLM cannot parse is never met.
    pub(crate) fn hangs_on(&self, version: OpenShift) -> bool {
        self.min_kube.as_ref().is_some_and(|least| version.is_older_than(least))
    }
}
