//! What a user means who types a name: a package, a channel, a version of a package, or a Subscription.

use crate::Workbench;
use crate::pairing::is_named;
use ::source::nearest;
use catalog::BundleName;
use std::collections::BTreeSet;
use update_graph::{Installables, version_in, version_of};
use views::{CatalogId, PackageKey};

/// Why a name does not identify one thing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NameError {
    /// Nothing has the name.
    Unknown {
        /// Names that may have been meant, the likeliest first.
        nearest: Vec<String>,
    },
    /// Several things have it.
    Ambiguous {
        /// The names that tell them apart.
        names: Vec<String>,
    },
}

impl NameError {
    fn unknown<'n>(name: &str, known: impl IntoIterator<Item = &'n str>) -> Self {
        Self::Unknown { nearest: nearest(name, known).into_iter().map(str::to_owned).collect() }
    }
}

/// The version that the name of a bundle ends in.
#[must_use]
pub fn version_in_name(name: &str) -> Option<String> {
    Some(version_in(name)?.to_string())
}

impl Workbench {
    /// Whether a catalog has a package of this name.
    #[must_use]
    pub fn has_package(&self, catalog: CatalogId, name: &str) -> bool {
        self.catalog(catalog).is_some_and(|catalog| catalog.analysis.catalog.package(name).is_some())
    }

    /// The names of the packages of a catalog, in its order.
    #[must_use]
    pub fn package_names(&self, catalog: CatalogId) -> Vec<&str> {
        let packages = self.catalog(catalog).into_iter().flat_map(|catalog| &catalog.analysis.catalog.packages);
        packages.map(|package| package.name.as_str()).collect()
    }

    /// The version of a bundle that a package lists; also of one without a bundle, if its name ends in a version.
    #[must_use]
    pub fn bundle_version(&self, key: &PackageKey, name: &str) -> Option<String> {
        let (_, package) = self.package(key)?;
        Some(version_of(package, &BundleName::from(name))?.to_string())
    }

    /// The package of this name in the first catalog that has it.
    ///
    /// # Errors
    /// When no catalog has it.
    pub fn find_package(&self, name: &str) -> Result<PackageKey, NameError> {
        let mut catalogs = self.catalogs().iter();
        let found = catalogs.find(|catalog| catalog.analysis.catalog.package(name).is_some());
        found.map(|catalog| PackageKey { catalog: catalog.id, package: name.to_owned() }).ok_or_else(|| {
            let packages = self.catalogs().iter().flat_map(|catalog| &catalog.analysis.catalog.packages);
            NameError::unknown(name, packages.map(|package| package.name.as_str()))
        })
    }

    /// The name of a channel of the package; without a name that of its default channel.
    ///
    /// # Errors
    /// When the package has no such channel, or no default channel that exists.
    pub fn find_channel(&self, key: &PackageKey, name: Option<&str>) -> Result<String, NameError> {
        let package = self.package(key).map(|(_, package)| package);
        let default = package.and_then(|package| package.default_channel.as_ref()).map(|name| name.value.as_str());
        let wanted = name.or(default).unwrap_or_default();
        let channels = package.map(|package| package.channels.as_slice()).unwrap_or_default();
        let names = channels.iter().map(|channel| channel.name.value.as_str());
        match names.clone().find(|known| *known == wanted) {
            Some(known) => Ok(known.to_owned()),
            None => Err(NameError::unknown(wanted, names)),
        }
    }

    /// The name of the CSV that `text` names, by its name or by its version. Versions that only `replaces` or `skips`
    /// mention count too: they may be installed.
    ///
    /// # Errors
    /// When the package knows no such name or version, or several CSVs have the version.
    pub fn find_csv(&self, key: &PackageKey, text: &str) -> Result<String, NameError> {
        let Some((_, package)) = self.package(key) else { return Err(NameError::Unknown { nearest: Vec::new() }) };
        let all = Installables::of(package);
        if let Some(row) = all.rows.iter().find(|row| row.name.as_str() == text) {
            return Ok(row.name.to_string());
        }
        let version = |row: &update_graph::Installable<'_>| row.version.as_ref().map(ToString::to_string);
        let of_version = all.rows.iter().filter(|row| version(row).as_deref() == Some(text));
        let mut names: Vec<String> = of_version.map(|row| row.name.to_string()).collect();
        match (names.pop(), names.is_empty()) {
            (Some(name), true) => Ok(name),
            (Some(name), false) => Err(NameError::Ambiguous { names: names.into_iter().chain([name]).collect() }),
            (None, _) => {
                let versions: Vec<String> = all.rows.iter().filter_map(version).collect();
                let names = all.rows.iter().map(|row| row.name.as_str());
                Err(NameError::unknown(text, names.chain(versions.iter().map(String::as_str))))
            }
        }
    }

