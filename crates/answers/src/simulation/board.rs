//! The course of a namespace as lanes and columns.

use super::scenario::{Failure, Scenario};
use super::subscriptions::{Course, label};
use super::wording::Wording;
use catalog::BundleName;
use catalog::predicate::{PackageName, Requirement};
use resolver::{Fact, Outcome, Problem, VarId, heads};
use session::Workbench;
use simulate::{Step, Timeline};
use source::Approval;
use std::collections::BTreeMap;
use views::{
    BoardChange, BoardLane, BoardLink, BoardMark, BoardView, InstallView, MarkKind, PlanColumn, StepView,
    SubscriptionStatus, SubscriptionView,
};

pub(super) fn view(
    workbench: &Workbench,
    scenario: &Scenario,
    timeline: &Timeline,
    unsolved: &Failure,
    subscriptions: &[SubscriptionView],
    steps: &[StepView],
) -> BoardView {
    let mut board = Board::new(scenario, timeline);
    board.subscriptions(subscriptions);
    board.generated();
    for (at, step) in timeline.steps.iter().enumerate() {
        board.links(&Wording::new(workbench, scenario, &step.problem), at, step, unsolved);
    }
    let fixes = steps.iter().filter_map(|step| step.failure.as_ref()).flat_map(|failure| &failure.fixes);
    fixes.take(1).filter(|fix| !fix.fails).for_each(|fix| board.with_fix(&fix.installs));
    let change = BoardChange::FirstFix;
    BoardView { plans: board.plans, pending: board.first, lanes: board.lanes, links: board.links, change }
}

struct Board<'t> {
    scenario: &'t Scenario,
    timeline: &'t Timeline,
    /// 1 if an InstallPlan of the cluster comes before the first step, else 0.
    first: u32,
    plans: Vec<PlanColumn>,
    lanes: Vec<BoardLane>,
    links: Vec<BoardLink>,
}

impl<'t> Board<'t> {
    fn new(scenario: &'t Scenario, timeline: &'t Timeline) -> Self {
        let waiting = scenario.until_approved.is_some().then_some(PlanColumn::Manual);
        let column = |step: &Step| match step.error {
            Some(_) => Some(PlanColumn::Fails),
            None if !step.install_plan_created => None,
            None if step.approval == Approval::Manual => Some(PlanColumn::Manual),
            None => Some(PlanColumn::Automatic),
        };
        let plans: Vec<PlanColumn> = waiting.into_iter().chain(timeline.steps.iter().filter_map(column)).collect();
        let first = u32::from(waiting.is_some());
        Self { scenario, timeline, first, plans, lanes: Vec::new(), links: Vec::new() }
    }

    /// The column of a step.
    fn column(&self, step: usize) -> u32 {
        self.first + u32::try_from(step + 1).unwrap_or(u32::MAX)
    }

    /// The column behind all plans.
    fn behind(&self) -> u32 {
        u32::try_from(self.plans.len() + 1).unwrap_or(u32::MAX)
    }

    fn mark(&self, package: &PackageName, csv: &BundleName, column: u32, kind: MarkKind) -> BoardMark {
        let (is_head, note) = (false, String::new());
        BoardMark {
            csv: csv.to_string(),
            label: label(package, csv).to_owned(),
            column,
            kind,
            is_head,
            note,
            is_direct: true,
        }
    }

    /// A lane for each Subscription of the namespace.
    fn subscriptions(&mut self, views: &[SubscriptionView]) {
        let status: BTreeMap<&str, SubscriptionStatus> = views.iter().map(|view| (&*view.name, view.status)).collect();
        let here = self.scenario.cluster.subscriptions.iter().filter(|one| one.namespace == self.scenario.namespace);
        let mut lanes: Vec<BoardLane> = Vec::new();
        for subscription in here {
            let course = Course::new(self.scenario, subscription, self.timeline);
            let (spec, package) = (&subscription.spec, &subscription.spec.package);
            let status = status.get(&*spec.name).copied();
            let mut marks: Vec<BoardMark> = Vec::new();
            marks.extend(course.installed.map(|csv| self.mark(package, csv, 0, MarkKind::Installed)));
            if course.before != course.installed {
                marks.extend(course.before.map(|csv| self.mark(package, csv, 1, MarkKind::Next)));
            }
            marks
                .extend(course.moves.iter().map(|(at, csv)| self.mark(package, csv, self.column(*at), MarkKind::Next)));
            let fails = status == Some(SubscriptionStatus::Fails);
            if let Some(last) = marks.last_mut().filter(|last| fails && last.kind == MarkKind::Next) {
                last.kind = MarkKind::NeverRuns;
            }
            if let Some(step) = self.timeline.steps.last() {
                marks.extend(self.not_chosen(step, spec, &marks));
                self.add_head(step, spec, status, &mut marks);
            }
            lanes.push(BoardLane {
                name: spec.name.to_string(),
                package: package.to_string(),
                channel: spec.channel.as_ref().map(ToString::to_string).unwrap_or_default(),
                catalog: spec.catalog.as_ref().map(|key| key.name.to_string()).unwrap_or_default(),
                added_for: None,
                status,
                note: String::new(),
                marks,
            });
        }
        lanes.sort_by_key(|lane| lane.status.map(SubscriptionStatus::attention));
        self.lanes = lanes;
    }

