//! The APIs that the CRDs of a bundle provide: `Bundle.cache` and `Bundle.ProvidedAPIs` (`pkg/registry/bundle.go`).

use crate::api::Api;
use crate::file::Stop;
use crate::kubernetes::{CRD_V1, CRD_V1BETA1};
use crate::manifest::Manifest;
use crate::node::items;
use fbc::{FieldNames, Misfit, Node, go_misfit};
use std::collections::BTreeSet;

const GROUP: &str = "apiextensions.k8s.io";

/// Go's name for the scheme of `pkg/registry`: the line of v1.73.0 that makes it.
const SCHEME: &str = "pkg/registry/bundle.go:24";

/// The APIs of all CRDs: every version, served or not.
pub(crate) fn provided(manifests: &[Manifest<'_>]) -> Result<BTreeSet<Api>, Stop> {
    let mut provided = BTreeSet::new();
    for manifest in manifests.iter().filter(|manifest| manifest.kind() == "CustomResourceDefinition") {
        let (group, version) = manifest.group_and_version();
        let go_type = match version {
            "v1" => &CRD_V1,
            "v1beta1" => &CRD_V1BETA1,
            _ => continue,
        };
        let root = &manifest.document.node;
        // The version alone says what it is decoded into, and only the decoder looks at the group.
        if group != GROUP {
            let api = if group.is_empty() { version.to_owned() } else { format!("{group}/{version}") };
            let kind = format!("no kind \"CustomResourceDefinition\" is registered for version {}", fbc::quoted(&api));
            let words = format!("error decoding {version} CRD: {kind} in scheme \"{SCHEME}\"");
            return Err(Stop::Opm(words, root.get("apiVersion").map(|api| api.span)));
        }
        if let Some(misfit) = go_misfit(root, go_type, FieldNames::Exact) {
            return Err(Stop::Opm(format!("error decoding {version} CRD: {}", misfit.message), Some(misfit.span)));
        }
        provided.extend(of_crd(root, version == "v1beta1"));
    }
    Ok(provided)
}

/// The APIs of one CRD. The first releases of CRDs had their version in `spec.version`.
fn of_crd(root: &Node, may_have_one_version: bool) -> Vec<Api> {
    let spec = root.get("spec");
    let text = |node: Option<&Node>, name: &str| {
        node.and_then(|node| node.get(name)).and_then(Node::as_str).unwrap_or_default().to_owned()
    };
    let names = spec.and_then(|spec| spec.get("names"));
    let listed = spec.and_then(|spec| spec.get("versions")).map(items).unwrap_or_default();
    let mut versions: Vec<String> = listed.iter().map(|version| text(Some(version), "name")).collect();
    versions.extend(Some(text(spec, "version")).filter(|version| may_have_one_version && !version.is_empty()));
    let api =
        |version| Api { group: text(spec, "group"), version, kind: text(names, "kind"), plural: text(names, "plural") };
    versions.into_iter().map(api).collect()
}

/// What Go says of a value that is decoded into a CustomResourceDefinition of `apiextensions.k8s.io/v1`, or of `v1beta1`;
/// nothing when it fits. Parts that are not open are not looked at.
#[must_use]
pub fn crd_misfit(value: &Node, is_v1beta1: bool) -> Option<Misfit> {
    go_misfit(value, if is_v1beta1 { &CRD_V1BETA1 } else { &CRD_V1 }, FieldNames::Exact)
}
