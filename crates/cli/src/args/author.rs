//! The arguments of `opscope release`, `opscope remove` and `opscope deprecate`.

use super::{MigrateLevel, OpmArguments};
use crate::format::AnswerFormat;
use clap::Args;
use clap::builder::{NonEmptyStringValueParser, PossibleValue, PossibleValuesParser, TypedValueParser};
use session::{Policy, Version};
use source::{OpenShift, name_list};
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

#[derive(Debug, Args)]
pub(crate) struct Release {
    /// The bundle: its directory, `image:REF` for its image, which is pulled, or the reference of its image alone (with `--name`). For the policies `promote`, `hotfix` and `skipped-hotfix` the name of a bundle that another channel lists.
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
    /// `CHANNEL=POLICY` is a channel with a policy of its own.
    #[arg(long = "channel", value_name = "CHANNEL", value_parser = channel)]
    pub(crate) channels: Vec<(String, Option<Policy>)>,
    /// The lowest version from which it may be updated to directly, for `direct-jumps` and `z-stream`.
    #[arg(long, alias = "from", value_name = "VERSION", value_parser = version)]
    pub(crate) lowest: Option<Version>,
    /// The reference of the bundle's image; a bundle directory does not say it.
    #[arg(long, value_name = "IMAGE")]
    pub(crate) image: Option<String>,
    /// How a catalog gets the CSV of a bundle directory, by a migration of `opm` [default: as the version of OpenShift wants it,
    /// else as its other bundles have theirs].
    #[arg(long, value_name = "NAME", value_enum)]
    pub(crate) migrate_level: Option<MigrateLevel>,
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
    /// Of catalogs for several versions of OpenShift, write only into those for these versions: `4.18`, `4.16-4.20` or `4.16,4.18`.
    #[arg(long, value_name = "VERSIONS")]
    pub(crate) openshift: Option<OpenShiftRanges>,
    /// Write the files; without it they are only shown.
    #[arg(long)]
    pub(crate) write: bool,
    #[command(flatten)]
    pub(crate) opm: OpmArguments,
    /// The output format.
    #[arg(long, short = 'o', value_enum, default_value_t = AnswerFormat::Text)]
    pub(crate) format: AnswerFormat,
}

fn channel(text: &str) -> Result<(String, Option<Policy>), String> {
    let Some((name, id)) = text.split_once('=') else { return Ok((text.to_owned(), None)) };
    let policy = Policy::ALL.into_iter().find(|policy| policy.id() == id);
    let ids = || name_list(Policy::ALL.map(Policy::id));
    policy.map(|policy| (name.to_owned(), Some(policy))).ok_or_else(|| format!("`{id}` is none of {}", ids()))
}

/// Versions of OpenShift, as ranges from the first to the last one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct OpenShiftRanges(Vec<(OpenShift, OpenShift)>);

impl OpenShiftRanges {
    pub(crate) fn has(&self, version: OpenShift) -> bool {
        self.0.iter().any(|(first, last)| (*first..=*last).contains(&version))
    }

    /// The only version, if it is one.
    pub(crate) fn only(&self) -> Option<OpenShift> {
        let [(first, last)] = self.0[..] else { return None };
        (first == last).then_some(first)
    }
}

impl From<OpenShift> for OpenShiftRanges {
    fn from(version: OpenShift) -> Self {
        Self(vec![(version, version)])
    }
}

impl FromStr for OpenShiftRanges {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let range = |text: &str| {
            let (first, last) = text.split_once('-').unwrap_or((text, text));
            let (first, last): (OpenShift, OpenShift) = (first.parse()?, last.parse()?);
            if first > last {
                return Err(format!("{first} is above {last}"));
            }
            Ok((first, last))
        };
        text.split(',').map(range).collect::<Result<_, _>>().map(Self)
    }
}

impl fmt::Display for OpenShiftRanges {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let range = |(first, last): &(OpenShift, OpenShift)| match first == last {
            true => first.to_string(),
            false => format!("{first} to {last}"),
        };
        f.write_str(&self.0.iter().map(range).collect::<Vec<_>>().join(", "))
    }
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
