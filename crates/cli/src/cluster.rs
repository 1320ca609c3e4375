//! `opscope cluster`

use crate::args::{LiveCluster, ReportFormat};
use crate::kubectl::{self, Kubectl};
use crate::places::Inputs;
use crate::scene::Scene;
use crate::terminal::Terminal;
use crate::{Failure, resolve, why};
use extension::Availability;
use simulate::{Manifests, catalog_commands};
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;

/// Reads the cluster and prints what OLM does on it, or explains a Subscription. Returns whether OLM resolves everything; yes
/// for an explanation.
pub(crate) fn run(arguments: &LiveCluster, terminal: Terminal, out: &mut dyn Write) -> Result<bool, Failure> {
    // A catalog that cannot be read is known sooner than what a cluster answers.
    let inputs = Inputs::open(&arguments.catalogs)?;
    let kubectl = Kubectl::new(arguments.context.as_deref(), arguments.kubeconfig.as_deref());
    let text = kubectl.manifests(arguments.namespace.as_deref())?;
    let scene = Scene::with_manifests(inputs, arguments.catalogs.clone(), text, Path::new(kubectl::NAME))?;
    let name = arguments.subscription.as_deref();
    let manifests = scene.manifests()?.0;
    if let Some(failure) = missing_catalogs(&scene, &manifests, name) {
        return Err(failure);
    }
    let catalogs = scene.inputs.workbench.catalogs();
    for finding in manifests.without_content(|key| catalogs.iter().any(|catalog| catalog.name == *key.name)) {
        drop(writeln!(io::stderr(), "opscope: {}; the answer leaves it out", finding.message));
    }
    match (name, arguments.format) {
        (Some(name), _) => why::answer(&scene, name, arguments.bundle.as_deref(), arguments.outcome, terminal, out),
        (None, ReportFormat::Text) => resolve::answer(&scene, terminal, out),
        (None, ReportFormat::Json) => resolve::answer_as_json(&scene, out),
    }
}

/// The catalogs that Subscriptions and ClusterExtensions ask for and `--catalog` does not give, with the commands that get
/// them: without them every answer would be a guess. With a Subscription's name only its namespace counts.
fn missing_catalogs(scene: &Scene, manifests: &Manifests, subscription: Option<&str>) -> Option<Failure> {
    let cluster = &manifests.cluster;
    let catalogs = scene.inputs.workbench.catalogs();
    let is_given = |name: &str| catalogs.iter().any(|catalog| catalog.name == name);
    let is_named = |namespace: &str, name: &str| {
        cluster.subscriptions.iter().any(|row| *row.namespace == *namespace && *row.spec.name == *name)
    };
    let is_asked = |namespace: &str| match subscription.map(|text| text.split_once('/').ok_or(text)) {
        None => true,
        Some(Ok((home, name))) => home == namespace && is_named(home, name),
        Some(Err(name)) => is_named(namespace, name),
    };
    let mut missing = BTreeMap::new();
    for row in cluster.subscriptions.iter().filter(|row| is_asked(&row.namespace)) {
        if let Some(key) = row.spec.catalog.as_ref().filter(|key| !key.name.is_empty() && !is_given(&key.name)) {
            let source = cluster.catalog_sources.iter().find(|source| source.key == *key);
            let image = source.and_then(|source| source.image.as_deref());
            let reason = format!("Subscription `{}` in `{}`", row.spec.name, row.namespace);
            missing.entry(key.name.to_string()).or_insert((reason, image));
        }
    }
    // An extension sees all catalogs that its selector does not exclude.
    if let Some(extension) = manifests.cluster_extensions.first().filter(|_| subscription.is_none()) {
        let served = manifests.cluster_catalogs.iter().filter(|row| row.availability == Availability::Available);
        for row in served.filter(|row| !is_given(row.name.as_str())) {
            let reason = format!("ClusterExtension `{}`", extension.name);
            missing.entry(row.name.to_string()).or_insert((reason, None));
        }
    }
    (!missing.is_empty()).then(|| {
        let rows = missing.iter().map(|(name, (reason, image))| {
            let [extract, save] = catalog_commands(*image);
            format!(
                "{reason} needs the catalog `{name}`; get it, then add `--catalog {name}=PATH`:\n  {extract}\n  {save}"
            )
        });
        rows.collect::<Vec<_>>().join("\nopscope: ")
    })
}
