//! `opscope cluster`

use crate::args::LiveCluster;
use crate::kubectl::Kubectl;
use crate::output::{Failure, say, written};
use crate::places::{Inputs, STDIN};
use crate::scene::{Scene, served_to};
use crate::served::{self, Form, Served};
use crate::{given, reading, resolve, why};
use report::Terminal;
use session::Workbench;
use similar::{ChangeTag, TextDiff};
use std::io::Write;
use std::path::Path;
use std::thread;
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
    let question = Question { arguments, name, bundle, terminal };
    let is_live = namespace.is_some() || context.is_some() || kubeconfig.is_some() || arguments.watch.is_some();
    let redirected = || (!is_live && reading::is_input_a_file()).then(|| Path::new(STDIN));
    let manifests = arguments.cluster.as_deref().or(dash).or_else(redirected);
    let opm = arguments.opm.release()?;
    if let Some(path) = manifests {
        let manifests = given::manifests(path)?;
        let served = served_to(&arguments.catalogs, arguments.openshift, Some(&manifests))?;
        let form = if name.is_some() { Form::Text } else { arguments.format.into() };
        return served::ask(served, form, terminal, out, |served, out| {
            let names = served.names();
            let inputs = Inputs::of(served, opm);
            let scene = Scene::of_manifests(inputs, &names, (path, &manifests), &arguments.facts)?;
            question.answer(&scene, out)
        });
    }
    // A catalog that cannot be read is known sooner than what a cluster answers.
    let served = served::read(&arguments.catalogs, arguments.openshift)?;
    let patience = Duration::from_secs(arguments.timeout.into());
    let kubectl = Kubectl::new(context.as_deref(), kubeconfig.as_deref(), patience);
    let text = kubectl.manifests(namespace.as_deref())?;
    let served = of_cluster(served, &text)?;
    let names = served.names();
    let mut scene = Scene::of_cluster(Inputs::of(served, opm), &names, &text, arguments.facts.olm_v1)?;
    scene.find_catalogs(&kubectl, name)?;
    scene.warnings()?;
    match arguments.watch {
        Some(seconds) => question.watch(scene, &kubectl, text, Duration::from_secs(seconds.into()), out),
        None => question.answer(&scene, out),
    }
}

/// The catalogs for the version of OpenShift that a running cluster has.
fn of_cluster(mut served: Vec<Served>, text: &str) -> Result<Served, Failure> {
    if served.len() > 1 {
        let mut workbench = Workbench::new();
        workbench.set_cluster(text);
        let version = workbench.cluster_content().openshift;
        served.retain(|one| one.openshift().is_some() && one.openshift() == version);
    }
    let help = "the catalogs are for several versions of OpenShift, and none is known to be that of the cluster; name one with `--openshift`";
    served.pop().ok_or_else(|| help.into())
}

/// The question about the cluster, as the arguments state it.
struct Question<'a> {
    arguments: &'a LiveCluster,
    name: Option<&'a str>,
    bundle: Option<&'a str>,
    terminal: Terminal,
}

impl Question<'_> {
    fn answer(&self, scene: &Scene, out: &mut dyn Write) -> Result<bool, Failure> {
        let answer = match self.name {
            Some(name) => why::answer(scene, name, self.bundle, self.arguments.outcome, self.terminal, out),
            None => resolve::print(scene, self.arguments.format, self.terminal, out),
        };
        for finding in scene.inputs.workbench.sources_without_catalog() {
            say(&format!("{}; the answer leaves it out", finding.message));
        }
        scene.inputs.answer(answer?)
    }

    /// Asks again and again, and prints which lines of the answer change. Ends only when its output cannot be written.
    fn watch(
        &self,
        mut scene: Scene,
        kubectl: &Kubectl,
        mut text: String,
        pause: Duration,
        out: &mut dyn Write,
    ) -> Result<bool, Failure> {
        let mut shown = String::new();
        loop {
            let mut answer = Vec::new();
            if let Err(failure) = self.answer(&scene, &mut answer) {
                say(&failure.text());
            }
            let answer = String::from_utf8_lossy(&answer).into_owned();
            print_changes(&shown, &answer, out).map_err(written)?;
            shown = answer;
            text = loop {
                thread::sleep(pause);
                match kubectl.manifests(self.arguments.namespace.as_deref()) {
                    Ok(now) if now != text => break now,
                    Ok(_) => {}
                    Err(failure) => say(&failure.text()),
                }
            };
            scene.renew(&text, self.arguments.facts.olm_v1);
            scene.find_catalogs(kubectl, self.name)?;
        }
    }
}

/// Prints an answer that was not shown before whole, and of a later one the lines that are new or gone.
fn print_changes(shown: &str, answer: &str, out: &mut dyn Write) -> std::io::Result<()> {
    if shown.is_empty() {
        out.write_all(answer.as_bytes())?;
        return out.flush();
    }
    if shown == answer {
        return Ok(());
    }
    writeln!(out)?;
    for change in TextDiff::from_lines(shown, answer).iter_all_changes() {
        let mark = match change.tag() {
            ChangeTag::Equal => continue,
            ChangeTag::Delete => '-',
            ChangeTag::Insert => '+',
        };
        writeln!(out, "{mark} {}", change.value().trim_end_matches('\n'))?;
    }
    out.flush()
}
