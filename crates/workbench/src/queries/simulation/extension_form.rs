//! The ClusterExtensions and ClusterCatalogs of the form. They are written as manifests and read like any others, so that
//! both are validated by the same rules.

use crate::Workbench;
use crate::manifest_text::MANIFESTS;
use extension::{Availability, ClusterCatalog, ClusterExtension, InstalledBundle, UpgradeConstraintPolicy};
use masterminds_semver::Constraints;
use serde_json::{Map, Value, json};
use simulate::{FieldFinding, FieldPath, Manifests, read_with_fields};
use std::collections::{BTreeMap, BTreeSet};
use views::{
    CatalogAvailability, CatalogField, ClusterCatalogForm, ClusterForm, ExtensionField, ExtensionForm, FormFault,
    FormPlace, UpgradePolicy,
};

const API_VERSION: &str = "olm.operatorframework.io/v1";

/// The fields of a manifest that have a field of the form.
const PATHS: [(&str, ExtensionField); 6] = [
    ("spec.source.catalog.packageName", ExtensionField::Package),
    ("spec.source.catalog.version", ExtensionField::Version),
    ("spec.source.catalog.channels", ExtensionField::Channels),
    ("spec.source.catalog.selector", ExtensionField::Selector),
    ("spec.namespace", ExtensionField::Namespace),
    ("metadata.name", ExtensionField::Name),
];

/// What the form has of OLM v1.
#[derive(Default)]
pub(super) struct FormObjects {
    /// Its objects, as if they had been read from manifests.
    pub(super) manifests: Manifests,
    /// What is wrong with its fields.
    pub(super) faults: Vec<FormFault>,
}

/// An object of the form as a manifest.
struct FormObject {
    document: Value,
    faults: Vec<FormFault>,
    /// The field of the form that shows what is wrong with the object as a whole.
    place: FormPlace,
}

/// The objects of the form. Without ClusterExtensions nothing looks at the ClusterCatalogs.
pub(super) fn read(workbench: &Workbench, form: &ClusterForm) -> FormObjects {
    let mut found = FormObjects::default();
    for FormObject { document, faults, place } in objects(workbench, form) {
        let (read, findings) = read_with_fields(MANIFESTS, &fbc::to_yaml(&document));
        found.faults.extend(faults);
        let fault = |FieldFinding { diagnostic, field }: FieldFinding| FormFault {
            at: place_of(field.as_ref(), &place),
            message: diagnostic.message,
        };
        found.faults.extend(findings.into_iter().map(fault));
        found.manifests.cluster_catalogs.extend(read.cluster_catalogs);
        found.manifests.cluster_extensions.extend(read.cluster_extensions);
        found.manifests.rejected_extensions.extend(read.rejected_extensions);
    }
    found
}

/// The manifests of these objects as YAML.
pub(super) fn documents(workbench: &Workbench, form: &ClusterForm) -> Vec<String> {
    let text = |object: FormObject| {
        let text = fbc::to_yaml(&object.document);
        let is_catalog = object.document["kind"] == "ClusterCatalog";
        if is_catalog { format!("# Replace `ref` by the image of the catalog.\n{text}") } else { text }
    };
    objects(workbench, form).map(text).collect()
}

fn objects<'f>(workbench: &'f Workbench, form: &'f ClusterForm) -> impl Iterator<Item = FormObject> + 'f {
    let is_used = !form.extensions.is_empty() || !form.cluster_catalogs.is_empty();
    let rows = form.extensions.iter().zip(form.extension_names()).zip(0..).filter(|((_, name), _)| !name.is_empty());
    let catalogs = catalogs(workbench, form).into_iter().filter(move |_| is_used);
    catalogs.map(|row| catalog_object(&row)).chain(rows.map(|((row, name), at)| extension(workbench, row, &name, at)))
}

/// The ClusterCatalogs: one for each loaded catalog, and those that the form has besides.
fn catalogs(workbench: &Workbench, form: &ClusterForm) -> Vec<ClusterCatalogForm> {
    let row = |name: &str| form.cluster_catalogs.iter().find(|row| row.name == name);
    let loaded: Vec<&str> = workbench.catalogs().iter().map(|catalog| catalog.name.as_str()).collect();
    let mut seen = BTreeSet::new();
    let of_loaded = loaded.iter().filter(|name| seen.insert(**name));
    let mut rows: Vec<ClusterCatalogForm> =
        of_loaded.map(|name| row(name).cloned().unwrap_or_else(|| ClusterCatalogForm::new(name))).collect();
    rows.extend(form.cluster_catalogs.iter().filter(|row| !loaded.contains(&&*row.name)).cloned());
    rows
}

