//! Catalogs that are folders of bundle directories: a further file has the catalog that is made of them, which is served
//! instead.

use crate::CatalogInput;
use crate::document_index::FindingSubject;
use crate::file::{FileInput, NewText};
use bundle::File;
use bundle_tree::{Mode, Rules, Tree, build, bundle_folders};
use fbc::raw::RawDoc;
use source::{Diagnostic, FileId, Rule, Span};
use std::collections::{BTreeMap, BTreeSet};
use template::Images;
use views::{BundleChoice, BundleRules, CatalogId, FileKey};

/// A folder of bundle directories that a catalog is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BundleTree {
    /// By what each package was built.
    pub rules: BTreeMap<String, Rules>,
    /// The catalog templates that there are to choose from.
    pub templates: BTreeSet<String>,
}

/// Makes the catalogs of all folders of bundles that changed. Those with catalog templates follow all catalogs, whose bundles
/// they name by image. Returns the catalogs that this changes beyond the changed ones.
pub(crate) fn build_all(
    catalogs: &mut [CatalogInput],
    changed: &BTreeSet<CatalogId>,
    next_file: &mut u32,
) -> BTreeSet<CatalogId> {
    let is_changed = |catalog: &CatalogInput| changed.contains(&catalog.id);
    let follows = |catalog: &CatalogInput| catalog.bundle_tree.as_ref().is_some_and(|tree| !tree.templates.is_empty());
    let trees: Vec<bool> =
        catalogs.iter().map(|catalog| (is_changed(catalog) || follows(catalog)) && is_tree(catalog)).collect();
    let mut images = Images::default();
    if catalogs.iter().zip(&trees).any(|(catalog, is_tree)| *is_tree && has_templates(catalog)) {
        for file in catalogs.iter().filter(|catalog| catalog.bundle_tree.is_none()).flat_map(|catalog| &catalog.files) {
            images.add(&file.text, file.parse());
        }
    }
    let tree = |(catalog, is_tree): (&CatalogInput, &bool)| is_tree.then(|| built(catalog, &images));
    let trees: Vec<Option<Tree>> = catalogs.iter().zip(&trees).map(tree).collect();
    let mut also_changed = BTreeSet::new();
    for (catalog, tree) in catalogs.iter_mut().zip(trees) {
        if let Some(tree) = tree {
            if replace(catalog, tree, next_file) {
                also_changed.insert(catalog.id);
            }
        } else if changed.contains(&catalog.id) && catalog.bundle_tree.take().is_some() {
            catalog.files.rearrange(|files| files.retain(|file| file.expanded_from.is_none()));
            for file in catalog.files.as_mut_slice() {
                file.in_tree = false;
                file.of_bundle = None;
                file.expansion_findings = None;
            }
        }
    }
    also_changed
}

/// Whether the channels may come from catalog templates.
fn has_templates(catalog: &CatalogInput) -> bool {
    let is_ci = |file: &&FileInput| file.path.rsplit('/').next() == Some("ci.yaml");
    catalog.files.iter().filter(is_ci).any(|file| file.text.contains("fbc"))
}

fn built(catalog: &CatalogInput, images: &Images<'_>) -> Tree {
    let written = catalog.files.iter().filter(|file| file.expanded_from.is_none());
    let files: Vec<File<'_>> = written
        .map(|file| File { id: FileId(file.key.0), path: &file.path, text: &file.text, fault: file.fault() })
        .collect();
    build(&files, catalog.bundle_rules.as_ref(), images)
}

/// Whether a catalog has bundle directories, and no documents of a catalog.
pub(crate) fn is_tree(catalog: &CatalogInput) -> bool {
    let written = || catalog.files.iter().filter(|file| file.expanded_from.is_none());
    let is_catalog = |file: &FileInput| file.parse().docs.iter().any(|doc| !matches!(doc.raw, RawDoc::Other(_)));
    !bundle_folders(written().map(|file| &*file.path)).is_empty() && !written().any(is_catalog)
}

