//! The arguments.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use source::Rule;
use std::path::PathBuf;

/// Shows what the Operator Lifecycle Manager will do with file-based catalogs.
#[derive(Debug, Parser)]
#[command(name = "opscope", version, about)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Says what is wrong or risky in catalogs, and whether `opm validate` accepts them.
    Validate(Validate),
    /// Explains a rule that findings come from, with an example that fails and one that passes; without one lists all.
    Explain(Explain),
    /// Says what OLM installs and updates, hop by hop.
    Resolve(Resolve),
    /// Matches versions against ranges as OLM does (blang/semver).
    Range(Range),
    /// Evaluates a rule of `olm.constraint` as OLM does (cel-go).
    Cel(Cel),
    /// Prints the update graph of a catalog's packages.
    Graph(Graph),
    /// Expands a catalog template as `opm alpha render-template` does.
    Template(Template),
}

#[derive(Debug, Args)]
pub(crate) struct Validate {
    /// Catalogs: files, folders read as `opm` reads them, or `-` for standard input.
    #[arg(required = true)]
    pub(crate) paths: Vec<PathBuf>,
    /// How to print the findings.
    #[arg(long, value_enum, default_value_t = FindingsFormat::Text)]
    pub(crate) format: FindingsFormat,
    /// Shows the findings of this rule only; may be given several times. The verdict stays that on the whole catalog.
    #[arg(long = "rule", value_name = "RULE", value_parser = rule(), hide_possible_values = true)]
    pub(crate) rules: Vec<Rule>,
    /// Ends with exit code 1 when there are such findings, though `opm` accepts the catalog.
    #[arg(long, value_enum)]
    pub(crate) deny: Vec<Denied>,
}

#[derive(Debug, Args)]
pub(crate) struct Explain {
    /// The rule, `skip-range-pruning` say.
    #[arg(value_parser = rule(), hide_possible_values = true)]
    pub(crate) rule: Option<Rule>,
    /// How to print it.
    #[arg(long, value_enum, default_value_t = ReportFormat::Text)]
    pub(crate) format: ReportFormat,
}

#[derive(Debug, Args)]
pub(crate) struct Resolve {
    /// Manifests of the cluster, as `kubectl get catalogsource,subscription,csv,operatorgroup -o yaml` prints them.
    #[arg(long, value_name = "FILE")]
    pub(crate) cluster: PathBuf,
    /// What a CatalogSource serves; may be given several times.
    #[arg(long = "catalog", value_name = "NAME=PATH", value_parser = named_path)]
    pub(crate) catalogs: Vec<(String, PathBuf)>,
    /// At most so many resolutions, one after the other.
    #[arg(long, default_value_t = 12)]
    pub(crate) steps: u32,
    /// How to print the answer.
    #[arg(long, value_enum, default_value_t = ReportFormat::Text)]
    pub(crate) format: ReportFormat,
}

#[derive(Debug, Args)]
pub(crate) struct Range {
    /// The range; not with `--jsonl`.
    #[arg(required_unless_present = "jsonl", conflicts_with = "jsonl")]
    pub(crate) range: Option<String>,
    /// Versions to match.
    #[arg(conflicts_with = "jsonl")]
    pub(crate) versions: Vec<String>,
    /// Reads lines `{"range": ..., "versions": [...]}` from standard input and prints a line for each.
    #[arg(long)]
    pub(crate) jsonl: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Cel {
    /// The rule; not with `--jsonl`.
    #[arg(required_unless_present = "jsonl", conflicts_with = "jsonl")]
    pub(crate) rule: Option<String>,
    /// The properties of a bundle: a file with a list of `type` and `value`, in YAML or JSON.
    #[arg(long, value_name = "FILE", conflicts_with = "jsonl")]
    pub(crate) properties: Option<PathBuf>,
    /// Reads lines `{"rule": ..., "properties": [...]}` from standard input and prints a line for each.
    #[arg(long)]
    pub(crate) jsonl: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Graph {
    /// The catalog: a file, or a folder read as `opm` reads it.
    pub(crate) path: PathBuf,
    /// Only this package.
    #[arg(long, short)]
    pub(crate) package: Option<String>,
    /// How to print the graphs.
    #[arg(long, value_enum, default_value_t = GraphFormat::Mermaid)]
    pub(crate) format: GraphFormat,
}

#[derive(Debug, Args)]
pub(crate) struct Template {
    /// An `olm.semver` or `olm.template.basic` template, or `-` for standard input.
    pub(crate) file: PathBuf,
    /// A catalog that has bundles of the template's images, which no registry is asked for; may be given several times.
    #[arg(long = "catalog", value_name = "NAME=PATH", value_parser = named_path)]
    pub(crate) catalogs: Vec<(String, PathBuf)>,
    /// How to print the catalog.
    #[arg(long, value_enum, default_value_t = TemplateFormat::Yaml)]
    pub(crate) format: TemplateFormat,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum TemplateFormat {
    /// The catalog as `opm` prints it; what is wrong on standard error.
    Yaml,
    /// Packages with their channels, errors and findings.
    Json,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReportFormat {
    /// For people.
    Text,
    /// For programs.
    Json,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FindingsFormat {
    /// For people.
    Text,
    /// For programs.
    Json,
    /// SARIF 2.1.0, for code scanners.
    Sarif,
    /// Workflow commands of GitHub Actions.
    Github,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Denied {
    /// What `opm` accepts and is very likely not meant.
    Warnings,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum GraphFormat {
    /// The drawing as data: lanes, nodes, edges and bands with their places.
    Json,
    /// As `opm alpha render-graph` prints it.
    Mermaid,
    /// Graphviz.
    Dot,
}

/// Reads the id of a rule; a wrong one is answered with the nearest.
fn rule() -> impl TypedValueParser<Value = Rule> {
    PossibleValuesParser::new(Rule::ALL.iter().map(|rule| rule.id())).try_map(|id| id.parse::<Rule>())
}

fn named_path(text: &str) -> Result<(String, PathBuf), String> {
    match text.split_once('=') {
        Some((name, path)) if !name.is_empty() && !path.is_empty() => Ok((name.to_owned(), path.into())),
        _ => Err("expected NAME=PATH, the name of a CatalogSource and a file or folder".to_owned()),
    }
}
