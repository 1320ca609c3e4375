//! The cluster that a command asks about: Subscriptions of the command line, or manifests with the catalogs that they name.

use crate::args::{ClusterArguments, FactArguments};
use crate::given::{self, ManifestText};
use crate::kubectl::{self, Kubectl};
use crate::output::{Failure, say};
use crate::places::{Inputs, NamedPath, shown_path};
use crate::served::{self, Form, Served};
use crate::{folder, names};
use report::Terminal;
use session::{MissingCatalog, NewText, Workbench};
use source::{OpenShift, Severity, shell_word};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::{Path, PathBuf};
use views::{ClusterForm, ManifestFinding, SubscriptionForm};

/// A cluster and its catalogs.
pub(crate) struct Scene {
    pub(crate) inputs: Inputs,
}

/// Asks about a cluster and its catalogs, of which those for several versions of OpenShift have an answer for each, or only for the
/// version of the cluster.
///
/// # Errors
/// When a file cannot be read, a catalog belongs to no CatalogSource, or `--subscribe` names what does not exist; or without an answer.
pub(crate) fn ask(
    arguments: &ClusterArguments,
    cluster: Option<&Path>,
    form: Form,
    terminal: Terminal,
    out: &mut dyn Write,
    mut question: impl FnMut(Scene, &mut dyn Write) -> Result<bool, Failure>,
) -> Result<bool, Failure> {
    if cluster.is_none() && arguments.subscribe.is_empty() {
        return Err(
            "give the manifests of a cluster with `--cluster FILE`, or Subscriptions with `--subscribe PACKAGE`".into(),
        );
    }
    let opm = arguments.opm.release()?;
    let manifests = cluster.map(given::manifests).transpose()?;
    let served = served_to(&arguments.catalogs, arguments.openshift, manifests.as_ref())?;
    served::ask(served, form, terminal, out, |served, out| {
        let names = served.names();
        let mut inputs = Inputs::of(served, opm);
        let scene = match (cluster, &manifests) {
            (Some(path), Some(manifests)) => Scene::of_manifests(inputs, &names, (path, manifests), &arguments.facts)?,
            _ => {
                let forms = arguments.subscribe.iter().map(|form| subscription(&inputs, form));
                let form = ClusterForm { subscriptions: forms.collect::<Result<_, _>>()?, ..ClusterForm::default() };
                answers::set_form(&mut inputs.workbench, &form);
                Scene { inputs }
            }
        };
        question(scene, out)
    })
}

/// The catalogs for a version of OpenShift: the one of `--openshift`, or else that of the cluster if there is a catalog for it.
///
/// # Errors
/// When one cannot be read, or has no catalog for the version.
pub(crate) fn served_to(
    catalogs: &[NamedPath],
    openshift: Option<OpenShift>,
    manifests: Option<&ManifestText>,
) -> Result<Vec<Served>, Failure> {
    let mut served = served::read(catalogs, openshift)?;
    let of_cluster = manifests.filter(|_| served.len() > 1).and_then(|manifests| {
        let mut workbench = Workbench::new();
        workbench.set_cluster(&manifests.text);
        workbench.cluster_content().openshift
    });
    if let Some(at) = of_cluster.and_then(|version| served.iter().position(|one| one.openshift() == Some(version))) {
        say(&format!(
            "of catalogs for several versions, those for OpenShift {} are meant, which the cluster runs",
            title(&served[at])
        ));
        served = vec![served.swap_remove(at)];
    }
    Ok(served)
}

fn title(served: &Served) -> String {
    served.openshift().map(|version| version.to_string()).unwrap_or_default()
}

impl Scene {
    /// Takes manifests, and gives the catalogs to their CatalogSources.
    ///
    /// # Errors
    /// When a catalog belongs to no CatalogSource.
    pub(crate) fn of_manifests(
        mut inputs: Inputs,
        named: &[NamedPath],
        (path, manifests): (&Path, &ManifestText),
        facts: &FactArguments,
    ) -> Result<Self, Failure> {
        inputs.set_manifests(manifests, facts);
        Self::paired(inputs, named, path)
    }

