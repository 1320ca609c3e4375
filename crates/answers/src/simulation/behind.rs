//! Why a Subscription keeps a CSV below the head of its channel, in one resolution.

mod detour;

use super::subscriptions::label;
use super::wording::{Wording, funnel_title};
use crate::repairs::channel_repairs;
use catalog::BundleName;
use cluster::SubscriptionSpec;
use resolver::{
    EntryRef, Excluded, Fact, Outcome, Pick, RefusedAlternatives, Stuck, WhyNot, heads, refused_alternatives,
    subscription_funnel, why_not,
};
use simulate::Step;
use std::collections::BTreeMap;
use views::{CsvRef, FixView, FunnelView, KeptView, ReasonView, RefusalView, RepairsView};

/// Why a Subscription ends below the head, in full.
#[derive(Default)]
pub(super) struct Behind {
    /// The CSV that it keeps, and the reason in a sentence.
    pub(super) kept: Option<KeptView>,
    /// The better candidates that were refused.
    pub(super) refused: Vec<RefusalView>,
    /// What helps the channel, if it is stuck.
    pub(super) repairs: Option<RepairsView>,
    /// What helps only this Subscription.
    pub(super) fixes: Vec<FixView>,
    /// Where it loses its candidates.
    pub(super) funnel: Option<FunnelView>,
}

impl Behind {
    /// Why each Subscription that stays behind in the resolution does not move on, by its name. `stuck` are those that
    /// cannot move at all, `explained` is the number of those that are held back for which the reason is searched for.
    pub(super) fn all(wording: &Wording<'_>, step: &Step, stuck: &[Stuck], explained: usize) -> BTreeMap<String, Self> {
        let found = below_head(step, explained).map(|(below, explained)| {
            let problem = &step.problem;
            let refused = below.refused(explained);
            let mut behind = Self { kept: Some(below.view(wording, &refused)), ..Self::default() };
            behind.refused = wording.refused_alternatives(&refused);
            if behind.refused.is_empty() {
                let funnel = subscription_funnel(problem, below.spec);
                let is_dry = funnel.dry().is_some();
                behind.funnel = is_dry.then(|| wording.funnel(funnel_title(below.spec), &funnel, Some(below.spec)));
            }
            let is_it = |stuck: &&Stuck| problem.subscription(stuck.subscription) == Some(below.spec);
            if let Some((stuck, view)) = stuck.iter().find(is_it).zip(behind.kept.as_mut()) {
                behind.repairs = repairs(wording, below.spec, stuck);
                let repairs = behind.repairs.as_ref();
                let detour = detour::fixes(wording, step, (below.spec, stuck), repairs);
                view.because = ReasonView { text: wording.stuck(stuck, detour.is_some()), place: None };
                let plain = || stuck.fixes.iter().map(|fix| wording.own_fix(fix, stuck, repairs)).collect();
                behind.fixes = detour.unwrap_or_else(plain);
            }
            (below.spec.name.to_string(), behind)
        });
        found.collect()
    }
}

/// What helps the channel in which a Subscription is stuck.
fn repairs(wording: &Wording<'_>, spec: &SubscriptionSpec, stuck: &Stuck) -> Option<RepairsView> {
    let catalog = wording.scenario.bound.get(&stuck.catalog).and_then(|id| wording.workbench.catalog(*id))?;
    let names = (spec.package.as_str(), stuck.channel.as_str());
    channel_repairs(wording.workbench, catalog, names, &[&stuck.installed])
}

/// The Subscriptions that keep a CSV below the head in a step, each with its reason.
pub(super) fn kept(wording: &Wording<'_>, step: &Step, explained: usize) -> Vec<KeptView> {
    let is_judged = |below: &BelowHead<'_>| wording.scenario.unknown_csv(below.csv).is_none();
    let rows = below_head(step, explained).filter(|(below, _)| is_judged(below));
    rows.map(|(below, explained)| below.view(wording, &below.refused(explained))).collect()
}

/// The Subscriptions that keep a CSV below the head in a step, and whether the reason is searched for.
fn below_head(step: &Step, explained: usize) -> impl Iterator<Item = (BelowHead<'_>, bool)> {
    let found = step.problem.subscriptions().iter().filter_map(|spec| BelowHead::find(step, spec));
    found.scan(0, move |held_back, below| {
        *held_back += usize::from(below.is_held_back());
        Some((below, *held_back <= explained))
    })
}

/// A Subscription that keeps its CSV although it is not the head of its channel.
pub(super) struct BelowHead<'s> {
    step: &'s Step,
    spec: &'s SubscriptionSpec,
    csv: &'s BundleName,
    /// All choices of the resolution.
    picks: &'s [Pick],
    /// The head of its channel; if it names none, that of the default channel.
    head: EntryRef,
}

