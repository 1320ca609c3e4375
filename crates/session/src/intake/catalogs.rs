//! Catalogs that paths, Dockerfiles or the user tell apart, and the files of each.

use super::Kind;
use crate::file::NewText;
use openshift::sets::{Candidate, CatalogSet, Loading, Paths};
use source::{Executor, OpenShift, OpmVersion};
use std::collections::BTreeSet;

/// Catalogs for several versions of OpenShift, or one that is a part of the files.
pub struct Catalogs {
    pub set: CatalogSet,
    /// Whether they are for several versions.
    pub is_set: bool,
    /// The version of the only one, if anything tells it.
    pub openshift: Option<OpenShift>,
}

/// One of several catalogs among files, or the only one.
#[derive(Clone)]
pub struct Member {
    /// The version of OpenShift that it is for, if anything tells it.
    pub openshift: Option<OpenShift>,
    /// Whether it is one of a set.
    pub is_of_set: bool,
    /// What tells it from other catalogs of the same files: its folder or file; empty for all of the files.
    pub folder: String,
    /// The folder of that with the Dockerfile and the templates around it.
    pub home: String,
    /// Its files; its templates if it has no others.
    pub files: Vec<NewText>,
    /// Whether it has others.
    pub has_catalog: bool,
    /// The templates that it is made of.
    pub templates: Vec<NewText>,
}

impl Catalogs {
    /// Each of the catalogs with its files, whose contents `fetch` has.
    #[must_use]
    pub fn members(&self, mut fetch: impl FnMut(&str) -> Result<Vec<u8>, String>) -> Vec<Member> {
        let mut of = |paths: &BTreeSet<&str>| {
            paths.iter().map(|path| NewText { path: (*path).to_owned(), content: fetch(path) }).collect()
        };
        let member = |member: &openshift::sets::Member| {
            let (served, templates) = self.set.paths_of(member);
            let mut roots = member.places.iter().flat_map(|place| place.roots());
            let first = roots.next().unwrap_or_default();
            let is_only = roots.next().is_none();
            let place = member.places.first().map_or("", |place| &place.path);
            Member {
                openshift: if self.is_set { Some(member.version) } else { self.openshift },
                is_of_set: self.is_set,
                folder: if is_only { first } else { place }.to_owned(),
                home: place.to_owned(),
                files: of(&served),
                has_catalog: served != templates,
                templates: of(&templates),
            }
        };
        self.set.members.iter().map(member).collect()
    }
}

impl Member {
    /// The only catalog of these files.
    #[must_use]
    pub const fn only(openshift: Option<OpenShift>, files: Vec<NewText>) -> Self {
        Self {
            openshift,
            is_of_set: false,
            folder: String::new(),
            home: String::new(),
            files,
            has_catalog: true,
            templates: Vec::new(),
        }
    }

    /// The same with the templates that the catalog is made of, if there are some beside it.
    #[must_use]
    pub fn with_templates(self, executor: Executor) -> Self {
        let set = every_version(&[OpenShift { major: 4, minor: 0 }], &self.files, OpmVersion::NEWEST, executor);
        let found = Catalogs { set, is_set: false, openshift: self.openshift }.members(|path| {
            let same = self.files.iter().find(|file| file.path == path);
            same.map_or_else(|| Err(String::new()), |file| file.content.clone())
        });
        let is_rendered = |member: &Self| member.has_catalog && !member.templates.is_empty();
        found.into_iter().find(is_rendered).unwrap_or(self)
    }
}

/// A catalog that is the same for all of these versions.
#[must_use]
pub fn every_version(versions: &[OpenShift], files: &[NewText], opm: OpmVersion, executor: Executor) -> CatalogSet {
    let paths = Paths::new(files.iter().map(|file| &*file.path).collect(), Vec::new());
    let mut loading = Loading::new(Candidate::of_all(versions, &paths)).judged_by(opm);
    for file in files {
        loading.add_file(&file.path, file.content.clone());
    }
    loading.read(executor);
    loading.preview(&[])
}

/// The catalogs of candidates that were read, and why templates make none. Templates count only where there are no catalogs:
/// elsewhere they make these.
pub(super) fn finish(candidates: Vec<(Loading, Kind)>, executor: Executor) -> (Vec<Catalogs>, Vec<String>) {
    let (mut found, mut reasons) = (Vec::new(), Vec::new());
    for (loading, kind) in candidates {
        let (set, openshift) = match kind {
            Kind::Alone(version) => (loading.finish_whole(executor), version),
            Kind::Set => match loading.finish(executor) {
                Ok(set) => (Some(set), None),
                Err(holes) => {
                    reasons.extend(holes.iter().map(ToString::to_string));
                    (None, None)
                }
            },
        };
        let is_set = matches!(kind, Kind::Set);
        found.extend(set.map(|set| Catalogs { set, is_set, openshift }));
    }
    if !found.iter().all(|catalogs| catalogs.set.is_of_templates()) {
        found.retain(|catalogs| !catalogs.set.is_of_templates());
    }
    (found, reasons)
}
