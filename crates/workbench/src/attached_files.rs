//! `dependencies.yaml` and `properties.yaml` files that are dropped beside a catalog and belong to one of its bundles.
//!
//! Inside a catalog's folder `opm` would reject them; so they are kept under paths that begin with `../`.

use crate::file::FileInput;
use crate::input::{AttachedFiles, CatalogInput};
use catalog::{BundleName, Catalog};
use fbc::Legacy;
use source::{Diagnostic, FileId, Rule, Span};

/// Where a file beside the catalog's root lies.
const BESIDE: &str = "../";

/// Whether the path leads out of the catalog's root.
pub(crate) fn is_beside(path: &str) -> bool {
    path.starts_with(BESIDE)
}

/// Attaches what such files list to their bundles; what is wrong with that.
pub(crate) fn attach(catalog: &mut Catalog, files: &[FileInput]) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    for file in files {
        let Some(legacy) = &file.attached else { continue };
        diagnostics.extend(legacy.diagnostics.iter().cloned());
        match bundle_of(catalog, legacy, &file.path) {
            Some(name) => diagnostics.extend(catalog::attach(catalog, &name, legacy, &file.text).unwrap_or_default()),
            None => diagnostics.push(unattached(FileId(file.key.0), legacy)),
        }
    }
    diagnostics
}

/// Moves such files, where they were taken for catalogs of their own, to the first catalog with their bundle.
pub(crate) fn adopt(catalogs: &mut [CatalogInput]) -> AttachedFiles {
    let mut attached = AttachedFiles::default();
    let strays: Vec<usize> = (0..catalogs.len()).filter(|&at| is_stray(&catalogs[at])).collect();
    for at in strays {
        let files = std::mem::take(&mut catalogs[at].files);
        let (mut moved, mut kept) = (Vec::new(), Vec::new());
        for file in files {
            match home(catalogs, &catalogs[at].name, &file) {
                Some(home) => moved.push((home, file)),
                None => kept.push(file),
            }
        }
        catalogs[at].files = kept;
        if moved.is_empty() {
            continue;
        }
        attached.removed.insert(catalogs[at].id);
        let root = catalogs[at].name.clone();
        for (home, mut file) in moved {
            file.path = path_beside(&root, &file.path);
            file.read();
            catalogs[home].files.insert(0, file);
            attached.changed.insert(catalogs[home].id);
        }
    }
    attached
}

/// Whether nothing in it is a catalog document, but something lists properties.
fn is_stray(catalog: &CatalogInput) -> bool {
    catalog.files.iter().all(|file| file.parse().docs.is_empty())
        && catalog.files.iter().any(|file| read(file).is_some())
}

fn read(file: &FileInput) -> Option<Legacy> {
    fbc::legacy(FileId(file.key.0), &file.text)
}

/// The first catalog that has the bundle of the file.
fn home(catalogs: &[CatalogInput], root: &str, file: &FileInput) -> Option<usize> {
    let legacy = read(file)?;
    let path = path_beside(root, &file.path);
    catalogs.iter().position(|catalog| bundle_of(&catalog.analysis.catalog, &legacy, &path).is_some())
}

fn path_beside(root: &str, path: &str) -> String {
    if path.split('/').next() == Some(root) { format!("{BESIDE}{path}") } else { format!("{BESIDE}{root}/{path}") }
}

/// The bundle that the file names: in its field `bundle`, else as a folder of its path or at the start of its own name.
fn bundle_of(catalog: &Catalog, legacy: &Legacy, path: &str) -> Option<BundleName> {
    let mut names = catalog.packages.iter().flat_map(|package| &package.bundles).map(|bundle| &bundle.name.value);
    match &legacy.bundle {
        Some(named) => names.find(|name| name.as_str() == &*named.value).cloned(),
        None => names.filter(|name| is_in(name.as_str(), path)).max_by_key(|name| name.as_str().len()).cloned(),
    }
}

fn is_in(name: &str, path: &str) -> bool {
    let names =
        |part: &str| part.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '-', '_']));
    !name.is_empty() && path.split('/').any(names)
}

fn unattached(file: FileId, legacy: &Legacy) -> Diagnostic {
    let (span, message) = match &legacy.bundle {
        Some(name) => (name.span, format!("the catalog has no bundle `{name}`: these properties count for nothing")),
        None => (Span::new(file, 0, 0), "the file names no bundle: its properties count for nothing".to_owned()),
    };
    let help = "add `bundle: <name>` at the top of the file, or put it into a folder named for the bundle";
    Diagnostic::new(Rule::UnattachedProperties, span, message).with_help(help)
}

#[cfg(test)]
mod tests {
    use crate::{NewText, Workbench};

    const CATALOG: &str = "schema: olm.package\nname: a\ndefaultChannel: c\n---\nschema: olm.channel\npackage: a\nname: c\n\
        entries: [{name: a.v1.0.0}]\n---\nschema: olm.bundle\npackage: a\nname: a.v1.0.0\nimage: example.com/a:1\n\
        properties: [{type: olm.package, value: {packageName: a, version: 1.0.0}}]\n";

    /// Adds the catalog and a file beside it; the paths of the catalog's files, the kinds of the bundle's properties and
    /// the findings of all catalogs.
    fn told(root: &str, path: &str, text: &str) -> (Vec<String>, Vec<String>, Vec<String>) {
        let mut workbench = Workbench::new();
        for (root, path, text) in [(root, path, text), ("community", "catalog.yaml", CATALOG)] {
            let file = NewText { path: path.to_owned(), content: Ok(text.as_bytes().to_vec()) };
            workbench.add_catalog(root, vec![file], &mut |_| {});
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
        let (paths, kinds, findings) = told("a.v1.0.0", "metadata/properties.yaml", PROPERTIES);
        assert_eq!(paths, ["../a.v1.0.0/metadata/properties.yaml", "catalog.yaml"]);
        assert_eq!((kinds, findings), (vec!["olm.package".to_owned(), "sushi".to_owned()], Vec::new()));
    }

    #[test]
    fn a_field_names_the_bundle() {
        let text = format!("bundle: a.v1.0.0\n{PROPERTIES}");
        assert_eq!(told("properties.yaml", "properties.yaml", &text).1, ["olm.package", "sushi"]);
    }

    #[test]
    fn a_file_that_names_no_bundle_stays_by_itself() {
        let (paths, kinds, findings) = told("properties.yaml", "properties.yaml", PROPERTIES);
        assert_eq!((paths.len(), kinds.len()), (1, 1));
        assert!(!findings.is_empty());
    }

    #[test]
    fn it_stays_attached_while_it_is_edited() {
        let mut workbench = Workbench::new();
        for (root, path, text) in
            [("community", "catalog.yaml", CATALOG), ("a.v1.0.0", "dependencies.yaml", PROPERTIES)]
        {
            let file = NewText { path: path.to_owned(), content: Ok(text.as_bytes().to_vec()) };
            workbench.add_catalog(root, vec![file], &mut |_| {});
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
