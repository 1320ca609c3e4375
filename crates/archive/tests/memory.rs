//! How much memory hostile archives and large images take.
//!
//! One test, since the allocator counts what all threads have.

use archive::{Error, Limits, Source};
use flate2::write::GzEncoder;
use peak_alloc::PeakAlloc;
use std::io::{self, Write};
use tar::{EntryType, Header};

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

/// The most that a hostile archive may take.
const LIMIT: usize = 200_000_000;

fn header(name: &str, kind: EntryType, size: u64) -> Header {
    let mut header = Header::new_gnu();
    header.as_old_mut().name[..name.len()].copy_from_slice(name.as_bytes());
    header.set_entry_type(kind);
    header.set_size(size);
    header.set_cksum();
    header
}

/// A source that repeats its bytes.
struct Repeated {
    bytes: Vec<u8>,
    len: u64,
}

impl Source for Repeated {
    fn len(&self) -> u64 {
        self.len
    }

    fn read_at(&mut self, offset: u64, into: &mut [u8]) -> io::Result<usize> {
        let rest = &self.bytes[(offset % self.bytes.len() as u64) as usize..];
        let count = rest.len().min(into.len());
        into[..count].copy_from_slice(&rest[..count]);
        Ok(count)
    }
}

/// Reads an archive, whose bytes do not count. Returns the most that was allocated meanwhile, and the answer.
fn measured(source: &mut dyn Source) -> (usize, Result<(), Error>) {
    let before = ALLOCATOR.current_usage();
    ALLOCATOR.reset_peak_usage();
    let answer = archive::read(source, "a", Limits::default(), &|_| true, &mut |_| true).map(drop);
    (ALLOCATOR.peak_usage() - before, answer)
}

fn gzip(parts: &[&[u8]]) -> io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), flate2::Compression::fast());
    for part in parts {
        encoder.write_all(part)?;
    }
    encoder.finish()
}

#[test]
fn hostile_archives_take_little_memory() {
    let zeros = vec![0; 64 << 20];
    let ratio = Err(Error::Bomb { ratio: 100 });

    let bomb = gzip(&[&zeros, &zeros]).unwrap();
    let file = gzip(&[header("a/b", EntryType::Regular, 64 << 20).as_bytes(), &zeros, &[0; 1024]]).unwrap();
    for bytes in [bomb, file] {
        let (peak, answer) = measured(&mut &bytes[..]);
        assert_eq!((peak < LIMIT, &answer), (true, &ratio), "{peak} bytes");
    }

    // Names of a megabyte each, and many as long as paths may be.
    for (length, expected) in
        [(1000 << 10, Error::PathTooLong { limit: 4096 }), (4000, Error::NamesTooLarge { limit: 128 << 20 })]
    {
        let mut name = header("././@LongLink", EntryType::GNULongName, length as u64).as_bytes().to_vec();
        name.resize(512 + length, b'a');
        name.resize(name.len().next_multiple_of(512), 0);
        name.extend_from_slice(header("a", EntryType::Regular, 0).as_bytes());
        let (peak, answer) = measured(&mut Repeated { len: 1 << 40, bytes: name });
        assert_eq!((peak < LIMIT, answer), (true, Err(expected)), "{peak} bytes");
    }

    // A million files of one byte: their list is what takes memory.
    let mut entry = header("catalog/package/channel/version/catalog.yaml", EntryType::Regular, 1).as_bytes().to_vec();
    entry.resize(1024, b'1');
    let (peak, answer) = measured(&mut Repeated { len: 1 << 40, bytes: entry });
    assert_eq!((peak < LIMIT, answer), (true, Err(Error::TooManyEntries { limit: 1_000_000 })), "{peak} bytes");
}
