//! Properties of repairs of small random channels, checked with all sets of edits.

use catalog::{BundleName, Catalog, Chain, Channel, Entry, Package, ParsedFile, SkipRange, heads, lower};
use go_semver::blang::{Range, Version};
use proptest::prelude::*;
use repair::{Question, Repair, Search};
use sat::Budget;
use source::{FileId, Spanned};
use std::collections::BTreeSet;
use update_graph::{Change, Edit, applied};
use update_graph::{UpdateChain, version_of};

/// An entry by numbers of versions: its own is its place. Version `n` is `1.n.0`.
#[derive(Clone, Debug)]
struct Drawn {
    replaces: Option<usize>,
    skips: BTreeSet<usize>,
    /// The numbers of the versions that the skipRange covers.
    range: Option<(usize, usize)>,
}

/// The most entries, and the names beside them.
const ENTRIES: usize = 4;
const NAMES: usize = 5;

fn name(number: usize) -> BundleName {
    BundleName::from(format!("p.v1.{number}.0").as_str())
}

fn notation(entries: &[Option<Drawn>]) -> String {
    let entry = |(number, drawn): (usize, &Option<Drawn>)| {
        let drawn = drawn.as_ref()?;
        let mut clauses: Vec<String> = drawn.replaces.iter().map(|other| format!("replaces 1.{other}.0")).collect();
        if !drawn.skips.is_empty() {
            let skips: Vec<String> = drawn.skips.iter().map(|other| format!("1.{other}.0")).collect();
            clauses.push(format!("skips {}", skips.join(", ")));
        }
        clauses.extend(drawn.range.map(|(from, to)| format!("skipRange >=1.{from}.0 <1.{to}.0")));
        let clauses = if clauses.is_empty() { String::new() } else { format!(" ({})", clauses.join("; ")) };
        Some(format!("1.{number}.0{clauses}"))
    };
    let entries: Vec<String> = entries.iter().enumerate().filter_map(entry).collect();
    format!("c: {}", entries.join(", "))
}

fn drawn() -> impl Strategy<Value = Vec<Option<Drawn>>> {
    let entry = (
        proptest::option::weighted(0.6, 0..NAMES),
        proptest::collection::btree_set(0..NAMES, 0..3),
        proptest::option::weighted(0.3, (0..NAMES, 1..=NAMES)),
    );
    let entry = entry.prop_map(|(replaces, skips, range)| Drawn { replaces, skips, range });
    proptest::collection::vec(proptest::option::weighted(0.9, entry), 1..=ENTRIES)
        .prop_filter("a channel has entries", |entries| entries.iter().any(Option::is_some))
}

fn read(notation: &str) -> Catalog {
    let text = fixture::yaml(notation);
    let parse = fbc::parse(FileId(0), &text);
    lower(&[ParsedFile { text: &text, parse: &parse }]).0
}

/// The names that a cluster may have installed: those of both states. What only the new one names is an entry of it.
fn names(old: Option<&Channel>, new: &Channel) -> Vec<BundleName> {
    let all = |channel: &Channel| -> BTreeSet<BundleName> {
        let named = |entry: &Entry| {
            [vec![entry.name.clone()], entry.replaces.clone().into_iter().collect(), entry.skips.clone()]
        };
        channel.entries.iter().flat_map(named).flatten().map(|name| name.value).collect()
    };
    let listed = |name: &BundleName| new.entry(name.as_str()).is_some();
    let Some(old) = old.map(all) else { return all(new).into_iter().collect() };
    all(new).into_iter().filter(listed).chain(old).collect::<BTreeSet<_>>().into_iter().collect()
}

