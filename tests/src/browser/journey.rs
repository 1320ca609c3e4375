//! A test from a fresh browser to its end, after which the browser is gone whatever happened.

use std::panic::{AssertUnwindSafe, resume_unwind};
use std::path::Path;

use futures_util::FutureExt;

use super::error::Result;
use super::page::Page;
use super::site::built;

/// Opens the app, runs `test` and closes the browser. A failed journey leaves a picture of its last page.
///
/// # Errors
///
/// What `test` returned; or errors in the console, or requests that left this machine.
pub async fn journey(test: impl AsyncFnOnce(&Page) -> Result) -> Result {
    journey_of(&built()?, test).await
}

/// The same with the app of a folder.
///
/// # Errors
///
/// As those of [`journey`].
pub async fn journey_of(dist: &Path, test: impl AsyncFnOnce(&Page) -> Result) -> Result {
    let page = Page::open(dist).await?;
    let steps = async {
        test(&page).await?;
        page.check_manners().await
    };
    let outcome = AssertUnwindSafe(steps).catch_unwind().await;
    if !matches!(outcome, Ok(Ok(()))) {
        keep_picture(&page).await;
    }
    let closed = page.close().await;
    match outcome {
        Ok(result) => result.and(closed),
        Err(panic) => resume_unwind(panic),
    }
}

/// Best effort: the journey's own failure is what must be told.
#[expect(clippy::print_stderr, reason = "a test harness speaks through the test's output")]
async fn keep_picture(page: &Page) {
    let test = std::thread::current().name().unwrap_or("journey").replace("::", "-");
    let path = std::env::temp_dir().join(format!("opscope-{test}.png"));
    match page.screenshot(&path).await {
        Ok(()) => eprintln!("the last page: {}", path.display()),
        Err(error) => eprintln!("no picture of the last page: {error}"),
    }
}
