//! Proposes changes from the rules of a conflict. Does not try them.

use std::collections::BTreeSet;
use std::sync::Arc;

use catalog::ChannelName;
use catalog::predicate::{PackageName, Requirement};
use cluster::{InputChange, SubscriptionSpec};
use go_semver::blang::{Comparator, Op, Range, Version};

use crate::contradiction::Conflict;
use crate::explain::fixes::add_edge;
use crate::explain::funnel::{Hint, chain, current, reachable, subscription_funnel};
use crate::explain::visible::{self, edge};
use crate::explain::why::versions;
use crate::fact::{Fact, VarId};
use crate::pool::EntryId;
use crate::problem::Problem;
use crate::snapshot::Entry;

/// Changes that are made together.
pub(crate) type Proposal = Vec<InputChange>;

/// Most changes of one kind that are proposed for one rule.
const MOST: usize = 4;

/// How much a change does to people, least first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    /// A name was meant differently.
    Typo,
    Channel,
    Adopt,
    Edge,
    Range,
    Delete,
    Drop,
    Uninstall,
}

/// Least invasive first, each once.
pub(super) fn proposals(problem: &Problem, conflict: &Conflict) -> Vec<Proposal> {
    let mut propose = Propose { problem, conflict, found: Vec::new() };
    for line in conflict.lines(problem) {
        // What helps one of several like rules is found by the first of them.
        propose.about(problem.fact(line.facts[0]));
    }
    propose.found.sort_by_key(|(rank, _)| *rank);
    let mut proposals: Vec<Proposal> = Vec::new();
    for (_, changes) in propose.found {
        if !proposals.contains(&changes) {
            proposals.push(changes);
        }
    }
    proposals
}

/// The channels of the Subscription's package in its catalog that it does not name, best first: those with an edge from
/// the installed bundle, then the default one, then by name.
pub(super) fn other_channels(problem: &Problem, wanted: &SubscriptionSpec) -> Vec<(bool, ChannelName)> {
    let pool = &problem.pool;
    let current = current(problem, wanted).map(|id| pool.entry(id));
    let follows = |entry: &Entry| current.is_none_or(|from| edge(entry, &from.name, from.version.as_ref()).is_some());
    let entries = visible::of_package(pool, wanted.catalog.as_ref(), wanted.package.as_str());
    let entries = entries.into_iter().filter(|&id| !pool.is_existing(id)).map(|id| pool.entry(id));
    let mut ranked: Vec<(bool, bool, &ChannelName)> =
        entries.map(|entry| (!follows(entry), !entry.default_channel, &entry.channel)).collect();
    ranked.sort_unstable();
    let mut known = BTreeSet::from_iter(&wanted.channel);
    let first = ranked.into_iter().filter(|(_, _, channel)| known.insert(channel));
    first.take(MOST).map(|(apart, _, channel)| (!apart, channel.clone())).collect()
}

struct Propose<'p> {
    problem: &'p Problem,
    conflict: &'p Conflict,
    found: Vec<(Rank, Proposal)>,
}

impl<'p> Propose<'p> {
    fn about(&mut self, fact: &Fact) {
        match fact {
            Fact::NothingFound { subscription, .. } => self.correct_names(*subscription),
            Fact::Wants { subscription, alternatives, .. } => self.lead_elsewhere(*subscription, alternatives),
            Fact::Subscribed { subscription } => self.drop(*subscription),
            Fact::Freestanding { bundle } => self.take_over(*bundle),
            Fact::Requires { bundle, requirement, span, alternatives } if !self.is_installed(*bundle) => {
                let Some(entry) = self.problem.entry(*bundle) else { return };
                self.widen(*bundle, entry, requirement, *span, alternatives.is_empty());
            }
            Fact::Requires { .. }
            | Fact::Deprecated { .. }
            | Fact::Supersedes { .. }
            | Fact::OneProvider { .. }
            | Fact::OneOfPackage { .. } => {}
        }
    }

    fn add(&mut self, rank: Rank, change: InputChange) {
        self.found.push((rank, vec![change]));
    }

    fn is_installed(&self, id: VarId) -> bool {
        self.problem.catalog(id).is_some_and(|key| key.is_existing())
    }

    /// Replaces names of the Subscription by similar ones that exist.
    fn correct_names(&mut self, id: VarId) {
        let Some(wanted) = self.problem.subscription(id) else { return };
        let name = || Arc::clone(&wanted.name);
        for hint in subscription_funnel(self.problem, wanted).hints {
            let change = match hint {
                Hint::Channel(channel) | Hint::DefaultChannel(channel) | Hint::InChannel(channel) => {
                    InputChange::Channel { subscription: name(), channel }
                }
                Hint::Package(package) => InputChange::Package { subscription: name(), package },
                Hint::Catalog(catalog) | Hint::InCatalog(catalog) => {
                    InputChange::Catalog { subscription: name(), catalog }
                }
                Hint::Bundle(csv) => InputChange::StartingCsv { subscription: name(), csv: Some(csv) },
                Hint::Swapped => InputChange::Swap { subscription: name() },
                Hint::Api(_) | Hint::Apart(_) => continue,
            };
            self.add(Rank::Typo, change);
        }
        self.without_start(wanted);
    }

