//! Reads one layer of an image.

use crate::digest::Hashing;
use crate::error::FileFault;
use crate::name::{is_below, joined, split};
use crate::pool::Pool;
use crate::run::{Run, Stream, read_sized};
use crate::tape::{EntryKind, walk};
use crate::tree::{LayerChange, Node};
use crate::unpack::{Reader, drain, unpack};
use crate::{Compression, Error, Form};

/// A layer's file is listed as a change, in the tree, and as a leaf.
const LISTS: u64 = 3;

/// A layer: what it does to the folders that are read.
pub(crate) struct Layer {
    pub(crate) changes: Vec<LayerChange>,
    pub(crate) compressions: Vec<Compression>,
    /// The number of entries, also those that are not read.
    pub(crate) entries: u64,
    /// The number of bytes as they are stored.
    pub(crate) size: u64,
    /// The digest of the bytes as they are stored.
    pub(crate) stored: Option<String>,
    /// The digest of the tar archive.
    pub(crate) unpacked: Option<String>,
}

/// Which digests of a layer are needed. Each takes about as long as decompressing it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Digests {
    pub(crate) stored: bool,
    pub(crate) unpacked: bool,
}

/// Reads a layer; of its files only those in the folders are kept.
pub(crate) fn read_layer(
    run: &Run<'_>,
    reader: Reader<'_>,
    digests: Digests,
    folders: &[String],
    pool: &mut Pool,
) -> Result<Layer, Error> {
    let mut stored = Hashing::new(reader, digests.stored);
    let unpacked = unpack(run, Box::new(stored.clone()))?;
    let mut tar = Hashing::new(unpacked.reader, digests.unpacked);
    let mut changes = Vec::new();
    let mut entries = 0;
    match unpacked.form {
        Form::Tar => {
            walk(run, Stream(tar.clone()), &mut |entry, bytes| {
                entries += 1;
                run.or_failure(run.count_entries(1), Form::Tar)?;
                let content = || Ok(pool.add(run.or_failure(read_sized(run, bytes, entry.size), Form::Tar)?));
                if let Some(change) = change(&entry.path, entry.kind, folders, content)? {
                    run.or_failure(run.count_listed(&entry.path, LISTS), Form::Tar)?;
                    changes.push(change);
                }
                Ok(())
            })?;
        }
        // Docker writes layers without files as an end mark alone.
        Form::Other if unpacked.head.iter().all(|byte| *byte == 0) => {}
        _ => return Err(Error::NotALayer),
    }
    drain(run, &mut tar)?;
    drain(run, &mut stored)?;
    Ok(Layer {
        changes,
        compressions: unpacked.compressions,
        entries,
        size: stored.count(),
        stored: stored.digest(),
        unpacked: tar.digest(),
    })
}

/// What an entry does to the folders.
fn change(
    path: &str,
    kind: EntryKind,
    folders: &[String],
    content: impl FnOnce() -> Result<usize, Error>,
) -> Result<Option<LayerChange>, Error> {
    let (folder, name) = split(path);
    if let Some(hidden) = name.strip_prefix(".wh.") {
        // Names that begin with `.wh..wh.` are aufs's own, apart from the mark of an opaque folder.
        let change = match hidden {
            ".wh..opq" => LayerChange::Empty(folder.to_owned()),
            "" => return Ok(None),
            own if own.starts_with(".wh.") => return Ok(None),
            removed => LayerChange::Remove(joined(folder, removed)),
        };
        let (LayerChange::Empty(path) | LayerChange::Remove(path)) = &change else { return Ok(None) };
        let concerns = folders.iter().any(|read| is_below(path, read) || is_below(read, path));
        return Ok(concerns.then_some(change));
    }
    let is_read = folders.iter().any(|read| is_below(path, read));
    let is_around = || folders.iter().any(|read| is_below(read, path));
    let path = path.to_owned();
    Ok(match kind {
        EntryKind::File if is_read => Some(LayerChange::Put(path, Node::File(content()?))),
        EntryKind::Sparse if is_read => Some(LayerChange::Put(path, Node::Fault(FileFault::Sparse))),
        EntryKind::HardLink(target) if is_read => Some(LayerChange::HardLink { path, target }),
        EntryKind::Link(target) if is_read => Some(LayerChange::Put(path, Node::Link(target))),
        EntryKind::Folder if is_read => Some(LayerChange::Folder(path)),
        // Something that is no folder any more has no files.
        EntryKind::File | EntryKind::Sparse | EntryKind::HardLink(_) | EntryKind::Link(_) if is_around() => {
            Some(LayerChange::Remove(path))
        }
        _ => None,
    })
}
