//! A set: the catalogs of one publisher for several versions of OpenShift.

use crate::sets::recognise::{Candidate, Mismatch, is_below};
use crate::sets::unit::{Rejected, Unit};
use bundle_tree::{Fbc, enabled_fbc};
use catalog::predicate::PackageName;
use catalog::{BundleName, Catalog, Package};
use compare::State;
use source::{FileId, LineIndex, OpenShift, Position, Span};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

/// The catalogs of one publisher for several versions of OpenShift.
#[derive(Clone, Debug)]
pub struct CatalogSet {
    /// What the paths of its members have in common, with `*` for the version.
    pub pattern: Box<str>,
    /// By version.
    pub members: Vec<Member>,
    /// Each text once, by [`FileId`].
    pub files: Vec<SetFile>,
    /// Folders that name another version than their Dockerfiles.
    pub mismatches: Vec<Mismatch>,
    /// Operators whose `ci.yaml` and templates are beside the catalogs.
    pub(crate) operators: Vec<Operator>,
}

/// What a repository of the pipelines has of an operator beside its catalogs.
#[derive(Clone, Debug)]
pub(crate) struct Operator {
    /// The name of its folder, in the catalogs, too.
    pub(crate) name: Box<str>,
    /// Its `ci.yaml`.
    pub(crate) ci: Option<FileId>,
    /// The files in `catalog-templates/`, by name.
    pub(crate) templates: BTreeMap<Box<str>, FileId>,
}

impl Operator {
    /// What its `ci.yaml` says of FBC, where that is enabled.
    pub(crate) fn fbc(&self, set: &CatalogSet) -> Option<Fbc> {
        let id = self.ci?;
        enabled_fbc(&bundle::File { id, path: "ci.yaml", text: &set.file(id)?.text, fault: None })
    }
}

/// The catalog for one version of OpenShift.
#[derive(Clone, Debug)]
pub struct Member {
    pub version: OpenShift,
    /// Its folders or files, as they are below the folder of the set.
    pub places: Vec<Box<str>>,
    /// What it says. Packages that other members have from the same texts are shared with them.
    pub catalog: Catalog,
    /// Why `opm` rejects it: clusters then get nothing from it.
    pub rejected: Option<Rejected>,
    /// Files of which nothing or only a part was read, and why. With any of them the catalog is partial.
    pub unread: Vec<(Box<str>, Box<str>)>,
    pub(crate) units: Vec<Arc<Unit>>,
    pub(crate) by_package: BTreeMap<PackageName, Arc<Unit>>,
}

/// A text that one or several members have.
#[derive(Clone, Debug)]
pub struct SetFile {
    pub text: Arc<str>,
    /// Its paths, by the version of the member. One in several members has one for each, at least.
    pub paths: BTreeMap<OpenShift, Vec<Box<str>>>,
    lines: OnceLock<LineIndex>,
}

impl SetFile {
    pub(crate) fn new(text: Arc<str>) -> Self {
        Self { text, paths: BTreeMap::new(), lines: OnceLock::new() }
    }
}

impl Member {
    /// Its state, to be compared with another member.
    #[must_use]
    pub fn state(&self) -> State<'_> {
        State { catalog: &self.catalog, rejected: self.rejected.as_ref().map(|rejected| &*rejected.text) }
    }

    /// Whether `opm` accepts the files of a package. Of a package without files nobody can tell if a file cannot be
    /// read.
    pub(crate) fn serves(&self, package: &str) -> bool {
        match self.by_package.get(&PackageName::from(package)) {
            Some(unit) => unit.rejected.is_none(),
            None => self.unread.is_empty() && !self.units.iter().any(|unit| unit.is_unread()),
        }
    }

    /// `minKubeVersion` of a bundle.
    #[must_use]
    pub fn min_kube_version(&self, package: &PackageName, bundle: &BundleName) -> Option<&str> {
        let key = (package.clone(), bundle.clone());
        self.by_package.get(package)?.min_kube.get(&key).map(|version| &**version)
    }
}

/// A step of an update of OpenShift: two members that follow each other.
#[derive(Clone, Copy, Debug)]
pub struct Pair<'s> {
    /// The member before.
    pub old: &'s Member,
    /// The member after.
    pub new: &'s Member,
}

impl Pair<'_> {
    /// Whether both have a package from the same texts.
    #[must_use]
    pub fn is_same(&self, package: &str) -> bool {
        let [old, new] = [self.old, self.new].map(|member| member.catalog.shared_package(package));
        old.zip(new).is_some_and(|(old, new)| Arc::ptr_eq(old, new))
    }
}

impl CatalogSet {
    /// The member for a version.
    #[must_use]
    pub fn member(&self, version: OpenShift) -> Option<&Member> {
        self.members.iter().find(|member| member.version == version)
    }

