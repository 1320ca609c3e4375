//! Packages, channels, heads and versions of catalogs.

use catalog::{Chain, Channel, DeprecationTarget, Package};
use session::{CatalogInput, Workbench};
use std::cmp::Reverse;
use views::{CatalogId, ListView, ListedCatalog, ListedChannel, ListedEntry, ListedPackage};

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

/// The message of a deprecation.
fn deprecated(package: &Package, target: &DeprecationTarget) -> Option<String> {
    let found = package.deprecations.iter().find(|deprecation| deprecation.target == *target)?;
    Some(found.message.to_string())
}

#[cfg(test)]
mod tests {
    use super::list;
    use session::testing::workbench;

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
