//! What would lift an obstacle: changes of catalogs or of the cluster, each by itself. Only a change that leads nearer to the
//! goal is named, so that each is tried: a new model, and a new search in it.

use crate::plans::explain::{Searched, name, waiting_for};
use crate::plans::model::Model;
use crate::plans::question::Allowed;
use crate::plans::search::{Found, Route, State, search, short_of};
use catalog::{BundleName, Entry, Package};
use cluster::CatalogKey;
use std::collections::{BTreeMap, BTreeSet};
use views::{PlanAction, PlanObstacle};

impl Searched<'_, '_> {
    /// What would open the gate of a version that `csv` keeps shut: what later catalogs have, or the CSV without its limit. Where
    /// neither helps, the same with the catalogs before, and with each of the CSVs that are in the way.
    pub(crate) fn lifts_of_block(&self, at: usize, states: &[State], csv: &BundleName) -> Vec<String> {
        let mut tried = offered(self, at);
        tried.push(without_max(csv));
        let mut lifts = self.lifts(&tried, true);
        if lifts.is_empty() {
            let blocking = states.iter().flat_map(|state| self.blocking(at, state));
            let csvs: BTreeSet<&BundleName> = blocking.map(|csv| &csv.name).collect();
            let before = (0..at).rev().flat_map(|at| offered(self, at));
            let tried: Vec<WhatIf> = before.chain(csvs.into_iter().map(without_max)).collect();
            lifts = self.lifts(&tried, true);
        }
        lifts.extend(self.losses(None));
        lifts
    }

    /// What would lead to the goal, or nearer, than the best steps do.
    pub(crate) fn lifts_of_miss(&self, route: &Route, obstacle: PlanObstacle) -> Vec<String> {
        let (model, end) = (self.model, route.end());
        let short = short_of(self.question.goal, model.level(end, self.own));
        if obstacle == PlanObstacle::Namespace {
            let alone = WhatIf::nothing().route(self, self.question.allowed);
            let helps = alone.is_some_and(|route| route.cost.missed < short);
            let (last, others) = (model.way[end.at], waiting_for(model, end).join(", "));
            let text = format!("remove or change the Subscriptions that keep it waiting before {last}: {others}");
            return if helps { vec![text] } else { Vec::new() };
        }
        let mut lifts = self.lifts(&of_miss(self, route, obstacle), false);
        if lifts.is_empty() {
            lifts = self.lifts(&as_before(self), false);
        }
        lifts.extend(self.losses(Some(short)));
        lifts
    }

    /// The changes that help, of those that are tried: those that lead to the goal, or with `is_end_enough` to the last version.
    fn lifts(&self, tried: &[WhatIf], is_end_enough: bool) -> Vec<String> {
        let mut lifts: Vec<String> = Vec::new();
        for what in tried {
            let helps = |route: Route| is_end_enough || route.cost.missed == 0;
            if !lifts.contains(&what.text) && what.route(self, Allowed::default()).is_some_and(helps) {
                lifts.push(what.text.clone());
            }
        }
        lifts
    }

    /// The moves that lose something and lead nearer to the goal, of those that are not allowed. `short` is how many levels are
    /// missing without; absent if no steps lead to the last version.
    fn losses(&self, short: Option<u32>) -> Vec<String> {
        let (remove, reinstall) = (self.question.allowed.remove, self.question.allowed.reinstall);
        let losses = [(remove, Allowed { remove: true, reinstall }), (reinstall, Allowed { remove, reinstall: true })];
        let tried = losses.into_iter().filter(|(is_allowed, _)| !is_allowed);
        tried.filter_map(|(_, allowed)| self.loss(allowed, short)).collect()
    }

    /// A move that loses something and leads nearer to the goal.
    fn loss(&self, allowed: Allowed, short: Option<u32>) -> Option<String> {
        let route = WhatIf::nothing().route(self, allowed)?;
        let nearer = short.is_none_or(|short| route.cost.missed < short);
        let loss = route.acts.iter().find(|act| matches!(act.step.what, PlanAction::Remove | PlanAction::Reinstall))?;
        let others = if route.cost.missed == 0 { "" } else { " (the rest of the namespace is resolved then)" };
        let at = loss.step.openshift;
        let text = match loss.step.what {
            PlanAction::Remove => format!(
                "remove the Subscription on {at}: `{}` keeps running without updates{others}",
                name(&route.end().operators[0])
            ),
            _ => format!(
                "reinstall on {at}: remove `{}` and its Subscription, and subscribe to channel `{}` for `{}`",
                loss.step.from,
                loss.step.channel.as_ref().map(ToString::to_string).unwrap_or_default(),
                loss.step.to
            ),
        };
        nearer.then_some(text)
    }
}

struct WhatIf {
    /// It in words: what to do.
    text: String,
    /// The package of the operator on versions of the way, where it is another one.
    packages: BTreeMap<usize, Package>,
    /// A CSV whose `olm.maxOpenShiftVersion` is gone.
    without_max: Option<BundleName>,
    /// Another CatalogSource from a version of the way on.
    source: Option<(CatalogKey, usize)>,
}

