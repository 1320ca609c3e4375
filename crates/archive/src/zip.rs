//! Reads zip archives: the directory at the end, then single entries.

use crate::container::MemberKind;
use crate::error::NameFault;
use crate::name::{path_of, shortened};
use crate::run::Run;
use crate::unpack::{Decompressor, Reader};
use crate::{Error, Form};
use flate2::bufread::DeflateDecoder;
use rawzip::{
    CompressionMethod, MAX_CENTRAL_DIRECTORY_RECORD_SIZE, ReaderAt, ZipArchive, ZipArchiveEntryWayfinder, ZipLocator,
};
use std::io::{self, Read};

/// The longest target of a symbolic link.
const TARGET: u64 = 4096;

/// A zip archive.
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
    pub(crate) fn list(
        &self,
        add: &mut dyn FnMut(String, MemberKind, ZipPlace) -> Result<(), Error>,
    ) -> Result<(), Error> {
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

/// The error for one of rawzip.
fn failure(run: &Run<'_>, error: &rawzip::Error) -> Error {
    run.failure(match error.kind() {
        rawzip::ErrorKind::Eof | rawzip::ErrorKind::MissingEndOfCentralDirectory => Error::Truncated,
        rawzip::ErrorKind::IO(error) if error.kind() == io::ErrorKind::UnexpectedEof => Error::Truncated,
        _ => Error::Damaged { form: Form::Zip },
    })
}
