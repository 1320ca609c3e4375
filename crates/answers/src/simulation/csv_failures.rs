//! CSVs that never run, because they do not fit the OperatorGroup of the namespace: why, and what helps.

use super::scenario::Scenario;
use catalog::BundleName;
use cluster::{GroupMismatch, Kind, OperatorGroup, TargetNamespaces};
use simulate::{CsvFailure, OPENSHIFT_OPERATORS, Step, Timeline};
use source::Approval;
use std::collections::BTreeSet;
use views::{CsvFailureView, FixView, InputEdit};

/// The CSVs that fail in a timeline and are there in the end, by name.
pub(super) fn views(scenario: &Scenario, timeline: &Timeline) -> Vec<CsvFailureView> {
    let Some(last) = timeline.last_resolution() else { return Vec::new() };
    let view = |failure: &CsvFailure| {
        let installs =
            |step: &Step| step.install_plan_created && step.selected.iter().any(|bundle| bundle.name == failure.csv);
        let since = timeline.steps.iter().position(installs).map_or(0, |at| at + 1);
        CsvFailureView {
            csv: failure.csv.to_string(),
            namespace: failure.namespace.to_string(),
            reason: failure.reason.to_string(),
            message: failure.message.to_string(),
            since: u32::try_from(since).unwrap_or(u32::MAX),
            still_runs: failure.still_runs.as_ref().map(ToString::to_string),
            fixes: if last.error.is_some() { Vec::new() } else { fixes(scenario, last) },
        }
    };
    last.csv_failures.iter().map(view).collect()
}

/// What helps the CSVs that fail after a step: another choice of namespaces by the OperatorGroup, and to keep what runs.
pub(super) fn fixes(scenario: &Scenario, step: &Step) -> Vec<FixView> {
    let Some(failure) = step.csv_failures.first() else { return Vec::new() };
    let groups = scenario.cluster.groups_of(&scenario.namespace);
    let group = groups.first();
    if groups.len() > 1 {
        let text = "delete the OperatorGroups of the namespace but one".to_owned();
        return vec![plain(text)];
    }
    if failure.reason == GroupMismatch::IntersectingGroups {
        // To narrow a group for all namespaces would take them from all its operators.
        return failure.rivals.iter().map(rival).collect();
    }
    if let Some(apart) = in_a_namespace_of_its_own(scenario, step) {
        let kept = failure.still_runs.as_ref().filter(|_| step.approval == Approval::Automatic);
        return kept
            .filter(|_| !is_there(scenario, failure))
            .map(|old| kept_by_approval(failure, old))
            .into_iter()
            .chain([apart])
            .collect();
    }
    let removes = failure.still_runs.as_ref().map(|old| format!(", and OLM removes `{old}`")).unwrap_or_default();
    let effect = format!("`{}` then runs{removes}.", failure.csv);
    let corrected = step.fitting_targets.iter().map(|targets| FixView {
        text: corrected(group, &scenario.namespace, targets),
        effects: vec![effect.clone()],
        place: group.and_then(|group| scenario.text.object(Kind::OperatorGroup, &group.namespace, &group.name)),
        edit: group.and_then(|group| scenario.text.retarget(group, targets)).map(InputEdit::Manifests),
        ..FixView::default()
    });
    // After the fact it is too late for that.
    let kept =
        failure.still_runs.as_ref().filter(|_| !is_there(scenario, failure) && step.approval == Approval::Automatic);
    let kept = kept.map(|old| kept_by_approval(failure, old));
    let created = group.is_none().then(|| plain(format!("create an OperatorGroup in `{}`", scenario.namespace)));
    let corrected: Vec<FixView> = corrected.collect();
    let created = created.filter(|_| corrected.is_empty());
    corrected.into_iter().chain(created).chain(kept).collect()
}

fn is_there(scenario: &Scenario, failure: &CsvFailure) -> bool {
    let here = scenario.cluster.csvs.iter().filter(|csv| csv.namespace == scenario.namespace);
    here.into_iter().any(|csv| csv.installed.name == failure.csv)
}

fn kept_by_approval(failure: &CsvFailure, old: &BundleName) -> FixView {
    plain(format!(
        "before the update: set `installPlanApproval: Manual` in the Subscription, and do not approve `{}`, so that `{old}` stays",
        failure.csv
    ))
}

