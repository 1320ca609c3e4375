//! `opscope cluster`

use crate::args::LiveCluster;
use crate::kubectl::Kubectl;
use crate::missing_catalogs::MissingCatalogs;
use crate::output::{Failure, say};
use crate::places::Inputs;
use crate::scene::Scene;
use crate::{resolve, why};
use extension::Availability;
use report::Terminal;
use simulate::Manifests;
use std::io::Write;
use std::time::Duration;

/// Reads the cluster and prints what OLM does on it, or explains a Subscription. Returns whether OLM resolves everything; yes
/// for an explanation.
pub(crate) fn run(arguments: &LiveCluster, terminal: Terminal, out: &mut dyn Write) -> Result<bool, Failure> {
    // A catalog that cannot be read is known sooner than what a cluster answers.
    let inputs = Inputs::open(&arguments.catalogs)?;
    let kubectl = Kubectl::new(
        arguments.context.as_deref(),
        arguments.kubeconfig.as_deref(),
        Duration::from_secs(arguments.timeout.into()),
    );
    let text = kubectl.manifests(arguments.namespace.as_deref())?;
    let scene = Scene::of_cluster(inputs, &arguments.catalogs, &text)?;
    let name = arguments.subscription.as_deref();
    let manifests = scene.manifests()?.0;
    missing_catalogs(&scene, manifests, name).check()?;
    let loaded = scene.inputs.workbench.pairing().sources();
    for finding in manifests.without_content(|key| loaded.contains_key(key)) {
        say(&format!("{}; the answer leaves it out", finding.message));
    }
    let bundle = arguments.bundle.as_deref();
    let succeeds = match name {
        Some(name) => why::answer(&scene, name, bundle, arguments.outcome, terminal, out)?,
        None => resolve::print(&scene, arguments.format, terminal, out)?,
    };
    scene.inputs.answer(succeeds)
}

/// The catalogs that Subscriptions and ClusterExtensions need and `--catalog` does not give. With a Subscription's name only
/// its namespace counts.
fn missing_catalogs(scene: &Scene, manifests: &Manifests, subscription: Option<&str>) -> MissingCatalogs {
    let mut missing = MissingCatalogs::of_subscriptions(scene, subscription);
    // An extension sees all catalogs that its selector does not exclude.
    if let Some(extension) = manifests.cluster_extensions.first().filter(|_| subscription.is_none()) {
        let loaded = scene.inputs.workbench.pairing().cluster_catalogs;
        let served = manifests.cluster_catalogs.iter().filter(|row| row.availability == Availability::Available);
        for row in served.filter(|row| !loaded.contains_key(row.name.as_str())) {
            missing.add(format!("ClusterExtension `{}`", extension.name), row.name.as_str(), None);
        }
    }
    missing
}
