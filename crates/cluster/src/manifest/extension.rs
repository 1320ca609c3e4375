//! Reads the objects of OLM v1: ClusterCatalogs and ClusterExtensions.
//!
//! What the API server rejects gives a warning with the text that it prints. An object that it rejects does not exist.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use crate::{
    Availability, CatalogName, ClusterCatalog, ClusterExtension, ConfigValue, Expression, InlineConfig,
    InstalledBundle, Selector, UpgradeConstraintPolicy,
};
use catalog::{is_dns_label, is_dns_subdomain};
use fbc::{Node, Value};
use go_semver::{
    blang::Quoted,
    masterminds::{MAX_LENGTH, is_accepted_by_api},
};
use source::{Diagnostic, OlmV1, OlmV1Release, Rule, Severity};

use super::Kind;
use super::extension_status;
use super::fields::Fields;

/// The API group of OLM v1.
pub(super) const GROUP: &str = "olm.operatorframework.io/";

/// The values of `progressDeadlineMinutes`.
const DEADLINE: RangeInclusive<i32> = 10..=720;
/// The warning of a ValidatingAdmissionPolicy (operator-controller `1bbe7886`).
const SERVICE_ACCOUNT: &str = "spec.serviceAccount is deprecated, ignored, and will be removed in a future release. The operator-controller's cluster-admin service account is used for all cluster interactions.";
const MOST_CHANNELS: usize = 256;
const PACKAGE_NAME: &str = "packageName must be a valid DNS1123 subdomain. It must contain only lowercase alphanumeric characters, hyphens (-) or periods (.), start and end with an alphanumeric character, and be no longer than 253 characters";

/// An object of OLM v1.
pub(super) enum Object {
    Catalog(ClusterCatalog),
    /// A ClusterCatalog that the API server rejects.
    RejectedCatalog(CatalogName),
    Extension(Box<ClusterExtension>),
    /// A ClusterExtension that the API server rejects.
    RejectedExtension(Box<RejectedExtension>),
}

/// A ClusterExtension that the API server rejects, so that it is not created or changed (operator-controller
/// `api/v1/clusterextension_types.go`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RejectedExtension {
    /// The extension as the manifest has it.
    pub extension: ClusterExtension,
    /// Why, each with the path of the field: `spec.namespace: namespace must be a valid DNS1123 label`.
    pub reasons: Vec<Box<str>>,
}

/// Reads a ClusterCatalog or a ClusterExtension; `None` if its name is missing. If there was an error, the caller must ignore
/// the object.
pub(super) fn read(kind: Kind, fields: &Fields<'_, '_>, olm: OlmV1) -> Option<Object> {
    let metadata = fields.part("metadata");
    let name = metadata.required("name")?;
    let spec = fields.part("spec");
    if kind == Kind::ClusterCatalog {
        let catalog = catalog(name, &metadata, &spec, &fields.part("status"));
        let is_rejected = !fields.rejections().is_empty();
        return Some(if is_rejected { Object::RejectedCatalog(catalog.name) } else { Object::Catalog(catalog) });
    }
    // Both are checked with the other fields.
    let account = ["spec", "serviceAccount", "name"].iter().try_fold(fields.node, |node, key| node.get(key));
    let account = account.and_then(Node::as_str).filter(|_| olm.release() < OlmV1Release::NO_SERVICE_ACCOUNT);
    let mut extension = extension(name, &spec, &fields.part("status"), olm);
    extension.conditions = extension_status::conditions(fields.node);
    extension.finalizers =
        metadata.place("deletionTimestamp").map(|_| metadata.texts("finalizers").into_iter().map(Into::into).collect());
    extension.failure =
        extension_status::failure(&extension.conditions, &extension.namespace, account.unwrap_or_default());
    let reported = extension_status::reported_revision(fields.node, &extension.conditions);
    extension.rolling_out = reported.into_iter().collect();
    let reasons = fields.rejections();
    Some(if reasons.is_empty() {
        Object::Extension(Box::new(extension))
    } else {
        Object::RejectedExtension(Box::new(RejectedExtension { extension, reasons }))
    })
}

