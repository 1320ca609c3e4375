//! Sets of catalogs that were read from files, with what is wrong with them, and what a change does to them.

mod before;
mod json;
mod report;

use self::before::Change;
use crate::NewText;
use crate::sets::begin_sets;
use ::report::{CATALOG_CHANGE, Grade, Item, Report};
use bundle_tree::{bundle_folders, inside};
use openshift::sets::{
    Candidate, CatalogSet, Finding, Hole, Loading, Member, Place, add_file, check, is_dockerfile, sentence,
    set_of_bundles,
};
use serde::Serialize;
use source::{Executor, OpenShift, Severity};
use std::collections::BTreeSet;
use views::Level;

/// A set, and where it was read.
pub struct ReadSet {
    pub set: CatalogSet,
    /// The folder of its files; absent if several paths were given, which the files then begin with.
    root: Option<String>,
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

    /// The paths of the files of which nothing or only a part was read.
    pub fn unread(&self) -> impl Iterator<Item = String> {
        let unread = self.set.members.iter().flat_map(|member| &member.unread);
        unread.map(|(path, _)| self.shown(path))
    }
}

/// A set with what is wrong with it.
pub struct CheckedSet {
    read: ReadSet,
    findings: Vec<Finding>,
    /// The result in one sentence.
    sentence: String,
    changed: Option<Changed>,
}

/// What a change does to a set.
struct Changed {
    /// To each of its catalogs.
    changes: Vec<Change>,
    /// How many findings were there before and are not listed.
    known: usize,
}

impl ReadSet {
    /// The sets among files, whose paths begin at `root`: catalogs or, without any, those that are made of bundle directories. And
    /// why templates and bundle directories make none, each as a line.
    #[must_use]
    pub fn all(files: Vec<NewText>, root: Option<&str>, executor: Executor) -> (Vec<Self>, Vec<String>) {
        let mut loading = begin(&files);
        let is_wanted = |file: &NewText| loading.iter().any(|loading| loading.wants(&file.path));
        let (wanted, others): (Vec<NewText>, Vec<NewText>) = files.into_iter().partition(is_wanted);
        for NewText { path, content } in wanted {
            add_file(&mut loading, &path, content);
        }
        let root = root.map(str::to_owned);
        let (mut sets, holes) = finish(loading, executor);
        let mut why: Vec<String> = holes.iter().map(ToString::to_string).collect();
        if sets.is_empty() {
            let others = others.into_iter().map(|file| (file.path, file.content)).collect();
            match set_of_bundles(others, executor) {
                Ok(set) => sets.extend(set),
                Err(reason) => why.push(reason),
            }
        }
        let sets = sets.into_iter().map(|set| Self { set, root: root.clone() });
        (sets.collect(), why)
    }

    /// The only set among files, or their only catalog for each of these versions; `None` without a catalog.
    ///
    /// # Errors
    /// The patterns of the sets, if there are several.
    pub fn only(
        files: Vec<NewText>,
        root: Option<String>,
        versions: &[OpenShift],
        executor: Executor,
    ) -> Result<Option<Self>, Vec<String>> {
        match <[CatalogSet; 1]>::try_from(sets_of(&files, executor)) {
            Ok([set]) => Ok(Some(Self { set, root })),
            Err(sets) if sets.is_empty() => {
                let set = same_for_all(versions, files, executor);
                Ok((!set.packages().is_empty()).then_some(Self { set, root }))
            }
            Err(sets) => Err(sets.into_iter().map(|set| set.pattern.to_string()).collect()),
        }
    }

    /// Members for the same version, each as a sentence; none if every version has one.
    #[must_use]
    pub fn repeated(&self) -> Vec<String> {
        let repeated = self.set.repeated().map(|member| {
            let roots = member.places.iter().map(|place| place.roots().next().unwrap_or_default());
            let places: Vec<String> = roots.map(|root| format!("`{}`", self.shown(root))).collect();
            format!("{} are both for OpenShift {}; name the paths that you mean", places.join(" and "), member.version)
        });
        repeated.collect()
    }
}

