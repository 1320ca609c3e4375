//! Reads the files of an archive without images, such as a repository or a must-gather.

use crate::container::{Container, ContainerForm, MemberKind};
use crate::name::split;
use crate::pool::Pool;
use crate::report::{Archive, ArchiveForm, Contents, ContentsKind};
use crate::run::read_kept;
use crate::tree::{LayerChange, Leaf, Node, Tree};
use crate::{Error, FileFault, Form};
use std::collections::BTreeSet;

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
