//! Reads the objects of OLM on a running cluster through the user's own `kubectl`, which knows clusters, users and rights.

use crate::args::RunningArguments;
use crate::output::{Failure, say};
use std::ffi::OsString;
use std::io::Read;
use std::process::{ChildStdout, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

/// The name of what kubectl printed, in messages.
pub(crate) const NAME: &str = "<cluster>";

/// What a resolution depends on, with namespaces.
const NAMESPACED: [&str; 5] = [
    "clusterserviceversions.operators.coreos.com",
    "installplans.operators.coreos.com",
    "operatorconditions.operators.coreos.com",
    "operatorgroups.operators.coreos.com",
    "subscriptions.operators.coreos.com",
];

/// CatalogSources of the global namespace serve all others.
const CATALOG_SOURCES: &str = "catalogsources.operators.coreos.com";

/// The objects of OLM v1, which belong to no namespace.
const V1: [&str; 4] = [
    "clustercatalogs.olm.operatorframework.io",
    "clusterextensionrevisions.olm.operatorframework.io",
    "clusterextensions.olm.operatorframework.io",
    "clusterobjectsets.olm.operatorframework.io",
];

/// Leaves out the CSVs that OLM copies to every namespace of an operator: they take no part in a resolution.
const NOT_COPIED: &str = "--selector=!olm.copiedFrom";

/// The most bytes that it may print for one question.
const MOST: u64 = 256 << 20;
/// When the user hears that it is still working.
const PATIENCE: Duration = Duration::from_secs(5);

/// The program with the options that choose a cluster.
pub(crate) struct Kubectl {
    options: Vec<OsString>,
    /// How long it may take for one question.
    timeout: Duration,
}

impl Kubectl {
    pub(crate) fn new(running: &RunningArguments, timeout: Duration) -> Self {
        let option = |name: &str, value: OsString| {
            let mut option = OsString::from(name);
            option.push(value);
            option
        };
        let RunningArguments { context, kubeconfig, .. } = running;
        let context = context.as_ref().map(|name| option("--context=", name.into()));
        let kubeconfig = kubeconfig.as_ref().map(|path| option("--kubeconfig=", path.into()));
        Self { options: context.into_iter().chain(kubeconfig).collect(), timeout }
    }

    /// The objects of OLM as JSON: those of a namespace with all CatalogSources, or those of all namespaces with OLM v1's.
    ///
    /// # Errors
    /// When kubectl is missing or fails, or the cluster has no OLM.
    pub(crate) fn manifests(&self, namespace: Option<&str>) -> Result<String, Failure> {
        let (listed, succeeded) = self.run(&["api-resources", "--verbs=list", "--output=name"])?;
        let is_served = |resource: &&str| listed.lines().any(|line| line.trim() == *resource);
        let served =
            |resources: &[&'static str]| -> Vec<&str> { resources.iter().copied().filter(is_served).collect() };
        let (namespaced, sources, v1) = (served(&NAMESPACED), served(&[CATALOG_SOURCES]), served(&V1));
        if namespaced.is_empty() && sources.is_empty() && v1.is_empty() {
            // Without an aggregated API kubectl lists the others, and fails.
            let failed = "`kubectl api-resources` failed, so the kinds of the cluster are unknown";
            let none =
                "the cluster has no OLM: it serves no kind of `operators.coreos.com` or `olm.operatorframework.io`";
            return Err(if succeeded { none } else { failed }.to_owned().into());
        }
        match namespace {
            None => self.get(&[namespaced, sources, v1].concat(), "--all-namespaces"),
            Some(namespace) => {
                let own = self.get(&namespaced, &format!("--namespace={namespace}"))?;
                Ok(own + &self.get(&sources, "--all-namespaces")?)
            }
        }
    }

    /// The objects of these resources; nothing if there are none.
    fn get(&self, resources: &[&str], scope: &str) -> Result<String, Failure> {
        if resources.is_empty() {
            return Ok(String::new());
        }
        let resources = resources.join(",");
        match self.run(&["get", &resources, scope, NOT_COPIED, "--output=json"])? {
            (text, true) => Ok(text),
            (_, false) => {
                Err(format!("`kubectl get {resources} {scope}` failed; you need the right to list these kinds").into())
            }
        }
    }

    /// What the API server answers at an address; `right` says what it needs.
    ///
    /// # Errors
    /// When kubectl is missing or fails.
    pub(crate) fn raw(&self, address: &str, right: String) -> Result<String, Failure> {
        match self.run(&["get", "--raw", address])? {
            (text, true) => Ok(text),
            (_, false) => Err(right.into()),
        }
    }

    /// What kubectl prints, and whether it succeeds. Its errors and questions go to the user.
    fn run(&self, arguments: &[&str]) -> Result<(String, bool), Failure> {
        let mut kubectl = Command::new("kubectl")
            .args(arguments)
            .args(&self.options)
            .stdin(Stdio::inherit())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .map_err(|error| {
                format!("cannot run `kubectl`: {error}; put it on `PATH`, or save the manifests and use `opscope cluster --cluster FILE`")
            })?;
        let Some(output) = kubectl.stdout.take() else { return Err("kubectl has no output".into()) };
        let printed = self.wait(output);
        if printed.is_err() {
            // It may have ended by itself meanwhile.
            drop(kubectl.kill());
        }
        let ended = kubectl.wait().map_err(|error| format!("cannot run `kubectl`: {error}"))?;
        let text = String::from_utf8(printed?).map_err(|_| "what `kubectl` printed is not UTF-8".to_owned())?;
        Ok((text, ended.success()))
    }

    /// What it prints until it closes its output.
    fn wait(&self, output: ChildStdout) -> Result<Vec<u8>, Failure> {
        let (sender, receiver) = mpsc::channel();
        let read = move || {
            let mut bytes = Vec::new();
            let result = output.take(MOST + 1).read_to_end(&mut bytes).map(|_| bytes);
            // Nobody waits any more after the limit of time.
            drop(sender.send(result));
        };
        thread::Builder::new().spawn(read).map_err(|error| format!("cannot start a thread: {error}"))?;
        let patience = PATIENCE.min(self.timeout);
        let printed = receiver.recv_timeout(patience).or_else(|_| {
            if self.timeout > PATIENCE {
                say("kubectl is still working");
            }
            receiver.recv_timeout(self.timeout - patience)
        });
        let seconds = self.timeout.as_secs();
        let bytes = printed
            .map_err(|_| format!("`kubectl` did not answer within {seconds} seconds; `--timeout` sets another limit"))?
            .map_err(|error| format!("cannot read what `kubectl` prints: {error}"))?;
        if bytes.len() as u64 > MOST {
            return Err("`kubectl` prints more than 256 MB; read one namespace with `--namespace`".into());
        }
        Ok(bytes)
    }
}
