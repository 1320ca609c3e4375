//! Why a journey could not go on.

use std::fmt;
use std::path::PathBuf;

use fantoccini::error::CmdError;

/// What went wrong between the test, the driver and the page.
pub enum BrowserError {
    /// The browser, its driver or the built app is not there.
    NotReady(String),
    /// The driver refused a command.
    Command(CmdError),
    /// What was waited for did not come; `page` is what the page showed instead.
    TimedOut {
        /// What was waited for.
        what: String,
        /// The start of the page's visible text.
        page: String,
    },
    /// The page answered a script with something else than was asked for.
    Unexpected(String),
    /// The console holds these errors.
    Console(Vec<String>),
    /// These addresses off this machine were asked for.
    Strangers(Vec<String>),
    /// A file could not be read or written.
    File(PathBuf, std::io::Error),
}

/// The result of a step of a journey.
pub type Result<T = ()> = std::result::Result<T, BrowserError>;

impl BrowserError {
    /// Whether the element or its document was replaced while the step ran, so that it may be tried again.
    pub(crate) fn is_passing(&self) -> bool {
        matches!(self, Self::Command(error) if error.is_stale_element_reference() || error.is_no_such_element())
    }
}

impl fmt::Display for BrowserError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotReady(what) => write!(f, "{what}\n  to mend it: run `cargo xtask setup` and `cargo xtask build`"),
            Self::Command(error) => write!(f, "the browser refused: {error}"),
            Self::TimedOut { what, page } => write!(f, "waited in vain for {what}; the page shows:\n{page}"),
            Self::Unexpected(what) => f.write_str(what),
            Self::Console(errors) => write!(f, "errors in the console:\n{}", errors.join("\n")),
            Self::Strangers(urls) => write!(f, "requests that left this machine:\n{}", urls.join("\n")),
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
