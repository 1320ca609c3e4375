//! The arguments that say which cluster and which catalogs a command is about, and those of `opscope plan`.

use super::OpmArguments;
use crate::format::AnswerFormat;
use crate::output::Failure;
use crate::places::{NamedPath, file_name};
use crate::served::{self, Served};
use answers::SimulationLimits;
use clap::{Args, ValueEnum};
use session::ManifestFacts;
use source::{OlmV1Release, OpenShift};
use std::path::{Path, PathBuf};
use views::{OcMirror, SubscriptionForm};

/// The limits of simulations.
pub(crate) const LIMITS: SimulationLimits = SimulationLimits { steps: 50, outcomes: 64 };

// A cluster and its catalogs. (A doc comment would replace the help text of each command that has these arguments.)
#[derive(Debug, Args)]
pub(crate) struct ClusterArguments {
    /// The manifests of the cluster, as `kubectl get catalogsource,subscription,csv,operatorgroup -o yaml` prints them, also
    /// `clustercatalog,clusterextension` of OLM v1, the folder or archive of a must-gather, or `-` for standard input.
    #[arg(long, value_name = "FILE")]
    pub(crate) cluster: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) facts: FactArguments,
    /// A Subscription instead of manifests (repeatable): the package, the channel to follow, and the installed version or
    /// CSV.
    #[arg(long, value_name = "PACKAGE[/CHANNEL][@INSTALLED]", value_parser = subscription, requires = "catalogs", conflicts_with_all = ["cluster", "olm_v1"])]
    pub(crate) subscribe: Vec<SubscriptionForm>,
    /// A catalog (repeatable): the name of its CatalogSource or ClusterCatalog, and a file, a folder, a saved image, or an
    /// archive. NAME may be left out with `--subscribe`, and for the only catalog of a cluster with one CatalogSource or
    /// ClusterCatalog.
    #[arg(long = "catalog", value_name = "[NAME=]PATH", value_parser = catalog)]
    pub(crate) catalogs: Vec<NamedPath>,
    /// Of catalogs for several versions of OpenShift, those for this version [default: that of the cluster, or else all, one after
    /// the other].
    #[arg(long, value_name = "VERSION")]
    pub(crate) openshift: Option<OpenShift>,
    #[command(flatten)]
    pub(crate) opm: OpmArguments,
}

// What the user says about manifests.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct FactArguments {
    /// The manifests have all objects of OLM that the cluster has, so that what they do not have does not exist. Always so for a
    /// must-gather.
    #[arg(long, requires = "cluster")]
    pub(crate) complete: bool,
    /// The namespace whose CatalogSources all namespaces see [default: what the manifests tell, or else `openshift-marketplace`
    /// on OpenShift and `olm` elsewhere].
    #[arg(long, value_name = "NAMESPACE", requires = "cluster")]
    pub(crate) global_namespace: Option<String>,
    /// Answer as this release of OLM v1, such as v1.8.0 of operator-controller [default: what the manifests tell, or else the newest
    /// one].
    #[arg(long, value_name = "VERSION")]
    pub(crate) olm_v1: Option<OlmV1Release>,
}

impl FactArguments {
    /// The same of manifests that may be complete by what they are.
    pub(crate) fn of(&self, is_complete: bool) -> ManifestFacts {
        let global_namespace = self.global_namespace.as_deref().map(Into::into);
        ManifestFacts { is_complete: self.complete || is_complete, global_namespace, olm_v1: self.olm_v1 }
    }
}

#[derive(Debug, Args)]
pub(crate) struct CatalogArguments {
    /// The package [default: the only one of the catalog].
    #[arg(long, conflicts_with = "catalogs")]
    package: Option<String>,
    /// A catalog (repeatable), in place of the first argument, which then is the package.
    #[arg(long = "catalog", value_name = "[NAME=]PATH", value_parser = catalog, hide = true)]
    catalogs: Vec<NamedPath>,
    /// Of catalogs for several versions of OpenShift, ask only about those for this version.
    #[arg(long, value_name = "VERSION")]
    openshift: Option<OpenShift>,
    #[command(flatten)]
    pub(crate) opm: OpmArguments,
}

impl CatalogArguments {
    /// The catalogs, for each version of OpenShift if there are several. `first` is the catalog if no option names one.
    ///
    /// # Errors
    /// When one cannot be read, or is none.
    pub(crate) fn read(&self, first: &str) -> Result<Vec<Served>, Failure> {
        let named = [(file_name(Path::new(first)), first.into())];
        served::read(if self.catalogs.is_empty() { &named } else { &self.catalogs }, self.openshift)
    }

