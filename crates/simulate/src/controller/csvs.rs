//! The phases of CSVs, as far as they matter to upgrades.
//!
//! Follows operator-lifecycle-manager `pkg/controller/operators/olm/operator.go`, `transitionCSVState`. What a CSV requires
//! is taken to be there.

use std::collections::{BTreeMap, BTreeSet};

use catalog::BundleName;

use super::{Controller, Event, EventKind, InstallResult, csv_event, phase};
use crate::cluster::Csv;
use crate::status::CsvPhase;

/// What a CSV does next.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Move {
    To(CsvPhase),
    /// It and those after it that were replaced as well are marked for deletion.
    MakeWay(Vec<BundleName>),
    Vanish {
        replaced_by: Option<BundleName>,
    },
}

/// The CSVs of the namespace, and which replaces which.
pub(super) struct Csvs<'c> {
    by_name: BTreeMap<&'c BundleName, &'c Csv>,
    /// By the name of the CSV that is replaced: of several that replace it the first by name.
    successors: BTreeMap<&'c BundleName, &'c Csv>,
    fails_forward: bool,
}

impl<'c> Csvs<'c> {
    pub(super) fn of(controller: &'c Controller) -> Self {
        let here = controller.cluster.csvs.iter().filter(|csv| csv.namespace == controller.namespace);
        let by_name: BTreeMap<_, _> = here.map(|csv| (&csv.installed.name, csv)).collect();
        let mut successors = BTreeMap::new();
        for (name, csv) in &by_name {
            if let Some(replaced) = csv.replaces.as_ref().filter(|replaced| replaced != name) {
                successors.entry(replaced).or_insert(*csv);
            }
        }
        Self { by_name, successors, fails_forward: controller.fails_forward() }
    }

    /// By name.
    pub(super) fn all(&self) -> impl Iterator<Item = &'c Csv> {
        self.by_name.values().copied()
    }

    /// The CSV whose `spec.replaces` names this one.
    pub(super) fn successor(&self, csv: &Csv) -> Option<&'c Csv> {
        self.successors.get(&csv.installed.name).copied()
    }

    /// The CSV that this one replaces, if it is still there.
    pub(super) fn predecessor(&self, csv: &Csv) -> Option<&'c Csv> {
        let replaced = csv.replaces.as_ref().filter(|replaced| **replaced != csv.installed.name)?;
        self.by_name.get(replaced).copied()
    }

    /// The CSV, the one that replaces it, and so on; each once.
    fn chain(&self, first: &'c Csv) -> Vec<&'c Csv> {
        let mut seen = BTreeSet::from([&first.installed.name]);
        let mut chain = vec![first];
        while let Some(next) = chain.last().and_then(|last| self.successor(last)) {
            if !seen.insert(&next.installed.name) {
                break;
            }
            chain.push(next);
        }
        chain
    }

    /// The CSVs to delete once the oldest of a chain, which this has to be so that the chain does not break, is replaced:
    /// all up to the next that succeeded, with fail-forward up to the last if that did.
    fn replaced_for_good(&self, csv: &'c Csv) -> Option<Vec<BundleName>> {
        if self.predecessor(csv).is_some() {
            return None;
        }
        let chain = self.chain(csv);
        let succeeded = |csv: &&Csv| phase(csv) == CsvPhase::Succeeded;
        let heir = match self.fails_forward {
            true => chain.len().checked_sub(1).filter(|&last| succeeded(&chain[last])),
            false => chain.iter().skip(1).position(succeeded).map(|at| at + 1),
        };
        Some(chain[..heir?].iter().map(|csv| csv.installed.name.clone()).collect())
    }

    /// What a CSV does next.
    fn next_move(&self, csv: &'c Csv, result: Option<InstallResult>, default_result: InstallResult) -> Option<Move> {
        let succeeded_by = self.successor(csv).is_some();
        let to = match phase(csv) {
            CsvPhase::None => CsvPhase::Pending,
            CsvPhase::Pending if self.predecessor_makes_way(csv) => CsvPhase::InstallReady,
            CsvPhase::InstallReady => CsvPhase::Installing,
            CsvPhase::Installing => match result.unwrap_or(default_result) {
                InstallResult::Succeeds => CsvPhase::Succeeded,
                InstallResult::Fails => CsvPhase::Failed,
                InstallResult::Waits => return None,
            },
            CsvPhase::Succeeded if succeeded_by => CsvPhase::Replacing,
            CsvPhase::Succeeded if result == Some(InstallResult::Fails) => CsvPhase::Failed,
            CsvPhase::Failed if succeeded_by && self.fails_forward => CsvPhase::Replacing,
            CsvPhase::Failed if result == Some(InstallResult::Succeeds) => CsvPhase::Pending,
            CsvPhase::Replacing => return self.replaced_for_good(csv).map(Move::MakeWay),
            CsvPhase::Deleting => {
                let replaced_by = self.successor(csv).map(|csv| csv.installed.name.clone());
                return Some(Move::Vanish { replaced_by });
            }
            CsvPhase::Pending | CsvPhase::Succeeded | CsvPhase::Failed | CsvPhase::Unknown => return None,
        };
        Some(Move::To(to))
    }

    /// Whether the CSV that this one replaces is out of the way, as far as being installed goes.
    fn predecessor_makes_way(&self, csv: &Csv) -> bool {
        let predecessor = self.predecessor(csv);
        predecessor.is_none_or(|old| matches!(phase(old), CsvPhase::Replacing | CsvPhase::Deleting))
    }
}

