//! Selectors: what panels show, combined from several parts of the state. The meaning is computed by the worker.

use super::{Mode, Release, Simulation, State};
use opscope_drawing::SimulatedEntries;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use views::{
    CatalogId, NewBundleView, OutcomeView, Overview, PackageRow, Runtime, SelectedView, SubscriptionForm,
    SubscriptionView,
};

/// The packages as the list shows them: those of one name together, the worst names first, then by name and catalog.
/// Each with the rank of the worst package of its name.
#[must_use]
pub fn ranked_packages(overview: &Overview, runtime: Runtime) -> Vec<(u32, &PackageRow)> {
    let mut ranks: BTreeMap<&str, u32> = BTreeMap::new();
    for row in &overview.packages {
        let own = row.problem(runtime).rank;
        let rank = ranks.entry(&row.key.package).or_insert(own);
        *rank = own.min(*rank);
    }
    let mut rows: Vec<_> = overview.packages.iter().map(|row| (ranks[row.key.package.as_str()], row)).collect();
    rows.sort_by_key(|(rank, _)| *rank);
    rows
}

/// The number of findings of the selection as the worker lists them. `None` if nothing is selected.
#[must_use]
pub fn selected_findings(state: &State) -> Option<u32> {
    if let Some(catalog) = state.selection.whole {
        return state.catalog(catalog).map(|row| row.findings.total());
    }
    let row = state.overview.packages.iter().find(|row| Some(&row.key) == state.selection.package.as_ref())?;
    Some(row.listed)
}

/// The packages of a catalog with errors or warnings, the worst first.
#[must_use]
pub fn troubled_packages(overview: &Overview, catalog: CatalogId, runtime: Runtime) -> Vec<&PackageRow> {
    let is_troubled = |row: &&PackageRow| row.problem(runtime).rank < 4;
    let mut rows: Vec<_> =
        overview.packages.iter().filter(|row| row.key.catalog == catalog).filter(is_troubled).collect();
    rows.sort_by_key(|row| (row.problem(runtime).rank, Reverse((row.findings.errors, row.findings.warnings))));
    rows
}

/// The outcome that is shown.
#[must_use]
pub fn outcome(state: &State) -> Option<&OutcomeView> {
    state.simulation.shown_outcome()
}

/// How many plans complete: that which the cluster has already, once it is approved, and those of all steps before the
/// first one whose InstallPlan waits for an approval that was not given.
#[must_use]
pub fn completed_plans(outcome: &OutcomeView, approved: usize) -> usize {
    let pending = outcome.board.pending as usize;
    approved.checked_sub(pending).map_or(0, |approved| pending + completed_steps(outcome, approved))
}

fn completed_steps(outcome: &OutcomeView, approved: usize) -> usize {
    let waits = outcome.steps.iter().enumerate().filter(|(_, step)| step.waits_for_approval);
    let halt = waits.map(|(at, _)| at).nth(approved).unwrap_or(outcome.steps.len());
    outcome.steps[..halt].iter().take_while(|step| step.plan_created).count()
}

/// How many plans are completed at the point that is shown.
#[must_use]
pub fn shown_plan(simulation: &Simulation) -> usize {
    simulation.plan.min(last_plan(simulation))
}

/// How many steps are.
#[must_use]
pub fn shown_step(simulation: &Simulation) -> usize {
    let pending = simulation.shown_outcome().map_or(0, |outcome| outcome.board.pending as usize);
    shown_plan(simulation).saturating_sub(pending)
}

/// The largest value of [`shown_plan`].
pub(super) fn last_plan(simulation: &Simulation) -> usize {
    simulation.shown_outcome().map_or(0, |outcome| completed_plans(outcome, simulation.approved))
}

/// The bundle that is shown as a release: the package that it was added to is selected, and its catalog is edited.
#[must_use]
pub fn shown_release(state: &State) -> Option<(&NewBundleView, &Release)> {
    let new = state.new_bundle.as_ref()?;
    let release = new.release.as_ref()?;
    let key = state.selection.package.as_ref()?;
    let is_edited = || state.catalog(key.catalog).is_some_and(|row| row.files.iter().any(|file| file.edited));
    let is_selected = key.catalog == release.catalog && key.package == new.view.package;
    (is_selected && is_edited()).then_some((&*new.view, release))
}

/// The entries of the selected package that the simulation installs or finds installed.
#[must_use]
pub fn simulated_entries(state: &State) -> SimulatedEntries {
    let Some(key) = &state.selection.package else { return SimulatedEntries::default() };
    let catalog = state.catalog(key.catalog).map(|row| row.name.as_str()).unwrap_or_default();
    // A Subscription of the form need not name its catalog.
    let is_to_package = |package: &str, named: &str| package == key.package && (named.is_empty() || named == catalog);
    // Of manifests the worker knows what is installed: the page does not read them.
    let mut installed: BTreeSet<String> = match state.simulation.mode {
        Mode::Form if state.simulation.is_form_read => {
            let forms = state.simulation.cluster.subscriptions.iter();
            let forms = forms.filter(|form| is_to_package(&form.package, &form.catalog) && !form.installed.is_empty());
            // The worker knows the CSV of a version.
            let rows = || outcome(state).into_iter().flat_map(|outcome| &outcome.subscriptions);
            let csv = |form: &SubscriptionForm| {
                let known = rows().filter(|row| row.package == form.package).filter_map(|row| row.installed.as_ref());
                known.into_iter().find(|csv| csv.ends_with(&*form.installed)).unwrap_or(&form.installed).clone()
            };
            forms.map(csv).collect()
        }
        Mode::Form | Mode::Manifests => {
            let rows = outcome(state).into_iter().flat_map(|outcome| &outcome.subscriptions);
            rows.filter(|row| is_to_package(&row.package, &row.catalog))
                .filter_map(|row| row.installed.clone())
                .collect()
        }
    };
    let steps = outcome(state).map(|outcome| outcome.steps.as_slice()).unwrap_or_default();
    let rows = outcome(state).map(|outcome| outcome.subscriptions.as_slice()).unwrap_or_default();
    let (shown_step, before) = (shown_step(&state.simulation), installed.clone());
    let mut chosen = BTreeMap::new();
    for (step, number) in steps.iter().zip(1..) {
        let is_of_package = |row: &&SelectedView| row.csv.package == key.package && row.csv.catalog == catalog;
        for SelectedView { csv, replaces, .. } in step.selected.iter().filter(is_of_package) {
            chosen.insert((csv.channel.clone(), csv.name.clone()), number);
            if number as usize <= shown_step {
                // While an InstallPlan waits, the first step replaces what that installs, and not what is installed.
                let is_replaced = |row: &SubscriptionView| row.hops.first().map(|hop| &hop.csv) == replaces.as_ref();
                let until_now = rows.iter().filter(|row| is_replaced(row)).filter_map(|row| row.installed.as_ref());
                let until_now: Vec<&String> = until_now.chain(replaces).collect();
                installed.retain(|name| !until_now.contains(&name));
                installed.insert(csv.name.clone());
            }
        }
    }
    let replaced = before.difference(&installed).cloned().collect();
    SimulatedEntries { installed, replaced, chosen, step: shown_step as u32 }
}

/// The offset in UTF-16 units of a byte offset in a text.
#[must_use]
pub fn utf16_offset(text: &str, byte: u32) -> u32 {
    let at = text.floor_char_boundary((byte as usize).min(text.len()));
    u32::try_from(text[..at].encode_utf16().count()).unwrap_or(u32::MAX)
}
