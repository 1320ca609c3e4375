//! Who keeps objects as they are written elsewhere, and undoes what is changed on the cluster.

use crate::cluster::Cluster;
use source::first_and_more;
use std::collections::BTreeMap;
use std::fmt;

/// The number of objects of one manager that a notice names.
const NAMED: usize = 3;

/// What manages an object.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Manager {
    /// An Application of Argo CD, as the annotation `argocd.argoproj.io/tracking-id` (`APPLICATION:GROUP/KIND:NAMESPACE/NAME`) or the
    /// label `argocd.argoproj.io/instance` tells.
    ArgoCd(Box<str>),
    /// A Kustomization or HelmRelease of Flux, as its labels `kustomize.toolkit.fluxcd.io/name` and `helm.toolkit.fluxcd.io/name`
    /// tell.
    Flux(Box<str>),
    /// An OperatorPolicy of Advanced Cluster Management, with its namespace and a dot before its name, as the annotation
    /// `operatorpolicy.policy.open-cluster-management.io/managed` tells (config-policy-controller
    /// `controllers/operatorpolicy_controller.go`).
    OperatorPolicy(Box<str>),
}

impl Manager {
    /// Of the labels and annotations of an object.
    pub(crate) fn of<'m>(
        label: impl Fn(&str) -> Option<&'m str>,
        annotation: impl Fn(&str) -> Option<&'m str>,
    ) -> Option<Self> {
        let tracked = annotation("argocd.argoproj.io/tracking-id").and_then(|id| id.split(':').next());
        let flux = ["kustomize.toolkit.fluxcd.io/name", "helm.toolkit.fluxcd.io/name"];
        let policy = annotation("operatorpolicy.policy.open-cluster-management.io/managed");
        let argo = tracked.or_else(|| label("argocd.argoproj.io/instance")).map(|name| Self::ArgoCd(name.into()));
        argo.or_else(|| policy.map(|name| Self::OperatorPolicy(name.into())))
            .or_else(|| flux.into_iter().find_map(&label).map(|name| Self::Flux(name.into())))
    }
}

impl fmt::Display for Manager {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ArgoCd(name) => write!(f, "Application `{name}` of Argo CD"),
            Self::Flux(name) => write!(f, "`{name}` of Flux"),
            Self::OperatorPolicy(name) => write!(f, "OperatorPolicy `{name}` of Advanced Cluster Management"),
        }
    }
}

impl Cluster {
    /// Where Subscriptions have to be changed that something else manages, a sentence for each manager.
    #[must_use]
    pub fn managed_notices(&self) -> Vec<String> {
        let mut managed: BTreeMap<&Manager, Vec<String>> = BTreeMap::new();
        for one in &self.subscriptions {
            if let Some(manager) = &one.status.managed_by {
                managed.entry(manager).or_default().push(format!("`{}` in `{}`", one.spec.name, one.namespace));
            }
        }
        let sentence = |(manager, names): (&Manager, Vec<String>)| {
            let (noun, them) = if names.len() == 1 { ("Subscription", "it") } else { ("Subscriptions", "them") };
            let names = first_and_more(names, NAMED);
            format!(
                "{manager} manages {noun} {names}: change {them} there, since what is changed on the cluster is undone"
            )
        };
        managed.into_iter().map(sentence).collect()
    }
}