/// Warns about fields that the API does not have: `kubectl apply` rejects them, the API server alone drops them.
fn check_known(fields: &Fields<'_, '_>, known: &[&str]) {
    for key in fields.keys().into_iter().filter(|key| !known.contains(key)) {
        let place = fields.place(key).unwrap_or(fields.span.at_start());
        let message = format!("unknown field `{}`, which OLM v1 does not look at", fields.path_of(key));
        let help = format!("the fields are {}", known.join(", "));
        fields.warn(key, Diagnostic::new(Rule::UnknownField, place, message).with_help(help));
    }
}

fn catalog(name: &str, metadata: &Fields<'_, '_>, spec: &Fields<'_, '_>, status: &Fields<'_, '_>) -> ClusterCatalog {
    let conditions = status.parts("conditions");
    let serving = conditions.iter().find(|condition| condition.text("type") == Some("Serving"));
    let is_served = serving.map(|condition| condition.text("status") == Some("True"));
    check_known(spec, &["source", "priority", "availabilityMode"]);
    let availability = spec.text("availabilityMode").unwrap_or("Available");
    if !matches!(availability, "Available" | "Unavailable") {
        let text = unsupported(availability, &["Unavailable", "Available"]);
        let text = format!("{text}, so ClusterCatalog `{name}` does not count");
        rejected(spec, "availabilityMode", Rule::InvalidName, &text);
    }
    ClusterCatalog {
        name: name.into(),
        labels: labels(metadata, "labels"),
        annotations: labels(metadata, "annotations"),
        image: spec.part("source").part("image").non_empty("ref").map(Into::into),
        priority: spec.integer("priority", i32::MIN, i32::MAX).unwrap_or(0),
        availability: if availability == "Unavailable" { Availability::Unavailable } else { Availability::Available },
        is_served,
        resolved_image: status.part("resolvedSource").part("image").non_empty("ref").map(Into::into),
        url: status.part("urls").non_empty("base").map(Into::into),
    }
}

fn extension(name: &str, spec: &Fields<'_, '_>, status: &Fields<'_, '_>, olm: OlmV1) -> ClusterExtension {
    let known = ["namespace", "serviceAccount", "source", "install", "config", "progressDeadlineMinutes"];
    check_known(spec, &known);
    let account = spec.place("serviceAccount");
    if olm.release() < OlmV1Release::NO_SERVICE_ACCOUNT {
        if account.is_none() {
            rejected(spec, "serviceAccount", Rule::MissingField, "Required value");
        }
    } else if let Some(place) = account.filter(|_| olm.release.is_some()) {
        let finding = Diagnostic::new(Rule::DeprecatedField, place, SERVICE_ACCOUNT).with_help("remove it");
        spec.warn("serviceAccount", finding);
    }
    let source = spec.part("source");
    check_known(&source, &["sourceType", "catalog"]);
    check_source(&source);
    check_install(spec);
    let namespace = spec.non_empty("namespace").unwrap_or_default();
    if spec.place("namespace").is_none() {
        rejected(spec, "namespace", Rule::MissingField, "Required value");
    } else if !is_too_long(spec, "namespace", namespace, 63) && !is_dns_label(namespace) {
        rejected(spec, "namespace", Rule::InvalidName, "namespace must be a valid DNS1123 label");
    }
    let filter = source.part("catalog");
    check_known(&filter, &["packageName", "version", "channels", "selector", "upgradeConstraintPolicy"]);
    let package = filter.required("packageName").unwrap_or_default();
    if !is_too_long(&filter, "packageName", package, 253) && !package.is_empty() && !is_dns_subdomain(package) {
        rejected(&filter, "packageName", Rule::InvalidName, PACKAGE_NAME);
    }
    let channels = filter.texts("channels");
    if channels.len() > MOST_CHANNELS {
        let text = format!("Too many: {}: must have at most {MOST_CHANNELS} items", channels.len());
        rejected(&filter, "channels", Rule::InvalidName, &text);
    }
    let is_long = |channel: &&str| is_too_long(&filter, "channels", channel, 253);
    if !channels.iter().any(is_long) && !channels.iter().all(|channel| is_dns_subdomain(channel)) {
        rejected(&filter, "channels", Rule::InvalidName, "channels entries must be valid DNS1123 subdomains");
    }
    ClusterExtension {
        namespace: namespace.into(),
        version: version(&filter).into(),
        channels: channels.into_iter().map(Into::into).collect(),
        selector: selector(&filter.part("selector")),
        policy: policy(&filter),
        config: inline(&spec.part("config")),
        installed: installed(&status.part("install").part("bundle")),
        olm,
        ..ClusterExtension::new(name.into(), package.into())
    }
}

