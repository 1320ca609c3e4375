//! A set among the inputs, and what files may become one.

use crate::file::NewText;
use openshift::sets::{CatalogSet, Finding, Loading, candidates};
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

/// The sets that files with these paths may make. Files are added to them later, also the Dockerfiles among them.
#[must_use]
pub fn begin_sets(paths: &[&str], dockerfiles: &[&NewText]) -> Vec<Loading> {
    let text = |file: &NewText| Some(String::from_utf8_lossy(file.content.as_ref().ok()?).into_owned());
    let texts: Vec<(&str, String)> = dockerfiles.iter().filter_map(|file| Some((&*file.path, text(file)?))).collect();
    let texts: Vec<(&str, &str)> = texts.iter().map(|(path, text)| (*path, &**text)).collect();
    candidates(paths.iter().copied(), &texts).into_iter().map(Loading::new).collect()
}
