//! Sets of catalogs that were read from files, with what is wrong with them, and what a change does to them.

mod before;

use crate::NewText;
use crate::set_input::{begin_sets, with_texts};
use bundle_tree::{bundle_folders, inside};
use openshift::sets::{
    Candidate, CatalogSet, Hole, Loading, Member, add_file, check, is_recipe, sentence, set_of_bundles,
};
use source::{Executor, OpenShift, OpmVersion};
use std::collections::BTreeSet;
use views::{SetId, SetView};

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

impl ReadSet {
    /// The sets among files, whose paths begin at `root`: catalogs or, without any, those that are made of bundle directories. And
    /// why templates and bundle directories make none, each as a line.
    #[must_use]
    pub fn all(
        files: Vec<NewText>,
        root: Option<&str>,
        opm: OpmVersion,
        executor: Executor,
    ) -> (Vec<Self>, Vec<String>) {
        let mut loading = begin(&files, opm);
        let is_wanted = |file: &NewText| loading.iter().any(|loading| loading.wants(&file.path));
        let (wanted, others): (Vec<NewText>, Vec<NewText>) = files.into_iter().partition(is_wanted);
        for NewText { path, content } in wanted {
            add_file(&mut loading, &path, content);
        }
        let root = root.map(str::to_owned);
        let (mut sets, holes) = finish(loading, executor);
        let mut why: Vec<String> = holes.iter().map(ToString::to_string).collect();
        if sets.is_empty() {
            match of_bundles(others, opm, executor) {
                Ok(set) => sets.push(set),
                Err(reason) => why.extend(reason),
            }
        }
        let sets = sets.into_iter().map(|set| Self { set, root: root.clone() });
        (sets.collect(), why)
    }

    /// The only set among files, or their only catalog for each of these versions, or what is made of bundle directories.
    ///
    /// # Errors
    /// Why there is none, or the patterns of the sets, if there are several.
    pub fn only(
        files: Vec<NewText>,
        root: Option<String>,
        versions: &[OpenShift],
        opm: OpmVersion,
        executor: Executor,
    ) -> Result<Self, NotOne> {
        let set = match <[CatalogSet; 1]>::try_from(sets_of(&files, opm, executor)) {
            Ok([set]) => set,
            Err(sets) if sets.is_empty() => {
                let set = same_for_all(versions, &files, opm, executor);
                if set.packages().is_empty() { of_bundles(files, opm, executor).map_err(NotOne::Nothing)? } else { set }
            }
            Err(sets) => return Err(NotOne::Several(sets.into_iter().map(|set| set.pattern.to_string()).collect())),
        };
        Ok(Self { set, root })
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

/// Why files make no set.
#[derive(Debug)]
pub enum NotOne {
    /// They have no catalog, or bundle directories that are in the catalogs of all versions.
    Nothing(Option<String>),
    /// The patterns of the sets that they make.
    Several(Vec<String>),
}

/// The set that bundle directories make by their annotations.
///
/// # Errors
/// Why there is nothing to compare; `None` without bundle directories.
pub(crate) fn of_bundles(
    files: Vec<NewText>,
    opm: OpmVersion,
    executor: Executor,
) -> Result<CatalogSet, Option<String>> {
    let files = files.into_iter().map(|file| (file.path, file.content)).collect();
    set_of_bundles(files, opm, executor).map_err(Some)?.ok_or(None)
}

/// A catalog that is the same for all versions.
fn same_for_all(versions: &[OpenShift], files: &[NewText], opm: OpmVersion, executor: Executor) -> CatalogSet {
    let paths: Vec<&str> = files.iter().map(|file| &*file.path).collect();
    let candidate = with_texts(&recipes(files), |texts| Candidate::of_all(versions, paths.iter().copied(), texts));
    let mut loading = Loading::new(candidate).judged_by(opm);
    for file in files {
        loading.add_file(&file.path, file.content.clone());
    }
    loading.read(executor);
    loading.preview(&[])
}

/// What may be sets among files, none of which is added yet.
fn begin(files: &[NewText], opm: OpmVersion) -> Vec<Loading> {
    let bundles = bundle_folders(files.iter().map(|file| &*file.path));
    let paths = files.iter().map(|file| &*file.path).filter(|path| inside(&bundles, path).is_none());
    let paths: Vec<&str> = paths.collect();
    begin_sets(&paths, &recipes(files)).into_iter().map(|loading| loading.judged_by(opm)).collect()
}

fn recipes(files: &[NewText]) -> Vec<&NewText> {
    files.iter().filter(|file| is_recipe(&file.path)).collect()
}

/// The sets among files that are needed afterwards.
fn sets_of(files: &[NewText], opm: OpmVersion, executor: Executor) -> Vec<CatalogSet> {
    let mut loading = begin(files, opm);
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
    members_of(&sets_of(files, OpmVersion::NEWEST, executor), files)
}

/// The only catalog among files with the templates that it is made of; `None` if it has none.
#[must_use]
pub fn catalog_with_templates(files: &[NewText], executor: Executor) -> Option<SetMember> {
    let set = same_for_all(&[OpenShift { major: 4, minor: 0 }], files, OpmVersion::NEWEST, executor);
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
