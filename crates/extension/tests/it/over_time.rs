//! What becomes of an extension while its catalogs change.

use catalog::Catalog;
use cluster::{Availability, ClusterCatalog, ClusterExtension};
use extension::{
    CatalogState, ConditionType, ConfigError, ConfigFault, ManifestError, Reason, Reconciliation, ReconciliationEffect,
    Refusal, Resolved, timeline, timeline_with_refusals,
};

use crate::world::{With, extension, installed, of_text, read};

/// The timeline with one catalog in several states; `None` where the ClusterCatalog does not exist.
fn follow(extension: &ClusterExtension, states: &[Option<&Catalog>]) -> Vec<Reconciliation> {
    let object = ClusterCatalog::new("a".into());
    let catalogs = states
        .iter()
        .map(|content| Vec::from_iter(content.map(|content| CatalogState { object: &object, content: Some(content) })));
    timeline(extension, &catalogs.collect::<Vec<_>>())
}

/// The state of the catalogs, the change and the installed version, for each reconciliation.
fn shown(line: &[Reconciliation]) -> Vec<String> {
    let step = |step: &Reconciliation| {
        let version = step.installed.as_ref().map_or("nothing", |installed| &installed.version);
        let change = match &step.change {
            ReconciliationEffect::Replaced { from } => format!("from {}", from.as_str()),
            ReconciliationEffect::ImageSwapped { from } => format!("swapped {from}"),
            other => format!("{other:?}"),
        };
        format!("{} {version} {change}", step.state)
    };
    line.iter().map(step).collect()
}

/// Status, reason and message of a condition.
fn condition(step: &Reconciliation, kind: ConditionType) -> (Option<bool>, Reason, &str) {
    let condition = &step.conditions[&kind];
    (condition.status, condition.reason, &condition.message)
}

const CHAIN: &str = "c: 1.0.0 <- 1.1.0 <- 2.0.0";

#[test]
fn updates_are_made_hop_by_hop_until_nothing_changes() {
    let line = follow(&installed("1.0.0"), &[Some(&read(CHAIN))]);
    assert_eq!(shown(&line), ["0 1.1.0 from p.v1.0.0", "0 2.0.0 from p.v1.1.0", "0 2.0.0 Reapplied"]);
    let last = line.last().unwrap();
    let installed = "Installed bundle example.com/p:2.0.0 successfully";
    assert_eq!(condition(last, ConditionType::Installed), (Some(true), Reason::Succeeded, installed));
    let progressing = (Some(true), Reason::Succeeded, "Desired state reached");
    assert_eq!(condition(last, ConditionType::Progressing), progressing);
    assert_eq!(last.conditions.len(), 6, "all conditions are always there");
}

#[test]
fn a_new_extension_without_a_bundle() {
    let line = follow(&extension().version("9.0.0"), &[Some(&read(CHAIN))]);
    assert_eq!(shown(&line), ["0 nothing Nothing"]);
    let [step] = &line[..] else { panic!("one reconciliation") };
    assert_eq!(condition(step, ConditionType::Installed), (Some(false), Reason::Failed, "No bundle installed"));
    let error = "no bundles found for package \"p\" matching version \"9.0.0\"";
    assert_eq!(condition(step, ConditionType::Progressing), (Some(true), Reason::Retrying, error));
    let absent = (None, Reason::Absent, "no bundle installed yet");
    assert_eq!(condition(step, ConditionType::BundleDeprecated), absent);
}

#[test]
fn the_installed_bundle_stays_when_the_resolution_fails() {
    let line = follow(&extension(), &[Some(&read("bundle 1.0.0")), Some(&read("bundle 2.0.0"))]);
    assert_eq!(shown(&line), ["0 1.0.0 Installed", "0 1.0.0 Reapplied", "1 1.0.0 Kept"]);
    let step = &line[2];
    assert_eq!(condition(step, ConditionType::Installed).0, Some(true));
    let error = "error upgrading from currently installed version \"1.0.0\": no bundles found for package \"p\"";
    assert_eq!(condition(step, ConditionType::Progressing), (Some(true), Reason::Retrying, error));
    let unknown = (None, Reason::DeprecationStatusUnknown, "deprecation status unknown: catalog data unavailable");
    for kind in [ConditionType::Deprecated, ConditionType::PackageDeprecated, ConditionType::BundleDeprecated] {
        assert_eq!(condition(step, kind), unknown);
    }
}

