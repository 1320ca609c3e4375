//! Why not that one: any entry that somebody points at.

use std::collections::BTreeSet;

use catalog::predicate::{PackageName, Property, Requirement};
use catalog::{BundleName, ChannelName};
use cluster::{CatalogKey, SubscriptionSpec};
use update_graph::SortError;

use crate::contradiction::{Refusal, refusal};
use crate::explain::funnel::{chain, choice, current, reachable};
use crate::explain::visible::{self, edge};
use crate::explain::why::meets;
use crate::fact::{Fact, FactId, VarId, Variable};
use crate::pool::EntryId;
use crate::problem::Problem;
use crate::resolve::{GaveUp, Outcome};
use crate::snapshot::Entry;

/// One bundle in one channel of a catalog.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntryRef {
    pub catalog: CatalogKey,
    pub package: PackageName,
    pub channel: ChannelName,
    pub name: BundleName,
}

/// Why a choice did not end with an entry.
#[derive(Clone, Debug, PartialEq)]
pub enum WhyNot {
    /// OLM chose the entry after all.
    Chosen,
    /// No visible catalog has the entry.
    Unknown,
    /// The entry was no alternative.
    Excluded(Excluded),
    /// The entry stands before the chosen one, but was refused.
    Refused(Refusal),
    /// The chosen alternative stands before the entry.
    Worse {
        /// The chosen alternative.
        than: VarId,
    },
    /// Another alternative was selected before, by another choice; then OLM looks for no better one.
    Served { by: VarId },
    /// The entry is an alternative, but nothing is chosen in the whole namespace.
    NothingChosen,
}

/// Why an entry is no alternative.
#[derive(Clone, Debug, PartialEq)]
pub enum Excluded {
    /// The Subscription names another catalog.
    OtherCatalog(CatalogKey),
    /// The Subscription names another package.
    OtherPackage(PackageName),
    /// The Subscription names another channel.
    OtherChannel(ChannelName),
    /// Nothing is installed and `startingCSV` names another bundle.
    OtherStart(BundleName),
    /// The channel has no order.
    Unordered(SortError),
    /// Another entry of the channel skips it.
    SkippedBy(Vec<BundleName>),
    /// `replaces` does not lead to it from the head of the channel.
    Stranded {
        /// The entries that replace it, which are skipped or stranded themselves.
        replaced_by: Vec<BundleName>,
    },
    /// Neither replaces nor skips the installed CSV, nor covers its version.
    NoEdge {
        /// The installed CSV.
        from: BundleName,
        /// Whether it has a skipRange.
        has_range: bool,
    },
    /// Does not meet the requirement.
    Unmet(Requirement),
}

/// Why the choice of a Subscription did not end with an entry.
///
/// # Errors
/// When the solver ran out of its budget, in the resolution or now.
pub fn why_not(
    problem: &Problem,
    outcome: &Outcome,
    subscription: &SubscriptionSpec,
    entry: &EntryRef,
) -> Result<WhyNot, GaveUp> {
    let Some(id) = find(problem, entry) else { return Ok(WhyNot::Unknown) };
    let choice = choice(problem, subscription);
    let decided = choice.map(|choice| decided(problem, outcome, choice, id)).transpose()?;
    if let Some(answer) = decided.flatten() {
        return Ok(answer);
    }
    let excluded = excluded(problem, subscription, id, entry);
    excluded.map_or_else(|| nothing_chosen(outcome), |excluded| Ok(WhyNot::Excluded(excluded)))
}

/// Why the choice of a requirement did not end with an entry; `None` if the rule is no requirement.
///
/// # Errors
/// When the solver ran out of its budget, in the resolution or now.
pub fn why_not_provider(
    problem: &Problem,
    outcome: &Outcome,
    rule: FactId,
    entry: &EntryRef,
) -> Result<Option<WhyNot>, GaveUp> {
    let Fact::Requires { requirement, .. } = problem.fact(rule) else { return Ok(None) };
    let Some(id) = find(problem, entry) else { return Ok(Some(WhyNot::Unknown)) };
    if let Some(answer) = decided(problem, outcome, rule, id)? {
        return Ok(Some(answer));
    }
    let excluded = if meets(problem.pool.entry(id), requirement) {
        match reachable(&problem.pool, &[id]) {
            Err(error) => Some(Excluded::Unordered(error)),
            Ok(found) => (!found.contains(&id)).then(|| off_chain(problem, id, entry)),
        }
    } else {
        Some(Excluded::Unmet(Requirement::clone(requirement)))
    };
    excluded.map_or_else(|| nothing_chosen(outcome), |excluded| Ok(WhyNot::Excluded(excluded))).map(Some)
}

/// The answer for an alternative where nothing is chosen; none without an outcome.
fn nothing_chosen(outcome: &Outcome) -> Result<WhyNot, GaveUp> {
    match outcome {
        Outcome::GaveUp(gave_up) => Err(gave_up.clone()),
        Outcome::Resolved(_) | Outcome::Unsolvable(_) | Outcome::Prevented(_) => Ok(WhyNot::NothingChosen),
    }
}

fn find(problem: &Problem, entry: &EntryRef) -> Option<EntryId> {
    let pool = &problem.pool;
    let is = |id: &EntryId| {
        let found = pool.entry(*id);
        found.name == entry.name && found.channel == entry.channel && found.package == entry.package
    };
    visible::entries(pool, Some(&entry.catalog)).into_iter().find(is)
}

