//! Why a row came out worse: the smallest set of edits without which it would not be as bad.

use crate::edit::{Edit, edits, revert};
use crate::extension::ExtensionStates;
use crate::path::Jumps;
use crate::row::{Case, Listed, Row, UpdatedBy, Updater};
use crate::rule::Rule;
use crate::search::{Budget, Log};
use crate::state::{Installed, State};
use crate::subscription::SubscriptionStates;
use catalog::{BundleName, Catalog, Channel, Package};
use source::Level;
use std::cmp::Ordering;
use update_graph::{UpdateChain, version_of};

/// The limit on edits of which all pairs are tried.
const PAIRED: usize = 40;

/// The limit on edits that are tried one by one.
const TRIED: usize = 100;

/// Finds the causes of rows of one package.
pub(crate) struct Causes<'c> {
    old: &'c Package,
    /// The same, alone in a catalog.
    before: Catalog,
    new: &'c Package,
    edits: Vec<Edit>,
}

impl<'c> Causes<'c> {
    /// Compares two states of a package.
    pub(crate) fn new(old: &'c Package, new: &'c Package) -> Self {
        let before = Catalog { packages: vec![old.clone().into()], ..Catalog::default() };
        Self { old, before, new, edits: edits(old, new) }
    }

    /// The edits that a row is due to. Without all of them its level is lower, and each is needed for that. Of another next
    /// update, what allows it suffices, whatever else allows other ones. There is none
    /// for a row that harms nobody, or that `opm` rejects the catalog for, or if the work does not suffice.
    ///
    /// One edit is preferred to two, and two to more; of as many, those of entries that both states list. `known` are single
    /// edits that were a cause before: they are tried first.
    ///
    /// What other catalogs have a part in has no cause here.
    pub(crate) fn of(&self, row: &Row, known: &[Edit], trials: &Log<bool>, budget: &Budget) -> Vec<Edit> {
        if row.rule == Some(Rule::V1Ambiguous) || row.rule.map(Rule::level) < Some(Level::Risky) {
            return Vec::new();
        }
        let search = Search { causes: self, row, trials, budget };
        let known = known.iter().find(|edit| search.may_be_due_to(edit) && search.helps(&[*edit]) == Some(true));
        match known {
            Some(known) => vec![known.clone()],
            None => search.run().unwrap_or_default().into_iter().cloned().collect(),
        }
    }
}

/// The search for the cause of a row. Each function gives `None` if the work does not suffice.
struct Search<'s, 'c> {
    causes: &'s Causes<'c>,
    row: &'s Row,
    trials: &'s Log<bool>,
    budget: &'s Budget,
}

