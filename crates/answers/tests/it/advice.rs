//! Nothing that people are told to do first stops an operator that runs, and each command is complete.

use fixture::in_between::{CATALOG, in_between};
use proptest::prelude::*;
use session::{NewText, Workbench};
use std::collections::BTreeSet;
use views::{FixView, SimulationView, Verdict};

fn workbench(manifests: &str) -> Workbench {
    workbench_of(CATALOG, manifests)
}

fn workbench_of(catalog: &str, manifests: &str) -> Workbench {
    let mut workbench = Workbench::new();
    let file = NewText { path: "catalog.yaml".to_owned(), content: Ok(fixture::yaml(catalog).into_bytes()) };
    workbench.add_catalog("c", vec![file], &mut |_| {});
    workbench.set_cluster(manifests);
    workbench
}

fn commands(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').filter(|part| part.starts_with("kubectl "))
}

/// Whether a text is about taking away an operator.
fn removes(text: &str) -> bool {
    let deletes = |kind: &str| text.contains(&format!("delete {kind}")) || text.contains(&format!("delete the {kind}"));
    ["csv", "CSV", "subscription", "Subscription", "crd"].iter().any(|kind| deletes(kind)) || text.contains("uninstall")
}

#[test]
fn no_advice_removes_an_operator_and_none_is_given_while_the_state_passes() {
    let mut count = 0;
    for manifests in in_between() {
        let state = answers::namespace_states(&workbench(&manifests)).remove(0);
        let verdict = state.now.verdict;
        let Some(advice) = state.now.advice else { continue };
        let words = format!("{advice}\n{manifests}");
        assert!(!matches!(verdict, Verdict::Passes | Verdict::Acts), "{words}");
        assert!(!removes(&advice), "{words}");
        for command in commands(&advice) {
            let is_open = |word: &str| word.len() > 2 && word.chars().all(|c| c.is_ascii_uppercase() || c == '_');
            assert!(command.contains(" -n ns"), "{command}");
            assert!(!command.split([' ', '\'', '"']).any(is_open), "{command}");
            count += 1;
        }
    }
    assert!(count > 100, "only {count} commands");
}

/// All lists of fixes that `resolve`, `why` and the page show: of failures, of Subscriptions and of CSVs.
fn fixes(view: &SimulationView) -> Vec<&[FixView]> {
    let mut found = Vec::new();
    for outcome in &view.outcomes {
        let failures = outcome.steps.iter().filter_map(|step| step.failure.as_ref());
        found.extend(failures.map(|failure| &failure.fixes[..]));
        found.extend(outcome.subscriptions.iter().map(|row| &row.fixes[..]));
        found.extend(outcome.csv_failures.iter().map(|row| &row.fixes[..]));
    }
    found
}

#[test]
fn no_fix_removes_an_operator_while_waiting_or_another_one_helps() {
    let mut count = 0;
    for manifests in in_between().into_iter().step_by(4) {
        let workbench = workbench(&manifests);
        let view = answers::simulate(&workbench, "");
        let state = answers::namespace_states(&workbench).remove(0);
        for fixes in fixes(&view) {
            // A Subscription that nothing is installed for may go.
            let removing = fixes.iter().filter(|fix| fix.text.contains("delete") && fix.text.contains("CSV")).count();
            let passes = state.now.verdict == Verdict::Passes;
            assert!(removing == 0 || removing == fixes.len() && !passes, "{fixes:#?}\n{manifests}");
            count += fixes.len();
        }
    }
    assert!(count > 20, "only {count} fixes");
}

/// The packages of a random cluster.
const PACKAGES: [&str; 2] = ["p", "q"];

/// The phases that a CSV may be in, each with a reason.
const PHASES: [(&str, &str); 9] = [
    ("Succeeded", "InstallSucceeded"),
    ("Replacing", "BeingReplaced"),
    ("Deleting", "Replaced"),
    ("Pending", "RequirementsUnknown"),
    ("Pending", "RequirementsNotMet"),
    ("Pending", "OperatorConditionNotUpgradeable"),
    ("Installing", "InstallWaiting"),
    ("Failed", "ComponentUnhealthy"),
    ("Failed", "UnsupportedOperatorGroup"),
];

/// A CSV: its version, whether it replaces the one before, and its phase.
type RandomCsv = (usize, bool, usize);

/// What a package has: its CSVs, and the versions that the status of its Subscription names, if it has one.
type RandomPackage = (Vec<RandomCsv>, Option<(Option<usize>, Option<usize>, usize)>);

fn random_packages() -> impl Strategy<Value = Vec<RandomPackage>> {
    let csvs = proptest::collection::vec((1usize..4, any::<bool>(), 0..PHASES.len()), 0..4);
    let named = || proptest::option::weighted(0.8, 1usize..4);
    let subscription = proptest::option::weighted(0.8, (named(), named(), 0usize..3));
    proptest::collection::vec((csvs, subscription), PACKAGES.len())
}

