//! `opscope cluster`: what OLM does on a cluster, or why.

use crate::args::{ClusterQuestion, LIMITS};
use crate::kubectl::Kubectl;
use crate::output::{Failure, errors, say, say_failure, written};
use crate::places::{Inputs, STDIN};
use crate::scene::{self, Scene};
use crate::served::{self, Served};
use crate::{reading, resolve, why};
use answers::{ResolutionTotal, SimulationLimits};
use report::Terminal;
use session::Workbench;
use similar::{ChangeTag, TextDiff};
use std::io::Write;
use std::path::Path;
use std::thread;
use std::time::Duration;

/// The value of `--cluster` for the cluster that kubectl reaches.
const LIVE: &str = "live";

/// Reads the cluster, or manifests of it, and prints what OLM does on it, or explains a Subscription. Returns whether OLM resolves
/// everything, or the Subscription; yes for an answer about a version.
pub(crate) fn run(arguments: &ClusterQuestion, terminal: Terminal, out: &mut dyn Write) -> Result<bool, Failure> {
    let ClusterQuestion { subscription, bundle, given, running, .. } = arguments;
    let asks_kubectl = running.is_used() || arguments.watch.is_some();
    // `-` stands before the names, and so does a file.
    let is_file = |name: &str| given.cluster.is_none() && !asks_kubectl && Path::new(name).is_file();
    let (dash, name, bundle) = match subscription.as_deref() {
        Some(first) if first == STDIN || is_file(first) => (Some(Path::new(first)), bundle.as_deref(), None),
        name => (None, name, bundle.as_deref()),
    };
    let question = Question { arguments, name, bundle, terminal };
    let named = given.cluster.as_deref().or(dash);
    let is_live = asks_kubectl || named == Some(Path::new(LIVE));
    let is_described = !given.subscribe.is_empty();
    if is_described && dash.is_some() {
        return Err("`--subscribe` is in the place of manifests: leave out one of both".into());
    }
    let redirected = || (!is_live && !is_described && reading::is_input_a_file()).then(|| Path::new(STDIN));
    let manifests = named.filter(|path| *path != Path::new(LIVE)).or_else(redirected);
    if asks_kubectl && (manifests.is_some() || is_described) {
        return Err("`--namespace`, `--context`, `--kubeconfig` and `--watch` are about a running cluster: leave out `--cluster FILE` and \
                    `--subscribe`"
            .into());
    }
    if name.is_some() && (arguments.stats || arguments.steps != LIMITS.steps as u32) {
        return Err("`--steps` and `--stats` are about all Subscriptions: leave out the name".into());
    }
    if manifests.is_some() || is_described {
        return scene::ask(given, manifests, arguments.format.into(), terminal, out, |scene, out| {
            question.answer(&scene, out)
        });
    }
    // A catalog that cannot be read is known sooner than what a cluster answers.
    let served = served::read(&given.catalogs, given.openshift)?;
    let opm = given.opm.release()?;
    let patience = Duration::from_secs(arguments.timeout.into());
    let kubectl = Kubectl::new(running, patience);
    let text = kubectl.manifests(running.namespace.as_deref())?;
    let served = of_cluster(served, &text)?;
    let names = served.names();
    let mut scene = Scene::of_cluster(Inputs::of(served, opm), &names, &text, &given.facts)?;
    scene.find_catalogs(&kubectl, name)?;
    scene.warnings()?;
    match arguments.watch {
        Some(seconds) => question.watch(scene, &kubectl, text, Duration::from_secs(seconds.into()), out),
        None => question.answer_live(&scene, out),
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
    arguments: &'a ClusterQuestion,
    name: Option<&'a str>,
    bundle: Option<&'a str>,
    terminal: Terminal,
}

impl Question<'_> {
    fn answer(&self, scene: &Scene, out: &mut dyn Write) -> Result<bool, Failure> {
        let ClusterQuestion { format, outcome, steps, stats, .. } = *self.arguments;
        let answer = match self.name {
            Some(name) => why::answer(scene, (name, self.bundle), outcome, format, self.terminal, out),
            None => {
                let mut total = ResolutionTotal::default();
                let limits = SimulationLimits { steps: steps as usize, ..LIMITS };
                let answer = resolve::answer(scene, limits, format, &mut total, self.terminal, out);
                // Printed even if there is no answer.
                if stats {
                    writeln!(errors(), "{}", total.statistics()).map_err(written)?;
                }
                answer
            }
        };
        scene.inputs.answer(answer?)
    }

    /// The same of a running cluster, whose CatalogSources may have no catalog that can be read.
    fn answer_live(&self, scene: &Scene, out: &mut dyn Write) -> Result<bool, Failure> {
        let answer = self.answer(scene, out);
        for finding in scene.inputs.workbench.sources_without_catalog() {
            say(&format!("{}; the answer leaves it out", finding.message));
        }
        answer
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
            if let Err(failure) = self.answer_live(&scene, &mut answer) {
                say_failure(&failure);
            }
            let answer = String::from_utf8_lossy(&answer).into_owned();
            print_changes(&shown, &answer, out).map_err(written)?;
            shown = answer;
            text = loop {
                thread::sleep(pause);
                match kubectl.manifests(self.arguments.running.namespace.as_deref()) {
                    Ok(now) if now != text => break now,
                    Ok(_) => {}
                    Err(failure) => say_failure(&failure),
                }
            };
            scene.renew(&text, &self.arguments.given.facts);
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
    let diff = TextDiff::from_lines(shown, answer);
    // The first line of an answer that is new says which Subscription it is about, and how that stands.
    let mut new = diff.iter_all_changes().filter(|change| change.tag() == ChangeTag::Insert);
    let first = new.find_map(|change| Some(change.value().trim().to_owned()).filter(|line| !line.is_empty()));
    let first = first.unwrap_or_default();
    let now = time::OffsetDateTime::now_utc();
    writeln!(out, "\n{:02}:{:02}:{:02} UTC  {first}", now.hour(), now.minute(), now.second())?;
    for change in diff.iter_all_changes() {
        let mark = match change.tag() {
            ChangeTag::Equal => continue,
            ChangeTag::Delete => '-',
            ChangeTag::Insert => '+',
        };
        writeln!(out, "{mark} {}", change.value().trim_end_matches('\n'))?;
    }
    out.flush()
}
