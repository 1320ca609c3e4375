//! Whether ClusterCatalogs can serve the installed version (library-olm `migration/pkg/migration/catalog.go`, `collector.go`).

use super::check::Check;
use crate::content::CatalogContent;
use crate::dump::{Dump, V0, V1, is_true, list_at, text_at};
use catalog::Catalog;
use fbc::quoted;
use resolver::CatalogKey;
use serde_json::Value;
use std::collections::BTreeMap;

const SOURCE: &str = "CatalogSource type";
const AVAILABLE: &str = "Catalog availability";

/// The content of catalogs that are loaded.
#[derive(Clone, Copy, Debug)]
pub struct Contents<'i, 'c> {
    /// By CatalogSource.
    pub sources: &'i BTreeMap<CatalogKey, CatalogContent<'c>>,
    /// By the name of the ClusterCatalog.
    pub served: &'i BTreeMap<String, CatalogContent<'c>>,
}

/// What the tool looks for in the catalogs.
pub(super) struct Wanted<'w> {
    pub(super) package: &'w str,
    pub(super) version: String,
    pub(super) channel: &'w str,
}

/// The InstallPlan that a Subscription refers to: its namespace and name.
pub(crate) fn install_plan(subscription: &Value) -> Option<(&str, &str)> {
    let own = text_at(subscription, "/metadata/namespace");
    let name = text_at(subscription, "/status/installPlanRef/name");
    if !name.is_empty() {
        let namespace = text_at(subscription, "/status/installPlanRef/namespace");
        return Some((if namespace.is_empty() { own } else { namespace }, name));
    }
    Some(text_at(subscription, "/status/installplan/name")).filter(|name| !name.is_empty()).map(|name| (own, name))
}

/// The lookup of the installed CSV in the InstallPlan of a Subscription.
pub(crate) fn lookup<'d>(dump: &'d Dump, subscription: &Value, csv: &str) -> Option<&'d Value> {
    let (namespace, name) = install_plan(subscription)?;
    let plan = dump.find(V0, "InstallPlan", namespace, name)?;
    list_at(plan, "/status/bundleLookups").iter().find(|lookup| text_at(lookup, "/identifier") == csv)
}

/// The first fault of the CatalogSources; `None` if there is none.
pub(super) fn source_fault(dump: &Dump, subscription: &Value, csv: &str) -> Option<Check> {
    let id = format!("{}/{}", text_at(subscription, "/metadata/namespace"), text_at(subscription, "/metadata/name"));
    let (namespace, name) = (text_at(subscription, "/spec/sourceNamespace"), text_at(subscription, "/spec/source"));
    let missing = |name: &str| format!("catalogsources.operators.coreos.com \"{name}\" not found");
    let unknown = |namespace: &str, name: &str| {
        Check::not_known(SOURCE, format!("the manifests do not have CatalogSource `{name}` in `{namespace}`"))
    };
    let Some(source) = dump.find(V0, "CatalogSource", namespace, name) else {
        return Some(match dump.is_complete || name.is_empty() {
            true => Check::failed(
                SOURCE,
                format!("subscription {id} references CatalogSource {namespace}/{name}: {}", missing(name)),
            ),
            false => unknown(namespace, name),
        });
    };
    let described = |source: &Value| {
        format!(
            "(sourceType {}, spec.image {})",
            quoted(text_at(source, "/spec/sourceType")),
            quoted(text_at(source, "/spec/image"))
        )
    };
    let has_image =
        |source: &Value| text_at(source, "/spec/sourceType") == "grpc" && !text_at(source, "/spec/image").is_empty();
    if !dump.is_complete && source.pointer("/spec/sourceType").is_none() {
        // The field is required, so the object is an abbreviated one.
        let text = format!("the manifests do not tell the `sourceType` of CatalogSource `{name}` in `{namespace}`");
        return Some(Check::not_known(SOURCE, text));
    }
    if !has_image(source) {
        return Some(Check::failed(
            SOURCE,
            format!(
                "subscription {id} references non-image CatalogSource {namespace}/{name} {}; only grpc CatalogSources with spec.image can be migrated",
                described(source)
            ),
        ));
    }
    let reference = lookup(dump, subscription, csv)?.get("catalogSourceRef")?;
    let (namespace, name) = (text_at(reference, "/namespace"), text_at(reference, "/name"));
    let fault = match dump.find(V0, "CatalogSource", namespace, name) {
        None if !dump.is_complete => return Some(unknown(namespace, name)),
        None => format!("failed to get CatalogSource {namespace}/{name}: {}", missing(name)),
        Some(source) if has_image(source) => return None,
        Some(source) => {
            format!("CatalogSource {namespace}/{name} is not an image-backed grpc source {}", described(source))
        }
    };
    let text = format!("failed to validate effective CatalogSource {namespace}/{name}: {fault}");
    Some(Check::failed(SOURCE, text))
}

