//! The bounds of what is read.

/// Bounds; each has its [`Error`](crate::Error).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The maximum of bytes of all files that are kept.
    pub kept: u64,
    /// How many bytes may be unpacked from each byte that was read, apart from `free`. Logs that repeat themselves have 100.
    pub ratio: u64,
    /// How many bytes may be kept for each byte of the file, apart from `free`. Catalogs have about 30.
    pub kept_ratio: u64,
    /// The number of bytes that may be unpacked whatever the ratio is: a small file may be all zeros.
    pub free: u64,
    /// The maximum number of entries of all archives in the file.
    pub entries: u64,
    /// The maximum number of compressions around each other.
    pub compressions: usize,
    /// The maximum of bytes of the names of all files that are listed, with some bytes for each.
    pub names: u64,
    /// The maximum number of bytes of a path.
    pub path: usize,
    /// The maximum number of folders around a file.
    pub depth: usize,
    /// The maximum number of images in the file.
    pub images: usize,
    /// The maximum number of layers of an image.
    pub layers: usize,
    /// The maximum number of indexes around an image manifest.
    pub indexes: usize,
    /// The maximum size of a manifest, an index or a configuration in bytes.
    pub document: u64,
    /// The maximum size of all of these together, each time one is read.
    pub documents: u64,
    /// The maximum number of bytes that an entry of a tar may have before its data, such as its name.
    pub header: u64,
    /// The maximum number of bytes of what has been unpacked that a decompressor may refer to.
    pub window: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            kept: 512 << 20,
            ratio: 200,
            kept_ratio: 100,
            free: 16 << 20,
            entries: 1_000_000,
            compressions: 3,
            names: 128 << 20,
            path: 4096,
            depth: 64,
            images: 64,
            layers: 512,
            indexes: 4,
            document: 4 << 20,
            documents: 64 << 20,
            header: 1 << 20,
            window: 64 << 20,
        }
    }
}
