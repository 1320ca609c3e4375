//! Browsers that deny what the page uses, or do not answer.

use suite::browser::{Page, Result};

use crate::steps::{drop_fixture, kept, see_packages, see_texts};

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
