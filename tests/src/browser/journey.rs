//! Runs a test in a browser of its own, which is closed afterwards even if the test panics.

use std::panic::{AssertUnwindSafe, resume_unwind};
use std::path::Path;

use futures_util::FutureExt;

use super::error::Result;
use super::page::Page;
use super::site::built;

/// Opens the app, runs `test` and closes the browser. A failed journey saves a screenshot of its last page.
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
    let page = Page::open(dist).await?;
    let steps = async {
        test(&page).await?;
        page.check_console_and_requests().await
    };
    let outcome = AssertUnwindSafe(steps).catch_unwind().await;
    if !matches!(outcome, Ok(Ok(()))) {
        save_screenshot(&page).await;
    }
    let closed = page.close().await;
    match outcome {
        Ok(result) => result.and(closed),
        Err(panic) => resume_unwind(panic),
    }
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
