//! Reads sets from folders and archives.

use crate::output::Failure;
use crate::paths::{file_name, raw_path, shown_path};
use crate::{folder, parallel};
use openshift::sets::{Candidate, CatalogSet, Loading, Member, OpenShift, Place};
use source::Executor;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use workbench::{NewText, add_to_sets, begin_sets, is_dockerfile};

/// A set, and where it was read.
pub(crate) struct ReadSet {
    pub(crate) set: CatalogSet,
    /// The folder of its files; absent if several paths were given, which the files then begin with.
    root: Option<String>,
}

impl ReadSet {
    /// The path of a file of the set for a message.
    pub(crate) fn shown(&self, path: &str) -> String {
        match self.root.as_deref() {
            Some("." | "") | None => path.to_owned(),
            Some(root) => format!("{}/{path}", root.trim_end_matches('/')),
        }
    }

    /// The paths of the files of which nothing or only a part was read.
    pub(crate) fn unread(&self) -> impl Iterator<Item = String> {
        let unread = self.set.members.iter().flat_map(|member| &member.unread);
        unread.map(|(path, _)| self.shown(path))
    }
}

/// The sets at the paths: those of one folder, or the ones that several files or folders make. Also how work on them is
/// done.
///
/// # Errors
/// When a path cannot be read.
pub(crate) fn read(paths: &[PathBuf]) -> Result<(Vec<ReadSet>, Executor), Failure> {
    let mut files = Vec::new();
    for path in paths {
        let found = folder::files(path)?;
        let (shown, is_single) = (raw_path(path), found.len() == 1 && found[0].path == file_name(path));
        let name = |file: &NewText| match (paths.len(), is_single) {
            (1, _) => file.path.clone(),
            (_, true) => shown.clone(),
            (_, false) => format!("{shown}/{}", file.path),
        };
        files.extend(found.into_iter().map(|file| NewText { path: name(&file), content: file.content }));
    }
    let root = <&[PathBuf; 1]>::try_from(paths).ok().map(|[path]| raw_path(path));
    let executor = parallel::executor(parallel::size(&files));
    let mut loading = begin(&files);
    for NewText { path, content } in files {
        add_to_sets(&mut loading, &path, content);
    }
    let sets = finish(loading, executor).into_iter().map(|set| ReadSet { set, root: root.clone() });
    Ok((sets.collect(), executor))
}

/// The only set at a path, or its only catalog for each of these versions.
///
/// # Errors
/// When nothing can be read there, or it holds several sets.
pub(crate) fn set_or_catalog(path: &Path, versions: &[OpenShift]) -> Result<ReadSet, Failure> {
    let files = folder::files(path)?;
    let executor = parallel::executor(parallel::size(&files));
    let is_single = files.len() == 1 && files[0].path == file_name(path);
    let root = if is_single { path.parent() } else { Some(path) }.map(raw_path);
    let read = |set| ReadSet { set, root };
    match <[CatalogSet; 1]>::try_from(sets_of(&files, executor)) {
        Ok([set]) => Ok(read(set)),
        Err(sets) if sets.is_empty() => same_for_all(path, versions, files, executor).map(read),
        Err(sets) => {
            let first = format!("`{}` holds the catalogs of several publishers; name one of:", shown_path(path));
            let patterns = sets.iter().map(|set| format!("  {}", set.pattern));
            Err(Failure::of_lines(std::iter::once(first).chain(patterns)))
        }
    }
}

/// A catalog that is the same for all versions.
fn same_for_all(
    path: &Path,
    versions: &[OpenShift],
    files: Vec<NewText>,
    executor: Executor,
) -> Result<CatalogSet, Failure> {
    let places = versions.iter().map(|version| Place { version: *version, path: "".into() });
    let candidate = Candidate { pattern: "".into(), places: places.collect(), mismatches: Vec::new() };
    let mut loading = Loading::new(candidate);
    for file in files {
        loading.add_file(&file.path, file.content);
    }
    loading.read(executor);
    let set = loading.preview(&[]);
    match set.packages().is_empty() {
        true => Err(format!("`{}` holds no catalog", shown_path(path)).into()),
        false => Ok(set),
    }
}

/// What may be sets among files, none of which is added yet.
fn begin(files: &[NewText]) -> Vec<Loading> {
    let paths: Vec<&str> = files.iter().map(|file| &*file.path).collect();
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
    finish(loading, executor)
}

fn finish(loading: Vec<Loading>, executor: Executor) -> Vec<CatalogSet> {
    let read = |mut loading: Loading| {
        loading.read(executor);
        loading.finish(executor)
    };
    loading.into_iter().filter_map(read).collect()
}

/// The catalogs of the sets among files, each with its version of OpenShift and its files; none if there is no set.
pub(crate) fn members(files: &[NewText]) -> Vec<(OpenShift, Vec<NewText>)> {
    let sets = sets_of(files, parallel::executor(parallel::size(files)));
    let members = sets.iter().flat_map(|set| set.members.iter().map(move |member| (set, member)));
    let of_member = |(set, member): (&CatalogSet, &Member)| {
        let served = set.files.iter().filter_map(|file| file.paths.get(&member.version)).flatten();
        let paths: BTreeSet<&str> =
            served.chain(member.unread.iter().map(|(path, _)| path)).map(|path| &**path).collect();
        let is_below = |path: &str| {
            let mut rests = member.places.iter().filter_map(|place| path.strip_prefix(&**place));
            rests.any(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        let own = files.iter().filter(|file| paths.contains(&*file.path) && is_below(&file.path));
        let own = own.map(|file| NewText { path: file.path.clone(), content: file.content.clone() });
        (member.version, own.collect())
    };
    members.map(of_member).collect()
}
