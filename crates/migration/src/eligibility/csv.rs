//! What the installed CSV has that OLM v1 does not (library-olm `migration/pkg/migration/compatibility.go`).

use super::check::{Acknowledgments, Check};
use crate::dump::{Dump, V0, V1, annotation, is_empty, list_at, text_at};
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

const MODES: &str = "AllNamespaces install mode supported";
const DEPENDENCIES: &str = "No dependency resolution";
const SERVICES: &str = "No APIService definitions";
const CONDITION: &str = "No OperatorCondition usage";
const ACCESS: &str = "OLMv0-API RBAC";

/// The annotation with the properties of the bundle.
const PROPERTIES: &str = "operatorframework.io/properties";

#[derive(Deserialize)]
struct Listed<'t> {
    #[serde(borrow, default)]
    properties: Vec<Raw<'t>>,
}

/// A property with its value as written.
#[derive(Deserialize)]
pub(crate) struct Raw<'t> {
    #[serde(rename = "type", default)]
    pub(crate) kind: String,
    #[serde(borrow, default)]
    pub(crate) value: Option<&'t RawValue>,
}

/// The properties in the annotation of a CSV, in either of the two forms that the tool reads, or the error of Go.
pub(crate) fn properties(csv: &Value) -> Result<Vec<Raw<'_>>, String> {
    let text = annotation(csv, PROPERTIES).unwrap_or_default();
    if text.is_empty() {
        return Ok(Vec::new());
    }
    if let Ok(list) = serde_json::from_str::<Vec<Raw<'_>>>(text) {
        return Ok(list);
    }
    let found = serde_json::from_str::<Listed<'_>>(text).map(|listed| listed.properties);
    found.map_err(|error| fbc::go_syntax_error(text).unwrap_or_else(|| error.to_string()))
}

/// The installed version: that of the property `olm.package` in the annotation, else `spec.version`.
pub(super) fn version(csv: &Value) -> String {
    let found = properties(csv).unwrap_or_default().into_iter().find(|property| property.kind == "olm.package");
    let value = found.and_then(|property| serde_json::from_str::<Value>(property.value?.get()).ok());
    let version = value.as_ref().map(|value| text_at(value, "/version")).filter(|version| !version.is_empty());
    match (version, text_at(csv, "/spec/version")) {
        (Some(version), _) => version.to_owned(),
        (None, "") => "0.0.0".to_owned(),
        (None, version) => version.to_owned(),
    }
}

/// The checks of the installed CSV; without it they are not known.
pub(super) fn checks(
    dump: &Dump,
    (namespace, name): (&str, &str),
    csv: Option<&Value>,
    flags: Acknowledgments,
) -> Vec<Check> {
    let Some(csv) = csv else {
        let why = match name {
            "" => "what is installed is not known".to_owned(),
            name => format!("the manifests do not have ClusterServiceVersion `{name}`"),
        };
        return [MODES, DEPENDENCIES, SERVICES, CONDITION, ACCESS]
            .map(|check| Check::not_known(check, why.clone()))
            .into();
    };
    let mut checks = vec![modes(csv)];
    checks.extend(dependencies(csv));
    checks.push(services(csv));
    checks.push(condition(dump, namespace, name, flags));
    checks.push(access(csv, flags));
    if !dump.is_complete && csv.pointer("/spec/install").is_none() {
        // The field is required, so the CSV is an abbreviated one, and proves nothing by what it lacks.
        let fields = [
            (MODES, "/spec/installModes"),
            (DEPENDENCIES, "/metadata/annotations/operatorframework.io~1properties"),
            (SERVICES, "/spec/apiservicedefinitions"),
            (ACCESS, "/spec/install"),
        ];
        let is_left_out =
            |check: &Check| fields.iter().any(|(name, field)| check.name == *name && csv.pointer(field).is_none());
        let why = format!("the manifests have only a part of ClusterServiceVersion `{name}`");
        for check in checks.iter_mut().filter(|check| is_left_out(check)) {
            *check = Check::not_known(check.name, why.clone());
        }
    }
    checks
}

