//! The cluster that a command asks about: Subscriptions of the command line, or manifests with the catalogs that they name.

use crate::args::ClusterArguments;
use crate::kubectl;
use crate::missing_catalogs::MissingCatalogs;
use crate::names;
use crate::output::{Failure, say};
use crate::paths::{NamedPath, file_name, shown_path};
use crate::places::Inputs;
use simulate::Manifests;
use source::{Diagnostic, LineIndex, Severity};
use std::path::{Path, PathBuf};
use views::{ClusterForm, MigrationView, SubscriptionForm};
use workbench::SimulationLimits;

/// The limits of simulations.
pub(crate) const LIMITS: SimulationLimits = SimulationLimits { steps: 50, outcomes: 64 };

/// A cluster and its catalogs.
pub(crate) struct Scene {
    pub(crate) inputs: Inputs,
    named: Vec<NamedPath>,
}

impl Scene {
    /// Reads catalogs and manifests.
    ///
    /// # Errors
    /// When a file cannot be read, a catalog belongs to no CatalogSource, or `--subscribe` names what does not exist.
    pub(crate) fn read(arguments: &ClusterArguments) -> Result<Self, Failure> {
        let named = arguments.catalogs.clone();
        let mut inputs = Inputs::open(&named)?;
        let Some(path) = &arguments.cluster else {
            let forms = arguments.subscribe.iter().map(|form| subscription(&inputs, form));
            let form = ClusterForm { subscriptions: forms.collect::<Result<_, _>>()?, ..ClusterForm::default() };
            inputs.workbench.apply_form("", &form);
            return Ok(Self { inputs, named });
        };
        let text = inputs.read_manifests(path)?;
        Self::with_manifests(inputs, named, &text, path)
    }

    /// Takes the manifests in `text`, which messages name `path`, and gives the catalogs to their CatalogSources.
    ///
    /// # Errors
    /// When a catalog belongs to no CatalogSource.
    pub(crate) fn with_manifests(
        mut inputs: Inputs,
        named: Vec<NamedPath>,
        text: &str,
        path: &Path,
    ) -> Result<Self, Failure> {
        inputs.workbench.set_cluster(text);
        Self::paired(inputs, named, path)
    }

    /// Takes all objects of a running cluster, and gives the catalogs to their CatalogSources.
    ///
    /// # Errors
    /// When a catalog belongs to no CatalogSource.
    pub(crate) fn of_cluster(mut inputs: Inputs, named: Vec<NamedPath>, text: &str) -> Result<Self, Failure> {
        inputs.workbench.set_whole_cluster(text);
        Self::paired(inputs, named, Path::new(kubectl::NAME))
    }

    /// Gives the catalogs to the CatalogSources of the manifests.
    fn paired(mut inputs: Inputs, mut named: Vec<NamedPath>, path: &Path) -> Result<Self, Failure> {
        let (text, manifests) = inputs.workbench.cluster_manifests();
        let sources = sources(manifests);
        if let ([source], [(name, path)]) = (&sources[..], &mut named[..]) {
            let has_own_name = *name != file_name(path);
            if !has_own_name && *name != source.name {
                say(&source.pairing(name));
                name.clone_from(&source.name);
            }
        }
        for (at, (name, _)) in named.iter().enumerate() {
            // Without ClusterCatalogs each loaded catalog is taken for one.
            let is_assumed = !manifests.has_cluster_catalogs() && manifests.has_extensions();
            if !is_assumed && sources.iter().all(|source| source.name != *name) {
                let kinds =
                    if manifests.has_cluster_catalogs() { "CatalogSource or ClusterCatalog" } else { "CatalogSource" };
                // The object may be there with an error in it.
                let missing = || format!("`{}` has no {kinds} named `{name}`", shown_path(path)).into();
                return Err(errors(path, text, &manifests.diagnostics).unwrap_or_else(missing));
            }
            if named.iter().take(at).any(|(other, _)| other == name) {
                return Err(format!("two catalogs are named `{name}`; write `--catalog NAME=PATH`").into());
            }
        }
        inputs.take_names(&named);
        inputs.manifests = Some(path.to_path_buf());
        Ok(Self { inputs, named })
    }