/// Whether `opm` accepts the channel, OLM can order it, and nobody is updated by a skipRange to a lower version, or to a version
/// that is avoided. Each of `names` that can is updated to the head.
fn is_right(
    package: &Package,
    channel: &Channel,
    names: &[BundleName],
    can: &dyn Fn(&BundleName) -> bool,
    avoid: &BTreeSet<BundleName>,
) -> bool {
    let Chain::Headed { head, stranded } = Chain::of(channel) else { return false };
    let Ok(chain) = UpdateChain::of(package, channel) else { return false };
    if !stranded.is_empty() || avoid.contains(&BundleName::from(head)) {
        return false;
    }
    names.iter().all(|name| {
        let (mut at, mut visited) = (name.clone(), BTreeSet::new());
        loop {
            let version = version_of(package, &at);
            let Some(next) = chain.next_update(&at, version.as_ref()) else {
                return at.as_str() == head || !can(name);
            };
            let entry = next.to;
            let names_it = entry.replaces.iter().chain(&entry.skips).any(|named| named.value == at);
            let goes_down = version_of(package, &entry.name.value) < version;
            if (goes_down && !names_it) || avoid.contains(&entry.name.value) || !visited.insert(at) {
                return false;
            }
            at = entry.name.value.clone();
        }
    })
}

/// Whether an entry replaces one of at least its version. Repairs keep the order of entries, which is not that of versions then, and
/// there may be several: other orders may have cheaper repairs.
fn goes_up(package: &Package, channel: &Channel) -> bool {
    channel.entries.iter().any(|entry| {
        let older = entry.replaces.as_ref().and_then(|name| channel.entry(name.value.as_str()));
        let version = |entry: &Entry| version_of(package, &entry.name.value);
        older.is_some_and(|older| version(older) >= version(entry))
    })
}

/// All edits of a channel with their weights; ranges as the sets of versions that they cover.
fn edits(package: &Package, channel: &Channel, names: &[BundleName]) -> Vec<(u32, Vec<Edit>)> {
    let heads = heads(channel);
    let entries = channel.entries.iter().map(|entry| &entry.name.value);
    let is_head = |name: &&BundleName| heads.is_empty() || heads.contains(&name.as_str());
    let head = entries.filter(is_head).max_by_key(|name| version_of(package, name)).expect("a channel has entries");
    let version = |name: &BundleName| version_of(package, name).expect("every name has a version");
    let mut all = Vec::new();
    for entry in &channel.entries {
        let own = version(&entry.name.value);
        let extra = if entry.name.value == *head { 0 } else { 2 };
        let edit = |change| Edit { entry: entry.name.value.clone(), change };
        let lower: Vec<&BundleName> = names.iter().filter(|name| version(name) < own).collect();
        let replaced = entry.replaces.as_ref().map(|name| &name.value);
        let new = lower.iter().copied().filter(|name| Some(*name) != replaced);
        let mut changes: Vec<Edit> = new.map(|name| edit(Change::Replace(name.clone()))).collect();
        changes.extend(replaced.map(|_| edit(Change::Unreplace)));
        all.push((3 + extra, changes));
        let skips: BTreeSet<&BundleName> = entry.skips.iter().map(|name| &name.value).collect();
        let replaced =
            replaced.filter(|name| names.contains(name) && !lower.contains(name) && **name != entry.name.value);
        for name in lower.iter().copied().chain(replaced).filter(|name| !skips.contains(name)) {
            all.push((2 + extra, vec![edit(Change::Skip(name.clone()))]));
        }
        for name in skips {
            all.push((2 + extra, vec![edit(Change::Unskip(name.clone()))]));
        }
        let ranges = (0..1_usize << lower.len()).map(|bits| {
            let covered = lower.iter().enumerate().filter(|(at, _)| bits >> at & 1 == 1);
            let covered: Vec<String> = covered.map(|(_, name)| version(name).to_string()).collect();
            edit(Change::Range((!covered.is_empty()).then(|| covered.join(" || ").into())))
        });
        all.push((1 + extra, ranges.collect()));
    }
    all
}

/// Edits of at most this weight that make the channel right.
fn repair_within(
    of: &dyn Fn(&[Edit]) -> bool,
    choices: &[(u32, Vec<Edit>)],
    chosen: &mut Vec<Edit>,
    weight: u32,
) -> Option<Vec<Edit>> {
    if !chosen.is_empty() && of(chosen) {
        return Some(chosen.clone());
    }
    let affordable = choices.iter().enumerate().filter(|(_, (cost, _))| *cost <= weight);
    affordable.clone().find_map(|(at, (cost, alternatives))| {
        alternatives.iter().find_map(|edit| {
            chosen.push(edit.clone());
            let found = repair_within(of, &choices[at + 1..], chosen, weight - cost);
            chosen.pop();
            found
        })
    })
}

