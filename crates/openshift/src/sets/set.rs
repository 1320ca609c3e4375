//! A set: the catalogs of one publisher for several versions of OpenShift.

use crate::sets::dockerfile::is_below;
use crate::sets::finding::Finding;
use crate::sets::recognise::{Candidate, Doubt, Place};
use crate::sets::unit::{Rejected, Rendered, Unit};
use bundle_tree::{Fbc, enabled_fbc};
use catalog::predicate::PackageName;
use catalog::{BundleName, Catalog, Package};
use compare::State;
use source::{FileId, LineIndex, OpenShift, OpmVersion, Position, Span};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::{Arc, OnceLock};
use template::{Origins, is_of_deprecations};

/// The catalogs of one publisher for several versions of OpenShift.
#[derive(Clone, Debug)]
pub struct CatalogSet {
    /// What the paths of its members have in common, with `*` for the version.
    pub pattern: Box<str>,
    /// By version.
    pub members: Vec<Member>,
    /// The versions with a folder and without a catalog. Nobody knows what they will have.
    pub holes: Vec<Hole>,
    /// Each text once, by [`FileId`].
    pub files: Vec<SetFile>,
    /// What Dockerfiles say about versions that cannot be.
    pub doubts: Vec<Doubt>,
    /// Operators whose `ci.yaml` and templates are beside the catalogs.
    pub(crate) operators: Vec<Operator>,
    /// What the templates beside the catalogs give today, or why nobody knows.
    pub(crate) rendered: BTreeMap<FileId, Result<Rendered, String>>,
    /// The findings about the bundle directories that its members are made of; absent if these have other files.
    pub(crate) of_bundles: Option<Vec<Finding>>,
}

/// A version of OpenShift that has a folder, and no catalog in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hole {
    pub version: OpenShift,
    /// What is there instead, in a few words.
    pub reason: Box<str>,
    /// Whether it is a template that cannot be expanded.
    pub has_template: bool,
}

impl Hole {
    /// A version that several folders have a catalog for.
    pub(crate) fn of_several(version: OpenShift, paths: &[Box<str>]) -> Self {
        let paths: Vec<String> = paths.iter().map(|path| format!("`{path}`")).collect();
        let reason = format!("{} are all catalogs for it; name the paths that you mean", paths.join(", ")).into();
        Self { version, reason, has_template: false }
    }
}

impl fmt::Display for Hole {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.version, self.reason)
    }
}

/// What a repository of the pipelines has of an operator beside its catalogs.
#[derive(Clone, Debug)]
pub(crate) struct Operator {
    /// The name of its folder, in the catalogs, too.
    pub(crate) name: Box<str>,
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
    pub places: Vec<Place>,
    /// What it says. Packages that other members have from the same texts are shared with them.
    pub catalog: Catalog,
    /// Why `opm` rejects it: clusters then get nothing from it.
    pub rejected: Option<Rejected>,
    /// Files of which nothing or only a part was read, and why. With any of them the catalog is partial.
    pub unread: Vec<(Box<str>, Box<str>)>,
    /// The templates in its folder: it is made of them, by its publisher or, without a catalog, here.
    pub templates: Vec<FileId>,
    /// How many images of its templates no catalog has, if it is made of them here. The versions of these bundles are those
    /// in their names.
    pub unknown_images: usize,
    pub(crate) units: Vec<Arc<Unit>>,
    pub(crate) by_package: BTreeMap<PackageName, Arc<Unit>>,
}

/// A text that one or several members have.
#[derive(Clone, Debug)]
pub struct SetFile {
    pub text: Arc<str>,
    /// Its paths, by the version of the member. One in several members has one for each, at least.
    pub paths: BTreeMap<OpenShift, Vec<Box<str>>>,
    /// Where its parts were written, if it is made of other files.
    pub(crate) origins: Option<Origins>,
    lines: OnceLock<LineIndex>,
}

impl SetFile {
    pub(crate) fn new(text: Arc<str>) -> Self {
        Self { text, paths: BTreeMap::new(), origins: None, lines: OnceLock::new() }
    }
}

impl SetFile {
    fn has_deprecations(&self) -> bool {
        self.text.contains("olm.deprecations")
    }

    /// Whether it has deprecations and nothing else: beside a catalog that a template without them gives, its publisher writes it.
    fn is_of_deprecations(&self) -> bool {
        self.has_deprecations() && is_of_deprecations(&fbc::parse(FileId(0), &self.text))
    }

    /// Whether it is not among the files, but what is made of them: of a template or of bundle directories.
    #[must_use]
    pub const fn is_expansion(&self) -> bool {
        self.origins.is_some()
    }
}

