//! Whether the official migration takes a Subscription: its four states, its checks with their texts, and its warnings, as the
//! tool would decide them from the manifests. What only a live cluster tells is not known.
//!
//! Follows operator-framework/library-olm `migration/pkg/migration` (`scan.go`, `readiness.go`, `compatibility.go`, `collector.go`,
//! `catalog.go`), which is a prototype: its texts may change.

mod catalog;
mod check;
mod csv;
mod operator_group;
mod readiness;

pub use self::catalog::Contents;
pub(crate) use self::catalog::{install_plan, lookup};
pub use self::check::{Acknowledgments, Check, CheckOutcome};
pub(crate) use self::csv::properties;
pub(crate) use self::readiness::is_generated;

use self::catalog::Wanted;
use crate::dump::{Dump, V0, V1, annotation, is_empty, text_at};
use fbc::quoted;
use serde_json::Value;

/// The annotation of a ClusterExtension that names the Subscription it was made of.
pub(crate) const MIGRATED: &str = "olm.operatorframework.io/migrated-from-subscription";

/// The state of an operator in the migration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum MigrationState {
    /// The Subscription exists, and a ClusterExtension that was made of it, too.
    Conflict,
    /// A check fails.
    Ineligible,
    /// Its ClusterExtension exists, and the Subscription is gone.
    AlreadyMigrated,
    /// No check fails.
    Eligible,
}

impl MigrationState {
    /// The word of the tool.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Conflict => "Conflict",
            Self::Ineligible => "Ineligible",
            Self::AlreadyMigrated => "AlreadyMigrated",
            Self::Eligible => "Eligible",
        }
    }
}

/// The verdict of the tool on a Subscription.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Eligibility {
    pub state: MigrationState,
    /// The reason, in the text of the tool.
    pub reason: String,
    /// The checks that were made, in order.
    pub checks: Vec<Check>,
    /// What the tool warns about.
    pub warnings: Vec<String>,
    /// The ClusterCatalog that the tool selects, or that the CatalogSource becomes.
    pub catalog: Option<String>,
}

impl Eligibility {
    /// Whether every check that the verdict depends on is known.
    #[must_use]
    pub fn is_certain(&self) -> bool {
        self.state != MigrationState::Eligible
            || self.checks.iter().all(|check| check.outcome != CheckOutcome::NotKnown)
    }

    /// The number of checks that end so.
    #[must_use]
    pub fn count(&self, outcome: CheckOutcome) -> usize {
        self.checks.iter().filter(|check| check.outcome == outcome).count()
    }
}

/// An operator that is migrated already.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Migrated {
    /// The ClusterExtension.
    pub extension: String,
    /// The Subscription that it was made of, as `namespace/name`.
    pub subscription: String,
}

/// The verdict of the tool on the Subscription with this namespace and name; `None` if the manifests do not have it.
#[must_use]
pub fn eligibility(
    dump: &Dump,
    contents: &Contents<'_, '_>,
    (namespace, name): (&str, &str),
    flags: Acknowledgments,
) -> Option<Eligibility> {
    let subscription = dump.find(V0, "Subscription", namespace, name)?;
    let ended =
        |state, reason: String, checks| Eligibility { state, reason, checks, warnings: Vec::new(), catalog: None };
    let own = format!("{namespace}/{name}");
    // Of two ClusterExtensions with the same annotation the last counts.
    if let Some(extension) = dump.index.extension(&own) {
        let reason = format!(
            "both Subscription and annotated ClusterExtension {extension} exist; resolve with cleanup or rollback"
        );
        return Some(ended(MigrationState::Conflict, reason, Vec::new()));
    }
    let csv_name = text_at(subscription, "/status/installedCSV");
    let csv = Some(csv_name)
        .filter(|csv| !csv.is_empty())
        .and_then(|csv| dump.find(V0, "ClusterServiceVersion", namespace, csv));
    let mut checks = readiness::checks(dump, subscription, csv, flags);
    if let Some(error) = profile_error(dump, subscription, csv) {
        return Some(ended(MigrationState::Ineligible, error, checks));
    }
    checks.extend(operator_group::checks(dump, namespace, flags));
    checks.extend(csv::checks(dump, (namespace, csv_name), csv, flags));
    checks.extend(catalog::source_fault(dump, subscription, csv_name));
    let failed = checks.iter().filter(|check| check.outcome == CheckOutcome::Failed).count();
    if failed > 0 {
        return Some(ended(MigrationState::Ineligible, format!("{failed} check(s) failed"), checks));
    }
    let package = text_at(subscription, "/spec/name");
    let Some(csv) = csv else {
        checks.push(Check::not_known("Catalog availability", "the installed version is not known"));
        return Some(eligible(dump, subscription, checks, None));
    };
    let wanted = Wanted { package, version: csv::version(csv), channel: text_at(subscription, "/spec/channel") };
    let (catalog, check) = catalog::availability(dump, contents, subscription, &wanted);
    let is_available = check.outcome != CheckOutcome::Failed;
    checks.push(check);
    if !is_available {
        return Some(ended(MigrationState::Ineligible, catalog::not_serving(package), checks));
    }
    Some(eligible(dump, subscription, checks, catalog))
}