    /// Takes all objects of a running cluster, and gives the catalogs to their CatalogSources.
    ///
    /// # Errors
    /// When a catalog belongs to no CatalogSource.
    pub(crate) fn of_cluster(
        mut inputs: Inputs,
        named: &[NamedPath],
        text: &str,
        facts: &FactArguments,
    ) -> Result<Self, Failure> {
        inputs.set_cluster(text, facts, true);
        Self::paired(inputs, named, Path::new(kubectl::NAME))
    }

    /// Takes the objects that the running cluster has by now.
    pub(crate) fn renew(&mut self, text: &str, facts: &FactArguments) {
        self.inputs.set_cluster(text, facts, true);
    }

    /// Gives the catalogs to the CatalogSources of the manifests.
    fn paired(mut inputs: Inputs, named: &[NamedPath], path: &Path) -> Result<Self, Failure> {
        inputs.take_names(named)?;
        inputs.manifests = Some(path.to_path_buf());
        check_used(&inputs.workbench, inputs.workbench.unused_catalog(), path)?;
        Ok(Self { inputs })
    }

    /// How to get the catalogs that are not given of the manifests' Subscriptions and ClusterExtensions; with the name of a
    /// Subscription those of its namespace.
    pub(crate) fn missing_catalogs(&self, subscription: Option<&str>) -> Vec<String> {
        let Some(manifests) = &self.inputs.manifests else { return Vec::new() };
        let mut missing = missing(&self.inputs.workbench, subscription);
        // Those of a running cluster could not be pulled.
        if manifests == Path::new(kubectl::NAME) {
            missing.iter_mut().for_each(|one| one.image = None);
        }
        how_to_get(missing)
    }

    /// Adds the catalogs of a running cluster that nobody gave and the answer needs.
    ///
    /// # Errors
    /// When two of them have one name.
    pub(crate) fn find_catalogs(&mut self, kubectl: &Kubectl, subscription: Option<&str>) -> Result<(), Failure> {
        let found = catalogs(missing(&self.inputs.workbench, subscription), kubectl);
        let names: Vec<NamedPath> = found.iter().map(|found| (found.name.clone(), found.path.clone())).collect();
        self.inputs.add_read(found.into_iter().map(|found| (found.name, found.path, found.files)));
        self.inputs.take_names(&names)
    }

    /// Warnings about likely mistakes in the manifests.
    ///
    /// # Errors
    /// When part of the manifests cannot be read.
    pub(crate) fn warnings(&self) -> Result<Vec<String>, Failure> {
        let path = self.path();
        let sources = self.inputs.workbench.sources_without_catalog();
        let sources = sources.iter().map(|finding| line(&path, finding));
        self.findings().map(|found| found.into_iter().chain(sources).collect())
    }

    /// The same without CatalogSources that have no catalog.
    ///
    /// # Errors
    /// The same.
    pub(crate) fn findings(&self) -> Result<Vec<String>, Failure> {
        let workbench = &self.inputs.workbench;
        let mut findings = workbench.cluster_findings();
        findings.extend(workbench.cluster_catalogs_without_catalog());
        let path = self.path();
        let warnings = findings.iter().map(|finding| line(&path, finding)).collect();
        errors(workbench, &path, &findings).map_or(Ok(warnings), Err)
    }

    /// The failure of manifests without Subscription.
    pub(crate) fn without_subscription(&self) -> Failure {
        format!("`{}` has no Subscription, so OLM resolves nothing", shown_path(&self.path())).into()
    }

    /// The file of the manifests; empty without manifests.
    pub(crate) fn path(&self) -> PathBuf {
        self.inputs.manifests.clone().unwrap_or_default()
    }
}

