//! What operator-lifecycle-manager `992bb097` answered when its resolver was run on these namespaces, 300 times each.
//!
//! More than one answer is listed where its runs differ; of several texts for one conflict ours must be one.

mod chance;
mod providers;
mod refusals;
mod updates;

use std::collections::BTreeSet;

use resolver::{Outcome, Problem, conflict_text, outcomes};

use crate::world;

/// All outcomes: the new bundles as `<identifier> replaces=<name>` joined by blanks, or the error.
#[track_caller]
fn check(namespace: &str, expected: &[&str]) {
    let problem = Problem::new(world::namespace(namespace));
    let found = outcomes(&problem, 100);
    assert!(!found.bounded);
    let texts: BTreeSet<String> = found.outcomes.iter().map(|outcome| shown(&problem, outcome)).collect();
    let expected: BTreeSet<String> = expected.iter().map(|text| (*text).to_owned()).collect();
    if found.outcomes.iter().all(|outcome| matches!(outcome, Outcome::Resolved(_))) {
        assert_eq!(texts, expected);
    } else {
        // Of several texts that OLM may print, all are found or one.
        let is_known = texts == expected || texts.len() == 1 && texts.is_subset(&expected);
        assert!(is_known, "found {texts:#?}, expected {expected:#?}");
    }
}

fn shown(problem: &Problem, outcome: &Outcome) -> String {
    match outcome {
        Outcome::Resolved(resolution) => {
            let bundles = resolution.selected.iter().map(|selected| {
                let replaces = selected.replaces.as_ref().map(|name| format!(" replaces={name}")).unwrap_or_default();
                format!("{}{replaces}", problem.name(selected.id))
            });
            bundles.collect::<Vec<_>>().join(" ")
        }
        Outcome::Unsolvable(conflict) => conflict_text(problem, conflict),
        Outcome::Prevented(prevented) => prevented.to_string(),
        Outcome::GaveUp(gave_up) => gave_up.to_string(),
    }
}
