//! Reads PackageManifests: `kubectl get packagemanifests -A -o json` or `-o yaml`.
//!
//! OLM's package-server makes a PackageManifest of each package of each CatalogSource (operator-lifecycle-manager
//! `pkg/package-server/apis/operators/v1/packagemanifest_types.go` and `provider/registry.go`). They name packages, channels
//! and versions. They have no update edges, although a comment of their API says so, and no dependencies and no images. So
//! they are an inventory, and nothing can be simulated with them.

use memchr::memmem;
use std::collections::BTreeMap;

use fbc::{Node, Value};
use source::{Diagnostic, FileId, Rule, Severity, Span};
use views::{ListedCatalog, ListedChannel, ListedEntry, ListedPackage};

use super::fields::{Fields, Problems};

/// The API group of PackageManifests.
const GROUP: &str = "packages.operators.coreos.com/";
const KIND: &str = "PackageManifest";

/// What the CatalogSources of a cluster offer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Inventory {
    /// The CatalogSources, by namespace and name, without the commands that get their catalogs.
    pub sources: Vec<ListedCatalog>,
    /// How many objects of other kinds were left out.
    pub skipped: u32,
    /// Findings, by place. An object with an error is left out.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads PackageManifests. Objects of other kinds are counted and left out.
///
/// ```
/// let text = "apiVersion: packages.operators.coreos.com/v1\nkind: PackageManifest\nmetadata: {name: etcd}\nstatus: \
///     {packageName: etcd, catalogSource: community, catalogSourceNamespace: olm, channels: [{name: stable, currentCSV: etcd.v1}]}";
/// let inventory = cluster::inventory(source::FileId(0), text);
/// assert_eq!(inventory.sources[0].packages[0].channels[0].head, "etcd.v1");
/// ```
#[must_use]
pub fn inventory(file: FileId, text: &str) -> Inventory {
    let trees = fbc::untyped_values(file, text);
    let mut reader = Reader::default();
    trees.nodes.iter().for_each(|node| reader.object(node, ""));
    let Reader { sources, skipped, mut diagnostics, .. } = reader;
    diagnostics.extend(trees.diagnostics);
    diagnostics.sort_by_key(|finding| finding.span);
    let sources = sources.into_values().map(|mut source| {
        source.packages.sort_by(|one, other| one.name.cmp(&other.name));
        source
    });
    Inventory { sources: sources.collect(), skipped, diagnostics }
}

/// Whether a text is PackageManifests. It is searched, not parsed, so that a text with a syntax error is still recognised.
#[must_use]
pub fn is_inventory(text: &str) -> bool {
    // The value of the field, in YAML or JSON, also where JSON is written without blanks.
    let names_group = |rest: &str| {
        let rest = rest.trim_start_matches(['"', '\'']).trim_start();
        rest.strip_prefix(':')
            .is_some_and(|value| value.trim_start().trim_start_matches(['"', '\'']).starts_with(GROUP))
    };
    let has_kind = memmem::find(text.as_bytes(), KIND.as_bytes()).is_some();
    has_kind && text.match_indices("apiVersion").any(|(at, name)| names_group(&text[at + name.len()..]))
}

#[derive(Default)]
struct Reader {
    /// By namespace and name.
    sources: BTreeMap<[String; 2], ListedCatalog>,
    /// The places of the PackageManifests, by namespace and name of the CatalogSource and name of the package.
    places: BTreeMap<[String; 3], Span>,
    skipped: u32,
    diagnostics: Vec<Diagnostic>,
}

impl Reader {
    /// Reads an object, or the items of a list; `kind` is that of the list around it.
    fn object(&mut self, node: &Node, kind: &str) {
        match &node.value {
            Value::Mapping(_) => {}
            Value::Null => return,
            Value::Sequence(items) => return items.iter().for_each(|item| self.object(item, kind)),
            Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Unopened => {
                let message = "expected a PackageManifest: an object with `kind`, `metadata` and `status`";
                return self.diagnostics.push(Diagnostic::new(Rule::WrongType, node.span, message));
            }
        }
        let problems = Problems::default();
        let fields = Fields::of(node, &problems);
        let kind = fields.text("kind").unwrap_or(kind);
        if node.get("items").is_some() && kind.ends_with("List") {
            let inner = kind.strip_suffix("List").unwrap_or_default();
            fields.list("items").iter().for_each(|item| self.object(item, inner));
        } else if kind == KIND {
            self.package(&fields);
        } else if fields.is_valid() {
            self.skipped += 1;
        }
        self.diagnostics.extend(problems.into_inner().into_iter().map(|finding| finding.diagnostic));
    }

