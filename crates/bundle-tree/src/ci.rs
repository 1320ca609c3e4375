//! `ci.yaml` of an operator's folder, which the pipelines of the community catalogs read (operator-pipelines
//! `operatorcert/schemas/ci-schema.json`), and `release-config.yaml` of a bundle.

use bundle::File;
use fbc::{Node, Value, yaml_document};
use source::{BundleMode, Diagnostic, Rule, Span, Spanned};

/// What `ci.yaml` says of the rules.
#[derive(Debug, Default)]
pub(crate) struct Ci {
    pub(crate) mode: Option<BundleMode>,
    /// Where the channels come from catalog templates.
    pub(crate) fbc: Option<Fbc>,
}

/// `fbc`, where it is enabled.
#[derive(Debug)]
pub struct Fbc {
    /// Where it begins.
    pub(crate) span: Span,
    /// `catalog_mapping`, without items that the pipelines refuse.
    pub mappings: Vec<Mapping>,
    /// Where this list begins; absent if there is none.
    pub list: Option<Span>,
    /// Whether `version_promotion_strategy` says how the operator gets into catalogs for new versions of OpenShift.
    pub has_promotion_strategy: bool,
}

/// An item of `fbc.catalog_mapping`.
#[derive(Clone, Debug)]
pub struct Mapping {
    /// The name of the file in `catalog-templates/`.
    pub template: String,
    /// The names of the catalogs that are made of it.
    pub catalogs: Vec<Spanned<Box<str>>>,
    /// The kind of the template.
    pub kind: MappingKind,
}

/// What the `ci.yaml` of an operator says of its templates; `None` if its channels do not come from templates.
#[must_use]
pub fn enabled_fbc(ci: &File<'_>) -> Option<Fbc> {
    read(ci, &mut Vec::new()).fbc
}

/// The kinds of templates that the pipelines know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MappingKind {
    /// `olm.template.basic`
    Basic,
    /// `olm.semver`
    Semver,
}

/// Reads the file, with findings about what is not followed.
pub(crate) fn read(file: &File<'_>, findings: &mut Vec<Diagnostic>) -> Ci {
    let mut ci = Ci::default();
    let Some(node) = document(file, findings) else { return ci };
    let is_enabled = |node: &&Node| node.get("enabled").is_some_and(|enabled| enabled.value == Value::Bool(true));
    ci.fbc = node.get("fbc").filter(is_enabled).map(|fbc| Fbc {
        span: fbc.span.at_start(),
        mappings: fbc.get("catalog_mapping").map(|list| mappings(list, findings)).unwrap_or_default(),
        list: fbc.get("catalog_mapping").map(|list| list.span.at_start()),
        has_promotion_strategy: fbc.get("version_promotion_strategy").is_some(),
    });
    let Some(graph) = node.get("updateGraph").filter(|graph| graph.value != Value::Null) else { return ci };
    let name = graph.as_str().unwrap_or_default();
    ci.mode = match name {
        "replaces-mode" => Some(BundleMode::Replaces),
        "semver-mode" => Some(BundleMode::Semver),
        "semver-skippatch-mode" => Some(BundleMode::SemverSkippatch),
        _ => None,
    };
    if ci.fbc.is_some() {
        let message = "FBC is enabled, updateGraph cannot be defined.";
        findings.push(unfollowed(graph.span, message).with_help("remove `updateGraph` or `fbc`"));
    } else if ci.mode.is_none() {
        let message = "`updateGraph` names no mode, so the rules of replaces mode are used";
        findings.push(unfollowed(graph.span, message).with_help("write `replaces-mode` or `semver-mode`"));
    }
    ci
}

fn mappings(list: &Node, findings: &mut Vec<Diagnostic>) -> Vec<Mapping> {
    let mut mappings = Vec::new();
    for item in items(list) {
        let Some(template) = text(item, "template_name") else {
            findings.push(unfollowed(item.span.at_start(), "an item of `catalog_mapping` needs a `template_name`"));
            continue;
        };
        let kind = match text(item, "type").as_deref() {
            Some("olm.template.basic") => MappingKind::Basic,
            Some("olm.semver") => MappingKind::Semver,
            kind => {
                let kind = kind.unwrap_or_default();
                let message = format!("Unknown template type '{kind}' in ci.yaml.");
                let help = "write `olm.template.basic` or `olm.semver`";
                findings.push(unfollowed(item.span.at_start(), &message).with_help(help));
                continue;
            }
        };
        let names = item.get("catalog_names").map(items).unwrap_or_default().iter();
        let catalogs = names.filter_map(|name| Some(Spanned::new(name.as_str()?.into(), name.span))).collect();
        mappings.push(Mapping { template, catalogs, kind });
    }
    mappings
}

