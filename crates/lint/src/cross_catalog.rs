//! Runs the rules that need all loaded catalogs.

use crate::candidates::{Budget, Candidates, MetRequirement};
use crate::index::IndexedPackage;
use crate::input::Input;
use crate::requirements::{BundleRequirement, requirements};
use crate::rules::{
    dependency_cycle, deprecated_requirement, no_minimum_version, non_default_provider, prerelease_in_range,
    several_providers, split_requirement, unsatisfiable_requirement,
};
use source::{Diagnostic, Executor, Findings};

/// The findings of each catalog that depend on all loaded catalogs, in the order of the catalogs.
///
/// Several packages are perhaps looked at at once.
#[must_use]
pub fn check_across_catalogs(inputs: &[Input<'_>], executor: Executor) -> Vec<Vec<Diagnostic>> {
    let catalogs: Vec<Vec<IndexedPackage<'_>>> = inputs
        .iter()
        .map(|input| executor.map(&input.catalog.packages, |package| IndexedPackage::of(package)))
        .collect();
    let mut candidates = Candidates::of(&catalogs);
    candidates.is_incomplete |= inputs.iter().any(|input| input.catalog.is_partial);
    let stated: Vec<Vec<BundleRequirement<'_>>> =
        catalogs.iter().map(|packages| executor.map(packages, requirements).into_iter().flatten().collect()).collect();
    let mut budget = Budget::default();
    let mut met: Vec<Vec<MetRequirement<'_, '_>>> = Vec::new();
    for stated in &stated {
        let of_catalog = stated.iter().filter_map(|stated| {
            let requirement = stated.requirement.as_ref().ok()?;
            let candidates = candidates.meeting(requirement, &mut budget)?;
            Some(MetRequirement { stated, requirement, candidates })
        });
        met.push(of_catalog.collect());
    }
    let mut findings: Vec<Findings> = Vec::new();
    for (catalog, (input, met)) in inputs.iter().zip(&met).enumerate() {
        let mut own = Findings::default();
        for met in met {
            unsatisfiable_requirement::check(*input, met, &candidates, &mut own);
            non_default_provider::check(met, &candidates, &mut own);
            deprecated_requirement::check(met, &candidates, &mut own);
            no_minimum_version::check(met, &candidates, &mut own);
            split_requirement::check(met, &candidates, &mut own);
            prerelease_in_range::check(*input, met, &candidates, &mut own);
        }
        several_providers::check(catalog, &candidates, &mut own);
        findings.push(own);
    }
    dependency_cycle::check(&met, &candidates, &mut findings);
    findings.into_iter().map(Findings::into_diagnostics).collect()
}
