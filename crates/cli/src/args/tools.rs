//! The arguments of the tools: `range`, `cel`, `crd`, `graph`, `render`, `template`, `cache`, `completions` and `man`.

use super::OpmArguments;
use super::cluster::{ImageSetArguments, named_path};
use crate::format::{AnswerFormat, GraphFormat, RenderFormat, TemplateFormat};
use clap::{Args, ValueEnum};
use clap_complete::Shell;
use source::{CsvForm, OpenShift};
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct Range {
    /// The range; not with `--jsonl`.
    #[arg(required_unless_present = "jsonl", conflicts_with = "jsonl")]
    pub(crate) range: Option<String>,
    /// The versions to match.
    #[arg(conflicts_with = "jsonl")]
    pub(crate) versions: Vec<String>,
    /// Read lines `{"range": ..., "versions": [...]}` from standard input and print a line for each.
    #[arg(long)]
    pub(crate) jsonl: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Cel {
    /// The rule; not with `--jsonl`.
    #[arg(required_unless_present = "jsonl", conflicts_with = "jsonl")]
    pub(crate) rule: Option<String>,
    /// The properties of a bundle: a YAML or JSON file with a list of `type` and `value`.
    #[arg(long, value_name = "FILE", conflicts_with = "jsonl")]
    pub(crate) properties: Option<PathBuf>,
    /// Read lines `{"rule": ..., "properties": [...]}` from standard input and print a line for each.
    #[arg(long)]
    pub(crate) jsonl: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Crd {
    /// The CustomResourceDefinition on the cluster, as `kubectl get crd NAME -o yaml` prints it, or the one in the installed
    /// bundle: a YAML or JSON file, or `-` for standard input.
    pub(crate) old: PathBuf,
    /// The CustomResourceDefinition in the new bundle.
    pub(crate) new: PathBuf,
    /// The output format.
    #[arg(long, short = 'o', value_enum, default_value_t = AnswerFormat::Text)]
    pub(crate) format: AnswerFormat,
}

#[derive(Debug, Args)]
pub(crate) struct Graph {
    /// The catalog: a file, a folder read as `opm` reads it, a saved image, or an archive of these.
    pub(crate) path: PathBuf,
    /// Print only this package (repeatable).
    #[arg(long = "package", short, value_name = "PACKAGE")]
    pub(crate) packages: Vec<String>,
    /// Of catalogs for several versions of OpenShift, print only the one for this version.
    #[arg(long, value_name = "VERSION")]
    pub(crate) openshift: Option<OpenShift>,
    /// The output format.
    #[arg(long, short = 'o', value_enum, default_value_t = GraphFormat::Mermaid)]
    pub(crate) format: GraphFormat,
    #[command(flatten)]
    pub(crate) opm: OpmArguments,
}

#[derive(Debug, Args)]
pub(crate) struct Render {
    /// Bundle directories (with `manifests/` and `metadata/`), folders of them, and catalogs: files, folders, or `-` for standard input.
    #[arg(required = true)]
    pub(crate) paths: Vec<PathBuf>,
    /// The output format [default: json]. If it is given as `json`, an error is printed as JSON, too.
    #[arg(long, short = 'o', value_enum)]
    pub(crate) format: Option<RenderFormat>,
    #[command(flatten)]
    pub(crate) image_set: ImageSetArguments,
    /// The rules by which a folder of bundle directories becomes a catalog [default: those that its `ci.yaml` names, else
    /// replaces].
    #[arg(long, value_enum)]
    pub(crate) mode: Option<BundleMode>,
    /// The catalog template that an operator's channels are made by, where its `ci.yaml` enables FBC: the name of a file in
    /// `catalog-templates/` [default: that of the newest catalog].
    #[arg(long, value_name = "FILE", conflicts_with = "mode")]
    pub(crate) template: Option<String>,
    /// The last migration of `opm` that is run [default: none].
    #[arg(long, value_name = "NAME", value_enum)]
    pub(crate) migrate_level: Option<MigrateLevel>,
}

/// The migrations of `opm`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum MigrateLevel {
    /// Bundles stay as they are.
    None,
    /// `olm.csv.metadata` takes the place of `olm.bundle.object`, as catalogs for OpenShift 4.17 or later have it.
    #[value(alias = "all")]
    BundleObjectToCsvMetadata,
}

impl MigrateLevel {
    /// The form that bundles with an image have after it.
    pub(crate) const fn form(self) -> CsvForm {
        match self {
            Self::None => CsvForm::Objects,
            Self::BundleObjectToCsvMetadata => CsvForm::Metadata,
        }
    }
}

/// The modes of `opm index add`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum BundleMode {
    /// `replaces` and `skips` of the CSVs.
    Replaces,
    /// Each bundle replaces the one with the next lower version.
    Semver,
    /// The same, and each bundle skips those with lower patch versions.
    SemverSkippatch,
}

#[derive(Debug, Args)]
pub(crate) struct Template {
    /// The type of the template: `basic`, `semver` or `substitutes`. May be left out: the schema of the template tells it.
    #[arg(value_name = "TYPE")]
    pub(crate) first: Option<PathBuf>,
    /// The template, or `-` for standard input, which is also read if there is no file.
    #[arg(value_name = "FILE")]
    pub(crate) second: Option<PathBuf>,
    /// A catalog with the bundles of the template's images (repeatable).
    #[arg(long = "catalog", value_name = "NAME=PATH", value_parser = named_path)]
    pub(crate) catalogs: Vec<(String, PathBuf)>,
    /// Pull the images that no catalog has, as `opm` does. Without it no registry is contacted.
    #[arg(long)]
    pub(crate) pull: bool,
    /// The last migration of `opm` that is run on the bundles of images [default: none].
    #[arg(long, value_name = "NAME", value_enum)]
    pub(crate) migrate_level: Option<MigrateLevel>,
    /// The output format.
    #[arg(long, short = 'o', value_enum, default_value_t = TemplateFormat::Yaml)]
    pub(crate) format: TemplateFormat,
}

#[derive(Debug, Args)]
pub(crate) struct Completions {
    /// The shell.
    #[arg(value_enum)]
    pub(crate) shell: Shell,
}

#[derive(Debug, Args)]
pub(crate) struct Man {
    /// The command, for example `cluster`.
    pub(crate) command: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct Schema {
    /// The command, for example `cluster` [default: all, each as a definition].
    pub(crate) command: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct Cache {
    /// Remove all of it.
    #[arg(long)]
    pub(crate) clear: bool,
}