/// What the search answers.
fn searched(question: Question<'_>) -> (Vec<Repair>, Option<&'static str>) {
    let mut search = Search::new(question);
    while !search.advance() {}
    (search.repairs().to_vec(), search.refusal().map(|refusal| refusal.reason.id()))
}

/// The most weight up to which all sets of edits are tried.
const TRIED: u32 = 7;

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_cheaper_edits_repair_a_channel(
        before in proptest::option::weighted(0.5, drawn()),
        after in drawn(),
        avoid in proptest::option::weighted(0.3, 0..ENTRIES),
    ) {
        let before = before.map(|before| read(&notation(&before)));
        let after_notation = notation(&after);
        let after = read(&after_notation);
        let package = &after.packages[0];
        let channel = &package.channels[0];
        let old = before.as_ref().map(|before| &before.packages[0]);
        let old_channel = old.map(|package| &package.channels[0]);
        let avoid: BTreeSet<BundleName> = avoid.into_iter().map(name).collect();
        let installed = BTreeSet::new();
        let (before, budget) = (old.map(|old| &**old), &Budget::default());
        let question = Question { before, after: package, channel, installed: &installed, avoid: &avoid, budget };
        let (repairs, reason) = searched(question);
        let names = names(old_channel, channel);
        // What is above every entry cannot be updated.
        let can = |name: &BundleName| {
            let named = |entry: &Entry| entry.replaces.iter().chain(&entry.skips).any(|named| named.value == *name);
            let version = version_of(package, name);
            channel.entry(name.as_str()).is_some()
                || channel.entries.iter().any(|entry| version_of(package, &entry.name.value) > version || named(entry))
        };
        let is_repaired = |edits: &[Edit]| is_right(package, &applied(channel, edits), &names, &can, &avoid);
        let choices = edits(package, channel, &names);
        let least = repairs.first().map_or(TRIED + 1, |repair| repair.weight.min(TRIED + 1));
        if repairs.is_empty() && is_repaired(&[]) {
            return Ok(());
        }
        prop_assert!(!is_repaired(&[]), "{after_notation}: nothing was to repair");
        if !goes_up(package, channel) {
            let cheaper = repair_within(&is_repaired, &choices, &mut Vec::new(), least - 1);
            prop_assert_eq!(cheaper, None, "{}", after_notation);
        }
        prop_assert!(repairs.len() <= 4 && (!repairs.is_empty() || reason.is_some()), "{after_notation}");
        for repair in &repairs {
            prop_assert!(is_repaired(&repair.edits), "{after_notation}: {repair:?}");
            let repaired = applied(channel, &repair.edits);
            let again = Question { channel: &repaired, ..question };
            prop_assert_eq!(searched(again).0, []);
        }
    }
}

#[test]
fn the_oracle_tells_right_channels_from_others() {
    let range = Range::parse("<1.1.0").unwrap();
    assert_eq!(range.matches(&Version::new(1, 0, 0)), Ok(true));
    let catalog = read("c: 1.1.0 (replaces 1.0.0), 1.0.0");
    let package = &catalog.packages[0];
    let mut channel = package.channels[0].clone();
    let installed = [name(0), name(1)];
    assert!(is_right(package, &channel, &installed, &|_| true, &BTreeSet::new()));
    assert!(!is_right(package, &channel, &installed, &|_| true, &[name(1)].into()));
    let span = channel.span;
    channel.entries[0].replaces = None;
    channel.entries[0].skip_range = Some(Spanned::new(SkipRange { text: "<1.1.0".into(), range: Ok(range) }, span));
    assert!(!is_right(package, &channel, &installed, &|_| true, &BTreeSet::new()), "opm sees two heads");
}
