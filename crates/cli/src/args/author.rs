//! The arguments of `opscope release`, `opscope remove` and `opscope deprecate`.

use super::OpmArguments;
use crate::format::AnswerFormat;
use clap::Args;
use clap::builder::{NonEmptyStringValueParser, PossibleValue, PossibleValuesParser, TypedValueParser};
use session::{Policy, Version};
use source::OpenShift;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct Release {
    /// The bundle: its directory, `image:REF` for its image, which is pulled, or the reference of its image alone (with `--name`). For the policy `promote` the name of a bundle.
    pub(crate) bundle: String,
    /// The catalogs or templates to write into: files, folders, folders with a catalog for each version of OpenShift, or an operator's
    /// folder of the community pipelines, which gets a `release-config.yaml`.
    #[arg(value_name = "CATALOG", required_unless_present = "into")]
    pub(crate) catalogs: Vec<PathBuf>,
    /// Another way to name the catalogs.
    #[arg(long, value_name = "CATALOG", hide = true)]
    pub(crate) into: Vec<PathBuf>,
    /// Which edges the version gets; an `olm.semver` template computes them.
    #[arg(long, value_name = "NAME", value_parser = policy())]
    pub(crate) policy: Option<Policy>,
    /// A channel, or a list of an `olm.semver` template (repeatable) [default: those that the bundle names, or the default channel].
    #[arg(long = "channel", value_name = "CHANNEL")]
    pub(crate) channels: Vec<String>,
    /// The lowest version from which it may be updated to directly, for `direct-jumps` and `z-stream`.
    #[arg(long, alias = "from", value_name = "VERSION", value_parser = version)]
    pub(crate) lowest: Option<Version>,
    /// The reference of the bundle's image; a bundle directory does not say it.
    #[arg(long, value_name = "IMAGE")]
    pub(crate) image: Option<String>,
    /// The name of the bundle, if it is not given as a directory.
    #[arg(long)]
    pub(crate) name: Option<String>,
    /// Its version [default: what its name ends in].
    #[arg(long)]
    pub(crate) version: Option<String>,
    #[command(flatten)]
    pub(crate) output: Written,
}

#[derive(Debug, Args)]
pub(crate) struct Remove {
    /// The catalog or template: a file, a folder, or a folder with a catalog for each version of OpenShift.
    pub(crate) catalog: PathBuf,
    /// The version, or the name of its bundle; of an `olm.semver` template also its image.
    pub(crate) version: String,
    /// Keep its entries: it is not offered any more, but can be installed by name.
    #[arg(long)]
    pub(crate) keep_listed: bool,
    #[command(flatten)]
    pub(crate) output: Written,
}

#[derive(Debug, Args)]
pub(crate) struct Deprecate {
    /// The catalog or template: a file, a folder, or a folder with a catalog for each version of OpenShift.
    pub(crate) catalog: PathBuf,
    /// The version, or the name of its bundle; without it and `--channel` the package is deprecated.
    #[arg(conflicts_with = "channel")]
    pub(crate) version: Option<String>,
    /// Deprecate this channel.
    #[arg(long)]
    pub(crate) channel: Option<String>,
    /// The text for users: what to use instead, and how long the old one works.
    #[arg(long, value_parser = NonEmptyStringValueParser::new())]
    pub(crate) message: String,
    #[command(flatten)]
    pub(crate) output: Written,
}

/// What is written, and how it is shown.
#[derive(Debug, Args)]
pub(crate) struct Written {
    /// The package [default: the only one of the catalog].
    #[arg(long)]
    pub(crate) package: Option<String>,
    /// Of catalogs for several versions of OpenShift, write only into the one for this version.
    #[arg(long, value_name = "VERSION")]
    pub(crate) openshift: Option<OpenShift>,
    /// Write the files; without it they are only shown.
    #[arg(long)]
    pub(crate) write: bool,
    #[command(flatten)]
    pub(crate) opm: OpmArguments,
    /// The output format.
    #[arg(long, short = 'o', value_enum, default_value_t = AnswerFormat::Text)]
    pub(crate) format: AnswerFormat,
}

fn policy() -> impl TypedValueParser<Value = Policy> {
    let values = Policy::ALL.map(|policy| PossibleValue::new(policy.id()).help(policy.describe()));
    PossibleValuesParser::new(values).map(|id| {
        let named = Policy::ALL.into_iter().find(|policy| policy.id() == id);
        named.expect("only ids of policies are possible values")
    })
}

fn version(text: &str) -> Result<Version, String> {
    Version::parse(text).map_err(|error| error.to_string())
}