/// The catalogs that Subscriptions and ClusterExtensions of the cluster need and that are not loaded; with the name of a
/// Subscription those of its namespace.
pub(crate) fn missing(workbench: &Workbench, subscription: Option<&str>) -> Vec<MissingCatalog> {
    let of_v1 = if subscription.is_none() { workbench.missing_cluster_catalogs() } else { Vec::new() };
    workbench.missing_catalogs(subscription).into_iter().chain(of_v1).collect()
}

/// The names of catalogs that are missing, each once, with the commands that get them.
fn how_to_get(missing: impl IntoIterator<Item = MissingCatalog>) -> Vec<String> {
    let mut lines: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for MissingCatalog { name, needed_by, commands: [extract, save], image, .. } in missing {
        let option = |of: &str| format!("`--catalog {}={}`", shell_word(&name), shell_word(of));
        let pull =
            image.map(|image| format!("add {} with a login of its registry, or ", option(&format!("image:{image}"))));
        let pull = pull.unwrap_or_default();
        let needs = format!("{needed_by} needs the catalog `{name}`; {pull}get it, then add {}", option("PATH"));
        lines.entry(name).or_insert_with(|| vec![needs, format!("  {extract}"), format!("  {save}")]);
    }
    lines.into_values().flatten().collect()
}

/// # Errors
/// When part of the manifests, which messages name `path`, cannot be read.
pub(crate) fn check_read(workbench: &Workbench, path: &Path) -> Result<(), Failure> {
    errors(workbench, path, &workbench.cluster_findings()).map_or(Ok(()), Err)
}

/// The errors in manifests, each in a line with what helps; `None` if there are none.
fn errors(workbench: &Workbench, path: &Path, findings: &[ManifestFinding]) -> Option<Failure> {
    let errors = findings.iter().filter(|finding| finding.severity == Severity::Error);
    let errors = errors.map(|finding| {
        let help = finding.help.as_ref().map(|help| format!("; {help}")).unwrap_or_default();
        line(path, finding) + &help
    });
    let errors: Vec<String> = errors.collect();
    // Of a text that was never to be an object, what the reader stopped at helps nobody.
    if !errors.is_empty() && !workbench.cluster_manifests().0.contains("kind") {
        let help = "print whole objects with `-o yaml`, or copy a message or condition as OLM prints it";
        let path = shown_path(path);
        return Some(format!("`{path}` has neither objects nor a message of OLM that Opscope knows; {help}").into());
    }
    (!errors.is_empty()).then(|| Failure::of_lines(errors))
}

/// A finding in manifests with its place.
fn line(path: &Path, finding: &ManifestFinding) -> String {
    let ManifestFinding { place, message, .. } = finding;
    format!("{}:{}:{}: {message}", shown_path(path), place.line, place.column)
}

/// # Errors
/// When a catalog, `unused`, is neither a CatalogSource nor a ClusterCatalog of the manifests, which messages name `path`.
pub(crate) fn check_used(workbench: &Workbench, unused: Option<String>, path: &Path) -> Result<(), Failure> {
    let Some(unused) = unused else { return Ok(()) };
    let has_cluster_catalogs = workbench.cluster_content().has_cluster_catalogs;
    let kinds = if has_cluster_catalogs { "CatalogSource or ClusterCatalog" } else { "CatalogSource" };
    // The object may be there with an error in it.
    let missing = || format!("`{}` has no {kinds} named `{unused}`", shown_path(path)).into();
    Err(errors(workbench, path, &workbench.cluster_findings()).unwrap_or_else(missing))
}

/// The Subscription with the name of the installed CSV, of which the user may have given the version.
fn subscription(inputs: &Inputs, form: &SubscriptionForm) -> Result<SubscriptionForm, Failure> {
    let package = names::package(&inputs.workbench, &form.package)?;
    if form.installed.is_empty() {
        return Ok(form.clone());
    }
    let installed = answers::find_installed(&inputs.workbench, &package, &form.installed)?;
    Ok(SubscriptionForm { installed, ..form.clone() })
}

