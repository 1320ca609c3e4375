//! What contains all words of a text: packages, channels, entries, APIs, images, files and catalogs.

use super::listing_channel;
use super::overview::default_head;
use catalog::predicate::Property;
use catalog::{Channel, Package};
use fbc::raw::{RawBundle, RawDoc};
use go_semver::blang::Version;
use memchr::memchr2_iter;
use session::FileInput;
use session::{CatalogInput, Workbench};
use std::cmp::Reverse;
use std::collections::BTreeMap;
use views::{EntryKey, PackageKey, SearchGroup, SearchHit, SearchKind, SearchScope, SearchTarget, SearchView};

/// The number of results of one kind among others.
const HITS: usize = 6;
/// The number of results if there is only one kind.
const HITS_ALONE: usize = 50;
/// Shorter texts are only searched for in the names of packages and channels: nearly every other name has them.
const SHORTEST: usize = 2;

/// What contains all words of a text. Without words these are all packages, or all entries of a package. `more` is
/// the number of results of a kind, if other than the usual one.
#[must_use]
pub fn search(workbench: &Workbench, text: &str, scope: &SearchScope, more: Option<(SearchKind, u32)>) -> SearchView {
    let words = Words::of(text);
    let mut found = Found::default();
    match scope {
        SearchScope::All => {
            for catalog in workbench.catalogs() {
                everything(catalog, &words, &mut found);
            }
        }
        SearchScope::Entries { package, channel } => {
            if let Some((catalog, package)) = crate::package(workbench, package) {
                entries_of(catalog, package, channel.as_deref(), &words, &mut found);
            }
        }
    }
    // Without words they are only a start, above what else the palette offers.
    let is_start = words.is_empty() && matches!(scope, SearchScope::All);
    let usual = if found.0.len() == 1 && !is_start { HITS_ALONE } else { HITS };
    let limit = |kind| more.filter(|(of, _)| *of == kind).map_or(usual, |(_, limit)| limit as usize);
    SearchView { groups: found.0.into_iter().map(|(kind, hits)| group(kind, hits, limit(kind))).collect() }
}

/// How well a text fits, summed over the words: 0 as a whole, 1 at its beginning, 2 elsewhere.
type Fit = usize;

/// What was found, by kind.
#[derive(Default)]
struct Found<'c>(BTreeMap<SearchKind, Hits<'c>>);

/// By catalog, package, text and channel.
type Hits<'c> = BTreeMap<(u32, &'c str, String, &'c str), (Fit, Hit<'c>)>;

struct Hit<'c> {
    catalog: &'c CatalogInput,
    version: Option<&'c Version>,
    target: Target<'c>,
}

