//! `opscope cluster`

use crate::args::LiveCluster;
use crate::kubectl::Kubectl;
use crate::output::{Failure, say};
use crate::places::Inputs;
use crate::scene::Scene;
use crate::{resolve, why};
use report::Terminal;
use std::io::Write;
use std::time::Duration;

/// Reads the cluster and prints what OLM does on it, or explains a Subscription. Returns whether OLM resolves everything; yes
/// for an explanation.
pub(crate) fn run(arguments: &LiveCluster, terminal: Terminal, out: &mut dyn Write) -> Result<bool, Failure> {
    // A catalog that cannot be read is known sooner than what a cluster answers.
    let inputs = Inputs::open(&arguments.catalogs, arguments.opm.release())?;
    let kubectl = Kubectl::new(
        arguments.context.as_deref(),
        arguments.kubeconfig.as_deref(),
        Duration::from_secs(arguments.timeout.into()),
    );
    let text = kubectl.manifests(arguments.namespace.as_deref())?;
    let scene = Scene::of_cluster(inputs, &arguments.catalogs, &text)?;
    let name = arguments.subscription.as_deref();
    scene.warnings()?;
    let workbench = &scene.inputs.workbench;
    for finding in workbench.sources_without_catalog() {
        say(&format!("{}; the answer leaves it out", finding.message));
    }
    let bundle = arguments.bundle.as_deref();
    let succeeds = match name {
        Some(name) => why::answer(&scene, name, bundle, arguments.outcome, terminal, out)?,
        None => resolve::print(&scene, arguments.format, terminal, out)?,
    };
    scene.inputs.answer(succeeds)
}
