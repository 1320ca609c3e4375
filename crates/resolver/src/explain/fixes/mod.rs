//! Fixes: changes that end the conflicts, each verified before it is offered.

mod propose;

use std::collections::BTreeSet;
use std::sync::Arc;

use catalog::predicate::PackageName;
use catalog::{BundleName, ChannelName};
use cluster::{CatalogKey, InputChange, SubscriptionSpec};
use go_semver::blang::Version;
use propose::{Proposal, other_channels, proposals};
use update_graph::{Edit, edge_to_add};

use crate::contradiction::{Conflict, is_solvable};
use crate::explain::conflicts::Conflicts;
use crate::explain::funnel::{chain, current};
use crate::explain::visible;
use crate::fact::{Fact, VarId};
use crate::pool::EntryId;
use crate::problem::{Namespace, Problem};
use crate::resolve::{Outcome, Selected, resolve};

/// Most fixes that are offered.
const OFFERED: usize = 6;
/// Most changed namespaces that are tried.
const TRIED: usize = 16;
/// Of several conflicts, the most changes that are offered against one of them.
const PARTIAL: usize = 3;

/// The fixes for the conflicts of a problem.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Fixes {
    /// Each gives the namespace an answer; the least invasive first.
    pub fixes: Vec<Fix>,
    /// By conflict: changes that end this one though not all. Empty where there is one conflict.
    pub partial: Vec<Vec<Vec<InputChange>>>,
    /// Whether there may be more: a bound was reached.
    pub bounded: bool,
}

/// Changes that help together, and what OLM would do then.
#[derive(Clone, Debug, PartialEq)]
pub struct Fix {
    /// At least one, in the order in which they are to be made.
    pub changes: Vec<InputChange>,
    /// The bundles that the next resolution would install, by identifier. None means that all stays as it is.
    pub installs: Vec<Install>,
}

/// A bundle that would be installed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Install {
    pub name: BundleName,
    pub package: PackageName,
    /// The channel that it would come from.
    pub channel: ChannelName,
    /// The catalog that it would come from.
    pub catalog: CatalogKey,
    /// Absent when it has none.
    pub version: Option<Version>,
    /// The `spec.replaces` of its CSV.
    pub replaces: Option<BundleName>,
}

impl From<Selected> for Install {
    fn from(selected: Selected) -> Self {
        let Selected { entry, catalog, replaces, .. } = selected;
        let (package, channel) = (entry.package, entry.channel);
        Self { name: entry.name, package, channel, catalog, version: entry.version, replaces }
    }
}

/// The changes that were tried and give the namespace an answer. They are derived from the rules of the conflicts. If
/// there may be more conflicts than were found, nothing is tried.
#[must_use]
pub fn fixes(problem: &Problem, conflicts: &Conflicts) -> Fixes {
    let mut trials = Trials { problem, left: TRIED, found: Fixes { bounded: conflicts.bounded, ..Fixes::default() } };
    match &conflicts.conflicts[..] {
        [] => {}
        _ if conflicts.bounded => {}
        [only] => {
            let proposals = proposals(problem, only);
            trials.offer(&proposals);
            if trials.found.fixes.is_empty() {
                trials.offer(&pairs(&proposals));
            }
        }
        several => trials.several(several),
    }
    trials.found
}

struct Trials<'p> {
    problem: &'p Problem,
    /// How many changed namespaces may still be tried.
    left: usize,
    found: Fixes,
}