fn catalog_object(row: &ClusterCatalogForm) -> FormObject {
    let at = |field| FormPlace::Catalog(row.name.clone(), field);
    let mut faults = Vec::new();
    let mut metadata = json!({ "name": row.name });
    if let Some(labels) = labels(&row.labels, at(CatalogField::Labels), &mut faults) {
        metadata["labels"] = labels;
    }
    // The API demands an image, which the loaded catalog does not tell.
    let mut spec =
        json!({ "source": { "type": "Image", "image": { "ref": format!("example.com/{}:latest", row.name) } } });
    match row.priority.parse::<i32>() {
        Ok(priority) => spec["priority"] = json!(priority),
        Err(_) if row.priority.is_empty() => {}
        Err(_) => {
            let message = format!("expected a whole number from {} to {}", i32::MIN, i32::MAX);
            faults.push(FormFault { at: at(CatalogField::Priority), message });
        }
    }
    if row.availability == CatalogAvailability::Unavailable {
        spec["availabilityMode"] = json!("Unavailable");
    }
    FormObject { document: document("ClusterCatalog", metadata, spec), faults, place: at(CatalogField::Labels) }
}

fn extension(workbench: &Workbench, row: &ExtensionForm, name: &str, index: u32) -> FormObject {
    let at = move |field| FormPlace::Extension(index, field);
    let mut faults = Vec::new();
    let mut filter = json!({ "packageName": row.package });
    if !row.version.is_empty() {
        filter["version"] = json!(row.version);
        if let Err(error) = Constraints::parse(&row.version) {
            let message = format!("OLM v1 cannot read the version range: `{error}`");
            faults.push(FormFault { at: at(ExtensionField::Version), message });
        }
    }
    let channels: Vec<&str> = listed(&row.channels).collect();
    if !channels.is_empty() {
        filter["channels"] = json!(channels);
    }
    if row.policy == UpgradePolicy::SelfCertified {
        filter["upgradeConstraintPolicy"] = json!("SelfCertified");
    }
    if let Some(labels) = labels(&row.selector, at(ExtensionField::Selector), &mut faults) {
        filter["selector"] = json!({ "matchLabels": labels });
    }
    let namespace = if row.namespace.is_empty() { name } else { &row.namespace };
    let spec = json!({ "namespace": namespace, "source": { "sourceType": "Catalog", "catalog": filter } });
    let mut document = document("ClusterExtension", json!({ "name": name }), spec);
    if !row.installed.is_empty() {
        let known = known_bundle(workbench, &row.package, &row.installed);
        if known.is_none() {
            let message = format!(
                "no loaded catalog has a bundle or version `{}` of this package, so its version is taken from its name",
                row.installed
            );
            faults.push(FormFault { at: at(ExtensionField::Installed), message });
        }
        let InstalledBundle { name, version, .. } = known.unwrap_or_else(|| unknown_bundle(row));
        document["status"] = json!({ "install": { "bundle": { "name": name.as_str(), "version": *version } } });
    }
    FormObject { document, faults, place: at(ExtensionField::Name) }
}

/// The field of the form for a field of the manifest; `whole` for the object and for fields that the form does not have.
fn place_of(field: Option<&FieldPath>, whole: &FormPlace) -> FormPlace {
    let FormPlace::Extension(index, _) = whole else { return whole.clone() };
    let known = field.and_then(|field| PATHS.iter().find(|(path, _)| field.is_within(path)));
    known.map_or_else(|| whole.clone(), |(_, field)| FormPlace::Extension(*index, *field))
}

fn document(kind: &str, metadata: Value, spec: Value) -> Value {
    json!({ "apiVersion": API_VERSION, "kind": kind, "metadata": metadata, "spec": spec })
}

/// The bundle of a package with this name, or else with this version, in the first catalog that has one.
fn known_bundle(workbench: &Workbench, package: &str, text: &str) -> Option<InstalledBundle> {
    let packages = || workbench.catalogs().iter().filter_map(|catalog| catalog.analysis.catalog.package(package));
    let named = packages().find_map(|package| package.bundle(text)).map(InstalledBundle::of);
    let mut all = packages().flat_map(|package| &package.bundles).map(InstalledBundle::of);
    named.or_else(|| all.find(|bundle| *bundle.version == *text))
}

