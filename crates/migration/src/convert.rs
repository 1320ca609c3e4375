//! What `convert` does with a Subscription: why it may refuse though the checks pass, where it puts the objects, the
//! ClusterObjectSet, and what it deletes (library-olm `migration/pkg/migration/migration.go`,
//! `migration/examples/cmd/migrate-operators-v0-to-v1/convert.go`).

mod cluster_extension;
mod namespace;
mod object_set;
mod options;
mod recovery;

pub use self::cluster_extension::cluster_extension;
pub(crate) use self::object_set::MOST_OBJECTS;
pub use self::object_set::{ObjectSet, Phase};
pub use self::options::{ConvertOptions, InstallNamespace};
pub use self::recovery::{Cleanup, Recovery, Rollback, recoveries};

use self::object_set::{Bundle, Collected};
use crate::dump::{Dump, V0, V1, text_at};
use crate::eligibility::{Check, CheckOutcome, Eligibility, MigrationState, install_plan, installed_version, lookup};
use serde_json::{Value, json};

const CONTROLLER: &str = "operator-controller-controller-manager";
/// The checks of readiness; all others but those of catalogs are of compatibility.
const READINESS: [&str; 6] = [
    "ClusterObjectSet API",
    "Subscription state",
    "Installed CSV",
    "Not a dependency",
    "Package uniqueness",
    "CSV health",
];
const SOURCE: &str = "CatalogSource type";
const AVAILABILITY: &str = "Catalog availability";

/// What `convert` does with a Subscription.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Conversion {
    /// The error with which it ends before it changes anything. Its command line writes `migration failed: ` before it.
    pub refusal: Option<String>,
    /// What it checks besides and the manifests do not tell; each goes on after "not known is".
    pub unknown: Vec<String>,
    /// The namespace of the operator afterwards, unless it is refused.
    pub namespace: Option<String>,
    /// The Namespace that it creates, if the manifests show that there is none.
    pub new_namespace: Option<Value>,
    /// The ClusterObjectSet; absent if the installed version is not known, or it is refused.
    pub object_set: Option<ObjectSet>,
    /// What `convert --dry-run` says that it deletes, keeps and moves, in its words. Empty if it is refused.
    pub plan: Vec<String>,
}