impl Trials<'_> {
    /// Adds those that give the namespace an answer.
    fn offer(&mut self, proposals: &[Proposal]) {
        for changes in proposals {
            if self.found.fixes.len() == OFFERED {
                self.found.bounded = true;
                return;
            }
            let Some(changed) = self.changed(changes) else { return };
            // `resolve` would spend time on finding the conflict.
            if !is_solvable(&changed, &BTreeSet::new()) {
                continue;
            }
            if let Outcome::Resolved(resolution) = resolve(&changed, changed.anchors()) {
                let installs = resolution.selected.into_iter().map(Install::from).collect();
                self.found.fixes.push(Fix { changes: changes.clone(), installs });
            }
        }
    }

    /// Tries changes against each conflict by itself, then against all of them. As they share neither Subscriptions nor
    /// installed CSVs, only a change to a catalog can end several.
    fn several(&mut self, conflicts: &[Conflict]) {
        let helping: Vec<Vec<Proposal>> =
            (0..conflicts.len()).map(|at| self.helping(conflicts, at, TRIED.div_ceil(conflicts.len()))).collect();
        let is_of_catalog =
            |change: &InputChange| matches!(change, InputChange::EditEntry { .. } | InputChange::WidenRange { .. });
        let alone: Vec<Proposal> =
            helping.concat().into_iter().filter(|changes| changes.iter().any(is_of_catalog)).collect();
        self.left = TRIED;
        self.offer(&alone);
        self.offer(&combinations(&helping));
        self.found.partial = helping;
    }

    /// The changes that end one conflict; tries at most `tried` of them.
    fn helping(&mut self, conflicts: &[Conflict], at: usize, tried: usize) -> Vec<Proposal> {
        let others = conflicts.iter().enumerate().filter(|(other, _)| *other != at);
        let relaxed: Vec<&str> =
            others.flat_map(|(_, conflict)| conflict.anchors(self.problem)).map(|id| self.problem.name(id)).collect();
        self.left = tried;
        let mut helping = Vec::new();
        for changes in proposals(self.problem, &conflicts[at]) {
            if helping.len() == PARTIAL {
                break;
            }
            let helps = match self.dropped(&changes) {
                Some(name) => is_solvable(self.problem, &named(self.problem, &[&relaxed[..], &[name]].concat())),
                None => match self.changed(&changes) {
                    Some(changed) => is_solvable(&changed, &named(&changed, &relaxed)),
                    None => break,
                },
            };
            if helps {
                helping.push(changes);
            }
        }
        helping
    }

    /// The Subscription that the changes drop, if they do nothing else and leave no CSV behind. The effect is then that
    /// nothing demands it.
    fn dropped<'c>(&self, changes: &'c [InputChange]) -> Option<&'c str> {
        let [InputChange::DropSubscription { subscription }] = changes else { return None };
        let known = self.problem.subscriptions().iter().find(|known| known.name == *subscription)?;
        current(self.problem, known).is_none().then_some(subscription)
    }

    /// The problem after the changes, unless enough were tried.
    fn changed(&mut self, changes: &[InputChange]) -> Option<Problem> {
        if self.left == 0 || self.problem.namespace().budget.for_extras().is_spent() {
            self.found.bounded = true;
            return None;
        }
        self.left -= 1;
        Some(changed(self.problem.namespace(), changes))
    }
}

pub(crate) fn changed(namespace: &Namespace, changes: &[InputChange]) -> Problem {
    let namespace = Namespace { budget: namespace.budget.for_extras(), ..namespace.clone() };
    Problem::new(changes.iter().fold(namespace, |namespace, change| namespace.with(change)))
}

/// The anchors of these names.
fn named(problem: &Problem, names: &[&str]) -> BTreeSet<VarId> {
    problem.anchors().iter().copied().filter(|&id| names.contains(&problem.name(id))).collect()
}

/// Every two of the proposals.
fn pairs(proposals: &[Proposal]) -> Vec<Proposal> {
    let later = |at: usize| proposals[at + 1..].iter().map(move |other| [&proposals[at][..], other].concat());
    (0..proposals.len()).flat_map(later).collect()
}

/// One proposal for each conflict: the first ones together, then another one in place of one of them.
fn combinations(helping: &[Vec<Proposal>]) -> Vec<Proposal> {
    let Some(firsts) = helping.iter().map(|proposals| proposals.first()).collect::<Option<Vec<_>>>() else {
        return Vec::new();
    };
    let others = helping.iter().enumerate().flat_map(|(at, proposals)| {
        let firsts = &firsts;
        proposals.iter().skip(1).map(move |other| {
            let mut combination = firsts.clone();
            combination[at] = other;
            combination
        })
    });
    let all: Vec<Vec<&Proposal>> = [firsts.clone()].into_iter().chain(others).collect();
    all.into_iter().map(|combination| combination.into_iter().flatten().cloned().collect()).collect()
}

// Silent trouble: a Subscription that has an answer and still cannot move, because no edge leads on.

/// Most Subscriptions that get fixes.
const WITH_FIXES: usize = 3;

/// A Subscription whose only alternative is what it has, although its channel has something else at its head.
#[derive(Clone, Debug, PartialEq)]
pub struct Stuck {
    pub subscription: VarId,
    pub installed: BundleName,
    pub head: BundleName,
    /// The channel of the head.
    pub channel: ChannelName,
    /// Its catalog.
    pub catalog: CatalogKey,
    /// Why no edge leads on.
    pub at: StuckAt,
    /// Changes of the Subscription after which the next resolution moves it; of the first few Subscriptions only.
    pub fixes: Vec<Fix>,
}

