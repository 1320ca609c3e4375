//! Why a row came out worse: the smallest set of edits without which it would not be as bad.

use crate::edit::{Edit, edits};
use crate::fate::Fate;
use crate::level::Level;
use crate::row::Row;
use crate::state::{Installed, PackageState, State};
use crate::verdict::{Case, verdict};
use catalog::{Catalog, Channel, Package};

/// The limit on edits of which all pairs are tried.
const PAIRED: usize = 40;

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
        if row.rule.is_none_or(|rule| rule.level() < Level::Risky) {
            return Vec::new();
        }
        let known = self.known.iter().find(|edit| edit.concerns(&row.channel) && self.helps(row, &[*edit]));
        if let Some(known) = known {
            return vec![known.clone()];
        }
        let cause: Vec<Edit> = self.search(row).into_iter().cloned().collect();
        if let [only] = &cause[..] {
            self.known.push(only.clone());
        }
        cause
    }

    fn search(&self, row: &Row) -> Vec<&Edit> {
        let edits: Vec<&Edit> = self.edits.iter().filter(|edit| edit.concerns(&row.channel)).collect();
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
    fn helps(&self, row: &Row, reverted: &[&Edit]) -> bool {
        let of_channel = |channel: &&Channel| channel.name.value == row.channel;
        let channels = self.new.channels.iter().filter(of_channel).cloned().collect();
        let mut package = Package { channels, ..self.new.clone() };
        reverted.iter().for_each(|edit| edit.revert(&mut package, self.old));
        let catalog = Catalog { packages: vec![package] };
        let state = PackageState::of(State { catalog: &catalog, rejected: None }, &self.old.name);
        let installed = Installed { name: &row.installed, bundle: self.old.bundle(row.installed.as_str()) };
        let after = catalog.packages[0].channel(row.channel.as_str());
        self.judge(row, &state.fate(&row.channel, installed), after) < row.rule.map(crate::RowRule::level)
    }

    fn judge(&self, row: &Row, new: &Fate, after: Option<&Channel>) -> Option<Level> {
        let before = self.old.channel(row.channel.as_str());
        let (installed, version) = (&row.installed, row.version.as_ref());
        let case = Case { installed, version, old: &row.old, new, before, after };
        verdict(&case).map(crate::RowRule::level)
    }
}
