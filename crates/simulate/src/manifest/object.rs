//! The shapes of the four kinds, as far as a resolution looks at them.

use std::collections::BTreeMap;

use blang_semver::Version;
use predicate::Gvk;
use resolver::{CatalogKey, CsvProperties, InstalledCsv};
use serde::Deserialize;
use serde::de::{DeserializeOwned, Error as _};
use serde_yaml::{Error, Value};

use crate::cluster::{Approval, CatalogSource, Cluster, Csv, OperatorGroup, Subscription};

/// Adds an object of a kind that matters; `None` for other kinds.
pub(super) fn add(kind: &str, value: &Value, cluster: &mut Cluster) -> Option<Result<(), Error>> {
    Some(match kind {
        "CatalogSource" => read(value).map(|object| cluster.catalog_sources.push(catalog_source(object))),
        "Subscription" => read(value).map(|object| cluster.subscriptions.push(subscription(object))),
        "ClusterServiceVersion" => read(value).and_then(csv).map(|csv| cluster.csvs.extend(csv)),
        "OperatorGroup" => read(value).map(|object| cluster.operator_groups.push(operator_group(object))),
        _ => return None,
    })
}

/// The error that reading the document's text as that kind meets, which knows its place.
pub(super) fn error(kind: &str, text: &str) -> Option<Error> {
    match kind {
        "CatalogSource" => serde_yaml::from_str::<Object<CatalogSourceSpec>>(text).err(),
        "Subscription" => serde_yaml::from_str::<Object<SubscriptionSpec>>(text).err(),
        "ClusterServiceVersion" => serde_yaml::from_str::<Object<CsvSpec>>(text).err(),
        "OperatorGroup" => serde_yaml::from_str::<Object<OperatorGroupSpec>>(text).err(),
        _ => None,
    }
}

fn read<T: DeserializeOwned>(value: &Value) -> Result<T, Error> {
    serde_yaml::from_value(value.clone())
}

#[derive(Deserialize)]
struct Object<S> {
    metadata: Metadata,
    #[serde(default)]
    spec: S,
    #[serde(default)]
    status: Status,
}

#[derive(Deserialize)]
struct Metadata {
    name: String,
    #[serde(default = "default_namespace")]
    namespace: String,
    #[serde(default)]
    labels: Option<BTreeMap<String, String>>,
    #[serde(default)]
    annotations: Option<BTreeMap<String, String>>,
}

/// Where `kubectl` puts an object that does not say.
fn default_namespace() -> String {
    "default".to_owned()
}

