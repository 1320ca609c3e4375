//! Digests of blobs.

use crate::Error;
use sha2::{Digest, Sha256};
use std::cell::RefCell;
use std::io::{self, Read};
use std::rc::Rc;

/// What digests begin with.
const PREFIX: &str = "sha256:";

/// A reader that computes the digest of what is read. Its clones read on where it stands.
pub(crate) struct Hashing<R> {
    state: Rc<RefCell<State<R>>>,
}

struct State<R> {
    reader: R,
    /// `None` if the digest is not needed.
    hash: Option<Sha256>,
    count: u64,
}

impl<R> Clone for Hashing<R> {
    fn clone(&self) -> Self {
        Self { state: Rc::clone(&self.state) }
    }
}

impl<R: Read> Hashing<R> {
    pub(crate) fn new(reader: R, is_needed: bool) -> Self {
        let state = State { reader, hash: is_needed.then(Sha256::new), count: 0 };
        Self { state: Rc::new(RefCell::new(state)) }
    }

    /// The number of bytes read so far.
    pub(crate) fn count(&self) -> u64 {
        self.state.borrow().count
    }

    /// The digest of what was read so far.
    pub(crate) fn digest(&self) -> Option<String> {
        self.state.borrow().hash.clone().map(written)
    }
}

impl<R: Read> Read for Hashing<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let mut state = self.state.borrow_mut();
        let count = state.reader.read(into)?;
        state.count += count as u64;
        if let Some(hash) = &mut state.hash {
            hash.update(&into[..count]);
        }
        Ok(count)
    }
}

/// The digits of a digest.
///
/// # Errors
/// When it is not `sha256:` and 64 digits.
pub(crate) fn digits(digest: &str) -> Result<&str, Error> {
    let digits = digest.strip_prefix(PREFIX).filter(|digits| are_digits(digits));
    digits.ok_or_else(|| Error::UnknownDigest { digest: crate::name::shortened(digest) })
}

/// Whether a text is the digits of a digest.
pub(crate) fn are_digits(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// The digest of bytes.
pub(crate) fn digest_of(bytes: &[u8]) -> String {
    written(Sha256::new_with_prefix(bytes))
}

fn written(hash: Sha256) -> String {
    let mut text = PREFIX.to_owned();
    for byte in hash.finalize() {
        text.extend([byte >> 4, byte & 15].iter().filter_map(|digit| char::from_digit(u32::from(*digit), 16)));
    }
    text
}
