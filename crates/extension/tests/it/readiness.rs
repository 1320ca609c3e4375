//! What a catalog shows of the obstacles to a bundle.

use catalog::{ParsedFile, lower};
use cluster::{ClusterExtension, ConfigValue};
use extension::{Need, Readiness, ReadinessVerdict, Refusal, Unknown};
use source::{FeatureGate, OlmV1, OlmV1Release};

/// `{"kind":"ClusterServiceVersion","spec":{"apiservicedefinitions":{"owned":[{"name":"v1.x"}]},"customresourcedefinitions":{"owned":[{"name":"a.x"}]},"install":{"spec":{"deployments":[{"name":"d"}]}},"installModes":[{"type":"OwnNamespace","supported":true}],"webhookdefinitions":[{"type":"ValidatingAdmissionWebhook","generateName":"w","deploymentName":"d"}]}}`
/// as base64.
const CSV: &str = "eyJraW5kIjoiQ2x1c3RlclNlcnZpY2VWZXJzaW9uIiwic3BlYyI6eyJhcGlzZXJ2aWNlZGVmaW5pdGlvbnMiOnsib3duZWQiOlt7Im5hbWUiOiJ2MS54In1dfSwiY3VzdG9tcmVzb3VyY2VkZWZpbml0aW9ucyI6eyJvd25lZCI6W3sibmFtZSI6ImEueCJ9XX0sImluc3RhbGwiOnsic3BlYyI6eyJkZXBsb3ltZW50cyI6W3sibmFtZSI6ImQifV19fSwiaW5zdGFsbE1vZGVzIjpbeyJ0eXBlIjoiT3duTmFtZXNwYWNlIiwic3VwcG9ydGVkIjp0cnVlfV0sIndlYmhvb2tkZWZpbml0aW9ucyI6W3sidHlwZSI6IlZhbGlkYXRpbmdBZG1pc3Npb25XZWJob29rIiwiZ2VuZXJhdGVOYW1lIjoidyIsImRlcGxveW1lbnROYW1lIjoiZCJ9XX19";
/// `{"kind":"CustomResourceDefinition","metadata":{"name":"a.x"}}` as base64.
const CRD: &str = "eyJraW5kIjoiQ3VzdG9tUmVzb3VyY2VEZWZpbml0aW9uIiwibWV0YWRhdGEiOnsibmFtZSI6ImEueCJ9fQ==";

/// The readiness of a bundle with these properties.
fn readiness(properties: &[&str]) -> Readiness {
    readiness_in(OlmV1::default(), properties)
}

/// The same for another OLM v1.
fn readiness_in(olm: OlmV1, properties: &[&str]) -> Readiness {
    let package = "- {type: olm.package, value: {packageName: p, version: 1.0.0}}";
    let text = format!(
        "schema: olm.bundle\npackage: p\nname: b\nimage: i\nproperties:\n{package}\n{}\n",
        properties.join("\n")
    );
    let parse = fbc::parse(source::FileId(0), &text);
    let (catalog, _) = lower(&[ParsedFile { text: &text, parse: &parse }]);
    let bundle = &catalog.packages[0].bundles[0];
    Readiness::of(bundle, Some(&text), olm)
}

fn metadata(value: &str) -> String {
    format!("- {{type: olm.csv.metadata, value: {value}}}")
}

fn texts(readiness: &Readiness) -> Vec<String> {
    readiness.refusals.iter().map(ToString::to_string).collect()
}

const MODES: &str = "installModes: [{type: AllNamespaces, supported: true}]";

#[test]
fn nothing_is_found() {
    let found = readiness(&[&metadata(&format!("{{{MODES}}}"))]);
    assert_eq!(found.verdict(), ReadinessVerdict::NothingFound);
    assert_eq!(found.unknown, [Unknown::Manifests].into());
}

#[test]
fn without_a_csv_nothing_can_be_known() {
    let found = readiness(&[]);
    assert_eq!(found.verdict(), ReadinessVerdict::CannotBeKnown);
    assert_eq!(found.unknown, [Unknown::Csv, Unknown::Manifests].into());
}

#[test]
fn dependencies_are_refused_whatever_else_is_unknown() {
    let gvk = "- {type: olm.gvk.required, value: {group: g, kind: K, version: v1}}";
    let constraint = "- {type: olm.constraint, value: {failureMessage: no}}";
    let found = readiness(&[gvk, gvk, constraint]);
    assert_eq!(found.verdict(), ReadinessVerdict::Refused);
    let text = |kind| {
        format!("bundle \"b\" has a dependency declared via property \"{kind}\" which is currently not supported")
    };
    assert_eq!(texts(&found), [text("olm.gvk.required"), text("olm.constraint")]);
}