/// Puts what was built into the place of what was built before. Returns whether anything changed.
fn replace(catalog: &mut CatalogInput, mut tree: Tree, next_file: &mut u32) -> bool {
    let made = catalog.files.iter().position(|file| file.expanded_from.is_some());
    let made = made.map(|at| catalog.files.rearrange(|files| files.remove(at)));
    let text = tree.to_yaml().unwrap_or_else(|error| {
        let place = catalog.files.first().map_or(FileId(0), |file| FileId(file.key.0));
        let message = format!("there is no answer for these bundles: {error}");
        tree.findings.push(Diagnostic::new(Rule::UnreadableFile, Span::new(place, 0, 0), message));
        String::new()
    });
    let mut changed = made.as_ref().map_or("", |made| &made.text) != text;
    let mut findings: BTreeMap<u32, Vec<Diagnostic>> = BTreeMap::new();
    for finding in tree.findings {
        findings.entry(finding.span.file.0).or_default().push(finding);
    }
    for file in catalog.files.as_mut_slice() {
        file.in_tree = true;
        file.of_bundle = tree.bundles.remove(&FileId(file.key.0)).map(|(package, bundle)| FindingSubject {
            package: package.as_str().into(),
            channel: None,
            entry: Some(bundle.as_str().into()),
        });
        let findings = Some(findings.remove(&file.key.0).unwrap_or_default());
        changed |= file.expansion_findings != findings;
        file.expansion_findings = findings;
    }
    catalog.bundle_tree = Some(BundleTree { rules: tree.rules, templates: tree.templates });
    let Some(first) = catalog.files.first().map(|file| file.key).filter(|_| !text.is_empty()) else { return changed };
    let mut file = match made {
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
    changed |= file.has_unknown_images != tree.has_unknown_bundles;
    file.has_unknown_images = tree.has_unknown_bundles;
    catalog.files.push(file);
    changed
}

/// The rules that the page chose.
pub(crate) fn chosen(rules: BundleRules) -> Rules {
    match rules {
        BundleRules::Replaces => Rules::Mode(Mode::Replaces),
        BundleRules::Semver => Rules::Mode(Mode::Semver),
        BundleRules::SemverSkippatch => Rules::Mode(Mode::SemverSkippatch),
        BundleRules::Template(name) => Rules::Template(name),
    }
}

/// The rules as the page has them.
pub(crate) fn shown(rules: &Rules) -> BundleRules {
    match rules {
        Rules::Mode(Mode::Replaces) => BundleRules::Replaces,
        Rules::Mode(Mode::Semver) => BundleRules::Semver,
        Rules::Mode(Mode::SemverSkippatch) => BundleRules::SemverSkippatch,
        Rules::Template(name) => BundleRules::Template(name.clone()),
    }
}

/// All rules that a catalog can be made by, and the ones that it is made by: those of its first package.
pub(crate) fn choices(tree: &BundleTree) -> BundleChoice {
    let first = tree.rules.values().next();
    let modes = Mode::ALL.into_iter().map(|mode| shown(&Rules::Mode(mode)));
    let templates = tree.templates.iter().map(|name| BundleRules::Template(name.clone()));
    BundleChoice { rules: first.map_or(BundleRules::Replaces, shown), all: modes.chain(templates).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Expand, Workbench};
    use views::PackageKey;

    const ANNOTATIONS: &str = "annotations:\n  operators.operatorframework.io.bundle.package.v1: p\n  \
                               operators.operatorframework.io.bundle.channels.v1: stable\n";

    fn csv(version: &str, replaces: &str) -> String {
        format!(
            "kind: ClusterServiceVersion\nmetadata: {{name: p.v{version}}}\nspec: {{displayName: P, version: {version}, \
             replaces: '{replaces}'}}\n"
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
        let mut workbench = Workbench::expanding(Expand::Templates);
        let readme = NewText { path: "logo.png".to_owned(), content: Ok(vec![0, 255]) };
        let mut files = tree(&[("README.md", "# Hello\n"), ("ci.yaml", "updateGraph: replaces-mode\n")]);
        files.push(readme);
        let id = workbench.add_catalog("Tree", files, &mut |_| {});
        assert_eq!(shown_of(&workbench, id), ["tree (from its bundles)", "p.v1.0.0 p.v2.0.0", ""]);
        assert!(workbench.catalog(id).unwrap().is_accepted());
        let row = &workbench.overview().catalogs[0];
        let rules = row.bundles.as_ref().map(|choice| &choice.rules);
        assert_eq!((rules, row.packages), (Some(&BundleRules::Replaces), 1));
    }

    #[test]
    fn readiness_has_the_manifests_of_the_bundles() {
        let mut workbench = Workbench::expanding(Expand::Templates);
        let other = ("2.0.0/manifests/d.yaml", "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: d}\n");
        let catalog = workbench.add_catalog("tree", tree(&[other]), &mut |_| {});
        let found = workbench.readiness(&PackageKey { catalog, package: "p".to_owned() }).unwrap();
        let modes = "unsupported bundle: bundle does not support AllNamespaces install mode";
        let refusals: Vec<_> = found.bundles.iter().map(|row| row.refusals.clone()).collect();
        assert_eq!(refusals, [vec![modes, "unsupported resource \"d\" with kind \"Deployment\""], vec![modes]]);
        assert_eq!(found.bundles[0].unknown, [""; 0]);
    }

    #[test]
    fn the_catalog_follows_edits_of_the_bundles() {
        let mut workbench = Workbench::expanding(Expand::Templates);
        let id = workbench.add_catalog("tree", tree(&[]), &mut |_| {});
        let catalog = workbench.catalog(id).unwrap();
        let (csv, made) = (catalog.files[2].key, catalog.files[4].key);
        let at = catalog.files[2].text.find("p.v1.0.0").unwrap() as u32;
        workbench.edit(made, 0..3, "");
        workbench.edit(csv, at..at + 8, "gone");
        assert_eq!(shown_of(&workbench, id)[1..], ["", "unbuilt-package"]);
        workbench.edit(csv, at..at + 4, "");
        assert_eq!(shown_of(&workbench, id)[1..], ["p.v2.0.0", "pruned-bundle"]);
        let found = &workbench.catalog(id).unwrap().analysis.findings[0];
        let file = FileKey(found.diagnostic.span.file.0);
        assert_eq!(workbench.file(file).unwrap().1.path, "1.0.0/manifests/csv.yaml");
        let subject = found.subject.as_ref().unwrap();
        assert_eq!((subject.package.as_str(), subject.entry.as_ref().unwrap().as_str()), ("p", "p.v1.0.0"));
        workbench.set_bundle_rules(id, Some(Rules::Mode(Mode::Semver)));
        assert_eq!(shown_of(&workbench, id)[1..], ["p.v1.0.0 p.v2.0.0", ""]);
        workbench.set_bundle_rules(id, None);
        assert_eq!(shown_of(&workbench, id)[2], "pruned-bundle");
    }

    #[test]
    fn catalog_templates_follow_the_other_catalogs() {
        let ci =
            "fbc: {enabled: true, catalog_mapping: [{template_name: t.yaml, type: olm.semver, catalog_names: [a]}]}";
        let template = "schema: olm.semver\ngenerateMinorChannels: true\nstable: {bundles: [{image: 'x@sha256:0'}]}\n";
        let mut workbench = Workbench::expanding(Expand::Templates);
        let files = tree(&[("ci.yaml", ci), ("catalog-templates/t.yaml", template)]);
        let id = workbench.add_catalog("tree", files, &mut |_| {});
        assert!(shown_of(&workbench, id)[2].contains("needs-registry"), "{:?}", shown_of(&workbench, id));
        let catalog = "schema: olm.bundle\npackage: p\nname: p.v1.0.0\nimage: x@sha256:0\nproperties:\n\
                       - {type: olm.package, value: {packageName: p, version: 1.0.0}}\n\
                       - {type: olm.csv.metadata, value: {displayName: P}}\n";
        let other = workbench.add_text("other", "c.yaml", catalog);
        assert_eq!(shown_of(&workbench, id)[1..], ["p.v1.0.0", "pruned-bundle"]);
        let choice = workbench.overview().catalogs[0].bundles.clone().unwrap();
        assert_eq!((choice.rules, choice.all.len()), (BundleRules::Template("t.yaml".to_owned()), 4));
        workbench.remove(other);
        assert!(shown_of(&workbench, id)[2].contains("needs-registry"));
    }

    #[test]
    fn a_single_bundle_is_a_catalog_and_a_catalog_with_bundles_is_none() {
        let mut workbench = Workbench::expanding(Expand::BundleTrees);
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