    /// The candidate that a Subscription would get first, where there is no solution.
    fn not_chosen(&self, step: &Step, spec: &cluster::SubscriptionSpec, marks: &[BoardMark]) -> Option<BoardMark> {
        if !matches!(step.outcome, Outcome::Unsolvable(_)) {
            return None;
        }
        let wants = |fact: &Fact| match fact {
            Fact::Wants { subscription, alternatives, .. } => {
                let is_own = step.problem.subscription(*subscription).is_some_and(|own| own.name == spec.name);
                is_own.then(|| alternatives.first().copied()).flatten()
            }
            _ => None,
        };
        let first = step.problem.facts().find_map(|(_, fact)| wants(fact))?;
        let name = &step.problem.entry(first)?.name;
        let is_new = marks.iter().all(|mark| mark.csv != name.as_str());
        let column = self.behind() - 1;
        is_new.then(|| self.mark(&spec.package, name, column, MarkKind::NotChosen))
    }

    /// Marks the head, or adds it where the lane ends below.
    fn add_head(
        &self,
        step: &Step,
        spec: &cluster::SubscriptionSpec,
        status: Option<SubscriptionStatus>,
        marks: &mut Vec<BoardMark>,
    ) {
        let heads = heads(&step.problem, spec);
        let mut is_there = false;
        for mark in marks.iter_mut() {
            mark.is_head = heads.iter().any(|head| head.name.as_str() == mark.csv);
            is_there |= mark.is_head;
        }
        if let ([head], false, false) = (&heads[..], is_there, status == Some(SubscriptionStatus::Loops)) {
            let mark = self.mark(&spec.package, &head.name, self.behind(), MarkKind::NotReached);
            marks.push(BoardMark { is_head: true, ..mark });
        }
    }

    /// What the first fix makes possible, in the column of the plan that fails without it.
    fn with_fix(&mut self, installs: &[InstallView]) {
        let column = self.behind() - 1;
        for lane in &mut self.lanes {
            let Some(install) = installs.iter().find(|install| install.package == lane.package) else { continue };
            if lane.marks.iter().all(|mark| mark.label != install.label) {
                // Its name is not known here.
                let (csv, label, kind) = (install.label.clone(), install.label.clone(), MarkKind::WithFix);
                let at = lane.marks.iter().position(|mark| mark.column > column).unwrap_or(lane.marks.len());
                let (is_head, note) = (false, String::new());
                lane.marks.insert(at, BoardMark { csv, label, column, kind, is_head, note, is_direct: true });
            }
        }
    }

    /// A lane for each Subscription that OLM adds, below that of the bundle that needs it.
    fn generated(&mut self) {
        for (at, step) in self.timeline.steps.iter().enumerate() {
            for generated in &step.generated_subscriptions {
                let needs = needs(step, &generated.starting_csv);
                let later = self.timeline.steps.iter().enumerate().skip(at + 1);
                let mut marks =
                    vec![self.mark(&generated.package, &generated.starting_csv, self.column(at), MarkKind::Next)];
                for (at, step) in later {
                    let now = step.installed.get(&generated.name);
                    let is_new = |csv: &&BundleName| marks.last().is_some_and(|last| last.csv != csv.as_str());
                    if let Some(csv) = now.filter(is_new) {
                        marks.push(self.mark(&generated.package, csv, self.column(at), MarkKind::Next));
                    }
                }
                let lane = BoardLane {
                    name: generated.name.to_string(),
                    package: generated.package.to_string(),
                    channel: generated.channel.to_string(),
                    catalog: generated.catalog.name.to_string(),
                    added_for: Some(needs.map(ToString::to_string).unwrap_or_default()),
                    status: None,
                    note: String::new(),
                    marks,
                };
                let below = needs.and_then(|csv| self.lane_of(csv)).map_or(self.lanes.len(), |above| above + 1);
                self.lanes.insert(below, lane);
            }
        }
    }

