//! What is read of a bundle directory, and why reading stops.

use source::{Diagnostic, FileId, Span};

/// A file of a bundle directory.
#[derive(Clone, Copy, Debug)]
pub struct File<'a> {
    /// The places of findings have it.
    pub id: FileId,
    /// Relative to the bundle directory, with `/`.
    pub path: &'a str,
    /// As `fbc::decode_bytes` makes it.
    pub text: &'a str,
    /// Why `opm` does not read the file as this text.
    pub fault: Option<&'a Diagnostic>,
}

/// Why there is no bundle.
#[derive(Debug)]
pub(crate) enum Stop {
    /// The error of `opm`, and the place that it is about.
    Opm(String, Option<Span>),
    /// We cannot tell, because of this place.
    Unknown(String, Option<Span>),
}

impl Stop {
    /// Puts a text before the error of `opm`.
    pub(crate) fn behind(self, text: &str) -> Self {
        match self {
            Self::Opm(words, span) => Self::Opm(format!("{text}{words}"), span),
            Self::Unknown(..) => self,
        }
    }
}

impl From<fbc::OpenError> for Stop {
    fn from(error: fbc::OpenError) -> Self {
        Self::Unknown(error.message, Some(error.span))
    }
}