    fn without_start(&mut self, wanted: &SubscriptionSpec) {
        if wanted.starting_csv.is_some() && current(self.problem, wanted).is_none() {
            self.add(Rank::Typo, InputChange::StartingCsv { subscription: Arc::clone(&wanted.name), csv: None });
        }
    }

    /// Other candidates for the Subscription: of another channel, or behind a new edge.
    fn lead_elsewhere(&mut self, id: VarId, alternatives: &[VarId]) {
        let Some(wanted) = self.problem.subscription(id) else { return };
        self.without_start(wanted);
        for (_, channel) in other_channels(self.problem, wanted) {
            self.add(Rank::Channel, InputChange::Channel { subscription: Arc::clone(&wanted.name), channel });
        }
        let Some(from) = current(self.problem, wanted) else { return };
        for target in self.targets(wanted, alternatives) {
            self.found.extend(add_edge(self.problem, target, from).map(|change| (Rank::Edge, vec![change])));
        }
    }

    /// The entries that the Subscription would have to get to: those that the conflict is about, or the head.
    fn targets(&self, wanted: &SubscriptionSpec, alternatives: &[VarId]) -> Vec<EntryId> {
        let pool = &self.problem.pool;
        let of_channel = |id: &EntryId| wanted.channel.as_ref().is_none_or(|name| pool.entry(*id).channel == *name);
        let entries = visible::of_package(pool, wanted.catalog.as_ref(), wanted.package.as_str());
        let entries: Vec<EntryId> = entries.into_iter().filter(|id| !pool.is_existing(*id) && of_channel(id)).collect();
        let Ok(chain) = chain(pool, &entries) else { return Vec::new() };
        let named: BTreeSet<&str> =
            self.named().filter(|id| !alternatives.contains(id)).map(|id| self.problem.name(id)).collect();
        let is_named = |id: &&EntryId| named.contains(pool.identifier(**id).as_str());
        let mut targets: Vec<EntryId> = chain.iter().filter(is_named).copied().take(MOST).collect();
        if alternatives.len() == 1 {
            targets.extend(chain.first().filter(|head| !targets.contains(head)));
        }
        targets
    }

    /// The bundles that rules of the conflict require or exclude.
    fn named(&self) -> impl Iterator<Item = VarId> {
        self.conflict.facts.iter().flat_map(|&id| match self.problem.fact(id) {
            Fact::Requires { alternatives, .. } => alternatives.to_vec(),
            Fact::OneProvider { providers: members, .. } | Fact::OneOfPackage { bundles: members, .. } => {
                members.clone()
            }
            _ => Vec::new(),
        })
    }

    fn drop(&mut self, id: VarId) {
        let Some(wanted) = self.problem.subscription(id) else { return };
        let drop = InputChange::DropSubscription { subscription: Arc::clone(&wanted.name) };
        if let Some(csv) = current(self.problem, wanted).map(|id| self.problem.pool.entry(id).name.clone()) {
            self.found.push((Rank::Uninstall, vec![drop.clone(), InputChange::DeleteCsv { csv }]));
        }
        self.add(Rank::Drop, drop);
    }

    /// Deletes an installed CSV without a Subscription, or gives it one.
    fn take_over(&mut self, bundle: VarId) {
        let Some(entry) = self.problem.entry(bundle) else { return };
        let csv = entry.name.clone();
        self.add(Rank::Delete, InputChange::DeleteCsv { csv: csv.clone() });
        let package = &entry.package;
        let mut owners = self.problem.subscriptions().iter().filter(|wanted| wanted.package == *package).peekable();
        if owners.peek().is_none() {
            self.subscribe(entry);
        }
        for owner in owners.filter(|wanted| current(self.problem, wanted).is_none()).take(MOST) {
            self.add(Rank::Adopt, InputChange::AdoptCsv { csv: csv.clone(), subscription: Arc::clone(&owner.name) });
        }
    }