impl Controller {
    /// Makes the first CSV by name that can move do so, if there is one.
    pub(super) fn advance_csvs(&mut self) -> Option<Vec<Event>> {
        let (name, next) = self.moves(1).pop()?;
        Some(self.make(&name, next))
    }

    /// Makes all CSVs move until none can; whether any could. Tells nothing, so that all that can move do so at once.
    pub(super) fn settle_csvs(&mut self) -> bool {
        // Each passes through fewer phases than this.
        let bound = self.cluster.csvs.len().saturating_mul(16);
        for round in 0..bound {
            let moves = self.moves(usize::MAX);
            if moves.is_empty() {
                return round > 0;
            }
            for (name, next) in moves {
                self.make(&name, next);
            }
        }
        bound > 0
    }

    /// What the first CSVs by name that can move do next, at most `most` of them.
    fn moves(&self, most: usize) -> Vec<(BundleName, Move)> {
        let csvs = Csvs::of(self);
        let moves = csvs.all().filter_map(|csv| {
            let name = &csv.installed.name;
            Some((name.clone(), csvs.next_move(csv, self.install_results.get(name).copied(), self.default_result)?))
        });
        moves.take(most).collect()
    }

    fn make(&mut self, name: &BundleName, next: Move) -> Vec<Event> {
        self.stale = true;
        match next {
            Move::To(to) => self.set_phase(name, to).into_iter().collect(),
            Move::MakeWay(marked) => {
                marked.iter().filter_map(|name| self.set_phase(name, CsvPhase::Deleting)).collect()
            }
            Move::Vanish { replaced_by } => {
                self.remove_csv(name);
                vec![csv_event(name, EventKind::CsvDeleted { replaced_by })]
            }
        }
    }

    pub(super) fn remove_csv(&mut self, name: &BundleName) {
        let namespace = &self.namespace;
        self.cluster.csvs.retain(|csv| csv.namespace != *namespace || csv.installed.name != *name);
        self.install_results.remove(name);
    }

    fn set_phase(&mut self, name: &BundleName, to: CsvPhase) -> Option<Event> {
        let namespace = &self.namespace;
        let mut csvs = self.cluster.csvs.iter_mut();
        let csv = csvs.find(|csv| csv.namespace == *namespace && csv.installed.name == *name)?;
        let from = phase(csv);
        csv.phase = Some(to.as_str().into());
        Some(csv_event(name, EventKind::CsvPhase { from, to }))
    }
}