fn unknown_bundle(row: &ExtensionForm) -> InstalledBundle {
    let text = &row.installed;
    let (name, version) = match blang_semver::Version::parse(text) {
        Ok(_) => (format!("{}.v{text}", row.package), text.clone()),
        Err(_) => (text.clone(), update_graph::version_in(text).map(|version| version.to_string()).unwrap_or_default()),
    };
    InstalledBundle { name: name.as_str().into(), version: version.into(), release: None }
}

/// The parts of a list that commas separate.
fn listed(text: &str) -> impl Iterator<Item = &str> {
    text.split(',').map(str::trim).filter(|part| !part.is_empty())
}

/// Labels written as `key=value`, separated by commas; `None` if there are none.
fn labels(text: &str, at: FormPlace, faults: &mut Vec<FormFault>) -> Option<Value> {
    let mut labels = Map::new();
    for part in listed(text) {
        match part.split_once('=') {
            Some((key, value)) => drop(labels.insert(key.trim().to_owned(), json!(value.trim()))),
            None => {
                let message = format!("expected labels such as `key=value`, separated by commas, found `{part}`");
                faults.push(FormFault { at: at.clone(), message });
            }
        }
    }
    (!labels.is_empty()).then_some(Value::Object(labels))
}

/// The objects of manifests as rows of the form.
pub(super) fn rows(workbench: &Workbench, manifests: &Manifests) -> (Vec<ExtensionForm>, Vec<ClusterCatalogForm>) {
    let is_loaded = |name: &str| workbench.catalogs().iter().any(|catalog| catalog.name == name);
    let catalogs = manifests.cluster_catalogs.iter().map(catalog_row);
    // The form has such a row for every loaded catalog anyway.
    let says_something = |row: &ClusterCatalogForm| !is_loaded(&row.name) || *row != ClusterCatalogForm::new(&row.name);
    (manifests.cluster_extensions.iter().map(extension_row).collect(), catalogs.filter(says_something).collect())
}

fn catalog_row(catalog: &ClusterCatalog) -> ClusterCatalogForm {
    ClusterCatalogForm {
        name: catalog.name.to_string(),
        priority: if catalog.priority == 0 { String::new() } else { catalog.priority.to_string() },
        availability: match catalog.availability {
            Availability::Available => CatalogAvailability::Available,
            Availability::Unavailable => CatalogAvailability::Unavailable,
        },
        labels: label_text(&catalog.labels),
    }
}

fn extension_row(extension: &ClusterExtension) -> ExtensionForm {
    let unless = |text: &str, default: &str| if text == default { String::new() } else { text.to_owned() };
    let (name, package) = (extension.name.as_str(), extension.package.as_str());
    let channels: Vec<&str> = extension.channels.iter().map(|channel| channel.as_str()).collect();
    ExtensionForm {
        name: unless(name, package),
        package: package.to_owned(),
        version: extension.version.to_string(),
        channels: channels.join(", "),
        policy: match extension.policy {
            UpgradeConstraintPolicy::CatalogProvided => UpgradePolicy::CatalogProvided,
            UpgradeConstraintPolicy::SelfCertified => UpgradePolicy::SelfCertified,
        },
        selector: label_text(&extension.selector.match_labels),
        namespace: unless(&extension.namespace, name),
        installed: extension.installed.as_ref().map(|installed| installed.name.to_string()).unwrap_or_default(),
    }
}

fn label_text(labels: &BTreeMap<Box<str>, Box<str>>) -> String {
    labels.iter().map(|(key, value)| format!("{key}={value}")).collect::<Vec<_>>().join(", ")
}

/// How many ClusterExtensions have something that the form has no field for.
pub(super) fn extensions_beyond(workbench: &Workbench, extensions: &[ClusterExtension]) -> usize {
    let differs = |extension: &&ClusterExtension| {
        let form = ClusterForm { extensions: vec![extension_row(extension)], ..ClusterForm::default() };
        read(workbench, &form).manifests.cluster_extensions != [(*extension).clone()]
    };
    extensions.iter().filter(differs).count()
}