/// The answer if the entry is an alternative of the choice.
fn decided(problem: &Problem, outcome: &Outcome, choice: FactId, entry: EntryId) -> Result<Option<WhyNot>, GaveUp> {
    let identifier = problem.pool.identifier(entry);
    let alternatives = problem.fact(choice).alternatives().unwrap_or_default();
    let Some(&id) = alternatives.iter().find(|&&id| problem.name(id) == identifier) else { return Ok(None) };
    let Outcome::Resolved(resolution) = outcome else { return nothing_chosen(outcome).map(Some) };
    let picks = &resolution.picks;
    let Some(at) = picks.iter().position(|pick| pick.choice == Some(choice)) else { return Ok(None) };
    let pick = &picks[at];
    Ok(Some(match pick.refused.iter().position(|&refused| refused == id) {
        Some(refused) => WhyNot::Refused(refusal(problem, picks, at, refused)?),
        None if pick.selected == id => WhyNot::Chosen,
        None if pick.already => WhyNot::Served { by: pick.selected },
        None => WhyNot::Worse { than: pick.selected },
    }))
}

/// The first filter that keeps the entry from being a candidate.
fn excluded(problem: &Problem, wanted: &SubscriptionSpec, id: EntryId, entry: &EntryRef) -> Option<Excluded> {
    let pool = &problem.pool;
    let current = current(problem, wanted).map(|id| pool.entry(id));
    if let Some(catalog) = wanted.catalog.as_ref().filter(|key| **key != entry.catalog) {
        return Some(Excluded::OtherCatalog(catalog.clone()));
    }
    if !pool.entry(id).is_of(wanted.package.as_str()) {
        return Some(Excluded::OtherPackage(wanted.package.clone()));
    }
    if let Some(channel) = wanted.channel.as_ref().filter(|channel| **channel != entry.channel) {
        return Some(Excluded::OtherChannel(channel.clone()));
    }
    if let Some(start) = wanted.starting_csv.as_ref().filter(|_| current.is_none()) {
        // The channel is put in order without its other entries.
        return (*start != entry.name).then(|| Excluded::OtherStart(start.clone()));
    }
    let of_channel = |other: &EntryId| {
        let other = pool.entry(*other);
        other.channel == entry.channel && other.is_of(wanted.package.as_str())
    };
    let channel: Vec<EntryId> =
        visible::entries(pool, wanted.catalog.as_ref()).into_iter().filter(of_channel).collect();
    match chain(pool, &channel) {
        Err(error) => return Some(Excluded::Unordered(error)),
        Ok(chain) if !chain.contains(&id) => return Some(off_chain(problem, id, entry)),
        Ok(_) => {}
    }
    let current = current?;
    let entry = pool.entry(id);
    let follows = edge(entry, &current.name, current.version.as_ref()).is_some();
    (!follows).then(|| Excluded::NoEdge { from: current.name.clone(), has_range: entry.skip_range.is_some() })
}

/// Why the entry is not on the chain of its channel.
fn off_chain(problem: &Problem, id: EntryId, entry: &EntryRef) -> Excluded {
    let pool = &problem.pool;
    let others = visible::entries(pool, Some(&entry.catalog)).into_iter().map(|id| pool.entry(id));
    let channel: Vec<_> =
        others.filter(|other| other.channel == entry.channel && other.package == entry.package).collect();
    let name = &pool.entry(id).name;
    let skipping: BTreeSet<&BundleName> =
        channel.iter().filter(|other| other.skips.contains(name)).map(|other| &other.name).collect();
    if !skipping.is_empty() {
        return Excluded::SkippedBy(skipping.into_iter().cloned().collect());
    }
    let replacing = channel.iter().filter(|other| other.replaces.as_ref() == Some(name));
    Excluded::Stranded { replaced_by: replacing.map(|other| other.name.clone()).collect() }
}

// Facts for which a bundle can never be selected, whatever else is wanted: the property `olm.deprecated`, a property
// stated twice, or a requirement that no bundle meets.

/// The fact for which a bundle can never be selected, if there is one.
pub(crate) fn intrinsic_fault(problem: &Problem, bundle: VarId) -> Option<FactId> {
    let entry = problem.entry(bundle)?;
    let is_unmet = |id: &&FactId| problem.fact(**id).alternatives().is_some_and(<[VarId]>::is_empty);
    // Looked at first, because most bundles are not affected and all facts are many.
    if entry.is_deprecated() || states_property_twice(entry) {
        let forbids = |fact: &Fact| match fact {
            Fact::Deprecated { bundle: deprecated } => *deprecated == bundle,
            Fact::OneProvider { providers: members, .. } | Fact::OneOfPackage { bundles: members, .. } => {
                members.iter().filter(|&&member| member == bundle).nth(1).is_some()
            }
            _ => false,
        };
        return problem.facts().find(|(_, fact)| forbids(fact)).map(|(id, _)| id);
    }
    problem.rules.choices[bundle.0 as usize].iter().find(is_unmet).copied()
}

/// The entries of those bundles that have an intrinsic fault.
pub(crate) fn entries_with_fault(problem: &Problem, bundles: &[VarId]) -> BTreeSet<EntryId> {
    let faulty = bundles.iter().filter(|&&id| intrinsic_fault(problem, id).is_some());
    let entries = faulty.filter_map(|id| match problem.rules.variables[id.0 as usize] {
        Variable::Bundle { entry, .. } => Some(entry),
        Variable::Subscription(_) => None,
    });
    entries.collect()
}

/// Whether the bundle names an API or a package twice, so that it counts twice where at most one bundle is allowed, and excludes
/// itself.
fn states_property_twice(entry: &Entry) -> bool {
    let (mut gvks, mut packages) = (BTreeSet::new(), BTreeSet::new());
    entry.properties.iter().any(|placed| match &placed.property {
        Property::Gvk(gvk, _) => !gvks.insert(gvk),
        Property::Package { name, .. } => !packages.insert(name),
        _ => false,
    })
}
