//! `generated-stale` and `set-template-stale`: a catalog that is not what its template gives today. The first is about a
//! template in the folder of the catalog or of a script, the second about one that a `ci.yaml` maps to it.

use crate::sets::finding::Finding;
use crate::sets::set::{CatalogSet, Member};
use bundle_tree::Fbc;
use catalog::{Package, image_identity};
use compare::{Edit, UpdatedBy, edits};
use source::{FileId, Rule, Span, first_and_more};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// So many differences are named.
const NAMED: usize = 3;

pub(super) fn check(set: &CatalogSet) -> Vec<Finding> {
    let mut found = Vec::new();
    for operator in &set.operators {
        let Some(Fbc { mappings, .. }) = operator.fbc(set) else { continue };
        let folders: BTreeSet<_> = operator.folders(set).collect();
        for mapping in &mappings {
            let Some(file) = operator.templates.get(&*mapping.template) else { continue };
            let versions = mapping.catalogs.iter().filter_map(|name| name.value.parse().ok());
            let members =
                versions.filter(|version| folders.contains(version)).filter_map(|version| set.member(version));
            for member in members {
                found.extend(of_member(set, member, *file, Rule::SetTemplateStale, &mapping.template));
            }
        }
    }
    for member in &set.members {
        for file in &member.templates {
            let path = set.path(member.version, Span::new(*file, 0, 0));
            let name = path.rsplit('/').next().unwrap_or_default();
            found.extend(of_member(set, member, *file, Rule::GeneratedStale, name));
        }
    }
    found
}

fn of_member(set: &CatalogSet, member: &Member, template: FileId, rule: Rule, name: &str) -> Vec<Finding> {
    let span = Some(Span::new(template, 0, 0));
    let stale = format!("the catalog is not what its template `{name}` gives today");
    let rendered = match (set.rendered.get(&template), member.catalog.packages.first()) {
        (Some(Ok(rendered)), _) => rendered,
        (Some(Err(why)), Some(package)) => {
            return vec![Finding::of_member(rule, member.version, &package.name, span, format!("{stale}: {why}"))];
        }
        _ => return Vec::new(),
    };
    let of_package = |today: &Arc<Package>| {
        let package = member.catalog.package(today.name.as_str())?;
        let own = package.bundles.iter().filter_map(|bundle| Some(&*bundle.image.as_ref()?.value));
        let own: BTreeMap<&str, &str> = own.map(|image| (image_identity(image), image)).collect();
        let named = rendered.images.iter().map(|image| (image_identity(image), &**image));
        let named: BTreeMap<&str, &str> = named.collect();
        let images = |what: &str, these: &BTreeMap<&str, &str>, others: &BTreeMap<&str, &str>| {
            let mut images: Vec<&str> =
                these.iter().filter(|(key, _)| !others.contains_key(*key)).map(|(_, image)| *image).collect();
            images.sort_unstable();
            let images = images.into_iter().map(|image| format!("`{image}`"));
            let first = first_and_more(images, NAMED);
            (!first.is_empty()).then(|| format!("{what} {first}"))
        };
        let missing = images("the template names", &named, &own);
        let gone = images("the template does not name", &own, &named);
        // Which bundles there are, the images say; deprecations may have a file of their own.
        let is_meant = |edit: &Edit| {
            matches!(edit, Edit::Entry { .. } | Edit::ChannelAdded(_) | Edit::ChannelRemoved(_) | Edit::DefaultChannel)
        };
        let edits: Vec<Edit> = edits(package, today).into_iter().filter(is_meant).collect();
        let edits = edits.iter().map(|edit| edit.describe(package, today, UpdatedBy::Subscription));
        let parts: Vec<String> = edits.chain(missing).chain(gone).collect();
        if parts.is_empty() {
            return None;
        }
        let message = format!("{stale}; if it is rendered again, {}", first_and_more(parts, NAMED));
        Some(Finding::of_member(rule, member.version, &package.name, span, message))
    };
    rendered.packages.iter().filter_map(of_package).collect()
}
