//! Changes of catalogs or of the cluster that could lift an obstacle, and whether one does: the search is asked again.

use crate::plans::csv::Csv;
use crate::plans::model::Model;
use crate::plans::question::Allowed;
use crate::plans::reason::Asked;
use crate::plans::search::{Found, Route, search};
use catalog::{BundleName, Entry, Package};
use cluster::CatalogKey;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use views::PlanObstacle;

/// A change.
pub(crate) struct WhatIf {
    /// It in words: what to do.
    pub(crate) text: String,
    /// The package of the operator on versions of the way, where it is another one.
    packages: BTreeMap<usize, Package>,
    /// A CSV whose `olm.maxOpenShiftVersion` is gone.
    without_max: Option<BundleName>,
    /// Another CatalogSource from a version of the way on.
    source: Option<(CatalogKey, usize)>,
}

impl WhatIf {
    /// No change.
    pub(crate) const fn nothing() -> Self {
        Self { text: String::new(), packages: BTreeMap::new(), without_max: None, source: None }
    }

    fn packages(text: String, packages: impl IntoIterator<Item = (usize, Package)>) -> Self {
        Self { text, packages: packages.into_iter().collect(), ..Self::nothing() }
    }

    /// The best steps of the operator alone, if any lead to the last version.
    pub(crate) fn route(&self, asked: &Asked<'_, '_>, allowed: Allowed) -> Option<Route> {
        let question = asked.question;
        let served = |at: usize| match &self.source {
            Some((key, from)) if at >= *from => question.sources.get(key)?.get(at).copied().flatten(),
            _ => question.served(asked.subscription, at),
        };
        let name = asked.subscription.spec.package.as_str();
        let package = |_: &cluster::Subscription, at: usize| match self.packages.get(&at) {
            Some(package) => Some((package, None)),
            None => served(at).and_then(|served| Some((served.state().catalog.package(name)?, Some(served)))),
        };
        let mut model = Model::of(question, &[asked.subscription], &package);
        model.without_max.clone_from(&self.without_max);
        match search(&model, question.goal, allowed) {
            Found::Route(route) => Some(*route),
            Found::Blocked { .. } | Found::TooMany => None,
        }
    }

    /// Whether it leads to the goal; with `short`, what is missing without it, at least nearer.
    pub(crate) fn reaches(&self, asked: &Asked<'_, '_>, allowed: Allowed, short: Option<u32>) -> bool {
        self.route(asked, allowed).is_some_and(|route| route.cost.missed == 0 || short.is_none())
    }
}

/// What could open the gate of a version: what later catalogs have, and then a CSV without its limit.
pub(crate) fn of_block(asked: &Asked<'_, '_>, at: usize, csv: &Csv) -> Vec<WhatIf> {
    let mut tried = offered(asked, at);
    tried.push(without_max(csv));
    tried
}

/// The same with the catalogs before, and with each of the CSVs that are in the way.
pub(crate) fn of_block_elsewhere(asked: &Asked<'_, '_>, at: usize, csvs: &BTreeSet<Rc<Csv>>) -> Vec<WhatIf> {
    let before = (0..at).rev().flat_map(|at| offered(asked, at));
    before.chain(csvs.iter().map(|csv| without_max(csv))).collect()
}

/// What later catalogs have.
fn offered(asked: &Asked<'_, '_>, at: usize) -> Vec<WhatIf> {
    let (question, subscription) = (asked.question, asked.subscription);
    let here = question.way[at];
    let offer = |later: usize| {
        let (package, _) = question.package(subscription, later)?;
        let there = question.way[later];
        let text = format!("the publisher offers on {here} what the catalog of {there} has");
        Some(WhatIf::packages(text, [(at, package.clone())]))
    };
    (at + 1..question.way.len()).filter_map(offer).collect()
}

fn without_max(csv: &Csv) -> WhatIf {
    let text = format!(
        "if `{}` does run there: raise `olm.maxOpenShiftVersion` in the annotation `operatorframework.io/properties` of the CSV; a later \
         catalog does not change it",
        csv.name
    );
    WhatIf { text, without_max: Some(csv.name.clone()), ..WhatIf::nothing() }
}

/// What could lead to the goal.
pub(crate) fn of_miss(asked: &Asked<'_, '_>, route: &Route, index: usize, obstacle: PlanObstacle) -> Vec<WhatIf> {
    let (question, subscription) = (asked.question, asked.subscription);
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
            tried.extend(edges(asked, route, index));
            let channel = route.states[last].operators[index].channel.as_ref();
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
            tried.extend(edges(asked, route, index));
            let csv = route.states[last].operators[index].csv.as_ref();
            let channel = route.states[last].operators[index].channel.as_ref();
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
pub(crate) fn as_before(asked: &Asked<'_, '_>) -> Vec<WhatIf> {
    let (question, subscription) = (asked.question, asked.subscription);
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
fn edges(asked: &Asked<'_, '_>, route: &Route, index: usize) -> Vec<WhatIf> {
    let (question, subscription) = (asked.question, asked.subscription);
    let mut tried = Vec::new();
    for at in (0..question.way.len()).rev() {
        let Some((package, _)) = question.package(subscription, at) else { continue };
        let operator = &route.states[at].operators[index];
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
