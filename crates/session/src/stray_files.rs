//! `dependencies.yaml` and `properties.yaml` files: attached to a bundle of a catalog, or added by themselves and moved
//! to the catalog where they belong.

use crate::catalog_input::CatalogInput;
use crate::file::{FileInput, OUTSIDE_ROOT};
use catalog::{BundleName, Catalog};
use fbc::Legacy;
use source::{Diagnostic, FileId, Rule, Span};
use std::collections::{BTreeMap, BTreeSet};
use views::CatalogId;

/// The catalogs that [`crate::Workbench::attach_bundle_files`] changed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AttachedFiles {
    /// Catalogs that have more files now.
    pub changed: BTreeSet<CatalogId>,
    /// What had been added as a catalog and is only such files.
    pub removed: BTreeSet<CatalogId>,
    /// The paths of those among them whose bundle no catalog has.
    pub lost: Vec<String>,
}

impl AttachedFiles {
    /// Why a file without its bundle is of no use, and what to do.
    pub const LOST: &str = "these are dependencies or properties of a bundle, and no open catalog has the bundle; open \
                            its catalog first, and name the bundle at the top of this file, as in `bundle: \
                            kettle.v1.0.0`, or by the folder that this file is in";
}

/// Moves such files to the first catalog that has their bundle. The catalogs that they leave are to be removed.
pub(crate) fn move_stray_files(catalogs: &mut [CatalogInput]) -> AttachedFiles {
    let mut attached = AttachedFiles::default();
    let strays: Vec<usize> = (0..catalogs.len()).filter(|&at| is_stray(&catalogs[at])).collect();
    for at in strays {
        let files = catalogs[at].files.rearrange(std::mem::take);
        let root = catalogs[at].name.clone();
        let names: Vec<BundleNames> =
            catalogs.iter().map(|catalog| BundleNames::of(&catalog.analysis.catalog)).collect();
        let (mut moved, mut kept): (BTreeMap<usize, Vec<FileInput>>, Vec<FileInput>) = Default::default();
        for file in files {
            match target(&names, &root, &file) {
                Some(target) => moved.entry(target).or_default().push(file),
                None => kept.push(file),
            }
        }
        // Of several files another one may be a catalog that cannot be read.
        if let ([file], true) = (&*kept, moved.is_empty()) {
            attached.lost.push(file.path.clone());
            attached.removed.insert(catalogs[at].id);
        }
        catalogs[at].files = kept.into();
        if moved.is_empty() {
            continue;
        }
        attached.removed.insert(catalogs[at].id);
        for (target, mut files) in moved {
            for file in &mut files {
                file.path = attached_path(&root, &file.path);
                file.read();
            }
            catalogs[target].files.rearrange(|all| all.splice(0..0, files).for_each(drop));
            attached.changed.insert(catalogs[target].id);
        }
    }
    attached
}

/// Whether the catalog has no catalog document, but a file that lists dependencies or properties.
fn is_stray(catalog: &CatalogInput) -> bool {
    catalog.files.iter().all(|file| file.parse().docs.is_empty())
        && catalog.files.iter().any(|file| listed(file).is_some())
}

fn listed(file: &FileInput) -> Option<Legacy> {
    fbc::legacy(FileId(file.key.0), &file.text)
}

/// The index of the first catalog that has the bundle of the file.
fn target(catalogs: &[BundleNames], root: &str, file: &FileInput) -> Option<usize> {
    let listed = listed(file)?;
    let path = attached_path(root, &file.path);
    catalogs.iter().position(|names| names.of_file(&listed, &path).is_some())
}

fn attached_path(root: &str, path: &str) -> String {
    if path.split('/').next() == Some(root) {
        format!("{OUTSIDE_ROOT}{path}")
    } else {
        format!("{OUTSIDE_ROOT}{root}/{path}")
    }
}

// `dependencies.yaml` and `properties.yaml` files that are attached to a bundle of a catalog.
//
// They are files of a bundle's folder, not of a catalog: inside a catalog's folder `opm` would reject them. So they
// have paths outside the catalog's root.

/// Adds the properties that such files list to their bundles. Returns the findings about those files.
pub(crate) fn attach(catalog: &mut Catalog, files: &[FileInput]) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    let mut names = None;
    for file in files {
        let Some(legacy) = &file.attached else { continue };
        diagnostics.extend(legacy.diagnostics.iter().cloned());
        match names.get_or_insert_with(|| BundleNames::of(catalog)).of_file(legacy, &file.path) {
            Some(name) => diagnostics.extend(catalog::attach(catalog, name, legacy, &file.text).unwrap_or_default()),
            None => diagnostics.push(unattached(FileId(file.key.0), legacy)),
        }
    }
    diagnostics
}

struct BundleNames(BTreeSet<BundleName>);

impl BundleNames {
    pub(crate) fn of(catalog: &Catalog) -> Self {
        let bundles = catalog.packages.iter().flat_map(|package| &package.bundles);
        Self(bundles.map(|bundle| bundle.name.value.clone()).collect())
    }

    /// The bundle that a file belongs to: the one its field `bundle` names, else the one whose name a part of its path begins
    /// with. Of several such names the longest wins, because `etcd.v1.0.0` also begins `etcd.v1.0.0-1`.
    pub(crate) fn of_file(&self, legacy: &Legacy, path: &str) -> Option<&BundleName> {
        match &legacy.bundle {
            Some(named) => self.0.get(&*named.value),
            None => {
                let names = path.split('/').flat_map(beginnings).filter_map(|name| self.0.get(name));
                names.max_by_key(|name| name.as_str().len())
            }
        }
    }
}