/// The version that is installed for a Subscription, as the tool reads it: that of the property `olm.package` in the annotation of
/// the CSV, else its `spec.version`; `None` without the CSV.
pub(crate) fn installed_version(dump: &Dump, (namespace, name): (&str, &str)) -> Option<String> {
    let subscription = dump.find(V0, "Subscription", namespace, name)?;
    let csv = dump.find(V0, "ClusterServiceVersion", namespace, text_at(subscription, "/status/installedCSV"))?;
    Some(csv::version(csv))
}

/// The OperatorGroup whose spec the tool keeps: of several the first by name.
pub(crate) fn operator_group<'d>(dump: &'d Dump, namespace: &str) -> Option<&'d Value> {
    operator_group::group(dump, namespace)
}

/// The operators that are migrated already, by the names of their ClusterExtensions.
#[must_use]
pub fn already_migrated(dump: &Dump) -> Vec<Migrated> {
    let made = dump.all(V1, "ClusterExtension").filter_map(|extension| {
        let subscription = annotation(extension, MIGRATED)?;
        let (namespace, name) = subscription.split_once('/')?;
        let is_gone = dump.find(V0, "Subscription", namespace, name).is_none();
        is_gone.then(|| Migrated {
            extension: text_at(extension, "/metadata/name").to_owned(),
            subscription: subscription.to_owned(),
        })
    });
    made.collect()
}

/// Why the tool cannot read what is installed.
fn profile_error(dump: &Dump, subscription: &Value, csv: Option<&Value>) -> Option<String> {
    let error = match text_at(subscription, "/status/installedCSV") {
        "" if subscription.get("status").is_none() => return None,
        "" => "subscription has no installedCSV".to_owned(),
        name if csv.is_none() && dump.is_complete => {
            format!("failed to get CSV {name}: {}", readiness::csv_not_found(name))
        }
        _ => {
            let (namespace, plan) = catalog::install_plan(subscription).filter(|_| dump.is_complete)?;
            if dump.find(V0, "InstallPlan", namespace, plan).is_some() {
                return None;
            }
            format!("failed to get InstallPlan {plan}: installplans.operators.coreos.com \"{plan}\" not found")
        }
    };
    Some(format!("failed to get CSV: {error}"))
}

fn eligible(dump: &Dump, subscription: &Value, checks: Vec<Check>, catalog: Option<String>) -> Eligibility {
    let reason = "passes all readiness, compatibility, and catalog-availability checks".to_owned();
    let warnings = [selector(subscription), dependents(dump, subscription)].into_iter().flatten().collect();
    Eligibility { state: MigrationState::Eligible, reason, checks, warnings, catalog }
}

fn selector(subscription: &Value) -> Option<String> {
    let selector = subscription.pointer("/spec/config/selector");
    (!is_empty(selector)).then(|| {
        "Subscription spec.config.selector is not supported by OLMv1 and will be dropped during migration".to_owned()
    })
}

/// The operators whose CSVs require the package.
fn dependents(dump: &Dump, subscription: &Value) -> Option<String> {
    let package = text_at(subscription, "/spec/name");
    let dependents = dump.index.dependents(package);
    let names: Vec<String> = dependents.map(|(namespace, name)| format!("{namespace}/{name}")).collect();
    (!names.is_empty()).then(|| {
        format!(
            "other operator(s) may depend on package {}: [{}] — verify they remain functional after migration",
            quoted(package),
            names.join(" ")
        )
    })
}