/// The document of a file that the pipelines read.
pub(crate) fn document(file: &File<'_>, findings: &mut Vec<Diagnostic>) -> Option<Node> {
    let read = match file.fault {
        Some(fault) => Err(Box::new(fault.clone())),
        None => yaml_document(file.id, file.text),
    };
    match read {
        Ok(document) => Some(document.node),
        Err(fault) => {
            let name = file.path.rsplit('/').next().unwrap_or_default();
            let message = format!("`{name}` cannot be read: {}", fault.message);
            findings.push(unfollowed(fault.span, &message).with_help("correct it"));
            None
        }
    }
}

/// The finding about something that is not followed.
pub(crate) fn unfollowed(span: Span, message: &str) -> Diagnostic {
    Diagnostic::new(Rule::UnfollowedCi, span, message)
}

/// The items of a list; none for anything else.
pub(crate) fn items(node: &Node) -> &[Node] {
    match &node.value {
        Value::Sequence(items) => items,
        _ => &[],
    }
}

/// A field that is a text and not empty.
pub(crate) fn text(node: &Node, field: &str) -> Option<String> {
    node.get(field)?.as_str().filter(|text| !text.is_empty()).map(str::to_owned)
}

/// A field that is a list of texts.
fn texts(node: &Node, field: &str) -> Vec<String> {
    node.get(field).map(items).unwrap_or_default().iter().filter_map(Node::as_str).map(str::to_owned).collect()
}

// `release-config.yaml` next to a bundle: how the pipelines add the bundle to catalog templates.

/// An item of `catalog_templates`: a template that the bundle is added to.
#[derive(Debug)]
pub(crate) struct Release {
    /// The name of the template's file.
    pub(crate) template: String,
    /// The channels that the bundle gets an entry in; of an `olm.semver` template the lists that get its image.
    pub(crate) channels: Vec<String>,
    pub(crate) default_channel: Option<String>,
    pub(crate) replaces: Option<String>,
    pub(crate) skips: Vec<String>,
    pub(crate) skip_range: Option<String>,
    /// Where the item stands.
    pub(crate) span: Span,
}

/// The fields of an item of `catalog_templates`.
const FIELDS: [&str; 6] = ["template_name", "channels", "defaultChannel", "replaces", "skips", "skipRange"];

/// Reads the file, with findings about what is not followed.
pub(crate) fn read_release_config(file: &File<'_>, findings: &mut Vec<Diagnostic>) -> Vec<Release> {
    let Some(node) = document(file, findings) else { return Vec::new() };
    unknown_fields(&node, &["catalog_templates", "merge"], findings);
    let Some(list) = node.get("catalog_templates") else {
        let message = "`release-config.yaml` has no `catalog_templates`, so the bundle is added to no catalog";
        let help = "list the templates with the channels that the bundle is for";
        findings.push(unfollowed(node.span.at_start(), message).with_help(help));
        return Vec::new();
    };
    let mut releases = Vec::new();
    for item in items(list) {
        let span = item.span.at_start();
        unknown_fields(item, &FIELDS, findings);
        let (template, channels) = (text(item, "template_name"), texts(item, "channels"));
        let Some(template) = template.filter(|_| !channels.is_empty()) else {
            let message = "an item of `catalog_templates` needs a `template_name` and one of the `channels` at least";
            findings.push(unfollowed(span, message));
            continue;
        };
        releases.push(Release {
            template,
            channels,
            default_channel: text(item, "defaultChannel"),
            replaces: text(item, "replaces"),
            skips: texts(item, "skips"),
            skip_range: text(item, "skipRange"),
            span,
        });
    }
    releases
}

/// Says which fields of a mapping have no meaning.
fn unknown_fields(node: &Node, known: &[&str], findings: &mut Vec<Diagnostic>) {
    let Value::Mapping(fields) = &node.value else { return };
    for (name, _) in fields.iter().filter(|(name, _)| !known.contains(&&*name.value)) {
        let message = format!("`release-config.yaml` has no field `{}` here", name.value);
        let help =
            format!("write one of {}", known.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", "));
        findings.push(unfollowed(name.span, &message).with_help(help));
    }
}