/// `sourceType` and `catalog` belong together.
fn check_source(source: &Fields<'_, '_>) {
    let is_catalog = check_choice(source, "sourceType", &["Catalog"]);
    if is_catalog != source.place("catalog").is_some() {
        let text = "catalog is required when sourceType is Catalog, and forbidden otherwise";
        rejected(source, "catalog", Rule::MissingField, text);
    }
}

/// `install`, `config` and `progressDeadlineMinutes`.
fn check_install(spec: &Fields<'_, '_>) {
    if spec.place("install").is_some() {
        let install = spec.part("install");
        let preflight = install.part("preflight");
        if install.place("preflight").is_none() {
            let text = "at least one of [preflight] are required when install is specified";
            rejected(&install, "preflight", Rule::MissingField, text);
        } else if preflight.place("crdUpgradeSafety").is_none() {
            let text = "at least one of [crdUpgradeSafety] are required when preflight is specified";
            rejected(&preflight, "crdUpgradeSafety", Rule::MissingField, text);
        } else {
            check_choice(&preflight.part("crdUpgradeSafety"), "enforcement", &["None", "Strict"]);
        }
    }
    if spec.place("config").is_some() {
        let config = spec.part("config");
        let is_inline = check_choice(&config, "configType", &["Inline"]);
        if is_inline != config.place("inline").is_some() {
            let text = "inline is required when configType is Inline, and forbidden otherwise";
            rejected(&config, "inline", Rule::MissingField, text);
        } else if config.place("inline").is_some() && config.part("inline").keys().is_empty() {
            rejected(&config, "inline", Rule::MissingField, "should have at least 1 properties");
        }
    }
    let deadline = spec.integer("progressDeadlineMinutes", i32::MIN, i32::MAX);
    if let Some(minutes) = deadline.filter(|minutes| !DEADLINE.contains(minutes)) {
        let (bound, limit) =
            if minutes < *DEADLINE.start() { ("greater", DEADLINE.start()) } else { ("less", DEADLINE.end()) };
        let text = format!(
            "Invalid value: {minutes}: spec.progressDeadlineMinutes in body should be {bound} than or equal to {limit}"
        );
        rejected(spec, "progressDeadlineMinutes", Rule::InvalidRange, &text);
    }
}

fn inline(config: &Fields<'_, '_>) -> Option<InlineConfig> {
    config.place("inline")?;
    let Value::Mapping(fields) = &config.node.get("inline")?.value else { return None };
    let value = |value: &Value| match value {
        Value::Null => ConfigValue::Null,
        Value::Bool(_) => ConfigValue::Boolean,
        Value::Number(_) => ConfigValue::Number,
        Value::String(text) => ConfigValue::Text((&**text).into()),
        Value::Sequence(_) => ConfigValue::List,
        Value::Mapping(_) | Value::Unopened => ConfigValue::Object,
    };
    Some(fields.iter().map(|(key, node)| ((&*key.value).into(), value(&node.value))).collect())
}

/// Checks a required field with a few values. Returns whether it has one of them.
fn check_choice(fields: &Fields<'_, '_>, key: &str, supported: &[&str]) -> bool {
    match fields.text(key) {
        Some(value) if supported.contains(&value) => return true,
        Some(value) => unsupported_value(fields, key, value, supported),
        None if fields.place(key).is_none() => rejected(fields, key, Rule::MissingField, "Required value"),
        // Its type is wrong, which is an error already.
        None => {}
    }
    false
}

/// `version`; empty if it is missing.
fn version<'n>(filter: &Fields<'n, '_>) -> &'n str {
    let Some(version) = filter.text("version") else { return "" };
    if !is_too_long(filter, "version", version, MAX_LENGTH) && !is_accepted_by_api(version) {
        rejected(filter, "version", Rule::InvalidRange, "invalid version expression");
    }
    version
}