impl CheckedSet {
    /// Checks a set. With sets before a change, only findings that are new count, and what the change does.
    #[must_use]
    pub fn of(read: ReadSet, before: Option<&[ReadSet]>, executor: Executor) -> Self {
        let mut findings = check(&read.set, executor);
        let sentence = sentence(&read.set, &findings);
        let changed = before.map(|sets| {
            let Some(before) = sets.iter().find(|before| before.set.pattern == read.set.pattern) else {
                return Changed { changes: Vec::new(), known: 0 };
            };
            let known = before::keep_new(&check(&before.set, executor), &mut findings);
            Changed { changes: before::changes(&before.set, &read.set, executor), known }
        });
        Self { sentence, read, findings, changed }
    }

    /// The paths of the files of which nothing or only a part was read.
    pub fn unread(&self) -> impl Iterator<Item = String> {
        self.read.unread()
    }

    /// Whether `opm` rejects a member, there is an error, or the change is breaking.
    #[must_use]
    pub fn is_bad(&self) -> bool {
        let is_breaking =
            |changed: &Changed| changed.changes.iter().any(|change| change.level == Some(Level::Breaking));
        self.read.set.members.iter().any(|member| member.rejected.is_some())
            || self.findings.iter().any(|finding| finding.severity == Severity::Error)
            || self.changed.as_ref().is_some_and(is_breaking)
    }
}

/// What is reported of sets, one after the other.
#[must_use]
pub fn report_sets(sets: &[CheckedSet]) -> Report {
    report::report(sets)
}

/// Sets for programs.
#[must_use]
pub fn sets_for_programs(sets: &[CheckedSet]) -> impl Serialize {
    json::report(sets)
}

impl CheckedSet {
    /// The places of a finding, each once.
    fn places(&self, finding: &Finding) -> Vec<String> {
        let mut places: Vec<String> = Vec::new();
        for place in finding.spans.iter().map(|span| self.spot(*span).shown()) {
            if !places.contains(&place) {
                places.push(place);
            }
        }
        places
    }

    /// What the change does to each catalog, and how many findings are not listed.
    fn changes(&self) -> (Vec<Item>, Option<String>) {
        let Some(changed) = &self.changed else { return (Vec::new(), None) };
        let line = |change: &Change| {
            let versions: Vec<String> = change.versions.iter().map(ToString::to_string).collect();
            let sentence = format!("`{}` in {}: {}", change.package, versions.join(", "), change.sentence);
            Item::new(Grade::Difference(change.level.unwrap_or(Level::Neutral)), CATALOG_CHANGE, sentence)
        };
        let known = match changed.known {
            0 => None,
            1 => Some("1 finding that was there before is not listed".to_owned()),
            known => Some(format!("{known} findings that were there before are not listed")),
        };
        (changed.changes.iter().map(line).collect(), known)
    }

    /// What the answer does not say.
    fn limits(&self) -> Vec<String> {
        let set = &self.read.set;
        let missing: Vec<String> = set.missing().iter().map(ToString::to_string).collect();
        let not_loaded = (!missing.is_empty()).then(|| {
            format!("not loaded: {}, so that no update of OpenShift from and to them is judged", missing.join(", "))
        });
        let judged =
            "judged: OLM v0 with automatic approval, the catalogs as they are in these files, without those of other \
                      publishers"
                .to_owned();
        self.changes().1.into_iter().chain(made_of(set)).chain(not_loaded).chain([judged]).collect()
    }
}

/// The versions of the members in words.
fn versions(set: &openshift::sets::CatalogSet) -> String {
    let versions: Vec<String> = set.members.iter().map(|member| member.version.to_string()).collect();
    versions.join(", ")
}

/// A catalog that is the same for all versions.
fn same_for_all(versions: &[OpenShift], files: Vec<NewText>, executor: Executor) -> CatalogSet {
    let places = versions.iter().map(|version| Place { version: *version, path: "".into(), served: Vec::new() });
    let candidate = Candidate { pattern: "".into(), places: places.collect(), mismatches: Vec::new() };
    let mut loading = Loading::new(candidate);
    for file in files {
        loading.add_file(&file.path, file.content);
    }
    loading.read(executor);
    loading.preview(&[])
}

