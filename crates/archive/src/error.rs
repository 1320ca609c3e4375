//! Why a file is not read, and the words for it.

use crate::{Compression, Form};
use std::fmt;

/// Why a file is not read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// What happened concerns a member of the file.
    In {
        member: String,
        /// What happened.
        error: Box<Error>,
    },
    /// The file is neither an archive nor compressed.
    NotAnArchive,
    /// The file is compressed with bzip2, which is not read.
    Bzip2,
    /// A zip archive in a compressed file.
    PackedZip,
    Sqlite,
    /// The image is a catalog in the old sqlite format.
    SqliteImage {
        /// The path of the database, from the image's label.
        database: String,
    },
    /// The bytes cannot be read.
    Unreadable {
        /// The reason that the system gives.
        reason: String,
    },
    /// The caller asked to stop.
    Cancelled,
    /// The data ends too early.
    Truncated,
    /// The data is not what its form requires.
    Damaged {
        form: Form,
    },
    /// There are too many compressions around each other.
    TooManyCompressions {
        limit: usize,
    },
    TooManyEntries {
        limit: u64,
    },
    /// The data unpacks to more than a catalog does.
    Bomb {
        /// The maximum of bytes that are unpacked from one.
        ratio: u64,
    },
    /// The files have too many bytes.
    TooLarge {
        /// The maximum in bytes.
        limit: u64,
    },
    /// The names and numbers of an entry of a tar have too many bytes.
    HeaderTooLarge {
        /// The maximum in bytes.
        limit: u64,
    },
    /// A decompressor would need too much memory.
    WindowTooLarge {
        compression: Compression,
        /// The maximum in bytes.
        limit: u64,
    },
    /// The names of the files have too many bytes.
    NamesTooLarge {
        /// The maximum in bytes.
        limit: u64,
    },
    /// A path has too many bytes.
    PathTooLong {
        limit: usize,
    },
    /// A path has too many folders.
    TooDeep {
        limit: usize,
    },
    /// A name that would lead out of the archive, or hides what it is.
    UnsafeName {
        name: String,
        fault: NameFault,
    },
    TooManyImages {
        limit: usize,
    },
    TooManyLayers {
        limit: usize,
    },
    /// There are too many indexes around each other.
    TooManyIndexes {
        limit: usize,
    },
    /// A manifest, index or configuration is too large, or all of them are.
    DocumentTooLarge {
        /// The maximum in bytes.
        limit: u64,
    },
    /// A manifest, index or configuration is not the JSON that it should be.
    BadDocument {
        /// What the JSON parser says.
        reason: String,
    },
    /// A member that a manifest names is missing.
    Missing {
        /// What is missing: a path or a digest.
        name: String,
    },
    /// Blobs that a manifest names are missing: all that are needed before others can be known.
    MissingBlobs {
        blobs: Vec<Blob>,
    },
    /// The index names no image.
    NoImage,
    /// The index names no image for the wanted platform.
    NoPlatform {
        wanted: String,
        /// The platforms that it names.
        found: Vec<String>,
    },
    /// The digest of a member is another one than its manifest says.
    WrongDigest {
        /// The digest in the manifest.
        expected: String,
        /// The digest of the bytes.
        found: String,
    },
    /// The size of a member is another one than its manifest says.
    WrongSize {
        /// The size in the manifest.
        expected: u64,
        /// The number of bytes.
        found: u64,
    },
    /// A digest that is not `sha256:` and 64 digits.
    UnknownDigest {
        digest: String,
    },
    /// The image is neither a catalog nor a bundle.
    NoLabel,
    /// The folder of the image's label has no file.
    NoFolder {
        folder: String,
    },
    /// The folders of a bundle image have no file.
    NoBundle {
        folders: Vec<String>,
    },
    /// A layer is not a tar archive.
    NotALayer,
    /// The archive has no file that could be kept.
    NoFiles,
    /// An entry of a zip is encrypted.
    Encrypted,
    /// An entry of a zip is compressed by another method than deflate.
    UnknownMethod {
        method: u16,
    },
}

/// A blob that a manifest or an index names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blob {
    /// `sha256:` and 64 digits.
    pub digest: String,
    /// The number of bytes, as the manifest says.
    pub size: Option<u64>,
    /// Whether it is a manifest or an index itself, which registries serve at another address.
    pub is_manifest: bool,
}

