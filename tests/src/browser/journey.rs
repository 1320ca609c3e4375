//! Runs a test in a browser, which ends if the test fails or panics.

use std::panic::{AssertUnwindSafe, resume_unwind};
use std::path::Path;
use std::sync::Arc;

use futures_util::FutureExt;

use super::error::Result;
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