#[test]
fn install_modes_and_api_services() {
    let found = readiness(&[&metadata(
        "{installModes: [{type: AllNamespaces, supported: false}, {type: OwnNamespace, supported: true}]}",
    )]);
    assert_eq!(
        found.refusals,
        [Refusal::InstallModes { supported: ["OwnNamespace".into()].into(), takes_others: false }]
    );
    assert_eq!(texts(&found), ["unsupported bundle: bundle does not support AllNamespaces install mode"]);
    let found = readiness(&[&metadata(&format!("{{{MODES}, apiServiceDefinitions: {{owned: [{{name: v1.x}}]}}}}"))]);
    assert_eq!(found.refusals, [Refusal::ApiServices { names: ["v1.x".into()].into() }]);
    assert_eq!(texts(&found), ["unsupported bundle: apiServiceDefintions are not supported"]);
    let outlook =
        "not yet supported, as of operator-controller `df2c201d`: the code of `d3adeaeb` for them is not switched on";
    assert_eq!(found.refusals[0].outlook(), Some(outlook));
    // Required API services are not looked at.
    let required = format!("{{{MODES}, apiServiceDefinitions: {{required: [{{name: v1.x}}]}}}}");
    assert_eq!(readiness(&[&metadata(&required)]).verdict(), ReadinessVerdict::NothingFound);
}

#[test]
fn required_api_services_are_refused_by_their_properties_alone() {
    let gvk = "- {type: olm.gvk.required, value: {group: x, kind: K, version: v1}}";
    let required = metadata(&format!("{{{MODES}, apiServiceDefinitions: {{required: [{{name: v1.x}}]}}}}"));
    let text =
        "bundle \"b\" has a dependency declared via property \"olm.gvk.required\" which is currently not supported";
    assert_eq!(texts(&readiness(&[gvk, &required])), [text]);
}

#[test]
fn owned_api_services_are_refused_before_install_modes_and_manifests() {
    let extension = ClusterExtension::new("e".into(), "p".into());
    let found = readiness(&[&object(CSV)]).refusals_for(&extension);
    assert_eq!(found[0].to_string(), "unsupported bundle: apiServiceDefintions are not supported");
    assert!(found.len() > 2, "{found:?}");
}

fn object(data: &str) -> String {
    format!("- {{type: olm.bundle.object, value: {{data: {data}}}}}")
}

#[test]
fn manifests_show_webhooks_too() {
    let found = readiness(&[&object(CSV), &object(CRD)]);
    assert_eq!(found.refusals.len(), 2, "{found:?}");
    assert_eq!((found.needs, found.unknown), (vec![Need::CertificateProvider], [].into()));
}

#[test]
fn mistakes_in_manifests_are_refused() {
    let found = readiness(&[&object(CSV)]);
    let missing =
        "cluster service definition references owned custom resource definition 'a.x' not found in bundle".to_owned();
    assert_eq!(texts(&found)[2..], [missing]);
    assert_eq!(found.unknown, [].into());
}

#[test]
fn manifests_that_cannot_be_decoded_are_unknown() {
    let found = readiness(&[&object(CSV), &object("'!'")]);
    assert_eq!((found.refusals.len(), found.unknown), (2, [Unknown::Manifests].into()));
}

#[test]
fn the_configuration_is_checked_with_the_install_modes() {
    let config = [("watchNamespace".into(), ConfigValue::Text("other".into()))].into();
    let extension = ClusterExtension {
        namespace: "ns".into(),
        config: Some(config),
        ..ClusterExtension::new("e".into(), "p".into())
    };
    let texts = |modes: &[&str]| -> Vec<String> {
        let modes: Vec<String> = modes.iter().map(|mode| format!("{{type: {mode}, supported: true}}")).collect();
        let metadata = metadata(&format!("{{installModes: [{}]}}", modes.join(", ")));
        readiness(&[&metadata]).refusals_for(&extension).iter().map(ToString::to_string).collect()
    };
    let (all, own, single) = ("AllNamespaces", "OwnNamespace", "SingleNamespace");
    let prefix = "invalid ClusterExtension configuration: invalid configuration:";
    assert_eq!(texts(&[all]), [format!("{prefix} unknown field \"watchNamespace\"")]);
    assert_eq!(texts(&[all, own, single]), [""; 0]);
    let modes = "unsupported bundle: bundle does not support AllNamespaces install mode";
    assert_eq!(texts(&[single]), [modes]);
    assert_eq!(texts(&["MultiNamespace"]), [modes.to_owned(), format!("{prefix} unknown field \"watchNamespace\"")]);
    assert_eq!(readiness(&[]).refusals_for(&extension), []);
}

