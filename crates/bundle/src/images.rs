//! The images that a bundle needs: `getRelatedImages` (`alpha/action/render.go`), `GetOperatorImages`
//! (`pkg/registry/csv.go`).

use crate::csv::Csv;
use crate::file::Stop;
use crate::kubernetes::{OPERATOR_IMAGES, RELATED_IMAGES};
use crate::node::{items, text_field};
use fbc::{FieldNames, Node, go_misfit};
use std::collections::BTreeSet;

/// An image that a bundle needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RelatedImage {
    /// Empty for images that only a deployment names.
    pub name: String,
    /// The reference.
    pub image: String,
}

/// The images of a CSV, sorted.
pub(crate) fn of(csv: &Csv<'_>) -> Result<Vec<RelatedImage>, Stop> {
    let mut images = Vec::new();
    if let Some(listed) = csv.section("relatedImages")? {
        if let Some(misfit) = go_misfit(listed, &RELATED_IMAGES, FieldNames::AnyCase) {
            return Err(Stop::Opm(misfit.message, Some(misfit.span)));
        }
        for item in items(listed) {
            images.push(RelatedImage { name: text_field(item, "name"), image: text_field(item, "image") });
        }
    }
    let known: BTreeSet<String> = images.iter().map(|image| image.image.clone()).collect();
    // Go adds them in an order that varies; where equal images are, may depend on it.
    let deployed = of_deployments(csv)?.into_iter().filter(|image| !known.contains(image));
    images.extend(deployed.map(|image| RelatedImage { name: String::new(), image }));
    // Stable, as Go's unstable sort is up to twelve items.
    images.sort_by(|one, other| one.image.cmp(&other.image));
    Ok(images)
}

/// The images of the containers in the deployments of the only install strategy that `opm` knows.
fn of_deployments(csv: &Csv<'_>) -> Result<BTreeSet<String>, Stop> {
    let spec = csv.spec_object()?;
    if let Some(misfit) = go_misfit(spec, &OPERATOR_IMAGES, FieldNames::AnyCase) {
        return Err(Stop::Opm(misfit.message, Some(misfit.span)));
    }
    let Some(install) = spec.field("install") else { return Ok(BTreeSet::new()) };
    if text_field(install, "strategy") != "deployment" {
        return Ok(BTreeSet::new());
    }
    let deployments = install.field("spec").and_then(|spec| spec.field("deployments"));
    let pods = deployments.into_iter().flat_map(items).filter_map(|deployment| {
        ["spec", "template", "spec"].into_iter().try_fold(deployment, |node, name| node.field(name))
    });
    let containers = |pod: &'_ Node| -> Vec<String> {
        let lists = ["containers", "initContainers"].into_iter().filter_map(|name| pod.field(name));
        lists.flat_map(items).map(|container| text_field(container, "image")).collect()
    };
    Ok(pods.flat_map(containers).collect())
}
