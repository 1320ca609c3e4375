//! The cluster and the catalog of the first worked case of the official migration, as texts that the other cases replace.

use migration::{
    Acknowledgments, CatalogContent, CheckOutcome, Contents, Conversion, ConvertOptions, Dump, Eligibility,
    cluster_extension, conversion, eligibility,
};
use resolver::CatalogKey;
use source::FileId;
use std::collections::BTreeMap;

pub(crate) const CATALOG: &str = "schema: olm.package
name: widgets
defaultChannel: stable
---
schema: olm.channel
package: widgets
name: stable
entries: [{name: widgets.v1.0.0}, {name: widgets.v1.1.0, replaces: widgets.v1.0.0}]
---
schema: olm.channel
package: widgets
name: beta
entries: [{name: widgets.v1.2.0, replaces: widgets.v1.1.0}]
---
schema: olm.bundle
package: widgets
name: widgets.v1.0.0
image: i
properties: [{type: olm.package, value: {packageName: widgets, version: 1.0.0}}]
---
schema: olm.bundle
package: widgets
name: widgets.v1.1.0
image: i
properties: [{type: olm.package, value: {packageName: widgets, version: 1.1.0}}]
---
schema: olm.bundle
package: widgets
name: widgets.v1.2.0
image: i
properties: [{type: olm.package, value: {packageName: widgets, version: 1.2.0}}]
";

pub(crate) const SUBSCRIPTION: &str = "kind: Subscription
metadata: {name: widgets, namespace: ops}
spec: {name: widgets, channel: stable, source: community, sourceNamespace: olm}
status: {installedCSV: widgets.v1.0.0, state: AtLatestKnown}
";
pub(crate) const PROPERTIES: &str =
    "[{\"type\":\"olm.package\",\"value\":{\"packageName\":\"widgets\",\"version\":\"1.0.0\"}}]";
pub(crate) const MODES: &str = "installModes: [{type: AllNamespaces, supported: true}]";
pub(crate) const GROUP: &str = "kind: OperatorGroup
metadata: {name: global, namespace: ops}
status: {namespaces: ['']}
";
pub(crate) const SOURCE: &str = "kind: CatalogSource
metadata: {name: community, namespace: olm}
spec: {sourceType: grpc, image: 'example.com/community:1'}
";
pub(crate) const CLUSTER_CATALOG: &str = "kind: ClusterCatalog
metadata: {name: community}
spec: {source: {type: Image, image: {ref: 'example.com/community:1'}}}
status: {conditions: [{type: Serving, status: 'True'}]}
";
pub(crate) const CRD: &str = "kind: CustomResourceDefinition
metadata: {name: clusterobjectsets.olm.operatorframework.io}
status: {conditions: [{type: Established, status: 'True'}]}
";

/// The objects of the first case, as texts that a case replaces.
pub(crate) struct Case {
    pub(crate) subscription: String,
    pub(crate) properties: String,
    /// Further annotations of the CSV, each after a comma.
    pub(crate) annotations: String,
    pub(crate) spec: String,
    pub(crate) status: &'static str,
    pub(crate) group: String,
    pub(crate) source: String,
    pub(crate) cluster_catalog: String,
    pub(crate) crd: &'static str,
    pub(crate) more: String,
    pub(crate) options: ConvertOptions,
    pub(crate) is_complete: bool,
    pub(crate) channel_text: String,
}

impl Case {
    pub(crate) fn new() -> Self {
        Self {
            subscription: SUBSCRIPTION.to_owned(),
            properties: PROPERTIES.to_owned(),
            annotations: String::new(),
            spec: MODES.to_owned(),
            status: "{phase: Succeeded, reason: InstallSucceeded}",
            group: GROUP.to_owned(),
            source: SOURCE.to_owned(),
            cluster_catalog: CLUSTER_CATALOG.to_owned(),
            crd: CRD,
            more: String::new(),
            options: ConvertOptions::default(),
            is_complete: true,
            channel_text: CATALOG.to_owned(),
        }
    }

    pub(crate) fn text(&self) -> String {
        let properties = if self.properties.is_empty() {
            String::new()
        } else {
            let Self { properties, annotations, .. } = self;
            format!(", annotations: {{operatorframework.io/properties: '{properties}'{annotations}}}")
        };
        let csv = format!(
            "kind: ClusterServiceVersion\nmetadata: {{name: widgets.v1.0.0, namespace: ops{properties}}}\nspec: {{version: 1.0.0, {}}}\nstatus: {}\n",
            self.spec, self.status
        );
        let documents =
            [&self.subscription, &csv, &self.group, &self.source, &self.cluster_catalog, self.crd, &self.more];
        documents.into_iter().filter(|text| !text.is_empty()).collect::<Vec<&str>>().join("---\n")
    }

    pub(crate) fn with<T>(&self, answer: impl FnOnce(&Dump, &Contents<'_, '_>) -> T) -> T {
        let text = self.text();
        let values = fbc::untyped_values(FileId(0), &text);
        let dump = Dump::of(&text, &values.nodes, self.is_complete);
        let parse = fbc::parse(FileId(1), &self.channel_text);
        let (catalog, _) = catalog::lower(&[catalog::ParsedFile { text: &self.channel_text, parse: &parse }]);
        let content = CatalogContent { catalog: &catalog, texts: BTreeMap::new() };
        let sources = BTreeMap::from([(CatalogKey::new("community", "olm"), content.clone())]);
        let served = BTreeMap::from(["community", "zeta"].map(|name| (name.to_owned(), content.clone())));
        answer(&dump, &Contents { sources: &sources, served: &served })
    }

    pub(crate) fn of(&self, namespace: &str, name: &str) -> Eligibility {
        self.with(|dump, contents| eligibility(dump, contents, (namespace, name), self.options.acknowledged))
            .expect("a Subscription")
    }

    pub(crate) fn verdict(&self) -> Eligibility {
        self.of("ops", "widgets")
    }

    /// The failed checks, as `[name] text`.
    pub(crate) fn failed(&self) -> Vec<String> {
        ended(&self.verdict(), CheckOutcome::Failed)
    }

    /// What `convert` does.
    pub(crate) fn conversion(&self) -> Conversion {
        let verdict = self.verdict();
        self.with(|dump, _| conversion(dump, ("ops", "widgets"), &verdict, &self.options)).expect("a Subscription")
    }

    /// The ClusterExtension that the tool creates.
    pub(crate) fn extension(&self) -> serde_json::Value {
        let verdict = self.verdict();
        self.with(|dump, _| {
            cluster_extension(dump, ("ops", "widgets"), verdict.catalog.as_deref(), Some("stable"), &self.options)
        })
        .expect("a Subscription")
    }
}

pub(crate) fn ended(verdict: &Eligibility, outcome: CheckOutcome) -> Vec<String> {
    let checks = verdict.checks.iter().filter(|check| check.outcome == outcome);
    checks.map(|check| format!("[{}] {}", check.name, check.message)).collect()
}

pub(crate) const ALL_FLAGS: Acknowledgments = Acknowledgments {
    watch_scope_change: true,
    operator_condition: true,
    olmv0_api_access: true,
    scoped_serviceaccount: true,
    not_steady_state: true,
    namespace_delete: false,
};
