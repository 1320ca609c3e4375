//! The state of one reading: the sources, what was read and unpacked so far, and the first failure.

use crate::report::File;
use crate::tree::{Leaf, split};
use crate::{Error, Form, Limits};
use std::cell::{Cell, RefCell};
use std::io::{self, Read};

/// Bytes that are read from a source at once. Each read of a browser's file costs about as much as these bytes.
const CHUNK: usize = 128 << 10;

/// Is told the number of bytes read so far, and returns whether to go on.
pub(crate) type Progress<'a> = dyn FnMut(u64) -> bool + 'a;

/// The state of one reading.
///
/// Readers of other crates pass on only their own kinds of errors. What goes wrong below them is therefore noted here, and the
/// first failure is the one that is reported.
pub(crate) struct Run<'a> {
    sources: RefCell<Vec<&'a mut dyn Source>>,
    lengths: Vec<u64>,
    progress: RefCell<&'a mut Progress<'a>>,
    pub(crate) limits: Limits,
    /// The platform whose image is wanted, such as `linux/arm64`.
    pub(crate) platform: Option<&'a str>,
    read: Cell<u64>,
    unpacked: Cell<u64>,
    kept: Cell<u64>,
    entries: Cell<u64>,
    names: Cell<u64>,
    documents: Cell<u64>,
    failure: RefCell<Option<Error>>,
}

impl<'a> Run<'a> {
    pub(crate) fn new(sources: Vec<&'a mut dyn Source>, limits: Limits, progress: &'a mut Progress<'a>) -> Self {
        Self {
            lengths: sources.iter().map(|source| source.len()).collect(),
            sources: RefCell::new(sources),
            progress: RefCell::new(progress),
            limits,
            platform: None,
            read: Cell::new(0),
            unpacked: Cell::new(0),
            kept: Cell::new(0),
            entries: Cell::new(0),
            names: Cell::new(0),
            documents: Cell::new(0),
            failure: RefCell::new(None),
        }
    }

    /// The same, with a platform whose image is wanted.
    pub(crate) const fn for_platform(mut self, platform: Option<&'a str>) -> Self {
        self.platform = platform;
        self
    }

    /// The number of bytes of a source.
    pub(crate) fn len(&self, source: usize) -> u64 {
        self.lengths.get(source).copied().unwrap_or_default()
    }

    /// Notes a failure, and gives an error that stops the readers above.
    pub(crate) fn fail(&self, error: Error) -> io::Error {
        let text = error.to_string();
        self.failure.borrow_mut().get_or_insert(error);
        io::Error::other(text)
    }

    /// Whether a failure was noted.
    pub(crate) fn has_failed(&self) -> bool {
        self.failure.borrow().is_some()
    }

    /// The failure that was noted first, or the given one.
    pub(crate) fn failure(&self, otherwise: Error) -> Error {
        self.failure.borrow_mut().take().unwrap_or(otherwise)
    }

    /// The value of a result, or the failure that was noted first; if none was, the data of the form is damaged.
    pub(crate) fn or_failure<T>(&self, result: io::Result<T>, form: Form) -> Result<T, Error> {
        result.map_err(|_| self.failure(Error::Damaged { form }))
    }

    /// Reads from a source. Only the end of the source gives no bytes.
    pub(crate) fn read_at(&self, source: usize, offset: u64, into: &mut [u8]) -> io::Result<usize> {
        let mut sources = self.sources.borrow_mut();
        let Some(found) = sources.get_mut(source) else { return Ok(0) };
        let count = match found.read_at(offset, into) {
            Ok(count) => count.min(into.len()),
            Err(error) => return Err(self.fail(Error::Unreadable { reason: error.to_string() })),
        };
        self.read.set(self.read.get().saturating_add(count as u64));
        if !(self.progress.borrow_mut())(self.read.get()) {
            return Err(self.fail(Error::Cancelled));
        }
        Ok(count)
    }

    /// Counts bytes that came out of a decompressor.
    pub(crate) fn count_unpacked(&self, bytes: u64) -> io::Result<()> {
        self.unpacked.set(self.unpacked.get().saturating_add(bytes));
        self.bound(self.unpacked.get(), self.read.get(), self.limits.ratio)
    }

