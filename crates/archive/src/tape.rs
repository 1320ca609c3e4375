//! Walks through the entries of a tar archive from its begin to its end.

use crate::name::{path_of, shortened};
use crate::run::{Run, Skip};
use crate::{Error, Form};
use std::cell::Cell;
use std::io::{self, Read, Seek, SeekFrom};
use std::rc::Rc;
use tar::EntryType;

/// An entry of a tar archive.
pub(crate) struct TapeEntry {
    pub(crate) path: String,
    /// Whether the name begins with `/`.
    pub(crate) is_absolute: bool,
    pub(crate) kind: EntryKind,
    /// The number of bytes.
    pub(crate) size: u64,
    /// Where the bytes begin in the archive.
    pub(crate) offset: u64,
}

/// What an entry is.
pub(crate) enum EntryKind {
    File,
    /// A file of which the archive leaves out the zeros.
    Sparse,
    /// One file with the one at a path.
    HardLink(String),
    Link(String),
    Folder,
    /// Devices, pipes, and headers for all entries.
    Other,
}

/// Calls `visit` with every entry and a reader of its bytes. Returns whether the archive has an end mark.
pub(crate) fn walk(
    run: &Run<'_>,
    reader: impl Skip,
    visit: &mut dyn FnMut(TapeEntry, &mut dyn Read) -> Result<(), Error>,
) -> Result<bool, Error> {
    let has_ended = Rc::new(Cell::new(false));
    let header = Rc::new(Cell::new(None));
    let tape = Tape { run, reader, at: 0, has_ended: Rc::clone(&has_ended), header: Rc::clone(&header) };
    let failed = || run.failure(if has_ended.get() { Error::Truncated } else { Error::Damaged { form: Form::Tar } });
    let mut archive = tar::Archive::new(tape);
    let mut entries = archive.entries_with_seek().map_err(|_| failed())?;
    loop {
        header.set(Some(run.limits.header));
        let Some(next) = entries.next() else { break };
        let mut entry = next.map_err(|_| failed())?;
        header.set(None);
        let sparse = sparse_name(&mut entry).map_err(|_| failed())?;
        let own_name = sparse.as_ref().filter(|name| !name.is_empty());
        let (path, is_absolute) = match own_name {
            Some(name) => path_of(name, run.limits)?,
            None => path_of(&entry.path_bytes(), run.limits)?,
        };
        let target = entry.link_name_bytes().map(|name| String::from_utf8_lossy(&name).into_owned());
        let kind = match (entry.header().entry_type(), target) {
            // The root is a folder, whatever its entry says.
            _ if path.is_empty() => EntryKind::Folder,
            _ if sparse.is_some() => EntryKind::Sparse,
            // Old archives have no type for folders.
            (EntryType::Regular, _) if entry.path_bytes().ends_with(b"/") => EntryKind::Folder,
            (EntryType::Regular | EntryType::Continuous, _) => EntryKind::File,
            (EntryType::GNUSparse, _) => EntryKind::Sparse,
            (EntryType::Link, Some(target)) => match path_of(target.as_bytes(), run.limits) {
                Ok((target, _)) => EntryKind::HardLink(target),
                Err(_) => EntryKind::Link(shortened(&target)),
            },
            (EntryType::Symlink, Some(target)) => EntryKind::Link(target),
            (EntryType::Directory, _) => EntryKind::Folder,
            _ => EntryKind::Other,
        };
        let (size, offset) = (entry.size(), entry.raw_file_position());
        visit(TapeEntry { path, is_absolute, kind, size, offset }, &mut entry).map_err(|error| {
            // A reader of the entry's bytes knows only that they end.
            if has_ended.get() { run.failure(Error::Truncated) } else { error }
        })?;
    }
    Ok(!has_ended.get())
}

/// The name that extended headers give to a file with holes; empty if they give none. `None` if they do not say that the file has
/// holes: its type does not tell, and the bytes begin with a list of its parts (GNU tar, "Storing Sparse Files", PAX formats).
fn sparse_name(entry: &mut tar::Entry<'_, impl Read>) -> io::Result<Option<Vec<u8>>> {
    // Of a header for all entries, the `tar` crate would read the bytes here.
    if !matches!(entry.header().entry_type(), EntryType::Regular | EntryType::Continuous) {
        return Ok(None);
    }
    let mut name = None;
    for field in entry.pax_extensions()?.into_iter().flatten().flatten() {
        match field.key_bytes() {
            b"GNU.sparse.name" => name = Some(field.value_bytes().to_vec()),
            key if key.starts_with(b"GNU.sparse.") => drop(name.get_or_insert_default()),
            _ => {}
        }
    }
    Ok(name)
}

/// A reader for the `tar` crate, which reads names and other headers into memory whatever their size.
struct Tape<'r, 'a, R> {
    run: &'r Run<'a>,
    reader: R,
    at: u64,
    /// Whether the reader had no more bytes.
    has_ended: Rc<Cell<bool>>,
    /// How many bytes of headers may still be read; `None` while data is read.
    header: Rc<Cell<Option<u64>>>,
}

impl<R: Read> Read for Tape<'_, '_, R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let count = self.reader.read(into)?;
        if count == 0 && !into.is_empty() {
            self.has_ended.set(true);
        }
        if let Some(rest) = self.header.get() {
            let Some(rest) = rest.checked_sub(count as u64) else {
                return Err(self.run.fail(Error::HeaderTooLarge { limit: self.run.limits.header }));
            };
            self.header.set(Some(rest));
        }
        self.at += count as u64;
        Ok(count)
    }
}

impl<R: Skip> Seek for Tape<'_, '_, R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        match to {
            SeekFrom::Current(bytes) if bytes >= 0 => {
                let skipped = self.reader.skip(bytes.unsigned_abs());
                skipped.inspect_err(|_| self.has_ended.set(true))?;
                self.at = self.at.saturating_add(bytes.unsigned_abs());
                Ok(self.at)
            }
            SeekFrom::Current(_) | SeekFrom::Start(_) | SeekFrom::End(_) => Err(io::ErrorKind::Unsupported.into()),
        }
    }
}