/// Another namespace, where the group selects all namespaces and others need that: to narrow it would take them from each.
fn in_a_namespace_of_its_own(scenario: &Scenario, step: &Step) -> Option<FixView> {
    let failure = step.csv_failures.first().filter(|one| one.reason == GroupMismatch::UnsupportedOperatorGroup)?;
    let [group] = scenario.cluster.groups_of(&scenario.namespace) else { return None };
    let is_known = !group.is_assumed() || *scenario.namespace == *OPENSHIFT_OPERATORS;
    let is_for_all = group.targets == TargetNamespaces::All && is_known;
    let here = scenario.cluster.csvs.iter().filter(|csv| csv.namespace == scenario.namespace);
    let is_shared = here.into_iter().any(|csv| csv.installed.name != failure.csv);
    let is_global = GLOBAL.contains(&&*scenario.namespace);
    let fits = step.fitting_targets.iter().any(|targets| *targets != TargetNamespaces::All);
    (is_for_all && (is_shared || is_global) && (fits || failure.still_runs.is_some())).then(|| {
        let stops = failure.still_runs.as_ref().map(|old| {
            format!("delete the Subscription and `{old}` here, which stops it and keeps its objects; then ")
        });
        let removes = stops.is_some();
        let fix = plain(format!(
            "{}install `{}` in a namespace of its own, with an OperatorGroup that selects that namespace; or wait for a version that \
             supports all namespaces",
            stops.unwrap_or_default(),
            failure.csv
        ));
        FixView { removes, ..fix }
    })
}

/// The namespaces for operators that watch all namespaces, of OpenShift and of OLM's own installation.
const GLOBAL: [&str; 2] = [OPENSHIFT_OPERATORS, "operators"];

/// Where the same APIs are provided.
fn rival((group, apis): &(String, BTreeSet<Box<str>>)) -> FixView {
    let apis = source::joined(apis.iter().map(|api| format!("`{api}`")), 4, "and");
    plain(format!("remove one of the two installations: OperatorGroup `{group}` already provides {apis}"))
}

fn plain(text: String) -> FixView {
    FixView { text, ..FixView::default() }
}

fn corrected(group: Option<&OperatorGroup>, namespace: &str, targets: &TargetNamespaces) -> String {
    let is_all = *targets == TargetNamespaces::All;
    match group.filter(|group| !group.is_assumed()) {
        Some(group) if is_all => format!(
            "let OperatorGroup `{}` select all namespaces: remove its `spec.targetNamespaces` and `spec.selector`",
            group.name
        ),
        Some(group) => format!(
            "let OperatorGroup `{}` select this namespace alone: `spec.targetNamespaces: [{namespace}]`",
            group.name
        ),
        None if is_all => format!("create an OperatorGroup for all namespaces in `{namespace}`"),
        None => format!("create an OperatorGroup in `{namespace}` with `spec.targetNamespaces: [{namespace}]`"),
    }
}

#[cfg(test)]
mod tests {
    use crate::simulate;
    use session::Workbench;
    use session::testing::{example, workbench};
    use views::{SimulationView, SubscriptionStatus};

    /// The catalog of the example, and a cluster with this OperatorGroup or none.
    fn world(group: &str) -> Workbench {
        let mut workbench = example("install-mode-dropped");
        let text = workbench.cluster_manifests().0.to_owned();
        let documents = text.split("---\n").map(|document| match document.contains("kind: OperatorGroup") {
            true => group,
            false => document,
        });
        let documents: Vec<&str> = documents.filter(|document| !document.is_empty()).collect();
        workbench.set_cluster(&documents.join("---\n"));
        workbench
    }

    const ALL: &str =
        "kind: OperatorGroup\nmetadata: {name: g, namespace: operators}\nspec: {upgradeStrategy: Default}\n";

    fn fixes(view: &SimulationView) -> Vec<&str> {
        let failure = view.outcomes[0].steps.last().and_then(|step| step.failure.as_ref());
        failure.map(|failure| failure.fixes.iter().map(|fix| fix.text.as_str()).collect()).unwrap_or_default()
    }

    #[test]
    fn an_update_that_freezes_the_namespace_says_so_and_the_first_fix_keeps_what_runs() {
        let view = simulate(&world(ALL), "");
        let row = &view.outcomes[0].subscriptions[0];
        assert_eq!((row.status, row.short.as_str()), (SubscriptionStatus::Fails, "store fails at 2.0.0"));
        let text = "AllNamespaces InstallModeType not supported, cannot configure to watch all namespaces";
        let verdict = "updates to store.v2.0.0, which never runs (UnsupportedOperatorGroup); store.v1.0.0 still runs, and the namespace is not resolved any more";
        assert_eq!(row.verdict, verdict);
        let failures: Vec<String> = view.outcomes[0].csv_failures.iter().map(|row| row.sentence()).collect();
        let sentence =
            format!("CSV `store.v2.0.0` never runs: `UnsupportedOperatorGroup`: `{text}`; `store.v1.0.0` still runs");
        assert_eq!(failures, [sentence]);
        let fixes = fixes(&view);
        assert!(fixes[0].starts_with("before the update: set `installPlanApproval: Manual`"), "{fixes:?}");
        assert!(fixes[1].starts_with("delete the Subscription and `store.v1.0.0` here, which stops it"), "{fixes:?}");
        assert!(fixes.iter().all(|fix| !fix.contains("targetNamespaces")), "others need the group as it is: {fixes:?}");
    }

