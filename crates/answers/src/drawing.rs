//! The drawing of a catalog that is one text, without a workbench.
//!
//! It runs what `opm validate` rejects a catalog for and no other check, and looks at no other catalog. So the module for
//! pages of documentation (`web/element`) has none of the code of resolution, comparison and linting.

use super::graph::view;
use catalog::{OpmPhase, Package, is_about_unread};
use session::CatalogInput;
use session::Files;
use session::resource_name;
use session::{Analysis, parsed};
use session::{FileInput, NewText};
use source::Diagnostic;
use std::sync::Arc;
use views::{CatalogId, FileKey, GraphLayout, GraphOptions, GraphView, PackageKey};

/// Why a text cannot be drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DrawingFault {
    /// Line and column, counted from 1; absent if the text as a whole is wrong.
    pub position: Option<(u32, u32)>,
    /// What is wrong.
    pub message: String,
}

/// Draws a package of a catalog that is one file; without a name, the first package.
///
/// # Errors
///
/// Everything that `opm` rejects, in the order of the text, but only what cannot be read if there is such; or that there is no
/// such package.
pub fn drawing(
    path: &str,
    text: Vec<u8>,
    package: Option<&str>,
    layout: Option<GraphLayout>,
) -> Result<GraphView, Vec<DrawingFault>> {
    let catalog = read(path, text);
    let faults = faults(&catalog);
    if !faults.is_empty() {
        return Err(faults);
    }
    let package = find(&catalog.analysis.catalog.packages, package)?;
    let key = PackageKey { catalog: catalog.id, package: package.name.to_string() };
    Ok(view(&key, &catalog, package, &GraphOptions { layout, ..GraphOptions::default() }))
}

fn read(path: &str, text: Vec<u8>) -> CatalogInput {
    let mut file = FileInput::new(FileKey(0), NewText { path: path.to_owned(), content: Ok(text) });
    file.read();
    let files = Files::from(vec![file]);
    let analysis = Analysis::without_checks(&files);
    let mut catalog = CatalogInput::new(CatalogId(0), resource_name(path), files);
    catalog.analysis = analysis;
    catalog
}

fn faults(input: &CatalogInput) -> Vec<DrawingFault> {
    let (catalog, mut found) = catalog::lower(&parsed(&input.files));
    found.extend(input.files.iter().flat_map(|file| file.diagnostics().cloned()));
    found.extend(catalog::check(&catalog));
    found.retain(|found| found.opm.is_some() || is_about_unread(found));
    // A document that cannot be read is the cause of what is missing elsewhere; `opm` looks no further, either.
    let is_unread = |found: &Diagnostic| found.opm_rank == u8::from(OpmPhase::Load);
    if found.iter().any(is_unread) {
        found.retain(is_unread);
    }
    found.sort_by_key(|found| found.span);
    let fault = |found: Diagnostic| {
        let place = input.place(found.span);
        DrawingFault { position: Some((place.line, place.column)), message: found.message }
    };
    found.into_iter().map(fault).collect()
}

fn find<'c>(packages: &'c [Arc<Package>], name: Option<&str>) -> Result<&'c Package, Vec<DrawingFault>> {
    let is_named = |package: &&Arc<Package>| name.is_none_or(|name| package.name.as_str() == name);
    packages.iter().find(is_named).map(Arc::as_ref).ok_or_else(|| {
        let message = match name.filter(|_| !packages.is_empty()) {
            Some(name) => format!("the catalog has no package `{name}`"),
            None => "expected a file-based catalog, found no package".to_owned(),
        };
        vec![DrawingFault { position: None, message }]
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph;
    use session::testing::{workbench, yaml};

    const TWO: &str = "package a c\nchannel a c a.v1.0.0\nbundle a 1.0.0\npackage b c\nchannel b c b.v2.0.0>b.v1.0.0 b.v1.0.0\nbundle b 1.0.0\nbundle b 2.0.0";

    fn drawn(text: &str, package: Option<&str>) -> Result<GraphView, Vec<DrawingFault>> {
        drawing("c.yaml", text.into(), package, None)
    }

    #[test]
    fn it_is_the_drawing_of_the_workbench() {
        let key = PackageKey { catalog: CatalogId(0), package: "b".to_owned() };
        let expected = graph(&workbench(&[("c", TWO)]), &key, &GraphOptions::default());
        assert_eq!(drawn(&yaml(TWO), Some("b")).ok(), expected);
        assert_eq!(drawn(&yaml(TWO), None).unwrap().package.package, "a", "the first one by default");
    }

    #[test]
    fn a_rejected_catalog_has_the_places_of_its_faults() {
        let text = "schema: olm.package\nname: p\ndefaultChannel: stable\n---\nschema: olm.channel\npackage: p\nname: stable\nentries:\n- name: [\n";
        let faults = drawn(text, None).unwrap_err();
        assert_eq!(faults.iter().map(|fault| fault.position).collect::<Vec<_>>(), [Some((10, 1))]);
    }

    #[test]
    fn a_package_that_is_missing_is_named() {
        let message = |text: &str, package| drawn(text, package).unwrap_err().remove(0).message;
        assert_eq!(message(&yaml(TWO), Some("d")), "the catalog has no package `d`");
        assert_eq!(message("", Some("d")), "expected a file-based catalog, found no package");
    }
}