// The catalogs that a running cluster needs: pulled from their registries, or else from catalogd.

/// A catalog of the cluster.
pub(crate) struct Found {
    /// The name of its CatalogSource or ClusterCatalog.
    pub(crate) name: String,
    /// What it was read from.
    pub(crate) path: PathBuf,
    pub(crate) files: Vec<NewText>,
}

/// Those of the catalogs that can be had, each name once. Says on standard error why the others cannot.
pub(crate) fn catalogs(missing: Vec<MissingCatalog>, kubectl: &Kubectl) -> Vec<Found> {
    let mut names = BTreeSet::new();
    let of_one = |missing: MissingCatalog| {
        if !names.insert(missing.name.clone()) {
            return None;
        }
        let MissingCatalog { name, image, url, .. } = missing;
        let pulled = image.map(|image| of_registry(&name, &image));
        let found = match (pulled, url) {
            (Some(Ok(found)), _) => return Some(found),
            (Some(Err(failure)), None) => Err(failure),
            (Some(Err(failure)), Some(url)) => {
                say(&format!("{}; asks catalogd", failure.text()));
                of_catalogd(&name, &url, kubectl)
            }
            (None, Some(url)) => of_catalogd(&name, &url, kubectl),
            (None, None) => return None,
        };
        found.map_err(|failure| say(&failure.text())).ok()
    };
    missing.into_iter().filter_map(of_one).collect()
}

fn of_registry(name: &str, image: &str) -> Result<Found, Failure> {
    let path = PathBuf::from(format!("image:{image}"));
    Ok(Found { name: name.to_owned(), files: folder::files(&path)?, path })
}

/// What catalogd serves, which the API server passes on: operator-controller, `docs/howto/catalog-queries.md`; Kubernetes, "Manually
/// constructing apiserver proxy URLs".
fn of_catalogd(name: &str, url: &str, kubectl: &Kubectl) -> Result<Found, Failure> {
    let (service, namespace, path) = place(url).ok_or_else(|| {
        format!("`{name}` is served at `{}`, which is no service of the cluster", source::one_line(url))
    })?;
    let address = format!("/api/v1/namespaces/{namespace}/services/https:{service}:443/proxy/{path}/api/v1/all");
    let right =
        format!("`{name}` cannot be had from catalogd; you need the right to get `services/proxy` in `{namespace}`");
    let text = kubectl.raw(&address, right)?;
    // It has this name in findings.
    let file = format!("catalogd:{name}");
    let files = vec![NewText { path: file.clone(), content: Ok(text.into_bytes()) }];
    Ok(Found { name: name.to_owned(), path: file.into(), files })
}

/// The service, its namespace, and the path of `https://SERVICE.NAMESPACE.svc/PATH`.
fn place(url: &str) -> Option<(&str, &str, &str)> {
    let (host, path) = url.strip_prefix("https://")?.split_once('/')?;
    let mut parts = host.split('.');
    let (service, namespace, kind) = (parts.next()?, parts.next()?, parts.next()?);
    let is_label =
        |text: &str| text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-');
    let is_path = path.split('/').all(|part| !matches!(part, "" | "." | "..") && part.split('.').all(is_label));
    let is_service = kind == "svc" && is_label(service) && is_label(namespace);
    (is_service && is_path).then_some((service, namespace, path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_service_of_the_cluster_is_asked() {
        let url = "https://catalogd-service.olmv1-system.svc/catalogs/operatorhubio";
        assert_eq!(place(url), Some(("catalogd-service", "olmv1-system", "catalogs/operatorhubio")));
        let others = [
            "http://catalogd-service.olmv1-system.svc/catalogs/a",
            "https://example.com/catalogs/a",
            "https://a.b.svc/catalogs/../../../secrets",
            "https://a.b.svc/catalogs/a?x=y",
            "https://a/b.c.svc/catalogs",
            "https://a.b.svc",
        ];
        assert_eq!(others.map(place), [None; 6]);
    }
}
