//! Why the steps of an outcome do not install a given entry.

use super::behind::BelowHead;
use super::scenario::Scenario;
use super::wording::Wording;
use crate::simulation::run::narrow_scenario;
use catalog::predicate::{PackageName, Requirement};
use catalog::{BundleName, ChannelName};
use cluster::{CatalogKey, SubscriptionSpec};
use resolver::{EntryRef, Excluded, Fact, FactId, Outcome, Problem, WhyNot, why_not_provider};
use session::Workbench;
use simulate::{Step, Timeline};
use views::{EntryKey, PackageKey, WhyNotRow, WhyNotView};

/// The number of rows in an answer.
const ROWS: usize = 60;

/// Why the entry is not chosen in the outcome of a namespace at this index: a row for each Subscription and requirement that chooses in
/// its package, step by step.
#[must_use]
pub fn why_not(
    workbench: &Workbench,
    namespace: &str,
    outcome: u32,
    package: &PackageKey,
    entry: &EntryKey,
) -> WhyNotView {
    let scenario = narrow_scenario(workbench, namespace);
    let mut view = WhyNotView::default();
    let Some(target) = resolver_entry(&scenario, package, entry) else { return view };
    let outcome = outcome as usize;
    let found = scenario.timelines(workbench, outcome.saturating_add(1));
    let Some(timeline) = found.timelines.get(outcome) else { return view };
    let mut answers: Vec<Answer> = Vec::new();
    for (number, step) in timeline.steps.iter().enumerate() {
        let wording = Wording::new(workbench, &scenario, &step.problem);
        for row in rows(&wording, step, &target) {
            merge(&mut answers, Answer { first: number, last: number, row });
        }
    }
    for row in rows_afterwards(workbench, &scenario, timeline, &target) {
        let number = timeline.steps.len();
        merge(&mut answers, Answer { first: number, last: number, row });
    }
    // Group by chooser, in the order of their first steps.
    let mut sorted: Vec<WhyNotRow> = Vec::new();
    for Answer { first, last, row } in answers {
        let at = sorted.iter().rposition(|other| other.who == row.who).map_or(sorted.len(), |at| at + 1);
        sorted.insert(at, WhyNotRow { when: when(first, last, timeline), ..row });
    }
    view.bounded = sorted.len() > ROWS;
    sorted.truncate(ROWS);
    view.rows = sorted;
    view
}

/// An answer that is the same in several resolutions one after the other.
struct Answer {
    /// Index of the first resolution: a step, or the one after all steps.
    first: usize,
    /// Index of the last resolution.
    last: usize,
    row: WhyNotRow,
}

/// The resolutions in words. The one after all steps changes nothing, so it is no step.
fn when(first: usize, last: usize, timeline: &Timeline) -> String {
    let count = timeline.steps.len();
    let (number, is_to_the_end) = (first + 1, last == count);
    match (first, last) {
        (first, _) if first == count => "afterwards".to_owned(),
        _ if is_to_the_end => format!("from step {number} on"),
        (first, last) if first == last => format!("step {number}"),
        (_, last) => format!("steps {number} to {}", last + 1),
    }
}

/// The entry as the resolver names it; `None` if its catalog is not used, or no channel lists the bundle.
fn resolver_entry(scenario: &Scenario, package: &PackageKey, entry: &EntryKey) -> Option<EntryRef> {
    let (catalog, _) = scenario.bound.iter().find(|(_, id)| **id == package.catalog)?;
    Some(EntryRef {
        catalog: CatalogKey::clone(catalog),
        package: PackageName::from(package.package.as_str()),
        channel: ChannelName::from(entry.channel.as_deref()?),
        name: BundleName::from(entry.name.as_str()),
    })
}

/// The rows of the resolution after all steps: of Subscriptions that end below the head.
fn rows_afterwards(
    workbench: &Workbench,
    scenario: &Scenario,
    timeline: &Timeline,
    entry: &EntryRef,
) -> Vec<WhyNotRow> {
    let Some(step) = &timeline.idle else { return Vec::new() };
    let wording = Wording::new(workbench, scenario, &step.problem);
    let wishes = step.problem.subscriptions().iter().filter(|spec| spec.package == entry.package);
    let kept = wishes.filter(|spec| step.problem.installed(spec) != Some(&entry.name));
    let kept = kept.filter(|spec| BelowHead::find(step, spec).is_some());
    kept.map(|spec| wording.why_not(spec, entry, resolver::why_not(&step.problem, &step.outcome, spec, entry)))
        .collect()
}