    fn package(&mut self, fields: &Fields<'_, '_>) {
        let status = fields.part("status");
        let (name, source) = (status.required("packageName"), status.required("catalogSource"));
        let namespace = status.required("catalogSourceNamespace");
        let (display_name, publisher) =
            (text(&status, "catalogSourceDisplayName"), text(&status, "catalogSourcePublisher"));
        let default_channel = text(&status, "defaultChannel");
        let channels = status.parts("channels").iter().map(|fields| channel(fields, &default_channel)).collect();
        let (provider, deprecated) = (text(&status.part("provider"), "name"), deprecation(&status));
        let (Some(name), Some(source), Some(namespace), true) = (name, source, namespace, fields.is_valid()) else {
            return;
        };
        let key = [namespace, source].map(str::to_owned);
        let place = [namespace, source, name].map(str::to_owned);
        let first = *self.places.entry(place).or_insert(fields.span);
        if first != fields.span {
            let message = format!(
                "package `{name}` of CatalogSource `{namespace}/{source}` is listed twice; the first one counts"
            );
            let finding = Diagnostic {
                severity: Severity::Warning,
                ..Diagnostic::new(Rule::DuplicateName, fields.span.at_start(), message)
            };
            return self.diagnostics.push(finding.with_label(first.at_start(), "this one counts"));
        }
        let [namespace, source] = key.clone();
        let (commands, packages) = (Vec::new(), Vec::new());
        let new = || ListedCatalog { name: source, namespace, display_name, publisher, commands, packages };
        let package = ListedPackage { name: name.to_owned(), provider, default_channel, deprecated, channels };
        self.sources.entry(key).or_insert_with(new).packages.push(package);
    }
}

/// A channel. Channels whose head cannot be read are missing: package-server leaves them out, and where that is the default
/// channel, it names the first one that remains.
fn channel(fields: &Fields<'_, '_>, default: &str) -> ListedChannel {
    let entry = |fields: Fields<'_, '_>| ListedEntry {
        name: fields.required("name").unwrap_or_default().to_owned(),
        version: text(&fields, "version"),
        deprecated: deprecation(&fields),
    };
    let name = fields.required("name").unwrap_or_default();
    ListedChannel {
        name: name.to_owned(),
        is_default: name == default,
        head: text(fields, "currentCSV"),
        version: text(&fields.part("currentCSVDesc"), "version"),
        deprecated: deprecation(fields),
        entries: fields.parts("entries").into_iter().map(entry).collect(),
    }
}

fn text(fields: &Fields<'_, '_>, key: &str) -> String {
    fields.text(key).unwrap_or_default().to_owned()
}

