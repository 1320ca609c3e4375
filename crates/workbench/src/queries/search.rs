//! Entries, APIs and images that contain a text.

use super::listing_channel;
use crate::{CatalogInput, Workbench};
use blang_semver::Version;
use catalog::{Channel, Package};
use fbc::raw::{RawBundle, RawDoc};
use memchr::memchr2_iter;
use predicate::Property;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use views::{EntryKey, PackageKey, SearchGroup, SearchHit, SearchKind, SearchView};

/// The number of results of one kind.
const HITS: usize = 20;

impl Workbench {
    /// What contains a text, apart from the names of packages. An empty text finds nothing.
    #[must_use]
    pub fn search(&self, text: &str) -> SearchView {
        let Some(needle) = Needle::of(text) else { return SearchView::default() };
        let mut found = Found::default();
        for catalog in self.catalogs() {
            for package in &catalog.analysis.catalog.packages {
                let found_in = FoundIn { catalog, package, needle: &needle, found: &mut found };
                found_in.entries_and_apis();
            }
            for raw in raw_bundles(catalog) {
                images(catalog, raw, &needle, &mut found);
            }
        }
        let kinds =
            [(SearchKind::Version, found.entries), (SearchKind::Api, found.apis), (SearchKind::Image, found.images)];
        SearchView { groups: kinds.into_iter().filter_map(|(kind, hits)| group(kind, hits)).collect() }
    }
}

/// How well a text fits: 0 as a whole, 1 at its beginning, 2 elsewhere.
type Fit = u8;

/// What was found: by catalog, package and text how well it fits, and the newest entry that has it.
type Hits<'c> = BTreeMap<(u32, &'c str, String), (Fit, Hit<'c>)>;

struct Hit<'c> {
    catalog: &'c CatalogInput,
    package: &'c Package,
    name: &'c str,
    version: Option<&'c Version>,
    /// The channel that names it, of an entry without a bundle.
    named_in: Option<&'c Channel>,
}

#[derive(Default)]
struct Found<'c> {
    entries: Hits<'c>,
    apis: Hits<'c>,
    images: Hits<'c>,
}

/// Adds a result. Of several with the same text the newest entry counts.
fn add<'c>(hits: &mut Hits<'c>, text: String, fit: Fit, hit: Hit<'c>) {
    let key = (hit.catalog.id.0, hit.package.name.as_str(), text);
    match hits.get_mut(&key) {
        Some((_, old)) if old.version >= hit.version => {}
        Some((_, old)) => *old = hit,
        None => drop(hits.insert(key, (fit, hit))),
    }
}

/// Searches one package.
struct FoundIn<'f, 'c> {
    catalog: &'c CatalogInput,
    package: &'c Package,
    needle: &'f Needle,
    found: &'f mut Found<'c>,
}

impl<'c> FoundIn<'_, 'c> {
    fn entries_and_apis(self) {
        let Self { catalog, package, needle, found } = self;
        for bundle in &package.bundles {
            let (name, version) = (bundle.name.value.as_str(), bundle.version());
            let hit = || Hit { catalog, package, name, version, named_in: None };
            let as_version = bundle.version.as_ref().and_then(|version| needle.fit(&version.value.text));
            if let Some(fit) = as_version.into_iter().chain(needle.fit(name)).min() {
                add(&mut found.entries, name.to_owned(), fit, hit());
            }
            for property in &bundle.properties {
                let Property::Gvk(gvk, _) = &property.value else { continue };
                if let Some(fit) = needle.fit(&gvk.kind).into_iter().chain(needle.fit(&gvk.group)).min() {
                    add(&mut found.apis, gvk.to_string(), fit, hit());
                }
            }
        }
        let entries =
            package.channels.iter().flat_map(|channel| channel.entries.iter().map(move |entry| (channel, entry)));
        for (channel, entry) in entries {
            for name in std::iter::once(&entry.name).chain(&entry.replaces).chain(&entry.skips) {
                let name = name.value.as_str();
                // Those with a bundle are found above, with their versions.
                if let Some(fit) = needle.fit(name).filter(|_| package.bundle(name).is_none()) {
                    let hit = Hit { catalog, package, name, version: None, named_in: Some(channel) };
                    add(&mut found.entries, name.to_owned(), fit, hit);
                }
            }
        }
    }
}

/// The bundles as they are written, with the images that the model leaves out.
fn raw_bundles(catalog: &CatalogInput) -> impl Iterator<Item = &RawBundle> {
    let docs = catalog.files.iter().flat_map(|file| &file.served().docs);
    docs.filter_map(|doc| match &doc.raw {
        RawDoc::Bundle(raw) => Some(raw),
        _ => None,
    })
}

fn images<'c>(catalog: &'c CatalogInput, raw: &'c RawBundle, needle: &Needle, found: &mut Found<'c>) {
    let related = raw.related_images.iter().filter_map(|related| related.image.as_ref());
    for image in raw.image.iter().chain(related) {
        let Some(fit) = needle.fit(&image.value) else { continue };
        let package = raw.package.as_ref().and_then(|name| catalog.analysis.catalog.package(&name.value));
        let bundle = package.zip(raw.name.as_ref()).and_then(|(package, name)| package.bundle(&name.value));
        if let Some((package, bundle)) = package.zip(bundle) {
            let hit =
                Hit { catalog, package, name: bundle.name.value.as_str(), version: bundle.version(), named_in: None };
            add(&mut found.images, image.value.to_string(), fit, hit);
        }
    }
}

