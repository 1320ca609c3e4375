//! Findings that need all loaded catalogs.

use crate::demand::{Demand, demands};
use crate::input::Input;
use crate::operator::Operator;
use crate::rules::{
    dependency_cycle, deprecated_requirement, no_minimum_version, non_default_provider, prerelease_in_range,
    several_providers, split_requirement, unsatisfiable_requirement,
};
use crate::supply::{Budget, Supply};
use predicate::Requirement;
use source::{Diagnostic, Findings};

/// A requirement and the offers that meet it.
pub(crate) struct Met<'d, 'c> {
    pub(crate) demand: &'d Demand<'c>,
    pub(crate) requirement: &'d Requirement,
    /// Positions in the supply.
    pub(crate) offers: Vec<usize>,
}

/// The findings of each catalog that depend on what all of them offer, in the order of the catalogs.
#[must_use]
pub fn check_together(inputs: &[Input<'_>]) -> Vec<Vec<Diagnostic>> {
    let packages = inputs.iter().map(|input| &input.catalog.packages);
    let catalogs: Vec<Vec<Operator<'_>>> = packages.map(|of| of.iter().map(Operator::of).collect()).collect();
    let supply = Supply::of(&catalogs);
    let wanted: Vec<Vec<Demand<'_>>> =
        catalogs.iter().map(|operators| operators.iter().flat_map(demands).collect()).collect();
    let mut budget = Budget::default();
    let mut needs: Vec<Vec<Met<'_, '_>>> = Vec::new();
    for demands in &wanted {
        let met = demands.iter().filter_map(|demand| {
            let requirement = demand.requirement.as_ref().ok()?;
            Some(Met { demand, requirement, offers: supply.meeting(requirement, &mut budget)? })
        });
        needs.push(met.collect());
    }
    let mut found: Vec<Findings> = Vec::new();
    for (catalog, (input, needs)) in inputs.iter().zip(&needs).enumerate() {
        let mut here = Findings::default();
        for met in needs {
            unsatisfiable_requirement::check(*input, met, &supply, &mut here);
            non_default_provider::check(met, &supply, &mut here);
            deprecated_requirement::check(met, &supply, &mut here);
            no_minimum_version::check(met, &supply, &mut here);
            split_requirement::check(met, &supply, &mut here);
            prerelease_in_range::check(*input, met, &supply, &mut here);
        }
        several_providers::check(catalog, &supply, &mut here);
        found.push(here);
    }
    dependency_cycle::check(&needs, &supply, &mut found);
    found.into_iter().map(Findings::into_diagnostics).collect()
}