#[derive(Clone, Copy)]
enum Target<'c> {
    Package(&'c Package),
    Channel(&'c Package, &'c Channel),
    /// An entry of a package, and a channel that names it if it has no bundle.
    Entry(&'c Package, &'c str, Option<&'c Channel>),
    /// An entry in a channel; whether the channel comes first.
    Listed(&'c Package, &'c str, &'c Channel, bool),
    File(&'c FileInput),
    Catalog,
}

impl<'c> Found<'c> {
    /// Adds a result. Of several with the same text the newest entry counts.
    fn add(&mut self, kind: SearchKind, text: String, fit: Fit, hit: Hit<'c>) {
        let (package, channel) = match hit.target {
            Target::Package(package) | Target::Entry(package, ..) => (package.name.as_str(), ""),
            Target::Channel(package, channel) | Target::Listed(package, _, channel, _) => {
                (package.name.as_str(), channel.name.value.as_str())
            }
            Target::File(_) | Target::Catalog => ("", ""),
        };
        let hits = self.0.entry(kind).or_default();
        let key = (hit.catalog.id.0, package, text, channel);
        match hits.get_mut(&key) {
            Some((_, old)) if old.version >= hit.version => {}
            Some((_, old)) => *old = hit,
            None => drop(hits.insert(key, (fit, hit))),
        }
    }
}

fn everything<'c>(catalog: &'c CatalogInput, words: &Words, found: &mut Found<'c>) {
    for package in &catalog.analysis.catalog.packages {
        let name = package.name.as_str();
        if let Some(fit) = words.fit(&[name], &[&catalog.name]) {
            let hit = Hit { catalog, version: None, target: Target::Package(package) };
            found.add(SearchKind::Package, name.to_owned(), fit, hit);
        }
        for channel in package.channels.iter().filter(|_| !words.is_empty()) {
            if let Some(fit) = words.fit(&[channel.name.value.as_str()], &[name, &catalog.name]) {
                let hit = Hit { catalog, version: None, target: Target::Channel(package, channel) };
                found.add(SearchKind::Channel, channel.name.to_string(), fit, hit);
            }
        }
        if words.letters >= SHORTEST {
            entries_and_apis(catalog, package, words, found);
        }
    }
    if words.letters < SHORTEST {
        return;
    }
    for raw in raw_bundles(catalog) {
        images(catalog, raw, words, found);
    }
    for file in &catalog.files {
        if let Some(fit) = words.fit(&[&file.path], &[&catalog.name]) {
            let hit = Hit { catalog, version: None, target: Target::File(file) };
            found.add(SearchKind::File, file.path.clone(), fit, hit);
        }
    }
    if let Some(fit) = words.fit(&[&catalog.name], &[]) {
        let hit = Hit { catalog, version: None, target: Target::Catalog };
        found.add(SearchKind::Catalog, catalog.name.clone(), fit, hit);
    }
}

fn entries_and_apis<'c>(catalog: &'c CatalogInput, package: &'c Package, words: &Words, found: &mut Found<'c>) {
    let listing = listing(package);
    for bundle in &package.bundles {
        let (name, version) = (bundle.name.value.as_str(), bundle.version());
        let hit = || Hit { catalog, version, target: Target::Entry(package, name, None) };
        let written = bundle.version.as_ref().map_or("", |version| &*version.value.text);
        let channels = listing.get(name).map(Vec::as_slice).unwrap_or_default();
        let around = [&[package.name.as_str(), catalog.name.as_str()], channels].concat();
        if let Some(fit) = words.fit(&[written, name], &around) {
            found.add(SearchKind::Version, name.to_owned(), fit, hit());
        }
        for property in &bundle.properties {
            let Property::Gvk(gvk, _) = &property.value else { continue };
            let around = [package.name.as_str(), &catalog.name, name, written, &gvk.version];
            if let Some(fit) = words.fit(&[&gvk.kind, &gvk.group], &around) {
                found.add(SearchKind::Api, gvk.to_string(), fit, hit());
            }
        }
    }
    for (channel, name) in named(package) {
        // Those with a bundle are found above, with their versions.
        if package.bundle(name).is_none()
            && let Some(fit) = words.fit(&[name], &[package.name.as_str(), &catalog.name, channel.name.value.as_str()])
        {
            let hit = Hit { catalog, version: None, target: Target::Entry(package, name, Some(channel)) };
            found.add(SearchKind::Version, name.to_owned(), fit, hit);
        }
    }
}

/// The channels that list each entry.
fn listing(package: &Package) -> BTreeMap<&str, Vec<&str>> {
    let mut listing = BTreeMap::<&str, Vec<&str>>::new();
    for channel in &package.channels {
        for entry in channel.entries.iter() {
            listing.entry(entry.name.value.as_str()).or_default().push(channel.name.value.as_str());
        }
    }
    listing
}

/// What the channels name: their entries, and what these replace and skip.
fn named(package: &Package) -> impl Iterator<Item = (&Channel, &str)> {
    let entries = package.channels.iter().flat_map(|channel| channel.entries.iter().map(move |entry| (channel, entry)));
    entries.flat_map(|(channel, entry)| {
        let names = std::iter::once(&entry.name).chain(&entry.replaces).chain(&entry.skips);
        names.map(move |name| (channel, name.value.as_str()))
    })
}

fn entries_of<'c>(
    catalog: &'c CatalogInput,
    package: &'c Package,
    first: Option<&str>,
    words: &Words,
    found: &mut Found<'c>,
) {
    for channel in &package.channels {
        let is_first = first == Some(channel.name.value.as_str());
        // A channel stands for its head.
        let head = catalog::heads(channel).first().copied().filter(|_| !words.is_empty());
        if let Some((head, fit)) = head.zip(words.fit(&[channel.name.value.as_str()], &[package.name.as_str()])) {
            let version = package.bundle(head).and_then(|bundle| bundle.version());
            let target = Target::Listed(package, head, channel, is_first);
            found.add(SearchKind::Channel, channel.name.to_string(), fit, Hit { catalog, version, target });
        }
        for entry in channel.entries.iter() {
            let name = entry.name.value.as_str();
            let bundle = package.bundle(name);
            let written = bundle.and_then(|bundle| bundle.version.as_ref()).map_or("", |version| &*version.value.text);
            if let Some(fit) = words.fit(&[written, name], &[channel.name.value.as_str(), package.name.as_str()]) {
                let version = bundle.and_then(|bundle| bundle.version());
                let target = Target::Listed(package, name, channel, is_first);
                found.add(SearchKind::Version, name.to_owned(), fit, Hit { catalog, version, target });
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

fn images<'c>(catalog: &'c CatalogInput, raw: &'c RawBundle, words: &Words, found: &mut Found<'c>) {
    let related = raw.related_images.iter().filter_map(|related| related.image.as_ref());
    let around = [raw.package.as_ref(), raw.name.as_ref()].map(|text| text.map_or("", |text| &*text.value));
    let around = [around[0], around[1], &catalog.name];
    for image in raw.image.iter().chain(related) {
        let Some(fit) = words.fit(&[&image.value], &around) else { continue };
        let package = raw.package.as_ref().and_then(|name| catalog.analysis.catalog.package(&name.value));
        let bundle = package.zip(raw.name.as_ref()).and_then(|(package, name)| package.bundle(&name.value));
        if let Some((package, bundle)) = package.zip(bundle) {
            let target = Target::Entry(package, bundle.name.value.as_str(), None);
            let hit = Hit { catalog, version: bundle.version(), target };
            found.add(SearchKind::Image, image.value.to_string(), fit, hit);
        }
    }
}

/// The best results: first what fits best, then by package, the newest first.
fn group(kind: SearchKind, hits: Hits<'_>, limit: usize) -> SearchGroup {
    let mut hits: Vec<_> = hits.into_iter().collect();
    hits.sort_by(|((catalog, package, text, channel), (fit, hit)), (key_b, (fit_b, hit_b))| {
        let (catalog_b, package_b, text_b, channel_b) = key_b;
        let rank = (fit, hit.is_later(), package, catalog, Reverse(hit.version), text, channel);
        rank.cmp(&(fit_b, hit_b.is_later(), package_b, catalog_b, Reverse(hit_b.version), text_b, channel_b))
    });
    let more = hits.len().saturating_sub(limit) as u32;
    let hits = hits.into_iter().take(limit).map(|((_, _, text, _), (_, hit))| hit.view(text)).collect();
    SearchGroup { kind, hits, more }
}

impl Hit<'_> {
    /// Whether another channel than its own comes first.
    const fn is_later(&self) -> bool {
        matches!(self.target, Target::Listed(_, _, _, false))
    }

    fn view(&self, text: String) -> SearchHit {
        let catalog = self.catalog.id;
        let key = |package: &Package| PackageKey { catalog, package: package.name.as_str().to_owned() };
        let entry = |name: &str, channel: Option<&Channel>| EntryKey {
            channel: channel.map(|channel| channel.name.to_string()),
            name: name.to_owned(),
        };
        let version = self.version.map(ToString::to_string);
        let (about, target) = match self.target {
            Target::Package(package) => (default_head(package), SearchTarget::Package(key(package))),
            Target::Channel(package, channel) => {
                let channel = channel.name.to_string();
                (package.name.to_string(), SearchTarget::Channel { package: key(package), channel })
            }
            Target::Entry(package, name, named_in) => {
                let about = [Some(package.name.to_string()), version].into_iter().flatten().collect::<Vec<_>>();
                let entry = entry(name, listing_channel(package, name).or(named_in));
                (about.join(" "), SearchTarget::Entry { package: key(package), entry })
            }
            Target::Listed(package, name, channel, _) => {
                let about =
                    version.map_or_else(String::new, |version| version + " ") + "in " + channel.name.value.as_str();
                (about, SearchTarget::Entry { package: key(package), entry: entry(name, Some(channel)) })
            }
            Target::File(file) => (String::new(), SearchTarget::File(file.key)),
            Target::Catalog => (String::new(), SearchTarget::Catalog(catalog)),
        };
        SearchHit { text, about, catalog, target }
    }
}

/// Words to search for, regardless of the case of their ASCII letters: names, versions and images are ASCII.
struct Words {
    words: Vec<Vec<u8>>,
    /// The number of characters of all of them.
    letters: usize,
}

impl Words {
    fn of(text: &str) -> Self {
        let words = text.split_whitespace();
        Self {
            words: words.clone().map(|word| word.to_ascii_lowercase().into_bytes()).collect(),
            letters: words.map(|word| word.chars().count()).sum(),
        }
    }

    const fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// How well they fit: each is in one of the texts, and one of them in one of its own.
    fn fit(&self, own: &[&str], around: &[&str]) -> Option<Fit> {
        let best = |word: &[u8], texts: &[&str]| texts.iter().filter_map(|text| fit(word, text)).min();
        if !self.is_empty() && !self.words.iter().any(|word| best(word, own).is_some()) {
            return None;
        }
        self.words.iter().map(|word| best(word, own).into_iter().chain(best(word, around)).min()).sum()
    }
}

/// How well a word fits a text.
fn fit(word: &[u8], text: &str) -> Option<Fit> {
    let (first, text) = (word[0], text.as_bytes());
    // A text that ends before the word would is no match: `get` finds that out.
    let matches = |at: &usize| text.get(*at..*at + word.len()).is_some_and(|part| part.eq_ignore_ascii_case(word));
    let at = memchr2_iter(first, first.to_ascii_uppercase(), text).find(matches)?;
    Some(match at {
        0 if text.len() == word.len() => 0,
        0 => 1,
        _ => 2,
    })
}

#[cfg(test)]
mod tests {
    use crate::search;
    use session::Workbench;
    use session::testing::{workbench, yaml};
    use views::{CatalogId, PackageKey, SearchGroup, SearchKind, SearchScope, SearchTarget};

    const PACKAGES: &str = "package etcd stable\nchannel etcd stable etcd.v1.10.0>etcd.v1.9.0 etcd.v1.9.0>etcd.v1.8.0\nbundle etcd 1.9.0 provides EtcdCluster\nbundle etcd 1.10.0 provides EtcdCluster\npackage app c\nchannel app c app.v1.9.0\nchannel app d app.v1.9.0\nbundle app 1.9.0";

    /// Lines `kind: text (about)`.
    fn lines_in(workbench: &Workbench, text: &str, scope: &SearchScope) -> Vec<String> {
        let line = |group: &SearchGroup| {
            let kind = group.kind;
            let hits = group.hits.iter().map(move |hit| format!("{kind:?}: {} ({})", hit.text, hit.about));
            hits.collect::<Vec<_>>()
        };
        search(workbench, text, scope, None).groups.iter().flat_map(line).collect()
    }

    fn lines(workbench: &Workbench, text: &str) -> Vec<String> {
        lines_in(workbench, text, &SearchScope::All)
    }

    #[test]
    fn names_and_versions_are_found_the_newest_first() {
        let workbench = workbench(&[("c", PACKAGES)]);
        assert_eq!(
            lines(&workbench, "1.9.0"),
            ["Version: app.v1.9.0 (app 1.9.0)", "Version: etcd.v1.9.0 (etcd 1.9.0)"]
        );
        let found = ["etcd.v1.10.0 (etcd 1.10.0)", "etcd.v1.9.0 (etcd 1.9.0)", "etcd.v1.8.0 (etcd)"];
        assert_eq!(lines(&workbench, "ETCD.v1."), found.map(|line| format!("Version: {line}")));
        assert_eq!(lines(&workbench, "é"), [""; 0]);
    }

    #[test]
    fn all_words_have_to_fit_and_one_of_them_the_result_itself() {
        let workbench = workbench(&[("c", PACKAGES)]);
        let found = ["Version: etcd.v1.9.0 (etcd 1.9.0)", "Api: EtcdCluster (example.com/v1) (etcd 1.9.0)"];
        assert_eq!(lines(&workbench, "1.9 etcd"), found);
        assert_eq!(lines(&workbench, "app d"), ["Channel: d (app)", "Version: app.v1.9.0 (app 1.9.0)"]);
        assert_eq!(lines(&workbench, "etcd stable 1.10"), ["Version: etcd.v1.10.0 (etcd 1.10.0)"]);
        assert_eq!(lines(&workbench, "app 1.10"), [""; 0]);
        assert_eq!(lines(&workbench, "etcd etcdcluster"), ["Api: EtcdCluster (example.com/v1) (etcd 1.10.0)"]);
    }

    #[test]
    fn packages_are_listed_without_words_and_found_by_one_letter() {
        let workbench = workbench(&[("c", PACKAGES)]);
        assert_eq!(lines(&workbench, " "), ["Package: app (c → 1.9.0)", "Package: etcd (stable → 1.10.0)"]);
        assert_eq!(lines(&workbench, "e"), ["Package: etcd (stable → 1.10.0)", "Channel: stable (etcd)"]);
    }

    #[test]
    fn entries_of_a_package_are_listed_in_each_channel_the_given_one_first() {
        let workbench = workbench(&[("c", PACKAGES)]);
        let package = PackageKey { catalog: CatalogId(0), package: "app".to_owned() };
        let scope = SearchScope::Entries { package: package.clone(), channel: Some("d".to_owned()) };
        let both = ["Version: app.v1.9.0 (1.9.0 in d)", "Version: app.v1.9.0 (1.9.0 in c)"];
        assert_eq!(lines_in(&workbench, "", &scope), both);
        assert_eq!(lines_in(&workbench, "1.9", &scope), both);
        assert_eq!(lines_in(&workbench, "etcd", &scope), [""; 0]);
        let group = &search(&workbench, "", &scope, None).groups[0];
        let SearchTarget::Entry { package: found, entry } = &group.hits[0].target else { panic!("no entry") };
        assert_eq!((found, entry.channel.as_deref(), &*entry.name), (&package, Some("d"), "app.v1.9.0"));
    }

    #[test]
    fn an_api_is_found_once_in_the_newest_bundle() {
        let found = lines(&workbench(&[("c", PACKAGES)]), "etcdcl");
        assert_eq!(found, ["Api: EtcdCluster (example.com/v1) (etcd 1.10.0)"]);
    }

    #[test]
    fn images_and_related_images_are_found() {
        let bundle = yaml("bundle app 1.9.0").replace("image: i\n", "image: quay.io/app@sha256:ab\nrelatedImages:\n- {name: x, image: quay.io/sidecar}\n- {name: y, image: quay.io/sidecar}\n");
        let text = yaml("package app c\nchannel app c app.v1.9.0") + &bundle;
        let workbench = Workbench::new().with_text("c", "c.yaml", text);
        assert_eq!(lines(&workbench, "sha256:AB"), ["Image: quay.io/app@sha256:ab (app 1.9.0)"]);
        assert_eq!(lines(&workbench, "sidecar"), ["Image: quay.io/sidecar (app 1.9.0)"]);
    }

    #[test]
    fn files_and_catalogs_are_found() {
        let workbench = Workbench::new().with_text("kitchen", "pots/c.yaml", yaml(PACKAGES));
        assert_eq!(lines(&workbench, "pots"), ["File: pots/c.yaml ()"]);
        assert_eq!(lines(&workbench, "kitchen"), ["Catalog: kitchen ()"]);
    }

    #[test]
    fn many_results_are_counted_and_more_are_sent_on_request() {
        let bundles: String = (0..80).map(|minor| format!("\nbundle p 1.{minor}.0")).collect();
        let workbench = workbench(&[("c", &format!("package p c\nchannel p c p.v1.0.0{bundles}"))]);
        let count = |text: &str, more| {
            let groups = search(&workbench, text, &SearchScope::All, more).groups;
            let SearchGroup { kind, hits, more } =
                groups.into_iter().rfind(|group| group.kind != SearchKind::File).unwrap();
            (kind, hits.len(), more, hits[0].text.clone())
        };
        assert_eq!(count("p.v1", None), (SearchKind::Version, 50, 30, "p.v1.79.0".to_owned()), "the only kind");
        let more = Some((SearchKind::Version, 70));
        assert_eq!(count("p.v1", more), (SearchKind::Version, 70, 10, "p.v1.79.0".to_owned()));
    }
}
