//! What OLM does with the Subscriptions of a form.

mod form;
mod verdict;
mod wording;

use crate::input::Workbench;
use form::Staged;
use resolver::{Fact, Outcome, Pick, Problem, VarId, refusal};
use simulate::{Approval, NewBundle, Step, timelines};
use std::collections::BTreeSet;
use views::{
    ClusterForm, ConflictKind, ConflictView, CsvRef, OutcomeView, ReasonView, RefusalView, SelectedView,
    SimulationView, StepView, SubscriptionView,
};
use wording::Wording;

/// The namespace of the simulated Subscriptions; it is shown nowhere but in OLM's own texts.
pub(crate) const NAMESPACE: &str = "operators";
/// At most so many resolutions one after the other.
const STEPS: usize = 50;
/// At most so many courses of events.
const OUTCOMES: usize = 16;
/// At most so many refused candidates are explained for one choice.
const REFUSALS: usize = 8;
/// What a plan that waits means for the steps after it.
const MANUAL: &str = "one Subscription with approval Manual makes every InstallPlan of the namespace wait; a step after such a plan is what OLM does once someone approves it";

impl Workbench {
    /// What OLM does, hop by hop, until nothing changes.
    #[must_use]
    pub fn simulate(&self, form: &ClusterForm) -> SimulationView {
        let staged = form::stage(self, form);
        let found = timelines(&staged.cluster, NAMESPACE, &staged.snapshots, STEPS, OUTCOMES);
        let outcomes: Vec<OutcomeView> = found.timelines.iter().map(|steps| self.outcome(&staged, steps)).collect();
        let mut notices = staged.notices;
        if outcomes.iter().flat_map(|outcome| &outcome.steps).any(|step| step.waits_for_approval) {
            notices.push(MANUAL.to_owned());
        }
        SimulationView { outcomes, bounded: found.bounded, notices }
    }

    fn outcome(&self, staged: &Staged, steps: &[Step]) -> OutcomeView {
        OutcomeView {
            steps: steps.iter().map(|step| self.step(step)).collect(),
            subscriptions: subscriptions(staged, steps),
        }
    }

    fn step(&self, step: &Step) -> StepView {
        let wording = Wording::new(self, &step.problem);
        StepView {
            selected: step.selected.iter().map(|bundle| selected(&wording, step, bundle)).collect(),
            generated: step.generated_subscriptions.iter().map(ToString::to_string).collect(),
            updated: step.updated_subscriptions.iter().map(ToString::to_string).collect(),
            plan_created: step.install_plan_created,
            waits_for_approval: step.install_plan_created && step.approval == Approval::Manual,
            conflict: conflict(&wording, step),
        }
    }
}

fn selected(wording: &Wording<'_>, step: &Step, bundle: &NewBundle) -> SelectedView {
    let (because, refused) = match &step.outcome {
        Outcome::Resolved(resolution) => {
            let chosen = resolution.selected.iter().find(|selected| {
                selected.entry.name == bundle.name
                    && selected.entry.channel == bundle.channel
                    && selected.catalog == bundle.catalog
            });
            let because = chosen.map_or(&[][..], |selected| &selected.because);
            let reasons = because.iter().map(|&fact| wording.choice(fact)).collect();
            (
                reasons,
                chosen.map_or_else(Vec::new, |chosen| refusals(wording, &step.problem, &resolution.picks, chosen.id)),
            )
        }
        _ => (Vec::new(), Vec::new()),
    };
    SelectedView {
        csv: CsvRef {
            name: bundle.name.to_string(),
            package: bundle.package.to_string(),
            channel: bundle.channel.to_string(),
            catalog: bundle.catalog.name.to_string(),
            catalog_namespace: bundle.catalog.namespace.to_string(),
        },
        version: bundle.version.as_ref().map(ToString::to_string),
        replaces: bundle.replaces.as_ref().map(ToString::to_string),
        because,
        refused,
    }
}

/// Why the better alternatives of the choices that came to `chosen` were refused.
fn refusals(wording: &Wording<'_>, problem: &Problem, picks: &[Pick], chosen: VarId) -> Vec<RefusalView> {
    let here = picks.iter().enumerate().filter(|(_, pick)| pick.selected == chosen);
    let alternatives = here.flat_map(|(at, pick)| (0..pick.refused.len()).map(move |index| (at, index)));
    let explained = alternatives.take(REFUSALS).map(|(at, index)| {
        let name = problem.name(picks[at].refused[index]).to_owned();
        let because = match refusal(problem, picks, at, index) {
            Ok(refusal) => refusal.facts.iter().map(|&fact| wording.fact(fact)).collect(),
            Err(gave_up) => vec![ReasonView { text: gave_up.to_string(), place: None }],
        };
        RefusalView { name: wording.bundle(&name), because }
    });
    explained.collect()
}

