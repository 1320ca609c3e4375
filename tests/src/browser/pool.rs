//! Browsers that serve one journey after the other.
//!
//! To start a browser and to compile the app takes longer than most journeys. So a journey leaves its browser to the next
//! one, without tabs and storage of its own, but with the compiled modules of the app. A journey that fails ends its
//! browser. The last of the journeys that run at a time ends all, since nothing is called at the end of the process.

use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use fantoccini::Client;
use serde_json::json;
use tokio::runtime::{Builder, Handle};
use tokio::task::JoinHandle;
use tokio::time::timeout;

use super::command::{devtools, log};
use super::driver::Driver;
use super::error::{BrowserError, Result};

/// The most time that a browser may take to forget a journey.
const PATIENCE: Duration = Duration::from_secs(10);

/// Everything except the caches of files and of compiled modules.
const STORAGE: &str = "cache_storage,cookies,file_systems,indexeddb,local_storage,service_workers";

static POOL: Mutex<Pool> = Mutex::new(Pool { idle: Vec::new(), in_use: 0 });

/// A browser and its driver.
pub(crate) struct Browser {
    pub(crate) client: Client,
    _driver: Driver,
}

struct Pool {
    idle: Vec<Browser>,
    /// Journeys that have a browser or start one.
    in_use: usize,
}

/// The right to use a browser; when the last one is dropped, no journey runs.
pub(crate) struct Lease;

impl Lease {
    /// A browser that another journey has left, or a new one.
    pub(crate) async fn browser() -> Result<(Self, Browser)> {
        let lease = Self::new();
        let idle = pool().idle.pop();
        let browser = match idle {
            Some(browser) => browser,
            None => Browser::start().await?,
        };
        Ok((lease, browser))
    }

    fn new() -> Self {
        pool().in_use += 1;
        Self
    }

    /// Leaves a browser to the next journey.
    pub(crate) async fn give_back(self, browser: Browser, origin: &str) {
        match timeout(PATIENCE, browser.forget(origin)).await {
            Ok(Ok(())) => pool().idle.push(browser),
            // The next journey starts another one.
            _ => browser.end().await,
        }
        self.end().await;
    }

    /// Ends a browser that a journey may have broken.
    pub(crate) async fn throw_away(self, browser: Browser) {
        browser.end().await;
        self.end().await;
    }

    async fn end(self) {
        drop(self);
        let left = {
            let mut pool = pool();
            if pool.in_use == 0 { std::mem::take(&mut pool.idle) } else { Vec::new() }
        };
        for browser in left {
            browser.end().await;
        }
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        pool().in_use -= 1;
    }
}

fn pool() -> MutexGuard<'static, Pool> {
    POOL.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Browser {
    async fn start() -> Result<Self> {
        let started = in_background(async {
            let driver = Driver::start().await?;
            let client = driver.session().await?;
            Ok(Self { client, _driver: driver })
        });
        started.await.map_err(|error| BrowserError::NotReady(format!("the browser did not start: {error}")))?
    }

    /// Removes what a journey has left: its tab with all that was set for it, what the browser stores for the app, where it
    /// downloads to, and what it recorded.
    async fn forget(&self, origin: &str) -> Result {
        let tab = self.client.new_window(true).await?.handle;
        for other in self.client.windows().await? {
            if other != tab {
                self.client.switch_to_window(other).await?;
                self.client.close_window().await?;
            }
        }
        self.client.switch_to_window(tab).await?;
        // A tab behind another one has neither the focus nor frames.
        devtools(&self.client, "Page.bringToFront", json!({})).await?;
        devtools(&self.client, "Emulation.setFocusEmulationEnabled", json!({ "enabled": true })).await?;
        let storage = json!({ "origin": origin, "storageTypes": STORAGE });
        devtools(&self.client, "Storage.clearDataForOrigin", storage).await?;
        devtools(&self.client, "Browser.setDownloadBehavior", json!({ "behavior": "default" })).await?;
        for kind in ["browser", "performance"] {
            log(&self.client, kind).await?;
        }
        Ok(())
    }

    async fn end(self) {
        // A browser that does not answer ends with its driver.
        timeout(PATIENCE, self.client.close()).await.ok();
    }
}

/// Runs a task on a thread that lives as long as the process: the runtime of a test ends with it.
pub(crate) fn in_background<T: Send + 'static>(task: impl Future<Output = T> + Send + 'static) -> JoinHandle<T> {
    static BACKGROUND: LazyLock<Handle> = LazyLock::new(|| {
        let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime needs a few file handles");
        let handle = runtime.handle().clone();
        #[expect(clippy::disallowed_methods, reason = "this harness never runs on wasm32")]
        std::thread::spawn(move || runtime.block_on(std::future::pending::<()>()));
        handle
    });
    BACKGROUND.spawn(task)
}
