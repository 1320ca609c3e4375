//! An archive or a saved image, as it is and compressed once more.

use archive::{Archive, ArchiveForm, Error, Limits};
use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::Write;

use crate::memory::bounded;

/// Memory of a reading, whatever the archive: windows of decompressors, and what they may unpack whatever the ratio is.
const FLOOR: usize = 64 << 20;
/// Compressions around each other.
const COMPRESSIONS: usize = 3;

/// Checks one input; panics when a property does not hold.
pub fn check(input: &[u8]) {
    let limits =
        Limits { window: 8 << 20, free: 4 << 20, entries: 20_000, compressions: COMPRESSIONS, ..Limits::default() };
    let read = |mut bytes: &[u8]| archive::read(&mut bytes, "input.gz", limits, &|_| true, &mut |_| true);
    let found = bounded(input.len(), 400, FLOOR, || read(input));
    assert_eq!(read(input), found, "read twice");
    match &found {
        Ok(archive) => check_archive(archive),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
    let mut bytes = input;
    let stopped = archive::read(&mut bytes, "input.gz", limits, &|_| true, &mut |_| false);
    assert!(stopped.is_err(), "reading goes on although it was cancelled");
    check_packed(input, found, &read);
}

fn check_archive(archive: &Archive) {
    assert!(!archive.contents.is_empty(), "an archive without contents");
    for contents in &archive.contents {
        assert!(!contents.files.is_empty(), "contents without files");
        for file in &contents.files {
            let is_safe = file.path.split('/').all(|part| !matches!(part, "" | "." | ".."));
            assert!(archive.form == ArchiveForm::SingleFile || is_safe, "{:?}", file.path);
            assert!(!file.path.contains('\0'), "{:?}", file.path);
        }
        let walked = contents.files.is_sorted_by(|one, other| one.path.split('/').lt(other.path.split('/')));
        assert!(walked, "files out of order, or two of one path: {contents:?}");
    }
}

/// A tar archive has the same files when it is compressed.
fn check_packed(input: &[u8], found: Result<Archive, Error>, read: &dyn Fn(&[u8]) -> Result<Archive, Error>) {
    let Ok(archive) = found else { return };
    if archive.form == ArchiveForm::Zip || archive.compressions.len() >= COMPRESSIONS {
        return;
    }
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    let packed = encoder.write_all(input).and_then(|()| encoder.finish()).expect("a vector can be written to");
    let unpacked = read(&packed).map(|archive| archive.contents);
    // How much may be unpacked depends on how well it is compressed.
    let is_bomb = unpacked.as_ref().is_err_and(|error| matches!(error.kind(), Error::Bomb { .. }));
    assert!(
        is_bomb || unpacked.as_ref() == Ok(&archive.contents),
        "compressed: {unpacked:?}, not: {:?}",
        archive.contents
    );
}