fn rows(wording: &Wording<'_>, step: &Step, entry: &EntryRef) -> Vec<WhyNotRow> {
    let wishes = step.problem.subscriptions().iter().filter(|spec| spec.package == entry.package);
    let subscribed = wishes.map(|spec| {
        let answer = if step.problem.installed(spec) == Some(&entry.name) && !moves(step, spec) {
            Ok(WhyNot::Chosen)
        } else {
            resolver::why_not(&step.problem, &step.outcome, spec, entry)
        };
        wording.why_not(spec, entry, answer)
    });
    let required = requirements(&step.problem, &step.outcome).filter_map(|(rule, requirement)| {
        let answer = why_not_provider(&step.problem, &step.outcome, rule, entry).transpose()?;
        let is_about = names(requirement, &entry.package);
        let concerns = |answer: &WhyNot| is_about || !matches!(answer, WhyNot::Excluded(Excluded::Unmet(_)));
        if answer.as_ref().is_ok_and(|answer| !concerns(answer)) {
            return None;
        }
        Some(wording.why_not_provider(rule, entry, answer))
    });
    subscribed.chain(required).collect()
}

fn moves(step: &Step, spec: &SubscriptionSpec) -> bool {
    step.updated_subscriptions.iter().any(|update| update.name == spec.name)
}