    /// The lane with a CSV.
    fn lane_of(&self, csv: &BundleName) -> Option<usize> {
        self.lanes.iter().position(|lane| lane.mark(csv.as_str()).is_some())
    }

    /// What the new bundles of a step require, and what the bundles of a conflict require and do not get.
    fn links(&mut self, wording: &Wording<'_>, at: usize, step: &Step, unsolved: &Failure) {
        let problem = &step.problem;
        match &step.outcome {
            Outcome::Resolved(resolution) => {
                let chosen: BTreeMap<VarId, &BundleName> =
                    resolution.selected.iter().map(|one| (one.id, &one.entry.name)).collect();
                for (_, fact) in problem.facts() {
                    let Fact::Requires { bundle, requirement, span, alternatives } = fact else { continue };
                    let Some(from) = chosen.get(bundle) else { continue };
                    let is_installed = |id: &VarId| problem.catalog(*id).is_some_and(|key| key.is_existing());
                    let provider = alternatives.iter().find(|id| chosen.contains_key(id));
                    let provider = provider.or_else(|| alternatives.iter().find(|id| is_installed(id)));
                    let to = provider.and_then(|id| problem.entry(*id)).map(|entry| &entry.name);
                    self.link(from, to, requirement, true, span.and_then(|span| wording.place_of(span)));
                }
            }
            Outcome::Unsolvable(_) if at + 1 == self.timeline.steps.len() => {
                let Some(Ok(found)) = &unsolved.conflicts else { return };
                for id in found.conflicts.iter().flat_map(|conflict| &conflict.facts) {
                    let Fact::Requires { bundle, requirement, span, alternatives } = problem.fact(*id) else {
                        continue;
                    };
                    let Some(from) = problem.entry(*bundle).map(|entry| &entry.name) else { continue };
                    let to = alternatives.iter().find_map(|id| self.known(problem, *id));
                    self.link(from, to, requirement, false, span.and_then(|span| wording.place_of(span)));
                }
            }
            _ => {}
        }
    }

    /// The name of an alternative that a lane has.
    fn known<'p>(&self, problem: &'p Problem, id: VarId) -> Option<&'p BundleName> {
        let name = &problem.entry(id)?.name;
        self.lane_of(name).map(|_| name)
    }

    fn link(
        &mut self,
        from: &BundleName,
        to: Option<&BundleName>,
        requirement: &Requirement,
        is_met: bool,
        place: Option<views::Place>,
    ) {
        let end = |csv: &BundleName| Some((u32::try_from(self.lane_of(csv)?).ok()?, csv.to_string()));
        let Some(from) = end(from) else { return };
        let link = BoardLink { from, to: to.and_then(end), label: short(requirement), is_met, place };
        // Both ends of what is met are drawn.
        let is_drawn = !is_met || link.to.as_ref().is_some_and(|to| to.0 != link.from.0);
        if is_drawn && !self.links.contains(&link) {
            self.links.push(link);
        }
    }
}

/// The bundle whose requirement a selected one meets.
fn needs<'s>(step: &'s Step, csv: &BundleName) -> Option<&'s BundleName> {
    let Outcome::Resolved(resolution) = &step.outcome else { return None };
    let selected = resolution.selected.iter().find(|one| one.entry.name == *csv)?;
    selected.because.iter().find_map(|id| match step.problem.fact(*id) {
        Fact::Requires { bundle, .. } => Some(&step.problem.entry(*bundle)?.name),
        _ => None,
    })
}

/// A requirement in a few words.
fn short(requirement: &Requirement) -> String {
    match requirement {
        Requirement::Gvk(gvk) => gvk.kind.to_string(),
        Requirement::Package { name, text, .. } => format!("{name} {text}"),
        _ => "a constraint".to_owned(),
    }
}