#[test]
fn without_any_catalog_the_installed_bundle_is_applied_again() {
    let catalog = read("bundle 1.0.0");
    let line = follow(&extension(), &[Some(&catalog), None]);
    assert_eq!(shown(&line)[2], "1 1.0.0 FellBack");
    assert_eq!(condition(&line[2], ConditionType::Progressing).1, Reason::Succeeded);
    assert_eq!(condition(&line[2], ConditionType::Deprecated).1, Reason::DeprecationStatusUnknown);
    // The same version as text is no change, a range is always one.
    let change = |range: &str| follow(&extension().version(range), &[Some(&catalog), None])[2].change.clone();
    assert_eq!(change("1.0.0"), ReconciliationEffect::FellBack);
    assert_eq!(change(">=1.0.0"), ReconciliationEffect::Kept);
    assert_eq!(change("1.0"), ReconciliationEffect::Kept);
}

#[test]
fn an_unavailable_catalog_counts_as_existing() {
    let object = ClusterCatalog { availability: Availability::Unavailable, ..ClusterCatalog::new("a".into()) };
    let catalog = read("bundle 1.0.0");
    let line = timeline(&installed("1.0.0"), &[vec![CatalogState { object: &object, content: Some(&catalog) }]]);
    assert_eq!(shown(&line), ["0 1.0.0 Kept"]);
}

#[test]
fn another_image_of_the_same_version_is_applied_in_place() {
    let before = "schema: olm.bundle\npackage: p\nname: p.v1.0.0\nimage: old\nproperties: [{type: olm.package, value: {packageName: p, version: 1.0.0}}]\n";
    let after = of_text(&before.replace("image: old", "image: new"));
    let line = follow(&extension(), &[Some(&of_text(before)), Some(&after), Some(&after)]);
    assert_eq!(shown(&line)[2..], ["1 1.0.0 swapped old", "2 1.0.0 Reapplied"]);
    assert_eq!(condition(&line[2], ConditionType::Installed).2, "Installed bundle new successfully");
}

#[test]
fn releases_are_recorded_in_the_version() {
    let one = read("c: 1.0.0+1");
    let two = read("c: 1.0.0+2 (replaces 1.0.0+1)\nbundle 1.0.0+1");
    let line = follow(&extension(), &[Some(&one), Some(&two)]);
    assert_eq!(shown(&line)[2..], ["1 1.0.0+2 from p.v1.0.0+1", "1 1.0.0+2 Reapplied"]);
}

#[test]
fn deprecations_are_about_the_installed_bundle_and_the_selected_channels() {
    let deprecations = "---\nschema: olm.deprecations\npackage: p\nentries:\n\
                        - {reference: {schema: olm.package}, message: package}\n\
                        - {reference: {schema: olm.channel, name: c}, message: c}\n\
                        - {reference: {schema: olm.channel, name: d}, message: d}\n\
                        - {reference: {schema: olm.bundle, name: p.v2.0.0}, message: bundle}\n";
    let text = |version: &str| {
        format!(
            "---\nschema: olm.channel\npackage: p\nname: c\nentries: [{{name: p.v{version}}}]\n---\nschema: olm.bundle\npackage: p\nname: p.v{version}\nimage: i\nproperties: [{{type: olm.package, value: {{packageName: p, version: {version}}}}}]\n{deprecations}"
        )
    };
    let (clean, deprecated) = (of_text(&text("1.0.0")), of_text(&text("2.0.0")));
    let last = |extension: &ClusterExtension, catalog| follow(extension, &[Some(catalog)]).pop().unwrap();
    let step = last(&extension(), &deprecated);
    assert_eq!(condition(&step, ConditionType::Deprecated), (Some(true), Reason::Deprecated, "package\nc\nd\nbundle"));
    assert_eq!(condition(&step, ConditionType::ChannelDeprecated).2, "c\nd");
    let step = last(&extension().channels(&["c"]), &clean);
    assert_eq!(condition(&step, ConditionType::ChannelDeprecated).2, "c");
    let bundle = (Some(false), Reason::NotDeprecated, "bundle not deprecated");
    assert_eq!(condition(&step, ConditionType::BundleDeprecated), bundle);
    let step = last(&extension(), &read("bundle 1.0.0"));
    assert_eq!(condition(&step, ConditionType::Deprecated), (Some(false), Reason::NotDeprecated, "not deprecated"));
}