/// Where a Subscription is stuck.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StuckAt {
    /// The channel does not list the installed bundle, nor does an entry of it lead on from there: the channel was
    /// changed to one without an edge, or the catalog dropped what was between.
    NotListed,
    /// The channel lists it, but nothing on the chain from the head follows it.
    Listed,
}

/// The Subscriptions that cannot move, by name. Only an outcome that is an answer has any.
#[must_use]
pub fn stuck(problem: &Problem, outcome: &Outcome) -> Vec<Stuck> {
    let Outcome::Resolved(_) = outcome else { return Vec::new() };
    let mut found = Vec::new();
    for (_, fact) in problem.facts() {
        if let Fact::Wants { subscription, alternatives, .. } = fact
            && alternatives.len() == 1
            && let Some(mut stuck) = find(problem, *subscription)
        {
            if found.len() < WITH_FIXES {
                stuck.fixes = fixes_for(problem, &stuck);
            }
            found.push(stuck);
        }
    }
    found
}

/// The Subscription, if it has something installed, its channel has a head, and there is no edge between them.
fn find(problem: &Problem, id: VarId) -> Option<Stuck> {
    let pool = &problem.pool;
    let wanted = problem.subscription(id)?;
    let from = current(problem, wanted)?;
    let installed = &pool.entry(from).name;
    let listed = |id: &EntryId| {
        let entry = pool.entry(*id);
        !pool.is_existing(*id) && wanted.channel.as_ref().is_none_or(|channel| entry.channel == *channel)
    };
    let entries = visible::of_package(pool, wanted.catalog.as_ref(), wanted.package.as_str());
    let entries: Vec<EntryId> = entries.into_iter().filter(listed).collect();
    let head = *chain(pool, &entries).ok()?.first()?;
    let channel = &pool.entry(head).channel;
    let own = entries.iter().map(|&id| pool.entry(id)).find(|entry| entry.name == *installed);
    // Without a channel, the head of any channel is an end.
    let is_end = own.is_some_and(|own| own.name == pool.entry(head).name || own.channel != *channel);
    let at = if own.is_some() { StuckAt::Listed } else { StuckAt::NotListed };
    let (installed, head_name) = (installed.clone(), pool.entry(head).name.clone());
    let (channel, catalog) = (channel.clone(), pool.key_of(head).clone());
    let stuck = Stuck { subscription: id, installed, head: head_name, channel, catalog, at, fixes: Vec::new() };
    (!is_end).then_some(stuck)
}

/// The changes that were tried and move the Subscription.
fn fixes_for(problem: &Problem, stuck: &Stuck) -> Vec<Fix> {
    let Some(wanted) = problem.subscription(stuck.subscription) else { return Vec::new() };
    let name = || Arc::clone(&wanted.name);
    let channels = other_channels(problem, wanted).into_iter().filter(|(follows, _)| *follows);
    let changes = channels.map(|(_, channel)| InputChange::Channel { subscription: name(), channel });
    changes.filter_map(|change| moved(problem, wanted, &stuck.installed, change)).collect()
}

fn moved(problem: &Problem, wanted: &SubscriptionSpec, installed: &BundleName, change: InputChange) -> Option<Fix> {
    let changes = vec![change];
    let changed = changed(problem.namespace(), &changes);
    let Outcome::Resolved(resolution) = resolve(&changed, changed.anchors()) else { return None };
    let moves = |install: &Install| install.replaces.as_ref() == Some(installed) && install.package == wanted.package;
    let installs: Vec<Install> = resolution.selected.into_iter().map(Install::from).collect();
    installs.iter().any(moves).then_some(Fix { changes, installs })
}

// An update edge that a catalog lacks.

/// An edge to a channel entry from an installed CSV, in the field that [`edge_to_add`] chooses.
pub(super) fn add_edge(problem: &Problem, entry: EntryId, from: EntryId) -> Option<InputChange> {
    let pool = &problem.pool;
    let (target, from) = (pool.entry(entry), pool.entry(from));
    if target.name == from.name {
        return None;
    }
    let (has_replaces, has_range) = (target.replaces.is_some(), target.skip_range.is_some());
    let installed = (&from.name, from.version.as_ref());
    let change = edge_to_add(has_replaces, has_range, target.version.as_ref(), installed);
    Some(InputChange::EditEntry {
        catalog: pool.key_of(entry).clone(),
        package: target.package.clone(),
        channel: target.channel.clone(),
        span: target.span,
        edit: Edit { entry: target.name.clone(), change },
    })
}