    /// The name of the package; absent if the only one is meant.
    pub(crate) fn package<'a>(&'a self, first: &'a str) -> Option<&'a str> {
        self.package.as_deref().or((!self.catalogs.is_empty()).then_some(first))
    }
}

/// The running cluster that kubectl reads.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct RunningArguments {
    /// Read only this namespace of a running cluster, and the CatalogSources of all namespaces [default: all namespaces, and the
    /// objects of OLM v1].
    #[arg(long, short)]
    pub(crate) namespace: Option<String>,
    /// The context in the configuration of kubectl [default: the current one].
    #[arg(long)]
    pub(crate) context: Option<String>,
    /// The configuration of kubectl [default: that of `KUBECONFIG`, or `~/.kube/config`].
    #[arg(long, value_name = "FILE")]
    pub(crate) kubeconfig: Option<PathBuf>,
}

impl RunningArguments {
    /// Whether they name anything.
    pub(crate) const fn is_used(&self) -> bool {
        self.namespace.is_some() || self.context.is_some() || self.kubeconfig.is_some()
    }
}

#[derive(Debug, Args)]
pub(crate) struct ClusterQuestion {
    /// The Subscription or ClusterExtension to explain, behind its namespace and `/` if several namespaces have one of this name
    /// [default: all, with what OLM installs and updates]; `-` is the same as `--cluster -`, and a file as
    /// `--cluster FILE`.
    pub(crate) subscription: Option<String>,
    /// A version or CSV of its package: why does OLM not choose it?
    pub(crate) bundle: Option<String>,
    #[command(flatten)]
    pub(crate) given: ClusterArguments,
    #[command(flatten)]
    pub(crate) running: RunningArguments,
    /// Do not end: read the cluster again after this number of seconds, and print the lines of the answer that changed.
    #[arg(long, value_name = "SECONDS", num_args = 0..=1, default_missing_value = "10", value_parser = clap::value_parser!(u32).range(1..), conflicts_with = "format")]
    pub(crate) watch: Option<u32>,
    /// How many seconds kubectl may take for one question.
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) timeout: u32,
    /// The outcome to explain, where several are possible.
    #[arg(long, value_name = "NUMBER", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..), requires = "subscription")]
    pub(crate) outcome: u32,
    /// The maximum number of resolutions, one after the other. JSON repeats an endless loop up to this number.
    #[arg(long, default_value_t = LIMITS.steps as u32, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) steps: u32,
    /// Print to standard error how many questions unit propagation, the model at hand, a bounded search and splr answered.
    #[arg(long)]
    pub(crate) stats: bool,
    /// The output format.
    #[arg(long, short = 'o', value_enum, default_value_t = AnswerFormat::Text)]
    pub(crate) format: AnswerFormat,
}

/// `NAME=PATH`
pub(super) fn named_path(text: &str) -> Result<NamedPath, String> {
    match text.split_once('=') {
        Some((name, path)) if !name.is_empty() && !path.is_empty() => Ok((name.to_owned(), path.into())),
        _ => Err("expected NAME=PATH: the name of a CatalogSource, and a file or folder".to_owned()),
    }
}

/// `NAME=PATH`, or a path alone.
fn catalog(text: &str) -> Result<NamedPath, String> {
    if text.contains('=') { named_path(text) } else { Ok((file_name(Path::new(text)), text.into())) }
}

/// `NAME=DIR`, or a folder for all CatalogSources that are not named.
fn plan_catalog(text: &str) -> Result<(Option<String>, PathBuf), String> {
    match text.contains('=') {
        true => named_path(text).map(|(name, path)| (Some(name), path)),
        false => Ok((None, text.into())),
    }
}

/// `PACKAGE[/CHANNEL][@INSTALLED]`
pub(super) fn subscription(text: &str) -> Result<SubscriptionForm, String> {
    let (target, installed) = text.split_once('@').map_or((text, None), |(target, csv)| (target, Some(csv)));
    let (package, channel) = target.split_once('/').map_or((target, None), |(package, name)| (package, Some(name)));
    if package.is_empty() || channel.is_some_and(str::is_empty) || installed.is_some_and(str::is_empty) {
        return Err("expected PACKAGE[/CHANNEL][@INSTALLED], such as `etcd/stable@1.0.0`".to_owned());
    }
    Ok(SubscriptionForm {
        package: package.to_owned(),
        channel: channel.unwrap_or_default().to_owned(),
        installed: installed.unwrap_or_default().to_owned(),
        ..SubscriptionForm::default()
    })
}

// The arguments that name a configuration of oc-mirror.

