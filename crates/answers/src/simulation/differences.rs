//! How the possible outcomes differ, and which order of Subscriptions leads to which.

use resolver::{Outcome, Problem, VarId, resolve};
use simulate::Timeline;
use std::collections::{BTreeMap, BTreeSet};
use views::{DifferenceView, OutcomeView, SelectedView, SubscriptionStatus, SubscriptionView};

/// With more Subscriptions and CSVs than this, it is not tried which of them OLM starts with.
const ANCHORS: usize = 12;
/// The number of them that a sentence names.
const NAMED: usize = 3;
const NOT_KNOWN: &str = "not known";

/// The rows in which the outcomes differ: one for each Subscription, then one for all other bundles.
pub(super) fn of(outcomes: &[OutcomeView]) -> Vec<DifferenceView> {
    let [first, _, ..] = outcomes else { return Vec::new() };
    let rows = (0..first.subscriptions.len()).map(|at| subscription(outcomes, at));
    rows.chain([others(outcomes)]).flatten().collect()
}

/// Where a Subscription ends; if that is the same, its updates; if these are, too, the channels.
fn subscription(outcomes: &[OutcomeView], at: usize) -> Option<DifferenceView> {
    let subject = outcomes[0].subscriptions[at].name.clone();
    let hops = |outcome: &OutcomeView| outcome.subscriptions.get(at).map(csvs).unwrap_or_default();
    let end = |outcome: &OutcomeView| match hops(outcome).last() {
        _ if is_unknown(outcome) => NOT_KNOWN.to_owned(),
        Some(name) => format!("`{name}`"),
        None => "nothing".to_owned(),
    };
    let way =
        |outcome: &OutcomeView| hops(outcome).iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(" → ");
    let channels = |outcome: &OutcomeView| {
        let names = hops(outcome);
        let mine = selected(outcome).filter(|selected| names.contains(&selected.csv.name));
        mine.map(with_channel).collect::<Vec<_>>().join(" → ")
    };
    let cells = [&end as &dyn Fn(&OutcomeView) -> String, &way, &channels].into_iter().find_map(|look| {
        let cells: Vec<String> = outcomes.iter().map(look).collect();
        differ(&cells).then_some(cells)
    });
    Some(DifferenceView { subject, cells: cells? })
}

/// The bundles that no Subscription of the input asks for.
fn others(outcomes: &[OutcomeView]) -> Option<DifferenceView> {
    let cell = |outcome: &OutcomeView| {
        if is_unknown(outcome) {
            return NOT_KNOWN.to_owned();
        }
        let subscribed: BTreeSet<String> = outcome.subscriptions.iter().flat_map(csvs).collect();
        let rest = selected(outcome).filter(|selected| !subscribed.contains(&selected.csv.name));
        let names: BTreeSet<String> = rest.map(with_channel).collect();
        if names.is_empty() { "nothing".to_owned() } else { names.into_iter().collect::<Vec<_>>().join(", ") }
    };
    let cells: Vec<String> = outcomes.iter().map(cell).collect();
    differ(&cells).then(|| DifferenceView { subject: "other bundles".to_owned(), cells })
}

/// Whether the outcome ends where nobody knows what OLM does.
fn is_unknown(outcome: &OutcomeView) -> bool {
    outcome.subscriptions.iter().any(|row| row.status == SubscriptionStatus::Unknown)
}

fn csvs(row: &SubscriptionView) -> Vec<String> {
    row.hops.iter().map(|hop| hop.csv.clone()).collect()
}

fn selected(outcome: &OutcomeView) -> impl Iterator<Item = &SelectedView> {
    outcome.steps.iter().flat_map(|step| &step.selected)
}

fn with_channel(selected: &SelectedView) -> String {
    format!("`{}` from channel {}", selected.csv.name, selected.csv.channel)
}

fn differ(cells: &[String]) -> bool {
    cells.windows(2).any(|pair| pair[0] != pair[1])
}

/// For each timeline, what OLM starts with when this happens. Empty texts where the start does not decide.
pub(super) fn conditions(timelines: &[Timeline]) -> Vec<String> {
    let nothing = vec![String::new(); timelines.len()];
    let Some((at, problem)) = first_difference(timelines) else { return nothing };
    let anchors = problem.anchors();
    if anchors.len() < 2 || anchors.len() > ANCHORS {
        return nothing;
    }
    let mut leading: BTreeMap<usize, Vec<VarId>> = BTreeMap::new();
    for &first in anchors {
        let rest = anchors.iter().copied().filter(|anchor| *anchor != first);
        let order: Vec<VarId> = std::iter::once(first).chain(rest).collect();
        if let Some(here) = timeline_after(timelines, at, &resolve(problem, &order)) {
            leading.entry(here).or_default().push(first);
        }
    }
    if leading.len() < 2 {
        return nothing;
    }
    let when = |at: usize| leading.get(&at).map(|first| condition(problem, first)).unwrap_or_default();
    (0..timelines.len()).map(when).collect()
}

/// The first step that differs between the timelines, and its problem.
fn first_difference(timelines: &[Timeline]) -> Option<(usize, &Problem)> {
    let [first, rest @ ..] = timelines else { return None };
    let same = |at: usize, other: &Timeline| match (first.steps.get(at), other.steps.get(at)) {
        (Some(one), Some(other)) => is_same(&one.outcome, &other.outcome),
        (one, other) => one.is_none() && other.is_none(),
    };
    let longest = timelines.iter().map(|timeline| timeline.steps.len()).max()?;
    let at = (0..longest).find(|&at| !rest.iter().all(|other| same(at, other)))?;
    let problem = timelines.iter().find_map(|timeline| timeline.steps.get(at))?.problem.as_ref();
    Some((at, problem))
}

