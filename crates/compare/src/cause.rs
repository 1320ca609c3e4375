//! Why a row came out worse: the smallest set of edits without which it would not be as bad.

use crate::edit::{Edit, edits};
use crate::extension::{ExtensionRow, extension_rule};
use crate::extension_rule::ExtensionRule;
use crate::level::Level;
use crate::row::Row;
use crate::state::{Installed, PackageState, State};
use crate::verdict::{Case, verdict};
use catalog::{Catalog, Channel, ChannelName, Package};

/// The limit on edits of which all pairs are tried.
const PAIRED: usize = 40;

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
    /// for a row that harms nobody, or that `opm` rejects the catalog for.
    ///
    /// One edit is preferred to two, and two to more; of as many, those of entries that both states list.
    pub fn of(&mut self, row: &Row) -> Vec<Edit> {
        self.find(Harmed::Subscription(row))
    }

    /// The same for a row under OLM v1 and extensions that name this channel, or none. What other catalogs have a part in has no
    /// cause here.
    pub fn of_extension(&mut self, row: &ExtensionRow, channel: Option<&ChannelName>) -> Vec<Edit> {
        if row.case(channel).rule == Some(ExtensionRule::Ambiguous) {
            return Vec::new();
        }
        self.find(Harmed::Extension(row, channel))
    }

    fn find(&mut self, row: Harmed<'_>) -> Vec<Edit> {
        if row.level() < Some(Level::Risky) {
            return Vec::new();
        }
        let known = self.known.iter().find(|edit| row.may_be_due_to(edit) && self.helps(row, &[*edit]));
        if let Some(known) = known {
            return vec![known.clone()];
        }
        let cause: Vec<Edit> = self.search(row).into_iter().cloned().collect();
        if let [only] = &cause[..] {
            self.known.push(only.clone());
        }
        cause
    }

    fn search(&self, row: Harmed<'_>) -> Vec<&Edit> {
        let edits: Vec<&Edit> = self.edits.iter().filter(|edit| row.may_be_due_to(edit)).collect();
        let one = edits.iter().find(|edit| self.helps(row, &[**edit]));
        if let Some(one) = one {
            return vec![one];
        }
        if edits.len() <= PAIRED {
            let pairs = edits.iter().enumerate().flat_map(|(at, one)| edits[at + 1..].iter().map(|two| [*one, *two]));
            if let Some(pair) = pairs.into_iter().find(|pair| self.helps(row, pair)) {
                return pair.to_vec();
            }
        }
        if !self.helps(row, &edits) {
            return Vec::new();
        }
        // An edit that was needed may no longer be when another one is out.
        let mut cause = edits;
        loop {
            let before = cause.len();
            for at in (0..cause.len()).rev() {
                let edit = cause.remove(at);
                if !self.helps(row, &cause) {
                    cause.insert(at, edit);
                }
            }
            if cause.len() == before {
                return cause;
            }
        }
    }

    /// Whether a row has a lower level if these edits are taken back.
    fn helps(&self, row: Harmed<'_>, reverted: &[&Edit]) -> bool {
        let is_needed = |channel: &&Channel| row.channel().is_none_or(|needed| channel.name.value == *needed);
        let channels = self.new.channels.iter().filter(is_needed).cloned().collect();
        let mut package = Package { channels, ..self.new.clone() };
        reverted.iter().for_each(|edit| edit.revert(&mut package, self.old));
        row.level_after(self.old, package) < row.level()
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
        let state = PackageState::of(State { catalog: &catalog, rejected: None }, &old.name);
        let (installed, version) = (&row.installed, row.version.as_ref());
        let new = state.fate(&row.channel, Installed { name: installed, bundle: old.bundle(installed.as_str()) });
        let [before, after] = [old, &catalog.packages[0]].map(|package| package.channel(row.channel.as_str()));
        let case = Case { installed, version, old: &row.old, new: &new, before, after };
        verdict(&case).map(crate::RowRule::level)
    }
}
