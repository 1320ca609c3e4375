//! Browsers that deny what the page uses, or do not answer.

use suite::browser::{Page, Result};

use crate::steps::{drop_fixture, fixture, kept, see_packages, see_texts};

const DENY_SERVICE_WORKERS: &str = "
    Object.defineProperty(Navigator.prototype, 'serviceWorker', {
        get() { throw new DOMException('denied', 'SecurityError'); },
    })";

/// A database that neither opens nor fails.
const SILENT_STORAGE: &str = "IDBFactory.prototype.open = () => new EventTarget();";

/// Ends a worker as the browser may: no event tells the page.
const END_ON_REQUEST: &str = "new BroadcastChannel('end').onmessage = () => self.close();";

/// Prepares the page so that its workers run a script before their own.
async fn prepare_workers(page: &Page, script: &str) -> Result {
    let wrap = "
        window.Blob = new Proxy(Blob, {
            construct: (target, [parts, options]) =>
                new target(options?.type === 'text/javascript' ? [SCRIPT, ...parts] : parts, options),
        })";
    page.prepare(&wrap.replace("SCRIPT", &format!("{script:?}"))).await
}

journey!(without_service_workers_the_page_starts, async |page| {
    page.prepare(DENY_SERVICE_WORKERS).await?;
    drop_fixture(page, "kitchen").await?;
    see_packages(page, &["kettle", "teapot"]).await
});

journey!(without_an_answer_of_the_storage_catalogs_are_opened_and_not_kept, async |page| {
    prepare_workers(page, SILENT_STORAGE).await?;
    drop_fixture(page, "kitchen").await?;
    page.text("This browser cannot keep your catalogs.").await?;
    page.text("its storage does not answer").await?;
    see_packages(page, &["kettle", "teapot"]).await
});

journey!(a_worker_that_ends_without_an_event_is_restarted, async |page| {
    prepare_workers(page, END_ON_REQUEST).await?;
    drop_fixture(page, "kitchen").await?;
    kept(page, "kettle.v1.0.0").await?;
    kept(page, "teapot.v1.0.0").await?;
    page.eval("new BroadcastChannel('end').postMessage('now')", vec![]).await?;
    page.text("The worker stopped. It was restarted with your catalogs.").await?;
    page.text("it ended without a message").await?;
    see_packages(page, &["kettle", "teapot"]).await?;
    page.css("[data-testid='package-row'][data-name='teapot']").await?.click().await?;
    page.css("[data-testid='graph'][aria-label='Update graph of teapot']").await?;
    see_texts(page, "[data-testid='notice'] b", &["The worker stopped. It was restarted with your catalogs."]).await
});

/// Makes the first workers of a page, `COUNT` in all, run only a script.
async fn break_workers(page: &Page, count: u32, script: &str) -> Result {
    let wrap = "
        let left = COUNT;
        const broken = () => URL.createObjectURL(new Blob([SCRIPT], { type: 'text/javascript' }));
        window.Worker = new Proxy(Worker, {
            construct: (target, [url, options]) => new target(left-- > 0 ? broken() : url, options),
        })";
    let wrap = wrap.replace("COUNT", &count.to_string()).replace("SCRIPT", &format!("{script:?}"));
    page.prepare(&wrap).await
}

journey!(a_worker_that_ends_at_once_is_started_again_with_what_was_opened, async |page| {
    break_workers(page, 1, "setTimeout(() => self.close(), 50)").await?;
    drop_fixture(page, "kitchen").await?;
    page.text("The worker did not start. It was started again.").await?;
    see_packages(page, &["kettle", "teapot"]).await
});

journey!(a_worker_that_never_starts_is_reported_and_started_by_the_user, async |page| {
    break_workers(page, 3, "for (;;) {}").await?;
    page.test_id("empty").await?;
    page.drop_paths(&[&fixture("kitchen")]).await?;
    page.text("The worker did not start. It was started again.").await?;
    page.text("The worker does not start").await?;
    page.text("Try again").await?.click().await?;
    see_packages(page, &["kettle", "teapot"]).await
});