    #[test]
    fn a_missing_group_is_said() {
        let view = simulate(&world(""), "");
        let notice = "the manifests have no OperatorGroup in namespace `operators`; one for all namespaces is assumed";
        assert!(view.notices[0].contains("one for this namespace alone is assumed"), "{:?}", view.notices);
        assert_eq!(view.outcomes[0].subscriptions[0].status, SubscriptionStatus::Updates);
        let plain = "package p c\nchannel p c p.v1.0.0\nbundle p 1.0.0 unknown";
        let cluster = "kind: CatalogSource\nmetadata: {name: c, namespace: olm}\n---\nkind: Subscription\nmetadata: {name: s, namespace: ns}\nspec: {name: p, source: c, sourceNamespace: olm}\n";
        let of = |group: &str| simulate(&workbench(&[("c", plain)]).with_cluster(&format!("{cluster}{group}")), "");
        assert_eq!(of("").notices, [notice.replace("`operators`", "`ns`")], "also if no install modes are known");
        let narrow = "---\nkind: OperatorGroup\nmetadata: {name: g, namespace: ns}\nspec: {targetNamespaces: [ns]}\n";
        let unknown = "the catalog does not tell the install modes of `p.v1.0.0`, so it is not known whether OperatorGroup `g` allows to run it";
        assert_eq!(of(narrow).notices, [unknown]);
    }

    #[test]
    fn a_selector_without_a_status_is_not_known() {
        let selector = ALL.replace("upgradeStrategy: Default", "selector: {matchLabels: {a: b}}");
        let view = simulate(&world(&selector), "");
        assert_eq!(view.outcomes[0].subscriptions[0].status, SubscriptionStatus::Updates);
        assert!(view.notices[0].starts_with("the manifests do not tell which namespaces OperatorGroup `g` selects"));
        let known = selector + "status: {namespaces: ['']}\n";
        let view = simulate(&world(&known), "");
        assert_eq!(view.outcomes[0].subscriptions[0].status, SubscriptionStatus::Fails);
    }

    #[test]
    fn a_csv_that_does_not_fit_is_not_replaced() {
        let own = ALL.replace("upgradeStrategy: Default", "targetNamespaces: [other]");
        let view = simulate(&world(&own), "");
        let row = &view.outcomes[0].subscriptions[0];
        // Neither version supports to watch one other namespace: the new one fails, too.
        assert_eq!(row.status, SubscriptionStatus::Fails);
        let csvs: Vec<&str> = view.outcomes[0].csv_failures.iter().map(|row| row.csv.as_str()).collect();
        assert_eq!(csvs, ["store.v1.0.0", "store.v2.0.0"]);
        let texts = fixes(&view);
        assert!(texts.iter().all(|fix| !fix.contains("select all namespaces")), "{texts:?}");
    }

    #[test]
    fn the_other_operator_group_and_the_api_are_named_and_no_group_is_narrowed() {
        let catalog = "package p c\nchannel p c p.v1.0.0\nbundle p 1.0.0 provides P";
        let text = "kind: CatalogSource\nmetadata: {name: c, namespace: olm}\n---\n\
                    kind: OperatorGroup\nmetadata: {name: all, namespace: operators}\nstatus: {namespaces: ['']}\n---\n\
                    kind: OperatorGroup\nmetadata: {name: own, namespace: other, annotations: {olm.providedAPIs: P.v1.example.com}}\n\
                    spec: {targetNamespaces: [other]}\nstatus: {namespaces: [other]}\n---\n\
                    kind: Subscription\nmetadata: {name: s, namespace: operators}\n\
                    spec: {name: p, channel: c, source: c, sourceNamespace: olm}\n";
        let view = simulate(&workbench(&[("c", catalog)]).with_cluster(text), "");
        let fixes: Vec<&str> = view.outcomes[0].csv_failures[0].fixes.iter().map(|fix| &*fix.text).collect();
        let expected =
            "remove one of the two installations: OperatorGroup `other/own` already provides `P.v1.example.com`";
        assert_eq!(fixes, [expected]);
    }
}
