//! What a user means who types a name: a package, a channel, a version of a package, or a Subscription; and lists of
//! what there is.

use crate::package;
use catalog::{BundleName, Chain, Channel, DeprecationTarget, Package};
use openshift::sets::check;
use session::{CatalogInput, SetInput, Workbench, is_named, set_changes};
use source::{Executor, joined};
use std::cmp::Reverse;
use std::collections::BTreeSet;
use update_graph::{version_in, version_of};
use views::{
    CatalogId, ListView, ListedCatalog, ListedChannel, ListedEntry, ListedPackage, PackageKey, SetId, SetView,
};

pub use update_graph::NameError;

/// The most names that a message proposes.
const NEAR: usize = 3;

/// The version that the name of a bundle ends in.
#[must_use]
pub fn version_in_name(name: &str) -> Option<String> {
    Some(version_in(name)?.to_string())
}

/// Whether a catalog has a package of this name.
#[must_use]
pub fn has_package(workbench: &Workbench, catalog: CatalogId, name: &str) -> bool {
    workbench.catalog(catalog).is_some_and(|catalog| catalog.analysis.catalog.package(name).is_some())
}

/// The names of the packages of a catalog, in its order.
#[must_use]
pub fn package_names(workbench: &Workbench, catalog: CatalogId) -> Vec<&str> {
    let packages = workbench.catalog(catalog).into_iter().flat_map(|catalog| &catalog.analysis.catalog.packages);
    packages.map(|package| package.name.as_str()).collect()
}

/// The version of a bundle that a package lists; also of one without a bundle, if its name ends in a version.
#[must_use]
pub fn bundle_version(workbench: &Workbench, key: &PackageKey, name: &str) -> Option<String> {
    let (_, package) = package(workbench, key)?;
    Some(version_of(package, &BundleName::from(name))?.to_string())
}

/// The package of this name in the first catalog that has it.
///
/// # Errors
/// When no catalog has it.
pub fn find_package(workbench: &Workbench, name: &str) -> Result<PackageKey, NameError> {
    let mut catalogs = workbench.catalogs().iter();
    let found = catalogs.find(|catalog| catalog.analysis.catalog.package(name).is_some());
    found.map(|catalog| PackageKey { catalog: catalog.id, package: name.to_owned() }).ok_or_else(|| {
        let packages = workbench.catalogs().iter().flat_map(|catalog| &catalog.analysis.catalog.packages);
        NameError::unknown(name, packages.map(|package| package.name.as_str()))
    })
}

/// The name of a channel of the package; without a name that of its default channel.
///
/// # Errors
/// When the package has no such channel, or no default channel that exists.
pub fn find_channel(workbench: &Workbench, key: &PackageKey, name: Option<&str>) -> Result<String, NameError> {
    let package = package(workbench, key).map(|(_, package)| package);
    let default = package.and_then(|package| package.default_channel.as_ref()).map(|name| name.value.as_str());
    let wanted = name.or(default).unwrap_or_default();
    let channels = package.map(|package| package.channels.as_slice()).unwrap_or_default();
    let names = channels.iter().map(|channel| channel.name.value.as_str());
    match names.clone().find(|known| *known == wanted) {
        Some(known) => Ok(known.to_owned()),
        None => Err(NameError::unknown(wanted, names)),
    }
}

/// The name of the CSV that `text` names, by its name or by its version.
///
/// # Errors
/// When the package knows no such name or version, or several CSVs have the version.
pub fn find_csv(workbench: &Workbench, key: &PackageKey, text: &str) -> Result<String, NameError> {
    let Some((_, package)) = package(workbench, key) else { return Err(NameError::Unknown { nearest: Vec::new() }) };
    update_graph::known_csv(&[package], text).map(|name| name.to_string())
}

/// The name of the installed CSV that `text` names, by its name or by its version. The package may no longer list it.
///
/// # Errors
/// When `text` is no version that the package knows or covers and no name of a CSV, in words.
pub fn find_installed(workbench: &Workbench, key: &PackageKey, text: &str) -> Result<String, String> {
    let (_, package) = package(workbench, key).ok_or_else(|| format!("there is no package `{}`", key.package))?;
    installed_csv(&[package], text).map(|name| name.to_string())
}