/// The ClusterCatalog that the tool selects, and the check.
pub(super) fn availability(
    dump: &Dump,
    contents: &Contents<'_, '_>,
    subscription: &Value,
    wanted: &Wanted<'_>,
) -> (Option<String>, Check) {
    let mut queried: Vec<&str> = Vec::new();
    let mut unread: Vec<&str> = Vec::new();
    let mut abbreviated: Vec<&str> = Vec::new();
    let mut best: Option<(i64, &str)> = None;
    let mut is_any = false;
    for object in dump.all(V1, "ClusterCatalog") {
        is_any = true;
        if !dump.is_complete && object.get("status").is_none() {
            abbreviated.push(text_at(object, "/metadata/name"));
            continue;
        }
        if text_at(object, "/spec/availabilityMode") == "Unavailable" || !is_true(object, "Serving") {
            continue;
        }
        let name = text_at(object, "/metadata/name");
        queried.push(name);
        let Some(content) = contents.served.get(name) else {
            unread.push(name);
            continue;
        };
        let priority = object.pointer("/spec/priority").and_then(Value::as_i64).unwrap_or(0);
        if serves(content.catalog, wanted) && best.is_none_or(|(highest, _)| priority > highest) {
            best = Some((priority, name));
        }
    }
    if !unread.is_empty() {
        let names = unread.iter().map(|name| format!("`{name}`"));
        let text = format!("no content is loaded for ClusterCatalog {}", source::joined(names, 3, "and"));
        return (best.map(|(_, name)| name.to_owned()), Check::not_known(AVAILABLE, text));
    }
    if !abbreviated.is_empty() {
        let names = abbreviated.iter().map(|name| format!("`{name}`"));
        let text =
            format!("the manifests do not tell whether ClusterCatalog {} serves", source::joined(names, 3, "and"));
        return (best.map(|(_, name)| name.to_owned()), Check::not_known(AVAILABLE, text));
    }
    if let Some((_, name)) = best {
        return (
            Some(name.to_owned()),
            Check::passed(AVAILABLE, format!("package available in ClusterCatalog {name}")),
        );
    }
    if !is_any && !dump.is_complete {
        return before_catalogs(contents, subscription, wanted);
    }
    (
        None,
        Check::failed(
            AVAILABLE,
            format!(
                "No ClusterCatalog found for package {}; run migrate-catalogs-v0-to-v1 first: {}",
                quoted(wanted.package),
                not_found(wanted, &queried)
            ),
        ),
    )
}

/// The usual case: the catalogs are not migrated yet, so the CatalogSource tells what its ClusterCatalog will serve.
fn before_catalogs(contents: &Contents<'_, '_>, subscription: &Value, wanted: &Wanted<'_>) -> (Option<String>, Check) {
    let key = CatalogKey::new(text_at(subscription, "/spec/source"), text_at(subscription, "/spec/sourceNamespace"));
    let Some(content) = contents.sources.get(&key) else {
        let text =
            format!("the manifests have no ClusterCatalog, and no content is loaded for CatalogSource `{}`", key.name);
        return (None, Check::not_known(AVAILABLE, text));
    };
    if serves(content.catalog, wanted) {
        let text = format!(
            "the manifests have no ClusterCatalog; after `migrate-catalogs-v0-to-v1`, the one made of CatalogSource `{}` has the package",
            key.name
        );
        return (Some(key.name.to_string()), Check::not_known(AVAILABLE, text));
    }
    let text = format!(
        "No ClusterCatalog found for package {}; run migrate-catalogs-v0-to-v1 first: {}",
        quoted(wanted.package),
        not_found(wanted, &[])
    );
    (None, Check::failed(AVAILABLE, text))
}

fn not_found(wanted: &Wanted<'_>, queried: &[&str]) -> String {
    let Wanted { package, version, channel } = wanted;
    let channel = if channel.is_empty() { String::new() } else { format!(" in channel {}", quoted(channel)) };
    let queried = if queried.is_empty() { String::new() } else { format!(" (queried: [{}])", queried.join(" ")) };
    format!(
        "package {} at version {}{channel} not found in any serving ClusterCatalog{queried}",
        quoted(package),
        quoted(version)
    )
}

/// The reason of a verdict without a ClusterCatalog.
pub(super) fn not_serving(package: &str) -> String {
    format!("package {} not found in any serving ClusterCatalog", quoted(package))
}

/// Whether a catalog has the package, a bundle of it with the version as a text, and a channel of the name. That the version is
/// in the channel is not asked.
fn serves(catalog: &Catalog, Wanted { package, version, channel }: &Wanted<'_>) -> bool {
    catalog.package(package).filter(|package| package.declared.is_some()).is_some_and(|package| {
        let has_version = package
            .bundles
            .iter()
            .any(|bundle| bundle.version.as_ref().is_some_and(|found| *found.value.text == **version));
        has_version && (channel.is_empty() || package.channel(channel).is_some())
    })
}
