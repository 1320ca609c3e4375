//! The phases of CSVs, as far as they affect updates.
//!
//! Follows operator-lifecycle-manager `pkg/controller/operators/olm/operator.go`, `transitionCSVState`, and
//! `requirements.go`. The requirements of a CSV are met, unless its plan failed before it created all its objects.

use crate::operator_groups::{Fit, fail, fit};
use std::collections::{BTreeMap, BTreeSet};

use catalog::BundleName;

use super::{Controller, Event, EventKind, InstallResult, csv_event, phase};
use cluster::{Cluster, Csv, CsvPhase, GroupMismatch};

/// The next change of a CSV.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Transition {
    To(CsvPhase),
    /// The CSV does not fit the OperatorGroup.
    Fail(GroupMismatch, Box<str>),
    /// Something else keeps the CSV from running: the reason and the message of its status.
    Refuse(CsvPhase, &'static str, Box<str>),
    Delete {
        replaced_by: Option<BundleName>,
    },
}

/// The CSVs of the namespace, with the replaces relation.
pub(super) struct Csvs<'c> {
    by_name: BTreeMap<&'c BundleName, &'c Csv>,
    /// The CSV that replaces the one with the given name; of several the first by name.
    successors: BTreeMap<&'c BundleName, &'c Csv>,
    /// The CSVs whose requirements are not met.
    incomplete: &'c BTreeMap<BundleName, Box<str>>,
    fails_forward: bool,
    cluster: &'c Cluster,
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
        Self {
            by_name,
            successors,
            incomplete: &controller.incomplete,
            fails_forward: controller.fails_forward(),
            cluster: &controller.cluster,
        }
    }

    /// All CSVs, by name.
    pub(super) fn all(&self) -> impl Iterator<Item = &'c Csv> {
        self.by_name.values().copied()
    }

    /// The CSV whose `spec.replaces` names this one.
    pub(super) fn successor(&self, csv: &Csv) -> Option<&'c Csv> {
        self.successors.get(&csv.installed.name).copied()
    }

    /// The CSV that this one replaces, if it still exists.
    pub(super) fn predecessor(&self, csv: &Csv) -> Option<&'c Csv> {
        let replaced = csv.replaces.as_ref().filter(|replaced| **replaced != csv.installed.name)?;
        self.by_name.get(replaced).copied()
    }

    /// A CSV, its successor, the successor of that, and so on. Ends before a CSV repeats.
    pub(super) fn chain(&self, first: &'c Csv) -> Vec<&'c Csv> {
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

    /// Whether a CSV that is being replaced may go: the one that replaces it runs; with fail-forward, the last one of the chain.
    /// Only the oldest CSV of a chain goes, so that the chain does not break.
    fn is_replaced(&self, csv: &'c Csv) -> bool {
        let chain = self.chain(csv);
        let deciding = if self.fails_forward { chain.last() } else { chain.get(1) };
        let succeeded = deciding.is_some_and(|next| phase(next) == CsvPhase::Succeeded);
        self.predecessor(csv).is_none() && chain.len() > 1 && succeeded
    }

    /// Why a CSV in phase `Pending` stays there, or fails, in the order of OLM's checks.
    fn refusal(&self, csv: &'c Csv) -> Option<Transition> {
        let refuse = |phase, reason, message: String| Some(Transition::Refuse(phase, reason, message.into()));
        let old = self.predecessor(csv);
        let conditions = self.cluster.operator_conditions.iter().filter(|one| one.namespace == csv.namespace);
        let refusal =
            old.and_then(|old| conditions.into_iter().find(|one| one.csv == old.installed.name)?.refusal.as_deref());
        if let Some(refusal) = refusal {
            let message = format!("operator is not upgradeable: {refusal}");
            return refuse(CsvPhase::Pending, "OperatorConditionNotUpgradeable", message);
        }
        if csv.has_unknown_strategy {
            let message = "install strategy invalid: unrecognized install strategy".to_owned();
            return refuse(CsvPhase::Failed, "InvalidInstallStrategy", message);
        }
        let in_chain = self.whole_chain(csv);
        let owns_same = |other: &&Csv| !other.owned_crds.is_disjoint(&csv.owned_crds);
        if self.all().filter(|other| !in_chain.contains(&other.installed.name)).any(|other| owns_same(&other)) {
            return refuse(CsvPhase::Failed, "OwnerConflict", "conflicting CRD owner in namespace".to_owned());
        }
        None
    }

    /// The names of all CSVs that a CSV replaces, or that replace it, one after the other, with its own.
    fn whole_chain(&self, csv: &'c Csv) -> BTreeSet<&'c BundleName> {
        let mut names = BTreeSet::from([&csv.installed.name]);
        let mut oldest = csv;
        while let Some(older) = self.predecessor(oldest).filter(|older| names.insert(&older.installed.name)) {
            oldest = older;
        }
        names.extend(self.chain(csv).into_iter().map(|csv| &csv.installed.name));
        names
    }

    /// The next change of a CSV, if there is one.
    fn next_transition(
        &self,
        csv: &'c Csv,
        result: Option<InstallResult>,
        default_result: InstallResult,
    ) -> Option<Transition> {
        if csv.is_terminating {
            return Some(Transition::Delete { replaced_by: None });
        }
        match fit(self.cluster, csv) {
            Fit::Fails(reason, _) if csv.group_mismatch() == Some(reason) => return None,
            Fit::Fails(reason, message) => return Some(Transition::Fail(reason, message)),
            Fit::Fits if csv.group_mismatch().is_some() => return Some(Transition::To(CsvPhase::Pending)),
            Fit::Fits | Fit::NotKnown => {}
        }
        let is_replaced = self.successor(csv).is_some();
        let to = match phase(csv) {
            CsvPhase::None => CsvPhase::Pending,
            CsvPhase::Pending if self.incomplete.contains_key(&csv.installed.name) => return None,
            CsvPhase::Pending => match self.refusal(csv) {
                Some(Transition::Refuse(_, reason, _)) if csv.reason.as_deref() == Some(reason) => return None,
                Some(refusal) => return Some(refusal),
                None if self.is_predecessor_replaced(csv) => CsvPhase::InstallReady,
                None => return None,
            },
            CsvPhase::InstallReady => CsvPhase::Installing,
            CsvPhase::Installing => match result.unwrap_or(default_result) {
                InstallResult::Succeeds => CsvPhase::Succeeded,
                InstallResult::Fails => CsvPhase::Failed,
                InstallResult::Waits => return None,
            },
            CsvPhase::Succeeded if is_replaced => CsvPhase::Replacing,
            CsvPhase::Succeeded if result == Some(InstallResult::Fails) => CsvPhase::Failed,
            CsvPhase::Failed if is_replaced && self.fails_forward => CsvPhase::Replacing,
            CsvPhase::Failed if result == Some(InstallResult::Succeeds) => CsvPhase::Pending,
            CsvPhase::Replacing if self.is_replaced(csv) => CsvPhase::Deleting,
            CsvPhase::Deleting => {
                let replaced_by = self.successor(csv).map(|csv| csv.installed.name.clone());
                return Some(Transition::Delete { replaced_by });
            }
            CsvPhase::Replacing | CsvPhase::Succeeded | CsvPhase::Failed | CsvPhase::Unknown => return None,
        };
        Some(Transition::To(to))
    }

    /// Whether the CSV that this one replaces, if it exists, is being replaced, so that this one may be installed.
    fn is_predecessor_replaced(&self, csv: &Csv) -> bool {
        let predecessor = self.predecessor(csv);
        predecessor.is_none_or(|old| matches!(phase(old), CsvPhase::Replacing | CsvPhase::Deleting))
    }
}

impl Controller {
    /// Applies the next change of the first CSV, by name, that has one.
    pub(super) fn advance_csvs(&mut self) -> Option<Vec<Event>> {
        let (name, next) = self.transitions(1).pop()?;
        Some(self.apply(&name, next))
    }

    /// Applies changes of all CSVs until there are none, without events. Returns whether there were any.
    pub(super) fn settle_csvs(&mut self) -> bool {
        // A CSV passes through fewer phases than this.
        let bound = self.cluster.csvs.len().saturating_mul(16);
        for round in 0..bound {
            let transitions = self.transitions(usize::MAX);
            if transitions.is_empty() {
                return round > 0;
            }
            for (name, next) in transitions {
                self.apply(&name, next);
            }
        }
        bound > 0
    }

    /// The next changes of the first CSVs, by name, that have one; at most `max`.
    fn transitions(&self, max: usize) -> Vec<(BundleName, Transition)> {
        let csvs = Csvs::of(self);
        let transitions = csvs.all().filter_map(|csv| {
            let name = &csv.installed.name;
            Some((
                name.clone(),
                csvs.next_transition(csv, self.install_results.get(name).copied(), self.default_result)?,
            ))
        });
        transitions.take(max).collect()
    }

    fn apply(&mut self, name: &BundleName, next: Transition) -> Vec<Event> {
        self.stale = true;
        match next {
            Transition::To(to) => self.set_phase(name, to).into_iter().collect(),
            Transition::Fail(reason, message) => self.fail_csv(name, reason, message).into_iter().collect(),
            Transition::Refuse(to, reason, message) => {
                let event = self.set_phase(name, to);
                if let Some(csv) = self.csv_mut(name) {
                    (csv.reason, csv.message) = (Some(reason.into()), Some(message));
                }
                event.into_iter().collect()
            }
            Transition::Delete { replaced_by } => {
                self.remove_csv(name);
                vec![csv_event(name, EventKind::CsvDeleted { replaced_by })]
            }
        }
    }

    pub(super) fn remove_csv(&mut self, name: &BundleName) {
        let namespace = &self.namespace;
        self.cluster.csvs.retain(|csv| csv.namespace != *namespace || csv.installed.name != *name);
        self.install_results.remove(name);
        self.incomplete.remove(name);
    }

    fn csv_mut(&mut self, name: &BundleName) -> Option<&mut Csv> {
        let namespace = &self.namespace;
        let mut csvs = self.cluster.csvs.iter_mut();
        csvs.find(|csv| csv.namespace == *namespace && csv.installed.name == *name)
    }

    fn fail_csv(&mut self, name: &BundleName, reason: GroupMismatch, message: Box<str>) -> Option<Event> {
        fail(self.csv_mut(name)?, reason, message.clone());
        Some(csv_event(name, EventKind::CsvFailed { reason, message }))
    }

    fn set_phase(&mut self, name: &BundleName, to: CsvPhase) -> Option<Event> {
        let csv = self.csv_mut(name)?;
        let from = phase(csv);
        csv.phase = Some(to.as_str().into());
        (csv.reason, csv.message) = (None, None);
        Some(csv_event(name, EventKind::CsvPhase { from, to }))
    }
}
