//! The part of the inputs that a simulation needs, to be shared in a short link.

use super::run::{SimulationRun, begin_simulation};
use super::simulate;
use cluster::CatalogKey;
use resolver::{Fact, Problem, VarId};
use session::{SavedSession, Session, SessionCatalog, Workbench, package_scene};
use std::collections::{BTreeMap, BTreeSet};
use views::{CatalogId, PackageKey};

/// The packages of each catalog that the simulation of a namespace looks at, or the selected one where nothing is simulated;
/// without what a resolution does not read. `None` if the simulation would say something else with them alone.
#[must_use]
pub fn scene(
    workbench: &Workbench,
    namespace: &str,
    selected: Option<&PackageKey>,
) -> Option<Vec<SessionCatalog<'static>>> {
    let mut packages = looked_at(workbench, &mut begin_simulation(workbench, namespace));
    if packages.is_empty() {
        let PackageKey { catalog, package } = selected?;
        packages.insert(*catalog, BTreeSet::from([package.clone()]));
    }
    let needed = workbench.catalogs().iter().filter_map(|catalog| Some((catalog, packages.get(&catalog.id)?)));
    let catalogs: Vec<SessionCatalog<'static>> =
        needed.map(|(catalog, packages)| package_scene(catalog, packages)).collect::<Option<_>>()?;
    let mut session = Session::new();
    session.add_saved(SavedSession { catalogs: catalogs.clone(), ..SavedSession::default() }, false);
    session.workbench.set_cluster(workbench.cluster_manifests().0);
    (said(&session.workbench, namespace) == said(workbench, namespace)).then_some(catalogs)
}

/// The packages of the Subscriptions and of all candidates of their resolutions, by catalog.
fn looked_at(workbench: &Workbench, run: &mut SimulationRun) -> BTreeMap<CatalogId, BTreeSet<String>> {
    let mut packages: BTreeMap<CatalogId, BTreeSet<String>> = BTreeMap::new();
    let bound = run.bound_catalogs();
    for step in
        run.timelines(workbench).timelines.iter().flat_map(|timeline| timeline.steps.iter().chain(&timeline.idle))
    {
        let problem = &step.problem;
        for (key, package) in problem.facts().flat_map(|(_, fact)| bundles(fact)).filter_map(|id| of(problem, id)) {
            if let Some(id) = bound.get(key) {
                packages.entry(*id).or_default().insert(package.to_owned());
            }
        }
        for spec in problem.subscriptions() {
            let catalogs = workbench.catalogs().iter();
            for catalog in catalogs.filter(|catalog| catalog.analysis.catalog.package(spec.package.as_str()).is_some())
            {
                packages.entry(catalog.id).or_default().insert(spec.package.to_string());
            }
        }
    }
    packages
}

/// The bundles that a fact is about.
fn bundles(fact: &Fact) -> Vec<VarId> {
    match fact {
        Fact::Wants { alternatives, .. } => alternatives.to_vec(),
        Fact::Requires { bundle, alternatives, .. } => alternatives.iter().copied().chain([*bundle]).collect(),
        _ => Vec::new(),
    }
}

fn of(problem: &Problem, id: VarId) -> Option<(&CatalogKey, &str)> {
    Some((problem.catalog(id)?, problem.entry(id)?.package.as_str()))
}

/// What a simulation says of each Subscription, in each outcome.
fn said(workbench: &Workbench, namespace: &str) -> Vec<Vec<(String, String)>> {
    let outcomes = simulate(workbench, namespace).outcomes.into_iter();
    outcomes.map(|one| one.subscriptions.into_iter().map(|row| (row.name, row.verdict)).collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{form, with_form};
    use session::testing::workbench;
    use views::SubscriptionForm;

    #[test]
    fn a_scene_has_what_the_simulation_looks_at_and_nothing_else() {
        let catalog = "package app c\nchannel app c app.v1.0.0\nbundle app 1.0.0 requires cache >=1.0.0\npackage cache c\n\
                       channel cache c cache.v1.0.0\nbundle cache 1.0.0\npackage other c\nchannel other c other.v1.0.0\n\
                       bundle other 1.0.0";
        let row = SubscriptionForm { package: "app".to_owned(), ..SubscriptionForm::default() };
        let workbench = with_form(workbench(&[("c", catalog)]), &form(&[row]));
        let catalogs = scene(&workbench, "", None).unwrap();
        let text = &catalogs[0].files[0].1;
        assert_eq!((text.matches("olm.bundle").count(), text.contains("other")), (2, false), "{text}");
    }

    /// What is drawn of the examples is the same from a link.
    #[test]
    fn every_example_with_a_cluster_has_a_scene() {
        let mut without = Vec::new();
        for slug in session::examples().iter().flat_map(|theme| &theme.examples).map(|row| &row.slug) {
            let workbench = session::testing::example(slug);
            let has_outcome = !simulate(&workbench, "").outcomes.is_empty();
            if has_outcome && scene(&workbench, "", None).is_none() {
                without.push(slug.clone());
            }
        }
        // No catalog has the packages of the one, and `opm` cannot load that of the other.
        assert_eq!(without, ["two-unknown-packages", "two-broken-channels"]);
    }
}
