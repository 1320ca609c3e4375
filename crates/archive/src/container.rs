//! The members of a file: of a tar or zip archive, compressed or not, or of a folder.
//!
//! Members are listed first, without their bytes. Of an archive that is not compressed only those bytes are read that are needed.
//! A compressed one is decompressed for the list, and what seems to be needed is kept meanwhile; only for the rest, such as the
//! layers of an image, it is decompressed once more, in the order in which it has them.

use crate::digest::are_digits;
use crate::error::NameFault;
use crate::name::{link_target, shortened, split};
use crate::run::{Range, Run, Skip, Stream, read_kept, read_sized};
use crate::tape::{EntryKind, TapeEntry, walk};
use crate::unpack::{Reader, drain, unpack};
use crate::zip::{Zip, ZipPlace};
use crate::{Compression, Error, Form};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Read;
use std::rc::Rc;

/// The longest way along links.
const LINKS: usize = 40;
/// The largest document that is kept when a compressed archive is listed.
const SMALL: u64 = 1 << 20;

/// A member.
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

/// The kind of a container.
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
            let (path, _) = crate::name::path_of(path.as_bytes(), run.limits)?;
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

    /// The member at a path.
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
