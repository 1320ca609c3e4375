//! Recognises forms of files by how they begin, never by their names.

use crate::Source;
use std::fmt;
use std::io;

/// The number of bytes that tell every form.
pub(crate) const HEAD: usize = 512;

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