impl<'s> Search<'s, '_> {
    fn run(&self) -> Option<Vec<&'s Edit>> {
        let mut edits: Vec<&Edit> = self.causes.edits.iter().filter(|edit| self.may_be_due_to(edit)).collect();
        if edits.len() > TRIED {
            // Those that name the installed version or its next update are the likely ones.
            edits.sort_by_key(|edit| !self.is_named_in(edit));
        }
        for one in edits.iter().take(TRIED) {
            if self.helps(&[one])? {
                return Some(vec![one]);
            }
        }
        if edits.len() <= PAIRED {
            for (at, one) in edits.iter().enumerate() {
                for two in &edits[at + 1..] {
                    if self.helps(&[one, two])? {
                        return Some(vec![one, two]);
                    }
                }
            }
        }
        if !self.helps(&edits)? {
            return Some(Vec::new());
        }
        if edits.len() > PAIRED {
            self.without_needless(self.halved(&mut Vec::new(), &edits)?)
        } else {
            self.without_needless(edits)
        }
    }

    /// Leaves out edits one by one. One that was needed may no longer be when another one is out.
    fn without_needless(&self, mut cause: Vec<&'s Edit>) -> Option<Vec<&'s Edit>> {
        loop {
            let before = cause.len();
            for at in (0..cause.len()).rev() {
                let edit = cause.remove(at);
                if !self.helps(&cause)? {
                    cause.insert(at, edit);
                }
            }
            if cause.len() == before {
                return Some(cause);
            }
        }
    }

    /// The edits that are needed beside those of `given`, found by halving (Junker, "QuickXplain", 2004): that takes few
    /// trials if few of many edits are needed.
    fn halved(&self, given: &mut Vec<&'s Edit>, edits: &[&'s Edit]) -> Option<Vec<&'s Edit>> {
        if edits.len() == 1 {
            return Some(edits.to_vec());
        }
        let (first, second) = edits.split_at(edits.len() / 2);
        let mut needed = |more: &[&'s Edit], of: &[&'s Edit]| -> Option<Vec<&'s Edit>> {
            let known = given.len();
            given.extend(more);
            let is_enough = !more.is_empty() && self.helps(given)?;
            let found = if is_enough { Some(Vec::new()) } else { self.halved(given, of) };
            given.truncate(known);
            found
        };
        let mut found = needed(first, second)?;
        let of_first = needed(&found.clone(), first)?;
        found.splice(0..0, of_first);
        Some(found)
    }

    /// Whether the row has a lower level if these edits are taken back, or the next update is not the one that these edits of its
    /// target allow.
    fn helps(&self, reverted: &[&Edit]) -> Option<bool> {
        let Causes { old, new, .. } = self.causes;
        let named = self.row.named_channel();
        let is_needed = |channel: &&Channel| named.is_none_or(|needed| channel.name.value == *needed);
        let channels = new.channels.iter().filter(is_needed);
        let entries: usize = channels.clone().map(|channel| channel.entries.len()).sum();
        let work = entries + new.bundles.len() + reverted.len();
        // For extensions both states are read again.
        let work = if self.row.updated_by.is_v1() { 6 * work } else { work };
        self.trials.answer(self.budget, work, || {
            let mut package = Package { channels: channels.cloned().collect(), ..(*new).clone() };
            revert(reverted, &mut package, old);
            let (rule, next) = self.row_with(&Catalog { packages: vec![package.into()], ..Catalog::default() });
            match rule.map(Rule::level).cmp(&self.row.rule.map(Rule::level)) {
                Ordering::Less => true,
                Ordering::Equal => self.are_of_next(reverted) && next.as_ref() != self.row.new.next(),
                Ordering::Greater => false,
            }
        })
    }

    /// Whether the row has another next update, and these edits are all of the entry that it leads to.
    fn are_of_next(&self, edits: &[&Edit]) -> bool {
        let is_of_next = |edit: &&Edit| matches!(edit, Edit::Entry { entry, .. } if Some(entry) == self.row.new.next());
        self.row.rule.is_some_and(Rule::is_of_next_update) && edits.iter().all(is_of_next)
    }

    /// The rule about the row, and its next update, if the new state were this one.
    fn row_with(&self, new: &Catalog) -> (Option<Rule>, Option<BundleName>) {
        let (row, old) = (self.row, self.causes.old);
        let [before, after] = [&self.causes.before, new].map(|catalog| State { catalog, rejected: None });
        let installed = Installed { name: &row.installed, bundle: old.bundle(row.installed.as_str()) };
        let listed = Listed { channel: &row.channel, installed };
        let rule = |updater: &dyn Updater| {
            let (new, version) = (updater.new_paths(&[installed]).pop().unwrap_or_default(), row.version.as_ref());
            let rule = updater.rule(&Case { listed, version, old: &row.old, new: &new, jumps: &Jumps::default() });
            (rule, new.next().cloned())
        };
        if row.updated_by == UpdatedBy::Subscription {
            let states = SubscriptionStates::of(before, after, &old.name).without_texts();
            return rule(&states.channel(&row.channel));
        }
        let v0_next = |listed: &Listed<'_>| {
            [old, &new.packages[0]].map(|package| {
                let chain = UpdateChain::of(package, package.channel(listed.channel.as_str())?).ok()?;
                let next = chain.next_update(&row.installed, row.version.as_ref())?;
                version_of(package, &next.to.name.value)
            })
        };
        rule(&ExtensionStates::of(before, after, old).extensions(row.named_channel(), &v0_next))
    }

    /// Whether an edit names the installed version, or an update of it.
    fn is_named_in(&self, edit: &Edit) -> bool {
        let Row { installed, old, new, .. } = self.row;
        let is_it = |name| name == installed || [old.next(), new.next()].contains(&Some(name));
        edit.names().into_iter().flatten().any(is_it)
    }

    fn may_be_due_to(&self, edit: &Edit) -> bool {
        let named = self.row.named_channel();
        if self.row.updated_by.is_v1() { edit.concerns_extension(named) } else { edit.concerns(&self.row.channel) }
    }
}
