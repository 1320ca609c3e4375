//! The form as a view of manifests: what is read again, and which bytes its edits change.

use crate::testing::{form, with_form};
use crate::{form_edits, set_form};
use session::Workbench;
use session::testing::{example, workbench};
use views::{
    CatalogField, ClusterForm, ExtensionField, ExtensionForm, FormChange, FormPlace, SimulationView, SubscriptionField,
    SubscriptionForm, SubscriptionStatus, TextEdit,
};

const CATALOG: &str = "package p c\nchannel p c p.v3.0.0>p.v2.0.0 p.v2.0.0>p.v1.0.0 p.v1.0.0\nchannel p d p.v2.0.0>p.v1.0.0\nbundle p 1.0.0 provides It's\nbundle p 2.0.0 requires q >=1.0.0\nbundle p 3.0.0\npackage q yes\nchannel q yes q.v1.0.0\nbundle q 1.0.0";

fn row(package: &str, installed: &str) -> SubscriptionForm {
    SubscriptionForm { package: package.to_owned(), installed: installed.to_owned(), ..SubscriptionForm::default() }
}

fn extension(installed: &str) -> ExtensionForm {
    ExtensionForm { package: "p".to_owned(), installed: installed.to_owned(), ..ExtensionForm::default() }
}

fn extensions(extensions: Vec<ExtensionForm>) -> ClusterForm {
    ClusterForm { extensions, ..ClusterForm::default() }
}

fn text(workbench: &Workbench) -> String {
    workbench.cluster_manifests().0.to_owned()
}

fn change(workbench: &mut Workbench, change: FormChange) {
    let edits = form_edits(workbench, "", &change);
    let text = TextEdit::applied(&edits, &text(workbench)).expect("the edits fit");
    workbench.set_cluster(&text);
}

fn set(workbench: &mut Workbench, at: FormPlace, value: &str) {
    change(workbench, FormChange::Set { at, text: value.to_owned() });
}

#[test]
fn a_form_is_read_again_as_it_was_written() {
    let starting = SubscriptionForm {
        channel: "yes".to_owned(),
        starting_csv: "q.v1.0.0".to_owned(),
        name: "on".to_owned(),
        catalog: "gone".to_owned(),
        ..row("q", "")
    };
    let named =
        |name: &str, row: SubscriptionForm| SubscriptionForm { name: name.to_owned(), catalog: "c".to_owned(), ..row };
    let manual = SubscriptionForm { approval: "Manual".to_owned(), ..row("p", "p.v1.0.0") };
    let full = ExtensionForm {
        name: "mine".to_owned(),
        version: ">=1.0.0 ".to_owned(),
        channels: "c, d".to_owned(),
        policy: "SelfCertified".to_owned(),
        selector: "team=a, tier=gold".to_owned(),
        namespace: "apps".to_owned(),
        ..extension("p.v1.0.0")
    };
    let form = ClusterForm {
        subscriptions: vec![manual.clone(), starting.clone(), row("p", "p.v9.0.0")],
        target_namespaces: Some("a, b".to_owned()),
        extensions: vec![full.clone(), extension("")],
        cluster_catalogs: Vec::new(),
    };
    let second = ExtensionForm { name: "p".to_owned(), namespace: "p".to_owned(), ..extension("") };
    let expected = ClusterForm {
        subscriptions: vec![named("p", manual), starting, named("p-2", row("p", "p.v9.0.0"))],
        extensions: vec![full, second],
        ..form.clone()
    };
    let workbench = with_form(workbench(&[("c", CATALOG)]), &form);
    assert_eq!(crate::form(&workbench, ""), expected, "{}", text(&workbench));
}