impl<'s> BelowHead<'s> {
    /// `None` if the Subscription moves in the step, or keeps the head.
    pub(super) fn find(step: &'s Step, spec: &'s SubscriptionSpec) -> Option<Self> {
        let Outcome::Resolved(resolution) = &step.outcome else { return None };
        let csv = step.problem.installed(spec)?;
        let is_kept = step.error.is_none() && step.installed.get(&*spec.name) == Some(csv);
        let heads = heads(&step.problem, spec);
        if !is_kept || heads.iter().any(|head| head.name == *csv) {
            return None;
        }
        Some(Self { step, spec, csv, picks: &resolution.picks, head: heads.into_iter().next()? })
    }

    /// The choice that kept the CSV.
    fn pick(&self) -> Option<usize> {
        let problem = &self.step.problem;
        let is_mine = |pick: &Pick| match pick.choice.map(|choice| problem.fact(choice)) {
            Some(Fact::Wants { subscription, .. }) => problem.subscription(*subscription) == Some(self.spec),
            _ => false,
        };
        self.picks.iter().position(is_mine)
    }

    fn is_held_back(&self) -> bool {
        self.pick().is_some_and(|at| !self.picks[at].refused.is_empty())
    }

    /// The better candidates that the choice refused; none if they are not explained.
    fn refused(&self, explained: bool) -> RefusedAlternatives {
        let at = self.pick().filter(|_| explained);
        at.and_then(|at| refused_alternatives(&self.step.problem, self.picks, at).ok()).unwrap_or_default()
    }

    fn view(&self, wording: &Wording<'_>, refused: &RefusedAlternatives) -> KeptView {
        let better = self.pick().and_then(|at| wording.entry_ref(*self.picks[at].refused.first()?));
        let because = match (&better, refused.groups.first()) {
            (Some(better), Some(group)) => {
                let reason = wording.main_reason(&group.refusal);
                ReasonView { text: format!("held back from `{}`: {}", self.label(better), reason.text), ..reason }
            }
            (Some(better), None) => {
                let text = format!(
                    "held back from `{}`; Opscope did not work out the reason within its limits",
                    self.label(better)
                );
                ReasonView { text, place: None }
            }
            (None, _) => ReasonView { text: self.not_the_head(wording), place: None },
        };
        let (subscription, csv) = (self.spec.name.to_string(), self.csv.to_string());
        KeptView { subscription, csv, because, better: csv_ref(better.as_ref().unwrap_or(&self.head)) }
    }

    /// Why it does not get the head, if no candidate was refused.
    fn not_the_head(&self, wording: &Wording<'_>) -> String {
        let head = &self.head;
        let EntryRef { channel, name, .. } = head;
        let answer = why_not(&self.step.problem, &self.step.outcome, self.spec, head);
        match &answer {
            Ok(WhyNot::Chosen) => format!(
                "OLM selects `{name}`, but creates no InstallPlan, because `status.currentCSV` names it already"
            ),
            Ok(WhyNot::Excluded(Excluded::NoEdge { from, .. })) => format!(
                "no update: no entry of channel `{channel}` updates `{from}` towards the head `{}`",
                self.label(head)
            ),
            _ => {
                let row = wording.why_not(self.spec, head, answer);
                format!("held back from `{}`: {}", self.label(head), row.reason.text)
            }
        }
    }

    fn label<'e>(&self, entry: &'e EntryRef) -> &'e str {
        label(&self.spec.package, &entry.name)
    }
}

