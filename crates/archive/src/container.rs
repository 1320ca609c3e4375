//! The members of a file: of a tar or zip archive, compressed or not, or of a folder.
//!
//! Members are listed first, without their bytes. Of an archive that is not compressed only those bytes are read that are needed.
//! A compressed one is decompressed for the list, and what seems to be needed is kept meanwhile; only for the rest, such as the
//! layers of an image, it is decompressed once more, in the order in which it has them.

use crate::error::NameFault;
use crate::form::{Decompressor, Reader, drain, unpack};
use crate::image::are_digits;
use crate::run::{Range, Run, Skip, Stream, read_kept, read_sized};
use crate::tree::{link_target, path_of, shortened, split};
use crate::{Compression, Error, Form};
use flate2::bufread::DeflateDecoder;
use rawzip::{
    CompressionMethod, MAX_CENTRAL_DIRECTORY_RECORD_SIZE, ReaderAt, ZipArchive, ZipArchiveEntryWayfinder, ZipLocator,
};
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Read, Seek, SeekFrom};
use std::rc::Rc;
use tar::EntryType;

/// The longest way along links.
const LINKS: usize = 40;
/// The largest document that is kept when a compressed archive is listed.
const SMALL: u64 = 1 << 20;

pub(crate) struct Member {
    pub(crate) path: Rc<str>,
    pub(crate) kind: MemberKind,
    /// The number of bytes, as the archive says.
    size: u64,
    place: Place,
}

/// What a member is; folders are none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum MemberKind {
    File,
    Sparse,
    HardLink(Box<str>),
    Link(Box<str>),
}