/// The best results: first what fits best, then by package, the newest first.
fn group(kind: SearchKind, hits: Hits<'_>) -> Option<SearchGroup> {
    let mut hits: Vec<_> = hits.into_iter().collect();
    hits.sort_by(|((catalog, package, text), (fit, hit)), ((catalog_b, package_b, text_b), (fit_b, hit_b))| {
        let rank = (fit, package, catalog, Reverse(hit.version), text);
        rank.cmp(&(fit_b, package_b, catalog_b, Reverse(hit_b.version), text_b))
    });
    let more = hits.len().saturating_sub(HITS) as u32;
    let view = |((_, _, text), (_, hit)): (_, (Fit, Hit<'_>))| SearchHit {
        text,
        package: PackageKey { catalog: hit.catalog.id, package: hit.package.name.as_str().to_owned() },
        entry: EntryKey {
            channel: listing_channel(hit.package, hit.name).or(hit.named_in).map(|channel| channel.name.to_string()),
            name: hit.name.to_owned(),
        },
        version: hit.version.map(ToString::to_string),
    };
    let hits: Vec<SearchHit> = hits.into_iter().take(HITS).map(view).collect();
    (!hits.is_empty()).then_some(SearchGroup { kind, hits, more })
}

/// A text to search for, regardless of the case of its ASCII letters: names, versions and images are ASCII.
struct Needle {
    text: Vec<u8>,
}

impl Needle {
    fn of(text: &str) -> Option<Self> {
        let text = text.trim().to_ascii_lowercase().into_bytes();
        (!text.is_empty()).then_some(Self { text })
    }

    fn fit(&self, text: &str) -> Option<Fit> {
        let (first, text) = (self.text[0], text.as_bytes());
        // A text that ends before the needle would is no match: `get` finds that out.
        let matches =
            |at: &usize| text.get(*at..*at + self.text.len()).is_some_and(|part| part.eq_ignore_ascii_case(&self.text));
        let at = memchr2_iter(first, first.to_ascii_uppercase(), text).find(matches)?;
        Some(match at {
            0 if text.len() == self.text.len() => 0,
            0 => 1,
            _ => 2,
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::Workbench;
    use crate::testing::{workbench, yaml};
    use views::{SearchGroup, SearchKind};

    const PACKAGES: &str = "package etcd stable\nchannel etcd stable etcd.v1.10.0>etcd.v1.9.0 etcd.v1.9.0>etcd.v1.8.0\nbundle etcd 1.9.0 provides EtcdCluster\nbundle etcd 1.10.0 provides EtcdCluster\npackage app c\nchannel app c app.v1.9.0\nchannel app d app.v1.9.0\nbundle app 1.9.0";

    /// Lines `kind: text (version) in channel of package`.
    fn lines(workbench: &Workbench, text: &str) -> Vec<String> {
        let line = |group: &SearchGroup| {
            let kind = group.kind;
            let hits = group.hits.iter().map(move |hit| {
                let version = hit.version.as_deref().unwrap_or("none");
                let channel = hit.entry.channel.as_deref().unwrap_or("none");
                format!("{kind:?}: {} ({version}) in {channel} of {}", hit.text, hit.package.package)
            });
            hits.collect::<Vec<_>>()
        };
        workbench.search(text).groups.iter().flat_map(line).collect()
    }

    #[test]
    fn names_and_versions_are_found_the_newest_first() {
        let workbench = workbench(&[("c", PACKAGES)]);
        assert_eq!(
            lines(&workbench, "1.9.0"),
            ["Version: app.v1.9.0 (1.9.0) in c of app", "Version: etcd.v1.9.0 (1.9.0) in stable of etcd"]
        );
        assert_eq!(
            lines(&workbench, "ETCD.v1."),
            [
                "Version: etcd.v1.10.0 (1.10.0) in stable of etcd",
                "Version: etcd.v1.9.0 (1.9.0) in stable of etcd",
                "Version: etcd.v1.8.0 (none) in stable of etcd",
            ]
        );
        assert_eq!(lines(&workbench, " "), [""; 0]);
        assert_eq!(lines(&workbench, "é"), [""; 0]);
    }

    #[test]
    fn an_api_is_found_once_in_the_newest_bundle() {
        let found = lines(&workbench(&[("c", PACKAGES)]), "etcdcl");
        assert_eq!(found, ["Api: EtcdCluster (example.com/v1) (1.10.0) in stable of etcd"]);
    }

    #[test]
    fn images_and_related_images_are_found() {
        let bundle = yaml("bundle app 1.9.0").replace("image: i\n", "image: quay.io/app@sha256:ab\nrelatedImages:\n- {name: x, image: quay.io/sidecar}\n- {name: y, image: quay.io/sidecar}\n");
        let text = yaml("package app c\nchannel app c app.v1.9.0") + &bundle;
        let workbench = Workbench::new().with_text("c", "c.yaml", text);
        assert_eq!(lines(&workbench, "sha256:AB"), ["Image: quay.io/app@sha256:ab (1.9.0) in c of app"]);
        assert_eq!(lines(&workbench, "sidecar"), ["Image: quay.io/sidecar (1.9.0) in c of app"]);
    }

    #[test]
    fn many_results_are_counted() {
        let bundles: String = (0..50).map(|minor| format!("\nbundle p 1.{minor}.0")).collect();
        let groups = workbench(&[("c", &format!("package p c\nchannel p c p.v1.0.0{bundles}"))]).search("p.v1").groups;
        let SearchGroup { kind, hits, more } = &groups[0];
        assert_eq!((*kind, hits.len(), *more), (SearchKind::Version, 20, 30));
        assert_eq!((hits[0].text.as_str(), hits[0].entry.channel.as_deref()), ("p.v1.49.0", None));
    }
}
