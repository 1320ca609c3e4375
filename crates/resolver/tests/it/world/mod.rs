//! Namespaces in a few words, one line for each bundle, CSV and Subscription.
//!
//! ```text
//! c/ns a.v2 replaces=a.v1 gvk=K        an entry of catalog c in namespace ns
//! csv a.v1 gvk=K                       an installed CSV
//! sub a has=a.v1                       a Subscription
//! priority d/ns 10                     a catalog's priority
//! ```
//!
//! A name `a.v2` implies package `a` and version 2.0.0; `pkg=` and `version=` say otherwise, `pkg=-` none at all.
//! Entries are in channel `ch`, the default one; `in=x` says another that is not, `in=x*` one that is. `_` stands for a
//! space.

use std::collections::BTreeMap;
use std::sync::Arc;

use catalog::predicate::Property;
use cluster::{CatalogKey, CsvProperties, InstalledCsv, PlacedProperty, SubscriptionSpec};
use go_semver::blang::{Range, Version};
use resolver::{Entry, Listing, Namespace, Snapshot};
use serde_json::{Value, json};

/// Reads the lines; the namespace is `ns`.
pub(crate) fn namespace(text: &str) -> Namespace {
    let mut catalogs: BTreeMap<CatalogKey, (i64, Vec<Entry>)> = BTreeMap::new();
    let mut namespace = Namespace { name: "ns".into(), ..Namespace::default() };
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let line = Line::of(line);
        match line.kind {
            "csv" => namespace.installed.push(line.csv()),
            "sub" => namespace.subscriptions.push(line.subscription()),
            "priority" => catalog(&mut catalogs, line.name).0 = line.words[2].parse().unwrap(),
            key => catalog(&mut catalogs, key).1.push(line.entry()),
        }
    }
    let snapshots = catalogs.into_iter().map(|(key, (priority, mut entries))| {
        entries.sort_by(|a, b| (&a.channel, &a.package, &a.name).cmp(&(&b.channel, &b.package, &b.name)));
        Arc::new(Snapshot { key, priority, listing: Arc::new(Listing::new(entries)) })
    });
    namespace.catalogs = snapshots.collect();
    namespace
}

fn catalog<'c>(catalogs: &'c mut BTreeMap<CatalogKey, (i64, Vec<Entry>)>, key: &str) -> &'c mut (i64, Vec<Entry>) {
    catalogs.entry(key_of(key)).or_default()
}

fn key_of(text: &str) -> CatalogKey {
    let (name, namespace) = text.split_once('/').unwrap();
    CatalogKey::new(name, namespace)
}

struct Line<'t> {
    kind: &'t str,
    name: &'t str,
    words: Vec<&'t str>,
}

impl<'t> Line<'t> {
    fn of(text: &'t str) -> Self {
        let words: Vec<&str> = text.split_whitespace().collect();
        Self { kind: words[0], name: words[1], words }
    }

    /// The values of `key=value`, as often as it occurs.
    fn values(&self, key: &str) -> impl Iterator<Item = String> {
        let words = self.words.iter().filter_map(move |word| word.strip_prefix(key)?.strip_prefix('='));
        words.map(|value| value.replace('_', " "))
    }

    fn value(&self, key: &str) -> Option<String> {
        self.values(key).next()
    }

    fn package(&self) -> String {
        self.value("pkg").unwrap_or_else(|| self.name.split('.').next().unwrap().to_owned())
    }

    fn version(&self) -> String {
        let implied = || format!("{}.0.0", self.name.split_once(".v").map_or("0", |(_, version)| version));
        self.value("version").unwrap_or_else(implied)
    }

    fn properties(&self) -> Arc<[PlacedProperty]> {
        let package = self.package();
        let mut properties = Vec::new();
        if package != "-" {
            properties.push(property("olm.package", &json!({"packageName": package, "version": self.version()})));
        }
        for word in &self.words[2..] {
            let (key, value) = word.split_once('=').unwrap_or((word, ""));
            let value = value.replace('_', " ");
            properties.extend(match key {
                "gvk" => Some(property("olm.gvk", &gvk(&value))),
                "needs" => Some(property("olm.gvk.required", &gvk(&value))),
                "wants" => {
                    let (name, range) = value.split_once(':').unwrap();
                    Some(property("olm.package.required", &json!({"packageName": name, "versionRange": range})))
                }
                "label" => Some(property("olm.label.required", &json!({"label": value}))),
                "deprecated" => Some(property("olm.deprecated", &json!({}))),
                "constraint" => Some(property("olm.constraint", &serde_json::from_str(&value).unwrap())),
                _ => None,
            });
        }
        properties.into()
    }

    fn entry(&self) -> Entry {
        let channel = self.value("in").unwrap_or_else(|| "ch*".to_owned());
        Entry {
            name: self.name.into(),
            package: self.package().as_str().into(),
            channel: channel.trim_end_matches('*').into(),
            default_channel: channel.ends_with('*'),
            replaces: self.value("replaces").map(|name| name.as_str().into()),
            skips: self.values("skips").map(|name| name.as_str().into()).collect(),
            skip_range: self.value("range").map(|range| Range::parse(&range).unwrap()),
            version: Version::parse(&self.version()).ok(),
            properties: self.properties(),
            span: None,
        }
    }

    fn csv(&self) -> InstalledCsv {
        let version = Version::parse(&self.version()).unwrap();
        InstalledCsv { name: self.name.into(), version, properties: CsvProperties::Known(self.properties()) }
    }

    fn subscription(&self) -> SubscriptionSpec {
        let channel = self.value("in").unwrap_or_else(|| "ch".to_owned());
        let catalog = self.value("from").unwrap_or_else(|| "c/ns".to_owned());
        SubscriptionSpec {
            name: self.name.into(),
            package: self.package().as_str().into(),
            channel: (channel != "any").then(|| channel.as_str().into()),
            catalog: (catalog != "any").then(|| key_of(&catalog)),
            starting_csv: self.value("start").map(|name| name.as_str().into()),
            installed_csv: self.value("has").map(|name| name.as_str().into()),
        }
    }
}

fn gvk(kind: &str) -> Value {
    json!({"group": "g", "version": "v1", "kind": kind})
}

fn property(kind: &str, value: &Value) -> PlacedProperty {
    PlacedProperty { property: Property::parse(kind, value).unwrap(), span: None }
}
