//! What becomes of the Subscriptions of all namespaces, in a few words for each.

use super::blocked;
use super::course::Course;
use super::scenario::Scenario;
use super::subscriptions::is_cut_off;
use crate::simulation::namespace_state::namespace_states;
use crate::simulation::scenario;
use session::Workbench;
use simulate::Timeline;
use views::{NamespaceRow, NamespacesView, SubscriptionStatus, fates};

/// The most namespaces that are simulated.
const MOST: usize = 40;

/// All namespaces as they stand, and what becomes of their Subscriptions in the default order of OLM's choices; the latter not
/// if there is only one, or more than are simulated.
#[must_use]
pub fn namespaces(workbench: &Workbench) -> NamespacesView {
    let mut states = namespace_states(workbench);
    states.sort_by_key(|state| state.deciding().0.attention());
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
    let is_served = blocked::blocked(workbench, &scenario).is_none();
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

#[cfg(test)]
mod tests {
    use crate::namespaces;
    use session::testing::workbench;

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
        let view = namespaces(&workbench(&[("c", CATALOG)]).with_cluster(&all));
        assert_eq!(view.sentence, "3 Subscriptions: 1 waits for approval, 1 is updated, 1 is up to date");
        let rows: Vec<_> = view.rows.iter().map(|row| (&*row.namespace, &*row.text)).collect();
        assert_eq!(rows, [("b", "p → 3.0.0 after 2 approvals"), ("a", "p → 3.0.0"), ("d", "p is up to date")]);
    }
}