/// Only `SelfCertified` differs from the default.
fn policy(filter: &Fields<'_, '_>) -> UpgradeConstraintPolicy {
    match filter.text("upgradeConstraintPolicy").unwrap_or("CatalogProvided") {
        "SelfCertified" => return UpgradeConstraintPolicy::SelfCertified,
        "CatalogProvided" => {}
        other => {
            unsupported_value(filter, "upgradeConstraintPolicy", other, &["CatalogProvided", "SelfCertified"]);
        }
    }
    UpgradeConstraintPolicy::CatalogProvided
}

fn selector(fields: &Fields<'_, '_>) -> Selector {
    let expression = |fields: Fields<'_, '_>| Expression {
        key: fields.text("key").unwrap_or_default().into(),
        operator: fields.text("operator").unwrap_or_default().into(),
        values: fields.texts("values").into_iter().map(Into::into).collect(),
    };
    Selector {
        match_labels: labels(fields, "matchLabels"),
        match_expressions: fields.parts("matchExpressions").into_iter().map(expression).collect(),
    }
}

fn installed(bundle: &Fields<'_, '_>) -> Option<InstalledBundle> {
    let name = bundle.non_empty("name")?.into();
    let version = bundle.text("version").unwrap_or_default().into();
    Some(InstalledBundle { name, version, release: bundle.text("release").map(Into::into) })
}

fn labels(fields: &Fields<'_, '_>, key: &str) -> BTreeMap<Box<str>, Box<str>> {
    let labels = fields.part(key);
    let label = |key: &str| Some((key.into(), labels.text(key)?.into()));
    labels.keys().into_iter().filter_map(label).collect()
}

/// Warns that the API server rejects a field.
fn rejected(fields: &Fields<'_, '_>, key: &str, rule: Rule, text: &str) {
    let place = fields.place(key).unwrap_or(fields.span.at_start());
    let path = fields.path_of(key);
    let message = format!("the API server rejects `{path}`: {text}");
    let finding = Diagnostic { severity: Severity::Warning, ..Diagnostic::new(rule, place, message) };
    fields.reject(key, &format!("{path}: {text}"), finding);
}

/// Warns about a text with too many characters.
fn is_too_long(fields: &Fields<'_, '_>, key: &str, text: &str, most: usize) -> bool {
    let is_too_long = text.chars().count() > most;
    if is_too_long {
        rejected(fields, key, Rule::InvalidName, &format!("Too long: may not be more than {most} bytes"));
    }
    is_too_long
}

fn unsupported_value(fields: &Fields<'_, '_>, key: &str, value: &str, supported: &[&str]) {
    rejected(fields, key, Rule::InvalidName, &unsupported(value, supported));
}

fn unsupported(value: &str, supported: &[&str]) -> String {
    let supported: Vec<String> = supported.iter().map(|value| format!("\"{value}\"")).collect();
    format!("Unsupported value: {}: supported values: {}", Quoted(value), supported.join(", "))
}

#[cfg(test)]
mod tests {
    use crate::manifest::{ManifestFacts, Manifests, read, read_values};
    use crate::{Availability, ConfigValue, UpgradeConstraintPolicy};
    use source::{FileId, OlmV1Release};

    const EXTENSION: &str = "apiVersion: olm.operatorframework.io/v1
kind: ClusterExtension
metadata: {name: etcd}
spec:
  namespace: etcd
  source:
    sourceType: Catalog
    catalog:
      packageName: etcd
      version: '>=1.0.0 <2.0.0'
      channels: [stable, fast]
      selector:
        matchLabels: {tier: gold}
        matchExpressions:
        - {key: team, operator: In, values: [a, b]}
      upgradeConstraintPolicy: SelfCertified
status: {install: {bundle: {name: etcd.v1, version: 1.0.0, release: ''}}}
";

    fn messages(manifests: &Manifests) -> Vec<&str> {
        manifests.diagnostics.iter().map(|finding| &*finding.message).collect()
    }

