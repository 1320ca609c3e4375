//! Whether a state of the channel is right, by `opm`'s and OLM's own rules.

use crate::known::Known;
use crate::question::Question;
use catalog::{Catalog, Chain, Channel, Package};
use compare::{Row, Rule, State, compare_package};
use source::{Level, Runtime};
use std::collections::BTreeSet;

/// A state of the channel that `opm` accepts and OLM can order.
pub(crate) struct Checked {
    pub(crate) next: Vec<Option<usize>>,
    head: usize,
}

impl Checked {
    /// `None` if `opm` rejects the channel for its edges, or OLM cannot order it.
    pub(crate) fn of(known: &Known<'_>, channel: &Channel) -> Option<Self> {
        let Chain::Headed { head, stranded } = Chain::of(channel) else { return None };
        let next = known.next_updates(known.question.after, channel).filter(|_| stranded.is_empty())?;
        Some(Self { next, head: known.index(&head.into())? })
    }

    /// By name, whether the version is updated to the head, without a skipRange that leads to a lower version. Each
    /// update is followed once, so that long chains stay cheap.
    fn reaching_head(&self, known: &Known<'_>, channel: &Channel) -> Vec<bool> {
        let mut reaches = vec![None; self.next.len()];
        for name in 0..self.next.len() {
            let (mut way, mut at) = (Vec::new(), name);
            let found = loop {
                if let Some(known) = reaches[at] {
                    break known;
                }
                way.push(at);
                // Who comes back here goes in a circle.
                reaches[at] = Some(false);
                match self.next[at] {
                    None => break at == self.head,
                    Some(next) if goes_down(known, channel, at, next) => break false,
                    Some(next) => at = next,
                }
            };
            way.into_iter().for_each(|at| reaches[at] = Some(found));
        }
        reaches.into_iter().map(|reaches| reaches == Some(true)).collect()
    }

    /// Whether every version that has to reaches the head, and nobody is updated to a version that is avoided, or to a lower
    /// one by a skipRange.
    pub(crate) fn is_right(&self, known: &Known<'_>, channel: &Channel, must_reach: &[bool]) -> bool {
        let mut next = self.next.iter().enumerate().filter_map(|(name, next)| Some((name, (*next)?)));
        let mut must_reach = must_reach.iter().zip(self.reaching_head(known, channel));
        !known.names[self.head].is_avoided
            && next.all(|(name, next)| !known.names[next].is_avoided && !goes_down(known, channel, name, next))
            && must_reach.all(|(must_reach, reaches)| reaches || !must_reach)
    }
}

/// Whether an update is to a lower version by a skipRange. Names say what the author wants, as in a respin 1.0.1-1 of 1.0.1.
fn goes_down(known: &Known<'_>, channel: &Channel, name: usize, next: usize) -> bool {
    known.is_newer(name, next) && !is_named(known, channel, next, name)
}

/// Whether an entry replaces or skips a version.
fn is_named(known: &Known<'_>, channel: &Channel, entry: usize, name: usize) -> bool {
    let name = known.names[name].name;
    let entry = channel.entry(known.names[entry].name.as_str());
    entry.is_some_and(|entry| entry.replaces.iter().chain(&entry.skips).any(|named| named.value == *name))
}

/// The versions that do not reach the head in a state of the channel.
pub(crate) fn stranded(known: &Known<'_>, channel: &Channel) -> Vec<usize> {
    let names = 0..known.names.len();
    match Checked::of(known, channel) {
        Some(checked) => {
            let reaches = checked.reaching_head(known, channel);
            names.filter(|name| !reaches[*name]).collect()
        }
        None => {
            // OLM may be able to order what `opm` rejects. Then it says who is stuck.
            let opm: BTreeSet<usize> = match Chain::of(channel) {
                Chain::Headed { stranded, .. } => {
                    stranded.into_iter().filter_map(|name| known.index(&name.into())).collect()
                }
                _ => BTreeSet::new(),
            };
            let next = known.next_updates(known.question.after, channel);
            let reaches = next.map(|next| Checked { next, head: known.head }.reaching_head(known, channel));
            let is_stuck = |name: &usize| reaches.as_ref().is_none_or(|reaches| opm.contains(name) || !reaches[*name]);
            names.filter(is_stuck).collect()
        }
    }
}

// Whether a repaired channel is no worse than the present one to anybody, by the comparison of both states.

/// Whether the comparison confirms a repair, under OLM v0 and OLM v1: no row is broken that is not broken without the repair. Both
/// states are taken as served, even if `opm` rejects the present one: else nothing could be worse than that.
#[must_use]
pub fn is_harmless(question: &Question<'_>, repaired: &Channel) -> bool {
    let mut after = question.after.clone();
    for channel in after.channels.iter_mut().filter(|channel| channel.name.value == repaired.name.value) {
        *channel = repaired.clone();
    }
    let alone = |package: &Package| Catalog { packages: vec![package.clone().into()], ..Catalog::default() };
    let before = alone(question.before.unwrap_or(question.after));
    let old = State { catalog: &before, rejected: None };
    let compared = |to: &Catalog| {
        let new = State { catalog: to, rejected: None };
        compare_package(old, new, &question.after.name, Runtime::Both)
    };
    let without = compared(&alone(question.after));
    let is_broken = |row: &&Row| row.rule.map(Rule::level) == Some(Level::Breaking);
    let were_broken: BTreeSet<_> = without.rows.iter().filter(is_broken).map(Row::key).collect();
    let with = compared(&alone(&after));
    with.rows.iter().filter(is_broken).all(|row| were_broken.contains(&row.key()))
}

// What a repair changes for those who did not need it.

/// Whether the update of a version to an entry is one that clusters did not make so far and do not need: the version reached
/// the head without it, or it leaves out an entry that OLM updated the version to before.
pub(crate) fn is_wide(known: &Known<'_>, is_stranded: &[bool], name: usize, entry: usize) -> bool {
    if known.now[name] == Some(entry) {
        return false;
    }
    let has_none = known.now[name].is_none() && known.before[name].is_none();
    (has_none && !is_stranded[name]) || leaves_out(known, name, entry)
}

/// Whether OLM updated the version to an entry of the channel before it came to this one, or did not come to this one.
fn leaves_out(known: &Known<'_>, name: usize, entry: usize) -> bool {
    let mut at = name;
    for _ in 0..known.names.len() {
        match known.before[at] {
            Some(next) if next != entry => at = next,
            _ => return false,
        }
        if at < known.entries.len() {
            return true;
        }
    }
    false
}

/// How many versions have such an update.
pub(crate) fn widening(known: &Known<'_>, is_stranded: &[bool], next: &[Option<usize>]) -> usize {
    let is_wide =
        |(name, next): (usize, &Option<usize>)| next.is_some_and(|entry| is_wide(known, is_stranded, name, entry));
    next.iter().enumerate().filter(|at| is_wide(*at)).count()
}