/// Where the bytes of a member are.
enum Place {
    Range {
        source: usize,
        offset: u64,
    },
    /// In the archive below the compressions.
    Packed {
        offset: u64,
    },
    /// The bytes themselves.
    Kept(Vec<u8>),
    Zip(Box<ZipPlace>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ContainerForm {
    Tar,
    Zip,
    Folder,
}

/// A file or folder with its members.
pub(crate) struct Container<'r, 'a> {
    pub(crate) run: &'r Run<'a>,
    pub(crate) form: ContainerForm,
    /// The outermost first.
    pub(crate) compressions: Vec<Compression>,
    /// In the order of the archive.
    pub(crate) members: Vec<Member>,
    /// The last member of each path: it replaces those before it.
    by_path: BTreeMap<Rc<str>, usize>,
    zip: Option<Zip<'r, 'a>>,
}

/// What a file turns out to be.
pub(crate) enum Opened<'r, 'a> {
    /// An archive.
    Container(Container<'r, 'a>),
    /// A compressed file that is no archive.
    Single { bytes: Vec<u8>, compressions: Vec<Compression> },
}

impl<'r, 'a> Container<'r, 'a> {
    /// Lists the members of the only source. `keep` tells which files are wanted unless the source has images.
    pub(crate) fn open(run: &'r Run<'a>, keep: &dyn Fn(&str) -> bool) -> Result<Opened<'r, 'a>, Error> {
        let mut unpacked = unpack(run, Box::new(Range::whole(run, 0)))?;
        let mut container = Self::empty(run, ContainerForm::Tar);
        match unpacked.form {
            Form::Tar if unpacked.compressions.is_empty() => {
                container.list_tar(Range::whole(run, 0), keep)?;
            }
            Form::Tar => {
                container.compressions = unpacked.compressions;
                container.list_tar(Stream(&mut unpacked.reader), keep)?;
                drain(run, &mut unpacked.reader)?;
            }
            Form::Zip if unpacked.compressions.is_empty() => {
                container.form = ContainerForm::Zip;
                let zip = Zip::open(run, 0)?;
                zip.list(&mut |path, kind, place| {
                    container.push(Member {
                        path: path.into(),
                        kind,
                        size: place.size,
                        place: Place::Zip(Box::new(place)),
                    })
                })?;
                container.zip = Some(zip);
            }
            Form::Zip => return Err(Error::PackedZip),
            _ if unpacked.compressions.is_empty() => return Err(Error::NotAnArchive),
            _ => {
                let bytes = run.or_failure(read_kept(run, &mut unpacked.reader), Form::Other)?;
                return Ok(Opened::Single { bytes, compressions: unpacked.compressions });
            }
        }
        Ok(Opened::Container(container))
    }

    /// A folder whose files are the sources, with their paths.
    pub(crate) fn of_folder(run: &'r Run<'a>, paths: &[String]) -> Result<Self, Error> {
        let mut container = Self::empty(run, ContainerForm::Folder);
        for (source, path) in paths.iter().enumerate() {
            let (path, _) = crate::tree::path_of(path.as_bytes(), run.limits)?;
            let place = Place::Range { source, offset: 0 };
            container.push(Member { path: path.into(), kind: MemberKind::File, size: run.len(source), place })?;
        }
        Ok(container)
    }

    const fn empty(run: &'r Run<'a>, form: ContainerForm) -> Self {
        Self { run, form, compressions: Vec::new(), members: Vec::new(), by_path: BTreeMap::new(), zip: None }
    }

    fn push(&mut self, member: Member) -> Result<(), Error> {
        self.run.or_failure(self.run.count_listed(&member.path, 1), Form::Other)?;
        self.by_path.insert(Rc::clone(&member.path), self.members.len());
        self.members.push(member);
        Ok(())
    }

    fn list_tar(&mut self, reader: impl Skip, keep: &dyn Fn(&str) -> bool) -> Result<(), Error> {
        let (run, is_packed) = (self.run, !self.compressions.is_empty());
        let is_complete = walk(run, reader, &mut |entry, bytes| {
            run.or_failure(run.count_entries(1), Form::Tar)?;
            let TapeEntry { path, is_absolute, kind, size, offset } = entry;
            if is_absolute {
                return Err(Error::UnsafeName { name: format!("/{}", shortened(&path)), fault: NameFault::Absolute });
            }
            let kind = match kind {
                EntryKind::File => MemberKind::File,
                EntryKind::Sparse => MemberKind::Sparse,
                EntryKind::HardLink(target) => MemberKind::HardLink(target.into()),
                EntryKind::Link(target) => MemberKind::Link(target.into()),
                EntryKind::Folder | EntryKind::Other => return Ok(()),
            };
            let place = match is_packed {
                true if kind == MemberKind::File
                    && (size <= SMALL && is_document(&path) || !is_blob(&path) && keep(&path)) =>
                {
                    Place::Kept(run.or_failure(read_sized(run, bytes, size), Form::Tar)?)
                }
                true => Place::Packed { offset },
                false => Place::Range { source: 0, offset },
            };
            self.push(Member { path: path.into(), kind, size, place })
        })?;
        if is_complete { Ok(()) } else { Err(run.failure(Error::Truncated)) }
    }

    pub(crate) fn member(&self, path: &str) -> Option<usize> {
        self.by_path.get(path).copied()
    }

    /// The bytes of a member that were kept when it was listed.
    pub(crate) fn take_kept(&mut self, index: usize) -> Option<Vec<u8>> {
        match &mut self.members[index].place {
            Place::Kept(bytes) => Some(std::mem::take(bytes)),
            Place::Range { .. } | Place::Packed { .. } | Place::Zip(_) => None,
        }
    }

    /// The paths of all members, sorted.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &str> {
        self.by_path.keys().map(|path| &**path)
    }

    /// The file at a path, where links may lead.
    pub(crate) fn file(&self, path: &str) -> Option<usize> {
        let last = self.link_chain(path).last().copied();
        last.filter(|&index| self.members[index].kind == MemberKind::File)
    }

    /// The member at a path and, if it is a link, the members that its chain of links leads through, in their order.
    pub(crate) fn link_chain(&self, path: &str) -> Vec<usize> {
        let mut chain = Vec::new();
        let mut next = Some(path.to_owned());
        while let Some(path) = next.take().filter(|_| chain.len() < LINKS) {
            let Some(index) = self.member(&path) else { break };
            chain.push(index);
            next = match &self.members[index].kind {
                MemberKind::File | MemberKind::Sparse => None,
                MemberKind::HardLink(target) => Some(target.to_string()),
                MemberKind::Link(target) => link_target(&path, target),
            };
        }
        chain
    }

    /// Calls `visit` with a reader of each of the members, in the order of the archive.
    pub(crate) fn read(
        &self,
        wanted: &BTreeSet<usize>,
        visit: &mut dyn FnMut(usize, Reader<'_>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut packed = BTreeMap::new();
        for &index in wanted {
            let member = &self.members[index];
            let reader: Reader<'_> = match &member.place {
                Place::Range { source, offset } => Box::new(Range::new(self.run, *source, *offset, member.size)),
                Place::Kept(bytes) => Box::new(&bytes[..]),
                Place::Zip(place) => {
                    let Some(zip) = &self.zip else { continue };
                    zip.read(place).map_err(|error| error.at(&member.path))?
                }
                Place::Packed { offset } => {
                    packed.insert(*offset, index);
                    continue;
                }
            };
            visit(index, reader).map_err(|error| error.at(&member.path))?;
        }
        if packed.is_empty() {
            return Ok(());
        }
        let unpacked = unpack(self.run, Box::new(Range::whole(self.run, 0)))?;
        walk(self.run, Stream(unpacked.reader), &mut |entry, bytes| match packed.get(&entry.offset) {
            Some(&index) => visit(index, Box::new(bytes)).map_err(|error| error.at(&self.members[index].path)),
            None => Ok(()),
        })
        .map(drop)
    }

    /// The bytes of a document of an image, with its path.
    pub(crate) fn document(&self, index: usize) -> Result<Vec<u8>, Error> {
        let limit = self.run.limits.document;
        let mut bytes = Vec::new();
        self.read(&BTreeSet::from([index]), &mut |_, reader| {
            self.run.or_failure(reader.take(limit + 1).read_to_end(&mut bytes), Form::Other).map(drop)
        })?;
        let member = &self.members[index];
        let read = bytes.len() as u64;
        self.run.count_document(read)?;
        if read > limit {
            return Err(Error::DocumentTooLarge { limit }.at(&member.path));
        }
        if read < member.size { Err(Error::Truncated.at(&member.path)) } else { Ok(bytes) }
    }
}

/// Whether a file is a document of an image, by its name: these are needed to understand the others.
fn is_document(path: &str) -> bool {
    let name = split(path).1;
    let stem = name.strip_suffix(".json").unwrap_or(name);
    matches!(name, "manifest.json" | "index.json" | "oci-layout" | "version") || are_digits(stem)
}

/// Whether a file may be a layer of an image, by its name: these are large and read one by one.
fn is_blob(path: &str) -> bool {
    path.ends_with(".tar") || path.contains("blobs/sha256/") || are_digits(split(path).1)
}

// Walks through the entries of a tar archive from its begin to its end.

/// An entry of a tar archive.
pub(crate) struct TapeEntry {
    pub(crate) path: String,
    /// Whether the name begins with `/`.
    is_absolute: bool,
    pub(crate) kind: EntryKind,
    /// The number of bytes.
    pub(crate) size: u64,
    /// Where the bytes begin in the archive.
    pub(crate) offset: u64,
}

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

// Reads zip archives: the directory at the end, then single entries.

/// The longest target of a symbolic link.
const TARGET: u64 = 4096;

pub(crate) struct Zip<'r, 'a> {
    run: &'r Run<'a>,
    archive: ZipArchive<SourceAt<'r, 'a>>,
}

/// Where the bytes of an entry are.
pub(crate) struct ZipPlace {
    /// The number of bytes, as the archive says.
    pub(crate) size: u64,
    entry: ZipArchiveEntryWayfinder,
    method: CompressionMethod,
    is_encrypted: bool,
}

/// A source as rawzip reads it.
struct SourceAt<'r, 'a> {
    run: &'r Run<'a>,
    source: usize,
}

impl ReaderAt for SourceAt<'_, '_> {
    fn read_at(&self, into: &mut [u8], offset: u64) -> io::Result<usize> {
        self.run.read_at(self.source, offset, into)
    }
}

impl<'r, 'a> Zip<'r, 'a> {
    /// Finds the directory.
    pub(crate) fn open(run: &'r Run<'a>, source: usize) -> Result<Self, Error> {
        let mut buffer = vec![0; MAX_CENTRAL_DIRECTORY_RECORD_SIZE];
        let located = ZipLocator::new().locate_in_reader(SourceAt { run, source }, &mut buffer, run.len(source));
        let archive = located.map_err(|(_, error)| failure(run, &error))?;
        Ok(Self { run, archive })
    }

