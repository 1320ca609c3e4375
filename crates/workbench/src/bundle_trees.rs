//! Catalogs that are folders of bundle directories: a further file has the catalog that is made of them, which is served
//! instead.
//!
//! A directory has no image, which `opm validate` refuses for every bundle. Its author knows the image only when the bundle is
//! built, so that these findings about the file that is made are left out. The file itself has the images empty.

use crate::CatalogInput;
use crate::file::{FileInput, NewText};
use bundle::File;
use bundle_tree::{Mode, build, bundle_folders};
use fbc::raw::RawDoc;
use source::{Diagnostic, FileId, Rule, Span};
use std::collections::{BTreeMap, BTreeSet};
use views::{BundleMode, CatalogId, FileKey};

/// How `opm validate` refuses a bundle without an image.
const NO_IMAGE: &str = "bundle image must be set";

/// A folder of bundle directories that a catalog is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BundleTree {
    /// The mode by which each package was built.
    pub modes: BTreeMap<String, Mode>,
}

/// Makes the catalogs of all folders of bundles that changed.
pub(crate) fn build_all(catalogs: &mut [CatalogInput], changed: &BTreeSet<CatalogId>, next_file: &mut u32) {
    for catalog in catalogs.iter_mut().filter(|catalog| changed.contains(&catalog.id)) {
        if is_tree(catalog) {
            rebuild(catalog, next_file);
        } else if catalog.bundle_tree.take().is_some() {
            catalog.files.retain(|file| file.expanded_from.is_none());
            for file in &mut catalog.files {
                file.in_tree = false;
                file.expansion_findings = None;
            }
        }
    }
}

/// Whether a catalog has bundle directories, and no documents of a catalog.
fn is_tree(catalog: &CatalogInput) -> bool {
    let written = || catalog.files.iter().filter(|file| file.expanded_from.is_none());
    let is_catalog = |file: &FileInput| file.parse().docs.iter().any(|doc| !matches!(doc.raw, RawDoc::Other(_)));
    !bundle_folders(written().map(|file| &*file.path)).is_empty() && !written().any(is_catalog)
}

fn rebuild(catalog: &mut CatalogInput, next_file: &mut u32) {
    let made = catalog.files.iter().position(|file| file.expanded_from.is_some());
    let made = made.map(|at| catalog.files.remove(at));
    let files: Vec<File<'_>> = (catalog.files.iter())
        .map(|file| File { id: FileId(file.key.0), path: &file.path, text: &file.text, fault: file.fault() })
        .collect();
    let mut tree = build(&files, catalog.bundle_mode);
    let text = tree.to_yaml().unwrap_or_else(|error| {
        let place = files.first().map_or(FileId(0), |file| file.id);
        let message = format!("there is no answer for these bundles: {error}");
        tree.findings.push(Diagnostic::new(Rule::UnrenderedBundle, Span::new(place, 0, 0), message));
        String::new()
    });
    let mut findings: BTreeMap<u32, Vec<Diagnostic>> = BTreeMap::new();
    for finding in tree.findings {
        findings.entry(finding.span.file.0).or_default().push(finding);
    }
    for file in &mut catalog.files {
        file.in_tree = true;
        file.expansion_findings = Some(findings.remove(&file.key.0).unwrap_or_default());
    }
    catalog.bundle_tree = Some(BundleTree { modes: tree.modes });
    let Some(first) = catalog.files.first().map(|file| file.key).filter(|_| !text.is_empty()) else { return };
    let file = match made {
        Some(made) if made.text == text => made,
        made => {
            let key = made.map_or_else(
                || {
                    *next_file += 1;
                    FileKey(*next_file - 1)
                },
                |made| made.key,
            );
            let path = format!("{} (from its bundles)", catalog.name);
            let mut file = FileInput::new(key, NewText { path, content: Ok(text.into_bytes()) });
            file.expanded_from = Some(first);
            file.in_tree = true;
            file.read();
            file
        }
    };
    catalog.files.push(file);
}

/// Whether a finding is about the image that no bundle of a folder has.
pub(crate) fn is_missing_image(files: &[FileInput], finding: &Diagnostic) -> bool {
    let is_made = |file: &FileInput| file.in_tree && file.expanded_from.is_some() && file.key.0 == finding.span.file.0;
    finding.opm.as_deref() == Some(NO_IMAGE) && files.last().is_some_and(is_made)
}

/// The mode that the page chose.
pub(crate) const fn chosen(mode: BundleMode) -> Mode {
    match mode {
        BundleMode::Replaces => Mode::Replaces,
        BundleMode::Semver => Mode::Semver,
        BundleMode::SemverSkippatch => Mode::SemverSkippatch,
    }
}

