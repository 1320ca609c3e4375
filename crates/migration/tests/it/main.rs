//! What becomes of Subscriptions under OLM v1.

mod catalogs;
mod crds;
mod manifests;
mod obstacles;
mod words;
mod world;

use extension::{Refusal, ResolveError};
use migration::{CatalogContent, CatalogOrigin, ChannelChoice, NextV0, NextV1, VersionChoice, readiness_view};
use source::{FileId, OlmV1};
use std::collections::BTreeMap;
use views::{MigrationVerdict, ReadinessVerdict};
use world::{CHANNELS, NEW, READY, bundle, catalog, installed, migrate, single};

#[test]
fn an_installed_bundle_moves() {
    let found = single(&catalog(&[READY]), &installed());
    assert_eq!((found.verdict, &found.v1_adopted), (MigrationVerdict::Moves, &NextV1::Moves("p.v2".into())));
    assert_eq!(found.v0, NextV0::Updates("p.v2".into()));
    assert_eq!(found.v1_new, NextV1::Installs("p.v3".into()), "it knows nothing of what is installed");
    assert_eq!(found.first_version.as_deref(), Some("1.0.0"));
    let reachable: Vec<&str> = found.reachable.iter().map(|bundle| bundle.bundle.as_str()).collect();
    assert_eq!(reachable, ["p.v3", "p.v2"]);
    assert_eq!(found.current.unwrap().bundle.as_str(), "p.v1");
}

#[test]
fn the_head_stays() {
    let cluster = installed().replace("p.v1", "p.v3").replace("1.0.0", "3.0.0");
    let found = single(&catalog(&[READY]), &cluster);
    assert_eq!(
        (found.verdict, found.v1_adopted, found.v0),
        (MigrationVerdict::Stays, NextV1::Stays("p.v3".into()), NextV0::Stays)
    );
    assert!(found.crds.is_none() && found.reachable.is_empty());
}

#[test]
fn nothing_installed_begins_with_the_highest_version() {
    let found = single(&catalog(&[READY]), NEW);
    assert_eq!((found.verdict, found.v1_adopted), (MigrationVerdict::Moves, NextV1::Installs("p.v3".into())));
    assert_eq!(found.v0, NextV0::Installs("p.v3".into()));
    assert_eq!(found.reachable.len(), 3);
}

#[test]
fn a_bundle_that_no_edge_leads_on_from_fails() {
    let cluster = installed().replace("channel: stable", "channel: fast");
    let found = single(&catalog(&[READY]), &cluster);
    let NextV1::Fails(error) = &found.v1_adopted else { panic!("{:?}", found.v1_adopted) };
    let text = r#"error upgrading from currently installed version "1.0.0": no bundles found for package "p" in channels [fast]"#;
    assert_eq!((error.to_string().as_str(), found.verdict), (text, MigrationVerdict::Fails));
    assert_eq!(found.v0, NextV0::Stays, "OLM v0 says nothing");
    assert_eq!(found.first_version, None, "the channel does not list it");
}

#[test]
fn the_versions_of_olm_may_choose_different_bundles() {
    let entries = "entries: [{name: p.v1}, {name: p.v2, replaces: p.v1, skips: [p.v3]}, {name: p.v3, replaces: p.v1}]";
    let old = "entries: [{name: p.v1}, {name: p.v2, replaces: p.v1}, {name: p.v3, replaces: p.v2}]";
    let found = single(&catalog(&[READY]).replace(old, entries), &installed());
    assert_eq!((found.v0, found.v1_adopted), (NextV0::Updates("p.v2".into()), NextV1::Moves("p.v3".into())));
}

#[test]
fn a_dependency_of_the_chosen_bundle_is_refused() {
    let dependency = "{type: olm.package.required, value: {packageName: q, versionRange: '>=1.0.0'}}";
    let found = single(&catalog(&[READY, dependency]), &installed());
    assert!(matches!(&found.v1_adopted, NextV1::Fails(ResolveError::Dependency { .. })), "{:?}", found.v1_adopted);
    assert_eq!(found.verdict, MigrationVerdict::Refused);
    let [_, second] = &found.reachable[..] else { panic!("{:?}", found.reachable) };
    assert!(matches!(second.readiness.refusals[..], [Refusal::Dependency { .. }]));
}

#[test]
fn a_bundle_without_the_install_mode_is_refused() {
    let own = "{type: olm.csv.metadata, value: {installModes: [{type: OwnNamespace, supported: true}]}}";
    let found = single(&catalog(&[own]), &installed());
    assert_eq!((&found.v1_adopted, found.verdict), (&NextV1::Moves("p.v2".into()), MigrationVerdict::Refused));
    let texts: Vec<String> = found.chosen.unwrap().readiness.refusals.iter().map(ToString::to_string).collect();
    assert_eq!(texts, ["unsupported bundle: bundle does not support AllNamespaces install mode"]);
}

