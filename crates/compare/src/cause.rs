//! Why a row came out worse: the smallest set of edits without which it would not be as bad.

use crate::budget::Budget;
use crate::edit::{Edit, edits, revert};
use crate::extension::{ExtensionRow, extension_rule};
use crate::extension_rule::ExtensionRule;
use crate::jump::Jumps;
use crate::level::Level;
use crate::row::Row;
use crate::state::{Installed, PackageState, State};
use crate::verdict::{Case, verdict};
use catalog::{Catalog, Channel, ChannelName, Package};

/// The limit on edits of which all pairs are tried.
const PAIRED: usize = 40;

/// The limit on edits that are tried one by one.
const TRIED: usize = 100;

/// A row of one version of OLM.
#[derive(Clone, Copy)]
enum Harmed<'r> {
    Subscription(&'r Row),
    /// With the channel that the extension names, if it names one.
    Extension(&'r ExtensionRow, Option<&'r ChannelName>),
}

/// Finds the causes of rows of one package.
pub struct Causes<'c> {
    old: &'c Package,
    new: &'c Package,
    edits: Vec<Edit>,
    /// Single edits that were a cause before: they are tried first.
    known: Vec<Edit>,
}

impl<'c> Causes<'c> {
    /// Compares two states of a package.
    #[must_use]
    pub fn new(old: &'c Package, new: &'c Package) -> Self {
        Self { old, new, edits: edits(old, new), known: Vec::new() }
    }

    /// The edits that a row is due to. Without all of them its level is lower, and each is needed for that. There is none
    /// for a row that harms nobody, or that `opm` rejects the catalog for, or if the work does not suffice.
    ///
    /// One edit is preferred to two, and two to more; of as many, those of entries that both states list.
    pub fn of(&mut self, row: &Row, budget: &Budget) -> Vec<Edit> {
        self.find(Harmed::Subscription(row), budget)
    }

    /// The same for a row under OLM v1 and extensions that name this channel, or none. What other catalogs have a part in has no
    /// cause here.
    pub fn of_extension(&mut self, row: &ExtensionRow, channel: Option<&ChannelName>, budget: &Budget) -> Vec<Edit> {
        if row.case(channel).rule == Some(ExtensionRule::Ambiguous) {
            return Vec::new();
        }
        self.find(Harmed::Extension(row, channel), budget)
    }

    fn find(&mut self, row: Harmed<'_>, budget: &Budget) -> Vec<Edit> {
        if row.level() < Some(Level::Risky) {
            return Vec::new();
        }
        let search = Search { causes: self, row, budget };
        let known = self.known.iter().find(|edit| row.may_be_due_to(edit) && search.helps(&[*edit]) == Some(true));
        if let Some(known) = known {
            return vec![known.clone()];
        }
        let cause: Vec<Edit> = search.run().unwrap_or_default().into_iter().cloned().collect();
        if let [only] = &cause[..] {
            self.known.push(only.clone());
        }
        cause
    }
}

/// The search for the cause of a row. Each function gives `None` if the work does not suffice.
struct Search<'s, 'c> {
    causes: &'s Causes<'c>,
    row: Harmed<'s>,
    budget: &'s Budget,
}

impl<'s> Search<'s, '_> {
    fn run(&self) -> Option<Vec<&'s Edit>> {
        let mut edits: Vec<&Edit> = self.causes.edits.iter().filter(|edit| self.row.may_be_due_to(edit)).collect();
        if edits.len() > TRIED {
            // Those that name the installed version or its next update are the likely ones.
            edits.sort_by_key(|edit| !self.row.is_named_in(edit));
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

    /// Whether the row has a lower level if these edits are taken back.
    fn helps(&self, reverted: &[&Edit]) -> Option<bool> {
        let Causes { old, new, .. } = self.causes;
        let is_needed = |channel: &&Channel| self.row.channel().is_none_or(|needed| channel.name.value == *needed);
        let channels: Vec<Channel> = new.channels.iter().filter(is_needed).cloned().collect();
        let entries: usize = channels.iter().map(|channel| channel.entries.len()).sum();
        let work = entries + new.bundles.len() + reverted.len();
        // For extensions both states are read again.
        self.budget.take(if matches!(self.row, Harmed::Extension(..)) { 6 * work } else { work })?;
        let mut package = Package { channels, ..(*new).clone() };
        revert(reverted, &mut package, old);
        Some(self.row.level_after(old, package) < self.row.level())
    }
}

impl Harmed<'_> {
    fn level(self) -> Option<Level> {
        match self {
            Self::Subscription(row) => row.rule.map(crate::RowRule::level),
            Self::Extension(row, channel) => row.case(channel).rule.map(|rule| rule.rule().level),
        }
    }

    /// The only channel that matters; `None` if all do.
    fn channel(&self) -> Option<&ChannelName> {
        match self {
            Self::Subscription(row) => Some(&row.channel),
            Self::Extension(_, channel) => *channel,
        }
    }

    /// Whether an edit names the installed version, or an update of it.
    fn is_named_in(self, edit: &Edit) -> bool {
        let (installed, old, new) = match self {
            Self::Subscription(row) => (&row.installed, &row.old, &row.new),
            Self::Extension(row, channel) => (&row.installed, &*row.case(channel).old, &*row.case(channel).new),
        };
        edit.names()
            .into_iter()
            .flatten()
            .any(|name| name == installed || [old.next(), new.next()].contains(&Some(name)))
    }

    fn may_be_due_to(self, edit: &Edit) -> bool {
        match self {
            Self::Subscription(row) => edit.concerns(&row.channel),
            Self::Extension(_, channel) => edit.concerns_extension(channel),
        }
    }

    /// Its level if the new state were this one.
    fn level_after(self, old: &Package, new: Package) -> Option<Level> {
        let row = match self {
            Self::Subscription(row) => row,
            Self::Extension(row, channel) => {
                return extension_rule(row, channel, old, &new).map(|rule| rule.rule().level);
            }
        };
        let catalog = Catalog { packages: vec![new] };
        let after = PackageState::of(State { catalog: &catalog, rejected: None }, &old.name).without_texts();
        let installed = Installed { name: &row.installed, bundle: old.bundle(row.installed.as_str()) };
        let new = after.paths(&row.channel, &[installed]).pop()?;
        let [before, after] = [old, &catalog.packages[0]].map(|package| package.channel(row.channel.as_str()));
        let version = row.version.as_ref();
        let case = Case {
            installed: &row.installed,
            version,
            old: &row.old,
            new: &new,
            before,
            after,
            jumps_a_minor: &|| Jumps::default().has_jump((&row.old, &new), version, false),
        };
        verdict(&case).map(crate::RowRule::level)
    }
}
