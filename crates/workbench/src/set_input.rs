//! A set among the inputs, and what files may become one.

use crate::file::NewText;
use openshift::sets::{CatalogSet, Finding, Loading, candidates, may_render, templates_of};
use std::cell::OnceCell;
use views::{OpenShift, OpmVersion, SetId};

/// A set.
pub struct SetInput {
    /// The id; never reused.
    pub id: SetId,
    /// The name of what was opened.
    pub name: String,
    /// Its members; while it is read, those that are complete.
    pub set: CatalogSet,
    /// The versions of the members that are still read.
    pub(crate) waiting: Vec<OpenShift>,
    pub(crate) findings: OnceCell<Vec<Finding>>,
}

impl SetInput {
    /// Judges its catalogs as a release of `opm` does.
    pub(crate) fn judge(&mut self, opm: OpmVersion) {
        self.set.judge(opm);
        self.findings = OnceCell::new();
    }
}

/// The sets that files with these paths may make. Files are added to them later, also the Dockerfiles, Makefiles and scripts among
/// them.
#[must_use]
pub fn begin_sets(paths: &[&str], recipes: &[&NewText]) -> Vec<Loading> {
    with_texts(recipes, |texts| candidates(paths.iter().copied(), texts)).into_iter().map(Loading::new).collect()
}

/// The templates from which a Makefile or a script renders files at or below a path, each with the recipe.
#[must_use]
pub fn templates_rendered_into(path: &str, paths: &[&str], recipes: &[&NewText]) -> Vec<(String, String)> {
    with_texts(recipes, |texts| templates_of(path, paths.iter().copied(), texts))
}

/// Whether a Makefile or a script may render a template.
#[must_use]
pub fn renders_templates(recipe: &NewText) -> bool {
    recipe.content.as_ref().is_ok_and(|bytes| may_render(&String::from_utf8_lossy(bytes)))
}

/// An answer that needs the paths and texts of files that can be read.
pub(crate) fn with_texts<T>(files: &[&NewText], answer: impl FnOnce(&[(&str, &str)]) -> T) -> T {
    let text = |file: &NewText| Some(String::from_utf8_lossy(file.content.as_ref().ok()?).into_owned());
    let texts: Vec<(&str, String)> = files.iter().filter_map(|file| Some((&*file.path, text(file)?))).collect();
    answer(&texts.iter().map(|(path, text)| (*path, &**text)).collect::<Vec<_>>())
}