#[test]
fn rows_of_each_example_can_be_changed_and_removed() {
    for slug in session::examples().iter().flat_map(|theme| &theme.examples).map(|row| &row.slug) {
        let mut workbench = example(slug);
        let (before, read) = (text(&workbench), crate::form(&workbench, ""));
        let findings = workbench.cluster_manifests().1.diagnostics.len();
        for at in 0..read.subscriptions.len() as u32 {
            let places = [SubscriptionField::Channel, SubscriptionField::Approval];
            let changes = places.into_iter().zip(["other", "Manual"]).map(|(field, value)| FormChange::Set {
                at: FormPlace::Subscription(at, field),
                text: value.to_owned(),
            });
            let mut expected = read.clone();
            for made in changes {
                expected.apply(&made);
                change(&mut workbench, made);
            }
            assert_eq!(crate::form(&workbench, ""), expected, "{slug}\n{}", text(&workbench));
            assert_eq!(workbench.cluster_manifests().1.diagnostics.len(), findings, "{slug}\n{}", text(&workbench));
            change(&mut workbench, FormChange::RemoveSubscription(at));
            if read.subscriptions.len() > 1 {
                assert_eq!(crate::form(&workbench, "").subscriptions.len(), read.subscriptions.len() - 1, "{slug}");
            }
            workbench.set_cluster(&before);
        }
    }
}

#[test]
fn a_change_leaves_the_rest_of_the_text_as_it_is() {
    const TEXT: &str = "# mine\nkind: Subscription\nmetadata: {name: s, namespace: apps, labels: {a: b}}\nspec:\n  name: p # the package\n  source: c\n  sourceNamespace: olm\n  config: {env: []}\n---\nkind: ConfigMap\nmetadata: {name: m}\n";
    let mut workbench = workbench(&[("c", CATALOG)]).with_cluster(TEXT);
    let read = SubscriptionForm { name: "s".to_owned(), catalog: "c".to_owned(), ..row("p", "") };
    assert_eq!(crate::form(&workbench, "").subscriptions, [read]);
    let at = |field| FormPlace::Subscription(0, field);
    set(&mut workbench, at(SubscriptionField::Channel), "d");
    assert_eq!(text(&workbench), TEXT.replace("  name: p", "  channel: d\n  name: p"));
    set(&mut workbench, at(SubscriptionField::Channel), "");
    assert_eq!(text(&workbench), TEXT);
    set(&mut workbench, at(SubscriptionField::Package), "q");
    assert_eq!(text(&workbench), TEXT.replace("name: p #", "name: q #"));
    change(&mut workbench, FormChange::RemoveSubscription(0));
    assert_eq!(text(&workbench), "kind: ConfigMap\nmetadata: {name: m}\n");
    set(&mut workbench, at(SubscriptionField::Package), "q");
    assert_eq!(text(&workbench), "kind: ConfigMap\nmetadata: {name: m}\n", "there is no such row");
}

#[test]
fn an_installed_csv_comes_and_goes_with_its_row() {
    let mut workbench = with_form(workbench(&[("c", CATALOG)]), &form(&[row("p", "p.v1.0.0"), row("q", "")]));
    let csvs = |workbench: &Workbench| -> Vec<String> {
        workbench.cluster_manifests().1.cluster.csvs.iter().map(|csv| csv.installed.name.to_string()).collect()
    };
    assert_eq!(csvs(&workbench), ["p.v1.0.0"]);
    set(&mut workbench, FormPlace::Subscription(0, SubscriptionField::Installed), "2.0.0");
    assert_eq!(csvs(&workbench), ["p.v2.0.0"]);
    change(&mut workbench, FormChange::RemoveSubscription(0));
    assert_eq!(csvs(&workbench), Vec::<String>::new());
    assert_eq!(crate::form(&workbench, "").subscriptions.len(), 1);
}

#[test]
fn manifests_without_csvs_show_those_of_the_status() {
    const TEXT: &str = "kind: Subscription\nmetadata: {name: p, namespace: apps}\nspec: {name: p, source: c, sourceNamespace: olm}\nstatus: {installedCSV: p.v1.0.0}\n";
    let mut workbench = workbench(&[("c", CATALOG)]).with_cluster(TEXT);
    assert_eq!(crate::form(&workbench, "").subscriptions[0].installed, "p.v1.0.0");
    change(&mut workbench, FormChange::AddSubscription(Box::new(row("q", "q.v1.0.0"))));
    let cluster = &workbench.cluster_manifests().1.cluster;
    assert_eq!((cluster.csvs.len(), cluster.assumed_csvs()), (2, 0), "what is written is complete");
    let other = format!("{TEXT}---\nkind: ClusterServiceVersion\nmetadata: {{name: x.v1, namespace: other}}\n");
    assert_eq!(crate::form(&workbench.with_cluster(&other), "").subscriptions[0].installed, "");
}