    #[test]
    fn an_extension_is_read_with_its_status() {
        let manifests = read(FileId(0), EXTENSION);
        assert_eq!(messages(&manifests), [""; 0]);
        let [extension] = &manifests.cluster_extensions[..] else { panic!("one extension") };
        assert_eq!((extension.name.as_str(), extension.package.as_str()), ("etcd", "etcd"));
        assert_eq!((&*extension.namespace, &*extension.version), ("etcd", ">=1.0.0 <2.0.0"));
        assert_eq!(extension.channels, ["stable".into(), "fast".into()]);
        assert_eq!(extension.policy, UpgradeConstraintPolicy::SelfCertified);
        assert_eq!(extension.selector.match_labels.get("tier").map(|value| &**value), Some("gold"));
        assert_eq!(extension.selector.match_expressions[0].values, ["a".into(), "b".into()]);
        let installed = extension.installed.as_ref().unwrap();
        assert_eq!((installed.name.as_str(), &*installed.version), ("etcd.v1", "1.0.0"));
        assert_eq!(installed.release.as_deref(), Some(""));
    }

    #[test]
    fn the_configuration_is_read() {
        let config =
            "spec:\n  config: {configType: Inline, inline: {watchNamespace: a, b: [], c: null, d: 1, e: {f: g}}}\n";
        let manifests = read(FileId(0), &EXTENSION.replace("spec:\n", config));
        assert_eq!(messages(&manifests), [""; 0]);
        let config = manifests.cluster_extensions[0].config.as_ref().unwrap();
        let values: Vec<_> = config.values().cloned().collect();
        let expected = [
            ConfigValue::List,
            ConfigValue::Null,
            ConfigValue::Number,
            ConfigValue::Object,
            ConfigValue::Text("a".into()),
        ];
        assert_eq!(values, expected);
        assert_eq!(read(FileId(0), EXTENSION).cluster_extensions[0].config, None);
    }

    #[test]
    fn a_catalog_is_read() {
        let text = "kind: ClusterCatalog\nmetadata: {name: c, labels: {tier: gold}, annotations: {a: b}}\n\
                    spec: {source: {type: Image, image: {ref: 'r/c:1'}}, priority: -2, availabilityMode: Unavailable}\n";
        let manifests = read(FileId(0), text);
        let [catalog] = &manifests.cluster_catalogs[..] else { panic!("one catalog") };
        assert_eq!((catalog.name.as_str(), catalog.priority), ("c", -2));
        assert_eq!(catalog.availability, Availability::Unavailable);
        assert_eq!(catalog.label("tier"), Some("gold"));
        assert_eq!(catalog.annotations.get("a").map(|value| &**value), Some("b"));
        assert_eq!(catalog.image.as_deref(), Some("r/c:1"));
    }

    #[test]
    fn a_catalog_that_the_api_server_rejects_does_not_count() {
        let text = |mode: &str| {
            format!(
                "kind: ClusterCatalog\nmetadata: {{name: c}}\nspec: {{availabilityMode: '{mode}'}}\n---\n{EXTENSION}"
            )
        };
        for mode in ["Disabled", ""] {
            let manifests = read(FileId(0), &text(mode));
            let value = format!("Unsupported value: \"{mode}\": supported values: \"Unavailable\", \"Available\"");
            let expected = format!(
                "the API server rejects `spec.availabilityMode`: {value}, so ClusterCatalog `c` does not count"
            );
            assert_eq!(messages(&manifests), [expected]);
            assert_eq!((manifests.cluster_catalogs.len(), manifests.cluster_extensions.len()), (0, 1));
            assert_eq!(manifests.rejected_catalogs, ["c".into()]);
            assert!(
                manifests.has_cluster_catalogs() && manifests.cluster_catalogs_without_content(|_| false).is_empty()
            );
        }
        assert!(read(FileId(0), &text("Available")).rejected_catalogs.is_empty());
    }