/// What `convert` does with a Subscription of this verdict; `None` if the manifests do not have it.
#[must_use]
pub fn conversion(
    dump: &Dump,
    (namespace, name): (&str, &str),
    eligibility: &Eligibility,
    options: &ConvertOptions,
) -> Option<Conversion> {
    let subscription = dump.find(V0, "Subscription", namespace, name)?;
    let package = text_at(subscription, "/spec/name");
    let csv_name = text_at(subscription, "/status/installedCSV");
    let csv = dump.find(V0, "ClusterServiceVersion", namespace, csv_name);
    let refused = |text: String| Some(Conversion { refusal: Some(text), ..Conversion::default() });
    if let Some(text) = wrong_arguments(namespace, options) {
        return refused(text.to_owned());
    }
    let profile = eligibility.reason.strip_prefix("failed to get CSV: ");
    if let Some(error) = profile.filter(|_| eligibility.state == MigrationState::Ineligible) {
        return refused(format!("failed to profile operator: {error}"));
    }
    if dump.find(V1, "ClusterExtension", "", name).is_some() {
        return refused(format!("ClusterExtension {name} already exists"));
    }
    if eligibility.state == MigrationState::Conflict {
        // `convert` does not look at the annotation, and the checks were not made.
        let unknown = vec!["what `convert` does beside the ClusterExtension of another name".to_owned()];
        return Some(Conversion { unknown, ..Conversion::default() });
    }
    let failed = |name: &str| {
        let is_it = |check: &&Check| check.name == name && check.outcome == CheckOutcome::Failed;
        eligibility.checks.iter().find(is_it)
    };
    if let Some(check) = failed(SOURCE) {
        return refused(format!("failed to get bundle info: {}", check.message));
    }
    // Without the CSV it is not known which namespace OLM v1 would name.
    let target = match (csv, &options.install_namespace) {
        (None, InstallNamespace::SystemManaged) => None,
        (csv, wanted) => match namespace::target(wanted, namespace, package, csv.unwrap_or(&Value::Null)) {
            Ok(target) => Some(target),
            Err(text) => return refused(text),
        },
    };
    if let Some(text) = failed_checks(eligibility) {
        return refused(text);
    }
    let mut unknown = Vec::new();
    if let Some(text) = controller(dump, namespace, options, &mut unknown) {
        return refused(text);
    }
    let (Some(target), Some(version)) = (target, installed_version(dump, (namespace, name))) else {
        unknown.push("what the installed ClusterServiceVersion has".to_owned());
        return Some(Conversion { unknown, ..Conversion::default() });
    };
    let install = install_plan(subscription);
    let plan = install.and_then(|(namespace, name)| dump.find(V0, "InstallPlan", namespace, name));
    let mut collected = Collected::of(dump, (namespace, package), csv_name, plan);
    let ids = (namespace, name);
    if let Some(text) = namespace::faults(dump, &options.install_namespace, ids, &target, &collected, &mut unknown) {
        return refused(text);
    }
    if namespace != target {
        collected = collected.moved(namespace, &target);
    }
    if options.install_namespace == InstallNamespace::SystemManaged {
        collected.add_namespace(&target);
    }
    let image = lookup(dump, subscription, csv_name).map(|lookup| text_at(lookup, "/path"));
    let bundle = Bundle { package, csv: csv_name, version: &version, image: image.filter(|image| !image.is_empty()) };
    unknown.push("whether the cluster has more objects of the operator".to_owned());
    Some(Conversion {
        refusal: None,
        unknown,
        new_namespace: new_namespace(dump, (namespace, name), &target, &options.install_namespace),
        object_set: Some(ObjectSet::new(name, &format!("{namespace}/{name}"), &bundle, &collected)),
        plan: plan_texts((namespace, name), package, csv_name, &target, options),
        namespace: Some(target),
    })
}

/// What the command line of the tool refuses in its flags.
fn wrong_arguments(namespace: &str, options: &ConvertOptions) -> Option<&'static str> {
    let is_other = match &options.install_namespace {
        InstallNamespace::SystemManaged if options.acknowledged.namespace_delete => {
            return Some("--system-managed-install-namespace cannot be combined with --acknowledge-namespace-delete");
        }
        InstallNamespace::Named(target) => **target != *namespace,
        InstallNamespace::Source | InstallNamespace::SystemManaged => false,
    };
    (options.acknowledged.namespace_delete && !is_other)
        .then_some("--acknowledge-namespace-delete requires --install-namespace to differ from -n/--namespace")
}

/// The error of `convert` for failed checks.
fn failed_checks(eligibility: &Eligibility) -> Option<String> {
    let failed = || eligibility.checks.iter().filter(|check| check.outcome == CheckOutcome::Failed);
    let readiness = failed().filter(|check| READINESS.contains(&check.name)).count();
    if readiness > 0 {
        return Some(format!("readiness checks failed ({readiness} issues)"));
    }
    let compatibility = failed().filter(|check| check.name != AVAILABILITY).count();
    if compatibility > 0 {
        return Some(format!("operator is not compatible with OLMv1 migration ({compatibility} issues found)"));
    }
    let (_, lost) = failed().next()?.message.split_once("; run migrate-catalogs-v0-to-v1 first: ")?;
    Some(format!("failed to resolve ClusterCatalog: {lost}"))
}

