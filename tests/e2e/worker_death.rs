//! The worker dies: the page says so and continues with the saved catalogs.

use suite::browser::{Page, Result};

use crate::steps::{drop_fixture, kept, see_packages, see_texts, subscribe};

/// Makes all requests to this and the next workers, `arguments[0]` in all, ones that none can read, so that it throws.
const GARBLE: &str = "
    const post = Worker.prototype.postMessage;
    const [workers] = arguments;
    const killed = new Set();
    Worker.prototype.postMessage = function (message) {
        if (killed.size < workers) killed.add(this);
        post.call(this, killed.has(this) ? { ...message, request: { ask: 'nonsense' } } : message);
    }";

/// Opens the catalogs, waits until they are saved, and lets the next requests kill this many workers.
async fn kill(page: &Page, workers: u32) -> Result {
    drop_fixture(page, "kitchen").await?;
    kept(page, "kettle.v1.0.0").await?;
    kept(page, "teapot.v1.0.0").await?;
    page.eval(GARBLE, vec![workers.into()]).await?;
    page.css("[data-testid='package-row'][data-name='teapot']").await?.click().await?;
    // The worker's error, which the notice shows.
    page.text("a request could not be read").await.map(drop)
}

journey!(a_dead_worker_is_restarted_with_the_catalogs, async |page| {
    kill(page, 1).await?;
    page.text("The worker stopped. It was restarted with your catalogs.").await?;
    see_packages(page, &["kettle", "teapot"]).await?;
    page.css("[data-testid='graph'][aria-label='Update graph of teapot']").await?;
    subscribe(page, &[("package", "kettle"), ("channel", "stable")]).await?;
    page.text("installs 1.3.0").await.map(drop)
});

// Catalogs that kill the worker again must not keep the page from starting, and must not be lost.
journey!(a_worker_that_dies_at_once_starts_empty_and_the_catalogs_can_be_brought_back, async |page| {
    kill(page, 2).await?;
    page.text("It now runs without them").await?;
    page.text("Try to restore again").await?.click().await?;
    see_packages(page, &["kettle", "teapot"]).await?;
    see_texts(page, "[data-testid='catalog-chip'] b", &["kitchen"]).await
});