/// What is wrong with the name of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameFault {
    /// A part is `..`.
    Parent,
    /// The name begins with `/`.
    Absolute,
    Nul,
}

/// Why one file has no content, while the others do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileFault {
    /// A link to something outside of the folder that is read.
    LinkOutside {
        /// The link's target.
        target: String,
    },
    LinkToNothing {
        /// The link's target.
        target: String,
    },
    /// A link to a folder. `opm` does not follow these either.
    LinkToFolder {
        /// The link's target.
        target: String,
    },
    /// Links in a circle, or too many one after the other.
    LinkCycle {
        /// The link's target.
        target: String,
    },
    /// A file with holes, of which the archive has only the parts between.
    Sparse,
}

impl Error {
    /// The error with the member that it concerns.
    pub(crate) fn at(self, member: &str) -> Self {
        match self {
            Self::In { .. } | Self::Cancelled => self,
            error => Self::In { member: member.to_owned(), error: Box::new(error) },
        }
    }

    /// The error without the member that it concerns.
    #[must_use]
    pub fn kind(&self) -> &Self {
        match self {
            Self::In { error, .. } => error.kind(),
            error => error,
        }
    }
}

impl std::error::Error for Error {}

/// The help for a file that has to be unpacked by hand.
const UNPACK: &str = "unpack it with a tool that you trust, and open the folder with the catalog";

impl fmt::Display for Error {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = |bytes: &u64| Size(*bytes);
        match self {
            Self::In { member, error } => write!(to, "`{member}`: {error}"),
            Self::NotAnArchive => write!(to, "this is not an archive; tar, zip, gzip, zstd and xz are read"),
            Self::Bzip2 => {
                write!(to, "files compressed with bzip2 are not read; convert it: `bunzip2 < FILE | gzip > FILE.gz`")
            }
            Self::PackedZip => {
                write!(to, "this is a zip archive that was compressed again; decompress it, and open the zip")
            }
            Self::Sqlite => write!(
                to,
                "this is a catalog in the old sqlite format, which OLM tools no longer support; convert it with opm v1.73.0 or older: `opm render FILE -o yaml > catalog.yaml`, and open the output"
            ),
            Self::SqliteImage { database } => write!(
                to,
                "the image has its catalog in the old sqlite format, `{database}`, which OLM tools no longer support; convert it with opm v1.73.0 or older: `opm render IMAGE -o yaml > catalog.yaml`, and open the output"
            ),
            Self::Unreadable { reason } => write!(to, "cannot be read: {reason}"),
            Self::Cancelled => write!(to, "cancelled"),
            Self::Truncated => write!(to, "the data ends too early; the file is cut off, so get it again"),
            Self::Damaged { form } => {
                write!(to, "the {} data is damaged; get the file again", name_of(*form))
            }
            Self::TooManyCompressions { limit } => {
                write!(to, "compressed more than {limit} times; decompress it, and open what is in it")
            }
            Self::TooManyEntries { limit } => {
                write!(to, "the archive has more than {limit} entries; {UNPACK}")
            }
            Self::Bomb { ratio } => {
                write!(to, "the data unpacks to more than {ratio} times its size, which catalogs don't; {UNPACK}")
            }
            Self::TooLarge { limit } => write!(to, "the files have more than {}; {UNPACK}", size(limit)),
            Self::HeaderTooLarge { limit } => {
                write!(to, "an entry of the archive has a header of more than {}; {UNPACK}", size(limit))
            }
            Self::WindowTooLarge { compression, limit } => write!(
                to,
                "to decompress this {compression} data takes more than {} of memory; compress it again with the tool's default level",
                size(limit)
            ),
            Self::NamesTooLarge { limit } => {
                write!(to, "the list of the files has more than {}; {UNPACK}", size(limit))
            }
            Self::PathTooLong { limit } => {
                write!(to, "the path of a file has more than {limit} bytes; {UNPACK}")
            }
            Self::TooDeep { limit } => write!(to, "a file lies in more than {limit} folders; {UNPACK}"),
            Self::UnsafeName { name, fault } => {
                let what = match fault {
                    NameFault::Parent => "has `..`, which leads out of the archive",
                    NameFault::Absolute => "begins with `/`, which leads out of the archive",
                    NameFault::Nul => "has a NUL, which hides the rest",
                };
                write!(to, "the name `{}` {what}; {UNPACK}", name.escape_debug())
            }
            Self::TooManyImages { limit } => {
                write!(to, "the archive has more than {limit} images; save the catalog image alone")
            }
            Self::TooManyLayers { limit } => {
                write!(to, "the image has more than {limit} layers; {UNPACK}")
            }
            Self::TooManyIndexes { limit } => write!(
                to,
                "more than {limit} indexes lie around the image; save it for one platform: `skopeo copy docker://IMAGE docker-archive:FILE`"
            ),
            Self::DocumentTooLarge { limit } => {
                write!(to, "the manifests and configurations have more than {}; save the image again", size(limit))
            }
            Self::BadDocument { reason } => {
                write!(to, "expected a manifest or configuration of an image: {reason}; save the image again")
            }
            Self::Missing { name } => {
                write!(to, "the archive has no `{name}`, which the image needs; save the image again")
            }
            Self::MissingBlobs { blobs } => {
                let name = blobs.first().map_or("", |blob| &blob.digest);
                write!(to, "the archive has no `{name}`, which the image needs; save the image again")
            }
            Self::NoPlatform { wanted, found } => {
                write!(to, "the index names no image for the platform {wanted}, only for {}", found.join(", "))
            }
            Self::NoImage => write!(to, "the index names no image; save the image again"),
            Self::WrongDigest { expected, found } => {
                write!(to, "the digest should be {expected} and is {found}; the image was changed, so save it again")
            }
            Self::WrongSize { expected, found } => {
                write!(to, "should have {expected} bytes and has {found}; the image was changed, so save it again")
            }
            Self::UnknownDigest { digest } => {
                write!(to, "expected a digest `sha256:` with 64 digits, not `{}`", digest.escape_debug())
            }
            Self::NoLabel => write!(
                to,
                "the image has no label `{}`, so it is no catalog; unpack its catalog folder with `oc image extract IMAGE --path /configs/:FOLDER`",
                crate::report::CONFIGS
            ),
            Self::NoFolder { folder } => write!(
                to,
                "the image has no file in `{folder}`, the folder that its label `{}` names",
                crate::report::CONFIGS
            ),
            Self::NoBundle { folders } => {
                write!(to, "this is a bundle image without files in `{}`", folders.join("` or `"))
            }
            Self::NotALayer => write!(to, "this layer is not a tar archive; encrypted layers are not read"),
            Self::NoFiles => write!(to, "the archive has no files that are read here"),
            Self::Encrypted => write!(to, "the file is encrypted; unpack the archive, and open the folder"),
            Self::UnknownMethod { method } => write!(
                to,
                "the file is compressed by method {method} of zip; only deflate is read, so pack it again with `zip -r`"
            ),
        }
    }
}

