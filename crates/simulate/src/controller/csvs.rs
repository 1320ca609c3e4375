//! The phases of CSVs, as far as they matter to upgrades.
//!
//! Follows operator-lifecycle-manager `pkg/controller/operators/olm/operator.go`, `transitionCSVState`. What a CSV requires
//! is taken to be there.

use catalog::BundleName;

use super::{Controller, Event, Fate, What, csv_event, phase};
use crate::cluster::Csv;
use crate::status::CsvPhase;

/// What a CSV does next.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Move {
    To(CsvPhase),
    /// It and those between it and this one, which has taken over, are marked for deletion.
    MakeWay(BundleName),
    Vanish,
}

impl Controller {
    /// Makes the first CSV by name that can move do so, if there is one.
    pub(super) fn advance_csvs(&mut self) -> Option<Vec<Event>> {
        let mut names: Vec<&BundleName> = self.csvs().map(|csv| &csv.installed.name).collect();
        names.sort();
        let (name, next) = names.into_iter().find_map(|name| Some((name.clone(), self.next_move(self.csv(name)?)?)))?;
        self.stale = true;
        Some(match next {
            Move::To(to) => self.set_phase(&name, to).into_iter().collect(),
            Move::MakeWay(heir) => {
                let between = self.chain(&name).into_iter().take_while(|other| *other != heir);
                let marked: Vec<BundleName> = between.collect();
                marked.iter().filter_map(|name| self.set_phase(name, CsvPhase::Deleting)).collect()
            }
            Move::Vanish => {
                let replaced_by = self.successor(&name).map(|csv| csv.installed.name.clone());
                self.remove_csv(&name);
                vec![csv_event(&name, What::CsvDeleted { replaced_by })]
            }
        })
    }

    fn next_move(&self, csv: &Csv) -> Option<Move> {
        let name = &csv.installed.name;
        let fate = self.fates.get(name).copied();
        let succeeded_by = self.successor(name).is_some();
        let to = match phase(csv) {
            CsvPhase::None => CsvPhase::Pending,
            CsvPhase::Pending if self.predecessor_makes_way(csv) => CsvPhase::InstallReady,
            CsvPhase::InstallReady => CsvPhase::Installing,
            CsvPhase::Installing => match fate.unwrap_or(self.default_fate) {
                Fate::Succeeds => CsvPhase::Succeeded,
                Fate::Fails => CsvPhase::Failed,
                Fate::Waits => return None,
            },
            CsvPhase::Succeeded if succeeded_by => CsvPhase::Replacing,
            CsvPhase::Succeeded if fate == Some(Fate::Fails) => CsvPhase::Failed,
            CsvPhase::Failed if succeeded_by && self.fails_forward() => CsvPhase::Replacing,
            CsvPhase::Failed if fate == Some(Fate::Succeeds) => CsvPhase::Pending,
            CsvPhase::Replacing => return self.heir(csv).map(Move::MakeWay),
            CsvPhase::Deleting => return Some(Move::Vanish),
            CsvPhase::Pending | CsvPhase::Succeeded | CsvPhase::Failed | CsvPhase::Unknown => return None,
        };
        Some(Move::To(to))
    }

    /// Whether the CSV that this one replaces is out of the way, as far as being installed goes.
    fn predecessor_makes_way(&self, csv: &Csv) -> bool {
        let predecessor = self.predecessor(csv);
        predecessor.is_none_or(|old| matches!(phase(old), CsvPhase::Replacing | CsvPhase::Deleting))
    }

    /// The CSV that has taken over from this one and all between them: the next that succeeded, with fail-forward the
    /// last of the chain if it did. Only the oldest of a chain asks, so that the chain does not break.
    fn heir(&self, csv: &Csv) -> Option<BundleName> {
        if self.predecessor(csv).is_some() {
            return None;
        }
        let chain = self.chain(&csv.installed.name);
        let succeeded = |name: &&BundleName| self.csv(name).is_some_and(|csv| phase(csv) == CsvPhase::Succeeded);
        match self.fails_forward() {
            true => chain.last().filter(succeeded).cloned(),
            false => chain.iter().skip(1).find(succeeded).cloned(),
        }
    }

    /// The CSV, the one that replaces it, and so on; each once.
    fn chain(&self, first: &BundleName) -> Vec<BundleName> {
        let mut chain = vec![first.clone()];
        while let Some(next) = chain.last().and_then(|last| self.successor(last)) {
            if chain.contains(&next.installed.name) {
                break;
            }
            chain.push(next.installed.name.clone());
        }
        chain
    }

    /// The CSV whose `spec.replaces` names this one; of several the first by name.
    pub(super) fn successor(&self, name: &BundleName) -> Option<&Csv> {
        let replacing = self.csvs().filter(|csv| csv.replaces.as_ref() == Some(name) && csv.installed.name != *name);
        replacing.min_by(|a, b| a.installed.name.cmp(&b.installed.name))
    }

    /// The CSV that this one replaces, if it is still there.
    pub(super) fn predecessor(&self, csv: &Csv) -> Option<&Csv> {
        let replaced = csv.replaces.as_ref().filter(|replaced| **replaced != csv.installed.name)?;
        self.csv(replaced)
    }

    pub(super) fn csvs(&self) -> impl Iterator<Item = &Csv> {
        self.cluster.csvs.iter().filter(|csv| csv.namespace == self.namespace)
    }

    pub(super) fn remove_csv(&mut self, name: &BundleName) {
        let namespace = &self.namespace;
        self.cluster.csvs.retain(|csv| csv.namespace != *namespace || csv.installed.name != *name);
        self.fates.remove(name);
    }

    fn set_phase(&mut self, name: &BundleName, to: CsvPhase) -> Option<Event> {
        let namespace = &self.namespace;
        let mut csvs = self.cluster.csvs.iter_mut();
        let csv = csvs.find(|csv| csv.namespace == *namespace && csv.installed.name == *name)?;
        let from = phase(csv);
        csv.phase = Some(to.as_str().into());
        Some(csv_event(name, What::CsvPhase { from, to }))
    }
}
