//! What is said first about a namespace: the states that a Subscription, its InstallPlan and its CSVs may be in together, and
//! what OLM does there (operator-lifecycle-manager `pkg/controller/operators/catalog/operator.go`,
//! `pkg/controller/operators/olm/operator.go`). Each row has a name, the objects, and the answer.

mod combinations;
mod situations;
mod without_catalogs;

use session::{NewText, Workbench};
use views::{NamespaceState, Verdict};

/// Package `r` needs what no bundle provides; `t` has a head that updates all others; OLM cannot read a constraint of `u`.
const CATALOG: &str = "package p\nc: 1.0.0 <- 2.0.0 <- 3.0.0\nd: 2.0.0\n\
                       package q\nc: 1.0.0 <- 2.0.0\n\
                       package r\nc: 1.0.0 (requires g.io/v1/Gone)\n\
                       package t\nc: 1.0.0 <- 3.0.0 (skips 2.0.0), 2.0.0\n\
                       package u\nc: 1.0.0 (property olm.constraint {failureMessage: m, cel: {rule: 'semver(a) == b'}})";

const GROUP: &str = "kind: OperatorGroup\nmetadata: {name: og, namespace: ns}\n";

/// Verdict, what decides, the object that decides, and what the advice begins with; empty if there is none.
type Answer<'a> = (Verdict, &'a str, &'a str, &'a str);

/// An object, or several of them.
fn source(status: &str) -> String {
    format!(
        "kind: CatalogSource\nmetadata: {{name: c, namespace: olm}}\nstatus: {{connectionState: {{lastObservedState: {status}}}}}\n"
    )
}

/// The Subscription of a package, in the same name.
fn subscription(package: &str, spec: &str, status: &str) -> String {
    format!(
        "kind: Subscription\nmetadata: {{name: {package}, namespace: ns}}\n\
         spec: {{name: {package}, channel: c, source: c, sourceNamespace: olm{spec}}}\nstatus: {{{status}}}\n"
    )
}

/// The Subscription of package `p` with these versions, state, and further fields of the status.
fn p([installed, current, state]: [&str; 3], more: &str) -> String {
    let name = |version: &str| if version.is_empty() { "''".to_owned() } else { format!("p.v{version}") };
    let status = format!("installedCSV: {}, currentCSV: {}, state: '{state}'{more}", name(installed), name(current));
    subscription("p", "", &status)
}

/// A CSV of package `p`, with the version that it replaces, if it replaces one.
fn csv(version: &str, replaces: &str, phase: &str) -> String {
    let properties = format!(
        r#"{{"properties":[{{"type":"olm.package","value":{{"packageName":"p","version":"{version}"}}}},{{"type":"olm.gvk","value":{{"group":"g.io","version":"v1","kind":"P"}}}}]}}"#
    );
    let replaces = if replaces.is_empty() { "''".to_owned() } else { format!("p.v{replaces}") };
    let (phase, rest) = phase.split_once('/').unwrap_or((phase, "''"));
    let (reason, message) = rest.split_once(": ").unwrap_or((rest, "''"));
    format!(
        "kind: ClusterServiceVersion\nmetadata: {{name: p.v{version}, namespace: ns, annotations: \
         {{operatorframework.io/properties: '{properties}'}}}}\nspec: {{version: {version}, replaces: {replaces}}}\n\
         status: {{phase: {phase}, reason: {reason}, message: {message}}}\n"
    )
}

/// The InstallPlan `plan` for these CSVs, with its status.
fn plan(csvs: &str, status: &str) -> String {
    let approved = !status.contains("RequiresApproval");
    format!(
        "kind: InstallPlan\nmetadata: {{name: plan, namespace: ns}}\nspec: {{approval: Manual, approved: {approved}, \
         clusterServiceVersionNames: [{csvs}], generation: 1}}\nstatus: {{{status}}}\n"
    )
}

fn condition(kind: &str, reason: &str, message: &str) -> String {
    format!(", conditions: [{{type: {kind}, status: 'True', reason: {reason}, message: '{message}'}}]")
}

const REF: &str = ", installPlanRef: {name: plan}";
const LATEST: &str = "AtLatestKnown";
const PENDING: &str = "UpgradePending";
/// What OLM says while the old CSV is there.
const BEING_REPLACED: &str = "Replacing/BeingReplaced: 'being replaced by csv: p.v2.0.0'";

fn workbench(objects: &[String], has_catalog: bool) -> Workbench {
    let mut workbench = Workbench::new();
    if has_catalog {
        let file = NewText { path: "catalog.yaml".to_owned(), content: Ok(fixture::yaml(CATALOG).into_bytes()) };
        workbench.add_catalog("c", vec![file], &mut |_| {});
    }
    workbench.set_cluster(&objects.join("---\n"));
    workbench
}

fn state_of(objects: &[String], has_catalog: bool) -> NamespaceState {
    let mut states = answers::namespace_states(&workbench(objects, has_catalog));
    let at = states.iter().position(|state| state.namespace == "ns").expect("namespace `ns`");
    states.remove(at)
}

/// Fails with all rows that differ.
#[track_caller]
fn check(rows: &[(&str, Vec<String>, Answer<'_>)], has_catalog: bool) {
    let mut wrong = String::new();
    for (name, objects, (verdict, reason, object, first)) in rows {
        let now = state_of(objects, has_catalog).now;
        let found = now.objects.first().map(|one| format!("{}/{}", one.kind, one.name)).unwrap_or_default();
        let advice = now.advice.clone().unwrap_or_default();
        let is_advised = if first.is_empty() { advice.is_empty() } else { advice.contains(first) };
        if (now.verdict, now.reason.id(), &*found) != (*verdict, *reason, *object) || !is_advised {
            wrong += &format!(
                "{name}: expected {verdict:?} {reason} {object:?} {first:?}\n  {:?} {} {found:?}\n  {}\n  first: {advice}\n",
                now.verdict, now.reason, now.sentence
            );
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// The namespace with a group and a source that answers.
fn with(objects: &[String]) -> Vec<String> {
    [source("READY"), GROUP.to_owned()].into_iter().chain(objects.iter().cloned()).collect()
}

/// The object of a CSV with what it lacks.
fn lacking(csv: &str, kind: &str, message: &str) -> String {
    let requirement =
        format!("requirementStatus: [{{kind: {kind}, name: of-p, status: NotPresent, message: '{message}'}}], ");
    csv.replace("status: {", &format!("status: {{{requirement}"))
}