#[test]
fn lists_and_json_keep_their_form() {
    const LIST: &str = "apiVersion: v1\nkind: List\nitems:\n- kind: Subscription\n  metadata: {name: a, namespace: apps}\n  spec: {name: p, source: c, sourceNamespace: olm}\n- kind: Subscription\n  metadata: {name: q, namespace: apps}\n  spec: {name: q, source: c, sourceNamespace: olm}\n";
    let mut yaml = workbench(&[("c", CATALOG)]).with_cluster(LIST);
    change(&mut yaml, FormChange::RemoveSubscription(0));
    set(&mut yaml, FormPlace::Subscription(0, SubscriptionField::Channel), "yes");
    assert!(text(&yaml).contains("- null\n- kind") && text(&yaml).contains("\"channel\": \"yes\""), "{}", text(&yaml));
    let json = r#"{"kind": "Subscription", "metadata": {"name": "p", "namespace": "apps"}, "spec": {"name": "p", "source": "c", "sourceNamespace": "olm"}}"#;
    let mut workbench = workbench(&[("c", CATALOG)]).with_cluster(json);
    change(&mut workbench, FormChange::AddSubscription(Box::new(row("q", "q.v1.0.0"))));
    assert!(text(&workbench).starts_with(json), "{}", text(&workbench));
    change(&mut workbench, FormChange::RemoveSubscription(0));
    let rows = crate::form(&workbench, "").subscriptions;
    assert_eq!((rows.len(), &*rows[0].installed), (1, "q.v1.0.0"), "{}", text(&workbench));
}

/// A ClusterCatalog with these fields.
fn cluster_catalog(name: &str, fields: &str) -> String {
    format!(
        "---\napiVersion: olm.operatorframework.io/v1\nkind: ClusterCatalog\nmetadata: {{name: {name}, labels: {{tier: {name}}}}}\n\
         spec: {{source: {{type: Image, image: {{ref: i}}}}{fields}}}\n"
    )
}

/// The simulation of a form, with these ClusterCatalogs.
fn simulate(form: &ClusterForm, cluster_catalogs: &str) -> SimulationView {
    // OLM v1 installs no bundle that requires another one.
    let catalog = CATALOG.replace(" requires q >=1.0.0", "");
    let workbench = with_form(workbench(&[("c", &catalog), ("e", &catalog)]), form);
    let text = text(&workbench) + cluster_catalogs;
    crate::simulate(&workbench.with_cluster(&text), "")
}

fn verdict(row: ExtensionForm, cluster_catalogs: &str) -> String {
    let view = simulate(&extensions(vec![row]), cluster_catalogs);
    view.extensions.into_iter().map(|row| format!("{}: {}", row.name, row.verdict)).collect()
}

#[test]
fn an_extension_is_resolved_by_the_fields_of_its_row() {
    // Of two catalogs with the same priority OLM v1 takes neither.
    let both = cluster_catalog("c", ", priority: 1") + &cluster_catalog("e", "");
    let of = |row: ExtensionForm| verdict(row, &both);
    assert_eq!(of(extension("")), "p: installs `p.v3.0.0`");
    assert_eq!(of(extension("p.v1.0.0")), "p: goes to `p.v3.0.0`");
    assert_eq!(of(extension("2.0.0")), "p: goes to `p.v3.0.0`", "named by its version");
    let ranged = ExtensionForm { version: "<3".to_owned(), ..extension("") };
    assert_eq!(of(ranged), "p: installs `p.v2.0.0`");
    let listed = ExtensionForm { channels: " d, ".to_owned(), ..extension("") };
    assert_eq!(of(listed), "p: installs `p.v2.0.0`");
    let certified =
        ExtensionForm { version: "1.0.0".to_owned(), policy: "SelfCertified".to_owned(), ..extension("p.v3.0.0") };
    assert_eq!(of(certified), "p: goes to `p.v1.0.0`");
    let selects = |tier: &str| ExtensionForm { selector: format!("tier={tier}"), ..extension("") };
    assert_eq!(of(selects("gold")), "p: gets a bundle that cannot be known here", "another ClusterCatalog may be gold");
    assert_eq!(of(selects("e")), "p: installs `p.v3.0.0`");
    assert_eq!(of(ExtensionForm::default()), "", "a row without a package is no extension yet");
}

