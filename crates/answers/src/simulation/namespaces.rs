//! What becomes of the Subscriptions of all namespaces, in a few words for each.

use super::scenario::Scenario;
use super::subscriptions::{Course, is_cut_off};
use crate::simulation::namespace_state::namespace_states;
use crate::simulation::scenario;
use cluster::{CatalogKey, CatalogSource, Kind};
use resolver::{Problem, Unresolvable};
use session::{CatalogInput, Workbench};
use simulate::Timeline;
use views::{BlockedView, NamespaceRow, NamespacesView, SubscriptionStatus, UnservedView, fates};

/// The most namespaces that are simulated.
const MOST: usize = 40;

/// All namespaces as they stand, and what becomes of their Subscriptions in the default order of OLM's choices; the latter not
/// if there is only one, or more than are simulated.
#[must_use]
pub fn namespaces(workbench: &Workbench) -> NamespacesView {
    let mut states = namespace_states(workbench);
    states.sort_by_key(|state| state.now.verdict.attention());
    let scenarios = scenario(workbench, "").by_namespace();
    if !(2..=MOST).contains(&scenarios.len()) {
        return NamespacesView { states, ..NamespacesView::default() };
    }
    let mut rows: Vec<NamespaceRow> = scenarios.flat_map(|scenario| namespace_rows(workbench, scenario)).collect();
    rows.sort_by_key(|row| row.status.attention());
    let statuses: Vec<SubscriptionStatus> = rows.iter().map(|row| row.status).collect();
    let fates: Vec<String> = fates(&statuses).iter().map(|(count, fate)| format!("{count} {fate}")).collect();
    let sentence = format!("{} Subscriptions: {}", rows.len(), fates.join(", "));
    NamespacesView { sentence, rows, states }
}

fn namespace_rows(workbench: &Workbench, mut scenario: Scenario) -> Vec<NamespaceRow> {
    scenario.skip_current_state(workbench);
    scenario.complete(workbench);
    let timeline = match scenario.is_unknown() {
        true => None,
        false => scenario.timelines(workbench, 1).timelines.into_iter().next(),
    };
    let is_served = blocked(workbench, &scenario).is_none();
    let of = |subscription: &cluster::Subscription| {
        let spec = &subscription.spec;
        let course = |timeline: &Timeline| {
            let course = Course::new(&scenario, subscription, timeline);
            let status = course.status(timeline, is_served, is_cut_off(timeline));
            let stands = scenario.deciding_status(subscription, status);
            stands.unwrap_or_else(|| (status, course.short(status, course.approvals(timeline))))
        };
        let unknown = || {
            let stands = scenario.deciding_status(subscription, SubscriptionStatus::Unknown);
            stands.unwrap_or_else(|| (SubscriptionStatus::Unknown, format!("{}: no catalog", spec.name)))
        };
        let (status, text) = timeline.as_ref().map_or_else(unknown, course);
        let namespace = subscription.namespace.to_string();
        NamespaceRow { namespace, package: spec.package.to_string(), text, status }
    };
    scenario.cluster.subscriptions.iter().map(of).collect()
}

// Namespaces that OLM does not resolve, because a catalog is rejected by `opm` and so not served, or a CatalogSource
// does not answer.

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
    use crate::testing::{form, with_form};
    use crate::{namespaces, simulate};
    use session::testing::workbench;
    use views::SubscriptionForm;

    const CATALOG: &str = "package p c\nchannel p c p.v3.0.0>p.v2.0.0 p.v2.0.0>p.v1.0.0 p.v1.0.0\n\
                           bundle p 1.0.0\nbundle p 2.0.0\nbundle p 3.0.0";

    /// Manifests of a Subscription with an installed version.
    fn subscribed(namespace: &str, version: &str, more: &str) -> String {
        format!(
            "---\nkind: Subscription\nmetadata: {{name: p, namespace: {namespace}}}\n\
             spec: {{name: p, channel: c, source: c, sourceNamespace: olm{more}}}\n\
             status: {{installedCSV: p.v{version}, currentCSV: p.v{version}}}\n\
             ---\nkind: ClusterServiceVersion\nmetadata: {{name: p.v{version}, namespace: {namespace}}}\n\
             spec: {{version: {version}}}\nstatus: {{phase: Succeeded}}\n"
        )
    }

    #[test]
    fn the_subscriptions_of_all_namespaces_are_in_one_sentence() {
        let one = subscribed("a", "1.0.0", "");
        assert_eq!(namespaces(&workbench(&[("c", CATALOG)]).with_cluster(&one)).rows, []);
        let all = one + &subscribed("b", "1.0.0", ", installPlanApproval: Manual") + &subscribed("d", "3.0.0", "");
        let new = "---\nkind: Subscription\nmetadata: {name: p, namespace: e}\n\
                   spec: {name: p, channel: c, source: c, sourceNamespace: olm, startingCSV: p.v1.0.0}\n";
        let view = namespaces(&workbench(&[("c", CATALOG)]).with_cluster(&(all + new)));
        assert_eq!(
            view.sentence,
            "4 Subscriptions: 1 waits for approval, 1 is installed, 1 is updated, 1 is up to date"
        );
        let rows: Vec<_> = view.rows.iter().map(|row| (&*row.namespace, &*row.text)).collect();
        let up = "p → 3.0.0";
        assert_eq!(rows, [("b", "p → 3.0.0 after 2 approvals"), ("e", up), ("a", up), ("d", "p is up to date")]);
    }

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
