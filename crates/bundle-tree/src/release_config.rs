//! `release-config.yaml` next to a bundle: how the pipelines add the bundle to catalog templates.

use crate::ci::{document, items, text, texts, unfollowed};
use bundle::File;
use fbc::{Node, Value};
use source::{Diagnostic, Span};

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
pub(crate) fn read(file: &File<'_>, findings: &mut Vec<Diagnostic>) -> Vec<Release> {
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
