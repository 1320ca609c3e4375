//! `dependencies.yaml` and `properties.yaml` files that are attached to a bundle of a catalog.
//!
//! They are files of a bundle's folder, not of a catalog: inside a catalog's folder `opm` would reject them. So they have
//! paths outside the catalog's root.

use crate::file::FileInput;
use catalog::{BundleName, Catalog};
use fbc::Legacy;
use source::{Diagnostic, FileId, Rule, Span};

/// Adds the properties that such files list to their bundles. Returns the findings about those files.
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

/// The bundle that a file belongs to: the one its field `bundle` names, else the one whose name a part of its path begins
/// with. Of several such names the longest wins, because `etcd.v1.0.0` also begins `etcd.v1.0.0-1`.
pub(crate) fn bundle_of(catalog: &Catalog, legacy: &Legacy, path: &str) -> Option<BundleName> {
    let mut names = catalog.packages.iter().flat_map(|package| &package.bundles).map(|bundle| &bundle.name.value);
    match &legacy.bundle {
        Some(named) => names.find(|name| name.as_str() == &*named.value).cloned(),
        None => names.filter(|name| is_in(name.as_str(), path)).max_by_key(|name| name.as_str().len()).cloned(),
    }
}

/// Whether a part of the path is the name, or begins with it.
fn is_in(name: &str, path: &str) -> bool {
    let names =
        |part: &str| part.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '-', '_']));
    !name.is_empty() && path.split('/').any(names)
}

fn unattached(file: FileId, legacy: &Legacy) -> Diagnostic {
    let (span, message) = match &legacy.bundle {
        Some(name) => (name.span, format!("the catalog has no bundle `{name}`: these properties have no effect")),
        None => (Span::new(file, 0, 0), "the file names no bundle: its properties have no effect".to_owned()),
    };
    let help = "add `bundle: <name>` at the top of the file, or put it into a folder named for the bundle";
    Diagnostic::new(Rule::UnattachedProperties, span, message).with_help(help)
}