    /// The namespace and the name of the Subscription that the user means by `NAME` or `NAMESPACE/NAME`.
    ///
    /// # Errors
    /// When the manifests have no such Subscription, or several namespaces have one.
    pub fn find_subscription(&self, text: &str) -> Result<(String, String), NameError> {
        let all = &self.cluster_manifests().1.cluster.subscriptions;
        let found: Vec<_> = all.iter().filter(|row| is_named(row, text)).collect();
        match found[..] {
            [one] => Ok((one.namespace.to_string(), one.spec.name.to_string())),
            [] => {
                let name = text.split_once('/').map_or(text, |(_, name)| name);
                Err(NameError::unknown(name, all.iter().map(|row| &*row.spec.name)))
            }
            _ => {
                let names: BTreeSet<String> =
                    found.iter().map(|row| format!("{}/{}", row.namespace, row.spec.name)).collect();
                Err(NameError::Ambiguous { names: names.into_iter().collect() })
            }
        }
    }

    /// The channels of the package that have an entry of this name, the default channel first.
    #[must_use]
    pub fn channels_with(&self, key: &PackageKey, csv: &str) -> Vec<String> {
        let Some((_, package)) = self.package(key) else { return Vec::new() };
        let channels = update_graph::channels_in_order(package).into_iter();
        channels.filter(|channel| channel.entry(csv).is_some()).map(|channel| channel.name.to_string()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::workbench;
    use views::CatalogId;

    const PACKAGE: &str = "package etcd stable\nchannel etcd alpha etcd.v1.1.0>etcd.v0.9.0\n\
        channel etcd stable etcd.v1.1.0>etcd.v1.0.0 etcd.v1.0.0\nbundle etcd 1.0.0\nbundle etcd 1.1.0";

    fn key() -> PackageKey {
        PackageKey { catalog: CatalogId(1), package: "etcd".to_owned() }
    }

    fn unknown(nearest: &[&str]) -> NameError {
        NameError::Unknown { nearest: nearest.iter().map(ToString::to_string).collect() }
    }

    #[test]
    fn a_package_is_found_or_one_with_a_similar_name_is_proposed() {
        let workbench = workbench(&[("a", "package quay c"), ("b", PACKAGE)]);
        assert_eq!(workbench.find_package("etcd"), Ok(key()));
        assert_eq!(workbench.find_package("ectd"), Err(unknown(&["etcd"])));
        assert_eq!(workbench.find_package("zookeeper"), Err(unknown(&[])));
    }

    #[test]
    fn a_channel_is_found_and_the_default_needs_no_name() {
        let workbench = workbench(&[("a", "package quay c"), ("b", PACKAGE)]);
        assert_eq!(workbench.find_channel(&key(), None), Ok("stable".to_owned()));
        assert_eq!(workbench.find_channel(&key(), Some("alpha")), Ok("alpha".to_owned()));
        assert_eq!(workbench.find_channel(&key(), Some("stabel")), Err(unknown(&["stable"])));
        let quay = PackageKey { catalog: CatalogId(0), package: "quay".to_owned() };
        assert_eq!(workbench.find_channel(&quay, None), Err(unknown(&[])));
    }

    #[test]
    fn a_csv_is_found_by_name_and_by_version() {
        let workbench = workbench(&[("a", "package quay c"), ("b", PACKAGE)]);
        for text in ["1.1.0", "etcd.v1.1.0"] {
            assert_eq!(workbench.find_csv(&key(), text), Ok("etcd.v1.1.0".to_owned()));
        }
        assert_eq!(workbench.find_csv(&key(), "0.9.0"), Ok("etcd.v0.9.0".to_owned()), "a bundle that is gone");
        assert_eq!(workbench.find_csv(&key(), "1.2.0"), Err(unknown(&["1.0.0", "1.1.0"])));
        assert_eq!(workbench.channels_with(&key(), "etcd.v1.1.0"), ["stable", "alpha"]);
        assert_eq!(workbench.channels_with(&key(), "etcd.v0.9.0"), [""; 0]);
    }

    #[test]
    fn a_version_of_two_csvs_is_ambiguous() {
        let twins = crate::testing::yaml("package p c\nchannel p c p.v1.0.0>old.v1.0.0\nbundle p 1.0.0");
        let mut workbench = Workbench::new();
        let catalog = workbench.add_text("c", "c.yaml", twins);
        let found = workbench.find_csv(&PackageKey { catalog, package: "p".to_owned() }, "1.0.0");
        let names = ["old.v1.0.0", "p.v1.0.0"].map(str::to_owned).to_vec();
        assert_eq!(found, Err(NameError::Ambiguous { names }));
    }
}