#[test]
fn an_api_service_of_the_chosen_bundle_is_refused() {
    let service = "{type: olm.csv.metadata, value: {installModes: [{type: AllNamespaces, supported: true}], apiServiceDefinitions: {owned: [{name: a}]}}}";
    assert_eq!(single(&catalog(&[service]), &installed()).verdict, MigrationVerdict::Refused);
}

#[test]
fn a_bundle_without_a_csv_cannot_be_known() {
    let found = single(&catalog(&[]), &installed());
    assert_eq!((found.verdict, found.v1_adopted), (MigrationVerdict::CannotBeKnown, NextV1::Moves("p.v2".into())));
}

#[test]
fn a_catalog_that_is_not_loaded_cannot_be_known() {
    let found = single(&catalog(&[READY]), &installed().replace("source: community", "source: other"));
    assert_eq!(
        (found.verdict, found.v1_adopted, found.v0),
        (MigrationVerdict::CannotBeKnown, NextV1::Unknown, NextV0::Unknown)
    );
    assert_eq!(found.catalog.unwrap().origin, CatalogOrigin::UnknownImage);
}

#[test]
fn an_unavailable_cluster_catalog_fails() {
    let cluster =
        installed() + "---\nkind: ClusterCatalog\nmetadata: {name: community}\nspec: {availabilityMode: Unavailable}\n";
    let found = single(&catalog(&[READY]), &cluster);
    assert_eq!(found.verdict, MigrationVerdict::Fails);
    assert_eq!(found.catalog.unwrap().origin, CatalogOrigin::SameName);
}

#[test]
fn a_missing_package_and_a_missing_channel_are_told() {
    let package = single(&catalog(&[READY]), &installed().replace("name: p,", "name: q,"));
    assert_eq!((package.v0, package.verdict), (NextV0::NoPackage, MigrationVerdict::Fails));
    let channel = single(&catalog(&[READY]), &installed().replace("channel: stable", "channel: beta"));
    assert_eq!((channel.v0, channel.verdict), (NextV0::NoChannel, MigrationVerdict::Fails));
}

#[test]
fn a_channel_without_order_matters_to_olm_v0_alone() {
    let text = catalog(&[READY]).replace("{name: p.v3, replaces: p.v2}", "{name: p.v3}");
    let found = single(&text, &installed());
    assert!(matches!(found.v0, NextV0::BrokenChannel(_)), "{:?}", found.v0);
    assert_eq!(found.v1_adopted, NextV1::Moves("p.v2".into()));
}

#[test]
fn a_channel_that_the_api_does_not_accept_is_refused() {
    let text = catalog(&[READY]).replace("name: stable\n", "name: Stable_1\n").replace("stable", "Stable_1");
    let found = single(&text, &installed().replace("channel: stable", "channel: Stable_1"));
    assert_eq!(found.channel, ChannelChoice::NotAccepted("Stable_1".into()));
    assert_eq!(found.verdict, MigrationVerdict::Refused);
    assert_eq!(found.object["spec"]["source"]["catalog"]["channels"][0], "Stable_1");
}

#[test]
fn a_subscription_without_channel_gets_the_default_channel() {
    let found = single(&catalog(&[READY]), &installed().replace("channel: stable, ", ""));
    assert_eq!(found.channel, ChannelChoice::Default(Some("stable".into())));
    assert_eq!(found.extension.channels, ["stable".into()]);
}

#[test]
fn manual_approval_holds_the_installed_version() {
    let manual = |cluster: &str| cluster.replace("spec: {name: p,", "spec: {name: p, installPlanApproval: Manual,");
    let found = single(&catalog(&[READY]), &manual(&installed()));
    assert_eq!(found.version, VersionChoice::Installed("1.0.0".into()));
    assert_eq!(
        (found.verdict, found.v1_adopted, found.v0),
        (MigrationVerdict::Stays, NextV1::Stays("p.v1".into()), NextV0::Updates("p.v2".into()))
    );
    assert_eq!(single(&catalog(&[READY]), &manual(NEW)).version, VersionChoice::NotKnown);
}

/// OLM v1 would know the version of the annotation of the CSV, not that of the catalog.
#[test]
fn the_installed_version_is_that_of_the_csv() {
    let annotated = installed().replace(
        "metadata: {name: p.v1, namespace: operators}",
        "metadata: {name: p.v1, namespace: operators, annotations: {operatorframework.io/properties: '[{\"type\":\"olm.package\",\"value\":{\"packageName\":\"p\",\"version\":\"1.0.1\"}}]'}}",
    );
    let version = |cluster: &str| single(&catalog(&[READY]), cluster).installed.map(|installed| installed.version);
    assert_eq!(version(&annotated).as_deref(), Some("1.0.1"));
    assert_eq!(version(&installed()).as_deref(), Some("1.0.0"));
}