fn random_manifests(packages: &[RandomPackage], plan: usize) -> String {
    let mut text = "kind: CatalogSource\nmetadata: {name: c, namespace: olm}\n---\nkind: OperatorGroup\n\
                    metadata: {name: og, namespace: ns}\n"
        .to_owned();
    for ((csvs, subscription), name) in packages.iter().zip(PACKAGES) {
        let mut seen = BTreeSet::new();
        for (version, replaces, phase) in csvs.iter().filter(|csv| seen.insert(csv.0)) {
            let replaces = if *replaces { format!("{name}.v{}.0.0", version - 1) } else { String::new() };
            let (phase, reason) = PHASES[*phase];
            text += &format!(
                "---\nkind: ClusterServiceVersion\nmetadata: {{name: {name}.v{version}.0.0, namespace: ns, annotations: \
                 {{operatorframework.io/properties: '{{\"properties\":[{{\"type\":\"olm.package\",\"value\":\
                 {{\"packageName\":\"{name}\",\"version\":\"{version}.0.0\"}}}}]}}'}}}}\n\
                 spec: {{version: {version}.0.0, replaces: '{replaces}'}}\nstatus: {{phase: {phase}, reason: {reason}}}\n"
            );
        }
        let Some((installed, current, state)) = subscription else { continue };
        let csv = |version: &Option<usize>| version.map(|version| format!("{name}.v{version}.0.0")).unwrap_or_default();
        let state = ["''", "UpgradePending", "AtLatestKnown"][*state];
        text += &format!(
            "---\nkind: Subscription\nmetadata: {{name: {name}, namespace: ns}}\nspec: {{name: {name}, channel: c, source: c, \
             sourceNamespace: olm}}\nstatus: {{installedCSV: '{}', currentCSV: '{}', state: {state}, \
             installPlanRef: {{name: plan}}}}\n",
            csv(installed),
            csv(current)
        );
    }
    let phase = ["Complete", "RequiresApproval", "Failed", "Installing"][plan];
    text + &format!(
        "---\nkind: InstallPlan\nmetadata: {{name: plan, namespace: ns}}\nspec: {{approval: Automatic, approved: {}, \
         clusterServiceVersionNames: [p.v2.0.0], generation: 1}}\nstatus: {{phase: {phase}, plan: [{{}}]}}\n",
        phase != "RequiresApproval"
    )
}

/// The CSVs of which the operator runs, or which are part of an update.
fn in_use(packages: &[RandomPackage]) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for ((csvs, _), name) in packages.iter().zip(PACKAGES) {
        let mut seen = BTreeSet::new();
        let csvs: Vec<&RandomCsv> = csvs.iter().filter(|csv| seen.insert(csv.0)).collect();
        for (version, replaces, phase) in &csvs {
            let is_replaced = csvs.iter().any(|(other, replaces, _)| *replaces && *other == version + 1);
            let is_replacing = *replaces && csvs.iter().any(|(other, ..)| other + 1 == *version);
            if matches!(PHASES[*phase].0, "Succeeded" | "Replacing") || is_replaced || is_replacing {
                found.insert(format!("{name}.v{version}.0.0"));
            }
        }
    }
    found
}

fn deletes(fix: &FixView, csvs: &BTreeSet<String>) -> bool {
    let parts = fix.text.split("; and ").filter(|part| part.contains("delete"));
    parts.into_iter().any(|part| csvs.iter().any(|csv| part.contains(&format!("`{csv}`"))))
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(150) })]

    #[test]
    fn no_fix_of_a_random_cluster_removes_what_runs_while_waiting_or_another_one_helps(
        packages in random_packages(),
        plan in 0usize..4,
    ) {
        let manifests = random_manifests(&packages, plan);
        let workbench = workbench_of(&format!("{CATALOG}\n{}", CATALOG.replace("package p", "package q")), &manifests);
        let csvs = in_use(&packages);
        let states = answers::namespace_states(&workbench);
        for advice in states.iter().filter_map(|state| state.now.advice.as_ref()) {
            prop_assert!(!commands(advice).any(|command| command.contains("delete csv")), "{advice}\n{manifests}");
        }
        let passes = states.iter().any(|state| state.now.verdict == Verdict::Passes);
        for fixes in fixes(&answers::simulate(&workbench, "")) {
            let removing = fixes.iter().filter(|fix| deletes(fix, &csvs)).count();
            prop_assert!(removing == 0 || removing == fixes.len() && !passes, "{fixes:#?}\n{manifests}");
        }
    }
}

#[test]
fn of_csvs_without_a_subscription_the_one_that_runs_stays() {
    let texts = |phases: [usize; 2]| {
        // None of the two replaces the other, and the Subscription names neither.
        let csvs = vec![(1, false, phases[0]), (2, false, phases[1])];
        let manifests = random_manifests(&[(csvs, Some((None, None, 0)))], 0);
        let view = answers::simulate(&workbench(&manifests), "");
        let found = fixes(&view).into_iter().flatten().map(|fix| fix.text.clone()).collect::<Vec<_>>();
        assert!(!found.is_empty(), "{manifests}");
        ["p.v1.0.0", "p.v2.0.0"].map(|csv| found.iter().any(|text| text.contains(&format!("delete the CSV `{csv}`"))))
    };
    let (runs, waits) = (0, 5);
    assert_eq!(texts([waits, runs]), [true, false]);
    assert_eq!(texts([runs, waits]), [false, true]);
    assert_eq!(texts([runs, runs]), [true, true], "nothing else helps");
}