    /// Calls `add` with each file.
    fn list(&self, add: &mut dyn FnMut(String, MemberKind, ZipPlace) -> Result<(), Error>) -> Result<(), Error> {
        let mut buffer = vec![0; MAX_CENTRAL_DIRECTORY_RECORD_SIZE];
        let mut entries = self.archive.entries(&mut buffer);
        while let Some(entry) = entries.next_entry().map_err(|error| failure(self.run, &error))? {
            self.run.or_failure(self.run.count_entries(1), Form::Zip)?;
            let name = entry.file_path();
            let (path, is_absolute) = path_of(name.as_bytes(), self.run.limits)?;
            if is_absolute {
                return Err(Error::UnsafeName { name: format!("/{}", shortened(&path)), fault: NameFault::Absolute });
            }
            let place = ZipPlace {
                size: entry.uncompressed_size_hint(),
                entry: entry.wayfinder(),
                method: entry.compression_method(),
                is_encrypted: entry.flags().is_encrypted(),
            };
            if entry.is_dir() || path.is_empty() {
                continue;
            }
            let kind = if entry.mode().is_symlink() {
                let mut target = String::new();
                let read = self.read(&place)?.take(TARGET).read_to_string(&mut target);
                self.run.or_failure(read, Form::Zip).map_err(|error| error.at(&path))?;
                MemberKind::Link(target.into())
            } else {
                MemberKind::File
            };
            add(path, kind, place)?;
        }
        Ok(())
    }