/// The mode as the page has it.
pub(crate) const fn shown(mode: Mode) -> BundleMode {
    match mode {
        Mode::Replaces => BundleMode::Replaces,
        Mode::Semver => BundleMode::Semver,
        Mode::SemverSkippatch => BundleMode::SemverSkippatch,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Workbench;

    const ANNOTATIONS: &str = "annotations:\n  operators.operatorframework.io.bundle.package.v1: p\n  \
                               operators.operatorframework.io.bundle.channels.v1: stable\n";

    fn csv(version: &str, replaces: &str) -> String {
        format!(
            "kind: ClusterServiceVersion\nmetadata: {{name: p.v{version}}}\nspec: {{version: {version}, replaces: \
             '{replaces}'}}\n"
        )
    }

    fn tree(others: &[(&str, &str)]) -> Vec<NewText> {
        let files = [
            ("1.0.0/manifests/csv.yaml", csv("1.0.0", "")),
            ("1.0.0/metadata/annotations.yaml", ANNOTATIONS.to_owned()),
            ("2.0.0/manifests/csv.yaml", csv("2.0.0", "p.v1.0.0")),
            ("2.0.0/metadata/annotations.yaml", ANNOTATIONS.to_owned()),
        ];
        let others = others.iter().map(|(path, text)| (*path, (*text).to_owned()));
        let text = |(path, text): (&str, String)| NewText { path: path.to_owned(), content: Ok(text.into_bytes()) };
        files.into_iter().chain(others).map(text).collect()
    }

    /// The path of the last file, the entries, and the rules of the findings.
    fn shown_of(workbench: &Workbench, id: CatalogId) -> [String; 3] {
        let catalog = workbench.catalog(id).unwrap();
        let channels = catalog.analysis.catalog.packages.iter().flat_map(|package| &package.channels);
        let entries = channels.flat_map(|channel| &channel.entries).map(|entry| entry.name.value.to_string());
        let rules = catalog.analysis.findings.iter().map(|found| found.diagnostic.rule.id().to_owned());
        let path = catalog.files.last().unwrap().path.clone();
        [path, entries.collect::<Vec<_>>().join(" "), rules.collect::<Vec<_>>().join(" ")]
    }

    #[test]
    fn a_folder_of_bundles_is_a_catalog() {
        let mut workbench = Workbench::with_template_expansion();
        let readme = NewText { path: "logo.png".to_owned(), content: Ok(vec![0, 255]) };
        let mut files = tree(&[("README.md", "# Hello\n"), ("ci.yaml", "updateGraph: replaces-mode\n")]);
        files.push(readme);
        let id = workbench.add_catalog("Tree", files, &mut |_| {});
        assert_eq!(shown_of(&workbench, id), ["tree (from its bundles)", "p.v1.0.0 p.v2.0.0", ""]);
        assert!(workbench.catalog(id).unwrap().is_accepted());
        let row = &workbench.overview().catalogs[0];
        assert_eq!((row.bundle_mode, row.packages), (Some(BundleMode::Replaces), 1));
    }

    #[test]
    fn the_catalog_follows_edits_of_the_bundles() {
        let mut workbench = Workbench::with_template_expansion();
        let id = workbench.add_catalog("tree", tree(&[]), &mut |_| {});
        let catalog = workbench.catalog(id).unwrap();
        let (csv, made) = (catalog.files[2].key, catalog.files[4].key);
        let at = catalog.files[2].text.find("p.v1.0.0").unwrap() as u32;
        workbench.edit(made, 0..3, "");
        workbench.edit(csv, at..at + 8, "gone");
        assert_eq!(shown_of(&workbench, id)[1..], ["", "unbuilt-package"]);
        workbench.edit(csv, at..at + 4, "");
        assert_eq!(shown_of(&workbench, id)[1..], ["p.v2.0.0", "pruned-bundle"]);
        let found = &workbench.catalog(id).unwrap().analysis.findings[0].diagnostic;
        assert_eq!(workbench.file(FileKey(found.span.file.0)).unwrap().1.path, "1.0.0/manifests/csv.yaml");
        workbench.set_bundle_mode(id, Some(Mode::Semver));
        assert_eq!(shown_of(&workbench, id)[1..], ["p.v1.0.0 p.v2.0.0", ""]);
        workbench.set_bundle_mode(id, None);
        assert_eq!(shown_of(&workbench, id)[2], "pruned-bundle");
    }

    #[test]
    fn a_single_bundle_is_a_catalog_and_a_catalog_with_bundles_is_none() {
        let mut workbench = Workbench::with_bundle_trees();
        let files = tree(&[]).into_iter().filter_map(|mut file| {
            file.path = file.path.strip_prefix("1.0.0/")?.to_owned();
            Some(file)
        });
        let id = workbench.add_catalog("image", files.collect(), &mut |_| {});
        assert_eq!(shown_of(&workbench, id)[1..], ["p.v1.0.0", ""]);
        let catalog = tree(&[("catalog.yaml", "schema: olm.package\nname: q\n")]);
        let id = workbench.add_catalog("catalog", catalog, &mut |_| {});
        assert!(workbench.catalog(id).unwrap().bundle_tree.is_none());
        let mut as_opm = Workbench::new();
        let id = as_opm.add_catalog("tree", tree(&[]), &mut |_| {});
        assert!(as_opm.catalog(id).unwrap().bundle_tree.is_none());
    }
}