    /// New Subscriptions for an installed CSV of a package that nobody subscribes.
    fn subscribe(&mut self, csv: &Entry) {
        let pool = &self.problem.pool;
        let entries = visible::of_package(pool, None, csv.package.as_str());
        let mut catalogs = BTreeSet::new();
        for id in entries.into_iter().filter(|&id| !pool.is_existing(id) && pool.entry(id).default_channel) {
            let key = pool.key_of(id);
            if catalogs.len() == MOST || !catalogs.insert(key) {
                continue;
            }
            let subscription = SubscriptionSpec {
                name: self.free_name(csv.package.as_str()),
                package: csv.package.clone(),
                channel: Some(pool.entry(id).channel.clone()),
                catalog: Some(key.clone()),
                starting_csv: None,
                installed_csv: None,
            };
            let adopt = InputChange::AdoptCsv { csv: csv.name.clone(), subscription: Arc::clone(&subscription.name) };
            self.found.push((Rank::Adopt, vec![InputChange::AddSubscription(subscription), adopt]));
        }
    }

    fn free_name(&self, wanted: &str) -> Arc<str> {
        let is_free = |name: &String| self.problem.subscriptions().iter().all(|known| *known.name != **name);
        let names = std::iter::once(wanted.to_owned()).chain((2u32..).map(|number| format!("{wanted}-{number}")));
        names.into_iter().find(is_free).unwrap_or_default().into()
    }

    /// Ranges of the requirement that take in a version which is there.
    fn widen(
        &mut self,
        bundle: VarId,
        entry: &Entry,
        requirement: &Requirement,
        span: Option<source::Span>,
        unmet: bool,
    ) {
        match requirement {
            Requirement::Package { name, range, text } => {
                let Some(catalog) = self.problem.catalog(bundle) else { return };
                for version in self.versions(name, unmet) {
                    let Some(to) = widened(range, text, &version) else { continue };
                    let change = InputChange::WidenRange {
                        catalog: catalog.clone(),
                        package: entry.package.clone(),
                        bundle: entry.name.clone(),
                        required: name.clone(),
                        span,
                        from: text.clone(),
                        to: to.into(),
                    };
                    self.add(Rank::Range, change);
                }
            }
            Requirement::All(inner) | Requirement::Any(inner) => {
                for part in inner {
                    self.widen(bundle, entry, part, span, unmet);
                }
            }
            Requirement::Gvk(_) | Requirement::Label(_) | Requirement::Not(_) | Requirement::Cel { .. } => {}
        }
    }

    /// Versions of a package to take in, highest first: those that exist if nothing meets the requirement, else
    /// those of bundles that exclude the ones that meet it.
    fn versions(&self, package: &PackageName, unmet: bool) -> Vec<Version> {
        let pool = &self.problem.pool;
        let found: BTreeSet<Version> = if unmet {
            let there = reachable(pool, &visible::of_package(pool, None, package.as_str())).unwrap_or_default();
            there.into_iter().flat_map(|id| versions(pool.entry(id)).next()).collect()
        } else {
            let of_package = |id: &VarId| self.problem.entry(*id).is_some_and(|entry| entry.is_of(package.as_str()));
            let named = self.named().filter(of_package).filter_map(|id| self.problem.entry(id));
            named.filter_map(|entry| versions(entry).next()).collect()
        };
        found.into_iter().rev().take(MOST).collect()
    }
}

// A range that takes in one more version.

/// The least that has to be written differently for the range to contain the version; `None` if nothing helps.
pub(super) fn widened(range: &Range, text: &str, version: &Version) -> Option<String> {
    let moved = match range.groups().collect::<Vec<_>>()[..] {
        [group] => moved(group, version),
        _ => None,
    };
    let text = moved.unwrap_or_else(|| format!("{text} || ={version}"));
    let widened = Range::parse(&text).ok()?;
    (widened.matches(version) == Ok(true)).then_some(text)
}

/// The one alternative with the bounds that exclude the version moved to it.
fn moved(group: &[Comparator], version: &Version) -> Option<String> {
    let words = group.iter().map(|comparator| match comparator.op {
        _ if comparator.matches(version) => Some(comparator.to_string()),
        Op::Ge | Op::Gt => Some(format!(">={version}")),
        Op::Le | Op::Lt => Some(format!("<={version}")),
        Op::Eq | Op::Ne => None,
    });
    words.collect::<Option<Vec<_>>>().map(|words| words.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_moved_and_points_added() {
        for (range, version, expected) in [
            (">=3.0.0", "2.0.0", Some(">=2.0.0")),
            (">2.0.0 <3.0.0", "2.0.0", Some(">=2.0.0 <3.0.0")),
            (">=1.0.0 <2.0.0", "2.5.0", Some(">=1.0.0 <=2.5.0")),
            ("1.0.0", "2.0.0", Some("1.0.0 || =2.0.0")),
            (">=1.0.0 <2.0.0 || >=4.0.0", "3.0.0", Some(">=1.0.0 <2.0.0 || >=4.0.0 || =3.0.0")),
            ("!=2.0.0", "2.0.0", Some("!=2.0.0 || =2.0.0")),
        ] {
            let found = widened(&Range::parse(range).unwrap(), range, &Version::parse(version).unwrap());
            assert_eq!(found.as_deref(), expected, "{range}");
        }
    }
}