    /// A reader of an entry, which checks size and checksum at the end.
    pub(crate) fn read(&self, place: &ZipPlace) -> Result<Reader<'_>, Error> {
        if place.is_encrypted {
            return Err(Error::Encrypted);
        }
        let entry = self.archive.get_entry(place.entry).map_err(|error| failure(self.run, &error))?;
        let stored = Box::new(entry.reader());
        let reader = match place.method {
            CompressionMethod::STORE => {
                Decompressor::new(self.run, stored, Form::Zip, |packed| Box::new(entry.verifying_reader(packed)))
            }
            CompressionMethod::DEFLATE => Decompressor::new(self.run, stored, Form::Zip, |packed| {
                Box::new(entry.verifying_reader(DeflateDecoder::new(packed)))
            }),
            method => return Err(Error::UnknownMethod { method: method.as_u16() }),
        };
        Ok(Box::new(reader))
    }
}

fn failure(run: &Run<'_>, error: &rawzip::Error) -> Error {
    run.failure(match error.kind() {
        rawzip::ErrorKind::Eof | rawzip::ErrorKind::MissingEndOfCentralDirectory => Error::Truncated,
        rawzip::ErrorKind::IO(error) if error.kind() == io::ErrorKind::UnexpectedEof => Error::Truncated,
        _ => Error::Damaged { form: Form::Zip },
    })
}