/// The Deployment whose namespace gets the Secrets of the ClusterObjectSet: the error of the tool, or that it is not known.
fn controller(dump: &Dump, namespace: &str, options: &ConvertOptions, unknown: &mut Vec<String>) -> Option<String> {
    let is_it = |value: &&Value| {
        let label = value.pointer("/metadata/labels/app.kubernetes.io~1name").and_then(Value::as_str);
        text_at(value, "/metadata/name") == CONTROLLER && label == Some("operator-controller")
    };
    let found: Vec<&str> =
        dump.all("apps", "Deployment").filter(is_it).map(|value| text_at(value, "/metadata/namespace")).collect();
    match &found[..] {
        [] => {
            unknown.push(format!("whether there is one Deployment `{CONTROLLER}`, without which it ends"));
            None
        }
        [one] => (options.acknowledged.namespace_delete && *one == namespace).then(|| {
            format!(
                "cannot delete source namespace {}: it is the operator-controller namespace used for ClusterObjectSet Secrets",
                fbc::quoted(namespace)
            )
        }),
        several => Some(format!(
            "found operator-controller Deployment {} in multiple namespaces [{}]; set Options.SystemNamespace",
            fbc::quoted(CONTROLLER),
            several.join(" ")
        )),
    }
}

fn new_namespace(
    dump: &Dump,
    (source, subscription): (&str, &str),
    target: &str,
    wanted: &InstallNamespace,
) -> Option<Value> {
    if source == target || dump.has_namespace(target) {
        return None;
    }
    let labels = namespace::labels(dump, source)?;
    let mut metadata = json!({ "name": target });
    if !labels.is_empty() {
        metadata["labels"] = labels.into();
    }
    if *wanted == InstallNamespace::SystemManaged {
        metadata["annotations"] = json!({ namespace::OWNER: format!("{source}/{subscription}") });
    }
    Some(json!({ "apiVersion": "v1", "kind": "Namespace", "metadata": metadata }))
}

/// What `convert --dry-run` says of what OLM v0 has.
fn plan_texts(
    (source, name): (&str, &str),
    package: &str,
    csv: &str,
    target: &str,
    options: &ConvertOptions,
) -> Vec<String> {
    let mut texts = vec![
        format!("Delete Subscription {source}/{name} with orphan propagation (operator workloads remain)."),
        format!("Delete ClusterServiceVersion {source}/{csv} with orphan propagation (operator workloads remain)."),
        format!("Delete Operator CR {package}.{source}."),
        format!("Delete OperatorCondition {source}/{csv} if present."),
        format!("Delete copied ClusterServiceVersions derived from {csv} if present, with orphan propagation."),
    ];
    let deletes_source = options.acknowledged.namespace_delete && source != target;
    if !deletes_source {
        texts.push("Retain InstallPlan resources; conversion does not delete them.".to_owned());
        texts.push(match options.deletes_operator_group {
            true => "Delete OperatorGroup(s) only when no Subscriptions remain; strip OLM ownership labels from their aggregation ClusterRoles first.".to_owned(),
            false => "Retain OperatorGroup(s); --delete-operatorgroup was not specified.".to_owned(),
        });
    }
    if source == target {
        return texts;
    }
    texts.push(match options.install_namespace {
        InstallNamespace::SystemManaged => format!(
            "Prepare install namespace {target} from bundle metadata for the migration COS; ClusterExtension.spec.namespace is omitted and OLMv1 manages the namespace."
        ),
        InstallNamespace::Source | InstallNamespace::Named(_) => {
            format!("Create or update install namespace {target} with PSA/SCC labels copied from {source}.")
        }
    });
    texts.push(format!(
        "Move collected namespaced operator resources from {source} to {target} and delete their source copies after ClusterExtension installation."
    ));
    texts.push(match deletes_source {
        true => format!(
            "Delete source namespace {source} after migration (--acknowledge-namespace-delete); this also removes any remaining InstallPlans and OperatorGroups."
        ),
        false => format!("Retain source namespace {source}; --acknowledge-namespace-delete was not specified."),
    });
    texts
}
