//! The arguments of `opscope plan`.

use super::OpmArguments;
use super::cluster::{FactArguments, named_path, subscription};
use crate::format::TableFormat;
use crate::paths::NamedPath;
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use views::{OpenShift, SubscriptionForm};

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
    /// The catalogs for the versions of OpenShift: a folder with one for each, such as `catalogs/v4.18`, or with bundle
    /// directories, such as `operators/NAME`, or an archive of it. Without it the answer is what blocks the first update.
    #[arg(long, value_name = "DIR", required_unless_present_any = ["sources", "cluster"])]
    pub(crate) catalogs: Option<PathBuf>,
    /// The catalogs of a CatalogSource (repeatable), if not those of `--catalogs`. A single catalog stays the same on every version.
    #[arg(long = "source", value_name = "NAME=DIR", value_parser = named_path)]
    pub(crate) sources: Vec<NamedPath>,
    /// What is to be so in the end.
    #[arg(long, value_enum, default_value_t = PlanGoal::Listed)]
    pub(crate) goal: PlanGoal,
    /// Moves that lose something, which no plan makes otherwise.
    #[arg(long, value_enum, value_delimiter = ',')]
    pub(crate) allow: Vec<Loss>,
    #[command(flatten)]
    pub(crate) opm: OpmArguments,
    /// The output format.
    #[arg(long, value_enum, default_value_t = TableFormat::Text)]
    pub(crate) format: TableFormat,
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
