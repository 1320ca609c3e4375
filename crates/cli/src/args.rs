//! The arguments of `opscope`; their doc comments are the help texts.

mod author;
mod cluster;
mod tools;

use crate::format::{
    AnswerFormat, CompareFormat, FindingsFormat, GraphFormat, MigrateFormat, RenderFormat, TemplateFormat,
};
use crate::names;
use crate::output::{Failure, Form};
use crate::places::NamedPath;
use crate::settings;
use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum};
use cluster::named_path;
use source::{OpenShift, OpmVersion, Rule};
use std::io::{self, IsTerminal};
use std::path::PathBuf;

pub(crate) use author::{Deprecate, OpenShiftRanges, Release, Remove, Written};
pub(crate) use cluster::{
    CatalogArguments, ClusterArguments, ClusterQuestion, FactArguments, ImageSetArguments, LIMITS, Loss, Plan,
    PlanGoal, RunningArguments,
};
pub(crate) use tools::{
    BundleMode, Cache, Cel, Completions, Crd, Graph, Man, MigrateLevel, Range, Render, Schema, Template,
};

/// Show what the Operator Lifecycle Manager (OLM) does with file-based catalogs.
#[derive(Debug, Parser)]
#[command(
    name = "opscope",
    version = env!("OPSCOPE_VERSION"),
    help_template = "{about-with-newline}\n{usage-heading} {usage}{after-help}\n\nOptions:\n{options}",
    after_help = commands()
)]
pub(crate) struct Arguments {
    /// When to use colours.
    #[arg(long, value_enum, global = true, default_value_t = ColourChoice::Auto, value_name = "WHEN")]
    pub(crate) color: ColourChoice,
    /// Print no notes and warnings on standard error, only why there is no answer.
    #[arg(long, short, global = true)]
    pub(crate) quiet: bool,
    #[command(flatten)]
    pub(crate) images: ImageArguments,
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ColourChoice {
    /// On a terminal, unless `NO_COLOR` is set; in a pipe, if `CLICOLOR_FORCE` is set.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// The commands that answer questions, by who asks.
const GROUPS: [(&str, &[&str]); 4] = [
    ("For everyone", &["open", "explain"]),
    ("For authors of a catalog", &["validate", "list", "path", "reach", "repair", "release", "remove", "deprecate"]),
    ("For maintainers, about changes and several versions of OpenShift", &["review", "set"]),
    ("For administrators of clusters", &["cluster", "plan", "migrate"]),
];

/// The commands in their groups, each in a line, and the names of the tools.
fn commands() -> String {
    let all = Command::augment_subcommands(clap::Command::new("opscope"));
    let about = |name: &str| all.find_subcommand(name).and_then(clap::Command::get_about).map(ToString::to_string);
    let line = |name: &&str| format!("  {name:<10} {}\n", about(name).unwrap_or_default());
    let groups = GROUPS.map(|(title, names)| format!("{title}:\n{}\n", names.iter().map(line).collect::<String>()));
    let is_grouped = |name: &str| GROUPS.iter().any(|(_, names)| names.contains(&name));
    let tools = all.get_subcommands().filter(|one| !one.is_hide_set() && !is_grouped(one.get_name()));
    let tools: Vec<&str> = tools.map(clap::Command::get_name).collect();
    format!(
        "{}Tools: {}\n`opscope COMMAND --help` says more, with an example; `opscope man COMMAND` has the exit codes.",
        groups.concat(),
        tools.join(", ")
    )
}

/// The commands with their arguments. Those that read no image hide the options for images.
pub(crate) fn command() -> clap::Command {
    const WITHOUT_IMAGES: [&str; 10] =
        ["explain", "explain-message", "range", "cel", "crd", "cache", "completions", "man", "schema", "help"];
    let mut whole = Arguments::command();
    // Only then the commands have the options of all.
    whole.build();
    whole.mut_subcommands(|one| match WITHOUT_IMAGES.contains(&one.get_name()) {
        true => one.mut_args(|option| {
            let is_of_images = ["offline", "platform", "plain_http"].contains(&option.get_id().as_str());
            option.hide(is_of_images)
        }),
        false => one,
    })
}

/// An example below the help of a command.
macro_rules! example {
    ($($line:literal),+) => {
        concat!("Example:\n", $("  opscope ", $line, "\n"),+)
    };
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Open the page in the browser with catalogs and clusters of this computer.
    ///
    /// It follows their files: what any editor saves is shown at once.
    #[command(after_help = example!("open catalog/ --cluster cluster.yaml"))]
    Open(Open),
    /// Tell whether `opm validate` accepts a catalog, and find likely mistakes.
    #[command(after_help = example!("validate catalog/", "validate catalogs/ --openshift 4.18 --deny warnings"))]
    Validate(Validate),
    /// Explain a message of OLM, a state of a namespace, or a rule.
    ///
    /// Says what it means, what to do first, and what does harm.
    #[command(after_help = example!("explain skip-range-pruning", "explain 'found 0 operatorGroups, expected 1'", "explain status.yaml"))]
    Explain(Explain),
    /// The same for messages alone, which are on standard input if they are not named.
    #[command(hide = true)]
    ExplainMessage(Explain),
    /// Show what OLM does on a cluster, and why a Subscription is stuck.
    ///
    /// Without a name: which bundles OLM installs and updates, step by step, and for ClusterExtensions of OLM v1 the next one. With the
    /// name of a Subscription: why it is so, or why OLM does not choose a version. The cluster is the one that kubectl reaches, whose
    /// catalogs are pulled; or manifests, a must-gather (`--cluster`), or Subscriptions that are described (`--subscribe`), with
    /// catalogs that are given.
    #[command(aliases = ["resolve", "why"], after_help = example!("cluster", "cluster my-subscription", "cluster --cluster cluster.yaml --catalog community=catalog/", "cluster my-subscription 1.2.0", "cluster --subscribe etcd/stable@1.0.0 --catalog catalog/"))]
    Cluster(ClusterQuestion),
    /// Show how OLM updates one version to another, or why it does not.
    #[command(after_help = example!("path catalog/ 1.0.0 1.2.0"))]
    Path(UpdatePath),
    /// Show which installed versions reach the heads of channels.
    #[command(after_help = example!("reach catalog/ --stuck"))]
    Reach(Reach),
    /// Compare two states of a catalog, or a catalog with its mirror.
    ///
    /// Shows what becomes of every version that a cluster may have installed. `review` also says what is wrong with the new state.
    #[command(hide = true, after_help = example!("compare git:origin/main:catalog catalog/"))]
    Compare(Compare),
    /// Check a change of one or several catalogs, as CI does.
    ///
    /// Says what is wrong with it, and what becomes of every version that a cluster may have installed.
    #[command(after_help = example!("review catalog/ --before git:origin/main:catalog"))]
    Review(Review),
    /// Plan an update of OpenShift for the operators of a cluster.
    ///
    /// Says what to do with each operator before, between and after, or why nothing helps.
    #[command(after_help = example!("plan --cluster cluster.yaml --to 4.18 --catalog catalogs/"))]
    Plan(Plan),
    /// Check catalogs for several versions of OpenShift together.
    ///
    /// Shows what updates of OpenShift do to what is installed from them. `validate`, `repair`, `release` and the others take the same
    /// folder, and `--openshift` chooses one version there.
    #[command(after_help = example!("set catalogs/", "review catalogs/ --before git:origin/main:catalogs"))]
    Set(Set),
    /// Find the smallest edits after which nobody is stuck.
    ///
    /// After them, OLM updates every installed version to the head of its channel.
    #[command(after_help = example!("repair catalog/", "repair catalog/ --write"))]
    Repair(Repair),
    /// Make a new version of an operator part of catalogs or templates.
    ///
    /// Shows or writes (`--write`) its entries by a policy and its document or image, and what that does to installed versions. Channels of a catalog need a `--policy`.
    #[command(after_help = example!("release bundle/ catalog/ --policy replace-head --image quay.io/example/operator-bundle:v1.3.0", "release bundle/ catalog/ --policy replace-head --write"))]
    Release(Release),
    /// Take a version out, so that everybody who has it is still updated.
    #[command(after_help = example!("remove catalog/ 1.2.0 --write"))]
    Remove(Remove),
    /// Deprecate a version, a channel or a package.
    #[command(after_help = example!("deprecate catalog/ 1.2.0 --message 'use 1.3.0' --write"))]
    Deprecate(Deprecate),
    /// Show what becomes of Subscriptions under OLM v1.
    ///
    /// Says whether each moves, stays or fails, what is in the way, and which ClusterExtensions to create.
    #[command(after_help = example!("migrate --cluster cluster.yaml --catalog community=catalog/"))]
    Migrate(Migrate),
    /// Match versions against a range as OLM does (blang/semver).
    #[command(after_help = example!("range '>=1.0.0 <2.0.0' 1.5.0 2.0.0"))]
    Range(Range),
    /// Evaluate a CEL rule of an `olm.constraint` as OLM does (cel-go).
    #[command(after_help = example!("cel 'properties.exists(p, p.type == \"olm.gvk\")' --properties properties.yaml"))]
    Cel(Cel),
    /// Say what OLM's checks find between two states of a CustomResourceDefinition.
    #[command(after_help = example!("crd old.yaml new.yaml"))]
    Crd(Crd),
    /// Print the update graphs of a catalog's packages.
    #[command(after_help = example!("graph catalog/ --package etcd"))]
    Graph(Graph),
    /// List packages, channels, heads and versions.
    ///
    /// Reads catalogs, and the PackageManifests of a cluster.
    #[command(alias = "inventory", after_help = example!("list catalog/", "list packagemanifests.json"))]
    List(List),
    /// Print bundle directories and catalogs as `opm render` does.
    ///
    /// What it skips or changes is on standard error.
    #[command(after_help = example!("render bundle/ --format yaml"))]
    Render(Render),
    /// Expand a catalog template as `opm alpha render-template` does.
    #[command(after_help = example!("template template.yaml --catalog bundles=catalog/"))]
    Template(Template),
    /// Show what was pulled from registries and is kept, or remove it.
    #[command(after_help = example!("cache", "cache --clear"))]
    Cache(Cache),
    /// Print a script that completes commands and options in a shell.
    #[command(after_help = example!("completions bash"))]
    Completions(Completions),
    /// Print the manual page of `opscope` or of one of its commands, in roff.
    #[command(after_help = example!("man cluster"))]
    Man(Man),
    /// Print the JSON Schema of what a command prints with `--format json`.
    #[command(after_help = example!("schema cluster", "schema"))]
    Schema(Schema),
}

impl Command {
    /// Whether its answer is one JSON object, so that a failure is one, too.
    pub(crate) const fn wants_json(&self) -> bool {
        match self {
            Self::Validate(Validate { format, .. }) => matches!(format, FindingsFormat::Json),
            Self::Compare(Compare { format, .. })
            | Self::Review(Review { format, .. })
            | Self::Set(Set { format, .. }) => matches!(format, CompareFormat::Json),
            Self::Migrate(Migrate { format, .. }) => matches!(format, MigrateFormat::Json),
            Self::Explain(Explain { format, .. })
            | Self::ExplainMessage(Explain { format, .. })
            | Self::Cluster(ClusterQuestion { format, .. })
            | Self::Path(UpdatePath { format, .. })
            | Self::Reach(Reach { format, .. })
            | Self::Plan(Plan { format, .. })
            | Self::Repair(Repair { format, .. })
            | Self::Release(Release { output: Written { format, .. }, .. })
            | Self::Remove(Remove { output: Written { format, .. }, .. })
            | Self::Deprecate(Deprecate { output: Written { format, .. }, .. })
            | Self::Crd(Crd { format, .. })
            | Self::List(List { format, .. }) => matches!(format, AnswerFormat::Json),
            Self::Graph(Graph { format, .. }) => matches!(format, GraphFormat::Json),
            // `render` has its own, and the others have no JSON.
            _ => false,
        }
    }

    /// What it writes to standard output.
    pub(crate) fn form(&self, has_colour: bool) -> Form {
        match self {
            Self::Validate(Validate { format: FindingsFormat::Github, .. })
            | Self::Compare(Compare { format: CompareFormat::Github, .. })
            | Self::Review(Review { format: CompareFormat::Github, .. })
            | Self::Set(Set { format: CompareFormat::Github, .. }) => Form::Commands,
            Self::Validate(Validate { format: FindingsFormat::OpmYaml, .. })
            | Self::Migrate(Migrate { format: MigrateFormat::Yaml, .. })
            | Self::Render(Render { format: Some(RenderFormat::Yaml), .. })
            | Self::Template(Template { format: TemplateFormat::Yaml, .. })
            | Self::Completions(_)
            | Self::Man(_)
            | Self::Schema(_) => Form::Document,
            // The JSON of `opm` has control characters as they are, which a terminal would obey.
            Self::Render(_) | Self::Template(Template { format: TemplateFormat::OpmJson, .. })
                if !io::stdout().is_terminal() =>
            {
                Form::Document
            }
            _ => Form::Text { has_colour },
        }
    }
}

// Who judges catalogs.
#[derive(Clone, Copy, Debug, Default, Args)]
pub(crate) struct OpmArguments {
    /// Judge as this release of `opm`, such as v1.57.0 [default: that of `.opscope.yaml`, or else that of the version of
    /// OpenShift that the catalog is for, or else the newest one]. What only newer releases reject is a warning.
    #[arg(long, value_name = "VERSION")]
    opm: Option<OpmVersion>,
}

impl OpmArguments {
    /// The release of `opm` that judges.
    ///
    /// # Errors
    /// When the settings cannot be read.
    pub(crate) fn release(self) -> Result<OpmVersion, Failure> {
        let of_settings = settings::found()?.settings.opm;
        Ok(self.opm.or(of_settings).unwrap_or_default())
    }
}

#[derive(Debug, Args)]
pub(crate) struct Validate {
    /// The catalogs: files, folders (read as `opm` reads them), saved images, archives of these, or `-` for standard input.
    #[arg(required = true)]
    pub(crate) paths: Vec<PathBuf>,
    /// The output format.
    #[arg(long, short = 'o', value_enum, default_value_t = FindingsFormat::Text)]
    pub(crate) format: FindingsFormat,
    #[command(flatten)]
    pub(crate) opm: OpmArguments,
    /// Also find what this version of OpenShift makes wrong in a catalog. Of catalogs for several versions only that one is checked.
    #[arg(long, value_name = "VERSION")]
    pub(crate) openshift: Option<OpenShift>,
    /// Print only the findings of this rule (repeatable). Whether the catalog is valid still depends on all findings.
    #[arg(long = "rule", value_name = "RULE", value_parser = rule)]
    pub(crate) rules: Vec<Rule>,
    /// Exit with code 1 if there are such findings, even if `opm` accepts the catalog.
    #[arg(long, value_enum)]
    pub(crate) deny: Vec<Denied>,
}

#[derive(Debug, Args)]
pub(crate) struct Explain {
    /// A rule, for example `skip-range-pruning`; a state of a namespace, for example `csv-gone`; a message as an event or a condition
    /// has it; a file with messages or objects, or `-` for standard input [default: list all rules and states].
    #[arg(conflicts_with = "file")]
    pub(crate) what: Vec<String>,
    /// A file with messages, with the YAML or JSON of objects or of their status, what `kubectl describe` prints, or tables.
    #[arg(long, value_name = "FILE", hide = true)]
    pub(crate) file: Option<PathBuf>,
    /// The output format.
    #[arg(long, short = 'o', value_enum, default_value_t = AnswerFormat::Text)]
    pub(crate) format: AnswerFormat,
}

#[derive(Debug, Args)]
pub(crate) struct UpdatePath {
    /// The catalog: a file, a folder, a saved image, or an archive. With `--catalog` the package.
    #[arg(value_name = "CATALOG")]
    pub(crate) first: String,
    /// The installed version or CSV; one that the catalog no longer lists, too.
    pub(crate) from: String,
    /// The version or CSV to reach.
    pub(crate) to: String,
    /// The channel of the Subscription [default: the default channel of the package].
    #[arg(long)]
    pub(crate) channel: Option<String>,
    #[command(flatten)]
    pub(crate) catalogs: CatalogArguments,
    /// The output format.
    #[arg(long, short = 'o', value_enum, default_value_t = AnswerFormat::Text)]
    pub(crate) format: AnswerFormat,
}

#[derive(Debug, Args)]
pub(crate) struct Reach {
    /// The catalog: a file, a folder, a saved image, or an archive. With `--catalog` the package.
    #[arg(value_name = "CATALOG")]
    pub(crate) first: String,
    /// Show only these installed versions or CSVs; also those that the catalog no longer lists [default: all that it knows].
    pub(crate) installed: Vec<String>,
    /// Show only this channel (repeatable).
    #[arg(long = "channel", value_name = "CHANNEL")]
    pub(crate) channels: Vec<String>,
    /// Show only versions that a channel lists and does not update to its head.
    #[arg(long)]
    pub(crate) stuck: bool,
    #[command(flatten)]
    pub(crate) catalogs: CatalogArguments,
    /// The output format.
    #[arg(long, short = 'o', value_enum, default_value_t = AnswerFormat::Text)]
    pub(crate) format: AnswerFormat,
}

#[derive(Debug, Args)]
pub(crate) struct Migrate {
    #[command(flatten)]
    pub(crate) cluster: ClusterArguments,
    /// The output format.
    #[arg(long, short = 'o', value_enum, default_value_t = MigrateFormat::Text)]
    pub(crate) format: MigrateFormat,
}

#[derive(Debug, Args)]
pub(crate) struct List {
    /// The catalogs: files, folders, saved images, archives of these, the output of `kubectl get packagemanifests -A -o json` (or `-o
    /// yaml`), or `-` for standard input.
    #[arg(required = true)]
    pub(crate) paths: Vec<PathBuf>,
    /// List only this package (repeatable).
    #[arg(long = "package", short, value_name = "PACKAGE")]
    pub(crate) packages: Vec<String>,
    /// Of catalogs for several versions of OpenShift, list only the one for this version.
    #[arg(long, value_name = "VERSION")]
    pub(crate) openshift: Option<OpenShift>,
    #[command(flatten)]
    pub(crate) opm: OpmArguments,
    /// The output format.
    #[arg(long, short = 'o', value_enum, default_value_t = AnswerFormat::Text)]
    pub(crate) format: AnswerFormat,
}

#[derive(Debug, Default, Args)]
pub(crate) struct Compare {
    /// The catalog before the change: a file, a folder, a saved image, an archive, `image:REF` for an image of a registry, or
    /// `git:REV:PATH` for the path at a revision of the git repository of the current folder, such as `git:origin/main:catalog`.
    pub(crate) before: PathBuf,
    /// The catalog after the change; not with `--image-set`.
    #[arg(required_unless_present = "image_set", conflicts_with = "image_set")]
    pub(crate) after: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) image_set: ImageSetArguments,
    /// Compare only this package (repeatable).
    #[arg(long = "package", value_name = "PACKAGE")]
    pub(crate) packages: Vec<String>,
    /// Of catalogs for several versions of OpenShift, compare only those for this version.
    #[arg(long, value_name = "VERSION")]
    pub(crate) openshift: Option<OpenShift>,
    /// Tell what becomes of the Subscriptions of this cluster, too: manifests as `kubectl get -o yaml` prints them, or the
    /// folder of a must-gather. Under OLM v1, its ClusterCatalogs and the selectors of its ClusterExtensions count.
    #[arg(long, value_name = "FILE")]
    pub(crate) cluster: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) facts: FactArguments,
    /// Another catalog of the cluster (repeatable), by the name of its CatalogSource or ClusterCatalog: it may have what
    /// versions require. It is the same before and after the change.
    #[arg(long = "catalog", value_name = "NAME=PATH", value_parser = named_path)]
    pub(crate) catalogs: Vec<NamedPath>,
    /// The versions of OLM whose rules decide [default: v0; v1 for a cluster with ClusterCatalogs alone]. What becomes of each
    /// Subscription of a cluster (`--cluster`) is always compared under OLM v0.
    #[arg(long, value_enum)]
    pub(crate) runtime: Option<Runtime>,
    /// A YAML file that maps ids of rules to `breaking`, `risky`, `neutral`, `good` or `off`.
    #[arg(long, value_name = "FILE")]
    pub(crate) levels: Option<PathBuf>,
    /// Exit with code 1 if there are findings of this level or a worse one, or something cannot be compared.
    #[arg(long, value_enum, value_name = "LEVEL")]
    pub(crate) deny: Option<DeniedLevel>,
    #[command(flatten)]
    pub(crate) opm: OpmArguments,
    /// The output format.
    #[arg(long, short = 'o', value_enum, default_value_t = CompareFormat::Text)]
    pub(crate) format: CompareFormat,
    /// The levels as a review has read them, in place of the file.
    #[arg(skip)]
    pub(crate) levels_text: Option<String>,
    /// Whether comments of the state before decide what is ignored, as in a review.
    #[arg(skip)]
    pub(crate) by_comments_before: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Repair {
    /// The catalog: a file, a folder, a saved image, or an archive.
    pub(crate) catalog: PathBuf,
    /// The catalog before a change, as in `compare`: what it lists may be installed, and the updates that it had are kept.
    #[arg(long, alias = "since", value_name = "PATH")]
    pub(crate) before: Option<PathBuf>,
    /// Repair only this package (repeatable).
    #[arg(long = "package", value_name = "PACKAGE")]
    pub(crate) packages: Vec<String>,
    /// Repair only this channel (repeatable).
    #[arg(long = "channel", value_name = "CHANNEL")]
    pub(crate) channels: Vec<String>,
    /// A version or CSV that nobody may be updated to, such as a withdrawn release (repeatable).
    #[arg(long, value_name = "VERSION")]
    pub(crate) avoid: Vec<String>,
    /// Also bring what the Subscriptions of this cluster have installed to the head: manifests as `kubectl get -o yaml` prints
    /// them, or the folder of a must-gather.
    #[arg(long, value_name = "FILE")]
    pub(crate) cluster: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) facts: FactArguments,
    /// Of catalogs for several versions of OpenShift, repair only the one for this version.
    #[arg(long, value_name = "VERSION")]
    pub(crate) openshift: Option<OpenShift>,
    /// Apply the first repair of each channel to the files.
    #[arg(long)]
    pub(crate) write: bool,
    #[command(flatten)]
    pub(crate) opm: OpmArguments,
    /// The output format.
    #[arg(long, short = 'o', value_enum, default_value_t = AnswerFormat::Text)]
    pub(crate) format: AnswerFormat,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Runtime {
    /// OLM v0: Subscriptions.
    V0,
    /// OLM v1: ClusterExtensions.
    V1,
    /// Both, side by side.
    Both,
}

impl From<Runtime> for views::Runtime {
    fn from(runtime: Runtime) -> Self {
        match runtime {
            Runtime::V0 => Self::V0,
            Runtime::V1 => Self::V1,
            Runtime::Both => Self::Both,
        }
    }
}

/// A file for an answer, with the format that its name ends with.
fn save_path(text: &str) -> Result<(CompareFormat, PathBuf), String> {
    let path = PathBuf::from(text);
    let format = match path.extension().and_then(|extension| extension.to_str()) {
        Some("md") => CompareFormat::Markdown,
        Some("html") => CompareFormat::Html,
        Some("json") => CompareFormat::Json,
        Some("sarif") => CompareFormat::Sarif,
        Some("txt") => CompareFormat::Text,
        _ => return Err("expected a name that ends with .md, .html, .json, .sarif or .txt".to_owned()),
    };
    Ok((format, path))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum DeniedLevel {
    /// Somebody is harmed.
    Breaking,
    /// Somebody may be harmed.
    Risky,
}

impl DeniedLevel {
    pub(crate) const fn level(self) -> views::Level {
        match self {
            Self::Breaking => views::Level::Breaking,
            Self::Risky => views::Level::Risky,
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct Review {
    /// The catalog after the change: a file or a folder, or a folder with catalogs for several versions of OpenShift.
    pub(crate) catalog: PathBuf,
    /// The catalog before the change, such as `git:origin/main:catalog` or `image:REF`. If the revision has its packages elsewhere,
    /// and that is gone now, this is the state before.
    #[arg(long, value_name = "PATH")]
    pub(crate) before: Option<PathBuf>,
    /// Exit with code 1 also for differences and new findings of this level or a worse one, or if something cannot be compared. Errors
    /// are breaking, warnings are risky.
    #[arg(long, value_enum, value_name = "LEVEL", default_value_t = DeniedLevel::Breaking)]
    pub(crate) deny: DeniedLevel,
    /// A YAML file that maps ids of rules to levels, in place of `.opscope.yaml`.
    #[arg(long, value_name = "FILE")]
    pub(crate) levels: Option<PathBuf>,
    /// Let settings, levels and comments count as the change has them. Without this, those of the state before count, and what the
    /// change adds is listed.
    #[arg(long)]
    pub(crate) trust_settings: bool,
    #[command(flatten)]
    pub(crate) opm: OpmArguments,
    /// The output format.
    #[arg(long, short = 'o', value_enum, default_value_t = CompareFormat::Text)]
    pub(crate) format: CompareFormat,
    /// Also write the answer to this file, in the format that its name ends with (repeatable): `.md`, `.html`, `.json`, `.sarif` or
    /// `.txt`. A symbolic link of this name is replaced.
    #[arg(long, value_name = "FILE", value_parser = save_path)]
    pub(crate) save: Vec<(CompareFormat, PathBuf)>,
}

#[derive(Debug, Args)]
pub(crate) struct Set {
    /// A folder with the catalogs, such as one with `v4.18` and `v4.19`, or with bundle directories, or an archive of it, or
    /// `git:REV:PATH`. Several paths are the catalogs themselves, with versions of OpenShift in their names.
    #[arg(required = true)]
    pub(crate) paths: Vec<PathBuf>,
    /// The same catalogs before a change, such as `git:origin/main:catalogs`: say what the change does to each, and list only
    /// findings that are new. `opscope review` does the same, and more.
    #[arg(long, value_name = "PATH", hide = true)]
    pub(crate) before: Option<PathBuf>,
    /// Exit with code 1 also for such findings. Errors have it anyway, and with `--before` changes that are breaking.
    #[arg(long, value_enum, value_name = "LEVEL")]
    pub(crate) deny: Vec<DeniedOfSet>,
    #[command(flatten)]
    pub(crate) opm: OpmArguments,
    /// The output format.
    #[arg(long, short = 'o', value_enum, default_value_t = CompareFormat::Text)]
    pub(crate) format: CompareFormat,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Denied {
    /// Likely mistakes that `opm` accepts.
    Warnings,
}

/// What a set has: findings, and with `--before` levels of changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum DeniedOfSet {
    /// Findings that are warnings.
    Warnings,
    /// Changes that harm somebody.
    #[value(hide = true)]
    Breaking,
    /// Changes that may harm somebody.
    #[value(hide = true)]
    Risky,
}

/// Parses the id of a rule.
fn rule(id: &str) -> Result<Rule, String> {
    let near = || session::proposed(id, Rule::ALL.iter().map(|rule| rule.id()));
    id.parse::<Rule>()
        .map_err(|_| names::did_you_mean("there is no such rule; `opscope explain` lists them", &near()).text())
}

// Arguments of images in registries.

// How every command pulls what `image:REF` names.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Images of registries (`image:REF` in place of a path)")]
pub(crate) struct ImageArguments {
    /// Use only what was pulled before, without the network.
    #[arg(long, global = true)]
    pub(crate) offline: bool,
    /// Pull the image for this platform; linux/amd64 by default. Catalogs are the same for all of them.
    #[arg(long, global = true, value_name = "OS/ARCHITECTURE")]
    pub(crate) platform: Option<String>,
    /// Pull without TLS, such as from a registry on this computer.
    #[arg(long, global = true)]
    pub(crate) plain_http: bool,
}

// The arguments of `open`.

#[derive(Debug, Args)]
pub(crate) struct Open {
    /// What to open: files, folders, archives, saved images, catalogs for several versions of OpenShift, manifests of a cluster, `image:REF`
    /// for an image of a registry, or `git:REV:PATH` for a path at a revision of the git repository of the current folder.
    pub(crate) paths: Vec<PathBuf>,
    /// The catalog before a change: the page opens with the comparison. Such as `git:origin/main:catalog`.
    #[arg(long, alias = "baseline", value_name = "PATH")]
    pub(crate) before: Option<PathBuf>,
    /// The cluster to simulate: manifests as `kubectl get -o yaml` prints them, the folder of a must-gather, or `live` for the one
    /// that kubectl reaches, with its catalogs; what changes there is shown.
    #[arg(long, value_name = "FILE")]
    pub(crate) cluster: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) running: RunningArguments,
    /// Let the page save edits to the files that they come from, never to one that changed meanwhile.
    #[arg(long)]
    pub(crate) write: bool,
    /// The port on 127.0.0.1 [default: a free one].
    #[arg(long)]
    pub(crate) port: Option<u16>,
    /// Print the address, and open no browser.
    #[arg(long)]
    pub(crate) no_browser: bool,
    /// A folder with a built page, or with one that is unpacked from `dist.tar.gz` of a release [default: the page in the program].
    #[arg(long, value_name = "FOLDER")]
    pub(crate) page: Option<PathBuf>,
}

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn the_definition_is_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn each_command_of_a_group_is_in_the_first_help() {
        let all = Arguments::command();
        let names: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| names.iter().copied()).collect();
        assert!(names.len() <= 16, "{names:?}");
        for name in names {
            let shown = all.find_subcommand(name).and_then(clap::Command::get_about).map(ToString::to_string);
            assert!(shown.is_some_and(|about| about.len() < 90), "{name}");
        }
    }
}