impl Member {
    /// The member with these units, and without the files that were not read.
    pub(crate) fn of(version: OpenShift, units: Vec<Arc<Unit>>, unread: Vec<(Box<str>, Box<str>)>) -> Self {
        let named = |unit: &Arc<Unit>| {
            let unit = Arc::clone(unit);
            unit.packages.iter().map(|package| (package.name.clone(), Arc::clone(&unit))).collect::<Vec<_>>()
        };
        let by_package = units.iter().flat_map(named).collect();
        let mut packages: Vec<_> = units.iter().flat_map(|unit| unit.packages.iter().cloned()).collect();
        packages.sort_by(|one, other| one.name.cmp(&other.name));
        let unmatched_lifecycles = units.iter().flat_map(|unit| unit.unmatched_lifecycles.iter().cloned()).collect();
        let rejected = first_rejected(&units);
        Self {
            version,
            places: Vec::new(),
            catalog: Catalog { packages, unmatched_lifecycles, is_partial: !unread.is_empty(), ..Catalog::default() },
            rejected,
            unread,
            templates: Vec::new(),
            unknown_images: 0,
            units,
            by_package,
        }
    }

    /// Its state, to be compared with another member.
    #[must_use]
    pub fn state(&self) -> State<'_> {
        State { catalog: &self.catalog, rejected: self.rejected.as_ref().map(Rejected::error) }
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

/// Of units that `opm` reads together, the error that it finds first.
fn first_rejected(units: &[Arc<Unit>]) -> Option<Rejected> {
    let rejections = units.iter().filter_map(|unit| unit.rejected.as_ref());
    rejections.min_by_key(|rejected| rejected.finding.opm_rank).cloned()
}

impl CatalogSet {
    /// Judges its catalogs as a release of `opm` does, or each as its version of OpenShift if nobody chose one.
    pub fn judge(&mut self, opm: OpmVersion) {
        let mut judged: BTreeMap<(*const Unit, OpmVersion), Arc<Unit>> = BTreeMap::new();
        // Its units keep their addresses until all are judged.
        let before = self.members.clone();
        for member in &mut self.members {
            let (opm, _) = opm.serving(Some(member.version)).alike();
            for unit in member.units.iter_mut().chain(member.by_package.values_mut()) {
                let new = judged.entry((Arc::as_ptr(unit), opm));
                *unit = Arc::clone(new.or_insert_with(|| Unit::judged_by(unit, opm)));
            }
            member.rejected = first_rejected(&member.units);
        }
        drop(before);
    }

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

    /// Where a span was written: of the expansion of a template, the entry in the template; of bundle directories, the CSV.
    #[must_use]
    pub fn written(&self, span: Span) -> Span {
        let of_template = || {
            let file = self.file(span.file)?;
            file.origins.as_ref()?.written(span, &file.text, |id| Some(&*self.file(id)?.text))
        };
        of_template().unwrap_or(span)
    }

    /// The files in which a package of a member is edited: the templates that it is made of, with deprecations for which they have no
    /// place, or, without any, its own files.
    #[must_use]
    pub fn sources_of<'s>(&'s self, member: &'s Member, package: &str) -> Vec<(FileId, &'s SetFile)> {
        let files = self.files_of(member, package);
        let made_of =
            |id: &FileId| files.iter().any(|(_, file)| file.origins.as_ref().is_some_and(|parts| parts.are_in(*id)));
        let renders = |id: &FileId| match self.rendered.get(id) {
            Some(Ok(rendered)) => rendered.packages.iter().any(|found| found.name.as_str() == package),
            Some(Err(_)) => true,
            None => false,
        };
        let templates = member.templates.iter().filter(|id| made_of(id) || renders(id));
        let mut templates: Vec<(FileId, &SetFile)> = templates.filter_map(|id| Some((*id, self.file(*id)?))).collect();
        if templates.is_empty() {
            return files;
        }
        let has_place = templates.iter().any(|(_, file)| file.has_deprecations());
        templates.extend(files.iter().filter(|(_, file)| !has_place && file.is_of_deprecations()));
        templates
    }

    /// The members that have a package, those in which it is edited in the same files together.
    #[must_use]
    pub fn edited_together<'s>(&'s self, package: &str) -> Vec<Vec<&'s Member>> {
        let mut groups: Vec<(Vec<FileId>, Vec<&Member>)> = Vec::new();
        for member in self.members.iter().filter(|member| member.catalog.package(package).is_some()) {
            let files: Vec<FileId> = self.sources_of(member, package).into_iter().map(|(id, _)| id).collect();
            match groups.iter_mut().find(|(known, _)| *known == files) {
                Some((_, members)) => members.push(member),
                None => groups.push((files, vec![member])),
            }
        }
        groups.into_iter().map(|(_, members)| members).collect()
    }

    /// The path of the file of a span in a member; in another member if this one does not have it.
    #[must_use]
    pub fn path(&self, version: OpenShift, span: Span) -> &str {
        let span = self.written(span);
        let Some(file) = self.file(span.file) else { return "" };
        let paths = file.paths.get(&version).or_else(|| file.paths.values().next());
        paths.and_then(|paths| paths.first()).map_or("", |path| path)
    }

    /// The line and column where a span begins.
    #[must_use]
    pub fn position(&self, span: Span) -> Position {
        let span = self.written(span);
        let Some(file) = self.file(span.file) else { return Position { line: 1, column: 1 } };
        file.lines.get_or_init(|| LineIndex::new(&file.text)).position(&file.text, span.start)
    }

    /// The text under a span.
    #[must_use]
    pub fn text(&self, span: Span) -> &str {
        self.file(span.file).map_or("", |file| span.slice(&file.text))
    }

    pub(crate) fn file_at(&self, path: &str) -> Option<FileId> {
        let is_there = |file: &SetFile| file.paths.values().flatten().any(|known| **known == *path);
        self.files.iter().position(is_there).map(|at| FileId(at as u32))
    }

    pub(crate) fn file(&self, id: FileId) -> Option<&SetFile> {
        self.files.get(id.0 as usize)
    }
}