/// Without the CSV the catalog tells the version; without both it is not known, which is not "nothing is installed".
#[test]
fn an_installed_bundle_that_the_manifests_lack() {
    let (subscription, _) = installed().rsplit_once("---\n").map(|(a, b)| (a.to_owned(), b.to_owned())).unwrap();
    let found = single(&catalog(&[READY]), &subscription);
    assert_eq!(
        (found.installed.map(|one| one.version), found.v1_adopted),
        (Some("1.0.0".into()), NextV1::Moves("p.v2".into()))
    );
    let gone = subscription.replace("installedCSV: p.v1", "installedCSV: p.v0");
    let found = single(&catalog(&[READY]), &gone);
    assert_eq!((found.installed, found.v1_adopted), (None, NextV1::UnknownVersion("p.v0".into())));
    assert_eq!(found.verdict, MigrationVerdict::CannotBeKnown);
}

#[test]
fn the_order_of_objects_does_not_matter() {
    let more = "---\nkind: Subscription\nmetadata: {name: my-p, namespace: a}\nspec: {name: p, source: community, sourceNamespace: team}\n\
                ---\nkind: OperatorGroup\nmetadata: {name: g, namespace: operators}\nspec: {targetNamespaces: [b]}\n\
                ---\nkind: OperatorGroup\nmetadata: {name: f, namespace: operators}\nspec: {targetNamespaces: [c]}\n\
                ---\nkind: CatalogSource\nmetadata: {name: community, namespace: team}\nspec: {image: 'example.com/team:1'}\n\
                ---\napiVersion: olm.operatorframework.io/v1\nkind: ClusterExtension\nmetadata: {name: zeta}\nspec: {namespace: apps, source: {sourceType: Catalog, catalog: {packageName: p}}}\n\
                ---\napiVersion: olm.operatorframework.io/v1\nkind: ClusterExtension\nmetadata: {name: alpha}\nspec: {namespace: apps, source: {sourceType: Catalog, catalog: {packageName: p}}}\n";
    let text = installed() + more;
    let documents: Vec<&str> = text.split("---\n").collect();
    let expected = migrate(&catalog(&[READY]), &text);
    assert_eq!(expected.len(), 2);
    for shift in 1..documents.len() {
        let mut shuffled = documents.clone();
        shuffled.rotate_left(shift);
        shuffled.swap(0, shift);
        assert_eq!(migrate(&catalog(&[READY]), &shuffled.join("---\n")), expected, "{shift}");
    }
}

#[test]
fn a_package_has_a_verdict_for_each_bundle() {
    let objects = "{type: olm.bundle.object, value: {data: eyJraW5kIjoiQ2x1c3RlclNlcnZpY2VWZXJzaW9uIiwic3BlYyI6eyJpbnN0YWxsIjp7InNwZWMiOnsiZGVwbG95bWVudHMiOlt7Im5hbWUiOiJkIn1dfX0sImluc3RhbGxNb2RlcyI6W3sidHlwZSI6IkFsbE5hbWVzcGFjZXMiLCJzdXBwb3J0ZWQiOnRydWV9XSwid2ViaG9va2RlZmluaXRpb25zIjpbeyJnZW5lcmF0ZU5hbWUiOiJ3IiwiZGVwbG95bWVudE5hbWUiOiJkIn1dfX0=}}";
    let text = CHANNELS.to_owned() + &bundle(1, &[READY]) + &bundle(2, &[objects]) + &bundle(3, &[]);
    let parse = fbc::parse(FileId(1), &text);
    let (catalog, _) = catalog::lower(&[catalog::ParsedFile { text: &text, parse: &parse }]);
    let content = CatalogContent { catalog: &catalog, texts: BTreeMap::from([(FileId(1), text.as_str())]) };
    let view = readiness_view(&content, &"p".into(), OlmV1::default()).unwrap();
    let rows: Vec<_> = view.bundles.iter().map(|row| (row.bundle.as_str(), row.verdict, row.channels.len())).collect();
    let expected = [
        ("p.v3", ReadinessVerdict::CannotBeKnown, 2),
        ("p.v2", ReadinessVerdict::NothingFound, 1),
        ("p.v1", ReadinessVerdict::NothingFound, 1),
    ];
    assert_eq!(rows, expected);
    assert_eq!(view.summary, "of 3 bundles none is refused by what the catalog shows, and 1 cannot be known");
    let need = "a provider of certificates for its webhooks: cert-manager, or the service CA of OpenShift";
    assert_eq!(view.bundles[1].needs, [need]);
    let unknown = ["the install modes and API services", "the webhooks, deployments and other manifests"];
    assert_eq!(view.bundles[0].unknown, unknown.map(|text| format!("not shown by the catalog: {text}")));
    assert_eq!(readiness_view(&content, &"q".into(), OlmV1::default()), None);
}
