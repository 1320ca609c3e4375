//! Properties over generated catalogs: the resolver agrees with a plain reading of the rules, refuses what it says it
//! refuses, and does not depend on the order of its inputs.

use std::collections::BTreeSet;

use catalog::Catalog;
use cluster::{ClusterCatalog, ClusterExtension};
use extension::{CatalogState, Readiness, Resolution, ResolveError, Verdict, resolve};
use go_semver::{
    blang::{Range, Version},
    masterminds::Constraints,
};
use proptest::prelude::*;
use proptest::sample::select;

use crate::world::{With, extension, installed, read};

const VERSIONS: [&str; 6] = ["1.0.0", "1.0.1", "1.1.0", "2.0.0-rc.1", "2.0.0", "3.0.0"];
const RANGES: [&str; 6] = ["", "*", ">=1.0.1", "<2.0.0", "^1.1", ">=2.0.0-0"];
const SKIP_RANGES: [&str; 3] = [">=1.0.0 <1.1.0", "<2.0.0", ">=1.0.0 <3.0.0"];

/// An entry of a channel: positions in `VERSIONS` and `SKIP_RANGES`.
#[derive(Clone, Debug)]
struct Entry {
    version: usize,
    replaces: Option<usize>,
    skips: Option<usize>,
    range: Option<usize>,
}

/// A catalog as generated, before it is written as text.
#[derive(Clone, Debug)]
struct Plan {
    priority: i32,
    channels: [Vec<Entry>; 2],
    bundles: BTreeSet<usize>,
    refused: BTreeSet<usize>,
    deprecated: BTreeSet<usize>,
}

const CHANNELS: [&str; 2] = ["stable", "fast"];

impl Plan {
    /// The lines of its notation, of which every order means the same: versions are unique.
    fn lines(&self) -> Vec<String> {
        let entry = |entry: &Entry| {
            let name = |verb: &str, at: Option<usize>| at.map(|at| format!("{verb} {}", VERSIONS[at]));
            let clauses = [
                name("replaces", entry.replaces),
                name("skips", entry.skips),
                entry.range.map(|at| format!("skipRange {}", SKIP_RANGES[at])),
                (!self.bundles.contains(&entry.version)).then(|| "no bundle".to_owned()),
            ];
            format!("{} ({})", VERSIONS[entry.version], clauses.into_iter().flatten().collect::<Vec<_>>().join("; "))
        };
        let channels = CHANNELS
            .iter()
            .zip(&self.channels)
            .map(|(name, entries)| format!("{name}: {}", entries.iter().map(entry).collect::<Vec<_>>().join(", ")));
        let bundles = self.bundles.iter().map(|at| {
            let refused = if self.refused.contains(at) { " (property olm.gvk.required {})" } else { "" };
            format!("bundle {}{refused}", VERSIONS[*at])
        });
        let deprecated: Vec<String> =
            self.deprecated.iter().map(|at| format!("deprecated {}", VERSIONS[*at])).collect();
        channels.chain(bundles).chain(deprecated.into_iter().take(1)).collect()
    }

    fn is_deprecated(&self, at: usize) -> bool {
        self.deprecated.first() == Some(&at)
    }
}

fn entry() -> impl Strategy<Value = Entry> {
    let at = || prop::option::of(0..VERSIONS.len());
    (0..VERSIONS.len(), at(), at(), prop::option::of(0..SKIP_RANGES.len()))
        .prop_map(|(version, replaces, skips, range)| Entry { version, replaces, skips, range })
}

fn plan() -> impl Strategy<Value = Plan> {
    let channel = || prop::collection::vec(entry(), 0..4);
    let some = |most: usize| prop::collection::btree_set(0..VERSIONS.len(), 0..most);
    (0..2i32, channel(), channel(), some(6), some(2), some(2)).prop_map(
        |(priority, stable, fast, bundles, refused, deprecated)| Plan {
            priority,
            channels: [stable, fast],
            bundles,
            refused,
            deprecated,
        },
    )
}

/// An extension, with the position of its installed version and of its only channel.
fn wish() -> impl Strategy<Value = (ClusterExtension, Option<usize>, Option<usize>)> {
    let parts =
        (prop::option::of(0..VERSIONS.len()), prop::option::of(0..2usize), select(RANGES.to_vec()), any::<bool>());
    parts.prop_map(|(at, channel, range, is_self_certified)| {
        let wish = at.map_or_else(extension, |at| installed(VERSIONS[at])).version(range);
        let wish = channel.map_or(wish.clone(), |channel| wish.channels(&[CHANNELS[channel]]));
        (if is_self_certified { wish.self_certified() } else { wish }, at, channel)
    })
}

