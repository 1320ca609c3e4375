//! Sets of catalogs that were read from files, with what is wrong with them, and what a change does to them.

mod before;

pub use before::changes;

use crate::NewText;
use openshift::sets::{CatalogSet, check, sentence, set_of_bundles};
use source::{Executor, OpenShift, OpmVersion};
use views::{SetId, SetView};

/// A set, and where it was read.
pub struct ReadSet {
    pub set: CatalogSet,
    /// The folder of its files; absent if several paths were given, which the files then begin with.
    pub root: Option<String>,
}

impl ReadSet {
    /// The path of a file of the set for a message.
    pub fn shown(&self, path: &str) -> String {
        match self.root.as_deref() {
            Some("." | "") | None if path.is_empty() => ".".to_owned(),
            Some("." | "") | None => path.to_owned(),
            Some(root) if path.is_empty() => root.to_owned(),
            Some(root) => format!("{}/{path}", root.trim_end_matches('/')),
        }
    }

    /// Whether it has a catalog for a version, or says why it has none.
    #[must_use]
    pub fn has_version(&self, version: OpenShift) -> bool {
        self.set.member(version).is_some() || self.set.holes.iter().any(|hole| hole.version == version)
    }

    /// The paths of the files of which nothing or only a part was read.
    pub fn unread(&self) -> impl Iterator<Item = String> {
        let unread = self.set.members.iter().flat_map(|member| &member.unread);
        unread.map(|(path, _)| self.shown(path))
    }
}

impl ReadSet {
    /// What is wrong with the set. With sets before a change, only findings that are new count, and what the change does.
    #[must_use]
    pub fn check(&self, id: SetId, before: Option<&[Self]>, executor: Executor) -> SetView {
        let mut findings = check(&self.set, executor);
        let sentence = sentence(&self.set, &findings);
        let before = before.map(|sets| sets.iter().find(|before| before.set.pattern == self.set.pattern));
        let known = before
            .map(|before| before.map_or(0, |before| before::keep_new(&check(&before.set, executor), &mut findings)));
        let changes = before
            .map(|before| before.map_or_else(Vec::new, |before| before::changes(&before.set, &self.set, executor)));
        let mut view = self.set.view(id, &findings, &[], |path| self.shown(path));
        let listed = match known {
            None | Some(0) => None,
            Some(1) => Some("1 finding that was there before is not listed.".to_owned()),
            Some(known) => Some(format!("{known} findings that were there before are not listed.")),
        };
        view.limits.splice(..0, listed);
        SetView { sentence, changes, known, ..view }
    }
}

/// The set that bundle directories make by their annotations.
///
/// # Errors
/// Why there is nothing to compare; `None` without bundle directories.
pub fn of_bundles(files: Vec<NewText>, opm: OpmVersion, executor: Executor) -> Result<CatalogSet, Option<String>> {
    let files = files.into_iter().map(|file| (file.path, file.content)).collect();
    set_of_bundles(files, opm, executor).map_err(Some)?.ok_or(None)
}
