//! Recognises forms of files by how they begin, never by their names, and takes compressions off, one after the other.

use crate::run::Run;
use crate::{Error, Source};
use flate2::bufread::MultiGzDecoder;
use lzma_rust2::XzReader;
use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};
use std::cell::Cell;
use std::fmt;
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::rc::Rc;

/// The number of bytes that tell every form.
const HEAD: usize = 512;

/// The form of a file or of one of its layers of compression.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Form {
    Tar,
    Zip,
    Compressed(Compression),
    /// A bzip2 file, which is not read.
    Bzip2,
    /// A sqlite database, such as a catalog in the old format.
    Sqlite,
    /// None of these: text, or something unknown.
    Other,
}

/// A compression that is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Compression {
    /// gzip, also several members one after the other.
    Gzip,
    /// Zstandard, also several frames one after the other.
    Zstd,
    /// xz, also several streams one after the other.
    Xz,
}

impl Form {
    /// The form of what begins with these bytes; 512 of them are enough.
    #[must_use]
    pub fn of(head: &[u8]) -> Self {
        let begins = [
            (&b"\x1f\x8b"[..], Self::Compressed(Compression::Gzip)),
            (b"\x28\xb5\x2f\xfd", Self::Compressed(Compression::Zstd)),
            (b"\xfd7zXZ\0", Self::Compressed(Compression::Xz)),
            (b"BZh", Self::Bzip2),
            (b"PK\x03\x04", Self::Zip),
            // The end of the directory of a zip without entries.
            (b"PK\x05\x06", Self::Zip),
            (b"SQLite format 3\0", Self::Sqlite),
        ];
        // The magic of a tar stands behind the name and the numbers of its first entry, whose name may begin with any of the others.
        if head.get(257..262) == Some(b"ustar") {
            return Self::Tar;
        }
        // The first frame of zstd may be one to be skipped.
        if let [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] = head {
            return Self::Compressed(Compression::Zstd);
        }
        begins.into_iter().find(|(start, _)| head.starts_with(start)).map_or(Self::Other, |(_, form)| form)
    }
}

impl fmt::Display for Compression {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Gzip => "gzip",
            Self::Zstd => "zstd",
            Self::Xz => "xz",
        })
    }
}

/// The form of a file.
///
/// # Errors
/// When the file cannot be read.
pub fn recognise(source: &mut dyn Source) -> io::Result<Form> {
    let mut head = [0; HEAD];
    let mut count = 0;
    while count < HEAD {
        match source.read_at(count as u64, &mut head[count..])? {
            0 => break,
            read => count += read.min(HEAD - count),
        }
    }
    Ok(Form::of(&head[..count]))
}

// Takes the compressions off a file, one after the other.

/// A reader of another one's bytes.
pub(crate) type Reader<'r> = Box<dyn Read + 'r>;

/// What lies below the compressions.
pub(crate) struct Unpacked<'r> {
    pub(crate) reader: Reader<'r>,
    /// The form of what the reader gives; neither compressed nor refused.
    pub(crate) form: Form,
    /// The first bytes that the reader gives.
    pub(crate) head: Vec<u8>,
    /// The outermost first.
    pub(crate) compressions: Vec<Compression>,
}

/// Takes off all compressions.
pub(crate) fn unpack<'r>(run: &'r Run<'_>, mut reader: Reader<'r>) -> Result<Unpacked<'r>, Error> {
    let mut compressions = Vec::new();
    loop {
        let mut head = Vec::new();
        run.or_failure((&mut reader).take(HEAD as u64).read_to_end(&mut head), Form::Other)?;
        let form = Form::of(&head);
        reader = Box::new(Cursor::new(head.clone()).chain(reader));
        let Form::Compressed(compression) = form else {
            return match form {
                Form::Bzip2 => Err(Error::Bzip2),
                Form::Sqlite => Err(Error::Sqlite),
                _ => Ok(Unpacked { reader, form, head, compressions }),
            };
        };
        compressions.push(compression);
        let limit = run.limits.compressions;
        if compressions.len() > limit {
            return Err(Error::TooManyCompressions { limit });
        }
        reader = Box::new(Decompressor::new(run, reader, form, |packed| match compression {
            Compression::Gzip => Box::new(MultiGzDecoder::new(packed)),
            Compression::Zstd => Box::new(ZstdReader::new(run, packed)),
            Compression::Xz => {
                // The decoder counts its own buffers, about 100 KiB, too.
                let most = run.limits.window / 1024 + 1024;
                Box::new(XzReader::new_mem_limit(packed, true, u32::try_from(most).unwrap_or(u32::MAX - 1)))
            }
        }));
    }
}

/// Reads to the end, which checks what stands there, such as a checksum.
pub(crate) fn drain(run: &Run<'_>, reader: &mut dyn Read) -> Result<(), Error> {
    run.or_failure(io::copy(reader, &mut io::sink()), Form::Other).map(drop)
}

/// A decompressor that counts what it unpacks, and notes why it fails.
pub(crate) struct Decompressor<'r, 'a> {
    run: &'r Run<'a>,
    reader: Reader<'r>,
    form: Form,
    has_ended: Rc<Cell<bool>>,
}

/// Packed bytes on their way to a decompressor.
pub(crate) type Packed<'r> = BufReader<Input<'r>>;

