//! `dependencies.yaml` and `properties.yaml` files that are attached to a bundle of a catalog.
//!
//! They are files of a bundle's folder, not of a catalog: inside a catalog's folder `opm` would reject them. So they have
//! paths outside the catalog's root.

use crate::file::FileInput;
use catalog::{BundleName, Catalog};
use fbc::Legacy;
use source::{Diagnostic, FileId, Rule, Span};
use std::collections::BTreeSet;

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

/// The names of the bundles of a catalog.
pub(crate) struct BundleNames(BTreeSet<BundleName>);

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
