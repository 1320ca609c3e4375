//! Nothing that people are told to do first stops an operator that runs, and each command is complete.

use fixture::in_between::{CATALOG, in_between};
use views::{FixView, SimulationView, Verdict};
use workbench::{NewText, Workbench};

fn workbench(manifests: &str) -> Workbench {
    let mut workbench = Workbench::new();
    let file = NewText { path: "catalog.yaml".to_owned(), content: Ok(fixture::yaml(CATALOG).into_bytes()) };
    workbench.add_catalog("c", vec![file], &mut |_| {});
    workbench.set_cluster(manifests);
    workbench
}

/// The commands in a text.
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
        let state = workbench(&manifests).namespace_states().remove(0);
        let (verdict, _) = state.deciding();
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

/// The fixes of all failures.
fn fixes(view: &SimulationView) -> Vec<&[FixView]> {
    let steps = view.outcomes.iter().flat_map(|outcome| &outcome.steps);
    steps.filter_map(|step| step.failure.as_ref()).map(|failure| &failure.fixes[..]).collect()
}

#[test]
fn no_fix_removes_an_operator_while_waiting_or_another_one_helps() {
    let mut count = 0;
    for manifests in in_between().into_iter().step_by(4) {
        let workbench = workbench(&manifests);
        let view = workbench.simulate("");
        let state = workbench.namespace_states().remove(0);
        for fixes in fixes(&view) {
            // A Subscription that nothing is installed for may go.
            let removing = fixes.iter().filter(|fix| fix.text.contains("delete") && fix.text.contains("CSV")).count();
            let passes = state.deciding().0 == Verdict::Passes;
            assert!(removing == 0 || removing == fixes.len() && !passes, "{fixes:#?}\n{manifests}");
            count += fixes.len();
        }
    }
    assert!(count > 20, "only {count} fixes");
}
