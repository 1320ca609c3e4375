//! A small cluster and its catalog.

use cluster::{CatalogKey, Manifests};
use migration::{CatalogContent, Inputs, Migration, Objects, migration_view, migrations};
use source::{FileId, Severity};
use std::collections::BTreeMap;
use views::MigrationView;

const CATALOG: FileId = FileId(1);

/// `p.v1` to `p.v3` in `stable`, each of which replaces the one before; `fast` has the last alone.
pub(crate) const CHANNELS: &str = "schema: olm.package
name: p
defaultChannel: stable
---
schema: olm.channel
package: p
name: stable
entries: [{name: p.v1}, {name: p.v2, replaces: p.v1}, {name: p.v3, replaces: p.v2}]
---
schema: olm.channel
package: p
name: fast
entries: [{name: p.v3}]
";

/// A property that shows a ClusterServiceVersion with nothing that OLM v1 refuses.
pub(crate) const READY: &str =
    "{type: olm.csv.metadata, value: {installModes: [{type: AllNamespaces, supported: true}]}}";

/// `p` with nothing installed.
pub(crate) const NEW: &str = "kind: CatalogSource
metadata: {name: community, namespace: olm}
spec: {image: 'example.com/community:latest'}
---
kind: Subscription
metadata: {name: my-p, namespace: operators}
spec: {name: p, channel: stable, source: community, sourceNamespace: olm}
";

/// A bundle of `p`.
pub(crate) fn bundle(version: u32, properties: &[&str]) -> String {
    let more: String = properties.iter().map(|property| format!("- {property}\n")).collect();
    format!(
        "---\nschema: olm.bundle\npackage: p\nname: p.v{version}\nimage: i\nproperties:\n- {{type: olm.package, value: {{packageName: p, version: {version}.0.0}}}}\n{more}"
    )
}

/// The package with these properties of `p.v2`; the other bundles are ready.
pub(crate) fn catalog(second: &[&str]) -> String {
    CHANNELS.to_owned() + &bundle(1, &[READY]) + &bundle(2, second) + &bundle(3, &[READY])
}

/// `p` with `p.v1` installed.
pub(crate) fn installed() -> String {
    NEW.to_owned()
        + "status: {installedCSV: p.v1, currentCSV: p.v1}\n---\nkind: ClusterServiceVersion\nmetadata: {name: p.v1, namespace: operators}\nspec: {version: 1.0.0}\n"
}

pub(crate) fn read(cluster: &str) -> Manifests {
    let read = cluster::read(FileId(0), cluster);
    let errors: Vec<_> = read.diagnostics.iter().filter(|finding| finding.severity == Severity::Error).collect();
    assert!(errors.is_empty(), "{cluster}\n{errors:?}");
    read
}

fn with<T>(text: &str, cluster: &str, answer: impl FnOnce(&Inputs<'_, '_>) -> T) -> T {
    let read = read(cluster);
    let parse = fbc::parse(CATALOG, text);
    let (catalog, findings) = catalog::lower(&[catalog::ParsedFile { text, parse: &parse }]);
    assert!(findings.is_empty(), "{findings:?}");
    let content = CatalogContent { catalog: &catalog, texts: BTreeMap::from([(CATALOG, text)]) };
    let values = fbc::untyped_values(FileId(0), cluster);
    answer(&Inputs {
        cluster: &read.cluster,
        cluster_catalogs: &read.cluster_catalogs,
        extensions: &read.cluster_extensions,
        contents: &BTreeMap::from([(CatalogKey::new("community", "olm"), content)]),
        objects: &Objects::of(cluster, &values.nodes),
        olm: read.olm_v1,
    })
}

/// The migrations of a cluster whose CatalogSource `community` in `olm` serves a catalog.
pub(crate) fn migrate(text: &str, cluster: &str) -> Vec<Migration> {
    with(text, cluster, migrations)
}

/// The same for the page and the command line.
pub(crate) fn view(text: &str, cluster: &str) -> MigrationView {
    with(text, cluster, migration_view)
}

/// The migration of the only Subscription.
#[track_caller]
pub(crate) fn single(text: &str, cluster: &str) -> Migration {
    let [migration] = <[Migration; 1]>::try_from(migrate(text, cluster)).expect("there is one Subscription");
    migration
}
