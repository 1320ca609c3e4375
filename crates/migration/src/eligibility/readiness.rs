//! Whether the operator is in a state from which it can be migrated (library-olm `migration/pkg/migration/readiness.go`).

use super::check::{Acknowledgments, Check};
use crate::dump::{CRDS, Dump, annotation, is_true, text_at};
use fbc::quoted;
use serde_json::Value;

const API: &str = "clusterobjectsets.olm.operatorframework.io";

/// The checks of a Subscription, in the order of the tool. `csv` is the installed CSV, if the manifests have it.
pub(super) fn checks(dump: &Dump, subscription: &Value, csv: Option<&Value>, flags: Acknowledgments) -> Vec<Check> {
    let mut checks = vec![api(dump), state(subscription, flags), installed(subscription), dependency(subscription)];
    checks.push(uniqueness(dump, subscription));
    checks.extend(health(dump, subscription, csv, flags));
    checks
}

fn api(dump: &Dump) -> Check {
    let name = "ClusterObjectSet API";
    match dump.find(CRDS, "CustomResourceDefinition", "", API) {
        Some(crd) if is_true(crd, "Established") => Check::passed(name, "ClusterObjectSet CRD is established"),
        Some(_) => Check::failed(name, format!("ClusterObjectSet CRD \"{API}\" is not established")),
        None if dump.is_complete => Check::failed(
            name,
            format!(
                "ClusterObjectSet CRD \"{API}\" is required before migration: customresourcedefinitions.apiextensions.k8s.io \"{API}\" not found"
            ),
        ),
        None => Check::not_known(name, format!("the manifests do not have CustomResourceDefinition `{API}`")),
    }
}

fn state(subscription: &Value, flags: Acknowledgments) -> Check {
    let name = "Subscription state";
    let state = text_at(subscription, "/status/state");
    match state {
        "AtLatestKnown" | "UpgradePending" => Check::passed(name, format!("state is {}", quoted(state))),
        _ if subscription.get("status").is_none() => Check::not_known(name, "the Subscription has no `status`"),
        _ => Check::soft(
            name,
            flags.not_steady_state,
            format!(
                "must be \"AtLatestKnown\" or \"UpgradePending\", got {}; pass --acknowledge-not-steady-state to override",
                quoted(state)
            ),
            format!("overridden: Subscription state is {} (not steady state acknowledged)", quoted(state)),
        ),
    }
}

fn installed(subscription: &Value) -> Check {
    let name = "Installed CSV";
    match text_at(subscription, "/status/installedCSV") {
        "" if subscription.get("status").is_none() => Check::not_known(name, "the Subscription has no `status`"),
        "" => Check::failed(name, "no installedCSV set"),
        csv => Check::passed(name, csv),
    }
}

/// Whether OLM v0 created the Subscription for a dependency, as the tool tells it: by the annotation, whatever its value.
pub(crate) fn is_generated(subscription: &Value) -> bool {
    annotation(subscription, "olm.generated-by").is_some()
}

fn dependency(subscription: &Value) -> Check {
    let name = "Not a dependency";
    match is_generated(subscription) {
        true => Check::failed(
            name,
            "olm.generated-by annotation present — operator is an OLMv0-managed dependency of another operator; do not migrate individually",
        ),
        false => Check::passed(name, "no olm.generated-by annotation"),
    }
}

fn uniqueness(dump: &Dump, subscription: &Value) -> Check {
    let name = "Package uniqueness";
    let package = text_at(subscription, "/spec/name");
    let own = (text_at(subscription, "/metadata/namespace"), text_at(subscription, "/metadata/name"));
    match dump.index.other(package, own) {
        Some((namespace, other)) => Check::failed(
            name,
            format!("another Subscription {namespace}/{other} references the same package {}", quoted(package)),
        ),
        None => Check::passed(name, format!("no other Subscription references package {}", quoted(package))),
    }
}

fn health(dump: &Dump, subscription: &Value, csv: Option<&Value>, flags: Acknowledgments) -> Option<Check> {
    let name = "CSV health";
    let csv_name = Some(text_at(subscription, "/status/installedCSV")).filter(|name| !name.is_empty())?;
    let Some(csv) = csv else {
        return Some(match dump.is_complete {
            true => Check::failed(name, format!("failed to get CSV {csv_name}: {}", csv_not_found(csv_name))),
            false => Check::not_known(name, format!("the manifests do not have ClusterServiceVersion `{csv_name}`")),
        });
    };
    if csv.get("status").is_none() {
        return Some(Check::not_known(name, format!("ClusterServiceVersion `{csv_name}` has no `status`")));
    }
    let (phase, reason) = (text_at(csv, "/status/phase"), text_at(csv, "/status/reason"));
    Some(match (phase, reason) {
        // OLM sets phase and reason together.
        ("Succeeded", "") => Check::not_known(
            name,
            format!("the manifests do not have `status.reason` of ClusterServiceVersion `{csv_name}`"),
        ),
        ("Succeeded", "InstallSucceeded") => Check::passed(name, "phase: Succeeded, reason: InstallSucceeded"),
        ("Succeeded", _) => Check::soft(
            name,
            flags.not_steady_state,
            format!("reason is {}, expected \"InstallSucceeded\"", quoted(reason)),
            format!("overridden: reason is {} (not at steady state acknowledged)", quoted(reason)),
        ),
        _ => Check::soft(
            name,
            flags.not_steady_state,
            format!("phase is {}, expected \"Succeeded\"", quoted(phase)),
            format!("overridden: phase is {} (not at steady state acknowledged)", quoted(phase)),
        ),
    })
}

/// The text of the API server.
pub(super) fn csv_not_found(name: &str) -> String {
    format!("clusterserviceversions.operators.coreos.com \"{name}\" not found")
}