#[test]
fn cluster_catalogs_are_changed_at_their_fields() {
    let text_of = |field, value: &str| {
        let mut workbench = workbench(&[]).with_cluster(&cluster_catalog("c", ", priority: 1"));
        set(&mut workbench, FormPlace::Catalog("c".to_owned(), field), value);
        text(&workbench)
    };
    assert_eq!(text_of(CatalogField::Priority, "-3"), cluster_catalog("c", ", \"priority\": -3"));
    assert!(text_of(CatalogField::Availability, "Unavailable").contains("\"availabilityMode\": \"Unavailable\""));
    assert!(text_of(CatalogField::Labels, "tier=gold, a=b").contains("\"tier\":\"gold\""));
}

#[track_caller]
fn check_fault(row: ExtensionForm, field: ExtensionField, expected: &[&str]) {
    let faults = simulate(&extensions(vec![ExtensionForm::default(), row]), "").faults;
    assert!(faults.iter().all(|fault| fault.at == FormPlace::Extension(1, field)), "{faults:?}");
    assert_eq!(faults.len(), expected.len(), "{faults:?}");
    for (fault, expected) in faults.iter().zip(expected) {
        assert!(fault.message.ends_with(expected), "{faults:?}");
    }
}

#[test]
fn faults_are_at_their_fields() {
    let row = extension("");
    check_fault(row.clone(), ExtensionField::Version, &[]);
    let rejected = "invalid version expression";
    let version = |text: &str| ExtensionForm { version: text.to_owned(), ..extension("") };
    check_fault(version("1.0 - 2.0"), ExtensionField::Version, &[rejected]);
    let unreadable = "OLM v1 cannot read the version range: `improper constraint: >=1.x.y`";
    check_fault(version(">=1.x.y"), ExtensionField::Version, &[unreadable, rejected]);
    let channels = "channels entries must be valid DNS1123 subdomains";
    check_fault(ExtensionForm { channels: "A_b".to_owned(), ..row.clone() }, ExtensionField::Channels, &[channels]);
    let namespace = "namespace must be a valid DNS1123 label";
    check_fault(ExtensionForm { namespace: "a.b".to_owned(), ..row.clone() }, ExtensionField::Namespace, &[namespace]);
    let labels = "expected labels such as `key=value`, separated by commas, found `gold`";
    check_fault(ExtensionForm { selector: "gold".to_owned(), ..row }, ExtensionField::Selector, &[labels]);
    let unknown =
        "no loaded catalog has a bundle or version `p.v9.0.0` of this package, so its version is taken from its name";
    check_fault(extension("p.v9.0.0"), ExtensionField::Installed, &[unknown]);
}

#[test]
fn a_priority_is_a_whole_number() {
    let faults = simulate(&ClusterForm::default(), &cluster_catalog("c", ", priority: high")).faults;
    assert_eq!(faults.len(), 1);
    assert_eq!(faults[0].at, FormPlace::Catalog("c".to_owned(), CatalogField::Priority));
    assert_eq!(faults[0].message, "`spec.priority` must be a whole number from -2147483648 to 2147483647, found text");
}

#[test]
fn a_row_to_be_filled_in_is_no_error() {
    let form = ClusterForm { extensions: vec![ExtensionForm::default()], ..form(&[SubscriptionForm::default()]) };
    let view = simulate(&form, "");
    let findings = view.manifests.unwrap().findings;
    assert!(!findings.is_empty() && findings.iter().all(|found| found.severity == views::Severity::Warning));
    assert_eq!((view.faults, view.extensions), (vec![], vec![]));
}