/// The last reconciliation of an extension at 1.0.0, for which OLM v1 refuses this in `p.v2.0.0`.
fn refusing(refusals: &[Refusal]) -> Reconciliation {
    let (object, content) = (ClusterCatalog::new("a".into()), read(CHAIN));
    let states = [vec![CatalogState { object: &object, content: Some(&content) }]];
    let refused =
        |resolved: &Resolved| if resolved.bundle.as_str() == "p.v2.0.0" { refusals.to_vec() } else { Vec::new() };
    let mut line = timeline_with_refusals(&installed("1.0.0"), &states, &refused);
    assert_eq!(shown(&line), ["0 1.1.0 from p.v1.0.0", "0 1.1.0 Kept"]);
    line.pop().expect("the refused update is the last one")
}

#[test]
fn a_refused_bundle_is_not_installed() {
    let errors = [ManifestError::DuplicateCrd("a.x".into()), ManifestError::MissingCrd("b.x".into())];
    let last = refusing(&errors.map(Refusal::Manifests));
    let error = "error for resolved bundle \"p.v2.0.0\" with version \"2.0.0\": bundle contains duplicate custom resource definition 'a.x'\ncluster service definition references owned custom resource definition 'b.x' not found in bundle";
    assert_eq!(condition(&last, ConditionType::Progressing), (Some(true), Reason::Retrying, error));
    let installed = (Some(true), Reason::Succeeded, "Installed bundle example.com/p:1.1.0 successfully");
    assert_eq!(condition(&last, ConditionType::Installed), installed);
}

#[test]
fn a_bundle_with_owned_api_services_is_resolved_and_then_refused() {
    let services = Refusal::ApiServices { names: ["v1.x".into()].into() };
    let modes = Refusal::InstallModes { supported: [].into(), takes_others: false };
    let last = refusing(&[services, modes, Refusal::Manifests(ManifestError::DuplicateCrd("a.x".into()))]);
    let error = "error for resolved bundle \"p.v2.0.0\" with version \"2.0.0\": unsupported bundle: apiServiceDefintions are not supported";
    assert_eq!(condition(&last, ConditionType::Progressing), (Some(true), Reason::Retrying, error));
}

#[test]
fn only_what_olm_meets_first_is_in_the_message() {
    let configuration = Refusal::Configuration(ConfigError { faults: vec![ConfigFault::Missing] });
    let manifests = Refusal::Manifests(ManifestError::DuplicateCrd("a.x".into()));
    let last = refusing(&[configuration.clone(), manifests]);
    let error = "error for resolved bundle \"p.v2.0.0\" with version \"2.0.0\": invalid ClusterExtension configuration: invalid configuration: required field \"watchNamespace\" is missing";
    assert_eq!(condition(&last, ConditionType::Progressing), (Some(false), Reason::InvalidConfiguration, error));
    let last = refusing(&[Refusal::InstallModes { supported: [].into(), takes_others: false }, configuration]);
    let (status, reason, message) = condition(&last, ConditionType::Progressing);
    assert_eq!((status, reason), (Some(true), Reason::Retrying));
    assert!(message.ends_with(": unsupported bundle: bundle does not support AllNamespaces install mode"), "{message}");
}