/// A part of a path, and what it begins with before a separator.
fn beginnings(part: &str) -> impl Iterator<Item = &str> {
    let before = part.match_indices(['.', '-', '_']).map(|(at, _)| &part[..at]);
    before.chain([part]).filter(|name| !name.is_empty())
}

fn unattached(file: FileId, legacy: &Legacy) -> Diagnostic {
    let (span, message) = match &legacy.bundle {
        Some(name) => (name.span, format!("the catalog has no bundle `{name}`: these properties have no effect")),
        None => (Span::new(file, 0, 0), "the file names no bundle: its properties have no effect".to_owned()),
    };
    let help = "add `bundle: <name>` at the top of the file, or put it into a folder named for the bundle";
    Diagnostic::new(Rule::UnattachedProperties, span, message).with_help(help)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Workbench;

    const CATALOG: &str = "schema: olm.package\nname: a\ndefaultChannel: c\n---\nschema: olm.channel\npackage: a\nname: c\n\
        entries: [{name: a.v1.0.0}]\n---\nschema: olm.bundle\npackage: a\nname: a.v1.0.0\nimage: example.com/a:1\n\
        properties: [{type: olm.package, value: {packageName: a, version: 1.0.0}}, {type: olm.csv.metadata, value: {displayName: \
        A}}]\n";

    /// Adds the catalog and a file by itself. Returns the paths of the catalog's files, the kinds of the bundle's properties and
    /// the findings of all catalogs.
    fn attached(root: &str, path: &str, text: &str) -> (Vec<String>, Vec<String>, Vec<String>) {
        let mut workbench = Workbench::new();
        for (root, path, text) in [(root, path, text), ("community", "catalog.yaml", CATALOG)] {
            workbench.add_text(root, path, text);
        }
        workbench.attach_bundle_files();
        let catalog = workbench.catalogs().iter().find(|catalog| catalog.name == "community").unwrap();
        let paths = catalog.files.iter().map(|file| file.path.clone()).collect();
        let properties = &catalog.analysis.catalog.packages[0].bundles[0].properties;
        let kinds = properties.iter().map(|property| property.value.kind().to_owned()).collect();
        let findings = workbench.catalogs().iter().flat_map(|catalog| &catalog.analysis.findings);
        (paths, kinds, findings.map(|found| found.diagnostic.rule.to_string()).collect())
    }

    const PROPERTIES: &str = "properties: [{type: sushi, value: salmon}]\n";

    #[test]
    fn a_folder_names_the_bundle() {
        let (paths, kinds, findings) = attached("a.v1.0.0", "metadata/properties.yaml", PROPERTIES);
        assert_eq!(paths, ["../a.v1.0.0/metadata/properties.yaml", "catalog.yaml"]);
        assert_eq!((kinds, findings), (vec!["olm.package".to_owned(), "sushi".to_owned()], Vec::new()));
    }

    #[test]
    fn a_field_names_the_bundle() {
        let text = format!("bundle: a.v1.0.0\n{PROPERTIES}");
        assert_eq!(attached("properties.yaml", "properties.yaml", &text).1, ["olm.package", "sushi"]);
    }

    #[test]
    fn the_longest_name_in_the_path_counts() {
        let text = CATALOG.replace("v1.0.0", "v1.0.0-1") + "---\n" + CATALOG.split("---\n").last().unwrap();
        let parse = fbc::parse(FileId(0), &text);
        let (catalog, _) = catalog::lower(&[catalog::ParsedFile { text: &text, parse: &parse }]);
        let legacy = fbc::legacy(FileId(0), PROPERTIES).unwrap();
        let names = BundleNames::of(&catalog);
        let found = |path| names.of_file(&legacy, path).map(|name| name.to_string());
        assert_eq!(found("x/a.v1.0.0-1_amd64/properties.yaml").as_deref(), Some("a.v1.0.0-1"));
        assert_eq!(found("a.v1.0.0.yaml").as_deref(), Some("a.v1.0.0"));
        assert_eq!(found("a.v1.0.01/xa.v1.0.0"), None);
    }

    #[test]
    fn a_file_without_a_bundle_becomes_no_catalog() {
        let mut workbench = Workbench::new();
        workbench.add_text("properties.yaml", "properties.yaml", PROPERTIES);
        let attached = workbench.attach_bundle_files();
        assert_eq!((attached.lost.as_slice(), attached.removed.len()), (["properties.yaml".to_owned()].as_slice(), 1));
        assert!(workbench.catalogs().is_empty());
    }

    #[test]
    fn an_attached_file_stays_attached_while_it_is_edited() {
        let mut workbench = Workbench::new();
        for (root, path, text) in
            [("community", "catalog.yaml", CATALOG), ("a.v1.0.0", "dependencies.yaml", PROPERTIES)]
        {
            workbench.add_text(root, path, text);
        }
        let attached = workbench.attach_bundle_files();
        assert_eq!((attached.changed.len(), attached.removed.len(), workbench.catalogs().len()), (1, 1, 1));
        let key = workbench.catalogs()[0].files[0].key;
        workbench.edit(key, 0..0, "bundle: b.v9\n");
        let found = &workbench.catalogs()[0].analysis.findings;
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].diagnostic.rule.id(), "unattached-properties");
        assert!(workbench.catalogs()[0].is_accepted());
    }
}
