//! The whole way from files to a catalog.

use crate::catalog_template::{self, Templates};
use crate::ci::{self, Ci, unfollowed};
use crate::package::{self, Rendered, ascending};
use crate::rules::bundle_range::{self, catalog_versions};
use bundle::{Bundle, Document, File, RenderOutcome, in_order, render};
use source::{BundleMode, BundleRules, Diagnostic, FileId, OpenShift, Rule, Span};
use std::collections::{BTreeMap, BTreeSet};
use template::Images;

/// The catalog of a folder of bundles.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tree {
    /// In the order in which `opm render` prints them. A package that cannot be built has none.
    pub documents: Vec<Document>,
    /// By what each package was built, also those that failed.
    pub rules: BTreeMap<String, BundleRules>,
    /// The package and the name of the bundle that a file belongs to.
    pub bundles: BTreeMap<FileId, (String, String)>,
    /// The catalog templates that there are to choose from.
    pub templates: BTreeSet<String>,
    /// Whether a template lists a bundle that neither the folder nor a loaded catalog has.
    pub has_unknown_bundles: bool,
    /// Findings about the bundles, by file and place.
    pub findings: Vec<Diagnostic>,
    /// The bundles that gave no answer, with the reason: a file that holds more than is kept, or makes `opm` crash.
    pub unknown: BTreeMap<String, String>,
}

impl Tree {
    /// The catalog as YAML.
    ///
    /// # Errors
    /// When a document is nested too deeply, or holds more than is kept in memory.
    pub fn to_yaml(&self) -> Result<String, String> {
        self.documents.iter().map(Document::to_yaml).collect()
    }
}

/// Makes a catalog of the bundles among the files, whose paths are those in the folder. The `ci.yaml` next to the bundles of
/// an operator says by what, unless it is given; a template that an operator does not have is given only to the others.
/// `images` are the bundles of other catalogs, of which templates may name images. Other files play no role.
#[must_use]
pub fn build(files: &[File<'_>], rules: Option<&BundleRules>, images: &Images<'_>) -> Tree {
    let Bundles { packages, operators, mut tree } = Bundles::of(files);
    let none = Operator::default();
    // A bundle directory by itself is no index. The folder of an operator is one, also of a single version.
    let is_operator = files.iter().any(|file| file.path.rsplit('/').next() == Some("ci.yaml"));
    let is_alone = packages.values().map(Vec::len).sum::<usize>() == 1 && !is_operator;
    for (name, bundles) in packages {
        let bundles: Vec<&Rendered<'_>> = bundles.iter().collect();
        let operator = operator(&operators, &bundles).unwrap_or(&none);
        let rules = operator.rules(&name, rules, &mut tree.findings);
        if let Some(fbc) = &operator.ci.fbc {
            tree.templates.extend(fbc.mappings.iter().map(|mapping| mapping.template.clone()));
        } else {
            bundle_range::check(&bundles, &mut tree.findings);
        }
        let mapping = match (&rules, &operator.ci.fbc) {
            (BundleRules::Template(template), Some(fbc)) => operator.templates.choose(fbc, Some(template)),
            _ => None,
        };
        if let Some(mapping) = mapping {
            let made =
                catalog_template::build(&name, &bundles, &operator.templates, mapping, images, &mut tree.findings);
            tree.documents.extend(made.documents);
            tree.has_unknown_bundles |= made.has_unknown_bundles;
        } else if let BundleRules::Mode(mode) = rules {
            tree.documents.extend(package::build(&name, &bundles, mode, is_alone, &mut tree.findings));
        }
        tree.rules.insert(name, rules);
    }
    tree.documents = in_order(std::mem::take(&mut tree.documents));
    tree.findings.sort_by_key(|finding| (finding.span.file, finding.span.start, finding.rule));
    tree
}

struct Bundles<'a> {
    /// By package.
    packages: BTreeMap<String, Vec<Rendered<'a>>>,
    /// By folder.
    operators: BTreeMap<&'a str, Operator<'a>>,
    /// What is known before there are channels.
    pub(crate) tree: Tree,
}