#[test]
fn an_unknown_package_is_searched_in_the_catalog_with_the_nearest_name() {
    let first = "package kettle c\nchannel kettle c kettle.v1.0.0\nbundle kettle 1.0.0";
    let second = "package app c\nchannel app c app.v1.0.0\nbundle app 1.0.0";
    let failure = |catalogs: &[(&str, &str)], row: SubscriptionForm| {
        let view = crate::simulate(&with_form(workbench(catalogs), &form(&[row])), "");
        view.outcomes[0].steps[0].failure.clone().unwrap()
    };
    for catalog in ["", "second"] {
        let row = SubscriptionForm { catalog: catalog.to_owned(), ..row("appp", "") };
        let found = failure(&[("first", first), ("second", second)], row);
        let said = "no operators found in package appp in the catalog referenced by subscription appp";
        assert!(found.message.text.contains(said), "{}", found.message.text);
        let hints: Vec<_> = found.conflicts[0].funnels.iter().flat_map(|funnel| &funnel.hints).collect();
        assert_eq!((hints[0].text.as_str(), hints[0].edit.is_some()), ("Did you mean package `app`?", true));
    }
    let text = failure(&[("first", first)], row("zzz", "")).conflicts[0].funnels[0].stages[0].text.clone();
    assert_eq!(text, "in catalog `first`", "it has a name all the same");
}

#[test]
fn a_version_stands_for_its_csv_and_an_unknown_name_is_a_fault() {
    let mut workbench = workbench(&[("c", CATALOG)]);
    let of = |installed: &str| form(&[row("p", installed)]);
    set_form(&mut workbench, &of("1.0.0"));
    assert_eq!(crate::form(&workbench, "").subscriptions[0].installed, "p.v1.0.0");
    let view = crate::simulate(&workbench, "");
    assert_eq!((view.outcomes[0].subscriptions[0].installed.as_deref(), view.faults.len()), (Some("p.v1.0.0"), 0));
    set_form(&mut workbench, &of("p.v1.0.O"));
    let SimulationView { faults, outcomes, .. } = crate::simulate(&workbench, "");
    // The simulation does not judge its updates.
    let found = &outcomes[0].subscriptions[0];
    assert_eq!((found.status, found.behind.is_none(), found.fixes.len()), (SubscriptionStatus::Unknown, true, 0));
    assert_eq!(found.verdict, format!("is not judged: {}", faults[0].message));
    assert!(outcomes[0].steps.iter().all(|step| step.kept.is_empty()), "nor do its steps");
    assert_eq!(faults[0].at, FormPlace::Subscription(0, SubscriptionField::Installed));
    let message = "no loaded catalog has a CSV or version `p.v1.0.O` of this package; did you mean `p.v1.0.0`";
    assert!(faults[0].message.starts_with(message), "{}", faults[0].message);
    // Nor is a version that no catalog has.
    for version in ["9.9.9", "1.1.09", "v1.1"] {
        set_form(&mut workbench, &of(version));
        let status = crate::simulate(&workbench, "").outcomes[0].subscriptions[0].status;
        assert_eq!(status, SubscriptionStatus::Unknown, "{version}");
    }
    // One that a range covers is a version like others, also by its number.
    let ranged = "package q c\nchannel q c q.v1.1.0~>=0.5.0_<1.1.0\nbundle q 1.1.0";
    for text in ["0.7.0", "q.v0.7.0"] {
        let mut workbench = session::testing::workbench(&[("c", ranged)]);
        set_form(&mut workbench, &form(&[row("q", text)]));
        let view = crate::simulate(&workbench, "");
        let found = &view.outcomes[0].subscriptions[0];
        assert_eq!((&*found.verdict, view.faults.len()), ("ends at q.v1.1.0", 0), "{text}");
        let row = ExtensionForm { package: "q".to_owned(), installed: text.to_owned(), ..ExtensionForm::default() };
        set_form(&mut workbench, &ClusterForm { extensions: vec![row], ..ClusterForm::default() });
        let view = crate::simulate(&workbench, "");
        assert_eq!((view.faults.len(), view.extensions.len()), (0, 1), "{text}");
        assert!(view.extensions[0].verdict.contains("q.v1.1.0"), "{}", view.extensions[0].verdict);
    }
    // A bundle that the catalogs have dropped is judged.
    set_form(&mut workbench, &of("p.v0.9.0"));
    assert_ne!(crate::simulate(&workbench, "").outcomes[0].subscriptions[0].status, SubscriptionStatus::Unknown);
    // Another package is another fault.
    set_form(&mut workbench, &form(&[row("unknown", "unknown.v1")]));
    assert_eq!(crate::simulate(&workbench, "").faults, []);
}