impl WhatIf {
    /// No change.
    const fn nothing() -> Self {
        Self { text: String::new(), packages: BTreeMap::new(), without_max: None, source: None }
    }

    fn packages(text: String, packages: impl IntoIterator<Item = (usize, Package)>) -> Self {
        Self { text, packages: packages.into_iter().collect(), ..Self::nothing() }
    }

    /// The best steps of the operator alone, if any lead to the last version.
    fn route(&self, searched: &Searched<'_, '_>, allowed: Allowed) -> Option<Route> {
        let (question, subscription) = (searched.question, searched.subscription());
        let served = |at: usize| match &self.source {
            Some((key, from)) if at >= *from => question.sources.get(key)?.get(at).copied().flatten(),
            _ => question.served(subscription, at),
        };
        let name = subscription.spec.package.as_str();
        let package = |_: &cluster::Subscription, at: usize| match self.packages.get(&at) {
            Some(package) => Some((package, None)),
            None => served(at).and_then(|served| Some((served.state().catalog.package(name)?, Some(served)))),
        };
        let mut model = Model::of(question, &[subscription], &package);
        model.without_max.clone_from(&self.without_max);
        match search(&model, question.goal, allowed) {
            Found::Route(route) => Some(*route),
            Found::Blocked { .. } | Found::TooMany => None,
        }
    }
}

/// What later catalogs have.
fn offered(searched: &Searched<'_, '_>, at: usize) -> Vec<WhatIf> {
    let (question, subscription) = (searched.question, searched.subscription());
    let here = question.way[at];
    let offer = |later: usize| {
        let (package, _) = question.package(subscription, later)?;
        let there = question.way[later];
        let text = format!("the publisher offers on {here} what the catalog of {there} has");
        Some(WhatIf::packages(text, [(at, package.clone())]))
    };
    (at + 1..question.way.len()).filter_map(offer).collect()
}

fn without_max(csv: &BundleName) -> WhatIf {
    let text = format!(
        "if `{csv}` does run there: raise `olm.maxOpenShiftVersion` in the annotation `operatorframework.io/properties` of the CSV; a later \
         catalog does not change it"
    );
    WhatIf { text, without_max: Some(csv.clone()), ..WhatIf::nothing() }
}

/// What could lead to the goal.
fn of_miss(searched: &Searched<'_, '_>, route: &Route, obstacle: PlanObstacle) -> Vec<WhatIf> {
    let (question, subscription) = (searched.question, searched.subscription());
    let last = question.way.len() - 1;
    let name = &subscription.spec.package;
    let package = |at: usize| question.package(subscription, at).map(|(package, _)| package);
    let mut tried = Vec::new();
    match obstacle {
        PlanObstacle::PackageEnds => {
            let Some(kept) = (0..=last).rev().find(|at| package(*at).is_some()) else { return tried };
            let own = question.source_key(subscription);
            for key in question.sources.keys().filter(|key| Some(*key) != own) {
                let text = format!("change the source of the Subscription to `{}`, which has `{name}`", key.name);
                tried.push(WhatIf { text, source: Some((key.clone(), kept + 1)), ..WhatIf::nothing() });
            }
            let missing: Vec<usize> = (kept + 1..=last).collect();
            let versions: Vec<String> = missing.iter().map(|at| question.way[*at].to_string()).collect();
            let text = format!("the publisher keeps `{name}` in the catalog of {}", versions.join(", "));
            let kept = package(kept).into_iter().flat_map(|kept| missing.iter().map(|at| (*at, kept.clone())));
            tried.push(WhatIf::packages(text, kept));
        }
        PlanObstacle::ChannelEnds => {
            tried.extend(edges(searched, route));
            let channel = route.end().operators[searched.own].channel.as_ref();
            let has = |at: usize| package(at)?.channel(channel?.as_str());
            let Some((channel, kept)) = channel.zip((0..=last).rev().find(|at| has(*at).is_some())) else {
                return tried;
            };
            let with_channel =
                (kept + 1..=last).filter_map(|at| Some((at, with_channel(package(at)?, package(kept)?, channel)?)));
            let versions: Vec<String> = (kept + 1..=last).map(|at| question.way[at].to_string()).collect();
            let text = format!("the publisher keeps channel `{channel}` in the catalog of {}", versions.join(", "));
            tried.push(WhatIf::packages(text, with_channel));
        }
        PlanObstacle::Stranded => {
            tried.extend(edges(searched, route));
            let csv = route.end().operators[searched.own].csv.as_ref();
            let channel = route.end().operators[searched.own].channel.as_ref();
            let lists = |at: usize| Some(package(at)?.channel(channel?.as_str())?.entry(csv?.name.as_str()).is_some());
            let kept = (0..last).rev().find(|at| lists(*at) == Some(true));
            if let Some(((kept, package), csv)) = kept.and_then(|at| Some((at, package(at)?))).zip(csv) {
                // One catalog may be enough; otherwise all between.
                for first in BTreeSet::from([kept + 1, last]).into_iter().rev() {
                    let versions: Vec<String> = question.way[first..].iter().map(ToString::to_string).collect();
                    let text = format!(
                        "the publisher brings `{}` to the catalog of {}, as that of {} has it",
                        csv.name,
                        versions.join(", "),
                        question.way[kept]
                    );
                    tried.push(WhatIf::packages(text, (first..=last).map(|at| (at, package.clone()))));
                }
            }
        }
        _ => {}
    }
    tried
}