impl<'a> Bundles<'a> {
    /// The bundles among files.
    pub(crate) fn of(files: &[File<'a>]) -> Self {
        let folders = bundle_folders(files.iter().map(|file| file.path));
        let mut by_folder: BTreeMap<&str, Vec<File<'_>>> = BTreeMap::new();
        for file in files {
            if let Some((folder, path)) = inside(&folders, file.path) {
                by_folder.entry(folder).or_default().push(File { path, ..*file });
            }
        }
        let mut tree = Tree::default();
        let mut packages: BTreeMap<String, Vec<Rendered<'_>>> = BTreeMap::new();
        for (folder, mut files) in by_folder {
            files.sort_by(|one, other| one.path.cmp(other.path));
            let rendering = render(&files);
            tree.findings.extend(rendering.findings);
            let place = rendering.place.unwrap_or(Span::new(files[0].id, 0, 0));
            match rendering.outcome {
                RenderOutcome::Bundle(bundle) => {
                    let names = (bundle.package.clone(), bundle.name.clone());
                    tree.bundles.extend(files.iter().map(|file| (file.id, names.clone())));
                    let rendered = Rendered { folder, bundle: *bundle, place };
                    packages.entry(rendered.bundle.package.clone()).or_default().push(rendered);
                }
                RenderOutcome::Unknown(why) => {
                    // A file that cannot be opened has a finding of its own.
                    if files.iter().all(|file| file.id != place.file || file.fault.is_none()) {
                        let message = format!("there is no answer for this bundle: {why}");
                        tree.findings.push(Diagnostic::new(Rule::UnreadableFile, place, message));
                    }
                    tree.unknown.insert(folder.to_owned(), why);
                }
                RenderOutcome::Nothing | RenderOutcome::Rejected(_) => {}
            }
        }
        let operators = operators(files, &folders, &mut tree.findings);
        Self { packages, operators, tree }
    }
}

/// The operator that the bundles of a package are of: its folder is around them.
fn operator<'o, 'a>(
    operators: &'o BTreeMap<&str, Operator<'a>>,
    bundles: &[&Rendered<'_>],
) -> Option<&'o Operator<'a>> {
    bundles.iter().find_map(|rendered| operators.get(parent(rendered.folder)?))
}

#[derive(Default)]
struct Operator<'a> {
    pub(crate) ci: Ci,
    templates: Templates<'a>,
}

impl Operator<'_> {
    /// By what a package of it is built.
    fn rules(&self, package: &str, given: Option<&BundleRules>, findings: &mut Vec<Diagnostic>) -> BundleRules {
        let stated = BundleRules::Mode(self.ci.mode.unwrap_or(BundleMode::Replaces));
        let template = match given {
            Some(BundleRules::Mode(mode)) => return BundleRules::Mode(*mode),
            Some(BundleRules::Template(template)) => Some(&**template),
            None => None,
        };
        let Some(fbc) = &self.ci.fbc else { return stated };
        if let Some(mapping) = self.templates.choose(fbc, template) {
            return BundleRules::Template(mapping.template.clone());
        }
        let message = format!(
            "the channels of package `{package}` come from catalog templates, but `catalog-templates/` has none that \
             `ci.yaml` names, and no bundle is released to one: they are made by {}",
            stated.describe()
        );
        let help = "open the whole folder of the operator, with `catalog-templates/` and each `release-config.yaml`";
        findings.push(unfollowed(fbc.span, &message).with_help(help));
        stated
    }
}

/// The folders that hold bundles, with what they say of the catalog.
fn operators<'a>(
    files: &[File<'a>],
    folders: &BTreeSet<&'a str>,
    findings: &mut Vec<Diagnostic>,
) -> BTreeMap<&'a str, Operator<'a>> {
    let mut operators: BTreeMap<&str, Operator<'_>> =
        folders.iter().filter_map(|folder| Some((parent(folder)?, Operator::default()))).collect();
    let mut releases: Vec<File<'a>> = Vec::new();
    for file in files {
        let Some(folder) = parent(file.path) else { continue };
        let name = file.path.rsplit('/').next().unwrap_or_default();
        if name == "release-config.yaml" && folders.contains(folder) {
            releases.push(*file);
        } else if name == "ci.yaml"
            && let Some(operator) = operators.get_mut(folder)
        {
            operator.ci = ci::read(file, findings);
        } else if folder.rsplit('/').next() == Some("catalog-templates")
            && let Some(operator) = parent(folder).and_then(|folder| operators.get_mut(folder))
        {
            operator.templates.files.insert(name, *file);
        }
    }
    for file in releases {
        let Some((folder, operator)) =
            parent(file.path).and_then(|folder| Some((folder, operators.get_mut(parent(folder)?)?)))
        else {
            continue;
        };
        let Some(fbc) = &operator.ci.fbc else {
            let message = "`release-config.yaml` is not used, because `ci.yaml` does not enable FBC for the operator";
            let help = "set `fbc.enabled` and name the templates in `ci.yaml`, or remove the file";
            findings.push(unfollowed(Span::new(file.id, 0, 0), message).with_help(help));
            continue;
        };
        let read = ci::read_release_config(&file, findings);
        for release in &read {
            if !fbc.mappings.iter().any(|mapping| mapping.template == release.template) {
                let message = format!("Template mapping not found for '{}' in ci.yaml.", release.template);
                let help = "add it to `fbc.catalog_mapping` of `ci.yaml`";
                findings.push(unfollowed(release.span, &message).with_help(help));
            }
        }
        operator.templates.releases.insert(folder, read);
    }
    operators
}