/// How many loaded catalogs have no ClusterCatalog: the form has one for each of them.
pub(super) fn catalogs_beyond(workbench: &Workbench, manifests: &Manifests) -> usize {
    let objects = &manifests.cluster_catalogs;
    if !manifests.has_cluster_catalogs() || manifests.cluster_extensions.is_empty() {
        return 0;
    }
    let has_none = |name: &str| objects.iter().all(|object| object.name.as_str() != name);
    workbench.catalogs().iter().filter(|catalog| has_none(&catalog.name)).count()
}

#[cfg(test)]
mod tests {
    use crate::Workbench;
    use crate::testing::workbench;
    use views::{
        CatalogAvailability, CatalogField, ClusterCatalogForm, ClusterForm, ClusterInput, ExtensionField,
        ExtensionForm, FormPlace, SimulationView, UpgradePolicy,
    };

    const CATALOG: &str = "package p c\nchannel p c p.v3.0.0>p.v2.0.0 p.v2.0.0>p.v1.0.0 p.v1.0.0\nchannel p d p.v2.0.0>p.v1.0.0\nbundle p 1.0.0\nbundle p 2.0.0\nbundle p 3.0.0";

    fn extension(installed: &str) -> ExtensionForm {
        ExtensionForm { package: "p".to_owned(), installed: installed.to_owned(), ..ExtensionForm::default() }
    }

    fn simulate(workbench: Workbench, form: &ClusterForm) -> SimulationView {
        workbench.with_cluster(&ClusterInput::Form(form.clone())).simulate("")
    }

    fn verdicts(extensions: Vec<ExtensionForm>, cluster_catalogs: Vec<ClusterCatalogForm>) -> Vec<String> {
        let form = ClusterForm { extensions, cluster_catalogs, ..ClusterForm::default() };
        let view = simulate(workbench(&[("c", CATALOG), ("e", CATALOG)]), &form);
        view.extensions.into_iter().map(|row| format!("{}: {}", row.name, row.verdict)).collect()
    }

    #[test]
    fn a_row_is_resolved_by_its_fields() {
        // Of two catalogs with the same priority OLM v1 takes neither.
        let first = ClusterCatalogForm { priority: "1".to_owned(), ..ClusterCatalogForm::new("c") };
        let of = |row: ExtensionForm| verdicts(vec![row], vec![first.clone()]).concat();
        assert_eq!(of(extension("")), "p: installs `p.v3.0.0`");
        assert_eq!(of(extension("p.v1.0.0")), "p: goes to `p.v3.0.0`");
        assert_eq!(of(extension("2.0.0")), "p: goes to `p.v3.0.0`", "named by its version");
        let ranged = ExtensionForm { version: "<3".to_owned(), ..extension("") };
        assert_eq!(of(ranged), "p: installs `p.v2.0.0`");
        let listed = ExtensionForm { channels: " d, ".to_owned(), ..extension("") };
        assert_eq!(of(listed), "p: installs `p.v2.0.0`");
        let certified = ExtensionForm {
            version: "1.0.0".to_owned(),
            policy: UpgradePolicy::SelfCertified,
            ..extension("p.v3.0.0")
        };
        assert_eq!(of(certified), "p: goes to `p.v1.0.0`");
        let other = ExtensionForm { selector: "tier=gold".to_owned(), ..extension("") };
        assert_eq!(of(other), "p: installs nothing, and the resolution fails");
        assert_eq!(of(ExtensionForm::default()), "", "a row without a package is no extension yet");
    }

    #[test]
    fn cluster_catalogs_have_labels_and_may_be_unavailable() {
        let gold = ClusterCatalogForm { labels: "tier=gold".to_owned(), ..ClusterCatalogForm::new("e") };
        let selects = ExtensionForm { selector: "tier=gold".to_owned(), ..extension("") };
        assert_eq!(verdicts(vec![selects.clone()], vec![gold.clone()]), ["p: installs `p.v3.0.0`"]);
        let away = ClusterCatalogForm { availability: CatalogAvailability::Unavailable, ..gold };
        assert_eq!(verdicts(vec![selects], vec![away.clone()]), ["p: installs nothing, and the resolution fails"]);
        assert_eq!(verdicts(vec![extension("")], vec![away]), ["p: installs `p.v3.0.0`"], "from the other one");
    }

