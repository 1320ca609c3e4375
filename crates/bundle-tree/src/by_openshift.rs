//! The catalogs that the index builds of the community and certified operators make of bundle directories: one for each
//! version of OpenShift, with the bundles whose annotation `com.redhat.openshift.versions` names it.

use crate::mode::Mode;
use crate::package::{self, Rendered, ascending};
use crate::rules::bundle_range::{self, catalog_versions};
use crate::tree::{Bundles, operator};
use bundle::{Bundle, Document, File, in_order};
use source::{Diagnostic, OpenShift, Span};
use std::collections::BTreeMap;

/// The packages of a folder of bundles in the catalogs of all versions of OpenShift.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ByOpenShift {
    /// By name. Packages whose catalogs are made of catalog templates are left out.
    pub packages: Vec<VersionedPackage>,
    /// Whether any of their bundles has the annotation.
    pub has_ranges: bool,
    /// Findings about single bundles.
    pub findings: Vec<Diagnostic>,
    /// The bundles that gave no answer, with the reason.
    pub unknown: BTreeMap<String, String>,
}

/// A package in the catalogs of all versions of OpenShift.
#[derive(Clone, Debug, PartialEq)]
pub struct VersionedPackage {
    pub name: String,
    /// Each catalog once, by its first version. Versions that have none of the bundles are missing.
    pub catalogs: Vec<VersionedCatalog>,
    /// Findings about the annotations.
    pub findings: Vec<Diagnostic>,
}

/// A package in the catalogs of versions of OpenShift that have the same bundles.
#[derive(Clone, Debug, PartialEq)]
pub struct VersionedCatalog {
    pub versions: Vec<OpenShift>,
    /// In the order in which `opm render` prints them, with the metadata of the CSVs in the place of manifests, and with the
    /// folders of the bundles for their images. None if the package cannot be built.
    pub documents: Vec<Document>,
    /// The names of the bundles and where their CSVs state them, in ascending order of their versions.
    pub bundles: Vec<(String, Span)>,
    /// Findings about the channels.
    pub findings: Vec<Diagnostic>,
}

/// The catalogs of the bundles among the files. A bundle without the annotation is in all of them, one whose annotation cannot
/// be read in none.
///
/// ```
/// use bundle::File;
/// use source::FileId;
///
/// let csv = "kind: ClusterServiceVersion\nmetadata: {name: etcd.v1.0.0}\nspec: {version: 1.0.0}\n";
/// let annotations = "annotations:\n  operators.operatorframework.io.bundle.package.v1: etcd\n  \
///                    operators.operatorframework.io.bundle.channels.v1: stable\n  com.redhat.openshift.versions: =v4.14\n";
/// let files = [
///     File { id: FileId(0), path: "etcd/1.0.0/manifests/etcd.yaml", text: csv, fault: None },
///     File { id: FileId(1), path: "etcd/1.0.0/metadata/annotations.yaml", text: annotations, fault: None },
/// ];
/// let catalogs = &bundle_tree::by_openshift(&files).packages[0].catalogs;
/// assert_eq!((catalogs.len(), catalogs[0].versions[0].to_string()), (1, "4.14".to_owned()));
/// ```
#[must_use]
pub fn by_openshift(files: &[File<'_>]) -> ByOpenShift {
    let Bundles { packages, operators, tree } = Bundles::of(files);
    let mut found = ByOpenShift { findings: tree.findings, unknown: tree.unknown, ..ByOpenShift::default() };
    for (name, mut bundles) in packages {
        let all: Vec<&Rendered<'_>> = bundles.iter().collect();
        let ci = operator(&operators, &all).map(|operator| &operator.ci);
        if ci.is_some_and(|ci| ci.fbc.is_some()) {
            continue;
        }
        found.has_ranges |= bundles.iter().any(|rendered| rendered.bundle.openshift_versions.is_some());
        let mut findings = Vec::new();
        bundle_range::check(&all, &mut findings);
        let mode = ci.and_then(|ci| ci.mode).unwrap_or(Mode::Replaces);
        for rendered in &mut bundles {
            let bundle = std::mem::take(&mut rendered.bundle);
            rendered.bundle = Bundle { image: rendered.folder.to_owned(), ..bundle }.migrated();
        }
        let mut versions: BTreeMap<Vec<usize>, Vec<OpenShift>> = BTreeMap::new();
        for version in catalog_versions() {
            let has = |at: &usize| bundles[*at].bundle.openshift_range().is_some_and(|range| range.contains(version));
            versions.entry((0..bundles.len()).filter(has).collect()).or_default().push(version);
        }
        versions.remove(&Vec::new());
        let catalog = |(own, versions): (Vec<usize>, Vec<OpenShift>)| {
            let own: Vec<&Rendered<'_>> = own.into_iter().map(|at| &bundles[at]).collect();
            let mut findings = Vec::new();
            let documents = in_order(package::build(&name, &own, mode, false, &mut findings));
            let places: BTreeMap<&str, Span> =
                own.iter().map(|rendered| (&*rendered.bundle.name, rendered.place)).collect();
            let names = ascending(&own).into_iter().map(|bundle| &bundle.name);
            let bundles = names.map(|name| (name.clone(), places[&**name])).collect();
            VersionedCatalog { versions, documents, bundles, findings }
        };
        let mut catalogs: Vec<VersionedCatalog> = versions.into_iter().map(catalog).collect();
        catalogs.sort_by(|one, other| one.versions.cmp(&other.versions));
        found.packages.push(VersionedPackage { name, catalogs, findings });
    }
    found
}