impl CatalogSet {
    pub(crate) fn new(
        candidate: &Candidate,
        members: Vec<Member>,
        holes: Vec<Hole>,
        files: Vec<SetFile>,
        operators: Vec<Operator>,
        rendered: BTreeMap<FileId, Result<Rendered, String>>,
    ) -> Self {
        let (pattern, doubts) = (candidate.pattern.clone(), candidate.doubts.clone());
        Self { pattern, members, holes, files, doubts, operators, rendered, of_bundles: None }
    }

    /// The paths of the files of a member and, for a member with templates, those of these. A member without a catalog has its
    /// templates for files.
    #[must_use]
    pub fn paths_of<'s>(&'s self, member: &'s Member) -> (BTreeSet<&'s str>, BTreeSet<&'s str>) {
        let of_file = |file: &'s SetFile| file.paths.get(&member.version).into_iter().flatten().map(|path| &**path);
        let templates = member.templates.iter().filter(|id| self.is_made_by(member, **id));
        let templates: Vec<&SetFile> = templates.filter_map(|id| self.file(*id)).collect();
        let has_place = templates.is_empty() || templates.iter().any(|file| file.has_deprecations());
        let beside = self.files.iter().filter(|file| !has_place && file.is_of_deprecations());
        let templates: BTreeSet<&str> = templates.iter().copied().chain(beside).flat_map(of_file).collect();
        let own = self.files.iter().flat_map(of_file).chain(member.unread.iter().map(|(path, _)| &**path));
        let is_served = |path: &&str| member.places.iter().any(|place| place.serves(path));
        let is_template = |path: &&str| self.file_at(path).is_some_and(|id| member.templates.contains(&id));
        let served: BTreeSet<&str> = own.filter(|path| !is_template(path)).filter(is_served).collect();
        (if served.is_empty() { templates.clone() } else { served }, templates)
    }

    /// The paths and texts of the files of a member; what is made of bundle directories has a file for each package.
    #[must_use]
    pub fn files_in<'s>(&'s self, member: &'s Member) -> Vec<(String, &'s str)> {
        if self.is_of_bundles() {
            return self.made_files(member).map(|(name, text)| (format!("{name}.yaml"), text)).collect();
        }
        let (served, _) = self.paths_of(member);
        let of_file = |file: &'s SetFile| {
            let paths = file.paths.get(&member.version).map(|paths| &paths[..]).unwrap_or_default();
            let paths = paths.iter().filter(|path| !file.is_expansion() && served.contains(&***path));
            paths.map(|path| (path.to_string(), &*file.text))
        };
        self.files.iter().flat_map(of_file).collect()
    }

    /// Whether a template has a package of a member, as far as anybody knows.
    pub(crate) fn is_made_by(&self, member: &Member, template: FileId) -> bool {
        match self.rendered.get(&template) {
            Some(Ok(rendered)) => {
                rendered.packages.iter().any(|package| member.catalog.package(package.name.as_str()).is_some())
            }
            Some(Err(_)) | None => true,
        }
    }

    /// Whether its members are made of bundle directories, by their annotation `com.redhat.openshift.versions`.
    #[must_use]
    pub const fn is_of_bundles(&self) -> bool {
        self.of_bundles.is_some()
    }

    /// The packages of a member that are made here, each with its text.
    pub fn made_files<'s>(&'s self, member: &'s Member) -> impl Iterator<Item = (&'s PackageName, &'s str)> {
        member.units.iter().filter_map(|unit| {
            let file = self.file(*unit.files.first()?)?;
            Some((&unit.packages.first()?.name, &*file.text))
        })
    }

    /// The members that are made here, of their templates or of bundle directories, because they have no catalog.
    pub fn made(&self) -> impl Iterator<Item = &Member> {
        let is_made = |id: &FileId| self.file(*id).is_some_and(SetFile::is_expansion);
        self.members.iter().filter(move |member| member.units.iter().flat_map(|unit| &unit.files).any(is_made))
    }

    /// Whether all members are made here.
    #[must_use]
    pub fn is_of_templates(&self) -> bool {
        self.made().count() == self.members.len()
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
        let is_own = |path: &str| places.iter().any(|place| is_below(path, &format!("{}/{operator}", place.path)));
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
