//! Errors of a journey.

use std::fmt;
use std::path::PathBuf;

use fantoccini::error::CmdError;

/// Why a step of a journey failed.
pub enum BrowserError {
    /// The browser, its driver or the built app is missing.
    NotReady(String),
    /// The driver refused a command.
    Command(CmdError),
    /// Something did not appear in time.
    TimedOut {
        /// What was waited for.
        what: String,
        /// The start of the page's visible text.
        page: String,
    },
    /// A script returned a value of another kind than expected.
    Unexpected(String),
    /// Errors in the browser's console.
    Console(Vec<String>),
    /// Addresses of requests to other hosts.
    ForeignRequests(Vec<String>),
    /// A file could not be read or written.
    File(PathBuf, std::io::Error),
}

/// The result of a step of a journey.
pub type Result<T = ()> = std::result::Result<T, BrowserError>;

impl BrowserError {
    /// Whether the element or its document was replaced while the step ran, so that another try may succeed.
    pub(crate) fn is_transient(&self) -> bool {
        matches!(self, Self::Command(error) if error.is_stale_element_reference() || error.is_no_such_element())
    }
}

impl fmt::Display for BrowserError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotReady(what) => write!(f, "{what}\nhelp: run `cargo xtask setup` and `cargo xtask build`"),
            Self::Command(error) => write!(f, "the browser refused: {error}"),
            Self::TimedOut { what, page } => write!(f, "{what} did not appear; the page shows:\n{page}"),
            Self::Unexpected(what) => f.write_str(what),
            Self::Console(errors) => write!(f, "errors in the console:\n{}", errors.join("\n")),
            Self::ForeignRequests(urls) => write!(f, "requests to other hosts:\n{}", urls.join("\n")),
            Self::File(path, error) => write!(f, "`{}`: {error}", path.display()),
        }
    }
}

/// A test that fails with this error prints it with `Debug`: what it prints must be readable.
impl fmt::Debug for BrowserError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for BrowserError {}

impl From<CmdError> for BrowserError {
    fn from(error: CmdError) -> Self {
        Self::Command(error)
    }
}