impl Metadata {
    fn annotation(&self, key: &str) -> Option<&str> {
        self.annotations.as_ref()?.get(key).map(String::as_str)
    }
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Status {
    #[serde(rename = "currentCSV")]
    current_csv: Option<String>,
    #[serde(rename = "installedCSV")]
    installed_csv: Option<String>,
    phase: Option<String>,
    reason: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct CatalogSourceSpec {
    priority: Option<i32>,
}

fn catalog_source(object: Object<CatalogSourceSpec>) -> CatalogSource {
    let key = CatalogKey::new(&object.metadata.name, &object.metadata.namespace);
    CatalogSource { key, priority: object.spec.priority.unwrap_or(0) }
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct SubscriptionSpec {
    name: String,
    channel: Option<String>,
    source: Option<String>,
    source_namespace: Option<String>,
    #[serde(rename = "startingCSV")]
    starting_csv: Option<String>,
    install_plan_approval: Option<String>,
}

fn subscription(object: Object<SubscriptionSpec>) -> Subscription {
    let Object { metadata, spec, status } = object;
    let (source, namespace) = (spec.source.unwrap_or_default(), spec.source_namespace.unwrap_or_default());
    let catalog = !(source.is_empty() && namespace.is_empty());
    let manual = spec.install_plan_approval.as_deref() == Some("Manual");
    Subscription {
        namespace: metadata.namespace.into(),
        wish: resolver::Subscription {
            name: metadata.name.into(),
            package: spec.name.as_str().into(),
            channel: some(spec.channel).map(|channel| channel.as_str().into()),
            catalog: catalog.then(|| CatalogKey::new(&source, &namespace)),
            starting_csv: some(spec.starting_csv).map(|name| name.as_str().into()),
            installed_csv: some(status.installed_csv).map(|name| name.as_str().into()),
        },
        approval: if manual { Approval::Manual } else { Approval::Automatic },
        current_csv: some(status.current_csv).map(|name| name.as_str().into()),
        status: crate::status::SubscriptionStatus::default(),
    }
}

/// OLM does not tell an empty text from none.
fn some(text: Option<String>) -> Option<String> {
    text.filter(|text| !text.is_empty())
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct CsvSpec {
    version: Option<String>,
    replaces: Option<String>,
    customresourcedefinitions: Apis,
    apiservicedefinitions: Apis,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Apis {
    owned: Option<Vec<Api>>,
    required: Option<Vec<Api>>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Api {
    name: String,
    group: String,
    version: String,
    kind: String,
}

impl Api {
    /// A CRD's group is what its name says after the first dot.
    fn of_crd(&self) -> Result<Gvk, String> {
        let (_, group) = self.name.split_once('.').ok_or_else(|| format!("error parsing crd name: {}", self.name))?;
        Ok(Gvk { group: group.into(), version: self.version.as_str().into(), kind: self.kind.as_str().into() })
    }

    fn of_api_service(&self) -> Gvk {
        Gvk {
            group: self.group.as_str().into(),
            version: self.version.as_str().into(),
            kind: self.kind.as_str().into(),
        }
    }
}

/// Nothing for a copied CSV, which OLM does not look at.
fn csv(object: Object<CsvSpec>) -> Result<Option<Csv>, Error> {
    if is_copied(&object) {
        return Ok(None);
    }
    let properties = properties(&object);
    let Object { metadata, spec, status } = object;
    let version = match some(spec.version) {
        Some(text) => Version::parse(&text)
            .map_err(|error| Error::custom(format!("spec.version: `{text}` is no version: {error}")))?,
        None => Version::new(0, 0, 0),
    };
    Ok(Some(Csv {
        namespace: metadata.namespace.into(),
        installed: InstalledCsv { name: metadata.name.as_str().into(), version, properties },
        phase: some(status.phase).map(Into::into),
        replaces: some(spec.replaces).map(|name| name.as_str().into()),
    }))
}

fn is_copied(object: &Object<CsvSpec>) -> bool {
    let metadata = &object.metadata;
    let labelled = metadata.labels.as_ref().is_some_and(|labels| labels.contains_key("olm.copiedFrom"));
    let elsewhere =
        metadata.annotation("olm.operatorNamespace").is_some_and(|namespace| namespace != metadata.namespace);
    labelled || elsewhere || object.status.reason.as_deref() == Some("Copied")
}

fn properties(object: &Object<CsvSpec>) -> CsvProperties {
    if let Some(text) = object.metadata.annotation("operatorframework.io/properties") {
        return CsvProperties::Annotation(text.into());
    }
    let (crds, services) = (&object.spec.customresourcedefinitions, &object.spec.apiservicedefinitions);
    match (gvks(&crds.owned, &services.owned), gvks(&crds.required, &services.required)) {
        (Ok(provided), Ok(required)) => CsvProperties::Inferred { provided, required },
        (Err(error), _) | (_, Err(error)) => CsvProperties::Broken(error.into()),
    }
}

fn gvks(crds: &Option<Vec<Api>>, services: &Option<Vec<Api>>) -> Result<Vec<Gvk>, String> {
    let crds = crds.iter().flatten().map(Api::of_crd);
    crds.chain(services.iter().flatten().map(|api| Ok(api.of_api_service()))).collect()
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct OperatorGroupSpec {
    upgrade_strategy: Option<String>,
}

fn operator_group(object: Object<OperatorGroupSpec>) -> OperatorGroup {
    let excludes = object.metadata.annotation("olm.operatorframework.io/exclude-global-namespace-resolution");
    OperatorGroup {
        excludes_global: excludes == Some("true"),
        fail_forward: object.spec.upgrade_strategy.as_deref() == Some("TechPreviewUnsafeFailForward"),
        namespace: object.metadata.namespace.into(),
        name: object.metadata.name.into(),
    }
}