fn modes(csv: &Value) -> Check {
    let supports = |mode: &Value| text_at(mode, "/type") == "AllNamespaces" && mode["supported"] == Value::Bool(true);
    match list_at(csv, "/spec/installModes").iter().any(supports) {
        true => Check::passed(MODES, "CSV supports AllNamespaces install mode"),
        false => Check::failed(
            MODES,
            "CSV does not declare AllNamespaces install mode as supported; --acknowledge-watch-scope-change cannot override bundle capabilities",
        ),
    }
}

fn dependencies(csv: &Value) -> Vec<Check> {
    let listed = match properties(csv) {
        Err(error) => return vec![Check::failed(DEPENDENCIES, format!("failed to parse bundle properties: {error}"))],
        Ok(_) if annotation(csv, PROPERTIES).unwrap_or_default().is_empty() => {
            return vec![Check::passed(DEPENDENCIES, "no bundle properties declared")];
        }
        Ok(listed) => listed,
    };
    let required = listed.iter().filter(|one| matches!(&*one.kind, "olm.package.required" | "olm.gvk.required"));
    let failed: Vec<Check> = required
        .map(|one| {
            let value = one.value.map_or("null", RawValue::get);
            Check::failed(DEPENDENCIES, format!("bundle declares {} dependency: {value}", one.kind))
        })
        .collect();
    match failed.is_empty() {
        true => vec![Check::passed(DEPENDENCIES, "no olm.package.required or olm.gvk.required properties")],
        false => failed,
    }
}

fn services(csv: &Value) -> Check {
    match list_at(csv, "/spec/apiservicedefinitions/owned") {
        [] => Check::passed(SERVICES, "CSV does not define owned APIServices"),
        _ => Check::failed(
            SERVICES,
            "CSV has spec.apiservicedefinitions.owned set; OLMv1 does not yet fully support APIService-based operators",
        ),
    }
}

fn condition(dump: &Dump, namespace: &str, name: &str, flags: Acknowledgments) -> Check {
    match dump.find(V0, "OperatorCondition", namespace, name) {
        None if dump.is_complete => Check::passed(CONDITION, "no OperatorCondition resource found"),
        None => Check::not_known(CONDITION, format!("the manifests have no OperatorCondition `{name}`")),
        Some(found) if is_empty(found.pointer("/status/conditions")) => {
            Check::passed(CONDITION, "OperatorCondition exists but has no status entries")
        }
        Some(_) => Check::soft(
            CONDITION,
            flags.operator_condition,
            "OperatorCondition has status.conditions entries; operator actively uses the OperatorCondition API"
                .to_owned(),
            "overridden: active OperatorCondition usage acknowledged".to_owned(),
        ),
    }
}

fn access(csv: &Value, flags: Acknowledgments) -> Check {
    let has = |rule: &Value, list: &str, wanted: &[&str]| {
        list_at(rule, list).iter().any(|item| item.as_str().is_some_and(|item| wanted.contains(&item)))
    };
    let permissions = list_at(csv, "/spec/install/spec/clusterPermissions").iter();
    let rules: Vec<&Value> = permissions.flat_map(|permission| list_at(permission, "/rules")).collect();
    let objects = ["subscriptions", "installplans", "clusterserviceversions", "catalogsources", "*"];
    let v0 = rules.iter().any(|rule| has(rule, "/apiGroups", &[V0]) && has(rule, "/resources", &objects));
    let v1 = rules.iter().any(|rule| has(rule, "/apiGroups", &[V1]));
    match (v0, v1) {
        (false, _) => Check::passed(ACCESS, "CSV clusterPermissions do not grant OLMv0 API access"),
        (true, true) => Check::passed(
            ACCESS,
            "CSV clusterPermissions grant both OLMv0 and OLMv1 API access (updated for compatibility)",
        ),
        (true, false) => Check::soft(
            ACCESS,
            flags.olmv0_api_access,
            "CSV clusterPermissions grant operators.coreos.com access without OLMv1 equivalent; pass --acknowledge-olmv0-api-access to override".to_owned(),
            "overridden: OLMv0 API RBAC without OLMv1 equivalent (olmv0-api-access acknowledged)".to_owned(),
        ),
    }
}
