//! Namespaces that OLM does not resolve, because a catalog is rejected by `opm` and so not served, or a CatalogSource does
//! not answer.

use super::scenario::Scenario;
use cluster::{CatalogKey, CatalogSource, Kind};
use resolver::{Problem, Unresolvable};
use session::{CatalogInput, Workbench};
use views::{BlockedView, UnservedView};

/// The catalogs of the namespace that are not served; `None` when all are.
pub(super) fn blocked(workbench: &Workbench, scenario: &Scenario) -> Option<BlockedView> {
    let is_rejected =
        |key: &CatalogKey| scenario.stands_for(workbench, key).is_some_and(|catalog| !catalog.is_accepted());
    let mut cluster = scenario.cluster.clone();
    let keys = cluster.catalog_sources.iter().map(|source| &source.key);
    cluster.not_served = keys.filter(|key| is_rejected(key)).cloned().collect();
    for key in scenario.unreachable.keys() {
        // CatalogSources without a loaded catalog were removed from the cluster.
        if cluster.catalog_sources.iter().all(|source| source.key != *key) {
            cluster.catalog_sources.push(CatalogSource::new(key.clone(), 0));
        }
        cluster.not_served.insert(key.clone());
    }
    let view = |key| match scenario.unreachable.get(key) {
        Some(state) => Some(unreachable(scenario, key, state)),
        None => Some(unserved(key, scenario.stands_for(workbench, key)?)),
    };
    let sources: Vec<UnservedView> = cluster.blocking(&scenario.namespace).filter_map(view).collect();
    if sources.is_empty() {
        return None;
    }
    let problem = Problem::new(simulate::namespace_of(&cluster, &scenario.namespace, &scenario.snapshots));
    let message = match problem.unresolvable() {
        Some(Unresolvable::Prevented(prevented)) => prevented.to_string(),
        _ => String::new(),
    };
    Some(BlockedView { sources, message })
}

fn unreachable(scenario: &Scenario, key: &CatalogKey, state: &str) -> UnservedView {
    UnservedView {
        name: key.name.to_string(),
        namespace: key.namespace.to_string(),
        state: state.to_owned(),
        errors: 0,
        message: String::new(),
        opm: String::new(),
        place: scenario.text.object(Kind::CatalogSource, &key.namespace, &key.name),
    }
}

fn unserved(key: &CatalogKey, catalog: &CatalogInput) -> UnservedView {
    let errors = catalog.analysis.roots(|found| found.diagnostic.opm.is_some()).len();
    let first = catalog.rejection();
    UnservedView {
        name: key.name.to_string(),
        namespace: key.namespace.to_string(),
        state: String::new(),
        errors: errors as u32,
        message: first.map(|found| found.message.clone()).unwrap_or_default(),
        opm: first.and_then(|found| found.opm.clone()).unwrap_or_default(),
        place: first.map(|found| catalog.place(found.span)),
    }
}

#[cfg(test)]
mod tests {
    use crate::simulate;
    use crate::testing::{form, with_form};
    use session::testing::workbench;
    use views::SubscriptionForm;

    #[test]
    fn a_rejected_catalog_blocks_and_is_simulated_anyway() {
        let good = "package p c\nchannel p c p.v1.0.0\nbundle p 1.0.0";
        let bad = "package q c\nchannel q c q.v1.0.0";
        let spec = SubscriptionForm { package: "p".to_owned(), ..SubscriptionForm::default() };
        let view = simulate(&with_form(workbench(&[("good", good), ("bad", bad)]), &form(&[spec])), "");
        let blocked = view.blocked.unwrap();
        let names: Vec<_> = blocked.sources.iter().map(|source| (source.name.as_str(), source.errors)).collect();
        assert_eq!(names, [("bad", 1)]);
        assert!(blocked.message.contains("olm/bad"), "{}", blocked.message);
        let row = &view.outcomes[0].subscriptions[0];
        let verdict = "is not resolved, because a catalog is not served; otherwise it installs p.v1.0.0";
        assert_eq!((row.short.as_str(), row.verdict.as_str()), ("p blocked", verdict));
    }

    /// `opm` reads all files before it validates any of them.
    #[test]
    fn the_error_that_opm_stops_at_is_shown() {
        let text = "schema: olm.package\nname: p\ndefaultChannel: nowhere\n---\nschema: olm.channel\npackage: p\nname: c\nentries: []\n";
        let first_error = |text: String| {
            let mut workbench = session::Workbench::new();
            let file = session::NewText { path: "c.yaml".to_owned(), content: Ok(text.into_bytes()) };
            workbench.add_catalog("bad", vec![file], &mut |_| {});
            let spec = SubscriptionForm { package: "p".to_owned(), ..SubscriptionForm::default() };
            let source = simulate(&with_form(workbench, &form(&[spec])), "").blocked.unwrap().sources.remove(0);
            (source.message, source.opm, source.place.map(|place| place.line), source.errors)
        };
        let channel = "channel must contain at least one bundle".to_owned();
        let default = "default channel `nowhere` of package `p` does not exist".to_owned();
        assert_eq!(first_error(text.to_owned()), (default, channel, Some(3), 2));
        let (_, opm, line, errors) = first_error(format!("{text}---\nschema: olm.channel\n  name: d\n"));
        let broken = "error converting YAML to JSON: yaml: line 2: mapping values are not allowed in this context";
        assert_eq!((opm.as_str(), line, errors), (broken, Some(11), 3));
    }

    #[test]
    fn a_catalog_source_that_does_not_answer_blocks_whether_it_is_loaded_or_not() {
        let good = "package p c\nchannel p c p.v1.0.0\nbundle p 1.0.0";
        let source = |name: &str, state: &str| {
            format!(
                "kind: CatalogSource\nmetadata: {{name: {name}, namespace: olm}}\nstatus: {{connectionState: {{lastObservedState: {state}}}}}\n---\n"
            )
        };
        let spec = "kind: Subscription\nmetadata: {name: s, namespace: ns}\nspec: {name: p, source: good, sourceNamespace: olm}\n";
        let simulate = |state: &str| {
            let text = source("good", "READY") + &source("other", state) + spec;
            simulate(&workbench(&[("good", good)]).with_cluster(&text), "")
        };
        let blocked = simulate("TRANSIENT_FAILURE").blocked.unwrap();
        let sources: Vec<_> = blocked.sources.iter().map(|source| (&*source.name, &*source.state)).collect();
        assert_eq!(sources, [("other", "TRANSIENT_FAILURE")]);
        assert_eq!(blocked.sources[0].place.map(|place| place.line), Some(5));
        assert!(blocked.message.contains("olm/other"), "{}", blocked.message);
        assert_eq!(simulate("CONNECTING").blocked, None, "it may answer in a moment");
    }

    #[test]
    fn a_healthy_catalog_blocks_nothing() {
        let good = "package p c\nchannel p c p.v1.0.0\nbundle p 1.0.0";
        let spec = SubscriptionForm { package: "p".to_owned(), ..SubscriptionForm::default() };
        assert_eq!(simulate(&with_form(workbench(&[("good", good)]), &form(&[spec])), "").blocked, None);
    }
}