/// What may be sets among files, none of which is added yet.
fn begin(files: &[NewText]) -> Vec<Loading> {
    let bundles = bundle_folders(files.iter().map(|file| &*file.path));
    let paths = files.iter().map(|file| &*file.path).filter(|path| inside(&bundles, path).is_none());
    let paths: Vec<&str> = paths.collect();
    let dockerfiles: Vec<&NewText> = files.iter().filter(|file| is_dockerfile(&file.path)).collect();
    begin_sets(&paths, &dockerfiles)
}

/// The sets among files that are needed afterwards.
fn sets_of(files: &[NewText], executor: Executor) -> Vec<CatalogSet> {
    let mut loading = begin(files);
    for loading in &mut loading {
        let wanted: Vec<&NewText> = files.iter().filter(|file| loading.wants(&file.path)).collect();
        wanted.into_iter().for_each(|file| loading.add_file(&file.path, file.content.clone()));
    }
    finish(loading, executor).0
}

/// The sets, and the templates that cannot be expanded of what would be sets. Templates count only where there are no
/// catalogs: elsewhere they make these.
fn finish(loading: Vec<Loading>, executor: Executor) -> (Vec<CatalogSet>, Vec<Hole>) {
    let (mut sets, mut holes) = (Vec::new(), Vec::new());
    for mut loading in loading {
        loading.read(executor);
        match loading.finish(executor) {
            Ok(set) => sets.push(set),
            Err(found) => holes.extend(found),
        }
    }
    if !sets.iter().all(CatalogSet::is_of_templates) {
        sets.retain(|set| !set.is_of_templates());
    }
    (sets, holes)
}

/// Of what members of a set are made, because they have no catalog.
pub(crate) fn made_of(set: &CatalogSet) -> Option<String> {
    if set.is_of_bundles() {
        let versions: Vec<OpenShift> = set.members.iter().map(|member| member.version).collect();
        let versions = OpenShift::list(&versions);
        return Some(format!("made of bundle directories, by their `com.redhat.openshift.versions`: {versions}"));
    }
    let versions: Vec<OpenShift> = set.made().map(|member| member.version).collect();
    let is_known = set.made().all(|member| member.unknown_images == 0);
    let unknown =
        if is_known { "" } else { "; where no catalog has an image, its version is that in the name of the bundle" };
    (!versions.is_empty()).then(|| format!("expanded from templates: {}{unknown}", OpenShift::list(&versions)))
}

/// One of the catalogs of a set among files.
pub struct SetMember {
    pub version: OpenShift,
    /// Its files; its templates if it has no others.
    pub files: Vec<NewText>,
    /// Whether it has others.
    pub has_catalog: bool,
    /// The templates that it is made of.
    pub templates: Vec<NewText>,
}

/// The catalogs of the sets among files; none if there is no set.
#[must_use]
pub fn set_members(files: &[NewText], executor: Executor) -> Vec<SetMember> {
    members_of(&sets_of(files, executor), files)
}

/// The only catalog among files with the templates that it is made of; `None` if it has none.
#[must_use]
pub fn catalog_with_templates(files: &[NewText], executor: Executor) -> Option<SetMember> {
    let copies = files.to_vec();
    let set = same_for_all(&[OpenShift { major: 4, minor: 0 }], copies, executor);
    members_of(&[set], files).into_iter().find(|member| member.has_catalog && !member.templates.is_empty())
}

fn members_of(sets: &[CatalogSet], files: &[NewText]) -> Vec<SetMember> {
    let members = sets.iter().flat_map(|set| set.members.iter().map(move |member| (set, member)));
    let of_member = |(set, member): (&CatalogSet, &Member)| {
        let (served, templates) = set.paths_of(member);
        let of = |paths: &BTreeSet<&str>| files.iter().filter(|file| paths.contains(&*file.path)).cloned().collect();
        let (version, has_catalog) = (member.version, served != templates);
        SetMember { version, files: of(&served), has_catalog, templates: of(&templates) }
    };
    members.map(of_member).collect()
}
