//! The expansion of a template as a value, with what `opm` says of it.

use ::source::{Diagnostic, FileId, LineIndex};
use go_semver::blang::Quoted;
use schemars::JsonSchema;
use serde::Serialize;
use session::Documents;
use session::Workbench;
use template::{Channel, Entry, ExpandedCatalog, Expansion, Images, RenderStatus, TemplateKind, expand_as};

/// The id of the template's file, which no file of a catalog has.
const FILE: FileId = FileId(u32::MAX);

/// What a template expands to.
#[derive(JsonSchema, Serialize)]
pub struct ExpansionReport {
    pub schema: &'static str,
    /// The package of a template that `opm` expands, where the template has one.
    #[serde(flatten)]
    pub package: Option<ExpandedPackage>,
    /// The bundles of an `olm.template.substitutes` template, sorted by name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bundles: Option<Vec<String>>,
    /// The packages, where there may be several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub packages: Option<Vec<ExpandedPackage>>,
    /// The error that `opm` prints instead of a catalog, or the image that it would ask a registry for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// Why `opm` cannot tell the kind of the template, where no type is given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detection_error: Option<String>,
    /// Other errors that `opm` may print instead, by chance.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub other_errors: Vec<String>,
    /// The packages that can be expanded although there is an error.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub partial: Vec<ExpandedPackage>,
    /// Images that no catalog has.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub needs_registry: Vec<String>,
    pub findings: Vec<TemplateFinding>,
}

/// A package of the expanded catalog.
#[derive(Default, JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ExpandedPackage {
    pub package: String,
    pub default_channel: String,
    pub channels: Vec<ExpandedChannel>,
}

/// A channel of a package.
#[derive(JsonSchema, Serialize)]
pub struct ExpandedChannel {
    pub name: String,
    /// Sorted by name.
    pub entries: Vec<ExpandedEntry>,
}

/// An entry of a channel.
#[derive(JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ExpandedEntry {
    pub name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replaces: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub skips: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skip_range: Option<String>,
}

/// A finding in a template.
#[derive(JsonSchema, Serialize)]
pub struct TemplateFinding {
    pub rule: &'static str,
    pub severity: &'static str,
    pub message: String,
    pub help: Option<String>,
    /// The line that `opm alpha render-template` prints when this is what it finds first.
    pub opm: Option<String>,
    pub line: u32,
    pub column: u32,
}

/// A template that was expanded.
pub struct Expanded {
    pub report: ExpansionReport,
    /// The catalog, unless `opm` prints an error instead; or why a value in it cannot be written.
    pub catalog: Option<Result<Documents, String>>,
    /// Whether `opm` would print the same catalog.
    pub is_accepted: bool,
}

/// A name that is no type of templates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoTemplateType {
    /// What `opm` says.
    pub message: String,
}

/// Whether `opm` knows a type of templates by this name.
///
/// # Errors
/// When it does not.
pub fn template_type(name: &str) -> Result<(), NoTemplateType> {
    kind(name).map(|_| ()).ok_or_else(|| {
        let types = TemplateKind::ALL.map(TemplateKind::type_name).join(" ");
        NoTemplateType { message: format!("invalid template type {}, must be one of: [{types}]", Quoted(name)) }
    })
}

fn kind(name: &str) -> Option<TemplateKind> {
    TemplateKind::ALL.into_iter().find(|kind| name == kind.type_name())
}

/// Expands the text of a template, with the bundles of all catalogs by their images. Without a type it is found in the text.
#[must_use]
pub fn expand_template(workbench: &Workbench, type_name: Option<&str>, text: &str) -> Expanded {
    let mut images = Images::default();
    for file in workbench.catalogs().iter().flat_map(|catalog| &catalog.files) {
        images.add(&file.text, file.parse());
    }
    let kind = type_name.and_then(kind);
    let expansion = expand_as(kind, FILE, text, &images);
    let detection_error = if kind.is_none() { template::detection_error(FILE, text) } else { None };
    let is_rejected = matches!(expansion.status, RenderStatus::Rejected(_));
    Expanded {
        report: ExpansionReport { detection_error, ..report(&expansion, text) },
        catalog: expansion.catalog.as_ref().filter(|_| !is_rejected).map(documents),
        is_accepted: expansion.status == RenderStatus::Accepted,
    }
}