// Which folders are bundles.

/// The folders that are bundles, of files with these paths: they have `manifests/` and `metadata/`. The folder at the top is
/// an empty text.
#[must_use]
pub fn bundle_folders<'a>(paths: impl IntoIterator<Item = &'a str>) -> BTreeSet<&'a str> {
    let mut with: [BTreeSet<&str>; 2] = Default::default();
    for path in paths {
        for (folder, with) in ["manifests", "metadata"].into_iter().zip(&mut with) {
            with.extend(holder(path, folder));
        }
    }
    let [manifests, metadata] = with;
    manifests.intersection(&metadata).copied().collect()
}

/// The outermost folder that has a sub-folder of this name around a path.
fn holder<'a>(path: &'a str, name: &str) -> Option<&'a str> {
    let mut start = 0;
    for part in path.split('/') {
        let end = start + part.len();
        if part == name && end < path.len() {
            return path.get(..start.saturating_sub(1));
        }
        start = end + 1;
    }
    None
}

/// The folder that a file or folder is in.
fn parent(path: &str) -> Option<&str> {
    match path.rsplit_once('/') {
        Some((folder, _)) => Some(folder),
        None if path.is_empty() => None,
        None => Some(""),
    }
}

/// The release that a bundle's folder `NAME/VERSION` is, as its image is named: `NAME:VERSION`.
pub(crate) fn release_name(folder: &str) -> String {
    let (operators, version) = folder.rsplit_once('/').unwrap_or(("", folder));
    format!("{}:{version}", operators.rsplit('/').next().unwrap_or_default())
}

/// The bundle that a file is in, and its path there; `folders` are those of [`bundle_folders`].
#[must_use]
pub fn inside<'a>(folders: &BTreeSet<&'a str>, path: &'a str) -> Option<(&'a str, &'a str)> {
    let folder = ["manifests", "metadata"].into_iter().find_map(|name| holder(path, name))?;
    let folder = folders.get(folder)?;
    let rest = path.get(folder.len()..)?;
    Some((folder, rest.strip_prefix('/').unwrap_or(rest)))
}

// The catalogs that the index builds of the community and certified operators make of bundle directories: one for each
// version of OpenShift, with the bundles whose annotation `com.redhat.openshift.versions` names it.

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
        let mode = ci.and_then(|ci| ci.mode).unwrap_or(BundleMode::Replaces);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bundle_has_both_folders() {
        let table: [(&[&str], &[&str]); 5] = [
            (&["manifests/a", "metadata/b"], &[""]),
            (&["o/n/v1/manifests/a", "o/n/v1/metadata/b", "o/n/ci.yaml", "o/n/v2/manifests/a"], &["o/n/v1"]),
            (&["v1/manifests", "v1/metadata"], &[]),
            (&["v1/manifests/sub/a", "v1/metadata/b", "v2/metadata/x", "v2/manifests/y"], &["v1", "v2"]),
            (&["metadata/x/manifests/a", "metadata/x/metadata/a"], &[]),
        ];
        for (paths, folders) in table {
            let found: Vec<&str> = bundle_folders(paths.iter().copied()).into_iter().collect();
            assert_eq!(found, folders, "{paths:?}");
        }
        let folders = BTreeSet::from(["", "o/v1"]);
        assert_eq!(inside(&folders, "manifests/a/b"), Some(("", "manifests/a/b")));
        assert_eq!(inside(&folders, "o/v1/metadata/a"), Some(("o/v1", "metadata/a")));
        assert_eq!(inside(&folders, "o/v1/tests/a"), None);
        assert_eq!([parent("o/v1"), parent("v1"), parent("")], [Some("o"), Some(""), None]);
    }
}
