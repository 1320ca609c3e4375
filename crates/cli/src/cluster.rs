//! `opscope cluster`

use crate::args::LiveCluster;
use crate::kubectl::Kubectl;
use crate::output::{Failure, say};
use crate::paths::STDIN;
use crate::places::Inputs;
use crate::scene::Scene;
use crate::{reading, resolve, why};
use report::Terminal;
use std::io::Write;
use std::path::Path;
use std::time::Duration;

/// Reads the cluster, or manifests of it, and prints what OLM does on it, or explains a Subscription. Returns whether OLM resolves
/// everything; yes for an explanation.
pub(crate) fn run(arguments: &LiveCluster, terminal: Terminal, out: &mut dyn Write) -> Result<bool, Failure> {
    let LiveCluster { subscription, bundle, namespace, context, kubeconfig, .. } = arguments;
    // `-` stands before the names.
    let (dash, name, bundle) = match subscription.as_deref() {
        Some(STDIN) => (Some(Path::new(STDIN)), bundle.as_deref(), None),
        name => (None, name, bundle.as_deref()),
    };
    let is_live = namespace.is_some() || context.is_some() || kubeconfig.is_some();
    let redirected = || (!is_live && reading::is_input_a_file()).then(|| Path::new(STDIN));
    let manifests = arguments.cluster.as_deref().or(dash).or_else(redirected);
    // A catalog that cannot be read is known sooner than what a cluster answers.
    let inputs = Inputs::open(&arguments.catalogs, arguments.opm.release())?;
    let scene = match manifests {
        Some(path) => Scene::of_manifests(inputs, &arguments.catalogs, path, &arguments.facts)?,
        None => {
            let patience = Duration::from_secs(arguments.timeout.into());
            let kubectl = Kubectl::new(context.as_deref(), kubeconfig.as_deref(), patience);
            let text = kubectl.manifests(namespace.as_deref())?;
            let scene = Scene::of_cluster(inputs, &arguments.catalogs, &text, arguments.facts.olm_v1.stated())?;
            scene.warnings()?;
            scene
        }
    };
    let answer = match name {
        Some(name) => why::answer(&scene, name, bundle, arguments.outcome, terminal, out),
        None => resolve::print(&scene, arguments.format, terminal, out),
    };
    for finding in scene.inputs.workbench.sources_without_catalog() {
        say(&format!("{}; the answer leaves it out", finding.message));
    }
    scene.inputs.answer(answer?)
}
