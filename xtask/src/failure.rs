//! Why a chore could not be done, and what the reader can do about it.

use std::fmt;

/// What went wrong and, where it is known, how to mend it.
#[derive(Debug)]
pub(crate) struct Failure {
    what: String,
    mend: Option<String>,
}

/// The result of a chore.
pub(crate) type Result<T = ()> = std::result::Result<T, Failure>;

impl Failure {
    pub(crate) fn new(what: impl Into<String>) -> Self {
        Self { what: what.into(), mend: None }
    }

    /// Adds what the reader can do.
    pub(crate) fn mend(mut self, how: impl Into<String>) -> Self {
        self.mend = Some(how.into());
        self
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)?;
        match &self.mend {
            Some(how) => write!(f, "\n  to mend it: {how}"),
            None => Ok(()),
        }
    }
}

/// Names the file or folder that an I/O error is about.
pub(crate) trait About<T> {
    fn about(self, path: &std::path::Path) -> Result<T>;
}

impl<T> About<T> for std::io::Result<T> {
    fn about(self, path: &std::path::Path) -> Result<T> {
        self.map_err(|error| Failure::new(format!("`{}`: {error}", path.display())))
    }
}