    #[track_caller]
    fn check(replaced: &str, by: &str, expected: &[&str]) {
        let text = EXTENSION.replace(replaced, by);
        let manifests = read(FileId(0), &text);
        assert_eq!(messages(&manifests), expected);
        let unknown = expected.iter().filter(|text| text.starts_with("unknown field")).count();
        let [rejected] = &manifests.rejected_extensions[..] else {
            assert_eq!((manifests.cluster_extensions.len(), unknown), (1, expected.len()));
            return;
        };
        assert_eq!(manifests.cluster_extensions, []);
        let reasons: Vec<String> = rejected.reasons.iter().map(|reason| reason.replacen(": ", "`: ", 1)).collect();
        assert!(reasons.iter().zip(expected).all(|(reason, text)| text.ends_with(reason)), "{reasons:?}");
        assert_eq!(reasons.len() + unknown, expected.len());
    }

    #[test]
    fn what_the_api_server_rejects_is_a_warning() {
        let at = |path: &str, text: &str| format!("the API server rejects `{path}`: {text}");
        let version = at("spec.source.catalog.version", "invalid version expression");
        check(">=1.0.0 <2.0.0", "1.0.0 - 2.0.0", &[&version]);
        check("'>=1.0.0 <2.0.0'", "''", &[&version]);
        let long = at("spec.source.catalog.version", "Too long: may not be more than 64 bytes");
        check(">=1.0.0 <2.0.0", &"1.0.0 ".repeat(11), &[&long]);
        let channels = at("spec.source.catalog.channels", "channels entries must be valid DNS1123 subdomains");
        check("[stable, fast]", "[stable_1]", &[&channels]);
        let long = at("spec.source.catalog.channels", "Too long: may not be more than 253 bytes");
        check("[stable, fast]", &format!("[{}]", "x".repeat(254)), &[&long]);
        let namespace = at("spec.namespace", "namespace must be a valid DNS1123 label");
        check("namespace: etcd", "namespace: e.t", &[&namespace]);
        check("namespace: etcd", "namespace: ''", &[&namespace]);
        let long = at("spec.namespace", "Too long: may not be more than 63 bytes");
        check("namespace: etcd", &format!("namespace: {}", "x".repeat(64)), &[&long]);
        check("  namespace: etcd\n", "", &[&at("spec.namespace", "Required value")]);
        let package = at("spec.source.catalog.packageName", super::PACKAGE_NAME);
        check("packageName: etcd", "packageName: Etcd", &[&package]);
        let install = "at least one of [preflight] are required when install is specified";
        check("spec:\n", "spec:\n  install: {}\n", &[&at("spec.install.preflight", install)]);
        let safety = "at least one of [crdUpgradeSafety] are required when preflight is specified";
        let path = "spec.install.preflight.crdUpgradeSafety";
        check("spec:\n", "spec:\n  install: {preflight: {}}\n", &[&at(path, safety)]);
        let inline = "inline is required when configType is Inline, and forbidden otherwise";
        check("spec:\n", "spec:\n  config: {configType: Inline}\n", &[&at("spec.config.inline", inline)]);
        let inline = at("spec.config.inline", "should have at least 1 properties");
        check("spec:\n", "spec:\n  config: {configType: Inline, inline: {}}\n", &[&inline]);
        let policy = "Unsupported value: \"Any\": supported values: \"CatalogProvided\", \"SelfCertified\"";
        check("SelfCertified", "Any", &[&at("spec.source.catalog.upgradeConstraintPolicy", policy)]);
        let unknown = "unknown field `spec.source.catalog.channel`, which OLM v1 does not look at";
        check("channels: [stable, fast]", "channel: stable", &[unknown]);
        let source = "catalog is required when sourceType is Catalog, and forbidden otherwise";
        let image = "Unsupported value: \"Image\": supported values: \"Catalog\"";
        let expected = [&at("spec.source.sourceType", image)[..], &at("spec.source.catalog", source)];
        check("sourceType: Catalog", "sourceType: Image", &expected);
    }

