//! `--cluster live`: the objects of the cluster that kubectl reaches, again and again, and its catalogs.

use super::inputs::{Inputs, MANIFESTS};
use crate::found;
use crate::kubectl::{self, Kubectl};
use crate::output::{Failure, say};
use crate::scene::missing;
use session::{ManifestFacts, NewText, Workbench, must_gather};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;
use tokio::sync::watch::Sender;

/// What stands for a running cluster in place of a file.
const LIVE: &str = "live";
/// How long kubectl may take for one question.
const PATIENCE: Duration = Duration::from_secs(60);
/// How long the cluster is left alone between two questions.
const PAUSE: Duration = Duration::from_secs(5);

/// Whether a path means the running cluster: it is `live`, and no file has this name.
pub(super) fn is_meant(path: &Path) -> bool {
    path == Path::new(LIVE) && !path.exists()
}

fn kubectl() -> Kubectl {
    Kubectl::new(None, None, PATIENCE)
}

/// The objects that kubectl printed, as the page takes those of a must-gather.
fn manifests(printed: &str) -> String {
    must_gather([(kubectl::NAME, printed)]).marked_complete()
}

/// Adds the objects of the cluster, and those of its catalogs that can be had and are needed.
///
/// # Errors
/// When kubectl fails, or the cluster has no OLM.
pub(super) fn add(inputs: &mut Inputs) -> Result<(), Failure> {
    let kubectl = kubectl();
    let text = kubectl.manifests(None)?;
    let mut workbench = Workbench::default();
    workbench.set_cluster_with(&text, ManifestFacts { is_complete: true, ..ManifestFacts::default() });
    let named = inputs.names();
    let missing = missing(&workbench, None).into_iter().filter(|missing| !named.contains(&missing.name));
    for found in found::catalogs(missing.collect(), &kubectl) {
        inputs.add_found(&found.path, found.name, found.files);
    }
    let objects = NewText { path: MANIFESTS.1.to_owned(), content: Ok(manifests(&text).into_bytes()) };
    inputs.add_found(Path::new(kubectl::NAME), MANIFESTS.0.to_owned(), vec![objects]);
    Ok(())
}

/// Asks the cluster again and again in a thread of its own, and tells the new version when its objects change.
pub(super) fn follow(inputs: &Arc<Mutex<Inputs>>, versions: Sender<u32>) {
    let inputs = Arc::clone(inputs);
    let ask = move || {
        let kubectl = kubectl();
        loop {
            thread::sleep(PAUSE);
            // The lock is not held while kubectl works.
            match kubectl.manifests(None) {
                Ok(text) => {
                    if let Some(version) = super::locked(&inputs).renew_manifests(manifests(&text)) {
                        versions.send_replace(version);
                    }
                }
                Err(failure) => say(&failure.text()),
            }
        }
    };
    if let Err(error) = thread::Builder::new().name("cluster".to_owned()).spawn(ask) {
        say(&format!("cannot watch the cluster, so its changes are not shown: {error}"));
    }
}