    /// Counts bytes that stay in memory.
    fn count_kept(&self, bytes: u64) -> io::Result<()> {
        self.kept.set(self.kept.get().saturating_add(bytes));
        if self.kept.get() > self.limits.kept {
            return Err(self.fail(Error::TooLarge { limit: self.limits.kept }));
        }
        self.bound(self.kept.get(), self.lengths.iter().sum(), self.limits.kept_ratio)
    }

    /// Counts the bytes of a manifest, an index or a configuration.
    pub(crate) fn count_document(&self, bytes: u64) -> Result<(), Error> {
        self.documents.set(self.documents.get().saturating_add(bytes));
        let limit = self.limits.documents;
        if self.documents.get() > limit { Err(Error::DocumentTooLarge { limit }) } else { Ok(()) }
    }

    /// Counts a file that is listed, with the number of lists that its path is in.
    pub(crate) fn count_listed(&self, path: &str, lists: u64) -> io::Result<()> {
        // A path is a few machine words in each list, apart from its text.
        self.names.set(self.names.get().saturating_add((path.len() as u64 + 64) * lists));
        let limit = self.limits.names;
        if self.names.get() > limit { Err(self.fail(Error::NamesTooLarge { limit })) } else { Ok(()) }
    }

    pub(crate) fn count_entries(&self, entries: u64) -> io::Result<()> {
        self.entries.set(self.entries.get().saturating_add(entries));
        let limit = self.limits.entries;
        if self.entries.get() > limit { Err(self.fail(Error::TooManyEntries { limit })) } else { Ok(()) }
    }

    fn bound(&self, unpacked: u64, read: u64, ratio: u64) -> io::Result<()> {
        let most = read.saturating_mul(ratio).saturating_add(self.limits.free);
        if unpacked > most { Err(self.fail(Error::Bomb { ratio })) } else { Ok(()) }
    }
}

/// A part of a source.
pub(crate) struct Range<'r, 'a> {
    run: &'r Run<'a>,
    source: usize,
    at: u64,
    end: u64,
    buffer: Vec<u8>,
    /// The part of the buffer that was not read yet.
    unread: std::ops::Range<usize>,
}

impl<'r, 'a> Range<'r, 'a> {
    pub(crate) fn new(run: &'r Run<'a>, source: usize, offset: u64, size: u64) -> Self {
        let end = offset.saturating_add(size);
        Self { run, source, at: offset, end, buffer: Vec::new(), unread: 0..0 }
    }

    /// All of a source.
    pub(crate) fn whole(run: &'r Run<'a>, source: usize) -> Self {
        Self::new(run, source, 0, run.len(source))
    }

    fn fill(&mut self) -> io::Result<()> {
        let size = usize::try_from(self.end - self.at).map_or(CHUNK, |rest| rest.min(CHUNK));
        self.buffer.resize(size, 0);
        let count = self.run.read_at(self.source, self.at, &mut self.buffer)?;
        if count == 0 && size > 0 {
            return Err(self.run.fail(Error::Truncated));
        }
        self.at += count as u64;
        self.unread = 0..count;
        Ok(())
    }
}

impl Read for Range<'_, '_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.unread.is_empty() && self.at < self.end {
            self.fill()?;
        }
        let count = self.unread.len().min(into.len());
        into[..count].copy_from_slice(&self.buffer[self.unread.start..][..count]);
        self.unread.start += count;
        Ok(count)
    }
}

/// A reader that can leave bytes out.
pub(crate) trait Skip: Read {
    /// Leaves bytes out; fails if there are fewer than these and a block of padding.
    fn skip(&mut self, bytes: u64) -> io::Result<()>;
}

impl Skip for Range<'_, '_> {
    fn skip(&mut self, bytes: u64) -> io::Result<()> {
        let buffered = self.unread.len() as u64;
        if bytes <= buffered {
            self.unread.start += bytes as usize;
            return Ok(());
        }
        self.unread = 0..0;
        self.at = self.at.saturating_add(bytes - buffered);
        if self.at > self.end { Err(self.run.fail(Error::Truncated)) } else { Ok(()) }
    }
}

/// A reader that leaves bytes out by reading them.
pub(crate) struct Stream<R>(pub(crate) R);

impl<R: Read> Read for Stream<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.0.read(into)
    }
}

impl<R: Read> Skip for Stream<R> {
    fn skip(&mut self, bytes: u64) -> io::Result<()> {
        let skipped = io::copy(&mut (&mut self.0).take(bytes), &mut io::sink())?;
        // Some tools write layers whose last file has no padding.
        if bytes - skipped >= 512 { Err(io::ErrorKind::UnexpectedEof.into()) } else { Ok(()) }
    }
}

