//! What oc-mirror makes of a catalog by an ImageSetConfiguration. Sentences have names in backticks.

use crate::{CatalogId, Severity};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use source::OcMirror;

/// The question what a mirror has of a catalog.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MirrorInput {
    pub catalog: CatalogId,
    /// The text of the configuration.
    pub config: String,
    /// The index of the item of `mirror.operators` that is about the catalog, if the user chose one.
    pub chosen: Option<u32>,
    pub release: OcMirror,
    /// The names of the installed CSVs; every version of the catalog may be installed if there is none.
    pub installed: Vec<String>,
}

impl MirrorInput {
    /// The question about a configuration, with nothing chosen.
    #[must_use]
    pub fn of(catalog: CatalogId, config: String) -> Self {
        Self { catalog, config, chosen: None, release: OcMirror::default(), installed: Vec::new() }
    }
}

/// What a mirror has of a catalog.
#[derive(Clone, Debug, Default, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct MirrorView {
    pub catalog: CatalogId,
    /// Which oc-mirror filters, in words.
    pub follows: String,
    /// The catalogs of the configuration, in the order of its text.
    pub catalogs: Vec<String>,
    /// The index of the one that was taken. If it is absent although there are several, the user has to choose.
    pub chosen: Option<u32>,
    /// The baseline that was added: the catalog as the mirror serves it. Absent if oc-mirror stops, or nothing was chosen.
    pub mirrored: Option<CatalogId>,
    /// What oc-mirror rejects, loses or adds.
    pub findings: Vec<MirrorFinding>,
    /// For each package or channel with bounds: the highest `minVersion` that strands nobody.
    pub min_versions: Vec<MinVersionView>,
}

/// A finding in a configuration.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct MirrorFinding {
    /// The kebab-case id of its rule.
    pub rule: String,
    /// How bad.
    pub severity: Severity,
    /// What is wrong.
    pub message: String,
    pub help: Option<String>,
    /// The line, from 1.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
}

/// The highest `minVersion` that strands no installed version: it makes the smallest mirror that harms nobody.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct MinVersionView {
    pub package: String,
    /// The channel, if the bounds are those of a channel.
    pub channel: Option<String>,
    /// How many installed versions the configuration strands as it is.
    pub stranded: u32,
    /// How many bundles the mirror has of it with the configuration as it is; absent if there is no mirror that can be served.
    pub kept: Option<u32>,
    /// The answer; absent if there is none.
    pub min_version: Option<String>,
    /// How many bundles the mirror has with that.
    pub kept_then: Option<u32>,
    /// The answer as a sentence.
    pub text: String,
}