    #[track_caller]
    fn check_fault(row: ExtensionForm, field: ExtensionField, expected: &[&str]) {
        let form = ClusterForm { extensions: vec![ExtensionForm::default(), row], ..ClusterForm::default() };
        let faults = simulate(workbench(&[("c", CATALOG)]), &form).faults;
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
        check_fault(
            ExtensionForm { version: "1.0 - 2.0".to_owned(), ..row.clone() },
            ExtensionField::Version,
            &[rejected],
        );
        let unreadable = "OLM v1 cannot read the version range: `improper constraint: >=1.x.y`";
        check_fault(
            ExtensionForm { version: ">=1.x.y".to_owned(), ..row.clone() },
            ExtensionField::Version,
            &[unreadable, rejected],
        );
        let channels = "channels entries must be valid DNS1123 subdomains";
        check_fault(ExtensionForm { channels: "A_b".to_owned(), ..row.clone() }, ExtensionField::Channels, &[channels]);
        let namespace = "namespace must be a valid DNS1123 label";
        check_fault(
            ExtensionForm { namespace: "a.b".to_owned(), ..row.clone() },
            ExtensionField::Namespace,
            &[namespace],
        );
        let labels = "expected labels such as `key=value`, separated by commas, found `gold`";
        check_fault(ExtensionForm { selector: "gold".to_owned(), ..row }, ExtensionField::Selector, &[labels]);
        let unknown = "no loaded catalog has a bundle or version `p.v9.0.0` of this package, so its version is taken from its name";
        check_fault(extension("p.v9.0.0"), ExtensionField::Installed, &[unknown]);
    }

    #[test]
    fn a_priority_is_a_whole_number() {
        let row = ClusterCatalogForm { priority: "high".to_owned(), ..ClusterCatalogForm::new("c") };
        let form = ClusterForm { cluster_catalogs: vec![row], ..ClusterForm::default() };
        let faults = simulate(workbench(&[("c", CATALOG)]), &form).faults;
        assert_eq!(faults.len(), 1);
        assert_eq!(faults[0].at, FormPlace::Catalog("c".to_owned(), CatalogField::Priority));
        assert_eq!(faults[0].message, "expected a whole number from -2147483648 to 2147483647");
    }

    #[test]
    fn exported_objects_give_the_same_form() {
        let workbench = workbench(&[("c", CATALOG)]);
        let full = ExtensionForm {
            name: "mine".to_owned(),
            version: ">=1.0.0".to_owned(),
            channels: "c, d".to_owned(),
            policy: UpgradePolicy::SelfCertified,
            selector: "team=a, tier=gold".to_owned(),
            namespace: "apps".to_owned(),
            ..extension("p.v1.0.0")
        };
        let catalog = ClusterCatalogForm {
            priority: "-3".to_owned(),
            labels: "tier=gold".to_owned(),
            availability: CatalogAvailability::Unavailable,
            ..ClusterCatalogForm::new("gone")
        };
        let form = ClusterForm {
            extensions: vec![full, extension("")],
            cluster_catalogs: vec![catalog],
            ..ClusterForm::default()
        };
        let text = workbench.manifests(&form);
        assert!(text.contains("  name: c\n") && !text.contains("OperatorGroup"), "{text}");
        let input = ClusterInput::Manifests(text.clone());
        let read = workbench.with_cluster(&input).simulate("").manifests.unwrap();
        assert_eq!((read.form, read.beyond.as_str(), read.findings), (form, "", vec![]), "{text}");
    }

    #[test]
    fn fields_that_the_form_does_not_have_are_counted() {
        let beyond = |more: &str, catalogs: &str| {
            let text = format!(
                "{catalogs}apiVersion: olm.operatorframework.io/v1\nkind: ClusterExtension\nmetadata: {{name: e}}\nspec:\n  namespace: apps\n  source: {{sourceType: Catalog, catalog: {{packageName: p{more}}}}}\n"
            );
            let input = ClusterInput::Manifests(text);
            workbench(&[("c", CATALOG)]).with_cluster(&input).simulate("").manifests.unwrap().beyond
        };
        assert_eq!(beyond("", ""), "");
        let expression = ", selector: {matchExpressions: [{key: a, operator: Exists}]}";
        assert_eq!(beyond(expression, ""), "1 ClusterExtension with other fields");
        let other = "apiVersion: olm.operatorframework.io/v1\nkind: ClusterCatalog\nmetadata: {name: other}\n---\n";
        assert_eq!(beyond("", other), "1 loaded catalog without ClusterCatalog");
    }
}