    /// Checks that the catalogs of the manifests' Subscriptions are given; with the name of a Subscription those of its
    /// namespace.
    ///
    /// # Errors
    /// When a catalog is missing.
    pub(crate) fn check_catalogs(&self, subscription: Option<&str>) -> Result<(), Failure> {
        if self.inputs.manifests.is_none() {
            return Ok(());
        }
        MissingCatalogs::of_subscriptions(self, &self.objects().cluster, subscription).check()
    }

    /// What becomes of the Subscriptions under OLM v1.
    pub(crate) fn migration(&self) -> MigrationView {
        self.inputs.workbench.migration()
    }

    /// The objects of the cluster, those that can be read.
    pub(crate) fn objects(&self) -> &Manifests {
        self.inputs.workbench.cluster_manifests().1
    }

    /// The objects of the cluster, and warnings about likely mistakes.
    ///
    /// # Errors
    /// When part of the manifests cannot be read.
    pub(crate) fn manifests(&self) -> Result<(&Manifests, Vec<String>), Failure> {
        let (text, manifests) = self.inputs.workbench.cluster_manifests();
        let mut findings = manifests.diagnostics.clone();
        findings.extend(manifests.without_content(|key| self.named.iter().any(|(name, _)| **name == *key.name)));
        let is_named = |catalog: &str| self.named.iter().any(|(name, _)| name == catalog);
        findings.extend(manifests.cluster_catalogs_without_content(is_named));
        let path = self.path();
        if let Some(failure) = errors(&path, text, &findings) {
            return Err(failure);
        }
        let lines = LineIndex::new(text);
        let warnings = findings.iter().map(|finding| line(&path, text, &lines, finding)).collect();
        Ok((manifests, warnings))
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

/// The errors in manifests, each in a line with what helps; `None` if there are none.
fn errors(path: &Path, text: &str, findings: &[Diagnostic]) -> Option<Failure> {
    let lines = LineIndex::new(text);
    let errors = findings.iter().filter(|finding| finding.severity == Severity::Error);
    let errors = errors.map(|finding| {
        let help = finding.help.as_ref().map(|help| format!("; {help}")).unwrap_or_default();
        line(path, text, &lines, finding) + &help
    });
    let errors: Vec<String> = errors.collect();
    (!errors.is_empty()).then(|| Failure::of_lines(errors))
}

/// A finding in manifests with its place.
fn line(path: &Path, text: &str, lines: &LineIndex, finding: &Diagnostic) -> String {
    let at = lines.position(text, finding.span.start);
    format!("{}:{}:{}: {}", shown_path(path), at.line, at.column, finding.message)
}

/// An object that a catalog may belong to.
struct Source {
    name: String,
    /// Absent for a ClusterCatalog.
    namespace: Option<String>,
}

impl Source {
    /// Says that the only catalog is used for the only object, whose name differs.
    fn pairing(&self, catalog: &str) -> String {
        match &self.namespace {
            Some(namespace) => workbench::pairing(&self.name, namespace, catalog),
            None => {
                format!("catalog `{catalog}` is used as ClusterCatalog `{}`, because there is no other", self.name)
            }
        }
    }
}

/// The CatalogSources and ClusterCatalogs.
fn sources(manifests: &Manifests) -> Vec<Source> {
    let v0 = manifests
        .cluster
        .catalog_sources
        .iter()
        .map(|source| Source { name: source.key.name.to_string(), namespace: Some(source.key.namespace.to_string()) });
    // A catalog may be given for a ClusterCatalog that the API server rejects, too.
    let v1 = manifests.cluster_catalogs.iter().map(|catalog| &catalog.name).chain(&manifests.rejected_catalogs);
    v0.chain(v1.map(|name| Source { name: name.to_string(), namespace: None })).collect()
}

/// The Subscription with the name of the installed CSV, of which the user may have given the version.
fn subscription(inputs: &Inputs, form: &SubscriptionForm) -> Result<SubscriptionForm, Failure> {
    let package = names::package(&inputs.workbench, &form.package)?;
    if form.installed.is_empty() {
        return Ok(form.clone());
    }
    // A cluster may have a CSV that the catalog does not know any more, but no CSV is named like a version.
    let is_version = form.installed.starts_with(|c: char| c.is_ascii_digit());
    let installed = match names::csv(&inputs.workbench, &package, &form.installed) {
        Err(failure) if is_version => return Err(failure),
        found => found.unwrap_or_else(|_| form.installed.clone()),
    };
    Ok(SubscriptionForm { installed, ..form.clone() })
}
