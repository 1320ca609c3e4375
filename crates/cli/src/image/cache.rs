//! What was pulled before, in the user's folder for caches: blobs by their digests, and the digests that names stood for.

use crate::output::Failure;
use crate::places::shown_path;
use etcetera::BaseStrategy;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// What digests begin with.
const ALGORITHM: &str = "sha256:";
/// The folder of blobs, as in an OCI layout.
const BLOBS: &str = "blobs/sha256";
const NAMES: &str = "names.json";
/// The most bytes of that file: it is read and written for each pull.
const MOST_NAMES: u64 = 1 << 20;

/// The cache. Whatever is in it is complete and was verified: files come to it under a temporary name.
pub(crate) struct Cache {
    root: PathBuf,
}

/// What a name of an image stood for when it was pulled last.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct PulledName {
    pub(crate) name: String,
    pub(crate) digest: String,
}

impl Cache {
    /// The one of the user who runs the program: `opscope` in `$XDG_CACHE_HOME`, or where the system keeps caches.
    ///
    /// # Errors
    /// When the user has no home.
    pub(crate) fn of_user() -> Result<Self, Failure> {
        let base =
            etcetera::choose_base_strategy().map_err(|error| format!("there is no folder for a cache: {error}"))?;
        Ok(Self { root: base.cache_dir().join("opscope") })
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// The path of a blob in an OCI layout; `None` if the digest is none that is read.
    pub(crate) fn path_in_layout(&self, digest: &str) -> Option<String> {
        let digits = digest.strip_prefix(ALGORITHM)?;
        let are_digits = digits.len() == 64 && digits.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        are_digits.then(|| format!("{BLOBS}/{digits}"))
    }

    /// The file of a blob, if the cache has it.
    pub(crate) fn blob(&self, digest: &str) -> Option<PathBuf> {
        self.path_in_layout(digest).map(|path| self.root.join(path)).filter(|path| path.is_file())
    }

    /// A file that becomes a blob when it is complete.
    ///
    /// # Errors
    /// When the folder cannot be written.
    pub(crate) fn new_file(&self) -> Result<NamedTempFile, Failure> {
        let folder = self.root.join(BLOBS);
        std::fs::create_dir_all(&folder)
            .and_then(|()| NamedTempFile::new_in(&folder))
            .map_err(|error| self.cannot(&error))
    }

    /// Keeps a complete file as the blob with this digest, which the caller verified.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(crate) fn keep(&self, file: NamedTempFile, digest: &str) -> Result<(), Failure> {
        let path = self.path_in_layout(digest).ok_or_else(|| format!("`{digest}` is no digest that is read"))?;
        file.persist(self.root.join(path)).map(drop).map_err(|error| self.cannot(&error.error))
    }

    /// Whether a blob that the cache has is not what its digest says.
    pub(crate) fn is_damaged(&self, digest: &str) -> bool {
        self.blob(digest).is_some_and(|path| digest_of(&path).map_or(true, |found| found != digest))
    }

    /// Removes a blob that is damaged.
    pub(crate) fn remove(&self, digest: &str) {
        if let Some(path) = self.blob(digest) {
            // If it stays, reading it fails as before.
            drop(std::fs::remove_file(path));
        }
    }

    /// The names of what was pulled, sorted.
    pub(crate) fn names(&self) -> Vec<PulledName> {
        let path = self.root.join(NAMES);
        let is_small = path.metadata().is_ok_and(|file| file.len() <= MOST_NAMES);
        let text = is_small.then(|| std::fs::read(path).ok()).flatten().unwrap_or_default();
        // What cannot be read is pulled again.
        serde_json::from_slice(&text).unwrap_or_default()
    }

    /// Notes what a name stands for now.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(crate) fn note(&self, name: &str, digest: &str) -> Result<(), Failure> {
        let mut names = self.names();
        names.retain(|known| known.name != name);
        names.push(PulledName { name: name.to_owned(), digest: digest.to_owned() });
        names.sort_by(|one, other| one.name.cmp(&other.name));
        let mut file = self.new_file()?;
        let written = serde_json::to_writer(&mut file, &names).map_err(io::Error::from).and_then(|()| file.flush());
        written.map_err(|error| self.cannot(&error))?;
        file.persist(self.root.join(NAMES)).map(drop).map_err(|error| self.cannot(&error.error))
    }

    /// The number of blobs, and of their bytes.
    pub(crate) fn size(&self) -> (usize, u64) {
        let entries = std::fs::read_dir(self.root.join(BLOBS)).into_iter().flatten().flatten();
        let sizes: Vec<u64> = entries.filter_map(|entry| entry.metadata().ok()).map(|data| data.len()).collect();
        (sizes.len(), sizes.iter().sum())
    }

    /// Removes everything that was pulled.
    ///
    /// # Errors
    /// When it cannot be removed.
    pub(crate) fn clear(&self) -> Result<(), Failure> {
        let removed = |result: io::Result<()>| match result {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(self.cannot(&error)),
            _ => Ok(()),
        };
        removed(std::fs::remove_dir_all(self.root.join(BLOBS)))?;
        removed(std::fs::remove_file(self.root.join(NAMES)))
    }

    fn cannot(&self, error: &io::Error) -> Failure {
        let help = "set `XDG_CACHE_HOME` to a folder that you can write";
        format!("cannot write the cache `{}`: {error}; {help}", shown_path(&self.root)).into()
    }
}

/// The digest of a file, which may be larger than the memory.
fn digest_of(path: &Path) -> io::Result<String> {
    let (mut reader, mut hash) = (BufReader::new(File::open(path)?), Sha256::new());
    loop {
        let bytes = reader.fill_buf()?;
        let count = bytes.len();
        if count == 0 {
            return Ok(digest_text(hash));
        }
        hash.update(bytes);
        reader.consume(count);
    }
}

/// The digest of what was hashed.
pub(super) fn digest_text(hash: Sha256) -> String {
    hash.finalize().iter().fold(ALGORITHM.to_owned(), |text, byte| format!("{text}{byte:02x}"))
}