    /// The set without the members that were not read completely. As what such a member misses may be in the part that was not
    /// read, an update of OpenShift from or to it is not judged, as if it was not there.
    #[must_use]
    pub fn complete(&self) -> Cow<'_, Self> {
        if self.partial().next().is_none() {
            return Cow::Borrowed(self);
        }
        let members = self.members.iter().filter(|member| !member.catalog.is_partial).cloned().collect();
        Cow::Owned(Self { members, ..self.clone() })
    }

    /// The versions of the members that were not read completely.
    pub fn partial(&self) -> impl Iterator<Item = OpenShift> {
        self.members.iter().filter(|member| member.catalog.is_partial).map(|member| member.version)
    }

    /// All members that an update of OpenShift leads from and to, in order. 4.22 has two that follow it, 4.23 and 5.0;
    /// no update leads over a version that is not loaded.
    pub fn pairs(&self) -> impl Iterator<Item = Pair<'_>> {
        self.members.iter().flat_map(move |old| {
            let next = old.version.next().filter_map(move |version| self.member(version));
            next.map(move |new| Pair { old, new })
        })
    }

    /// The versions that are missing between the members, in order.
    #[must_use]
    pub fn missing(&self) -> Vec<OpenShift> {
        let is_member = |version: &OpenShift| self.member(*version).is_some();
        let Some(last) = self.members.last().map(|member| member.version) else { return Vec::new() };
        let mut missing = BTreeSet::new();
        for member in &self.members {
            let mut next: Vec<OpenShift> = member.version.next().collect();
            // 4.23 and 5.0 are one release: one of them is enough.
            while !next.is_empty() && !next.iter().any(|version| is_member(version) || *version > last) {
                missing.insert(next[0]);
                next = next[0].next().collect();
            }
        }
        missing.into_iter().collect()
    }

    /// Versions with several paths of the same pattern, such as `v4.18` and `4.18`. Which is meant, the
    /// user must say.
    pub fn repeated(&self) -> impl Iterator<Item = &Member> {
        self.members.iter().filter(|member| self.pattern.contains('*') && member.places.len() > 1)
    }

    /// The names of all packages.
    #[must_use]
    pub fn packages(&self) -> BTreeSet<&PackageName> {
        self.members.iter().flat_map(|member| &member.catalog.packages).map(|package| &package.name).collect()
    }

    /// A package in all members that have it.
    pub fn of_package<'s>(&'s self, name: &'s str) -> impl Iterator<Item = (&'s Member, &'s Arc<Package>)> {
        self.members.iter().filter_map(move |member| Some((member, member.catalog.shared_package(name)?)))
    }

    /// The files that a package of a member is made of, as `opm` walks them, with those of packages that are in the same
    /// files. Empty if the member does not have the package.
    #[must_use]
    pub fn files_of<'s>(&'s self, member: &'s Member, package: &str) -> Vec<(FileId, &'s SetFile)> {
        let unit = member.by_package.get(&PackageName::from(package));
        let files = unit.into_iter().flat_map(|unit| &unit.files);
        files.filter_map(|id| Some((*id, self.file(*id)?))).collect()
    }

    /// The path of the file of a span in a member; in another member if this one does not have it.
    #[must_use]
    pub fn path(&self, version: OpenShift, span: Span) -> &str {
        let Some(file) = self.file(span.file) else { return "" };
        let paths = file.paths.get(&version).or_else(|| file.paths.values().next());
        paths.and_then(|paths| paths.first()).map_or("", |path| path)
    }

    /// The line and column where a span begins.
    #[must_use]
    pub fn position(&self, span: Span) -> Position {
        let Some(file) = self.file(span.file) else { return Position { line: 1, column: 1 } };
        file.lines.get_or_init(|| LineIndex::new(&file.text)).position(&file.text, span.start)
    }

    /// The text under a span.
    #[must_use]
    pub fn text(&self, span: Span) -> &str {
        self.file(span.file).map_or("", |file| span.slice(&file.text))
    }

    /// The file at a path.
    pub(crate) fn file_at(&self, path: &str) -> Option<FileId> {
        let is_there = |file: &SetFile| file.paths.values().flatten().any(|known| **known == *path);
        self.files.iter().position(is_there).map(|at| FileId(at as u32))
    }

    fn file(&self, id: FileId) -> Option<&SetFile> {
        self.files.get(id.0 as usize)
    }
}

impl CatalogSet {
    pub(crate) fn new(
        candidate: &Candidate,
        members: Vec<Member>,
        files: Vec<SetFile>,
        operators: Vec<Operator>,
    ) -> Self {
        Self { pattern: candidate.pattern.clone(), members, files, mismatches: candidate.mismatches.clone(), operators }
    }

    /// Whether a member has files of a package in the folder of an operator.
    pub(crate) fn has_folder(&self, version: OpenShift, operator: &str) -> bool {
        let packages = self.member(version).map(|member| &member.catalog.packages[..]).unwrap_or_default();
        let spans = packages.iter().filter_map(|package| package.span());
        spans.into_iter().any(|span| self.is_in_folder(version, span, operator))
    }

    /// Whether a span of a member is in the folder of an operator.
    pub(crate) fn is_in_folder(&self, version: OpenShift, span: Span, operator: &str) -> bool {
        let places = self.member(version).map(|member| &member.places[..]).unwrap_or_default();
        let paths = self.file(span.file).and_then(|file| file.paths.get(&version)).map(|paths| &paths[..]);
        let is_own = |path: &str| places.iter().any(|place| is_below(path, &format!("{place}/{operator}")));
        paths.unwrap_or_default().iter().any(|path| is_own(path))
    }

    /// Whether two members of different versions have a package in common: otherwise they are no set.
    #[must_use]
    pub fn is_set(&self) -> bool {
        let mut known: BTreeMap<&PackageName, OpenShift> = BTreeMap::new();
        self.members.iter().any(|member| {
            member
                .catalog
                .packages
                .iter()
                .any(|package| *known.entry(&package.name).or_insert(member.version) != member.version)
        })
    }
}