/// The namespace and the name of the Subscription that the user means by `NAME` or `NAMESPACE/NAME`.
///
/// # Errors
/// When the manifests have no such Subscription, or several namespaces have one.
pub fn find_subscription(workbench: &Workbench, text: &str) -> Result<(String, String), NameError> {
    let all = &workbench.cluster_manifests().1.cluster.subscriptions;
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
pub fn channels_with(workbench: &Workbench, key: &PackageKey, csv: &str) -> Vec<String> {
    let Some((_, package)) = package(workbench, key) else { return Vec::new() };
    let channels = update_graph::channels_in_order(package).into_iter();
    channels.filter(|channel| channel.entry(csv).is_some()).map(|channel| channel.name.to_string()).collect()
}

/// The installed CSV that `text` names in states of a package.
///
/// # Errors
/// When it names none, with the forms that are understood.
pub(super) fn installed_csv(states: &[&Package], text: &str) -> Result<BundleName, String> {
    let quoted = |names: Vec<String>| joined(names.into_iter().map(|name| format!("`{name}`")), NEAR, "or");
    update_graph::installed_csv(states, text).map_err(|error| match error {
        NameError::Ambiguous { names } => format!("several CSVs have this version; choose {}", quoted(names)),
        NameError::Unknown { nearest } => {
            let package = states.first().map_or("", |package| package.name.as_str());
            let is_version = go_semver::blang::Version::parse(text).is_ok();
            let version = if is_version { text } else { "1.0.0" };
            let name = update_graph::csv_name(package, states, version);
            let near = if nearest.is_empty() { String::new() } else { format!("; did you mean {}?", quoted(nearest)) };
            let forms = match is_version {
                true => {
                    format!("; no skipRange covers it; if it is installed nevertheless, name its CSV, such as `{name}`")
                }
                false => format!("; expected a version such as `{version}`, or a CSV such as `{name}`"),
            };
            format!("package `{package}` has no version or CSV `{text}`{forms}{near}")
        }
    })
}

// Packages, channels, heads and versions of catalogs.

/// What a catalog has; nothing if there is no such catalog.
#[must_use]
pub fn list(workbench: &Workbench, catalog: CatalogId) -> ListView {
    ListView { sources: workbench.catalog(catalog).map(listed).into_iter().collect(), ..ListView::default() }
}

fn listed(catalog: &CatalogInput) -> ListedCatalog {
    ListedCatalog {
        name: catalog.name.clone(),
        namespace: String::new(),
        display_name: String::new(),
        publisher: String::new(),
        commands: Vec::new(),
        packages: catalog.analysis.catalog.packages.iter().map(|package| listed_package(package)).collect(),
    }
}

fn listed_package(package: &Package) -> ListedPackage {
    let default_channel = package.default_channel.as_ref().map(ToString::to_string).unwrap_or_default();
    ListedPackage {
        name: package.name.to_string(),
        provider: String::new(),
        deprecated: deprecated(package, &DeprecationTarget::Package),
        channels: package.channels.iter().map(|channel| listed_channel(package, channel, &default_channel)).collect(),
        default_channel,
    }
}

fn listed_channel(package: &Package, channel: &Channel, default: &str) -> ListedChannel {
    let version = |name: &str| package.bundle(name).and_then(|bundle| bundle.version());
    let entry = |name: &str| ListedEntry {
        name: name.to_owned(),
        version: version(name).map(ToString::to_string).unwrap_or_default(),
        deprecated: deprecated(package, &DeprecationTarget::Bundle(name.into())),
    };
    let mut names: Vec<&str> = channel.entries.iter().map(|entry| entry.name.value.as_str()).collect();
    // The newest version first, and last the entries without a version.
    names.sort_by_key(|name| (Reverse(version(name)), *name));
    names.dedup();
    let head = Chain::of(channel).head().map(entry);
    ListedChannel {
        name: channel.name.to_string(),
        is_default: channel.name.value.as_str() == default,
        deprecated: deprecated(package, &DeprecationTarget::Channel(channel.name.value.clone())),
        version: head.as_ref().map(|head| head.version.clone()).unwrap_or_default(),
        head: head.map(|head| head.name).unwrap_or_default(),
        entries: names.into_iter().map(entry).collect(),
    }
}

fn deprecated(package: &Package, target: &DeprecationTarget) -> Option<String> {
    let found = package.deprecations.iter().find(|deprecation| deprecation.target == *target)?;
    Some(found.message.to_string())
}

// Sets with what is wrong with them.

/// A set with what is wrong with it.
#[must_use]
pub fn set_view(workbench: &Workbench, id: SetId) -> SetView {
    let Some(input) = workbench.sets().iter().find(|input| input.id == id) else { return SetView::default() };
    let findings = input.findings.get_or_init(|| check(&input.set, Executor::default()));
    let view = input.set.view(id, findings, &input.waiting, str::to_owned);
    let is_whole = input.waiting.is_empty() && !input.is_baseline;
    let before = baseline_set(workbench).filter(|before| is_whole && before.waiting.is_empty());
    let changes = before.map(|before| set_changes(&before.set, &input.set, Executor::default()));
    SetView { before: before.map(|before| before.id), changes, ..view }
}

/// The set that others are compared with.
fn baseline_set(workbench: &Workbench) -> Option<&SetInput> {
    workbench.sets().iter().find(|input| input.is_baseline)
}

#[cfg(test)]
mod tests {
    use super::*;
    use session::testing::workbench;
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
        assert_eq!(find_package(&workbench, "etcd"), Ok(key()));
        assert_eq!(find_package(&workbench, "ectd"), Err(unknown(&["etcd"])));
        assert_eq!(find_package(&workbench, "zookeeper"), Err(unknown(&[])));
    }

    #[test]
    fn a_channel_is_found_and_the_default_needs_no_name() {
        let workbench = workbench(&[("a", "package quay c"), ("b", PACKAGE)]);
        assert_eq!(find_channel(&workbench, &key(), None), Ok("stable".to_owned()));
        assert_eq!(find_channel(&workbench, &key(), Some("alpha")), Ok("alpha".to_owned()));
        assert_eq!(find_channel(&workbench, &key(), Some("stabel")), Err(unknown(&["stable"])));
        let quay = PackageKey { catalog: CatalogId(0), package: "quay".to_owned() };
        assert_eq!(find_channel(&workbench, &quay, None), Err(unknown(&[])));
    }

    #[test]
    fn a_csv_is_found_by_name_and_by_version() {
        let workbench = workbench(&[("a", "package quay c"), ("b", PACKAGE)]);
        for text in ["1.1.0", "etcd.v1.1.0"] {
            assert_eq!(find_csv(&workbench, &key(), text), Ok("etcd.v1.1.0".to_owned()));
        }
        assert_eq!(find_csv(&workbench, &key(), "0.9.0"), Ok("etcd.v0.9.0".to_owned()), "a bundle that is gone");
        assert_eq!(find_csv(&workbench, &key(), "1.2.0"), Err(unknown(&["1.0.0", "1.1.0"])));
        assert_eq!(channels_with(&workbench, &key(), "etcd.v1.1.0"), ["stable", "alpha"]);
        assert_eq!(channels_with(&workbench, &key(), "etcd.v0.9.0"), [""; 0]);
    }

    #[test]
    fn an_unknown_installed_version_is_told_with_the_forms_that_are_understood() {
        let workbench = workbench(&[("a", "package quay c"), ("b", PACKAGE)]);
        let message = |text: &str| find_installed(&workbench, &key(), text).unwrap_err();
        let near = "; did you mean `1.0.0` or `1.1.0`?";
        assert_eq!(
            message("1.2.0"),
            format!(
                "package `etcd` has no version or CSV `1.2.0`; no skipRange covers it; if it is installed nevertheless, name its CSV, such as `etcd.v1.2.0`{near}"
            )
        );
        let forms = "; expected a version such as `1.0.0`, or a CSV such as `etcd.v1.0.0`";
        assert_eq!(message("latest"), format!("package `etcd` has no version or CSV `latest`{forms}"));
        assert_eq!(find_installed(&workbench, &key(), "etcd.v1.2.0"), Ok("etcd.v1.2.0".to_owned()));
    }

    #[test]
    fn a_version_of_two_csvs_is_ambiguous() {
        let twins = session::testing::yaml("package p c\nchannel p c p.v1.0.0>old.v1.0.0\nbundle p 1.0.0");
        let mut workbench = Workbench::new();
        let catalog = workbench.add_text("c", "c.yaml", twins);
        let found = find_csv(&workbench, &PackageKey { catalog, package: "p".to_owned() }, "1.0.0");
        let names = ["old.v1.0.0", "p.v1.0.0"].map(str::to_owned).to_vec();
        assert_eq!(found, Err(NameError::Ambiguous { names }));
    }

    #[test]
    fn channels_have_their_heads_and_the_newest_version_first() {
        let workbench = workbench(&[(
            "c",
            "package p stable\nchannel p stable p.v0 p.v1.9.0>p.v0 p.v1.10.0>p.v1.9.0\nchannel p two p.v1.9.0 p.v1.10.0\n\
             bundle p 1.9.0\nbundle p 1.10.0",
        )]);
        let view = list(&workbench, workbench.catalogs()[0].id);
        let channels = &view.sources[0].packages[0].channels;
        let entries = channels[0].entries.iter().map(|entry| [&*entry.name, &*entry.version]);
        let expected = [["p.v1.10.0", "1.10.0"], ["p.v1.9.0", "1.9.0"], ["p.v0", ""]];
        assert_eq!(entries.collect::<Vec<_>>(), expected);
        let heads = channels.iter().map(|channel| (&*channel.head, &*channel.version, channel.is_default));
        assert_eq!(heads.collect::<Vec<_>>(), [("p.v1.10.0", "1.10.0", true), ("", "", false)], "`two` has two heads");
    }
}
