//! Takes the compressions off a file, one after the other.

use crate::form::HEAD;
use crate::run::Run;
use crate::zstd::ZstdReader;
use crate::{Compression, Error, Form};
use flate2::bufread::MultiGzDecoder;
use lzma_rust2::XzReader;
use std::cell::Cell;
use std::io::{self, BufReader, Cursor, Read};
use std::rc::Rc;

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