impl<'r, 'a> Decompressor<'r, 'a> {
    /// Decompresses data with what `start` makes of it.
    pub(crate) fn new(
        run: &'r Run<'a>,
        packed: Reader<'r>,
        form: Form,
        start: impl FnOnce(Packed<'r>) -> Reader<'r>,
    ) -> Self {
        let has_ended = Rc::new(Cell::new(false));
        let input = Input { packed, has_ended: Rc::clone(&has_ended) };
        Self { run, reader: start(BufReader::with_capacity(32 << 10, input)), form, has_ended }
    }

    fn noted(&self, error: io::Error) -> io::Error {
        if self.run.has_failed() || error.kind() == io::ErrorKind::Interrupted {
            return error;
        }
        self.run.fail(match (error.kind(), self.form) {
            (io::ErrorKind::OutOfMemory, Form::Compressed(compression)) => {
                Error::WindowTooLarge { compression, limit: self.run.limits.window }
            }
            (io::ErrorKind::UnexpectedEof, _) => Error::Truncated,
            // A zip says how long an entry is: one that ends too early is another one than it says.
            (_, form) if form != Form::Zip && self.has_ended.get() => Error::Truncated,
            (_, form) => Error::Damaged { form },
        })
    }
}

impl Read for Decompressor<'_, '_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let count = self.reader.read(into).map_err(|error| self.noted(error))?;
        self.run.count_unpacked(count as u64)?;
        Ok(count)
    }
}

/// The packed bytes, which note that a decompressor wanted more than there are.
pub(crate) struct Input<'r> {
    packed: Reader<'r>,
    has_ended: Rc<Cell<bool>>,
}

impl Read for Input<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let count = self.packed.read(into)?;
        if count == 0 && !into.is_empty() {
            self.has_ended.set(true);
        }
        Ok(count)
    }
}

// Decompresses Zstandard: all frames of a stream one after the other, as zstd:chunked layers have them.

/// A reader of the content of all frames.
struct ZstdReader<'r, 'a, R> {
    run: &'r Run<'a>,
    packed: R,
    frame: FrameDecoder,
    is_in_frame: bool,
}

impl<'r, 'a, R: BufRead> ZstdReader<'r, 'a, R> {
    pub(crate) fn new(run: &'r Run<'a>, packed: R) -> Self {
        let mut frame = FrameDecoder::new();
        frame.set_max_window_size(run.limits.window);
        Self { run, packed, frame, is_in_frame: false }
    }

    /// Goes to the next frame with content. Returns whether there is one.
    fn next_frame(&mut self) -> io::Result<bool> {
        while !self.packed.fill_buf()?.is_empty() {
            match self.frame.init(&mut self.packed) {
                Ok(()) => return Ok(true),
                Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame { length, .. })) => {
                    let length = u64::from(length);
                    let skipped = io::copy(&mut (&mut self.packed).take(length), &mut io::sink())?;
                    if skipped < length {
                        return Err(io::ErrorKind::UnexpectedEof.into());
                    }
                }
                Err(FrameDecoderError::WindowSizeTooBig { .. }) => {
                    let limit = self.run.limits.window;
                    return Err(self.run.fail(Error::WindowTooLarge { compression: Compression::Zstd, limit }));
                }
                Err(error) => return Err(io::Error::other(error)),
            }
        }
        Ok(false)
    }

    fn end_frame(&mut self) -> io::Result<()> {
        self.is_in_frame = false;
        let (said, found) = (self.frame.get_checksum_from_data(), self.frame.get_calculated_checksum());
        if said.is_some() && said != found { Err(io::ErrorKind::InvalidData.into()) } else { Ok(()) }
    }
}

impl<R: BufRead> Read for ZstdReader<'_, '_, R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        loop {
            if !self.is_in_frame {
                if !self.next_frame()? {
                    return Ok(0);
                }
                self.is_in_frame = true;
            }
            if self.frame.can_collect() > 0 {
                return self.frame.read(into);
            }
            if self.frame.is_finished() {
                self.end_frame()?;
            } else {
                let one = BlockDecodingStrategy::UptoBlocks(1);
                self.frame.decode_blocks(&mut self.packed, one).map_err(io::Error::other)?;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_are_told_by_their_first_bytes() {
        let mut tar = [0; HEAD];
        tar[257..262].copy_from_slice(b"ustar");
        tar[..3].copy_from_slice(b"BZh");
        let forms = [
            (&b"\x1f\x8b\x08"[..], Form::Compressed(Compression::Gzip)),
            (b"\x28\xb5\x2f\xfd\0", Form::Compressed(Compression::Zstd)),
            (b"\x5a\x2a\x4d\x18\0", Form::Compressed(Compression::Zstd)),
            (b"\xfd7zXZ\0\0", Form::Compressed(Compression::Xz)),
            (b"BZh9", Form::Bzip2),
            (b"PK\x03\x04", Form::Zip),
            (b"SQLite format 3\0", Form::Sqlite),
            (&tar, Form::Tar),
            (b"schema: olm.package", Form::Other),
            (b"", Form::Other),
        ];
        for (mut bytes, form) in forms {
            assert_eq!(recognise(&mut bytes).unwrap(), form, "{bytes:?}");
        }
    }
}