/// Each channel, and then the whole package, stays in all later catalogs as it is in one.
fn as_before(searched: &Searched<'_, '_>) -> Vec<WhatIf> {
    let (question, subscription) = (searched.question, searched.subscription());
    let last = question.way.len() - 1;
    let package = |at: usize| question.package(subscription, at).map(|(package, _)| package);
    let mut tried = Vec::new();
    for (kept, before) in (0..last).rev().filter_map(|at| Some((at, package(at)?))) {
        let later = kept + 1..=last;
        let versions: Vec<String> = question.way[later.clone()].iter().map(ToString::to_string).collect();
        let text = |what: &str| {
            let (later, kept) = (versions.join(", "), question.way[kept]);
            format!("the publisher keeps {what} in the catalog of {later}, as that of {kept} has it")
        };
        for name in before.channels.iter().map(|channel| &channel.name.value) {
            let with = |at: usize| match package(at) {
                Some(package) => with_channel(package, before, name),
                None => Some(only_channel(before, name)),
            };
            let changed = later.clone().filter_map(|at| Some((at, with(at)?)));
            tried.push(WhatIf::packages(text(&format!("channel `{name}`")), changed));
        }
        let whole = later.map(|at| (at, before.clone()));
        tried.push(WhatIf::packages(text(&format!("`{}`", before.name)), whole));
    }
    tried
}

/// A package without its other channels.
fn only_channel(package: &Package, channel: &catalog::ChannelName) -> Package {
    let mut package = package.clone();
    package.channels.retain(|one| one.name.value == *channel);
    package
}

/// Edges from what is installed to the nearest newer entry of each channel, on each version.
fn edges(searched: &Searched<'_, '_>, route: &Route) -> Vec<WhatIf> {
    let (question, subscription) = (searched.question, searched.subscription());
    let mut tried = Vec::new();
    for at in (0..question.way.len()).rev() {
        let Some((package, _)) = question.package(subscription, at) else { continue };
        let operator = &route.states[at].operators[searched.own];
        let Some((csv, version)) = operator.csv.as_ref().and_then(|csv| Some((csv, csv.version.as_ref()?))) else {
            continue;
        };
        // Its own channel first.
        let mut channels: Vec<_> = package.channels.iter().collect();
        channels.sort_by_key(|channel| Some(&channel.name.value) != operator.channel.as_ref());
        for channel in channels {
            let newer = channel.entries.iter().filter_map(|entry| {
                let newer = update_graph::version_of(package, &entry.name.value)?;
                (newer > *version).then_some((newer, entry))
            });
            let Some((_, entry)) = newer.min_by(|(a, x), (b, y)| (a, &x.name.value).cmp(&(b, &y.name.value))) else {
                continue;
            };
            let (channel, entry) = (&channel.name.value, &entry.name.value);
            let text = format!(
                "the publisher lets `{entry}` in channel `{channel}` of the catalog of {} replace or skip `{}`",
                question.way[at], csv.name
            );
            let with_edge = with_edge(package, channel, entry, &csv.name);
            tried.push(WhatIf::packages(text, [(at, with_edge)]));
        }
    }
    tried
}

fn with_edge(package: &Package, channel: &catalog::ChannelName, entry: &BundleName, skipped: &BundleName) -> Package {
    let mut package = package.clone();
    let channels = package.channels.iter_mut().filter(|one| one.name.value == *channel);
    let is_named = |one: &&mut Entry| one.name.value == *entry;
    for entry in channels.flat_map(|channel| channel.entries.iter_mut()).filter(is_named) {
        let mut name = entry.name.clone();
        name.value = skipped.clone();
        entry.skips.push(name);
    }
    package
}

/// A package with a channel of another state of it, and the bundles of that.
fn with_channel(package: &Package, other: &Package, channel: &catalog::ChannelName) -> Option<Package> {
    let channel = other.channel(channel.as_str())?;
    let mut package = package.clone();
    let missing = channel.entries.iter().filter(|entry| package.bundle(entry.name.value.as_str()).is_none());
    let bundles: Vec<_> = missing.filter_map(|entry| other.bundle(entry.name.value.as_str())).cloned().collect();
    package.bundles.extend(bundles);
    package.bundles.sort_by(|a, b| a.name.value.cmp(&b.name.value));
    package.channels.retain(|one| one.name.value != channel.name.value);
    package.channels.push(channel.clone());
    package.channels.sort_by(|a, b| a.name.value.cmp(&b.name.value));
    Some(package)
}