// What a mirror has of a catalog. (A doc comment would replace the help text of each command that has these arguments.)
#[derive(Debug, Default, Args)]
pub(crate) struct ImageSetArguments {
    /// An ImageSetConfiguration: the catalog as oc-mirror v2 filters it.
    #[arg(long, value_name = "FILE")]
    pub(crate) image_set: Option<PathBuf>,
    /// The `catalog` in the configuration that is meant, where it has several and none has the name of the catalog.
    #[arg(long, value_name = "CATALOG", requires = "image_set")]
    pub(crate) image_set_catalog: Option<String>,
    /// The version of OpenShift whose oc-mirror filters, such as 4.18: releases before 5.0 drop deprecations, and that of 4.18
    /// does not keep one version alone.
    #[arg(long, value_name = "VERSION", default_value = OcMirror::default().version(), requires = "image_set")]
    pub(crate) oc_mirror: OcMirror,
}

// The arguments of `opscope plan`.

#[derive(Debug, Args)]
pub(crate) struct Plan {
    /// The manifests of the cluster, as `oc get catalogsource,subscription,csv,operatorgroup,installplan -A -o yaml` prints them, the
    /// folder or archive of a must-gather, or `-` for standard input.
    #[arg(long, value_name = "FILE")]
    pub(crate) cluster: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) facts: FactArguments,
    /// A Subscription instead of manifests (repeatable): the package, the channel to follow, and the installed version or CSV. Without
    /// this and `--cluster`, every head of a channel is planned for by itself.
    #[arg(long, value_name = "PACKAGE[/CHANNEL][@INSTALLED]", value_parser = subscription, conflicts_with = "cluster")]
    pub(crate) subscribe: Vec<SubscriptionForm>,
    /// The version of OpenShift that the cluster has [default: that of the `ClusterVersion` in the manifests].
    #[arg(long, value_name = "VERSION", value_parser = minor, required_unless_present = "cluster")]
    pub(crate) from: Option<OpenShift>,
    /// The version that it is to have. Of a version with a patch number the minor version counts.
    #[arg(long, value_name = "VERSION", value_parser = minor)]
    pub(crate) to: OpenShift,
    /// The catalogs for the versions of OpenShift (repeatable): a folder with one for each, such as `catalogs/v4.18`, or with bundle
    /// directories, such as `operators/NAME`, or an archive of it; behind the name of a CatalogSource, only those of that one. A single
    /// catalog stays the same on every version. Without it the answer is what blocks the first update.
    #[arg(long = "catalog", aliases = ["catalogs", "source"], value_name = "[NAME=]DIR", value_parser = plan_catalog, required_unless_present = "cluster")]
    pub(crate) catalogs: Vec<(Option<String>, PathBuf)>,
    /// What is to be so in the end.
    #[arg(long, value_enum, default_value_t = PlanGoal::Listed)]
    pub(crate) goal: PlanGoal,
    /// Moves that lose something, which no plan makes otherwise.
    #[arg(long, value_enum, value_delimiter = ',')]
    pub(crate) allow: Vec<Loss>,
    #[command(flatten)]
    pub(crate) opm: OpmArguments,
    /// The output format.
    #[arg(long, short = 'o', value_enum, default_value_t = AnswerFormat::Text)]
    pub(crate) format: AnswerFormat,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum PlanGoal {
    /// OLM resolves every namespace.
    Resolves,
    /// Each installed version is an entry of its channel.
    Listed,
    /// Each installed version is the head of its channel.
    Head,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Loss {
    /// Remove a Subscription; its operator keeps running without updates.
    Remove,
    /// Remove an operator, and install the head of a channel.
    Reinstall,
}

/// The minor version of OpenShift of a version such as 4.18 or 4.18.12.
fn minor(text: &str) -> Result<OpenShift, String> {
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|digit| digit.is_ascii_digit());
    let parts: Vec<&str> = text.split('.').collect();
    match &parts[..] {
        [major, minor, patch] if is_number(patch) => format!("{major}.{minor}").parse(),
        _ => text.parse(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_subscription_has_channel_and_installed_csv_or_not() {
        let parts = |text: &str| subscription(text).map(|form| [form.package, form.channel, form.installed]);
        assert_eq!(parts("etcd"), Ok(["etcd", "", ""].map(str::to_owned)));
        assert_eq!(parts("etcd@1.0.0"), Ok(["etcd", "", "1.0.0"].map(str::to_owned)));
        assert_eq!(parts("etcd/4.x@etcd.v1"), Ok(["etcd", "4.x", "etcd.v1"].map(str::to_owned)));
        for wrong in ["", "/c", "etcd/", "etcd@", "@1.0.0"] {
            assert!(parts(wrong).is_err(), "{wrong}");
        }
    }
}