fn csv_ref(entry: &EntryRef) -> CsvRef {
    CsvRef {
        name: entry.name.to_string(),
        package: entry.package.to_string(),
        channel: entry.channel.to_string(),
        catalog: entry.catalog.name.to_string(),
        catalog_namespace: entry.catalog.namespace.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use crate::simulate;
    use crate::simulation::run::EXPLAINED;
    use crate::testing::{form, with_form};
    use session::testing::workbench;
    use views::{KeptView, OutcomeView, SubscriptionForm};

    /// A chain in which `q.v1.0.0` holds back `p.v3.0.0`.
    const HELD: &str = "package p c\nchannel p c p.v3.0.0>p.v2.0.0 p.v2.0.0>p.v1.0.0 p.v1.0.0\nbundle p 1.0.0\nbundle p 2.0.0\nbundle p 3.0.0\npackage q c\nchannel q c q.v1.0.0\nbundle q 1.0.0 requires p <3.0.0";

    fn outcome(catalog: &str, rows: &[(&str, &str)]) -> OutcomeView {
        let row = |(package, installed): &(&str, &str)| SubscriptionForm {
            package: (*package).to_owned(),
            installed: (*installed).to_owned(),
            channel: "c".to_owned(),
            ..SubscriptionForm::default()
        };
        let rows: Vec<_> = rows.iter().map(row).collect();
        simulate(&with_form(workbench(&[("c", catalog)]), &form(&rows)), "").outcomes.remove(0)
    }

    fn said(kept: &KeptView) -> (&str, &str, &str) {
        (kept.csv.as_str(), kept.because.text.as_str(), kept.better.name.as_str())
    }

    #[test]
    fn a_subscription_that_is_held_back_names_the_requirement() {
        let outcome = outcome(HELD, &[("p", "p.v1.0.0"), ("q", "")]);
        let [p, q] = &outcome.subscriptions[..] else { panic!("{outcome:?}") };
        let reason = "held back from `3.0.0`: `q.v1.0.0` requires package `p` in range `<3.0.0`";
        assert_eq!(said(p.behind.as_ref().unwrap()), ("p.v2.0.0", reason, "p.v3.0.0"));
        assert!(p.behind.as_ref().unwrap().because.place.is_some());
        assert_eq!((p.verdict.as_str(), p.refused.len()), ("ends at p.v2.0.0", 1));
        assert_eq!((&q.behind, q.refused.len()), (&None, 0));
    }

    #[test]
    fn a_shared_api_is_the_reason() {
        let shared = "package p c\nchannel p c p.v2.0.0>p.v1.0.0 p.v1.0.0\nbundle p 1.0.0\nbundle p 2.0.0 provides K\npackage q c\nchannel q c q.v1.0.0\nbundle q 1.0.0 provides K";
        let outcome = outcome(shared, &[("p", "p.v1.0.0"), ("q", "")]);
        let reason = "held back from `2.0.0`: only one installed operator may provide `K` (example.com/v1), but `q.v1.0.0` (installed) and `p.v2.0.0` (c, c) provide it";
        assert_eq!(said(outcome.subscriptions[0].behind.as_ref().unwrap()), ("p.v1.0.0", reason, "p.v2.0.0"));
    }

    /// Both channels list the candidate.
    #[test]
    fn a_refused_bundle_is_named_once() {
        let twice = HELD.replace("package q", "channel p d p.v3.0.0>p.v2.0.0 p.v2.0.0\npackage q");
        let row = |package: &str, installed: &str| SubscriptionForm {
            package: package.to_owned(),
            installed: installed.to_owned(),
            ..SubscriptionForm::default()
        };
        let rows = [row("p", "p.v2.0.0"), row("q", "")];
        let outcome = simulate(&with_form(workbench(&[("c", &twice)]), &form(&rows)), "").outcomes.remove(0);
        let titles: Vec<_> = outcome.subscriptions[0].refused.iter().map(|row| row.title.as_str()).collect();
        assert_eq!(titles, ["`p.v3.0.0`"]);
    }

    #[test]
    fn a_step_names_who_keeps_what() {
        let outcome = outcome(HELD, &[("p", "p.v2.0.0"), ("q", "")]);
        let [step] = &outcome.steps[..] else { panic!("{outcome:?}") };
        let reason = "held back from `3.0.0`: `q.v1.0.0` requires package `p` in range `<3.0.0`";
        assert_eq!(step.kept.iter().map(said).collect::<Vec<_>>(), [("p.v2.0.0", reason, "p.v3.0.0")]);
        assert_eq!(step.kept[0].subscription, "p");
    }

    #[test]
    fn of_many_that_are_held_back_one_too_many_has_no_reason() {
        let held: Vec<[String; 3]> =
            (0..=EXPLAINED).map(|at| [format!("p{at}"), format!("p{at}.v1.0.0"), format!("q{at}")]).collect();
        let pair = |[p, _, q]: &[String; 3]| {
            format!(
                "package {p} c\nchannel {p} c {p}.v2.0.0>{p}.v1.0.0 {p}.v1.0.0\nbundle {p} 1.0.0\nbundle {p} 2.0.0\npackage {q} c\nchannel {q} c {q}.v1.0.0\nbundle {q} 1.0.0 requires {p} <2.0.0\n"
            )
        };
        let catalog: String = held.iter().map(pair).collect();
        let rows: Vec<(&str, &str)> =
            held.iter().flat_map(|[p, installed, q]| [(p.as_str(), installed.as_str()), (q, "")]).collect();
        let outcome = outcome(&catalog, &rows);
        let reasons: Vec<&str> =
            outcome.subscriptions.iter().filter_map(|view| Some(view.behind.as_ref()?.because.text.as_str())).collect();
        assert_eq!(reasons.len(), EXPLAINED + 1);
        let without = "held back from `2.0.0`; Opscope did not work out the reason within its limits";
        assert_eq!(reasons.iter().filter(|reason| **reason == without).count(), 1);
    }

    #[test]
    fn a_subscription_without_an_edge_has_a_reason() {
        let gap = "package p c\nchannel p c p.v3.0.0\nchannel p d p.v1.0.0\nbundle p 1.0.0\nbundle p 3.0.0";
        let outcome = outcome(gap, &[("p", "p.v1.0.0")]);
        let stuck = "Stuck: the channel does not list `p.v1.0.0`, so there is no update to its head `p.v3.0.0`. OLM reports no error. \
            Channel `d` lists it and updates it; this channel only updates what an entry of it replaces, skips or has in a range, and all else \
            is installed anew, as its publisher describes.";
        assert_eq!(said(outcome.subscriptions[0].behind.as_ref().unwrap()), ("p.v1.0.0", stuck, "p.v3.0.0"));
        let edge = "no update: no entry of channel `c` updates `p.v1.0.0` towards the head `3.0.0`";
        assert_eq!(said(&outcome.steps[0].kept[0]), ("p.v1.0.0", edge, "p.v3.0.0"));
    }
}
