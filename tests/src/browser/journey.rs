//! Runs a test in a browser, which ends if the test fails or panics.

use std::fmt;
use std::panic::{AssertUnwindSafe, resume_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use fantoccini::error::CmdError;
use futures_util::FutureExt;

use super::page::Page;
use super::site::{Audience, Site, built, shared};

/// Opens the built app, which a server of its own serves, and runs `test`. A failed journey saves a screenshot of its last
/// page.
///
/// # Errors
///
/// The error of `test`; or errors in the console; or requests to other hosts.
pub async fn journey(test: impl AsyncFnOnce(&Page) -> Result) -> Result {
    journey_in(&built()?, test).await
}

/// The same with the app in another folder.
///
/// # Errors
///
/// As those of [`journey`].
pub async fn journey_in(dist: &Path, test: impl AsyncFnOnce(&Page) -> Result) -> Result {
    run(Arc::new(Site::serve(dist, Audience::One).await?), test).await
}

/// The same with the built app at one address for all such journeys, so that the browser compiles it once. It is not kept
/// for a visit without a network.
///
/// # Errors
///
/// As those of [`journey`].
pub async fn quick_journey(test: impl AsyncFnOnce(&Page) -> Result) -> Result {
    run(shared().await?, test).await
}

/// The same with the app that another program serves at this address.
///
/// # Errors
///
/// As those of [`journey`].
pub async fn journey_at(address: &str, test: impl AsyncFnOnce(&Page) -> Result) -> Result {
    run(Arc::new(Site::at(address)), test).await
}

async fn run(site: Arc<Site>, test: impl AsyncFnOnce(&Page) -> Result) -> Result {
    let page = Page::open(site).await?;
    let steps = async {
        test(&page).await?;
        page.check_console_and_requests().await
    };
    let outcome = AssertUnwindSafe(steps).catch_unwind().await;
    if matches!(outcome, Ok(Ok(()))) {
        page.leave().await;
    } else {
        save_screenshot(&page).await;
        page.throw_away().await;
    }
    outcome.unwrap_or_else(|panic| resume_unwind(panic))
}

/// Best effort, since the journey's own failure must be reported.
#[expect(clippy::print_stderr, reason = "a test harness speaks through the test's output")]
async fn save_screenshot(page: &Page) {
    let test = std::thread::current().name().unwrap_or("journey").replace("::", "-");
    let path = std::env::temp_dir().join(format!("opscope-{test}.png"));
    match page.screenshot(&path).await {
        Ok(()) => eprintln!("screenshot of the last page: {}", path.display()),
        Err(error) => eprintln!("no screenshot of the last page: {error}"),
    }
}

// Errors of a journey.

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