    #[test]
    fn limits_of_the_api() {
        let at = |path: &str, text: &str| format!("the API server rejects `{path}`: {text}");
        let many = at("spec.source.catalog.channels", "Too many: 257: must have at most 256 items");
        check("[stable, fast]", &format!("[{}]", vec!["a"; 257].join(", ")), &[&many]);
        let safety = |value: &str| format!("spec:\n  install: {{preflight: {{crdUpgradeSafety: {{{value}}}}}}}\n");
        let path = "spec.install.preflight.crdUpgradeSafety.enforcement";
        check("spec:\n", &safety("enforcement: Strict"), &[]);
        check("spec:\n", &safety(""), &[&at(path, "Required value")]);
        let other = "Unsupported value: \"Off\": supported values: \"None\", \"Strict\"";
        check("spec:\n", &safety("enforcement: 'Off'"), &[&at(path, other)]);
        let deadline = |minutes: i32| format!("spec:\n  progressDeadlineMinutes: {minutes}\n");
        let text = |minutes: i32, limit: &str| {
            let text = format!("Invalid value: {minutes}: spec.progressDeadlineMinutes in body should be {limit}");
            at("spec.progressDeadlineMinutes", &text)
        };
        check("spec:\n", &deadline(10), &[]);
        check("spec:\n", &deadline(720), &[]);
        check("spec:\n", &deadline(9), &[&text(9, "greater than or equal to 10")]);
        check("spec:\n", &deadline(721), &[&text(721, "less than or equal to 720")]);
        let kind = at("spec.config.configType", "Required value");
        let inline = "inline is required when configType is Inline, and forbidden otherwise";
        let inline = at("spec.config.inline", inline);
        check("spec:\n", "spec:\n  config: {inline: {a: b}}\n", &[&kind, &inline]);
    }

    #[test]
    fn a_service_account_is_no_finding_while_the_release_is_not_known() {
        let spec = "spec:\n  serviceAccount: {name: etcd-installer}\n";
        let (with, without) = (read(FileId(0), &EXTENSION.replace("spec:\n", spec)), read(FileId(0), EXTENSION));
        assert_eq!((messages(&with), messages(&without)), (vec![], vec![]));
        assert_eq!(with.cluster_extensions, without.cluster_extensions);
        let notices = [&with, &without].map(|one| one.assumed_olm_v1.as_deref().is_some_and(|it| it.contains("v1.11")));
        assert_eq!(notices, [true, false]);
    }

    #[test]
    fn a_service_account_is_required_before_v1_11() {
        let missing = "the API server rejects `spec.serviceAccount`: Required value";
        let spec = "spec:\n  serviceAccount: {name: etcd-installer}\n";
        for (release, expected) in [((1, 10), vec![missing]), ((1, 11), vec![])] {
            let olm_v1 = Some(OlmV1Release(release.0, release.1));
            let facts = ManifestFacts { olm_v1, ..ManifestFacts::default() };
            let read = |text: &str| read_values(&fbc::untyped_values(FileId(0), text), None, &facts);
            let texts = |text: &str| read(text).1.into_iter().map(|one| one.diagnostic.message).collect::<Vec<_>>();
            assert_eq!(texts(EXTENSION), expected);
            assert_eq!(texts(&EXTENSION.replace("spec:\n", spec)).len(), usize::from(expected.is_empty()));
            assert_eq!(read(EXTENSION).0.rejected_extensions.len(), expected.len());
        }
    }

    #[test]
    fn a_field_of_the_wrong_type_is_an_error() {
        let manifests = read(FileId(0), &EXTENSION.replace("'>=1.0.0 <2.0.0'", "1.0"));
        assert_eq!(messages(&manifests), ["`spec.source.catalog.version` must be text, found a number"]);
        assert!(manifests.cluster_extensions.is_empty());
        let manifests = read(FileId(0), &EXTENSION.replace("packageName: etcd", "packageName: ''"));
        assert_eq!(messages(&manifests), ["`spec.source.catalog.packageName` is missing"]);
    }

    #[test]
    fn other_groups_have_kinds_of_the_same_name() {
        let manifests = read(FileId(0), &EXTENSION.replace("olm.operatorframework.io/v1", "example.com/v1"));
        assert!(manifests.cluster_extensions.is_empty());
        assert_eq!(manifests.skipped.len(), 1);
    }

    #[test]
    fn of_two_with_the_same_name_the_first_counts() {
        let other = EXTENSION.replace("packageName: etcd", "packageName: other");
        let manifests = read(FileId(0), &format!("{EXTENSION}---\n{other}"));
        assert_eq!(messages(&manifests), ["ClusterExtension `etcd` is defined twice; the first one counts"]);
        assert_eq!(manifests.cluster_extensions[0].package.as_str(), "etcd");
    }
}