impl fmt::Display for FileFault {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::LinkOutside { target } => {
                write!(to, "this is a link to `{}`, outside of the folder that is read", target.escape_debug())
            }
            Self::LinkToNothing { target } => {
                write!(to, "this is a link to `{}`, which does not exist", target.escape_debug())
            }
            Self::LinkToFolder { target } => {
                write!(to, "this is a link to the folder `{}`, which opm does not follow", target.escape_debug())
            }
            Self::LinkCycle { target } => {
                write!(to, "this is a link to `{}`, which leads back in a circle", target.escape_debug())
            }
            Self::Sparse => write!(to, "the file is stored with holes; pack it again without `--sparse`"),
        }
    }
}

const fn name_of(form: Form) -> &'static str {
    match form {
        Form::Tar => "tar",
        Form::Zip => "zip",
        Form::Compressed(Compression::Gzip) => "gzip",
        Form::Compressed(Compression::Zstd) => "zstd",
        Form::Compressed(Compression::Xz) => "xz",
        Form::Bzip2 => "bzip2",
        Form::Sqlite => "sqlite",
        Form::Other => "unpacked",
    }
}

/// A number of bytes in the largest unit that has a whole number of them.
struct Size(u64);

impl fmt::Display for Size {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            bytes if bytes >= 1 << 20 && bytes % (1 << 20) == 0 => write!(to, "{} MiB", bytes >> 20),
            bytes if bytes >= 1 << 10 && bytes % (1 << 10) == 0 => write!(to, "{} KiB", bytes >> 10),
            bytes => write!(to, "{bytes} bytes"),
        }
    }
}