/// The message of a deprecation; a deprecation without message has an empty one.
fn deprecation(fields: &Fields<'_, '_>) -> Option<String> {
    fields.place("deprecation")?;
    Some(text(&fields.part("deprecation"), "message"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A PackageManifest as kubectl prints it in a list, without fields that are not read.
    fn item(package: &str, source: &str, more: &str) -> String {
        format!(
            "- apiVersion: packages.operators.coreos.com/v1\n  kind: PackageManifest\n  metadata: {{name: {package}, \
             namespace: default, labels: {{catalog: {source}}}}}\n  spec: {{}}\n  status:\n    packageName: {package}\n    \
             catalogSource: {source}\n    catalogSourceNamespace: olm\n    catalogSourceDisplayName: Catalog {source}\n    \
             catalogSourcePublisher: Example\n    provider: {{name: Example}}\n{more}"
        )
    }

    const CHANNELS: &str = "    defaultChannel: stable\n    deprecation: {message: use other}\n    channels:\n    - name: stable\n      \
        currentCSV: etcd.v1.1.0\n      currentCSVDesc: {version: 1.1.0, installModes: [{type: OwnNamespace, supported: true}]}\n      \
        entries:\n      - {name: etcd.v1.1.0, version: 1.1.0}\n      - {name: etcd.v1.0.0, version: 1.0.0, deprecation: {message: old}}\n    \
        - {name: beta, currentCSV: etcd.v1.2.0-rc, deprecation: {}, entries: []}\n";

    fn list(items: &[String]) -> String {
        format!("apiVersion: v1\nkind: List\nmetadata: {{resourceVersion: \"\"}}\nitems:\n{}", items.concat())
    }

    #[test]
    fn a_list_is_an_inventory_of_each_catalog() {
        let items =
            [item("etcd", "two", CHANNELS), item("b", "one", ""), item("a", "one", ""), item("etcd", "one", "")];
        let found = inventory(FileId(0), &list(&items));
        let names: Vec<_> = found
            .sources
            .iter()
            .map(|source| {
                let packages = source.packages.iter().map(|package| &*package.name);
                format!("{}/{} {}", source.namespace, source.name, packages.collect::<Vec<_>>().join(","))
            })
            .collect();
        assert_eq!(names, ["olm/one a,b,etcd", "olm/two etcd"]);
        let source = &found.sources[1];
        assert_eq!((&*source.display_name, &*source.publisher), ("Catalog two", "Example"));
        let etcd = &source.packages[0];
        assert_eq!((&*etcd.default_channel, etcd.deprecated.as_deref()), ("stable", Some("use other")));
        let lines: Vec<String> = etcd
            .channels
            .iter()
            .map(|channel| {
                let entries = channel.entries.iter().map(|entry| format!("{} {:?}", entry.version, entry.deprecated));
                let entries: Vec<_> = entries.collect();
                format!("{} {} {:?} {:?} {entries:?}", channel.name, channel.head, channel.version, channel.deprecated)
            })
            .collect();
        let expected = [
            r#"stable etcd.v1.1.0 "1.1.0" None ["1.1.0 None", "1.0.0 Some(\"old\")"]"#,
            r#"beta etcd.v1.2.0-rc "" Some("") []"#,
        ];
        assert_eq!((lines, found.skipped, found.diagnostics), (expected.map(str::to_owned).to_vec(), 0, Vec::new()));
    }

    #[test]
    fn json_is_the_same_as_yaml() {
        let yaml = list(&[item("etcd", "one", CHANNELS)]);
        let read = fbc::untyped_values(FileId(0), &yaml);
        let json = read.nodes[0].to_json(&yaml).unwrap().to_string();
        assert_eq!(inventory(FileId(0), &json), inventory(FileId(0), &yaml));
        assert!(is_inventory(&json) && is_inventory(&yaml));
    }

    #[test]
    fn a_broken_object_is_left_out_with_a_finding() {
        let items = [
            item("a", "one", "    channels: {}\n"),
            item("b", "one", "").replace("catalogSource: one", "catalogSource: ''"),
            item("c", "one", ""),
            item("c", "one", ""),
            "- 5\n- {kind: Pod}\n".to_owned(),
        ];
        let found = inventory(FileId(0), &list(&items));
        let messages: Vec<&str> = found.diagnostics.iter().map(|finding| &*finding.message).collect();
        let expected = [
            "`status.channels` must be a list, found an object",
            "`status.catalogSource` is missing",
            "package `c` of CatalogSource `olm/one` is listed twice; the first one counts",
            "expected a PackageManifest: an object with `kind`, `metadata` and `status`",
        ];
        assert_eq!((messages, found.skipped), (expected.to_vec(), 1));
        assert_eq!(found.sources[0].packages.len(), 1);
    }

    #[test]
    fn other_texts_are_no_inventory() {
        assert!(!is_inventory("schema: olm.package\nname: p\n"));
        assert!(!is_inventory("# kubectl get packagemanifests\nkind: PackageManifest\n"));
        assert!(is_inventory(
            "{\n    \"apiVersion\": \"packages.operators.coreos.com/v1\",\n    \"kind\": \"PackageManifest\"\n}\n"
        ));
    }
}