/// The requirements that a bundle was chosen for.
fn requirements<'p>(
    problem: &'p Problem,
    outcome: &'p Outcome,
) -> impl Iterator<Item = (FactId, &'p Requirement)> + use<'p> {
    let picks = match outcome {
        Outcome::Resolved(resolution) => resolution.picks.as_slice(),
        Outcome::Unsolvable(_) | Outcome::Prevented(_) | Outcome::GaveUp(_) => &[],
    };
    picks.iter().filter_map(|pick| match problem.fact(pick.choice?) {
        Fact::Requires { requirement, .. } => Some((pick.choice?, &**requirement)),
        _ => None,
    })
}

fn names(requirement: &Requirement, package: &PackageName) -> bool {
    match requirement {
        Requirement::Package { name, .. } => name == package,
        Requirement::All(inner) | Requirement::Any(inner) | Requirement::Not(inner) => {
            inner.iter().any(|inner| names(inner, package))
        }
        Requirement::Gvk(_) | Requirement::Label(_) | Requirement::Cel { .. } => false,
    }
}

/// Adds an answer, or extends the last one of the same chooser if it says the same.
fn merge(answers: &mut Vec<Answer>, answer: Answer) {
    let before = answers.iter_mut().rfind(|before| before.row.who == answer.row.who);
    match before {
        Some(before) if before.last + 1 == answer.first && before.row == answer.row => before.last = answer.last,
        _ => answers.push(answer),
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{form, with_form};
    use crate::why_not;
    use session::testing::workbench;
    use views::{CatalogId, EntryKey, PackageKey, SubscriptionForm};

    /// The answer about an entry of catalog `c`, a line a row.
    fn answer(sketch: &str, forms: &[SubscriptionForm], package: &str, entry: (&str, &str)) -> Vec<String> {
        let package = PackageKey { catalog: CatalogId(0), package: package.to_owned() };
        let entry = EntryKey { channel: Some(entry.0.to_owned()), name: entry.1.to_owned() };
        let view = why_not(&with_form(workbench(&[("c", sketch)]), &form(forms)), "", 0, &package, &entry);
        let row = |row: &views::WhyNotRow| {
            let because: Vec<&str> = row.because.iter().map(|reason| reason.text.as_str()).collect();
            format!("{}, {} {:?}: {} {because:?}", row.who, row.when, row.status, row.reason.text)
        };
        view.rows.iter().map(row).collect()
    }

    fn subscription(package: &str, installed: &str) -> SubscriptionForm {
        SubscriptionForm {
            package: package.to_owned(),
            installed: installed.to_owned(),
            channel: "c".to_owned(),
            ..Default::default()
        }
    }

    const CHAIN: &str = "package p c\nchannel p c p.v3.0.0>p.v2.0.0 p.v2.0.0>p.v1.0.0 p.v1.0.0\n\
        channel p d p.v3.0.0\nbundle p 1.0.0\nbundle p 2.0.0\nbundle p 3.0.0";

    #[test]
    fn each_step_has_its_reason() {
        let rows = answer(CHAIN, &[subscription("p", "p.v1.0.0")], "p", ("c", "p.v3.0.0"));
        assert_eq!(
            rows,
            [
                "Subscription `p`, step 1 Excluded: it does not update `p.v1.0.0`: it neither replaces nor skips it, and it has no skipRange []",
                "Subscription `p`, step 2 Chosen: OLM chooses it []",
            ]
        );
        let ranged = CHAIN.replacen("p.v3.0.0>p.v2.0.0", "p.v3.0.0>p.v2.0.0~>=2.0.0_<3.0.0", 1);
        let rows = answer(&ranged, &[subscription("p", "p.v1.0.0")], "p", ("c", "p.v3.0.0"));
        assert!(rows[0].ends_with("and its skipRange does not cover it []"), "{rows:?}");
    }

    #[test]
    fn equal_reasons_of_steps_are_one_row() {
        let rows = answer(CHAIN, &[subscription("p", "p.v1.0.0")], "p", ("d", "p.v3.0.0"));
        assert_eq!(rows, ["Subscription `p`, steps 1 to 2 Excluded: the Subscription follows channel `c`, not `d` []"]);
    }

    #[test]
    fn a_worse_entry_is_told_the_preferred_one() {
        let rows = answer(CHAIN, &[subscription("p", "")], "p", ("c", "p.v2.0.0"));
        assert_eq!(
            rows,
            ["Subscription `p`, step 1 PassedOver: OLM prefers `p.v3.0.0` (c, c), which causes no conflict []"]
        );
    }

    #[test]
    fn a_requirement_chooses_too() {
        let sketch = format!("{CHAIN}\npackage q c\nchannel q c q.v1.0.0\nbundle q 1.0.0 requires p <3.0.0");
        let rows = answer(&sketch, &[subscription("q", "")], "p", ("c", "p.v3.0.0"));
        let expected = "`q.v1.0.0`, which requires package `p` in range `<3.0.0`, step 1 Excluded: it does not match package `p` in range `<3.0.0` []";
        assert_eq!(rows[0], expected);
        assert!(rows[1].starts_with("Subscription `p-c-c-olm`, afterwards PassedOver"), "{}", rows[1]);
    }

    #[test]
    fn a_refusal_comes_with_its_facts() {
        let sketch =
            "package p c\nchannel p c p.v2.0.0>p.v1.0.0 p.v1.0.0\nbundle p 1.0.0\nbundle p 2.0.0 requires x >1.0.0";
        let rows = answer(sketch, &[subscription("p", "")], "p", ("c", "p.v2.0.0"));
        assert_eq!(
            rows[0],
            "Subscription `p`, from step 1 on PassedOver: OLM tries it and refuses it [\"`p.v2.0.0` (c, c) requires package `x` in range `>1.0.0`; no bundle meets this\"]"
        );
    }

    #[test]
    fn a_subscription_that_ends_below_the_head_is_asked_once_more() {
        let sketch = format!("{CHAIN}\npackage q c\nchannel q c q.v1.0.0\nbundle q 1.0.0 requires p <3.0.0");
        let rows = answer(&sketch, &[subscription("p", "p.v1.0.0"), subscription("q", "")], "p", ("c", "p.v3.0.0"));
        let starts: Vec<_> = rows.iter().filter_map(|row| row.split_once(": ")).map(|(start, _)| start).collect();
        let expected = [
            "Subscription `p`, step 1 Excluded",
            "Subscription `p`, afterwards PassedOver",
            "`q.v1.0.0`, which requires package `p` in range `<3.0.0`, step 1 Excluded",
        ];
        assert_eq!(starts, expected);
    }

    #[test]
    fn nobody_asks_for_a_package_that_nothing_needs() {
        assert_eq!(answer(CHAIN, &[subscription("r", "")], "p", ("c", "p.v2.0.0")), [""; 0]);
        assert_eq!(answer(CHAIN, &[subscription("p", "")], "p", ("nope", "p.v2.0.0")).len(), 1);
    }
}