/// The timeline that continues with an outcome. A step that changes nothing is not recorded, so the timeline may end there.
fn timeline_after(timelines: &[Timeline], at: usize, outcome: &Outcome) -> Option<usize> {
    let same = timelines
        .iter()
        .position(|timeline| timeline.steps.get(at).is_some_and(|step| is_same(&step.outcome, outcome)));
    same.or_else(|| timelines.iter().position(|timeline| timeline.steps.len() == at))
}

fn is_same(a: &Outcome, b: &Outcome) -> bool {
    match (a, b) {
        (Outcome::Resolved(a), Outcome::Resolved(b)) => {
            a.selected.iter().map(|selected| selected.id).eq(b.selected.iter().map(|selected| selected.id))
        }
        _ => a == b,
    }
}

fn condition(problem: &Problem, first: &[VarId]) -> String {
    let name = |id: &VarId| match (problem.subscription(*id), problem.entry(*id)) {
        (Some(spec), _) => format!("Subscription `{}`", spec.name),
        (None, Some(entry)) => format!("the installed `{}`", entry.name),
        (None, None) => String::new(),
    };
    let mut names: Vec<String> = first.iter().take(NAMED).map(name).collect();
    if let more @ 1.. = first.len().saturating_sub(NAMED) {
        names.push(format!("{more} more"));
    }
    match names.as_slice() {
        [before @ .., last] if !before.is_empty() => {
            format!("if OLM starts with {} or {last}", before.join(", "))
        }
        _ => format!("if OLM starts with {}", names.concat()),
    }
}

#[cfg(test)]
mod tests {
    use crate::simulate;
    use session::testing::{example, workbench};

    /// The rows of an example as `subject: cell | cell`, then what leads to each outcome.
    #[track_caller]
    fn check(slug: &str, rows: &[&str], expected: &[&str]) {
        let view = simulate(&example(slug), "");
        let lines: Vec<String> =
            view.differences.iter().map(|row| format!("{}: {}", row.subject, row.cells.join(" | "))).collect();
        assert_eq!(lines, rows);
        let conditions: Vec<&str> = view.outcomes.iter().map(|outcome| outcome.when.as_str()).collect();
        assert_eq!(conditions, expected);
    }

    #[test]
    fn the_first_subscription_gets_its_update() {
        let rows = ["ingress: `ingress.v2.0.0` | `ingress.v1.0.0`", "mesh: `mesh.v1.0.0` | `mesh.v2.0.0`"];
        let whens = ["if OLM starts with Subscription `ingress`", "if OLM starts with Subscription `mesh`"];
        check("exclusive-updates", &rows, &whens);
    }

    #[test]
    fn what_belongs_to_no_subscription_may_decide() {
        let whens = ["if OLM starts with Subscription `store`", "if OLM starts with the installed `tool.v1.0.0`"];
        check("unowned-dependant", &["store: `store.v2.0.0` | `store.v1.0.0`"], &whens);
    }

    /// If OLM starts with `b`, it tries each update of `a` in vain and leaves three to its solver.
    #[test]
    fn an_outcome_that_is_not_known_says_so() {
        let catalog = "package a ch\nchannel a ch a.v3.0.0>a.v2.0.0-a.v1.0.0 a.v2.0.0>a.v1.0.0 a.v1.0.0\nchannel a x a.v9.0.0>a.v8.0.0 a.v8.0.0\nbundle a 1.0.0\nbundle a 2.0.0\nbundle a 3.0.0\nbundle a 8.0.0\nbundle a 9.0.0\npackage b ch\nchannel b ch b.v2.0.0>b.v1.0.0 b.v1.0.0\nbundle b 1.0.0\nbundle b 2.0.0 requires a >=8.0.0";
        let installed = |name: &str| {
            format!(
                "---\napiVersion: operators.coreos.com/v1alpha1\nkind: Subscription\nmetadata: {{name: {name}, namespace: ns}}\nspec: {{name: {name}, channel: ch, source: c, sourceNamespace: olm}}\nstatus: {{installedCSV: {name}.v1.0.0, currentCSV: {name}.v1.0.0}}\n---\napiVersion: operators.coreos.com/v1alpha1\nkind: ClusterServiceVersion\nmetadata: {{name: {name}.v1.0.0, namespace: ns}}\nspec: {{version: 1.0.0}}\n"
            )
        };
        let view = simulate(&workbench(&[("c", catalog)]).with_cluster(&(installed("a") + &installed("b"))), "");
        let lines: Vec<String> =
            view.differences.iter().map(|row| format!("{}: {}", row.subject, row.cells.join(" | "))).collect();
        assert_eq!(lines[..2], ["a: `a.v3.0.0` | not known", "b: `b.v1.0.0` | not known"].map(str::to_owned));
    }

    #[test]
    fn only_the_channel_may_differ() {
        let row = "store: `store.v2.0.0` from channel stable | `store.v2.0.0` from channel alpha";
        check("channel-by-chance", &[row], &["", ""]);
    }

    #[test]
    fn one_outcome_differs_from_nothing() {
        check("operator-update", &[], &[""]);
    }
}