/// The documents as `opm` reads and prints them.
fn documents(catalog: &ExpandedCatalog) -> Result<Documents, String> {
    Documents::of(FILE, &catalog.to_yaml()).map_err(|error| error.to_string())
}

fn report(expansion: &Expansion, text: &str) -> ExpansionReport {
    let mut errors = errors(expansion).into_iter();
    let error = errors.next();
    let packages = expansion.catalog.as_ref().map(packages).unwrap_or_default();
    let (mut package, mut bundles, mut listed, mut partial) = (None, None, None, Vec::new());
    match expansion.kind {
        _ if error.is_some() => partial = packages,
        TemplateKind::Semver => package = packages.into_iter().next(),
        TemplateKind::Basic => listed = Some(packages),
        TemplateKind::Substitutes => {
            bundles = Some(expansion.catalog.as_ref().map(bundle_names).unwrap_or_default());
            match <[ExpandedPackage; 1]>::try_from(packages) {
                Ok([only]) => package = Some(only),
                Err(packages) if packages.is_empty() => package = Some(ExpandedPackage::default()),
                Err(packages) => listed = Some(packages),
            }
        }
    }
    ExpansionReport {
        schema: expansion.kind.schema(),
        package,
        bundles,
        packages: listed,
        error,
        detection_error: None,
        other_errors: errors.collect(),
        partial,
        needs_registry: expansion.missing.iter().map(ToString::to_string).collect(),
        findings: findings(expansion, text),
    }
}

/// Why there is no catalog, the likeliest error first.
fn errors(expansion: &Expansion) -> Vec<String> {
    match &expansion.status {
        RenderStatus::Rejected(lines) | RenderStatus::NeedsRegistry(lines) => lines.clone(),
        RenderStatus::TooLarge => vec!["the template or its catalog is too large".to_owned()],
        RenderStatus::Accepted => Vec::new(),
    }
}

fn bundle_names(catalog: &ExpandedCatalog) -> Vec<String> {
    let bundles = catalog.documents.iter().filter(|document| &*document.schema == "olm.bundle");
    let mut names: Vec<String> = bundles.map(|bundle| bundle.name.to_string()).collect();
    names.sort_unstable();
    names
}

fn packages(catalog: &ExpandedCatalog) -> Vec<ExpandedPackage> {
    let package = |package: &template::Package| ExpandedPackage {
        package: package.name.to_string(),
        default_channel: package.default_channel.to_string(),
        channels: channels(catalog.channels.iter().filter(|channel| channel.package == package.name)),
    };
    catalog.packages.iter().map(package).collect()
}

fn channels<'a>(channels: impl Iterator<Item = &'a Channel>) -> Vec<ExpandedChannel> {
    let mut rows: Vec<ExpandedChannel> = channels
        .map(|channel| {
            let mut entries: Vec<ExpandedEntry> = channel.entries.iter().map(entry).collect();
            entries.sort_by(|one, other| one.name.cmp(&other.name));
            ExpandedChannel { name: channel.name.to_string(), entries }
        })
        .collect();
    rows.sort_by(|one, other| one.name.cmp(&other.name));
    rows
}

fn entry(entry: &Entry) -> ExpandedEntry {
    let mut skips: Vec<String> = entry.skips.iter().map(ToString::to_string).collect();
    skips.sort();
    ExpandedEntry {
        name: entry.name.to_string(),
        replaces: entry.replaces.as_ref().map(ToString::to_string),
        skips,
        skip_range: entry.skip_range.as_ref().map(ToString::to_string),
    }
}

fn findings(expansion: &Expansion, text: &str) -> Vec<TemplateFinding> {
    let lines = LineIndex::new(text);
    let row = |finding: &Diagnostic| {
        let at = lines.position(text, finding.span.start);
        TemplateFinding {
            rule: finding.rule.id(),
            severity: finding.severity.as_str(),
            message: finding.message.clone(),
            help: finding.help.clone(),
            opm: finding.opm.clone(),
            line: at.line,
            column: at.column,
        }
    };
    expansion.diagnostics.iter().map(row).collect()
}
