//! What becomes of the Subscriptions of all namespaces, in a few words for each.

use super::blocked;
use super::course::Course;
use super::scenario::Scenario;
use super::subscriptions::is_cut_off;
use crate::Workbench;
use simulate::Timeline;
use views::{NamespaceRow, NamespacesView, SubscriptionStatus};

/// The most namespaces that are simulated.
const MOST: usize = 40;

/// How many Subscriptions have a fate: the condition, and the words for one and for several.
type Fate = (fn(&Found) -> bool, &'static str, &'static str);

const FATES: [Fate; 7] = [
    (|found| is_broken(found.row.status), "fails", "fail"),
    (|found| found.row.status == SubscriptionStatus::NotInstalled, "is not installed", "are not installed"),
    (|found| found.row.status == SubscriptionStatus::Behind, "stays below the head", "stay below the head"),
    (|found| is_moving(found) && found.approvals > 0, "waits for approval", "wait for approval"),
    (|found| is_moving(found) && found.approvals == 0, "is updated", "are updated"),
    (|found| found.row.status == SubscriptionStatus::AtHead, "is up to date", "are up to date"),
    (|found| found.row.status == SubscriptionStatus::Unknown, "is not known", "are not known"),
];

/// A Subscription, and how many approvals its updates need.
struct Found {
    row: NamespaceRow,
    approvals: usize,
}

impl Workbench {
    /// Simulates all namespaces in the default order of OLM's choices; none if there is only one, or more than are simulated.
    #[must_use]
    pub fn namespaces(&self) -> NamespacesView {
        let scenarios = self.scenario("").by_namespace();
        if !(2..=MOST).contains(&scenarios.len()) {
            return NamespacesView::default();
        }
        let found: Vec<Found> = scenarios.flat_map(|scenario| self.found(scenario)).collect();
        let counted = FATES.iter().filter_map(|(is, one, many)| match found.iter().filter(|found| is(found)).count() {
            0 => None,
            1 => Some(format!("1 {one}")),
            count => Some(format!("{count} {many}")),
        });
        NamespacesView {
            sentence: format!("{} Subscriptions: {}", found.len(), counted.collect::<Vec<_>>().join(", ")),
            rows: found.into_iter().map(|found| found.row).collect(),
        }
    }

    fn found(&self, mut scenario: Scenario) -> Vec<Found> {
        scenario.complete(self);
        let timeline = match scenario.is_unknown() {
            true => None,
            false => scenario.timelines(self, 1).timelines.into_iter().next(),
        };
        let is_served = blocked::blocked(self, &scenario).is_none();
        let of = |subscription: &simulate::Subscription| {
            let spec = &subscription.spec;
            let course = |timeline: &Timeline| {
                let course = Course::new(spec, scenario.cluster.installed(subscription), timeline);
                let status = course.status(timeline, is_served, is_cut_off(timeline));
                let approvals = course.approvals(timeline);
                (status, course.short(status, approvals), approvals)
            };
            let unknown = || (SubscriptionStatus::Unknown, format!("{}: no catalog", spec.name), 0);
            let (status, text, approvals) = timeline.as_ref().map_or_else(unknown, course);
            let namespace = subscription.namespace.to_string();
            Found { row: NamespaceRow { namespace, package: spec.package.to_string(), text, status }, approvals }
        };
        scenario.cluster.subscriptions.iter().map(of).collect()
    }
}

const fn is_broken(status: SubscriptionStatus) -> bool {
    matches!(status, SubscriptionStatus::Fails | SubscriptionStatus::Blocked | SubscriptionStatus::Loops)
}

const fn is_moving(found: &Found) -> bool {
    matches!(found.row.status, SubscriptionStatus::Installs | SubscriptionStatus::Updates)
}

#[cfg(test)]
mod tests {
    use crate::testing::workbench;

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
        assert_eq!(workbench(&[("c", CATALOG)]).with_cluster(&one).namespaces().rows, []);
        let all = one + &subscribed("b", "1.0.0", ", installPlanApproval: Manual") + &subscribed("d", "3.0.0", "");
        let view = workbench(&[("c", CATALOG)]).with_cluster(&all).namespaces();
        assert_eq!(view.sentence, "3 Subscriptions: 1 waits for approval, 1 is updated, 1 is up to date");
        let rows: Vec<_> = view.rows.iter().map(|row| (&*row.namespace, &*row.text)).collect();
        assert_eq!(rows, [("a", "p → 3.0.0"), ("b", "p → 3.0.0 after 2 approvals"), ("d", "p is up to date")]);
    }
}
