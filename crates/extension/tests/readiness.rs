//! What a catalog shows of the obstacles to a bundle.

use catalog::{ParsedFile, bundle_details, lower};
use extension::{Need, Readiness, ReadinessVerdict, Refusal, Unknown};

/// A ClusterServiceVersion with an owned API service, a webhook and the install mode `OwnNamespace`, as base64 of
/// `{"kind":"ClusterServiceVersion","spec":{"apiservicedefinitions":{"owned":[{"name":"v1.x"}]},"installModes":[{"type":"OwnNamespace","supported":true}],"webhookdefinitions":[{}]}}`.
const MANIFEST: &str = "eyJraW5kIjoiQ2x1c3RlclNlcnZpY2VWZXJzaW9uIiwic3BlYyI6eyJhcGlzZXJ2aWNlZGVmaW5pdGlvbnMiOnsib3duZWQiOlt7Im5hbWUiOiJ2MS54In1dfSwiaW5zdGFsbE1vZGVzIjpbeyJ0eXBlIjoiT3duTmFtZXNwYWNlIiwic3VwcG9ydGVkIjp0cnVlfV0sIndlYmhvb2tkZWZpbml0aW9ucyI6W3t9XX19";

/// The readiness of a bundle with these properties.
fn readiness(properties: &[&str]) -> Readiness {
    let package = "- {type: olm.package, value: {packageName: p, version: 1.0.0}}";
    let text = format!(
        "schema: olm.bundle\npackage: p\nname: b\nimage: i\nproperties:\n{package}\n{}\n",
        properties.join("\n")
    );
    let parse = fbc::parse(source::FileId(0), &text);
    let (catalog, _) = lower(&[ParsedFile { text: &text, parse: &parse }]);
    let bundle = &catalog.packages[0].bundles[0];
    Readiness::of(bundle, bundle_details(bundle, &text).as_ref())
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
    assert_eq!(found.unknown, [Unknown::Webhooks].into());
}

#[test]
fn without_a_csv_nothing_can_be_known() {
    let found = readiness(&[]);
    assert_eq!(found.verdict(), ReadinessVerdict::CannotBeKnown);
    assert_eq!(found.unknown, [Unknown::Csv, Unknown::Webhooks].into());
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
    assert_eq!(found.refusals, [Refusal::InstallModes { supported: ["OwnNamespace".into()].into() }]);
    assert_eq!(texts(&found), ["unsupported bundle: bundle does not support AllNamespaces install mode"]);
    let found = readiness(&[&metadata(&format!("{{{MODES}, apiServiceDefinitions: {{owned: [{{name: v1.x}}]}}}}"))]);
    assert_eq!(found.refusals, [Refusal::ApiServices { names: ["v1.x".into()].into() }]);
    assert_eq!(texts(&found), ["unsupported bundle: apiServiceDefintions are not supported"]);
    // Required API services are not looked at.
    let required = format!("{{{MODES}, apiServiceDefinitions: {{required: [{{name: v1.x}}]}}}}");
    assert_eq!(readiness(&[&metadata(&required)]).verdict(), ReadinessVerdict::NothingFound);
}

#[test]
fn manifests_show_webhooks_too() {
    let found = readiness(&[&format!("- {{type: olm.bundle.object, value: {{data: {MANIFEST}}}}}")]);
    assert_eq!(found.refusals.len(), 2);
    assert_eq!((found.needs, found.unknown), (vec![Need::CertificateProvider], [].into()));
}
