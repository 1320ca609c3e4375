//! The formats of answers, as `--format` names them.

use crate::served::Form;
use clap::ValueEnum;

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum AnswerFormat {
    /// Text for people.
    Text,
    /// Markdown.
    Markdown,
    /// JSON for programs.
    Json,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum RenderFormat {
    /// JSON objects, one after the other.
    Json,
    /// YAML documents.
    Yaml,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum TemplateFormat {
    /// The catalog as `opm alpha render-template -o yaml` prints it, with findings on standard error.
    Yaml,
    /// The catalog as `opm alpha render-template -o json` prints it, with findings on standard error.
    OpmJson,
    /// Packages with their channels, errors and findings, as JSON; `json` is another name of it.
    #[value(alias = "json")]
    Summary,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum MigrateFormat {
    /// Text for people.
    Text,
    /// Markdown.
    Markdown,
    /// JSON for programs: the report and the manifests.
    Json,
    /// The manifests to apply: ClusterCatalogs and ClusterExtensions.
    Yaml,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum CompareFormat {
    /// Text for people.
    #[default]
    Text,
    /// JSON for programs.
    Json,
    /// Markdown, for the comment of a pull request.
    Markdown,
    /// One file for a browser, with drawings of the update graphs and without scripts.
    Html,
    /// SARIF 2.1.0, for code scanners.
    Sarif,
    /// Workflow commands of GitHub Actions.
    Github,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FindingsFormat {
    /// Text for people.
    Text,
    /// JSON for programs.
    Json,
    /// SARIF 2.1.0, for code scanners.
    Sarif,
    /// Workflow commands of GitHub Actions.
    Github,
    /// What `opm validate -o json` prints; for one catalog.
    OpmJson,
    /// What `opm validate -o yaml` prints; for one catalog.
    OpmYaml,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum GraphFormat {
    /// The drawing as data: lanes, nodes, edges and bands with their positions.
    Json,
    /// As `opm alpha render-graph` prints it.
    Mermaid,
    /// Graphviz.
    Dot,
}

impl From<AnswerFormat> for CompareFormat {
    fn from(format: AnswerFormat) -> Self {
        match format {
            AnswerFormat::Text => Self::Text,
            AnswerFormat::Markdown => Self::Markdown,
            AnswerFormat::Json => Self::Json,
        }
    }
}

impl From<AnswerFormat> for Form {
    fn from(format: AnswerFormat) -> Self {
        match format {
            AnswerFormat::Text => Self::Text,
            AnswerFormat::Markdown => Self::Markdown,
            AnswerFormat::Json => Self::Json,
        }
    }
}
