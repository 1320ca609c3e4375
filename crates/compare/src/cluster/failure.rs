//! Why OLM cannot resolve a namespace, and which object is the cause.

use catalog::predicate::PackageName;
use catalog::{BundleName, ChannelName};
use cluster::CatalogKey;
use resolver::{Obstacle, Outcome, Problem, VarId, conflicts};
use simulate::Step;
use std::sync::Arc;

/// A resolution that fails. It freezes all Subscriptions of its namespace, also those that it is not about
/// (operator-lifecycle-manager `pkg/controller/operators/catalog/operator.go`, `syncResolvingNamespace`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// OLM's message in the condition `ResolutionFailed` of every Subscription of the namespace.
    pub error: Box<str>,
    /// What the failure is about, without repetition. OLM's message is about the first conflict alone; the causes are those
    /// of all independent conflicts that were found. Empty if no object that Opscope reads is the cause.
    pub causes: Vec<Cause>,
}

/// An object that a failure is about.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cause {
    Subscription(Arc<str>),
    /// An installed CSV without a Subscription.
    Csv(BundleName),
    /// A CatalogSource that the namespace sees and that does not answer.
    Catalog(CatalogKey),
    /// The installed CSVs, which OLM cannot read.
    InstalledCsvs,
    /// A channel that OLM cannot order.
    Channel(PackageName, ChannelName),
    /// A bundle with a requirement that OLM cannot read.
    Bundle(BundleName),
}

impl Failure {
    /// The failure of a step, if it failed and it is known that OLM fails too.
    pub(super) fn of(step: &Step) -> Option<Self> {
        let error = step.error.as_deref()?;
        let mut causes = match &step.outcome {
            Outcome::GaveUp(_) => return None,
            Outcome::Unsolvable(_) => of_conflicts(step),
            Outcome::Prevented(prevented) => prevented.errors.iter().filter_map(of_obstacle).collect(),
            // OLM stopped before it resolved anything.
            Outcome::Resolved(_) => Vec::new(),
        };
        causes.sort();
        causes.dedup();
        Some(Self { error: error.into(), causes })
    }

    /// Whether the failure is about this Subscription of the namespace.
    #[must_use]
    pub fn is_caused_by(&self, subscription: &cluster::SubscriptionSpec) -> bool {
        self.causes.iter().any(|cause| match cause {
            Cause::Subscription(name) => *name == subscription.name,
            Cause::Catalog(key) => subscription.catalog.as_ref() == Some(key),
            Cause::Channel(package, channel) => {
                subscription.package == *package && subscription.channel.as_ref().is_none_or(|own| own == channel)
            }
            Cause::Csv(_) | Cause::InstalledCsvs | Cause::Bundle(_) => false,
        })
    }
}

/// The Subscriptions and installed CSVs of all independent conflicts.
fn of_conflicts(step: &Step) -> Vec<Cause> {
    let problem = &step.problem;
    let found = conflicts(problem).unwrap_or_default().conflicts;
    let of_first = match &step.outcome {
        Outcome::Unsolvable(conflict) => Some(conflict),
        Outcome::Resolved(_) | Outcome::Prevented(_) | Outcome::GaveUp(_) => None,
    };
    let all = of_first.into_iter().chain(&found);
    all.flat_map(|conflict| conflict.anchors(problem)).filter_map(|anchor| of_anchor(problem, anchor)).collect()
}

fn of_anchor(problem: &Problem, anchor: VarId) -> Option<Cause> {
    match problem.subscription(anchor) {
        Some(subscription) => Some(Cause::Subscription(Arc::clone(&subscription.name))),
        None => Some(Cause::Csv(problem.entry(anchor)?.name.clone())),
    }
}

fn of_obstacle(obstacle: &Obstacle) -> Option<Cause> {
    match obstacle {
        Obstacle::Source(key, _) if key.is_existing() => Some(Cause::InstalledCsvs),
        Obstacle::Source(key, _) => Some(Cause::Catalog(key.clone())),
        Obstacle::Order(error) => Some(Cause::Channel(error.package().into(), error.channel().into())),
        Obstacle::Requirement { bundle, .. } => Some(Cause::Bundle(bundle.clone())),
        Obstacle::Identifier(_) | Obstacle::NotExactlyOne(_) => None,
    }
}