/// Reads all of a file of a known size that stays in memory.
pub(crate) fn read_sized(run: &Run<'_>, reader: &mut dyn Read, size: u64) -> io::Result<Vec<u8>> {
    let bytes = read_kept(run, reader)?;
    if (bytes.len() as u64) < size { Err(run.fail(Error::Truncated)) } else { Ok(bytes) }
}

/// Reads all of a file that stays in memory.
pub(crate) fn read_kept(run: &Run<'_>, reader: &mut dyn Read) -> io::Result<Vec<u8>> {
    let mut bytes: Vec<u8> = Vec::new();
    let mut buffer = vec![0; 64 << 10];
    loop {
        let count = match reader.read(&mut buffer) {
            Ok(0) => break,
            Ok(count) => count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        run.count_kept(count as u64)?;
        if bytes.capacity() - bytes.len() < count {
            // A vector that grows by itself doubles, which is much memory for a large file.
            bytes.reserve_exact(count + bytes.len() / 4);
        }
        bytes.extend_from_slice(&buffer[..count]);
    }
    bytes.shrink_to_fit();
    Ok(bytes)
}

// Contents of files, each once, however many paths lead to it.

/// Contents of files by index.
#[derive(Default)]
pub(crate) struct Pool {
    contents: Vec<Vec<u8>>,
    /// How many leaves still need each.
    uses: Vec<usize>,
}

impl Pool {
    /// Adds a content. Returns its index.
    pub(crate) fn add(&mut self, content: Vec<u8>) -> usize {
        self.contents.push(content);
        self.uses.push(0);
        self.contents.len() - 1
    }

    /// Notes that the leaves will be made files.
    pub(crate) fn claim(&mut self, leaves: &[Leaf]) {
        for index in leaves.iter().filter_map(|leaf| leaf.content.as_ref().ok()) {
            self.uses[*index] += 1;
        }
    }

    /// The files of leaves that were claimed, with their paths below a folder, sorted as a walk through the folders meets them.
    ///
    /// # Errors
    /// When the copies of a content that several leaves have are too large.
    pub(crate) fn files(&mut self, run: &Run<'_>, leaves: Vec<Leaf>, folder: &str) -> Result<Vec<File>, Error> {
        let mut files = Vec::with_capacity(leaves.len());
        for leaf in leaves {
            let content = match leaf.content {
                Err(fault) => Err(fault),
                Ok(index) => Ok(self.take(run, index)?),
            };
            let below = leaf.path.strip_prefix(folder).map_or(leaf.path.as_str(), |path| path.trim_start_matches('/'));
            // The label of an image may name a file.
            let path = if below.is_empty() { split(&leaf.path).1 } else { below };
            files.push(File { path: path.to_owned(), content });
        }
        files.sort_by(|one, other| one.path.split('/').cmp(other.path.split('/')));
        Ok(files)
    }

    fn take(&mut self, run: &Run<'_>, index: usize) -> Result<Vec<u8>, Error> {
        self.uses[index] -= 1;
        if self.uses[index] == 0 {
            return Ok(std::mem::take(&mut self.contents[index]));
        }
        run.or_failure(run.count_kept(self.contents[index].len() as u64), Form::Other)?;
        Ok(self.contents[index].clone())
    }
}

// Where bytes come from: random access, so that no file has to lie in memory.

/// A file that can be read at any place.
///
/// The command line reads a `std::fs::File` through it, a web worker reads slices of a `Blob`.
pub trait Source {
    /// The number of bytes.
    fn len(&self) -> u64;

    /// Whether there are no bytes.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Reads bytes at an offset into the start of `into`. Returns how many were read: fewer than asked for are allowed, and none
    /// mean that the file ends at the offset.
    ///
    /// # Errors
    /// When the file cannot be read.
    fn read_at(&mut self, offset: u64, into: &mut [u8]) -> io::Result<usize>;
}

impl Source for &[u8] {
    fn len(&self) -> u64 {
        <[u8]>::len(self) as u64
    }

    fn read_at(&mut self, offset: u64, into: &mut [u8]) -> io::Result<usize> {
        let rest = usize::try_from(offset).ok().and_then(|offset| self.get(offset..)).unwrap_or_default();
        let count = rest.len().min(into.len());
        into[..count].copy_from_slice(&rest[..count]);
        Ok(count)
    }
}
