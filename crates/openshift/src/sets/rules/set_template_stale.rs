//! `set-template-stale`

use crate::sets::finding::Finding;
use crate::sets::set::{CatalogSet, Member};
use bundle_tree::{Fbc, MappingKind};
use catalog::Package;
use source::{Rule, Span, name_list};
use std::collections::{BTreeMap, BTreeSet};
use template::{ExpandedCatalog, Images, expand};

/// The edges of an entry: what it replaces, its skips and its skipRange.
type Edges = (String, Vec<String>, String);
/// The entries of each channel.
type Channels = BTreeMap<String, BTreeMap<String, Edges>>;

pub(super) fn check(set: &CatalogSet) -> Vec<Finding> {
    let mut found = Vec::new();
    for operator in &set.operators {
        let Some(Fbc { mappings, .. }) = operator.fbc(set) else { continue };
        let folders: BTreeSet<_> = operator.folders(set).collect();
        for mapping in mappings.iter().filter(|mapping| mapping.kind == MappingKind::Basic) {
            let Some(file) = operator.templates.get(&*mapping.template) else { continue };
            let Some(text) = set.files.get(file.0 as usize).map(|file| &file.text) else { continue };
            // Without the bundles of any catalog, all images of the template are missing ones.
            let expansion = expand(*file, text, &Images::default());
            let images: BTreeSet<&str> = expansion.missing.iter().map(|image| &*image.value).collect();
            let Some(expanded) = &expansion.catalog else { continue };
            let versions = mapping.catalogs.iter().filter_map(|name| name.value.parse().ok());
            for member in versions.filter(|version| folders.contains(version)).filter_map(|version| set.member(version))
            {
                found.extend(of_member(member, expanded, &images, &mapping.template, Span::new(*file, 0, 0)));
            }
        }
    }
    found
}

fn of_member(
    member: &Member,
    expanded: &ExpandedCatalog,
    images: &BTreeSet<&str>,
    template: &str,
    span: Span,
) -> Option<Finding> {
    let of_template = expanded.packages.first()?;
    let package = member.catalog.package(&of_template.name)?;
    let (before, after) = (channels(package), template_channels(expanded, &of_template.name));
    let own: BTreeSet<&str> =
        package.bundles.iter().filter_map(|bundle| Some(&*bundle.image.as_ref()?.value)).collect();
    let default = package.default_channel.as_ref().map(|channel| channel.value.as_str());
    let names: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    let differing: Vec<&str> =
        names.into_iter().filter(|name| before.get(*name) != after.get(*name)).map(|name| &**name).collect();
    let channels = (!differing.is_empty()).then(|| {
        format!("channel{} {}", if differing.len() == 1 { "" } else { "s" }, name_list(differing.iter().copied()))
    });
    let images = (own != *images).then(|| "the images".to_owned());
    let default = (default != Some(&*of_template.default_channel)).then(|| "the default channel".to_owned());
    let parts: Vec<String> = channels.into_iter().chain(images).chain(default).collect();
    if parts.is_empty() {
        return None;
    }
    let message = format!(
        "the catalog differs from its template `{template}` in {}: rendering it again changes that",
        parts.join(", ")
    );
    Some(Finding::of_member(Rule::SetTemplateStale, member.version, &package.name, Some(span), message))
}

fn channels(package: &Package) -> Channels {
    let entries = |channel: &catalog::Channel| {
        let edges = |entry: &catalog::Entry| {
            let mut skips: Vec<String> = entry.skips.iter().map(|skip| skip.value.to_string()).collect();
            skips.sort();
            let replaces = entry.replaces.as_ref().map(|replaced| replaced.value.to_string()).unwrap_or_default();
            let range = entry.skip_range.as_ref().map(|range| range.value.text.to_string()).unwrap_or_default();
            (entry.name.value.to_string(), (replaces, skips, range))
        };
        channel.entries.iter().map(edges).collect()
    };
    package.channels.iter().map(|channel| (channel.name.value.to_string(), entries(channel))).collect()
}

fn template_channels(expanded: &ExpandedCatalog, package: &str) -> Channels {
    let entries = |channel: &template::Channel| {
        let edges = |entry: &template::Entry| {
            let mut skips: Vec<String> = entry.skips.iter().map(ToString::to_string).collect();
            skips.sort();
            let text = |text: &Option<Box<str>>| text.as_deref().unwrap_or_default().to_owned();
            (entry.name.to_string(), (text(&entry.replaces), skips, text(&entry.skip_range)))
        };
        channel.entries.iter().map(edges).collect()
    };
    let own = expanded.channels.iter().filter(|channel| *channel.package == *package);
    own.map(|channel| (channel.name.to_string(), entries(channel))).collect()
}