fn conflict(wording: &Wording<'_>, step: &Step) -> Option<ConflictView> {
    let (kind, rules) = match &step.outcome {
        Outcome::Resolved(_) => return None,
        Outcome::Unsolvable(conflict) => {
            let told =
                conflict.facts.iter().filter(|&&fact| !matches!(step.problem.fact(fact), Fact::Subscribed { .. }));
            (ConflictKind::Clash, told.map(|&fact| wording.fact(fact)).collect())
        }
        Outcome::Prevented(prevented) => {
            (ConflictKind::Refused, prevented.errors.iter().map(|obstacle| wording.obstacle(obstacle)).collect())
        }
        Outcome::GaveUp(gave_up) => (ConflictKind::Unknown, vec![wording.gave_up(gave_up)]),
    };
    Some(ConflictView { kind, message: step.error.clone().unwrap_or_default(), rules })
}

/// Where each Subscription of the form ends.
fn subscriptions(staged: &Staged, steps: &[Step]) -> Vec<SubscriptionView> {
    let views = staged.cluster.subscriptions.iter().map(|subscription| {
        let wish = &subscription.wish;
        let verdict = verdict::of(wish, steps);
        let updates = steps.iter().flat_map(|step| &step.updated_subscriptions);
        let mine = updates.filter(|update| update.name == wish.name).map(|update| update.current_csv.to_string());
        let hops = wish.installed_csv.iter().map(ToString::to_string).chain(mine).collect();
        SubscriptionView { name: wish.name.to_string(), package: wish.package.to_string(), hops, verdict }
    });
    let views: Vec<SubscriptionView> = views.collect();
    let names: BTreeSet<&str> = views.iter().map(|view| view.name.as_str()).collect();
    debug_assert_eq!(names.len(), views.len(), "staging gives each Subscription its own name");
    views
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::workbench;
    use views::SubscriptionForm;

    /// The default outcome: a line a step with what it selects, then a line a Subscription with its verdict.
    fn told(catalogs: &[(&str, &str)], subscriptions: &[SubscriptionForm]) -> Vec<String> {
        let form = ClusterForm { subscriptions: subscriptions.to_vec() };
        let view = workbench(catalogs).simulate(&form);
        let outcome = &view.outcomes[0];
        let steps = outcome.steps.iter().map(|step| {
            let names: Vec<&str> = step.selected.iter().map(|selected| selected.csv.name.as_str()).collect();
            names.join(" ")
        });
        let verdicts = outcome.subscriptions.iter().map(|view| format!("{}: {}", view.name, view.verdict));
        steps.chain(verdicts).collect()
    }

    fn subscription(package: &str, installed: &str) -> SubscriptionForm {
        SubscriptionForm { package: package.to_owned(), installed: installed.to_owned(), ..SubscriptionForm::default() }
    }

    const CHAIN: &str = "package p c\nchannel p c p.v3.0.0>p.v2.0.0 p.v2.0.0>p.v1.0.0 p.v1.0.0\nbundle p 1.0.0\nbundle p 2.0.0\nbundle p 3.0.0";

    #[test]
    fn a_fresh_install_takes_the_head() {
        assert_eq!(told(&[("c", CHAIN)], &[subscription("p", "")]), ["p.v3.0.0", "p: installs p.v3.0.0"]);
    }

    #[test]
    fn what_is_installed_is_updated_hop_by_hop() {
        let expected = ["p.v2.0.0", "p.v3.0.0", "p: ends at p.v3.0.0"];
        assert_eq!(told(&[("c", CHAIN)], &[subscription("p", "p.v1.0.0")]), expected);
        assert_eq!(told(&[("c", CHAIN)], &[subscription("p", "p.v3.0.0")]), ["", "p: stays at p.v3.0.0"]);
    }

    #[test]
    fn a_manual_approval_is_counted() {
        let manual = SubscriptionForm { approval: views::Approval::Manual, ..subscription("p", "p.v1.0.0") };
        let expected = ["p.v2.0.0", "p.v3.0.0", "p: ends at p.v3.0.0 after 2 approvals"];
        assert_eq!(told(&[("c", CHAIN)], std::slice::from_ref(&manual)), expected);
        let view = workbench(&[("c", CHAIN)]).simulate(&ClusterForm { subscriptions: vec![manual] });
        assert_eq!(view.notices, [MANUAL]);
    }

    #[test]
    fn a_starting_csv_is_where_it_begins() {
        let form = SubscriptionForm { starting_csv: "p.v2.0.0".to_owned(), ..subscription("p", "") };
        assert_eq!(told(&[("c", CHAIN)], &[form]), ["p.v2.0.0", "p.v3.0.0", "p: ends at p.v3.0.0"]);
    }

    #[test]
    fn a_conflict_names_its_rules() {
        let catalog = "package p c\nchannel p c p.v1.0.0\nbundle p 1.0.0 requires q >=1.0.0";
        let view = workbench(&[("c", catalog)]).simulate(&ClusterForm { subscriptions: vec![subscription("p", "")] });
        let conflict = view.outcomes[0].steps[0].conflict.as_ref().unwrap();
        let rules: Vec<&str> = conflict.rules.iter().map(|rule| rule.text.as_str()).collect();
        let expected = [
            "`p.v1.0.0` (c, c) requires an operator `with package: q and with version in range: >=1.0.0`; nothing meets that",
            "Subscription `p` can only have `p.v1.0.0` (c, c)",
        ];
        assert_eq!(rules, expected);
        assert_eq!(view.outcomes[0].subscriptions[0].verdict, "nothing can be chosen");
    }

    #[test]
    fn what_a_subscription_leaves_open_is_not_named() {
        let rule = |form: SubscriptionForm| {
            let view = workbench(&[("c", CHAIN)]).simulate(&ClusterForm { subscriptions: vec![form] });
            view.outcomes[0].steps[0].conflict.as_ref().unwrap().rules[0].text.clone()
        };
        let starting = SubscriptionForm { starting_csv: "p.v9.0.0".to_owned(), ..subscription("p", "") };
        let expected =
            "Subscription `p` asks for startingCSV `p.v9.0.0`, which the default channel of package `p` does not list";
        assert_eq!(rule(starting), expected);
        assert_eq!(rule(subscription("q", "")), "Subscription `q` finds no catalog that has package `q`");
    }

    #[test]
    fn a_channel_without_order_is_no_conflict() {
        let catalog = "package p c\nchannel p c p.v1.0.0 p.v2.0.0\nbundle p 1.0.0\nbundle p 2.0.0";
        assert_eq!(told(&[("c", catalog)], &[subscription("p", "")]), ["", "p: OLM stops with an error"]);
        let expected = ["", "p: stays at p.v1.0.0, because OLM stops with an error"];
        assert_eq!(told(&[("c", catalog)], &[subscription("p", "p.v1.0.0")]), expected);
    }

    #[test]
    fn two_entries_that_jump_to_each_other_never_end() {
        let catalog = "package p c\nchannel p c p.v2.0.0>p.v1.0.0 p.v1.0.0~<=2.0.0\nbundle p 1.0.0\nbundle p 2.0.0";
        let told = told(&[("c", catalog)], &[subscription("p", "p.v2.0.0")]);
        assert_eq!(told.last().unwrap(), "p: comes to p.v2.0.0 in 50 steps, and goes on");
    }

    #[test]
    fn two_subscriptions_of_one_channel_share_the_bundle() {
        let two = [subscription("p", ""), subscription("p", "")];
        let expected = ["p.v3.0.0", "p: installs p.v3.0.0", "p-2: installs p.v3.0.0"];
        assert_eq!(told(&[("c", CHAIN)], &two), expected);
    }

    #[test]
    fn two_subscriptions_of_two_channels_exclude_each_other() {
        let catalog = format!("{CHAIN}\nchannel p d p.v3.0.0");
        let of = |channel: &str| SubscriptionForm { channel: channel.to_owned(), ..subscription("p", "") };
        let expected = ["", "p: nothing can be chosen", "p-2: nothing can be chosen"];
        assert_eq!(told(&[("c", &catalog)], &[of("c"), of("d")]), expected);
    }

    #[test]
    fn what_we_cannot_evaluate_is_not_guessed() {
        let catalog = format!("{CHAIN}\nchannel p d p.v2.0.0~1.0.0_||_||_1.5.0 p.v3.0.0>p.v2.0.0");
        let form = SubscriptionForm { channel: "d".to_owned(), ..subscription("p", "p.v3.0.0") };
        assert_eq!(told(&[("c", &catalog)], &[form]), ["", "p: has p.v3.0.0; what OLM does next is not known"]);
    }

    #[test]
    fn what_the_form_names_in_vain_is_noticed() {
        let form = ClusterForm { subscriptions: vec![subscription("q", "q.v1.0.0")] };
        let expected = [
            "no loaded catalog has a package `q`",
            "no loaded catalog has the installed `q.v1.0.0`: what it provides and requires is not known, and its version is taken from its name",
        ];
        assert_eq!(workbench(&[("c", CHAIN)]).simulate(&form).notices, expected);
    }

    #[test]
    fn catalogs_of_one_name_are_one_catalog_source() {
        let mut workbench = workbench(&[("c", CHAIN), ("d", CHAIN)]);
        workbench.describe(views::CatalogId(1), "c", "olm", 0);
        let view = workbench.simulate(&ClusterForm { subscriptions: vec![subscription("p", "")] });
        assert_eq!(view.notices, ["two catalogs are `c` in namespace `olm`; only the first takes part"]);
        assert_eq!(view.outcomes[0].subscriptions[0].verdict, "installs p.v3.0.0");
    }
}
