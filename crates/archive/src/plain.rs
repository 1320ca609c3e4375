//! Reads the files of an archive without images, such as a repository or a must-gather.

use crate::container::{Container, ContainerForm, MemberKind};
use crate::report::{Archive, ArchiveForm, Contents, ContentsKind, File};
use crate::run::{Pool, read_kept};
use crate::tree::{LayerChange, Leaf, Node, Tree, is_below, split};
use crate::{Error, FileFault, Form};
use std::collections::{BTreeMap, BTreeSet};

/// Reads the files whose paths the caller wants.
pub(crate) fn read_files(mut container: Container<'_, '_>, wants: &dyn Fn(&str) -> bool) -> Result<Archive, Error> {
    let run = container.run;
    let is_wanted = |path: &str| !is_macos_metadata(path) && wants(path);
    // Also read the members that a link leads through. They are not listed unless they are wanted themselves.
    let needed: BTreeSet<usize> =
        container.paths().filter(|path| is_wanted(path)).flat_map(|path| container.link_chain(path)).collect();
    let mut pool = Pool::default();
    let mut read = vec![None; container.members.len()];
    let mut files = BTreeSet::new();
    for &index in &needed {
        if let Some(content) = container.take_kept(index) {
            read[index] = Some(pool.add(content));
        } else if container.members[index].kind == MemberKind::File {
            files.insert(index);
        }
    }
    container.read(&files, &mut |index, mut reader| {
        read[index] = Some(pool.add(run.or_failure(read_kept(run, &mut reader), Form::Other)?));
        Ok(())
    })?;
    // The empty path stands for all folders.
    let root = [String::new()];
    let mut tree = Tree::new(&root, false);
    let changes: Vec<LayerChange> = (needed.iter())
        .map(|&index| {
            let member = &container.members[index];
            let path = member.path.to_string();
            match &member.kind {
                MemberKind::File => {
                    LayerChange::Put(path, read[index].map_or(Node::Fault(FileFault::Sparse), Node::File))
                }
                MemberKind::Sparse => LayerChange::Put(path, Node::Fault(FileFault::Sparse)),
                MemberKind::HardLink(target) => LayerChange::HardLink { path, target: target.to_string() },
                MemberKind::Link(target) => LayerChange::Put(path, Node::Link(target.to_string())),
            }
        })
        .collect();
    tree.apply(&changes, 0);
    let folder = wrapping_folder(&container);
    let leaves: Vec<Leaf> = tree.leaves().into_iter().filter(|leaf| is_wanted(&leaf.path)).collect();
    pool.claim(&leaves);
    let files = pool.files(run, leaves, &folder)?;
    if files.is_empty() {
        return Err(Error::NoFiles);
    }
    let form = if container.form == ContainerForm::Zip { ArchiveForm::Zip } else { ArchiveForm::Tar };
    Ok(Archive {
        form,
        compressions: container.compressions,
        contents: vec![Contents { kind: ContentsKind::Files, label: String::new(), folder, image: None, files }],
        passed_over: Vec::new(),
    })
}

/// The single folder at the top that has all files, as in archives of repositories; empty if there is none.
pub(crate) fn wrapping_folder(container: &Container<'_, '_>) -> String {
    let mut split_paths = container.paths().filter(|path| !is_macos_metadata(path)).map(|path| path.split_once('/'));
    match split_paths.next().flatten() {
        Some((folder, _)) if split_paths.all(|split| split.is_some_and(|(other, _)| other == folder)) => {
            folder.to_owned()
        }
        _ => String::new(),
    }
}

/// Whether a file is metadata that macOS adds to archives.
fn is_macos_metadata(path: &str) -> bool {
    path.starts_with("__MACOSX/") || split(path).1.starts_with("._")
}

// The filtered catalogs in the working directory of oc-mirror v2, which are folders of files beside the images.
//
// oc-mirror keeps `operator-catalogs/<name>/<digest>/` with the OCI layout `catalog-image`, and below
// `filtered-catalogs/<hash>/` what is left of the catalog for each configuration, as files or as an image
// (`v2/internal/pkg/operator/filtered_collector.go`).

/// The folder that oc-mirror keeps catalogs in.
const CATALOGS: &str = "operator-catalogs/";
/// The folder of a catalog that has the filtered ones.
const FILTERED: &str = "/filtered-catalogs/";

/// The filtered catalogs that are folders of files.
///
/// # Errors
/// When a file cannot be read, or exceeds a limit.
pub(crate) fn read_folders(container: &Container<'_, '_>) -> Result<Vec<Contents>, Error> {
    let (mut folders, mut wanted) = (BTreeMap::new(), BTreeSet::new());
    let layouts: Vec<&str> =
        container.paths().map(split).filter(|(_, name)| *name == "oci-layout").map(|(folder, _)| folder).collect();
    for path in container.paths() {
        let Some(folder) = folder_of(path) else { continue };
        if !is_catalog_file(path) || layouts.iter().any(|layout| is_below(path, layout)) {
            continue;
        }
        let Some(index) = container.member(path) else { continue };
        if container.members[index].kind == MemberKind::File {
            wanted.insert(index);
            folders.insert(index, folder);
        }
    }
    let run = container.run;
    let mut found: BTreeMap<&str, Vec<File>> = BTreeMap::new();
    container.read(&wanted, &mut |index, mut reader| {
        let bytes = run.or_failure(read_kept(run, &mut reader), Form::Other)?;
        let folder = folders.get(&index).copied().unwrap_or_default();
        let path = container.members[index].path.strip_prefix(folder).unwrap_or_default().trim_start_matches('/');
        found.entry(folder).or_default().push(File { path: path.to_owned(), content: Ok(bytes) });
        Ok(())
    })?;
    let contents = found.into_iter().map(|(folder, mut files)| {
        files.sort_by(|one, other| one.path.split('/').cmp(other.path.split('/')));
        let (label, folder) = (folder.to_owned(), folder.to_owned());
        Contents { kind: ContentsKind::Files, label, folder, image: None, files }
    });
    Ok(contents.collect())
}

/// Whether a path is one of a filtered catalog.
pub(crate) fn is_filtered(path: &str) -> bool {
    folder_of(path).is_some()
}

/// The folder of the filtered catalog that a path lies in.
fn folder_of(path: &str) -> Option<&str> {
    let at = path.find(CATALOGS).filter(|at| *at == 0 || path[..*at].ends_with('/'))?;
    let behind = at + path[at..].find(FILTERED)? + FILTERED.len();
    let end = behind + path[behind..].find('/')?;
    Some(&path[..end])
}

/// Whether a file is part of a catalog: oc-mirror writes others beside, such as `digest`.
fn is_catalog_file(path: &str) -> bool {
    let name = split(path).1;
    name == ".indexignore" || [".yaml", ".yml", ".json"].iter().any(|ending| name.ends_with(ending))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_of_filtered_catalogs_are_recognised() {
        let folder = "w/operator-catalogs/a/0123/filtered-catalogs/4567";
        assert_eq!(folder_of(&format!("{folder}/etcd/catalog.yaml")), Some(folder));
        assert_eq!(folder_of(folder), None);
        assert_eq!(folder_of("w/operator-catalogs/a/0123/catalog-image/index.json"), None);
        assert_eq!(folder_of("my-operator-catalogs/filtered-catalogs/4567/x"), None);
    }
}