/// The first refusal of each release, for a bundle and what its extension wants.
#[test]
fn releases_and_feature_gates_refuse_different_bundles() {
    let webhooks = object(
        // The same CSV without API services and CRDs, and with `AllNamespaces`.
        "eyJraW5kIjoiQ2x1c3RlclNlcnZpY2VWZXJzaW9uIiwic3BlYyI6eyJpbnN0YWxsIjp7InNwZWMiOnsiZGVwbG95bWVudHMiOlt7Im5hbWUiOiJkIn1dfX0sImluc3RhbGxNb2RlcyI6W3sidHlwZSI6IkFsbE5hbWVzcGFjZXMiLCJzdXBwb3J0ZWQiOnRydWV9XSwid2ViaG9va2RlZmluaXRpb25zIjpbeyJ0eXBlIjoiVmFsaWRhdGluZ0FkbWlzc2lvbldlYmhvb2siLCJnZW5lcmF0ZU5hbWUiOiJ3IiwiZGVwbG95bWVudE5hbWUiOiJkIn1dfX0=",
    );
    let modes = |mode: &str| metadata(&format!("{{installModes: [{{type: {mode}, supported: true}}]}}"));
    let (all, own, multi) = (modes("AllNamespaces"), modes("OwnNamespace"), modes("MultiNamespace"));
    let watch = &[("watchNamespace", ConfigValue::Text("ns".into()))][..];
    let deployment = &[("deploymentConfig", ConfigValue::Object)][..];
    let (modes, manager) = (FeatureGate::SingleOwnNamespaceInstallSupport, FeatureGate::WebhookProviderCertManager);
    let service_ca = FeatureGate::WebhookProviderOpenshiftServiceCA;
    let first = |properties: &str, config: &[(&str, ConfigValue)], minor: u16, gates: &[(FeatureGate, bool)]| {
        let mut olm = OlmV1::of(Some(OlmV1Release(1, minor)));
        gates.iter().for_each(|(gate, is_on)| olm.set(*gate, *is_on));
        let config = config.iter().map(|(name, value)| ((*name).into(), value.clone())).collect();
        let extension = ClusterExtension {
            namespace: "ns".into(),
            config: Some(config).filter(|config: &cluster::InlineConfig| !config.is_empty()),
            olm,
            ..ClusterExtension::new("e".into(), "p".into())
        };
        let found = readiness_in(olm, &[properties]).refusals_for(&extension);
        found.first().map(extension::Refusal::text).unwrap_or_default()
    };
    let no_webhooks = "unsupported bundle: webhookDefinitions are not supported (supported from v1.3 on with the feature gate WebhookProviderCertManager or WebhookProviderOpenshiftServiceCA)";
    for (minor, gates, expected) in [
        (2, &[(manager, true)][..], no_webhooks),
        (5, &[], no_webhooks),
        (5, &[(service_ca, true)], ""),
        (6, &[], ""),
        (11, &[(manager, false)], ""),
        (11, &[(manager, false), (service_ca, false)], no_webhooks),
    ] {
        assert_eq!(first(&webhooks, &[], minor, gates), expected, "v1.{minor} {gates:?}");
    }
    let no_mode = "unsupported bundle: bundle does not support AllNamespaces install mode (supported with the feature gate SingleOwnNamespaceInstallSupport)";
    let other_mode = "unsupported bundle: bundle must support at least one of [AllNamespaces SingleNamespace OwnNamespace] install modes";
    let prefix = "invalid ClusterExtension configuration: invalid configuration:";
    let missing = format!("{prefix} required field \"watchNamespace\" is missing");
    let unknown = |field: &str| format!("{prefix} unknown field \"{field}\"");
    let no_gate = unknown("deploymentConfig") + " (supported from v1.9 on with the feature gate DeploymentConfig)";
    for (properties, config, minor, gates, expected) in [
        (&own, watch, 1, &[(modes, true)][..], no_mode),
        (&own, watch, 2, &[], no_mode),
        (&own, watch, 8, &[], ""),
        (&own, &[], 8, &[], &missing),
        (&own, &[], 11, &[], no_mode),
        (&own, watch, 11, &[(modes, true)], ""),
        (&multi, watch, 11, &[(modes, true)], other_mode),
        (&all, watch, 7, &[], ""),
        (&all, watch, 9, &[], &unknown("watchNamespace")),
        (&all, deployment, 8, &[], ""),
        (&all, deployment, 11, &[], &no_gate),
        (&all, deployment, 11, &[(FeatureGate::DeploymentConfig, true)], ""),
    ] {
        assert_eq!(first(properties, config, minor, gates), expected, "v1.{minor} {gates:?} {config:?}");
    }
}