/// The plain reading: the version that is installed next, or nothing. `Err` if the winner is refused.
fn plain(
    plans: &[Plan],
    wish: &ClusterExtension,
    installed: Option<usize>,
    channel: Option<usize>,
) -> Result<Option<usize>, usize> {
    let follows_edges = wish.policy == cluster::UpgradeConstraintPolicy::CatalogProvided;
    let version = |at: usize| Version::parse(VERSIONS[at]).expect("a strict version");
    let best_of = |plan: &Plan| {
        let entries: Vec<&Entry> = (0..2)
            .filter(|number| channel.is_none_or(|channel| channel == *number))
            .flat_map(|number| &plan.channels[number])
            .collect();
        let is_allowed = |at: &usize| {
            let own = || entries.iter().filter(|entry| entry.version == *at);
            let in_channel = channel.is_none() || own().next().is_some();
            let in_range = wish.version.is_empty()
                || Constraints::parse(&wish.version).expect("a constraint").matches(&version(*at));
            let is_successor = installed.filter(|_| follows_edges).is_none_or(|from| {
                let leads = |entry: &&Entry| {
                    let covers = |range: usize| {
                        Range::parse(SKIP_RANGES[range]).expect("a range").matches(&version(from)) == Ok(true)
                    };
                    entry.replaces == Some(from) || entry.skips == Some(from) || entry.range.is_some_and(covers)
                };
                from == *at || own().any(leads)
            });
            in_channel && in_range && is_successor
        };
        let allowed = plan.bundles.iter().copied().filter(is_allowed);
        // The versions are listed in ascending order.
        allowed.max_by_key(|at| (!plan.is_deprecated(*at), *at))
    };
    let mut best: Vec<(&Plan, usize)> = plans.iter().filter_map(|plan| Some((plan, best_of(plan)?))).collect();
    if best.iter().any(|(plan, at)| !plan.is_deprecated(*at)) {
        best.retain(|(plan, at)| !plan.is_deprecated(*at));
    }
    let Some(highest) = best.iter().map(|(plan, _)| plan.priority).max() else { return Ok(None) };
    best.retain(|(plan, _)| plan.priority == highest);
    match best[..] {
        [(plan, at)] if plan.refused.contains(&at) => Err(at),
        [(_, at)] => Ok(Some(at)),
        _ => Ok(None),
    }
}

fn answer(wish: &ClusterExtension, catalogs: &[(String, i32, Catalog)]) -> Resolution {
    let object = |(name, priority, _): &(String, i32, Catalog)| ClusterCatalog {
        priority: *priority,
        ..ClusterCatalog::new((&**name).into())
    };
    let objects: Vec<ClusterCatalog> = catalogs.iter().map(object).collect();
    let contents = catalogs.iter().map(|(_, _, content)| content);
    let states: Vec<CatalogState<'_>> =
        objects.iter().zip(contents).map(|(object, content)| CatalogState { object, content: Some(content) }).collect();
    resolve(wish, &states)
}

fn catalogs(plans: &[Plan], lines: impl Fn(&Plan) -> Vec<String>) -> Vec<(String, i32, Catalog)> {
    let catalog = |(number, plan): (usize, &Plan)| (format!("c{number}"), plan.priority, read(&lines(plan).join("\n")));
    plans.iter().enumerate().map(catalog).collect()
}

fn name(at: usize) -> String {
    format!("p.v{}", VERSIONS[at])
}

proptest! {
    #[test]
    fn the_resolver_agrees_with_a_plain_reading(
        plans in prop::collection::vec(plan(), 1..4),
        (wish, installed, channel) in wish(),
    ) {
        let found = answer(&wish, &catalogs(&plans, Plan::lines));
        let expected = plain(&plans, &wish, installed, channel);
        match (&found.outcome, expected) {
            (Ok(resolved), Ok(Some(at))) => prop_assert_eq!(resolved.bundle.as_str(), name(at)),
            (Err(ResolveError::NoAnswer(_)), Ok(None)) => {}
            (Err(ResolveError::Dependency { bundle, .. }), Err(at)) => prop_assert_eq!(bundle.as_str(), name(at)),
            (outcome, expected) => prop_assert!(false, "{outcome:?}, expected {expected:?}"),
        }
    }

    #[test]
    fn every_bundle_has_a_verdict_and_only_the_answer_is_chosen(
        plans in prop::collection::vec(plan(), 1..4),
        (wish, _, _) in wish(),
    ) {
        let catalogs = catalogs(&plans, Plan::lines);
        let found = answer(&wish, &catalogs);
        let bundles: usize = plans.iter().map(|plan| plan.bundles.len()).sum();
        prop_assert_eq!(found.candidates.len(), bundles);
        let chosen: Vec<_> = found.candidates.iter().filter(|one| one.verdict == Verdict::Chosen).collect();
        match &found.outcome {
            Ok(resolved) => {
                prop_assert_eq!(chosen.len(), 1);
                prop_assert_eq!((&chosen[0].bundle, &chosen[0].catalog), (&resolved.bundle, &resolved.catalog));
                let catalog = catalogs.iter().find(|(name, _, _)| *name == resolved.catalog.as_str());
                let package = catalog.and_then(|(_, _, content)| content.package("p"));
                let bundle = package.and_then(|package| package.bundle(resolved.bundle.as_str())).unwrap();
                prop_assert_eq!(Readiness::of(bundle, None, extension().olm).refusals, [], "the answer is not refused");
            }
            Err(_) => prop_assert!(chosen.is_empty()),
        }
    }

    #[test]
    fn the_order_of_inputs_does_not_matter(
        plans in prop::collection::vec(plan(), 1..4),
        (wish, _, _) in wish(),
    ) {
        let forward = catalogs(&plans, Plan::lines);
        let mut backward = catalogs(&plans, |plan| plan.lines().into_iter().rev().collect());
        backward.reverse();
        let shown = |resolution: Resolution| {
            let mut candidates = resolution.candidates;
            candidates.sort_by(|a, b| (&a.catalog, &a.bundle).cmp(&(&b.catalog, &b.bundle)));
            let outcome = resolution.outcome.map(|resolved| (resolved.bundle, resolved.catalog));
            format!("{outcome:?} {candidates:?} {:?}", resolution.skipped)
        };
        prop_assert_eq!(shown(answer(&wish, &forward)), shown(answer(&wish, &backward)));
    }
}
